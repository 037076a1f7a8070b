"""Passages: words as they go to a model, short enough, several to a call, inside of one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowwhy.core.model import Attribute, Schema
from knowwhy.ingest.plain import has_han
from knowwhy.providers.extraction import Utterance

_LONGEST: Final = 4_000
_MOST_CHARACTERS: Final = 12_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of an utterance, by its place among several, that is short enough to be read at once."""

    utterance: int
    text: str


def groups(utterances: Sequence[Utterance], places: Sequence[int], together: int) -> Iterator[list[Passage]]:
    """The passages of some utterances as they go to a model, at most so many together, of one language."""
    passages = [Passage(place, part) for place in places for part in _parts(utterances[place].text)]
    for is_han in (False, True):
        group: list[Passage] = []
        size = 0
        for one in passages:
            if has_han(one.text) is not is_han:
                continue
            if group and (len(group) == together or size + len(one.text) > _MOST_CHARACTERS):
                yield group
                group, size = [], 0
            group.append(one)
            size += len(one.text)
        if group:
            yield group


def _parts(text: str) -> Iterator[str]:
    """A text in parts short enough, cut between paragraphs, lines or words."""
    while len(text) > _LONGEST:
        cuts = (text.rfind(mark, _LONGEST // 2, _LONGEST) for mark in ("\n\n", "\n", "。", " "))
        cut = next((one + 1 for one in cuts if one > 0), _LONGEST)
        yield text[:cut]
        text = text[cut:]
    if text.strip():
        yield text


def told_attributes(schema: Schema) -> list[Any]:
    """The declared attributes as the model is told them."""
    return [_attribute(one) for _, one in sorted(schema.attributes.items())]


def _attribute(one: Attribute) -> dict[str, Any]:
    told = {
        "name": one.name,
        "also": list(one.synonyms),
        "kind": None if one.value_type is None else str(one.value_type),
        "unit": one.unit,
        "about": one.about,
    }
    return {name: value for name, value in told.items() if value}


def question(group: list[Passage], utterances: Sequence[Utterance], attributes: list[Any]) -> str:
    """What is asked, as one JSON document: whatever stands in a passage stays inside a text of it."""
    passages = []
    for number, one in enumerate(group, start=1):
        utterance = utterances[one.utterance]
        told: dict[str, Any] = {"number": number, "said_at": utterance.spoke_at.isoformat()}
        if utterance.speaker is not None:
            told["speaker"] = utterance.speaker
        if utterance.before:
            told["spoken_of_before"] = [
                {"subject": each.subject, "attribute": each.attribute, "value": str(each.value)}
                for each in utterance.before
            ]
        passages.append({**told, "text": one.text})
    return json.dumps({"attributes": attributes, "passages": passages}, ensure_ascii=False)
