"""LangGraph's store on SQLite: values under keys in namespaces."""
# mypy: ignore-errors
# Its peer is installed where this runs, and nowhere else.

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from importlib.metadata import version

from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore
from peers.serve import serve

BATCH = 500


class Side:
    """A namespace for each subject, a key for each attribute."""

    VERSION = f"langgraph-checkpoint-sqlite {version('langgraph-checkpoint-sqlite')}"
    CANNOT = {
        "past": "a put replaces the value",
        "recall": "its search by meaning needs an embedding model",
        "withdraw": "a put replaces the value",
        "count": "it has no write that depends on what was read",
    }

    def __init__(self, folder: Path) -> None:
        self.opened = SqliteStore.from_conn_string(str(folder / "store.db"))
        self.store = self.opened.__enter__()
        self.store.setup()

    def load(self, items):
        # Of a key, one batch keeps the last put, as so many calls would.
        for first in range(0, len(items), BATCH):
            self.store.batch(
                [
                    PutOp((one["subject"],), one["attribute"], {"value": one["value"], "words": one["words"]})
                    for one in items[first : first + BATCH]
                ]
            )

    def write(self, one):
        self.store.put((one["subject"],), one["attribute"], {"value": one["value"], "words": one["words"]})

    def current(self, item):
        found = self.store.get((item["subject"],), item["attribute"])
        return None if found is None else found.value["value"]

    late_news = current

    def two_steps(self, item):
        other = self.current({"subject": item["subject"], "attribute": item["through"]})
        return self.current({"subject": other, "attribute": item["attribute"]})

    def weaker_word(self, item):
        self.write(item)
        return self.current(item)

    def erase(self, item):
        for one in self.store.search((item["subject"],), limit=100):
            self.store.delete(one.namespace, one.key)
        return self.current(item)

    def close(self):
        self.opened.__exit__(None, None, None)


if __name__ == "__main__":
    serve(Side)
