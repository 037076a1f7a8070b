"""The stage: a story's clock, its memory, and the replies of its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from knowwhy.core.timeline import Instant, instant
from knowwhy.engine.clock import Clock
from knowwhy.engine.memory import Memory
from knowwhy.errors import InvalidInput, KnowwhyError, Malformed
from knowwhy.evaluation.replies import Reply, refused
from knowwhy.evaluation.written import Written, slip, taken

Given = TypeVar("Given")

_SECOND: Final = 1_000_000

# When a story begins that names no time.
_ONCE: Final = instant("2000-01-01")

# The fields of one step, to be used up by what carries it out.
Fields: TypeAlias = dict[str, Any]


class Measuring(Protocol):
    """What counts the statements and the time of a call."""

    def measured(self, call: Callable[[], Given], *, is_repeatable: bool) -> tuple[Given, dict[str, float]]:
        """What a call gives, and its measures by their words."""
        ...


@dataclass(slots=True)
class StoryClock:
    """The time of a story: it moves with the steps, and never back."""

    now: Instant = _ONCE

    def __call__(self) -> Instant:
        """The time that the story has reached."""
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
    meter: Measuring | None = None
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
            Malformed: it cannot be understood.
        """
        try:
            return self._acted(step)
        except Malformed as problem:
            if "line" in problem.details:
                raise
            raise slip(problem.message, step) from problem

    def _acted(self, step: Written) -> Reply:
        fields = dict(step)
        op, name = fields.pop("op", None), fields.pop("id", None)
        if op not in self.kinds:
            raise slip(f"{op!r} is no step; use one of {', '.join(sorted(self.kinds))}.", step, "op")
        kind = self.kinds[op]
        taken(step, f"the step {name or op}", kind.needed, kind.allowed | {"op", "id"})
        given = fields
        try:
            self.clock.reach(given.get("ingested_at") or given.get("recorded_at") or given.get("asked_at"))
        except InvalidInput as problem:
            raise slip(problem.message, step, "date") from problem
        reply = self._carried_out(kind, given)
        if name is not None:
            self.told[str(name)] = reply
        return reply

    def _carried_out(self, kind: Kind, given: Fields) -> Reply:
        is_measured = given.pop("measure", False)
        if is_measured and self.meter is None:
            raise Malformed("nothing here measures: leave `measure` out")
        before = self._last()
        try:
            if not is_measured or self.meter is None:
                return kind.act(self, given)
            reply, measures = self.meter.measured(
                lambda: kind.act(self, dict(given)), is_repeatable=kind.is_reading
            )
        except Malformed:
            raise
        except KnowwhyError as error:
            return refused(error, is_unchanged=self._last() == before)
        return replace(reply, facts={**reply.facts, **measures})

    def _last(self) -> int:
        """The number of the last operation."""
        return max((one.operation.sequence for one in self.memory.log(limit=1)), default=0)

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
