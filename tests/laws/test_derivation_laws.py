"""Derived beliefs: their support is that of the best proof, their labels those of the well-founded model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.derivation import Justification, Label, Network, Support, exclusive, labels, supports
from tests.laws.derivations import (
    NODES,
    Nodes,
    Proofs,
    closure,
    disbeliefs,
    groups,
    iterated,
    justifications,
    lists_of,
    mentioned,
    numbered,
    reachable,
    sets_of,
    stable_models,
    stratified,
    values,
    well_founded,
)

IN, OUT, UNDECIDED = Label.IN, Label.OUT, Label.UNDECIDED
ANY_SHARE = st.floats(0.0, 1.0)
NOT_SHARES = (-0.1, 1.1, math.inf, -math.inf, math.nan)

owned = numbered(values, least=2)
derivations = lists_of(justifications())
with_exceptions = lists_of(justifications(exceptions=NODES))
of_any_strength = lists_of(justifications(lending=ANY_SHARE))


def because(
    conclusion: str, premises: str = "", exceptions: str = "", strength: float = 1.0
) -> Justification:
    """A justification over nodes of one letter."""
    return Justification(conclusion, tuple(premises), tuple(exceptions), strength=strength)


# Support ----------------------------------------------------------------------------------------


@given(owned, derivations, numbered(disbeliefs))
def test_support_is_the_least_solution_and_the_best_proof(
    own: dict[str, float], some: list[Justification], disbelief: dict[str, float]
) -> None:
    """Best-first search, iteration from zero and all acyclic proofs one by one come to the same."""
    found = supports(own, some, disbelief=disbelief)
    proofs = Proofs(own, some, disbelief)
    assert list(found) == mentioned(own, some)
    exact = {node: Fraction(one.value) for node, one in found.items()}
    assert exact == iterated(own, some, disbelief)
    assert exact == {node: proofs.best(node) for node in found}


@given(owned, derivations, numbered(disbeliefs), groups())
def test_the_proof_named_gives_the_value_and_the_roots(
    own: dict[str, float], some: list[Justification], disbelief: dict[str, float], named: dict[str, Nodes]
) -> None:
    """Followed down to its leaves without meeting a node again on the way."""
    found = supports(own, some, disbelief=disbelief, groups=named)

    def proved(node: str, above: Nodes = frozenset()) -> tuple[float, Nodes]:
        one = found[node]
        if one.via is None:
            return own.get(node, 0.0), named.get(node, frozenset()) if one.value else frozenset()
        assert one.via in some
        assert one.via.conclusion == node
        below = above | {node}
        assert below.isdisjoint(one.via.premises)
        parts = [proved(premise, below) for premise in one.via.premises]
        weakest = min((value for value, _ in parts), default=1.0)
        lent = (1.0 - disbelief.get(node, 0.0)) * one.via.strength * weakest
        return lent, frozenset().union(*(roots for _, roots in parts))

    for node, one in found.items():
        assert (one.value, one.roots) == proved(node)


@given(owned, derivations, numbered(disbeliefs))
def test_of_equal_proofs_the_lowest_then_the_shortest_then_the_first_is_named(
    own: dict[str, float], some: list[Justification], disbelief: dict[str, float]
) -> None:
    found = supports(own, some, disbelief=disbelief)

    def levels(node: str) -> int:
        via = found[node].via
        return 0 if via is None else 1 + max(map(levels, via.premises), default=0)

    def place(one: Justification) -> tuple[int, int, tuple[str, ...], str]:
        return 1 + max(map(levels, one.premises), default=0), len(one.premises), one.premises, one.rule

    for node, one in found.items():
        if one.value == own.get(node, 0.0):
            assert one.via is None
            continue
        equal = [
            each
            for each in some
            if each.conclusion == node
            and (1.0 - disbelief.get(node, 0.0))
            * each.strength
            * min((found[premise].value for premise in each.premises), default=1.0)
            == one.value
        ]
        assert one.via is not None
        assert place(one.via) == min(map(place, equal))


@pytest.mark.parametrize(
    ("some", "chosen"),
    [
        ([because("a", "y"), because("x", "a"), because("x", "y")], because("x", "y")),
        ([because("x", "z"), because("x", "yz")], because("x", "z")),
        ([because("x", "z"), because("x", "y")], because("x", "y")),
        ([because("x", "y", "u"), because("x", "y", "t")], because("x", "y", "t")),
    ],
    ids=["lowest", "shortest", "first", "first by exceptions"],
)
def test_the_choice_among_equal_proofs_in_small(some: list[Justification], chosen: Justification) -> None:
    assert supports({"y": 0.5, "z": 0.5}, some)["x"].via == chosen


@given(owned, derivations, numbered(disbeliefs), groups(), st.randoms(use_true_random=False))
def test_support_does_not_depend_on_order(
    own: dict[str, float],
    some: list[Justification],
    disbelief: dict[str, float],
    named: dict[str, Nodes],
    chance: Random,
) -> None:
    pairs = list(own.items())
    again = [*some, *some[:2]]
    chance.shuffle(pairs)
    chance.shuffle(again)
    found = supports(own, some, disbelief=disbelief, groups=named)
    assert supports(dict(pairs), again, disbelief=disbelief, groups=named) == found


@given(numbered(ANY_SHARE), of_any_strength, numbered(ANY_SHARE))
def test_what_is_derived_is_no_stronger_than_its_weakest_premise(
    own: dict[str, float], some: list[Justification], disbelief: dict[str, float]
) -> None:
    found = supports(own, some, disbelief=disbelief)
    for node, one in found.items():
        assert own.get(node, 0.0) <= one.value <= 1.0
        if one.via is not None:
            weakest = min((found[premise].value for premise in one.via.premises), default=1.0)
            assert one.value <= one.via.strength * weakest
            assert one.value <= 1.0 - disbelief.get(node, 0.0)


@given(numbered(ANY_SHARE), of_any_strength, sets_of(NODES).filter(bool))
def test_a_cycle_does_not_support_itself(
    own: dict[str, float], some: list[Justification], cycle: Nodes
) -> None:
    """Nodes each of whose justifications rests on another of them have nothing but from outside."""
    closed = [
        replace(one, premises=(*one.premises, min(cycle))) if one.conclusion in cycle else one for one in some
    ]
    outside = {node: value for node, value in own.items() if node not in cycle}
    found = supports(outside, closed)
    assert all(found[node] == Support(0.0, None, frozenset()) for node in cycle & found.keys())


@given(numbered(ANY_SHARE), of_any_strength, st.sampled_from(NODES), ANY_SHARE)
def test_support_rises_with_what_it_rests_on(
    own: dict[str, float], some: list[Justification], node: str, further: float
) -> None:
    before = supports(own, some)
    after = supports(own | {node: max(own.get(node, 0.0), further)}, some)
    assert all(one.value <= after[each].value for each, one in before.items())


def test_a_root_reached_over_two_paths_is_one_root() -> None:
    diamond = [because("b", "a", strength=0.9), because("c", "a", strength=0.8), because("d", "bc")]
    found = supports({"a": 0.5}, diamond, groups={"a": ["x", "y"], "d": ["z"]})
    assert found["d"] == Support(0.4, diamond[2], frozenset("xy"))
    two = supports({"b": 0.5, "c": 0.75}, [because("d", "bc")], groups={"b": "x", "c": "x"})
    assert two["d"] == Support(0.5, because("d", "bc"), frozenset("x"))


def test_own_value_is_not_disbelieved_twice() -> None:
    """An own value has been weighed against what speaks against it; what is derived has not."""
    found = supports({"a": 0.5}, [because("b", "a")], disbelief={"a": 0.75, "b": 0.75})
    assert (found["a"].value, found["b"].value) == (0.5, 0.125)


@pytest.mark.parametrize("number", NOT_SHARES)
def test_what_is_no_share_is_refused(number: float) -> None:
    network = Network()
    with pytest.raises(ValueError, match="from 0 to 1"):
        because("a", strength=number)
    with pytest.raises(ValueError, match="own value of 'a'"):
        supports({"a": number}, [])
    with pytest.raises(ValueError, match="disbelief in 'a'"):
        supports({}, [], disbelief={"a": number})
    with pytest.raises(ValueError, match="own value of 'a'"):
        network.set_own("a", number)
    with pytest.raises(ValueError, match="disbelief in 'a'"):
        network.set_own("a", 1.0, number)
    assert network.value("a") == 0.0


# Networks ---------------------------------------------------------------------------------------

Own = tuple[str, float, float, Nodes]
# An own value to set, a justification to add, or the place of one to remove.
Step = Own | Justification | int


def steps(
    shares: st.SearchStrategy[float], one: st.SearchStrategy[Justification]
) -> st.SearchStrategy[list[Step]]:
    own = st.tuples(st.sampled_from(NODES), shares, disbeliefs, st.frozensets(st.sampled_from("xy")))
    step = st.one_of(own, one, one, st.integers(0, 7))
    return st.sampled_from((1, 10, 15)).flatmap(lambda least: st.lists(step, min_size=least, max_size=25))


class Written:
    """What a network was told, and what `supports` makes of it from scratch."""

    def __init__(self, told: Sequence[Step] = ()) -> None:
        self.own: dict[str, float] = dict.fromkeys(NODES, 0.0)
        self.disbelief: dict[str, float] = {}
        self.groups: dict[str, Nodes] = {}
        self.justifications: list[Justification] = []
        self.network = Network()
        for step in told:
            self.tell(step)

    def tell(self, step: Step) -> str:
        """Take the step, and say at which node it begins; at none where there is nothing to remove."""
        if isinstance(step, tuple):
            node, self.own[node], self.disbelief[node], self.groups[node] = step[0], *step[1:]
            self.network.set_own(*step)
            return node
        if isinstance(step, Justification):
            self.network.add(step)
            self.justifications += [step] if step not in self.justifications else []
            return step.conclusion
        if not self.justifications:
            return ""
        gone = self.justifications.pop(step % len(self.justifications))
        self.network.remove(gone)
        return gone.conclusion

    def scratch(self) -> dict[str, Support]:
        return supports(self.own, self.justifications, disbelief=self.disbelief, groups=self.groups)

    def kept(self) -> dict[str, Support]:
        """What the network says; its numbers are those of its proofs."""
        found = {node: self.network.support(node) for node in NODES}
        assert {node: one.value for node, one in found.items()} == self.values()
        return found

    def values(self) -> dict[str, float]:
        return {node: self.network.value(node) for node in NODES}


few_steps = steps(values, justifications())
any_steps = steps(ANY_SHARE, justifications(lending=ANY_SHARE))


@given(few_steps | any_steps)
def test_a_network_always_says_what_would_be_found_from_scratch(told: list[Step]) -> None:
    written = Written()
    for step in told:
        written.tell(step)
        assert written.kept() == written.scratch()


@given(few_steps)
def test_touched_is_what_changed_and_no_more_than_follows_from_the_change(told: list[Step]) -> None:
    written = Written()
    for step in told:
        before = written.values()
        if not (start := written.tell(step)):
            continue
        changed = {node for node, value in written.values().items() if value != before[node]}
        assert changed <= written.network.touched <= reachable(start, written.justifications)


@given(few_steps, st.sets(st.integers(0, 7)), st.sets(st.sampled_from(NODES)))
def test_what_is_given_back_restores_what_was(told: list[Step], places: set[int], nodes: set[str]) -> None:
    written = Written(told)
    before = written.kept()
    network = written.network
    gone = [one for place, one in enumerate(written.justifications) if place in places]
    for one in gone:
        network.remove(one)
    for node in sorted(nodes):
        network.set_own(node, 0.0, 1.0)
    for one in gone:
        network.add(one)
    for node in sorted(nodes, reverse=True):
        network.set_own(
            node,
            written.own[node],
            written.disbelief.get(node, 0.0),
            written.groups.get(node, frozenset()),
        )
    assert written.kept() == before


@given(few_steps, st.sampled_from(NODES))
def test_a_premise_withdrawn_takes_down_what_rested_on_it_and_no_more(told: list[Step], premise: str) -> None:
    """Each node falls to the best of its proofs that do without, found by going through all proofs."""
    written = Written(told)
    proofs = Proofs(written.own, written.justifications, written.disbelief, used=premise)
    assert written.values() == {node: proofs.best(node) for node in NODES}
    written.network.set_own(premise, 0.0, written.disbelief.get(premise, 0.0))
    assert written.values() == {node: proofs.best_without(node) for node in NODES}


def test_a_change_touches_what_it_affects_and_not_the_world() -> None:
    """One premise of many, with fifty dependents that all rest on one further premise as well."""
    network = Network()
    network.set_own("hub", 1.0)
    for group in range(2_000):
        premise = f"p{group}"
        network.set_own(premise, 0.5)
        for number in range(50):
            network.add(Justification(f"c{group}.{number}", ("hub", premise)))
    affected = {"p7", *(f"c7.{number}" for number in range(50))}
    for value in (0.75, 0.25, 0.0, 0.5):
        network.set_own("p7", value)
        assert network.touched == affected
        assert {network.value(node) for node in affected} == {value}
    one = Justification("c7.0", ("hub", "p7"))
    network.remove(one)
    assert network.touched == {"c7.0"}
    network.add(one)
    assert network.touched == {"c7.0"}
    assert network.value("c7.0") == 0.5


def test_a_rise_stops_where_nothing_rises() -> None:
    network = Network()
    for one in (because("c", "ab"), because("d", "c"), because("e", "d")):
        network.add(one)
    network.set_own("a", 0.25)
    network.set_own("b", 0.5)
    network.set_own("b", 0.75)
    assert network.touched == {"b", "c"}
    network.set_own("b", 0.75, groups=("x",))
    assert network.touched == {"b"}


def test_what_has_another_proof_is_not_withdrawn() -> None:
    network = Network()
    for one in (because("c", "a"), because("c", "b"), because("d", "c")):
        network.add(one)
    network.set_own("a", 0.75)
    network.set_own("b", 0.5)
    network.set_own("b", 0.0)
    assert network.touched == {"b"}
    network.remove(because("c", "b"))
    assert network.touched == {"c"}
    network.set_own("c", 0.75)
    network.set_own("a", 0.0)
    assert network.touched == {"a"}
    assert network.value("d") == 0.75


def test_adding_twice_is_adding_once_and_removing_what_is_not_there_is_refused() -> None:
    network = Network()
    one = because("b", "a")
    network.set_own("a", 0.5)
    network.add(one)
    network.add(one)
    assert network.touched == set()
    network.remove(one)
    assert network.value("b") == 0.0
    with pytest.raises(ValueError, match="no such justification of 'b'"):
        network.remove(one)


def test_what_was_never_heard_of_has_no_support() -> None:
    assert Network().value("a") == 0.0
    assert Network().support("a") == Support(0.0, None, frozenset())


def test_depth_is_no_obstacle() -> None:
    chain = [Justification(f"n{number + 1}", (f"n{number}",)) for number in range(5_000)]
    network = Network()
    for one in reversed(chain):
        network.add(one)
    network.set_own("n0", 0.5, groups=("x",))
    assert network.support("n5000") == Support(0.5, chain[-1], frozenset("x"))
    assert set(labels({"n0"}, chain).values()) == {IN}
    network.set_own("n0", 0.0)
    assert network.value("n5000") == 0.0


# Labels -----------------------------------------------------------------------------------------


def sides(found: Mapping[str, Label]) -> tuple[Nodes, Nodes]:
    """What is in and what is out, where a node not mentioned is out."""
    inside = frozenset(node for node in NODES if found.get(node) is IN)
    return inside, frozenset(node for node in NODES if found.get(node, OUT) is OUT)


@given(sets_of(NODES), derivations)
def test_without_exceptions_what_is_in_is_the_least_model(
    assumptions: Nodes, some: list[Justification]
) -> None:
    found = labels(assumptions, some)
    model = closure(assumptions, some)
    assert list(found) == mentioned(assumptions, some)
    assert found == {node: IN if node in model else OUT for node in found}


@given(sets_of(NODES), derivations, st.sampled_from(NODES))
def test_after_a_premise_is_retracted_what_is_in_is_the_least_model_of_the_rest(
    assumptions: Nodes, some: list[Justification], premise: str
) -> None:
    """Property P18: a loop falls with its foundation, and what has another foundation stays."""
    before, _ = sides(labels(assumptions, some))
    after, out = sides(labels(assumptions - {premise}, some))
    assert after == closure(assumptions - {premise}, some)
    assert after <= before
    assert after | out == frozenset(NODES)


@given(sets_of(NODES), stratified())
def test_in_layers_the_labels_are_the_only_stable_model(
    assumptions: Nodes, some: list[Justification]
) -> None:
    inside, outside = sides(labels(assumptions, some))
    assert stable_models(assumptions, some) == [inside]
    assert inside | outside == frozenset(NODES)


@given(sets_of("ab"), with_exceptions)
def test_labels_are_the_well_founded_model_and_agree_with_every_stable_one(
    assumptions: Nodes, some: list[Justification]
) -> None:
    """By the definition with unfounded sets, which knows nothing of reducts."""
    inside, outside = sides(labels(assumptions, some))
    assert (inside, outside) == well_founded(assumptions, some)
    for model in stable_models(assumptions, some):
        assert inside <= model
        assert model.isdisjoint(outside)


@given(sets_of("ab"), with_exceptions, st.randoms(use_true_random=False))
def test_labels_do_not_depend_on_order(assumptions: Nodes, some: list[Justification], chance: Random) -> None:
    again = [*some, *some[:2]]
    chance.shuffle(again)
    assert labels(assumptions, again) == labels(assumptions, some)


def test_what_holds_only_if_it_does_not_is_undecided() -> None:
    assert labels((), [because("p", "", "p")]) == {"p": UNDECIDED}
    found = labels(
        "a", [because("p", "", "p"), because("q", "ap"), because("r", "a", "p"), because("s", "s")]
    )
    assert found == {"a": IN, "p": UNDECIDED, "q": UNDECIDED, "r": UNDECIDED, "s": OUT}
    assert labels("p", [because("p", "", "p")]) == {"p": IN}


def test_exceptions_to_exceptions_are_followed_down() -> None:
    """So far down that one round of the fixpoint does not settle it."""
    chain = [because(after, "", before) for before, after in zip("abcde", "bcdef", strict=True)]
    assert labels((), chain) == {"a": OUT, "b": IN, "c": OUT, "d": IN, "e": OUT, "f": IN}
    assert labels("a", chain) == {"a": IN, "b": OUT, "c": IN, "d": OUT, "e": IN, "f": OUT}


# Rivals -----------------------------------------------------------------------------------------

SLOT = {"u": "uv", "v": "uv"}


def test_derived_rivals_are_undecided_until_one_loses_its_premise() -> None:
    two = exclusive([because("u", "a"), because("v", "b"), because("w", "v")], SLOT)
    assert labels("ab", two) == {"a": IN, "b": IN, "u": UNDECIDED, "v": UNDECIDED, "w": UNDECIDED}
    assert labels("b", two) == {"a": OUT, "b": IN, "u": OUT, "v": IN, "w": IN}
    assert labels("a", two) == {"a": IN, "b": OUT, "u": IN, "v": OUT, "w": OUT}
    assert labels("abu", two)["v"] is OUT


def test_rivals_come_after_the_exceptions_already_there() -> None:
    one = Justification("u", ("a",), ("z", "v"), "r", 0.5)
    assert exclusive([one], {"u": {"v", "x", "w"}}) == [replace(one, exceptions=("z", "v", "w", "x"))]
    assert exclusive([one], {}) == [one]


@given(sets_of(NODES), with_exceptions)
def test_of_rivals_no_two_are_in(assumptions: Nodes, some: list[Justification]) -> None:
    """Three values that exclude each other; where one is assumed, the derived ones are out."""
    values_of_one_slot = "abc"
    found = labels(
        assumptions - frozenset("bc"),
        exclusive(some, dict.fromkeys(values_of_one_slot, values_of_one_slot)),
    )
    held = [node for node in values_of_one_slot if found.get(node) is IN]
    assert len(held) <= 1
    if "a" in assumptions:
        assert held == ["a"]
        assert found.get("b", OUT) is found.get("c", OUT) is OUT


# Boundaries -------------------------------------------------------------------------------------


@given(sets_of("ab"), with_exceptions, sets_of("cd"))
def test_blocked_nodes_are_out_whatever_justifies_them(
    assumptions: Nodes, some: list[Justification], blocked: Nodes
) -> None:
    found = labels(assumptions, some, blocked=blocked)
    assert all(found[node] is OUT for node in blocked)
    others = [one for one in some if one.conclusion not in blocked]
    assert sides(found) == sides(labels(assumptions, others))


@given(sets_of("ab"), with_exceptions, sets_of("cd"))
def test_undecided_nodes_are_undecided_whatever_justifies_them(
    assumptions: Nodes, some: list[Justification], undecided: Nodes
) -> None:
    """Each is as a node whose only justification is that it does not hold."""
    found = labels(assumptions, some, undecided=undecided)
    assert all(found[node] is UNDECIDED for node in undecided)
    others = [one for one in some if one.conclusion not in undecided]
    loops = [because(node, "", node) for node in undecided]
    assert sides(found) == well_founded(assumptions, [*others, *loops])


def test_undecided_nodes_settle_nothing() -> None:
    some = [
        because("b", "a"),
        because("c", "", "a"),
        because("d", "", "c"),
        because("e", "f"),
        because("e", "a"),
    ]
    found = labels("f", some, undecided="a")
    assert found == {"a": UNDECIDED, "b": UNDECIDED, "c": UNDECIDED, "d": UNDECIDED, "e": IN, "f": IN}


@given(
    sets_of(NODES),
    lists_of(justifications("abc", "abc", "abc"), 6),
    lists_of(justifications("def", NODES, NODES), 6),
)
def test_a_whole_is_labelled_as_its_upper_part_given_the_labels_of_the_lower(
    assumptions: Nodes, lower: list[Justification], upper: list[Justification]
) -> None:
    whole = labels(assumptions, [*lower, *upper])
    below = labels(assumptions & frozenset("abc"), lower)
    by_label = {label: {node for node, one in below.items() if one is label} for label in Label}
    above = labels(
        assumptions & frozenset("def") | by_label[IN],
        upper,
        blocked=by_label[OUT],
        undecided=by_label[UNDECIDED],
    )
    assert above == whole
    unsaid = labels(assumptions & frozenset("def") | by_label[IN], upper, undecided=by_label[UNDECIDED])
    assert below | unsaid == whole


@pytest.mark.parametrize(
    ("assumptions", "blocked", "undecided", "says"),
    [
        ("ab", "bc", "d", "'b' is given as assumed and as blocked"),
        ("ab", "c", "bd", "'b' is given as assumed and as undecided"),
        ("a", "bc", "cd", "'c' is given as blocked and as undecided"),
    ],
)
def test_two_standings_of_one_node_are_refused(
    assumptions: str, blocked: str, undecided: str, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        labels(assumptions, [], blocked=blocked, undecided=undecided)
