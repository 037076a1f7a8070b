"""Playing a story on a stage, and comparing what came back with what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from knowwhy.core.model import Status, attribute_key, name_key
from knowwhy.errors import Malformed
from knowwhy.evaluation.checks import Told, problem
from knowwhy.evaluation.failures import Failure, FailureKind
from knowwhy.evaluation.replies import Reply, forbidden, matching, required
from knowwhy.evaluation.stage import Stage
from knowwhy.evaluation.stories import Expectation, Story
from knowwhy.evaluation.written import Written, line_of
from knowwhy.recall.finding import Finding

# What an expectation of each word is about; of all others it is told plainly.
_KINDS: Final = {
    "cites": FailureKind.GROUNDS,
    "conflict": FailureKind.CONFLICT,
    "evidence_items": FailureKind.GROUNDS,
    "evidence_shown_only": FailureKind.GROUNDS,
    "independent_sources": FailureKind.GROUNDS,
    "origin": FailureKind.GROUNDS,
    "quote_span": FailureKind.GROUNDS,
}


def played(story: Story, stage: Stage) -> tuple[dict[str, Reply], list[Failure]]:
    """The replies of the named steps of a story, and the refusals that it did not expect.

    Raises:
        Malformed: it cannot be understood.
    """
    awaited = {one.at for one in story.expect if {"refusal", "no_error"} & set(one.check)}
    refusals = []
    try:
        for number, step in enumerate(story.steps, start=1):
            reply = stage.act(step)
            if reply.refusal is not None and step.get("id") not in awaited:
                message = f"step {number} ({step['op']}) was {reply}"
                name = str(step.get("id", f"step {number}"))
                refusals.append(Failure(FailureKind.REFUSED, name, message, line_of(step)))
    finally:
        stage.memory.close()
    return stage.told, refusals


def compared(
    expect: Iterable[Expectation], told: Mapping[str, Reply], patience: float = 1.0
) -> Iterator[Failure]:
    """What is otherwise than expected, each with what was expected and what was got.

    Raises:
        Malformed: an expectation does not fit its step.
    """
    for expected in expect:
        if expected.at not in told:
            raise Malformed(f"the step {expected.at} was not played")
        reply = told[expected.at]
        wrong = list(_beliefs(expected, reply, ""))
        if reply.other is not None:
            wrong += _beliefs(expected, reply.other, ", asked in words,")
        yield from wrong
        yield from _checked(expected, Told(reply, told, patience), {one.kind for one in wrong})


def _checked(expected: Expectation, told: Told, failed: AbstractSet[FailureKind]) -> Iterator[Failure]:
    """The checks that do not hold; what a wrong belief has told already is not told twice."""
    for word, value in expected.check.items():
        kind = _kind_of(word, expected=value)
        is_told = bool(failed) if word == "only" else kind is FailureKind.CONFLICT and kind in failed
        if not is_told and (wrong := problem(word, value, told)) is not None:
            yield Failure(kind, expected.at, f"at {expected.at}: {wrong}", expected.line)


def shown(expect: Iterable[Expectation], told: Mapping[str, Reply]) -> Iterator[tuple[float, bool]]:
    """For each answer to a question whose answer is known: how sure it was said, and whether it is right."""
    for expected in expect:
        wanted = [one for one in expected.must if one.get("status", "current") == "current"]
        reply = told[expected.at]
        for answer in reply.answers:
            if any(_is_of(one, answer) for one in wanted):
                yield answer.confidence, any(matching(one, [answer]) for one in map(_bare, wanted))


def _kind_of(word: str, *, expected: object) -> FailureKind:
    if word == "unknown":
        return FailureKind.NOT_UNKNOWN if expected is True else FailureKind.NO_ANSWER
    return _KINDS.get(word, FailureKind.OTHER)


def _beliefs(expected: Expectation, reply: Reply, how: str) -> Iterator[Failure]:
    wrong = [("must", one) for one in expected.must if not required(one, reply)]
    wrong += [("must not", one) for one in expected.must_not if forbidden(one, reply)]
    for word, pattern in wrong:
        kind = _missing(pattern, reply) if word == "must" else FailureKind.SAID
        rivals = [one for one in reply.answers if _is_of(pattern, one)]
        sure = max((one.confidence for one in rivals), default=None)
        lines = (f"at {expected.at}{how} expected", f"    {word}: {_in_words(pattern)}", "  got", str(reply))
        yield Failure(kind, expected.at, "\n".join(lines), expected.line, sure)


def _missing(pattern: Written, reply: Reply) -> FailureKind:
    """In which way a belief that must come back did not."""
    answers = [one for one in reply.answers if _is_of(pattern, one)]
    there = matching(_bare(pattern), [*reply.answers, *reply.asides])
    if pattern.get("status") == "disputed" or any(one.status is Status.CONTESTED for one in answers):
        return FailureKind.CONFLICT
    others = [one for one in answers if one not in there]
    if not others:
        return FailureKind.NO_ANSWER
    if not there:
        return FailureKind.WRONG
    newest = max(one.belief.observed_at for one in there)
    is_newer = newest > max(one.belief.observed_at for one in others)
    return FailureKind.NOT_SWITCHED if is_newer else FailureKind.SWITCHED


def _in_words(pattern: Written) -> str:
    """A pattern in one line."""
    slot = " / ".join(str(pattern[word]) for word in ("subject", "attribute") if word in pattern)
    denied = "not " if pattern.get("polarity") == "refutes" else ""
    others = [
        f"{word} {value}" if word != "status" else str(value)
        for word, value in pattern.items()
        if word not in {"subject", "attribute", "value", "polarity"}
    ]
    return f"{slot} = {denied}{pattern.get('value')}" + (f" [{', '.join(others)}]" if others else "")


def _bare(pattern: Written) -> Written:
    """The pattern whatever the standing of what it fits."""
    return {word: value for word, value in pattern.items() if word not in {"status", "freshness"}}


def _is_of(pattern: Written, one: Finding) -> bool:
    """Whether a finding speaks of what a pattern speaks of, whatever its value."""
    return name_key(str(pattern["subject"])) == name_key(one.subject.name) and attribute_key(
        str(pattern["attribute"])
    ) == attribute_key(one.attribute.name)
