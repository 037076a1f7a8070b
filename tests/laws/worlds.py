"""Random testimony about one contest, for the laws of revision."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from knowwhy.core.model import (
    SOURCE_TYPES,
    Attribute,
    Cardinality,
    Source,
    Stance,
    Testimony,
    Withdrawal,
    claim_of,
    entity_named,
    slot_of,
    value_of,
)
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant

DAY = MICROSECONDS_PER_DAY
SLOT = slot_of(entity_named("order"), "return window")
STANCES = (Stance.SUPPORTS,) * 4 + (Stance.REFUTES,) * 2 + (Stance.ENDS,)
SPEAKERS = (("official", "a"), ("document", "a"), ("document", "b"), ("rumour", "a"))


def day(number: int) -> Instant:
    """The first instant of a numbered day."""
    return Instant(number * DAY)


@st.composite
def worlds(draw: st.DrawFn, stances: tuple[Stance, ...] = STANCES) -> list[Testimony]:
    """A few statements about three values by a few sources within a week, some of them withdrawn.

    Times are few, so that statements meet: at one instant, at each other's ends, at one beginning.
    """
    found = {}
    for number in range(draw(st.sampled_from((0, 1, 2, 3, 4, 5, 6)))):
        one = _testimony(draw, number, draw(st.sampled_from(stances)))
        found[one.claim.id] = one
    return list(found.values())


def _testimony(draw: st.DrawFn, number: int, stance: Stance) -> Testimony:
    type_name, name = draw(st.sampled_from(SPEAKERS))
    kind = SOURCE_TYPES[type_name]
    source = Source(name, kind.name, kind.authority, kind.reliability)
    spoken = draw(st.sampled_from((0, 1, 2, 3, 4, 5)))
    starts = draw(st.sampled_from((None, None, 0, 2, 4, 6)))
    ends = draw(st.sampled_from((None, None, None, 4, 7, 9)))
    if stance is Stance.ENDS:
        starts, ends = None, spoken if ends is None else ends
    if starts is not None and ends is not None and ends <= starts:
        ends = starts + 1
    recorded = draw(st.integers(spoken, 8))
    claim = claim_of(
        f"ev{number}",
        SLOT,
        value_of(draw(st.sampled_from((7, 15, 30)))),
        stance,
        None if starts is None else day(starts),
        FOREVER if ends is None else day(ends),
    )
    withdrawn = (
        draw(st.none() | st.integers(recorded, 10)) if draw(st.sampled_from((False, False, True))) else None
    )
    return Testimony(
        claim=replace(claim, weight=draw(st.sampled_from((1.0, 1.0, 0.25)))),
        source=source,
        groups=(source.group,),
        observed_at=day(spoken),
        effective_at=day(spoken),
        recorded_at=day(recorded),
        is_pinned=draw(st.sampled_from((False, False, False, True))),
        operation=number + 1,
        withdrawals=() if withdrawn is None else _withdrawals(draw, f"ev{number}", number, withdrawn),
    )


def _withdrawals(draw: st.DrawFn, target: str, number: int, withdrawn: int) -> tuple[Withdrawal, ...]:
    """A withdrawal, now and then lifted after a while."""
    gone = Withdrawal(f"rt{number}", target, 100 + number, day(withdrawn))
    lifted = draw(st.sampled_from((None, None, withdrawn, withdrawn + 1, withdrawn + 3)))
    if lifted is None:
        return (gone,)
    return (replace(gone, lifted_in=200 + number, lifted_at=day(lifted)),)


def attributes() -> st.SearchStrategy[Attribute]:
    """Declarations of every kind that revision tells apart."""
    return st.builds(
        Attribute,
        name=st.just("return window"),
        cardinality=st.sampled_from(Cardinality),
        changes=st.booleans(),
        half_life_days=st.sampled_from((None, 3.0, 90.0)),
    )
