"""Replay: the log of a space as it was written, put together from its records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from knowwhy.core.model import (
    Alias,
    Claim,
    Declared,
    Entity,
    Evidence,
    Operation,
    Retraction,
    Source,
    Testimony,
    access_from,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.encoding import declared_as
from knowwhy.store.protocol import Batch

PAGE: Final = 1_000

Row: TypeAlias = tuple[Any, ...]
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Records:
    """The records of a log by kind, each after the number of its operation, in order of these.

    Of the sources only those by which a name and type became known: evidence says its own.
    """

    operations: Iterable[Operation]
    entities: Iterable[tuple[int, Entity]]
    aliases: Iterable[tuple[int, Alias]]
    declarations: Iterable[tuple[int, Declared]]
    sources: Iterable[tuple[int, Source]]
    evidence: Iterable[tuple[int, Evidence]]
    claims: Iterable[tuple[int, Claim]]
    retractions: Iterable[tuple[int, Retraction]]
    decided: Iterable[tuple[int, ContestKey]]


class _Taken(Generic[Record]):
    """The records of one kind, taken operation by operation."""

    def __init__(self, records: Iterable[tuple[int, Record]], key: Callable[[Record], Any]) -> None:
        self._records = iter(records)
        self._key = key
        self._next = next(self._records, None)

    def of(self, operation: int) -> tuple[Record, ...]:
        """Those of an operation, by their keys; of one key the last."""
        found: dict[Any, Record] = {}
        while self._next is not None and self._next[0] <= operation:
            found[self._key(self._next[1])] = self._next[1]
            self._next = next(self._records, None)
        return tuple(found[key] for key in sorted(found))


def batches_of(records: Records) -> Iterator[Batch]:
    """Each operation with its records, in order of their ids: the same from every store."""
    entities: _Taken[Entity] = _Taken(records.entities, lambda one: one.id)
    aliases: _Taken[Alias] = _Taken(records.aliases, lambda one: (one.key, one.entity_id, str(one.access)))
    declarations: _Taken[Declared] = _Taken(records.declarations, lambda one: (one.kind, one.key))
    sources: _Taken[Source] = _Taken(records.sources, source_key)
    evidence: _Taken[Evidence] = _Taken(records.evidence, lambda one: one.id)
    claims: _Taken[Claim] = _Taken(records.claims, lambda one: one.id)
    retractions: _Taken[Retraction] = _Taken(records.retractions, lambda one: one.id)
    decided: _Taken[ContestKey] = _Taken(records.decided, lambda one: (one.slot_id, one.value_key or ""))
    for operation in records.operations:
        number = operation.sequence
        items = tuple(replace(one, operation=0, withdrawals=()) for one in evidence.of(number))
        known = {source_key(one): one for one in (*sources.of(number), *(one.source for one in items))}
        yield Batch(
            operation,
            entities=entities.of(number),
            aliases=tuple(replace(one, operation=0) for one in aliases.of(number)),
            declarations=declarations.of(number),
            sources=tuple(known[key] for key in sorted(known)),
            evidence=items,
            claims=claims.of(number),
            retractions=retractions.of(number),
            decided=decided.of(number),
        )


def source_key(one: Source) -> tuple[str, str, int, float]:
    """By what sources are told apart: also two standings of one name and type."""
    return (one.name, str(one.type), one.authority, one.reliability)


# From tables ------------------------------------------------------------------------------------


class Reader(Protocol):
    """What decodes the rows of a store."""

    def evidence(self, row: Row) -> Evidence:
        """The evidence in a row."""

    def testimony(self, row: Row) -> Testimony:
        """The testimony in a row."""


@dataclass(frozen=True, slots=True)
class Statements:
    """The queries for the records of a log after an operation, each row after its operation.

    Operations, entities, evidence and claims come page by page, after a number (the last column).
    """

    operations: str
    entities: str
    evidence: str
    claims: str
    sources: str
    aliases: str
    declarations: str
    retractions: str
    decisions: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The log of a space after an operation, read table by table; `plain` undoes how JSON is spelt there."""

    statements: Statements
    rows: Callable[[str, Sequence[object]], list[Row]]
    reader: Reader
    operation_of: Callable[[Row], Operation]
    space: int
    after: int
    plain: Callable[[str], str] = str

    def batches(self) -> Iterator[Batch]:
        """Each operation with its records, oldest first."""
        asked, reader = self.statements, self.reader
        sources = ((row[0], Source(*row[1:])) for row in self.rows(asked.sources, (self.space,)))
        return batches_of(
            Records(
                operations=self._operations(),
                entities=self._paged(asked.entities, _entity),
                aliases=self._all(asked.aliases, _alias),
                declarations=self._declarations(),
                sources=((number, one) for number, one in _first(sources) if number > self.after),
                evidence=self._paged(asked.evidence, reader.evidence),
                claims=self._paged(asked.claims, lambda row: reader.testimony(row).claim),
                retractions=self._all(asked.retractions, lambda row: Retraction(*row)),
                decided=self._all(asked.decisions, lambda row: ContestKey(row[0], row[1] or None)),
            )
        )

    def _operations(self) -> Iterator[Operation]:
        last = self.after
        while rows := self.rows(self.statements.operations, (self.space, last, PAGE)):
            yield from map(self.operation_of, rows)
            last = rows[-1][0]

    def _paged(self, sql: str, read: Callable[[Row], Record]) -> Iterator[tuple[int, Record]]:
        last = 0
        while rows := self.rows(sql, (self.space, self.after, last, PAGE)):
            yield from ((row[0], read(row[1:])) for row in rows)
            last = rows[-1][-1]

    def _all(self, sql: str, read: Callable[[Row], Record]) -> Iterator[tuple[int, Record]]:
        return ((row[0], read(row[1:])) for row in self.rows(sql, (self.space, self.after)))

    def _declarations(self) -> Iterator[tuple[int, Declared]]:
        for operation, kind, body, at in self.rows(self.statements.declarations, (self.space, self.after)):
            yield operation, declared_as(kind, self.plain(body), operation, at)


def _entity(row: Row) -> Entity:
    return Entity(row[0], row[1], row[2], access_from(row[3]))


def _alias(row: Row) -> Alias:
    return Alias(row[0], row[1], row[2], access=access_from(row[3]))


def _first(sources: Iterable[tuple[int, Source]]) -> Iterator[tuple[int, Source]]:
    """Of sources in the order in which they came, those by which a name and type became known."""
    known: set[tuple[str, str]] = set()
    for operation, one in sources:
        if (one.name, one.type) not in known:
            known.add((one.name, one.type))
            yield operation, one
