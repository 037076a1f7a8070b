"""What belief bases rest on: reasoning, kernels, ties, guards, rankings; against a truth table."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knowwhy.core.revision.belief_base.kernels import full_meet, kernel, kernels
from knowwhy.core.revision.belief_base.language import fact
from knowwhy.core.revision.belief_base.operators import Acceptance, accept, consider, contract, revise
from knowwhy.core.revision.belief_base.rankings import Ranking, World
from knowwhy.core.revision.belief_base.reasoning import Theory
from knowwhy.core.revision.belief_base.records import BeliefBase, Element, Guard
from knowwhy.errors import InvalidInput
from tests.laws.belief_bases import (
    Written,
    inputs,
    is_guilty,
    is_possible,
    sentence,
    subsets,
    weighed,
    written,
)
from tests.laws.truth_table import ATOMS, Formula, implies, is_satisfiable, models

INPUT = "input"
FEW = "abc"
WORLDS = tuple(
    frozenset(atom for place, atom in enumerate(FEW) if number >> place & 1)
    for number in range(2 ** len(FEW))
)


# Reasoning --------------------------------------------------------------------------------------


@given(written(), inputs())
def test_entailment_and_consistency_agree_with_the_truth_table(drawn: Written, goal: Formula) -> None:
    base = drawn.base()
    said = [one.sentence for one in base.elements]
    assert base.theory.is_consistent(said) is is_satisfiable(drawn.said(drawn.ids))
    assert base.theory.entails(said, sentence(goal)) is implies(drawn.said(drawn.ids), goal)


@given(st.lists(inputs() | st.builds(lambda one, other: ("or", one, other), inputs(), inputs()), max_size=5))
def test_sentences_of_any_form_are_decided(formulas: list[Formula]) -> None:
    """Also those that are not Horn, which unit propagation alone does not decide."""
    said = [sentence(one) for one in formulas]
    assert Theory().is_consistent(said) is is_satisfiable(formulas)
    for one, formula in zip(said, formulas, strict=True):
        for number in (0, 77, 300, 511):
            world = frozenset(atom for place, atom in enumerate(ATOMS) if number >> place & 1)
            assert one.is_true_in(world) is bool(models(formula) >> number & 1)


def test_splitting_decides_what_propagation_leaves_open() -> None:
    p, q = fact("p"), fact("q")
    assert not Theory().is_consistent([p | q, p | ~q, ~p | q, ~p | ~q])
    assert Theory().is_consistent([p | q, p | ~q, ~p | q])


def test_constraints_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InvalidInput):
        Theory.of(fact("p"), ~fact("p"))


@given(written(strict=False))
def test_acceptance_agrees_with_the_truth_table(drawn: Written) -> None:
    """Best rank first, what is consistent is taken; in one component or in many."""
    assert accept(drawn.base()).ids == weighed(drawn, drawn.order)


# Kernels ----------------------------------------------------------------------------------------


@given(written(), inputs())
def test_kernels_and_remainders_are_those_of_plain_enumeration(drawn: Written, against: Formula) -> None:
    base = drawn.base()
    said = {one.id: one.sentence for one in base.ranked}
    clashing = [one for one in subsets(drawn.ids) if not is_satisfiable([*drawn.said(one), against])]
    fitting = [one for one in subsets(drawn.ids) if one not in clashing]
    least = {one for one in clashing if not any(other < one for other in clashing)}
    greatest = {one for one in fitting if not any(other > one for other in fitting)}
    found = kernels(base.theory, said, sentence(against), most=1000)
    assert {frozenset(one) for one in found.kernels} == least
    assert {frozenset(one) for one in found.remainders} == greatest
    assert not found.is_truncated
    blameless = drawn.ids.difference(*least)
    assert set(full_meet(base.theory, said, sentence(against))) == blameless
    one = kernel(base.theory, said, [sentence(against)])
    assert (one is None) if not least else frozenset(one or ()) in least


def test_a_cap_on_kernels_is_reported() -> None:
    said = {f"{sign}{number}": fact(f"p{number}") for number in range(4) for sign in "xy"}
    against = ~fact("p0") & ~fact("p1") & ~fact("p2") & ~fact("p3")
    assert len(kernels(Theory(), said, against).kernels) == 8
    cut = kernels(Theory(), said, against, most=3)
    assert len(cut.kernels) == 3
    assert cut.is_truncated


@given(written(strict=False))
def test_every_rejection_names_one_kernel(drawn: Written) -> None:
    """A rejected element with its rivals is inconsistent, without any of them is not; none is weaker."""
    found = accept(drawn.base())
    assert {one.element.id for one in found.rejected} == drawn.ids - found.ids
    for one in found.rejected:
        name, rivals = one.element.id, frozenset(one.rivals)
        assert rivals <= found.ids
        assert all(drawn.ranks[rival] >= drawn.ranks[name] for rival in rivals)
        assert not is_satisfiable(drawn.said(rivals | {name}))
        assert all(is_satisfiable(drawn.said((rivals | {name}) - {each})) for each in rivals)


@given(written(strict=False))
def test_a_tie_is_contested(drawn: Written) -> None:
    """An element is tied if it would be accepted but for what has its own rank; and so are its rivals."""
    found = accept(drawn.base())
    for one in found.rejected:
        rank = drawn.ranks[one.element.id]
        above = frozenset(name for name in found.ids if drawn.ranks[name] > rank)
        assert one.is_tied is is_satisfiable(drawn.said(above | {one.element.id}))
        if one.is_tied:
            assert one.element.id in found.contested
            assert found.contested & {name for name in one.rivals if drawn.ranks[name] == rank}


@given(written())
def test_a_strict_order_leaves_nothing_contested(drawn: Written) -> None:
    assert not accept(drawn.base()).contested


# Guards -----------------------------------------------------------------------------------------


@given(written(least=2), inputs(), inputs(), st.integers(0, 3))
def test_a_guard_stays_in_force_until_its_sentence_is_asserted_as_strongly(
    drawn: Written, goal: Formula, later: Formula, rank: int
) -> None:
    assume(not implies(drawn.constraints, goal))
    assume(is_possible(drawn, later))
    guarded = contract(drawn.base(), "guard", sentence(goal), (1.5,)).base
    after = consider(guarded, INPUT, sentence(later), (float(rank),))
    is_lifted = rank > 1 and implies([*drawn.constraints, later], goal)
    assert [one.id for one in after.base.in_force] == ([] if is_lifted else ["guard"])
    kept = after.acceptance
    if is_lifted:
        assert after.acceptance == accept(after.base.without("guard"))
    else:
        assert not implies(said_with(drawn, kept, later), goal)


@given(written(least=2), inputs(), inputs())
def test_forced_input_is_accepted_whatever_was_given_up(
    drawn: Written, goal: Formula, later: Formula
) -> None:
    assume(is_possible(drawn, later))
    guarded = contract(drawn.base(), "guard", sentence(goal)).base
    kept = revise(guarded, INPUT, sentence(later)).acceptance
    assert INPUT in kept.ids
    if not implies([*drawn.constraints, later], goal):
        assert not implies(said_with(drawn, kept, later), goal)


@given(written(least=2), inputs(), st.integers(0, 7))
def test_a_guard_rejects_for_a_kernel_of_what_it_forbids(drawn: Written, goal: Formula, rank: int) -> None:
    """Each element that a guard keeps out implies with its rivals, and not without, what is forbidden."""
    assume(not implies(drawn.constraints, goal))
    found = contract(drawn.base(), "guard", sentence(goal), (float(rank),)).acceptance
    for one in found.rejected:
        whole = frozenset(one.rivals) | {one.element.id}
        if one.guard is None:
            assert not is_satisfiable(drawn.said(whole))
        else:
            assert one.guard.id == "guard"
            assert all(is_guilty(drawn, name, whole - {name}, goal) for name in whole)


def test_what_was_recorded_before_lifts_no_guard() -> None:
    p = fact("p")
    elements = [Element("early", p, (9.0,), place=1), Element("weak", p, (2.0,), place=3)]
    guard = Guard("guard", p, (5.0,), place=2)
    assert accept(BeliefBase.of(Theory(), elements, [guard])).ids == frozenset()
    strong = Element("strong", p, (5.0,), place=4)
    assert accept(BeliefBase.of(Theory(), [*elements, strong], [guard])).ids == {"early", "weak", "strong"}


def test_each_record_has_an_id_of_its_own() -> None:
    with pytest.raises(InvalidInput):
        BeliefBase.of(Theory(), [Element("x", fact("p"), (0.0,)), Element("x", fact("q"), (0.0,))])


def said_with(drawn: Written, kept: Acceptance, goal: Formula) -> list[Formula]:
    """What is accepted, the input if it is, and the constraints, as formulas."""
    return [*drawn.said(kept.ids & drawn.ids), *([goal] if INPUT in kept.ids else [])]


# Rankings ---------------------------------------------------------------------------------------


def small_formulas() -> st.SearchStrategy[Formula]:
    """Formulas of any form over three atoms."""
    return st.recursive(
        st.sampled_from(FEW),
        lambda parts: (
            st.tuples(st.just("not"), parts) | st.tuples(st.sampled_from(("and", "or")), parts, parts)
        ),
        max_leaves=4,
    )


def rankings() -> st.SearchStrategy[Ranking]:
    ranks = st.lists(st.integers(0, 3), min_size=len(WORLDS), max_size=len(WORLDS))
    return ranks.map(lambda some: Ranking.of(zip(WORLDS, some, strict=True)))


def holds(formula: Formula, world: World) -> bool:
    number = sum(1 << place for place, atom in enumerate(ATOMS) if atom in world)
    return bool(models(formula) >> number & 1)


def order(one: int, other: int) -> int:
    return (one > other) - (one < other)


@given(rankings(), small_formulas())
def test_rankings_are_revised_as_defined_pair_by_pair(before: Ranking, given_formula: Formula) -> None:
    said = sentence(given_formula)
    holding = [world for world in WORLDS if holds(given_formula, world)]
    least = min((before.rank(world) for world in holding), default=0)
    best = {world for world in holding if before.rank(world) == least}
    natural, lexicographic, restrained = (
        before.natural(said),
        before.lexicographic(said),
        before.restrained(said),
    )
    for after in (natural, lexicographic, restrained):
        assert not best or after.believed == best
        assert set().union(*after.levels) == set(WORLDS)
    for one in WORLDS:
        for other in WORLDS:
            was = order(before.rank(one), before.rank(other))
            side = holds(given_formula, other) - holds(given_formula, one)
            assert order(lexicographic.rank(one), lexicographic.rank(other)) == (side or was)
            if one not in best and other not in best:
                assert order(natural.rank(one), natural.rank(other)) == was
                assert order(restrained.rank(one), restrained.rank(other)) == (was or side)


@given(st.lists(small_formulas(), max_size=4), st.lists(small_formulas(), min_size=1, max_size=3))
def test_forced_input_on_a_base_is_lexicographic_revision(
    formulas: list[Formula], goals: list[Formula]
) -> None:
    """The best worlds of the ranking that the base stands for are the models of what it accepts."""
    base = BeliefBase.of(
        Theory(),
        (Element(f"e{place}", sentence(one), (-float(place),)) for place, one in enumerate(formulas)),
    )
    misses = {world: [not holds(one, world) for one in formulas] for world in WORLDS}
    by_bits = sorted(WORLDS, key=lambda world: misses[world])
    steps = [misses[world] for world in by_bits]
    ranking = Ranking.of((world, steps.index(misses[world])) for world in by_bits)
    for number, goal in enumerate(goals):
        if any(holds(goal, world) for world in WORLDS):
            base = revise(base, f"{INPUT} {number}", sentence(goal)).base
            ranking = ranking.lexicographic(sentence(goal))
        kept = accept(base).sentences
        assert ranking.believed == {world for world in WORLDS if all(one.is_true_in(world) for one in kept)}
