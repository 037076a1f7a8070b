"""Acceptance: the maximal consistent subset of what was said, best entrenched first (theory §3.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter

from knowwhy.core.confidence import Mass, Tally, compete
from knowwhy.core.model import (
    Attribute,
    Because,
    Belief,
    Rule,
    Slot,
    Stance,
    Status,
    Testimony,
    Value,
    belief_id,
)
from knowwhy.core.revision.entrenchment import Rank, rank_of
from knowwhy.core.revision.hearing import (
    Hearing,
    Statement,
    Weight,
    discounts_among,
    hear,
    overrules,
    weigh,
)
from knowwhy.core.revision.policy import AUTHORITY_THEN_RECENCY, Policy
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope


@dataclass(frozen=True, slots=True)
class Literal:
    """One side of one value, that it holds or that it does not, with its statements and rank."""

    value_key: str
    is_support: bool
    statements: tuple[Statement, ...]
    weight: Weight
    rank: Rank


@dataclass(slots=True)
class Verdict:
    """What became of a literal: accepted against its strongest `opponent`, or beaten by it, by which rule."""

    literal: Literal
    is_accepted: bool = True
    opponent: Literal | None = None
    rule: Rule = Rule.UNOPPOSED
    is_tied: bool = False


def settle(
    testimonies: Iterable[Testimony],
    attribute: Attribute,
    scope: Scope,
    policy: Policy = AUTHORITY_THEN_RECENCY,
) -> tuple[Belief, ...]:
    """Where every value of one contest stands in `scope`, ordered by value key.

    A contest is a slot, or one value of a slot whose attribute takes many. The result depends on
    the set of testimonies alone, not on their order.
    """
    seen = sorted(
        (one for one in testimonies if one.recorded_at <= scope.known), key=lambda one: one.claim.id
    )
    visible = [one for one in seen if one.is_visible(scope.known)]
    hearing = hear(visible, attribute, scope)
    literals = _literals(hearing, attribute, scope.valid)
    verdicts = _judge(literals, attribute, policy)
    tallies = _tallies(literals, attribute, scope.valid)
    stable_until = min((literal.weight.stable_until for literal in literals), default=FOREVER)
    bench = _Bench(
        attribute,
        scope.valid,
        hearing,
        verdicts,
        tallies,
        min(stable_until, hearing.stable_until),
        visible=_by_value(visible),
        spoken=_supports_by_value(hearing.spoken),
    )
    return tuple(bench.belief(slot, value) for slot, value in _values(seen))


def _by_value(testimonies: list[Testimony]) -> dict[str, list[Testimony]]:
    grouped: dict[str, list[Testimony]] = defaultdict(list)
    for one in testimonies:
        if one.claim.stance is not Stance.ENDS:
            grouped[one.claim.value.key].append(one)
    return dict(grouped)


def _supports_by_value(statements: tuple[Statement, ...]) -> dict[str, list[Statement]]:
    grouped: dict[str, list[Statement]] = defaultdict(list)
    for one in statements:
        if one.is_support:
            grouped[one.value_key].append(one)
    return dict(grouped)


def _values(seen: list[Testimony]) -> list[tuple[Slot, Value]]:
    """Each value that was ever spoken of, in its earliest writing, by key."""
    first: dict[str, Testimony] = {}
    for one in seen:
        value = one.claim.value
        if one.claim.stance is Stance.ENDS:
            continue
        known = first.get(value.key)
        if known is None or (one.effective_at, one.claim.id) < (known.effective_at, known.claim.id):
            first[value.key] = one
    return [(one.claim.slot, one.claim.value) for _, one in sorted(first.items())]


def _literals(hearing: Hearing, attribute: Attribute, at: Instant) -> list[Literal]:
    sides: dict[tuple[str, bool], list[Statement]] = defaultdict(list)
    for one in hearing.heard:
        sides[one.value_key, one.is_support].append(one)
    discounts = discounts_among(hearing.heard, attribute)
    literals = []
    for (value_key, is_support), statements in sides.items():
        weight = weigh(statements, discounts, attribute, at)
        literals.append(
            Literal(value_key, is_support, tuple(statements), weight, rank_of(statements, weight.raw))
        )
    return literals


def _tallies(literals: list[Literal], attribute: Attribute, at: Instant) -> dict[str, tuple[Tally, Tally]]:
    """For each value its tally, and the same as if nothing had aged."""
    pro = {one.value_key: one.weight for one in literals if one.is_support}
    contra = {one.value_key: one.weight for one in literals if not one.is_support}
    contests = [pro.keys() | contra.keys()] if attribute.is_exclusive else [{key} for key in pro | contra]
    tallies: dict[str, tuple[Tally, Tally]] = {}
    for keys in contests:
        for_it = {key: pro[key] for key in keys if key in pro}
        against = {key: contra[key] for key in keys if key in contra}
        half_life = attribute.half_life_days
        counted = compete(_parts(for_it, _counted), _parts(against, _counted), at, half_life)
        fresh = counted
        if half_life is not None:
            fresh = compete(_parts(for_it, _fresh), _parts(against, _fresh), at, half_life)
        tallies.update({key: (counted[key], fresh[key]) for key in keys})
    return tallies


_counted = attrgetter("counted")
_fresh = attrgetter("fresh")


def _parts(weights: dict[str, Weight], part: Callable[[Weight], Mass]) -> dict[str, Mass]:
    return {key: part(weight) for key, weight in weights.items()}


def _judge(literals: list[Literal], attribute: Attribute, policy: Policy) -> dict[tuple[str, bool], Verdict]:
    """Greedy acceptance: a literal is accepted unless an already accepted one excludes it."""
    order = policy.order(changes=attribute.changes)
    ranked = sorted(literals, key=lambda one: (one.value_key, one.is_support))
    ranked.sort(key=lambda one: one.rank.key(order), reverse=True)
    verdicts: dict[tuple[str, bool], Verdict] = {}
    accepted: list[Verdict] = []
    for literal in ranked:
        verdict = Verdict(literal)
        verdicts[literal.value_key, literal.is_support] = verdict
        winner = _excluder(accepted, literal, attribute)
        if winner is None:
            accepted.append(verdict)
            continue
        verdict.is_accepted = False
        verdict.opponent = winner.literal
        verdict.rule = winner.literal.rank.beats(literal.rank, order)
        verdict.is_tied = verdict.rule is Rule.TIE
        if winner.opponent is None or (verdict.is_tied and not winner.is_tied):
            winner.opponent, winner.rule = literal, verdict.rule
        winner.is_tied = winner.is_tied or verdict.is_tied
    return verdicts


def _excluder(accepted: list[Verdict], literal: Literal, attribute: Attribute) -> Verdict | None:
    """The accepted literal that keeps this one out: its own denial if there is one, for that says most."""
    excluding = [one for one in accepted if _excludes(one.literal, literal, attribute)]
    return max(excluding, key=lambda one: one.literal.value_key == literal.value_key, default=None)


def _excludes(one: Literal, other: Literal, attribute: Attribute) -> bool:
    if one.value_key == other.value_key:
        return one.is_support is not other.is_support
    return attribute.is_exclusive and one.is_support and other.is_support


@dataclass(frozen=True, slots=True)
class _Bench:
    """All that was found about a contest, from which each belief's standing is read off."""

    attribute: Attribute
    at: Instant
    hearing: Hearing
    verdicts: dict[tuple[str, bool], Verdict]
    tallies: dict[str, tuple[Tally, Tally]]
    stable_until: Instant
    visible: dict[str, list[Testimony]]
    spoken: dict[str, list[Statement]]

    def belief(self, slot: Slot, value: Value) -> Belief:
        """The belief that `slot` has `value`, as it stands."""
        spoken = self.spoken.get(value.key, [])
        status, because, until = self._standing(value.key, spoken)
        nothing = Tally(self.at, self.attribute.half_life_days)
        tally, fresh = self.tallies.get(value.key, (nothing, nothing))
        verdict = self.verdicts.get((value.key, True))
        speakers = self.visible.get(value.key, [])
        supporting = [one for one in speakers if one.claim.stance is Stance.SUPPORTS]
        return Belief(
            id=belief_id(slot.id, value.key),
            slot=slot,
            value=value,
            status=status,
            because=because,
            tally=tally,
            since=self._since(value.key, spoken),
            until=until,
            observed_at=max((one.effective_at for one in supporting or speakers), default=BEGINNING),
            authority=verdict.literal.rank.authority if verdict else 0,
            sources=verdict.literal.weight.voices if verdict else 0,
            evidence=len({one.claim.evidence_id for one in supporting}),
            settled_at=self.at,
            stable_until=self.stable_until,
            stale_from=self._stale_from(tally, fresh),
        )

    def _stale_from(self, tally: Tally, fresh: Tally) -> Instant:
        """When ageing alone takes it below the threshold; never, if it was not above it when fresh."""
        threshold = self.attribute.stale_below
        if self.attribute.half_life_days is None or fresh.confidence() < threshold:
            return FOREVER
        return tally.sinks_below(threshold)

    def _standing(self, value_key: str, spoken: list[Statement]) -> tuple[Status, Because, Instant]:
        """Status, reason and end of validity of one value."""
        if (verdict := self.verdicts.get((value_key, True))) is not None:
            return self._heard(verdict, spoken)
        if (denial := self.verdicts.get((value_key, False))) is not None:
            return self._denied(denial.literal, spoken)
        if value_key not in self.visible:
            return Status.RETRACTED, Because(Rule.WITHDRAWN), FOREVER
        if not spoken:
            return Status.HYPOTHESIS, Because(Rule.NOT_ASSERTED), FOREVER
        if any(one.start > self.at for one in spoken):
            return Status.PLANNED, Because(Rule.NOT_YET), FOREVER
        if holding := [one for one in spoken if one.start <= self.at < one.end]:
            return self._replaced(holding, Because(Rule.RECENCY))
        return Status.SUPERSEDED, Because(Rule.ENDED), max(one.end for one in spoken)

    def _heard(self, verdict: Verdict, spoken: list[Statement]) -> tuple[Status, Because, Instant]:
        opponent, literal = verdict.opponent, verdict.literal
        because = Because(verdict.rule, _written(opponent) if opponent else None)
        end = max(one.end for one in literal.statements)
        if verdict.is_tied:
            return Status.CONTESTED, because, end
        if verdict.is_accepted or opponent is None:
            return Status.ACCEPTED, because, end
        if not opponent.is_support:
            return self._denied(opponent, spoken)
        if verdict.rule is not Rule.RECENCY and literal.rank.recency >= opponent.rank.recency:
            return Status.CHALLENGER, because, end
        if verdict.rule is Rule.CONFIDENCE:
            return Status.REJECTED, because, end
        return self._replaced(list(literal.statements), because)

    def _denied(self, denial: Literal, spoken: list[Statement]) -> tuple[Status, Because, Instant]:
        """Refuted: never so, unless it was so before the denial begins to hold."""
        begins = min(one.start for one in denial.statements)
        was_so = self.attribute.changes and any(one.start < begins for one in spoken)
        status = Status.SUPERSEDED if was_so else Status.REJECTED
        return status, Because(Rule.REFUTED), begins if was_so else FOREVER

    def _replaced(self, holding: list[Statement], because: Because) -> tuple[Status, Because, Instant]:
        """What has taken its place: the first word of its own sources, or of no weaker ones, that came after.

        Nothing takes the place of what is fixed, nor of what names the same beginning: then it was wrong.
        """
        latest = max(holding, key=lambda one: (one.recency, one.testimony.claim.id))
        word = min(
            (one for one in self.hearing.spoken if overrules(one, latest, self.attribute)),
            key=lambda one: (one.start, one.testimony.claim.id),
            default=None,
        )
        if word is None:
            return Status.REJECTED, because, FOREVER
        status = Status.SUPERSEDED if self.attribute.changes else Status.REJECTED
        return status, Because(Rule.RECENCY, str(word.testimony.claim.value)), word.start

    def _since(self, value_key: str, spoken: list[Statement]) -> Instant:
        """The beginning of the value's present run: after the last no weaker word for another value."""
        starts = sorted(one.start for one in spoken if one.start <= self.at)
        if not starts:
            return min((one.start for one in spoken), default=BEGINNING)
        if not self.attribute.is_exclusive:
            return starts[0]
        last, authority = starts[-1], max(one.authority for one in spoken)
        rivals = (
            one.start
            for one in self.hearing.spoken
            if one.is_support and one.value_key != value_key and one.authority >= authority
        )
        broken = max((start for start in rivals if start < last), default=BEGINNING)
        return next(start for start in starts if start > broken or start == last)


def _written(literal: Literal) -> str | None:
    """The value a literal speaks for; None for a bare denial."""
    return str(literal.statements[0].testimony.claim.value) if literal.is_support else None
