"""What reading later keeps to: every item counts once, and as if its words had been read at once.

The oracle reads at once, in the order in which things were said; the queue gets them in any order, with
readers that overlap, are too slow, and fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knowwhy
from knowwhy import Instant, Memory
from knowwhy.core.model import Act, Draft, Failing, Operation, Queued, QueueStep, Schema, Waiting
from knowwhy.engine.backlog import brought_up
from knowwhy.engine.space import Space
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.ingest.queue import MOST_ATTEMPTS, Backlog
from knowwhy.providers.extraction import Extraction, Utterance
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Batch, Store
from tests.laws.effort import examples

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]

START = datetime(2025, 6, 1, tzinfo=UTC)
BEGINS = knowwhy.instant(START)
SECOND = 1_000_000
SHOPS = ("Harbour Books", "Pier Store")


@dataclass
class Hand:
    """A clock that is moved by hand."""

    now: Instant = BEGINS

    def __call__(self) -> Instant:
        return self.now

    def move(self, seconds: float) -> None:
        """Let some time pass."""
        self.now = Instant(self.now + round(seconds * SECOND))


@dataclass
class Awkward:
    """Reads by rules, but lets something happen first: at the call of a number, by what is planned for it."""

    planned: dict[int, Callable[[], None]] = field(default_factory=dict)
    calls: int = 0
    name: str = "deterministic"

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """What the rules read, if nothing comes between."""
        self.calls += 1
        self.planned.pop(self.calls, lambda: None)()
        return DeterministicExtractor().extract(utterance, schema)


def opened(store: Store, clock: Hand, extractor: Awkward | None = None) -> Memory:
    memory = Memory(Space(store, clock=clock, extractor=extractor or Awkward()))
    if not memory.declared().attributes:
        memory.declare("return window", unit="days")
        memory.declare("speaks", cardinality="many")
    return memory


@st.composite
def sayings(draw: st.DrawFn) -> list[tuple[str, str, datetime]]:
    """Some statements: who says what, and when; each at a time of its own."""
    count = draw(st.integers(1, 8))
    words = st.one_of(
        st.builds("{}'s return window is {} days.".format, st.sampled_from(SHOPS), st.integers(7, 9)),
        st.builds("Priya speaks {}.".format, st.sampled_from(["Hindi", "Welsh"])),
        st.just("Good morning!"),
    )
    sources = st.sampled_from(["policy", "clerk"])
    return [(draw(sources), draw(words), START - timedelta(hours=place + 1)) for place in range(count)]


def observe(memory: Memory, said: tuple[str, str, datetime], *, extract: bool | str) -> None:
    source, text, when = said
    memory.observe(text, source=source, source_type="document", observed_at=when, extract=extract)


def held(memory: Memory) -> dict[tuple[str, str, str], tuple[str, float]]:
    """What is believed, each with how it stands and how surely."""
    found = {}
    for subject in (*SHOPS, "Priya"):
        try:
            answers = [memory.ask(subject, name) for name in ("return window", "speaks")]
        except knowwhy.NotFound:
            continue
        for answer in answers:
            for one in answer.findings:
                found[subject, one.attribute.name, str(one.value)] = (
                    str(one.status),
                    round(one.confidence, 9),
                )
    return found


def done(memory: Memory) -> Counter[str]:
    """How often the log says that an item was read."""
    space = memory._space  # noqa: SLF001 - what the law is about
    counted: Counter[str] = Counter()
    with space.store.snapshot(space.name) as view:
        until = None
        while (step := view.declared(QueueStep, [""], until=until).get("")) is not None:
            counted.update(step.done)
            until = step.declared_in - 1
    return counted


acts = st.sampled_from(["work", "one", "overtaken", "fails", "ends", "wait"])


@examples(60)
@given(st.data())
def test_what_is_read_later_is_believed_as_what_is_read_at_once(data: st.DataObject) -> None:
    said = data.draw(sayings())
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    for one in data.draw(st.permutations(said)):
        observe(memory, one, extract="later")
        act = data.draw(acts)
        if act == "one":
            memory.work(limit=1)
        elif act == "overtaken":
            _overtaken(store, clock)
        elif act == "fails":
            _failing(store, clock)
        elif act == "ends":
            _ended(store, clock)
        elif act == "work":
            memory.work()
        clock.move(data.draw(st.sampled_from([0.5, 70.0])))
    _finish(memory, clock)
    at_once = opened(MemoryStore(), Hand(clock.now))
    for one in sorted(said, key=lambda each: each[2]):
        observe(at_once, one, extract=True)
    assert held(memory) == held(at_once)
    assert memory.stats()["claims"] == at_once.stats()["claims"]
    read = done(memory)
    assert set(read.values()) <= {1}
    assert len(read) == memory.stats()["evidence"]
    assert not memory.queue().total


def _overtaken(store: Store, clock: Hand) -> None:
    """A reader takes so long that another takes over what it holds, reads it, and is first."""

    def dawdle() -> None:
        clock.move(100.0)
        opened(store, clock).work()

    opened(store, clock, Awkward({1: dawdle})).work(limit=2)


def _failing(store: Store, clock: Hand) -> None:
    """A reader stumbles over an item."""

    def stumble() -> None:
        raise ValueError("stumbled")

    opened(store, clock, Awkward({1: stumble})).work(limit=2)


def _ended(store: Store, clock: Hand) -> None:
    """A reader is stopped in the middle."""

    def stop() -> None:
        raise KeyboardInterrupt

    try:
        opened(store, clock, Awkward({1: stop})).work()
    except KeyboardInterrupt:
        return


def _finish(memory: Memory, clock: Hand) -> None:
    """Work until nothing is left, letting time pass."""
    for _ in range(40):
        memory.work()
        if not memory.queue().total:
            return
        memory.retry()
        clock.move(4_000.0)
    raise AssertionError(str(memory.queue()))


def steps(draw: Draw, count: int) -> Iterator[QueueStep]:
    """Random steps on few items; any of them may be told more than once, or of an item that is not there."""
    names = st.lists(st.sampled_from("abcde"), max_size=2, unique=True).map(tuple)
    for _ in range(count):
        failing = tuple(Failing(name, "stumbled", Instant(0)) for name in draw(names))
        yield QueueStep(
            added=tuple(Waiting(name, Instant(ord(name))) for name in draw(names)),
            leased=draw(names),
            until=Instant(draw(st.integers(0, 40))),
            ends=draw(st.none() | st.integers(1, count)),
            done=draw(names),
            failing=failing,
            retried=draw(names),
        )


@settings(deadline=None)
@given(st.data())
def test_the_queue_is_the_fold_of_all_its_steps_wherever_one_begins(data: st.DataObject) -> None:
    store, whole = MemoryStore(), Backlog()
    states: list[list[Queued]] = [[]]
    count = data.draw(st.integers(1, 12))
    early = Backlog()
    for number, bare in enumerate(steps(data.draw, count), start=1):
        as_of = data.draw(st.none() | st.integers(0, number - 1))
        kept = None if as_of is None else tuple(states[as_of])
        step = replace(bare, kept=kept, as_of=as_of or 0)
        at = Instant(number)
        store.commit("main", Batch(Operation(0, at, at, Act.LEASE), declarations=(step,)))
        whole.take([replace(bare, declared_in=number, declared_at=at)])
        states.append(list(whole))
        with store.snapshot("main") as view:
            assert list(brought_up(view, Backlog())) == list(whole)
            if data.draw(st.booleans()):
                assert list(brought_up(view, early)) == list(whole)


def test_steps_are_not_walked_back_to_the_beginning_forever() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    for place in range(120):
        observe(memory, ("clerk", f"Priya speaks dialect {place}.", START), extract="later")
        memory.work()
    with store.snapshot("main") as view:
        backlog = brought_up(view, Backlog())
    assert backlog.steps_since_kept < 60


# Leases ------------------------------------------------------------------------------------------------


def waiting(*names: str, context: str | None = None) -> tuple[Waiting, ...]:
    """Items that wait, said one after the other."""
    return tuple(Waiting(name, Instant(place), context) for place, name in enumerate(names))


def backlog(*steps: QueueStep) -> Backlog:
    """What these steps make, a second apart."""
    made = Backlog()
    made.take(
        replace(one, declared_in=place, declared_at=Instant(place * SECOND))
        for place, one in enumerate(steps, 1)
    )
    return made


def ready(made: Backlog, seconds: float, most: int = 9) -> list[str]:
    """What could be leased at a time."""
    return [one.waiting.evidence for one in made.ready(Instant(round(seconds * SECOND)), most)]


def test_of_two_leases_on_an_item_the_earlier_holds_until_it_runs_out() -> None:
    added = QueueStep(added=waiting("a", "b"))
    first = QueueStep(leased=("a",), until=Instant(10 * SECOND))
    second = QueueStep(leased=("a", "b"), until=Instant(20 * SECOND))
    made = backlog(added, first, second)
    assert [one.lease for one in made] == [2, 3]
    assert ready(made, 5) == []
    assert ready(made, 10) == ["a"]
    late = backlog(added, first, *[QueueStep()] * 8, second)
    assert [one.lease for one in late] == [11, 11]


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 5))
def test_what_failed_goes_alone_and_after_some_tries_not_at_all(first: int, most: int, tries: int) -> None:
    names = [f"n{place}" for place in range(first + 1)]
    steps = [QueueStep(added=waiting(*names))]
    for place in range(tries):
        steps.append(QueueStep(leased=(names[0],), until=Instant(10**12)))
        steps.append(QueueStep(ends=2 * place + 2, failing=(Failing(names[0], "stumbled", Instant(0)),)))
    found = ready(backlog(*steps), 100, most)
    if tries == 0:
        assert found == names[:most]
    elif tries < MOST_ATTEMPTS:
        assert found == names[:1]
    else:
        assert found == names[1 : most + 1]
    again = backlog(*steps, QueueStep(retried=(names[0],)))
    assert ready(again, 100, most) == names[:most]


def test_what_follows_in_a_conversation_waits_for_what_precedes_it() -> None:
    steps = [
        QueueStep(added=(*waiting("a", "b", context="talk"), Waiting("c", Instant(5)))),
        QueueStep(leased=("a",), until=Instant(10 * SECOND)),
    ]
    assert ready(backlog(*steps), 5) == ["c"]
    failed = QueueStep(ends=2, failing=(Failing("a", "stumbled", Instant(90 * SECOND)),))
    assert ready(backlog(*steps, failed), 50) == ["c"]
    assert ready(backlog(*steps, QueueStep(ends=2, done=("a",))), 50) == ["b", "c"]
    parked = QueueStep(ends=2, failing=(Failing("a", "stumbled", Instant(0), is_parked=True),))
    assert ready(backlog(*steps, parked), 50) == ["b", "c"]


@dataclass
class Interrupted:
    """A store in which, once, something happens right before a commit of an act."""

    below: Store
    act: Act
    happens: Callable[[], None] | None

    def commit(self, space: str, batch: Batch) -> Operation:
        """Write it, after what happens."""
        if batch.operation.act is self.act and (happens := self.happens) is not None:
            self.happens = None
            happens()
        return self.below.commit(space, batch)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all else is the store below
        return getattr(self.below, name)


@pytest.mark.parametrize("act", [Act.LEASE, Act.READ])
@pytest.mark.parametrize("seconds", [0.0, 100.0])
def test_an_item_counts_once_though_two_readers_understand_it_differently(act: Act, seconds: float) -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    observe(memory, ("clerk", "Priya or Jules speaks Welsh.", START), extract="later")

    @dataclass
    class Own:
        subject: str
        name: str = "own"

        def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
            del schema
            return Extraction((Draft(self.subject, "speaks", "Welsh", quote=utterance.text),))

    def other() -> None:
        clock.move(seconds)
        Memory(Space(store, clock=clock, extractor=Own("Priya"))).work()

    slow = Interrupted(store, act, other)
    Memory(Space(cast("Store", slow), clock=clock, extractor=Own("Jules"))).work()
    memory.work()
    assert memory.stats()["claims"] == 1
    assert set(done(memory).values()) == {1}
    assert not memory.queue().total


# Branches, merges, undoing -----------------------------------------------------------------------------


def test_what_was_read_on_a_branch_is_not_read_twice_where_it_is_merged() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    observe(memory, ("clerk", "Priya speaks Welsh.", START), extract="later")
    branch = memory.fork("if")
    assert branch.queue().waiting == 1
    assert branch.work().read == 1
    assert memory.queue().waiting == 1
    assert not held(memory)
    memory.merge("if")
    assert held(memory) == held(branch)
    assert memory.work().read == 1
    assert held(memory) == held(branch)
    assert memory.stats()["claims"] == 1


def test_what_was_read_below_since_a_branch_forked_is_merged_into_it() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    observe(memory, ("clerk", "Priya speaks Welsh.", START), extract="later")
    branch = memory.fork("if")
    memory.work()
    assert not held(branch)
    branch.merge("main")
    assert held(branch) == held(memory)
    assert branch.work().read == 1
    assert held(branch) == held(memory)


def test_what_waits_on_a_branch_waits_where_it_is_merged() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    branch = memory.fork("if")
    observe(branch, ("clerk", "Priya speaks Welsh.", START), extract="later")
    assert not memory.queue().total
    outcome = memory.merge("if")
    assert len(outcome.waiting) == 1
    assert memory.work().claims == 1
    assert ("Priya", "speaks", "Welsh") in held(memory)
    assert memory.merge("if").is_repeat


def test_a_reading_can_be_undone_and_that_too() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    observe(memory, ("clerk", "Priya speaks Welsh.", START), extract="later")
    (number,) = memory.work().operations
    before = held(memory)
    assert before
    undone = memory.undo(number)
    assert not any(status == "accepted" for status, _ in held(memory).values())
    memory.undo(undone.operation)
    assert held(memory) == before
    assert memory.doctor().is_healthy


def test_what_was_withdrawn_before_it_was_read_is_not_read() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    observe(memory, ("clerk", "Priya speaks Welsh.", START), extract="later")
    memory.retract(memory.queue().items[0].evidence)
    assert memory.work().claims == 0
    assert not memory.queue().total
    assert memory.stats()["claims"] == 0


def test_what_is_read_later_was_not_known_before() -> None:
    clock, store = Hand(), MemoryStore()
    memory = opened(store, clock)
    observe(memory, ("clerk", "Priya speaks Welsh.", START), extract="later")
    clock.move(60)
    asked = clock.now
    clock.move(60)
    memory.work()
    known = memory.at(known=datetime.fromtimestamp(asked / SECOND, UTC))
    assert not known.ask("Priya", "speaks").findings
    assert [str(one.value) for one in memory.ask("Priya", "speaks").findings] == ["Welsh"]
    assert memory.doctor().is_healthy
