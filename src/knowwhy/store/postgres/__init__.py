"""Memories on a PostgreSQL server."""

from knowwhy.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
