"""What one memory has on record and another lacks: what a merge brings (theory §7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from knowwhy.core.model import (
    SOURCE_TYPES,
    Act,
    Adoption,
    Alias,
    Claim,
    Declared,
    Document,
    Entity,
    Evidence,
    Identity,
    InferenceRule,
    Retraction,
    Testimony,
    ValueType,
    Waiting,
    Withdrawal,
    is_for_identity,
    is_for_quarantine,
    is_restated,
    is_retraction,
    name_key,
)
from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.engine.backlog import brought_up
from knowwhy.engine.lines import WHOLE, are_related, parting, stretches
from knowwhy.engine.redeclare import TAUGHT
from knowwhy.engine.space import Space
from knowwhy.ingest.queue import Backlog
from knowwhy.store.encoding import declared_text
from knowwhy.store.layered import LayeredSnapshot
from knowwhy.store.protocol import Snapshot

_CHUNK: Final = 1_000
_DERIVED: Final = SOURCE_TYPES["derived"].name


@dataclass(frozen=True, slots=True)
class Lacking:
    """The records of theirs that ours lacks, and the declarations that are theirs by the later word.

    `differing` names the declarations that both made, differently; of these the later one is kept.
    """

    entities: tuple[Entity, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Claim, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    withdrawn: tuple[str, ...] = ()
    aliases: tuple[Alias, ...] = ()
    declarations: tuple[Declared, ...] = ()
    adoptions: tuple[Adoption, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    documents: tuple[Document, ...] = ()
    differing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sides:
    """Two lines, each with a snapshot of it."""

    ours: Space
    theirs: Space
    our_view: Snapshot
    their_view: Snapshot


def lacking(sides: Sides, at: Instant, erased: Collection[str] = ()) -> Lacking:
    """All that ours lacks of theirs.

    Erasures win: `erased` are the records that either side erased, which come back from neither.
    """
    derived = _RuleDerived(sides.their_view)
    told = [one for one in dict.fromkeys(_evidence_ids(sides)) if one not in erased]
    evidence: list[Evidence] = []
    claims: list[Claim] = []
    for ids in _chunks(told):
        known = {one.id for one in sides.our_view.evidence(ids=ids)}
        spoken = _testimonies(sides.their_view, ids)
        heard = {one.claim.id for those in _testimonies(sides.our_view, ids).values() for one in those}
        new = [
            one
            for one in sides.their_view.evidence(ids=ids)
            if one.id not in known and not derived.is_derived(one, spoken.get(one.id, ()))
        ]
        evidence += new
        there = known | {one.id for one in new}
        claims += (
            one.claim
            for item in ids
            if item in there
            for one in spoken.get(item, ())
            if one.claim.id not in heard and not is_restated(one.claim.id)
        )
    gone = [one for one in _withdrawals(sides) if one.target not in erased]
    missing = _missing(sides, gone, derived)
    aliases = tuple(_aliases(sides, missing))
    declarations, adoptions, differing = _declarations(sides)
    spoken_of = _entities_of(claims) | {one.entity_id for one in aliases} | _identified(declarations)
    return Lacking(
        entities=tuple(sides.their_view.entities(sorted(spoken_of))) if spoken_of else (),
        evidence=tuple(_as_brought(sides.their_view, evidence, at)),
        claims=tuple(claims),
        retractions=tuple(Retraction(one.target, one.reason, one.id) for one in missing),
        withdrawn=_records_of(sides, missing),
        aliases=aliases,
        declarations=declarations,
        adoptions=adoptions,
        waiting=tuple(_waiting(sides, {one.id for one in evidence})),
        documents=tuple(_documents(sides)),
        differing=differing,
    )


def _documents(sides: Sides) -> Iterator[Document]:
    """The documents of which theirs has editions that ours lacks, with those of both."""
    theirs = sides.their_view.declared(Document)
    ours = sides.our_view.declared(Document, sorted(theirs)) if theirs else {}
    for key, one in theirs.items():
        known = ours.get(key, Document(one.uri))
        both = known.with_editions(one.editions)
        if both.editions != known.editions:
            yield both


def _waiting(sides: Sides, evidence: Collection[str]) -> Iterator[Waiting]:
    """What of the evidence taken over waits there to be read, and so does here."""
    if evidence:
        backlog = brought_up(sides.their_view, Backlog())
        yield from (one.waiting for one in backlog if one.waiting.evidence in evidence)


def _testimonies(view: Snapshot, evidence: Sequence[str]) -> dict[str, list[Testimony]]:
    found: dict[str, list[Testimony]] = {}
    for one in view.claims(evidence):
        found.setdefault(one.claim.evidence_id, []).append(one)
    return found


def _as_brought(view: Snapshot, evidence: Sequence[Evidence], at: Instant) -> Iterator[Evidence]:
    """Evidence as it goes on record here: known from now on.

    What was loaded there, with the time at which it had become known elsewhere, keeps that time.
    """
    numbers = sorted({one.operation for one in evidence})
    times = {one.sequence: one.at for one in view.operations(sequences=numbers)} if numbers else {}
    for one in evidence:
        is_loaded = one.recorded_at < times.get(one.operation, BEGINNING)
        yield replace(one, withdrawals=(), operation=0, recorded_at=one.recorded_at if is_loaded else at)


def _entities_of(claims: Iterable[Claim]) -> set[str]:
    found: set[str] = set()
    for one in claims:
        found.add(one.slot.subject.id)
        if one.value.type is ValueType.ENTITY:
            found.add(one.value.key.removeprefix(f"{ValueType.ENTITY}:"))
    return found


def _identified(declarations: Iterable[Declared]) -> set[str]:
    return {each for one in declarations if isinstance(one, Identity) for each in (one.one, one.other)}


# Withdrawals and names --------------------------------------------------------------------------


def _missing(sides: Sides, gone: Sequence[Withdrawal], derived: _RuleDerived) -> list[Withdrawal]:
    """The withdrawals and lifts of theirs that ours lacks, by their ids."""
    known: set[str] = set()
    for targets in _chunks([one.target for one in gone]):
        known |= {one.id for one in sides.our_view.every(Withdrawal, targets)}
    return [one for one in gone if one.id not in known and not derived.is_withdrawn_with_rule(one)]


def _records_of(sides: Sides, missing: Sequence[Withdrawal]) -> tuple[str, ...]:
    """The records that withdrawals and lifts are about in the end."""
    lifted = {one.target for one in missing if is_retraction(one.target)}
    targets = [one.target for one in missing if not is_retraction(one.target)]
    if lifted:
        targets += (one.target for one in sides.their_view.every(Withdrawal) if one.id in lifted)
    return tuple(dict.fromkeys(targets))


def _aliases(sides: Sides, missing: Sequence[Withdrawal]) -> Iterator[Alias]:
    """The names in force there and not here, unless ours took them away and nobody gave them back."""
    given = list(_every_alias(sides))
    named = sides.our_view.names(sorted({one.key for one in given}))
    new = [one for one in given if all(each.id != one.entity_id for each in named.get(one.key, ()))]
    lifted = {one.target for one in missing}
    barred = {
        one.target
        for one in sides.our_view.every(Withdrawal, [one.target for one in new])
        if not one.is_lifted and one.id not in lifted
    }
    yield from (one for one in new if one.target not in barred)


# Declarations -----------------------------------------------------------------------------------


def _declarations(sides: Sides) -> tuple[tuple[Declared, ...], tuple[Adoption, ...], tuple[str, ...]]:
    """What theirs declares and ours does not, or by a later word; and what both declare differently."""
    adopted: list[tuple[Declared, Instant]] = []
    differing: list[str] = []
    for kind in TAUGHT:
        ours, theirs = sides.our_view.declared(kind), sides.their_view.declared(kind)
        stated_there = _stated(sides.their_view, theirs)
        stated_here = _stated(sides.our_view, ours)
        for key, one in theirs.items():
            known = ours.get(key)
            if known is not None and declared_text(known) == declared_text(one):
                continue
            if known is not None and _is_between(sides, known, one):
                differing.append(f"{one.kind} {key!r}" if key else one.kind)
            mine = None if known is None else (stated_here[key], declared_text(known))
            if mine is None or (stated_there[key], declared_text(one)) > mine:
                adopted.append((one, stated_there[key]))
    declarations = tuple(one for one, _ in adopted)
    adoptions = tuple(Adoption(one.kind, one.key, stated_at) for one, stated_at in adopted)
    return declarations, adoptions, tuple(differing)


def _stated(view: Snapshot, declared: Mapping[str, Declared]) -> dict[str, Instant]:
    """When each declaration was first made, here or where it was taken over from."""
    adoptions = view.declared(Adoption, [f"{one.kind}:{key}" for key, one in declared.items()])
    found = {}
    for key, one in declared.items():
        adopted = adoptions.get(f"{one.kind}:{key}")
        is_adopted = adopted is not None and adopted.declared_in == one.declared_in
        found[key] = adopted.stated_at if adopted is not None and is_adopted else one.declared_at
    return found


def _is_between(sides: Sides, ours: Declared, theirs: Declared) -> bool:
    """Whether both sides changed a declaration since they parted; of two files that is taken to be so."""
    parted = parting(sides.ours, sides.theirs)
    return parted is None or (ours.declared_in > parted and theirs.declared_in > parted)


# Where to look ----------------------------------------------------------------------------------


def _layers(sides: Sides) -> Iterator[tuple[Snapshot, float, float]]:
    """The layers of theirs in which ours may lack something: each with which of its operations to look at."""
    if not are_related(sides.ours, sides.theirs):
        yield sides.their_view, 0, WHOLE
        return
    known = {one.space: one.reach() for one in stretches(sides.ours)}
    view = sides.their_view
    for one in stretches(sides.theirs):
        layer = view.own if isinstance(view, LayeredSnapshot) else view
        seen, reach = known.get(one.space, 0), one.reach()
        if seen < reach:
            yield layer, seen, reach
        if isinstance(view, LayeredSnapshot):
            view = view.below


def _evidence_ids(sides: Sides) -> Iterator[str]:
    for view, seen, reach in _layers(sides):
        yield from (one.id for one in view.every(Evidence) if seen < one.operation <= reach)
        if seen or are_related(sides.ours, sides.theirs):
            yield from _read_later(view, seen, reach)


def _read_later(view: Snapshot, seen: float, reach: float) -> Iterator[str]:
    """The items of which operations of a stretch read the words, whenever those were recorded."""
    before: int | None = None
    while page := view.operations(before=before, limit=_CHUNK):
        for one in page:
            if one.act in (Act.READ, Act.DOCUMENT) and seen < one.sequence <= reach:
                yield from (one.outcome or {}).get("evidence", ())
        before = page[-1].sequence
        if before <= seen:
            return


def _withdrawals(sides: Sides) -> list[Withdrawal]:
    found = (
        one
        for view, seen, reach in _layers(sides)
        for one in view.every(Withdrawal)
        if seen < one.operation <= reach
        and not (is_for_identity(one) or is_for_quarantine(one) or is_restated(one.target))
    )
    return sorted({one.id: one for one in found}.values(), key=lambda one: one.id)


def _every_alias(sides: Sides) -> Iterator[Alias]:
    for view, seen, reach in _layers(sides):
        yield from (one for one in view.every(Alias) if seen < one.operation <= reach)


def _chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    pending = iter(ids)
    while chunk := list(islice(pending, _CHUNK)):
        yield chunk


class _RuleDerived:
    """What theirs has by declared rules: it is not taken over, but drawn anew from what is."""

    def __init__(self, view: Snapshot) -> None:
        self._names = {one.name for one in view.declared(InferenceRule).values()}
        self._keys = {name_key(name) for name in self._names}

    def is_derived(self, one: Evidence, spoken: Sequence[Testimony]) -> bool:
        """Whether evidence is what a declared rule derived."""
        return one.source.type == _DERIVED and any(
            each.claim.derivation is not None and name_key(each.claim.derivation.rule) in self._keys
            for each in spoken
        )

    def is_withdrawn_with_rule(self, one: Withdrawal) -> bool:
        """Whether something was withdrawn because the rule that derived it was."""
        return one.reason is not None and one.reason in {f"rule {name}" for name in self._names}
