"""The plainest baseline: a dict of the values that were told last, in memory."""
# mypy: ignore-errors
# Its peer is installed where this runs, and nowhere else.

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from peers.serve import serve


class Side:
    """A dict."""

    VERSION = f"dict of Python {sys.version_info.major}.{sys.version_info.minor}"
    CANNOT = {
        "past": "keeps the newest value alone",
        "recall": "finds by the exact key alone",
        "withdraw": "keeps the newest value alone",
        "count": "lives in one process",
    }

    def __init__(self, _: Path) -> None:
        self.values: dict[tuple[str, str], str] = {}

    def write(self, one):
        self.values[one["subject"], one["attribute"]] = one["value"]

    def load(self, items):
        for one in items:
            self.write(one)

    def current(self, item):
        return self.values.get((item["subject"], item["attribute"]))

    late_news = current

    def two_steps(self, item):
        return self.values.get((self.values.get((item["subject"], item["through"])), item["attribute"]))

    def weaker_word(self, item):
        self.write(item)
        return self.current(item)

    def erase(self, item):
        self.values.pop((item["subject"], item["attribute"]), None)
        return self.current(item)

    def close(self):
        """Nothing to let go of."""


if __name__ == "__main__":
    serve(Side)
