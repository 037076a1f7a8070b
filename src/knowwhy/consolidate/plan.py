"""What a step of dreaming proposes: what, why, on which evidence, and what is to come of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from knowwhy.consolidate.material import Material
from knowwhy.core.model import DREAMT, Declared, Retraction, Slot, Value, one_line
from knowwhy.core.revision import ContestKey
from knowwhy.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A belief that a step derives: it holds while its premises (beliefs, by id) do.

    `evidence` are the items it rests on in the end, each of which stays what it is. Its confidence is no more
    than its `strength`.
    """

    slot: Slot
    value: Value
    words: str
    premises: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    strength: float = 0.9


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to do, and why; where it would write nothing it is advice to a person.

    `rules_on` are the slots on which the step decides anew: what it concluded of them earlier and does not
    conclude any more is withdrawn.
    """

    what: str
    why: str
    effect: str
    evidence: tuple[str, ...] = ()
    conclusions: tuple[Conclusion, ...] = ()
    rules_on: tuple[Slot, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    declarations: tuple[Declared, ...] = ()
    contests: tuple[ContestKey, ...] = ()

    @property
    def is_advice(self) -> bool:
        """Whether it is for a person to act on."""
        acts = (self.conclusions, self.rules_on, self.retractions, self.declarations, self.contests)
        return not any(acts)

    def as_dict(self) -> dict[str, Any]:
        """The proposal for a program."""
        return {
            "what": self.what,
            "why": self.why,
            "effect": self.effect,
            "evidence": list(self.evidence),
        }

    def __str__(self) -> str:
        items = "1 item" if len(self.evidence) == 1 else f"{len(self.evidence)} items"
        rests = f" ({items} of evidence)" if self.evidence else ""
        return one_line(f"{self.what}: {self.why}{rests}; {self.effect}")


@dataclass(frozen=True, slots=True)
class Step:
    """One named step of dreaming: which topics it finds in what is new, and what it proposes of each.

    Both are functions of what they read alone. What a step fails at is parked by its topic.
    """

    name: str
    about: str
    topics: Callable[[Material], Iterable[str]]
    plan: Callable[[Material, str], Iterable[Proposal]]

    @property
    def rule(self) -> str:
        """The rule that what it derives follows by."""
        return f"{DREAMT}{self.name}"


def chosen(known: Sequence[Step], wanted: Iterable[str | Step] | None) -> tuple[Step, ...]:
    """The steps that are wanted, in the order in which they go; all of them where nothing is said.

    Raises:
        InvalidInput: there is no such step, or none is wanted.
    """
    if wanted is None:
        return tuple(known)
    given = list(wanted)
    names = {one for one in given if isinstance(one, str)}
    if missing := sorted(names - {one.name for one in known}):
        listed = "\n".join(f"  {one.name}: {one.about}" for one in known)
        raise InvalidInput(f"There is no step {missing[0]!r}; there are:\n{listed}")
    if not given:
        raise InvalidInput("No step is wanted; leave `steps` out for all of them.")
    own = tuple(one for one in given if isinstance(one, Step))
    return (*(one for one in known if one.name in names), *own)
