"""Erasures: that records were removed for good, told without a word of what they said."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Erasure:
    """What remains of an erasure: which records are gone (by id), how many of each class, and by whom.

    Ids are fingerprints, from which no words can be read. They keep merges and restored backups honest: what
    was erased in one copy does not come back from another. `digest` is that of all the rest.
    """

    kind: ClassVar[str] = "erasure"
    is_schema: ClassVar[bool] = False

    id: str
    what: str
    records: tuple[str, ...]
    counts: tuple[tuple[str, int], ...]
    at: Instant
    by: str | None = None
    digest: str = ""
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Its id."""
        return self.id

    @property
    def is_intact(self) -> bool:
        """Whether it is word for word as it was made."""
        return self.digest == digest_of(self.id, self.what, self.records, dict(self.counts), self.at, self.by)


def digest_of(
    own_id: str, what: str, records: Iterable[str], counts: Mapping[str, int], at: Instant, by: str | None
) -> str:
    """The SHA-256 of an erasure's fields, in hexadecimal digits."""
    told = [own_id, what, sorted(records), sorted(counts.items()), at, by]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()
