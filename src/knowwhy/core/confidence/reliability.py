"""How reliable sources are, learned from what they say about the same objects (theory §4).

A voice is right about an object with some probability and otherwise claims any of the other values alike
(`Model.ONE_COIN`); where all objects share one small set of values, how often it is right may depend on what
is true, and so may what it says instead (`Model.BY_VALUE`). Both are fitted by expectation maximisation to
the greatest penalised likelihood. `learn` believes a fit only where it foretells statements clearly better
than a fit in which all voices are alike; elsewhere every source stays at the prior, and the most named value
leads as it does in a vote. Dawid and Skene, Applied Statistics 28 (1979); Neal and Hinton (1998).

Without gold labels nothing here can tell a majority that is wrong in unison from one that is right.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Final

from knowwhy.core.confidence.channel import (
    OTHER,
    PRIOR_RIGHT,
    PRIOR_WRONG,
    Channel,
    Coins,
    Posterior,
    Rows,
    Table,
)

MOST_ROUNDS: Final = 200
SMALLEST_CHANGE: Final = 1e-8

# A mean over fewer objects is not near enough to normal for its standard error to say how sure it is.
_LEAST_OBJECTS: Final = 30
# How many standard errors better a fit must foretell: 2.3 in a hundred by chance.
_CLEARLY: Final = 2.0
# A value named of fewer objects has too few to learn what is said where it is true.
_LEAST_OBJECTS_OF_A_VALUE: Final = 10
_BELIEVED_FALSE: Final = 0.1
_SHARED_ERRORS_OF_A_COPY: Final = 3


@dataclass(frozen=True, slots=True)
class Assertion:
    """That a source gives an object this value; `at` orders what it said of the object at various times."""

    object: str
    source: str
    value: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often a source is right, as a beta distribution: `right` and `wrong` count the prior too."""

    right: float = PRIOR_RIGHT
    wrong: float = PRIOR_WRONG

    @property
    def mean(self) -> float:
        """The one number: the share of its statements expected to be right."""
        return self.right / (self.right + self.wrong)

    @property
    def deviation(self) -> float:
        """How unsure that number is: the standard deviation of the distribution."""
        total = self.right + self.wrong
        return math.sqrt(self.right * self.wrong / (total + 1.0)) / total


class Model(StrEnum):
    """What was taken to hold of the sources."""

    PRIOR = "prior"
    EQUAL = "equal"
    ONE_COIN = "one coin"
    BY_VALUE = "by value"


@dataclass(frozen=True, slots=True)
class Fit:
    """What one model makes of a table: reliabilities of the voices, and what each object's value may be.

    A posterior holds the probability of each value of the object; `OTHER` is some value nobody named.
    `likelihoods` has the penalised log likelihood before each round; it never falls. `foretold` has for
    each object the log probability of what was said of it, each statement foretold from all the others.
    """

    model: Model
    voices: Mapping[str, Reliability]
    posteriors: Mapping[str, Posterior]
    likelihoods: tuple[float, ...]
    foretold: Mapping[str, float]

    def surer_than(self, other: Fit) -> float:
        """How many standard errors better it foretells than `other`; 0 if there is too little to say."""
        gains = [self.foretold[about] - other.foretold[about] for about in self.foretold]
        if len(gains) < _LEAST_OBJECTS:
            return 0.0
        mean = math.fsum(gains) / len(gains)
        variance = math.fsum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
        return mean / math.sqrt(variance / len(gains)) if variance > 0.0 else 0.0


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned of each source and each object, and under which model.

    `certainty` says by how many standard errors the model believed foretells better than equal sources, or
    where none is believed, the best one tried.
    """

    model: Model
    certainty: float
    sources: Mapping[str, Reliability]
    posteriors: Mapping[str, Posterior]


@dataclass(frozen=True, slots=True)
class CopyLink:
    """Two voices that share so many errors that one may copy the other, or both a third."""

    first: str
    second: str
    shared_errors: int


def tabulated(assertions: Iterable[Assertion], groups: Mapping[str, str] | None = None) -> Table:
    """What each voice says of each object: the latest stance, with the sources of one group as one voice.

    `groups` names the group of a source that copies or is copied; every other source is its own. Of several
    latest stances of one voice, the one that most of its sources take counts, then the first in order.
    """
    named = groups or {}
    stances: dict[tuple[str, str], set[tuple[int, str, str]]] = defaultdict(set)
    for one in assertions:
        stances[one.object, named.get(one.source, one.source)].add((one.at, one.source, one.value))
    table: Table = defaultdict(dict)
    for (about, voice), said in sorted(stances.items()):
        newest = max(at for at, _, _ in said)
        counts = Counter(value for at, _, value in said if at == newest)
        table[about][voice] = min(counts, key=lambda value: (-counts[value], value))
    return dict(table)


def fitted(
    table: Table,
    model: Model = Model.ONE_COIN,
    *,
    gold: Mapping[str, str] | None = None,
    domain: Iterable[str] | None = None,
) -> Fit:
    """The model at a stationary point of its penalised likelihood, climbed to from the prior.

    `gold` fixes the values of the objects it names. `domain` has all values an object may have, instead of
    those named of it and one other; the by-value model needs it. Nothing is learned under `Model.PRIOR`.

    Raises:
        ValueError: the by-value model without a domain, or a domain that lacks a value that was named.
    """
    known = {about: value for about, value in (gold or {}).items() if about in table}
    values = None if domain is None else tuple(sorted(set(domain)))
    _refuse_unless_in(values, table, known)
    channel: Channel
    if model is Model.BY_VALUE:
        if values is None:
            raise ValueError("The by-value model needs the domain: the values that all objects share.")
        channel = Rows(values)
    else:
        channel = Coins(values, is_shared=model is Model.EQUAL)
    posteriors, likelihoods = _climbed(channel, table, known, 0 if model is Model.PRIOR else MOST_ROUNDS)
    heard = _counted(table, posteriors) if model is not Model.PRIOR else {}
    voices = {voice for said in table.values() for voice in said}
    return Fit(
        model=model,
        voices={voice: heard.get(voice, Reliability()) for voice in sorted(voices)},
        posteriors={about: _named(one, known.get(about)) for about, one in posteriors.items()},
        likelihoods=likelihoods,
        foretold={about: _foretold(channel, said, posteriors[about]) for about, said in table.items()},
    )


def learn(
    assertions: Iterable[Assertion],
    *,
    groups: Mapping[str, str] | None = None,
    gold: Mapping[str, str] | None = None,
) -> Learned:
    """What the assertions teach about their sources, as far as it is sure; else all sources as at the outset.

    Sure means: statements are foretold from all others better than if all voices were alike, by two standard
    errors over the objects, of which there must be thirty. The by-value model is tried where every value
    was named of ten objects or more, and must also do better than one coin.
    """
    stated = list(assertions)
    table = tabulated(stated, groups)
    fit, certainty = _believed(table, gold)
    named = groups or {}
    return Learned(
        model=fit.model,
        certainty=certainty,
        sources={one.source: fit.voices[named.get(one.source, one.source)] for one in stated},
        posteriors=fit.posteriors,
    )


def suggested_copies(table: Table, posteriors: Mapping[str, Posterior]) -> list[CopyLink]:
    """The pairs of voices with three or more values in common that are each believed false with P > 0.9.

    A suggestion for a person: voices that make the same mistakes since the objects are hard look alike.
    """
    shared: Counter[tuple[str, str]] = Counter()
    for about, said in table.items():
        false = sorted(
            voice for voice, value in said.items() if posteriors[about].get(value, 0.0) < _BELIEVED_FALSE
        )
        shared.update(pair for pair in combinations(false, 2) if said[pair[0]] == said[pair[1]])
    return [
        CopyLink(first, second, errors)
        for (first, second), errors in sorted(shared.items())
        if errors >= _SHARED_ERRORS_OF_A_COPY
    ]


class RunningReliability:
    """The one-coin model kept up to date object by object: each change costs the claims on its object alone.

    It climbs the same penalised likelihood as `fitted`, so that sweeps end where that does not move.
    """

    __slots__ = ("_coins", "_gold", "_posteriors", "_table")

    def __init__(self) -> None:
        self._coins = Coins(None, is_shared=False)
        self._table: dict[str, dict[str, str]] = {}
        self._posteriors: dict[str, Posterior] = {}
        self._gold: dict[str, str] = {}

    def hear(self, about: str, said: Mapping[str, str], gold: str | None = None) -> None:
        """Take what the voices say of one object now, in the place of all they said of it before."""
        self._gold.pop(about, None)
        if gold is not None:
            self._gold[about] = gold
        self._weigh(about, dict(said))

    def sweep(self) -> float:
        """Weigh every object once more; gives the greatest change of a reliability."""
        before = {voice: self._coins.rate(voice) for voice in self._coins.heard}
        for about, said in list(self._table.items()):
            self._weigh(about, said)
        return max((abs(self._coins.rate(voice) - rate) for voice, rate in before.items()), default=0.0)

    def reliability(self, source: str) -> Reliability:
        """What is known of the source by now: the prior where nothing is."""
        heard, right = self._coins.heard.get(source, 0.0), self._coins.right.get(source, 0.0)
        return Reliability(PRIOR_RIGHT + right, PRIOR_WRONG + max(0.0, heard - right))

    def posterior(self, about: str) -> Posterior:
        """What the value of the object may be, as of when it was last weighed."""
        return _named(self._posteriors[about], self._gold.get(about))

    def _weigh(self, about: str, said: dict[str, str]) -> None:
        # Weighed while the old counts still stand: what is climbed is then the likelihood of all objects.
        posterior, _ = self._coins.weighed(said, self._gold.get(about))
        if about in self._table:
            self._coins.count(self._table.pop(about), self._posteriors.pop(about), sign=-1.0)
        if said:
            self._coins.count(said, posterior)
            self._table[about], self._posteriors[about] = said, posterior


def _believed(table: Table, gold: Mapping[str, str] | None) -> tuple[Fit, float]:
    certainty = 0.0
    if domain := _shared_values(table, gold or {}):
        rows = fitted(table, Model.BY_VALUE, gold=gold, domain=domain)
        simpler = [fitted(table, model, gold=gold, domain=domain) for model in (Model.EQUAL, Model.ONE_COIN)]
        certainty = min(rows.surer_than(one) for one in simpler)
        if certainty > _CLEARLY:
            return rows, certainty
    coins = fitted(table, gold=gold)
    sureness = coins.surer_than(fitted(table, Model.EQUAL, gold=gold))
    if sureness > _CLEARLY:
        return coins, sureness
    return fitted(table, Model.PRIOR, gold=gold), max(certainty, sureness)


def _shared_values(table: Table, gold: Mapping[str, str]) -> tuple[str, ...]:
    """The values that all objects share, or none where some value was named of too few objects."""
    spread = Counter(value for said in table.values() for value in set(said.values()))
    spread.update(dict.fromkeys((value for about, value in gold.items() if about in table), 0))
    is_closed = len(spread) > 1 and min(spread.values()) >= _LEAST_OBJECTS_OF_A_VALUE
    return tuple(sorted(spread)) if is_closed else ()


def _climbed(
    channel: Channel, table: Table, known: Mapping[str, str], rounds: int
) -> tuple[dict[str, Posterior], tuple[float, ...]]:
    likelihoods: list[float] = []
    voices = sorted({voice for said in table.values() for voice in said})
    while True:
        weighed = {about: channel.weighed(said, known.get(about)) for about, said in table.items()}
        posteriors = {about: posterior for about, (posterior, _) in weighed.items()}
        likelihoods.append(math.fsum(evidence for _, evidence in weighed.values()) + channel.penalty(voices))
        if len(likelihoods) > rounds:
            return posteriors, tuple(likelihoods)
        if channel.learn(table, posteriors) < SMALLEST_CHANGE:
            return posteriors, tuple(likelihoods)


def _counted(table: Table, posteriors: Mapping[str, Posterior]) -> dict[str, Reliability]:
    found: dict[str, Reliability] = {}
    for about, said in table.items():
        for voice, value in said.items():
            old, share = found.get(voice, Reliability()), posteriors[about].get(value, 0.0)
            found[voice] = replace(old, right=old.right + share, wrong=old.wrong + 1.0 - share)
    return found


def _foretold(channel: Channel, said: Mapping[str, str], posterior: Posterior) -> float:
    return math.fsum(math.log(channel.foretold(voice, value, posterior)) for voice, value in said.items())


def _named(posterior: Posterior, gold: str | None) -> Posterior:
    """The posterior with the gold value under its own name, where nobody had named it."""
    return posterior if gold is None or posterior.get(OTHER) != 1.0 else {gold: 1.0}


def _refuse_unless_in(values: tuple[str, ...] | None, table: Table, known: Mapping[str, str]) -> None:
    if values is None:
        return
    named = {value for said in table.values() for value in said.values()} | set(known.values())
    if outside := named - set(values):
        msg = f"The domain lacks {min(outside)!r}, which was named: add it, or leave the domain out."
        raise ValueError(msg)
