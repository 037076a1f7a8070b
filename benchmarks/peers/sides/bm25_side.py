"""A plain baseline: all sentences in SQLite's full-text index, ranked by BM25."""
# mypy: ignore-errors
# Its peer is installed where this runs, and nowhere else.

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

import re
import sqlite3

from peers.serve import serve


class Side:
    """Sentences and what they are about; the best by words wins, the last told of equals."""

    VERSION = f"SQLite {sqlite3.sqlite_version} FTS5"
    CANNOT = {
        "past": "a sentence has no time",
        "two steps": "a sentence has no relations",
        "weaker word": "a sentence has no source",
        "count": "it adds sentences, and changes none",
    }

    def __init__(self, folder: Path) -> None:
        self.base = sqlite3.connect(folder / "texts.db")
        self.base.execute("PRAGMA journal_mode = WAL")
        self.base.execute("PRAGMA synchronous = FULL")
        self.base.execute("CREATE VIRTUAL TABLE IF NOT EXISTS said USING fts5(words)")

    def load(self, items):
        with self.base:
            self.base.executemany("INSERT INTO said VALUES (?)", [(one["words"],) for one in items])

    def write(self, item):
        self.load([item])

    def recall(self, item):
        words = " OR ".join(f'"{one}"' for one in re.findall(r"\w+", item["words"]))
        query = "SELECT words FROM said WHERE said MATCH ? ORDER BY rank, rowid DESC LIMIT 1"
        found = self.base.execute(query, (words,)).fetchone()
        return None if found is None else found[0].removesuffix(".").rpartition(" ")[2]

    def current(self, item):
        return self.recall({"words": f"The {item['attribute']} of {item['subject']} is"})

    late_news = current

    def withdraw(self, item):
        with self.base:
            self.base.execute("DELETE FROM said WHERE words = ?", (item["withdrawn"],))
        return self.current(item)

    def erase(self, item):
        with self.base:
            self.base.execute("DELETE FROM said WHERE said MATCH ?", (item["subject"],))
        words = (item["subject"],)
        found = self.base.execute("SELECT words FROM said WHERE said MATCH ?", words).fetchone()
        return None if found is None else found[0]

    def close(self):
        self.base.close()


if __name__ == "__main__":
    serve(Side)
