"""What rests on something else, as a person meets it: how doubt comes and goes, and what it says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import knowwhy
from knowwhy import Instant, Memory
from knowwhy.core.model import Because, Rule

START = datetime(2025, 1, 1, tzinfo=UTC)


class Days:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.day = 0.0

    def __call__(self) -> Instant:
        """The present instant."""
        return Instant(int(day(self.day).timestamp()) * 1_000_000)


def day(number: float) -> datetime:
    """A day of the story."""
    return START + timedelta(days=number)


@pytest.fixture(name="clock")
def a_clock() -> Days:
    return Days()


@pytest.fixture(name="memory")
def a_memory(clock: Days) -> Memory:
    return knowwhy.open(":memory:", clock=clock)


def said(memory: Memory, attribute: str, value: str, by: str = "ann", **more: object) -> str:
    """Somebody says something of Mia; the id of the evidence."""
    claim = {"subject": "mia", "attribute": attribute, "value": value, **more}
    return memory.observe(source=by, source_type="user", claims=[claim]).evidence[0]


def read(
    memory: Memory, attribute: str, at: float | None = None, known: float | None = None
) -> dict[str, str]:
    """What is read of Mia, by value."""
    moments = [None if one is None else day(one) for one in (at, known)]
    reader = memory.at(valid=moments[0], known=moments[1]) if any(moments) else memory
    answer = reader.ask("mia", attribute)
    return {str(one.value): str(one.status) for one in (*answer.findings, *answer.others)}


def reasons(memory: Memory, attribute: str) -> list[str]:
    """The doubts on what stands."""
    return [str(one) for one in memory.ask("mia", attribute).findings[0].belief.doubts]


def moved_house(memory: Memory, clock: Days) -> None:
    """Mia's commute was told while she worked at A; now she works at B."""
    memory.declare("commute", depends_on=["employer"])
    said(memory, "employer", "A")
    clock.day = 1
    said(memory, "commute", "30")
    clock.day = 3
    said(memory, "employer", "B")
    clock.day = 4


def test_a_doubt_names_what_moved_and_one_does_not_act_on_it(memory: Memory, clock: Days) -> None:
    moved_house(memory, clock)
    answer = memory.ask("mia", "commute")
    told = "its premise employer changed from A to B on 2025-01-04, not confirmed since"
    assert answer.findings[0].warnings == (told,)
    assert answer.decision.reason == told
    assert not answer.decision.may_act
    assert answer.confidence < 0.8


@pytest.mark.parametrize("modality", ["asked", "hypothetical", "quoted", "suggested"])
def test_what_nobody_stands_for_confirms_nothing(memory: Memory, clock: Days, modality: str) -> None:
    moved_house(memory, clock)
    said(memory, "commute", "30", by="bo", modality=modality)
    assert read(memory, "commute") == {"30": "doubtful"}


def test_a_derivation_confirms_nothing(memory: Memory, clock: Days) -> None:
    moved_house(memory, clock)
    said(memory, "city", "Ulm")
    clock.day = 5
    memory.derive("mia", "commute", "30", premises=[("mia", "city")])
    clock.day = 6
    assert read(memory, "commute") == {"30": "doubtful"}


def test_a_rule_that_fires_later_confirms_nothing(memory: Memory, clock: Days) -> None:
    memory.declare_rule("r", premises=[("?x", "car", "?v")], conclusion=("?x", "commute", "30"))
    moved_house(memory, clock)
    said(memory, "car", "none", by="bo", stance="refutes")
    clock.day = 5
    assert read(memory, "commute") == {"30": "doubtful"}


def test_new_evidence_clears_a_doubt_and_leaves_the_past_in_doubt(memory: Memory, clock: Days) -> None:
    moved_house(memory, clock)
    clock.day = 5
    said(memory, "commute", "30", by="bo")
    clock.day = 6
    assert read(memory, "commute") == {"30": "accepted"}
    assert [read(memory, "commute", at)["30"] for at in (1, 2, 3, 4.9, 5)] == [
        "accepted",
        "accepted",
        "doubtful",
        "doubtful",
        "accepted",
    ]


@pytest.mark.parametrize("way", ["withdrawn", "said again"])
def test_a_premise_that_did_not_change_leaves_everything_as_it_was(
    memory: Memory, clock: Days, way: str
) -> None:
    memory.declare("commute", depends_on=["employer"])
    said(memory, "employer", "A")
    clock.day = 1
    said(memory, "commute", "30")
    before = memory.ask("mia", "commute").confidence
    clock.day = 3
    evidence = said(memory, "employer", "B")
    clock.day = 4
    assert read(memory, "commute") == {"30": "doubtful"}
    if way == "withdrawn":
        memory.retract(evidence)
    else:
        said(memory, "employer", "A")
    clock.day = 5
    assert read(memory, "commute") == {"30": "accepted"}
    assert memory.ask("mia", "commute").confidence == before


def test_time_alone_brings_a_doubt_over_several_steps(memory: Memory, clock: Days) -> None:
    memory.declare("office", depends_on=["employer"])
    memory.declare("commute", depends_on=["office"])
    said(memory, "employer", "A")
    clock.day = 1
    said(memory, "employer", "B", by="bo", valid_from=day(10))
    clock.day = 2
    said(memory, "office", "Ulm")
    clock.day = 3
    said(memory, "commute", "30")
    for clock.day, status in ((4, "accepted"), (9.9, "accepted"), (10, "doubtful"), (40, "doubtful")):
        assert read(memory, "office") == {"Ulm": status}
        assert read(memory, "commute") == {"30": status}


def test_a_premise_may_be_named_by_a_synonym_before_or_after_it_is_one(memory: Memory, clock: Days) -> None:
    memory.declare("commute", depends_on=["job"])
    said(memory, "employer", "A")
    clock.day = 1
    said(memory, "commute", "30")
    clock.day = 3
    said(memory, "employer", "B")
    clock.day = 4
    for synonyms, status in (((), "accepted"), (("job",), "doubtful"), ((), "accepted")):
        memory.declare("employer", synonyms=synonyms)
        clock.day += 1
        assert read(memory, "commute") == {"30": status}
        assert memory.doctor().is_healthy


def test_what_a_synonym_meant_before_is_settled_anew(memory: Memory, clock: Days) -> None:
    said(memory, "job", "A")
    clock.day = 1
    memory.declare("employer", synonyms=["job"], half_life_days=3)
    assert memory.doctor().is_healthy
    memory.declare("employer")
    assert memory.doctor().is_healthy


def test_what_a_withdrawn_claim_rested_on_is_no_premise(memory: Memory, clock: Days) -> None:
    said(memory, "employer", "A")
    clock.day = 1
    evidence = said(memory, "commute", "30", depends_on=[("mia", "employer")])
    said(memory, "commute", "30", by="bo")
    clock.day = 3
    said(memory, "employer", "B")
    clock.day = 4
    assert read(memory, "commute") == {"30": "doubtful"}
    memory.retract(evidence)
    clock.day = 5
    assert read(memory, "commute") == {"30": "accepted"}


def test_of_a_premise_with_many_values_all_are_compared(memory: Memory, clock: Days) -> None:
    memory.declare("sites", cardinality="many")
    said(memory, "sites", "Bonn")
    said(memory, "sites", "Ulm", by="bo")
    clock.day = 1
    said(memory, "commute", "30", depends_on=[("mia", "sites")])
    clock.day = 3
    memory.end("mia", "sites", "Ulm")
    told = "its premise sites changed from Bonn or Ulm to Bonn on 2025-01-04, not confirmed since"
    assert reasons(memory, "commute") == [told]
    assert memory.doctor().is_healthy


@pytest.mark.parametrize("way", ["given up", "ended", "refuted", "corrected"])
def test_a_doubt_is_dated_by_what_moved_the_premise_whenever_it_is_read(
    memory: Memory, clock: Days, way: str
) -> None:
    memory.declare("employer", changes=way == "ended")
    memory.declare("commute", depends_on=["employer"])
    said(memory, "employer", "A")
    clock.day = 1
    said(memory, "commute", "30")
    clock.day = 3
    if way == "given up":
        memory.give_up("mia", "employer")
    elif way == "ended":
        memory.end("mia", "employer", "A")
    elif way == "refuted":
        memory.observe(
            source="register",
            source_type="official",
            claims=[{"subject": "mia", "attribute": "employer", "value": "A", "stance": "refutes"}],
        )
    else:
        memory.correct("mia", "employer", "B")
    clock.day = 9
    memory.rebuild()
    said(memory, "commute", "31", by="bo", modality="asked")
    clock.day = 20
    change = "changed from A to B" if way == "corrected" else "is no longer A"
    assert reasons(memory, "commute") == [f"its premise employer {change} on 2025-01-04, not confirmed since"]


def test_what_follows_from_what_is_in_doubt_counts_no_more_than_that(memory: Memory, clock: Days) -> None:
    moved_house(memory, clock)
    memory.derive("mia", "leaves home", "7:30", premises=[("mia", "commute")])
    clock.day = 5
    doubtful, follows = memory.ask("mia", "commute"), memory.ask("mia", "leaves home")
    assert (follows.findings[0].status, follows.confidence) == ("doubtful", doubtful.confidence)
    assert reasons(memory, "leaves home") == reasons(memory, "commute")
    memory.observe(source="gossip", source_type="rumour", claims=[("mia", "bed time", "22:00")])
    clock.day = 6
    memory.derive("mia", "bed time", "22:00", premises=[("mia", "commute")])
    clock.day = 7
    borne_out = memory.ask("mia", "bed time")
    assert (borne_out.findings[0].status, borne_out.confidence) == ("accepted", doubtful.confidence)


def test_of_a_slot_with_many_values_only_those_it_follows_from_hand_on_their_doubts(
    memory: Memory, clock: Days
) -> None:
    memory.declare("routes", cardinality="many")
    said(memory, "bridge", "open")
    clock.day = 1
    said(memory, "routes", "north", depends_on=[("mia", "bridge")])
    said(memory, "routes", "south", by="bo")
    clock.day = 2
    memory.derive("mia", "commute", "30", premises=[("mia", "routes", "south")])
    # So that the other value is looked at beside it.
    memory.derive("mia", "view", "sea", premises=[("mia", "routes", "north")])
    memory.declare_denial("d", statements=[("?x", "commute", "45"), ("?x", "view", "sea")])
    clock.day = 3
    said(memory, "bridge", "closed")
    clock.day = 4
    assert read(memory, "routes") == {"north": "doubtful", "south": "accepted"}
    assert read(memory, "commute") == {"30": "accepted"}


def test_a_premise_that_follows_from_others_moves_as_they_do(memory: Memory, clock: Days) -> None:
    memory.declare("hours", depends_on=["support"])
    for plan, support in (("pro", "gold"), ("free", "none")):
        memory.declare_rule(plan, premises=[("?x", "plan", plan)], conclusion=("?x", "support", support))
    said(memory, "plan", "pro")
    clock.day = 1
    said(memory, "hours", "24/7")
    clock.day = 3
    said(memory, "plan", "free")
    clock.day = 4
    told = "its premise support changed from gold to none on 2025-01-04, not confirmed since"
    assert reasons(memory, "hours") == [told]
    memory.end("mia", "plan", "free", at=day(3.5))
    clock.day = 5
    assert reasons(memory, "hours") == ["its premise support is no longer gold, not confirmed since"]


def test_what_a_premise_was_before_is_judged_with_what_it_is_joined_to(memory: Memory, clock: Days) -> None:
    memory.declare_denial("d", statements=[("?x", "plan", "free"), ("?x", "seats", "9")])
    memory.observe(source="shop", source_type="official", claims=[("mia", "plan", "free")])
    said(memory, "seats", "8")
    clock.day = 1
    said(memory, "seats", "9", by="bo")
    clock.day = 2
    assert read(memory, "seats") == {"8": "accepted", "9": "challenger"}
    said(memory, "tables", "3", depends_on=[("mia", "seats")])
    clock.day = 3
    memory.end("mia", "plan", "free")
    clock.day = 4
    assert reasons(memory, "tables") == ["its premise seats changed from 8 to 9, not confirmed since"]


def test_what_is_fixed_is_confirmed_for_all_time(memory: Memory, clock: Days) -> None:
    memory.declare("born", changes=False, depends_on=["register"])
    said(memory, "register", "old")
    clock.day = 1
    said(memory, "register", "new")
    clock.day = 2
    said(memory, "born", "1990")
    for at in (0, 1, 2):
        assert read(memory, "born", at) == {"1990": "accepted"}


def test_what_is_fixed_stays_so_beside_what_changes(memory: Memory, clock: Days) -> None:
    memory.declare("birthplace", changes=False)
    memory.declare_denial("d", statements=[("?x", "birthplace", "Oslo"), ("?x", "plan", "pro")])
    for name in ("ann", "bo"):
        said(memory, "birthplace", "Bergen", by=name)
    clock.day = 1
    said(memory, "birthplace", "Oslo", by="cy")
    said(memory, "plan", "free")
    clock.day = 2
    assert read(memory, "birthplace") == {"Bergen": "accepted", "Oslo": "challenger"}


def test_what_holds_under_other_conditions_is_no_premise(memory: Memory, clock: Days) -> None:
    memory.declare("commute", depends_on=["employer"])
    said(memory, "employer", "A", conditions={"season": "winter"})
    clock.day = 1
    said(memory, "commute", "30")
    said(memory, "commute", "40", by="bo", conditions={"season": "winter"})
    clock.day = 3
    said(memory, "employer", "B", conditions={"season": "winter"})
    clock.day = 4
    assert read(memory, "commute") == {"30": "accepted", "40": "doubtful"}


def test_a_denial_takes_effect_and_lapses_as_time_passes(memory: Memory, clock: Days) -> None:
    memory.declare_denial("d", statements=[("?x", "plan", "free"), ("?x", "seats", "9")])
    said(memory, "seats", "9")
    clock.day = 1
    memory.observe(
        source="shop",
        source_type="official",
        claims=[
            {
                "subject": "mia",
                "attribute": "plan",
                "value": "free",
                "valid_from": day(10),
                "valid_to": day(20),
            }
        ],
    )
    for clock.day, status in ((2, "accepted"), (10, "rejected"), (20, "accepted")):
        assert read(memory, "seats") == {"9": status}


def test_what_a_denial_rules_out_does_not_follow(memory: Memory, clock: Days) -> None:
    memory.declare_denial("d", statements=[("?x", "plan", "free"), ("?x", "seats", "9")])
    said(memory, "team", "big")
    clock.day = 1
    memory.derive("mia", "seats", "9", premises=[("mia", "team")])
    memory.derive("mia", "plan", "free", premises=[("mia", "team")])
    clock.day = 2
    assert read(memory, "seats") == {"9": "contested"}
    assert read(memory, "plan") == {"free": "contested"}
    evidence = said(memory, "plan", "free")
    clock.day = 3
    assert read(memory, "seats") == {"9": "challenger"}
    assert "“plan = free” was observed" in str(memory.why("mia", "seats"))
    memory.retract(evidence)
    memory.end("mia", "plan", "free")
    clock.day = 4
    assert read(memory, "plan") == {"free": "superseded"}
    assert read(memory, "seats") == {"9": "accepted"}


def test_what_was_said_to_have_ended_no_longer_follows(memory: Memory, clock: Days) -> None:
    said(memory, "plan", "pro")
    clock.day = 1
    memory.derive("mia", "support", "gold", premises=[("mia", "plan")])
    clock.day = 5
    memory.end("mia", "support", at=day(4))
    clock.day = 6
    assert read(memory, "support") == {"gold": "superseded"}
    assert read(memory, "support", 3) == {"gold": "accepted"}


def test_words_are_recorded_though_a_rule_can_make_nothing_of_them(memory: Memory) -> None:
    memory.declare("age", value_type="number")
    memory.declare_rule("r", premises=[("?x", "said", "?v")], conclusion=("?x", "age", "?v"))
    said(memory, "said", "forty")
    said(memory, "said", "40", by="bo")
    assert list(read(memory, "age")) == ["40"]


def test_what_a_rival_rests_on_is_no_premise(memory: Memory, clock: Days) -> None:
    said(memory, "employer", "A")
    clock.day = 1
    said(memory, "commute", "long", by="bo", depends_on=[("mia", "employer")])
    clock.day = 2
    said(memory, "commute", "short")
    clock.day = 3
    said(memory, "employer", "B")
    assert read(memory, "commute") == {"short": "accepted", "long": "superseded"}


def test_a_view_is_compared_with_what_was_on_record_when_it_was_decided(memory: Memory, clock: Days) -> None:
    said(memory, "plan", "pro", valid_from=day(20))
    clock.day = 1
    memory.derive("mia", "support", "gold", premises=[("mia", "plan", "pro")])
    clock.day = 12
    # It was so when that was derived, as is known only now, and is so no longer: nothing is to be decided.
    said(memory, "plan", "pro", valid_from=day(0), valid_to=day(5))
    assert memory.doctor().is_healthy
    assert read(memory, "support", 3) == {"gold": "accepted"}
    assert read(memory, "support") == {"gold": "retracted"}


def test_beside_what_follows_all_that_speaks_against_it_keeps_its_weight(memory: Memory, clock: Days) -> None:
    memory.declare("support", depends_on=["plan"])
    said(memory, "plan", "pro")
    for number in range(6):
        said(memory, "team", "big", by=f"friend {number}")
    said(memory, "support", "gold")
    denial = {"subject": "mia", "attribute": "support", "value": "gold", "stance": "refutes"}
    memory.observe(source="gossip", source_type="rumour", claims=[denial])
    memory.derive("mia", "support", "gold", premises=[("mia", "team", "big")], strength=0.95)
    clock.day = 1
    before = memory.ask("mia", "support").findings[0]
    said(memory, "plan", "free")
    clock.day = 2
    after = memory.ask("mia", "support").findings[0]
    assert (before.status, after.status) == ("accepted", "doubtful")
    assert after.confidence <= before.confidence


def test_a_premise_lends_no_more_than_it_is_read_with(memory: Memory, clock: Days) -> None:
    for source, kind, stance in (("gossip", "rumour", "supports"), ("office", "official", "refutes")):
        claim = {"subject": "mia", "attribute": "support", "value": "silver", "stance": stance}
        memory.observe(source=source, source_type=kind, claims=[claim])
    for number in range(6):
        said(memory, "team", "big", by=f"friend {number}")
    memory.derive("mia", "support", "gold", premises=[("mia", "team", "big")])
    memory.derive("mia", "lounge", "open", premises=[("mia", "support", "gold")])
    clock.day = 1
    team, support, lounge = (
        memory.ask("mia", attribute).findings[0].confidence for attribute in ("team", "support", "lounge")
    )
    # What was said for the rival, though refuted, takes a share of what premises lend.
    assert support < team
    assert 0.5 < lounge <= support


def test_what_its_own_slot_keeps_out_is_told_by_its_own_slot(memory: Memory, clock: Days) -> None:
    memory.declare_denial("d", statements=[("?x", "support", "gold"), ("?x", "team", "gold")])
    claims = [("mia", "support", "silver"), ("mia", "team", "gold")]
    memory.observe(source="office", source_type="official", claims=claims)
    said(memory, "support", "gold")
    clock.day = 1
    (kept_out,) = [one for one in memory.ask("mia", "support").others if str(one.value) == "gold"]
    assert kept_out.belief.because == Because(Rule.AUTHORITY, "silver")


def test_a_premise_that_begins_by_itself_leaves_the_view_of_what_follows_sound(
    memory: Memory, clock: Days
) -> None:
    said(memory, "plan", "pro", valid_from=day(10))
    said(memory, "team", "big")
    clock.day = 1
    memory.derive("mia", "support", "gold", premises=[("mia", "plan", "pro"), ("mia", "team", "big")])
    clock.day = 12
    said(memory, "team", "big", by="bo")
    assert memory.doctor().is_healthy
    assert read(memory, "support") == {"gold": "accepted"}


def test_what_has_aged_as_far_as_it_can_is_stale_whenever_it_is_looked_at(
    memory: Memory, clock: Days
) -> None:
    memory.declare("mood", half_life_days=3, confidence="factors")
    for number in range(5):
        said(memory, "mood", "good", by=f"friend {number}")
    for clock.day in (4, 8, 30):
        assert read(memory, "mood") == {"good": "stale"}
        assert read(memory, "mood", clock.day + 1) == {"good": "stale"}
        assert read(memory, "mood", known=clock.day) == {"good": "stale"}
