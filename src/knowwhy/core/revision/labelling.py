"""Labelling: of what was not said to everybody the standing of a belief may depend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from knowwhy.core.model import Access, Belief, Testimony, belief_id, premises_of, restricted
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.pool import Pool

_Beliefs = Mapping[ContestKey, tuple[Belief, ...]]


def is_guarded(pool: Pool) -> bool:
    """Whether anything in a pool was not said to everybody."""
    return any(not one.access.is_public for those in pool.testimonies.values() for one in those)


def labelled(pool: Pool, beliefs: _Beliefs) -> _Beliefs:
    """The beliefs of a pool with their labels.

    Those are the accesses of all that was said in the contest of a belief and in those that this rests on,
    as far as it was not withdrawn; and of all that ever spoke of the belief itself, by which it exists.
    """
    found = _labels(pool)
    return {
        key: tuple(
            replace(one, labels=restricted((*found[key], *_spoken(pool.testimonies[key], one))))
            for one in those
        )
        for key, those in beliefs.items()
    }


def _spoken(those: tuple[Testimony, ...], belief: Belief) -> Iterator[Access]:
    return (one.access for one in those if one.claim.value.key == belief.value.key)


def _labels(pool: Pool) -> dict[ContestKey, set[Access]]:
    """What stands in each contest, and in those it rests on, that not everybody may read."""
    found = {
        key: {one.access for one in those if one.retracted_at is None and not one.access.is_public}
        for key, those in pool.testimonies.items()
    }
    below = _grounds(pool)
    has_grown = True
    while has_grown:
        has_grown = False
        for key, grounds in below.items():
            known = len(found[key])
            found[key].update(*(found[one] for one in grounds))
            has_grown = has_grown or len(found[key]) > known
    return found


def _grounds(pool: Pool) -> dict[ContestKey, set[ContestKey]]:
    """The contests that each rests on directly: premises, dependencies, and what a denial joins it to."""
    schema = pool.terms.schema
    named: dict[str, set[ContestKey]] = defaultdict(set)
    about: dict[tuple[str, str], set[ContestKey]] = defaultdict(set)
    for key, those in pool.testimonies.items():
        for one in those:
            slot = one.claim.slot
            named[slot.id].add(key)
            named[belief_id(slot.id, one.claim.value.key)].add(key)
            about[slot.subject.id, slot.attribute].add(key)
    below: dict[ContestKey, set[ContestKey]] = {}
    for key, those in pool.testimonies.items():
        if not those:
            continue
        slot, attribute = those[0].claim.slot, pool.attribute(key)
        names = [schema.attribute(one.attribute).key for one in attribute.depends_on]
        denials = schema.denied_with.get(slot.attribute, ())
        names += [one.attribute for denial in denials for one in denial.statements]
        grounds = {other for name in names for other in about.get((slot.subject.id, name), ())}
        for one in those:
            grounds.update(*(named.get(premise, ()) for premise in premises_of(one.claim)))
        if grounds - {key}:
            below[key] = grounds - {key}
    return below
