"""Disagreements: how two lines differ slot by slot, and what their union makes of it (theory §7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from knowwhy.core.model import Belief, Schema, Slot, Stance, Testimony, one_line
from knowwhy.core.revision import ContestKey, Pool, Terms, conflicts_among, settle_together
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine.clashes import clash
from knowwhy.engine.deciding import Verdict
from knowwhy.engine.intent import Reading
from knowwhy.engine.lacking import Sides
from knowwhy.engine.space import Space
from knowwhy.explain.sentences import because
from knowwhy.recall.ancestry import Testimonies, by_id, with_ancestry
from knowwhy.store.protocol import Snapshot


class Sort(StrEnum):
    """How two lines differ on a slot, by what is held on each and was held where they parted."""

    OURS_ONLY = "ours_only"
    THEIRS_ONLY = "theirs_only"
    CONVERGENT = "convergent"
    ADD_ADD = "add_add"
    EDIT_EDIT = "edit_edit"
    DELETE_EDIT = "delete_edit"
    SEMANTIC = "semantic"
    PIN = "pin"
    EVIDENCE_ONLY = "evidence_only"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One slot on which two lines differ: what each holds, and what would be held together.

    `because` says, value by value, what keeps out what one of them holds; the `kernel` of a semantic one is
    the least set of what is held that leaves no room for it. `conflict` is the id under which it would be
    listed, where no rule settles it.
    """

    sort: Sort
    slot: Slot
    base: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    merged: tuple[str, ...]
    because: tuple[str, ...] = ()
    kernel: tuple[str, ...] = ()
    conflict: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The disagreement for a program."""
        return {
            "sort": self.sort,
            "subject": self.slot.subject.name,
            "attribute": self.slot.attribute,
            "conditions": dict(self.slot.conditions),
            "base": list(self.base),
            "ours": list(self.ours),
            "theirs": list(self.theirs),
            "merged": list(self.merged),
            "because": list(self.because),
            "kernel": list(self.kernel),
            "conflict": self.conflict,
        }

    def __str__(self) -> str:
        sides = (
            f"base {_written(self.base)}, ours {_written(self.ours)}, theirs {_written(self.theirs)}"
            f" → {_written(self.merged)}{', contested' if self.conflict else ''}"
        )
        topic = f"{self.slot.subject.name} / {self.slot.attribute}"
        reasons = [*self.because, *([f"kernel: {' and '.join(self.kernel)}"] if self.kernel else [])]
        return "\n".join(
            [one_line(f"{self.sort}: {topic}: {sides}"), *(f"  {one_line(one)}" for one in reasons)]
        )


def _written(values: Iterable[str]) -> str:
    return " or ".join(f"“{one}”" for one in values) or "nothing"


def disagreements(sides: Sides, verdict: Verdict, reading: Reading) -> Iterator[Disagreement]:
    """Where the two lines differ, by subject and attribute; `verdict` is what their union comes to."""
    keys = sorted(verdict.before, key=by_id)
    merged: dict[ContestKey, list[Belief]] = defaultdict(list)
    for belief in verdict.changeset.beliefs:
        for key in (ContestKey(belief.slot.id), ContestKey(belief.slot.id, belief.value.key)):
            merged[key].append(belief)
    lines = _Lines(sides, reading.at)
    held = lines.held(keys)
    found = [
        one
        for key in keys
        if (
            one := _judged(
                held[key], merged.get(key, []), has_pins=lines.pins(key), is_touched=key in verdict.direct
            )
        )
    ]
    together = [one for one in verdict.changeset.beliefs if one.status.is_held]
    for one in sorted(found, key=_by_topic):
        yield _with_kernel(one, verdict.changeset.beliefs, together, reading.schema)


def _with_kernel(
    one: Disagreement, beliefs: Iterable[Belief], together: list[Belief], schema: Schema
) -> Disagreement:
    """A semantic disagreement with its kernel: what is held together and clashes with what is lost."""
    if one.sort is not Sort.SEMANTIC:
        return one
    wanted = {*one.ours, *one.theirs} - set(one.merged)
    lost = [each for each in beliefs if each.slot.id == one.slot.id and str(each.value) in wanted]
    found = {each.id: each for belief in lost for each in clash(belief, together, schema)}
    return replace(one, kernel=tuple(f"{each.slot.attribute} = {each.value}" for each in found.values()))


def _by_topic(one: Disagreement) -> tuple[str, ...]:
    return one.slot.subject.name, one.slot.attribute, one.slot.id, one.sort, *one.merged


@dataclass(frozen=True, slots=True)
class _Held:
    """What is held in one contest where the lines parted, and on each of them: beliefs by value."""

    base: Mapping[str, Belief]
    ours: Mapping[str, Belief]
    theirs: Mapping[str, Belief]


class _Lines:
    """Both lines, and what they share, settled for one instant."""

    def __init__(self, sides: Sides, at: Instant) -> None:
        self._sides = sides
        self._at = at
        self._pins: dict[ContestKey, tuple[set[str], set[str]]] = {}

    def held(self, keys: list[ContestKey]) -> dict[ContestKey, _Held]:
        """What is held in some contests on each side, and by what both have on record."""
        ours = self._pool(self._sides.ours, self._sides.our_view, keys)
        theirs = self._pool(self._sides.theirs, self._sides.their_view, keys)
        shared = {key: _shared(those, theirs[0].get(key, ())) for key, those in ours[0].items()}
        for key in keys:
            self._pins[key] = (
                _pinned(ours[0].get(key, ()), shared.get(key, ())),
                _pinned(theirs[0].get(key, ()), shared.get(key, ())),
            )
        base = self._settled((shared, ours[1]))
        mine, other = self._settled(ours), self._settled(theirs)
        return {key: _Held(base.get(key, {}), mine.get(key, {}), other.get(key, {})) for key in keys}

    def pins(self, key: ContestKey) -> bool:
        """Whether both sides fixed a value there since they parted, and not the same."""
        ours, theirs = self._pins[key]
        return bool(ours) and bool(theirs) and ours != theirs

    def _pool(self, space: Space, view: Snapshot, keys: list[ContestKey]) -> tuple[Testimonies, Terms]:
        schema: Schema = space.schema(view)
        pool = with_ancestry(view, schema, view.testimonies(keys))
        return pool, Terms(schema, space.policy_under(schema))

    def _settled(self, given: tuple[Testimonies, Terms]) -> dict[ContestKey, dict[str, Belief]]:
        pool, terms = given
        settled = settle_together(Pool(pool, terms), Scope(self._at)).held
        return {
            key: {one.value.key: one for one in beliefs if one.status.is_held}
            for key, beliefs in settled.items()
        }


def _shared(ours: Iterable[Testimony], theirs: Iterable[Testimony]) -> tuple[Testimony, ...]:
    """What both have, withdrawn and lifted as far as both know."""
    there = {one.claim.id: {each.id: each for each in one.withdrawals} for one in theirs}
    found = []
    for one in ours:
        known = there.get(one.claim.id)
        if known is not None:
            both = tuple(
                known[each.id] if each.is_lifted and not known[each.id].is_lifted else each
                for each in one.withdrawals
                if each.id in known
            )
            found.append(replace(one, withdrawals=both))
    return tuple(found)


def _pinned(those: Iterable[Testimony], shared: Iterable[Testimony]) -> set[str]:
    """The values that somebody fixed on one side alone: what is forced, and stands."""
    known = {one.claim.id for one in shared}
    return {
        one.claim.value.key
        for one in those
        if one.claim.is_forced
        and one.claim.id not in known
        and one.claim.stance is Stance.SUPPORTS
        and one.retracted_at is None
    }


def _judged(held: _Held, merged: list[Belief], *, has_pins: bool, is_touched: bool) -> Disagreement | None:
    together = {one.value.key: one for one in merged if one.status.is_held}
    base, ours, theirs = (frozenset(one) for one in (held.base, held.ours, held.theirs))
    sort, due = _sorted(base, ours, theirs)
    if frozenset(together) != due and sort in _SETTLED:
        sort = Sort.SEMANTIC
    if has_pins:
        sort = Sort.PIN
    if not merged or (sort is Sort.EVIDENCE_ONLY and not is_touched):
        return None
    if not is_touched and sort is not Sort.SEMANTIC:
        return None
    values = {**held.base, **held.ours, **held.theirs, **together}
    lost = (ours | theirs) - together.keys()
    conflict = next(iter(conflicts_among(merged)), None)
    return Disagreement(
        sort,
        merged[0].slot,
        base=_texts(values, base),
        ours=_texts(values, ours),
        theirs=_texts(values, theirs),
        merged=tuple(sorted(str(one.value) for one in merged if one.status.is_standing)),
        because=tuple(
            f"“{one.value}” is {one.status}: {because(one)}" for one in merged if one.value.key in lost
        ),
        conflict=None if conflict is None else conflict.id,
    )


# Where nobody contradicts anybody, so that what comes out otherwise came from elsewhere.
_SETTLED = (Sort.OURS_ONLY, Sort.THEIRS_ONLY, Sort.CONVERGENT, Sort.EVIDENCE_ONLY)


def _sorted(
    base: frozenset[str], ours: frozenset[str], theirs: frozenset[str]
) -> tuple[Sort, frozenset[str]]:
    """The sort of a disagreement, and what would be held if nothing else bore on it."""
    if ours == theirs:
        return (Sort.EVIDENCE_ONLY if ours == base else Sort.CONVERGENT), ours
    if theirs == base:
        return Sort.OURS_ONLY, ours
    if ours == base:
        return Sort.THEIRS_ONLY, theirs
    if not base:
        return Sort.ADD_ADD, ours | theirs
    return (Sort.EDIT_EDIT if ours and theirs else Sort.DELETE_EDIT), ours | theirs


def _texts(values: Mapping[str, Belief], keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(str(values[one].value) for one in keys))
