"""The breakdown of a belief's number: each statement, what it weighs, and what took weight from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from knowwhy.core.confidence import decay
from knowwhy.core.model import Attribute, Testimony
from knowwhy.core.revision.hearing import NOTHING_LEARNED, Statement, discounts_among, hear
from knowwhy.core.timeline import Scope


@dataclass(frozen=True, slots=True)
class Ground:
    """One statement for or against a value, at one instant.

    `count` is its evidence count before anything is taken off, from the `reliability` its source is
    taken to have; `decay` what ageing leaves of it,
    `discount` what later contradiction by no weaker a source leaves. `is_heard` is false where its own
    source has since said otherwise, `is_counted` also where a stronger item of its voice counts instead.
    """

    testimony: Testimony
    is_support: bool
    reliability: float
    count: float
    decay: float
    discount: float
    is_heard: bool
    is_counted: bool

    @property
    def mass(self) -> float:
        """What it contributes."""
        return self.count * self.decay * self.discount if self.is_counted else 0.0


def grounds(
    testimonies: Iterable[Testimony],
    attribute: Attribute,
    scope: Scope,
    learned: Mapping[str, float] = NOTHING_LEARNED,
) -> dict[str, tuple[Ground, ...]]:
    """The grounds of each value by its key, most entrenched and most recent first."""
    seen = sorted((one for one in testimonies if one.is_visible(scope.known)), key=lambda one: one.claim.id)
    hearing = hear(seen, attribute, scope, learned)
    discounts = discounts_among(hearing.heard, attribute)
    heard = {one.testimony.claim.id for one in hearing.heard}
    found = [
        _ground(one, discounts.get(one.testimony.claim.id, 1.0), attribute, scope, heard)
        for one in hearing.active
    ]
    by_value: dict[str, list[Ground]] = defaultdict(list)
    for ground in _one_voice(found):
        by_value[ground.testimony.claim.value.key].append(ground)
    return {key: tuple(sorted(those, key=_by_weight)) for key, those in by_value.items()}


def _ground(one: Statement, discount: float, attribute: Attribute, scope: Scope, heard: set[str]) -> Ground:
    testimony = one.testimony
    half_life = None if testimony.is_pinned else attribute.half_life_days
    return Ground(
        testimony,
        one.is_support,
        one.reliability,
        one.count,
        decay(testimony.effective_at, scope.valid, half_life),
        discount,
        is_heard=testimony.claim.id in heard,
        is_counted=testimony.claim.id in heard,
    )


def _one_voice(found: list[Ground]) -> list[Ground]:
    """The same grounds, with all but the strongest of each voice marked as not counted."""
    taken: dict[tuple[str, bool], set[str]] = defaultdict(set)
    judged = []
    for ground in sorted(found, key=_strongest_first):
        voices = taken[ground.testimony.claim.value.key, ground.is_support]
        is_counted = ground.is_counted and not voices.intersection(ground.testimony.groups)
        if is_counted:
            voices.update(ground.testimony.groups)
        judged.append(ground if is_counted is ground.is_counted else replace(ground, is_counted=is_counted))
    return judged


def _strongest_first(ground: Ground) -> tuple[float, bool, str]:
    return -ground.mass, not ground.testimony.is_pinned, ground.testimony.claim.id


def _by_weight(ground: Ground) -> tuple[bool, int, int, str]:
    testimony = ground.testimony
    return (not ground.is_support, -testimony.source.authority, -testimony.effective_at, testimony.claim.id)
