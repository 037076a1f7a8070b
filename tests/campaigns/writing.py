"""A process that writes to a memory and says so: before each operation what it will be, then that it is done.

    python tests/campaigns/writing.py write FILE SEED NUMBER OBSERVATIONS
    python tests/campaigns/writing.py race FILE

It says "ready", waits for a line on standard input, and speaks in lines of JSON. What it has called done must
outlive it, however it ends.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

import knowwhy

ClaimWords: TypeAlias = tuple[str, str, str]

SUBJECTS: Final = (
    "amber router",
    "cedar bridge",
    "harbour clinic",
    "juniper kiln",
    "青石水泵",
    "临江诊所",
    "白鹭渡轮",
)
ATTRIBUTES: Final = ("owner", "status", "opening hours", "maximum load", "inspection")
VALUES: Final = ("red", "green 7", "north side", "weekly", "待定", "每月")
SOURCE_TYPES: Final = ("official", "document", "user", "web")

RACE_SUBJECT: Final = ("race track", "winner")

_BATCH: Final = 3


@dataclass(frozen=True, slots=True)
class Told:
    """One observation: words that nobody else says, by whom, and the claims in them."""

    text: str
    source: str
    source_type: str
    claims: tuple[ClaimWords, ...]

    def observation(self) -> knowwhy.Observation:
        """The same for the memory."""
        return knowwhy.Observation(
            source=self.source, source_type=self.source_type, text=self.text, claims=self.claims
        )


def main() -> None:
    role, path, *rest = sys.argv[1:]
    with knowwhy.open(path) as memory:
        say(ready=True)
        sys.stdin.readline()
        try:
            if role == "race":
                race(memory)
            else:
                seed, number, observations = map(int, rest)
                Writer(memory, random.Random(seed), number).write(observations)
        except knowwhy.KnowwhyError as failure:
            say(failed=f"{type(failure).__name__}: {failure}")
            raise


def say(**words: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Tell whoever listens; it has reached the pipe when this returns."""
    print(json.dumps(words), flush=True)


class Writer:
    """One writer: mostly single observations, some batches, some repeated calls, some withdrawals."""

    def __init__(self, memory: knowwhy.Memory, chance: random.Random, number: int) -> None:
        self._memory = memory
        self._chance = chance
        self._number = number
        self._said = 0
        self._operations = 0
        self._own: list[str] = []

    def write(self, observations: int) -> None:
        """Make so many observations, and what goes with them."""
        while self._said < observations:
            if self._own and self._chance.random() < 0.04:
                self._withdraw()
            else:
                is_batch = self._chance.random() < 0.1 and observations - self._said >= _BATCH
                self._observe([self._told() for _ in range(_BATCH if is_batch else 1)])
        say(finished=True)

    def _told(self) -> Told:
        chance = self._chance
        self._said += 1
        count = chance.choices((0, 1, 2), (1, 8, 2))[0]
        claims = tuple(
            (chance.choice(SUBJECTS), attribute, chance.choice(VALUES))
            for attribute in chance.sample(ATTRIBUTES, count)
        )
        words = "; ".join(f"{subject}: {attribute} {value}" for subject, attribute, value in claims)
        text = f"note w{self._number}n{self._said} 第{self._said}条：{words or 'nothing to report 无事'}."
        return Told(text, f"source {chance.randrange(12)}", chance.choice(SOURCE_TYPES), claims)

    def _observe(self, told: Sequence[Told]) -> None:
        self._operations += 1
        key = f"w{self._number} {self._operations}" if self._chance.random() < 0.2 else None
        say(begin=self._operations, told=[asdict(one) for one in told])
        observations = [one.observation() for one in told]
        outcome = insisted(
            lambda: self._memory.observe_many(
                observations, idempotency_key=key, author=f"writer {self._number}"
            )
        )
        if key is not None:
            again = insisted(lambda: self._memory.observe_many(observations, idempotency_key=key))
            assert again.is_repeat, "a repeated key wrote again"
            assert again.operation == outcome.operation, "a repeated key gave another operation"
        self._own.extend(outcome.evidence)
        say(done=self._operations, operation=outcome.operation, evidence=outcome.evidence)

    def _withdraw(self) -> None:
        self._operations += 1
        target = self._own.pop(self._chance.randrange(len(self._own)))
        say(begin=self._operations, withdrawn=target)
        outcome = insisted(
            lambda: self._memory.retract(target, author=f"writer {self._number}", reason="said in error")
        )
        say(done=self._operations, operation=outcome.operation, evidence=[])


def insisted(call: Callable[[], knowwhy.Outcome]) -> knowwhy.Outcome:
    """What a call gives, made again where the memory says that nothing was written and to try at once.

    It says so where a server broke off a read and others wrote meanwhile.
    """
    while True:
        try:
            return call()
        except knowwhy.Unavailable as failure:
            if failure.details.get("retry_after") != 0.0:
                raise


def race(memory: knowwhy.Memory) -> None:
    """Each line names a version and a value: write the value if the belief is still at that version."""
    subject, attribute = RACE_SUBJECT
    while line := sys.stdin.readline():
        order = json.loads(line)
        try:
            outcome = memory.observe(
                source=order["value"],
                claims=[(subject, attribute, order["value"])],
                expected_version=order["version"],
            )
        except knowwhy.VersionConflict as conflict:
            say(won=False, current=conflict.details["current_version"], code=conflict.code)
        else:
            say(won=True, operation=outcome.operation)


if __name__ == "__main__":
    main()
