"""The checker of `soak.py`: a memory that nobody else uses now, beside a ledger of what must be true."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

import knowwhy
from knowwhy.core.model import Evidence
from knowwhy.engine.address import store_at
from tests.campaigns.ledger import MAIN, Ledger, Place, Word, holds

SPACE: Final = "main"
NOTE: Final = "note a"  # how each word of an agent begins
SAMPLES: Final = 150
_DAWN: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Verdict:
    """How many things were looked at, and what was amiss."""

    checks: int = 0
    violations: list[str] = field(default_factory=list)

    def look(self, problems: Iterable[str], checks: int) -> None:
        """Count so many checks, and what they found."""
        self.checks += checks
        self.violations.extend(problems)

    def add(self, other: Verdict) -> None:
        """Take over what another found."""
        self.look(other.violations, other.checks)


def judged(
    ledger: Ledger,
    address: str,
    chance: random.Random,
    *,
    raw: str | None = None,
    is_deep: bool = True,
    samples: int = SAMPLES,
) -> Verdict:
    """What is amiss; deep, the views are compared with the log too. Bytes are looked for at `raw`."""
    verdict = Verdict()
    verdict.look(ledger.amiss, 0)
    ledger.amiss.clear()
    store = store_at(address)
    try:
        with store.snapshot(SPACE) as view:
            ids = [one.id for one in view.every(Evidence)]
            kept = {one.text: one.retracted_at is not None for one in view.evidence(ids=ids)}
        verdict.look(store.problems(SPACE), 1)
    finally:
        store.close()
    verdict.look(recorded(ledger, kept), len(ledger.words))
    verdict.look(merged_by_halves(ledger, kept), len(ledger.taken))
    verdict.look(ledger.misread(), len(ledger.reads))
    verdict.look(ledger.counted_twice(), len(ledger.words))
    counting = [ledger.words[text] for text, is_gone in kept.items() if not is_gone and text in ledger.words]
    with knowwhy.open(address) as memory:
        verdict.look(standing(ledger, memory, counting), len(ledger.of_place))
        for problems in (
            at_other_times(ledger, memory, counting, chance, samples),
            as_known(ledger, memory, chance, samples),
        ):
            for problem in problems:
                verdict.look([] if problem is None else [problem], 1)
        verdict.look(numbers(ledger, memory), len(ledger.deeds))
        if is_deep:
            verdict.look(memory.doctor().problems, 1)
    erased = [name for name, deeds in ledger.erased.items() if any(one.is_done for one in deeds)]
    verdict.look(left_over(raw or address, erased, [one.place[0] for one in counting]), len(erased))
    return verdict


def recorded(ledger: Ledger, kept: dict[str, bool]) -> Iterator[str]:
    """Whether each word is on record, and withdrawn, where it must be, and nowhere else."""
    # What a dream concludes it says in words of its own.
    has_dreamt = any(one.kind == "dream" for one in ledger.deeds)
    yield from (
        f"nobody said {text!r}"
        for text in kept
        if text not in ledger.words and not (has_dreamt and not text.startswith(NOTE))
    )
    for text, word in ledger.words.items():
        is_sure = word.deed.line == MAIN or word.deed.is_done
        came, may = ledger.arrivals(word), [one for one in ledger.arrivals(word) if one.failure is None]
        erasures = ledger.erasures(word)
        if text in kept and not may:
            yield f"{text!r} is on record, though what would have brought it failed or never was"
        if text not in kept and not erasures and is_sure and any(one.is_done for one in came):
            yield f"{text!r} is lost"
        if text in kept and any(one.is_done for one in erasures):
            yield f"{text!r} is on record, though it was erased"
        gone = ledger.withdrawn.get(text, [])
        if kept.get(text) is False and any(one.is_done for one in gone):
            yield f"{text!r} is not withdrawn"
        if kept.get(text) and all(one.failure for one in (*gone, *erasures)):
            yield f"{text!r} is withdrawn, and nobody did it"


def merged_by_halves(ledger: Ledger, kept: dict[str, bool]) -> Iterator[str]:
    """Lines of which some acknowledged words came over, and others did not."""
    for line in ledger.taken:
        said = [one for one in ledger.words.values() if one.deed.line == line and one.deed.is_done]
        there = [one.text for one in said if one.text in kept]
        if there and len(there) < len(said):
            yield f"of {line}, {len(there)} of {len(said)} words came over"


def standing(ledger: Ledger, memory: knowwhy.Memory, counting: list[Word]) -> Iterator[str]:
    """Places at which another value is held than the words that count make hold."""
    for place, words in _by_place(ledger, counting).items():
        held, due = memory.ask(*place).value, holds(words)
        if held != due:
            yield f"{place} is held to be {held!r}, and should be {due!r}"


def at_other_times(
    ledger: Ledger, memory: knowwhy.Memory, counting: list[Word], chance: random.Random, samples: int
) -> Iterator[str | None]:
    """The same for instants of the past, None for each at which nothing is amiss."""
    places = _by_place(ledger, counting)
    for one in chance.choices(counting, k=samples) if counting else ():
        said, place = one.said + chance.choice((-1, 0, 1)), one.place
        held = memory.at(valid=_DAWN + timedelta(microseconds=said)).ask(*place).value
        due = holds(word for word in places[place] if word.said <= said)
        told = f"{place} is held to have been {held!r} at {said}, and should be {due!r}"
        yield told if held != due else None


def as_known(
    ledger: Ledger, memory: knowwhy.Memory, chance: random.Random, samples: int
) -> Iterator[str | None]:
    """The same as it was known at an operation; only where it is sure of each word when it came and went."""
    sure = [
        place
        for place, words in ledger.of_place.items()
        if not any(place[0] in ledger.erased or _is_unsure(ledger, word) for word in words)
    ]
    moments = [one.at for one in ledger.deeds if one.at is not None]
    for _ in range(samples if sure and moments else 0):
        place, known = chance.choice(sure), chance.choice(moments)
        held = memory.at(valid=known, known=known).ask(*place).value
        due = holds(word for word in ledger.of_place[place] if _was_known(ledger, word, known))
        told = f"{place} is held to have been known as {held!r} at {known}, and should be {due!r}"
        yield told if held != due else None


def _is_unsure(ledger: Ledger, word: Word) -> bool:
    return any(one.is_open for one in (word.deed, *ledger.arrivals(word), *ledger.removals(word)))


def _was_known(ledger: Ledger, word: Word, known: str) -> bool:
    then = datetime.fromisoformat(known)
    came, gone = (
        any(one.is_done and one.at is not None and datetime.fromisoformat(one.at) <= then for one in deeds)
        for deeds in (ledger.arrivals(word), ledger.removals(word))
    )
    return came and not gone and _DAWN + timedelta(microseconds=word.said) <= then


def _by_place(ledger: Ledger, counting: list[Word]) -> dict[Place, list[Word]]:
    found: dict[Place, list[Word]] = {place: [] for place in ledger.of_place}
    for word in counting:
        found[word.place].append(word)
    return found


def numbers(ledger: Ledger, memory: knowwhy.Memory) -> Iterator[str]:
    """Operations on the main line that were acknowledged twice under one number, or are beyond the log."""
    written = [one for one in ledger.deeds if one.line == MAIN or one.kind == "merge"]
    told = Counter(one.operation for one in written if one.operation is not None and one.kind != "drop")
    last = memory.log(limit=1)[0].operation.sequence if told else 0
    yield from (f"operation {number} was acknowledged {n} times" for number, n in told.items() if n > 1)
    yield from (f"operation {number} is not in the log" for number in told if number > last)


def left_over(address: str, erased: list[str], others: list[str]) -> Iterator[str]:
    """Erased names of which bytes are left; the search must find a name that was not erased."""
    living = [name for name in others if name[0].isupper()]
    has = _searched(address)
    yield from (f"bytes of {name} are left, though it was erased" for name in erased if has(name))
    if living and not has(living[0]):
        yield f"the search for bytes does not find {living[0]}, which is there"


class _Bytes:
    """All that is kept at an address, to look for names in, in any case."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        self._all = b"\n".join(parts).lower()

    def __call__(self, name: str) -> bool:
        return name.lower().encode() in self._all


def _searched(address: str) -> _Bytes:
    if "://" not in address:
        path = Path(address)
        return _Bytes(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))
    with psycopg.connect(address) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'knowwhy'").fetchall()
        parts = [
            str(row[0]).encode()
            for (table,) in tables
            for row in connection.execute(
                sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier("knowwhy", table))
            )
        ]
    return _Bytes(parts)
