"""What a store must do: keep the log, keep the views that come with it, and answer from one snapshot.

The log is the truth: operations, entities, aliases, declarations, sources, evidence, claims and
retractions, all append-only. Beliefs and the text index are views; a store writes them in the same
transaction as the records they follow from, and can replace them whole.

Every method works within one space, and a transaction never crosses it.

A record that was withdrawn stays where it is, and is read with its withdrawals. What lifts a withdrawal
is a retraction whose target is its id: the record is in force again from then on, and everything that
reads it must know both. Some reads take `until`: they answer as after that operation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from knowwhy.core.model import (
    PUBLIC,
    Access,
    Alias,
    Belief,
    Claim,
    Declared,
    Entity,
    Evidence,
    Operation,
    Retraction,
    Slot,
    Source,
    Status,
    Testimony,
    Withdrawal,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant

D = TypeVar("D", bound=Declared)

# A source, with the access of what it said.
Speaker: TypeAlias = tuple[Source, Access]


@dataclass(frozen=True, slots=True)
class Head:
    """How far the log of a space has come: its last operation and when that was.

    `schema` is the last operation that changed the schema, `links` the last that recorded on what
    a claim rests. `fork` is the last operation that a branch has from
    below, 0 where it is none. `vectors` is the number of the last vector put, `guards` the last operation
    that recorded what not everybody may read.
    """

    sequence: int = 0
    at: Instant = Instant(0)
    schema: int = 0
    links: int = 0
    fork: int = 0
    vectors: int = 0
    guards: int = 0


@dataclass(frozen=True, slots=True)
class Guarded:
    """Evidence, an entity by its first naming, or an operation by its number, that not everybody may read."""

    record: str
    access: Access = PUBLIC
    kind: str = "evidence"


@dataclass(frozen=True, slots=True)
class Decision:
    """The last operation that decided a contest on which it brought no testimony: a premise had moved."""

    contest: ContestKey
    operation: int


@dataclass(frozen=True, slots=True)
class TextEntry:
    """The index terms of one document: a belief or an item of evidence, by its id."""

    document: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vector:
    """What a document says, as one model sees it: `numbers` are 32-bit floats, the lowest byte first.

    A document has one vector of each model at the most, and a model says how long its vectors are. One
    without numbers takes away the vector that the document has. `number` is given when it is put, and
    grows.
    """

    document: str
    model: str
    numbers: bytes
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Audit:
    """The record of an answer: its id, when it was given, to whom, and its body as JSON.

    The `principal` it was given to is written as its names, one a line; None is the owner. One without a
    body takes away that of its id; without an id too, all from before its time. `number` is given when it
    is put, and is above those of all that are there.
    """

    id: str
    at: Instant
    principal: str | None = None
    body: str = ""
    number: int = field(default=0, compare=False)

    @property
    def names(self) -> frozenset[str]:
        """The names of the principal; only who has all of them may read it."""
        return frozenset(() if self.principal is None else self.principal.split("\n"))


@dataclass(frozen=True, slots=True)
class Batch:
    """All that one operation adds to the log, with the views that follow from it.

    `operation.sequence` and `.at` are proposals: the store numbers operations without gaps and
    moves `at` past the operation before it. `beliefs` replace those of the same id; their `version`
    becomes the operation's number. `decided` are the contests settled because of others, without
    testimony of this batch. `expected` holds, for each contest decided or looked at, the version
    that was read (0 where it had no belief), `schema` the declaration that was in force, and
    `links` the head's, where it matters that nothing new came to rest on what is decided. Entities
    and sources that exist already are left as they are; evidence and claims must be new.
    """

    operation: Operation
    entities: tuple[Entity, ...] = ()
    aliases: tuple[Alias, ...] = ()
    declarations: tuple[Declared, ...] = ()
    sources: tuple[Source, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Claim, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    texts: tuple[TextEntry, ...] = ()
    decided: tuple[ContestKey, ...] = ()
    expected: Mapping[ContestKey, int] = field(default_factory=dict)
    schema: int = 0
    links: int | None = None

    @property
    def guards(self) -> bool:
        """Whether it records anything that not everybody may read."""
        accesses = [self.operation.access, *(one.access for one in self.evidence)]
        accesses += [one.access for one in self.entities]
        accesses += [one.access for one in self.aliases]
        return any(one is not PUBLIC and not one.is_public for one in accesses)

    def speakers(self, evidence: Iterable[Evidence]) -> list[Speaker]:
        """The sources that it names, each with the access of the words by which it is named."""
        spoken = [(one.source, one.access) for one in evidence]
        heard = dict(reversed(spoken))
        return [*((one, heard.get(one, PUBLIC)) for one in self.sources), *spoken]


@dataclass(frozen=True, slots=True)
class BeliefFilter:
    """Which beliefs to read; every criterion given must hold, and at least one is needed.

    `contests` and `ids` name beliefs one by one, `subjects` (entity ids) and `attribute` (a key) by
    what they are about, `values` by their value's key, `statuses` by how they stood when settled,
    `evidence` by the items that any of their claims rest on, and `premises` by the beliefs or slots
    (ids) that any of their claims names as what it rests on. Those that are `labelled` have labels.
    """

    ids: Sequence[str] | None = None
    contests: Sequence[ContestKey] | None = None
    subjects: Sequence[str] | None = None
    attribute: str | None = None
    values: Sequence[str] | None = None
    statuses: Sequence[Status] | None = None
    evidence: Sequence[str] | None = None
    premises: Sequence[str] | None = None
    labelled: bool = False
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a search found, with the engine's own score (higher is better)."""

    document: str
    score: float


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found, best first, and how common each term is: of `documents`, in how many."""

    hits: tuple[Hit, ...]
    frequencies: Mapping[str, int]
    documents: int


@dataclass(frozen=True, slots=True)
class Erasing:
    """What an erasure takes with its evidence.

    `entities` (ids) and `sources` (names) go as far as nothing is left that speaks of them or by them.
    `words` and `ids` (of records and beliefs that are gone) are blotted out wherever the log tells of
    them: in what operations told, their reasons, authors and keys, in the reasons of withdrawals and in
    declarations; audits that tell of any go as a whole. What it
    `overwrites` are the bytes of all that went, as far as the engine can do that.
    """

    entities: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    overwrites: bool = False


Enumerable: TypeAlias = (
    Guarded | TextEntry | Slot | Evidence | Decision | Alias | Withdrawal | Vector | Audit | Batch
)
View: TypeAlias = Belief | TextEntry | Vector | Audit
E = TypeVar("E", bound=Enumerable)


class StaleRead(Exception):
    """A commit found that what it was decided on has moved; `versions` are the present ones."""

    def __init__(self, versions: Mapping[ContestKey, int]) -> None:
        super().__init__("the memory moved on between reading and committing")
        self.versions = dict(versions)


class Snapshot(Protocol):
    """One consistent state of a space. Reads never see half an operation."""

    def head(self) -> Head:
        """How far the log has come; an empty head for a space nobody wrote to."""

    def operations(
        self,
        *,
        key: str | None = None,
        sequences: Sequence[int] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Operation]:
        """Operations, newest first: by idempotency key, by number, or the last ones (before a number)."""

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        """The declarations of a kind in force (`until` an operation: after it), by key in order.

        All of them where `keys` is None.
        """

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        """The sources of these names known (`until` an operation: after it), in all their types.

        All sources where `names` is None. A source is known by its first standing; where it `is_whole`, there
        are all of its standings with the access of each, in the order in which they came.
        """

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        """Which entities each name key stands for (`until` an operation: stood for after it).

        Own names and aliases alike; a key that stands for none is absent. An alias stands for none while a
        withdrawal of it is in force that is not older than the last operation that gave it.
        """

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        """The entities of these ids, or all of them, in order of id."""

    def evidence(
        self,
        *,
        ids: Sequence[str] | None = None,
        contents: Sequence[str] | None = None,
        beside: Sequence[Evidence] | None = None,
        until: int | None = None,
    ) -> list[Evidence]:
        """Evidence by id, by content fingerprint or by what it was said beside, in order of effective time.

        Beside an item are the one just before and the one just after it in its context, in the order of
        effective time and id (`until` an operation: of what was recorded by then). Withdrawn items are
        among those found, with their `withdrawals`.
        """

    def testimonies(
        self, contests: Sequence[ContestKey], *, source: str | None = None, limit: int | None = None
    ) -> dict[ContestKey, list[Testimony]]:
        """All testimony ever recorded on each contest, withdrawn items too; empty lists where none.

        Its `withdrawals` are those of the claim and those of its evidence. Where a `source` is named, what
        sources of that name said alone, and at most `limit` of it for each contest.
        """

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        """All testimony whose claim id or evidence id is among `targets`."""

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        """Beliefs as last settled, in order of id."""

    def search(self, terms: Sequence[str], limit: int) -> Hits:
        """The documents that contain any of `terms`, by BM25 (k1 1.2, b 0.75), at most `limit`."""

    def counts(self) -> dict[str, int]:
        """How many records of each kind, and how many beliefs by status (`belief.accepted` …)."""

    def views(self) -> Iterator[Belief | TextEntry]:
        """Every view row, beliefs by id, then index entries by document (terms sorted)."""

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        """Every record of a kind.

        Slots that any claim names (where `targets` are given, of these entities alone), and evidence, by id;
        decisions by contest; aliases in force by name;
        withdrawals, lifted ones and lifts too, by id, and of these `targets` alone where they are given;
        of aliases those of these keys, of index entries those of these documents, by document. What is
        guarded comes by kind (entity, evidence, operation) and id.
        Vectors by number, those above `after`, and of the documents among `targets` where given; on a
        branch those put below come before its own, and only where `after` is 0.
        Audits newest first, of these ids where given; where `after` is not 0, those older than that number.
        Those of a branch are its own alone.
        Batches are the log as it was written, oldest first, `after` an operation where one is given: each
        operation with its records in order of their ids, without views. Of decisions only the last of a
        contest is on record, and what was dropped is not.
        """


class Store(Protocol):
    """A place where the records of many spaces live. Safe to use from several threads."""

    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> AbstractContextManager[Snapshot]:
        """A consistent state to read from. Keep it short: it holds a read transaction.

        With a `turn` it is opened once nobody else has one in this space for any of these words, and who
        wants one waits until it is closed; a store may let those wait too whose words are others. It keeps
        out nobody who takes no turn, and no commit.

        Raises:
            Unavailable: it took too long until it was the caller's turn.
        """

    def commit(self, space: str, batch: Batch) -> Operation:
        """Write `batch` durably as one operation, or nothing of it; the operation as numbered.

        Raises:
            StaleRead: a contest has another version than expected, the schema or the links moved on, the
                idempotency key was used meanwhile, or a record of the batch exists already.
            Fault: a claim without its evidence, or a belief that no claim speaks of.
        """

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        """Put `rows` in the place of all beliefs and index entries of the space, in one transaction.

        Vectors among them, which nothing in the log tells, take the place of those of the same document
        and model; the others stay. So do all views where `rows` are not the whole. Audits are put beside
        them, and change nothing that a commit rests on. It keeps writers out while `rows` is consumed.
        """

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        """Drop for good, in one transaction, what no reader asks for any more.

        That is: these items of evidence, as far as they are withdrawn, their claims and the withdrawals
        of both; what of the views rests on nothing then; of the operations before number `before` the
        outcomes, and the declarations of the schema that others of them replaced. All else keeps its
        numbers. What is `erasing` goes with it.
        """

    def problems(self, space: str) -> list[str]:
        """What is wrong with the stored data, in plain sentences: dangling references, damage."""

    def close(self) -> None:
        """Let go of the file or server. A closed store cannot be used again."""
