"""Distributing: the tables spread over the servers of a Citus cluster by space, all of a space together."""

from __future__ import annotations

from typing import Any, Final

import psycopg

from knowwhy.errors import InvalidInput, Unsupported
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.faults import FAILURES, translated
from knowwhy.store.postgres.session import SCHEMA

# How many pieces each table is cut into if nothing is said; each server holds several, so that some can move.
SHARDS: Final = 64

# Its number is asked of no table: what all spaces share is copied to every server.
_SHARED: Final = "formats"
# The first one; all others are placed as it is, so that all rows of a space lie on one server.
_FIRST: Final = "spaces"

_HAS_CITUS: Final = "SELECT count(*) FROM pg_proc WHERE proname = 'create_distributed_table'"
_TABLES: Final = (
    "SELECT c.relname, EXISTS (SELECT 1 FROM pg_attribute AS a"
    " WHERE a.attrelid = c.oid AND a.attname = 'space')"
    " FROM pg_class AS c WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(%s) ORDER BY c.relname"
)
_REFERENCES: Final = (
    "SELECT format('ALTER TABLE %%I.%%I DROP CONSTRAINT %%I', n.nspname, c.relname, k.conname),"
    " format('ALTER TABLE %%I.%%I ADD CONSTRAINT %%I %%s', n.nspname, c.relname, k.conname,"
    " pg_get_constraintdef(k.oid)) FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid"
    " JOIN pg_namespace AS n ON n.oid = c.relnamespace"
    " WHERE k.contype = 'f' AND n.nspname = %s ORDER BY c.relname, k.conname"
)


def plan(address: str, shards: int = SHARDS) -> tuple[str, ...]:
    """The statements that distribute the tables of a database, in order.

    References between tables are put back once all of them lie where the others do.

    Raises:
        InvalidInput: fewer than one shard, or no memories are there.
    """
    if shards < 1:
        raise InvalidInput(f"There must be at least 1 shard, not {shards}.")
    where = Address.read(address)
    tables = _asked(where, _TABLES, (SCHEMA,))
    references = _asked(where, _REFERENCES, (SCHEMA,))
    if not tables:
        raise InvalidInput(f"{where.place} holds no memories yet; open one there first.")
    spread = [name for name, has_space in tables if has_space and name != _FIRST]
    copied = [name for name, has_space in tables if not has_space]
    return (
        # So that the workers know for which space a transaction may see rows.
        "SET citus.propagate_set_commands TO 'local'",
        f"ALTER DATABASE {_database(where)} SET citus.propagate_set_commands TO 'local'",
        *(dropped for dropped, _ in references),
        *(f"SELECT create_reference_table('{SCHEMA}.{name}')" for name in copied),
        f"SELECT create_distributed_table('{SCHEMA}.{_FIRST}', 'space', shard_count => {shards})",
        *(
            f"SELECT create_distributed_table('{SCHEMA}.{name}', 'space',"
            f" colocate_with => '{SCHEMA}.{_FIRST}')"
            for name in spread
        ),
        *(added for _, added in references),
    )


def distribute(address: str, shards: int = SHARDS) -> tuple[str, ...]:
    """Carry out the plan, all or nothing; gives the statements.

    Raises:
        Unsupported: the server is no Citus cluster.
        InvalidInput: fewer than one shard, or no memories are there.
    """
    statements = plan(address, shards)
    where = Address.read(address)
    if _asked(where, _HAS_CITUS, ()) == [(0,)]:
        raise Unsupported(
            f"{where.place} is no Citus cluster. Say CREATE EXTENSION citus there and add its workers, then "
            "try again; --dry-run shows what would be done."
        )
    try:
        with psycopg.connect(where.target, **(where.settings | {"autocommit": False})) as connection:
            for statement in statements:
                connection.execute(statement)
    except FAILURES as failure:
        raise translated(failure, where.place) from failure
    return statements


def _asked(where: Address, statement: str, bindings: tuple[str, ...]) -> list[tuple[Any, ...]]:
    try:
        with psycopg.connect(where.target, **where.settings) as connection:
            return connection.execute(statement, bindings or None).fetchall()
    except FAILURES as failure:
        raise translated(failure, where.place) from failure


def _database(where: Address) -> str:
    ((name,),) = _asked(where, "SELECT quote_ident(current_database())", ())
    return str(name)
