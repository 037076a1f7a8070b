"""What is derived: labels and support of beliefs that follow from accepted premises (theory §2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from knowwhy.core.confidence import Tally
from knowwhy.core.derivation import Justification, Label, exclusive, labels, supports
from knowwhy.core.model import (
    Because,
    Belief,
    Denial,
    Derivation,
    Rule,
    Schema,
    Slot,
    Stance,
    Status,
    Value,
    belief_id,
)
from knowwhy.core.revision.acceptance import Case, tallies_of
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.hearing import ended_at, guards_among
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope

_Settled = Mapping[ContestKey, tuple[Case, tuple[Belief, ...]]]
_STANDING = (Status.ACCEPTED, Status.CONTESTED)


@dataclass(frozen=True, slots=True)
class Inference:
    """What follows: the label of each conclusion, what premises lend to it, and what of them applies.

    `conclusions` are all beliefs (by id) that anything justifies, whether it applies or not; `lent` is
    the support of those that have more from premises than from their own evidence. `standing` holds the
    observed beliefs they were drawn from, `blocked` what leaves no room for a conclusion, and `ended`
    when it was said to cease.
    """

    labels: Mapping[str, Label] = field(default_factory=dict)
    lent: Mapping[str, float] = field(default_factory=dict)
    applying: Mapping[str, tuple[Derivation, ...]] = field(default_factory=dict)
    best: Mapping[str, Derivation] = field(default_factory=dict)
    conclusions: frozenset[str] = frozenset()
    standing: Mapping[str, Belief] = field(default_factory=dict)
    blocked: Mapping[str, Belief] = field(default_factory=dict)
    ended: Mapping[str, Instant] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A justification with what it concludes, and until when that can hold."""

    slot: Slot
    value: Value
    justification: Justification
    until: Instant

    @property
    def id(self) -> str:
        """The belief it concludes."""
        return self.justification.conclusion


def inferences(
    settled: _Settled, scope: Scope, schema: Schema, shares: Mapping[ContestKey, float]
) -> Inference:
    """What follows from the accepted beliefs of some contests by the derivations among their testimony.

    Observed words outrank what is merely derived: a conclusion is blocked where a rival, or what a denial
    says it cannot hold together with, is accepted or contested. Conclusions that exclude each other, and
    what hangs on itself by exceptions, are undecided. Of the evidence on a contest that is in doubt no
    more than its share carries what rests on it.
    """
    standing = {one.id: one for _, beliefs in settled.values() for one in beliefs}
    drawn = [one for case, _ in settled.values() for one in _drawn(case)]
    live = [one for one in drawn if scope.valid < one.until]
    given = [one.justification for one in live]
    blocked = _blocked(settled, live)
    rooms = _Rooms(schema, (one for one in standing.values() if one.status in _STANDING), live)
    blocked |= {one.id: mate for one in live if one.id not in blocked and (mate := rooms.taken(one))}
    rivals, meetings = _rivals(settled, live, blocked), rooms.shared(blocked)
    for one in meetings:
        rivals[one.conclusion] = rivals.get(one.conclusion, frozenset()) | {one.rule}
    held = {one.id for one in standing.values() if one.status is Status.ACCEPTED} - blocked.keys()
    contested = {one.id for one in standing.values() if one.status is Status.CONTESTED} - blocked.keys()
    label = labels(
        held,
        [*exclusive(given, rivals), *(replace(one, conclusion=one.rule) for one in meetings)],
        blocked=blocked.keys(),
        undecided=contested,
    )
    applying = _applying(given, label)
    numbers = _Numbers(settled, held | contested, shares, scope.valid)
    lent, best = numbers.of(applying)
    likely = _likely(given, label)
    return Inference(
        labels={one.id: label.get(one.id, Label.OUT) for one in drawn},
        lent=lent,
        applying={one: tuple(map(_derivation, those)) for one, those in applying.items()},
        best={one: _derivation(via) for one, via in best.items()},
        conclusions=frozenset(one.id for one in drawn),
        standing=standing,
        blocked={one: rival for one, rival in blocked.items() if one in likely},
        ended=_ended(drawn),
    )


class _Numbers:
    """How far what follows is supported: no further than its premises are, as they are read."""

    def __init__(
        self, settled: _Settled, observed: set[str], shares: Mapping[ContestKey, float], at: Instant
    ) -> None:
        self._observed = observed
        self._beliefs = {
            one.id: (one, case, shares.get(key, 1.0))
            for key, (case, beliefs) in settled.items()
            for one in beliefs
        }
        self._at = at

    def of(
        self, applying: Mapping[str, list[Justification]]
    ) -> tuple[dict[str, float], dict[str, Justification]]:
        """What premises lend to each conclusion that has no more by itself, and the best justification."""
        disbelief = {one: _disbelief(self._beliefs[one][0], self._at) for one in applying}
        found = supports(
            {one: self._own(one) for one in self._observed},
            [one for those in applying.values() for one in those],
            disbelief=disbelief,
            read=self._read,
        )
        lent, best = {}, {}
        for one, those in applying.items():
            via = found[one].via
            best[one] = those[0] if via is None else via
            if via is not None or one not in self._observed:
                weakest = min((found[premise].value for premise in best[one].premises), default=1.0)
                lent[one] = best[one].lends(weakest, disbelief[one])
        return lent, best

    def _own(self, observed: str) -> float:
        belief, _, share = self._beliefs[observed]
        return belief.tally.scaled(share).confidence(self._at)

    def _read(self, conclusion: str, lent: float) -> float:
        """As how sure a conclusion is read to which so much is lent."""
        belief, case, share = self._beliefs[conclusion]
        key = belief.value.key
        return tallies_of(case, {key: lent}, share)[key].confidence(self._at)


def _likely(given: Iterable[Justification], label: Mapping[str, Label]) -> frozenset[str]:
    """What would follow, or might, if nothing left no room for it."""
    return frozenset(
        one.conclusion
        for one in given
        if all(label.get(premise, Label.OUT) is not Label.OUT for premise in one.premises)
        and all(label.get(exception, Label.OUT) is not Label.IN for exception in one.exceptions)
    )


def with_inferred(beliefs: Iterable[Belief], inferred: Inference, *, is_kept: bool) -> tuple[Belief, ...]:
    """The beliefs of a contest with what follows among them."""
    those = tuple(beliefs)
    if not any(one.id in inferred.conclusions for one in those):
        return those
    # What premises lend changes with every look at them, so a reader settles such a contest anew.
    return tuple(
        replace(_inferred(one, inferred, is_kept=is_kept), stable_until=one.settled_at) for one in those
    )


def _drawn(case: Case) -> Iterator[_Drawn]:
    """What is derived in a contest, whether its premises hold or not."""
    guards, at = guards_among(case.visible), case.scope.valid
    for one in case.visible:
        claim = one.claim
        if claim.derivation is None or claim.stance is not Stance.SUPPORTS:
            continue
        if any(guard.bars(one) for guard in guards):
            continue
        if (claim.valid_from or BEGINNING) <= at < claim.valid_to:
            derived = claim.derivation
            justification = Justification(
                belief_id(claim.slot.id, claim.value.key),
                derived.premises,
                derived.exceptions,
                derived.rule,
                derived.strength,
            )
            until = ended_at(one, case.visible, case.attribute)
            yield _Drawn(claim.slot, claim.value, justification, until)


def _ended(drawn: Iterable[_Drawn]) -> dict[str, Instant]:
    """When each conclusion that was said to cease, however derived, did so."""
    until: dict[str, Instant] = {}
    for one in drawn:
        until[one.id] = max(one.until, until.get(one.id, one.until))
    return {one: at for one, at in until.items() if at < FOREVER}


def _derivation(one: Justification) -> Derivation:
    return Derivation(one.premises, one.exceptions, one.rule, one.strength)


def _blocked(settled: _Settled, live: Iterable[_Drawn]) -> dict[str, Belief]:
    """The conclusions for which their own contest leaves no room, each with the observed belief that does."""
    drawn = {one.id for one in live}
    return {
        one.id: rival
        for case, beliefs in settled.values()
        for one in beliefs
        if one.id in drawn and (rival := _blocker(one.id, beliefs, case)) is not None
    }


def _blocker(conclusion: str, beliefs: tuple[Belief, ...], case: Case) -> Belief | None:
    """The observed belief that leaves no room for a conclusion: an accepted rival, or its own denial."""
    for one in beliefs:
        if one.id == conclusion:
            if one.status in _STANDING:
                return None
            if one.because.rule in (Rule.REFUTED, Rule.DENIED):
                return one
    if not case.attribute.is_exclusive:
        return None
    return next((one for one in beliefs if one.status in _STANDING), None)


def _rivals(
    settled: _Settled, live: Iterable[_Drawn], blocked: Mapping[str, Belief]
) -> dict[str, frozenset[str]]:
    """For each conclusion the others of its contest, where values exclude each other."""
    drawn = {one.id for one in live} - blocked.keys()
    rivals: dict[str, frozenset[str]] = {}
    for case, beliefs in settled.values():
        if case.attribute.is_exclusive:
            together = frozenset(one.id for one in beliefs) & drawn
            rivals.update({one: together - {one} for one in together if len(together) > 1})
    return rivals


class _Rooms:
    """Which room denials leave to what is derived, beside what is observed and what is derived besides."""

    def __init__(self, schema: Schema, observed: Iterable[Belief], live: Iterable[_Drawn]) -> None:
        self._schema = schema
        self._drawn = {one.id: one for one in live if one.slot.attribute in schema.denied_with}
        self._observed: dict[str, Belief] = {}
        self._near: dict[object, dict[str, tuple[Slot, Value]]] = defaultdict(dict)
        if self._drawn:
            self._observed = {one.id: one for one in observed if one.slot.attribute in schema.denied_with}
            near = [(one.id, one.slot, one.value) for one in self._observed.values()]
            near += [(one.id, one.slot, one.value) for one in self._drawn.values()]
            for own_id, slot, value in near:
                self._near[slot.subject.id, slot.conditions][own_id] = slot, value

    def taken(self, one: _Drawn) -> Belief | None:
        """An observed belief that leaves no room for a conclusion, alone or with other such."""
        if one.id in self._observed:
            return None
        for _, mates in self._mates(one):
            if mates and all(mate in self._observed for mate in mates):
                return self._observed[mates[0]]
        return None

    def shared(self, blocked: Mapping[str, Belief]) -> list[Justification]:
        """For each conclusion what would leave no room for it: named by its rule, that its premises hold."""
        found = []
        for one in self._drawn.values():
            if one.id in blocked or one.id in self._observed:
                continue
            for number, (denial, mates) in enumerate(self._mates(one)):
                derived = tuple(mate for mate in mates if mate not in self._observed)
                if derived:
                    found.append(Justification(one.id, derived, rule=f"{denial.key} {number} {one.id}"))
        return found

    def _mates(self, one: _Drawn) -> Iterator[tuple[Denial, tuple[str, ...]]]:
        """The sets of other beliefs about its subject with which, by some denial, it cannot hold."""
        near = self._near.get((one.slot.subject.id, one.slot.conditions), {})
        for denial in self._schema.denied_with.get(one.slot.attribute, ()):
            others = [each for each in denial.statements if not each.fits(one.slot, one.value)]
            if len(others) == len(denial.statements):
                continue
            met = [[mate for mate in sorted(near) if each.fits(*near[mate])] for each in others]
            for mates in product(*met):
                if mates and one.id not in mates:
                    yield denial, tuple(dict.fromkeys(mates))


def _applying(given: Iterable[Justification], label: Mapping[str, Label]) -> dict[str, list[Justification]]:
    """The justifications that count, by conclusion: of what is in, those all of whose premises are."""
    found: dict[str, list[Justification]] = defaultdict(list)
    for one in sorted(set(given), key=_order):
        conclusion = label[one.conclusion]
        if conclusion is Label.OUT:
            continue
        founded = (Label.IN,) if conclusion is Label.IN else (Label.IN, Label.UNDECIDED)
        excepted = (Label.OUT,) if conclusion is Label.IN else (Label.OUT, Label.UNDECIDED)
        if all(label[premise] in founded for premise in one.premises) and all(
            label[exception] in excepted for exception in one.exceptions
        ):
            found[one.conclusion].append(one)
    return dict(found)


def _order(one: Justification) -> tuple[str, str, tuple[str, ...], tuple[str, ...], float]:
    return one.conclusion, one.rule, one.premises, one.exceptions, one.strength


def _disbelief(belief: Belief, at: Instant) -> float:
    """The direct disbelief mass s / (r + s + W); only evidence counts tell it from a low probability."""
    tally = belief.tally
    if not isinstance(tally, Tally) or not tally.refutation.fresh:
        return 0.0
    alone = tally.alone()
    belief_mass = alone.confidence(at) - alone.base_rate * alone.ignorance(at)
    return max(0.0, 1.0 - alone.ignorance(at) - belief_mass)


def _inferred(belief: Belief, inferred: Inference, *, is_kept: bool) -> Belief:
    """One belief with what follows for it. What was observed stays as it is, and is borne out besides."""
    if belief.id not in inferred.conclusions:
        return belief
    applying = inferred.applying.get(belief.id, ())
    if belief.status in _STANDING:
        return replace(belief, derivations=applying)
    label = inferred.labels[belief.id]
    if label is Label.OUT:
        return _fallen(belief, inferred)
    best = inferred.best[belief.id]
    status = Status.ACCEPTED if label is Label.IN else Status.CONTESTED
    because = Because(Rule.DERIVED, best.rule or None) if label is Label.IN else Because(Rule.TIE)
    until = inferred.ended.get(belief.id, FOREVER)
    drawn = replace(belief, status=status, because=because, derivations=applying, until=until)
    if is_kept:
        return drawn
    roots = _roots(belief.id, inferred)
    if not roots:
        return drawn
    return replace(
        drawn,
        since=max(one.since for one in roots),
        until=min(until, *(one.until for one in roots)),
        observed_at=min(one.observed_at for one in roots),
        authority=min(one.authority for one in roots),
        sources=max(1, min(one.sources for one in roots)),
        stale_from=min(one.stale_from for one in roots),
    )


def _roots(conclusion: str, inferred: Inference) -> list[Belief]:
    """The observed beliefs at the ends of the best proof of a conclusion."""
    found: dict[str, Belief] = {}
    seen, waiting = {conclusion}, [conclusion]
    while waiting:
        for premise in inferred.best[waiting.pop()].premises:
            if premise in seen:
                continue
            seen.add(premise)
            belief = inferred.standing.get(premise)
            if belief is not None and belief.status in _STANDING:
                found[premise] = belief
            elif premise in inferred.best:
                waiting.append(premise)
    return [found[one] for one in sorted(found)]


def _fallen(belief: Belief, inferred: Inference) -> Belief:
    """The standing of a conclusion that does not follow, or for which there is no room."""
    if belief.because.rule is not Rule.NOT_ASSERTED:
        return belief
    ended = inferred.ended.get(belief.id, FOREVER)
    if ended <= belief.settled_at:
        return replace(belief, status=Status.SUPERSEDED, because=Because(Rule.ENDED), until=ended)
    rival = inferred.blocked.get(belief.id)
    if rival is None:
        return replace(belief, status=Status.RETRACTED, because=Because(Rule.UNFOUNDED))
    is_near = rival.slot.id == belief.slot.id
    against = str(rival.value) if is_near else f"{rival.slot.attribute} = {rival.value}"
    return replace(belief, status=Status.CHALLENGER, because=Because(Rule.OBSERVED, against))
