"""Laws of contests that bear on each other: by denials, by derivations, and by premises that move."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from knowwhy import Memory
from knowwhy.core.confidence import NO_MASS, ConfidenceModel, Mass, Side, Tally, statement_count, weighed
from knowwhy.core.model import Attribute, Belief, Derivation, Rule, Status
from knowwhy.core.revision import POLICIES, settle
from knowwhy.core.timeline import BEGINNING, Instant, Scope
from knowwhy.engine.space import Space
from knowwhy.recall.decision import decided
from knowwhy.recall.finding import Finding
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore
from tests.laws.effort import examples
from tests.laws.following import expected_labels, expected_lent, observed_in
from tests.laws.lives import Clock, Life, Overtaken, declarations, observations, told, told_anew
from tests.laws.pools import (
    ATTRIBUTES,
    HELD,
    STANDING,
    VALUES,
    Setting,
    Traits,
    by_id,
    named,
    renamed,
    settings_of,
    violations,
)
from tests.laws.rulings import Ballot, Poll, Renunciation
from tests.laws.worlds import day

MANY = examples(200)
SEEDS = st.integers(0, 2**40)
USUAL = Traits(models=False)


def close(one: float, other: float) -> bool:
    return abs(one - other) < 1e-9


# A function of the records ----------------------------------------------------------------------


@MANY
@given(settings_of(), SEEDS)
def test_the_order_of_testimony_does_not_matter(setting: Setting, seed: int) -> None:
    """P16: what is said first, and which contest is looked at first, decides nothing."""
    shuffled = list(setting.testimonies)
    random.Random(seed).shuffle(shuffled)
    one, other = setting.settled(), setting.only(shuffled).settled()
    assert dict(one.held) == dict(other.held)
    assert dict(one.kept) == dict(other.kept)


@MANY
@given(settings_of())
def test_a_contest_is_settled_alike_alone_with_its_ancestry_and_in_the_whole(setting: Setting) -> None:
    """What is not among the premises of a contest, step by step, has no say in it."""
    whole = setting.settled()
    for key in setting.pool.testimonies:
        part = setting.part(setting.ancestry(key)).settled()
        assert part.held[key] == whole.held[key]
        assert part.kept[key] == whole.kept[key]


@MANY
@given(settings_of(), st.lists(st.permutations(VALUES), min_size=len(ATTRIBUTES), max_size=len(ATTRIBUTES)))
def test_what_values_are_called_does_not_matter(setting: Setting, names: list[list[str]]) -> None:
    """No tie is settled by a name: not within a contest, nor for what hangs on it elsewhere.

    Nor is anything made of it that values of two attributes are called alike.
    """
    called = {
        (attribute, value): name
        for attribute, those in zip(ATTRIBUTES, names, strict=True)
        for value, name in zip(VALUES, those, strict=True)
    }
    held, other = setting.held(), renamed(setting, called).held()
    for attribute, value in called:
        if (one := held.get(named(attribute, value))) is not None:
            its = other[named(attribute, called[attribute, value])]
            assert (one.status, one.because.rule) == (its.status, its.because.rule)
            assert close(one.confidence(setting.at), its.confidence(setting.at))


@MANY
@given(settings_of(), st.integers(5, 16))
def test_a_view_of_what_bears_on_others_reads_as_if_settled_anew(setting: Setting, later: int) -> None:
    """Until the instant it names: also where what it rests on, or is joined to, begins or ends by then."""
    setting = replace(setting, at=max(setting.at, day(5)))
    at = day(later)
    anew = setting.held(at)
    for one in by_id(setting.settled().kept).values():
        if setting.at <= at < one.stable_until:
            again = anew[one.id]
            assert (one.status, one.doubts, one.because) == (again.status, again.doubts, again.because)
            assert (one.since, one.until) == (again.since, again.until)
            assert close(one.confidence(at), again.confidence(at))
            assert one.status_at(at) is again.status_at(at)


# Acceptance -------------------------------------------------------------------------------------


@MANY
@given(settings_of())
def test_what_is_accepted_violates_no_denial(setting: Setting) -> None:
    """Nor holds two values of one slot: what is derived included."""
    held = {key for key, one in setting.held().items() if one.status in HELD}
    assert violations(setting, held) == []


@examples(300)
@given(SEEDS.map(Poll.drawn))
def test_acceptance_across_slots_is_greedy_and_maximal(poll: Poll) -> None:
    """Best entrenched first, unless it violates something with what is accepted (theory §3.3)."""
    held = poll.setting.held()
    if not poll.is_strict:
        return
    accepted = set(poll.accepted())
    assert {key for key in poll.ranks if held[key].status is Status.ACCEPTED} == accepted
    for key in poll.ranks.keys() - accepted:
        assert violations(poll.setting, [*accepted, key]) != []
        assert held[key].status in (Status.SUPERSEDED, Status.REJECTED, Status.CHALLENGER)


@examples(500)
@given(st.builds(Poll.drawn, SEEDS, st.sampled_from((0, 1, 2))))
def test_what_hangs_on_a_tie_is_contested(poll: Poll) -> None:
    """Nothing stands, and nothing falls, that would not if those that are even came in another order."""
    held, outcomes = poll.setting.held(), poll.outcomes()
    for key in poll.ranks if outcomes else ():
        if held[key].status is not Status.CONTESTED:
            is_accepted = held[key].status is Status.ACCEPTED
            assert all((key in one) is is_accepted for one in outcomes)


@examples(500)
@given(settings_of(Traits(dependencies=False, derivations=False)))
def test_a_denial_that_nothing_violates_changes_nothing(setting: Setting) -> None:
    """Vacuity: what is joined by it keeps its own policy, and stands as it would alone."""
    schema = setting.terms.schema
    free = replace(setting, terms=replace(setting.terms, schema=replace(schema, denials=())))
    held = free.held()
    standing = {key for key, one in held.items() if one.status in STANDING}
    if not violations(replace(setting, terms=setting.terms), standing):
        denied = setting.held()
        assert {key: one.status for key, one in held.items()} == {
            key: one.status for key, one in denied.items()
        }


@examples(500)
@given(SEEDS.map(Ballot.drawn))
@example(Ballot.drawn(362))  # what is forced comes before and after something with better odds
def test_each_policy_elects_what_it_says(ballot: Ballot) -> None:
    """What nothing decides is contested; what is forced goes before all else, whatever the policy."""
    settled = settle(ballot.testimonies, ballot.attribute, Scope(day(9)), POLICIES[ballot.default])
    elected = ballot.elected()
    standing = [one for one in settled if one.status in STANDING]
    assert sorted(str(one.value) for one in standing) == sorted(elected)
    assert all((one.status is Status.CONTESTED) is (len(elected) > 1) for one in standing)


@examples(300)
@given(SEEDS.map(Renunciation.drawn))
def test_what_is_given_up_is_believed_again_when_somebody_may_say_so(given_up: Renunciation) -> None:
    """A guard stays in force until a word of no less authority; what was said before counts no more."""
    attribute, scope = Attribute("plan"), Scope(day(9))
    counting = given_up.counting()
    for one in settle(given_up.testimonies, attribute, scope):
        assert (one.status is Status.ACCEPTED) is bool(counting)
        if counting:
            (alone,) = settle(counting, attribute, scope)
            assert close(one.confidence(day(9)), alone.confidence(day(9)))
        else:
            assert (one.status, one.because.rule) == (Status.RETRACTED, Rule.GIVEN_UP)


# What follows -----------------------------------------------------------------------------------


@examples(300)
@given(settings_of())
def test_labels_are_the_well_founded_model_over_what_is_accepted(setting: Setting) -> None:
    """P18: and what was observed leaves no room for what is merely derived."""
    held = setting.held()
    for key, label in expected_labels(setting).items():
        one = held[key]
        assert (one.status in HELD) is (label == "in")
        assert (one.status is Status.CONTESTED) is (label == "open")
        if label == "in":
            assert one.because.rule is Rule.DERIVED
            assert one.derivations
        if label in ("out", "barred") and one.because.rule in (Rule.OBSERVED, Rule.UNFOUNDED):
            status = Status.CHALLENGER if label == "barred" else Status.RETRACTED
            assert one.status is status
    for one in held.values():
        for each in one.derivations:
            assert all(held[premise].status in STANDING for premise in each.premises)
            assert all(held[other].status not in HELD for other in each.exceptions if other in held)


@MANY
@given(settings_of(Traits(dependencies=False)))
def test_what_is_observed_stands_as_if_nothing_were_derived(setting: Setting) -> None:
    """A derivation can bear it out, but not take its place, nor make it less sure."""
    alone, held = setting.without_derivations().held(), setting.held()
    for key, one in alone.items():
        if one.status in STANDING:
            assert held[key].status is one.status
            assert held[key].because == one.because
        is_only_one = all(each.slot != one.slot or each.id == key for each in held.values())
        if one.status is Status.ACCEPTED and is_only_one:
            now, lent = held[key].confidence(setting.at), lent_to(held[key], held, setting.at)
            assert now >= one.confidence(setting.at) - 1e-9
            assert lent > one.confidence(setting.at) or close(now, one.confidence(setting.at))


def lent_by(one: Derivation, held: Mapping[str, Belief], at: Instant) -> float:
    """What a derivation lends by its premises as they are read."""
    return one.strength * min(held[premise].confidence(at) for premise in one.premises)


def lent_to(one: Belief, held: Mapping[str, Belief], at: Instant) -> float:
    """The most that any of its derivations can lend to a belief."""
    return max((lent_by(each, held, at) for each in one.derivations), default=0.0)


@MANY
@given(settings_of(Traits(dependencies=False)))
def test_the_number_of_what_follows_is_that_of_its_best_proof(setting: Setting) -> None:
    """Strength times the weakest premise, and the best of several; one voice, as sure as its support."""
    observed, held = observed_in(setting), setting.held()
    expected = expected_lent(setting, held)
    for key, one in held.items():
        lent, rules = expected[key]
        if one.because.rule is Rule.DERIVED:
            assert (one.because.against or "") in rules
        is_alone = all(each.slot != one.slot or each.id == key for each in held.values())
        if not one.derivations or not is_alone:
            continue
        attribute = setting.terms.schema.attribute(one.slot.attribute)
        if key not in observed or observed[key].status not in STANDING:
            assert close(one.confidence(setting.at), as_voice(attribute, lent))
        elif isinstance(one.tally, Tally):
            own = observed[key].confidence(setting.at)
            bearing = as_voice(attribute, lent, one.tally.refutation) if lent > own + 1e-12 else own
            assert close(one.confidence(setting.at), max(own, bearing))


def as_voice(attribute: Attribute, support: float, against: Mass = NO_MASS) -> float:
    """The confidence of a value for which one voice of that reliability speaks."""
    model = attribute.confidence or ConfidenceModel.EVIDENCE
    side = Side(Mass(pinned=statement_count(model, support)), 1, support, Instant(0), is_pinned=True)
    other = Side(against, 1, 0.5) if against.fresh else Side()
    return weighed(model, {"": side}, {"": other}, Instant(0), attribute.prior)[""].confidence()


@MANY
@given(settings_of(), st.integers(0, 30))
def test_a_withdrawal_takes_down_only_what_rested_on_it(setting: Setting, place: int) -> None:
    """And once it is lifted everything is as it was: the same testimony gives the same beliefs."""
    gone = setting.testimonies[place % len(setting.testimonies)]
    key = setting.contest(gone.claim.slot, gone.claim.value.key)
    left = setting.only(one for one in setting.testimonies if one is not gone)
    before, after = setting.settled().held, left.settled().held
    for contest, beliefs in after.items():
        if key not in setting.ancestry(contest):
            assert beliefs == before[contest]
    assert dict(left.only((*left.testimonies, gone)).settled().held) == dict(before)


# Numbers ----------------------------------------------------------------------------------------


@MANY
@given(settings_of())
def test_values_that_exclude_each_other_share_one_unit_whatever_lends_to_them(setting: Setting) -> None:
    """Observed, derived or in doubt, by any model and at any later time."""
    held = setting.held().values()
    for attribute in ATTRIBUTES:
        if not setting.terms.schema.attribute(attribute).is_exclusive:
            continue
        rivals = [
            one
            for one in held
            if one.slot.attribute == attribute
            and (one.status in STANDING or one.tally.speaks_for or one.tally.speaks_against)
        ]
        for at in (setting.at, day(30), day(400)):
            numbers = [one.confidence(at) for one in rivals]
            assert all(0.0 <= number <= 1.0 for number in numbers)
            assert math.fsum(numbers) <= 1.0 + 1e-9


# Doubt ------------------------------------------------------------------------------------------


@examples(300)
@given(settings_of())
def test_doubt_changes_nothing_but_what_is_doubted_and_never_makes_it_surer(setting: Setting) -> None:
    """What is doubtful would be accepted but for what it rests on, and no more is in its way than that."""
    held, free = setting.held(), setting.without_dependencies().held()
    for key, one in held.items():
        other = free[key]
        if one.status is Status.DOUBTFUL:
            assert other.status is Status.ACCEPTED
            assert one.doubts
            assert one.confidence(setting.at) <= other.confidence(setting.at) + 1e-9
        else:
            assert (one.status, one.doubts) == (other.status, ())


@MANY
@given(settings_of(USUAL))
def test_doubt_takes_the_share_that_rests_on_what_moved(setting: Setting) -> None:
    """Each premise that moved leaves 1 - strength of the evidence; a value alone in its contest shows it."""
    held, free = setting.held(), setting.without_dependencies().held()
    for key, one in held.items():
        other = free[key].tally
        is_alone = all(each.slot != one.slot or each.id == key for each in held.values())
        if one.status is Status.DOUBTFUL and is_alone and not one.derivations and isinstance(other, Tally):
            share = math.prod(1.0 - each.strength for each in one.doubts)
            mass = other.support.fresh * share
            against = other.refutation.fresh * share
            expected = (mass + 1.0) / (mass + against + 2.0)
            assert close(one.confidence(setting.at), min(expected, other.confidence(setting.at)))


@examples(500)
@given(settings_of(USUAL))
def test_what_follows_is_never_surer_than_what_it_follows_from(setting: Setting) -> None:
    """Where that is in doubt it is in doubt too, and counts no more than its premise as it is read."""
    held = setting.held()
    for one in held.values():
        if one.because.rule is not Rule.DERIVED or one.status not in HELD:
            continue
        assert one.confidence(setting.at) <= max(0.5, lent_to(one, held, setting.at)) + 1e-9
        near = [held[premise] for each in one.derivations for premise in each.premises]
        roots = {doubt.premise for each in near for doubt in each.doubts} - {one.slot.id}
        assert roots == {doubt.premise for doubt in one.doubts}


@MANY
@given(settings_of())
def test_a_doubt_says_when_its_premise_moved(setting: Setting) -> None:
    """After the evidence that is in doubt and not after the instant asked about, or not at all."""
    for one in setting.held().values():
        for doubt in one.doubts:
            assert doubt.premise != one.slot.id
            assert doubt.before != doubt.after
            since = BEGINNING if one.because.rule is Rule.DERIVED else one.observed_at
            assert doubt.moved_at == BEGINNING or min(since, setting.at) < doubt.moved_at <= setting.at
            assert ("on" in str(doubt).split()) is (doubt.moved_at > BEGINNING)


@MANY
@given(settings_of(), st.sampled_from((None, "medical")))
def test_one_never_acts_on_what_is_in_doubt(setting: Setting, domain: str | None) -> None:
    """However little an attribute demands."""
    for one in setting.held().values():
        if one.status is Status.DOUBTFUL:
            attribute = replace(
                setting.terms.schema.attribute(one.slot.attribute), act_above=0.0, domain=domain
            )
            decision = decided(Finding(one, attribute, setting.at))
            assert not decision.may_act
            assert "not confirmed since" in decision.reason


# Through a memory -------------------------------------------------------------------------------


def lived(seed: int, store: Store | None = None) -> None:
    """Whatever is done to a memory, its views follow from its log, and read as if settled anew."""
    life = Life(seed, store)
    for _ in range(life.chance.randint(4, 16)):
        life.step()
        assert life.memory.doctor().problems == ()
        assert told(life.memory) == told_anew(life)
    life.clock.day += 4
    before = told(life.memory)
    assert before == told_anew(life)
    life.memory.rebuild()
    assert told(life.memory) == before
    assert life.memory.doctor().problems == ()


@examples(60)
@given(SEEDS)
@example(1380)  # how a premise stood before is judged by a policy declared since, though it stands as it did
def test_views_follow_from_the_log_whatever_rests_on_what(seed: int) -> None:
    lived(seed)


@examples(60)
@given(SEEDS)
def test_an_operation_tells_of_whatever_stands_otherwise_by_it(seed: int) -> None:
    """However far what it brings, withdraws or declares reaches: by denials, rules and premises."""
    life = Life(seed)
    for _ in range(life.chance.randint(4, 16)):
        before, so_far = statuses(life), len(life.memory.log(limit=100))
        life.act()
        entries = life.memory.log(limit=100)
        told_of = {
            (change.subject, change.attribute, change.value)
            for entry in entries[: len(entries) - so_far]
            for change in entry.outcome.changes
        }
        after = statuses(life)
        assert {key for key in after if after[key] != before.get(key)} <= told_of
        life.clock.day += life.chance.choice((0.01, 1.0, 2.0))


def statuses(life: Life) -> dict[tuple[str, ...], str]:
    """How everything stands, by subject, attribute and value; that its evidence is old is no matter here."""
    return {
        (*place.split(), value): "accepted" if status == "stale" else status
        for place, those in told(life.memory).items()
        for value, status, *_ in those
    }


@examples(8)
@given(SEEDS)
def test_views_in_a_file_follow_from_the_log_too(seed: int) -> None:
    store = SqliteStore(":memory:")
    try:
        lived(seed, store)
    finally:
        store.close()


@examples(15)
@given(SEEDS)
def test_it_does_not_matter_in_what_order_or_in_how_many_steps_a_memory_is_told(seed: int) -> None:
    """P16 for whole memories: rules fire, and doubts arise, on what is known in the end."""
    chance = random.Random(seed)
    said, declared = observations(chance), declarations(chance)
    shuffled = chance.sample(said, len(said))

    def memory_told(*steps: Callable[[Memory], object]) -> Memory:
        memory = Memory(Space(MemoryStore(), clock=Clock(40.0)))
        for step in steps:
            step(memory)
        assert memory.doctor().problems == ()
        return memory

    one_by_one = [lambda memory, one=one: memory.observe_many([one]) for one in shuffled]
    memories = [
        memory_told(*declared, lambda memory: memory.observe_many(said)),
        memory_told(*one_by_one, *reversed(declared)),
        memory_told(*chance.sample([*declared, *one_by_one], len(declared) + len(shuffled))),
    ]
    for day_asked in (4.0, 7.5, 13.0, 41.0):
        first, *others = (told(one.at(valid=Clock(day_asked).moment())) for one in memories)
        assert all(other == first for other in others)


def _said(attribute: str, value: str, **more: object) -> Callable[[Memory], object]:
    claim = {"subject": "acme", "attribute": attribute, "value": value, **more}
    return lambda memory: memory.observe(source="bo", source_type="official", claims=[claim])


RACERS: dict[str, Callable[[Memory], object]] = {
    "premise": _said("plan", "v"),
    "plan for a premise": _said("plan", "v", valid_from=Clock(20.0).moment()),
    "dependent": _said("seats", "u"),
    "dependent by its word": _said("tier", "u", depends_on=[("acme", "plan")]),
    "mate": _said("site", "u"),
    "derived": lambda memory: memory.derive("acme", "tier", "v", premises=[("acme", "plan", "u")]),
    "rule": lambda memory: memory.declare_rule(
        "r", premises=[("?x", "plan", "?v")], conclusion=("?x", "tier", "w")
    ),
    "ended": lambda memory: memory.end("acme", "plan", "u"),
}


@pytest.mark.parametrize("meanwhile", RACERS)
@pytest.mark.parametrize("act", RACERS)
def test_what_is_written_meanwhile_is_taken_into_account(act: str, meanwhile: str) -> None:
    """Also what was not there to be looked at when the decision was prepared."""
    store, clock = Overtaken(), Clock()
    memory = Memory(Space(store, clock=clock))
    memory.declare("seats", depends_on=["plan"])
    memory.declare_denial("d", statements=[("?x", "site", "u"), ("?x", "plan", "v")])
    _said("plan", "u")(memory)
    clock.day = 5.0
    other = Memory(Space(store, clock=Clock(4.0)))
    store.meanwhile = lambda: RACERS[meanwhile](other)
    RACERS[act](memory)
    assert memory.doctor().problems == ()
    for at in (6.0, 25.0):
        clock.day = at
        assert told(memory) == told(memory.at(valid=clock.moment(), known=clock.moment()))
