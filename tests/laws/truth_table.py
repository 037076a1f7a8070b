"""An oracle for propositional sentences: every world over a few atoms, looked at one by one.

A formula is an atom or a tuple: "not", "and", "or" or "if", then its parts. Sets of worlds are the bits of a
number. It knows no clauses, no propagation and no ranks, so it cannot share a mistake with the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from itertools import combinations
from operator import and_
from typing import Any, Final, TypeAlias

Formula: TypeAlias = str | tuple[Any, ...]
Worlds: TypeAlias = int

VALUES: Final = ("v=1", "v=2", "v=3")
ATOMS: Final = (*"abcdef", *VALUES)
ALL: Final[Worlds] = 2 ** (2 ** len(ATOMS)) - 1
ONE_VALUE: Final[tuple[Formula, ...]] = tuple(("not", ("and", *pair)) for pair in combinations(VALUES, 2))


@cache
def models(formula: Formula) -> Worlds:
    """The worlds in which a formula holds."""
    if isinstance(formula, str):
        place = ATOMS.index(formula)
        return sum(1 << world for world in range(2 ** len(ATOMS)) if world >> place & 1)
    connective, first, *rest = formula
    if connective == "not":
        return ALL & ~models(first)
    (second,) = rest
    if connective == "and":
        return models(first) & models(second)
    if connective == "or":
        return models(first) | models(second)
    assert connective == "if"
    return ALL & ~models(first) | models(second)


def common(formulas: Iterable[Formula]) -> Worlds:
    """The worlds in which all formulas hold."""
    return reduce(and_, map(models, formulas), ALL)


def implies(formulas: Iterable[Formula], goal: Formula) -> bool:
    """Whether the goal holds in every world in which the formulas do."""
    return not common(formulas) & ~models(goal)


def is_satisfiable(formulas: Iterable[Formula]) -> bool:
    """Whether there is a world in which all formulas hold."""
    return common(formulas) != 0


def implied_atoms(formulas: Iterable[Formula]) -> set[str]:
    """The atoms that hold in every world in which the formulas do."""
    given = tuple(formulas)
    return {atom for atom in ATOMS if implies(given, atom)}
