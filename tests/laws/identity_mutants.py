"""The mutants of identity: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_RESTATING = "knowwhy/engine/restating.py"
_IDENTITY = "knowwhy/core/model/identity.py"
_LACKING = "knowwhy/engine/lacking.py"
_LAWS = "tests/laws/test_identity_laws.py::"
_HELD = _LAWS + "test_what_is_held_depends_on_what_was_said_and_who_is_one"
_APART = _LAWS + "test_two_that_are_distinct_are_not_joined_by_way_of_a_third"
_RESTS = _LAWS + "test_what_rests_on_a_merged_entity_is_doubtful_when_that_moves"
_LINES = _LAWS + "test_it_does_not_matter_on_which_line_of_a_memory_it_was_said"

IDENTITY_MUTANTS = [
    Mutant(
        "what is said of a merged entity is not set aside",
        Patch(_RESTATING, "if wanted is not None and not aside:", "if wanted is None and not aside:"),
        _HELD,
    ),
    Mutant(
        "what was set aside stays so once told apart",
        Patch(_RESTATING, "            for one in aside:\n", "            for one in aside[1:]:\n"),
        _HELD,
    ),
    Mutant(
        "what restates a claim stays once told apart",
        Patch(_RESTATING, "elif not marks and name not in self._gone:", "elif is_gone:"),
        _HELD,
    ),
    Mutant(
        "what restated a claim once does not come back",
        Patch(_RESTATING, "            if is_wanted:\n", "            if is_wanted and is_gone:\n"),
        _HELD,
    ),
    Mutant(
        "entities that are values stay as they were named",
        Patch(
            _IDENTITY,
            "value = value if meant is None else entity_value(meant.id, meant.name)",
            "value = value if meant is None else claim.value",
        ),
        _HELD,
    ),
    Mutant(
        "what claims rest on stays with the merged entity",
        Patch(_IDENTITY, "renamed.get(one, one) for one in ids", "one for one in ids"),
        _RESTS,
    ),
    Mutant(
        "only what is believed is looked for",
        Patch(
            _RESTATING,
            "slots = {one.id for one in self._view.every(Slot, ids)}",
            "slots = {one.slot.id for one in self._view.beliefs(BeliefFilter(subjects=ids))}",
        ),
        _HELD,
    ),
    Mutant(
        "of a chain the next one stands for an entity",
        Patch(_IDENTITY, "min(joint - left or joint)", "min(joint - {own} or joint)"),
        _HELD,
    ),
    Mutant(
        "two that are distinct are joined by way of others",
        Patch(
            _IDENTITY,
            "if any(first in joint and second in joint for first, second in apart):",
            "if any(first in joint and second in joint for first, second in apart[:0]):",
        ),
        _APART,
    ),
    Mutant(
        "what restates a claim on one line comes to the other",
        Patch(_LACKING, " and not is_restated(one.claim.id)", ""),
        _LINES,
    ),
    Mutant(
        "what was set aside on one line comes to the other",
        Patch(
            _LACKING,
            "(is_for_identity(one) or is_for_quarantine(one) or is_restated(one.target))",
            "is_for_quarantine(one)",
        ),
        _LINES,
    ),
]
