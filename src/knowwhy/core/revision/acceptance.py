"""Acceptance: where every value of a contest stands, once its literals are judged (theory §3.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from knowwhy.core.confidence import AnyTally, ConfidenceModel, Mass, Side, statement_count, weighed
from knowwhy.core.model import (
    Attribute,
    Because,
    Belief,
    Denial,
    Rule,
    Slot,
    Stance,
    Status,
    Testimony,
    Value,
    belief_id,
)
from knowwhy.core.revision.adding import is_sum
from knowwhy.core.revision.hearing import NOTHING_LEARNED, Hearing, Statement, hear, overrules
from knowwhy.core.revision.judging import Literal, Verdict, judge, literals_of
from knowwhy.core.revision.policy import AUTHORITY_THEN_RECENCY, Policy
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope

# Nothing is inferred: what most contests start from.
NOTHING_INFERRED: Final[Mapping[str, float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Case:
    """One contest as it was heard at one instant, ready to be judged."""

    attribute: Attribute
    scope: Scope
    seen: tuple[Testimony, ...]
    visible: tuple[Testimony, ...]
    hearing: Hearing
    literals: tuple[Literal, ...]

    @property
    def slot(self) -> Slot | None:
        """The slot it is about; None where nothing was ever said."""
        return self.seen[0].claim.slot if self.seen else None

    @property
    def stable_until(self) -> Instant:
        """The next instant at which it is heard otherwise."""
        return min([self.hearing.stable_until, *(one.weight.stable_until for one in self.literals)])


def settle(
    testimonies: Iterable[Testimony],
    attribute: Attribute,
    scope: Scope,
    policy: Policy = AUTHORITY_THEN_RECENCY,
    learned: Mapping[str, float] = NOTHING_LEARNED,
) -> tuple[Belief, ...]:
    """Where every value of one contest stands in `scope`, ordered by value key.

    A contest is a slot, or one value of a slot whose attribute takes many. The result depends on
    the set of testimonies alone, not on their order. `policy` is that of the memory; the
    attribute's own goes before it. `learned` are reliabilities of sources, by group. Of what is
    inferred nothing but its name is seen here: see `settle_together`.
    """
    return settle_alone(heard_case(testimonies, attribute, scope, learned), policy)


def settle_alone(case: Case, policy: Policy) -> tuple[Belief, ...]:
    """Where every value of a contest stands by what was observed of it; `policy` is that of the memory."""
    return _beliefs_of(case, judge(case.literals, policy), case.stable_until)


def settle_jointly(
    cases: Sequence[Case], denials: Sequence[Denial], policy: Policy
) -> list[tuple[Belief, ...]]:
    """Where every value of several contests stands that `denials` join; in the order of the cases."""
    verdicts = judge((literal for case in cases for literal in case.literals), policy, denials)
    # What keeps something out may cease to, or something else may begin to.
    stable_until = min((case.stable_until for case in cases), default=FOREVER)
    return [_beliefs_of(case, verdicts, stable_until) for case in cases]


def heard_case(
    testimonies: Iterable[Testimony],
    attribute: Attribute,
    scope: Scope,
    learned: Mapping[str, float] = NOTHING_LEARNED,
) -> Case:
    """One contest as it is heard in `scope`."""
    seen = sorted(
        (one for one in testimonies if one.recorded_at <= scope.known), key=lambda one: one.claim.id
    )
    visible = tuple(one for one in seen if one.is_visible(scope.known))
    hearing = hear(visible, attribute, scope, learned)
    literals = literals_of(seen[0].claim.slot, hearing, attribute, scope.valid) if seen else []
    return Case(attribute, scope, tuple(seen), visible, hearing, tuple(literals))


def _beliefs_of(
    case: Case, verdicts: Mapping[tuple[str, str, bool], Verdict], stable_until: Instant
) -> tuple[Belief, ...]:
    """The beliefs of a judged contest, which reads the same until an instant."""
    slot = case.slot
    if slot is None:
        return ()
    bench = _Bench(
        case.attribute,
        case.scope.valid,
        case.hearing,
        {key[1:]: verdict for key, verdict in verdicts.items() if key[0] == slot.id},
        _aged_and_fresh(case),
        stable_until,
        visible=_by_value(case.visible),
        spoken=_supports_by_value(case.hearing.spoken),
        is_additive=is_sum(case.visible, case.attribute, case.scope.valid),
    )
    return tuple(bench.belief(slot, value) for slot, value in _values(case.seen))


def _by_value(testimonies: Iterable[Testimony]) -> dict[str, list[Testimony]]:
    grouped: dict[str, list[Testimony]] = defaultdict(list)
    for one in testimonies:
        if one.claim.stance.is_heard:
            grouped[one.claim.value.key].append(one)
    return dict(grouped)


def _supports_by_value(statements: tuple[Statement, ...]) -> dict[str, list[Statement]]:
    grouped: dict[str, list[Statement]] = defaultdict(list)
    for one in statements:
        if one.is_support:
            grouped[one.value_key].append(one)
    return dict(grouped)


def _values(seen: Iterable[Testimony]) -> list[tuple[Slot, Value]]:
    """Each value that was ever spoken of, in its earliest writing, by key."""
    first: dict[str, Testimony] = {}
    for one in seen:
        value = one.claim.value
        if not one.claim.stance.is_heard:
            continue
        known = first.get(value.key)
        if known is None or (one.effective_at, one.claim.id) < (known.effective_at, known.claim.id):
            first[value.key] = one
    return [(one.claim.slot, one.claim.value) for _, one in sorted(first.items())]


def tallies_of(
    case: Case, inferred: Mapping[str, float] = NOTHING_INFERRED, share: float = 1.0
) -> dict[str, AnyTally]:
    """The tally of each value that anything is said for or against, or that is inferred.

    `inferred` values (by key) have so much support from premises, and no more by themselves: that is one
    voice, which counts in place of their own. It does not age by itself: its premises do. All that is heard
    keeps that `share` of its weight; but beside such a voice what speaks against it keeps all.
    """
    return _weighed(case, inferred, share)


def _aged_and_fresh(case: Case) -> dict[str, tuple[AnyTally, AnyTally]]:
    """For each value its tally, and the same as if nothing had aged."""
    counted = _weighed(case)
    fresh = counted if case.attribute.half_life_days is None else _weighed(case, is_fresh=True)
    return {key: (counted[key], fresh[key]) for key in counted}


def _weighed(
    case: Case,
    inferred: Mapping[str, float] = NOTHING_INFERRED,
    share: float = 1.0,
    *,
    is_fresh: bool = False,
) -> dict[str, AnyTally]:
    model, at, prior = _model(case.attribute), case.scope.valid, case.attribute.prior
    sides: dict[bool, dict[str, Side]] = {True: {}, False: {}}
    for one in case.literals:
        sides[one.is_support][one.value_key] = one.weight.fresh if is_fresh else one.weight.counted
    supports, refutations = sides[True], sides[False]
    voices = {
        key: Side(Mass(pinned=statement_count(model, support)), 1, support, at, is_pinned=True)
        for key, support in inferred.items()
    }
    if not voices and share < 1.0:
        supports = {key: _scaled(side, share) for key, side in supports.items()}
        refutations = {key: _scaled(side, share) for key, side in refutations.items()}
    supports |= voices
    if case.attribute.is_exclusive:
        return weighed(model, supports, refutations, at, prior)
    tallies: dict[str, AnyTally] = {}
    for key in supports.keys() | refutations.keys():
        pro = {key: supports[key]} if key in supports else {}
        contra = {key: refutations[key]} if key in refutations else {}
        tallies |= weighed(model, pro, contra, at, prior)
    return tallies


def _model(attribute: Attribute) -> ConfidenceModel:
    return attribute.confidence or ConfidenceModel.EVIDENCE


def _scaled(side: Side, share: float) -> Side:
    """The same voices with that share of their weight; of nothing there is no voice."""
    if share == 0.0:
        return Side()
    return replace(side, mass=side.mass.scaled(share), best=side.best * share)


@dataclass(frozen=True, slots=True)
class _Bench:
    """All that was found about a contest, from which each belief's standing is read off."""

    attribute: Attribute
    at: Instant
    hearing: Hearing
    verdicts: dict[tuple[str, bool], Verdict]
    tallies: dict[str, tuple[AnyTally, AnyTally]]
    stable_until: Instant
    visible: dict[str, list[Testimony]]
    spoken: dict[str, list[Statement]]
    is_additive: bool

    def belief(self, slot: Slot, value: Value) -> Belief:
        """The belief that `slot` has `value`, as it stands."""
        spoken = self.spoken.get(value.key, [])
        status, because, until = self._standing(value.key, spoken)
        tally, fresh = self.tallies.get(value.key) or self._nothing(value.key)
        verdict = self.verdicts.get((value.key, True))
        speakers = self.visible.get(value.key, [])
        supporting = [one for one in speakers if one.claim.stance is Stance.SUPPORTS]
        # Only what is heard for it confirms it: not what was asked, taken back, or follows from others.
        heard = [one.testimony for one in verdict.literal.statements] if verdict else []
        return Belief(
            id=belief_id(slot.id, value.key),
            slot=slot,
            value=value,
            status=status,
            because=because,
            tally=tally,
            since=self._since(value.key, spoken),
            until=until,
            observed_at=max((one.effective_at for one in heard or supporting or speakers), default=BEGINNING),
            authority=verdict.literal.rank.authority if verdict else 0,
            sources=verdict.literal.weight.voices if verdict else 0,
            evidence=len({one.claim.evidence_id for one in supporting}),
            settled_at=self.at,
            stable_until=self.stable_until,
            stale_from=self._stale_from(tally, fresh),
            is_additive=self.is_additive and bool(spoken),
        )

    def _nothing(self, value_key: str) -> tuple[AnyTally, AnyTally]:
        """The tallies of a value that nothing speaks for or against now."""
        model, prior = _model(self.attribute), self.attribute.prior
        silent = weighed(model, {value_key: Side()}, {}, self.at, prior)[value_key]
        return silent, silent

    def _stale_from(self, tally: AnyTally, fresh: AnyTally) -> Instant:
        """When ageing alone takes it below the threshold; never, if it was not above it when fresh."""
        threshold = self.attribute.stale_below
        if self.attribute.half_life_days is None or fresh.confidence() < threshold:
            return FOREVER
        # What has aged for so long that it sinks no further has aged all the same.
        return self.at if tally.confidence(self.at) < threshold else tally.sinks_below(threshold)

    def _standing(self, value_key: str, spoken: list[Statement]) -> tuple[Status, Because, Instant]:
        """Status, reason and end of validity of one value."""
        if (verdict := self.verdicts.get((value_key, True))) is not None:
            return self._heard(verdict, spoken)
        if (denial := self.verdicts.get((value_key, False))) is not None:
            return self._denied(denial.literal, spoken)
        if value_key not in self.visible:
            return Status.RETRACTED, Because(Rule.WITHDRAWN), FOREVER
        if not spoken and value_key in self.hearing.given_up:
            return Status.RETRACTED, Because(Rule.GIVEN_UP), FOREVER
        if not spoken:
            return Status.HYPOTHESIS, Because(Rule.NOT_ASSERTED), FOREVER
        if any(self.at < one.start < one.end for one in spoken):
            return Status.PLANNED, Because(Rule.NOT_YET), FOREVER
        if holding := [one for one in spoken if one.start <= self.at < one.end]:
            return self._replaced(holding, Because(Rule.RECENCY))
        return self._over(spoken)

    def _over(self, spoken: list[Statement]) -> tuple[Status, Because, Instant]:
        """What is over: it ended, its source says it no longer, or something had taken its place before."""
        last = max(spoken, key=lambda one: (one.end, not one.was_dropped))
        if not last.was_dropped:
            return Status.SUPERSEDED, Because(Rule.ENDED), last.end
        if any(overrules(one, last, self.attribute) for one in self.hearing.spoken):
            return self._replaced([last], Because(Rule.RECENCY))
        return Status.RETRACTED, Because(Rule.DROPPED), last.end

    def _heard(self, verdict: Verdict, spoken: list[Statement]) -> tuple[Status, Because, Instant]:
        opponent, literal = verdict.opponent, verdict.literal
        because = Because(verdict.rule, _written(opponent, beside=literal) if opponent else None)
        end = max(one.end for one in literal.statements)
        if verdict.is_tied:
            return Status.CONTESTED, because, end
        if verdict.is_accepted or opponent is None:
            return Status.ACCEPTED, because, end
        if opponent.slot.id != literal.slot.id:
            return self._excluded(verdict, opponent)
        if not opponent.is_support:
            return self._denied(opponent, spoken)
        if verdict.rule is not Rule.RECENCY and literal.rank.recency >= opponent.rank.recency:
            return Status.CHALLENGER, because, end
        if verdict.rule is Rule.CONFIDENCE:
            return Status.REJECTED, because, end
        return self._replaced(list(literal.statements), because)

    def _excluded(self, verdict: Verdict, opponent: Literal) -> tuple[Status, Because, Instant]:
        """Kept out by a declared denial, together with what is accepted about something else."""
        reason = Because(Rule.DENIED, _written(opponent, beside=verdict.literal))
        if verdict.rule is Rule.RECENCY and self.attribute.changes:
            return Status.SUPERSEDED, reason, max(one.start for one in opponent.statements)
        is_newer = verdict.literal.rank.recency > opponent.rank.recency
        return (Status.CHALLENGER if is_newer else Status.REJECTED), reason, FOREVER

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


def _written(literal: Literal, *, beside: Literal) -> str | None:
    """The value a literal speaks for, with its attribute if of another slot; None for a bare denial."""
    if not literal.is_support:
        return None
    is_near = literal.slot.id == beside.slot.id
    return str(literal.value) if is_near else f"{literal.slot.attribute} = {literal.value}"
