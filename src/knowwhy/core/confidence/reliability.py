"""How reliable sources are, learned from what they say about the same objects (theory §4).

A voice is right about an object with some probability and otherwise claims any of the other values alike
(`Model.ONE_COIN`); where all objects share one small set of values, how often it is right may depend on what
is true, and so may what it says instead (`Model.BY_VALUE`). Both are fitted by expectation maximisation to
the greatest penalised likelihood. `learn` believes a fit only where it foretells statements clearly better
than a fit in which all voices are alike, and than what was taken to hold of them at the outset; elsewhere
every source stays at the prior. Dawid and Skene, Applied Statistics 28 (1979); Neal and Hinton (1998).

Without gold labels nothing here can tell a majority that is wrong in unison from one that is right.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from knowwhy.core.confidence.channel import (
    AS_NAMED,
    NOBODY,
    NOTHING_KNOWN,
    OTHER,
    PRIOR_RIGHT,
    PRIOR_STATEMENTS,
    PRIOR_WRONG,
    Channel,
    Coins,
    Posterior,
    Rows,
    Table,
    prior_counts,
)

MOST_ROUNDS: Final = 200
SMALLEST_CHANGE: Final = 1e-8

# A mean over fewer objects is not near enough to normal for its standard error to say how sure it is.
_LEAST_OBJECTS: Final = 30
# How many standard errors better a fit must foretell: 2.3 in a hundred by chance.
_CLEARLY: Final = 2.0
# A value named of fewer objects has too few to learn what is said where it is true; and of each voice there
# is as much to learn as the square of how many values there are.
_LEAST_OBJECTS_OF_A_VALUE: Final = 10
_MOST_SHARED_VALUES: Final = 10

# However many values there may be, errors meet in some more often than chance would have it.
MOST_CHOICES: Final = 10


@dataclass(frozen=True, slots=True)
class Assertion:
    """That a source gives an object this value; `at` orders what it said of the object at various times.

    A witness tells what the object is, but its own reliability is not judged by this statement: it was
    chosen for what it says.
    """

    object: str
    source: str
    value: str
    at: int = 0
    is_witness: bool = False


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
    def statements(self) -> float:
        """How many statements it rests on beside the prior."""
        return self.right + self.wrong - PRIOR_STATEMENTS

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


def parted(assertions: Iterable[Assertion], groups: Mapping[str, str] | None = None) -> tuple[Table, Table]:
    """What is judged, and what the witnesses say beside it; a voice is one or the other on an object."""
    stated = list(assertions)
    table = tabulated((one for one in stated if not one.is_witness), groups)
    beside = tabulated((one for one in stated if one.is_witness), groups)
    return table, {
        about: {voice: value for voice, value in beside[about].items() if voice not in said}
        for about, said in table.items()
        if about in beside
    }


def fitted(
    table: Table,
    model: Model = Model.ONE_COIN,
    *,
    gold: Mapping[str, str] | None = None,
    domain: Iterable[str] | None = None,
    priors: Mapping[str, float] = NOTHING_KNOWN,
    choices: Mapping[str, int] = AS_NAMED,
    witnesses: Mapping[str, Mapping[str, str]] = NOBODY,
) -> Fit:
    """The model at a stationary point of its penalised likelihood, climbed to from the prior.

    `gold` fixes the values of the objects it names. `domain` has all values an object may have, instead of
    those named of it and one other; the by-value model needs it. Where there is none, `choices` says of
    objects how many values they may have. `priors` are the rates that voices start with, as if seen in
    five statements; `witnesses` say something of an object by which they are not judged. Nothing is
    learned under `Model.PRIOR`.

    Raises:
        ValueError: the by-value model without a domain, or a domain that lacks a value that was named.
    """
    known = {about: value for about, value in (gold or {}).items() if about in table}
    values = None if domain is None else tuple(sorted(set(domain)))
    _refuse_unless_in(values, [table, witnesses], known)
    channel: Channel
    if model is Model.BY_VALUE:
        if values is None:
            raise ValueError("The by-value model needs the domain: the values that all objects share.")
        channel = Rows(values, priors, witnesses)
    else:
        is_shared = model is Model.EQUAL
        channel = Coins(values, is_shared=is_shared, priors=priors, choices=choices, witnesses=witnesses)
    of = _alike(table, known, choices, witnesses)
    rounds = 0 if model is Model.PRIOR else MOST_ROUNDS
    found, likelihoods = _climbed(channel, table, known, Counter(of.values()), rounds)
    posteriors = {about: found[one] for about, one in of.items()}
    foretold = {one: channel.foretold(one, table[one], posterior) for one, posterior in found.items()}
    voices = sorted({voice for said in table.values() for voice in said})
    outset = {voice: Reliability(*prior_counts(priors, voice)) for voice in voices}
    return Fit(
        model=model,
        voices=outset if model is Model.PRIOR else _counted(table, posteriors, outset),
        posteriors={about: named_gold(one, known.get(about)) for about, one in posteriors.items()},
        likelihoods=likelihoods,
        foretold={about: foretold[one] for about, one in of.items()},
    )


def learn(
    assertions: Iterable[Assertion],
    *,
    groups: Mapping[str, str] | None = None,
    gold: Mapping[str, str] | None = None,
    priors: Mapping[str, float] = NOTHING_KNOWN,
    choices: Mapping[str, int] | None = None,
) -> Learned:
    """What the assertions teach about their sources, as far as it is sure; else all sources as at the outset.

    Sure means: statements are foretold from all others better than if all voices were alike, and than by
    their `priors`, by two standard errors over the objects, of which there must be thirty. The by-value
    model is tried where there are at most ten values, each named of ten objects or more, and must also do
    better than one coin. Without `choices`, an object may have as many values as were named, up to ten.
    """
    stated, named = list(assertions), groups or {}
    table, witnesses = parted(stated, groups)
    spread = _spread([table, witnesses]) if choices is None else choices
    fit, certainty = _believed(_Task(table, gold or {}, priors, spread, witnesses))
    return Learned(
        model=fit.model,
        certainty=certainty,
        sources={
            one.source: fit.voices.get(voice := named.get(one.source, one.source))
            or Reliability(*prior_counts(priors, voice))
            for one in stated
        },
        posteriors=fit.posteriors,
    )


def supposed(
    table: Table, rates: Mapping[str, float], choices: Mapping[str, int] = AS_NAMED
) -> dict[str, Posterior]:
    """What the value of each object may be if the reliabilities of the voices are these."""
    coins = Coins(None, is_shared=False, priors=rates, choices=choices)
    return {about: coins.weighed(about, said, None)[0] for about, said in table.items()}


@dataclass(frozen=True, slots=True)
class _Task:
    """A table with all that is known before anything is learned from it."""

    table: Table
    gold: Mapping[str, str]
    priors: Mapping[str, float]
    choices: Mapping[str, int]
    witnesses: Table

    def fitted(self, model: Model, domain: Iterable[str] | None = None) -> Fit:
        """What one model makes of it."""
        return fitted(
            self.table,
            model,
            gold=self.gold,
            domain=domain,
            priors=self.priors,
            choices=self.choices,
            witnesses=self.witnesses,
        )


def _believed(task: _Task) -> tuple[Fit, float]:
    certainty = 0.0
    if domain := _shared_values([task.table, task.witnesses], task.gold):
        rows = task.fitted(Model.BY_VALUE, domain)
        simpler = [task.fitted(model, domain) for model in (Model.EQUAL, Model.ONE_COIN)]
        certainty = min(rows.surer_than(one) for one in simpler)
        if certainty > _CLEARLY:
            return rows, certainty
    coins, outset = task.fitted(Model.ONE_COIN), task.fitted(Model.PRIOR)
    sureness = min(coins.surer_than(one) for one in (task.fitted(Model.EQUAL), outset))
    if sureness > _CLEARLY:
        return coins, sureness
    return outset, max(certainty, sureness)


def _spread(tables: Sequence[Table]) -> dict[str, int]:
    """How many values each object may have, where all are of one kind."""
    named = {value for table in tables for said in table.values() for value in said.values()}
    return dict.fromkeys(tables[0], min(MOST_CHOICES, len(named)))


def _shared_values(tables: Sequence[Table], gold: Mapping[str, str]) -> tuple[str, ...]:
    """The values that all objects share, or none where some value was named of too few objects."""
    named = {(about, value) for table in tables for about, said in table.items() for value in said.values()}
    spread = Counter(value for _, value in named)
    spread.update(dict.fromkeys((value for about, value in gold.items() if about in tables[0]), 0))
    is_few = 1 < len(spread) <= _MOST_SHARED_VALUES
    is_closed = is_few and min(spread.values()) >= _LEAST_OBJECTS_OF_A_VALUE
    return tuple(sorted(spread)) if is_closed else ()


def _alike(
    table: Table,
    known: Mapping[str, str],
    choices: Mapping[str, int],
    witnesses: Mapping[str, Mapping[str, str]],
) -> dict[str, str]:
    """For each object the first of which all the same is said, so that each such need be weighed but once."""
    first: dict[object, str] = {}
    return {
        about: first.setdefault(
            (
                tuple(sorted(said.items())),
                tuple(sorted(witnesses.get(about, {}).items())),
                known.get(about),
                choices.get(about),
            ),
            about,
        )
        for about, said in table.items()
    }


def _climbed(
    channel: Channel, table: Table, known: Mapping[str, str], times: Mapping[str, int], rounds: int
) -> tuple[dict[str, Posterior], tuple[float, ...]]:
    """The posteriors of the objects that stand for all like them, so many `times`."""
    likelihoods: list[float] = []
    voices = sorted({voice for said in table.values() for voice in said})
    while True:
        weighed = {about: channel.weighed(about, table[about], known.get(about)) for about in times}
        posteriors = {about: posterior for about, (posterior, _) in weighed.items()}
        evidence = math.fsum(times[about] * one for about, (_, one) in weighed.items())
        likelihoods.append(evidence + channel.penalty(voices))
        if len(likelihoods) > rounds:
            return posteriors, tuple(likelihoods)
        if channel.learn(table, posteriors, times) < SMALLEST_CHANGE:
            return posteriors, tuple(likelihoods)


def _counted(
    table: Table, posteriors: Mapping[str, Posterior], outset: Mapping[str, Reliability]
) -> dict[str, Reliability]:
    found = dict(outset)
    for about, said in table.items():
        for voice, value in said.items():
            old, share = found[voice], posteriors[about].get(value, 0.0)
            found[voice] = Reliability(old.right + share, old.wrong + 1.0 - share)
    return found


def named_gold(posterior: Posterior, gold: str | None) -> Posterior:
    """The posterior with the gold value under its own name, where nobody had named it."""
    return posterior if gold is None or posterior.get(OTHER) != 1.0 else {gold: 1.0}


def _refuse_unless_in(
    values: tuple[str, ...] | None,
    tables: Iterable[Mapping[str, Mapping[str, str]]],
    known: Mapping[str, str],
) -> None:
    if values is None:
        return
    named = {value for table in tables for said in table.values() for value in said.values()}
    named |= set(known.values())
    if outside := named - set(values):
        msg = f"The domain lacks {min(outside)!r}, which was named: add it, or leave the domain out."
        raise ValueError(msg)
