"""Declared patterns: claims that sentence templates find, such as "returned within {value} days".

A template is literal text around two gaps; it is never a regular expression of the caller's. It is tried on
one sentence at a time, and only on those that hold a word of its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from knowwhy.core.model import Attribute, Schema, ValueType
from knowwhy.errors import InvalidInput
from knowwhy.ingest.plain import plain
from knowwhy.recall.analysis import HAN
from knowwhy.recall.expressions import expression
from knowwhy.recall.sentences import name_end

_GAP: Final = expression(r"\{(subject|value)\}")
_NUMBER: Final = r"[+-]?\d+(?:[.,]\d+)*|[零〇一二两三四五六七八九十百千万亿]{1,20}"
# A gap never crosses the end of a sentence, and is bounded, so that matching stays linear.
_WORDS: Final = r"[^\n。！？；!?;]{1,120}?"
# A comma is part of a subject's name only between words of the pattern, or before a title.
_TITLES: Final = (
    r"(?:\d+(?:st|nd|rd|th)\s)?(?:Duke|Duchess|Count|King|Queen|Prince|Earl|Baron|Jr|Sr|Inc|Ltd)\b"
)
_SUBJECT: Final = rf"(?:[^\n。！？；，,!?;:：]|,(?=\s{_TITLES})){{1,80}}?"
_FRAMED: Final = r"(?:[^\n。！？；，,!?;:：]|,(?=\s(?-i:[A-Z]))){1,80}?"
_END: Final = r"(?=\s*(?:[。！？；，,!?;]|\.?\s*$))"
_WORD: Final = expression(rf"{HAN}|[^\W\d_{HAN[1:-1]}]+")
# What may follow a comma and still belong to a name: Berkeley, Duke of Orléans.
_NAME: Final = expression(
    r",\s+((?:[A-Z0-9][\w.'’&-]*|of|the|de|du|von|van|da|di|la|le)(?:\s+(?=\S)|(?=\.?\s*$)))+(?=\.?\s*$)"
)


@dataclass(frozen=True, slots=True)
class Template:
    """A pattern of an attribute. Any match contains `literal`, plainly written, and in it the `anchor`."""

    attribute: Attribute
    pattern: str
    literal: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """A template filled from a sentence: the words of both gaps, and the place of the match.

    `lead_to` is where its subject ends if nothing of the template stands before it, so that words
    which only lead to the name may have come along.
    """

    attribute: Attribute
    subject: str
    value: str
    start: int
    end: int
    lead_to: int | None = None


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates of a schema, by their anchors: words, or pairs of Han characters."""

    anchored: dict[str, tuple[Template, ...]] = field(default_factory=dict)

    def filled(self, text: str) -> Iterator[Filled]:
        """What the templates find in one sentence."""
        if not self.anchored:
            return
        written = " ".join(plain(text).split())
        for anchor in ("", *dict.fromkeys(_words(written))):
            for template in self.anchored.get(anchor, ()):
                if template.literal in written:
                    yield from _matches(text, template)


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


def templates_of(schema: Schema) -> Templates:
    """The templates of a schema."""
    found: dict[str, list[Template]] = defaultdict(list)
    for attribute in schema.attributes.values():
        for pattern in attribute.patterns:
            literal = _longest_literal(pattern)
            anchor = _anchor(literal, pattern)
            found[anchor].append(Template(attribute, pattern, literal, anchor))
    return Templates({anchor: tuple(those) for anchor, those in found.items()})


def _matches(text: str, template: Template) -> Iterator[Filled]:
    attribute = template.attribute
    matcher = _matcher(template.pattern, is_number=attribute.value_type is ValueType.NUMBER)
    for match in matcher.finditer(text):
        gaps = match.groupdict()
        subject = (gaps.get("subject") or attribute.about or "").strip()
        value, end = gaps["value"].strip(), match.end()
        if match.end("value") == match.end() and (rest := _NAME.match(text, end)):
            value, end = f"{value}{rest[0].rstrip('. ')}", rest.end()
        if match.end("value") == match.end():
            value = text[match.start("value") : name_end(text, match.start("value"), end)].strip()
        if subject and value:
            lead = len(match[0]) - len(match[0].lstrip())
            is_led = "subject" in gaps and match.start("subject") == match.start()
            lead_to = match.end("subject") if is_led else None
            start, end = match.start() + lead, len(text[:end].rstrip())
            yield Filled(attribute, subject, value, start, end, lead_to)


@lru_cache(maxsize=4_096)
def _matcher(pattern: str, *, is_number: bool) -> re.Pattern[str]:
    """The expression of a pattern; made when it is first needed, since most never are."""
    parts: list[str] = []
    at = 0
    for gap in _GAP.finditer(pattern):
        parts.append(_literal(pattern[at : gap.start()]))
        subject = _FRAMED if pattern[:at].strip() or parts[0].strip() else _SUBJECT
        kind = subject if gap[1] == "subject" else _NUMBER if is_number else _WORDS
        parts.append(f"(?P<{gap[1]}>{kind})")
        at = gap.end()
    rest = pattern[at:]
    parts.append(_literal(rest) if rest.strip() else _END)
    return re.compile("".join(parts), re.IGNORECASE)


def _words(written: str) -> Iterator[str]:
    """The words of a plain text; of Han characters each, and each with the one before it."""
    last_end = -1
    last = ""
    for found in _WORD.finditer(written):
        yield found[0]
        if found.start() == last_end and not found[0].isascii() and not last.isascii():
            yield last + found[0]
        last, last_end = found[0], found.end()


def _longest_literal(pattern: str) -> str:
    """The longest stretch of a pattern between its gaps, plainly written and without half words."""
    stretches = _GAP.split(pattern)[::2]  # what stands before, between and after the gaps
    return max((" ".join(plain(one).split()) for one in stretches), key=len)


def _anchor(literal: str, pattern: str) -> str:
    """The longest word of a literal that stands apart from the gaps beside it."""
    whole = plain(_GAP.sub("\0", pattern))
    cut = {
        found[0]
        for found in _WORD.finditer(whole)
        if found[0].isascii() and "\0" in whole[max(0, found.start() - 1) : found.end() + 1]
    }
    return max((word for word in _words(literal) if word not in cut), key=len, default="")


def _literal(words: str) -> str:
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", words))
