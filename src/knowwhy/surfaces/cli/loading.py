"""Loading many lines: chunk by chunk, each chunk one operation, up to the end or to the first bad line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from knowwhy import InvalidInput, KnowwhyError, Memory, NotInSource, Observation, Outcome, UndeclaredAttribute
from knowwhy.surfaces.cli.jsonl import observation
from knowwhy.surfaces.cli.options import Signed

CHUNK: Final = 1_000

# What the line itself is to blame for; anything else would meet every other line as well.
_OF_THE_LINE: Final = (InvalidInput, NotInSource, UndeclaredAttribute)


@dataclass(slots=True)
class Load:
    """Lines on their way into a memory, and what has become of them so far.

    `key` is the idempotency key of the whole; each chunk gets one of its own, from its line numbers.
    """

    memory: Memory
    name: str
    signed: Signed
    absent: Mapping[str, str]
    key: str | None = None
    told: Callable[[int], None] = lambda _done: None
    lines: int = 0
    known: int = 0
    operations: list[int] = field(default_factory=list)
    changes: int = 0
    conflicts: set[str] = field(default_factory=set)
    _bytes: int = 0

    def run(self, lines: Iterable[bytes]) -> None:
        """Load all lines.

        Raises:
            KnowwhyError: a line is bad, or the memory cannot go on. The lines before are stored, and a
                second run passes over them, since what is on record is not recorded again.
        """
        pending: list[tuple[int, Observation]] = []
        for number, line in enumerate(lines, start=1):
            self._bytes += len(line)
            if not line.strip():
                continue
            try:
                pending.append((number, observation(line, self.absent)))
            except InvalidInput as problem:
                self._store(pending)
                raise self._stopped(problem, number) from problem
            if len(pending) == CHUNK:
                self._store(pending)
                pending = []
        self._store(pending)

    def as_dict(self) -> dict[str, Any]:
        """What was loaded, for a program."""
        return {
            "lines": self.lines,
            "already_known": self.known,
            "operations": self.operations,
            "changes": self.changes,
            "conflicts": sorted(self.conflicts),
        }

    def __str__(self) -> str:
        if self.lines and self.known == self.lines:
            return f"{self.name}: {_counted(self.lines, 'line')}, all known already; nothing was written."
        operations = _counted(len(self.operations), "operation")
        stored = f"{_counted(self.lines, 'line')} stored in {operations}"
        words = [f"{self.name}: {stored}; {_counted(self.changes, 'belief')} changed."]
        if self.conflicts:
            met = _counted(len(self.conflicts), "conflict")
            words.append(f"{met} met on the way; `knowwhy conflicts` shows those that are open.")
        return "\n".join(words)

    def _store(self, chunk: list[tuple[int, Observation]]) -> None:
        """Store a chunk whole, or else the part of it that precedes its first bad line."""
        if not chunk:
            return
        try:
            self._observe(chunk, self.key and f"{self.key}/{chunk[0][0]}-{chunk[-1][0]}")
        except _OF_THE_LINE as problem:
            if len(chunk) == 1:
                raise self._stopped(problem, chunk[0][0]) from problem
            half = len(chunk) // 2
            self._store(chunk[:half])
            self._store(chunk[half:])
        except KnowwhyError as problem:
            raise self._stopped(problem) from problem

    def _observe(self, chunk: list[tuple[int, Observation]], key: str | None) -> None:
        outcome = self.memory.observe_many(
            (one for _, one in chunk),
            idempotency_key=key,
            author=self.signed.author,
            reason=self.signed.reason,
        )
        self.lines += len(chunk)
        self._count(outcome, len(chunk))
        self.told(self._bytes)

    def _count(self, outcome: Outcome, lines: int) -> None:
        if outcome.is_repeat:
            self.known += lines
            return
        self.operations.append(outcome.operation)
        self.changes += len(outcome.changes)
        self.conflicts.update(one.id for one in outcome.conflicts)

    def _stopped(self, problem: KnowwhyError, number: int | None = None) -> KnowwhyError:
        """The same error, saying where the load stopped and what to do."""
        if "stored" in problem.details:
            return problem
        where = f"{self.name}, line {number}: " if number else f"{self.name}: "
        what = "Mend it and run this again" if number else "Run this again"
        stored = f"{_counted(self.lines, 'line')} before it {'is' if self.lines == 1 else 'are'} stored"
        rest = f" {stored}. {what}; known lines are passed over."
        details = {**problem.details, "stored": self.lines} | ({"line": number} if number else {})
        return type(problem)(f"{where}{problem.message}{rest}", **details)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
