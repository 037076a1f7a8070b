"""What follows from sentences under constraints: unit propagation, and splitting where it is not enough.

For Horn sentences unit propagation alone decides, in time linear in their length (Dowling and Gallier,
Linear-time algorithms for testing the satisfiability of propositional Horn formulae, 1984): whatever it
leaves open is satisfied by taking all other atoms to be false.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowwhy.core.revision.belief_base.language import Clause, Literal, Sentence
from knowwhy.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Theory:
    """Consequence under integrity constraints, which are never given up."""

    constraints: frozenset[Clause] = frozenset()

    def __post_init__(self) -> None:
        if not is_satisfiable(self.constraints):
            raise InvalidInput("These constraints contradict each other: nothing could ever be believed.")

    @classmethod
    def of(cls, *constraints: Sentence) -> Theory:
        """The theory with these constraints; InvalidInput if they contradict each other."""
        return cls(frozenset(clause for one in constraints for clause in one.clauses))

    def is_consistent(self, sentences: Iterable[Sentence]) -> bool:
        """Whether the sentences can all hold under the constraints."""
        return is_satisfiable(self.constraints.union(*(one.clauses for one in sentences)))

    def entails(self, sentences: Iterable[Sentence], goal: Sentence) -> bool:
        """Whether the goal holds wherever the sentences and the constraints do."""
        return not self.is_consistent([*sentences, ~goal])

    def least_model(self, sentences: Iterable[Sentence]) -> frozenset[str]:
        """The atoms that forward chaining reaches: of consistent Horn sentences, all that they imply.

        A loop of rules reaches nothing by itself. Of sentences that are not Horn, a part of what they imply.
        InvalidInput if chaining meets a contradiction.
        """
        truth = _propagated(tuple(self.constraints.union(*(one.clauses for one in sentences))), ())
        if truth is None:
            raise InvalidInput("These sentences contradict each other: settle first which are accepted.")
        return frozenset(atom for atom, is_true in truth.items() if is_true)


def is_satisfiable(clauses: Iterable[Clause]) -> bool:
    """Whether some assignment makes all clauses true; without splitting if they are Horn."""
    given = tuple(clauses)
    pending: list[tuple[Literal, ...]] = [()]
    while pending:
        assumed = pending.pop()
        truth = _propagated(given, assumed)
        if truth is None:
            continue
        choice = _undecided(given, truth)
        if choice is None:
            return True
        pending += [(*assumed, choice), (*assumed, choice.negated())]
    return False


def connected(groups: Iterable[frozenset[str]]) -> dict[str, str]:
    """For each atom the one that stands for its component: atoms of one group hang together."""
    parent: dict[str, str] = {}

    def root(atom: str) -> str:
        top = atom
        while parent.setdefault(top, top) != top:
            top = parent[top]
        while parent[atom] != top:
            parent[atom], atom = top, parent[atom]
        return top

    for group in groups:
        first, *others = sorted(group) or [""]
        for other in others:
            parent[root(other)] = root(first)
        root(first)
    return {atom: root(atom) for atom in tuple(parent)}


def _propagated(clauses: Sequence[Clause], assumed: Iterable[Literal]) -> dict[str, bool] | None:
    """What unit clauses and assumptions force, atom by atom; None if they force a contradiction."""
    holding: dict[Literal, list[int]] = defaultdict(list)
    for number, clause in enumerate(clauses):
        for literal in clause:
            holding[literal].append(number)
    left = [len(clause) for clause in clauses]
    if 0 in left:
        return None
    forced = [*assumed, *(literal for clause in clauses if len(clause) == 1 for literal in clause)]
    truth: dict[str, bool] = {}
    while forced:
        literal = forced.pop()
        if literal.atom in truth:
            if truth[literal.atom] is not literal.is_positive:
                return None
            continue
        truth[literal.atom] = literal.is_positive
        for number in holding[literal.negated()]:
            left[number] -= 1
            if left[number] == 1:
                forced += _open(clauses[number], truth)
    return truth


def _open(clause: Clause, truth: dict[str, bool]) -> list[Literal]:
    """The literal that must hold if the clause is to, when all others are false; none if it holds."""
    return [] if _is_satisfied(clause, truth) else [one for one in clause if one.atom not in truth]


def _is_satisfied(clause: Clause, truth: dict[str, bool]) -> bool:
    return any(truth.get(literal.atom) is literal.is_positive for literal in clause)


def _undecided(clauses: Sequence[Clause], truth: dict[str, bool]) -> Literal | None:
    """A literal of a clause that taking all open atoms to be false would not satisfy."""
    for clause in clauses:
        if not _is_satisfied(clause, truth):
            still_open = [one for one in clause if one.atom not in truth]
            if all(one.is_positive for one in still_open):
                return min(still_open)
    return None
