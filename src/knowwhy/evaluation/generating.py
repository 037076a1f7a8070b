"""from_memory: a first evaluation set out of a memory's own history, a story for every rule that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import yaml

from knowwhy.core.model import Attribute, Modality, Slot, Stance, Status, Testimony
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import BEGINNING, Instant, isoformat
from knowwhy.engine.memory import Memory
from knowwhy.evaluation.evaluation import evaluate
from knowwhy.evaluation.stories import story
from knowwhy.evaluation.written import Loader
from knowwhy.explain.history import History, Period
from knowwhy.recall.answer import Answer
from knowwhy.recall.finding import Finding

Progress = Callable[[int], None]

_HEAD: Final = """\
# Made from a memory's history: a story for each fact whose value changed. Look through it: what is
# expected is what the memory holds, which is not always what is right. Names and words of its sources
# are in it, so keep it where the memory may be kept.
"""
_NONE: Final = "# No value changed here, so there is no story to tell.\n"
_APART: Final = (
    "# In an empty memory this story does not come out so: add what else it rests on, or use a copy.\n"
)

# What of a declaration bears on how its claims are read and settled, and how a story says so.
_DECLARED: Final = ("cardinality", "value_type", "unit", "changes", "half_life_days")


@dataclass(frozen=True, slots=True)
class _Changed:
    """A fact whose value changed: what is held of it, and how it came to stand so."""

    answer: Answer
    history: History
    said: tuple[Testimony, ...]

    @property
    def best(self) -> Finding:
        """The strongest belief that stands."""
        return self.answer.findings[0]

    @property
    def fact(self) -> dict[str, str]:
        """What it is about, as a set names it."""
        return {"subject": self.best.subject.name, "attribute": self.best.attribute.name}

    @property
    def words(self) -> str:
        """The same in one string."""
        return " / ".join(self.fact.values())


def from_memory(memory: Memory, *, progress: Progress | None = None) -> str:
    """An evaluation set, as YAML: what was said of each fact that changed, and what held before and after.

    Only what may be read on the memory's behalf is in it. Facts under conditions, and what was concluded
    or only supposed, are left out. A story that does not come out the same in an empty memory says so.

    Args:
        memory: the memory, perhaps as a principal sees it.
        progress: told how many facts were looked at.
    """
    pages = [_page(one) for one in _changed(memory, progress)]
    return _HEAD + ("---\n".join(pages) if pages else _NONE)


def _changed(memory: Memory, progress: Progress | None) -> Iterator[_Changed]:
    space = memory._space  # noqa: SLF001 - no verb lists all slots; what may not be seen is not among them
    with space.snapshot() as view:
        slots = sorted(view.every(Slot), key=lambda one: (one.subject.name, one.attribute, one.id))
    for number, slot in enumerate(slots, start=1):
        if not slot.conditions:
            answer = memory.ask(slot.subject.name, slot.attribute, subject_id=slot.subject.id)
            if _held(answer):
                one = _Changed(answer, memory.history(answer.findings[0].id), _said(memory, answer))
                if _past(one):
                    yield one
        if progress is not None:
            progress(number)


def _said(memory: Memory, answer: Answer) -> tuple[Testimony, ...]:
    """All testimony on what an answer speaks of, in the order in which it was said."""
    beliefs = [one.belief for one in (*answer.findings, *answer.others)]
    space = memory._space  # noqa: SLF001 - the same
    with space.snapshot() as view:
        told = view.testimonies([ContestKey(one.slot.id, one.value.key) for one in beliefs])
    said = {one.claim.id: one for those in told.values() for one in those}
    return tuple(sorted(said.values(), key=lambda one: (one.observed_at, one.operation, one.claim.id)))


def _held(answer: Answer) -> list[str]:
    """The values that stand undisputed."""
    return [
        str(one.value)
        for one in answer.findings
        if one.status is Status.ACCEPTED and not one.is_denial and not one.conditions
    ]


def _past(one: _Changed) -> list[Period]:
    """The stretches of time in which something else was held true than now."""
    now = set(_held(one.answer))
    return [period for period in one.history.periods if period.beliefs and set(_values(period)) != now]


def _values(period: Period) -> list[str]:
    return [str(belief.value) for belief in period.beliefs]


def _page(one: _Changed) -> str:
    now, past = _held(one.answer), _past(one)
    gone = sorted({text for period in past for text in _values(period)} - set(now))
    ask: Any = one.fact if " / " in one.best.subject.name else one.words
    asked = [{"ask": ask, "expect": now} | ({"never": gone} if gone else {})]
    asked += [{"ask": ask, "as_of": _within(period), "expect": _values(period)} for period in past]
    declared = _declaration(one.best)
    document: dict[str, Any] = {"story": f"{one.words} changed"}
    document |= {"attributes": {one.best.attribute.name: declared}} if declared else {}
    document |= {"told": list(_told(one)), "asked": asked}
    written = yaml.dump(document, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    return ("" if _comes_out(written) else _APART) + written


class _Dumper(yaml.SafeDumper):
    """The dumper that writes the same list twice rather than point from one place to another."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401, ARG002 - as the method it overrides
        return True


def _comes_out(written: str) -> bool:
    """Whether the story, read back as it is written, holds in an empty memory."""
    return evaluate(story(yaml.load(written, Loader))).has_passed  # noqa: S506 - it is a SafeLoader


def _within(period: Period) -> str | None:
    """An instant in a stretch of time: its beginning, or, where it has none, just before its end."""
    return isoformat(period.start if period.start > BEGINNING else Instant(period.end - 1))


def _declaration(best: Finding) -> dict[str, Any]:
    """What is declared of the attribute that bears on how its values are read and settled."""
    plain = Attribute(best.attribute.name)
    found = {word: getattr(best.attribute, word) for word in _DECLARED}
    return {
        word: str(value) if isinstance(value, StrEnum) else value
        for word, value in found.items()
        if value != getattr(plain, word)
    }


def _told(one: _Changed) -> Iterator[dict[str, Any]]:
    """What was said of the fact and is not withdrawn, in the order in which it was said."""
    for testimony in one.said:
        claim, source = testimony.claim, testimony.source
        is_plain = claim.modality is Modality.ASSERTED and claim.derivation is None
        if is_plain and testimony.retracted_at is None:
            fields: dict[str, Any] = {**one.fact, "value": claim.value.text}
            fields |= {"unit": claim.value.unit} if claim.value.unit else {}
            fields |= {"polarity": "refutes"} if claim.stance is Stance.REFUTES else {}
            begins = None if claim.valid_from is None else isoformat(claim.valid_from)
            ends = isoformat(claim.valid_to)
            fields |= {"valid_from": begins} if begins else {}
            fields |= {"valid_to": ends} if ends else {}
            spoken = {"date": isoformat(testimony.observed_at), "source": source.name, "type": source.type}
            yield {**spoken, "claims": [fields]}
