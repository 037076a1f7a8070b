"""The runner: plays stories on stores, and says what came back otherwise than expected.

python -m tests.corpus.runner prints a table of every story on every store; --help tells the rest.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

import knowwhy
from knowwhy import Memory
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from tests.corpus.adapter import Home, Stage, Waits
from tests.corpus.checks import Told, problem
from tests.corpus.replies import Reply, forbidden, required
from tests.corpus.stories import CASES, Expectation, Malformed, Story, stories, waiting

# In brief runs on busy machines a time limit says only that nothing is far too slow.
_PATIENCE: Final = 10.0


def in_memory(_folder: Path) -> Home:
    """A home in this process."""
    store = MemoryStore()
    return Home("memory", lambda clock: Memory(Space(store, clock=clock)))


def in_a_file(folder: Path) -> Home:
    """A home in a file of its own."""
    path = folder / "memory.db"
    return Home("sqlite", lambda clock: knowwhy.open(path, clock=clock), path)


STORES: Final[dict[str, Callable[[Path], Home]]] = {"memory": in_memory, "sqlite": in_a_file}


@dataclass(frozen=True, slots=True)
class Result:
    """How a story went on a store: what was wrong, or what it waits for."""

    story: Story
    store: str
    problems: tuple[str, ...] = ()
    waits_for: str | None = None

    @property
    def has_passed(self) -> bool:
        """Whether all of it could be played and came out as expected."""
        return not self.problems and self.waits_for is None

    def __str__(self) -> str:
        if self.waits_for is not None:
            return f"{self.story.id} on {self.store} waits for: {self.waits_for}"
        verdict = "passes" if self.has_passed else "fails"
        return "\n".join([f"{self.story.id} on {self.store} {verdict}: {self.story.title}", *self.problems])


def play(story: Story, home: Home, *, is_full: bool = False) -> Result:
    """Play one story and compare what comes back with what is expected.

    Raises:
        Malformed: the story cannot be understood.
    """
    stage: Stage | None = None
    try:
        stage = Stage(home, is_full=is_full)
        with stage.meter.watching():
            stage.restarted()
            played = [stage.act(step) for step in story.steps]
        wrong = [*_unexpected(story, played), *_compared(story, stage.told, is_full=is_full)]
        return Result(story, home.store, tuple(wrong))
    except Waits as need:
        return Result(story, home.store, waits_for=str(need))
    except Malformed as slip:
        raise Malformed(f"{story.id}: {slip}") from slip
    finally:
        if stage is not None:
            stage.memory.close()


def _unexpected(story: Story, played: Sequence[Reply]) -> Iterator[str]:
    """Refusals that nobody expected."""
    awaited = {one.at for one in story.expect if "refusal" in one.check or one.check.get("no_error") is False}
    for number, (step, reply) in enumerate(zip(story.steps, played, strict=True), start=1):
        if reply.refusal is not None and str(step.get("id")) not in awaited:
            yield f"- step {number} ({step['op']}) was {reply}"


def _compared(story: Story, told: dict[str, Reply], *, is_full: bool) -> Iterator[str]:
    patience = 1.0 if is_full else _PATIENCE
    for expected in story.expect:
        reply = told[expected.at]
        yield from _beliefs(expected, reply, "")
        if reply.other is not None:
            yield from _beliefs(expected, reply.other, " when asked in words")
        for word, value in expected.check.items():
            if (wrong := problem(word, value, Told(reply, told, patience))) is not None:
                yield f"- at {expected.at}: {wrong}"


def _beliefs(expected: Expectation, reply: Reply, how: str) -> Iterator[str]:
    wrong = [f"must: {dict(one)}" for one in expected.must if not required(one, reply)]
    wrong += [f"must not: {dict(one)}" for one in expected.must_not if forbidden(one, reply)]
    if wrong:
        yield "\n".join([f"- at {expected.at}{how}: expected", *(f"    {one}" for one in wrong), f"  got\n{reply}"])


def played_all(chosen: Iterable[Story], *, is_full: bool = False) -> Iterator[Result]:
    """Every story on every store."""
    for story in chosen:
        for opened in STORES.values():
            with tempfile.TemporaryDirectory() as folder:
                yield play(story, opened(Path(folder)), is_full=is_full)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.runner", description="Play the corpus.")
    parser.add_argument("ids", nargs="*", help="the stories to play (all of them)")
    parser.add_argument("--folder", type=Path, default=CASES, help="where the stories are")
    parser.add_argument("--full", action="store_true", help="large fillings at their full size, times as stated")
    given = parser.parse_args()
    reasons = waiting()
    chosen = [one for one in stories(given.folder) if not given.ids or one.id in given.ids]
    table = Table("case", "store", "result", "title")
    failed: list[Result] = []
    for result in played_all(chosen, is_full=given.full):
        reason = reasons.get(result.story.id)
        verdict = "[green]pass[/]" if result.has_passed else "[red]fail[/]"
        if reason is not None:
            verdict = f"[red]passes, though it waits for: {reason}[/]" if result.has_passed else f"waits for: {reason}"
        elif result.waits_for is not None:
            verdict = f"[red]waits for: {result.waits_for}[/]"
        if result.has_passed is (reason is not None):
            failed.append(result)
        table.add_row(result.story.id, result.store, verdict, result.story.title)
    console = Console()
    console.print(table)
    for result in failed:
        console.print(str(result), markup=False, highlight=False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
