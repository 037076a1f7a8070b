"""Random belief bases and inputs, as formulas of the truth table and as sentences of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations

from hypothesis import strategies as st

from knowwhy.core.revision.belief_base.language import Sentence, denial, fact, functional, rule
from knowwhy.core.revision.belief_base.reasoning import Theory
from knowwhy.core.revision.belief_base.records import BeliefBase, Element
from tests.laws.truth_table import ATOMS, ONE_VALUE, VALUES, Formula, implies, is_satisfiable

Ids = frozenset[str]


@dataclass(frozen=True, slots=True)
class Written:
    """A base as it was drawn: constraints and formulas by id, with ranks; those of one rank go by id."""

    constraints: tuple[Formula, ...]
    formulas: dict[str, Formula]
    ranks: dict[str, float]

    def base(self) -> BeliefBase:
        """The same for the engine."""
        denials = self.constraints[len(ONE_VALUE) :]
        theory = Theory.of(functional("v", ("1", "2", "3")), *(_denial(one) for one in denials))
        return BeliefBase.of(
            theory,
            (Element(name, sentence(one), (self.ranks[name],)) for name, one in self.formulas.items()),
        )

    def said(self, ids: Ids) -> list[Formula]:
        """The formulas with these ids, and the constraints."""
        return [*self.constraints, *(self.formulas[name] for name in sorted(ids))]

    @property
    def ids(self) -> Ids:
        """The ids of all elements."""
        return frozenset(self.formulas)

    @property
    def order(self) -> list[str]:
        """The ids, hardest to give up first."""
        return sorted(self.formulas, key=lambda name: (-self.ranks[name], name))


def sentence(formula: Formula) -> Sentence:
    """The sentence that says what the formula does, by the engine's own words for it."""
    if isinstance(formula, str):
        return fact(formula)
    connective, *parts = formula
    if connective == "not":
        return ~sentence(parts[0])
    if connective == "and":
        return sentence(parts[0]) & sentence(parts[1])
    if connective == "or":
        return sentence(parts[0]) | sentence(parts[1])
    premises = parts[0][1:] if parts[0][0] == "and" else parts[:1]
    return rule(map(sentence, premises), sentence(parts[1]))


def _denial(formula: Formula) -> Sentence:
    """A constraint of the form not(p and q)."""
    return denial(*map(fact, formula[1][1:]))


def literals() -> st.SearchStrategy[Formula]:
    """An atom or its denial, one in five of them."""
    return st.builds(_signed, st.sampled_from(ATOMS), st.sampled_from((False,) * 4 + (True,)))


def rules() -> st.SearchStrategy[Formula]:
    """A Horn rule of one or two premises, one in five with a negative head."""
    premises = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=2, unique=True)
    return st.builds(lambda some, head: ("if", _conjunction(some), head), premises, literals())


def inputs() -> st.SearchStrategy[Formula]:
    """Literals, and conjunctions of two."""
    literal = st.builds(_signed, st.sampled_from(ATOMS), st.booleans())
    return literal | st.builds(lambda one, other: ("and", one, other), literal, literal)


@st.composite
def written(draw: st.DrawFn, *, strict: bool = True, least: int = 0) -> Written:
    """A base of up to seven literals and rules, with one functional slot and up to two denials."""
    element = st.sampled_from((literals(),) * 3 + (rules(),) * 2).flatmap(lambda kind: kind)
    formulas = draw(st.lists(element, min_size=least, max_size=7))
    pairs = [("not", ("and", *pair)) for pair in combinations((*"abcdef", VALUES[0]), 2)]
    denials = draw(st.lists(st.sampled_from(pairs), max_size=2))
    names = [f"e{number}" for number in range(len(formulas))]
    if strict:
        ranks = draw(st.permutations(range(len(formulas))))
    else:
        ranks = draw(st.lists(st.integers(0, 2), min_size=len(names), max_size=len(names)))
    numbered = {name: float(rank) for name, rank in zip(names, ranks, strict=True)}
    return Written((*ONE_VALUE, *denials), dict(zip(names, formulas, strict=True)), numbered)


def subsets(names: Ids) -> list[Ids]:
    """All sets of these ids."""
    every = chain.from_iterable(combinations(sorted(names), size) for size in range(len(names) + 1))
    return [frozenset(one) for one in every]


def is_possible(drawn: Written, *formulas: Formula) -> bool:
    """Whether the constraints allow the formulas."""
    return is_satisfiable([*drawn.constraints, *formulas])


def weighed(drawn: Written, order: list[str]) -> Ids:
    """The greedy subset by the truth table."""
    kept: Ids = frozenset()
    for name in order:
        if is_satisfiable(drawn.said(kept | {name})):
            kept |= {name}
    return kept


def is_guilty(drawn: Written, name: str, others: Ids, goal: Formula) -> bool:
    """Whether the others do not imply the goal, but do with this element."""
    return not implies(drawn.said(others), goal) and implies(drawn.said(others | {name}), goal)


def _signed(atom: str, is_denied: bool) -> Formula:  # noqa: FBT001 (drawn)
    return ("not", atom) if is_denied else atom


def _conjunction(atoms: list[str]) -> Formula:
    return reduce(lambda one, other: ("and", one, other), atoms)  # type: ignore[arg-type, return-value]
