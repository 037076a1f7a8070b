"""The stage: a story's clock, its memory, and the replies of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from knowwhy import Instant, KnowwhyError, Memory, instant
from knowwhy.engine.clock import Clock
from tests.corpus.meter import Meter
from tests.corpus.replies import Reply, refused
from tests.corpus.stories import Malformed, Written, taken

_SECOND: Final = 1_000_000

# When a story begins that names no time.
_ONCE: Final = instant("2000-01-01")

# The fields of one step, to be used up by what carries it out.
Fields: TypeAlias = dict[str, Any]

# What the corpus speaks of and the product cannot do yet: steps, and words within steps and claims.
LATER_STEPS: Final = {
    "raw_scan": "erasure",
    "export": "export",
    "resolve": "a model's opinion on conflicts",
}
LATER_WORDS: Final[Mapping[str, str]] = {}


class Waits(Exception):
    """A story needs an ability that the product does not have yet; the message names it."""


@dataclass(slots=True)
class StoryClock:
    """The time of a story: it moves with the steps, and never back."""

    now: Instant = _ONCE

    def __call__(self) -> Instant:
        return self.now

    def reach(self, when: str | None) -> None:
        """Let a second pass, and more if the story says that it is later."""
        self.now = Instant(max(self.now + _SECOND, self.now if when is None else instant(when)))


@dataclass(frozen=True, slots=True)
class Home:
    """Where a story plays: a store by its name, how to open a memory in it, its address if it has one.

    What has no address is no place for large fillings, nor for other processes.
    """

    store: str
    opened: Callable[[Clock], Memory]
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of step: what carries it out, the fields it needs and allows, whether it leaves no trace."""

    act: Callable[[Stage, Fields], Reply]
    needed: frozenset[str] = frozenset()
    allowed: frozenset[str] = frozenset()
    is_reading: bool = False


@dataclass(slots=True)
class Stage:
    """One story being played in one home, which understands some `kinds` of steps.

    `told` are the replies of the steps that have a name, `names` the entities spoken of,
    `critical` the subjects and attributes of what must never be lost.
    """

    home: Home
    kinds: Mapping[str, Kind]
    is_full: bool = False
    clock: StoryClock = field(default_factory=StoryClock)
    meter: Meter = field(default_factory=Meter)
    told: dict[str, Reply] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    critical: list[tuple[str, str]] = field(default_factory=list)
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        """Open the memory."""
        self.memory = self.home.opened(self.clock)

    def act(self, step: Written) -> Reply:
        """Carry out one step.

        Raises:
            Waits: it needs what the product cannot do yet.
            Malformed: it cannot be understood.
        """
        fields = dict(step)
        op, name = fields.pop("op", None), fields.pop("id", None)
        if op in LATER_STEPS:
            raise Waits(LATER_STEPS[op])
        if op not in self.kinds:
            raise Malformed(f"{op!r} is no step; use one of {', '.join(sorted(self.kinds))}.")
        wait_for_words(fields)
        kind = self.kinds[op]
        given = taken(fields, f"the step {name or op}", kind.needed, kind.allowed)
        self.clock.reach(given.get("ingested_at") or given.get("recorded_at") or given.get("asked_at"))
        reply = self._carried_out(kind, given)
        if name is not None:
            self.told[str(name)] = reply
        return reply

    def _carried_out(self, kind: Kind, given: Fields) -> Reply:
        is_measured = given.pop("measure", False)
        before = self.memory.stats()
        try:
            if not is_measured:
                return kind.act(self, given)
            reply, measures = self.meter.measured(
                lambda: kind.act(self, dict(given)), is_repeatable=kind.is_reading
            )
        except KnowwhyError as error:
            return refused(error, is_unchanged=self.memory.stats() == before)
        return replace(reply, facts={**reply.facts, **measures})

    def version(self, name: str | None) -> int | None:
        """The version that the step of this name read."""
        return None if name is None else int(self._earlier(name).fact("version"))

    def evidence(self, name: str) -> list[str]:
        """The ids of the evidence that the step of this name recorded."""
        return list(self._earlier(name).fact("evidence"))

    def _earlier(self, name: str) -> Reply:
        if name not in self.told:
            raise Malformed(f"no earlier step has the id {name!r}")
        return self.told[name]

    def restarted(self) -> None:
        """Let go of the memory and open it again; a store without address lives as long as its process."""
        if self.home.address is not None:
            self.memory.close()
        self.memory = self.home.opened(self.clock)


def wait_for_words(words: Iterable[str]) -> None:
    """Give up if one of the words speaks of what the product cannot do yet.

    Raises:
        Waits: one does.
    """
    for word in words:
        if word in LATER_WORDS:
            raise Waits(LATER_WORDS[word])
