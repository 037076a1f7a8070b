"""What should follow in a random setting: labels and support, by sets and by iteration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from knowwhy.core.confidence import Tally
from knowwhy.core.model import Belief, Rule, Stance, Status, Testimony, belief_id
from knowwhy.core.timeline import FOREVER
from tests.laws.pools import ATTRIBUTES, STANDING, VALUES, Setting, by_id, named
from tests.laws.worlds import day


@dataclass(frozen=True)
class Step:
    """That a conclusion follows from premises, unless an exception holds or a crowd of others does."""

    conclusion: str
    premises: tuple[str, ...]
    exceptions: frozenset[str] = frozenset()
    crowds: tuple[frozenset[str], ...] = ()

    def is_open(self, held: Collection[str]) -> bool:
        """Whether nothing of what is held stands against it."""
        return self.exceptions.isdisjoint(held) and not any(one.issubset(held) for one in self.crowds)


def observed_in(setting: Setting) -> dict[str, Belief]:
    """What stands by observation alone, and is in no doubt."""
    return by_id(setting.without_derivations().without_dependencies().settled().held)


def expected_labels(setting: Setting) -> dict[str, str]:
    """Of all that is derived and was not observed to stand: `in`, `open`, `out`, or `barred` by what was.

    By the alternating fixpoint over plain sets. What stands by observation is taken from the same setting
    without derivations; that layer has laws of its own.
    """
    observed = observed_in(setting)
    firm = {key for key, one in observed.items() if one.status is Status.ACCEPTED}
    standing = firm | {key for key, one in observed.items() if one.status is Status.CONTESTED}
    steps = list(_steps(setting))
    concluded = {one.conclusion for one in steps} - standing
    rivals = {one: _rivals(setting, one) for one in concluded}
    crowds = {one: _crowds(setting, one, standing | concluded) for one in concluded}
    blocked = {
        one
        for one in concluded
        if not standing.isdisjoint(rivals[one])
        or any(crowd <= standing for crowd in crowds[one])
        or (one in observed and observed[one].because.rule in (Rule.REFUTED, Rule.DENIED))
    }
    bound = [
        Step(
            one.conclusion,
            one.premises,
            one.exceptions | (rivals[one.conclusion] & (concluded - blocked)),
            tuple(crowd - standing for crowd in crowds[one.conclusion]),
        )
        for one in steps
        if one.conclusion in concluded - blocked
    ]
    certain: frozenset[str] = frozenset()
    while True:
        possible = _reached(standing, [one for one in bound if one.is_open(certain)])
        founded = _reached(firm, [one for one in bound if one.is_open(possible)])
        if founded == certain:
            break
        certain = founded
    found = dict.fromkeys(concluded, "out")
    found.update(dict.fromkeys(concluded & possible, "open"))
    found.update(dict.fromkeys(concluded & certain, "in"))
    # What would follow, or might, but for what is observed.
    barred = {
        one.conclusion
        for one in steps
        if one.conclusion in blocked
        and possible.issuperset(one.premises)
        and certain.isdisjoint(one.exceptions)
    }
    found.update(dict.fromkeys(barred, "barred"))
    return found


def expected_lent(setting: Setting, held: Mapping[str, Belief]) -> dict[str, tuple[float, frozenset[str]]]:
    """The most that premises lend to each belief, none counting for more than it is read, and by which rules.

    By going round all derivations from nothing until no number rises.
    """
    at, observed = setting.at, observed_in(setting)
    own = {key: one.confidence(at) for key, one in observed.items() if one.status in STANDING}
    value, lent = dict(own), dict.fromkeys(held, 0.0)
    is_rising = True
    while is_rising:
        is_rising = False
        for key, one in held.items():
            spared = 1.0 - (disbelief(observed[key]) if key in observed else 0.0)
            for each in one.derivations:
                number = spared * each.strength * min(value.get(premise, 0.0) for premise in each.premises)
                if number > lent[key]:
                    lent[key] = number
                    value[key] = max(own.get(key, 0.0), min(number, one.confidence(at)))
                    is_rising = True
    return {
        key: (
            lent[key],
            frozenset(
                each.rule
                for each in one.derivations
                if each.strength * min(value.get(premise, 0.0) for premise in each.premises)
                >= lent[key] - 1e-12
            ),
        )
        for key, one in held.items()
    }


def disbelief(one: Belief) -> float:
    """The direct disbelief mass s / (r + s + W); only evidence counts have one."""
    tally = one.tally
    if not isinstance(tally, Tally):
        return 0.0
    pro, contra = tally.support.fresh, tally.refutation.fresh
    return contra / (pro + contra + tally.prior_weight)


def _reached(start: Collection[str], steps: Collection[Step]) -> frozenset[str]:
    found = set(start)
    while further := {one.conclusion for one in steps if found.issuperset(one.premises)} - found:
        found |= further
    return frozenset(found)


def _steps(setting: Setting) -> Iterator[Step]:
    """What is derived and was neither withdrawn, given up nor said to have ceased."""
    live = [one for one in setting.testimonies if not one.withdrawals]
    for one in live:
        claim = one.claim
        if claim.derivation is None:
            continue
        about = [each for each in live if (each.claim.slot, each.claim.value) == (claim.slot, claim.value)]
        changes = setting.terms.schema.attribute(claim.slot.attribute).changes
        if any(each.claim.stance is Stance.GIVES_UP and is_barred(one, each, about) for each in about):
            continue
        if any(_ceased(each, one, changes=changes) and each.claim.valid_to <= setting.at for each in about):
            continue
        yield Step(
            belief_id(claim.slot.id, claim.value.key),
            claim.derivation.premises,
            frozenset(claim.derivation.exceptions),
        )


def is_barred(one: Testimony, guard: Testimony, live: Iterable[Testimony]) -> bool:
    """Whether a word for a value counts no more since that was given up."""

    def answers(other: Testimony) -> bool:
        return weight(other) >= weight(guard) and other.effective_at > guard.effective_at

    lifted = [
        each.effective_at
        for each in live
        if each.claim.stance is Stance.SUPPORTS
        and each.claim.derivation is None
        and each.claim.modality.is_assertive
        and answers(each)
    ]
    return not answers(one) and one.effective_at < min(lifted, default=FOREVER)


def weight(one: Testimony) -> int:
    """The authority with which something is said; what is forced has the highest."""
    return 101 if one.claim.is_forced else one.source.authority


def _ceased(ending: Testimony, derived: Testimony, *, changes: bool) -> bool:
    begun = derived.effective_at if changes else day(-1)
    is_no_weaker = (weight(ending), ending.effective_at) >= (weight(derived), derived.effective_at)
    return ending.claim.stance is Stance.ENDS and is_no_weaker and begun < ending.claim.valid_to


def _place(belief: str) -> tuple[str, str]:
    places = ((attribute, value) for attribute in ATTRIBUTES for value in VALUES)
    return next(place for place in places if named(*place) == belief)


def _rivals(setting: Setting, belief: str) -> frozenset[str]:
    attribute, value = _place(belief)
    if not setting.terms.schema.attribute(attribute).is_exclusive:
        return frozenset()
    return frozenset(named(attribute, one) for one in VALUES if one != value)


def _crowds(setting: Setting, belief: str, possible: Collection[str]) -> list[frozenset[str]]:
    """The sets of others with which, by a denial, it cannot hold."""
    place = _place(belief)
    found = []
    for denial in setting.terms.schema.denials:
        statements = [(one.attribute, one.value) for one in denial.statements]
        if place in statements:
            others = frozenset(named(*one) for one in statements if one != place)
            if others and others.issubset(possible):
                found.append(others)
    return found
