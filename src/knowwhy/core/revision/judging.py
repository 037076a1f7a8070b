"""Judging: which literals are accepted, best entrenched first, and against whom (theory §3.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowwhy.core.model import Attribute, Denial, Rule, Slot, Value
from knowwhy.core.revision.entrenchment import Rank, rank_of
from knowwhy.core.revision.hearing import Hearing, Statement, Weight, discounts_among, weigh
from knowwhy.core.revision.policy import POLICIES, Policy
from knowwhy.core.timeline import Instant


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
    def value(self) -> Value:
        """The value it speaks about, as its first statement writes it."""
        return self.statements[0].testimony.claim.value


@dataclass(slots=True)
class Verdict:
    """What became of a literal: accepted against its strongest `opponent`, or beaten by it, by which rule."""

    literal: Literal
    is_accepted: bool = True
    opponent: Literal | None = None
    rule: Rule = Rule.UNOPPOSED
    is_tied: bool = False


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


def judge(
    literals: Iterable[Literal], policy: Policy, denials: Sequence[Denial] = ()
) -> dict[tuple[str, str, bool], Verdict]:
    """Greedy acceptance: a literal is accepted unless what is accepted already excludes it.

    The literals are those of one contest, or of several that `denials` join; all of one policy.
    """
    verdicts: dict[tuple[str, str, bool], Verdict] = {}
    accepted: list[Verdict] = []
    for literal in _ranked(list(literals), policy):
        verdict = Verdict(literal)
        verdicts[literal.key] = verdict
        winner = _excluder(accepted, literal, denials)
        if winner is None:
            accepted.append(verdict)
            continue
        verdict.is_accepted = False
        verdict.opponent = winner.literal
        verdict.rule = _beats(winner.literal, literal, policy)
        verdict.is_tied = verdict.rule is Rule.TIE
        if winner.opponent is None or (verdict.is_tied and not winner.is_tied):
            winner.opponent, winner.rule = literal, verdict.rule
        winner.is_tied = winner.is_tied or verdict.is_tied
    return verdicts


def _ranked(literals: list[Literal], policy: Policy) -> list[Literal]:
    """The literals, most entrenched first."""
    by_name = sorted(literals, key=lambda one: one.key)
    if policy.odds_ratio is None:
        changes = any(one.attribute.changes for one in by_name)
        order = policy.order(changes=changes)
        return sorted(by_name, key=lambda one: one.rank.key(order), reverse=True)
    # The one that stands is challenged by each later one in turn; the losers follow, the latest first.
    by_time = sorted(by_name, key=lambda one: (one.rank.recency, one.rank.mass))
    standing = by_time[:1]
    for challenger in by_time[1:]:
        if _odds(challenger) > policy.odds_ratio * _odds(standing[0]):
            standing = [challenger]
    losers = [one for one in reversed(by_time) if one not in standing]
    return standing + losers


def _odds(literal: Literal) -> float:
    """The odds that its evidence, of so much mass before any ageing, gives it by itself."""
    return literal.rank.mass + 1.0


def _beats(winner: Literal, loser: Literal, policy: Policy) -> Rule:
    if policy.odds_ratio is not None:
        return Rule.CONFIDENCE
    changes = winner.attribute.changes or loser.attribute.changes
    return winner.rank.beats(loser.rank, policy.order(changes=changes))


def _excluder(accepted: list[Verdict], literal: Literal, denials: Sequence[Denial]) -> Verdict | None:
    """The accepted literal that keeps this one out: its own denial if there is one, for that says most."""
    excluding = [one for one in accepted if _excludes(one.literal, literal)]
    if excluding:
        return max(excluding, key=lambda one: one.literal.value_key == literal.value_key)
    for denial in denials:
        if (last := _denied_by(denial, accepted, literal)) is not None:
            return last
    return None


def _excludes(one: Literal, other: Literal) -> bool:
    if one.slot.id != other.slot.id:
        return False
    if one.value_key == other.value_key:
        return one.is_support is not other.is_support
    return one.attribute.is_exclusive and one.is_support and other.is_support


def _denied_by(denial: Denial, accepted: list[Verdict], literal: Literal) -> Verdict | None:
    """The least entrenched of the accepted literals that, by this denial, leave no room for one more."""
    if not literal.is_support:
        return None
    mates: list[Verdict] = []
    is_concerned = False
    for statement in denial.statements:
        if statement.fits(literal.slot, literal.value):
            is_concerned = True
            continue
        met = [
            one
            for one in accepted
            if one.literal.is_support and statement.fits(one.literal.slot, one.literal.value)
        ]
        if not met:
            return None
        mates.append(met[0])
    return max(mates, key=accepted.index) if is_concerned and mates else None
