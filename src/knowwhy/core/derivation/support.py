"""Support: how far a node is carried by its best proof, from 0 (nothing speaks for it) to 1 (theory §2.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import Final

from knowwhy.core.derivation.justification import Justification, refuse_unless_share


@dataclass(frozen=True, slots=True)
class Support:
    """The support of a node: its value, the last step of the proof used, and what that proof rests on.

    `via` is None where the node stands by its own value, or on nothing. `roots` holds the groups of all
    nodes that stand in the proof by their own value: a root that is reached over two paths is one root.
    """

    value: float
    via: Justification | None
    roots: frozenset[str]


UNSUPPORTED: Final = Support(0.0, None, frozenset())


def supports(
    own: Mapping[str, float],
    justifications: Iterable[Justification],
    *,
    disbelief: Mapping[str, float] = MappingProxyType({}),
    groups: Mapping[str, Collection[str]] = MappingProxyType({}),
    read: Callable[[str, float], float] = lambda _, lent: lent,
) -> dict[str, Support]:
    """The support of every node that has an own value or stands in a justification as more than exception.

    It is the least solution of value(n) = max(own(n), (1 - disbelief(n)) * max over the justifications
    of n of strength * smallest value of a premise), where no premises count as 1: a cycle lends itself
    nothing. Exceptions are not asked: give only justifications whose exceptions do not hold. What a
    justification lends counts no more than `read` makes of it for that node, which must rise with it.

    Of proofs of one value the used one is that of own value, then the one of fewest levels, then by the
    justification with fewest premises, then by the first in the order of their texts; so it does not
    depend on the order in which anything is given.

    Time O(E log V) (Knuth, A generalization of Dijkstra's algorithm, 1977).

    Raises:
        ValueError: an own value or a disbelief that is not a number from 0 to 1.
    """
    for node, value in own.items():
        refuse_unless_share(f"own value of {node!r}", value)
    for node, value in disbelief.items():
        refuse_unless_share(f"disbelief in {node!r}", value)
    return _Search(own, justifications, disbelief, groups, read).run()


_OWN: Final = -1


class _Search:
    """Best-first search: nodes are settled in falling order of value, then in rising order of levels.

    So the premise settled last is the weakest, and what is offered to a node before it is settled
    includes its best proof. An offer is (-value, levels, node, number of the justification or _OWN).
    """

    def __init__(
        self,
        own: Mapping[str, float],
        justifications: Iterable[Justification],
        disbelief: Mapping[str, float],
        groups: Mapping[str, Collection[str]],
        read: Callable[[str, float], float],
    ) -> None:
        self.read = read
        self.justifications = sorted(set(justifications), key=_order)
        self.disbelief = disbelief
        self.groups = groups
        self.nodes = {*own}
        self.using: dict[str, list[int]] = defaultdict(list)
        self.unmet: list[int] = []
        for number, one in enumerate(self.justifications):
            premises = set(one.premises)
            self.nodes |= premises | {one.conclusion}
            self.unmet.append(len(premises))
            for premise in premises:
                self.using[premise].append(number)
        self.offers = [(-value, 0, node, _OWN) for node, value in own.items() if value > 0.0]
        heapify(self.offers)
        self.levels: dict[str, int] = {}
        self.settled: dict[str, Support] = {}

    def run(self) -> dict[str, Support]:
        """The support of all nodes."""
        for number, count in enumerate(self.unmet):
            if count == 0:
                self._offer(number, weakest=1.0)
        while self.offers:
            negated, levels, node, number = heappop(self.offers)
            if node not in self.settled:
                self.levels[node] = levels
                self.settled[node] = self._support(node, -negated, number)
                self._pass_on(node, -negated)
        return {node: self.settled.get(node, UNSUPPORTED) for node in sorted(self.nodes)}

    def _pass_on(self, node: str, value: float) -> None:
        for number in self.using[node]:
            self.unmet[number] -= 1
            if self.unmet[number] == 0:
                self._offer(number, weakest=value)

    def _offer(self, number: int, weakest: float) -> None:
        one = self.justifications[number]
        lent = one.lends(weakest, self.disbelief.get(one.conclusion, 0.0))
        value = min(lent, self.read(one.conclusion, lent))
        if value > 0.0 and one.conclusion not in self.settled:
            levels = 1 + max((self.levels[premise] for premise in one.premises), default=0)
            heappush(self.offers, (-value, levels, one.conclusion, number))

    def _support(self, node: str, value: float, number: int) -> Support:
        if number == _OWN:
            return Support(value, None, frozenset(self.groups.get(node, ())))
        via = self.justifications[number]
        return Support(value, via, frozenset().union(*(self.settled[one].roots for one in via.premises)))


def _order(one: Justification) -> tuple[int, tuple[str, ...], str, tuple[str, ...], float]:
    return len(one.premises), one.premises, one.rule, one.exceptions, one.strength
