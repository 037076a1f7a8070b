"""The mutants of the record of answers: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_AUDITING = "knowwhy/engine/auditing.py"
_REPRODUCING = "knowwhy/engine/reproducing.py"
_AGAIN = (
    "tests/laws/test_audit_laws.py::"
    "test_an_answer_on_record_comes_out_again_to_the_letter_whatever_came_since"
)
_BESIDE = "tests/laws/test_audit_laws.py::test_keeping_answers_changes_nothing_of_what_is_believed_or_logged"

AUDIT_MUTANTS = [
    Mutant(
        "an answer is given again by what is known now",
        Patch(_REPRODUCING, "scope = Scope(entry.valid, _known(space, entry))", "scope = Scope(entry.valid)"),
        _AGAIN,
    ),
    Mutant(
        "an answer is given again under the declarations of now",
        Patch(_REPRODUCING, "space.reading(scope, until=entry.operation)", "space.reading(scope)"),
        _AGAIN,
    ),
    Mutant(
        "what a question told of another time is read as of when it was asked",
        Patch(_AUDITING, '"told_of": answer.at,', '"told_of": scope.valid,'),
        _AGAIN,
    ),
    Mutant(
        "scores are not given again",
        Patch(_REPRODUCING, 'score=one["score"])', "score=1.0)"),
        _AGAIN,
    ),
    Mutant(
        "the record of an answer counts as a change of the views",
        Patch(
            "knowwhy/store/memory.py",
            "            if is_whole:\n                after.forget_views()",
            "            after.forget_views()",
        ),
        _BESIDE,
    ),
]
