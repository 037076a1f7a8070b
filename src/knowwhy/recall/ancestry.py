"""Ancestry: the contests that others rest on, read from a snapshot until none is missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from knowwhy.core.model import Belief, Schema, Testimony, belief_id, premises_of
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.store.protocol import BeliefFilter, Snapshot

Testimonies = dict[ContestKey, tuple[Testimony, ...]]


def with_ancestry(
    view: Snapshot, schema: Schema, known: Mapping[ContestKey, Iterable[Testimony]]
) -> Testimonies:
    """The testimony on some contests, and on all that they rest on, step by step.

    They rest on the premises of their claims, on the slots their attribute depends on, and on those
    that a denial joins them to.
    """
    pool: Testimonies = {key: tuple(those) for key, those in known.items()}
    frontier = list(pool)
    while frontier:
        missing = _premises(view, schema, pool, frontier) - pool.keys()
        found = view.testimonies(sorted(missing, key=by_id)) if missing else {}
        pool.update((key, tuple(those)) for key, those in found.items())
        frontier = [key for key, those in found.items() if those]
    return pool


def contests_of(schema: Schema, beliefs: Iterable[Belief]) -> set[ContestKey]:
    """What beliefs compete in."""
    return {contest_key(one.slot, one.value.key, schema.attribute(one.slot.attribute)) for one in beliefs}


def attribute_slots(view: Snapshot, schema: Schema, wanted: Mapping[str, Sequence[str]]) -> set[ContestKey]:
    """The contests about attributes (by key) of subjects (by id)."""
    found: set[ContestKey] = set()
    for attribute, subjects in sorted(wanted.items()):
        held = view.beliefs(BeliefFilter(subjects=sorted(set(subjects)), attribute=attribute))
        found |= contests_of(schema, held)
    return found


def _premises(
    view: Snapshot, schema: Schema, pool: Testimonies, frontier: Iterable[ContestKey]
) -> set[ContestKey]:
    """The contests that those of the frontier rest on directly."""
    attributes: dict[str, list[str]] = defaultdict(list)
    named: set[str] = set()
    for key in frontier:
        for one in pool[key]:
            named.update(premises_of(one.claim))
        if not pool[key]:
            continue
        slot = pool[key][0].claim.slot
        for dependency in schema.attribute(slot.attribute).depends_on:
            attributes[schema.attribute(dependency.attribute).key].append(slot.subject.id)
        for denial in schema.denied_with.get(slot.attribute, ()):
            for statement in denial.statements:
                attributes[statement.attribute].append(slot.subject.id)
    found = attribute_slots(view, schema, attributes) if attributes else set()
    if named:
        found |= _named(view, schema, pool, named)
    return found


def _named(view: Snapshot, schema: Schema, pool: Testimonies, ids: set[str]) -> set[ContestKey]:
    """The contests of the beliefs and slots with these ids, as far as they are not in the pool."""
    # Of a slot with many values some may be there already, and others not.
    present = {key.slot_id for key in pool if key.value_key is None}
    present |= {belief_id(one.claim.slot.id, one.claim.value.key) for those in pool.values() for one in those}
    missing = sorted(ids - present)
    if not missing:
        return set()
    slots = [ContestKey(one) for one in missing if one.startswith("sl_")]
    beliefs = view.beliefs(BeliefFilter(ids=missing))
    beliefs += view.beliefs(BeliefFilter(contests=slots)) if slots else []
    return contests_of(schema, beliefs)


def by_id(key: ContestKey) -> tuple[str, str]:
    """What to sort contests by."""
    return key.slot_id, key.value_key or ""
