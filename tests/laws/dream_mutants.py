"""The mutants of dreaming: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_DREAM = "knowwhy/engine/dream.py"
_NIGHT = "knowwhy/engine/night.py"
_CONCLUDING = "knowwhy/engine/concluding.py"
_STRUCTURING = "knowwhy/consolidate/structuring.py"
_GATE = "knowwhy/recall/gate.py"
_LAWS = "tests/laws/test_dream_laws.py::"
_ONCE = f"{_LAWS}test_dreaming_twice_is_dreaming_once_and_undoing_it_brings_back_what_was"
_ALIKE = f"{_LAWS}test_what_is_accepted_of_single_valued_facts_is_recalled_alike_and_no_evidence_is_lost"
_SHARE = f"{_LAWS}test_no_run_changes_more_than_its_share_and_many_come_to_what_one_does"
_OFTEN = f"{_LAWS}test_however_often_it_is_dreamt_in_between_the_end_is_the_same"
_JOURNEY = "tests/journeys/test_dreaming.py::"

DREAM_MUTANTS = [
    Mutant(
        "what was concluded before is concluded again",
        Patch(_CONCLUDING, "if known.content == item.content]", "if known.id == item.content]"),
        _OFTEN,
    ),
    Mutant(
        "what somebody took back is done again",
        Patch(
            _CONCLUDING, "if withdrawal is None or withdrawal.reason != REPLACED:", "if withdrawal is None:"
        ),
        _ONCE,
    ),
    Mutant(
        "what is put off is never met again",
        Patch(
            _NIGHT,
            "if not self.is_put_off:",
            "if True:",
        ),
        _SHARE,
    ),
    Mutant(
        "as much as may change does, and then one thing more",
        Patch(
            _NIGHT,
            "if not night.allows(len(night.changed | moved)):",
            "if not night.allows(len(night.changed)):",
        ),
        _SHARE,
    ),
    Mutant(
        "the only thing said of a declared attribute is put away",
        Patch(_STRUCTURING, "if attribute.is_declared and attribute.is_exclusive and", "if False and"),
        _ALIKE,
    ),
    Mutant(
        "what is put away stays so whatever is said",
        Patch(
            _GATE, "and (one.evidence, one.observed_at) == (known.evidence, known.observed_at)", "and True"
        ),
        f"{_JOURNEY}test_what_is_put_away_comes_back_with_the_next_word_and_is_never_pinned_or_the_only_fact",
    ),
    Mutant(
        "what came in meanwhile is not looked at",
        Patch(_DREAM, "if now != night.head.sequence:", "if now < night.head.sequence:"),
        f"{_JOURNEY}test_what_comes_in_meanwhile_is_read_too_and_never_overwritten",
    ),
    Mutant(
        "two dream at a time",
        Patch(
            _DREAM,
            "(state.leased_until or reading.at) > reading.at:",
            "(state.leased_until or reading.at) < reading.at:",
        ),
        f"{_JOURNEY}test_only_one_dreams_at_a_time_and_one_that_never_came_back_is_waited_for_no_longer",
    ),
    Mutant(
        "a conclusion is for all, whoever may read what it rests on",
        Patch(_CONCLUDING, "return found.pop() if len(found) == 1 else None", "return PUBLIC"),
        f"{_JOURNEY}test_what_only_some_may_read_is_not_drawn_together_with_what_others_may",
    ),
    Mutant(
        "a summary tells what was superseded",
        Patch(
            "knowwhy/engine/summary.py",
            "        if one.status.is_held\n    }",
            "    }",
        ),
        f"{_JOURNEY}test_a_session_is_told_in_its_own_words_as_far_as_they_still_hold",
    ),
    Mutant(
        "a summary tells a whole text of which a part does not hold",
        Patch("knowwhy/engine/summary.py", "if whole in found:", "if False:"),
        f"{_JOURNEY}test_what_does_not_hold_is_not_told_where_its_words_do_not_show_it",
    ),
    Mutant(
        "what was parked is on record in words",
        Patch(
            _NIGHT, "ParkedTopic(step.name, topic_mark(topic), kind,", "ParkedTopic(step.name, topic, kind,"
        ),
        f"{_JOURNEY}test_nothing_of_what_was_erased_is_left_in_what_was_parked",
    ),
    Mutant(
        "what is tried again is only met if something is new",
        Patch(
            "knowwhy/core/model/dreaming.py",
            "read[one.step] = min(read.get(one.step, 0), one.read)",
            "read[one.step] = read.get(one.step, 0)",
        ),
        f"{_JOURNEY}test_what_is_tried_again_is_met_again_though_nothing_is_new",
    ),
    Mutant(
        "what grew old is only met if something is put away",
        Patch(_NIGHT, "or len(self.aged) >= MOST_AGED or", "or"),
        f"{_JOURNEY}test_however_much_grew_old_at_once_all_of_it_is_looked_at",
    ),
    Mutant(
        "a name that only some know merges for all",
        Patch(
            "knowwhy/consolidate/profiles.py",
            "gate.view.every(Alias, keys) if one.access.is_public",
            "gate.view.every(Alias, keys)",
        ),
        "tests/journeys/test_duplicates.py::test_a_name_that_only_some_know_merges_nothing_for_all",
    ),
]
