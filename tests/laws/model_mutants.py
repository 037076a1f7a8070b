"""How the confidence models could be wrong, and which law must notice. See mutant_table.py for the rows."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_COUNTS = "knowwhy/core/confidence/counts.py"
_COMPETITION = "knowwhy/core/confidence/competition.py"
_LOG_ODDS = "knowwhy/core/confidence/log_odds.py"
_FACTORS = "knowwhy/core/confidence/factors.py"
_MODELS = "knowwhy/core/confidence/models.py"
_LAWS = "tests/laws/test_model_laws.py::"
_FORMULAS = "tests/laws/test_model_formulas.py::"

MODEL_MUTANTS = [
    # What a statement weighs, and what is refused.
    Mutant(
        "log odds are counted in bits",
        Patch(_COUNTS, "math.log(trusted", "math.log2(trusted"),
        _LAWS + "test_one_statement_alone_gives_the_reliability_of_its_source",
    ),
    Mutant(
        "a score does not ask what a statement weighs",
        Patch(_COUNTS, "return reliability * weight", "return reliability"),
        _FORMULAS + "test_statements_weigh_what_their_model_says",
    ),
    Mutant(
        "a base rate may be certainty",
        Patch(_COMPETITION, "if not 0.0 < self.base_rate < 1.0:", "if not 0.0 <= self.base_rate <= 1.0:"),
        _FORMULAS + "test_a_prior_that_evidence_could_not_move_is_refused",
    ),
    Mutant(
        "a strictness that is no number passes",
        Patch(
            _COMPETITION,
            "if not 0.0 < self.strictness < math.inf:",
            "if self.strictness <= 0.0 or self.strictness == math.inf:",
        ),
        _FORMULAS + "test_numbers_that_cannot_be_are_refused",
    ),
    Mutant(
        "a half-life may be infinite",
        Patch(_COMPETITION, "not 0.0 < self.half_life_days < math.inf", "not 0.0 < self.half_life_days"),
        _FORMULAS + "test_numbers_that_cannot_be_are_refused",
    ),
    Mutant(
        "infinite evidence passes",
        Patch(_COMPETITION, "if not self.mass.fresh < math.inf:", "if self.mass.fresh < 0.0:"),
        _FORMULAS + "test_numbers_that_cannot_be_are_refused",
    ),
    Mutant(
        "a share that is no number passes",
        Patch(_COMPETITION, "if not 0.0 <= share <= 1.0:", "if share < 0.0 or share > 1.0:"),
        _FORMULAS + "test_numbers_that_cannot_be_are_refused",
    ),
    # Evidence counts.
    Mutant(
        "the base rate is always one half",
        Patch(
            _COMPETITION,
            "base_rate = self.base_rate / self.values\n        total",
            "base_rate = 0.5 / self.values\n        total",
        ),
        _FORMULAS + "test_evidence_is_the_opinion_over_all_values",
    ),
    Mutant(
        "the prior always weighs as two observations",
        Patch(_MODELS, "prior_weight=PRIOR_WEIGHT * prior.strictness", "prior_weight=PRIOR_WEIGHT"),
        _LAWS + "test_strictness_asks_for_so_many_times_the_evidence",
    ),
    Mutant(
        "ignorance does not ask how strict the prior is",
        Patch(
            _COMPETITION,
            "return self.prior_weight / (self.prior_weight + sum",
            "return PRIOR_WEIGHT / (PRIOR_WEIGHT + sum",
        ),
        _FORMULAS + "test_evidence_is_the_opinion_over_all_values",
    ),
    Mutant(
        "a threshold is crossed as if the base rate were one half",
        Patch(
            _COMPETITION,
            "base_rate = self.base_rate / self.values\n        spared",
            "base_rate = 0.5 / self.values\n        spared",
        ),
        _LAWS + "test_confidence_sinks_at_the_instant_foretold",
    ),
    Mutant(
        "a threshold is crossed as if the prior were lenient",
        Patch(
            _COMPETITION, "missing = threshold * (self.prior_weight", "missing = threshold * (PRIOR_WEIGHT"
        ),
        _LAWS + "test_confidence_sinks_at_the_instant_foretold",
    ),
    Mutant(
        "what sinks after the end of time sinks then",
        Patch(
            _COMPETITION,
            "Instant(min(FOREVER, self.reference + math.ceil(days * MICROSECONDS_PER_DAY)))",
            "Instant(self.reference + math.ceil(days * MICROSECONDS_PER_DAY))",
        ),
        _LAWS + "test_what_ages_too_slowly_to_sink_in_all_of_time_never_does",
    ),
    Mutant(
        "rivals keep their evidence when all is discounted",
        Patch(
            _COMPETITION,
            "rival_support=self.rival_support.scaled(share),",
            "rival_support=self.rival_support,",
        ),
        _LAWS + "test_a_scaled_tally_is_one_of_weaker_evidence",
    ),
    Mutant(
        "a conclusion ages",
        Patch(
            _COMPETITION,
            "support=self.support + Mass(pinned=evidence_count(reliability))",
            "support=self.support + Mass(ageing=evidence_count(reliability))",
        ),
        _LAWS + "test_a_conclusion_does_not_age",
    ),
    Mutant(
        "a conclusion for a rival is a refutation",
        Patch(
            _COMPETITION,
            "rival_support=self.rival_support + Mass(pinned",
            "refutation=self.refutation + Mass(pinned",
        ),
        _LAWS + "test_a_value_alone_is_one_of_a_contest_of_its_own",
    ),
    Mutant(
        "a conclusion for a rival is not heard",
        Patch(
            _COMPETITION,
            "rival_support=self.rival_support + Mass(pinned=evidence_count(reliability))",
            "rival_support=self.rival_support",
        ),
        _LAWS + "test_conclusions_and_discounts_leave_one_unit_to_share",
    ),
    Mutant(
        "alone, a value has the usual base rate",
        Patch(
            _COMPETITION,
            "            self.refutation,\n            base_rate=self.base_rate,",
            "            self.refutation,",
        ),
        _LAWS + "test_a_value_alone_is_one_of_a_contest_of_its_own",
    ),
    Mutant(
        "rivals do not speak against a value",
        Patch(
            _COMPETITION,
            "return self.refutation.fresh > 0.0 or self.rival_support.fresh > 0.0",
            "return self.refutation.fresh > 0.0",
        ),
        _LAWS + "test_a_tally_knows_who_speaks_for_and_against",
    ),
    Mutant(
        "the search for the instant stops early",
        Patch(_COMPETITION, "while below - above > 1:", "while below - above > 2:"),
        _LAWS + "test_confidence_sinks_at_the_instant_foretold",
    ),
    # Log-odds.
    Mutant(
        "each named value has the whole base rate",
        Patch(_LOG_ODDS, " - math.log(len(self.rivals) + 1)", ""),
        _LAWS + "test_without_evidence_the_named_values_have_the_base_rate",
    ),
    Mutant(
        "log-odds start even",
        Patch(_LOG_ODDS, "math.log(self.base_rate / (1.0 - self.base_rate))", "0.0"),
        _LAWS + "test_without_evidence_the_named_values_have_the_base_rate",
    ),
    Mutant(
        "log-odds know no other value",
        Patch(
            _LOG_ODDS,
            "logs = [prior + own / self.strictness, 0.0]",
            "logs = [prior + own / self.strictness, -math.inf]",
        ),
        _LAWS + "test_one_statement_alone_gives_the_reliability_of_its_source",
    ),
    Mutant(
        "each value has a sigmoid of its own",
        Patch(_LOG_ODDS, "total = math.fsum(parts)", "total = parts[0] + parts[1]"),
        _LAWS + "test_exclusive_values_never_add_up_to_more_than_one",
    ),
    Mutant(
        "a thousand to one is too much",
        Patch(_LOG_ODDS, "math.exp(log - highest)", "math.exp(log)"),
        _FORMULAS + "test_log_odds_of_a_thousand_are_no_overflow",
    ),
    Mutant(
        "one is not strict with rivals",
        Patch(_LOG_ODDS, "rival.net(factor) / self.strictness", "rival.net(factor)"),
        _LAWS + "test_exclusive_values_never_add_up_to_more_than_one",
    ),
    Mutant(
        "rivals cannot be refuted",
        Patch(
            _LOG_ODDS,
            "return self.support.aged(factor) - self.refutation.aged(factor)",
            "return self.support.aged(factor)",
        ),
        _FORMULAS + "test_log_odds_are_naive_bayes",
    ),
    Mutant(
        "rivals do not age",
        Patch(_LOG_ODDS, "prior + rival.net(factor)", "prior + rival.net(1.0)"),
        _FORMULAS + "test_log_odds_are_naive_bayes",
    ),
    Mutant(
        "the weakest rival has what was concluded",
        Patch(_LOG_ODDS, "strongest, _ = max(", "strongest, _ = min("),
        _LAWS + "test_conclusions_and_discounts_leave_one_unit_to_share",
    ),
    Mutant(
        "what was concluded for a rival is kept but not counted",
        Patch(_LOG_ODDS, "if self.rival_voice > 0.0:", "if self.rival_voice < 0.0:"),
        _LAWS + "test_a_conclusion_counts_as_a_voice",
    ),
    Mutant(
        "a discount spares what was concluded for a rival",
        Patch(_LOG_ODDS, "rival_voice=self.rival_voice * share", "rival_voice=self.rival_voice"),
        _LAWS + "test_a_scaled_tally_is_one_of_weaker_evidence",
    ),
    Mutant(
        "alone, a value still has its rivals' conclusions",
        Patch(_LOG_ODDS, "rivals=(), rival_voice=0.0", "rivals=()"),
        _LAWS + "test_a_value_alone_is_one_of_a_contest_of_its_own",
    ),
    Mutant(
        "what is below at first never comes up",
        Patch(_LOG_ODDS, "else self._peak(end)", "else self.reference"),
        _LAWS + "test_what_rises_before_it_sinks_sinks_after_that",
    ),
    Mutant(
        "the peak is sought where it falls",
        Patch(_LOG_ODDS, "share * (slope - slopes[0])", "share * (slopes[0] - slope)"),
        _LAWS + "test_what_rises_before_it_sinks_sinks_after_that",
    ),
    Mutant(
        "nothing ages in the end",
        Patch(_LOG_ODDS, "in_the_end = self._shares(0.0)[0]", "in_the_end = self._shares(1.0)[0]"),
        _LAWS + "test_confidence_sinks_at_the_instant_foretold",
    ),
    Mutant(
        "all has aged after three half-lives",
        Patch(_LOG_ODDS, "_HALF_LIVES_TO_NOTHING: Final = 1100.0", "_HALF_LIVES_TO_NOTHING: Final = 3.0"),
        _LAWS + "test_confidence_sinks_at_the_instant_foretold",
    ),
    Mutant(
        "who refutes a rival has said nothing",
        Patch(_LOG_ODDS, "masses += (rival.support, rival.refutation)", "masses += (rival.support,)"),
        _LAWS + "test_a_tally_knows_who_speaks_for_and_against",
    ),
    Mutant(
        "ignorance is the odds of all that was said",
        Patch(_LOG_ODDS, "2.0 * math.exp(-heard) / (1.0 + math.exp(-heard))", "math.exp(-heard)"),
        _LAWS + "test_one_statement_alone_gives_the_reliability_of_its_source",
    ),
    # Factors.
    Mutant(
        "a score fades to nothing",
        Patch(_FACTORS, "_STALEST: Final = 0.5", "_STALEST: Final = 0.0"),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "a date to come makes a score higher",
        Patch(
            _FACTORS,
            "return min(1.0, max(_STALEST, 1.0 - age_days / (2.0 * half_life_days)))",
            "return max(_STALEST, 1.0 - age_days / (2.0 * half_life_days))",
        ),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "a score is down to its floor after half a half-life",
        Patch(_FACTORS, "age_days / (2.0 * half_life_days)", "age_days / half_life_days"),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "a pinned score ages",
        Patch(_FACTORS, "if half_life_days is None or self.is_pinned:", "if half_life_days is None:"),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "many voices make more of a source than it is",
        Patch(
            _FACTORS,
            "backing = min(1.0, _ONE_SIDED + _PER_VOICE * self.voices / strictness)",
            "backing = _ONE_SIDED + _PER_VOICE * self.voices / strictness",
        ),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "conflicts never stop counting",
        Patch(
            _FACTORS,
            "max(_MOST_DISPUTED, 1.0 - _PER_CONFLICT * self.conflicts)",
            "(1.0 - _PER_CONFLICT * self.conflicts)",
        ),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "a value's own voices are conflicts",
        Patch(_FACTORS, "voices - side.voices", "voices"),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "scores are not brought into line",
        Patch(_FACTORS, "return own / max(1.0, total)", "return own"),
        _LAWS + "test_exclusive_values_never_add_up_to_more_than_one",
    ),
    Mutant(
        "scores are stretched until they add up to 1",
        Patch(_FACTORS, "return own / max(1.0, total)", "return own / total if total else 0.0"),
        _FORMULAS + "test_factors_are_the_formula",
    ),
    Mutant(
        "what is scaled to nothing leaves its voices behind",
        Patch(_FACTORS, "if share == 0.0:", "if share < 0.0:"),
        _LAWS + "test_a_scaled_tally_is_one_of_weaker_evidence",
    ),
    Mutant(
        "a conclusion is no conflict for rivals",
        Patch(
            _FACTORS,
            "rivals = tuple(replace(rival, rivalling=rival.rivalling + 1) for rival in self.rivals)",
            "rivals = self.rivals",
        ),
        _LAWS + "test_a_conclusion_counts_as_a_voice",
    ),
    Mutant(
        "a conclusion for a rival is no conflict",
        Patch(_FACTORS, "own = replace(self.own, rivalling=self.own.rivalling + 1)", "own = self.own"),
        _LAWS + "test_a_conclusion_counts_as_a_voice",
    ),
    Mutant(
        "a conclusion for a rival does not raise it",
        Patch(_FACTORS, "rivals=tuple(rival.with_voice(reliability) for rival in rivals)", "rivals=rivals"),
        _FORMULAS + "test_a_score_shares_with_what_is_concluded_for_its_rival",
    ),
    Mutant(
        "a conclusion ages with the source it joins",
        Patch(
            _FACTORS,
            "trust = max(self.weight * self._freshness(at, half_life_days), self.steady)",
            "trust = max(self.weight, self.steady) * self._freshness(at, half_life_days)",
        ),
        _LAWS + "test_a_conclusion_does_not_age",
    ),
    Mutant(
        "a score never reaches its floor",
        Patch(_FACTORS, "return (self.latest, self.latest + span * (1.0 - lowest))", "return (self.latest,)"),
        _LAWS + "test_confidence_sinks_at_the_instant_foretold",
    ),
    Mutant(
        "scores stop adding up to more than 1 unnoticed",
        Patch(_FACTORS, "turns |= {Instant(fits - 1), fits}", "turns |= {last}"),
        _LAWS + "test_a_score_rises_until_there_is_room_for_it_and_its_rival",
    ),
    # How tallies are kept.
    Mutant(
        "masses are rounded",
        Patch(_MODELS, "if mass.pinned else mass.ageing", "if mass.pinned else round(mass.ageing, 9)"),
        _FORMULAS + "test_a_tally_is_kept_exactly",
    ),
    Mutant(
        "what is pinned is kept as ageing",
        Patch(
            _MODELS, "return [mass.pinned, mass.ageing] if mass.pinned else mass.ageing", "return mass.fresh"
        ),
        _FORMULAS + "test_a_tally_is_kept_exactly",
    ),
    Mutant(
        "defaults are kept too",
        Patch(_MODELS, "return fields[:kept]", "return fields"),
        _FORMULAS + "test_what_is_plain_is_kept_in_few_fields",
    ),
    Mutant(
        "defaults in the middle are left out",
        Patch(
            _MODELS,
            "return fields[:kept]",
            "return [one for one, usual in zip(fields, defaults, strict=True) if one != usual]",
        ),
        _FORMULAS + "test_a_tally_is_kept_exactly",
    ),
    Mutant(
        "whatever it is, it is evidence",
        Patch(_MODELS, 'if model == "e":', 'if model not in {"l", "f"}:'),
        _FORMULAS + "test_what_is_no_tally_is_refused",
    ),
]
