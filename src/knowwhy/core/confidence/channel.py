"""From what is true to what is said: how voices err, as `reliability` learns it (theory §4).

A channel gives the probability of what a voice says where some value is true. All reckoning with products
of such probabilities is done in logarithms.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Protocol, TypeAlias

# Five imaginary statements of every voice, four of them right.
PRIOR_RIGHT: Final = 4.0
PRIOR_WRONG: Final = 1.0

# Some value that nobody named.
OTHER: Final = None

Value: TypeAlias = str | None
Posterior: TypeAlias = dict[Value, float]
Table: TypeAlias = dict[str, dict[str, str]]  # object -> voice -> the value it gives

# So that the reckoning survives what is all but impossible.
_LEAST: Final = 1e-300


class Channel(Protocol):
    """How voices err, in a form that can be learned."""

    def weighed(self, said: Mapping[str, str], gold: str | None) -> tuple[Posterior, float]:
        """What the value may be, given what is said; and the log probability of that being said."""

    def learn(self, table: Table, posteriors: Mapping[str, Posterior]) -> float:
        """Take the rates most probable under these posteriors; gives the greatest change."""

    def penalty(self, voices: Iterable[str]) -> float:
        """The log density of the rates of these voices under the prior, up to a constant."""

    def foretold(self, voice: str, value: str, posterior: Posterior) -> float:
        """The probability that the voice says this, judged from all that others say and it says elsewhere."""


class Coins:
    """One rate of being right for each voice, or one for all; whatever else it may say is equally probable.

    The values an object may have are those of the domain, with learned shares; without a domain those
    named of it and one other, all alike.
    """

    __slots__ = ("_is_shared", "domain", "heard", "right", "shares")

    def __init__(self, domain: tuple[str, ...] | None, *, is_shared: bool) -> None:
        self.domain = domain
        self._is_shared = is_shared
        self.right: dict[str, float] = defaultdict(float)
        self.heard: dict[str, float] = defaultdict(float)
        self.shares = _even(domain)

    def rate(self, voice: str) -> float:
        """How often the voice is right."""
        key = "" if self._is_shared else voice
        heard = self.heard.get(key, 0.0)
        return (PRIOR_RIGHT + self.right.get(key, 0.0)) / (PRIOR_RIGHT + PRIOR_WRONG + heard)

    def weighed(self, said: Mapping[str, str], gold: str | None) -> tuple[Posterior, float]:
        """The posterior of the value, and the log probability of what is said."""
        values = self._candidates(said)
        logs = {value: math.log(self.shares.get(value, 1.0 / len(values))) for value in values}
        otherwise = 0.0
        for voice, value in said.items():
            rate = self.rate(voice)
            wrong = math.log((1.0 - rate) / (len(values) - 1))
            otherwise += wrong
            logs[value] += math.log(rate) - wrong
        return _normalised({value: log + otherwise for value, log in logs.items()}, gold)

    def count(self, said: Mapping[str, str], posterior: Posterior, sign: float = 1.0) -> None:
        """Add to the counts of each voice what this object says of it, or take it away again."""
        for voice, value in said.items():
            key = "" if self._is_shared else voice
            self.right[key] += sign * posterior.get(value, 0.0)
            self.heard[key] += sign

    def learn(self, table: Table, posteriors: Mapping[str, Posterior]) -> float:
        """Count anew under these posteriors; gives the greatest change."""
        before = {voice: self.rate(voice) for said in table.values() for voice in said}
        self.right.clear()
        self.heard.clear()
        for about, said in table.items():
            self.count(said, posteriors[about])
        moved = _learned_shares(self.shares, posteriors.values())
        return max((abs(self.rate(voice) - rate) for voice, rate in before.items()), default=0.0) + moved

    def penalty(self, voices: Iterable[str]) -> float:
        """The log density under the prior: of one rate for each voice, or of the one they share."""
        rates = [self.rate(voice) for voice in ([""] if self._is_shared else voices)]
        return math.fsum(
            PRIOR_RIGHT * math.log(rate) + PRIOR_WRONG * math.log(1.0 - rate) for rate in rates
        ) + math.fsum(map(math.log, self.shares.values()))

    def foretold(self, voice: str, value: str, posterior: Posterior) -> float:
        """The probability of this statement, judged from all others."""
        others = max(1, len(posterior) - 1)  # a gold label leaves one value alone
        share, rate = posterior.get(value, 0.0), self.rate(voice)
        heard = self.heard.get("" if self._is_shared else voice, 0.0)
        weight = PRIOR_RIGHT + PRIOR_WRONG + heard
        without = (weight * rate - share) / (weight - 1.0) if heard else rate
        wrong = (1.0 - rate) / others
        # What the others alone make of the object: this statement's factor is divided out again.
        so, not_so = share / rate, (1.0 - share) / wrong
        return max(_LEAST, (so * without + not_so * (1.0 - without) / others) / (so + not_so))

    def _candidates(self, said: Mapping[str, str]) -> tuple[Value, ...]:
        return self.domain or (*sorted(set(said.values())), OTHER)


class Rows:
    """For each voice and each value that is true, how often it says each value of the domain.

    The imaginary statements of the prior are shared out over the values that may be true, so that a voice
    starts with as many as under `Coins`.
    """

    __slots__ = ("_right", "_wrong", "counts", "domain", "heard", "rates", "shares")

    def __init__(self, domain: tuple[str, ...]) -> None:
        self.domain = domain
        self._right = PRIOR_RIGHT / len(domain)
        self._wrong = PRIOR_WRONG / len(domain) / max(1, len(domain) - 1)
        self.shares = _even(domain)
        self.heard: dict[tuple[str, Value], float] = {}
        self.rates: dict[str, dict[str, dict[Value, float]]] = {}

    def row(self, voice: str) -> dict[str, dict[Value, float]]:
        """For each value it may say, how often the voice says it where each of the values is true."""
        return self.rates.get(voice) or self._rates({})

    def weighed(self, said: Mapping[str, str], gold: str | None) -> tuple[Posterior, float]:
        """The posterior of the value, and the log probability of what is said."""
        logs: dict[Value, float] = {value: math.log(self.shares[value]) for value in self.domain}
        for voice, value in said.items():
            for truth, rate in self.row(voice)[value].items():
                logs[truth] += math.log(rate)
        return _normalised(logs, gold)

    def learn(self, table: Table, posteriors: Mapping[str, Posterior]) -> float:
        """Count anew under these posteriors; gives the greatest change."""
        counts: dict[str, dict[tuple[str, Value], float]] = defaultdict(lambda: defaultdict(float))
        for about, said in table.items():
            for voice, value in said.items():
                for truth, share in posteriors[about].items():
                    counts[voice][value, truth] += share
        rates = {voice: self._rates(heard) for voice, heard in counts.items()}
        moved = max(
            (
                abs(rate - self.row(voice)[value][truth])
                for voice, rows in rates.items()
                for value, row in rows.items()
                for truth, rate in row.items()
            ),
            default=0.0,
        )
        self.rates = rates
        self.heard = {
            (voice, truth): math.fsum(heard.get((value, truth), 0.0) for value in self.domain)
            for voice, heard in counts.items()
            for truth in self.domain
        }
        return moved + _learned_shares(self.shares, posteriors.values())

    def penalty(self, voices: Iterable[str]) -> float:
        """The log density under the prior, of all rows of each voice."""
        return math.fsum(
            (self._right if value == truth else self._wrong) * math.log(rate)
            for voice in voices
            for value, row in self.row(voice).items()
            for truth, rate in row.items()
        ) + math.fsum(map(math.log, self.shares.values()))

    def foretold(self, voice: str, value: str, posterior: Posterior) -> float:
        """The probability of this statement, judged from all others."""
        rates = self.row(voice)[value]
        by_others = {truth: share / rates[truth] for truth, share in posterior.items()}
        spoken = 0.0
        for truth, share in posterior.items():
            weight = self._right + self._wrong * (len(self.domain) - 1) + self.heard.get((voice, truth), 0.0)
            without = max(_LEAST, (weight * rates[truth] - share) / (weight - share))
            spoken += by_others[truth] * without
        return max(_LEAST, spoken / math.fsum(by_others.values()))

    def _rates(self, counts: Mapping[tuple[str, Value], float]) -> dict[str, dict[Value, float]]:
        rows: dict[str, dict[Value, float]] = {value: {} for value in self.domain}
        for truth in self.domain:
            heard = {
                value: counts.get((value, truth), 0.0) + (self._right if value == truth else self._wrong)
                for value in self.domain
            }
            total = math.fsum(heard.values())
            for value, count in heard.items():
                rows[value][truth] = count / total
        return rows


def _even(domain: tuple[str, ...] | None) -> dict[Value, float]:
    return {} if domain is None else dict.fromkeys(domain, 1.0 / len(domain))


def _learned_shares(shares: dict[Value, float], posteriors: Iterable[Posterior]) -> float:
    """Learn how frequent each value of the domain is, in place, with one imaginary object of each."""
    if not shares:
        return 0.0
    counts = dict.fromkeys(shares, 1.0)
    for posterior in posteriors:
        for value, share in posterior.items():
            counts[value] += share
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
