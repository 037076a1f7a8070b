"""Jobs: offline work over many spaces of one database, shared among any number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Final

from knowwhy.engine.address import queue_at
from knowwhy.engine.memory import Memory
from knowwhy.engine.on_ray import NEAREST, on_ray
from knowwhy.engine.opening import open as opened
from knowwhy.errors import Fault, InvalidInput, KnowwhyError, Unavailable
from knowwhy.providers.embedding import Embedder

# For how many seconds a worker holds a job; it is extended as long as the worker lives.
LEASE: Final = 60.0
# So long a worker waits for jobs that others hold, whose leases may end.
LOOK_AGAIN: Final = 0.5

# What is done to a memory; it may be done twice, if a worker dies after the work and before it can say so.
Work = Callable[[Memory], object]


def _examined(memory: Memory) -> object:
    diagnosis = memory.doctor()
    if not diagnosis.is_healthy:
        raise Fault(str(diagnosis))
    return diagnosis


# The branch on which a job has kept words read again, and the mark on it that says that it came to the end.
AGAIN: Final = "read again"
_DONE: Final = "read to the end"


def _read_again(memory: Memory) -> object:
    """Read kept words again on a branch of their own, for somebody to look at and merge."""
    if any(one.name == AGAIN for one in memory.branches()):
        if any(one.name == _DONE for one in memory.on(AGAIN).snapshots()):
            return f"the branch {AGAIN!r} waits to be merged or dropped"
        memory.drop(AGAIN, author="jobs", reason="its reading was broken off")
    told = memory.reextract(AGAIN, author="jobs")
    memory.on(AGAIN).snapshot(_DONE, author="jobs")
    return told


KINDS: Final[Mapping[str, Work]] = {
    "doctor": _examined,
    "dream": lambda memory: memory.dream(author="jobs").headline,
    "embed": lambda memory: memory.embed(),
    "learn": lambda memory: memory.learn(author="jobs"),
    "rebuild": lambda memory: memory.rebuild(),
    "reextract": _read_again,
}


@dataclass(frozen=True, slots=True)
class Worked:
    """What one worker got done, or several together: how many jobs, and how many attempts failed."""

    done: int
    failed: int

    def as_dict(self) -> dict[str, Any]:
        """The numbers for a program."""
        return {"done": self.done, "failed": self.failed}

    def __str__(self) -> str:
        return f"{self.done} jobs done, {self.failed} attempts failed."


class Jobs:
    """Offline work over many spaces of one database, taken up by as many workers as there are.

    A job is a kind of work in one space. It is one worker's at a time, under a lease; if the worker
    dies, another takes it up when the lease has ended. What fails is tried again, five times at most.
    """

    def __init__(
        self,
        address: str,
        *,
        kinds: Mapping[str, Work] = KINDS,
        lease: float = LEASE,
        embedder: Embedder | None = None,
    ) -> None:
        """Open the queue of a database, and make it where there is none.

        Args:
            address: of the server's database.
            kinds: what is done to a memory, by the name of the kind of work.
            lease: for how many seconds a job is a worker's; extended as long as it lives.
            embedder: whose vectors `embed` makes.

        Raises:
            Unsupported: the address is of no server.
        """
        self._address = address
        self._queue = queue_at(address)
        self._kinds = kinds
        self._lease = lease
        self._embedder = embedder

    def submit(self, kind: str, spaces: Iterable[str]) -> int:
        """Have a kind of work done in these spaces, where it is not due already; in how many that is.

        Raises:
            InvalidInput: a kind that is not known.
        """
        if kind not in self._kinds:
            raise InvalidInput(f"There is no kind of work {kind!r}; there are {', '.join(self._kinds)}.")
        return int(self._queue.add(kind, spaces))

    def work(self) -> Worked:
        """Take up one job after the other, until none is left; also those of workers that die meanwhile."""
        done = failed = 0
        kinds = list(self._kinds)
        idle = Event()
        while True:
            held = self._queue.take(kinds, self._lease)
            if held is None:
                if not self._queue.left(kinds):
                    return Worked(done, failed)
                idle.wait(LOOK_AGAIN)
                continue
            try:
                with self._holding(held), self._opened(held.space) as memory:
                    told = str(self._kinds[held.kind](memory))
            except KnowwhyError as failure:
                failed += 1
                self._queue.fail(held, str(failure))
            else:
                done += bool(self._queue.finish(held, told))

    def work_on_ray(self, workers: int, cluster: str = NEAREST) -> Worked:
        """Have so many workers of a Ray cluster `work`, each where Ray has room for it, until no job is left.

        The servers of the cluster must reach the database, and have knowwhy and what the kinds of work need
        installed. The address goes to them with its password, if it has one.

        Args:
            workers: how many; those for which there is no room wait until there is.
            cluster: the address of the cluster; that which this machine is part of, if nothing is said.

        Raises:
            InvalidInput: fewer than one worker.
            Unsupported: the extra `ray` is not installed.
            Unavailable: there is no such cluster.
        """
        address, kinds, lease = self._address, dict(self._kinds), self._lease
        embedder = self._embedder

        def work() -> Worked:
            return Jobs(address, kinds=kinds, lease=lease, embedder=embedder).work()

        told = on_ray(work, workers, cluster)
        return Worked(sum(one.done for one in told), sum(one.failed for one in told))

    def status(self) -> dict[str, dict[str, int]]:
        """How many jobs there are of each kind, by how they stand: due, running, done or failed."""
        found: dict[str, dict[str, int]] = self._queue.counts()
        return found

    def failures(self) -> list[tuple[str, str, str]]:
        """The jobs that were given up: space, kind and why."""
        found: list[tuple[str, str, str]] = self._queue.failed()
        return found

    def _opened(self, space: str) -> Memory:
        return opened(self._address, space=space, embedder=self._embedder)

    @contextmanager
    def _holding(self, held: Any) -> Iterator[None]:  # noqa: ANN401 - a lease, of a module loaded on demand
        """Extend a lease again and again while its job is under way."""
        ended = Event()

        def extend() -> None:
            while not ended.wait(self._lease / 3):
                try:
                    if not self._queue.extend(held, self._lease):
                        return
                except Unavailable:
                    continue  # it may be back before the lease ends

        keeper = Thread(target=extend, daemon=True)
        keeper.start()
        try:
            yield
        finally:
            ended.set()
            keeper.join()
