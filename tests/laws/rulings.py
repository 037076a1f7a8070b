"""What each policy should make of a few voices for rival values, and what giving up should leave of them."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, permutations, product

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    Attribute,
    Denial,
    Pattern,
    Schema,
    Stance,
    Testimony,
    claim_of,
    slot_of,
    value_of,
)
from knowwhy.core.revision import POLICIES, Terms
from tests.laws.pools import (
    ATTRIBUTES,
    SUBJECT,
    VALUES,
    Setting,
    named,
    source_of,
    testimony_of,
    violations,
)
from tests.laws.worlds import day

KINDS = ("correction", "official", "document", "user", "assistant", "rumour")


@dataclass(frozen=True)
class Vote:
    """One voice for a value: how high its authority, when it spoke, how often such a source is right."""

    value: str
    authority: int
    at: int
    reliability: float
    is_forced: bool = False


@dataclass(frozen=True)
class Ballot:
    """Voices of sources of their own for values that exclude each other, and by what that is settled."""

    votes: tuple[Vote, ...]
    testimonies: tuple[Testimony, ...]
    attribute: Attribute
    policy: str
    default: str

    @staticmethod
    def drawn(seed: int) -> Ballot:
        """A random ballot; times and kinds are few, so that voices meet."""
        chance = random.Random(seed)
        policy, default = chance.choices([*sorted(POLICIES), "ratio"], k=2)
        values = VALUES[: chance.choice((2, 2, 3))]
        attribute = Attribute(
            "plan",
            changes=chance.random() < 0.6,
            confidence=chance.choice((None, *ConfidenceModel)),
            policy=chance.choice((None, policy)),
        )
        votes, testimonies = [], []
        forced = chance.choice((0.0, 0.08, 0.5))
        for number in range(chance.choice((1, 2, 2, 3, 4, 5, 6))):
            source = source_of(chance.choice(KINDS), f"s{number}")
            value, at, is_forced = chance.choice(values), chance.randint(0, 4), chance.random() < forced
            claim = claim_of(f"ev{number}", slot_of(SUBJECT, "plan"), value_of(value))
            testimonies.append(testimony_of(replace(claim, is_forced=is_forced), source, day(at), number))
            votes.append(Vote(value, source.authority, at, source.reliability, is_forced))
        return Ballot(tuple(votes), tuple(testimonies), attribute, attribute.policy or default, default)

    def elected(self) -> list[str]:
        """The value that stands; where nothing settles it, all that are even."""
        for_value = {
            value: [one for one in self.votes if one.value == value]
            for value in sorted({one.value for one in self.votes})
        }
        forced = [value for value, votes in for_value.items() if any(one.is_forced for one in votes)]
        among = {value: for_value[value] for value in forced or for_value}
        if self.policy == "ratio":
            return self._by_ratio(among)
        return _best({value: self._key(votes) for value, votes in among.items()})

    def _key(self, votes: Sequence[Vote]) -> tuple[float, ...]:
        forced = [one for one in votes if one.is_forced]
        authority = 101 if forced else max(one.authority for one in votes)
        ruling = max(one.at for one in forced or votes if one.is_forced or one.authority == authority)
        latest = max(one.at for one in votes)
        mass = round(sum(map(self._mass, votes)), 9)
        if self.policy == "confidence-first":
            return mass, authority, ruling
        if self.policy == "newest":
            return latest, authority, mass
        if self.policy == "manual":
            return (authority, ruling) if authority >= 100 else (0, 0)
        return (authority, ruling, mass) if self.attribute.changes else (authority, mass, ruling)

    def _by_ratio(self, among: Mapping[str, Sequence[Vote]]) -> list[str]:
        came = {value: min(one.at for one in votes) for value, votes in among.items()}
        odds = {value: self._odds(votes) for value, votes in among.items()}
        least = {value: 1.5 * odds[value] * (1.0 + 1e-9) for value in among}  # rounding decides nothing
        first, *later = sorted(among, key=lambda value: (came[value], -odds[value], value))
        for challenger in later:
            if odds[challenger] > least[first]:
                first = challenger
        even = [
            one for one in among if came[one] == came[first] and odds[first] <= 1.5 * odds[one] * (1.0 + 1e-9)
        ]
        return sorted({first, *even})

    def _mass(self, vote: Vote) -> float:
        if self.attribute.confidence is ConfidenceModel.LOG_ODDS:
            return math.log(vote.reliability / (1.0 - vote.reliability))
        if self.attribute.confidence is ConfidenceModel.FACTORS:
            return vote.reliability
        return _counted(vote.reliability)

    def _odds(self, votes: Sequence[Vote]) -> float:
        mass = sum(map(self._mass, votes))
        if self.attribute.confidence is ConfidenceModel.LOG_ODDS:
            return math.exp(mass)
        if self.attribute.confidence is ConfidenceModel.FACTORS:
            score = max(one.reliability for one in votes) * min(1.0, 0.5 + 0.1 * len(votes))
            return score / (1.0 - score)
        return mass + 1.0


def _best(keys: Mapping[str, tuple[float, ...]]) -> list[str]:
    highest = max(keys.values())
    return [value for value in keys if keys[value] == highest]


@dataclass(frozen=True)
class Poll:
    """Voices of sources of their own about several slots, of which denials say what cannot hold together."""

    setting: Setting
    ranks: Mapping[str, tuple[float, ...]]

    @staticmethod
    def drawn(seed: int, latest: int = 6) -> Poll:
        """A random poll, settled by authority, then recency, then evidence.

        The voices speak within days up to the `latest`; the fewer, the more of them are even.
        """
        chance = random.Random(seed)
        votes: dict[tuple[str, str], list[Vote]] = defaultdict(list)
        testimonies = []
        for number in range(chance.randint(2, 9)):
            place = chance.choice(ATTRIBUTES), chance.choice(VALUES)
            source, at = source_of(chance.choice(KINDS), f"s{number}"), chance.randint(0, latest)
            claim = claim_of(f"ev{number}", slot_of(SUBJECT, place[0]), value_of(place[1]))
            forced = chance.random() < 0.08
            testimonies.append(testimony_of(replace(claim, is_forced=forced), source, day(at), number))
            votes[place].append(Vote(place[1], 101 if forced else source.authority, at, source.reliability))
        denials = []
        for number in range(chance.randint(1, 3)):
            together = chance.sample(sorted(votes), min(len(votes), chance.choice((2, 2, 3))))
            if len({attribute for attribute, _ in together}) > 1:
                denials.append(Denial(f"d{number}", tuple(Pattern("?x", *one) for one in together)))
        schema = Schema({name: Attribute(name) for name in ATTRIBUTES}, denials=tuple(denials))
        setting = Setting(tuple(testimonies), Terms(schema), day(9))
        return Poll(setting, {named(*place): _rank(those) for place, those in votes.items()})

    @property
    def is_strict(self) -> bool:
        """Whether no two are even."""
        return len(set(self.ranks.values())) == len(self.ranks)

    def accepted(self) -> list[str]:
        """What stands where no two are even."""
        return self._standing(sorted(self.ranks, key=lambda each: self.ranks[each], reverse=True))

    def outcomes(self) -> list[set[str]]:
        """What stands, for each way to put those that are even into an order; empty where many are."""
        best_first = sorted(self.ranks, key=lambda each: self.ranks[each], reverse=True)
        even = [list(those) for _, those in groupby(best_first, key=lambda each: self.ranks[each])]
        if max(map(len, even)) > 3:
            return []
        return [set(self._standing(chain.from_iterable(one))) for one in product(*map(permutations, even))]

    def _standing(self, in_order: Iterable[str]) -> list[str]:
        """What stands: each in turn, if it violates nothing with what stands already."""
        found: list[str] = []
        for one in in_order:
            if not violations(self.setting, [*found, one]):
                found.append(one)
        return found


def _rank(votes: Sequence[Vote]) -> tuple[float, ...]:
    authority = max(one.authority for one in votes)
    ruling = max(one.at for one in votes if one.authority == authority)
    return authority, ruling, round(sum(_counted(one.reliability) for one in votes), 9)


def _counted(reliability: float) -> float:
    return 2.0 * (reliability - 0.5) / (1.0 - reliability)


@dataclass(frozen=True)
class Renunciation:
    """Words for one value, and now and then that it is given up."""

    testimonies: tuple[Testimony, ...]

    @staticmethod
    def drawn(seed: int) -> Renunciation:
        """A random one."""
        chance = random.Random(seed)
        found = []
        for number in range(chance.randint(1, 7)):
            stance = Stance.GIVES_UP if chance.random() < 0.35 else Stance.SUPPORTS
            claim = claim_of(f"ev{number}", slot_of(SUBJECT, "plan"), value_of("u"), stance)
            claim = replace(claim, is_forced=chance.random() < 0.1)
            source = source_of(chance.choice(KINDS), f"s{number}")
            found.append(testimony_of(claim, source, day(chance.randint(0, 4)), number))
        return Renunciation(tuple(found))

    def counting(self) -> list[Testimony]:
        """The words that count in the end, as one hears them one after the other.

        What was said till then counts no more when the value is given up. Whoever has the authority of one
        who gave it up may speak for it again, and so may all others once none of these is in the way.
        """
        counted: list[Testimony] = []
        in_the_way: list[Testimony] = []
        in_order = sorted(
            self.testimonies, key=lambda one: (one.effective_at, one.claim.stance is Stance.GIVES_UP)
        )
        for at in sorted({one.effective_at for one in in_order}):
            said = [one for one in in_order if one.effective_at == at and one.claim.stance is Stance.SUPPORTS]
            answered = [one for one in in_the_way if any(_may_answer(word, one) for word in said)]
            left = [one for one in in_the_way if one not in answered]
            counted += [word for word in said if all(_may_answer(word, one) for one in left)]
            in_the_way = left
            given_up = [
                one for one in in_order if one.effective_at == at and one.claim.stance is Stance.GIVES_UP
            ]
            if given_up:
                counted, in_the_way = [], [*in_the_way, *given_up]
        return counted


def _may_answer(word: Testimony, guard: Testimony) -> bool:
    return _authority(word) >= _authority(guard)


def _authority(one: Testimony) -> int:
    return 101 if one.claim.is_forced else one.source.authority
