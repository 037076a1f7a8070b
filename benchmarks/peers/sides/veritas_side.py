"""Veritas (veritas-epistemic on PyPI): statements with sources, in SQLite."""
# mypy: ignore-errors
# Its peer is installed where this runs, and nowhere else.

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from datetime import datetime
from importlib.metadata import version

from peers.serve import serve
from veritas import VeritasDB
from veritas.models import Claim, Source, Stance


class Side:
    """A statement for each claim, its source with the date."""

    VERSION = f"veritas-epistemic {version('veritas-epistemic')}"
    CANNOT = {
        "two steps": "statements have no subject and no relations, only dependencies",
        "count": "it has no write that depends on what was read",
        "weaker word": "it weighs a statement, and does not choose between statements",
    }

    def __init__(self, folder: Path) -> None:
        self.base = VeritasDB(folder / "veritas.db")

    def write(self, one):
        date = datetime.fromisoformat(one["date"]).replace(tzinfo=None)
        source = Source("official", 0.9, Stance.SUPPORTS, source_date=date)
        self.base.add_claim(Claim(one["words"], sources=[source]))

    def load(self, items):
        for one in items:
            self.write(one)

    def _found(self, item):
        return sorted(
            self.base.search(f"The {item['attribute']} of {item['subject']} is"),
            key=lambda one: one.sources[0].effective_date(),
        )

    def current(self, item, until=None):
        found = [
            one for one in self._found(item) if until is None or one.sources[0].effective_date() <= until
        ]
        return found[-1].statement.removesuffix(".").rpartition(" ")[2] if found else None

    late_news = current

    def past(self, item):
        return self.current(item, datetime.fromisoformat(item["date"]).replace(tzinfo=None))

    def recall(self, item):
        found = self.base.search(item["words"])
        return found[0].statement if found else None

    def withdraw(self, item):
        self.base.delete_claim(self._found(item)[-1].id)
        return self.current(item)

    def erase(self, item):
        for one in self.base.search(item["subject"]):
            self.base.delete_claim(one.id)
        return self.current(item)

    def close(self):
        """Each call opens the file anew."""


if __name__ == "__main__":
    serve(Side)
