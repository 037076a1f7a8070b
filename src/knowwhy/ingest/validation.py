"""Validation: a claim that was read rests on words that are there, whoever read it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from knowwhy.core.model import Draft, Modality, Schema, Stance, attribute_key
from knowwhy.errors import NotInSource
from knowwhy.ingest.plain import plain
from knowwhy.ingest.quoting import matched_quote
from knowwhy.providers.extraction import Aim, Extraction, Reason, Refusal, Utterance
from knowwhy.recall.expressions import expression
from knowwhy.recall.sentences import sentences

_NUMBER: Final = expression(
    r"\d|[零一二两三四五六七八九十百千万半]|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|[a-z]+teen|[a-z]+ty|half|dozen|hundred)\b"
)


def validated(extraction: Extraction, utterance: Utterance, schema: Schema) -> Extraction:
    """The same extraction without what the words do not hold; that is refused, and told.

    Each draft that is left has a quote from the text. Its subject is named there, or is who speaks,
    what the attribute is declared to be about, or what was spoken of before; its value stands in
    the text, or is what was spoken of before.
    """
    drafts: list[Draft] = []
    aims: list[Aim] = []
    refused = list(extraction.refused)
    for draft in extraction.drafts:
        found = _grounded(draft, utterance, schema)
        (drafts if isinstance(found, Draft) else refused).append(found)  # type: ignore[arg-type]
    for aim in extraction.aims:
        found_aim = _aimed(aim, utterance, schema)
        (aims if isinstance(found_aim, Aim) else refused).append(found_aim)  # type: ignore[arg-type]
    return replace(extraction, drafts=tuple(drafts), aims=tuple(aims), refused=tuple(refused))


def _grounded(draft: Draft, utterance: Utterance, schema: Schema) -> Draft | Refusal:
    try:
        draft = replace(draft, stance=Stance(draft.stance), modality=Modality(draft.modality))
    except ValueError as problem:
        return Refusal(Reason.INVALID, draft.quote or "", str(problem))
    quote = draft.quote or passage_of(utterance.text, draft.subject, str(draft.value))
    if quote is None:
        return _refusal(draft.quote or "", f"{draft.subject} and {draft.value!s} are not in the words")
    try:
        passage, _ = matched_quote(quote, utterance.text)
    except NotInSource as problem:
        return _refusal(quote, problem.message)
    if not _is_known(draft.subject, draft.attribute, utterance, schema):
        return _refusal(quote, f"{draft.subject!r} is not in the words")
    if not _holds_value(draft, passage, utterance):
        return _refusal(quote, f"{draft.value!s} is not in the words that are quoted")
    return replace(draft, quote=quote)


def _aimed(aim: Aim, utterance: Utterance, schema: Schema) -> Aim | Refusal:
    try:
        passage, _ = matched_quote(aim.quote, utterance.text)
    except NotInSource as problem:
        return _refusal(aim.quote, problem.message)
    if not _is_known(aim.subject, aim.attribute, utterance, schema):
        return _refusal(passage, f"{aim.subject!r} is not in the words")
    return replace(aim, quote=passage)


def _refusal(quote: str, says: str) -> Refusal:
    return Refusal(Reason.NOT_IN_SOURCE, quote, says)


def _is_known(subject: str, attribute: str, utterance: Utterance, schema: Schema) -> bool:
    declared = schema.by_name.get(attribute_key(attribute))
    others = {
        utterance.speaker,
        declared.about if declared else None,
        *(one.subject for one in utterance.before),
    }
    return subject in others or _is_in(subject, utterance.text)


def _holds_value(draft: Draft, passage: str, utterance: Utterance) -> bool:
    if not isinstance(draft.value, str):
        is_told = isinstance(draft.value, bool | date) or any(
            one.value == draft.value for one in utterance.before
        )
        return is_told or _NUMBER.search(plain(passage)) is not None
    return _is_in(draft.value, passage) or any(one.value == draft.value for one in utterance.before)


def _is_in(words: str, text: str) -> bool:
    return " ".join(plain(words).split()) in " ".join(plain(text).split())


def passage_of(text: str, subject: str, value: str) -> str | None:
    """The shortest passage of one sentence that holds both a subject and a value."""
    written = plain(text)
    one, other = plain(subject), plain(value)
    best: tuple[int, int] | None = None
    for start, end in sentences(text, 0, len(text)):
        first, second = written.find(one, start, end), written.find(other, start, end)
        if first < 0 or second < 0:
            continue
        span = min(first, second), max(first + len(one), second + len(other))
        if best is None or span[1] - span[0] < best[1] - best[0]:
            best = span
    return None if best is None else text[best[0] : best[1]]
