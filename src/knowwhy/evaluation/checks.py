"""Checks: what an expectation says of a reply beyond the beliefs in it, one word at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from knowwhy.core.model import name_key
from knowwhy.errors import Malformed
from knowwhy.evaluation.replies import Fact, Reply

# Two confidences nearer than this are equal.
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Told:
    """What a check may look at: the reply, those of the other named steps, and how patient to be."""

    reply: Reply
    others: Mapping[str, Reply]
    patience: float = 1.0

    def at(self, name: str) -> Reply:
        """The reply of another step."""
        if name not in self.others:
            raise Malformed(f"a check names the step {name!r}, which told nothing")
        return self.others[name]


# What was got instead, or None if it is as expected.
Check: TypeAlias = Callable[[Fact, Told], str | None]


def problem(word: str, expected: Fact, told: Told) -> str | None:
    """What is wrong, in words that show what was expected and what was got; None if nothing is.

    Raises:
        Malformed: the word does not fit the step.
    """
    got = _CHECKS[word](expected, told) if word in _CHECKS else _equal(word, expected, told)
    return None if got is None else f"{word}: expected {expected!r}, got {got}"


def _equal(word: str, expected: Fact, told: Told) -> str | None:
    got = told.reply.fact(word)
    meant = dict(expected) if isinstance(expected, dict) else expected
    return None if got == meant and type(got) is type(meant) else repr(got)


def _only(expected: Fact, told: Told) -> str | None:
    wanted = {name_key(str(one)) for one in expected}
    others = [
        str(one.value)
        for one in told.reply.answers
        if wanted.isdisjoint({name_key(one.value.text), name_key(str(one.value))})
    ]
    return repr(others) if others else None


def _cites(expected: Fact, told: Told) -> str | None:
    got = told.reply.fact("evidence_shown_only")
    return None if set(map(str, expected)) <= set(got) else repr(got)


def _refusal(expected: Fact, told: Told) -> str | None:
    reply = told.reply
    if reply.refusal != expected:
        return f"{reply.refusal} ({reply.message})" if reply.refusal else "no refusal"
    return None if reply.facts.get("unchanged", True) else "the refusal, but the memory changed"


def _confidence(expected: Fact, told: Told) -> str | None:
    relation, than = expected["relation"], told.at(expected["than"]).fact("confidence")
    got = told.reply.fact("confidence")
    is_equal = math.isclose(got, than, abs_tol=_TOLERANCE, rel_tol=0.0)
    holds = {"equal": is_equal, "higher": got > than and not is_equal, "lower": got < than and not is_equal}
    if relation not in holds:
        raise Malformed(f"a confidence is {', '.join(holds)}, not {relation!r}")
    return None if holds[relation] else f"{got:.6f} beside {than:.6f}"


def _same_as(expected: Fact, told: Told) -> str | None:
    got, there = told.reply.fact("counts"), told.at(expected).fact("counts")
    return None if got == there else f"{got} beside {there}"


def _same_reply(expected: Fact, told: Told) -> str | None:
    got, there = told.reply.facts.get("said"), told.at(expected).fact("said")
    return None if got == there else f"{got or told.reply} beside {there}"


def _origin(expected: Fact, told: Told) -> str | None:
    got, there = told.reply.fact("origin"), told.at(expected).fact("evidence")
    return None if got == sorted(there) else f"{got} beside {there}"


def _names_both(expected: Fact, told: Told) -> str | None:
    got = told.reply.fact("values")
    return None if any(set(expected) <= set(values) for values in got) else repr(got)


def _problems(expected: Fact, told: Told) -> str | None:
    problems = told.reply.fact("problems")
    return None if len(problems) == expected else f"{len(problems)}: {'; '.join(problems)}"


def _scores_between(expected: Fact, told: Told) -> str | None:
    scores = told.reply.fact("scores")
    least, most = expected
    return None if scores and all(least <= score <= most for score in scores) else repr(scores)


def _scores_descending(expected: Fact, told: Told) -> str | None:
    scores = told.reply.fact("scores")
    return None if expected is all(one >= other for one, other in pairwise(scores)) else repr(scores)


def _distinct_scores(expected: Fact, told: Told) -> str | None:
    scores = told.reply.fact("scores")
    return None if expected is (len(set(scores)) == len(scores)) else repr(scores)


def _at_most(fact: str, *, is_time: bool = False) -> Check:
    def check(expected: Fact, told: Told) -> str | None:
        got = told.reply.fact(fact)
        return None if got <= expected * (told.patience if is_time else 1.0) else f"{got:.3g}"

    return check


_CHECKS: Final[Mapping[str, Check]] = {
    "cites": _cites,
    "confidence": _confidence,
    "distinct_scores": _distinct_scores,
    "only": _only,
    "names_both": _names_both,
    "origin": _origin,
    "p95_ms_at_most": _at_most("p95_ms", is_time=True),
    "problems": _problems,
    "refusal": _refusal,
    "same_as": _same_as,
    "same_reply_as": _same_reply,
    "scores_between": _scores_between,
    "scores_descending": _scores_descending,
    "statements_at_most": _at_most("statements"),
    "touches_at_most_entities": _at_most("touches_entities"),
}
