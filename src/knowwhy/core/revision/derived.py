"""What is derived: labels and support of beliefs that follow from accepted premises (theory §2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from knowwhy.core.confidence import Tally
from knowwhy.core.derivation import Justification, Label, exclusive, labels, supports
from knowwhy.core.model import (
    Because,
    Belief,
    Derivation,
    Rule,
    Stance,
    Status,
    Testimony,
    belief_id,
)
from knowwhy.core.revision.acceptance import Case
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.hearing import is_given_up
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope

_Settled = Mapping[ContestKey, tuple[Case, tuple[Belief, ...]]]


@dataclass(frozen=True, slots=True)
class Inference:
    """What follows: the label of each conclusion, its support, and the justifications that apply.

    `conclusions` are all beliefs (by id) that anything justifies, whether it applies or not;
    `standing` holds the observed beliefs they were drawn from, and `rivals` who blocks whom.
    """

    labels: Mapping[str, Label]
    support: Mapping[str, float]
    applying: Mapping[str, tuple[Derivation, ...]]
    best: Mapping[str, Derivation]
    conclusions: frozenset[str]
    standing: Mapping[str, Belief]
    blocked: Mapping[str, Belief]


def inferences(settled: _Settled, scope: Scope) -> Inference:
    """What follows from the accepted beliefs of some contests by the derivations among their testimony.

    Observed words outrank what is merely derived: a conclusion is blocked where a rival is accepted
    or contested. Conclusions that exclude each other, and what hangs on itself by exceptions, are
    undecided.
    """
    standing = {one.id: one for _, beliefs in settled.values() for one in beliefs}
    given: list[Justification] = []
    blocked: dict[str, Belief] = {}
    rivals: dict[str, set[str]] = {}
    for case, beliefs in settled.values():
        found = list(_justifications(case, scope.valid))
        drawn = {one.conclusion for one in found}
        given += found
        for conclusion in drawn:
            if (rival := _blocker(conclusion, beliefs, case)) is not None:
                blocked[conclusion] = rival
        if case.attribute.is_exclusive and len(drawn) > 1:
            rivals.update({one: drawn - {one} - blocked.keys() for one in drawn})
    held = {one.id for one in standing.values() if one.status is Status.ACCEPTED} - blocked.keys()
    contested = {one.id for one in standing.values() if one.status is Status.CONTESTED} - blocked.keys()
    label = labels(held, exclusive(given, rivals), blocked=blocked.keys(), undecided=contested)
    applying = _applying(given, label)
    lent = supports(
        {one: standing[one].confidence(scope.valid) for one in held | contested},
        [one for those in applying.values() for one in those],
        disbelief={one: _disbelief(standing[one], scope.valid) for one in applying if one in standing},
    )
    conclusions = frozenset(one.conclusion for one in given)
    return Inference(
        labels={one: label[one] for one in conclusions},
        support={one: lent[one].value for one in applying},
        applying={one: tuple(map(_derivation, those)) for one, those in applying.items()},
        best={
            one: _derivation(via) if (via := lent[one].via) is not None else _derivation(those[0])
            for one, those in applying.items()
        },
        conclusions=conclusions,
        standing=standing,
        blocked=blocked,
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


def _justifications(case: Case, at: Instant) -> Iterable[Justification]:
    guards = [one for one in case.visible if one.claim.stance is Stance.GIVES_UP]
    for one in case.visible:
        claim = one.claim
        if claim.derivation is None or claim.stance is not Stance.SUPPORTS or is_given_up(one, guards):
            continue
        if (claim.valid_from or BEGINNING) <= at < claim.valid_to:
            yield _justification(one, claim.derivation)


def _justification(one: Testimony, derivation: Derivation) -> Justification:
    return Justification(
        belief_id(one.claim.slot.id, one.claim.value.key),
        derivation.premises,
        derivation.exceptions,
        derivation.rule,
        derivation.strength,
    )


def _derivation(one: Justification) -> Derivation:
    return Derivation(one.premises, one.exceptions, one.rule, one.strength)


def _blocker(conclusion: str, beliefs: tuple[Belief, ...], case: Case) -> Belief | None:
    """The observed belief that leaves no room for a conclusion: an accepted rival, or its own denial."""
    for one in beliefs:
        is_open = one.status in (Status.ACCEPTED, Status.CONTESTED)
        if one.id == conclusion:
            if is_open:
                return None
            if one.because.rule in (Rule.REFUTED, Rule.DENIED):
                return one
    if not case.attribute.is_exclusive:
        return None
    return next((one for one in beliefs if one.status in (Status.ACCEPTED, Status.CONTESTED)), None)


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
    if belief.status in (Status.ACCEPTED, Status.CONTESTED):
        return replace(belief, derivations=applying)
    label = inferred.labels[belief.id]
    if label is Label.OUT:
        return _fallen(belief, inferred)
    best = inferred.best[belief.id]
    status = Status.ACCEPTED if label is Label.IN else Status.CONTESTED
    because = Because(Rule.DERIVED, best.rule or None) if label is Label.IN else Because(Rule.TIE)
    drawn = replace(belief, status=status, because=because, derivations=applying, until=FOREVER)
    if is_kept:
        return drawn
    roots = _roots(belief.id, inferred)
    if not roots:
        return drawn
    return replace(
        drawn,
        since=max(one.since for one in roots),
        until=min(one.until for one in roots),
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
            if belief is not None and belief.status in (Status.ACCEPTED, Status.CONTESTED):
                found[premise] = belief
            elif premise in inferred.best:
                waiting.append(premise)
    return [found[one] for one in sorted(found)]


def _fallen(belief: Belief, inferred: Inference) -> Belief:
    """The standing of a conclusion that does not follow, or for which there is no room."""
    if belief.because.rule is not Rule.NOT_ASSERTED:
        return belief
    rival = inferred.blocked.get(belief.id)
    if rival is None:
        return replace(belief, status=Status.RETRACTED, because=Because(Rule.UNFOUNDED))
    return replace(belief, status=Status.CHALLENGER, because=Because(Rule.OBSERVED, str(rival.value)))
