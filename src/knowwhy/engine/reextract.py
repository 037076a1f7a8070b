"""reextract: kept words are read again on a branch, by a better reader; a diff and a merge decide."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from knowwhy.core.model import (
    Act,
    Claim,
    Document,
    Evidence,
    Incomplete,
    Retraction,
    Schema,
    Stance,
    Testimony,
    content_of,
    in_force,
    one_line,
)
from knowwhy.core.timeline import BEGINNING
from knowwhy.engine.backlog import brought_up
from knowwhy.engine.branch import fork
from knowwhy.engine.commit import write
from knowwhy.engine.documents import dropped
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.permitting import demand
from knowwhy.engine.reading_out import Scribe, Taker, Words, subjects_of
from knowwhy.engine.redeclare import contests_on
from knowwhy.engine.space import Space, When
from knowwhy.ingest.queue import Backlog
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.ingest.times.moments import moment_of
from knowwhy.providers.extraction import NO_USAGE, Extraction, Extractor, Usage
from knowwhy.recall.identity import as_said
from knowwhy.store.protocol import Snapshot

_PAGE: Final = 100
_ANEW: Final = "read anew"
_DOCUMENT: Final = "document"
# What such sources say is the word of an act or a rule, and its text only tells of it.
_ACTED: Final = frozenset({"correction", "derived"})


@dataclass(slots=True)
class Reextraction:
    """What reading again came to, on the branch `name`: how many claims are the same, added and gone.

    `failed` items could not be read; `passed_over` came with claims of their own, or wait to be read for
    the first time.
    """

    name: str
    by: str
    read: int = 0
    same: int = 0
    added: int = 0
    gone: int = 0
    failed: int = 0
    passed_over: int = 0
    usage: Usage = NO_USAGE
    errors: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The result for a program."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return {**told, "usage": self.usage.as_dict()}

    def __str__(self) -> str:
        items = f"{self.read} item{'' if self.read == 1 else 's'} read again by {self.by}"
        claims = f"{self.same} claims the same, {self.added} added, {self.gone} gone"
        failed = f"; {self.failed} failed" if self.failed else ""
        lines = [
            f"{items} on the branch {self.name!r}: {claims}{failed}.",
            "  `diff` shows what differs, `merge` takes it over, `drop` lets go of it.",
        ]
        return "\n".join(map(one_line, lines[:1])) + "\n" + lines[1]


def reextract(
    space: Space,
    name: str,
    *,
    since: When | None = None,
    extractor: Extractor | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Reextraction:
    """Read the words again that became known since an instant, on a new branch of that name.

    Raises:
        InvalidInput: the name is taken, or a time that cannot be understood.
        Refused: there are too many branches.
    """
    demand(space, "maintain")
    reader = extractor or space.extractor
    first = BEGINNING if since is None else space.instant(since)
    line = fork(space, name, assumes=f"words are read by {reader.name}", author=author, reason=reason)
    report = Reextraction(name, reader.name)
    with line.store.snapshot(line.name) as view:
        waiting = {one.waiting.evidence for one in brought_up(view, Backlog())}
        known = [
            (one.effective_at, one.id)
            for one in view.every(Evidence)
            if one.recorded_at >= first and one.retracted_at is None and one.id not in waiting
        ]
        schema = line.schema(view)
        documents = view.declared(Document).values()
    report.passed_over = len(waiting)
    scribe = Scribe(schema, lambda _evidence: ())
    editions = {edition.evidence for one in documents for edition in one.editions}
    ordered = [name for _, name in sorted(known) if name not in editions]
    page = _Page(line, reader, report, scribe)
    for start in range(0, len(ordered), _PAGE):
        page.read(ordered[start : start + _PAGE], author, reason)
        scribe.memo.clear()
    recent = {name for _, name in known}
    for one in documents:
        # All versions of one are decided together: what each drops depends on those before it.
        page.read_versions([each.evidence for each in one.editions], recent, author, reason)
        scribe.memo.clear()
    return report


@dataclass(frozen=True, slots=True)
class _Kept:
    """An item as it is on record: its words, and the claims that were read out of them so far."""

    evidence: Evidence
    claims: tuple[Testimony, ...]


@dataclass(frozen=True, slots=True)
class _Page:
    """Some items that are read again together."""

    line: Space
    reader: Extractor
    report: Reextraction
    scribe: Scribe

    def read(self, ids: Sequence[str], author: str | None, reason: str | None) -> None:
        """Read these items again, and record on the branch what that changes."""
        with self.line.store.snapshot(self.line.name) as view:
            kept = list(self._kept(view, ids))
        self.report.passed_over += len(ids) - len(kept)
        self._read(kept, (), author, reason)

    def read_versions(
        self, ids: Sequence[str], recent: Collection[str], author: str | None, reason: str | None
    ) -> None:
        """Read those versions of a document again that are among the recent ones, and compare all of them."""
        with self.line.store.snapshot(self.line.name) as view:
            versions = [one for one in self._with_claims(view, ids) if one.evidence.retracted_at is None]
        if any(one.evidence.id in recent for one in versions):
            kept = [one for one in versions if one.evidence.id in recent]
            self._read(kept, versions, author, reason)

    def _read(
        self, kept: Sequence[_Kept], versions: Sequence[_Kept], author: str | None, reason: str | None
    ) -> None:
        words = [self._words(one.evidence) for one in kept]
        found: dict[str, Extraction] = {}
        for one in words:
            try:
                found[one.evidence.id] = self.scribe.extraction(one)
            except Exception as problem:  # noqa: BLE001 - one item must not stop the others
                self.report.failed += 1
                self.report.errors.append(one_line(f"{one.evidence.id}: {problem}"))
        changed: list[tuple[int, int, int]] = []

        def form(reading: Reading) -> Intent | Outcome:
            changed.clear()
            return self._intent(reading, kept, versions, found, changed)

        write(self.line, Signature(Act.READ, author, reason or f"{_ANEW} by {self.reader.name}"), form)
        self.report.read += len(found)
        self.report.usage = sum((one.usage for one in found.values()), self.report.usage)
        for same, added, gone in changed:
            self.report.same, self.report.added = self.report.same + same, self.report.added + added
            self.report.gone += gone

    def _kept(self, view: Snapshot, ids: Sequence[str]) -> Iterator[_Kept]:
        """Those of some items that came as words alone, so that their claims were read out of them."""
        items = list(self._with_claims(view, ids))
        numbers = sorted({one.evidence.operation for one in items})
        acts = {one.sequence: one.act for one in view.operations(sequences=numbers)}
        for item in items:
            is_said = acts.get(item.evidence.operation) in (Act.OBSERVE, Act.MERGE)
            if is_said and _came_as_words(item.evidence):
                yield item

    def _with_claims(self, view: Snapshot, ids: Sequence[str]) -> Iterator[_Kept]:
        """Some items with all that was read out of them, in order of effective time."""
        items = view.evidence(ids=list(ids)) if ids else []
        claims: dict[str, list[Testimony]] = {one.id: [] for one in items}
        for one in as_said(view.claims(list(claims))) if items else ():
            claims[one.claim.evidence_id].append(one)
        yield from (_Kept(item, tuple(claims[item.id])) for item in items)

    def _words(self, evidence: Evidence) -> Words:
        said_at = moment_of(evidence.observed_at, None, self.line.zone)
        return Words(evidence, said_at, self.reader, self.line.takes_undeclared)

    def _intent(
        self,
        reading: Reading,
        kept: Sequence[_Kept],
        versions: Sequence[_Kept],
        found: dict[str, Extraction],
        changed: list[tuple[int, int, int]],
    ) -> Intent | Outcome:
        drafts = [draft for one in found.values() for draft in subjects_of(one)]
        names = reading.names(names_in(drafts, reading.schema))
        resolver = Resolver(names, reading.schema, self.line.zone, is_strict=self.line.is_strict)
        completed = _completed(reading.view, [*kept, *versions])
        wanted: dict[str, dict[str, Claim]] = {}
        read_outs = []
        for one in kept:
            if one.evidence.id not in found:
                continue
            claims: dict[str, Claim] = {}
            out = Taker(reading, resolver, claims).take(found[one.evidence.id], one.evidence, is_forced=False)
            read_outs.append(out)
            wanted[one.evidence.id] = claims
        _with_marks(reading.schema, versions, wanted, completed)
        read = [one for one in versions or kept if one.evidence.id in wanted]
        intent = self._compared(reading, read, wanted, completed, changed)
        if not intent.claims and not intent.retractions:
            return Outcome(reading.view.head().sequence, None, is_repeat=True)
        return replace(
            intent,
            entities=tuple(resolver.made.values()),
            read_outs=tuple(one for one in read_outs if one.says_anything),
            usage=sum((one.usage for one in found.values()), NO_USAGE),
        )

    def _compared(
        self,
        reading: Reading,
        kept: Sequence[_Kept],
        wanted: Mapping[str, Mapping[str, Claim]],
        completed: Collection[str],
        changed: list[tuple[int, int, int]],
    ) -> Intent:
        """What it takes so that each item claims what is wanted of it, and nothing else."""
        added: list[Claim] = []
        retractions: list[Retraction] = []
        for one in kept:
            claims = wanted[one.evidence.id]
            there = {each.claim.id: each for each in one.claims}
            new = [claim for name, claim in claims.items() if name not in there]
            again = [there[name] for name in claims if name in there and there[name].retracted_at is not None]
            gone = [
                name
                for name, each in there.items()
                if name not in claims and each.retracted_at is None and name not in completed
            ]
            added += new
            retractions += [Retraction(name, f"{_ANEW} by {self.reader.name}") for name in gone]
            retractions += [Retraction(mark.id) for each in again if (mark := in_force(each.withdrawals))]
            changed.append((len(claims) - len(new) - len(again), len(new) + len(again), len(gone)))
        touched = [each.claim.id for one in kept for each in one.claims]
        return Intent(
            claims=tuple(added),
            retractions=tuple(retractions),
            contests=contests_on(reading, reading.schema, touched),
            reported=tuple(one.evidence.id for one in kept),
        )


def _with_marks(
    schema: Schema,
    versions: Sequence[_Kept],
    wanted: dict[str, dict[str, Claim]],
    completed: Collection[str],
) -> None:
    """Add to what is wanted of each version what it drops of those before it."""
    said: list[Claim] = []
    for one in versions:
        standing = [each.claim for each in one.claims if each.retracted_at is None]
        own = [
            *wanted.get(one.evidence.id, {}).values(),
            *(each for each in standing if one.evidence.id not in wanted or each.id in completed),
        ]
        words = [each for each in own if each.stance is not Stance.DROPS]
        marks = dropped(schema, one.evidence.id, said, words)
        wanted[one.evidence.id] = {each.id: each for each in (*words, *marks)}
        said += words


def _completed(view: Snapshot, kept: Sequence[_Kept]) -> set[str]:
    """The claims by which somebody completed a statement: whoever reads it cannot know better."""
    texts = {one.evidence.id: one.evidence.text for one in kept}
    words = {
        (one.evidence, texts[one.evidence][one.start : one.end])
        for one in view.declared(Incomplete).values()
        if one.evidence in texts
    }
    return {
        each.claim.id
        for one in kept
        for each in one.claims
        if (each.claim.evidence_id, each.claim.quote) in words
    }


def _came_as_words(evidence: Evidence) -> bool:
    """Whether an item came without claims: those that come with it are part of its fingerprint."""
    bare = content_of(evidence.source, evidence.text, "", evidence.context)
    is_acted = evidence.source.type in _ACTED or _DOCUMENT in dict(evidence.metadata)
    return evidence.content == bare and not is_acted
