"""Laws of settling a contest: against a plain oracle, under any order, at any time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence import Tally
from knowwhy.core.model import (
    Attribute,
    Belief,
    Source,
    Stance,
    Status,
    Testimony,
    Withdrawal,
    claim_of,
    value_of,
)
from knowwhy.core.revision import Ground, grounds, settle
from knowwhy.core.timeline import FOREVER, Instant, Scope
from tests.laws.worlds import DAY, SLOT, attributes, day, worlds

SUPPORTS = (Stance.SUPPORTS,)
DAYS = (4, 5, 6, 7, 8, 3, 2, 9, 1)


def by_value(beliefs: tuple[Belief, ...]) -> dict[str, Belief]:
    """The beliefs by what they say."""
    return {str(belief.value): belief for belief in beliefs}


@given(worlds(), attributes(), st.sampled_from(DAYS), st.randoms())
def test_the_order_of_records_does_not_matter(
    world: list[Testimony], attribute: Attribute, at: int, chance: random.Random
) -> None:
    """P16: acceptance and confidence are functions of the set of records."""
    shuffled = world.copy()
    chance.shuffle(shuffled)
    assert settle(world, attribute, Scope(day(at))) == settle(shuffled, attribute, Scope(day(at)))


def _made_by(known: Instant, withdrawals: tuple[Withdrawal, ...]) -> list[Withdrawal]:
    return [one for one in withdrawals if one.at <= known]


def _known_by(known: Instant) -> Callable[[Withdrawal], Withdrawal]:
    """Leave out the lifts that came later."""
    return lambda one: (
        replace(one, lifted_in=None, lifted_at=None)
        if one.lifted_at is not None and one.lifted_at > known
        else one
    )


@given(worlds(), attributes(), st.sampled_from(DAYS), st.sampled_from(DAYS))
def test_what_was_known_then_ignores_what_came_later(
    world: list[Testimony], attribute: Attribute, at: int, known: int
) -> None:
    """P20: what was known at an instant is unchanged by anything recorded or withdrawn after it."""
    then = [
        replace(one, withdrawals=tuple(map(_known_by(day(known)), _made_by(day(known), one.withdrawals))))
        for one in world
        if one.recorded_at <= day(known)
    ]
    scope = Scope(day(at), day(known))
    assert settle(world, attribute, scope) == settle(then, attribute, scope)


@given(worlds(), attributes(), st.sampled_from(DAYS))
def test_values_that_exclude_each_other_share_one_unit(
    world: list[Testimony], attribute: Attribute, at: int
) -> None:
    """Confidences lie in [0, 1]; of exclusive values at most one is accepted, and they sum to at most 1."""
    beliefs = settle(world, attribute, Scope(day(at)))
    heard = [one for one in beliefs if _counts(one).support.fresh + _counts(one).refutation.fresh > 0.0]
    numbers = [belief.confidence(day(at)) for belief in heard]
    assert all(0.0 <= number <= 1.0 for number in numbers)
    if attribute.is_exclusive:
        assert sum(numbers) <= 1.0 + 1e-9
        assert sum(belief.status is Status.ACCEPTED for belief in beliefs) <= 1


def plainly_accepted(world: list[Testimony], at: int) -> set[str] | None:
    """The oracle: by elimination, which value stands among unbounded statements; None where tied.

    It knows nothing of hearings and ranks: among the statements that hold at the instant and that
    no later word of the same source contradicts, the highest authority counts, then the latest word.
    """
    holding = [
        one
        for one in world
        if one.retracted_at is None
        and (one.claim.valid_from if one.claim.valid_from is not None else one.effective_at) <= day(at)
        and day(at) < one.claim.valid_to
    ]

    standing = [
        one
        for one in holding
        if one.is_pinned
        or not any(
            other.groups == one.groups
            and other.claim.value.key != one.claim.value.key
            and spoke(other) > spoke(one)
            for other in holding
        )
    ]
    if not standing:
        return set()
    highest = max(one.source.authority for one in standing)
    best = [one for one in standing if one.source.authority == highest]
    latest = max(spoke(one) for one in best)
    values = {str(one.claim.value) for one in best if spoke(one) == latest}
    starts = {one.claim.valid_from for one in best if one.claim.valid_from is not None}
    disputed = any(
        len({one.claim.value.key for one in best if one.claim.valid_from == start}) > 1 for start in starts
    )
    return None if len(values) > 1 or disputed else values


@given(worlds(SUPPORTS), st.sampled_from(DAYS))
def test_acceptance_agrees_with_plain_elimination(world: list[Testimony], at: int) -> None:
    """Authority, then the latest word: where no tie blurs it, the oracle and the engine agree."""
    expected = plainly_accepted(world, at)
    if expected is None:
        return
    beliefs = settle(world, Attribute("return window"), Scope(day(at)))
    assert {str(one.value) for one in beliefs if one.status is Status.ACCEPTED} == expected


@given(worlds(), attributes(), st.sampled_from(DAYS), st.integers(0, 12))
def test_a_view_reads_as_if_settled_anew(
    world: list[Testimony], attribute: Attribute, settled: int, later: int
) -> None:
    """Until `stable_until`, time changes only what the tally says it changes.

    Views are settled for the instant of an operation, so never before anything in them was said.
    """
    settled = max([settled, *(one.effective_at // DAY for one in world)])
    kept = settle(world, attribute, Scope(day(settled)))
    at = day(settled + later)
    if not kept or at >= kept[0].stable_until:
        return
    for before, after in zip(kept, settle(world, attribute, Scope(at)), strict=True):
        assert before.status_at(at) is after.status_at(at)
        assert (before.because, before.since, before.until) == (after.because, after.since, after.until)
        assert math.isclose(before.confidence(at), after.confidence(at), rel_tol=1e-9, abs_tol=1e-12)


@given(worlds(), attributes(), st.sampled_from(DAYS))
def test_an_accepted_belief_turns_stale_when_its_confidence_falls_below(
    world: list[Testimony], attribute: Attribute, at: int
) -> None:
    """`stale_from` is where the confidence crosses the threshold, to the microsecond."""
    for belief in settle(world, attribute, Scope(day(at))):
        threshold = attribute.stale_below
        if belief.stale_from < FOREVER:
            assert belief.confidence(belief.stale_from) <= threshold + 1e-9
        if belief.settled_at < belief.stale_from < FOREVER:
            assert belief.tally.confidence(belief.stale_from - DAY) >= threshold - 1e-9  # type: ignore[arg-type]


@given(worlds(), attributes(), st.sampled_from(DAYS))
def test_no_belief_without_evidence(world: list[Testimony], attribute: Attribute, at: int) -> None:
    """What stands has a live statement for it; what lost all its statements is retracted."""
    for belief in settle(world, attribute, Scope(day(at))):
        live = [
            one
            for one in world
            if one.claim.value.key == belief.value.key
            and one.claim.stance is Stance.SUPPORTS
            and one.is_visible(FOREVER)
        ]
        if belief.status in (Status.ACCEPTED, Status.CONTESTED, Status.CHALLENGER):
            assert live
        if belief.status is Status.RETRACTED:
            assert not live


@given(worlds(SUPPORTS), st.sampled_from(DAYS))
def test_withdrawing_and_restoring_is_exact(world: list[Testimony], at: int) -> None:
    """P17: without the winner's statements the next stands; with them back, all is as before."""
    attribute, scope = Attribute("return window"), Scope(day(at))
    before = settle(world, attribute, scope)
    winner = next((one for one in before if one.status is Status.ACCEPTED), None)
    if winner is None:
        return
    rest = [one for one in world if one.claim.value.key != winner.value.key]
    without = settle(rest, attribute, scope)
    assert all(one.value.key != winner.value.key for one in without)
    assert settle(rest + [one for one in world if one not in rest], attribute, scope) == before


@given(worlds(), attributes(), st.sampled_from(DAYS))
def test_the_breakdown_adds_up(world: list[Testimony], attribute: Attribute, at: int) -> None:
    """The grounds of a belief sum to the masses from which its confidence is computed."""
    scope = Scope(day(at))
    found = grounds(world, attribute, scope)
    for belief in settle(world, attribute, scope):
        those = found.get(belief.value.key, ())
        support = sum(ground.mass for ground in those if ground.is_support)
        refutation = sum(ground.mass for ground in those if not ground.is_support)
        assert math.isclose(support, _counts(belief).support.fresh, abs_tol=1e-9)
        assert math.isclose(refutation, _counts(belief).refutation.fresh, abs_tol=1e-9)


@given(worlds(), attributes(), st.sampled_from(DAYS))
def test_later_words_leave_of_earlier_ones_what_a_plain_count_says(
    world: list[Testimony], attribute: Attribute, at: int
) -> None:
    """The share that a statement keeps: 1 - t for the best later contradiction by no less an authority."""
    found = [ground for those in grounds(world, attribute, Scope(day(at))).values() for ground in those]

    def is_contradicted(earlier: Ground, later: Ground) -> bool:
        one, other = earlier.testimony.claim, later.testimony.claim
        if one.valid_from is not None and one.valid_from == other.valid_from:
            return False
        if one.value.key == other.value.key:
            return earlier.is_support is not later.is_support
        return attribute.is_exclusive and earlier.is_support and later.is_support

    for earlier in found:
        names_a_value = any(
            other.is_support and other.testimony.groups == earlier.testimony.groups for other in found
        )
        if not attribute.changes or earlier.testimony.is_pinned or (names_a_value and not earlier.is_support):
            continue
        trusts = [
            later.testimony.source.reliability
            for later in found
            if spoke(later.testimony) > spoke(earlier.testimony)
            and later.testimony.source.authority >= earlier.testimony.source.authority
            and is_contradicted(earlier, later)
        ]
        own = [
            later
            for later in found
            if later.testimony.groups == earlier.testimony.groups
            and spoke(later.testimony) > spoke(earlier.testimony)
        ]
        if not own:
            assert math.isclose(earlier.discount, 1.0 - max(trusts, default=0.0), abs_tol=1e-9)


@given(worlds(SUPPORTS), st.sampled_from(DAYS))
def test_a_source_that_changed_its_mind_speaks_for_its_latest_word(world: list[Testimony], at: int) -> None:
    """Latest stance: what a source said before it said otherwise no longer counts, unless pinned."""
    found = grounds(world, Attribute("return window"), Scope(day(at)))
    counted = [one.testimony for those in found.values() for one in those if one.is_counted]
    for one in counted:
        for other in counted:
            if one.groups == other.groups and one.claim.value.key != other.claim.value.key:
                is_older = spoke(one) < spoke(other)
                assert not is_older or one.is_pinned


@given(st.integers(0, 12), st.integers(0, 20), st.sampled_from((0.1, 0.25, 0.6)))
def test_a_pinned_word_stands_in_when_the_fresh_one_has_aged(settled: int, later: int, weight: float) -> None:
    """Of one voice the stronger item counts, and which that is may change while time passes."""
    source = Source("a", "official", 80, 0.95)
    world = [
        Testimony(
            replace(claim_of(f"ev{number}", SLOT, value_of(7)), weight=share),
            source,
            (source.group,),
            day(0),
            day(0),
            day(0),
            is_pinned=is_pinned,
            operation=number,
        )
        for number, (share, is_pinned) in enumerate(((1.0, False), (weight, True)))
    ]
    attribute = Attribute("return window", half_life_days=3.0)
    (kept,) = settle(world, attribute, Scope(day(settled)))
    at = day(settled + later)
    (anew,) = settle(world, attribute, Scope(at))
    full, floor = 18.0, 18.0 * weight
    expected = max(full * 0.5 ** ((settled + later) / 3.0), floor)
    assert math.isclose(_counts(anew).support.fresh, expected)
    if at < kept.stable_until:
        assert math.isclose(kept.confidence(at), anew.confidence(at))


def spoke(one: Testimony) -> int:
    """When a testimony last spoke: when its source did, or the later beginning it named."""
    return max(one.effective_at, one.claim.valid_from or one.effective_at)


@given(worlds(SUPPORTS), st.sampled_from(DAYS))
def test_repeating_a_source_adds_no_voice(world: list[Testimony], at: int) -> None:
    """One voice: the same statement by the same source again leaves every confidence as it was."""
    attribute, scope = Attribute("return window"), Scope(day(at))
    again = [
        Testimony(
            **{name: getattr(one, name) for name in Testimony.__slots__ if name != "claim"},
            claim=type(one.claim)(
                **{name: getattr(one.claim, name) for name in type(one.claim).__slots__ if name != "id"},
                id=f"{one.claim.id}-again",
            ),
        )
        for one in world
    ]
    once, twice = by_value(settle(world, attribute, scope)), by_value(settle(world + again, attribute, scope))
    for value, belief in once.items():
        assert math.isclose(belief.confidence(day(at)), twice[value].confidence(day(at)), abs_tol=1e-12)
        assert belief.sources == twice[value].sources


def _counts(belief: Belief) -> Tally:
    """The evidence counts of a belief; no attribute here has another confidence model."""
    assert isinstance(belief.tally, Tally)
    return belief.tally
