"""Undeclared attributes: what sentences speak of as if it were an attribute, in forms that leave no doubt."""

from __future__ import annotations

from typing import Final

from knowwhy.core.model import Schema, undeclared
from knowwhy.ingest.lexicon import Lexicon, lexicon_of
from knowwhy.ingest.plain import has_han, plain
from knowwhy.recall.expressions import expression

_POSSESSED: Final = expression(
    r"(?<![\w'])[\w.&-]{1,24}(?:'s|(?<=s)') (?P<name>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{1,20}){0,2}) (?:is|are"
    r"|:)\s"
)
_OF: Final = expression(
    r"^\W*the (?P<name>[a-z][a-z-]{2,20}(?: [a-z][a-z-]{1,20}){0,2}) of (?!the (?:day|week|year"
    r"|world)\b)[^,.;:]{1,60}? (?:is|are) "
)
_KEYED: Final = expression(r"^\W*(?P<name>[^\W\d_][^\W_]*(?: [^\W_]+){0,3})\s?: ?(?=\S)(?!//)")
_HAN_POSSESSED: Final = expression(
    r"^[^的,;:。!?是为有]{1,16}的(?P<name>[^的,;:。!?是为有了在被把不很也都还\s\d]{2,8})(?:是|为|:)(?=\S)"
)
_OWNED: Final = expression(r"^(?:my|our|your|its|his|her|their|the|a|an) ")
_HAN_KEYED: Final = expression(r"^(?P<name>[^的,;:。!?是为了在被把\s\d]{2,8}):(?=\S)")
_NO_NAMES: Final = expression(
    r"^(?:note|warning|tip|hint|update|correction|reminder|fyi|ps|todo|example|question|answer|q|a|re|fw|fwd"
    r"|subject|from|to|cc|date|http|https"
    r"|important|attention|summary|steps?|first|second|thing|problem|point|way|rest|one|lot|end|beginning"
    r"|name|注意|提示|更正|纠正|备注|说明|例如|通知|总结|问|答|问题|回答|结论|意思|时候|原因|结果|重点)$"
)


def proposed_in(text: str) -> str | None:
    """The name of an attribute that a sentence names as one, whether declared or not."""
    written = plain(text)
    forms = (_HAN_POSSESSED, _HAN_KEYED) if has_han(written) else (_POSSESSED, _OF, _KEYED)
    for form in forms:
        found = form.search(written)
        name = "" if found is None else _OWNED.sub("", found["name"])
        if name and not _NO_NAMES.match(name):
            return name
    return None


def lexicon_with(name: str) -> Lexicon:
    """A lexicon of one attribute that nobody declared."""
    attribute = undeclared(name)
    return lexicon_of(Schema({attribute.key: attribute}))
