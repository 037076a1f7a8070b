"""A network of nodes whose support is kept up to date: a change costs what it affects (theory §2.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from heapq import heappop, heappush
from typing import TypeVar

from knowwhy.core.derivation.justification import Justification, refuse_unless_share
from knowwhy.core.derivation.support import UNSUPPORTED, Support, supports

_Offer = tuple[str, float, Justification | None]
_Kept = TypeVar("_Kept", float, frozenset[str])


class Network:
    """Own values, disbelief and justifications, with the support of every node after each change.

    It always says what `supports` would say of the whole. What rises is followed best-first from the
    change, and stops where no value rises. What falls is withdrawn with all that was proved by it, and
    then derived anew from what was left standing (Gupta, Mumick and Subrahmanian, Maintaining views
    incrementally, 1993).
    """

    def __init__(self) -> None:
        self._own: dict[str, float] = {}
        self._disbelief: dict[str, float] = {}
        self._groups: dict[str, frozenset[str]] = {}
        self._concluding: dict[str, dict[Justification, None]] = defaultdict(dict)
        self._using: dict[str, dict[Justification, None]] = defaultdict(dict)
        # Of every node with some support: its value, and a proof of it (None: its own value, and always
        # that where it is enough). A node takes a proof only as it rises by it, above all that is proved
        # by the node itself: so proofs have no cycles.
        self._values: dict[str, float] = {}
        self._proofs: dict[str, Justification | None] = {}
        self._touched: set[str] = set()

    @property
    def touched(self) -> frozenset[str]:
        """The nodes that the last change looked at: no other node has a new value."""
        return frozenset(self._touched)

    def value(self, node: str) -> float:
        """The support of the node as a number; 0 also for one never heard of."""
        return self._values.get(node, 0.0)

    def support(self, node: str) -> Support:
        """The support of the node with the proof used, the same that `supports` names.

        The proof is found when asked for, at the cost of all that the best proofs of the node rest on.
        """
        if node not in self._values:
            return UNSUPPORTED
        best: list[Justification] = []
        rests_on = {node}
        waiting = [node]
        while waiting:
            found = self._best_justifications(waiting.pop())
            further = {premise for one in found for premise in one.premises} - rests_on
            best += found
            rests_on |= further
            waiting += further
        return supports(
            {one: self._own.get(one, 0.0) for one in rests_on},
            best,
            disbelief={one: self._disbelief.get(one, 0.0) for one in rests_on},
            groups={one: self._groups.get(one, frozenset()) for one in rests_on},
        )[node]

    def set_own(self, node: str, value: float, disbelief: float = 0.0, groups: Collection[str] = ()) -> None:
        """The node has this value by itself, from roots of these groups, and is disbelieved this much.

        All three take the place of what was set before.

        Raises:
            ValueError: a value or disbelief that is not a number from 0 to 1.
        """
        refuse_unless_share(f"own value of {node!r}", value)
        refuse_unless_share(f"disbelief in {node!r}", disbelief)
        _keep(self._own, node, value)
        _keep(self._disbelief, node, disbelief)
        _keep(self._groups, node, frozenset(groups))
        self._touched = {node}
        held = self.value(node)
        if 0.0 < held <= value:
            self._proofs[node] = None
        is_proved = held == 0.0 or self._proved(node) >= held
        changed = [node] if is_proved else self._withdrawn(node)
        self._raise(offer for one in changed for offer in self._offers(one))

    def add(self, justification: Justification) -> None:
        """The justification is part of the network; no change if it was already."""
        conclusion = justification.conclusion
        self._touched = set()
        if justification in self._concluding.get(conclusion, ()):
            return
        self._concluding[conclusion][justification] = None
        for premise in justification.premises:
            self._using[premise][justification] = None
        self._raise([(conclusion, self._lent(justification), justification)])

    def remove(self, justification: Justification) -> None:
        """The justification is no longer part of the network.

        Raises:
            ValueError: it was not part of it.
        """
        conclusion = justification.conclusion
        if justification not in self._concluding.get(conclusion, ()):
            msg = f"There is no such justification of {conclusion!r} to remove: {justification!r}."
            raise ValueError(msg)
        _forget(self._concluding, conclusion, justification)
        for premise in set(justification.premises):
            _forget(self._using, premise, justification)
        self._touched = {conclusion}
        if self._proofs.get(conclusion) == justification:
            fallen = self._withdrawn(conclusion)
            self._raise(offer for one in fallen for offer in self._offers(one))

    def _withdrawn(self, node: str) -> list[str]:
        """The node and all that was proved by it, now without support."""
        fallen = [node]
        del self._proofs[node]
        for one in fallen:  # grows on the way
            del self._values[one]
            for justification in self._using.get(one, ()):
                conclusion = justification.conclusion
                if self._proofs.get(conclusion) == justification:
                    del self._proofs[conclusion]
                    fallen.append(conclusion)
        self._touched.update(fallen)
        return fallen

    def _raise(self, offers: Iterable[_Offer]) -> None:
        """Take what is better than what is there, best first, and offer on what follows from it."""
        best: dict[str, tuple[float, Justification | None]] = {}
        queue: list[tuple[float, str]] = []

        def take_up(offered: Iterable[_Offer]) -> None:
            for node, value, proof in offered:
                self._touched.add(node)
                if value > self.value(node) and (node not in best or value > best[node][0]):
                    best[node] = value, proof
                    heappush(queue, (-value, node))

        take_up(offers)
        while queue:
            negated, node = heappop(queue)
            if -negated > self.value(node):
                self._values[node], self._proofs[node] = best[node]
                take_up((one.conclusion, self._lent(one), one) for one in self._using.get(node, ()))

    def _offers(self, node: str) -> Iterator[_Offer]:
        """All that speaks for the node; its own value first, which is preferred."""
        yield node, self._own.get(node, 0.0), None
        for one in self._concluding.get(node, ()):
            yield node, self._lent(one), one

    def _best_justifications(self, node: str) -> list[Justification]:
        """The justifications that lend the node all it has; none where its own value does."""
        value = self._values[node]
        if self._own.get(node, 0.0) >= value:
            return []
        return [one for one in self._concluding.get(node, ()) if self._lent(one) >= value]

    def _proved(self, node: str) -> float:
        proof = self._proofs[node]
        return self._own.get(node, 0.0) if proof is None else self._lent(proof)

    def _lent(self, one: Justification) -> float:
        weakest = min((self.value(premise) for premise in one.premises), default=1.0)
        return one.lends(weakest, self._disbelief.get(one.conclusion, 0.0))


def _keep(kept: dict[str, _Kept], node: str, value: _Kept) -> None:
    """The value under the node, or no entry where it says nothing."""
    if value:
        kept[node] = value
    else:
        kept.pop(node, None)


def _forget(index: dict[str, dict[Justification, None]], node: str, justification: Justification) -> None:
    del index[node][justification]
    if not index[node]:
        del index[node]
