"""Which beliefs to read: the query that a filter comes to."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from knowwhy.core.model import Status
from knowwhy.core.revision import ContestKey
from knowwhy.store.protocol import BeliefFilter
from knowwhy.store.sqlite.rows import BELIEF, SLOT, listed, written

# The statuses that a partial index covers.
_IN_QUESTION: Final = frozenset({Status.CONTESTED, Status.CHALLENGER})

# CROSS JOIN fixes the order in which SQLite visits the tables: from what is named to what depends on it.
_SUBJECT: Final = " CROSS JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
_FROM_SLOTS: Final = (
    f"SELECT {SLOT}, {BELIEF} FROM slots AS s"
    f" CROSS JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number{_SUBJECT} WHERE s.space = ?"
)
_FROM_BELIEFS: Final = (
    f"SELECT {SLOT}, {BELIEF} FROM beliefs AS b"
    f" CROSS JOIN slots AS s ON s.space = b.space AND s.number = b.slot{_SUBJECT} WHERE b.space = ?"
)
_FROM_CONTESTS: Final = (
    f"SELECT {SLOT}, {BELIEF} FROM json_each(?) AS j"
    " CROSS JOIN slots AS s ON s.space = ? AND s.id = j.value ->> 0"
    " CROSS JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number AND b.value_key = j.value ->> 1"
    f"{_SUBJECT} WHERE b.space = ?"
)
_AMONG: Final = "(SELECT value FROM json_each(?))"
_IS_ABOUT: Final = f"s.subject IN (SELECT number FROM entities WHERE space = ? AND id IN {_AMONG})"
_IS_IN_CONTESTS: Final = (
    "EXISTS (SELECT 1 FROM json_each(?) AS j WHERE j.value ->> 0 = s.id"
    " AND (j.value ->> 1 IS NULL OR j.value ->> 1 = b.value_key))"
)
_RESTS_ON: Final = (
    "(b.slot, b.value_key) IN (SELECT c.slot, c.value_key FROM evidence AS e"
    " CROSS JOIN claims AS c ON c.space = e.space AND c.evidence = e.number"
    f" WHERE e.space = ? AND e.id IN {_AMONG})"
)
_LEANS_ON: Final = (
    "(b.slot, b.value_key) IN (SELECT l.slot, l.value_key FROM links AS l"
    f" WHERE l.space = ? AND l.premise IN {_AMONG})"
)

Condition = tuple[str, Sequence[Any]]


def queries(space: int, wanted: BeliefFilter) -> Iterator[tuple[str, Sequence[Any]]]:
    """The queries that together give the beliefs wanted: one, unless contests of both kinds are named."""
    for start, bindings, rest in _starts(space, wanted):
        conditions = list(_conditions(space, rest))
        limit = "" if wanted.limit is None else f" LIMIT {max(int(wanted.limit), 0)}"
        sql = start + "".join(f" AND {condition}" for condition, _ in conditions)
        values = [value for _, given in conditions for value in given]
        yield f"{sql} ORDER BY b.id{limit}", (*bindings, *values)


def _starts(space: int, wanted: BeliefFilter) -> Iterator[tuple[str, Sequence[Any], BeliefFilter]]:
    """Where to begin, by the best index there is, with the filter as what is left to check."""
    if wanted.ids is not None or wanted.contests is None:
        # Of an attribute there may be any number; of a value there are few.
        is_by_attribute = wanted.attribute is not None and wanted.values is None
        is_by_slot = wanted.ids is None and (wanted.subjects is not None or is_by_attribute)
        yield (_FROM_SLOTS if is_by_slot else _FROM_BELIEFS), (space,), wanted
        return
    whole = [one.slot_id for one in wanted.contests if one.value_key is None]
    single = [
        (one.slot_id, one.value_key) for one in dict.fromkeys(wanted.contests) if one.value_key is not None
    ]
    if whole or not single:
        yield f"{_FROM_SLOTS} AND s.id IN {_AMONG}", (space, listed(whole)), wanted
    if single:
        yield _FROM_CONTESTS, (written(single), space, space), wanted


def _conditions(space: int, wanted: BeliefFilter) -> Iterator[Condition]:
    if wanted.ids is not None:
        yield f"b.id IN {_AMONG}", (listed(wanted.ids),)
    if wanted.ids is not None and wanted.contests is not None:
        yield _is_in_contests(wanted.contests)
    if wanted.subjects is not None:
        yield _IS_ABOUT, (space, listed(wanted.subjects))
    if wanted.attribute is not None:
        yield "s.attribute = ?", (wanted.attribute,)
    if wanted.values is not None:
        yield f"b.value_key IN {_AMONG}", (listed(wanted.values),)
    if wanted.statuses is not None:
        yield _has_status(wanted.statuses)
    if wanted.evidence is not None:
        yield _RESTS_ON, (space, listed(wanted.evidence))
    if wanted.labelled:
        yield "b.labels IS NOT NULL", ()
    if wanted.premises is not None:
        yield _LEANS_ON, (space, listed(wanted.premises))


def _has_status(statuses: Sequence[Status]) -> Condition:
    # Written out, since an index over some statuses serves only a query that names them.
    names = ", ".join(f"'{Status(one)}'" for one in sorted(set(statuses)))
    if statuses and _IN_QUESTION.issuperset(statuses):
        return f"b.status IN ({names}) AND b.status IN ('contested', 'challenger')", ()
    return f"b.status IN ({names})", ()


def _is_in_contests(contests: Sequence[ContestKey]) -> Condition:
    keys = [(one.slot_id, one.value_key) for one in contests]
    return _IS_IN_CONTESTS, (written(keys),)
