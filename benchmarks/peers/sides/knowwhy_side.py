"""knowwhy's side."""
# mypy: ignore-errors
# Its peer is installed where this runs, and nowhere else.

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from peers.serve import serve

import knowwhy

BATCH = 2_000


class Side:
    """A memory in one file."""

    VERSION = f"knowwhy {knowwhy.__version__}"
    CANNOT: dict[str, str] = {}

    def __init__(self, folder: Path) -> None:
        self.memory = knowwhy.open(folder / "memory.db")

    def _said(self, one, kind="official"):
        return knowwhy.Observation(
            source=kind,
            source_type=kind,
            text=one["words"],
            claims=[(one["subject"], one["attribute"], one["value"])],
            observed_at=one["date"],
        )

    def load(self, items):
        for first in range(0, len(items), BATCH):
            self.memory.observe_many([self._said(one) for one in items[first : first + BATCH]])

    def current(self, item):
        return self.memory.ask(item["subject"], item["attribute"]).value

    late_news = current

    def past(self, item):
        return self.memory.at(valid=item["date"]).ask(item["subject"], item["attribute"]).value

    def recall(self, item):
        best = self.memory.recall(item["words"]).best
        return None if best is None else str(best.value)

    def two_steps(self, item):
        return self.memory.ask(str(self.memory.ask(item["subject"], item["through"]).value), "owner").value

    def write(self, item):
        self.memory.observe_many([self._said(item)])

    def withdraw(self, item):
        answer = self.memory.ask(item["subject"], item["attribute"])
        self.memory.retract(answer.best.grounds[0].testimony.claim.evidence_id)
        return self.current(item)

    def weaker_word(self, item):
        self.memory.observe_many([self._said(item, "rumour")])
        return self.current(item)

    def count(self, _):
        def one_more():
            answer = self.memory.ask("meter", "count")
            value = str(int(answer.value or 0) + 1)
            claims = [("meter", "count", value)]
            # Words of its own: the same words again would be a repetition.
            words = f"{value}, counted by process {os.getpid()}"
            version = answer.version
            return self.memory.observe(words, source="meter", claims=claims, expected_version=version)

        knowwhy.retrying(one_more, tries=500)
        return self.memory.ask("meter", "count").value

    def erase(self, item):
        self.memory.forget(person=item["subject"])
        return self.current(item)

    def close(self):
        self.memory.close()


if __name__ == "__main__":
    serve(Side)
