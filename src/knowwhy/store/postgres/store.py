"""The store: memories on a PostgreSQL server, for any number of threads, processes and machines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from knowwhy.core.model import Operation
from knowwhy.errors import KnowwhyError, Unavailable
from knowwhy.store.following import has_moved
from knowwhy.store.postgres import checking, dropping, figures, news, writing
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.connections import PATIENCE, REPLICA_PATIENCE, Connections
from knowwhy.store.postgres.erasing import overwrite
from knowwhy.store.postgres.faults import RETRY_AFTER, Interrupted, given_up, unknown
from knowwhy.store.postgres.opening import Migration, check_format, check_replica, prepare, shipped
from knowwhy.store.postgres.reading import PostgresSnapshot
from knowwhy.store.postgres.search import Frequencies
from knowwhy.store.postgres.session import CHECK, Writing
from knowwhy.store.postgres.waiting import Waiting
from knowwhy.store.postgres.writing import Attempt
from knowwhy.store.protocol import Batch, Erasing, Snapshot, View

# How often a commit is made again if the server breaks it off.
ATTEMPTS: Final = 5


class PostgresStore:
    """All spaces in one database of a server, whose tables are made where they do not exist.

    Readers have a consistent state each and wait for nobody; the writers of one space pass one by
    one, those of different spaces never meet. A commit is on the server's disk before it returns.
    """

    def __init__(
        self,
        address: str,
        *,
        migrations: Sequence[Migration] | None = None,
        replica_of: PostgresStore | None = None,
    ) -> None:
        """Connect, and bring the tables to the newest format if an older version made them.

        A replica is not waited for: where it cannot be reached, its primary answers.

        Raises:
            InvalidInput: the address cannot be read, the tables are something else, or it is no replica of
                the server it should be of.
            NotFound: there is no such database.
            Refused: the user may not use it.
            NewerFormat: a newer version made the tables.
            Unavailable: the server is not there.
            Unsupported: the server is too old.
        """
        known = shipped() if migrations is None else migrations
        where = Address.read(address)
        prepare(where, known)
        if replica_of is not None:
            check_replica(where, replica_of.address)
        self.address: Address = where
        self._connections = Connections(where, PATIENCE if replica_of is None else REPLICA_PATIENCE)
        self._format = known[-1].number
        self._known = Frequencies()
        self._waiting = Waiting(self._connections)

    @contextmanager
    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> Iterator[Snapshot]:
        with self._waiting.turn(space, turn), self._connections.reading(space) as session:
            yield PostgresSnapshot(session, session.space, self._known)

    def commit(self, space: str, batch: Batch) -> Operation:
        for _ in range(ATTEMPTS):
            attempt = Attempt.new()
            try:
                with self._written(space) as session:
                    before = session.space.documents
                    operation = writing.record(session, batch, attempt)
                    after = session.space.documents
                    news.tell(session, space, operation.sequence)
            except Interrupted as interruption:
                if interruption.is_unknown and self._is_written(space, attempt):
                    assert attempt.operation is not None  # noqa: S101 - it was being committed
                    return attempt.operation
            else:
                if figures.are_due(before, after):
                    self._refresh_figures(after)
                return operation
        raise given_up(self._connections.place)

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        try:
            with self._written(space) as session:
                writing.replace_views(session, rows, is_whole=is_whole)
        except Interrupted as interruption:
            # The rows are used up, so it cannot be made again here; whoever does so does no harm.
            whether = "may have been" if interruption.is_unknown else "were not"
            raise Unavailable(
                f"The connection to {self._connections.place} broke; the views {whether} replaced. Try "
                "again.",
                place=self._connections.place,
                retry_after=RETRY_AFTER,
            ) from interruption

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        for _ in range(ATTEMPTS):
            try:
                with self._written(space) as session:
                    dropping.drop(session, evidence, before, erasing)
                if erasing is not None and erasing.overwrites:
                    with self._connections.plain() as plain:
                        overwrite(plain)
            except Interrupted:
                continue  # dropped or not: what is gone is not dropped twice
            return
        raise given_up(self._connections.place)

    def problems(self, space: str) -> list[str]:
        with self._connections.reading(space, CHECK) as session:
            return list(checking.problems(session, session.space))

    def wait(self, space: str, after: int, timeout: float) -> None:
        news.wait(self.address, space, lambda: has_moved(self, space, after), timeout)

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def _written(self, space: str) -> Iterator[Writing]:
        """The one writing transaction that a space has at a time."""
        with self._connections.writing(space) as session:
            # Another process may have upgraded the tables since they were opened here.
            check_format(session.format, self._format, self._connections.place)
            yield session

    def _refresh_figures(self, documents: int) -> None:
        # What was written is written, whatever becomes of this.
        with suppress(Interrupted, KnowwhyError), self._connections.plain() as session:
            figures.refresh(session, documents)

    def _is_written(self, space: str, attempt: Attempt) -> bool:
        """Whether a commit was kept whose connection broke before the server could say so.

        The space is locked first, and so whatever is still at work on the old connection has ended.

        Raises:
            Unavailable: it cannot be found out.
        """
        for _ in range(ATTEMPTS):
            try:
                with self._connections.writing(space) as session:
                    return writing.is_written(session, attempt)
            except Interrupted:
                continue
            except Unavailable as failure:
                raise unknown(self._connections.place) from failure
        raise unknown(self._connections.place)
