"""Strategies for how beliefs may stand: tallies of every model, doubts, derivations, bounds in time."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from knowwhy.core.confidence import AnyTally, FactorTally, LogOddsTally, Mass, Tally
from knowwhy.core.confidence.factors import Score
from knowwhy.core.confidence.log_odds import Balance
from knowwhy.core.model import Because, Belief, Doubt, Rule, Status
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant
from knowwhy.testing.records import ATTRIBUTES, RESTED_ON, derivations, instants, texts

_amounts = st.just(0.0) | st.floats(0.0, 1e6)
_shares = st.floats(0.0, 1.0)
_positive = st.sampled_from([0.5, 1.0, 2.0]) | st.floats(0.01, 100.0)
_half_lives = st.none() | st.floats(0.5, 5000.0)
_masses = st.builds(Mass, _amounts, _amounts)
_instants: st.SearchStrategy[Instant] = st.sampled_from([BEGINNING, FOREVER]) | instants()
_counts = st.integers(0, 10**6)
_scores = st.builds(Score, _shares, _instants, st.booleans(), _counts, _counts, _counts, _shares)
_rates = st.sampled_from([0.25, 0.5, 0.75]) | st.floats(0.01, 0.99)


def tallies() -> st.SearchStrategy[AnyTally]:
    """Tallies of every model of confidence, with fields as by default and others."""
    return st.one_of(
        st.builds(Tally, _instants),
        st.builds(LogOddsTally, _instants),
        st.builds(FactorTally, _instants),
        st.builds(
            Tally,
            *(_instants, _half_lives, _masses, _masses, _masses, _masses),
            st.integers(1, 9),
            _rates,
            _positive,
        ),
        st.builds(
            LogOddsTally,
            *(_instants, _half_lives, _masses, _masses),
            st.lists(st.builds(Balance, _masses, _masses), max_size=2).map(tuple),
            _rates,
            _positive,
            _amounts,
        ),
        st.builds(
            FactorTally, _instants, _half_lives, _scores, st.lists(_scores, max_size=2).map(tuple), _positive
        ),
    )


def doubts() -> st.SearchStrategy[Doubt]:
    """Doubts that come from few premises."""
    return st.builds(
        Doubt,
        st.sampled_from(RESTED_ON),
        texts(10),
        st.sampled_from(ATTRIBUTES),
        texts(10),
        st.just("") | texts(10),
        _instants,
        _shares,
    )


@st.composite
def standings(draw: st.DrawFn, belief: Belief) -> Belief:
    """The same belief, standing in any way whatever."""
    return replace(
        belief,
        status=draw(st.sampled_from(Status)),
        because=Because(draw(st.sampled_from(Rule)), draw(st.none() | texts(10))),
        tally=draw(tallies()),
        since=draw(_instants),
        until=draw(_instants),
        observed_at=draw(_instants),
        authority=draw(st.integers(0, 101)),
        sources=draw(_counts),
        evidence=draw(_counts),
        settled_at=draw(_instants),
        stable_until=draw(_instants),
        stale_from=draw(_instants),
        doubts=draw(st.lists(doubts(), max_size=2).map(tuple)),
        derivations=draw(st.lists(derivations(), max_size=2).map(tuple)),
        is_additive=draw(st.booleans()),
    )
