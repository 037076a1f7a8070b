"""Every store passes the same suite."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from knowwhy.core.model import Operation
from knowwhy.core.timeline import Instant
from knowwhy.store.joint import Fork
from knowwhy.store.layered import LayeredStore
from knowwhy.store.memory import MemoryStore
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.protocol import Batch, Erasing, Snapshot, Store, View
from knowwhy.store.sqlite import SqliteStore
from knowwhy.testing import StoreSuite
from tests.servers import server


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


class TestPostgresStore(StoreSuite):
    def create(self, folder: Path) -> Store:
        return PostgresStore(server().database_for(folder))

    def reopen(self, store: Store, folder: Path) -> Store:
        store.close()
        return PostgresStore(server().database_for(folder))


class OverNothing:
    """A store whose every space is a branch over a space that nobody wrote to."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> AbstractContextManager[Snapshot]:
        return self._branch(space).snapshot(space, turn=turn)

    def commit(self, space: str, batch: Batch) -> Operation:
        return self._branch(space).commit(space, batch)

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        self._branch(space).replace_views(space, rows, is_whole=is_whole)

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        self._branch(space).drop(space, evidence, before, erasing)

    def problems(self, space: str) -> list[str]:
        return self._branch(space).problems(space)

    def close(self) -> None:
        self.store.close()

    def _branch(self, space: str) -> LayeredStore:
        return LayeredStore(self.store, f"{space}/branch:own", self.store, Fork(0, Instant(0)))


class TestLayeredStore(StoreSuite):
    """A branch over nothing is a store like any other."""

    def create(self, folder: Path) -> Store:  # noqa: ARG002 - it keeps no files
        return OverNothing(MemoryStore())


class TestLayeredSqliteStore(StoreSuite):
    def create(self, folder: Path) -> Store:
        return OverNothing(SqliteStore(str(folder / "memory.db")))

    def reopen(self, store: Store, folder: Path) -> Store:
        store.close()
        return OverNothing(SqliteStore(str(folder / "memory.db")))


class TestLayeredPostgresStore(StoreSuite):
    def create(self, folder: Path) -> Store:
        return OverNothing(PostgresStore(server().database_for(folder)))

    def reopen(self, store: Store, folder: Path) -> Store:
        store.close()
        return OverNothing(PostgresStore(server().database_for(folder)))
