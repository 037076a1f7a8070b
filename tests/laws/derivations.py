"""Random derivations, and oracles for them that reason by plain definition and enumeration."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product

from hypothesis import strategies as st

from knowwhy.core.derivation import Justification

NODES = "abcdef"

Nodes = frozenset[str]
# A value with whether its proof uses the node asked about.
Proof = tuple[Fraction, bool]

# Dyadic, so that floats are exact, and few, so that values meet.
values = st.sampled_from((0.0, 0.25, 0.5, 0.5, 0.75, 1.0))
strengths = st.sampled_from((1.0,) * 6 + (0.75, 0.5, 0.0))
disbeliefs = st.sampled_from((0.0,) * 6 + (0.25, 0.5, 1.0))


# What is generated ------------------------------------------------------------------------------


def justifications(
    conclusions: str = NODES,
    premises: str = NODES,
    exceptions: str = "",
    lending: st.SearchStrategy[float] = strengths,
) -> st.SearchStrategy[Justification]:
    """A justification over these nodes; premises may be none, many, or twice the same."""
    return st.builds(
        Justification,
        conclusion=st.sampled_from(conclusions),
        premises=_some(premises, (0, 1, 1, 1, 2, 2, 3)),
        exceptions=_some(exceptions, (0, 1, 1, 2)) if exceptions else st.just(()),
        rule=st.sampled_from(("", "r")),
        strength=lending,
    )


def lists_of(one: st.SearchStrategy[Justification], most: int = 9) -> st.SearchStrategy[list[Justification]]:
    """Few of them or, more often, so many that they meet."""
    return st.sampled_from((0, most // 2, most - 1)).flatmap(
        lambda least: st.lists(one, min_size=least, max_size=most)
    )


def numbered(numbers: st.SearchStrategy[float], least: int = 0) -> st.SearchStrategy[dict[str, float]]:
    """A number for each of some nodes: enough to build on, and not for so many that nothing is derived."""
    return st.dictionaries(st.sampled_from(NODES), numbers, min_size=least, max_size=4)


def groups() -> st.SearchStrategy[dict[str, Nodes]]:
    """Root groups of each of some nodes, some of them shared."""
    some = st.frozensets(st.sampled_from("xyz"), max_size=2)
    return st.dictionaries(st.sampled_from(NODES), some, min_size=2, max_size=len(NODES))


def sets_of(nodes: str) -> st.SearchStrategy[Nodes]:
    return st.frozensets(st.sampled_from(nodes), max_size=len(nodes))


@st.composite
def stratified(draw: st.DrawFn) -> list[Justification]:
    """Justifications in layers: exceptions lie in lower layers, premises in no higher ones."""
    layer = {node: draw(st.integers(0, 2)) for node in NODES}
    return [
        Justification(
            one.conclusion,
            tuple(node for node in one.premises if layer[node] <= layer[one.conclusion]),
            tuple(node for node in one.exceptions if layer[node] < layer[one.conclusion]),
        )
        for one in draw(lists_of(justifications(exceptions=NODES)))
    ]


def _some(nodes: str, counts: Sequence[int]) -> st.SearchStrategy[tuple[str, ...]]:
    one = st.sampled_from(nodes)
    return st.sampled_from(counts).flatmap(lambda count: st.tuples(*[one] * count))


# Support ----------------------------------------------------------------------------------------


def lent(one: Justification, weakest: Fraction, disbelief: Mapping[str, float]) -> Fraction:
    """What the justification lends by the formula, exactly."""
    return (1 - Fraction(disbelief.get(one.conclusion, 0.0))) * Fraction(one.strength) * weakest


def iterated(
    own: Mapping[str, float], given: Collection[Justification], disbelief: Mapping[str, float]
) -> dict[str, Fraction]:
    """The limit of applying the formula to all nodes at once, from zero for all."""
    value = dict.fromkeys(mentioned(own, given), Fraction(0))
    while True:
        further = {
            node: max(
                Fraction(own.get(node, 0.0)),
                *(
                    lent(
                        one, min((value[premise] for premise in one.premises), default=Fraction(1)), disbelief
                    )
                    for one in given
                    if one.conclusion == node
                ),
                Fraction(0),
            )
            for node in value
        }
        if further == value:
            return value
        value = further


class Proofs:
    """All proofs in which no node stands below itself, and whether they use the own value of one node."""

    def __init__(
        self,
        own: Mapping[str, float],
        given: Sequence[Justification],
        disbelief: Mapping[str, float],
        *,
        used: str = "",
    ) -> None:
        self.own = own
        self.given = given
        self.disbelief = disbelief
        self.used = used
        self._known: dict[tuple[str, Nodes], frozenset[Proof]] = {}

    def best(self, node: str) -> Fraction:
        """The value of the best of them."""
        return max(value for value, _ in self.of(node))

    def best_without(self, node: str) -> Fraction:
        """The best of those that do not use what was asked about."""
        return max((value for value, uses in self.of(node) if not uses), default=Fraction(0))

    def of(self, node: str, above: Nodes = frozenset()) -> frozenset[Proof]:
        if (node, above) not in self._known:
            found = {(Fraction(self.own.get(node, 0.0)), node == self.used)}
            path = above | {node}
            for one in self.given:
                if one.conclusion == node and path.isdisjoint(one.premises):
                    for parts in product(*(self.of(premise, path) for premise in one.premises)):
                        weakest = min((value for value, _ in parts), default=Fraction(1))
                        uses = any(uses for _, uses in parts)
                        found.add((lent(one, weakest, self.disbelief), uses))
            self._known[node, above] = frozenset(found)
        return self._known[node, above]


def mentioned(own: Iterable[str], given: Iterable[Justification]) -> list[str]:
    """The nodes that have an own value or stand in a justification as more than exception."""
    return sorted({*own, *(node for one in given for node in (one.conclusion, *one.premises))})


def reachable(start: str, given: Iterable[Justification]) -> Nodes:
    """The node and all that follows from it over any number of steps."""
    steps = [(premise, one.conclusion) for one in given for premise in one.premises]
    found = {start}
    while further := {end for begin, end in steps if begin in found} - found:
        found |= further
    return frozenset(found)


# Labels -----------------------------------------------------------------------------------------


def closure(assumptions: Iterable[str], given: Collection[Justification]) -> Nodes:
    """What is reached by going round all justifications until nothing is new, exceptions left aside."""
    found = set(assumptions)
    while further := {one.conclusion for one in given if found.issuperset(one.premises)} - found:
        found |= further
    return frozenset(found)


def stable_models(assumptions: Iterable[str], given: Collection[Justification]) -> list[Nodes]:
    """All sets that are what follows when just their own members count as exceptions."""
    assumed = frozenset(assumptions)
    return [
        one
        for one in _subsets(NODES)
        if closure(assumed, [rule for rule in given if one.isdisjoint(rule.exceptions)]) == one
    ]


def well_founded(assumptions: Collection[str], given: Collection[Justification]) -> tuple[Nodes, Nodes]:
    """What is in and what is out, by the first definition: what is founded, and the greatest unfounded set.

    A set is unfounded if each justification of each member fails already, or has a premise in the set.
    """
    inside: Nodes = frozenset(assumptions)
    outside: Nodes = frozenset()
    while True:
        unfounded: Nodes = frozenset().union(
            *(one for one in _subsets(NODES) if _is_unfounded(one, assumptions, given, (inside, outside)))
        )
        founded = {
            one.conclusion
            for one in given
            if inside.issuperset(one.premises) and outside.issuperset(one.exceptions)
        }
        if founded <= inside and unfounded == outside:
            return inside, outside
        inside, outside = inside | founded, unfounded


def _is_unfounded(
    some: Nodes, assumptions: Collection[str], given: Iterable[Justification], known: tuple[Nodes, Nodes]
) -> bool:
    inside, outside = known
    return some.isdisjoint(assumptions) and all(
        not outside.isdisjoint(one.premises)
        or not inside.isdisjoint(one.exceptions)
        or not some.isdisjoint(one.premises)
        for one in given
        if one.conclusion in some
    )


def _subsets(nodes: str) -> list[Nodes]:
    every = chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1))
    return [frozenset(one) for one in every]
