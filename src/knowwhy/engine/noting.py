"""Noting: what a reading of words left incomplete is kept with the operation that read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knowwhy.core.model import Incomplete
from knowwhy.engine.intent import Intent, Reading


def with_incomplete(reading: Reading, intent: Intent) -> Intent:
    """The intent with a note of each statement that was read and lacks something."""
    found = {one.key: one for one in _left(reading, intent)}
    known = reading.view.declared(Incomplete, sorted(found)) if found else {}
    new = tuple(one for key, one in found.items() if key not in known)
    return replace(intent, declarations=(*intent.declarations, *new)) if new else intent


def _left(reading: Reading, intent: Intent) -> Iterator[Incomplete]:
    unsure = [one for one in intent.read_outs if one.unsure]
    if not unsure:
        return
    texts = {one.id: one.text for one in intent.evidence}
    missing = sorted({one.evidence for one in unsure} - texts.keys())
    if missing:
        texts |= {one.id: one.text for one in reading.view.evidence(ids=missing)}
    for read_out in unsure:
        text = texts[read_out.evidence]
        for each in read_out.unsure:
            start = text.find(each.quote) if each.quote else -1
            span = (0, len(text)) if start < 0 else (start, start + len(each.quote))
            yield Incomplete(read_out.evidence, *span, str(each.missing))
