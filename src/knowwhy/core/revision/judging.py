"""Judging: which literals are accepted, best entrenched first, and against whom (theory §3.3)."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Final

from knowwhy.core.confidence import ConfidenceModel, Mass, Side, weighed
from knowwhy.core.model import Attribute, Denial, Rule, Slot, Value, belief_id
from knowwhy.core.revision.contests import ContestKey, contest_key
from knowwhy.core.revision.entrenchment import Rank, rank_of
from knowwhy.core.revision.hearing import Hearing, Statement, Weight, discounts_among, weigh
from knowwhy.core.revision.policy import POLICIES, Policy
from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Literal:
    """One side of one value, that it holds or that it does not, with its statements and rank."""

    slot: Slot
    attribute: Attribute
    value_key: str
    is_support: bool
    statements: tuple[Statement, ...]
    weight: Weight
    rank: Rank

    @property
    def key(self) -> tuple[str, str, bool]:
        """What tells it from all others."""
        return self.slot.id, self.value_key, self.is_support

    @property
    def belief(self) -> str:
        """The id of the belief it speaks for or against."""
        return belief_id(self.slot.id, self.value_key)

    @property
    def contest(self) -> ContestKey:
        """What it competes in."""
        return contest_key(self.slot, self.value_key, self.attribute)

    @property
    def value(self) -> Value:
        """The value it speaks about, as its first statement writes it."""
        return self.statements[0].testimony.claim.value


@dataclass(slots=True)
class Verdict:
    """What became of a literal: accepted against its strongest `opponent`, or beaten by it, by which rule.

    It `is_tied` where nothing settles it against its opponent, or where it hangs on what is tied; it is
    `even` with what it cannot hold together with and nothing settles.
    """

    literal: Literal
    is_accepted: bool = True
    opponent: Literal | None = None
    rule: Rule = Rule.UNOPPOSED
    is_tied: bool = False
    even: list[Literal] = field(default_factory=list)


# So that rounding is never what makes the difference.
_A_HAIR_MORE: Final = 1.0 + 1e-9

Verdicts = dict[tuple[str, str, bool], Verdict]


def literals_of(slot: Slot, hearing: Hearing, attribute: Attribute, at: Instant) -> list[Literal]:
    """The literals that are spoken for in one contest."""
    sides: dict[tuple[str, bool], list[Statement]] = defaultdict(list)
    for one in hearing.heard:
        sides[one.value_key, one.is_support].append(one)
    discounts = discounts_among(hearing.heard, attribute)
    literals = []
    for (value_key, is_support), statements in sides.items():
        weight = weigh(statements, discounts, attribute, at)
        rank = rank_of(statements, weight.raw)
        literals.append(Literal(slot, attribute, value_key, is_support, tuple(statements), weight, rank))
    return literals


def policy_for(attribute: Attribute, default: Policy) -> Policy:
    """The policy by which conflicts about an attribute are settled."""
    return default if attribute.policy is None else POLICIES[attribute.policy]


def judge(literals: Iterable[Literal], default: Policy, denials: Sequence[Denial] = ()) -> Verdicts:
    """Greedy acceptance: a literal is accepted unless what is accepted already excludes it.

    The literals are those of one contest, or of several that `denials` join. Within a contest its own
    policy decides; between contests the one that they share, or else the `default`.
    """
    given = list(literals)
    if len(given) == 1:
        return {given[0].key: Verdict(given[0])}
    return _Court(given, default, denials).verdicts()


class _Court:
    """Literals that may exclude each other, and by what that is settled."""

    def __init__(self, literals: list[Literal], default: Policy, denials: Sequence[Denial]) -> None:
        self._default = default
        self._denials = denials
        self._literals = sorted(literals, key=lambda one: one.key)
        self._changes = any(one.attribute.changes for one in literals)
        policies = {policy_for(one.attribute, default).name for one in literals}
        self._between = POLICIES.get(policies.pop(), default) if len(policies) == 1 else default
        if len(policies) > 1 and default.odds_ratio is not None:
            # Where others decide beside it, what came first is no order for all.
            self._between = replace(default, odds_ratio=None)

    def verdicts(self) -> Verdicts:
        """What becomes of each literal."""
        verdicts: Verdicts = {}
        accepted: list[Verdict] = []
        undecided: list[Verdict] = []
        for literal in self._ranked():
            verdict = verdicts[literal.key] = Verdict(literal)
            excluding = list(self._excluding(accepted, literal))
            if excluding:
                self._refuse(verdict, excluding, accepted)
            elif mate := self._undecided_rival(accepted, undecided, literal):
                verdict.is_accepted, verdict.is_tied = False, True
                verdict.opponent, verdict.rule = mate.literal, Rule.TIE
            if verdict.is_tied:
                undecided.append(verdict)
            elif verdict.is_accepted:
                accepted.append(verdict)
        while any(self._is_unsettled(one, verdicts, accepted, undecided) for one in verdicts.values()):
            pass
        return verdicts

    def _is_unsettled(
        self, verdict: Verdict, verdicts: Verdicts, accepted: list[Verdict], undecided: list[Verdict]
    ) -> bool:
        """Whether a tie reaches further by this one: there is no more to do once none does.

        What was refused for the sake of what then turned out to be tied is undecided too, and so is what
        a tied one could stand in the place of.
        """
        if verdict.is_tied:
            denied = [_denied_by(each, [*accepted, *undecided], verdict.literal) for each in self._denials]
            even = {id(one): one for mates in denied for one in mates if self._is_even(one, verdict.literal)}
            for one in even.values():
                _tie(one, verdict)
            return bool(even)
        opponent = verdict.opponent
        if verdict.is_accepted or opponent is None:
            return False
        if self._is_open(verdicts[opponent.key], verdict.literal, accepted):
            verdict.is_tied, verdict.rule = True, Rule.TIE
            undecided.append(verdict)
        return verdict.is_tied

    def _is_even(self, standing: Verdict, literal: Literal) -> bool:
        """Whether what stands for sure has nothing over a literal that it leaves no room for."""
        return not standing.is_tied and self._are_even(standing.literal, literal)

    def _are_even(self, one: Literal, other: Literal) -> bool:
        return self._beats(one, other) is Rule.TIE and self._beats(other, one) is Rule.TIE

    def _refuse(self, verdict: Verdict, excluding: list[Verdict], accepted: list[Verdict]) -> None:
        """A literal gives way to what excludes it: to what beats it, and to its own denial, if any."""
        judged = [(one, self._beats(one.literal, verdict.literal)) for one in excluding]
        firm = [
            one
            for one in judged
            if one[1] is not Rule.TIE and not self._is_open(one[0], verdict.literal, accepted)
        ]
        winner, rule = max(firm or judged, key=lambda one: one[0].literal.belief == verdict.literal.belief)
        verdict.is_accepted, verdict.is_tied = False, not firm
        verdict.opponent, verdict.rule = winner.literal, rule if firm else Rule.TIE
        for one, its_rule in [(winner, rule)] if firm else judged:
            if its_rule is Rule.TIE:
                _tie(one, verdict)
            elif one.opponent is None:
                one.opponent, one.rule = verdict.literal, its_rule

    def _is_open(self, winner: Verdict, loser: Literal, accepted: list[Verdict]) -> bool:
        """Whether what keeps a literal out may fall to something that leaves room for it."""
        if not winner.is_tied:
            return False
        sure = [one for one in accepted if not one.is_tied and not self._is_even(one, loser)]
        return not winner.even or any(
            not _excludes(one, loser)
            and not any(_denied_by(denial, [*sure, Verdict(one)], loser) for denial in self._denials)
            for one in winner.even
        )

    def _excluding(self, accepted: list[Verdict], literal: Literal) -> Iterator[Verdict]:
        """The accepted literals that keep this one out."""
        for one in accepted:
            if _excludes(one.literal, literal):
                yield one
        for denial in self._denials:
            if mates := _denied_by(denial, accepted, literal):
                yield max(
                    mates,
                    key=lambda one: (
                        self._are_even(one.literal, literal),
                        one.is_tied,
                        accepted.index(one),
                    ),
                )

    def _undecided_rival(
        self, accepted: list[Verdict], undecided: list[Verdict], literal: Literal
    ) -> Verdict | None:
        """What is tied elsewhere and keeps the literal out if it comes to hold."""
        for one in undecided:
            if _excludes(one.literal, literal):
                return one
        for denial in self._denials:
            for mate in _denied_by(denial, [*accepted, *undecided], literal):
                if mate.is_tied:
                    return mate
        return None

    # The order ----------------------------------------------------------------------------------

    def _ranked(self) -> list[Literal]:
        """The literals, most entrenched first, each contest in the order of its own policy."""
        if self._between.odds_ratio is not None:
            return self._by_odds(self._literals, self._between.odds_ratio, self._denials)
        contests: dict[ContestKey, list[Literal]] = defaultdict(list)
        for one in self._literals:
            contests[one.contest].append(one)
        if len(contests) == 1:
            return self._ordered(self._literals)
        queues = [deque(self._ordered(those)) for those in contests.values()]
        order = self._between.order(changes=self._changes)
        found = []
        while queues:
            first = max(queues, key=lambda queue: queue[0].rank.key(order))
            found.append(first.popleft())
            queues = [queue for queue in queues if queue]
        return found

    def _ordered(self, contest: list[Literal]) -> list[Literal]:
        """The literals of one contest, most entrenched first."""
        attribute = contest[0].attribute
        policy = policy_for(attribute, self._default)
        if policy.odds_ratio is not None:
            return self._by_odds(contest, policy.odds_ratio, ())
        order = policy.order(changes=attribute.changes)
        # What its own policy leaves even meets what is outside in the order that holds there.
        beyond = self._between.order(changes=self._changes)
        return sorted(contest, key=lambda one: (one.rank.key(order), one.rank.key(beyond)), reverse=True)

    def _by_odds(self, literals: list[Literal], ratio: float, denials: Sequence[Denial]) -> list[Literal]:
        """What stands when each has challenged what came before; the losers follow, the latest first."""
        by_time = sorted(literals, key=lambda one: (one.rank.came_at, -_odds(one)))
        standing: list[Literal] = []
        for challenger in by_time:
            rivals = [one for one in standing if _excludes(one, challenger)]
            met = (_denied_by(denial, list(map(Verdict, standing)), challenger) for denial in denials)
            rivals += [min((one.literal for one in mates), key=_odds) for mates in met if mates]
            if all(_outbids(challenger, one, ratio) for one in rivals):
                standing = [*(one for one in standing if one not in rivals), challenger]
        losers = [one for one in reversed(by_time) if one not in standing]
        return sorted([*standing, *losers], key=lambda one: one.rank.is_forced, reverse=True)

    def _beats(self, winner: Literal, loser: Literal) -> Rule:
        """The rule by which the one ranked higher settles it; TIE where none does."""
        is_own = winner.contest == loser.contest
        policy = policy_for(winner.attribute, self._default) if is_own else self._between
        if policy.odds_ratio is None:
            changes = winner.attribute.changes if is_own else self._changes
            return winner.rank.beats(loser.rank, policy.order(changes=changes))
        if winner.rank.is_forced is not loser.rank.is_forced:
            return Rule.AUTHORITY
        is_later = winner.rank.came_at != loser.rank.came_at
        return Rule.CONFIDENCE if is_later or _outbids(winner, loser, policy.odds_ratio) else Rule.TIE


def _outbids(challenger: Literal, standing: Literal, ratio: float) -> bool:
    """Whether a challenger has so much better odds than what stands; what is forced has the best."""
    if challenger.rank.is_forced is not standing.rank.is_forced:
        return challenger.rank.is_forced
    return _odds(challenger) > ratio * _odds(standing) * _A_HAIR_MORE


def _odds(literal: Literal) -> float:
    """The odds that its evidence gives it by itself, before any ageing."""
    model = literal.attribute.confidence or ConfidenceModel.EVIDENCE
    best = min(1.0, max(one.count for one in literal.statements))
    side = Side(Mass(pinned=literal.rank.mass), literal.weight.voices, best, is_pinned=True)
    (alone,) = weighed(model, {"": side}, {}, BEGINNING, literal.attribute.prior).values()
    share = alone.confidence()
    return share / (1.0 - share) if share < 1.0 else math.inf


def _tie(standing: Verdict, other: Verdict) -> None:
    """Nothing settles these two against each other: neither stands for sure."""
    if standing.opponent is None or not standing.is_tied:
        standing.opponent, standing.rule = other.literal, Rule.TIE
    standing.is_tied = True
    standing.even.append(other.literal)
    other.even.append(standing.literal)


def _excludes(one: Literal, other: Literal) -> bool:
    if one.slot.id != other.slot.id:
        return False
    if one.value_key == other.value_key:
        return one.is_support is not other.is_support
    return one.attribute.is_exclusive and one.is_support and other.is_support


def _denied_by(denial: Denial, accepted: Sequence[Verdict], literal: Literal) -> list[Verdict]:
    """The best entrenched literals that, by this denial, leave no room for one more; or none.

    They can hold together, and with it, but for the denial: what excludes each other anyway violates none.
    """
    if not literal.is_support:
        return []
    others = [one for one in denial.statements if not one.fits(literal.slot, literal.value)]
    if len(others) == len(denial.statements):
        return []
    met = [
        [
            one
            for one in accepted
            if one.literal.is_support
            and statement.fits(one.literal.slot, one.literal.value)
            and not _excludes(one.literal, literal)
        ]
        for statement in others
    ]
    return next((list(mates) for mates in product(*met) if _are_compatible(mates)), [])


def _are_compatible(verdicts: Iterable[Verdict]) -> bool:
    return not any(_excludes(one.literal, other.literal) for one, other in combinations(verdicts, 2))
