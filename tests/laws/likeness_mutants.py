"""The mutants of likeness: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_LIKENESS = "knowwhy/consolidate/likeness.py"
_LAWS = "tests/laws/test_likeness_laws.py::"
_CODE = _LAWS + "test_a_code_merges_only_where_nobody_else_has_it_and_nothing_speaks_against"
_JOINED = _LAWS + "test_what_is_automatic_joins_no_two_that_are_two"
_ID = _LAWS + "test_an_id_wins"

LIKENESS_MUTANTS = [
    Mutant(
        "distinct ones are proposed",
        Patch(_LIKENESS, "and (one, other) not in apart", "and (one, other) != apart"),
        _LAWS + "test_what_is_distinct_is_never_proposed",
    ),
    Mutant(
        "ids that differ do not matter",
        Patch(_LIKENESS, "and not _ids_differ(known[one], known[other])\n    ]", "\n    ]"),
        _ID,
    ),
    Mutant(
        "an id in common is a likeness like others",
        Patch(_LIKENESS, "1.0 if same else", "1.0 if same is None else"),
        _ID,
    ),
    Mutant(
        "what is automatic joins distinct ones by way of a third",
        Patch(_LIKENESS, "paired(one, other) in apart or ", ""),
        _JOINED,
    ),
    Mutant(
        "what is automatic joins different ids by way of a third",
        Patch(_LIKENESS, "in apart or _ids_differ(known[one], known[other])", "in apart"),
        _JOINED,
    ),
    Mutant(
        "a code that a third one has merges too",
        Patch(_LIKENESS, ' and self.holders[code or ""] == _THESE_TWO', ""),
        _CODE,
    ),
    Mutant(
        "a code merges whatever speaks against",
        Patch(_LIKENESS, " and not self.against)", ")"),
        _CODE,
    ),
]
