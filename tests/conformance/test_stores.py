"""Every store passes the same suite."""

from pathlib import Path

from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from knowwhy.testing import StoreSuite


class TestMemoryStore(StoreSuite):
    def create(self, folder: Path) -> Store:  # noqa: ARG002 - it keeps no files
        return MemoryStore()
