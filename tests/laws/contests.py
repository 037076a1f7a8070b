"""What is said about the values of a contest, and the tallies that each confidence model makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from knowwhy.core.confidence import (
    NO_MASS,
    AnyTally,
    ConfidenceModel,
    Prior,
    Side,
    Voice,
    statement_count,
    weighed,
)
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant

NOW = Instant(1_736_467_200_000_000)
TOLERANCE = 1e-12
EVIDENCE, LOG_ODDS, FACTORS = ConfidenceModel

each_model = pytest.mark.parametrize("model", ConfidenceModel)
each_probability = pytest.mark.parametrize("model", [EVIDENCE, LOG_ODDS])


class Said(NamedTuple):
    """One voice: how reliable it is, how long ago it spoke, in microseconds, and what it weighs."""

    reliability: float
    age: int = 0
    weight: float = 1.0
    is_pinned: bool = False


Contest = Mapping[str, tuple[list[Said], list[Said]]]  # for each value, who speaks for it and who against


shares = st.floats(0.0, 1.0)
days = st.floats(0.0, 400.0).map(lambda age: int(age * MICROSECONDS_PER_DAY))
half_lives = st.integers(1, 300).map(float)
priors = st.builds(Prior, st.floats(0.01, 0.99), st.floats(0.1, 10.0), st.none() | half_lives)


def voices(ages: st.SearchStrategy[int], trust: st.SearchStrategy[float] = shares) -> st.SearchStrategy[Said]:
    return st.builds(Said, trust, ages, st.sampled_from([1.0, 0.4, 300.0]), st.booleans())


def contests(voice: st.SearchStrategy[Said], heard: int = 3) -> st.SearchStrategy[Contest]:
    """Up to four values, with so many voices at most on each side of each."""
    heard_of = st.lists(voice, max_size=heard)
    return st.dictionaries(st.sampled_from("abcd"), st.tuples(heard_of, heard_of), min_size=1)


some_contests = contests(voices(days))


def side(model: ConfidenceModel, heard: list[Said], prior: Prior, at: Instant = NOW) -> Side:
    """What voices, each of a group of its own, come to on one side of a value."""
    mass, half_life = NO_MASS, prior.half_life_days
    for one in heard:
        count = statement_count(model, one.reliability, one.weight)
        mass += Voice(count, Instant(NOW - one.age), one.is_pinned).mass(at, half_life)
    return Side(
        mass,
        len(heard),
        max((one.reliability for one in heard), default=0.0),
        Instant(NOW - min((one.age for one in heard), default=0)),
        any(one.is_pinned for one in heard),
    )


def told(
    model: ConfidenceModel, contest: Contest, prior: Prior, at: Instant = NOW, share: float = 1.0
) -> dict[str, AnyTally]:
    """The tallies, as of an instant and with every side scaled."""

    def scaled(heard: list[Said]) -> Side:
        whole = side(model, heard, prior, at)
        return replace(whole, mass=whole.mass.scaled(share), best=whole.best * share)

    supports = {value: scaled(pro) for value, (pro, _) in contest.items()}
    return weighed(model, supports, {v: scaled(contra) for v, (_, contra) in contest.items()}, at, prior)


def with_more(
    contest: Contest, value: str, *, pro: Said | None = None, contra: Said | None = None
) -> Contest:
    """The contest with one more voice for or against a value."""
    pros, contras = contest[value]
    return {
        **contest,
        value: ([*pros, pro] if pro else pros, [*contras, contra] if contra else contras),
    }


def later(span: int) -> Instant:
    return Instant(NOW + span)


def numbers(tally: AnyTally, at: Instant) -> tuple[float, ...]:
    return (
        tally.confidence(at),
        tally.ignorance(at),
        tally.conflict(at),
        tally.speaks_for,
        tally.speaks_against,
    )
