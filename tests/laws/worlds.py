"""Random testimony about one contest, for the laws of revision."""

from __future__ import annotations

from hypothesis import strategies as st

from knowwhy.core.model import (
    SOURCE_TYPES,
    Attribute,
    Cardinality,
    Source,
    Stance,
    Testimony,
    claim_of,
    entity_named,
    slot_of,
    value_of,
)
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant

DAY = MICROSECONDS_PER_DAY
SLOT = slot_of(entity_named("order"), "return window")
KINDS = ("official", "document", "user", "rumour")


def day(number: int) -> Instant:
    """The first instant of a numbered day."""
    return Instant(number * DAY)


@st.composite
def worlds(draw: st.DrawFn, stances: tuple[Stance, ...] = tuple(Stance)) -> list[Testimony]:
    """Up to seven statements about three values by a few sources over twenty days, some withdrawn."""
    found = {}
    for number in range(draw(st.integers(0, 7))):
        one = _testimony(draw, number, draw(st.sampled_from(stances)))
        found[one.claim.id] = one
    return list(found.values())


def _testimony(draw: st.DrawFn, number: int, stance: Stance) -> Testimony:
    kind = SOURCE_TYPES[draw(st.sampled_from(KINDS))]
    source = Source(draw(st.sampled_from("abc")), kind.name, kind.authority, kind.reliability)
    spoken = draw(st.integers(0, 20))
    starts = draw(st.none() | st.integers(0, 20))
    ends = draw(st.none() | st.integers(1, 25))
    if stance is Stance.ENDS:
        starts, ends = None, spoken if ends is None else ends
    if starts is not None and ends is not None and ends <= starts:
        ends = starts + 1
    recorded = draw(st.integers(spoken, 22))
    claim = claim_of(
        f"ev{number}",
        SLOT,
        value_of(draw(st.sampled_from((7, 15, 30)))),
        stance,
        None if starts is None else day(starts),
        FOREVER if ends is None else day(ends),
    )
    withdrawn = draw(st.none() | st.integers(recorded, 24)) if draw(st.booleans()) else None
    return Testimony(
        claim=claim,
        source=source,
        groups=(source.group,),
        observed_at=day(spoken),
        effective_at=day(spoken),
        recorded_at=day(recorded),
        is_pinned=draw(st.sampled_from((False, False, False, True))),
        operation=number + 1,
        retracted_at=None if withdrawn is None else day(withdrawn),
        retraction=None if withdrawn is None else 100 + number,
    )


def attributes() -> st.SearchStrategy[Attribute]:
    """Declarations of every kind that revision tells apart."""
    return st.builds(
        Attribute,
        name=st.just("return window"),
        cardinality=st.sampled_from(Cardinality),
        changes=st.booleans(),
        half_life_days=st.sampled_from((None, 3.0, 90.0)),
    )
