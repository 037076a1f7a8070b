# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""What rests on what: the premises of claims, decisions that followed from others, and how beliefs stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence import AnyTally, FactorTally, LogOddsTally, Mass, Tally
from knowwhy.core.confidence.factors import Score
from knowwhy.core.confidence.log_odds import Balance
from knowwhy.core.model import (
    Attribute,
    Cardinality,
    Claim,
    Derivation,
    Doubt,
    Evidence,
    Slot,
    Stance,
    belief_id,
    premises_of,
    slot_of,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import FOREVER
from knowwhy.store.protocol import Batch, BeliefFilter, Decision, Erasing, StaleRead, Store
from knowwhy.testing.records import EPOCH, HOSTILE, claim, evidence, slot
from knowwhy.testing.standings import standings
from knowwhy.testing.suite.committing import PRICE, WINDOW, said
from knowwhy.testing.suite.opening import MANY_SPACES, Opening, beliefs_of, state
from knowwhy.testing.workload import Workload, batches

HOME, JOB, COMMUTE = slot("Ann", "home"), slot("Ann", "employer"), slot("Ann", "commute")
ACME, TRAM, BUS = (
    belief_id(JOB.id, "text:acme"),
    belief_id(COMMUTE.id, "text:tram"),
    belief_id(COMMUTE.id, "text:bus"),
)
_SPACES = count()


def resting(
    ground: Evidence,
    about: Slot,
    value: str,
    *,
    on: tuple[str, ...] = (),
    premises: tuple[str, ...] = (),
    exceptions: tuple[str, ...] = (),
) -> Claim:
    """A claim that depends on slots, and follows from `premises` unless `exceptions`, where there are any."""
    derivation = Derivation(premises, exceptions) if premises else None
    return replace(claim(ground, about, value), depends_on=on, derivation=derivation)


class Leaning(Opening):
    """Beliefs are found by what their claims rest on, and a batch may insist that nothing new does."""

    @pytest.fixture
    def linked(self, work: Workload) -> Workload:
        """A space in which much rests on other things, and some on what is not there."""
        first, second, third = (evidence(text) for text in ("one", "two", "three"))
        work.commit(work.observation([first], [claim(first, JOB, "Acme"), claim(first, HOME, "Bern")]))
        work.commit(work.declaration(Attribute("commute", Cardinality.MANY)))
        read = [
            resting(second, COMMUTE, "tram", on=(JOB.id, HOME.id)),
            resting(second, PRICE, "7", premises=(ACME, TRAM), exceptions=(BUS,)),
            resting(second, WINDOW, "7", on=(JOB.id,), premises=(ACME, JOB.id)),
        ]
        work.commit(work.observation([second], read))
        again = [
            resting(third, COMMUTE, "tram", on=(WINDOW.id,)),
            resting(third, COMMUTE, "bus", premises=(ACME,)),
        ]
        work.commit(work.observation([third], [*again, claim(third, PRICE, "7", Stance.REFUTES)]))
        return work

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (BeliefFilter(premises=[JOB.id]), {"commute/tram", "return window/7"}),
            (BeliefFilter(premises=[HOME.id]), {"commute/tram"}),
            (BeliefFilter(premises=[WINDOW.id]), {"commute/tram"}),
            (BeliefFilter(premises=[ACME]), {"price/7", "return window/7", "commute/bus"}),
            (BeliefFilter(premises=[TRAM]), {"price/7"}),
            (BeliefFilter(premises=[BUS]), {"price/7"}),
            (
                BeliefFilter(premises=[JOB.id, ACME, "bl_?"]),
                {"commute/tram", "return window/7", "price/7", "commute/bus"},
            ),
            (BeliefFilter(premises=[JOB.id, JOB.id], attribute="commute"), {"commute/tram"}),
            (BeliefFilter(premises=[ACME], subjects=[JOB.subject.id]), {"commute/bus"}),
            (
                BeliefFilter(premises=[ACME], values=["number:7"], evidence=[evidence("three").id]),
                {"price/7"},
            ),
            (BeliefFilter(premises=[ACME], contests=[ContestKey(COMMUTE.id)]), {"commute/bus"}),
            (BeliefFilter(premises=[ACME], contests=[ContestKey(COMMUTE.id, "text:tram")]), set()),
            (BeliefFilter(premises=[ACME], ids=[BUS, TRAM]), {"commute/bus"}),
            (BeliefFilter(premises=[ACME], statuses=[]), set()),
            (BeliefFilter(premises=[evidence("two").id, "bl_?", "", "text:tram"]), set()),
            (BeliefFilter(premises=[]), set()),
        ],
        ids=range(16),
    )
    def test_beliefs_are_found_by_what_their_claims_rest_on(
        self, linked: Workload, wanted: BeliefFilter, found: set[str]
    ) -> None:
        with linked.store.snapshot("default") as snapshot:
            beliefs = snapshot.beliefs(wanted)
            assert snapshot.beliefs(replace(wanted, limit=1)) == beliefs[:1]
        assert {f"{one.slot.attribute}/{one.value}" for one in beliefs} == found
        assert [one.id for one in beliefs] == sorted({one.id for one in beliefs})

    def test_what_was_withdrawn_is_found_as_well(self, linked: Workload) -> None:
        linked.commit(linked.withdrawal(evidence("two").id))
        with linked.store.snapshot("default") as snapshot:
            assert [one.id for one in snapshot.beliefs(BeliefFilter(premises=[HOME.id]))] == [TRAM]

    def test_what_rested_on_what_was_erased_is_found_by_it_yet(self, linked: Workload) -> None:
        gone = evidence("one").id
        linked.commit(linked.withdrawal(gone))
        linked.store.drop("default", [gone], 0, Erasing(entities=(HOME.subject.id,)))
        with linked.store.snapshot("default") as snapshot:
            assert [one.attribute for one in snapshot.every(Slot) if one.id == HOME.id] == []
            assert [one.id for one in snapshot.beliefs(BeliefFilter(premises=[HOME.id]))] == [TRAM]

    @MANY_SPACES
    @given(batch=batches())
    def test_exactly_the_beliefs_whose_claims_name_a_premise_are_found(
        self, store: Store, batch: Batch
    ) -> None:
        space = f"resting-{next(_SPACES)}"
        store.commit(space, batch)
        known = {one.id for one in batch.beliefs}
        named: dict[str, set[str]] = {}
        for one in batch.claims:
            for premise in premises_of(one):
                named.setdefault(premise, set()).add(belief_id(one.slot.id, one.value.key))
        with store.snapshot(space) as snapshot:
            for premise, beliefs in named.items():
                found = snapshot.beliefs(BeliefFilter(premises=[premise]))
                assert [one.id for one in found] == sorted(beliefs & known)
            found = snapshot.beliefs(BeliefFilter(premises=list(named)))
            assert [one.id for one in found] == sorted(set().union(*named.values()) & known)
            assert snapshot.head().links == (1 if named else 0)

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_a_premise_may_be_any_text(self, work: Workload, text: str) -> None:
        ground = evidence("anything")
        read = resting(ground, COMMUTE, "tram", on=(text,), premises=(f"{text}1",), exceptions=(f"{text}2",))
        work.commit(work.observation([ground], [read]))
        with work.store.snapshot("default") as snapshot:
            for premise in (text, f"{text}1", f"{text}2"):
                assert [one.id for one in snapshot.beliefs(BeliefFilter(premises=[premise]))] == [TRAM]
            assert [one.claim for one in snapshot.claims([read.id])] == [read]

    def test_thousands_of_premises_may_be_named(self, linked: Workload) -> None:
        unknown = [f"bl_{number}" for number in range(5_000)]
        with linked.store.snapshot("default") as snapshot:
            assert [one.id for one in snapshot.beliefs(BeliefFilter(premises=[*unknown, HOME.id]))] == [TRAM]

    def test_the_head_says_when_something_last_came_to_rest_on_something(self, linked: Workload) -> None:
        linked.commit(said(linked, "nothing rests here"))
        with linked.store.snapshot("default") as snapshot:
            assert (snapshot.head().sequence, snapshot.head().links) == (5, 4)

    @pytest.mark.parametrize("links", [0, 2, 3, 5, 9])
    def test_a_batch_under_other_links_than_the_present_ones_is_refused(
        self, linked: Workload, links: int
    ) -> None:
        before = state(linked.store)
        with pytest.raises(StaleRead):
            linked.commit(replace(said(linked, "late"), links=links))
        assert state(linked.store) == before

    def test_a_batch_is_written_under_the_present_links_or_if_it_names_none(self, linked: Workload) -> None:
        assert linked.commit(replace(said(linked, "under them"), links=4)).sequence == 5
        assert linked.commit(replace(said(linked, "under any"), links=None)).sequence == 6

    def test_what_came_to_rest_meanwhile_refuses_a_batch_that_minds(self, linked: Workload) -> None:
        minding, other = linked.decision([ContestKey(HOME.id)]), said(linked, "minds nothing")
        ground = evidence("four")
        linked.commit(linked.observation([ground], [resting(ground, PRICE, "8", on=(HOME.id,))]))
        with pytest.raises(StaleRead):
            linked.commit(minding)
        assert linked.commit(other).sequence == 6

    def test_spaces_rest_on_nothing_of_each_other(self, store: Store) -> None:
        for space in ("before", "resting", "after"):
            work, ground = Workload(store, space), evidence("one")
            on = (JOB.id,) if space == "resting" else ()
            work.commit(work.observation([ground], [resting(ground, COMMUTE, "tram", on=on)]))
            work.commit(work.decision([ContestKey(space)]))
        for space in ("before", "resting", "after"):
            with store.snapshot(space) as snapshot:
                assert [one.contest.slot_id for one in snapshot.every(Decision)] == [space]
                found = [one.id for one in snapshot.beliefs(BeliefFilter(premises=[JOB.id]))]
                assert (found, snapshot.head().links) == (([TRAM], 1) if space == "resting" else ([], 0))


class Deciding(Opening):
    """Which operation decided a contest last because of others, without testimony on it."""

    def test_the_last_decision_of_each_contest_is_kept(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        slot_, value = ContestKey(WINDOW.id), ContestKey(WINDOW.id, "text:7 days")
        for contests in ([slot_], [slot_, ContestKey("sl_?")], [value], [value], [slot_]):
            work.commit(work.decision(contests))
        with work.store.snapshot("default") as snapshot:
            kept = {one.contest: one.operation for one in snapshot.every(Decision)}
        assert kept == {slot_: 6, value: 5, ContestKey("sl_?"): 3}

    def test_decisions_come_in_order_of_slot_and_value_whole_slots_first(self, work: Workload) -> None:
        contests = [
            ContestKey(one, key)
            for one in ("sl_b", "sl_A", "sl_a", "sl_退")
            for key in ("z", None, "a", "退")
        ]
        work.commit(work.decision(contests))
        with work.store.snapshot("default") as snapshot:
            found = [one.contest for one in snapshot.every(Decision)]
        assert found == sorted(contests, key=lambda one: (one.slot_id, one.value_key or ""))

    def test_a_belief_bears_the_number_of_the_operation_that_decided_it(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(work.decision([ContestKey(WINDOW.id)]))
        assert [belief.version for belief in beliefs_of(work.store)] == [2]

    def test_a_refused_batch_leaves_no_decision(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        late = work.decision([ContestKey(WINDOW.id)])
        work.commit(said(work, "fifteen", "15 days"))
        with pytest.raises(StaleRead):
            work.commit(late)
        with work.store.snapshot("default") as snapshot:
            assert list(snapshot.every(Decision)) == []

    def test_a_snapshot_keeps_its_decisions(self, work: Workload) -> None:
        work.commit(work.decision([ContestKey("sl_1")]))
        with work.store.snapshot("default") as snapshot:
            work.commit(work.decision([ContestKey("sl_1"), ContestKey("sl_2")]))
            assert list(snapshot.every(Decision)) == [Decision(ContestKey("sl_1"), 1)]

    def test_every_kind_of_record_comes_in_order(self, work: Workload) -> None:
        grounds = [evidence(f"number {number}") for number in range(30)]
        read = [claim(one, slot(f"thing {number}"), "7") for number, one in enumerate(grounds)]
        work.commit(work.observation(grounds, read))
        contests = [ContestKey(one.slot.id, one.value.key) for one in read]
        work.commit(work.decision(contests[::-1]))
        with work.store.snapshot("default") as snapshot:
            slots, kept = list(snapshot.every(Slot)), list(snapshot.every(Evidence))
            decisions = [one.contest for one in snapshot.every(Decision)]
        assert slots == sorted((one.slot for one in read), key=lambda one: one.id)
        assert [one.id for one in kept] == sorted(one.id for one in grounds)
        assert decisions == sorted(contests, key=lambda one: one.slot_id)


_MASS = Mass(0.1 + 0.2, 1e-9)
TALLIES: Mapping[str, AnyTally] = {
    "evidence, as by default": Tally(EPOCH),
    "evidence": Tally(EPOCH, 0.5, _MASS, Mass(7.0), Mass(0.0, 3.0), _MASS, 3, 0.3, 0.7),
    "log-odds, as by default": LogOddsTally(EPOCH),
    "log-odds": LogOddsTally(
        EPOCH, 9.5, _MASS, Mass(1.0), (Balance(_MASS), Balance(Mass(), _MASS)), 0.1, 2.0, 0.4
    ),
    "factors, as by default": FactorTally(EPOCH),
    "factors": FactorTally(
        EPOCH,
        30.0,
        Score(0.9, EPOCH, is_pinned=True, voices=2, refuting=1, rivalling=4, steady=0.1),
        (Score(), Score(0.3, FOREVER)),
        1.5,
    ),
}


class Standing(Opening):
    """Beliefs read back as they were settled, whatever gave their numbers and whatever they rest on."""

    @pytest.mark.parametrize("model", TALLIES)
    def test_a_tally_of_every_model_reads_back_equal(self, work: Workload, model: str) -> None:
        work.commit(said(work, "seven"))
        standing = replace(beliefs_of(work.store)[0], tally=TALLIES[model])
        work.commit(work.replacement([standing]))
        assert beliefs_of(work.store) == [replace(standing, version=2)]
        assert {type(one) for one in TALLIES.values()} == {Tally, LogOddsTally, FactorTally}

    def test_doubts_and_derivations_read_back_in_their_order(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        standing = replace(
            beliefs_of(work.store)[0],
            doubts=tuple(
                Doubt(f"sl_{number}", "Ann", "job", "Acme", "", EPOCH, number / 10) for number in (3, 1, 2)
            ),
            derivations=(Derivation(("bl_2", "bl_1"), ("bl_3",), "a rule", 0.1 + 0.2), Derivation(("bl_4",))),
        )
        work.commit(work.replacement([standing]))
        assert beliefs_of(work.store) == [replace(standing, version=2)]
        work.commit(work.replacement([replace(standing, doubts=(), derivations=())]))
        assert beliefs_of(work.store) == [replace(standing, doubts=(), derivations=(), version=3)]

    @MANY_SPACES
    @given(batch=batches(), data=st.data())
    def test_beliefs_read_back_however_they_stand(
        self, store: Store, batch: Batch, data: st.DataObject
    ) -> None:
        work = Workload(store, f"standing-{next(_SPACES)}")
        work.commit(batch)
        # As stored: a subject is written as it was first, and two writings may be one entity.
        settled = [data.draw(standings(one)) for one in beliefs_of(store, work.space)]
        work.commit(work.replacement(settled))
        by_id = sorted(settled, key=lambda one: one.id)
        assert beliefs_of(store, work.space) == [replace(one, version=2) for one in by_id]
        others = [data.draw(standings(one)) for one in by_id]
        store.replace_views(work.space, others)
        assert beliefs_of(store, work.space) == others

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_standings_keep_any_text(self, store: Store, text: str) -> None:
        work = Workload(store, "any text")
        ground, about = evidence("anything"), slot_of(WINDOW.subject, text)
        work.commit(work.observation([ground], [claim(ground, about, "7")]))
        standing = replace(
            beliefs_of(store, work.space)[0],
            doubts=(Doubt(text, text, text, text, text, EPOCH),),
            derivations=(Derivation((text,), (text,), text),),
        )
        work.commit(work.replacement([standing]))
        assert beliefs_of(store, work.space) == [replace(standing, version=2)]
