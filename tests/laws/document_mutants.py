"""The mutants of documents in versions: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_DOCUMENTS = "knowwhy/engine/documents.py"
_HEARING = "knowwhy/core/revision/hearing.py"
_LACKING = "knowwhy/engine/lacking.py"
_LAWS = "tests/laws/test_document_laws.py::"
_DATES = _LAWS + "test_at_each_date_the_version_in_force_counts_whatever_the_order_of_arrival"
_ORDER = _LAWS + "test_the_order_of_arrival_changes_nothing_that_is_held"
_OTHERS = _LAWS + "test_what_others_say_stays_whatever_a_document_drops"
_IMPACT = _LAWS + "test_the_impact_is_the_difference_to_the_version_before"
_UNDO = _LAWS + "test_undoing_a_version_leaves_what_the_others_say"
_MERGED = _LAWS + "test_versions_that_came_to_two_lines_are_one_document_once_they_are_merged"

DOCUMENT_MUTANTS = [
    Mutant(
        "what a version no longer says stays",
        Patch(
            _DOCUMENTS,
            "marks = [*around.dropped_here(claims), *around.dropped_later(claims)]",
            "marks = [*around.dropped_later(claims)]",
        ),
        _DATES,
    ),
    Mutant(
        "a late version is not compared with later ones",
        Patch(
            _DOCUMENTS,
            "marks = [*around.dropped_here(claims), *around.dropped_later(claims)]",
            "marks = [*around.dropped_here(claims)]",
        ),
        _DATES,
    ),
    Mutant(
        "only the version before is compared",
        Patch(
            _DOCUMENTS,
            "for edition in self._before for one in self._says[edition.evidence]",
            "for edition in self._before[-1:] for one in self._says[edition.evidence]",
        ),
        _DATES,
    ),
    Mutant(
        "what one source drops, all drop",
        Patch(_HEARING, "and drop.groups == testimony.groups\n", "\n"),
        _OTHERS,
    ),
    Mutant(
        "what is dropped was never said",
        Patch(
            _HEARING,
            "return replace(one, end=min(later), was_ended=False, was_dropped=True)",
            "return replace(one, end=one.start, was_ended=False, was_dropped=True)",
        ),
        _DATES,
    ),
    Mutant(
        "saying it again does not help",
        Patch(_HEARING, "and drop.effective_at > testimony.effective_at\n", "\n"),
        _DATES,
    ),
    Mutant(
        "changes are told as drops",
        Patch(_DOCUMENTS, "if slot == other and slot in single", "if slot is other and slot in ()"),
        _IMPACT,
    ),
    Mutant(
        "editions of the other line are forgotten",
        Patch(_LACKING, "if both.editions != known.editions:", "if both.editions == known.editions:"),
        _MERGED,
    ),
    Mutant(
        "a version that was undone is compared with",
        Patch(_DOCUMENTS, "if one.retracted_at is None}", "}"),
        _UNDO,
    ),
]
