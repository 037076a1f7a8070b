"""Labels: which nodes are in, out or undecided, given what is assumed and what justifies what.

This is the well-founded semantics (Van Gelder, Ross and Schlipf, The well-founded semantics for general
logic programs, 1991), computed as the alternating fixpoint of Gamma, the least model of the reduct (theory
§2.3). Unlike the labellings of a truth maintenance system it always exists, is unique and cannot oscillate;
where those exist, it agrees with all of them. Strengths are not asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations

from knowwhy.core.derivation.justification import Justification


class Label(StrEnum):
    """How a node stands: founded, unfounded, or hanging on itself through exceptions."""

    IN = "in"
    OUT = "out"
    UNDECIDED = "undecided"


def labels(
    assumptions: Collection[str],
    justifications: Iterable[Justification],
    *,
    blocked: Collection[str] = (),
    undecided: Collection[str] = (),
) -> dict[str, Label]:
    """The label of every node mentioned.

    Assumptions are in by themselves. `blocked` nodes are out and `undecided` ones undecided, whatever
    justifies them: what is known of them from elsewhere stands. A node without any justification is out.

    Each Gamma takes time linear in the justifications. Their number grows with the longest chain of
    exceptions to exceptions, so that the whole is quadratic at worst.

    Raises:
        ValueError: a node is given as more than one of assumption, blocked and undecided.
    """
    given = tuple(justifications)
    _refuse_two_standings({"assumed": assumptions, "blocked": blocked, "undecided": undecided})
    fixed = {*blocked, *undecided}
    rules = [one for one in given if one.conclusion not in fixed]
    rules += [Justification(node, (), exceptions=(node,)) for node in undecided]

    certain: set[str] = set()
    while True:
        possible = _gamma(certain, assumptions, rules)
        founded = _gamma(possible, assumptions, rules)
        if founded == certain:
            break
        certain = founded

    named = (node for one in given for node in (one.conclusion, *one.premises, *one.exceptions))
    nodes = sorted({*assumptions, *fixed, *named})
    return {
        node: Label.IN if node in certain else Label.UNDECIDED if node in possible else Label.OUT
        for node in nodes
    }


def exclusive(
    justifications: Iterable[Justification], rivals: Mapping[str, Collection[str]]
) -> list[Justification]:
    """The justifications, each with the rivals of its conclusion as further exceptions.

    `rivals` names for a node those that cannot hold together with it, such as the other values of its
    slot; a node is no rival of itself. Of rivals that are all derived, none is in: they are undecided
    until the premises of all but one are gone.
    """
    return [
        replace(one, exceptions=one.exceptions + _further(one, rivals.get(one.conclusion, ())))
        for one in justifications
    ]


def _further(justification: Justification, rivals: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(set(rivals).difference(justification.exceptions, (justification.conclusion,))))


def _gamma(held: set[str], assumptions: Collection[str], rules: Iterable[Justification]) -> set[str]:
    """What follows if the exceptions that hold are those in `held`, and no others."""
    return _least_model(assumptions, [rule for rule in rules if held.isdisjoint(rule.exceptions)])


def _least_model(facts: Collection[str], rules: Sequence[Justification]) -> set[str]:
    """What the premises of the rules reach, by counting those not met yet (Dowling and Gallier, 1984)."""
    using: dict[str, list[int]] = defaultdict(list)
    unmet = []
    for number, rule in enumerate(rules):
        premises = set(rule.premises)
        unmet.append(len(premises))
        for premise in premises:
            using[premise].append(number)
    model = {*facts, *(rule.conclusion for rule, count in zip(rules, unmet, strict=True) if count == 0)}
    reached = list(model)
    while reached:
        for number in using[reached.pop()]:
            unmet[number] -= 1
            conclusion = rules[number].conclusion
            if unmet[number] == 0 and conclusion not in model:
                model.add(conclusion)
                reached.append(conclusion)
    return model


def _refuse_two_standings(standings: Mapping[str, Collection[str]]) -> None:
    for (one, nodes), (other, others) in combinations(standings.items(), 2):
        if both := sorted(set(nodes).intersection(others)):
            msg = f"{both[0]!r} is given as {one} and as {other}: say which of them it is."
            raise ValueError(msg)
