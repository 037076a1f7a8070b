"""What was erased, as it is known without its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from knowwhy.core.model import Erasure
from knowwhy.store.protocol import Snapshot

_CHUNK: Final = 500


def erased(view: Snapshot) -> frozenset[str]:
    """The records that were erased from a memory, by id."""
    return frozenset(own_id for one in view.declared(Erasure).values() for own_id in one.records)


def present(view: Snapshot, records: Iterable[str]) -> tuple[str, ...]:
    """Those of some records of evidence that are on record."""
    return tuple(one.id for ids in chunks(sorted(records)) for one in view.evidence(ids=ids))


def chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """The ids in portions that one query may take."""
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))
