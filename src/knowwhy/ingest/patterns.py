"""The deterministic reader: claims that a declared pattern finds, word for word, and nothing else.

A pattern is a sentence template such as "returned within {value} days" or "{subject}的校长是{value}".
It is literal text around two gaps; it is never a regular expression of the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from knowwhy.core.model import Attribute, Draft, Schema, ValueType
from knowwhy.errors import InvalidInput

_GAP = re.compile(r"\{(subject|value)\}")
_NUMBER = r"[+-]?\d+(?:[.,]\d+)*"
# A gap never crosses the end of a sentence, and is bounded, so that matching stays linear in practice.
_WORDS = r"[^\n。！？；!?;]{1,120}?"
_SUBJECT = r"[^\n。！？；，,!?;:：]{1,80}?"
_END = r"(?=\s*(?:[.。！？；，,!?;]|$|\n))"


def check_patterns(attribute: Attribute) -> None:
    """Refuse patterns that could never yield a claim.

    Raises:
        InvalidInput: no {value}, a gap used twice, a text of gaps alone, or no way to tell the subject.
    """
    for pattern in attribute.patterns:
        gaps = _GAP.findall(pattern)
        literal = _GAP.sub("", pattern).strip()
        if gaps.count("value") != 1 or gaps.count("subject") > 1 or not literal:
            msg = (
                f"The pattern {pattern!r} needs {{value}} once, {{subject}} at most once, and words besides."
            )
            raise InvalidInput(msg)
        if "subject" not in gaps and attribute.about is None:
            msg = f"The pattern {pattern!r} names no {{subject}}: add it, or declare about=..."
            raise InvalidInput(msg)


def read(text: str, schema: Schema) -> list[Draft]:
    """The claims that the declared patterns find in `text`, each with the words it was read from."""
    found: list[Draft] = []
    for attribute in schema.attributes.values():
        for pattern in attribute.patterns:
            found.extend(_matches(text, attribute, pattern))
    return found


def _matches(text: str, attribute: Attribute, pattern: str) -> Iterable[Draft]:
    for match in _compiled(pattern, attribute.value_type).finditer(text):
        gaps = match.groupdict()
        subject = (gaps.get("subject") or attribute.about or "").strip()
        value = gaps["value"].strip()
        if subject and value:
            yield Draft(subject, attribute.name, value, quote=match[0].strip())


@lru_cache(maxsize=1_024)
def _compiled(pattern: str, value_type: ValueType | None) -> re.Pattern[str]:
    number = value_type is ValueType.NUMBER
    parts: list[str] = []
    at = 0
    for gap in _GAP.finditer(pattern):
        parts.append(_literal(pattern[at : gap.start()]))
        kind = _SUBJECT if gap[1] == "subject" else _NUMBER if number else _WORDS
        parts.append(f"(?P<{gap[1]}>{kind})")
        at = gap.end()
    rest = pattern[at:]
    parts.append(_literal(rest) if rest.strip() else _END)
    return re.compile("".join(parts), re.IGNORECASE)


def _literal(words: str) -> str:
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", words))
