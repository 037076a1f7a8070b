"""The same memory in a file and on a PostgreSQL server: how many times longer each act takes there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from rich.console import Console
from rich.table import Table
from subject import Subject
from timing import growth

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script that is run by its path sees no tests

from tests import servers

ACTS: Final = ("observe", "ask", "recall")

_SIZE: Final = (
    "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
    " WHERE relkind = 'r' AND relnamespace = 'knowwhy'::regnamespace"
)


@dataclass(slots=True)
class OnServer(Subject):
    """A memory in a database of its own."""

    url: str = ""

    @property
    def address(self) -> str:
        """Where the memory is."""
        return self.url

    def size(self) -> int:
        """How many bytes its tables and indexes take."""
        with psycopg.connect(self.url) as connection:
            return int(connection.execute(_SIZE).fetchall()[0][0])


@contextmanager
def server() -> Iterator[str]:
    """A new database on a durable server: the one that KNOWWHY_TEST_POSTGRES names, or one made for this."""
    if servers.ENVIRONMENT in os.environ:
        yield servers.server().fresh(is_kept=True)
        return
    with servers.started() as own:
        yield own.fresh()


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was measured on both, in turn: as a table for a person and as JSON for a program."""

    machine: dict[str, Any]
    file: Subject
    server: Subject

    def as_dict(self) -> dict[str, Any]:
        """The figures for a program."""
        return {
            "machine": self.machine,
            "beliefs": self.file.world.size,
            "bulk_claims_per_s": [round(one.bulk_rate, 1) for one in (self.file, self.server)],
            "bytes": [one.file_bytes for one in (self.file, self.server)],
            **{
                act: {
                    "file_ms": self.file.times[act].as_dict(),
                    "server_ms": self.server.times[act].as_dict(),
                    "ratio": growth(self.file.times[act], self.server.times[act]).as_dict(),
                }
                for act in ACTS
            },
        }

    def show(self, console: Console) -> None:
        """Draw the table."""
        for name, fact in self.machine.items():
            console.print(f"{name}: {fact}", style="dim", highlight=False)
        table = Table(
            title=f"{self.file.world.size:,} beliefs, in milliseconds unless said", title_justify="left"
        )
        table.add_column("", no_wrap=True)
        for name in ("SQLite", "PostgreSQL", "ratio"):
            table.add_column(name, justify="right")
        for act in ACTS:
            here, there = self.file.times[act], self.server.times[act]
            ratio = growth(here, there)
            middle = f"{ratio.ratio:.2f}× ({ratio.low:.2f} to {ratio.high:.2f})"
            table.add_row(f"{act} p50", f"{here.p50:.2f}", f"{there.p50:.2f}", middle)
            table.add_row(f"{act} p99", f"{here.p99:.2f}", f"{there.p99:.2f}", f"{there.p99 / here.p99:.2f}×")
        rates = (self.file.bulk_rate, self.server.bulk_rate)
        sizes = (self.file.file_bytes, self.server.file_bytes)
        table.add_row(
            "bulk, claims a second", *(f"{rate:,.0f}" for rate in rates), f"{rates[1] / rates[0]:.2f}×"
        )
        table.add_row("size, MB", *(f"{size / 1e6:,.1f}" for size in sizes), f"{sizes[1] / sizes[0]:.2f}×")
        console.print(table)
