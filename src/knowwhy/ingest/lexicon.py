"""The lexicon: by which words the declared attributes are known, made once for a schema."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from knowwhy.core.model import Attribute, Schema, attribute_key
from knowwhy.ingest.plain import has_han, plain
from knowwhy.recall.analysis import HAN
from knowwhy.recall.expressions import expression


class Form(StrEnum):
    """How a phrase is used: "return window", "lives in", "live in", "lived in", (is) "located in"."""

    NOUN = "noun"
    THIRD = "third person"
    BARE = "bare verb"
    PAST = "past"
    WITH_BE = "with be"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that mean an attribute."""

    words: str
    attribute: Attribute
    form: Form = Form.NOUN


@dataclass(frozen=True, slots=True)
class Named:
    """A place in a plain text where an attribute is named."""

    start: int
    end: int
    phrase: Phrase

    @property
    def attribute(self) -> Attribute:
        """The attribute that is named."""
        return self.phrase.attribute


_TOKEN: Final = expression(rf"{HAN}|[^\W\d_{HAN[1:-1]}]+|\d+")
_JOINTS: Final = str.maketrans("_-", "  ")
_VERBS: Final = frozenset(
    """
    attends belongs closes costs dislikes drinks drives eats employs enjoys ends follows hates holds
    keeps knows leads likes lives loves makes manages needs offers opens owns owes pays plays prefers
    reports requires runs sells speaks specialises specializes starts studies supports teaches trains
    uses wants wears weighs works
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
_PREPOSITIONS: Final = frozenset({"at", "by", "for", "from", "in", "of", "on", "to", "with", "under", "near"})
_HAN_VERBS: Final = expression(
    r".*(?:在|于|至|自|喜欢|偏好|喜爱|热爱|偏爱|更爱|讨厌|使用|会说|精通|擅长|负责|属于|来自|拥有|持有|管理"
    r"|领导|支持|毕业于)$"
)
_THIRD: Final = expression(r"(?<!ou)(?<![sui])s$")
_SIBILANT: Final = expression(r"(?:sh|ch|ss|x|z|o)es$")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All phrases of a schema, by the token they begin with; the longest first."""

    phrases: dict[str, tuple[Phrase, ...]] = field(default_factory=dict)
    by_name: dict[str, Attribute] = field(default_factory=dict)

    def attribute(self, name: str) -> Attribute | None:
        """The declared attribute of this name or synonym."""
        return self.by_name.get(attribute_key(name))

    def named_in(self, text: str) -> list[Named]:
        """Where the plain `text` names attributes, in order; of overlapping names, the first and longest."""
        spaced = text.translate(_JOINTS)
        found: list[Named] = []
        taken = 0
        for token in _TOKEN.finditer(text):
            at = token.start()
            for phrase in self.phrases.get(token[0], ()) if at >= taken else ():
                end = at + len(phrase.words)
                if spaced.startswith(phrase.words, at) and _is_whole(text, at, end):
                    found.append(Named(at, end, phrase))
                    taken = end
                    break
        return found


# What is said of somebody's preferences goes to the attribute that is declared under one of the names.
_PREFERENCE: Final = ("prefers", "preference", "preferences", "likes", "偏好", "喜欢", "喜好")
_PREFERRED: Final = ("prefers", "likes", "loves", "enjoys", "喜欢", "偏好", "喜爱", "偏爱", "更爱")


def lexicon_of(schema: Schema) -> Lexicon:
    """The lexicon of a schema: every name and synonym, and the forms in which verbs are said."""
    phrases: dict[str, dict[tuple[str, Form], Phrase]] = defaultdict(dict)
    for name, attribute in _all_names(schema).items():
        for words, form in _forms(plain(name).translate(_JOINTS)):
            first = _TOKEN.search(words)
            if first is not None and first.start() == 0:
                phrases[first[0]].setdefault((words, form), Phrase(words, attribute, form))
    return Lexicon(
        {
            token: tuple(sorted(those.values(), key=lambda one: -len(one.words)))
            for token, those in phrases.items()
        },
        dict(schema.by_name),
    )


def _all_names(schema: Schema) -> dict[str, Attribute]:
    names = dict(schema.by_name)
    preference = next((found for name in _PREFERENCE if (found := names.get(name)) is not None), None)
    if preference is not None:
        for word in _PREFERRED:
            names.setdefault(word, preference)
    return names


def is_spoken_as_verb(words: str) -> bool:
    """Whether a Chinese name of an attribute stands between subject and value: 住在, 喜欢."""
    return _HAN_VERBS.match(words) is not None


def _forms(name: str) -> Iterable[tuple[str, Form]]:
    if has_han(name):
        return [(name, Form.THIRD if is_spoken_as_verb(name) else Form.NOUN)]
    first, _, rest = name.partition(" ")
    is_led_on = rest.rpartition(" ")[2] in _PREPOSITIONS
    is_third = is_led_on and _THIRD.search(first) is not None
    third = first if first in _VERBS or is_third else f"{first}s"
    if third in _VERBS or is_third:
        bare = _bare(third)
        past = bare + ("d" if bare.endswith("e") else "ed")
        rest = f" {rest}" if rest else ""
        return [(third + rest, Form.THIRD), (bare + rest, Form.BARE), (past + rest, Form.PAST)]
    return [(name, Form.WITH_BE if is_led_on else Form.NOUN)]


def _bare(third: str) -> str:
    if third.endswith("ies"):
        return third[:-3] + "y"
    return third[:-2] if _SIBILANT.search(third) else third[:-1]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a name is not a part of a longer word."""
    first, last = text[start], text[end - 1]
    before, after = text[start - 1 : start], text[end : end + 1]
    is_begun = not (first.isascii() and first.isalnum() and before.isascii() and before.isalnum())
    is_ended = not (last.isascii() and last.isalnum() and after.isascii() and after.isalnum())
    return is_begun and is_ended
