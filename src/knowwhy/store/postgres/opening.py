"""Opening a database: are the tables ours, of which format, and what it takes to bring them up to date."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

import psycopg

from knowwhy.errors import InvalidInput, NewerFormat, Unsupported
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.faults import FAILURES, translated
from knowwhy.store.postgres.session import LOCK_TIMEOUT, SCHEMA

# The first server with all that we ask of it.
OLDEST: Final = 15

# Whoever changes the format holds this lock: "kwhy".
_LOCK: Final = 0x6B776879

_STATE: Final = (
    f"SELECT to_regnamespace('{SCHEMA}') IS NOT NULL, to_regclass('{SCHEMA}.formats') IS NOT NULL,"
    f" (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('{SCHEMA}'))"
)
_IDENTITY: Final = (
    "SELECT system_identifier, current_database(), pg_is_in_recovery() FROM pg_control_system()"
)
_FORMATS: Final = (
    "CREATE TABLE formats (number integer PRIMARY KEY, reached_at timestamptz NOT NULL DEFAULT now())"
)


@dataclass(frozen=True, slots=True)
class Migration:
    """The statements that lead from the format before to format `number`."""

    number: int
    sql: str


def shipped() -> tuple[Migration, ...]:
    """The migrations of this version, from the first format on."""
    folder = files("knowwhy.store.postgres") / "migrations"
    scripts = [one for one in folder.iterdir() if one.name.endswith(".sql")]
    found = (Migration(int(one.name.removesuffix(".sql")), one.read_text("utf-8")) for one in scripts)
    return tuple(sorted(found, key=lambda one: one.number))


def prepare(address: Address, migrations: Sequence[Migration]) -> None:
    """See that the database holds our tables in the newest format.

    Raises:
        InvalidInput: its schema `knowwhy` is something else; it was not touched.
        NewerFormat: a newer version wrote it; it was not touched.
        Unsupported: the server is too old, or its database does not keep every character.
    """
    try:
        with psycopg.connect(address.target, **address.settings) as connection:
            _check_server(connection, address.place)
            if _format(connection, address.place, migrations[-1].number) < migrations[-1].number:
                _migrate(connection, address.place, migrations)
    except FAILURES as failure:
        raise translated(failure, address.place) from failure


def check_replica(replica: Address, primary: Address) -> None:
    """See that a server is another one's standby.

    Raises:
        InvalidInput: it is not.
    """
    stood, is_replica = _identity(replica)
    if not is_replica or _identity(primary)[0] != stood:
        raise InvalidInput(
            f"{replica.place} is no standby of {primary.place}. Name one that streams from it, or none."
        )


def _identity(address: Address) -> tuple[object, bool]:
    """By what a server and its standbys are known, with the database; and whether it is a standby."""
    try:
        with psycopg.connect(address.target, **address.settings) as connection:
            system, database, is_replica = connection.execute(_IDENTITY).fetchone() or (0, "", False)
    except FAILURES as failure:
        raise translated(failure, address.place) from failure
    return (system, database), is_replica


def check_format(found: int, known: int, place: str) -> int:
    """The format found.

    Raises:
        NewerFormat: a newer version wrote it, or has brought it up to date meanwhile.
    """
    if found > known:
        raise NewerFormat(
            f"{place} was written by a newer knowwhy (format {found}, this one knows {known}). "
            "Upgrade knowwhy to use it.",
            format=found,
            known=known,
        )
    return found


def _check_server(connection: psycopg.Connection[Any], place: str) -> None:
    version, encoding = connection.info.server_version, connection.info.parameter_status("server_encoding")
    if version < OLDEST * 10_000:
        raise Unsupported(
            f"{place} is PostgreSQL {version // 10_000}; knowwhy needs {OLDEST} or later.", version=version
        )
    if encoding != "UTF8":
        raise Unsupported(f"{place} is encoded in {encoding}. Create a database with the encoding UTF8.")


def _format(connection: psycopg.Connection[Any], place: str, known: int) -> int:
    """The format that the tables are in, 0 where there are none yet."""
    has_schema, has_formats, things = connection.execute(_STATE).fetchone() or (False, False, 0)
    if has_schema and things and not has_formats:
        raise InvalidInput(
            f"The schema {SCHEMA} in {place} is not a memory of knowwhy. It was left as it is; choose "
            "another database."
        )
    if not has_formats:
        return 0
    (found,) = connection.execute(f"SELECT max(number) FROM {SCHEMA}.formats").fetchone() or (0,)
    return check_format(found or 0, known, place)


def _migrate(connection: psycopg.Connection[Any], place: str, migrations: Sequence[Migration]) -> None:
    """Bring the tables to the newest format, all or nothing, unless another process did meanwhile."""
    with connection.transaction():
        connection.execute("SELECT set_config('lock_timeout', %s, true)", (LOCK_TIMEOUT,))
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        present = _format(connection, place, migrations[-1].number)
        has_schema, *_ = connection.execute(_STATE).fetchone() or (False,)
        if not has_schema:
            connection.execute(f"CREATE SCHEMA {SCHEMA}")
        connection.execute(f"SET LOCAL search_path = {SCHEMA}, pg_temp")
        if not present:
            connection.execute(_FORMATS)
        else:
            # Writers that are under way finish first; those that come later find the new format.
            connection.execute("LOCK TABLE spaces IN ACCESS EXCLUSIVE MODE")
        for migration in migrations:
            if migration.number > present:
                connection.execute(migration.sql)
                connection.execute("INSERT INTO formats (number) VALUES (%s)", (migration.number,))
