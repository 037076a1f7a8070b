"""Answers of a model: their shape, and what is in them, or what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from knowwhy.core.model import Modality, Stance
from knowwhy.errors import UnusableAnswer
from knowwhy.ingest.grounding import Told

STANCES: Final = (Stance.SUPPORTS, Stance.REFUTES, Stance.ENDS)
MODALITIES: Final = tuple(one for one in Modality if one is not Modality.INFERRED)
_TEXTS: Final = ("subject", "attribute", "quote")
_MAYBE: Final = ("value", "unit", "valid_from", "valid_to")
_LONGEST: Final = 2_000
_MOST: Final = 200

_TEXT: Final = {"type": "string"}
_TEXT_OR_NONE: Final = {"type": ["string", "null"]}
_CLAIM: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("subject", "attribute", "value", "unit", "quote", "stance", "modality"),
        *("valid_from", "valid_to", "is_sure"),
    ],
    "properties": {
        **dict.fromkeys(_TEXTS, _TEXT),
        **dict.fromkeys(_MAYBE, _TEXT_OR_NONE),
        "stance": {"type": "string", "enum": list(map(str, STANCES))},
        "modality": {"type": "string", "enum": list(map(str, MODALITIES))},
        "is_sure": {"type": "boolean"},
    },
}
# The shape that an answer must have, as a JSON schema.
SHAPE: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["passages"],
    "properties": {
        "passages": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["number", "claims"],
                "properties": {
                    "number": {"type": "integer"},
                    "claims": {"type": "array", "items": _CLAIM},
                },
            },
        }
    },
}


def claims_in(text: str, passages: int) -> list[list[Told]]:
    """The claims that an answer reports, for each of so many passages.

    Raises:
        UnusableAnswer: it is not of the shape.
    """
    try:
        document = json.loads(_unfenced(text))
    except (ValueError, RecursionError) as problem:
        msg = f"It is not one JSON document ({problem})."
        raise UnusableAnswer(msg) from problem
    listed = document.get("passages") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        msg = 'It has no list "passages".'
        raise UnusableAnswer(msg)
    found: dict[int, list[Told]] = {}
    for one in listed:
        number = one.get("number") if isinstance(one, dict) else None
        claims = one.get("claims") if isinstance(one, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= passages:
            msg = f'A passage has a "number" from 1 to {passages}, not {number!r}.'
            raise UnusableAnswer(msg)
        if number in found or not isinstance(claims, list) or len(claims) > _MOST:
            msg = f'Passage {number} stands once, with a list "claims" of at most {_MOST}.'
            raise UnusableAnswer(msg)
        found[number] = [_told(claim, f"passage {number}, claim {n}") for n, claim in enumerate(claims, 1)]
    if missing := sorted(set(range(1, passages + 1)) - found.keys()):
        msg = f"Passage {missing[0]} is missing."
        raise UnusableAnswer(msg)
    return [found[number] for number in sorted(found)]


def claims_from(kept: str) -> list[Told]:
    """The claims of one passage as `kept_claims` wrote them.

    Raises:
        UnusableAnswer: it is not what was written.
    """
    return claims_in(f'{{"passages": [{{"number": 1, "claims": {kept}}}]}}', 1)[0]


def kept_claims(told: list[Told]) -> str:
    """The claims of one passage, to be kept."""
    return json.dumps([asdict(one) for one in told], ensure_ascii=False)


def _told(claim: object, where: str) -> Told:
    if not isinstance(claim, dict):
        msg = f"In {where}, a claim is an object."
        raise UnusableAnswer(msg)
    for name in _TEXTS:
        if not isinstance(claim.get(name), str) or not claim[name].strip() or len(claim[name]) > _LONGEST:
            msg = f"In {where}, {name!r} must be a text that is not empty."
            raise UnusableAnswer(msg)
    for name in _MAYBE:
        value = claim.get(name)
        if value is not None and (not isinstance(value, str) or len(value) > _LONGEST):
            msg = f"In {where}, {name!r} must be a text or null."
            raise UnusableAnswer(msg)
    try:
        stance, modality = Stance(str(claim.get("stance"))), Modality(str(claim.get("modality")))
    except ValueError as problem:
        msg = f"In {where}: {problem}."
        raise UnusableAnswer(msg) from problem
    if stance not in STANCES or modality not in MODALITIES:
        msg = f"In {where}, the stance {stance} or the modality {modality} is none of those to choose from."
        raise UnusableAnswer(msg)
    return Told(
        claim["subject"].strip(),
        claim["attribute"].strip(),
        claim.get("value") or None,
        claim["quote"],
        claim.get("unit") or None,
        stance,
        modality,
        claim.get("valid_from") or None,
        claim.get("valid_to") or None,
        claim.get("is_sure") is not False,
    )


def _unfenced(text: str) -> str:
    """The text without the fence that some models put around JSON."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```"):
        return stripped.partition("\n")[2].removesuffix("```")
    return stripped
