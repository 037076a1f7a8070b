"""Which beliefs to read: the query that a filter comes to."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from knowwhy.core.model import Status
from knowwhy.core.revision import ContestKey
from knowwhy.store.postgres.adapting import short, shortened
from knowwhy.store.postgres.rows import BELIEF, SLOT
from knowwhy.store.postgres.session import Asked
from knowwhy.store.protocol import BeliefFilter

# The statuses that a partial index covers.
_IN_QUESTION: Final = frozenset({Status.CONTESTED, Status.CHALLENGER})

# Tables are visited in the order in which they are named: from what is asked for to what depends on it.
_SLOT: Final = " JOIN slots AS s ON s.space = b.space AND s.number = b.slot"
_SUBJECT: Final = " JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
_OF_SLOT: Final = " JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number"
_OF_VALUE: Final = " JOIN beliefs AS b ON b.space = %s AND b.slot = g.slot AND b.value_key = g.value_key"
_SELECT: Final = f"SELECT {SLOT}, {BELIEF} FROM "

_FROM_BELIEFS: Final = f"{_SELECT}beliefs AS b{_SLOT}{_SUBJECT} WHERE b.space = %s"
_FROM_SLOTS: Final = f"{_SELECT}slots AS s{_OF_SLOT}{_SUBJECT} WHERE s.space = %s"
_FROM_SUBJECTS: Final = (
    f"{_SELECT}entities AS n JOIN slots AS s ON s.space = n.space AND s.subject = n.number{_OF_SLOT}"
    " WHERE n.space = %s"
)
_FROM_CONTESTS: Final = (
    f"{_SELECT}unnest(%s::text[], %s::text[]) AS j(slot, value_key)"
    " JOIN slots AS s ON s.space = %s AND s.id = j.slot"
    " JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number AND b.value_key = j.value_key"
    f"{_SUBJECT} WHERE b.space = %s"
)
_FROM_EVIDENCE: Final = (
    f"{_SELECT}(SELECT DISTINCT c.slot, c.value_key FROM evidence AS e"
    " JOIN claims AS c ON c.space = e.space AND c.evidence = e.number"
    f" WHERE e.space = %s AND e.id = ANY(%s::text[])) AS g{_OF_VALUE}{_SLOT}{_SUBJECT} WHERE b.space = %s"
)
_FROM_PREMISES: Final = (
    f"{_SELECT}(SELECT DISTINCT l.slot, l.value_key FROM links AS l"
    f" WHERE l.space = %s AND l.premise = ANY(%s::text[])) AS g{_OF_VALUE}{_SLOT}{_SUBJECT}"
    " WHERE b.space = %s"
)

_IS_IN_CONTESTS: Final = (
    "EXISTS (SELECT 1 FROM unnest(%s::text[], %s::text[]) AS j(slot, value_key)"
    " WHERE j.slot = s.id AND (j.value_key IS NULL OR j.value_key = b.value_key))"
)
_RESTS_ON: Final = (
    "EXISTS (SELECT 1 FROM claims AS c JOIN evidence AS e ON e.space = c.space AND e.number = c.evidence"
    " WHERE c.space = %s AND c.slot = b.slot AND c.value_key = b.value_key AND e.id = ANY(%s::text[]))"
)
_LEANS_ON: Final = (
    "EXISTS (SELECT 1 FROM links AS l WHERE l.space = %s AND l.premise = ANY(%s::text[])"
    " AND l.slot = b.slot AND l.value_key = b.value_key)"
)

Condition = tuple[str, Sequence[Any]]


def queries(space: int, wanted: BeliefFilter) -> Iterator[Asked]:
    """The queries that together give the beliefs wanted: one, unless contests of both kinds are named."""
    for start, bindings, rest in _starts(space, wanted):
        conditions = list(_conditions(space, rest))
        limit = [] if wanted.limit is None else [max(int(wanted.limit), 0)]
        sql = start + "".join(f" AND {condition}" for condition, _ in conditions)
        values = [value for _, given in conditions for value in given]
        yield f"{sql} ORDER BY b.id{' LIMIT %s' if limit else ''}", (*bindings, *values, *limit)


def _starts(space: int, wanted: BeliefFilter) -> Iterator[tuple[str, Sequence[Any], BeliefFilter]]:
    """Where to begin, by the best index there is, with the filter as what is left to check."""
    if wanted.ids is not None:
        ids = shortened(wanted.ids)
        yield f"{_FROM_BELIEFS} AND b.id = ANY(%s::text[])", (space, ids), replace(wanted, ids=None)
    elif wanted.contests is not None:
        rest = replace(wanted, contests=None)
        whole = [one.slot_id for one in wanted.contests if one.value_key is None]
        slots, values = pairs([one for one in dict.fromkeys(wanted.contests) if one.value_key is not None])
        if whole or not slots:
            yield f"{_FROM_SLOTS} AND s.id = ANY(%s::text[])", (space, shortened(whole)), rest
        if slots:
            yield _FROM_CONTESTS, (slots, values, space, space), rest
    elif wanted.evidence is not None:
        bindings = (space, shortened(wanted.evidence), space, space)
        yield _FROM_EVIDENCE, bindings, replace(wanted, evidence=None)
    elif wanted.premises is not None:
        bindings = (space, shortened(wanted.premises), space, space)
        yield _FROM_PREMISES, bindings, replace(wanted, premises=None)
    elif wanted.subjects is not None:
        subjects = shortened(wanted.subjects)
        yield (
            f"{_FROM_SUBJECTS} AND n.id = ANY(%s::text[])",
            (space, subjects),
            replace(wanted, subjects=None),
        )
    else:
        # Of an attribute there may be any number; of a value there are few.
        is_by_value = wanted.attribute is None or wanted.values is not None
        yield (_FROM_BELIEFS if is_by_value else _FROM_SLOTS), (space,), wanted


def pairs(contests: Sequence[ContestKey]) -> tuple[list[str], list[str | None]]:
    """The slots and the values of contests, as two columns."""
    values = [None if one.value_key is None else short(one.value_key) for one in contests]
    return [short(one.slot_id) for one in contests], values


def _conditions(space: int, wanted: BeliefFilter) -> Iterator[Condition]:
    if wanted.contests is not None:
        yield _IS_IN_CONTESTS, pairs(wanted.contests)
    if wanted.subjects is not None:
        yield "n.id = ANY(%s::text[])", (shortened(wanted.subjects),)
    if wanted.attribute is not None:
        yield "s.attribute = %s", (short(wanted.attribute),)
    if wanted.values is not None:
        yield "b.value_key = ANY(%s::text[])", (shortened(wanted.values),)
    if wanted.statuses is not None:
        yield _has_status(wanted.statuses)
    if wanted.evidence is not None:
        yield _RESTS_ON, (space, shortened(wanted.evidence))
    if wanted.labelled:
        yield "b.labels IS NOT NULL", ()
    if wanted.premises is not None:
        yield _LEANS_ON, (space, shortened(wanted.premises))


def _has_status(statuses: Sequence[Status]) -> Condition:
    if not statuses:
        return "false", ()
    # Written out, since an index over some statuses serves only a query that names them.
    names = ", ".join(f"'{Status(one)}'" for one in sorted(set(statuses)))
    if _IN_QUESTION.issuperset(statuses):
        return f"b.status IN ({names}) AND b.status IN ('contested', 'challenger')", ()
    return f"b.status IN ({names})", ()
