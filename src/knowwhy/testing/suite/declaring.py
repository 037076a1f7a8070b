# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""Everything that can be declared: attributes, rules, denials, the charter, what was learned, judgements."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    Adoption,
    Arbitration,
    Archive,
    Attribute,
    Auditing,
    Branch,
    Charter,
    Declared,
    Denial,
    Dependency,
    Document,
    DreamState,
    Edition,
    Erasure,
    Excerpts,
    Failing,
    Grant,
    Horizon,
    Identity,
    Incomplete,
    InferenceRule,
    Judgement,
    Label,
    Learning,
    Lifetimes,
    Mark,
    ParkedTopic,
    Pattern,
    Quarantine,
    Queued,
    QueueStep,
    RankingWeights,
    Run,
    Sameness,
    ValueType,
    Waiting,
    name_key,
)
from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import StaleRead, Store
from knowwhy.testing.declarations import declarations
from knowwhy.testing.records import EPOCH, HOSTILE
from knowwhy.testing.suite.committing import bare
from knowwhy.testing.suite.opening import KINDS, MANY_SPACES, Opening, state
from knowwhy.testing.workload import Workload

_PLAN, _HOURS = Pattern("?c", "plan", "pro"), Pattern("?c", "support hours", "?h")

# One of every kind, with every field other than by default.
EXAMPLES: Final[tuple[Declared, ...]] = (
    Attribute(
        "commute",
        value_type=ValueType.ENTITY,
        subject_type="person",
        object_type="road",
        inverse="commuters",
        confidence=ConfidenceModel.LOG_ODDS,
        policy="newest",
        base_rate=0.2,
        strictness=3.0,
        depends_on=(Dependency("employer", 0.9), Dependency("home", 0.0)),
        act_above=0.95,
        domain="payment",
    ),
    InferenceRule(
        "pro",
        (_PLAN, _HOURS),
        Pattern("?c", "hours", "?h"),
        (Pattern("?c", "late", "yes"),),
        0.9,
        is_withdrawn=True,
    ),
    Denial("pro", (_PLAN, Pattern("?c", "plan", "free")), is_withdrawn=True),
    Charter("manual", ConfidenceModel.FACTORS),
    Learning(EPOCH, (("user:Ann", 0.1 + 0.2, 7), ("rumour:mill", 0.0, 0)), "two coins"),
    Label("bl_1", Judgement.WRONG, 0.1 + 0.2, EPOCH, "Ann", "commute", "tram", "doubtful", "a reviewer"),
    RankingWeights(0.1 + 0.2, 0.0, 1.0, 0.25, 0.5, 7),
    Branch("market up", "main/branch:market up@7", "if", 7, EPOCH, "prices rise", EPOCH, is_closed=True),
    Mark("before the fair", 7, EPOCH, is_withdrawn=True),
    Run("import of May"),
    Adoption("attribute", "commute", EPOCH),
    Horizon(EPOCH),
    QueueStep(
        (Waiting("ev_1", EPOCH, "talk", -90, takes_undeclared=True, is_forced=True),),
        ("ev_2",),
        EPOCH,
        3,
        ("ev_3", "ev_4"),
        (Failing("ev_5", "stumbled", EPOCH, is_counted=False, is_parked=True),),
        ("ev_6",),
        (Queued(Waiting("ev_7", EPOCH), 5, EPOCH, 2, EPOCH, "stumbled", is_parked=True),),
        7,
    ),
    Erasure("er_1", "person", ("ev_1", "ev_2"), (("evidence", 2), ("claims", 3)), EPOCH, "Ann", "0f"),
    Document("handbook.md", (Edition("1", "ev_1", EPOCH), Edition("2", "ev_2", EPOCH))),
    Grant("group:support", ("decide", "pin")),
    Identity("en_1", "en_2", Sameness.SAME, "en_2"),
    Lifetimes((("filler", 0.5), ("user", 30.0))),
    Auditing(30.0),
    Incomplete("ev_1", 3, 9, "date", is_dismissed=True),
    Arbitration("cf_1", "Ann", EPOCH, "7", "Bob"),
    Quarantine("mill", is_released=True),
    DreamState((("distil", 7),), 3, "desk:1", EPOCH, (ParkedTopic("distil", "bl_1", "it is no number"),)),
    Archive("bl_1", 3, EPOCH, is_undone=True),
    Excerpts("ss_1", (("ev_1", 3, 9), ("ev_2", 0, 4))),
)
# What is believed depends on these.
_SCHEMA = Attribute | InferenceRule | Denial | Charter | Learning | Horizon | Identity | Quarantine | Archive
_SPACES = count()


def _kind(declared: object) -> str:
    return type(declared).__name__


class Declaring(Opening):
    """Declarations of a kind, by key: the latest is in force."""

    def test_there_is_an_example_of_every_kind(self) -> None:
        assert {type(one) for one in EXAMPLES} == set(KINDS)

    @pytest.mark.parametrize("declared", EXAMPLES, ids=_kind)
    def test_an_example_reads_back_as_it_was_declared(self, work: Workload, declared: Declared) -> None:
        operation = work.commit(work.declaration(declared))
        kept = replace(declared, declared_in=1, declared_at=operation.at)
        with work.store.snapshot("default") as snapshot:
            for kind in KINDS:
                assert snapshot.declared(kind) == ({declared.key: kept} if kind is type(declared) else {})

    @MANY_SPACES
    @given(declared=st.lists(declarations(), min_size=1, max_size=6))
    def test_the_latest_of_a_kind_and_key_is_in_force(self, store: Store, declared: list[Declared]) -> None:
        work = Workload(store, f"declared-{next(_SPACES)}")
        latest: dict[type[Declared], dict[str, Declared]] = {kind: {} for kind in KINDS}
        for one in declared:
            operation = work.commit(work.declaration(one))
            kept = replace(one, declared_in=operation.sequence, declared_at=operation.at)
            latest[type(one)][one.key] = kept
        with store.snapshot(work.space) as snapshot:
            for kind, expected in latest.items():
                found = snapshot.declared(kind)
                assert found == expected
                assert list(found) == sorted(expected)
                for key, kept in expected.items():
                    assert snapshot.declared(kind, [key]) == {key: kept}

    def test_one_key_may_be_of_several_kinds(self, work: Workload) -> None:
        rule, denial = EXAMPLES[1], EXAMPLES[2]
        assert rule.key == denial.key
        for one in (rule, denial, Attribute("pro")):
            work.commit(work.declaration(one))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.declared(InferenceRule)["pro"].declared_in == 1
            assert snapshot.declared(Denial)["pro"].declared_in == 2
            assert snapshot.declared(Attribute)["pro"].declared_in == 3
            assert snapshot.counts()["attributes"] == 1

    def test_declarations_are_asked_for_by_key_and_come_in_order(self, work: Workload) -> None:
        names = ["b", "退货", "a", "😀", "É", "z"]
        for name in names:
            work.commit(work.declaration(InferenceRule(name, (_PLAN,), _PLAN)))
        keys = [name_key(name) for name in names]
        with work.store.snapshot("default") as snapshot:
            assert list(snapshot.declared(InferenceRule)) == sorted(keys)
            assert list(snapshot.declared(InferenceRule, ["z", "?", keys[1], "a", "z"])) == [
                "a",
                "z",
                keys[1],
            ]
            assert snapshot.declared(InferenceRule, []) == {}
            assert snapshot.declared(Denial, keys) == {}

    def test_of_two_of_one_key_in_a_batch_the_last_is_in_force(self, store: Store) -> None:
        first, last = Charter("newest"), Charter("manual")
        store.commit("default", replace(bare(), declarations=(first, last)))
        with store.snapshot("default") as snapshot:
            assert snapshot.declared(Charter) == {"": replace(last, declared_in=1, declared_at=EPOCH)}

    @pytest.mark.parametrize("declared", EXAMPLES, ids=_kind)
    def test_what_beliefs_depend_on_moves_the_schema_and_labels_do_not(
        self, store: Store, work: Workload, declared: Declared
    ) -> None:
        work.commit(work.declaration(Attribute("colour")))
        late = work.declaration(Attribute("price"))
        work.commit(work.declaration(declared))
        with store.snapshot("default") as snapshot:
            assert snapshot.head().schema == (2 if declared.is_schema else 1)
        assert declared.is_schema is isinstance(declared, _SCHEMA)
        if not declared.is_schema:
            assert work.commit(late).sequence == 3
            return
        before = state(store)
        with pytest.raises(StaleRead):
            work.commit(late)
        assert state(store) == before

    @pytest.mark.parametrize("declared", EXAMPLES, ids=_kind)
    def test_what_beliefs_depend_on_is_declared_under_the_schema_in_force(
        self, work: Workload, declared: Declared
    ) -> None:
        late = work.declaration(declared)
        work.commit(work.declaration(Attribute("colour")))
        if declared.is_schema:
            with pytest.raises(StaleRead):
                work.commit(late)
        else:
            assert work.commit(late).sequence == 2

    def test_one_batch_may_declare_everything(self, store: Store) -> None:
        operation = store.commit("default", replace(bare(), declarations=EXAMPLES))
        with store.snapshot("default") as snapshot:
            assert snapshot.head().schema == 1
            found = [one for kind in KINDS for one in snapshot.declared(kind).values()]
        kept = [replace(one, declared_in=1, declared_at=operation.at) for one in EXAMPLES]
        assert sorted(found, key=_kind) == sorted(kept, key=_kind)

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_declarations_keep_any_text(self, work: Workload, text: str) -> None:
        said = Pattern(text, "plan", text)
        declared: list[Declared] = [
            InferenceRule(text, (said,), Pattern(text, "hours", text)),
            Denial(text, (said, Pattern(text, "hours", text))),
            Charter(text),
            Learning(EPOCH, ((text, 0.5, 1),), text),
            Label(text, Judgement.RIGHT, 0.5, Instant(EPOCH + 1), text, text, text, text, text),
        ]
        for one in declared:
            work.commit(work.declaration(one))
        with work.store.snapshot("default") as snapshot:
            for one in declared:
                (kept,) = snapshot.declared(type(one), [one.key]).values()
                assert replace(kept, declared_in=0, declared_at=one.declared_at) == one
