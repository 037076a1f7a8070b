"""The runner: plays stories on stores, and says what came back otherwise than expected.

python -m tests.corpus.runner prints a table of every story on every store; --help tells the rest.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

import knowwhy
from knowwhy import Memory
from knowwhy.engine.space import Space
from knowwhy.evaluation import playing
from knowwhy.evaluation.failures import Failure
from knowwhy.evaluation.playing import compared
from knowwhy.evaluation.replies import Reply
from knowwhy.evaluation.stage import Home
from knowwhy.store.memory import MemoryStore
from tests.corpus.adapter import staged
from tests.corpus.stage import Waits
from tests.corpus.stories import CASES, Malformed, Story, stories, waiting
from tests.servers import server, sweep

# In brief runs, on busy machines, a time limit only says that nothing is far too slow.
_PATIENCE: Final = 10.0


def in_memory(_folder: Path) -> Home:
    """A home in this process."""
    store = MemoryStore()
    return Home("memory", lambda clock: Memory(Space(store, clock=clock)))


def in_a_file(folder: Path) -> Home:
    """A home in a file of its own."""
    address = str(folder / "memory.db")
    return Home("sqlite", lambda clock: knowwhy.open(address, clock=clock), address)


def on_a_server(folder: Path) -> Home:
    """A home in a database of its own."""
    address = server().database_for(folder)
    return Home("postgres", lambda clock: knowwhy.open(address, clock=clock), address)


STORES: Final[Mapping[str, Callable[[Path], Home]]] = {
    "memory": in_memory,
    "sqlite": in_a_file,
    "postgres": on_a_server,
}


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


def result(story: Story, home: Home, *, is_full: bool = False) -> Result:
    """How one story goes in one home.

    Raises:
        Malformed: the story cannot be understood.
    """
    patience = 1.0 if is_full and home.address is not None else _PATIENCE
    try:
        told, refusals = played(story, home, is_full=is_full)
        wrong = [*refusals, *compared(story.expect, told, patience)]
    except Waits as need:
        return Result(story, home.store, waits_for=str(need))
    except Malformed as slip:
        raise Malformed(f"{story.id}: {slip}") from slip
    return Result(story, home.store, tuple(map(str, wrong)))


def played(story: Story, home: Home, *, is_full: bool = False) -> tuple[dict[str, Reply], list[Failure]]:
    """The replies of the named steps of a story, and the refusals that it did not expect.

    Raises:
        Waits: it needs what the product cannot do yet.
        Malformed: it cannot be understood.
    """
    stage = staged(home, is_full=is_full)
    with stage.meter.watching():
        stage.restarted()
        return playing.played(story, stage)


def results(chosen: Iterable[Story], *, is_full: bool = False) -> Iterator[Result]:
    """How every story goes on every store."""
    for story in chosen:
        for opened in STORES.values():
            with tempfile.TemporaryDirectory() as folder:
                yield result(story, opened(Path(folder)), is_full=is_full)
            sweep()


def _verdict(one: Result, reason: str | None) -> str:
    """A result in a word or two; red if it is not as it is said to be."""
    if reason is not None:
        return f"[red]passes, but waits for: {reason}[/]" if one.has_passed else f"waits for: {reason}"
    if one.waits_for is not None:
        return f"[red]waits for: {one.waits_for}[/]"
    return "[green]pass[/]" if one.has_passed else "[red]fail[/]"


def table_of(found: Iterable[Result], reasons: Mapping[str, str], width: int) -> Table:
    """The results as a table of some width, one line where all stores agree."""
    lines: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for one in found:
        lines[one.story.id, _verdict(one, reasons.get(one.story.id))].append(one)
    table = Table("case", "store", "result", "title")
    for (story, verdict), those in lines.items():
        title = Text(those[0].story.title)
        title.truncate(max(20, width - 68), overflow="ellipsis")
        table.add_row(story, ", ".join(one.store for one in those), verdict, title)
    return table


def main() -> int:
    """Print the table, and what went wrong below it."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.runner", description="Play the corpus.")
    parser.add_argument("ids", nargs="*", help="the stories to play (all of them)")
    parser.add_argument("--folder", type=Path, default=CASES, help="where the stories are")
    parser.add_argument("--full", action="store_true", help="large fillings at full size, times as stated")
    given = parser.parse_args()
    reasons = waiting()
    chosen = [one for one in stories(given.folder) if not given.ids or one.id in given.ids]
    found = list(results(chosen, is_full=given.full))
    failed = [one for one in found if one.has_passed is (one.story.id in reasons)]
    console = Console()
    console.print(table_of(found, reasons, console.width))
    passed = sum(one.has_passed for one in found if one not in failed)
    waits = len(found) - passed - len(failed)
    console.print(f"{len(found)} played: {passed} pass, {waits} wait, {len(failed)} not as they should be")
    for one in failed:
        console.print(str(one), markup=False, highlight=False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
