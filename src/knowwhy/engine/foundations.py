"""Foundations: the least sets of observed beliefs from which something follows, through all steps between."""

from __future__ import annotations

from typing import Final

from knowwhy.core.model import Belief, Rule
from knowwhy.core.revision.belief_base.kernels import kernels
from knowwhy.core.revision.belief_base.language import fact, rule
from knowwhy.core.revision.belief_base.reasoning import Theory
from knowwhy.explain.explanation import Foundations
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

# So many sets are told, and so many beliefs looked at on the way to them.
_MOST_SETS: Final = 8
_MOST_BELIEFS: Final = 256


def foundations(gate: Gate, belief: Belief) -> Foundations | None:
    """On what a derived belief rests in the end: it falls when none of the sets stands as a whole.

    None for a belief that is observed itself, or does not stand.
    """
    if belief.because.rule is not Rule.DERIVED:
        return None
    known, is_whole = _ancestry(gate, belief)
    constraints = [
        rule([fact(premise) for premise in one.premises], fact(each.id))
        for each in known.values()
        for one in each.derivations
    ]
    observed = [one for one in known.values() if one.status.is_held and one.because.rule is not Rule.DERIVED]
    observed.sort(key=lambda one: (-one.confidence(gate.scope.valid), one.id))
    found = kernels(
        Theory.of(*constraints), {one.id: fact(one.id) for one in observed}, ~fact(belief.id), _MOST_SETS
    )
    sets = tuple(tuple(known[one] for one in least) for least in found.kernels)
    return Foundations(sets, is_truncated=found.is_truncated or not is_whole)


def _ancestry(gate: Gate, belief: Belief) -> tuple[dict[str, Belief], bool]:
    """A belief and all it follows from, by id; and whether that is all of it."""
    known = {belief.id: belief}
    frontier = [belief]
    while frontier and len(known) <= _MOST_BELIEFS:
        named = {premise for each in frontier for one in each.derivations for premise in one.premises}
        frontier = (
            gate.beliefs(BeliefFilter(ids=sorted(named - known.keys()))) if named - known.keys() else []
        )
        known.update((one.id, one) for one in frontier)
    return known, not frontier
