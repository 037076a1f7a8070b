"""Structured words: rows of tables and pairs of key and value, read as statements about their subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from knowwhy.core.model import Attribute, Cardinality, ValueType
from knowwhy.ingest.amounts.units import unit_named
from knowwhy.ingest.candidates import Candidate, Found, Gap, Misfit, Proposal, Written
from knowwhy.ingest.grammar.values import Place, listed, value_in
from knowwhy.ingest.lexicon import Lexicon
from knowwhy.ingest.plain import plain
from knowwhy.ingest.segments import Pair, Row
from knowwhy.providers.extraction import Missing, Reason
from knowwhy.recall.expressions import expression

_UNIT: Final = expression(r"\s*[(（\[](?P<unit>[^()（）\[\]]{1,20})[)）\]]\s*$")
_EMPTY: Final = frozenset(
    {
        "",
        "-",
        "--",
        "n/a",
        "na",
        "none",
        "tbd",
        "tba",
        "?",
        "unknown",
        "无",
        "未知",
        "待定",
        "不详",
        "/",
        "…",
        "...",
    }
)
_END: Final = expression(r"[\s.。!！;；,，]*$")
_MOST_WORDS: Final = 6


def in_row(row: Row, lexicon: Lexicon, spoke_at: datetime) -> Iterator[Found]:
    """What a row of a table says: for each header that is an attribute, its cell."""
    for header, cell in row.cells:
        yield from _cell(row.subject, header, cell, row.text, lexicon, spoke_at)


def in_pair(pair: Pair, lexicon: Lexicon, spoke_at: datetime) -> Iterator[Found]:
    """What a pair says of what its list is about."""
    yield from _cell(pair.subject, pair.key, pair.value, pair.text, lexicon, spoke_at)


def _cell(
    subject: str, header: str, cell: str, text: str, lexicon: Lexicon, spoke_at: datetime
) -> Iterator[Found]:
    if plain(cell).strip() in _EMPTY or plain(subject).strip() in _EMPTY:
        return
    in_header = _UNIT.search(header)
    name = header[: in_header.start()] if in_header else header
    attribute = lexicon.attribute(header) or lexicon.attribute(name)
    if attribute is None:
        if name.strip() and len(name.split()) <= _MOST_WORDS:
            yield Proposal(name.strip())
        return
    written = (
        f"{cell} {in_header['unit']}" if in_header and _is_bare_number(cell, in_header["unit"]) else cell
    )
    value = value_in(Place(written, plain(written), 0, len(written), spoke_at), attribute)
    if isinstance(value, Gap | Misfit):
        yield replace(value, start=0, end=len(text))
    elif value is None or not _END.match(written[value.end :]):
        yield _unread(attribute, written, text)
    else:
        is_many = attribute.cardinality is Cardinality.MANY and isinstance(value.value, str)
        for one in listed(value, written) if is_many else [value]:
            yield _candidate(subject, attribute, one, text)


def _is_bare_number(cell: str, unit: str) -> bool:
    return unit_named(unit) is not None and re.fullmatch(r"[\d.,\s]+", cell) is not None


def _unread(attribute: Attribute, written: str, text: str) -> Found:
    if attribute.value_type is ValueType.NUMBER:
        return Gap(Missing.VALUE, 0, len(text), f"one exact amount for {attribute.name!r}")
    says = f"{written!r} is no {attribute.value_type or 'value'} for {attribute.name!r}"
    return Misfit(Reason.TYPE_MISMATCH, 0, len(text), says)


def _candidate(subject: str, attribute: Attribute, value: Written, text: str) -> Candidate:
    return Candidate(subject, attribute, value.value, 0, len(text), value.unit)
