"""How contests that bear on each other could be settled wrongly: `mutant_table.py` says what a row is."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_REVISION = "knowwhy/core/revision/"
_TOGETHER = _REVISION + "together.py"
_DERIVED = _REVISION + "derived.py"
_DOUBTS = _REVISION + "doubts.py"
_JUDGING = _REVISION + "judging.py"
_ACCEPTANCE = _REVISION + "acceptance.py"
_HEARING = _REVISION + "hearing.py"
_ENTRENCHMENT = _REVISION + "entrenchment.py"
_POLICY = _REVISION + "policy.py"
_SUPPORT = "knowwhy/core/derivation/support.py"
_ANCESTRY = "knowwhy/recall/ancestry.py"
_DECISION = "knowwhy/recall/decision.py"
_DECIDING = "knowwhy/engine/deciding.py"
_FIRING = "knowwhy/engine/firing.py"
_UPKEEP = "knowwhy/engine/upkeep.py"
_DECLARE = "knowwhy/engine/declare.py"

_LAWS = "tests/laws/test_together_laws.py::"
_NAMES = _LAWS + "test_what_values_are_called_does_not_matter"
_VIEW = _LAWS + "test_a_view_of_what_bears_on_others_reads_as_if_settled_anew"
_NO_DENIAL = _LAWS + "test_what_is_accepted_violates_no_denial"
_GREEDY = _LAWS + "test_acceptance_across_slots_is_greedy_and_maximal"
_VACUITY = _LAWS + "test_a_denial_that_nothing_violates_changes_nothing"
_POLICIES = _LAWS + "test_each_policy_elects_what_it_says"
_GIVEN_UP = _LAWS + "test_what_is_given_up_is_believed_again_when_somebody_may_say_so"
_LABELS = _LAWS + "test_labels_are_the_well_founded_model_over_what_is_accepted"
_OBSERVED = _LAWS + "test_what_is_observed_stands_as_if_nothing_were_derived"
_NUMBER = _LAWS + "test_the_number_of_what_follows_is_that_of_its_best_proof"
_ONE_UNIT = _LAWS + "test_values_that_exclude_each_other_share_one_unit_whatever_lends_to_them"
_NEVER_SURER = _LAWS + "test_doubt_changes_nothing_but_what_is_doubted_and_never_makes_it_surer"
_SHARE = _LAWS + "test_doubt_takes_the_share_that_rests_on_what_moved"
_FOLLOWS = _LAWS + "test_what_follows_is_never_surer_than_what_it_follows_from"
_WHEN = _LAWS + "test_a_doubt_says_when_its_premise_moved"
_NEVER_ACTS = _LAWS + "test_one_never_acts_on_what_is_in_doubt"
_LIVES = _LAWS + "test_views_follow_from_the_log_whatever_rests_on_what"
_BATCHES = _LAWS + "test_it_does_not_matter_in_what_order_or_in_how_many_steps_a_memory_is_told"
_RACES = _LAWS + "test_what_is_written_meanwhile_is_taken_into_account"
_CAMPAIGN = "tests/campaigns/test_premises.py::test_doubt_is_where_it_must_be_and_nowhere_else"
_HANGS = _LAWS + "test_what_hangs_on_a_tie_is_contested"
_TELLS = _LAWS + "test_an_operation_tells_of_whatever_stands_otherwise_by_it"
_STORY = "tests/journeys/test_moved_premises.py::"


TOGETHER_MUTANTS = [
    Mutant(
        "what is in doubt lends as if it were not",
        Patch(
            _TOGETHER,
            "inferred = _inferred(pool, cases, observed, scope, shares)",
            "inferred = _inferred(pool, cases, observed, scope)",
        ),
        _STORY + "test_what_follows_from_what_is_in_doubt_counts_no_more_than_that",
    ),
    Mutant(
        "what is in doubt counts in full",
        Patch(_TOGETHER, "return beliefs if share == 1.0 else", "return beliefs if share <= 1.0 else"),
        _SHARE,
    ),
    Mutant(
        "doubt may make surer",
        Patch(
            _TOGETHER,
            "if share < 1.0 and one.tally.scaled(share).confidence(at) < one.confidence(at):",
            "if share < 1.0:",
        ),
        _NEVER_SURER,
    ),
    Mutant(
        "denials join neighbours only",
        Patch(_TOGETHER, "for name in group:  # grows on the way", "for name in tuple(group):"),
        _NO_DENIAL,
    ),
    Mutant(
        "nothing had followed by then",
        Patch(_TOGETHER, "inferred = _inferred(said, cases, observed, scope)", "inferred = Inference()"),
        _STORY + "test_a_premise_that_follows_from_others_moves_as_they_do",
    ),
    Mutant(
        "what a premise was before is judged for itself",
        Patch(
            _TOGETHER,
            "is_joined = self._pool.slot(key).attribute in self._pool.terms.schema.denied_with",
            "is_joined = False",
        ),
        _STORY + "test_what_a_premise_was_before_is_judged_with_what_it_is_joined_to",
    ),
    Mutant(
        "what premises lend is not read",
        Patch(
            _TOGETHER,
            "replace(one, tally=tallies.get(one.value.key, one.tally)) for one",
            "replace(one, tally=one.tally) for one",
        ),
        _NUMBER,
    ),
    Mutant(
        "each of joined contests is stable for itself",
        Patch(
            _ACCEPTANCE,
            "stable_until = min((case.stable_until for case in cases), default=FOREVER)",
            "stable_until = cases[0].stable_until",
        ),
        _VIEW,
    ),
    Mutant(
        "what was asked or derived confirms",
        Patch(_ACCEPTANCE, "for one in heard or supporting or speakers", "for one in supporting or speakers"),
        _STORY + "test_a_derivation_confirms_nothing",
    ),
    Mutant(
        "beside what is lent all else counts less too",
        Patch(_ACCEPTANCE, "if not voices and share < 1.0:", "if share < 1.0:"),
        _STORY + "test_beside_what_follows_all_that_speaks_against_it_keeps_its_weight",
    ),
    Mutant(
        "what has aged as far as it can is fresh",
        Patch(
            _ACCEPTANCE,
            "return self.at if tally.confidence(self.at) < threshold else tally.sinks_below(threshold)",
            "return tally.sinks_below(threshold)",
        ),
        _STORY + "test_what_has_aged_as_far_as_it_can_is_stale_whenever_it_is_looked_at",
    ),
]

DERIVED_MUTANTS = [
    Mutant(
        "a contested rival leaves room for what follows",
        Patch(
            _DERIVED,
            "return next((one for one in beliefs if one.status in _STANDING), None)",
            "return next((one for one in beliefs if one.status is Status.ACCEPTED), None)",
        ),
        _LABELS,
    ),
    Mutant(
        "what was refuted follows all the same",
        Patch(_DERIVED, "one.because.rule in (Rule.REFUTED, Rule.DENIED)", "one.because.rule is Rule.DENIED"),
        _LABELS,
    ),
    Mutant(
        "what denials rule out beside what is observed follows",
        Patch(_DERIVED, "and (mate := rooms.taken(one))}", "and (mate := rooms.taken(one)) and not drawn}"),
        _NO_DENIAL,
    ),
    Mutant(
        "what denials rule out together follows together",
        Patch(_DERIVED, "rooms.shared(blocked)", "list[Justification]()"),
        _NO_DENIAL,
    ),
    Mutant(
        "rivals that follow both stand",
        Patch(
            _DERIVED, "rivals.update({one: together - {one} for", "rivals.update({one: frozenset[str]() for"
        ),
        _LABELS,
    ),
    Mutant(
        "what was given up follows",
        Patch(_DERIVED, "if any(guard.bars(one) for guard in guards):", "if not guards and at < 0:"),
        _LABELS,
    ),
    Mutant(
        "what ended follows",
        Patch(
            _DERIVED,
            "live = [one for one in drawn if scope.valid < one.until]",
            "live = [one for one in drawn if one.until]",
        ),
        _LABELS,
    ),
    Mutant(
        "what does not follow would but for what was observed",
        Patch(
            _DERIVED,
            "for one, rival in blocked.items() if one in likely}",
            "for one, rival in blocked.items()}",
        ),
        _LABELS,
    ),
    Mutant(
        "any proof is as good as the best",
        Patch(_DERIVED, "best[one] = those[0] if via is None else via", "best[one] = those[0]"),
        _NUMBER,
    ),
    Mutant(
        "what follows is believed against what speaks against it",
        Patch(
            _DERIVED,
            "disbelief = {one: _disbelief(self._beliefs[one][0], self._at) for one in applying}",
            "disbelief = dict.fromkeys(applying, 0.0)",
        ),
        _NUMBER,
    ),
    Mutant(
        "a premise lends more than it is read with",
        Patch(_SUPPORT, "value = min(lent, self.read(one.conclusion, lent))", "value = lent"),
        _STORY + "test_a_premise_lends_no_more_than_it_is_read_with",
    ),
    Mutant(
        "premises of what is contested need not hold",
        Patch(
            _DERIVED,
            "founded = (Label.IN,) if conclusion is Label.IN else (Label.IN, Label.UNDECIDED)",
            "founded = (Label.IN, Label.UNDECIDED, Label.OUT)",
        ),
        _LABELS,
    ),
]

DOUBT_MUTANTS = [
    Mutant(
        "what was unknown has moved",
        Patch(_DOUBTS, "if not known or known == left:", "if known == left:"),
        _CAMPAIGN,
    ),
    Mutant(
        "before is what is known now of that time",
        Patch(
            _DOUBTS,
            "self._values_said(slot_id, min(since, self._at), since)",
            "self._values_said(slot_id, min(since, self._at), FOREVER)",
        ),
        _CAMPAIGN,
    ),
    Mutant(
        "what came later is held against what was so before",
        Patch(
            _DOUBTS,
            "self._values_said(slot_id, min(since, self._at), since)",
            "self._values_said(slot_id, since, since)",
        ),
        _STORY + "test_what_is_fixed_is_confirmed_for_all_time",
    ),
    Mutant(
        "doubt is not handed on",
        Patch(
            _DOUBTS,
            "while _handed_on(leaning, grounds.by_slot, doubts, memory):",
            "while not leaning and _handed_on(leaning, grounds.by_slot, doubts, memory):",
        ),
        _CAMPAIGN,
    ),
    Mutant(
        "doubt is handed on to what was confirmed since",
        Patch(
            _DOUBTS,
            "moved = doubt if one.confirmed_at == BEGINNING else memory.moved(root, one.confirmed_at)",
            "moved = doubt if one.confirmed_at else memory.moved(root, one.confirmed_at)",
        ),
        _CAMPAIGN,
    ),
    Mutant(
        "doubt is handed on in full",
        Patch(_DOUBTS, "weight = strength * doubt.strength", "weight = strength"),
        _CAMPAIGN,
    ),
    Mutant(
        "all rests on everything in full",
        Patch(
            _DOUBTS,
            "doubts.setdefault(each.belief.id, {})[premise] = replace(moved, strength=strength)",
            "doubts.setdefault(each.belief.id, {})[premise] = moved",
        ),
        _CAMPAIGN,
    ),
    Mutant(
        "a belief doubts itself",
        Patch(_DOUBTS, "if root == one.belief.slot.id or (", "if ("),
        _WHEN,
    ),
    Mutant(
        "what rivals rest on is a premise",
        Patch(
            _DOUBTS,
            "if literal.is_support and literal.value_key == belief.value.key:",
            "if literal.is_support:",
        ),
        _STORY + "test_what_a_rival_rests_on_is_no_premise",
    ),
    Mutant(
        "a synonym is no premise",
        Patch(_DOUBTS, "schema.attribute(dependency.attribute).key), ())", "dependency.attribute), ())"),
        _STORY + "test_a_premise_may_be_named_by_a_synonym_before_or_after_it_is_one",
    ),
    Mutant(
        "a view knows of the next premise only",
        Patch(_DOUBTS, "                        reached.append(key)\n", ""),
        _STORY + "test_time_alone_brings_a_doubt_over_several_steps",
    ),
    Mutant(
        "a view knows of no premise",
        Patch(_DOUBTS, "found[key] = ends[start]", "found[key] = FOREVER"),
        _VIEW,
    ),
    Mutant(
        "what holds under other conditions is a premise",
        Patch(
            _DOUBTS,
            "if set(slot.conditions).issuperset(premise.conditions)",
            "if premise.conditions is not None",
        ),
        _STORY + "test_what_holds_under_other_conditions_is_no_premise",
    ),
    Mutant(
        "what was given up has no date",
        Patch(_DOUBTS, "Stance.ENDS, Stance.GIVES_UP, Stance.DROPS)", "Stance.ENDS, Stance.DROPS)"),
        _STORY + "test_a_doubt_is_dated_by_what_moved_the_premise_whenever_it_is_read",
    ),
    Mutant(
        "all values of a slot hand on their doubts to what follows from one",
        Patch(_DOUBTS, "return not _is_derived(self.belief) or any(", "return True or any("),
        _STORY + "test_of_a_slot_with_many_values_only_those_it_follows_from_hand_on_their_doubts",
    ),
]

JUDGING_MUTANTS = [
    Mutant(
        "the least entrenched value is asked first",
        Patch(
            _JUDGING,
            "key=lambda one: (one.rank.key(order), one.rank.key(beyond)), reverse=True)",
            "key=lambda one: (one.rank.key(order), one.rank.key(beyond)))",
        ),
        _POLICIES,
    ),
    Mutant(
        "two of three that a denial names are too many",
        Patch(
            _JUDGING,
            "    return next((list(mates) for mates in product(*met) if _are_compatible(mates)), [])",
            "    return [one for mates in met for one in mates[:1]]",
        ),
        _GREEDY,
    ),
    Mutant(
        "denials are not asked",
        Patch(
            _JUDGING,
            "    if not literal.is_support:\n        return []",
            "    if literal.rank:\n        return []",
        ),
        _NO_DENIAL,
    ),
    Mutant(
        "a tie falls to the first",
        Patch(_JUDGING, "    standing.is_tied = True\n", "    standing.is_tied = standing.is_tied\n"),
        _POLICIES,
    ),
    Mutant(
        "what hangs on a tie is refused",
        Patch(
            _JUDGING,
            "        if not winner.is_tied:\n            return False",
            "        if winner.rule:\n            return False",
        ),
        _HANGS,
    ),
    Mutant(
        "what is tied is in nobody's way",
        Patch(
            _JUDGING,
            "elif mate := self._undecided_rival(accepted, undecided, literal):",
            "elif mate := self._undecided_rival(accepted, [], literal):",
        ),
        _HANGS,
    ),
    Mutant(
        "a contest that is joined to others is settled by their policy",
        Patch(
            _JUDGING,
            "policy = policy_for(attribute, self._default)\n        if policy.odds_ratio",
            "policy = self._between\n        if policy.odds_ratio",
        ),
        _VACUITY,
    ),
    Mutant(
        "what is fixed changes beside what changes",
        Patch(
            _JUDGING,
            "changes = winner.attribute.changes if is_own else self._changes",
            "changes = self._changes",
        ),
        _STORY + "test_what_is_fixed_stays_so_beside_what_changes",
    ),
    Mutant(
        "an equal value elsewhere counts as its denial",
        Patch(
            _JUDGING,
            "one[0].literal.belief == verdict.literal.belief",
            "one[0].literal.value_key == verdict.literal.value_key",
        ),
        _STORY + "test_what_its_own_slot_keeps_out_is_told_by_its_own_slot",
    ),
    Mutant(
        "odds are masses",
        Patch(
            _JUDGING,
            "return share / (1.0 - share) if share < 1.0 else math.inf",
            "return literal.rank.mass + 1.0",
        ),
        _POLICIES,
    ),
    Mutant(
        "who confirms comes later",
        Patch(_JUDGING, "(one.rank.came_at, -_odds(one))", "(one.rank.recency, -_odds(one))"),
        _POLICIES,
    ),
    Mutant(
        "of what came at once one stands",
        Patch(
            _JUDGING,
            "Rule.CONFIDENCE if is_later or _outbids(",
            "Rule.CONFIDENCE if is_later or not _outbids(",
        ),
        _POLICIES,
    ),
    Mutant(
        "what is forced can be outbid",
        Patch(
            _JUDGING,
            "        return challenger.rank.is_forced\n",
            "        return _odds(challenger) > ratio * _odds(standing)\n",
        ),
        _POLICIES,
    ),
    Mutant(
        "what is forced goes by the policy",
        Patch(_ENTRENCHMENT, "return self.is_forced, *(", "return 0.0, *("),
        _POLICIES,
    ),
    Mutant(
        "an authority is that of any of its words",
        Patch(
            _ENTRENCHMENT,
            "highest = [one for one in said if one.authority == authority]",
            "highest = said",
        ),
        _POLICIES,
    ),
]

POLICY_MUTANTS = [
    Mutant(
        "the newest word must have authority",
        Patch(
            _POLICY,
            "changing=(Criterion.LATEST_WORD, Criterion.AUTHORITY, Criterion.CONFIDENCE)",
            "changing=(Criterion.RECENCY, Criterion.AUTHORITY, Criterion.CONFIDENCE)",
        ),
        _POLICIES,
    ),
    Mutant(
        "more evidence counts after authority",
        Patch(
            _POLICY,
            "changing=(Criterion.CONFIDENCE, Criterion.AUTHORITY, Criterion.RECENCY)",
            "changing=(Criterion.AUTHORITY, Criterion.CONFIDENCE, Criterion.RECENCY)",
        ),
        _POLICIES,
    ),
    Mutant(
        "a little better is enough",
        Patch(_POLICY, "odds_ratio=1.5", "odds_ratio=1.2"),
        _POLICIES,
    ),
    Mutant(
        "evidence decides where nothing should",
        Patch(
            _POLICY,
            "changing=(Criterion.RULING, Criterion.LATEST_RULING)",
            "changing=(Criterion.RULING, Criterion.LATEST_RULING, Criterion.CONFIDENCE)",
        ),
        _POLICIES,
    ),
    Mutant(
        "what is fixed goes to the newest word",
        Patch(
            _POLICY,
            "fixed=(Criterion.AUTHORITY, Criterion.CONFIDENCE, Criterion.RECENCY)",
            "fixed=(Criterion.AUTHORITY, Criterion.RECENCY, Criterion.CONFIDENCE)",
        ),
        _POLICIES,
    ),
    Mutant(
        "what is given up is barred from all lesser voices for ever",
        Patch(
            _HEARING,
            "return one.effective_at < self.lifted_at and not self.is_answered_by(one)",
            "return not self.is_answered_by(one)",
        ),
        _GIVEN_UP,
    ),
    Mutant(
        "nobody brings back what was given up",
        Patch(
            _HEARING,
            "return _authority(one) >= self.authority and one.effective_at > self.given_at",
            "return _authority(one) > self.authority and one.effective_at > self.given_at",
        ),
        _GIVEN_UP,
    ),
    Mutant(
        "what was said before it was given up counts again",
        Patch(
            _HEARING,
            "return _authority(one) >= self.authority and one.effective_at > self.given_at",
            "return _authority(one) >= self.authority",
        ),
        _GIVEN_UP,
    ),
]

REACH_MUTANTS = [
    Mutant(
        "what a denial joins is not looked at",
        Patch(
            _ANCESTRY,
            "                attributes[statement.attribute].append(slot.subject.id)\n    found",
            "                attributes[statement.attribute].append('')\n    found",
        ),
        _LIVES,
    ),
    Mutant(
        "some values of a premise are all",
        Patch(
            _ANCESTRY,
            "{key.slot_id for key in pool if key.value_key is None}",
            "{key.slot_id for key in pool}",
        ),
        _STORY + "test_of_a_premise_with_many_values_all_are_compared",
    ),
    Mutant(
        "premises are looked for under the name they were given",
        Patch(
            _ANCESTRY,
            "attributes[schema.attribute(dependency.attribute).key].append",
            "attributes[dependency.attribute].append",
        ),
        _STORY + "test_a_premise_may_be_named_by_a_synonym_before_or_after_it_is_one",
    ),
    Mutant(
        "what follows is settled without its premises",
        Patch(_ANCESTRY, "named.update(premises_of(one.claim))", "named.update(one.claim.depends_on)"),
        _LIVES,
    ),
    Mutant(
        "what follows stays when its premise falls",
        Patch(
            _DECIDING,
            "moved = {*slots, *(one.after.id for one in changeset.changes if _is_flip(one))}",
            "moved = set(slots)",
        ),
        _TELLS,
    ),
    Mutant(
        "a new schema leaves what follows as it was judged",
        Patch(
            _DECIDING,
            "        if self._is_schema:\n",
            "        if self._is_schema and not changeset.beliefs:\n",
        ),
        _LIVES,
    ),
    Mutant(
        "what depends is left alone",
        Patch(
            _DECIDING,
            "                attributes[dependent].append(slot.subject.id)\n",
            "                attributes[dependent].append('')\n",
        ),
        _CAMPAIGN,
    ),
    Mutant(
        "what a denial joins is left alone",
        Patch(
            _DECIDING,
            "                    attributes[statement.attribute].append(slot.subject.id)\n",
            "                    attributes[statement.attribute].append('')\n",
        ),
        _TELLS,
    ),
    Mutant(
        "nothing new can have come to rest on what is decided",
        Patch(_DECIDING, "return any(self._pool[key] for key in self.before)", "return False"),
        _RACES,
    ),
    Mutant(
        "what was not there cannot have come",
        Patch(
            _DECIDING,
            "return found | {ContestKey(slot): of_slots.get(slot, 0) for slot in self._near()}",
            "return found",
        ),
        _RACES,
    ),
    Mutant(
        "views are compared with what was said since",
        Patch(_UPKEEP, ".as_of(version)", ""),
        _STORY + "test_a_view_is_compared_with_what_was_on_record_when_it_was_decided",
    ),
    Mutant(
        "a declaration does not reach what its synonyms meant",
        Patch(_DECLARE, "return sorted({attribute.key} | synonyms | leaning)", "return [attribute.key]"),
        _STORY + "test_what_a_synonym_meant_before_is_settled_anew",
    ),
    Mutant(
        "a declaration does not reach what depends on its synonyms",
        Patch(
            _DECLARE,
            "return sorted({attribute.key} | synonyms | leaning)",
            "return sorted({attribute.key} | synonyms)",
        ),
        _STORY + "test_a_premise_may_be_named_by_a_synonym_before_or_after_it_is_one",
    ),
    Mutant(
        "a rule that can make nothing of words keeps them off the record",
        Patch(
            _FIRING,
            "    except TypeMismatch:\n        return None",
            "    except ZeroDivisionError:\n        return None",
        ),
        _STORY + "test_words_are_recorded_though_a_rule_can_make_nothing_of_them",
    ),
    Mutant(
        "rules are tried by their first premise only",
        Patch(_FIRING, "for place in range(len(rule.premises))", "for place in range(1)"),
        _BATCHES,
    ),
    Mutant(
        "rules meet only what is new",
        Patch(
            _FIRING,
            "found = {one.id: one for one in self.reading.view.beliefs(wanted)}",
            "found = {one.id: one for one in self.reading.view.beliefs(wanted) if not one.version}",
        ),
        _BATCHES,
    ),
    Mutant(
        "one acts on what is in doubt",
        Patch(
            _DECISION,
            "    if status is Status.DOUBTFUL:\n",
            "    if status is Status.DOUBTFUL and not finding.belief.doubts:\n",
        ),
        _NEVER_ACTS,
    ),
]
