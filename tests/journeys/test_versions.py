"""Versions as their users meet them: each question of theirs has one call that answers it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import knowwhy
from knowwhy import Instant, Observation, instant

HOUR = 3_600_000_000


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self, start: str) -> None:
        self.now = instant(start)

    def __call__(self) -> Instant:
        return self.now

    def to(self, when: str) -> None:
        """Let it be that time."""
        self.now = instant(when)

    def tick(self) -> None:
        """Let an hour pass."""
        self.now = Instant(self.now + HOUR)


@pytest.fixture
def clock() -> Clock:
    return Clock("2025-08-01")


@pytest.fixture
def memory(clock: Clock) -> knowwhy.Memory:
    """A shop: a price that changed, and a fair whose date was moved."""
    memory = knowwhy.open(clock=clock, author="clerk")
    memory.declare("price")
    memory.declare("travel", depends_on=["date"])
    said(memory, "list 7", ("anvil", "price", 100), "2025-07-01")
    said(memory, "organiser", ("fair", "date", "2025-10-12"), "2025-07-01")
    said(memory, "agent", ("fair", "travel", "booked for 11 October"), "2025-07-02", kind="user")
    clock.to("2025-09-01")
    said(memory, "list 9", ("anvil", "price", 120), "2025-09-01")
    said(memory, "organiser", ("fair", "date", "2025-11-15"), "2025-09-01", reason="the hall is closed")
    clock.to("2025-09-02")
    return memory


def said(
    memory: knowwhy.Memory,
    source: str,
    claim: tuple[str, str, object],
    when: str | None = None,
    *,
    kind: str = "official",
    reason: str | None = None,
) -> knowwhy.Outcome:
    """A source says something."""
    return memory.observe(
        source=source,
        source_type=kind,
        claims=[claim],
        observed_at=when,
        reason=reason,
    )


# What was believed, and when -------------------------------------------------------------------


def test_what_did_we_believe_on_the_first_of_august(memory: knowwhy.Memory) -> None:
    then = memory.at(valid="2025-08-01", known="2025-08-01T12:00Z")
    assert then.ask("fair", "date").value == "2025-10-12"
    assert memory.ask("fair", "date").value == "2025-11-15"


def test_what_was_the_price_on_the_first_of_august_as_we_know_now(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    memory.correct("anvil", "price", 95, was=100)
    clock.tick()
    assert memory.at(valid="2025-08-01").ask("anvil", "price").value == "95"
    assert memory.at(valid="2025-08-01", known="2025-08-02").ask("anvil", "price").value == "100"


def test_times_are_half_open(memory: knowwhy.Memory) -> None:
    before, after = "2025-08-31T23:59:59.999999Z", "2025-09-01"
    assert [memory.at(valid=one).ask("anvil", "price").value for one in (before, after)] == ["100", "120"]


def test_why_do_we_now_think_it_is_the_fifteenth_of_november(memory: knowwhy.Memory) -> None:
    why = memory.why("fair", "date")
    assert (str(why.belief.value), why.status) == ("2025-11-15", "accepted")
    assert "organiser" in str(why)


def test_how_did_this_belief_change(memory: knowwhy.Memory) -> None:
    history = memory.history("fair", "date")
    moved = [one for one in history.turns if one.operation == history.turns[-1].operation]
    turn = next(one for one in moved if str(one.belief.value) == "2025-11-15")
    assert (turn.reason, turn.author, turn.policy) == (
        "the hall is closed",
        "clerk",
        "authority-then-recency",
    )
    assert [(one.attribute, one.after) for one in turn.carried] == [("travel", "doubtful")]
    assert turn.triggers == memory.show(turn.operation).outcome.evidence
    assert memory.history(turn.belief.id).turns == history.turns


def test_what_follows_has_a_history_too(memory: knowwhy.Memory, clock: Clock) -> None:
    memory.declare_rule("sale", premises=[("?x", "price", "120")], conclusion=("?x", "on sale", "no"))
    clock.tick()
    listed = memory.why("anvil", "price").grounds[0].testimony.claim.evidence_id
    memory.retract(listed, reason="a misprint")
    turns = memory.history("anvil", "on sale").turns
    assert [(one.belief.status, one.reason) for one in turns] == [
        ("accepted", None),
        ("retracted", "a misprint"),
    ]


def test_why_is_it_not_believed(memory: knowwhy.Memory) -> None:
    gone = memory.why_not("fair", "date", "2025-10-12")
    assert (gone.is_believed, gone.status) == (False, "superseded")
    assert [str(one.value) for one in gone.standing] == ["2025-11-15"]
    assert "2025-11-15" in gone.because
    unheard = memory.why_not("fair", "date", "2026-01-01")
    assert (unheard.status, unheard.because) == ("unknown", "nobody ever said so")
    assert memory.why_not("fair", "date", "2025-11-15").is_believed


def test_what_is_planned_becomes_current_by_itself(memory: knowwhy.Memory, clock: Clock) -> None:
    memory.observe(
        source="list 10",
        source_type="official",
        claims=[{"subject": "anvil", "attribute": "price", "value": 130, "valid_from": "2025-12-01"}],
    )
    planned = [one for one in memory.ask("anvil", "price").others if str(one.value) == "130"]
    assert [one.status for one in planned] == ["planned"]
    assert memory.ask("anvil", "price").value == "120"
    clock.to("2025-12-01")
    assert memory.ask("anvil", "price").value == "130"
    assert memory.log(limit=1)[0].operation.act == "observe"


# The log ---------------------------------------------------------------------------------------


def test_the_log_says_who_did_what_and_why(memory: knowwhy.Memory) -> None:
    number = memory.log(limit=1)[0].operation.sequence
    report = memory.show(number)
    assert (report.operation.author, report.operation.reason) == ("clerk", "the hall is closed")
    assert [one.source.name for one in report.brought.evidence] == ["organiser"]
    assert {(one.attribute, one.after) for one in report.outcome.changes} == {
        ("date", "accepted"),
        ("date", "superseded"),
        ("travel", "doubtful"),
    }
    with pytest.raises(knowwhy.NotFound):
        memory.show(number + 1)


def test_states_can_be_named_and_compared(memory: knowwhy.Memory, clock: Clock) -> None:
    memory.snapshot("before the fair")
    clock.tick()
    added = said(memory, "list 11", ("anvil", "price", 125), "2025-09-02")
    found = memory.diff("Before  the fair")
    assert {
        (one.value, one.before and one.before.status, one.after and one.after.status)
        for one in found.differences
    } == {
        ("120", "accepted", "superseded"),
        ("125", None, "accepted"),
    }
    assert next(one for one in found.differences if one.before is None).gained == added.evidence
    by_number = memory.diff(added.operation - 1, added.operation)
    assert by_number.differences == found.differences
    assert memory.diff("2025-09-02T00:30Z").differences == found.differences
    assert [one.name for one in memory.snapshots()] == ["before the fair"]
    for wrong in (999, "no such thing"):
        with pytest.raises(knowwhy.NotFound):
            memory.diff(wrong)
    with pytest.raises(knowwhy.InvalidInput):
        memory.snapshot("BEFORE the fair")


def test_a_rollback_is_itself_a_commit(memory: knowwhy.Memory, clock: Clock) -> None:
    moved = memory.log(limit=1)[0].operation.sequence
    undone = memory.undo(moved, reason="a rumour")
    assert memory.ask("fair", "date").value == "2025-10-12"
    assert memory.ask("fair", "travel").findings[0].status == "accepted"
    assert memory.log(limit=1)[0].operation.act == "undo"
    clock.tick()
    assert memory.undo(moved).is_repeat
    memory.undo(undone.operation)
    assert memory.ask("fair", "date").value == "2025-11-15"


def test_undoing_what_others_rest_on_is_reported(memory: knowwhy.Memory, clock: Clock) -> None:
    stall = said(memory, "organiser", ("stall", "row", "B"), "2025-09-02")
    clock.tick()
    derived = memory.derive("anvil", "shown in", "row B", premises=[("stall", "row")], author="planner")
    repeated = memory.observe(
        source="newsletter", claims=[("stall", "row", "B")], derived_from=stall.evidence, author="reader"
    )
    clock.tick()
    assert _rests_on(memory, stall.operation) == [(repeated.operation, "reader")]
    # What was derived stands on what was repeated, as long as that stands.
    memory.undo(repeated.operation)
    assert _rests_on(memory, stall.operation) == [(derived.operation, "planner")]
    assert memory.ask("stall", "row").value == "B"
    both = memory.undo([stall.operation, derived.operation])
    assert {one.after for one in both.changes} == {"retracted"}
    memory.undo(both.operation)
    outcome = memory.undo(stall.operation, anyway=True)
    assert [one.partition(":")[0] for one in outcome.warnings] == ["rested on it"]
    assert memory.ask("anvil", "shown in").is_unknown


def _rests_on(memory: knowwhy.Memory, operation: int) -> list[tuple[int, str]]:
    with pytest.raises(knowwhy.RestedOn) as refusal:
        memory.undo(operation)
    named: Any = refusal.value.details["operations"]
    return [(one["operation"], one["author"]) for one in named]


def test_what_was_declared_is_as_it_was(memory: knowwhy.Memory, clock: Clock) -> None:
    first = memory.declare("colour", cardinality="many").operation
    said(memory, "a", ("anvil", "colour", "grey"), "2025-09-01")
    said(memory, "b", ("anvil", "colour", "black"), "2025-09-02")
    clock.tick()
    second = memory.declare("colour", cardinality="one").operation
    assert len(memory.ask("anvil", "colour").findings) == 1
    with pytest.raises(knowwhy.RestedOn):
        memory.undo(first)
    memory.undo(second)
    assert len(memory.ask("anvil", "colour").findings) == 2


def test_a_bad_import_is_taken_back_as_a_whole(memory: knowwhy.Memory, clock: Clock) -> None:
    batch = memory.in_run("import of May")
    for number in range(3):
        batch.observe_many(
            [Observation("file", claims=[("anvil", "price", 7 + number)], source_type="official")]
        )
        clock.tick()
    said(memory, "bob", ("anvil", "colour", "grey"), kind="user")
    assert memory.show(memory.log(limit=2)[1].operation.sequence).run == "import of May"
    memory.undo(run="Import of May")
    assert (memory.ask("anvil", "price").value, memory.ask("anvil", "colour").value) == ("120", "grey")
    with pytest.raises(knowwhy.NotFound):
        memory.undo(run="import of June")


# Branches --------------------------------------------------------------------------------------


def test_assumptions_live_on_branches(memory: knowwhy.Memory, clock: Clock) -> None:
    up = memory.fork("market up", assumes="prices rise by a fifth")
    down = memory.fork("market down", assumes="prices fall by a tenth", expires_at="2025-10-01")
    said(up, "analyst", ("anvil", "price", 144))
    said(down, "analyst", ("anvil", "price", 108))
    clock.tick()
    assert [line.ask("anvil", "price").value for line in (memory, up, down)] == ["120", "144", "108"]
    assert memory.at(branch="market up").ask("anvil", "price").value == "144"
    assert up.at(branch="main").ask("anvil", "price").value == "120"
    assert [(one.name, one.branch.assumes, one.operations) for one in memory.branches()] == [
        ("market down", "prices fall by a tenth", 1),
        ("market up", "prices rise by a fifth", 1),
    ]
    assert memory.diff("market down", "Market Up").differences
    clock.to("2025-10-01")
    with pytest.raises(knowwhy.NotFound, match="expired"):
        memory.on("market down")
    assert [one.is_expired for one in memory.branches()] == [True, False]


def test_every_verb_works_on_a_branch(memory: knowwhy.Memory, clock: Clock) -> None:
    branch = memory.fork("what if")
    before = memory.stats()
    (ground,) = memory.why("fair", "date").grounds
    branch.retract(ground.testimony.claim.evidence_id)
    branch.end("anvil", "price", at="2025-09-02")
    branch.alias("expo", "fair")
    branch.declare("price", changes=False)
    branch.derive("fair", "travel", "cancelled", premises=[("expo", "date")])
    clock.tick()
    assert branch.ask("expo", "date").value == "2025-10-12"
    assert branch.recall("when is the expo?").beliefs
    assert branch.history("fair", "date").turns
    assert branch.what_if(retract=ground.testimony.claim.evidence_id).changes == ()
    assert branch.doctor().is_healthy
    branch.undo(branch.log()[-1].operation.sequence, anyway=True)
    after = memory.stats()
    assert memory.ask("fair", "date").value == "2025-11-15"
    assert {key for key in after if after[key] != before.get(key)} <= {"operations"}


def test_a_branch_is_named_once_and_dropped_from_the_top(memory: knowwhy.Memory) -> None:
    lower = memory.fork("lower")
    upper = lower.fork("upper")
    said(upper, "a", ("x", "y", "z"))
    with pytest.raises(knowwhy.InvalidInput):
        memory.fork("LOWER")
    with pytest.raises(knowwhy.errors.Conflict):
        memory.drop("lower")
    memory.drop("upper")
    memory.drop("lower")
    assert memory.branches() == ()
    assert memory.fork("lower").ask("x", "y").is_unknown
    for name in ("main", "no such branch"):
        with pytest.raises(knowwhy.KnowwhyError):
            memory.drop(name)


def test_branches_are_few_and_not_deep(memory: knowwhy.Memory) -> None:
    line = memory
    for level in range(8):
        line = line.fork(f"level {level}")
    with pytest.raises(knowwhy.Refused, match="deep"):
        line.fork("one more")
    for number in range(92):
        memory.fork(f"branch {number}")
    with pytest.raises(knowwhy.Refused, match="100"):
        memory.fork("one more")


def test_a_space_is_not_named_like_a_branch() -> None:
    with pytest.raises(knowwhy.InvalidInput, match="branch"):
        knowwhy.open(space="main/branch:up@7")


# Merging ---------------------------------------------------------------------------------------


def test_a_merge_says_first_what_it_would_come_to(memory: knowwhy.Memory, clock: Clock) -> None:
    memory.declare_denial("closed", [("?x", "open", "yes"), ("?x", "status", "bankrupt")])
    said(memory, "registry", ("acme", "seat", "Rome"), "2025-08-01")
    said(memory, "registry", ("bolt", "seat", "Oslo"), "2025-08-01")
    branch = memory.fork("audit")
    # Both sides name something new, change the same, drop and change, agree; and what excludes each other.
    said(memory, "a", ("acme", "boss", "Ann"), "2025-09-02", kind="user")
    said(branch, "b", ("acme", "boss", "Bob"), "2025-09-02", kind="user")
    said(memory, "a", ("acme", "seat", "Paris"), "2025-09-02")
    said(branch, "b", ("acme", "seat", "Lyon"), "2025-09-02")
    memory.retract(memory.why("bolt", "seat").grounds[0].testimony.claim.evidence_id)
    said(branch, "registry", ("bolt", "seat", "Bergen"), "2025-09-02")
    said(memory, "a", ("fair", "hall", "4"), "2025-09-02")
    said(branch, "b", ("fair", "hall", "4"), "2025-09-01")
    said(branch, "b", ("anvil", "price", 119), "2025-09-01T12:00Z")
    said(branch, "list 9b", ("anvil", "colour", "grey"), "2025-09-01")
    said(memory, "trade desk", ("carl", "open", "yes"), "2025-09-01", kind="official")
    said(branch, "court", ("carl", "status", "bankrupt"), "2025-09-02", kind="official")
    memory.observe(
        source="boss", claims=[("fair", "theme", "iron")], is_forced=True, observed_at="2025-09-01"
    )
    branch.observe(
        source="owner", claims=[("fair", "theme", "steel")], is_forced=True, observed_at="2025-09-02"
    )
    clock.tick()
    preview = memory.preview_merge("audit")
    sorts = {(one.slot.subject.name, one.slot.attribute): one for one in preview.disagreements}
    assert {key: str(one.sort) for key, one in sorts.items()} == {
        ("acme", "boss"): "add_add",
        ("acme", "seat"): "edit_edit",
        ("anvil", "colour"): "theirs_only",
        ("anvil", "price"): "theirs_only",
        ("bolt", "seat"): "delete_edit",
        ("carl", "open"): "semantic",
        ("carl", "status"): "theirs_only",
        ("fair", "hall"): "convergent",
        ("fair", "theme"): "pin",
    }
    seat = sorts["acme", "seat"]
    assert (seat.base, seat.ours, seat.theirs) == (("Rome",), ("Paris",), ("Lyon",))
    assert seat.conflict in {one.id for one in preview.outcome.conflicts}
    assert "status = bankrupt" in " ".join(sorts["carl", "open"].because)
    assert sorts["carl", "open"].kernel == ("status = bankrupt",)
    outcome = memory.merge("audit", expected=preview.heads)
    assert {one.id for one in outcome.conflicts} == {one.id for one in preview.outcome.conflicts}
    assert seat.conflict in {one.id for one in memory.conflicts()}
    assert memory.ask("bolt", "seat").value == "Bergen"
    assert memory.doctor().is_healthy


def test_evidence_that_changes_no_value_is_told_as_such(memory: knowwhy.Memory, clock: Clock) -> None:
    branch = memory.fork("audit")
    said(branch, "auditor", ("anvil", "price", 120), "2025-09-01")
    clock.tick()
    (one,) = memory.preview_merge(branch).disagreements
    assert (one.sort, one.base, one.merged) == ("evidence_only", ("120",), ("120",))
    assert memory.preview_merge(branch).of("evidence_only") == (one,)


def test_a_merge_is_pinned_to_both_heads(memory: knowwhy.Memory, clock: Clock) -> None:
    branch = memory.fork("audit")
    said(branch, "auditor", ("anvil", "price", 121), "2025-09-02")
    preview = memory.preview_merge("audit")
    said(branch, "auditor", ("anvil", "price", 122), "2025-09-02T12:00Z")
    clock.tick()
    with pytest.raises(knowwhy.VersionConflict):
        memory.merge("audit", expected=preview.heads)
    preview = memory.preview_merge("audit")
    said(memory, "clerk", ("anvil", "colour", "grey"))
    with pytest.raises(knowwhy.VersionConflict):
        memory.merge("audit", expected=preview.heads)
    assert memory.merge("audit").operation
    assert memory.merge("audit").is_repeat
    with pytest.raises(knowwhy.InvalidInput):
        branch.merge("audit")


def test_what_is_merged_is_known_from_then_on(memory: knowwhy.Memory, clock: Clock) -> None:
    branch = memory.fork("audit")
    said(branch, "auditor", ("anvil", "price", 121), "2025-09-01T06:00Z")
    clock.to("2025-10-01")
    memory.merge(branch)
    clock.tick()
    assert memory.at(valid="2025-09-02", known="2025-09-15").ask("anvil", "price").value == "120"
    assert memory.at(valid="2025-09-02").ask("anvil", "price").value == "121"


def test_a_merge_is_reverted_like_any_operation(memory: knowwhy.Memory, clock: Clock) -> None:
    branch = memory.fork("audit")
    said(branch, "auditor", ("anvil", "price", 121), "2025-09-02")
    branch.alias("big anvil", "anvil")
    branch.declare("colour", cardinality="many")
    clock.tick()
    merge = memory.merge("audit").operation
    assert memory.ask("big anvil", "price").value == "121"
    clock.tick()
    undo = memory.undo(merge)
    assert memory.ask("anvil", "price").value == "120"
    assert memory.ask("big anvil").is_unknown
    assert memory.merge("audit").is_repeat, "what was reverted stays so until that is undone"
    memory.undo(undo.operation)
    assert memory.ask("big anvil", "price").value == "121"


def test_files_that_went_separate_ways_are_brought_together(tmp_path: Path, clock: Clock) -> None:
    path, other = tmp_path / "one.db", tmp_path / "other.db"
    with knowwhy.open(path, clock=clock) as memory:
        said(memory, "list 7", ("anvil", "price", 100), "2025-07-01")
    other.write_bytes(path.read_bytes())
    clock.tick()
    with knowwhy.open(other, clock=clock) as copy:
        said(copy, "list 9", ("anvil", "price", 120), "2025-07-31")
    with knowwhy.open(path, clock=clock) as memory:
        said(memory, "clerk", ("anvil", "colour", "grey"), "2025-07-31")
        preview = memory.preview_merge(other)
        assert [str(one.sort) for one in preview.disagreements] == ["theirs_only"]
        memory.merge(str(other))
        assert (memory.ask("anvil", "price").value, memory.ask("anvil", "colour").value) == ("120", "grey")
        assert memory.merge(other).is_repeat
        with pytest.raises(knowwhy.NotFound):
            memory.merge(tmp_path / "none.db")
        assert memory.doctor().is_healthy
    assert not (tmp_path / "none.db").exists()


# Looking ahead, and letting go -----------------------------------------------------------------


def test_what_if_says_what_would_fall(memory: knowwhy.Memory) -> None:
    (ground,) = memory.why("fair", "date").grounds
    foreseen = memory.what_if(retract=ground.testimony.claim.evidence_id)
    assert {(one.value, one.after) for one in foreseen.changes} >= {
        ("2025-10-12", "accepted"),
        ("2025-11-15", "retracted"),
    }
    supposed = Observation("organiser", claims=[("fair", "date", "2026-02-01")], source_type="official")
    assert "2026-02-01" in {one.value for one in memory.what_if(observe=supposed).changes}
    both = memory.what_if(retract=[ground.testimony.claim.evidence_id], observe=[supposed])
    assert {one.value: one.after for one in both.changes}["2026-02-01"] == "accepted"
    assert memory.ask("fair", "date").value == "2025-11-15"
    with pytest.raises(knowwhy.InvalidInput):
        memory.what_if()
    with pytest.raises(knowwhy.NotFound):
        memory.what_if(retract="ev_none")


def test_what_is_past_the_horizon_is_an_error_not_a_guess(memory: knowwhy.Memory, clock: Clock) -> None:
    misprint = said(memory, "list 8", ("anvil", "price", 1), "2025-09-01T01:00Z")
    clock.tick()
    memory.retract(misprint.evidence[0])
    clock.to("2025-12-01")
    before = memory.stats()["evidence"]
    memory.vacuum("2025-11-01", reason="kept long enough")
    assert memory.stats()["evidence"] == before - 1
    assert memory.ask("anvil", "price").value == "120"
    assert memory.at(known="2025-11-01").ask("anvil", "price").value == "120"
    with pytest.raises(knowwhy.BeyondHorizon) as refusal:
        memory.at(known="2025-10-31").ask("anvil", "price")
    assert refusal.value.details["horizon"] == "2025-11-01"
    for asked in (lambda: memory.diff(1), lambda: memory.fork("b").at(known="2025-10-31").ask("anvil")):
        with pytest.raises(knowwhy.BeyondHorizon):
            asked()
    with pytest.raises(knowwhy.Unsupported):
        memory.undo(misprint.operation)
    with pytest.raises(knowwhy.InvalidInput):
        memory.vacuum("2026-01-01")
    with pytest.raises(knowwhy.InvalidInput):
        memory.on("b").vacuum("2025-11-15")
    assert memory.vacuum("2025-10-01").is_repeat
    assert memory.doctor().is_healthy


def test_times_are_taken_as_text_or_as_python_has_them(memory: knowwhy.Memory) -> None:
    texts = ("2025-09-01", "2025-09-01T00:00:00Z", "2025-09-01T02:00+02:00")
    whens = (*texts, date(2025, 9, 1), datetime(2025, 9, 1, tzinfo=UTC))
    assert {memory.at(valid=one).ask("anvil", "price").value for one in whens} == {"120"}
    assert {memory.at(known=one).ask("anvil", "price").value for one in whens} == {"120"}


def test_a_merge_tells_the_kernel_of_a_clash_that_no_two_statements_make(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    statements = [("?f", "stage", "set"), ("?f", "staff", "none"), ("?f", "permit", "lapsed")]
    memory.declare_denial("a stage needs somebody or a permit", statements=statements)
    branch = memory.fork("plans")
    said(memory, "crew", ("fair", "stage", "set"), "2025-09-01")
    said(branch, "desk", ("fair", "staff", "none"), "2025-09-02", kind="official")
    said(branch, "office", ("fair", "permit", "lapsed"), "2025-09-03", kind="official")
    clock.tick()
    (found,) = memory.preview_merge("plans").of("semantic")
    assert (found.slot.attribute, found.ours) == ("stage", ("set",))
    assert set(found.kernel) == {"staff = none", "permit = lapsed"}
    assert "kernel: " in str(found)
    assert found.as_dict()["kernel"] == list(found.kernel)
    memory.merge("plans")
    assert memory.ask("fair", "stage").value is None
