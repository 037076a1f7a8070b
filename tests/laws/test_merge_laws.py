"""Laws of versions: merging is a union, undoing is exact, and no past ever changes (theory §7)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy import BeyondHorizon, Memory, Observation, Status, Unsupported
from knowwhy.core.revision import ContestKey
from knowwhy.store.joint import Fork
from knowwhy.store.layered import LayeredStore
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import BeliefFilter
from tests.laws.lines import (
    ACTS,
    SAYING,
    SUBJECTS,
    Draw,
    Life,
    apart,
    now,
    observed,
    told,
)


def merged(life: Life, onto: Memory, name: str, others: list[Memory]) -> Memory:
    """A branch over a line, into which others were merged in turn."""
    line = onto.fork(name)
    for other in others:
        line.merge(other)
    assert line.doctor().problems == ()
    life.clock.tick()
    return line


@given(st.data())
def test_merging_is_commutative(data: st.DataObject) -> None:
    life, (up, down, _) = apart(data.draw)
    one, other = merged(life, up, "one", [down]), merged(life, down, "other", [up])
    assert now(one, life) == now(other, life)


@given(st.data())
def test_merging_is_associative(data: st.DataObject) -> None:
    life, (up, down, flat) = apart(data.draw)
    left = merged(life, up, "left", [down, flat])
    right = merged(life, down, "right", [flat])
    whole = merged(life, up, "whole", [right])
    assert now(left, life) == now(whole, life)


@given(st.data())
def test_merging_in_any_order_comes_to_the_same(data: st.DataObject) -> None:
    life, lines = apart(data.draw)
    order = data.draw(st.permutations(lines))
    one, other = merged(life, life.memory, "one", lines), merged(life, life.memory, "other", order)
    assert now(one, life) == now(other, life)


@given(st.data())
def test_merging_again_takes_over_nothing(data: st.DataObject) -> None:
    life, (up, down, _) = apart(data.draw)
    line = merged(life, up, "line", [down])
    before = now(line, life)
    for other in (down, up, life.memory.on("up"), line.fork("over it")):
        assert line.merge(other).is_repeat
    assert now(line, life) == before


@given(st.data())
def test_what_a_preview_says_is_what_a_merge_does(data: st.DataObject) -> None:
    life, (up, down, _) = apart(data.draw)
    before = now(up, life)
    preview = up.preview_merge(down)
    assert now(up, life) == before
    outcome = up.merge(down, expected=preview.heads)
    assert outcome.changes == preview.outcome.changes
    assert outcome.conflicts == preview.outcome.conflicts
    assert outcome.is_repeat is not bool(preview.records)
    open_now = {one.id for one in up.conflicts()}
    assert {one.conflict for one in preview.disagreements if one.conflict} <= open_now


@given(st.data())
def test_merging_equals_replaying_in_any_order(data: st.DataObject) -> None:
    """What was said and withdrawn on three lines comes to what it would have on one, in whatever order."""
    life = Life()
    life.live(life.memory, data.draw, (observed,))
    lines = [life.memory.fork(name) for name in ("up", "down", "flat")]
    words = [(line, _words(life, data.draw)) for line in lines for _ in range(data.draw(st.integers(0, 3)))]
    for line, (source, kind, claim, when) in words:
        line.observe(source=source, source_type=kind, claims=[claim], observed_at=when)
    whole = merged(life, life.memory, "whole", lines)
    replayed = life.memory.fork("replayed")
    for _, (source, kind, claim, when) in data.draw(st.permutations(words)):
        replayed.observe(source=source, source_type=kind, claims=[claim], observed_at=when)
    assert now(whole, life) == now(replayed, life)


def _words(life: Life, draw: Draw) -> tuple[str, str, tuple[str, str, str], datetime]:
    name, kind = draw(st.sampled_from((("a", "official"), ("b", "user"), ("c", "document"))))
    claim = (
        draw(st.sampled_from(SUBJECTS)),
        draw(st.sampled_from(("window", "likes", "status", "free"))),
        draw(st.sampled_from(("7", "15", "blue"))),
    )
    return name, kind, claim, life.clock.moment() - timedelta(hours=draw(st.integers(0, 5)))


@given(st.data())
def test_files_that_went_separate_ways_merge_like_branches(data: st.DataObject) -> None:
    life = Life()
    life.live(life.memory, data.draw, ACTS)
    copy = Life(clock=life.clock, store=_copied(life.store), is_new=False)
    life.live(life.memory, data.draw, ACTS)
    life.live(copy.memory, data.draw, ACTS)
    up, down = life.memory.fork("up"), copy.memory.fork("down")
    up.merge(copy.memory)
    down.merge(life.memory)
    assert now(up, life) == now(down, life)
    assert up.merge(down).is_repeat


def _copied(store: object) -> MemoryStore:
    assert isinstance(store, MemoryStore)
    copy = MemoryStore()
    copy._spaces = dict(store._spaces)  # noqa: SLF001 - published states never change
    return copy


@given(st.data())
def test_nothing_accepted_violates_a_denial(data: st.DataObject) -> None:
    """What a denial forbids is accepted on no line, merged or not."""
    life, lines = apart(data.draw, SAYING)
    whole = merged(life, life.memory, "whole", lines)
    for line in (*lines, whole):
        for subject in SUBJECTS:
            held = {
                (one.attribute.key, str(one.value))
                for one in line.at(valid=life.clock.moment()).ask(subject).findings
                if one.belief.status.is_held and not one.is_denial
            }
            assert not {("status", "blue"), ("free", "7")} <= held


# The past ---------------------------------------------------------------------------------------


@given(st.data())
def test_the_past_never_changes_whatever_is_merged_or_undone(data: st.DataObject) -> None:
    """What was known after any operation is told the same ever after, on the main line and on branches."""
    life = Life()
    heard = []
    branch = None
    for _ in range(data.draw(st.integers(1, 7))):
        line = data.draw(st.sampled_from([one for one in (life.memory, branch) if one is not None]))
        act = data.draw(st.sampled_from((*SAYING, "undo", "fork", "merge")))
        if act == "undo":
            numbers = [one.operation.sequence for one in line.log(limit=5) if one.operation.act != "declare"]
            if numbers:
                line.undo(data.draw(st.sampled_from(numbers)), anyway=True)
        elif act == "fork":
            branch = branch or life.memory.fork("branch")
        elif act == "merge" and branch is not None:
            life.memory.merge(branch)
        elif callable(act):
            act(life, line, data.draw)
        life.clock.tick()
        known = life.clock.moment() - timedelta(minutes=30)
        valid = known + timedelta(days=data.draw(st.sampled_from((0, 0, -2, 6))))
        lines = [one for one in (life.memory, branch) if one is not None]
        heard += [(one, valid, known, told(one.at(valid=valid, known=known))) for one in lines]
    for line, valid, known, before in heard:
        after = told(line.at(valid=valid, known=known))
        assert after == before


@given(st.data())
def test_a_branch_does_not_see_what_comes_to_its_parent(data: st.DataObject) -> None:
    life = Life()
    life.live(life.memory, data.draw, ACTS)
    branch = life.memory.fork("branch")
    deeper = branch.fork("deeper")
    before = now(branch, life), life.clock.moment()
    life.live(life.memory, data.draw, ACTS)
    for line in (branch, deeper):
        assert told(line.at(valid=before[1])) == before[0]
        assert line.doctor().problems == ()


@given(st.data())
def test_acts_on_a_branch_come_to_what_they_would_on_the_main_line(data: st.DataObject) -> None:
    """A branch is as a copy of the memory at the fork would be, whatever comes to the main line since."""
    life = Life()
    life.live(life.memory, data.draw, ACTS)
    copy = Life(clock=life.clock, store=_copied(life.store), is_new=False)
    branch = life.memory.fork("branch")
    hours = life.clock.hours
    life.live(life.memory, data.draw, ACTS)
    moved, later = now(life.memory, life), life.clock.hours
    tape: list[Any] = []
    life.clock.hours = hours
    life.live(branch, lambda strategy: _recorded(tape, data.draw(strategy)), ACTS)
    replayed = iter(tape)
    copy.clock.hours = hours
    copy.live(copy.memory, lambda _strategy: next(replayed), ACTS)
    assert now(branch, life) == now(copy.memory, copy)
    assert [(one.operation.act, one.outcome.changes) for one in branch.log()] == [
        (one.operation.act, one.outcome.changes) for one in copy.memory.log()
    ]
    assert branch.doctor().problems == ()
    branch.rebuild()
    assert branch.doctor().problems == ()
    assert now(branch, life) == now(copy.memory, copy)
    life.clock.hours = later
    assert now(life.memory, life) == moved


def _recorded(tape: list[Any], drawn: object) -> Any:  # noqa: ANN401 - whatever was drawn
    tape.append(drawn)
    return drawn


# Undoing ----------------------------------------------------------------------------------------


@given(st.data())
def test_undoing_restores_what_was_and_undoing_that_what_is(data: st.DataObject) -> None:
    """Undo of the last operation gives the state before it; undo of the undo the state after it."""
    life = Life()
    life.live(life.memory, data.draw, ACTS)
    moment = life.clock.moment() + timedelta(hours=9)
    memory = life.memory

    def state() -> dict[str, object]:
        return told(memory.at(valid=moment))

    before, last = state(), memory.log(limit=1)[0].operation.sequence
    data.draw(st.sampled_from(ACTS))(life, memory, data.draw)
    newest = memory.log(limit=1)[0].operation.sequence
    if newest == last:
        return
    life.clock.tick()
    after = state()
    for expected in (before, after, before, after):
        newest = memory.undo(newest).operation
        life.clock.tick()
        assert state() == expected
        assert memory.doctor().problems == ()


@given(st.data())
def test_a_merge_is_reverted_as_a_whole(data: st.DataObject) -> None:
    life, (up, down, _) = apart(data.draw)
    moment = life.clock.moment() + timedelta(hours=9)

    def state() -> dict[str, object]:
        return told(up.at(valid=moment))

    before = state()
    outcome = up.merge(down)
    if outcome.is_repeat:
        return
    life.clock.tick()
    after = state()
    undo = up.undo(outcome.operation)
    life.clock.tick()
    assert state() == before
    up.undo(undo.operation)
    assert state() == after
    assert up.doctor().problems == ()


@given(st.data())
def test_a_run_is_undone_as_a_whole(data: st.DataObject) -> None:
    life = Life()
    life.live(life.memory, data.draw, ACTS)
    moment = life.clock.moment() + timedelta(hours=9)
    before = told(life.memory.at(valid=moment))
    run = life.memory.in_run("import of May")
    run.observe(source="file", claims=[("order", "price", "7")], observed_at=life.clock.moment())
    life.live(run, data.draw, SAYING)
    life.memory.undo(run="Import of  May")
    assert told(life.memory.at(valid=moment)) == before
    assert life.memory.doctor().problems == ()


# Looking ahead, comparing, letting go -----------------------------------------------------------


@given(st.data())
def test_what_is_foreseen_is_what_comes_and_writes_nothing(data: st.DataObject) -> None:
    life = Life()
    life.live(life.memory, data.draw, ACTS)
    memory = life.memory
    given_evidence = sorted({one for entry in memory.log(limit=50) for one in entry.outcome.evidence})
    source, kind, claim, when = _words(life, data.draw)
    said = Observation(source, claims=[claim], source_type=kind, observed_at=when)
    before, operations = now(memory, life), memory.stats()["operations"]
    memory.what_if(observe=said)
    assert (now(memory, life), memory.stats()["operations"]) == (before, operations)
    target = data.draw(st.none() | st.sampled_from(given_evidence)) if given_evidence else None
    if target is not None:
        foreseen, outcome = memory.what_if(retract=target), memory.retract(target)
    else:
        foreseen, outcome = memory.what_if(observe=said), memory.observe_many([said])
        assert memory.what_if(observe=said).changes == ()
    assert outcome.is_repeat or foreseen.changes == outcome.changes
    assert outcome.is_repeat or foreseen.conflicts == outcome.conflicts


@given(st.data())
def test_a_difference_is_where_two_answers_differ(data: st.DataObject) -> None:
    """A diff names exactly the values that two states tell differently."""
    life, (up, down, _) = apart(data.draw)
    moment = life.clock.moment()
    up.merge(down)
    middle = data.draw(st.integers(1, life.memory.log(limit=1)[0].operation.sequence))
    for before, after in (
        (life.memory, up),
        (down, up),
        (_after(life.memory, middle), life.memory),
    ):
        found = life.memory.diff(_name(before, middle), _name(after, middle), valid=moment)
        told_before, told_after = _held(before, moment), _held(after, moment)
        due = {
            key
            for key in told_before.keys() | told_after.keys()
            if not _alike(told_before.get(key), told_after.get(key))
        }
        assert {(one.slot.id, one.value) for one in found.differences} == due


def _after(memory: Memory, number: int) -> Memory:
    """The memory after one of its operations, as a branch from there."""
    space = memory._space  # noqa: SLF001 - a state that no verb gives
    with space.store.snapshot(space.name) as view:
        (operation,) = view.operations(sequences=[number])
    then = LayeredStore(MemoryStore(), "nothing", space.store, Fork(number, operation.at))
    return Memory(space.on(None, then))


def _name(line: Memory, middle: int) -> str | int:
    name = str(line).rpartition(" on ")[2].strip("'")
    is_past = isinstance(line._space.store, LayeredStore) and line._space.branch is None  # noqa: SLF001 - as above
    return middle if is_past else name


def _held(line: Memory, moment: datetime) -> dict[tuple[str, str], tuple[str, float, tuple[str, ...]]]:
    """Every value that was ever spoken of, with its status, its number and its evidence."""
    space = line._space  # noqa: SLF001 - beliefs that no answer shows
    with space.reading(space.scope(moment)) as gate:
        beliefs = gate.beliefs(BeliefFilter(subjects=[one.id for one in gate.view.entities()]))
        found: dict[tuple[str, str], tuple[str, float, tuple[str, ...]]] = {}
        for one in beliefs:
            key = ContestKey(one.slot.id, one.value.key)
            spoken = {
                each.claim.evidence_id
                for each in gate.view.testimonies([key])[key]
                if each.is_visible(gate.scope.known)
            }
            at = gate.scope.valid
            found[one.slot.id, str(one.value)] = (
                one.status_at(at),
                one.confidence(at),
                tuple(sorted(spoken)),
            )
    return found


def _alike(
    one: tuple[str, float, tuple[str, ...]] | None, other: tuple[str, float, tuple[str, ...]] | None
) -> bool:
    if one is None or other is None:
        return one is other
    is_standing = any(Status(each[0]).is_standing for each in (one, other))
    return one[0] == other[0] and one[2] == other[2] and not (is_standing and abs(one[1] - other[1]) >= 0.005)


@given(st.data())
def test_what_is_let_go_of_is_not_needed_later(data: st.DataObject) -> None:
    """After a vacuum, answers about what is known at the horizon or later are as they were."""
    life = Life()
    life.live(life.memory, data.draw, SAYING, most=6)
    horizon = life.clock.moment() - timedelta(minutes=30)
    life.live(life.memory, data.draw, SAYING)
    life.clock.tick()
    memory, moments = life.memory, [life.clock.moment() - timedelta(hours=hour) for hour in (0, 1, 2, 9)]
    asked = [
        (valid, known) for valid in moments for known in (None, *moments) if not known or known >= horizon
    ]
    before = [told(memory.at(valid=valid, known=known)) for valid, known in asked]
    outcome = memory.vacuum(horizon)
    assert [told(memory.at(valid=valid, known=known)) for valid, known in asked] == before
    assert memory.doctor().problems == ()
    if not outcome.is_repeat:
        with pytest.raises(BeyondHorizon):
            memory.at(known=horizon - timedelta(seconds=1)).ask(SUBJECTS[0])
        with pytest.raises(Unsupported):
            memory.undo(1)
    memory.rebuild()
    assert [told(memory.at(valid=valid, known=known)) for valid, known in asked] == before


@given(st.data())
def test_a_vacuum_leaves_open_branches_alone(data: st.DataObject) -> None:
    life, lines = apart(data.draw, SAYING)
    life.live(life.memory, data.draw, SAYING)
    life.clock.tick()
    before = [now(line, life) for line in lines]
    life.memory.vacuum(life.clock.moment())
    moment = life.clock.moment()
    assert [told(line.at(valid=moment)) for line in lines] == before
    assert all(line.doctor().problems == () for line in lines)
