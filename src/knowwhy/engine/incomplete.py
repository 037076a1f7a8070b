"""incomplete, complete, dismiss: statements that lack something wait until somebody says what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from knowwhy.core.model import Act, Draft, Evidence, Incomplete, Retraction, in_force, one_line
from knowwhy.core.timeline import shown
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.permitting import demand
from knowwhy.engine.reading_out import spoke_at
from knowwhy.engine.redeclare import contests_on
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.ingest.times.moments import placed
from knowwhy.providers.extraction import Missing
from knowwhy.recall.identity import as_said
from knowwhy.store.protocol import Snapshot

_LACKS: Final = {
    Missing.SUBJECT: "whom or what it is about",
    Missing.ANTECEDENT: "what it points back at",
    Missing.VALUE: "one exact value",
    Missing.CONDITION: "a place for what limits it",
    Missing.DATE: "a day that can be placed",
    Missing.CHOICE: "which of several is meant",
}


@dataclass(frozen=True, slots=True)
class IncompleteStatement:
    """A statement that waits: its words, who said them, and what they lack to be believed."""

    statement: Incomplete
    words: str
    evidence: Evidence

    @property
    def id(self) -> str:
        """By what it is named."""
        return self.statement.key

    @property
    def lacks(self) -> str:
        """What it lacks, in words."""
        return _LACKS[Missing(self.statement.missing)]

    def as_dict(self) -> dict[str, Any]:
        """The statement for a program."""
        return {
            "id": self.id,
            "words": self.words,
            "missing": self.statement.missing,
            "lacks": self.lacks,
            "evidence": self.evidence.id,
            "source": self.evidence.source.name,
            "context": self.evidence.context,
        }

    def __str__(self) -> str:
        said = f"{self.evidence.source.name}, {shown(self.evidence.observed_at)}: “{self.words}”"
        return one_line(f"{said} lacks {self.lacks} [{self.id}]")


def incomplete(space: Space) -> tuple[IncompleteStatement, ...]:
    """The statements that wait for what they lack, in the order in which they were said."""
    demand(space, "maintain")
    with space.store.snapshot(space.name) as view:
        waiting = _waiting(view, view.declared(Incomplete).values())
        return tuple(sorted(waiting, key=lambda one: (one.evidence.effective_at, one.id)))


def _waiting(view: Snapshot, known: Iterable[Incomplete]) -> Iterator[IncompleteStatement]:
    open_ones = [one for one in known if not one.is_dismissed]
    ids = sorted({one.evidence for one in open_ones})
    items = {one.id: one for one in view.evidence(ids=ids) if one.retracted_at is None} if ids else {}
    quoted = {
        (one.claim.evidence_id, one.claim.quote)
        for one in (as_said(view.claims(sorted(items))) if items else ())
        if one.retracted_at is None
    }
    for one in open_ones:
        if one.evidence in items:
            words = items[one.evidence].text[one.start : one.end]
            if (one.evidence, words) not in quoted:
                yield IncompleteStatement(one, words, items[one.evidence])


def complete(
    space: Space, statement: str, draft: Draft, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Say what an incomplete statement claims: a claim of whoever said it, on the words that were kept.

    Raises:
        NotFound: no such statement waits.
        InvalidInput: a claim that cannot be understood.
    """

    def form(reading: Reading) -> Intent:
        waiting = _named(reading.view, statement)
        evidence = waiting.evidence
        stated = placed(replace(draft, quote=waiting.words), spoke_at(reading, None, evidence))
        known = reading.names(names_in([stated], reading.schema))
        resolver = Resolver(known, reading.schema, reading.space.zone, is_strict=reading.space.is_strict)
        claim = resolver.claim(stated, evidence)
        # The same was said of it once, and withdrawn.
        before = [mark.id for one in reading.view.claims([claim.id]) if (mark := in_force(one.withdrawals))]
        return Intent(
            entities=tuple(resolver.made.values()),
            claims=() if before else (claim,),
            retractions=tuple(map(Retraction, before)),
            contests=contests_on(reading, reading.schema, [claim.id]) if before else (),
            reported=(evidence.id,),
            warnings=tuple(resolver.notes),
        )

    return write(space, Signature(Act.READ, author, reason), form)


def dismiss(space: Space, statement: str, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Let an incomplete statement go; its words stay.

    Raises:
        NotFound: no such statement waits.
    """

    def form(reading: Reading) -> Intent:
        waiting = _named(reading.view, statement)
        return Intent(declarations=(replace(waiting.statement, is_dismissed=True),))

    return write(space, Signature(Act.DISMISS, author, reason), form)


def _named(view: Snapshot, statement: str) -> IncompleteStatement:
    for one in _waiting(view, view.declared(Incomplete, [statement]).values()):
        return one
    msg = f"No statement {statement!r} waits; `incomplete` lists those that do."
    raise NotFound(msg, statement=statement)
