"""Sentences of a belief base: ground facts, rules and constraints, in conjunctive normal form.

A base of facts and Horn rules under Horn constraints is what the reasoning is fast for. Any other
propositional sentence may be written as well, for negating a Horn sentence can leave that language.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """An atom, or its denial."""

    atom: str
    is_positive: bool = True

    def negated(self) -> Literal:
        """The same atom with the other sign."""
        return Literal(self.atom, not self.is_positive)

    def is_true_in(self, world: frozenset[str]) -> bool:
        """Whether it holds where the atoms of `world` are true and all others false."""
        return (self.atom in world) is self.is_positive


Clause: TypeAlias = frozenset[Literal]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A conjunction of clauses; `&`, `|` and `~` combine sentences.

    No clause means what is always true, an empty clause what is never true. Disjunction and negation
    multiply clauses out: meant for sentences of a few literals, as facts, rules and inputs are.
    """

    clauses: frozenset[Clause]

    def __and__(self, other: Sentence) -> Sentence:
        return _simplified(self.clauses | other.clauses)

    def __or__(self, other: Sentence) -> Sentence:
        return _simplified(one | another for one in self.clauses for another in other.clauses)

    def __invert__(self) -> Sentence:
        product = NEVER
        for clause in self.clauses:
            product |= _simplified(frozenset({literal.negated()}) for literal in clause)
        return product

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms it speaks of."""
        return frozenset(literal.atom for clause in self.clauses for literal in clause)

    def is_true_in(self, world: frozenset[str]) -> bool:
        """Whether it holds where the atoms of `world` are true and all others false."""
        return all(any(literal.is_true_in(world) for literal in clause) for clause in self.clauses)


ALWAYS = Sentence(frozenset())
NEVER = Sentence(frozenset({frozenset()}))


def fact(atom: str) -> Sentence:
    """That an atom holds; `~fact(atom)` that it does not."""
    return Sentence(frozenset({frozenset({Literal(atom)})}))


def value(slot: str, written: str) -> Sentence:
    """That a slot has a value: the fact whose atom is "slot=written"."""
    return fact(f"{slot}={written}")


def rule(premises: Iterable[Sentence], conclusion: Sentence) -> Sentence:
    """That the conclusion holds if all premises do; a Horn rule if these are facts or values."""
    whole = conclusion
    for premise in premises:
        whole = ~premise | whole
    return whole


def denial(*parts: Sentence) -> Sentence:
    """That the parts do not hold all at once."""
    return rule(parts, NEVER)


def exclusive(*parts: Sentence) -> Sentence:
    """That at most one of the parts holds."""
    whole = ALWAYS
    for one, other in combinations(parts, 2):
        whole &= denial(one, other)
    return whole


def functional(slot: str, values: Iterable[str]) -> Sentence:
    """That a slot has at most one of these values."""
    return exclusive(*(value(slot, one) for one in values))


def _simplified(clauses: Iterable[Clause]) -> Sentence:
    """The sentence without clauses that are always true or that a shorter clause implies."""
    kept: list[Clause] = []
    for clause in sorted(set(clauses), key=len):
        is_tautology = any(literal.negated() in clause for literal in clause)
        if not is_tautology and not any(shorter <= clause for shorter in kept):
            kept.append(clause)
    return Sentence(frozenset(kept))
