"""From what is true to what is said: how voices err, as `reliability` learns it (theory §4).

A channel gives the probability of what a voice says where some value is true. All reckoning with products
of such probabilities is done in logarithms.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import add
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

# Five imaginary statements of every voice, four of them right where nothing else is known of it.
PRIOR_RIGHT: Final = 4.0
PRIOR_WRONG: Final = 1.0
PRIOR_STATEMENTS: Final = PRIOR_RIGHT + PRIOR_WRONG

# Some value that nobody named.
OTHER: Final = None

Value: TypeAlias = str | None
Posterior: TypeAlias = dict[Value, float]
Table: TypeAlias = dict[str, dict[str, str]]  # object -> voice -> the value it gives

# Nothing is known of any voice, or of any object.
NOTHING_KNOWN: Final[Mapping[str, float]] = MappingProxyType({})
AS_NAMED: Final[Mapping[str, int]] = MappingProxyType({})
NOBODY: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({})
_SILENCE: Final[Mapping[str, str]] = MappingProxyType({})

# So that the reckoning survives what is all but impossible.
_LEAST: Final = 1e-300
# Nobody is taken to be beyond all learning.
_WORST, _BEST = 0.02, 0.98


class Channel(Protocol):
    """How voices err, in a form that can be learned.

    Witnesses are voices whose word on an object counts for what it is, and not for how reliable they are.
    """

    def weighed(self, about: str, said: Mapping[str, str], gold: str | None) -> tuple[Posterior, float]:
        """What the value of an object may be, given what is said; and the log probability of that."""

    def learn(self, table: Table, posteriors: Mapping[str, Posterior], times: Mapping[str, int]) -> float:
        """Take the rates most probable under these posteriors; gives the greatest change.

        Each object counts so many `times`, those that are not in it not at all.
        """

    def penalty(self, voices: Iterable[str]) -> float:
        """The log density of the rates of these voices under the prior, up to a constant."""

    def foretold(self, about: str, said: Mapping[str, str], posterior: Posterior) -> float:
        """The log probability of what is said, each statement judged from all others and all objects."""


def prior_counts(priors: Mapping[str, float], voice: str) -> tuple[float, float]:
    """How many of a voice's imaginary statements are right, and how many wrong."""
    if voice not in priors:
        return PRIOR_RIGHT, PRIOR_WRONG
    right = PRIOR_STATEMENTS * min(max(priors[voice], _WORST), _BEST)
    return right, PRIOR_STATEMENTS - right


class Coins:
    """One rate of being right for each voice, or one for all; whatever else it may say is equally probable.

    The values an object may have are those of the domain, with learned shares. Without a domain they are
    as many as `choices` says of the object, all alike, or those named of it and one other if that is
    more: `OTHER` is all that are not named. `priors` are the rates that voices start with, `witnesses`
    what others say of each object.
    """

    __slots__ = (
        "_choices",
        "_is_shared",
        "_log_shares",
        "_logs",
        "_priors",
        "_witnesses",
        "domain",
        "heard",
        "right",
        "shares",
    )

    def __init__(
        self,
        domain: tuple[str, ...] | None,
        *,
        is_shared: bool,
        priors: Mapping[str, float] = NOTHING_KNOWN,
        choices: Mapping[str, int] = AS_NAMED,
        witnesses: Mapping[str, Mapping[str, str]] = NOBODY,
    ) -> None:
        self.domain = domain
        self._witnesses = witnesses
        self._is_shared = is_shared
        self._choices = choices
        self._priors = {"": math.fsum(priors.values()) / len(priors)} if is_shared and priors else priors
        self.right: dict[str, float] = defaultdict(float)
        self.heard: dict[str, float] = defaultdict(float)
        self.shares = _even(domain)
        self._log_shares = _logs_of(self.shares)
        self._logs: dict[str, tuple[float, float]] = {}

    def rate(self, voice: str) -> float:
        """How often the voice is right."""
        key = "" if self._is_shared else voice
        right, wrong = prior_counts(self._priors, key)
        return (right + self.right.get(key, 0.0)) / (right + wrong + self.heard.get(key, 0.0))

    def weighed(self, about: str, said: Mapping[str, str], gold: str | None) -> tuple[Posterior, float]:
        """The posterior of the value, and the log probability of what is said."""
        logs, choices = self._outset(about, said)
        otherwise, others = 0.0, math.log(choices - 1)
        for voice, value in chain(said.items(), self._witnesses.get(about, _SILENCE).items()):
            right, wrong = self._logs.get("" if self._is_shared else voice) or self._log_rates(voice)
            otherwise += wrong - others
            logs[value] += right - (wrong - others)
        return _normalised({value: log + otherwise for value, log in logs.items()}, gold)

    def count(self, said: Mapping[str, str], posterior: Posterior, sign: float = 1.0) -> None:
        """Add to the counts of each voice what this object says of it, or take it away again."""
        for voice, value in said.items():
            key = "" if self._is_shared else voice
            self.right[key] += sign * posterior.get(value, 0.0)
            self.heard[key] += sign
            self._logs.pop(key, None)

    def learn(self, table: Table, posteriors: Mapping[str, Posterior], times: Mapping[str, int]) -> float:
        """Count anew under these posteriors; gives the greatest change."""
        before = {voice: self.rate(voice) for voice in {voice for said in table.values() for voice in said}}
        self.right.clear()
        self.heard.clear()
        for about, number in times.items():
            self.count(table[about], posteriors[about], number)
        moved = _learned_shares(self.shares, posteriors, times)
        self._log_shares = _logs_of(self.shares)
        return max((abs(self.rate(voice) - rate) for voice, rate in before.items()), default=0.0) + moved

    def penalty(self, voices: Iterable[str]) -> float:
        """The log density under the prior: of one rate for each voice, or of the one they share."""
        densities = []
        for voice in [""] if self._is_shared else voices:
            (right, wrong), rate = prior_counts(self._priors, voice), self.rate(voice)
            densities.append(right * math.log(rate) + wrong * math.log(1.0 - rate))
        return math.fsum(densities) + math.fsum(map(math.log, self.shares.values()))

    def foretold(self, about: str, said: Mapping[str, str], posterior: Posterior) -> float:
        """The log probability of what is said, each statement judged from all others."""
        others = self._outset(about, said)[1] - 1
        return math.fsum(
            math.log(self._foretold(voice, posterior.get(value, 0.0), others))
            for voice, value in said.items()
        )

    def _foretold(self, voice: str, share: float, others: int) -> float:
        rate, heard = self.rate(voice), self.heard.get("" if self._is_shared else voice, 0.0)
        weight = PRIOR_STATEMENTS + heard
        without = (weight * rate - share) / (weight - 1.0) if heard else rate
        wrong = (1.0 - rate) / others
        # What the others alone make of the object: this statement's factor is divided out again.
        so, not_so = share / rate, (1.0 - share) / wrong
        return max(_LEAST, (so * without + not_so * (1.0 - without) / others) / (so + not_so))

    def _log_rates(self, voice: str) -> tuple[float, float]:
        key = "" if self._is_shared else voice
        if key not in self._logs:
            rate = self.rate(voice)
            self._logs[key] = math.log(rate), math.log(1.0 - rate)
        return self._logs[key]

    def _outset(self, about: str, said: Mapping[str, str]) -> tuple[dict[Value, float], int]:
        """The log share of each value before anything is said, and how many values there are."""
        if self.domain is not None:
            return dict(zip(self.domain, self._log_shares, strict=True)), len(self.domain)
        named = dict.fromkeys(chain(said.values(), self._witnesses.get(about, _SILENCE).values()))
        choices = max(2, len(named) + 1, self._choices.get(about, 0))
        alike = -math.log(choices)
        logs: dict[Value, float] = dict.fromkeys(named, alike)
        logs[OTHER] = math.log(choices - len(named)) + alike
        return logs, choices


class Rows:
    """For each voice and each value that is true, how often it says each value of the domain.

    The imaginary statements of the prior are shared out over the values that may be true, so that a voice
    starts with as many as under `Coins`.
    """

    __slots__ = (
        "_columns",
        "_log_shares",
        "_logs",
        "_priors",
        "_witnesses",
        "domain",
        "heard",
        "rates",
        "shares",
    )

    def __init__(
        self,
        domain: tuple[str, ...],
        priors: Mapping[str, float] = NOTHING_KNOWN,
        witnesses: Mapping[str, Mapping[str, str]] = NOBODY,
    ) -> None:
        self.domain = domain
        self._witnesses = witnesses
        self._priors = priors
        self._columns = {value: place for place, value in enumerate(domain)}
        self.shares = _even(domain)
        self._log_shares = _logs_of(self.shares)
        # Each by voice, then (but for what was heard) by the value said; in order of what is true.
        self.heard: dict[str, list[float]] = {}
        self.rates: dict[str, dict[str, list[float]]] = {}
        self._logs: dict[str, dict[str, list[float]]] = {}

    def row(self, voice: str) -> dict[str, list[float]]:
        """For each value it may say, how often the voice says it where each of the values is true."""
        if voice not in self.rates:
            self.rates[voice] = self._rates(voice, {})
        return self.rates[voice]

    def weighed(self, about: str, said: Mapping[str, str], gold: str | None) -> tuple[Posterior, float]:
        """The posterior of the value, and the log probability of what is said."""
        logs = self._log_shares
        for voice, value in chain(said.items(), self._witnesses.get(about, _SILENCE).items()):
            rows = self._logs.get(voice) or self._log_rates(voice)
            logs = list(map(add, logs, rows[value]))
        return _normalised(dict(zip(self.domain, logs, strict=True)), gold)

    def learn(self, table: Table, posteriors: Mapping[str, Posterior], times: Mapping[str, int]) -> float:
        """Count anew under these posteriors; gives the greatest change."""
        counts: dict[str, dict[str, list[float]]] = defaultdict(dict)
        for about, number in times.items():
            shares = [number * share for share in self._in_order(posteriors[about])]
            for voice, value in table[about].items():
                known = counts[voice].get(value)
                counts[voice][value] = shares if known is None else list(map(add, known, shares))
        rates = {voice: self._rates(voice, heard) for voice, heard in counts.items()}
        moved = max(
            (
                abs(rate - before)
                for voice, rows in rates.items()
                for value, row in rows.items()
                for rate, before in zip(row, self.row(voice)[value], strict=True)
            ),
            default=0.0,
        )
        self.rates, self._logs = rates, {}
        self.heard = {
            voice: [math.fsum(column) for column in zip(*heard.values(), strict=True)]
            for voice, heard in counts.items()
        }
        moved += _learned_shares(self.shares, posteriors, times)
        self._log_shares = _logs_of(self.shares)
        return moved

    def penalty(self, voices: Iterable[str]) -> float:
        """The log density under the prior, of all rows of each voice."""
        return math.fsum(
            prior * log
            for voice in voices
            for value, row in self._log_rates(voice).items()
            for prior, log in zip(self._prior(voice, value), row, strict=True)
        ) + math.fsum(map(math.log, self.shares.values()))

    def foretold(self, _about: str, said: Mapping[str, str], posterior: Posterior) -> float:
        """The log probability of what is said, each statement judged from all others."""
        shares = self._in_order(posterior)
        return math.fsum(
            math.log(self._foretold(voice, self.row(voice)[value], shares)) for voice, value in said.items()
        )

    def _foretold(self, voice: str, rates: Sequence[float], shares: Sequence[float]) -> float:
        spoken = by_others = 0.0
        heard = self.heard.get(voice) or [0.0] * len(self.domain)
        for rate, share, counted in zip(rates, shares, heard, strict=True):
            weight = PRIOR_STATEMENTS / len(self.domain) + counted
            without = max(_LEAST, (weight * rate - share) / (weight - share))
            spoken += share / rate * without
            by_others += share / rate
        return max(_LEAST, spoken / by_others)

    def _in_order(self, posterior: Posterior) -> list[float]:
        """The shares in the order of the domain; a gold value has it all."""
        if len(posterior) == len(self.domain):
            return list(posterior.values())
        return [posterior.get(value, 0.0) for value in self.domain]

    def _log_rates(self, voice: str) -> dict[str, list[float]]:
        if voice not in self._logs:
            self._logs[voice] = {value: list(map(math.log, row)) for value, row in self.row(voice).items()}
        return self._logs[voice]

    def _prior(self, voice: str, value: str) -> list[float]:
        """How often it says the value among its imaginary statements, where each of the values is true."""
        right, wrong = prior_counts(self._priors, voice)
        size = len(self.domain)
        prior = [wrong / size / max(1, size - 1)] * size
        prior[self._columns[value]] = right / size
        return prior

    def _rates(self, voice: str, counts: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
        nothing = [0.0] * len(self.domain)
        heard = {
            value: list(map(add, self._prior(voice, value), counts.get(value, nothing)))
            for value in self.domain
        }
        totals = [math.fsum(column) for column in zip(*heard.values(), strict=True)]
        return {
            value: [count / total for count, total in zip(row, totals, strict=True)]
            for value, row in heard.items()
        }


def _even(domain: tuple[str, ...] | None) -> dict[Value, float]:
    return {} if domain is None else dict.fromkeys(domain, 1.0 / len(domain))


def _logs_of(shares: Mapping[Value, float]) -> list[float]:
    return [math.log(share) for share in shares.values()]


def _learned_shares(
    shares: dict[Value, float], posteriors: Mapping[str, Posterior], times: Mapping[str, int]
) -> float:
    """Learn how frequent each value of the domain is, in place, with one imaginary object of each."""
    if not shares:
        return 0.0
    counts = dict.fromkeys(shares, 1.0)
    for about, posterior in posteriors.items():
        for value, share in posterior.items():
            counts[value] += times[about] * share
    total, before = math.fsum(counts.values()), dict(shares)
    shares.update({value: count / total for value, count in counts.items()})
    return max(abs(shares[value] - before[value]) for value in shares)


def _normalised(logs: dict[Value, float], gold: str | None) -> tuple[Posterior, float]:
    if gold is not None:
        known = gold if gold in logs else OTHER
        return {known: 1.0}, logs[known]
    highest = max(logs.values())
    amounts = {value: math.exp(log - highest) for value, log in logs.items()}
    total = math.fsum(amounts.values())
    return {value: amount / total for value, amount in amounts.items()}, highest + math.log(total)
