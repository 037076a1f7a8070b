# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""What each way of reading gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knowwhy.core.model import (
    Act,
    Attribute,
    Cardinality,
    Evidence,
    Operation,
    Retraction,
    Slot,
    Stance,
    Status,
    entity_named,
    slot_of,
    value_of,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import Batch, BeliefFilter, Head, Store
from knowwhy.testing.records import EPOCH, HOSTILE, claim, evidence, slot, source
from knowwhy.testing.suite.committing import PRICE, WINDOW, bare, said
from knowwhy.testing.suite.opening import Opening, beliefs_of, by_claim, by_id, in_order
from knowwhy.testing.workload import Workload

MANY = 5_000
DAY = 86_400_000_000


def _in_order(parameter: object) -> str:
    """The id of a test's parameter, the same in every process, which sets by themselves are not."""
    return str(sorted(parameter)) if isinstance(parameter, set) else str(parameter)


class Reading(Opening):
    """The log: operations, declarations, sources, entities and evidence."""

    def test_a_space_nobody_wrote_to_is_empty(self, store: Store) -> None:
        with store.snapshot("nobody") as snapshot:
            assert snapshot.head() == Head()
            assert not snapshot.operations()
            assert not snapshot.sources()
            assert not snapshot.entities()
            assert not snapshot.declared(Attribute)
            assert not snapshot.names(["order"])
            assert not snapshot.evidence(ids=["ev_1"])
            assert not snapshot.claims(["cl_1"])
            assert not snapshot.beliefs(BeliefFilter(ids=["bl_1"]))
            assert not list(snapshot.views())
            assert not list(snapshot.every(Slot))
            assert not [one.id for one in snapshot.every(Evidence)]
            found = snapshot.search(["word"], 5)
            assert (found.hits, found.documents, found.frequencies.get("word", 0)) == ((), 0, 0)
            assert not any(snapshot.counts().values())
        assert store.problems("nobody") == []

    def test_the_head_is_the_last_operation_and_the_last_declaration(self, work: Workload) -> None:
        work.commit(work.declaration(Attribute("colour")))
        declared = work.commit(work.declaration(Attribute("price")))
        last = work.commit(said(work, "seven"))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.head() == Head(last.sequence, last.at, declared.sequence)

    def test_operations_come_newest_first_and_page_by_page(self, store: Store) -> None:
        written = [store.commit("default", bare(EPOCH + number)) for number in range(7)]
        newest_first = written[::-1]
        with store.snapshot("default") as snapshot:
            assert snapshot.operations() == newest_first
            assert snapshot.operations(limit=3) == newest_first[:3]
            assert snapshot.operations(before=5, limit=3) == newest_first[3:6]
            assert snapshot.operations(before=2) == written[:1]
            assert snapshot.operations(before=1) == snapshot.operations(limit=0) == []
            assert snapshot.operations(limit=100) == snapshot.operations(before=100) == newest_first

    def test_operations_are_found_by_key_and_by_number(self, store: Store) -> None:
        keys = ["one", None, "O'ne \"*", None]
        written = [store.commit("default", bare(key=key)) for key in keys]
        with store.snapshot("default") as snapshot:
            assert snapshot.operations(key="one") == [written[0]]
            assert snapshot.operations(key=keys[2]) == [written[2]]
            assert snapshot.operations(key="two") == snapshot.operations(sequences=[]) == []
            assert snapshot.operations(sequences=[1, 4, 9, 1]) == [written[3], written[0]]

    def test_the_latest_declaration_is_in_force(self, work: Workload) -> None:
        first = Attribute("Return-Window", half_life_days=0.1, synonyms=("O'x", "退货"), unit="元")
        second = Attribute("return window", Cardinality.MANY, changes=False, stale_below=0.3, about="order")
        other = Attribute("colour", patterns=("{subject} is {value}",))
        work.commit(work.declaration(first))
        work.commit(work.declaration(other))
        with work.store.snapshot("default") as before:
            assert before.declared(Attribute) == {
                "colour": replace(other, declared_in=2, declared_at=Instant(EPOCH + 2_000_000)),
                "return window": replace(first, declared_in=1, declared_at=Instant(EPOCH + 1_000_000)),
            }
            work.commit(work.declaration(second))
            assert before.declared(Attribute, ["return window"])["return window"].declared_in == 1
        with work.store.snapshot("default") as after:
            assert after.declared(Attribute, ["return window", "price"]) == {
                "return window": replace(second, declared_in=3, declared_at=Instant(EPOCH + 3_000_000))
            }
            assert after.declared(Attribute, []) == {}
            assert after.head().schema == 3

    def test_sources_are_found_by_name_in_all_their_types(self, work: Workload) -> None:
        known = [source("Ann", "user"), source("Ann", "official"), source("O'Brien", "api")]
        work.commit(work.observation([evidence(f"{one}", one) for one in known]))
        with work.store.snapshot("default") as snapshot:
            assert in_order(snapshot.sources(["Ann", "Bob"])) == in_order(known[:2])
            assert in_order(snapshot.sources()) == in_order(known)
            assert snapshot.sources([]) == snapshot.sources(["ann"]) == []

    def test_names_are_found_in_every_spelling_and_every_entity_that_bears_them(self, work: Workload) -> None:
        city, person = entity_named("Berlin", "city"), entity_named("BERLIN", "person", own_id="p")
        capital = entity_named("capital of Germany")
        work.commit(work.naming(city, "Spree-Athen"))
        work.commit(work.naming(city, "Capital of  Germany"))
        work.commit(work.naming(person, "Irving"))
        work.commit(work.naming(person, "Berlin"))
        work.commit(replace(bare(), entities=(capital,)))
        with work.store.snapshot("default") as snapshot:
            found = snapshot.names(
                ["berlin", "spree-athen", "capital of germany", "irving", "bonn", "Berlin"]
            )
            assert {key: by_id(entities) for key, entities in found.items()} == {
                "berlin": by_id([city, person]),
                "spree-athen": [city],
                "capital of germany": by_id([city, capital]),
                "irving": [person],
            }
            assert snapshot.names([]) == {}

    def test_a_retracted_alias_is_no_name_any_more(self, work: Workload) -> None:
        city, person = entity_named("Berlin"), entity_named("Irving")
        for entity in (city, person):
            work.commit(work.naming(entity, "the capital: of"))
        work.commit(work.naming(city, "Berlin"))
        work.commit(work.unnaming(city, "the capital: of"))
        work.commit(work.unnaming(city, "Berlin"))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.names(["the capital: of", "berlin"]) == {
                "the capital: of": [person],
                "berlin": [city],
            }
        work.commit(work.unnaming(person, "the capital: of"))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.names(["the capital: of"]) == {}
        work.commit(work.naming(city, "the capital: of"))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.names(["the capital: of"]) == {"the capital: of": [city]}

    def test_entities_come_in_order_of_id(self, work: Workload) -> None:
        known = by_id([entity_named(name, "thing" if name < "d" else None) for name in "badcfe"])
        work.commit(replace(bare(), entities=tuple(reversed(known))))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.entities() == known
            assert snapshot.entities([known[4].id, "en_?", known[1].id, known[4].id]) == [known[1], known[4]]
            assert snapshot.entities([]) == []

    def test_evidence_is_found_by_id_and_by_content_in_order_of_time(self, work: Workload) -> None:
        late, early = evidence("same", observed_at=Instant(EPOCH + DAY)), evidence("same")
        other = evidence("other", observed_at=Instant(EPOCH - DAY))
        work.commit(work.observation([late, other]))
        work.commit(work.observation([early]))
        withdrawn_at = work.commit(work.withdrawal(other.id)).at
        work.commit(work.withdrawal(other.id))
        with work.store.snapshot("default") as snapshot:
            assert [one.retracted_at for one in snapshot.evidence(ids=[late.id, other.id])] == [
                withdrawn_at,
                None,
            ]
            assert _ids(snapshot.evidence(contents=[late.content, "ct_?"])) == [early.id, late.id]
            by_any_order = snapshot.evidence(ids=[late.id, "ev_?", early.id, other.id, late.id])
            assert _ids(by_any_order) == [other.id, early.id, late.id]
            assert snapshot.evidence(ids=[]) == snapshot.evidence(contents=[]) == []
            assert [one.id for one in snapshot.every(Evidence)] == sorted([late.id, early.id, other.id])

    def test_every_record_is_counted(self, work: Workload) -> None:
        with work.store.snapshot("default") as snapshot:
            before = snapshot.counts()
        work.commit(said(work, "seven"))
        work.commit(said(work, "fifteen", "15 days"))
        beliefs = beliefs_of(work.store)
        with work.store.snapshot("default") as snapshot:
            counts = snapshot.counts()
        assert all(counts[kind] >= number for kind, number in before.items())
        for status in Status:
            expected = sum(belief.status is status for belief in beliefs)
            assert counts.get(f"belief.{status}", 0) == expected
        assert max(counts.values()) == 4  # two beliefs and two items of evidence are in the index

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_any_text_comes_back_as_it_went_in(self, store: Store, text: str) -> None:
        work = Workload(store, text[:50])
        name = " ".join(text.split())
        about = slot_of(entity_named(name, text), "an attribute", ((text, text),))
        ground = replace(
            evidence(text, source(name), context=text),
            metadata=((text, text),),
            groups=(text,),
            derived_from=(text,),
        )
        read = replace(claim(ground, about, text), quote=text, quote_match=text)
        work.commit(work.naming(about.subject, f"{text} too"))
        work.commit(work.declaration(Attribute("an attribute", unit=text, about=text, synonyms=(text,))))
        work.commit(work.observation([ground], [read], key=text))
        work.commit(work.withdrawal(ground.id, reason=text))
        with store.snapshot(work.space) as snapshot:
            (kept,) = snapshot.evidence(ids=[ground.id])
            assert replace(kept, recorded_at=ground.recorded_at, withdrawals=()) == ground
            assert [one.claim for one in snapshot.claims([read.id])] == [read]
            assert snapshot.operations(limit=1)[0].reason == text
            assert snapshot.operations(key=text)[0].sequence == 3
            assert snapshot.declared(Attribute)["an attribute"].synonyms == (text,)
            assert [
                belief.value for belief in snapshot.beliefs(BeliefFilter(values=[value_of(text).key]))
            ] == [value_of(text)]
            assert snapshot.sources([name]) == [ground.source]
            assert list(snapshot.every(Slot)) == [about]


class Testifying(Opening):
    """Claims with who made them and when, withdrawn ones too."""

    def test_evidence_keeps_the_source_as_it_was_when_it_spoke(self, work: Workload) -> None:
        then, now = source("Ann", "user"), replace(source("Ann", "user"), authority=90, reliability=0.99)
        before, after = evidence("seven", then), evidence("fifteen", now)
        for ground, value in ((before, "7"), (after, "15")):
            work.commit(work.observation([ground], [claim(ground, WINDOW, value)]))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.sources() == [then]
            assert [one.source for one in snapshot.evidence(ids=[after.id])] == [now]
            assert {one.claim.evidence_id: one.source for one in snapshot.claims([before.id, after.id])} == {
                before.id: then,
                after.id: now,
            }

    def test_a_slot_is_about_its_subject_as_it_is_on_record(self, work: Workload) -> None:
        ground, other = evidence("seven"), evidence("fifteen")
        written = slot(replace(WINDOW.subject, name="ORDER"), "return window")
        work.commit(work.observation([ground], [claim(ground, WINDOW, "7")]))
        work.commit(work.observation([other], [claim(other, written, "15")]))
        with work.store.snapshot("default") as snapshot:
            assert list(snapshot.every(Slot)) == [WINDOW]
            assert [one.claim.slot for one in snapshot.claims([other.id])] == [WINDOW]
        assert {belief.slot for belief in beliefs_of(work.store)} == {WINDOW}

    def test_testimony_tells_all_that_its_evidence_does(self, work: Workload) -> None:
        ground = evidence("seven", source("Ann", "user"), Instant(EPOCH + DAY), is_pinned=True)
        ground = replace(ground, effective_at=EPOCH, groups=("b:2", "a:1"))
        read = claim(ground, WINDOW, "7 days", valid_from=EPOCH, valid_to=Instant(EPOCH + DAY))
        operation = work.commit(work.observation([ground], [read]))
        with work.store.snapshot("default") as snapshot:
            (found,) = snapshot.testimonies([ContestKey(WINDOW.id)])[ContestKey(WINDOW.id)]
        assert found.claim == read
        assert (found.source, found.groups, found.is_pinned) == (ground.source, ground.groups, True)
        assert (found.observed_at, found.effective_at) == (ground.observed_at, ground.effective_at)
        assert (found.recorded_at, found.operation) == (operation.at, operation.sequence)
        assert found.retracted_at is found.retraction is None

    def test_a_contest_hears_its_slot_or_its_value_alone(self, work: Workload) -> None:
        ground = evidence("all of it")
        seven, fifteen = claim(ground, WINDOW, "7"), claim(ground, WINDOW, "15")
        denied = claim(ground, WINDOW, "7", Stance.REFUTES)
        over = claim(ground, WINDOW, "7", Stance.ENDS, valid_to=Instant(EPOCH + DAY))
        elsewhere = claim(ground, PRICE, "7")
        read = [seven, fifteen, denied, over, elsewhere]
        work.commit(work.observation([ground], read))
        wanted = {
            ContestKey(WINDOW.id): [seven, fifteen, denied, over],
            ContestKey(WINDOW.id, "number:7"): [seven, denied, over],
            ContestKey(WINDOW.id, "number:30"): [],
            ContestKey(PRICE.id): [elsewhere],
            ContestKey("sl_?"): [],
        }
        with work.store.snapshot("default") as snapshot:
            found = snapshot.testimonies(list(wanted))
            assert snapshot.testimonies([]) == {}
        assert found.keys() == wanted.keys()
        for contest, claims in wanted.items():
            heard = [one.claim for one in by_claim(found[contest])]
            assert heard == sorted(claims, key=lambda one: one.id)

    def test_what_one_source_said_on_a_contest_is_found_by_its_name(self, work: Workload) -> None:
        first, again = evidence("one", source("Ann", "user")), evidence("two", source("Ann", "user"))
        other, named = evidence("three", source("Bob", "user")), evidence("four", source("Ann", "official"))
        grounds = [first, again, other, named]
        read = [claim(one, WINDOW, "7") for one in grounds]
        work.commit(work.observation(grounds, [*read, claim(again, WINDOW, "15"), claim(first, PRICE, "7")]))
        work.commit(work.withdrawal(again.id))
        whole, of_value = ContestKey(WINDOW.id), ContestKey(WINDOW.id, "number:7")
        with work.store.snapshot("default") as snapshot:
            found = snapshot.testimonies([whole, of_value], source="Ann")
            few = snapshot.testimonies([whole, of_value], source="Ann", limit=2)
            assert snapshot.testimonies([of_value], source="Cat") == {of_value: []}
            assert snapshot.testimonies([of_value], source="Ann", limit=0) == {of_value: []}
            every = snapshot.testimonies([whole, of_value])
        for contest in (whole, of_value):
            expected = [one for one in every[contest] if one.source.name == "Ann"]
            assert by_claim(found[contest]) == by_claim(expected)
            assert len(few[contest]) == 2
            assert all(one in expected for one in few[contest])
        assert sum(one.retracted_at is not None for one in found[of_value]) == 1

    def test_claims_are_found_by_their_id_and_by_their_evidence(self, work: Workload) -> None:
        seven, fifteen = evidence("seven"), evidence("fifteen")
        read = [claim(seven, WINDOW, "7"), claim(seven, PRICE, "7"), claim(fifteen, WINDOW, "15")]
        work.commit(work.observation([seven, fifteen], read))
        with work.store.snapshot("default") as snapshot:
            found = snapshot.claims([seven.id, read[0].id, "cl_?"])
            assert [one.claim for one in by_claim(found)] == sorted(read[:2], key=lambda one: one.id)
            assert [one.claim for one in snapshot.claims([read[2].id])] == [read[2]]
            assert snapshot.claims([]) == snapshot.claims([WINDOW.id]) == []

    def test_a_claim_read_out_of_its_evidence_later_was_not_known_before(self, work: Workload) -> None:
        ground = evidence("seven", recorded_at=Instant(EPOCH - DAY))
        work.commit(work.observation([ground]))
        operation = work.commit(work.observation([], [claim(ground, WINDOW, "7 days")]))
        with work.store.snapshot("default") as snapshot:
            (found,) = snapshot.claims([ground.id])
        assert (found.operation, found.recorded_at) == (2, operation.at)

    def test_retracted_evidence_takes_all_its_claims_with_it(self, work: Workload) -> None:
        ground, other = evidence("seven"), evidence("fifteen")
        read = [claim(ground, WINDOW, "7"), claim(ground, PRICE, "7"), claim(other, WINDOW, "15")]
        work.commit(work.observation([ground, other], read))
        operation = work.commit(work.withdrawal(ground.id))
        with work.store.snapshot("default") as snapshot:
            found = {
                one.claim.id: (one.retracted_at, one.retraction)
                for one in snapshot.claims([ground.id, other.id])
            }
        assert found == {
            read[0].id: (operation.at, operation.sequence),
            read[1].id: (operation.at, operation.sequence),
            read[2].id: (None, None),
        }

    def test_a_retracted_claim_leaves_the_others_of_its_evidence(self, work: Workload) -> None:
        ground = evidence("seven")
        read = [claim(ground, WINDOW, "7"), claim(ground, PRICE, "7")]
        work.commit(work.observation([ground], read))
        work.commit(work.withdrawal(read[0].id))
        with work.store.snapshot("default") as snapshot:
            heard = snapshot.testimonies([ContestKey(WINDOW.id), ContestKey(PRICE.id)])
        assert [one.retraction for one in heard[ContestKey(WINDOW.id)]] == [2]
        assert [one.retraction for one in heard[ContestKey(PRICE.id)]] == [None]

    def test_the_first_retraction_counts(self, work: Workload) -> None:
        ground = evidence("seven")
        read = [claim(ground, WINDOW, "7"), claim(ground, PRICE, "7")]
        work.commit(work.observation([ground], read))
        for target in (read[0].id, read[0].id, ground.id, ground.id, read[1].id):
            work.commit(work.withdrawal(target))
        with work.store.snapshot("default") as snapshot:
            retractions = {one.claim.id: one.retraction for one in snapshot.claims([ground.id])}
            assert retractions == {read[0].id: 2, read[1].id: 4}
            instants = {one.sequence: one.at for one in snapshot.operations()}
            assert all(
                one.retracted_at == instants[one.retraction or 0] for one in snapshot.claims([ground.id])
            )

    def test_retracting_what_is_not_there_is_a_record_like_any_other(self, store: Store) -> None:
        batch = Batch(Operation(0, EPOCH, EPOCH, Act.RETRACT), retractions=(Retraction("ev_?"),))
        assert store.commit("default", batch).sequence == 1

    def test_slots_come_in_order_of_id_each_once(self, work: Workload) -> None:
        ground, other = evidence("seven"), evidence("fifteen")
        conditional = slot_of(WINDOW.subject, "price", (("country", "CH"), ("plan", "pro")))
        read = [claim(ground, one, "7") for one in (WINDOW, PRICE, conditional)]
        work.commit(work.observation([ground, other], [*read, claim(other, WINDOW, "7", Stance.ENDS)]))
        with work.store.snapshot("default") as snapshot:
            assert list(snapshot.every(Slot)) == sorted([WINDOW, PRICE, conditional], key=lambda one: one.id)

    def test_slots_of_some_entities_are_found_though_nothing_is_believed_of_them(
        self, work: Workload
    ) -> None:
        ground, cup = evidence("seven"), slot_of(entity_named("cup"), "price")
        read = [claim(ground, one, "7", Stance.ENDS) for one in (WINDOW, PRICE, cup)]
        work.commit(work.observation([ground], read))
        with work.store.snapshot("default") as snapshot:
            own = sorted([WINDOW, PRICE], key=lambda one: one.id)
            assert list(snapshot.every(Slot, [WINDOW.subject.id, "en_?"])) == own
            assert list(snapshot.every(Slot, [])) == []


class Believing(Opening):
    """Beliefs as last settled, by what they are about."""

    @pytest.fixture
    def told(self, work: Workload) -> Workload:
        """A space with five beliefs of three slots about two subjects."""
        seven, fifteen, tea = (
            evidence("seven"),
            evidence("fifteen", source("Ann", "official")),
            evidence("tea"),
        )
        cup = slot("cup", "price")
        work.commit(work.declaration(Attribute("price", Cardinality.MANY)))
        work.commit(work.observation([seven], [claim(seven, WINDOW, "7"), claim(seven, PRICE, "7")]))
        work.commit(work.observation([fifteen], [claim(fifteen, WINDOW, "15"), claim(fifteen, PRICE, "15")]))
        work.commit(work.observation([tea], [claim(tea, cup, "7"), claim(tea, PRICE, "7", Stance.REFUTES)]))
        return work

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (
                BeliefFilter(contests=[ContestKey(WINDOW.id)]),
                {"order/return window/7", "order/return window/15"},
            ),
            (BeliefFilter(contests=[ContestKey(PRICE.id, "number:7")]), {"order/price/7"}),
            (
                BeliefFilter(contests=[ContestKey(PRICE.id, "number:7"), ContestKey(WINDOW.id, "number:15")]),
                {"order/price/7", "order/return window/15"},
            ),
            (BeliefFilter(contests=[ContestKey(PRICE.id, "number:30"), ContestKey("sl_?")]), set()),
            (BeliefFilter(subjects=[entity_named("cup").id]), {"cup/price/7"}),
            (BeliefFilter(attribute="price"), {"order/price/7", "order/price/15", "cup/price/7"}),
            (BeliefFilter(values=["number:15"]), {"order/price/15", "order/return window/15"}),
            (BeliefFilter(evidence=[evidence("tea").id]), {"cup/price/7", "order/price/7"}),
            (
                BeliefFilter(evidence=[evidence("seven").id, "ev_?"]),
                {"order/return window/7", "order/price/7"},
            ),
            (
                BeliefFilter(attribute="price", values=["number:7"], subjects=[entity_named("order").id]),
                {"order/price/7"},
            ),
            (BeliefFilter(contests=[ContestKey(WINDOW.id)], attribute="price"), set()),
            (
                BeliefFilter(
                    evidence=[evidence("tea").id], values=["number:7"], subjects=[entity_named("cup").id]
                ),
                {"cup/price/7"},
            ),
            (BeliefFilter(ids=[]), set()),
            (BeliefFilter(contests=[]), set()),
            (BeliefFilter(subjects=[], attribute="price"), set()),
            (BeliefFilter(values=[]), set()),
            (BeliefFilter(statuses=[]), set()),
            (BeliefFilter(evidence=[]), set()),
            (BeliefFilter(attribute="Price"), set()),
        ],
        ids=_in_order,
    )
    def test_every_criterion_given_must_hold(
        self, told: Workload, wanted: BeliefFilter, found: set[str]
    ) -> None:
        with told.store.snapshot("default") as snapshot:
            beliefs = snapshot.beliefs(wanted)
        named = [f"{one.slot.subject.name}/{one.slot.attribute}/{one.value}" for one in beliefs]
        assert set(named) == found
        assert len(named) == len(found)
        assert [one.id for one in beliefs] == sorted(one.id for one in beliefs)

    def test_beliefs_are_found_by_status(self, told: Workload) -> None:
        everything = beliefs_of(told.store)
        with told.store.snapshot("default") as snapshot:
            for status in Status:
                wanted = [belief for belief in everything if belief.status is status]
                assert snapshot.beliefs(BeliefFilter(statuses=[status])) == wanted
            assert snapshot.beliefs(BeliefFilter(statuses=list(Status))) == everything

    def test_beliefs_are_found_by_id_in_order_and_up_to_a_limit(self, told: Workload) -> None:
        everything = beliefs_of(told.store)
        ids = [belief.id for belief in everything]
        with told.store.snapshot("default") as snapshot:
            assert snapshot.beliefs(BeliefFilter(ids=[*reversed(ids), "bl_?", *ids])) == everything
            for limit in range(7):
                assert snapshot.beliefs(BeliefFilter(ids=ids, limit=limit)) == everything[:limit]
                wanted = BeliefFilter(statuses=list(Status), limit=limit)
                assert snapshot.beliefs(wanted) == everything[:limit]

    def test_one_read_may_name_thousands(self, work: Workload) -> None:
        unknown = [f"en_{number}" for number in range(MANY)]
        told = said(work, "seven")
        work.commit(told)
        (belief,) = beliefs_of(work.store)
        contests = [*map(ContestKey, unknown), ContestKey(WINDOW.id, belief.value.key)]
        contests += [ContestKey(WINDOW.id, key) for key in unknown]
        with work.store.snapshot("default") as snapshot:
            for wanted in (
                BeliefFilter(ids=[*unknown, belief.id]),
                BeliefFilter(contests=contests),
                BeliefFilter(subjects=[*unknown, WINDOW.subject.id], values=[*unknown, belief.value.key]),
                BeliefFilter(evidence=[*unknown, told.evidence[0].id]),
            ):
                assert snapshot.beliefs(wanted) == [belief]
            assert len(snapshot.entities([*unknown, WINDOW.subject.id])) == 1
            assert len(snapshot.evidence(ids=[*unknown, told.evidence[0].id])) == 1
            assert len(snapshot.evidence(contents=[*unknown, told.evidence[0].content])) == 1
            assert len(snapshot.claims([*unknown, told.claims[0].id])) == 1
            assert len(snapshot.sources([*unknown, "handbook"])) == 1
            assert list(snapshot.names([*unknown, "order"])) == ["order"]
            assert len(snapshot.testimonies(contests)[contests[MANY]]) == 1
            assert len(snapshot.operations(sequences=range(MANY))) == 1
            assert snapshot.declared(Attribute, unknown) == {}
            assert len(snapshot.search([*unknown, "seven"], 5).hits) == 1

    def test_thousands_may_be_written_and_read_at_once(self, work: Workload) -> None:
        grounds = [evidence(f"item {number}") for number in range(MANY // 5)]
        read = [claim(one, slot(f"thing {number}"), "7 days") for number, one in enumerate(grounds)]
        work.commit(work.observation(grounds, read))
        with work.store.snapshot("default") as snapshot:
            assert len(snapshot.evidence(ids=[one.id for one in grounds])) == len(grounds)
            assert len(snapshot.claims([one.id for one in grounds])) == len(grounds)
            assert len(snapshot.beliefs(BeliefFilter(subjects=[one.slot.subject.id for one in read]))) == len(
                grounds
            )
            heard = snapshot.testimonies([ContestKey(one.slot.id) for one in read])
            assert all(len(testimonies) == 1 for testimonies in heard.values())


def _ids(found: list[Evidence]) -> list[str]:
    return [one.id for one in found]
