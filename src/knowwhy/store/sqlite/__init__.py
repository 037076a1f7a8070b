"""Memories in one SQLite file each."""

from knowwhy.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
