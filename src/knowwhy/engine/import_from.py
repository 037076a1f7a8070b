"""import_from: an archive taken into an empty memory, or the file of another memory observed item by item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from knowwhy.core.model import (
    SOURCE_TYPES,
    UNSTATED,
    Attribute,
    Cardinality,
    Source,
    ValueType,
    attribute_key,
    content_of,
    one_line,
)
from knowwhy.engine.archiving import Progress, demand_owner, taken_from_archive
from knowwhy.engine.declare import checked_attribute, declare
from knowwhy.engine.observe import observe
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, Refused
from knowwhy.exchange.archive import is_archive
from knowwhy.exchange.files import lines_of
from knowwhy.exchange.foreign import READERS, Mapped, Unmapped
from knowwhy.ingest.observation import Observation, drafts
from knowwhy.ingest.resolution import fingerprint, written_out

JSONL: Final = "jsonl"
IMPORTS: Final = (JSONL, *READERS)

# So many items are recorded in one operation.
_AT_ONCE: Final = 200
# So long before the import the first item was said whose time nobody knows; the others follow.
_BEFORE: Final = timedelta(minutes=1)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file: how much is new, was on record already, and what could not be mapped, and why.

    `declared` are the attributes that were declared for it.
    """

    path: str
    format: str
    new: int = 0
    known: int = 0
    declared: tuple[str, ...] = ()
    unmapped: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The import for a program."""
        return {
            "path": self.path,
            "format": self.format,
            "new": self.new,
            "known": self.known,
            "declared": list(self.declared),
            "unmapped": list(self.unmapped),
        }

    def __str__(self) -> str:
        what = "operations" if self.format == JSONL else "items"
        lines = [one_line(f"{self.path} ({self.format}): {self.new} {what} new, {self.known} known already.")]
        if self.declared:
            lines.append(f"  declared to have many values: {one_line(', '.join(self.declared))}")
        lines += [f"  not mapped: {one_line(one)}" for one in self.unmapped]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Signer:
    """Who imports, and why."""

    author: str | None = None
    reason: str | None = None


def import_from(
    space: Space,
    path: str | Path,
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    *,
    signer: Signer,
    progress: Progress | None = None,
) -> Imported:
    """Take what is in a file.

    Raises:
        NotFound: there is no such file.
        InvalidInput: no such format, or the file is not of it.
        Refused: an archive is taken on behalf of a principal.
        Conflict: an archive, and the memory holds something else.
    """
    place = Path(path)
    chosen = _format(place, format)
    if chosen == JSONL:
        demand_owner(space, "To import an archive")
        counted, taken = taken_from_archive(space, place, progress)
        return Imported(str(place), JSONL, taken, counted.operations - taken)
    work = _Work(space, signer)
    done = 0
    for batch in _batched(READERS[chosen](place), _AT_ONCE):
        work.take([one for one in batch if isinstance(one, Mapped)])
        work.note(one for one in batch if isinstance(one, Unmapped))
        done += len(batch)
        if progress is not None:
            progress(done)
    return work.report(str(place), chosen)


def _format(place: Path, given: str | None) -> str:
    if given is None and not place.is_dir() and is_archive(next(islice(lines_of(place), 1), b"")):
        return JSONL
    if given is None or given.casefold() not in IMPORTS:
        named = "Nothing says" if given is None else f"{given!r} does not say"
        msg = f"{named} what {place.name!r} is; give a format: {', '.join(IMPORTS)}."
        raise InvalidInput(msg)
    return given.casefold()


def _batched(those: Iterator[T], number: int) -> Iterator[list[T]]:
    while batch := list(islice(those, number)):
        yield batch


@dataclass(slots=True)
class _Work:
    """One import, batch by batch; of what is not mapped each reason is counted, with where it was first."""

    space: Space
    signer: Signer
    new: int = 0
    known: int = 0
    declared: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    reasons: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    undated: int = 0

    def take(self, items: Sequence[Mapped]) -> None:
        """Observe items, as far as they are not on record."""
        fresh = self._fresh(items)
        self._declare(fresh)
        said = [self._dated(one) for one in fresh]
        if not said:
            return
        try:
            self._observe(said)
        except (InvalidInput, Refused):
            # One of them cannot be taken: each for itself, so that the others are.
            for one in said:
                try:
                    self._observe([one])
                except (InvalidInput, Refused) as problem:
                    self.note([Unmapped(problem.message, _where(one))])

    def note(self, those: Iterable[Unmapped]) -> None:
        """Count what is not mapped."""
        for one in those:
            self.reasons[one.why] += 1
            self.first.setdefault(one.why, one.where)

    def report(self, path: str, chosen: str) -> Imported:
        """What became of the file."""
        told = tuple(f"{number} × {why} (first: {self.first[why]})" for why, number in self.reasons.items())
        return Imported(path, chosen, self.new, self.known, tuple(self.declared), told)

    def _observe(self, said: Sequence[Observation]) -> None:
        with self.space.snapshot() as view:
            before = view.counts()["evidence"]
        observe(self.space, said, author=self.signer.author, reason=self.signer.reason)
        with self.space.snapshot() as view:
            new = view.counts()["evidence"] - before
        self.new += new
        self.known += len(said) - new

    def _fresh(self, items: Sequence[Mapped]) -> list[Mapped]:
        """The items without those whose time is not known and whose words are on record from their source."""
        contents = [self._content(one.said) for one in items]
        asked = sorted({own for own, one in zip(contents, items, strict=True) if not one.is_dated})
        with self.space.snapshot() as view:
            self.seen |= {one.content for one in view.evidence(contents=asked)} if asked else set()
        found = []
        for own, one in zip(contents, items, strict=True):
            if not one.is_dated and own in self.seen:
                self.known += 1
                continue
            self.seen |= set() if one.is_dated else {own}
            found.append(one)
        return found

    def _content(self, said: Observation) -> str:
        claims = drafts(said.claims)
        text = said.text if said.text is not None and said.text.strip() else written_out(claims)
        kind = said.source_type or UNSTATED.name
        source = Source(said.source, SOURCE_TYPES[kind].name)
        claimed = fingerprint(claims) if claims else ""
        return content_of(source, text, claimed, said.context, self.space.written_access)

    def _dated(self, one: Mapped) -> Observation:
        """The observation; where nobody knows its time, just before now, in the order of the file."""
        if one.said.observed_at is not None:
            return one.said
        self.undated += 1
        now = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=self.space.clock())
        return replace(one.said, observed_at=now - _BEFORE + timedelta(microseconds=self.undated))

    def _declare(self, items: Iterable[Mapped]) -> None:
        """Declare what has many values there, unless the memory knows better."""
        wanted = {name: False for one in items for name in one.many}
        wanted |= {name: True for one in items for name in one.relations}
        with self.space.snapshot() as view:
            schema = self.space.schema(view)
            kept = view.declared(Attribute)
        for name, is_relation in sorted(wanted.items()):
            key = attribute_key(name)
            if key in kept or key in schema.by_name or key in schema.inverses:
                continue
            kind = ValueType.ENTITY if is_relation else None
            try:
                made = checked_attribute(name, {"cardinality": Cardinality.MANY, "value_type": kind})
                declare(self.space, made, author=self.signer.author, reason=self.signer.reason)
                self.declared.append(name)
            except (InvalidInput, Refused) as problem:
                self.note([Unmapped(f"an attribute that could not be declared: {problem.message}", name)])


def _where(said: Observation) -> str:
    return one_line(f"{said.source}: {(said.text or '')[:40]}")
