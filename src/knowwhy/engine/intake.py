"""Intake: from what a caller hands over to evidence, with its speaker and the time it was said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from knowwhy.core.model import (
    HIGHEST_AUTHORITY,
    SOURCE_TYPES,
    UNSTATED,
    Draft,
    Evidence,
    Source,
    content_of,
    evidence_id,
)
from knowwhy.engine.intent import Reading
from knowwhy.errors import InvalidInput
from knowwhy.ingest.observation import Observation
from knowwhy.ingest.resolution import fingerprint, written_out
from knowwhy.store.protocol import Snapshot


def evidence_of(reading: Reading, speakers: Speakers, one: Observation, claims: Sequence[Draft]) -> Evidence:
    """The evidence that an observation is; without words of its own, its claims are written out.

    Raises:
        InvalidInput: `recorded_at` lies in the future, or the source or roots cannot be understood.
    """
    text = one.text if one.text is not None and one.text.strip() else written_out(claims)
    source = speakers.source(one)
    recorded_at = reading.at if one.recorded_at is None else reading.space.instant(one.recorded_at)
    if recorded_at > reading.at:
        msg = f"recorded_at={one.recorded_at} lies in the future: only the past can be loaded."
        raise InvalidInput(msg)
    observed_at = recorded_at if one.observed_at is None else reading.space.instant(one.observed_at)
    access = reading.space.written_access
    content = content_of(source, text, fingerprint(claims) if claims else "", one.context, access)
    return Evidence(
        id=evidence_id(content, observed_at),
        content=content,
        text=text,
        source=source,
        observed_at=observed_at,
        effective_at=min(observed_at, recorded_at),
        recorded_at=recorded_at,
        groups=speakers.groups(one, source),
        is_pinned=one.is_pinned,
        context=one.context,
        derived_from=tuple(one.derived_from),
        metadata=tuple(sorted((one.metadata or {}).items())),
        access=access,
    )


class Speakers:
    """The sources of a batch: as declared in it, as known from before, or unstated."""

    def __init__(self, view: Snapshot, names: Iterable[str]) -> None:
        self._view = view
        self._known: dict[str, list[Source]] = {}
        for source in view.sources(sorted(set(names))):
            self._known.setdefault(source.name, []).append(source)

    def source(self, one: Observation) -> Source:
        """Who speaks. A name without a type means the one source of that name that is known already."""
        known = self._known.get(one.source, [])
        if one.source_type is None and len(known) == 1 and one.authority is None and one.reliability is None:
            return known[0]
        kind = SOURCE_TYPES.get(one.source_type or UNSTATED.name)
        if kind is None:
            msg = f"{one.source_type!r} is not a source type; use one of {', '.join(SOURCE_TYPES)}."
            raise InvalidInput(msg)
        recorded = next((source for source in known if source.type == kind.name), None)
        if recorded is not None and one.authority is None and one.reliability is None:
            return recorded
        authority = kind.authority if one.authority is None else one.authority
        reliability = kind.reliability if one.reliability is None else one.reliability
        if not 0 <= authority <= HIGHEST_AUTHORITY or not 0.0 <= reliability <= 1.0:
            msg = (
                f"An authority lies between 0 and {HIGHEST_AUTHORITY}, not {authority}; "
                f"a reliability between 0 and 1, not {reliability}."
            )
            raise InvalidInput(msg)
        source = Source(one.source, kind.name, authority, reliability)
        self._known.setdefault(one.source, []).append(source)
        return source

    def groups(self, one: Observation, source: Source) -> tuple[str, ...]:
        """Whose voice it is: its own, or that of the evidence it was derived from."""
        if not one.derived_from:
            return (source.group,)
        roots = self._view.evidence(ids=list(one.derived_from))
        missing = sorted(set(one.derived_from) - {root.id for root in roots})
        if missing:
            msg = f"derived_from names evidence that is not on record: {', '.join(missing)}."
            raise InvalidInput(msg)
        return tuple(sorted({group for root in roots for group in root.groups}))
