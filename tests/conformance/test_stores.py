"""Every store passes the same suite."""

from pathlib import Path

from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore
from knowwhy.testing import StoreSuite


class TestMemoryStore(StoreSuite):
    def create(self, folder: Path) -> Store:  # noqa: ARG002 - it keeps no files
        return MemoryStore()


class TestSqliteStore(StoreSuite):
    def create(self, folder: Path) -> Store:
        return SqliteStore(str(folder / "memory.db"))

    def reopen(self, store: Store, folder: Path) -> Store:
        store.close()
        return SqliteStore(str(folder / "memory.db"))


class TestSqliteStoreInMemory(StoreSuite):
    def create(self, folder: Path) -> Store:  # noqa: ARG002 - it keeps no files
        return SqliteStore(":memory:")
