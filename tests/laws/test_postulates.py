"""The postulates of belief change, on random bases of facts and rules, against a truth table.

K* names postulates of revision by Alchourrón, Gärdenfors and Makinson, DP those of iterated revision by
Darwiche and Pearl, plain words those of Hansson for bases: see knowwhy.core.revision.belief_base.operators.
"""

from __future__ import annotations

from hypothesis import assume, example, given
from hypothesis import strategies as st

from knowwhy.core.revision.belief_base.language import NEVER, fact, rule
from knowwhy.core.revision.belief_base.operators import Reception, accept, consider, contract, expand, revise
from knowwhy.core.revision.belief_base.reasoning import Theory
from knowwhy.core.revision.belief_base.records import BeliefBase, Element
from tests.laws.belief_bases import (
    Ids,
    Written,
    inputs,
    is_guilty,
    is_possible,
    literals,
    sentence,
    subsets,
    weighed,
    written,
)
from tests.laws.truth_table import Formula, Worlds, common, implied_atoms, implies, is_satisfiable, models

INPUT = "input"


def contracted(drawn: Written, goal: Formula) -> Ids:
    return contract(drawn.base(), INPUT, sentence(goal)).acceptance.ids


def revised(drawn: Written, *goals: Formula) -> tuple[Ids, Worlds]:
    """What is accepted after revising by one input after another, and its models."""
    base = drawn.base()
    for number, goal in enumerate(goals):
        base = revise(base, f"{INPUT} {number}", sentence(goal)).base
    kept = accept(base).ids
    said = {f"{INPUT} {number}": goal for number, goal in enumerate(goals)}
    return kept, common([*drawn.said(kept & drawn.ids), *(said[name] for name in kept - drawn.ids)])


def believed(drawn: Written) -> Ids:
    return accept(drawn.base()).ids


# Contraction ------------------------------------------------------------------------------------


@given(written(), inputs())
def test_p1_success_of_contraction(drawn: Written, goal: Formula) -> None:
    assume(not implies(drawn.constraints, goal))
    assert not implies(drawn.said(contracted(drawn, goal)), goal)


@given(written(), inputs())
def test_p1_what_the_constraints_imply_cannot_be_given_up(drawn: Written, goal: Formula) -> None:
    forced = ("or", goal, ("not", goal))
    effect = contract(drawn.base(), INPUT, sentence(forced))
    assert effect.reception is Reception.VIOLATES_CONSTRAINT
    assert (effect.base, effect.acceptance) == (drawn.base(), accept(drawn.base()))


@given(written(), inputs())
def test_p2_inclusion(drawn: Written, goal: Formula) -> None:
    assert contracted(drawn, goal) <= drawn.ids


@given(written(), inputs())
def test_p3_vacuity(drawn: Written, goal: Formula) -> None:
    assume(not implies(drawn.said(believed(drawn)), goal))
    effect = contract(drawn.base(), INPUT, sentence(goal))
    assert effect.acceptance == accept(drawn.base())
    assert effect.reception is Reception.NOT_BELIEVED
    assert not effect.lost


@given(written(least=2), st.data())
def test_p4_core_retainment(drawn: Written, data: st.DataObject) -> None:
    goal = data.draw(inputs() | st.sampled_from(sorted(drawn.formulas.values(), key=str)))
    assume(not implies(drawn.constraints, goal))
    every = subsets(drawn.ids)
    for name in drawn.ids - contracted(drawn, goal):
        assert any(is_guilty(drawn, name, one, goal) for one in every)


@given(written(least=2), st.data())
def test_p5_relevance(drawn: Written, data: st.DataObject) -> None:
    goal = data.draw(inputs() | st.sampled_from(sorted(drawn.formulas.values(), key=str)))
    assume(not implies(drawn.constraints, goal))
    kept = contracted(drawn, goal)
    every = [kept | more for more in subsets(drawn.ids - kept)]
    for name in drawn.ids - kept:
        assert any(is_guilty(drawn, name, one, goal) for one in every)


@given(written(), inputs(), inputs())
@example(
    Written((), {"e0": "a", "e1": ("if", "a", "b")}, {"e0": 0.0, "e1": 1.0}),
    "b",
    ("and", "b", "b"),
)
def test_p6_uniformity(drawn: Written, one: Formula, other: Formula) -> None:
    """What every subset implies or not alike is given up alike."""
    every = [drawn.said(some) for some in subsets(drawn.ids)]
    pairs = [(one, ("and", one, one)), (("and", one, other), ("and", other, one)), (one, other)]
    for left, right in pairs:
        if all(implies(said, left) is implies(said, right) for said in every):
            assert contracted(drawn, left) == contracted(drawn, right)


@given(written(), inputs())
def test_p7_relative_closure(drawn: Written, goal: Formula) -> None:
    assume(not implies(drawn.constraints, goal))
    kept = contracted(drawn, goal)
    assert {name for name in drawn.ids if implies(drawn.said(kept), drawn.formulas[name])} <= kept


@given(written(), inputs())
def test_p8_maximality(drawn: Written, goal: Formula) -> None:
    assume(not implies(drawn.constraints, goal))
    kept = contracted(drawn, goal)
    assert all(implies(drawn.said(kept | {name}), goal) for name in drawn.ids - kept)


@given(written(), inputs())
def test_what_is_given_up_is_the_least_entrenched(drawn: Written, goal: Formula) -> None:
    assume(not implies(drawn.constraints, goal))
    kept: Ids = frozenset()
    for name in drawn.order:
        if not implies(drawn.said(kept | {name}), goal):
            kept |= {name}
    assert contracted(drawn, goal) == kept


# Revision ---------------------------------------------------------------------------------------


@given(written(), inputs())
def test_p9_success_and_consistency_of_forced_input(drawn: Written, goal: Formula) -> None:
    """K*2 and K*5."""
    assume(is_possible(drawn, goal))
    kept, worlds = revised(drawn, goal)
    assert f"{INPUT} 0" in kept
    assert worlds
    assert not worlds & ~models(goal)


@given(written(), inputs())
def test_p9_input_that_contradicts_the_constraints_changes_nothing(drawn: Written, goal: Formula) -> None:
    impossible = ("and", ("and", goal, "v=1"), "v=2")
    base = drawn.base()
    effects = [
        revise(base, INPUT, sentence(impossible)),
        consider(base, INPUT, sentence(impossible), (9.0,)),
        expand(base, INPUT, sentence(impossible), (9.0,)),
    ]
    for effect in effects:
        assert effect.reception is Reception.VIOLATES_CONSTRAINT
        assert (effect.base, effect.acceptance) == (base, accept(base))


@given(written(), inputs())
def test_p10_input_that_fits_is_only_added(drawn: Written, goal: Formula) -> None:
    """K*3 and K*4."""
    before = believed(drawn)
    after = common([*drawn.said(before), goal])
    assume(is_possible(drawn, goal))
    if after:
        assert revised(drawn, goal)[1] == after
        effect = expand(drawn.base(), INPUT, sentence(goal), (3.5,))
        assert effect.acceptance.ids == before | {INPUT}
        assert effect.reception is Reception.ACCEPTED
    else:
        effect = expand(drawn.base(), INPUT, sentence(goal), (3.5,))
        assert (effect.reception, effect.base) == (Reception.CLASHES, drawn.base())
        assert effect.refusal is not None
        rivals = frozenset(effect.refusal.rivals)
        assert not is_satisfiable([*drawn.said(rivals), goal])


@given(written(), inputs(), inputs())
def test_p11_extensionality(drawn: Written, one: Formula, other: Formula) -> None:
    """K*6: how the input is written does not matter."""
    assert revised(drawn, ("and", one, other))[1] == revised(drawn, ("and", other, one))[1]


@given(written(least=2), inputs(), inputs())
def test_p12_revision_by_a_conjunction(drawn: Written, one: Formula, other: Formula) -> None:
    """K*7 and K*8: by both at once, or by one and then what fits."""
    both = ("and", one, other)
    assume(is_possible(drawn, both))
    by_one = revised(drawn, one)[1] & models(other)
    by_both = revised(drawn, both)[1]
    assert not by_one & ~by_both
    if by_one:
        assert by_one == by_both


@given(written(), inputs(), literals())
def test_p13_what_a_stronger_input_outdates(drawn: Written, weak: Formula, more: Formula) -> None:
    """DP1: an input that implies an earlier one leaves as much as if that had never come."""
    strong = ("and", weak, more)
    assume(is_possible(drawn, strong))
    assert revised(drawn, weak, strong)[1] == revised(drawn, strong)[1]


@given(written(), literals(), literals())
def test_p13_what_a_contrary_input_outdates(drawn: Written, one: Formula, more: Formula) -> None:
    """DP2: an input that contradicts an earlier one leaves as much as if that had never come."""
    contrary = ("and", ("not", one), more)
    assume(is_possible(drawn, one))
    assume(is_possible(drawn, contrary))
    assert revised(drawn, one, contrary)[1] == revised(drawn, contrary)[1]


@given(written(least=3), inputs(), inputs())
def test_p13_what_an_earlier_input_cannot_undo(drawn: Written, one: Formula, later: Formula) -> None:
    """DP3 and DP4: what the later input would imply, or allow, by itself, it does after it was said, too."""
    assume(is_possible(drawn, one))
    assume(is_possible(drawn, later))
    alone, after = revised(drawn, later)[1], revised(drawn, one, later)[1]
    if not alone & ~models(one):
        assert not after & ~models(one)
    if alone & models(one):
        assert after & models(one)


@given(written(), inputs())
def test_p14_revision_and_contraction_fit_together(drawn: Written, goal: Formula) -> None:
    """Levi: B*a is B-~a with a. Harper: B-a is what B*~a keeps of B."""
    contrary = ("not", goal)
    assume(is_possible(drawn, goal))
    assume(is_possible(drawn, contrary))
    assert revised(drawn, goal)[0] == contracted(drawn, contrary) | {f"{INPUT} 0"}
    assert contracted(drawn, goal) == revised(drawn, contrary)[0] & drawn.ids


@given(written(), inputs(), st.integers(-1, 7))
def test_p15_relative_success(drawn: Written, goal: Formula, place: int) -> None:
    """Input at any rank is accepted, or nothing changes; what fits is accepted, and nothing lost."""
    assume(is_possible(drawn, goal))
    before = believed(drawn)
    effect = consider(drawn.base(), INPUT, sentence(goal), (place + 0.5,))
    if effect.reception is Reception.ACCEPTED:
        assert INPUT in effect.acceptance.ids
        assert effect.refusal is None
        assert {one.element.id for one in effect.lost} == before - effect.acceptance.ids
        assert effect.regained == effect.acceptance.ids - before - {INPUT}
    else:
        assert effect.reception is Reception.OUTRANKED
        assert effect.acceptance.ids == before
        assert effect.refusal is not None
        assert all(drawn.ranks[rival] > place for rival in effect.refusal.rivals)
        assert not is_satisfiable([*drawn.said(frozenset(effect.refusal.rivals)), goal])
    if is_satisfiable([*drawn.said(before), goal]):
        assert effect.acceptance.ids == before | {INPUT}


@given(written(least=2), st.data())
def test_p16_acceptance_does_not_depend_on_the_order_of_arrival(drawn: Written, data: st.DataObject) -> None:
    """Whatever arrives first, the same is accepted in the end."""
    arrivals = data.draw(st.permutations(sorted(drawn.formulas)))
    base = BeliefBase(drawn.base().theory)
    for name in arrivals:
        base = consider(base, name, sentence(drawn.formulas[name]), (drawn.ranks[name],)).base
    expected = {name for name in drawn.ids if is_possible(drawn, drawn.formulas[name])}
    assert accept(base).ids == believed(drawn)
    assert {one.id for one in base.elements} == expected


def test_p17_what_was_defeated_is_reinstated() -> None:
    """First a beats b, and c stands; without a, b stands and c is out; with a back, all is as before."""
    theory = Theory.of(rule([fact("a"), fact("b")], NEVER), rule([fact("b"), fact("c")], NEVER))
    base = BeliefBase.of(theory, (Element(name, fact(name), (-float(ord(name)),)) for name in "abc"))
    assert accept(base).ids == {"a", "c"}
    assert accept(base.without("a")).ids == {"b"}
    first = base.element("a")
    assert first is not None
    assert BeliefBase.of(theory, [*base.without("a").elements, first]) == base


@given(written(least=2), st.data())
def test_p17_withdrawing_and_restoring_is_exact(drawn: Written, data: st.DataObject) -> None:
    """Without a record all is as if it had never been; un-retracted or lifted, all is as before."""
    base = drawn.base()
    name = data.draw(st.sampled_from(sorted(drawn.formulas)))
    order = [one for one in drawn.order if one != name]
    assert accept(base.without(name)).ids == weighed(drawn, order)
    goal = data.draw(inputs())
    assert accept(contract(base, INPUT, sentence(goal)).base.without(INPUT)) == accept(base)


@given(written(least=3), st.data())
def test_p18_what_is_derived_follows_its_premises(drawn: Written, data: st.DataObject) -> None:
    """Derived atoms are those that what is left implies: the least model."""
    name = data.draw(st.sampled_from(sorted(drawn.formulas)))
    base = drawn.base().without(name)
    found = accept(base)
    assert base.theory.least_model(found.sentences) == implied_atoms(drawn.said(found.ids))


def test_p18_a_loop_does_not_support_itself() -> None:
    a, b, c = fact("a"), fact("b"), fact("c")
    base = BeliefBase.of(
        Theory(),
        (Element(str(one), one, (1.0,)) for one in (rule([a], b), rule([b], a), rule([c], a), c)),
    )
    assert base.theory.least_model(accept(base).sentences) == {"a", "b", "c"}
    assert base.theory.least_model(accept(base.without(str(c))).sentences) == frozenset()


def test_p19_recovery_does_not_hold_on_bases() -> None:
    """Of {p, p -> q}, giving up q leaves p -> q; adding q to that does not bring back p."""
    p, q = fact("p"), fact("q")
    base = BeliefBase.of(Theory(), [Element("p", p, (0.0,)), Element("p -> q", rule([p], q), (1.0,))])
    effect = contract(base, INPUT, q)
    assert effect.acceptance.ids == {"p -> q"}
    left = BeliefBase.of(Theory(), effect.acceptance.accepted)
    assert not Theory().entails(expand(left, "q", q, (2.0,)).acceptance.sentences, p)
