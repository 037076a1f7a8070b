"""Random memories in which the same is seen again and again, and what all of them hold, to compare."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from knowwhy import Memory, Observation
from knowwhy.core.model import Evidence
from knowwhy.core.timeline import Instant
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from tests.laws.lives import START, Clock

PEOPLE = ("lin", "bo")
DAYS = 40


def opened(chance: random.Random, store: Store | None = None) -> tuple[Memory, Clock]:
    """A memory with some attributes declared."""
    clock = Clock(0)
    memory = Memory(Space(store or MemoryStore(), clock=clock))
    memory.declare("plan", half_life_days=chance.choice((None, 10)))
    if chance.random() < 0.5:
        memory.declare("liked", cardinality="many", half_life_days=20)
    if chance.random() < 0.3:
        memory.configure(lifetimes={"user": 5})
    return memory, clock


def seen(chance: random.Random, day: int) -> Observation:
    """Something that was seen on a day: with an occasion, an error, a number, a rival, or plain words."""
    who, number = chance.choice(PEOPLE), str(chance.randint(1, 5))
    claims: list[Any] = [
        {
            "subject": who,
            "attribute": "liked",
            "value": chance.choice("xxy"),
            "conditions": {"lesson": number},
        },
        {"subject": who, "attribute": "mistake", "value": chance.choice("pq")},
        {"subject": who, "attribute": "score", "value": chance.randint(0, 9)},
        {"subject": who, "attribute": "plan", "value": chance.choice(("free", "pro"))},
        {"subject": chance.choice(("t1", "t2", "t3", "t4")), "attribute": "cause", "value": "token"},
        {"subject": chance.choice(("t1", "t2", "t3", "t4")), "attribute": "fixed by", "value": "login"},
        {"subject": who, "attribute": "hunch", "value": "z", "modality": "hypothetical"},
    ]
    told = chance.sample(claims, chance.choice((0, 1, 1, 2, 3)))
    words = f"What was said on day {day}."
    return Observation(
        chance.choice(("ann", "ben")),
        chance.choice((None, words)) if told else words,
        told,
        chance.choice(("user", "user", "official", "rumour")),
        START + timedelta(days=day, hours=chance.randint(0, 9)),
        context=chance.choice((None, f"session {day}")),
    )


def live(memory: Memory, clock: Clock, chance: random.Random, days: int) -> list[Observation]:
    """Some days on which things are seen, or taken back."""
    said: list[Observation] = []
    for _ in range(days):
        clock.day += 1
        one = seen(chance, int(clock.day))
        said.append(one)
        outcome = memory.observe_many([one])
        if chance.random() < 0.1:
            memory.retract(outcome.evidence[0])
    return said


def records(memory: Memory) -> dict[str, tuple[str, Instant | None]]:
    """All evidence on record, with whether it stands."""
    with memory._space.snapshot() as view:  # noqa: SLF001 - what no verb lists
        return {one.id: (one.text, one.retracted_at) for one in view.every(Evidence)}


def held(memory: Memory) -> dict[str, list[tuple[Any, ...]]]:
    """Every belief that stands, by its topic; what was withdrawn again is as if it never were."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name in (*PEOPLE, "t1", "t2", "t3", "t4", "cause = token"):
        answer = memory.ask(name)
        for one in sorted((*answer.findings, *answer.others), key=lambda each: each.id):
            if one.status not in ("retracted", "rejected", "superseded"):
                key = f"{name}/{one.attribute.name}/{sorted(one.conditions.items())}"
                found.setdefault(key, []).append(
                    (str(one.value), one.status, round(one.raw_confidence, 9), len(one.support))
                )
    return found
