"""The mutants of grounding: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_GROUNDING = "knowwhy/ingest/grounding.py"
_VALIDATION = "knowwhy/ingest/validation.py"
_ANSWERS = "knowwhy/ingest/answers.py"
_LAWS = "tests/laws/test_grounding_laws.py::"
_STANDS = _LAWS + "test_what_is_taken_stands_in_the_words"
_BOUNDS = _LAWS + "test_a_day_that_bounds_a_claim_is_named_in_the_words"
_LIMIT = _LAWS + "test_a_number_that_is_only_a_limit_is_no_value"
_ANY = _LAWS + "test_any_answer_is_understood_or_said_to_be_unusable"

GROUNDING_MUTANTS = [
    Mutant(
        "a number need not be in the words",
        Patch(
            _GROUNDING,
            "if one[1].amount == wanted), None)",
            "), (0, Quantity(wanted, None, 0)))",
        ),
        _STANDS,
    ),
    Mutant(
        "a day need not be in the words",
        Patch(_GROUNDING, "if day is None or day not in days_in(passage, utterance):", "if day is None:"),
        _STANDS,
    ),
    Mutant(
        "a bound need not be in the words",
        Patch(
            _GROUNDING,
            "if day is not None and day in days_in(utterance.text, utterance)",
            "if day is not None",
        ),
        _BOUNDS,
    ),
    Mutant(
        "a limit is a value",
        Patch(
            _GROUNDING,
            "if is_limit and not is_window:",
            "if is_limit and is_window:",
        ),
        _LIMIT,
    ),
    Mutant(
        "a subject need not be in the words",
        Patch(_VALIDATION, "return subject in others or _is_in(subject, utterance.text)", "return True"),
        _STANDS,
    ),
    Mutant(
        "a value in words need not be in the quote",
        Patch(_VALIDATION, "return _is_in(draft.value, passage) or", "return True or"),
        _STANDS,
    ),
    Mutant(
        "a passage may be left out of an answer",
        Patch(_ANSWERS, "if missing := sorted(", "if missing := [] and sorted("),
        _ANY,
    ),
]
