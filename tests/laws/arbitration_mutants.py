"""The mutants of decisions and quarantines: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_APART = "knowwhy/engine/setting_apart.py"
_RESOLVE = "knowwhy/engine/resolve.py"
_SETTLES = (
    "tests/laws/test_arbitration_laws.py::test_a_decision_settles_a_conflict_and_undoing_it_brings_all_back"
)
_OPENS = "tests/laws/test_arbitration_laws.py::test_a_later_word_for_a_side_that_lost_opens_it_again"
_QUARANTINE = (
    "tests/laws/test_quarantine_laws.py::test_a_source_in_quarantine_has_said_nothing_and_when_released_all"
)

ARBITRATION_MUTANTS = [
    Mutant(
        "what follows from others is not given up by a decision",
        Patch(_RESOLVE, "(_is_forced(side) or _follows(side))", "_is_forced(side)"),
        _SETTLES,
    ),
    Mutant(
        "a decision is no more than a word",
        Patch(_RESOLVE, "replace(one, is_forced=True)", "replace(one, is_forced=False, weight=0.01)"),
        _SETTLES,
    ),
    Mutant(
        "a decision is not on record beside the conflict",
        Patch(_RESOLVE, "decision=decided, decided_by=who", "decision=None"),
        _OPENS,
    ),
    Mutant(
        "every side that lost is given up",
        Patch(_RESOLVE, "side is not chosen and (", "side is not chosen or ("),
        _OPENS,
    ),
    Mutant(
        "what a source says in quarantine counts",
        Patch(_APART, "if not apart:", "if apart:"),
        _QUARANTINE,
    ),
    Mutant(
        "a release lifts whatever was withdrawn",
        Patch(_APART, "if is_for_quarantine(each) and not each.is_lifted", "if not each.is_lifted"),
        _QUARANTINE,
    ),
    Mutant(
        "a quarantine that a merge brings forgets what the same merge says",
        Patch(_APART, "if any(isinstance(one, Quarantine) for one in intent.declarations):", "if False:"),
        "tests/journeys/test_arbitration.py::test_a_merge_brings_a_quarantine_with_what_the_source_said",
    ),
]
