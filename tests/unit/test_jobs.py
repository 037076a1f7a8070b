"""Offline work over many spaces: each job once, by one worker at a time, whichever of them die."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import knowwhy
from knowwhy.engine import jobs as engine
from knowwhy.engine import on_ray
from knowwhy.store.postgres import queue
from tests.corpus.meaning import WordModel
from tests.servers import server
from tests.surfaces.program import run

SPACES = [f"tenant {number}" for number in range(12)]


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(queue, "PAUSE", 0.01)
    monkeypatch.setattr(engine, "LOOK_AGAIN", 0.05)
    made = server().fresh()
    for space in SPACES:
        with knowwhy.open(made, space=space) as memory:
            memory.observe(source="ann", claims=[("order", "number", 1)])
    yield made
    server().drop(made)  # the next test is to find no jobs


def test_words_are_read_again_on_a_branch_and_to_the_end(url: str) -> None:
    space = SPACES[0]
    with knowwhy.open(url, space=space) as memory:
        memory.observe("The colour of the anvil is red.", source="ann", source_type="user")
        memory.declare("colour", patterns=["The colour of {subject} is {value}."])
        # What was broken off is begun anew.
        memory.fork(engine.AGAIN)
    work = knowwhy.Jobs(url)
    work.submit("reextract", [space])
    assert work.work().done == 1
    with knowwhy.open(url, space=space) as memory:
        assert memory.ask("anvil", "colour").is_unknown
        (branch,) = memory.branches()
        assert str(memory.on(branch.name).ask("the anvil", "colour").value) == "red"
    # What waits to be looked at is left alone.
    work.submit("reextract", [space])
    work.work()
    with knowwhy.open(url, space=space) as memory:
        assert memory.branches() == (branch,)
        memory.merge(branch.name)
        assert str(memory.ask("the anvil", "colour").value) == "red"


def test_vectors_are_made_of_the_embedder_that_is_named(url: str) -> None:
    without = knowwhy.Jobs(url)
    without.submit("embed", SPACES[:2])
    assert without.work().failed == 10
    assert "embedder" in without.failures()[0][2]
    model = WordModel("words", 8)
    with_one = knowwhy.Jobs(url, embedder=model)
    with_one.submit("embed", SPACES[:2])
    assert with_one.work().done == 2
    with knowwhy.open(url, space=SPACES[1], embedder=model) as memory:
        assert memory.embed().made == 0
        assert memory.recall("number of the order", channels=["vectors"]).beliefs


def test_many_workers_do_each_job_once(url: str) -> None:
    begun: Counter[str] = Counter()
    lock = threading.Lock()

    def note(memory: knowwhy.Memory) -> str:
        with lock:
            begun[str(memory)] += 1
        return "noted"

    kinds = {"note": note}
    assert knowwhy.Jobs(url, kinds=kinds).submit("note", [*SPACES, *SPACES]) == len(SPACES)
    assert knowwhy.Jobs(url, kinds=kinds).submit("note", SPACES) == 0
    done: list[int] = []
    workers = [
        threading.Thread(target=lambda: done.append(knowwhy.Jobs(url, kinds=kinds).work().done))
        for _ in range(4)
    ]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    assert sum(done) == len(SPACES)
    assert set(begun.values()) == {1}
    assert knowwhy.Jobs(url, kinds=kinds).status() == {"note": {"done": len(SPACES)}}
    # What is done may be asked for again.
    assert knowwhy.Jobs(url, kinds=kinds).submit("note", SPACES[:1]) == 1


def test_what_fails_is_tried_again_and_given_up_in_the_end(url: str) -> None:
    tries: Counter[str] = Counter()

    def fall(memory: knowwhy.Memory) -> str:
        tries[str(memory)] += 1
        if SPACES[0] in str(memory) or tries[str(memory)] < 3:
            raise knowwhy.Fault("It fell.")
        return "stood"

    work = knowwhy.Jobs(url, kinds={"fall": fall})
    work.submit("fall", SPACES[:2])
    worked = work.work()
    assert (worked.done, worked.failed) == (1, queue.MOST_ATTEMPTS + 2)
    assert work.failures() == [(SPACES[0], "fall", "It fell.")]
    assert work.status() == {"fall": {"done": 1, "failed": 1}}


WORKER = """
import sys, time
import knowwhy
from pathlib import Path

def slow(memory):
    print(memory, flush=True)
    if Path(sys.argv[2]).exists():
        return "done"
    time.sleep(600)

knowwhy.Jobs(sys.argv[1], kinds={"slow": slow}, lease=0.6).work()
"""


def test_the_job_of_a_worker_that_is_killed_is_taken_up_by_another(url: str, tmp_path: Path) -> None:
    work = knowwhy.Jobs(url, kinds={"slow": lambda _: "done"}, lease=0.6)
    work.submit("slow", SPACES[:1])
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, url, str(tmp_path / "none")], stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    with worker.stdout as told:
        assert SPACES[0] in told.readline()
        # As long as it lives it holds the job, far beyond the end of its first lease.
        held = queue.Queue(url)
        for _ in range(8):
            threading.Event().wait(0.2)
            assert held.take(["slow"], 0.6) is None
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    assert work.work().done == 1
    assert work.status() == {"slow": {"done": 1}}


def test_a_worker_that_lost_its_job_says_nothing_more_of_it(url: str) -> None:
    held = queue.Queue(url)
    held.add("note", SPACES[:1])
    first = held.take(["note"], 0.0)
    second = held.take(["note"], 60.0)
    assert first is not None
    assert second is not None
    assert not held.finish(first, "late")
    assert not held.fail(first, "late")
    assert not held.extend(first, 60.0)
    assert held.counts() == {"note": {"running": 1}}
    assert held.finish(second, "in time")


def test_what_workers_die_on_is_left_alone_in_the_end(url: str) -> None:
    held = queue.Queue(url)
    held.add("note", SPACES[:1])
    for _ in range(queue.MOST_ATTEMPTS):
        assert held.take(["note"], 0.0) is not None
    assert held.take(["note"], 0.0) is None
    assert held.failed() == [(SPACES[0], "note", "the worker died")]


def test_the_commands_submit_work_and_tell(url: str) -> None:
    assert run("admin", "submit", url, "rebuild", *SPACES[:3], "--json").document == {"submitted": 3}
    assert run("admin", "submit", url, "learn", SPACES[0]).out == "1 jobs more are due.\n"
    assert run("admin", "submit", url, "doctor", SPACES[0]).code == 0
    assert run("admin", "submit", url, "dream", SPACES[0]).code == 0
    assert run("admin", "work", url, "--json").document == {"done": 6, "failed": 0}
    told = run("admin", "jobs", url, "--json").document
    done = {"doctor": 1, "dream": 1, "learn": 1, "rebuild": 3}
    assert told["jobs"] == {kind: {"done": count} for kind, count in done.items()}
    assert "rebuild done" in run("admin", "jobs", url).out
    assert run("admin", "submit", url, "dance", SPACES[0]).code == 2
    assert run("admin", "submit", url, "learn").code == 2
    assert run("admin", "work", "shop.db").code == 7


def test_workers_of_a_cluster_that_cannot_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # That they work is shown on a real cluster, by `make ray`.
    url = server().fresh()
    with pytest.raises(knowwhy.InvalidInput, match="at least 1 worker"):
        knowwhy.Jobs(url).work_on_ray(0)

    def missing(name: str) -> object:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(on_ray, "import_module", missing)
    with pytest.raises(knowwhy.Unsupported, match=r"knowwhy\[ray\]"):
        knowwhy.Jobs(url).work_on_ray(1)
    assert run("admin", "work", url, "--workers", "2").code == 7
    server().drop(url)
