# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""What is withdrawn, lifted, read as of an operation, and dropped for good."""

from __future__ import annotations

from dataclasses import replace

from knowwhy.core.model import (
    Alias,
    Attribute,
    Horizon,
    Retraction,
    Testimony,
    Withdrawal,
    alias_target,
    entity_named,
    name_key,
    retraction_id,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.protocol import BeliefFilter, Snapshot, Store
from knowwhy.testing.records import claim, evidence, source
from knowwhy.testing.suite.committing import PRICE, WINDOW, bare, said
from knowwhy.testing.suite.opening import Opening, state
from knowwhy.testing.workload import Workload

_ORDER = entity_named("order")


class Withdrawing(Opening):
    """A withdrawal is an interval of transaction time: it may be lifted, and made again."""

    def test_a_withdrawal_tells_what_when_and_why(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        operation = work.commit(work.withdrawal(evidence("seven").id, "a slip"))
        due = Withdrawal(
            retraction_id(evidence("seven").id, operation.at),
            evidence("seven").id,
            2,
            operation.at,
            reason="a slip",
        )
        with store.snapshot("default") as snapshot:
            assert list(snapshot.every(Withdrawal)) == [due]
            assert [one.withdrawals for one in snapshot.evidence()] == [(due,)]
            assert [one.withdrawals for one in snapshot.claims([evidence("seven").id])] == [(due,)]

    def test_what_is_lifted_stands_again_from_then_on(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        gone = work.commit(work.withdrawal(evidence("seven").id))
        (known,) = _withdrawals(store)
        back = work.commit(work.lift(known))
        with store.snapshot("default") as snapshot:
            (testimony,) = snapshot.testimonies([ContestKey(WINDOW.id)])[ContestKey(WINDOW.id)]
            (item,) = snapshot.evidence(ids=[evidence("seven").id])
        assert testimony.withdrawals == item.withdrawals == (replace(known, lifted_in=3, lifted_at=back.at),)
        assert testimony.retracted_at is testimony.retraction is item.retracted_at is None
        assert testimony.is_visible(replace(gone, at=gone.at).at) is False
        assert testimony.is_visible(back.at)

    def test_lifts_are_withdrawals_of_withdrawals(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(work.withdrawal(evidence("seven").id))
        (known,) = _withdrawals(store)
        back = work.commit(work.lift(known))
        with store.snapshot("default") as snapshot:
            (lift,) = snapshot.every(Withdrawal, [known.id])
            assert lift == Withdrawal(retraction_id(known.id, back.at), known.id, 3, back.at)
            assert {one.id for one in snapshot.every(Withdrawal)} == {known.id, lift.id}
            assert list(snapshot.every(Withdrawal, [])) == []
            assert snapshot.counts()["retractions"] == 2

    def test_only_the_withdrawal_that_is_named_is_lifted(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        (read,) = _claims(store)
        work.commit(work.withdrawal(read))
        work.commit(work.withdrawal(evidence("seven").id))
        first, second = sorted(_withdrawals(store), key=lambda one: one.operation)
        work.commit(work.lift(first))
        with store.snapshot("default") as snapshot:
            (testimony,) = snapshot.claims([read])
        assert [one.is_lifted for one in testimony.withdrawals] == [True, False]
        assert (testimony.retraction, testimony.retracted_at) == (3, second.at)

    def test_it_may_be_withdrawn_and_lifted_again_and_again(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        for number in range(3):
            work.commit(work.withdrawal(evidence("seven").id))
            standing = [
                one for one in _withdrawals(store) if not one.is_lifted and one.target == evidence("seven").id
            ]
            assert [one.operation for one in standing] == [2 * number + 2]
            work.commit(work.lift(standing[0]))
        with store.snapshot("default") as snapshot:
            (testimony,) = snapshot.testimonies([ContestKey(WINDOW.id)])[ContestKey(WINDOW.id)]
        assert [(one.operation, one.lifted_in) for one in testimony.withdrawals] == [(2, 3), (4, 5), (6, 7)]
        assert testimony.retraction is None

    def test_a_retraction_keeps_the_id_it_was_given(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        given = Retraction(evidence("seven").id, "as elsewhere", "rt_elsewhere")
        store.commit("default", replace(bare(), retractions=(given,)))
        store.commit("default", replace(bare(), retractions=(given,)))
        assert [(one.id, one.operation) for one in _withdrawals(store)] == [("rt_elsewhere", 2)]

    def test_a_lifted_withdrawal_of_an_alias_gives_it_back(self, store: Store, work: Workload) -> None:
        work.commit(work.naming(_ORDER, "deal"))
        work.commit(work.unnaming(_ORDER, "deal"))
        (known,) = _withdrawals(store)
        assert known.target == alias_target("deal", _ORDER.id)
        assert _named(store, "deal") == []
        store.commit("default", replace(bare(), retractions=(Retraction(known.id),)))
        assert _named(store, "deal") == [_ORDER.id]
        with store.snapshot("default") as snapshot:
            assert [(one, one.operation) for one in snapshot.every(Alias)] == [
                (Alias("deal", _ORDER.id, "deal"), 1)
            ]


class Until(Opening):
    """What was declared, known and named as of an operation."""

    def test_the_declaration_in_force_after_an_operation(self, store: Store, work: Workload) -> None:
        for unit in ("day", "week", "month"):
            work.commit(work.declaration(Attribute("return window", unit=unit)))
        work.commit(work.declaration(Attribute("price")))
        with store.snapshot("default") as snapshot:
            found = [snapshot.declared(Attribute, until=number) for number in range(6)]
            assert [{key: one.unit for key, one in those.items()} for those in found] == [
                {},
                {"return window": "day"},
                {"return window": "week"},
                {"return window": "month"},
                {"price": None, "return window": "month"},
                {"price": None, "return window": "month"},
            ]
            assert snapshot.declared(Attribute, ["price"], until=3) == {}
            assert [one.declared_in for one in snapshot.declared(Attribute, until=2).values()] == [2]

    def test_the_sources_known_after_an_operation(self, store: Store, work: Workload) -> None:
        work.commit(work.observation([evidence("a", source("Ann", "user"))]))
        work.commit(work.observation([evidence("b", source("Ann", "official"))]))
        with store.snapshot("default") as snapshot:
            assert [len(snapshot.sources(until=number)) for number in range(4)] == [0, 1, 2, 2]
            assert snapshot.sources(["Ann"], until=1) == [source("Ann", "user")]
            assert snapshot.sources(["Bob"], until=2) == []

    def test_whom_a_name_stood_for_after_an_operation(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(work.naming(_ORDER, "deal"))
        work.commit(work.unnaming(_ORDER, "deal"))
        (known,) = _withdrawals(store)
        store.commit("default", replace(bare(), retractions=(Retraction(known.id),)))
        work.commit(work.unnaming(_ORDER, "deal"))
        work.commit(work.naming(_ORDER, "deal"))
        with store.snapshot("default") as snapshot:
            stood = [bool(snapshot.names(["deal"], until=number)) for number in range(7)]
            assert stood == [False, False, True, False, True, False, True]
            own = [bool(snapshot.names(["order"], until=number)) for number in range(3)]
            assert own == [False, True, True]


class Dropping(Opening):
    """Dropping leaves nothing of what is named, and all else as it was."""

    def test_evidence_goes_with_all_that_rests_on_it_alone(self, store: Store, work: Workload) -> None:
        kept, lost = evidence("seven days"), evidence("fifteen days", source("Ann", "user"))
        work.commit(work.observation([kept], [claim(kept, WINDOW, "7 days")]))
        before = state(store)
        work.commit(
            work.observation(
                [lost],
                [claim(lost, WINDOW, "15 days"), claim(lost, PRICE, "8"), claim(lost, WINDOW, "7 days")],
            )
        )
        work.commit(work.withdrawal(lost.id))
        work.commit(work.declaration(Horizon(work.now)))
        store.drop("default", [lost.id], 1)
        after = state(store)
        for what in ("evidence", "evidence ids"):
            assert after[what] == before[what]
        with store.snapshot("default") as snapshot:
            assert list(snapshot.every(Withdrawal)) == []
            assert snapshot.claims([lost.id]) == []
            assert [str(one.value) for one in snapshot.beliefs(BeliefFilter(attribute="return window"))] == [
                "7 days"
            ]
            assert snapshot.beliefs(BeliefFilter(attribute="price")) == []
            assert snapshot.search(["fifteen", "8", "15"], 9).hits == ()
            assert [one.document for one in snapshot.search(["seven"], 9).hits] == [kept.id]
            assert snapshot.counts()["claims"] == snapshot.counts()["evidence"] == 1
            assert snapshot.head().sequence == 4
        assert store.problems("default") == []

    def test_what_is_dropped_may_come_again(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(work.withdrawal(evidence("seven").id))
        store.drop("default", [evidence("seven").id, "ev_?"], 1)
        work.commit(said(work, "seven"))
        with store.snapshot("default") as snapshot:
            assert [one.operation for one in snapshot.claims([evidence("seven").id])] == [3]
        assert store.problems("default") == []

    def test_what_stands_is_not_dropped(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(work.withdrawal(evidence("seven").id))
        (known,) = _withdrawals(store)
        work.commit(work.lift(known))
        before = state(store)
        store.drop("default", [evidence("seven").id], 1)
        assert state(store) == before

    def test_outcomes_and_replaced_declarations_of_older_operations_go(
        self, store: Store, work: Workload
    ) -> None:
        for unit in ("day", "week", "month"):
            batch = work.declaration(Attribute("return window", unit=unit))
            work.commit(replace(batch, operation=replace(batch.operation, outcome={"unit": unit}, key=unit)))
        store.drop("default", [], 3)
        with store.snapshot("default") as snapshot:
            assert [one.outcome for one in snapshot.operations()] == [{"unit": "month"}, None, None]
            assert [one.key for one in snapshot.operations(key="day")] == ["day"]
            in_force = [snapshot.declared(Attribute, until=number) for number in (1, 2, 3)]
            assert [[one.unit for one in those.values()] for those in in_force] == [[], ["week"], ["month"]]


def _withdrawals(store: Store) -> list[Withdrawal]:
    with store.snapshot("default") as snapshot:
        return [one for one in snapshot.every(Withdrawal) if not one.target.startswith("rt_")]


def _claims(store: Store) -> list[str]:
    with store.snapshot("default") as snapshot:
        return [one.claim.id for one in _all(snapshot)]


def _all(snapshot: Snapshot) -> list[Testimony]:
    return snapshot.claims([one.id for one in snapshot.evidence()])


def _named(store: Store, name: str) -> list[str]:
    with store.snapshot("default") as snapshot:
        return [one.id for one in snapshot.names([name_key(name)]).get(name_key(name), [])]
