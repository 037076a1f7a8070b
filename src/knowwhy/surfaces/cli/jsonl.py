"""JSON lines as observations: one line, one item of evidence, with a list of claims or one laid flat."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from knowwhy import Draft, InvalidInput, Observation

# As the help shows it: a line here is a paragraph or a line there.
FORMAT: Final = """\
A line of --jsonl is an object with the fields of an observation: source, text, claims, source_type, \
observed_at, recorded_at, is_pinned, is_forced, context, derived_from, authority, reliability, metadata, \
extract, takes_undeclared. \
Each of its claims is an object: subject, attribute, value, and if need be unit, conditions, valid_from, \
valid_to, stance, modality, quote, weight, subject_id, subject_type, object_id, object_type, \
depends_on, is_forced.

{"source": "policy 4.0", "observed_at": "2025-01-10",
"text": "Returns within 15 days.",
"claims": [{"subject": "order", "attribute": "return window", "value": 15}]}

An object that names subject, attribute and value itself is an observation with this one claim:

{"source": "policy 4.0", "observed_at": "2025-01-10",
"subject": "order", "attribute": "return window", "value": 15}

A bad line stops the load and is named; the lines before it are stored. Run the same command again: \
lines that are on record are not recorded twice.
"""

_OF_A_CLAIM: Final = frozenset(field.name for field in fields(Draft))
_OF_AN_OBSERVATION: Final = frozenset(field.name for field in fields(Observation))

# What a field may hold in JSON; of the others (subject, value, stance …) the library judges itself.
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    **dict.fromkeys(("source", "text", "source_type", "observed_at", "recorded_at", "context"), (str,)),
    **dict.fromkeys(("attribute", "unit", "valid_from", "valid_to", "quote"), (str,)),
    **dict.fromkeys(("subject", "subject_id", "subject_type", "object_id", "object_type"), (str,)),
    **dict.fromkeys(("reliability", "weight"), (int, float)),
    **dict.fromkeys(("claims", "derived_from", "depends_on"), (list,)),
    **dict.fromkeys(("metadata", "conditions"), (dict,)),
    "value": (str, int, float, bool),
    "authority": (int,),
    "is_pinned": (bool,),
    "is_forced": (bool,),
    "extract": (bool, str),
    "takes_undeclared": (bool,),
}
_NAMES: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def observation(line: bytes, absent: Mapping[str, str]) -> Observation:
    """The observation that a line stands for; `absent` fills in what it does not say.

    Raises:
        InvalidInput: the line is not JSON, or not of the format.
    """
    try:
        said = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        raise InvalidInput("It is not text in UTF-8.") from problem
    except ValueError as problem:
        raise InvalidInput(f"It is not JSON ({problem}).") from problem
    if not isinstance(said, dict):
        raise InvalidInput(f"A line holds an object, not {_kind(said)}.")
    given = {**absent, **{name: value for name, value in said.items() if value is not None}}
    _check_fields(given, _OF_AN_OBSERVATION | _OF_A_CLAIM)
    flat = {name: given.pop(name) for name in sorted(_OF_A_CLAIM & set(given))}
    if flat and "claims" in given:
        raise InvalidInput(f"It has claims, so {', '.join(flat)} must stand inside of one of them.")
    if flat:
        given["claims"] = [flat]
    for claim in given.get("claims", ()):
        if isinstance(claim, dict):
            _check_fields({name: value for name, value in claim.items() if value is not None}, _OF_A_CLAIM)
        elif not isinstance(claim, list):
            raise InvalidInput(f"A claim is an object, not {_kind(claim)}.")
    if "source" not in given:
        raise InvalidInput("It names no source; add one, or give --source for all lines that name none.")
    return Observation(**given)


def _check_fields(given: Mapping[str, Any], known: frozenset[str]) -> None:
    unknown = sorted(set(given) - known)
    if unknown:
        raise InvalidInput(
            f"It has the unknown field {unknown[0]!r}; the fields are {', '.join(sorted(known))}."
        )
    for name, value in given.items():
        allowed = _KINDS.get(name)
        if allowed is not None and type(value) not in allowed:
            due = " or ".join(dict.fromkeys(_NAMES[kind] for kind in allowed))
            raise InvalidInput(f"{name!r} must be {due}, not {_kind(value)}.")
        texts: list[Any] = []
        if isinstance(value, dict):
            texts = list(value.values())
        elif name == "derived_from":
            texts = value
        if not all(isinstance(one, str) for one in texts):
            raise InvalidInput(f"{name!r} must hold texts alone.")


def _kind(value: object) -> str:
    return "null" if value is None else _NAMES[type(value)]
