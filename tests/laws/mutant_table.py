"""The mutants: how the package could be wrong in one place, and which law must notice.

A mutant is a patch of one source file, whose old text must occur there exactly once, or a whole function
put in the place of another. A replacement is read as text and moved into the target's module: it sees the
names of that module, not of this one. `mutants.py` runs them; to add one, append a row.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from knowwhy.core.confidence import Opinion
from knowwhy.core.confidence.opinion import proportioned
from knowwhy.core.confidence.running import RunningReliability
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant, Interval


@dataclass(frozen=True, slots=True)
class Patch:
    """A change of source text: `file` lies below src, `old` occurs in it exactly once."""

    file: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """A function that takes the place of `target`: "package.module:name" or "package.module:Class.method"."""

    target: str
    replacement: Callable[..., object]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One way to be wrong, and the test that must fail then: `kills` is a pytest node id."""

    name: str
    change: Patch | Replacement
    kills: str


# Opinions and their fusion ----------------------------------------------------------------------

_OPINION = "knowwhy/core/confidence/opinion.py"
_FUSION = "knowwhy/core/confidence/fusion.py"
_OPINION_LAWS = "tests/laws/test_opinion_laws.py::"


def _shrunk_to_vacuous(self: Opinion, factor: float) -> Opinion:
    kept = factor * (self.belief + self.disbelief)
    return Opinion(factor * self.belief, factor * self.disbelief, 1.0 - kept, self.base_rate)


def _projected_discount(opinion: Opinion, share: float) -> Opinion:
    return opinion.discounted(Opinion(share, 1.0 - share, 0.0))


def _uncorrected_apex(likelihood: float, if_true: Opinion, if_false: Opinion, base_rate: float) -> Opinion:
    return proportioned(
        likelihood * if_true.belief + (1.0 - likelihood) * if_false.belief,
        likelihood * if_true.disbelief + (1.0 - likelihood) * if_false.disbelief,
        likelihood * if_true.uncertainty + (1.0 - likelihood) * if_false.uncertainty,
        base_rate,
    )


OPINION_MUTANTS = [
    Mutant(
        "a component that is not a number passes",
        Patch(_OPINION, "if not 0.0 <= value <= 1.0:", "if value < 0.0 or value > 1.0:"),
        _OPINION_LAWS + "test_a_component_out_of_range_is_refused",
    ),
    Mutant(
        "components may add up to anything",
        Patch(_OPINION, "if abs(total - 1.0) > _SUM_TOLERANCE:", "if total > 2.0:"),
        _OPINION_LAWS + "test_components_that_do_not_add_up_are_refused_with_advice",
    ),
    Mutant(
        "the prior weighs as one observation",
        Patch(
            _OPINION,
            "(support, refutation, PRIOR_WEIGHT, base_rate)",
            "(support, refutation, 1.0, base_rate)",
        ),
        _OPINION_LAWS + "test_counts_and_opinion_say_the_same",
    ),
    Mutant(
        "all uncertainty is projected half and half",
        Patch(
            _OPINION,
            "self.belief + self.base_rate * self.uncertainty",
            "self.belief + 0.5 * self.uncertainty",
        ),
        _OPINION_LAWS + "test_the_projected_probability_is_the_mean_of_the_beta",
    ),
    Mutant(
        "a dogmatic opinion is divided by its uncertainty",
        Patch(_OPINION, "        if not self.is_dogmatic:\n", "        if True:\n"),
        _OPINION_LAWS + "test_a_dogmatic_opinion_has_no_counts",
    ),
    Mutant(
        "what a distrusted voice says is disbelieved",
        Patch(
            _OPINION,
            "            share * self.disbelief,\n            (1.0 - share) + share * self.uncertainty,",
            "            share * self.disbelief + (1.0 - share) * self.belief,\n"
            "            share * self.uncertainty + (1.0 - share) * (1.0 - self.belief),",
        ),
        _OPINION_LAWS + "test_full_distrust_gives_vacuous_not_the_opposite",
    ),
    Mutant(
        "ageing leaves disbelief as it was",
        Patch(
            _OPINION,
            "factor * self.belief, factor * self.disbelief,",
            "factor * self.belief, self.disbelief,",
        ),
        _OPINION_LAWS + "test_ageing_makes_uncertain_and_moves_towards_the_base_rate",
    ),
    Mutant(
        "dogmatic opinions age",
        Patch(
            _OPINION,
            "        if self.is_dogmatic:\n            return self",
            "        if factor == 0.0:\n            return VACUOUS",
        ),
        _OPINION_LAWS + "test_a_dogmatic_opinion_does_not_age",
    ),
    Mutant(
        "ageing scales belief instead of counts",
        Replacement("knowwhy.core.confidence.opinion:Opinion.aged", _shrunk_to_vacuous),
        _OPINION_LAWS + "test_ageing_commutes_with_cumulative_fusion",
    ),
    Mutant(
        "count discount scales belief instead of counts",
        Replacement("knowwhy.core.confidence.fusion:discounted_counts", _projected_discount),
        _OPINION_LAWS + "test_count_discount_distributes_over_cumulative_fusion",
    ),
    Mutant(
        "cumulative fusion averages",
        Patch(
            _FUSION,
            "return _pooled(voices, [1.0] * len(voices),",
            "return _pooled(voices, [1.0 / len(voices)] * len(voices),",
        ),
        _OPINION_LAWS + "test_cumulative_fusion_counts_every_repetition",
    ),
    Mutant(
        "cumulative fusion takes the plain mean of base rates",
        Patch(_FUSION, "_mean_base_rate(voices, evidence)", "_mean_base_rate(voices)"),
        _OPINION_LAWS + "test_cumulative_fusion_is_associative",
    ),
    Mutant(
        "cumulative fusion folds dogmatic opinions pair by pair",
        Patch(
            _FUSION,
            "return _pooled(dogmatic, [1.0] * len(dogmatic),",
            "return _pooled(dogmatic, [0.5 ** max(1, len(dogmatic) - i) for i in range(len(dogmatic))],",
        ),
        _OPINION_LAWS + "test_folding_dogmatic_opinions_loses_how_many_there_were",
    ),
    Mutant(
        "a dogmatic opinion leaves room for the rest",
        Patch(
            _FUSION, "scales = [float(voice.is_dogmatic) for voice in voices]", "scales = [1.0] * len(voices)"
        ),
        _OPINION_LAWS + "test_dogmatic_opinions_leave_no_room_for_the_rest",
    ),
    Mutant(
        "sums of floats depend on their order",
        Patch(_FUSION, "math.fsum(voice.belief * factor for", "sum(voice.belief * factor for"),
        _OPINION_LAWS + "test_the_order_of_arrival_does_not_matter",
    ),
    Mutant(
        "averaging fusion adds up",
        Patch(
            _FUSION,
            "_pooled(voices, [1.0 / len(voices)] * len(voices),",
            "_pooled(voices, [1.0] * len(voices),",
        ),
        _OPINION_LAWS + "test_repeating_an_opinion_changes_nothing",
    ),
    Mutant(
        "weighted fusion does not weigh",
        Patch(
            _FUSION,
            "shares = [certainty / total for certainty in certainties]",
            "shares = [1.0 / len(voices)] * len(voices)",
        ),
        _OPINION_LAWS + "test_vacuous_is_neutral",
    ),
    Mutant(
        "weighted fusion divides by the certainty of nobody",
        Patch(
            _FUSION,
            "    if total == 0.0:\n        return Opinion.vacuous",
            "    if total < 0.0:\n        return Opinion.vacuous",
        ),
        _OPINION_LAWS + "test_all_vacuous_is_vacuous_with_the_mean_base_rate",
    ),
    Mutant(
        "a vacuous opinion takes part in compromise",
        Patch(_FUSION, "(voice for voice in every if _certainty(voice) > 0.0)", "every"),
        _OPINION_LAWS + "test_vacuous_is_neutral",
    ),
    Mutant(
        "compromise forgets the consensus",
        Patch(_FUSION, "belief = min(voice.belief for voice in voices)", "belief = 0.0"),
        _OPINION_LAWS + "test_repeating_an_opinion_changes_nothing",
    ),
    Mutant(
        "conflict does not become uncertainty in compromise",
        Patch(_FUSION, "max(0.0, all_firm - all_pro - all_contra)", "0.0"),
        _OPINION_LAWS + "test_three_opinions_fuse_to_the_published_numbers",
    ),
    Mutant(
        "compromise of many underflows",
        Patch(_FUSION, "all_pro, all_contra, all_firm) or 1.0", "all_pro, all_contra, all_firm) and 1.0"),
        _OPINION_LAWS + "test_compromise_of_thousands_does_not_vanish_in_rounding",
    ),
    Mutant(
        "compromise with nothing left divides by zero",
        Patch(_FUSION, "    if scale == 0.0:", "    if scale < 0.0:"),
        _OPINION_LAWS + "test_compromise_of_which_nothing_is_left_is_uncertain",
    ),
    Mutant(
        "nothing fuses to vacuous",
        Patch(
            _FUSION,
            "    if not voices:\n        msg",
            "    if not voices:\n        return [Opinion.vacuous()]\n        msg",
        ),
        _OPINION_LAWS + "test_nothing_to_fuse_is_refused",
    ),
    Mutant(
        "deduction swaps the conditionals",
        Patch(
            _FUSION,
            "(x.belief, if_true), (x.disbelief, if_false)",
            "(x.belief, if_false), (x.disbelief, if_true)",
        ),
        _OPINION_LAWS + "test_deduction_is_exact_at_certain_premises",
    ),
    Mutant(
        "deduction from ignorance mixes the conditionals",
        Replacement("knowwhy.core.confidence.fusion:_apex", _uncorrected_apex),
        _OPINION_LAWS + "test_deduction_equals_the_older_form_where_the_conditionals_are_opposed",
    ),
    Mutant(
        "deduction from ignorance believes nothing",
        Patch(
            _FUSION,
            "    otherwise = 1.0 - likelihood\n",
            "    return Opinion.vacuous(base_rate)\n    otherwise = 1.0 - likelihood\n",
        ),
        _OPINION_LAWS + "test_deduction_keeps_the_law_of_total_probability",
    ),
    Mutant(
        "deduction uses up the wrong one of belief and disbelief",
        Patch(
            _FUSION,
            "spare_disbelief * base_rate <= spare_belief * (1.0 - base_rate)",
            "spare_disbelief * (1.0 - base_rate) <= spare_belief * base_rate",
        ),
        _OPINION_LAWS + "test_deduction_agrees_with_the_oracle",
    ),
]


# Evidence counts, ageing, competition -----------------------------------------------------------

_COUNTS = "knowwhy/core/confidence/counts.py"
_DECAY = "knowwhy/core/confidence/decay.py"
_MASS = "knowwhy/core/confidence/mass.py"
_COMPETITION = "knowwhy/core/confidence/competition.py"
_TALLY_LAWS = "tests/laws/test_tally_laws.py::"


def _mean_life(since: Instant, at: Instant, half_life_days: float | None) -> float:
    if half_life_days is None or at <= since:
        return 1.0
    return float(2.718281828459045 ** -((at - since) / MICROSECONDS_PER_DAY / half_life_days))


def _linear(since: Instant, at: Instant, half_life_days: float | None) -> float:
    if half_life_days is None or at <= since:
        return 1.0
    return max(0.0, 1.0 - 0.5 * (at - since) / MICROSECONDS_PER_DAY / half_life_days)


TALLY_MUTANTS = [
    Mutant(
        "a statement counts by half of its odds",
        Patch(_COUNTS, "PRIOR_WEIGHT * (trusted - 0.5)", "(trusted - 0.5)"),
        _TALLY_LAWS + "test_one_statement_alone_gives_the_reliability_of_its_source",
    ),
    Mutant(
        "an unreliable source counts as evidence of the opposite",
        Patch(_COUNTS, "min(max(reliability, _WORST), _BEST)", "min(reliability, _BEST)"),
        _TALLY_LAWS + "test_reliability_is_cut_at_both_ends",
    ),
    Mutant(
        "a source may be beyond doubt",
        Patch(_COUNTS, "_WORST, _BEST = 0.5, 0.99", "_WORST, _BEST = 0.5, 0.9999"),
        _TALLY_LAWS + "test_reliability_is_cut_at_both_ends",
    ),
    Mutant(
        "the weight of a statement is ignored",
        Patch(_COUNTS, "/ (1.0 - trusted) * weight", "/ (1.0 - trusted)"),
        _TALLY_LAWS + "test_counts_grow_with_reliability_and_in_proportion_to_weight",
    ),
    Mutant(
        "a negative weight passes",
        Patch(_COUNTS, "math.isfinite(weight) and weight >= 0.0", "math.isfinite(weight)"),
        _TALLY_LAWS + "test_a_weight_that_is_negative_or_infinite_is_refused",
    ),
    Mutant(
        "the half-life is read as a mean life",
        Replacement("knowwhy.core.confidence.decay:decay", _mean_life),
        _TALLY_LAWS + "test_decay_is_exactly_one_half_after_one_half_life",
    ),
    Mutant(
        "decay is a straight line",
        Replacement("knowwhy.core.confidence.decay:decay", _linear),
        _TALLY_LAWS + "test_decay_multiplies_over_adjacent_spans",
    ),
    Mutant(
        "a future date makes evidence stronger",
        Patch(_DECAY, "if at <= since:", "if at == since:"),
        _TALLY_LAWS + "test_a_future_date_counts_as_age_zero",
    ),
    Mutant(
        "a voice is taken as fresh wherever the reference lies",
        Patch(_MASS, "self.count * decay(self.since, reference, half_life_days)", "self.count"),
        _TALLY_LAWS + "test_a_voice_ages_alike_in_one_step_or_two",
    ),
    Mutant(
        "a pinned voice ages",
        Patch(_MASS, "if self.is_pinned or half_life_days is None:", "if half_life_days is None:"),
        _TALLY_LAWS + "test_a_pinned_voice_does_not_age",
    ),
    Mutant(
        "pinned mass ages with the rest",
        Patch(
            _MASS, "return self.pinned + self.ageing * factor", "return (self.pinned + self.ageing) * factor"
        ),
        _TALLY_LAWS + "test_pinned_evidence_does_not_age",
    ),
    Mutant(
        "of two pinned masses the greater stays",
        Patch(_MASS, "Mass(self.pinned + other.pinned,", "Mass(max(self.pinned, other.pinned),"),
        _TALLY_LAWS + "test_ageing_a_sum_is_adding_the_aged",
    ),
    Mutant(
        "refuting a rival helps nobody",
        Patch(
            _COMPETITION,
            "support + spared * base_rate / (1.0 - base_rate) + base_rate",
            "support + base_rate",
        ),
        _TALLY_LAWS + "test_named_values_and_other_share_exactly_one",
    ),
    Mutant(
        "there is no other value",
        Patch(
            _COMPETITION,
            "base_rate = self.base_rate / self.values\n        total",
            "base_rate = 1.0 / (self.values + 1)\n        total",
        ),
        _TALLY_LAWS + "test_confidence_agrees_with_the_oracle",
    ),
    Mutant(
        "a value that is only refuted is not named",
        Patch(_COMPETITION, "values=len(named),", "values=max(1, len(supports)),"),
        _TALLY_LAWS + "test_named_values_and_other_share_exactly_one",
    ),
    Mutant(
        "values are taken in the order in which they were named",
        Patch(
            _COMPETITION,
            "named = sorted(supports.keys() | refutations.keys())",
            "named = list(dict.fromkeys([*supports, *refutations]))",
        ),
        _TALLY_LAWS + "test_the_order_in_which_values_are_named_does_not_matter",
    ),
    Mutant(
        "support beyond one count adds nothing",
        Patch(_COMPETITION, "return (support + spared", "return (min(support, 1.0) + spared"),
        _TALLY_LAWS + "test_support_of_its_own_raises_confidence",
    ),
    Mutant(
        "refutation is not heard",
        Patch(
            _COMPETITION,
            "total = self.prior_weight + support + refutation + rivals",
            "total = self.prior_weight + support + rivals",
        ),
        _TALLY_LAWS + "test_refutation_of_its_own_lowers_confidence",
    ),
    Mutant(
        "rivals do not compete",
        Patch(_COMPETITION, "support + refutation + rivals + spared", "support + refutation + spared"),
        _TALLY_LAWS + "test_support_of_a_rival_lowers_confidence",
    ),
    Mutant(
        "what refutes a value does not age",
        Patch(
            _COMPETITION,
            "self.support.aged(factor), self.refutation.aged(factor)",
            "self.support.aged(factor), self.refutation.fresh",
        ),
        _TALLY_LAWS + "test_time_alone_never_swaps_two_rivals",
    ),
    Mutant(
        "without fresh evidence a value fades to nothing",
        Patch(
            _COMPETITION,
            "+ base_rate * self.prior_weight) / total",
            "+ base_rate * self.prior_weight) * factor / total",
        ),
        _TALLY_LAWS + "test_ageing_moves_every_confidence_towards_its_base_rate",
    ),
    Mutant(
        "all evidence is as old as the epoch",
        Patch(
            _COMPETITION,
            "decay(self.reference, at, self.half_life_days)",
            "decay(Instant(0), at, self.half_life_days)",
        ),
        _TALLY_LAWS + "test_where_the_reference_lies_does_not_matter",
    ),
    Mutant(
        "a threshold is crossed as if nothing were pinned",
        Patch(_COMPETITION, "sum(mass.pinned for mass in masses)) - fixed", "0.0) - fixed"),
        _TALLY_LAWS + "test_confidence_sinks_below_a_threshold_at_the_instant_foretold",
    ),
    Mutant(
        "a threshold is crossed by mean lives",
        Patch(_COMPETITION, "-math.log2(factor)", "-math.log(factor)"),
        _TALLY_LAWS + "test_confidence_sinks_below_a_threshold_at_the_instant_foretold",
    ),
    Mutant(
        "rivals are no conflict",
        Patch(
            _COMPETITION,
            "(self.refutation + self.rival_support).aged(factor)",
            "self.refutation.aged(factor)",
        ),
        _TALLY_LAWS + "test_conflict_is_that_of_the_theory",
    ),
    Mutant(
        "two faint voices are a conflict",
        Patch(_COMPETITION, "(pro + contra) ** 2 * (1.0 - self.ignorance(at))", "(pro + contra) ** 2"),
        _TALLY_LAWS + "test_conflict_is_that_of_the_theory",
    ),
]


# Instants and intervals -------------------------------------------------------------------------

_INSTANT = "knowwhy/core/timeline/instant.py"
_INTERVAL = "knowwhy/core/timeline/interval.py"
_TIMELINE_LAWS = "tests/laws/test_timeline_laws.py::"


def _without_emptiness(self: Interval, other: Interval) -> bool:
    return self.start < other.end and other.start < self.end


def _closed_overlap(self: Interval, other: Interval) -> bool:
    return not self.is_empty and not other.is_empty and self.start <= other.end and other.start <= self.end


def _hull(self: Interval, other: Interval) -> Interval:
    return Interval(min(self.start, other.start), max(self.end, other.end))


TIMELINE_MUTANTS = [
    Mutant(
        "intervals that meet overlap",
        Replacement("knowwhy.core.timeline.interval:Interval.overlaps", _closed_overlap),
        _TIMELINE_LAWS + "test_all_relations_of_allen_but_four_overlap",
    ),
    Mutant(
        "an empty interval overlaps what surrounds it",
        Replacement("knowwhy.core.timeline.interval:Interval.overlaps", _without_emptiness),
        _TIMELINE_LAWS + "test_an_empty_interval_overlaps_nothing_not_even_all_of_time",
    ),
    Mutant(
        "overlap is not symmetric",
        Patch(_INTERVAL, "and other.start < self.end", "and self.start <= other.start < self.end"),
        _TIMELINE_LAWS + "test_intervals_overlap_where_they_share_a_member",
    ),
    Mutant(
        "an interval contains its end",
        Patch(_INTERVAL, "self.start <= at < self.end", "self.start <= at <= self.end"),
        _TIMELINE_LAWS + "test_an_interval_contains_its_start_and_not_its_end",
    ),
    Mutant(
        "an interval that ends before it starts is not empty",
        Patch(_INTERVAL, "return self.end <= self.start", "return self.end == self.start"),
        _TIMELINE_LAWS + "test_an_interval_is_empty_where_it_has_no_member",
    ),
    Mutant(
        "the intersection is the hull",
        Replacement("knowwhy.core.timeline.interval:Interval.intersection", _hull),
        _TIMELINE_LAWS + "test_the_intersection_has_the_members_of_both",
    ),
    Mutant(
        "a naive time is read in UTC",
        Patch(_INSTANT, "declared = zone_of(zone)", "declared = _zone(zone) or UTC"),
        _TIMELINE_LAWS + "test_a_naive_time_is_refused",
    ),
    Mutant(
        "a naive time is read in the zone of the host",
        Patch(_INSTANT, "moment = moment.replace(tzinfo=declared)", "moment = moment.astimezone(declared)"),
        _TIMELINE_LAWS + "test_the_zone_of_the_host_never_matters",
    ),
    Mutant(
        "a declared zone is taken without its daylight saving",
        Patch(
            _INSTANT,
            "moment = moment.replace(tzinfo=declared)",
            "moment = moment.replace(\n"
            "            tzinfo=timezone(datetime(2000, 1, 1, tzinfo=declared).utcoffset() or timedelta(0))\n"
            "        )",
        ),
        _TIMELINE_LAWS + "test_a_naive_time_in_a_declared_zone_is_the_aware_one",
    ),
    Mutant(
        "a declared zone overrides that of the time",
        Patch(_INSTANT, "    if moment.tzinfo is None:\n", "    if moment.tzinfo is None or zone:\n"),
        _TIMELINE_LAWS + "test_a_declared_zone_does_not_change_an_aware_time",
    ),
    Mutant(
        "a date begins in UTC whatever the zone",
        Patch(_INSTANT, "tzinfo=zone_of(zone) or UTC", "tzinfo=UTC"),
        _TIMELINE_LAWS + "test_a_date_is_its_first_moment_in_the_zone",
    ),
    Mutant(
        "a date is its noon",
        Patch(
            _INSTANT,
            "datetime(when.year, when.month, when.day, tzinfo",
            "datetime(when.year, when.month, when.day, 12, tzinfo",
        ),
        _TIMELINE_LAWS + "test_a_date_without_a_zone_is_its_first_moment_in_utc",
    ),
    Mutant(
        "offsets count backwards",
        Patch(_INSTANT, 'sign = -1 if offset[1] == "-" else 1', "sign = 1"),
        _TIMELINE_LAWS + "test_a_zone_may_be_an_offset",
    ),
    Mutant(
        "instants are whole seconds",
        Patch(
            _INSTANT,
            "since = (moment - _EPOCH) // _MICROSECOND",
            "since = (moment - _EPOCH) // timedelta(seconds=1) * 1_000_000",
        ),
        _TIMELINE_LAWS + "test_an_instant_counts_microseconds_since_the_epoch",
    ),
    Mutant(
        "the text of an instant has whole seconds",
        Patch(
            _INSTANT,
            'moment.isoformat().replace("+00:00", "Z")',
            'moment.isoformat(timespec="seconds").replace("+00:00", "Z")',
        ),
        _TIMELINE_LAWS + "test_an_instant_comes_back_from_its_text",
    ),
    Mutant(
        "the order of instants is that of wall clocks",
        Patch(_INSTANT, "since = (moment - _EPOCH)", "since = (moment.replace(tzinfo=UTC) - _EPOCH)"),
        _TIMELINE_LAWS + "test_instants_are_in_the_order_of_the_times_they_name",
    ),
    Mutant(
        "the beginning of time has a text",
        Patch(
            _INSTANT,
            "if at in (BEGINNING, FOREVER):\n        return None",
            "if at == FOREVER:\n        return None",
        ),
        _TIMELINE_LAWS + "test_an_open_end_has_no_text",
    ),
]

# Revision ---------------------------------------------------------------------------------------

_ACCEPTANCE = "knowwhy/core/revision/acceptance.py"
_HEARING = "knowwhy/core/revision/hearing.py"
_JUDGING = "knowwhy/core/revision/judging.py"
_REVISION_LAWS = "tests/laws/test_revision_laws.py::"

REVISION_MUTANTS = [
    Mutant(
        "the least entrenched value wins",
        Patch(
            _JUDGING,
            "key=lambda one: (one.rank.key(order), one.rank.key(beyond)), reverse=True)",
            "key=lambda one: (one.rank.key(order), one.rank.key(beyond)))",
        ),
        _REVISION_LAWS + "test_acceptance_agrees_with_plain_elimination",
    ),
    Mutant(
        "everything is accepted",
        Patch(
            _JUDGING, "            if excluding:\n", "            if excluding and not literal.is_support:\n"
        ),
        _REVISION_LAWS + "test_values_that_exclude_each_other_share_one_unit",
    ),
    Mutant(
        "a statement still holds at the instant it ends",
        Patch(_HEARING, "if one.start <= at < one.end)", "if one.start <= at <= one.end)"),
        _REVISION_LAWS + "test_acceptance_agrees_with_plain_elimination",
    ),
    Mutant(
        "a source never takes back its word",
        Patch(_HEARING, "if one.testimony.claim.id not in taken_back)", "if one.recency >= 0)"),
        _REVISION_LAWS + "test_a_source_that_changed_its_mind_speaks_for_its_latest_word",
    ),
    Mutant(
        "an announced beginning does not count as recency",
        Patch(_HEARING, "spoken_at if named is None else max(named, spoken_at)", "spoken_at"),
        _REVISION_LAWS + "test_acceptance_agrees_with_plain_elimination",
    ),
    Mutant(
        "each repetition is a voice",
        Patch(_HEARING, "if taken.isdisjoint(one.testimony.groups):", "if one.testimony.groups:"),
        _REVISION_LAWS + "test_repeating_a_source_adds_no_voice",
    ),
    Mutant(
        "later words are told by their order of arrival",
        Patch(_HEARING, "groupby(sorted(statements, key=_latest_first)", "groupby(list(statements)"),
        _REVISION_LAWS + "test_later_words_leave_of_earlier_ones_what_a_plain_count_says",
    ),
    Mutant(
        "a withdrawal was always known",
        Patch(
            "knowwhy/core/model/claim.py",
            "not any(one.covers(known) for one in self.withdrawals)",
            "self.retracted_at is None",
        ),
        _REVISION_LAWS + "test_what_was_known_then_ignores_what_came_later",
    ),
    Mutant(
        "what is recorded later was always known",
        Patch(_ACCEPTANCE, "if one.recorded_at <= scope.known)", "if one.recorded_at >= 0)"),
        _REVISION_LAWS + "test_what_was_known_then_ignores_what_came_later",
    ),
    Mutant(
        "a view is held to be good for ever",
        Patch(_HEARING, "heard, min(bounds, default=FOREVER), given_up", "heard, FOREVER, given_up"),
        _REVISION_LAWS + "test_a_view_reads_as_if_settled_anew",
    ),
    Mutant(
        "pins and age are compared only once",
        Patch(
            _HEARING,
            "if half_life_days is None or all(is_ageing",
            "if half_life_days is None or any(is_ageing",
        ),
        _REVISION_LAWS + "test_a_pinned_word_stands_in_when_the_fresh_one_has_aged",
    ),
    Mutant(
        "a belief without live statements stands",
        Patch(_ACCEPTANCE, "for one in seen if one.is_visible(scope.known))", "for one in seen)"),
        _REVISION_LAWS + "test_no_belief_without_evidence",
    ),
    Mutant(
        "the breakdown forgets what later words leave",
        Patch(
            "knowwhy/core/revision/grounds.py",
            "discounts.get(one.testimony.claim.id, 1.0), attribute",
            "1.0, attribute",
        ),
        _REVISION_LAWS + "test_the_breakdown_adds_up",
    ),
    Mutant(
        "staleness comes a half-life late",
        Patch(
            "knowwhy/core/confidence/competition.py",
            "days = -math.log2(factor)",
            "days = (1 - math.log2(factor))",
        ),
        _REVISION_LAWS + "test_an_accepted_belief_turns_stale_when_its_confidence_falls_below",
    ),
]


# Whole memories ---------------------------------------------------------------------------------

_MEMORY_LAWS = "tests/laws/test_memory_laws.py::"

MEMORY_MUTANTS = [
    Mutant(
        "a withdrawal does not reach the views",
        Patch(
            "knowwhy/engine/deciding.py",
            "return replace(one, withdrawals=(*known, *new))",
            "return replace(one, withdrawals=tuple(known))",
        ),
        _MEMORY_LAWS + "test_the_past_of_a_memory_never_changes",
    ),
    Mutant(
        "a declaration does not reach the views",
        Patch("knowwhy/engine/declare.py", "contests=tuple(touched))", "contests=())"),
        _MEMORY_LAWS + "test_views_follow_from_the_log_under_declarations_too",
    ),
    Mutant(
        "the gate trusts every view",
        Patch("knowwhy/recall/gate.py", "self.scope.is_latest_knowledge and", "self.scope.known and"),
        _MEMORY_LAWS + "test_the_past_of_a_memory_never_changes",
    ),
    Mutant(
        "the gate forgets that time begins and ends things",
        Patch("knowwhy/recall/gate.py", "self.scope.valid < belief.stable_until", "self.scope.valid"),
        _MEMORY_LAWS + "test_the_past_of_a_memory_never_changes",
    ),
    Mutant(
        "a contest is decided without what was said before",
        Patch(
            "knowwhy/engine/deciding.py",
            "self._pool[key] = (*self._pool[key], *those)",
            "self._pool[key] = tuple(those)",
        ),
        _MEMORY_LAWS + "test_the_past_of_a_memory_never_changes",
    ),
]

# Belief bases -----------------------------------------------------------------------------------

_BELIEF_BASE = "knowwhy/core/revision/belief_base/"
_OPERATORS = _BELIEF_BASE + "operators.py"
_RECORDS = _BELIEF_BASE + "records.py"
_POSTULATES = "tests/laws/test_postulates.py::"
_BASE_LAWS = "tests/laws/test_belief_base_laws.py::"

_DOES_NOT_FIT = "                if not self.theory.is_consistent([*said, *forbidden]):"
_ALL_OF_KERNELS = Patch(
    _OPERATORS,
    "accepted.update(one.id for one in taken)",
    "blamed = {name for each in rejections.values() for name in each.rivals}\n"
    "        accepted.update(one.id for one in taken if one.id not in blamed)",
)
_LOWEST_OF_EVERY_KERNEL = Patch(
    _OPERATORS,
    "        taken: list[Element] = []\n        bounds = _bounds(self.guards)\n",
    "        from knowwhy.core.revision.belief_base.kernels import kernels\n"
    "        taken: list[Element] = []\n"
    "        bounds = _bounds(self.guards)\n"
    "        said = {one.id: one.sentence for one in self.elements}\n"
    "        against = [forbidden[0] if forbidden else Sentence(frozenset()) for _, forbidden in bounds]\n"
    "        low = {one[-1] for each in against for one in kernels(self.theory, said, each, 999).kernels}\n"
    "        accepted.update(said.keys() - low)\n"
    "        return\n",
)
_PUT_AT = "return consider(base, record_id, sentence, base.top)"
_RECORDED = "return replace(self, elements=self.elements | {placed})"

POSTULATE_MUTANTS = [
    Mutant(
        "to give up something drops everything near it",
        Patch(_OPERATORS, _DOES_NOT_FIT, _DOES_NOT_FIT.replace("if not", "if guard or not")),
        _POSTULATES + "test_p3_vacuity",
    ),
    Mutant(
        "to give up something drops everything that is left of its kernels as well",
        Patch(_OPERATORS, _DOES_NOT_FIT, _DOES_NOT_FIT.replace("if not", "if rejections or not")),
        _POSTULATES + "test_p4_core_retainment",
    ),
    Mutant(
        "to give up something drops nothing",
        Patch(_OPERATORS, "bounds = _bounds(self.guards)", "bounds = _bounds(())"),
        _POSTULATES + "test_p1_success_of_contraction",
    ),
    Mutant(
        "what the constraints imply can be given up",
        Patch(_OPERATORS, "if base.theory.entails([], sentence):", "if base.top == ():"),
        _POSTULATES + "test_p1_what_the_constraints_imply_cannot_be_given_up",
    ),
    Mutant(
        "what is given up is told as accepted",
        Patch(_OPERATORS, "Guard(record_id, sentence, base.top", "Element(record_id, ~sentence, base.top"),
        _POSTULATES + "test_p2_inclusion",
    ),
    Mutant(
        "the lowest of every kernel is dropped",
        _LOWEST_OF_EVERY_KERNEL,
        _POSTULATES + "test_p5_relevance",
    ),
    Mutant(
        "what speaks of the same as the input is dropped with it",
        Patch(
            _OPERATORS,
            _DOES_NOT_FIT,
            "                if (guard and element.sentence.atoms & guard.sentence.atoms) or not "
            "self.theory.is_consistent([*said, *forbidden]):",
        ),
        _POSTULATES + "test_p6_uniformity",
    ),
    Mutant(
        "what the rest implies is dropped",
        Patch(
            _OPERATORS,
            _DOES_NOT_FIT,
            "                if self.theory.entails(said[:-1], element.sentence) or not "
            "self.theory.is_consistent([*said, *forbidden]):",
        ),
        _POSTULATES + "test_p7_relative_closure",
    ),
    *(
        Mutant(f"all members of kernels are dropped ({law})", _ALL_OF_KERNELS, _POSTULATES + law)
        for law in (
            "test_p8_maximality",
            "test_p12_revision_by_a_conjunction",
            "test_p13_what_a_stronger_input_outdates",
            "test_p15_relative_success",
        )
    ),
    Mutant(
        "the most entrenched is given up first",
        Patch(
            _OPERATORS,
            "for element in self.elements:",
            "for element in reversed(self.elements) if self.guards else self.elements:",
        ),
        _POSTULATES + "test_what_is_given_up_is_the_least_entrenched",
    ),
    Mutant(
        "contraction and revision differ in what gives way",
        Patch(
            _OPERATORS,
            "for element in self.elements:",
            "for element in reversed(self.elements) if self.guards else self.elements:",
        ),
        _POSTULATES + "test_p14_revision_and_contraction_fit_together",
    ),
    Mutant(
        "forced input is put below all else",
        Patch(_OPERATORS, _PUT_AT, "return consider(base, record_id, sentence, (-1.0,))"),
        _POSTULATES + "test_p9_success_and_consistency_of_forced_input",
    ),
    Mutant(
        "input that contradicts the constraints is recorded",
        Patch(
            _OPERATORS,
            "if not base.theory.is_consistent([sentence]):",
            "if not base.theory.is_consistent([]):",
        ),
        _POSTULATES + "test_p9_input_that_contradicts_the_constraints_changes_nothing",
    ),
    Mutant(
        "forced input drops everything",
        Patch(_OPERATORS, _PUT_AT, _PUT_AT.replace("(base,", "(BeliefBase(base.theory),")),
        _POSTULATES + "test_p10_input_that_fits_is_only_added",
    ),
    Mutant(
        "of a conjunction only the first part is heard",
        Patch(
            _BELIEF_BASE + "language.py",
            "return _simplified(self.clauses | other.clauses)",
            "return _simplified(self.clauses)",
        ),
        _POSTULATES + "test_p11_extensionality",
    ),
    Mutant(
        "a new command gives up what earlier ones said",
        Patch(
            _OPERATORS,
            _PUT_AT,
            "said = [one for one in base.elements if len(one.rank) == 2]\n"
            "    undone = [Guard(f'not {one.id}', one.sentence, one.rank, one.place) for one in said]\n"
            "    base = BeliefBase.of(base.theory, base.elements, undone)\n"
            f"    {_PUT_AT}",
        ),
        _POSTULATES + "test_p13_what_an_earlier_input_cannot_undo",
    ),
    Mutant(
        "what gives way is forgotten",
        Patch(
            _OPERATORS,
            "    return Effect(changed, reception, after, lost, regained)",
            "    kept = changed.without(*(one.element.id for one in after.rejected))\n"
            "    return Effect(kept, reception, after, lost, regained)",
        ),
        _POSTULATES + "test_p13_what_a_contrary_input_outdates",
    ),
    Mutant(
        "what came last wins",
        Patch(_RECORDS, "key=lambda one: one.rank, reverse=True", "key=lambda one: one.place, reverse=True"),
        _POSTULATES + "test_p16_acceptance_does_not_depend_on_the_order_of_arrival",
    ),
    Mutant(
        "what came first wins",
        Patch(_RECORDS, "key=lambda one: one.rank, reverse=True", "key=lambda one: one.place"),
        _POSTULATES + "test_p16_acceptance_does_not_depend_on_the_order_of_arrival",
    ),
    Mutant(
        "what was once defeated stays out",
        Patch(
            _RECORDS,
            "elements=frozenset(one for one in self.elements if one.id not in record_ids)",
            "elements=frozenset(one for one in self.elements if one.id < min(record_ids))",
        ),
        _POSTULATES + "test_p17_what_was_defeated_is_reinstated",
    ),
    Mutant(
        "a withdrawn guard stays",
        Patch(_RECORDS, "for one in self.guards if one.id not in record_ids)", "for one in self.guards)"),
        _POSTULATES + "test_p17_withdrawing_and_restoring_is_exact",
    ),
    Mutant(
        "what nothing denies is derived",
        Patch(
            _BELIEF_BASE + "reasoning.py",
            "frozenset(atom for atom, is_true in truth.items() if is_true)",
            "frozenset(atom for one in sentences for atom in one.atoms if truth.get(atom, True))",
        ),
        _POSTULATES + "test_p18_what_is_derived_follows_its_premises",
    ),
    Mutant(
        "a loop supports itself",
        Patch(
            _BELIEF_BASE + "reasoning.py",
            "frozenset(atom for atom, is_true in truth.items() if is_true)",
            "frozenset(atom for one in sentences for atom in one.atoms if truth.get(atom, True))",
        ),
        _POSTULATES + "test_p18_a_loop_does_not_support_itself",
    ),
    Mutant(
        "what was given up comes back with what it followed from",
        Patch(_OPERATORS, "bounds = _bounds(self.guards)", "bounds = _bounds(())"),
        _POSTULATES + "test_p19_recovery_does_not_hold_on_bases",
    ),
    Mutant(
        "propagation is never followed by a choice",
        Patch(_BELIEF_BASE + "reasoning.py", "choice = _undecided(given, truth)", "choice = None"),
        _BASE_LAWS + "test_splitting_decides_what_propagation_leaves_open",
    ),
    Mutant(
        "a forced literal may be contradicted",
        Patch(
            _BELIEF_BASE + "reasoning.py",
            "if truth[literal.atom] is not literal.is_positive:\n                return None",
            "if False:\n                return None",
        ),
        _BASE_LAWS + "test_entailment_and_consistency_agree_with_the_truth_table",
    ),
    Mutant(
        "constraints do not connect what they bind",
        Patch(
            _OPERATORS,
            "*(atoms for _, atoms in clauses)])",
            "*(frozenset({atom}) for _, atoms in clauses for atom in atoms)])",
        ),
        _BASE_LAWS + "test_acceptance_agrees_with_the_truth_table",
    ),
    Mutant(
        "a kernel may have more than it needs",
        Patch(_BELIEF_BASE + "kernels.py", "if len(among) == 1:", "if len(among) <= 2:"),
        _BASE_LAWS + "test_every_rejection_names_one_kernel",
    ),
    Mutant(
        "kernels that share a member are taken for one",
        Patch(_BELIEF_BASE + "kernels.py", "any(one <= path for one in hitting)", "bool(hitting)"),
        _BASE_LAWS + "test_kernels_and_remainders_are_those_of_plain_enumeration",
    ),
    Mutant(
        "a list of kernels cut short is called complete",
        Patch(_BELIEF_BASE + "kernels.py", "is_truncated=bool(paths)", "is_truncated=False"),
        _BASE_LAWS + "test_a_cap_on_kernels_is_reported",
    ),
    Mutant(
        "the kernel of the weakest is named",
        Patch(
            _BELIEF_BASE + "kernels.py",
            "strong, weak = among[:middle], among[middle:]",
            "weak, strong = among[:middle], among[middle:]",
        ),
        _BASE_LAWS + "test_a_tie_is_contested",
    ),
    Mutant(
        "the accepted side of a tie is not contested",
        Patch(
            _OPERATORS,
            "return frozenset(rivals.union(one.element.id for one in tied))",
            "return frozenset(one.element.id for one in tied)",
        ),
        _BASE_LAWS + "test_a_tie_is_contested",
    ),
    Mutant(
        "whatever is rejected is contested",
        Patch(
            _OPERATORS,
            "guard, any(ranks[name] == element.rank for name in rivals))",
            "guard, any(ranks[name] >= element.rank for name in rivals))",
        ),
        _BASE_LAWS + "test_a_strict_order_leaves_nothing_contested",
    ),
    Mutant(
        "a guard is lifted by the weakest word",
        Patch(
            _RECORDS, "if one.place > guard.place and one.rank >= guard.rank)", "if one.place > guard.place)"
        ),
        _BASE_LAWS + "test_a_guard_stays_in_force_until_its_sentence_is_asserted_as_strongly",
    ),
    Mutant(
        "a guard is lifted by what was said before it",
        Patch(
            _RECORDS, "if one.place > guard.place and one.rank >= guard.rank)", "if one.rank >= guard.rank)"
        ),
        _BASE_LAWS + "test_what_was_recorded_before_lifts_no_guard",
    ),
    Mutant(
        "an equal word does not lift a guard",
        Patch(_RECORDS, "one.rank >= guard.rank", "one.rank > guard.rank"),
        _BASE_LAWS + "test_what_was_recorded_before_lifts_no_guard",
    ),
    Mutant(
        "forced input does not lift guards",
        Patch(_RECORDS, "return by_element or self.theory", "return self.theory"),
        _BASE_LAWS + "test_forced_input_is_accepted_whatever_was_given_up",
    ),
    Mutant(
        "a guard is blamed without what completes its kernel",
        Patch(
            _OPERATORS,
            "kernel(self.theory, said, [element.sentence, *forbidden]) or ()",
            "kernel(self.theory, said, [element.sentence]) or ()",
        ),
        _BASE_LAWS + "test_a_guard_rejects_for_a_kernel_of_what_it_forbids",
    ),
    Mutant(
        "two records may share an id",
        Patch(_RECORDS, "if count > 1)", "if count > 2)"),
        _BASE_LAWS + "test_each_record_has_an_id_of_its_own",
    ),
    Mutant(
        "later forced input goes below earlier",
        Patch(_RECORDS, "1.0 + max(levels, default=0.0)", "-1.0 + min(levels, default=0.0)"),
        _BASE_LAWS + "test_forced_input_on_a_base_is_lexicographic_revision",
    ),
    Mutant(
        "restrained revision orders also the unequal by the input",
        Patch(
            _BELIEF_BASE + "rankings.py",
            "(1, rank, not sentence.is_true_in(world))",
            "(1, not sentence.is_true_in(world), rank)",
        ),
        _BASE_LAWS + "test_rankings_are_revised_as_defined_pair_by_pair",
    ),
]


# Reliability of sources -------------------------------------------------------------------------

_RELIABILITY = "knowwhy/core/confidence/reliability.py"
_CHANNEL = "knowwhy/core/confidence/channel.py"
_COPYING = "knowwhy/core/confidence/copying.py"
_RELIABILITY_LAWS = "tests/laws/test_reliability_laws.py::"


def _weighed_apart(self: RunningReliability, about: str, said: dict[str, str]) -> None:
    if about in self._table:
        self._coins.count(self._table.pop(about), self._posteriors.pop(about), sign=-1.0)
    posterior, _ = self._coins.weighed(about, said, self._gold.get(about))
    if said:
        self._coins.count(said, posterior)
        self._table[about], self._posteriors[about] = said, posterior


RELIABILITY_MUTANTS = [
    Mutant(
        "an error goes in full to each other value",
        Patch(_CHANNEL, "0.0, math.log(choices - 1)", "0.0, 0.0 * choices"),
        _RELIABILITY_LAWS + "test_posteriors_and_reliabilities_follow_from_each_other",
    ),
    Mutant(
        "a source starts with an even record",
        Patch(_CHANNEL, "PRIOR_RIGHT: Final = 4.0", "PRIOR_RIGHT: Final = 1.0"),
        _RELIABILITY_LAWS + "test_a_lone_statement_teaches_nothing_of_its_source",
    ),
    Mutant(
        "the leading value counts as the truth",
        Patch(_CHANNEL, "sign * posterior.get(value, 0.0)", "sign * round(posterior.get(value, 0.0))"),
        _RELIABILITY_LAWS + "test_the_likelihood_never_falls_and_is_the_one_defined",
    ),
    Mutant(
        "rates are fitted without the prior",
        Patch(
            _CHANNEL,
            "right * math.log(rate) + wrong * math.log(1.0 - rate)",
            "math.log(rate) + math.log(1.0 - rate)",
        ),
        _RELIABILITY_LAWS + "test_the_likelihood_never_falls_and_is_the_one_defined",
    ),
    Mutant(
        "what was counted of an object stays when it is weighed anew",
        Patch("knowwhy/core/confidence/running.py", "sign=-1.0)", "sign=0.0)"),
        _RELIABILITY_LAWS + "test_running_ends_where_batches_end",
    ),
    Mutant(
        "an object is weighed apart from its own counts",
        Replacement(
            "knowwhy.core.confidence.running:RunningReliability._weigh",
            _weighed_apart,
        ),
        _RELIABILITY_LAWS + "test_running_and_batch_learn_the_same",
    ),
    Mutant(
        "a gold value that nobody named is lost",
        Patch(_RELIABILITY, "posterior if gold is None or posterior.get(OTHER) != 1.0", "posterior if True"),
        _RELIABILITY_LAWS + "test_a_gold_value_that_nobody_named_makes_all_wrong",
    ),
    Mutant(
        "gold is not listened to",
        Patch(_CHANNEL, "    if gold is not None:\n", "    if gold is not None and gold not in logs:\n"),
        _RELIABILITY_LAWS + "test_gold_teaches_whom_to_believe_against_the_many",
    ),
    Mutant(
        "the first stance of a source stands",
        Patch(_RELIABILITY, "newest = max(", "newest = min("),
        _RELIABILITY_LAWS + "test_only_the_latest_stance_of_a_source_counts",
    ),
    Mutant(
        "every copy is a voice",
        Patch(_RELIABILITY, "named.get(one.source, one.source)].add(", "one.source].add("),
        _RELIABILITY_LAWS + "test_three_copies_do_not_outvote_two",
    ),
    Mutant(
        "two errors in common make a copy",
        Patch(_COPYING, "_SHARED_ERRORS_OF_A_COPY: Final = 3", "_SHARED_ERRORS_OF_A_COPY: Final = 2"),
        _RELIABILITY_LAWS + "test_copies_are_suggested_by_three_errors_in_common",
    ),
    Mutant(
        "agreement on what is true makes a copy",
        Patch(_COPYING, "< _BELIEVED_FALSE", ">= _BELIEVED_FALSE"),
        _RELIABILITY_LAWS + "test_copies_are_suggested_by_three_errors_in_common",
    ),
    Mutant(
        "sureness forgets one observation",
        Patch(_RELIABILITY, "/ (total + 1.0)) / total", "/ total) / total"),
        _RELIABILITY_LAWS + "test_how_sure_is_the_spread_of_the_beta",
    ),
    Mutant(
        "a handful of objects says how sure a fit is",
        Patch(_RELIABILITY, "_LEAST_OBJECTS: Final = 30", "_LEAST_OBJECTS: Final = 2"),
        _RELIABILITY_LAWS + "test_surer_counts_standard_errors_over_objects",
    ),
    Mutant(
        "any fit is believed",
        Patch(_RELIABILITY, "_CLEARLY: Final = 2.0", "_CLEARLY: Final = -100.0"),
        _RELIABILITY_LAWS + "test_of_sources_that_are_alike_nothing_is_believed",
    ),
    Mutant(
        "a statement is foretold from itself",
        Patch(
            _CHANNEL,
            "without = (weight * rate - share) / (weight - 1.0) if heard else rate",
            "without = rate + 0.0 * heard * weight",
        ),
        _RELIABILITY_LAWS + "test_each_statement_is_foretold_from_the_others",
    ),
    Mutant(
        "each row has the whole prior",
        Patch(_CHANNEL, "prior[self._columns[value]] = right / size", "prior[self._columns[value]] = right"),
        _RELIABILITY_LAWS + "test_rows_are_at_a_fixed_point_and_climbed_to_it",
    ),
    Mutant(
        "all values are taken as equally frequent",
        Patch(_CHANNEL, "moved += _learned_shares(self.shares, posteriors, times)", "moved += 0.0"),
        _RELIABILITY_LAWS + "test_rows_are_at_a_fixed_point_and_climbed_to_it",
    ),
    Mutant(
        "errors are never told by what is true",
        Patch(
            _RELIABILITY, "_LEAST_OBJECTS_OF_A_VALUE: Final = 10", "_LEAST_OBJECTS_OF_A_VALUE: Final = 10**6"
        ),
        _RELIABILITY_LAWS + "test_one_sided_voices_are_seen_through",
    ),
]


# Calibration ------------------------------------------------------------------------------------

_CALIBRATION = "knowwhy/core/confidence/calibration.py"
_MAPS = "knowwhy/core/confidence/maps.py"
_CALIBRATION_LAWS = "tests/laws/test_calibration_laws.py::"

CALIBRATION_MUTANTS = [
    Mutant(
        "errors of two signs cancel out",
        Patch(_CALIBRATION, "one.count * abs(one.true - one.shown)", "one.count * (one.true - one.shown)"),
        _CALIBRATION_LAWS + "test_bins_of_equal_width_are_told_by_the_number",
    ),
    Mutant(
        "the floor is that of the standard deviation",
        Patch(
            _CALIBRATION,
            "math.sqrt(2.0 * one.shown * (1.0 - one.shown) / (math.pi * one.count))",
            "math.sqrt(one.shown * (1.0 - one.shown) / one.count)",
        ),
        _CALIBRATION_LAWS + "test_the_floor_is_what_perfect_calibration_shows",
    ),
    Mutant(
        "chance is taken off by one label too many",
        Patch(_CALIBRATION, "/ (one.count - 1))", "/ one.count)"),
        _CALIBRATION_LAWS + "test_the_squared_error_has_no_bias",
    ),
    Mutant(
        "z has no square in its variance",
        Patch(_CALIBRATION, "(1.0 - 2.0 * shown) ** 2 * shown", "abs(1.0 - 2.0 * shown) * shown"),
        _CALIBRATION_LAWS + "test_z_is_a_standard_score_where_numbers_are_calibrated",
    ),
    Mutant(
        "the interval lies about the share itself",
        Patch(_CALIBRATION, "middle = (share + spread / 2.0) / (1.0 + spread)", "middle = share"),
        _CALIBRATION_LAWS + "test_the_ends_of_wilson_are_just_not_refuted",
    ),
    Mutant(
        "bins are cut in order of arrival",
        Patch(_CALIBRATION, "points = sorted(points_of(checked))", "points = points_of(checked)"),
        _CALIBRATION_LAWS + "test_bins_of_equal_mass_hold_every_number_once_in_order",
    ),
    Mutant(
        "equal numbers are parted by what came of them",
        Patch(_CALIBRATION, "if before[0] < after[0]]", "if before[0] <= after[0]]"),
        _CALIBRATION_LAWS + "test_bins_of_equal_mass_hold_every_number_once_in_order",
    ),
    Mutant(
        "there are always fifteen bins",
        Patch(_CALIBRATION, "max(2, min(15, len(points) // 25))", "15"),
        _CALIBRATION_LAWS + "test_there_is_a_bin_for_25_labels",
    ),
    Mutant(
        "loss is counted in bits",
        Patch(_CALIBRATION, "math.log(max(", "math.log2(max("),
        _CALIBRATION_LAWS + "test_brier_and_log_loss_are_the_mean_scores",
    ),
    Mutant(
        "fits aim at certainty",
        Patch(_MAPS, "(true + 1.0) / (true + 2.0), 1.0 /", "1.0, 0.0 /"),
        _CALIBRATION_LAWS + "test_no_slope_nearby_fits_better",
    ),
    Mutant(
        "a map may turn the order round",
        Patch(_MAPS, "if all(weight >= 0.0 for weight in weights[: width - signed]):", "if found == found:"),
        _CALIBRATION_LAWS + "test_the_beta_map_leaves_one_side_out_where_it_must",
    ),
    Mutant(
        "equal numbers get levels of their own",
        Patch(
            _MAPS,
            "in groupby(points, key=itemgetter(0)):",
            "in ((one[0], [one]) for one in points):",
        ),
        _CALIBRATION_LAWS + "test_isotonic_is_the_least_of_greatest_means",
    ),
    Mutant(
        "a violator is pooled with one neighbour alone",
        Patch(_MAPS, "while len(blocks) > 1 and", "if len(blocks) > 1 and"),
        _CALIBRATION_LAWS + "test_isotonic_is_the_least_of_greatest_means",
    ),
    Mutant(
        "isotonic jumps from block to block",
        Patch(_MAPS, "return low + (high - low) * ((raw - below) / (above - below))", "return low"),
        _CALIBRATION_LAWS + "test_isotonic_goes_straight_between_its_blocks",
    ),
    Mutant(
        "two hundred labels are too few for two parameters",
        Patch(
            _MAPS,
            "if len(points) < LABELS_FOR_TWO_PARAMETERS:",
            "if len(points) <= LABELS_FOR_TWO_PARAMETERS:",
        ),
        _CALIBRATION_LAWS + "test_labels_allow_a_map",
    ),
    Mutant(
        "parameters cost nothing",
        Patch(_MAPS, "price = math.log(len(points)) / 2.0", "price = 0.0"),
        _CALIBRATION_LAWS + "test_labels_allow_a_map",
    ),
    Mutant(
        "five of a class are enough",
        Patch(_MAPS, "FEWEST_OF_EACH_CLASS: Final = 10", "FEWEST_OF_EACH_CLASS: Final = 5"),
        _CALIBRATION_LAWS + "test_ten_of_each_class_are_needed",
    ),
    Mutant(
        "the beta map adds what it should take off",
        Patch(_MAPS, "- self.for_false * math.log1p(-kept)", "+ self.for_false * math.log1p(-kept)"),
        _CALIBRATION_LAWS + "test_the_identity_is_among_the_maps",
    ),
]


MUTANTS: tuple[Mutant, ...] = tuple(
    itertools.chain(
        OPINION_MUTANTS,
        TALLY_MUTANTS,
        TIMELINE_MUTANTS,
        REVISION_MUTANTS,
        MEMORY_MUTANTS,
        POSTULATE_MUTANTS,
        RELIABILITY_MUTANTS,
        CALIBRATION_MUTANTS,
    )
)
