"""Subjects: of whom an English statement speaks, as far as it says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from knowwhy.recall.expressions import expression
from knowwhy.recall.sentences import name_end


class Owner(StrEnum):
    """A subject that is not named but pointed at."""

    SPEAKER = "speaker"
    HOUSE = "house"
    LISTENER = "listener"
    LAST = "last"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject at its place: its name, or whom its word points at."""

    start: int
    end: int
    name: str = ""
    owner: Owner | None = None


_OWNERS: Final = {
    "my": Owner.SPEAKER,
    "i": Owner.SPEAKER,
    "mine": Owner.SPEAKER,
    "our": Owner.HOUSE,
    "we": Owner.HOUSE,
    "your": Owner.LISTENER,
    "you": Owner.LISTENER,
    "its": Owner.LAST,
    "his": Owner.LAST,
    "her": Owner.LAST,
    "their": Owner.LAST,
    "he": Owner.LAST,
    "she": Owner.LAST,
    "it": Owner.LAST,
    "they": Owner.LAST,
}
# No name has these words in it: a statement lies between them.
_NOT_IN_NAMES: Final = frozenset(
    """
    is are was were am be been being has have had do does did says said say that which who whom whose
    what when where if not no than then there it this these those every each any some all both most many
    another other because but i you he she we they me him us them nobody everyone everybody anyone
    someone somebody one ones something nothing will would should could can may might must shall please
    maybe perhaps also only even just very too so tell tells told know knows remember note think thinks
    believe heard hear mean means like with about as almost nearly hardly barely never often sometimes rarely
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
_POINTING: Final = frozenset({"my", "our", "your", "its", "his", "her", "their", "this", "these", "those"})
# Words before an attribute that tell which one is meant without making it another.
_MODIFIERS: Final = expression(
    r"(?:.*\s|^)(?P<all>(?:(?:current|present|new|updated|actual|official|usual|full|exact|latest|own)\s+)+)$"
)
# What makes it another attribute, or one of another time.
QUALIFIERS: Final = frozenset(
    """
    old former previous prior past original standard extended holiday default minimum maximum average
    total estimated proposed planned expected future next last usual regular normal basic premium gold
    silver vip member members club student staff internal external first second final final special
    annual monthly weekly daily initial temporary
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
) - {"usual"}
# Kinds of people or things: what is said of them holds under a condition.
_CLASSES: Final = frozenset(
    """
    customers members users clients students guests buyers visitors subscribers orders products people
    staff employees everyone shoppers sellers resellers partners adults children
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
# What is no single thing: the CEO of the year, the office of the future.
_NO_THINGS: Final = frozenset(
    "year week day month future past present world time life art things women men success both".split()  # noqa: SIM905
)
_DETERMINER: Final = expression(r"(?:the|an?)\s+", re.IGNORECASE)
_TITLES: Final = (
    r"(?!(?:\d+(?:st|nd|rd|th)\s)?(?:duke|duchess|count|countess|king|queen|prince|princess|earl|baron|lord|lady"
    r"|viscount|jr|sr|inc|ltd|llc|phd)\b)"
)
_CLAUSES: Final = expression(
    rf"""[;:]\s+|,\s+{_TITLES}|\s-\s|\s(?:that|because|but|while|whereas|since|although|though|so|when|where|if|whether|says?|said|thinks?
      |thought|believes?|reckons?|reckoned|suspects?|suspected|assumes?|swears?|claims?|claimed|insists?|insisted|guess|heard|suppose|assuming|unless|imagine|maybe|perhaps|note|confirms?|confirmed
        |remember|know|knows|announced?|learned|noticed|mentioned|hope|wish)(?=\s)|\s(?:told|tells)\s(?:me|us
        |you|him|her|them|everyone)(?=\s)
      |^(?:that|and|but|so|while|whereas|although|though|because|if|unless|suppose|assuming|imagine|maybe|perhaps|whether|note|remember)\s""",
    re.VERBOSE,
)
# Somebody's relation before a name: my colleague Jules.
_CALLED: Final = expression(r"(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:[a-z]+ ){1,3}(?=[A-Z])")
# A comma that leads on to no name.
_BROKEN: Final = expression(r",\s+[^A-Z]")
_JOINING: Final = expression(r"(?:(?:and|but|so|that|or|then|also|please)\s+)+")
_WORD: Final = expression(r"[^\W_]+(?:['.&-][^\W_]+)*")
_MOST_WORDS: Final = 8


def without_modifiers(plain: str, start: int, end: int) -> int:
    """Where what stands before an attribute ends, without words such as "current"."""
    found = _MODIFIERS.match(plain[start:end])
    return end if found is None else start + found.start("all")


def possessor(text: str, plain: str, start: int, end: int) -> Subject | None:
    """Whose attribute it is, from what stands before it: "Acme's ", "my ", "the "."""
    end = without_modifiers(plain, start, end)
    before = plain[start:end].rstrip()
    stop = start + len(before)
    if before.endswith("'s"):
        return named(text, plain, start, stop - 2)
    if before.endswith("s'"):
        return named(text, plain, start, stop - 1)
    last = before.rpartition(" ")[2]
    if last in _OWNERS and last not in ("i", "it", "you", "we", "he", "she", "they", "mine"):
        return Subject(stop - len(last), stop, owner=_OWNERS[last])
    return None


def is_class(subject: Subject) -> bool:
    """Whether a subject is a kind of people or things, and no name of one."""
    words = subject.name.casefold().split()
    return bool(words) and (words[0] in _CLASSES or words[-1] in _CLASSES)


def is_bare(plain: str, start: int, end: int) -> bool:
    """Whether nothing but an article stands before an attribute."""
    before = plain[start : without_modifiers(plain, start, end)].strip()
    return before in ("", "the", "a", "an") or _CLAUSES.split(f"{before} ")[-1].strip() in (
        "",
        "the",
        "a",
        "an",
    )


def actor(text: str, plain: str, start: int, end: int) -> Subject | None:
    """Who does something, from what stands before a verb: a name or a pronoun."""
    begin = clause_begin(plain, start, end)
    word = plain[begin:end].strip(" ,;")
    if word in ("", "and", "but", "or", "then", "and then", "who"):
        return Subject(end, end, owner=Owner.SAME)
    if word in _OWNERS:
        return Subject(begin, end, owner=_OWNERS[word])
    return named(text, plain, start, end)


def named(text: str, plain: str, start: int, end: int, *, is_framed: bool = False) -> Subject | None:
    """The name that fills the clause before `end`; None if what stands there can be none.

    A name that is framed by other words on both sides may have a comma in it: Berkeley, California.
    """
    if is_framed and _BROKEN.search(text, start, end):
        return None
    begin = start if is_framed else clause_begin(plain, start, end)
    while begin < end and not (text[begin].isalnum() or text[begin] in "\"'“‘`@#"):
        begin += 1
    is_title = text[begin : begin + 1].isupper() and plain[:begin].strip(" \"'") != ""
    if not is_title and (article := _DETERMINER.match(plain, begin, end)):
        begin = article.end()
    if (called := _CALLED.match(text, begin, end)) is not None:
        begin = called.end()
    end = name_end(text, begin, end)
    name = text[begin:end].strip("\"'“”‘’`")
    words = _WORD.findall(text[begin:end])
    # A capital inside a sentence makes a word part of a title or name: Our Mutual Friend, Ardashir I.
    plainly = {
        word.casefold() for at, word in enumerate(words) if word[0].islower() or (at == 0 and not is_title)
    }
    if not 0 < len(words) <= _MOST_WORDS or plainly & (_NOT_IN_NAMES | _POINTING):
        return None
    if len(words) == 1 and words[0] in _NO_THINGS:
        return None
    return Subject(begin, end, name=" ".join(name.split()))


def clause_begin(plain: str, start: int, end: int) -> int:
    """Where the last clause before a place begins, after words that only lead to it."""
    while start < end and plain[start].isspace():
        start += 1
    found = max((mark.end() for mark in _CLAUSES.finditer(plain[start:end])), default=0)
    begin = start + found
    while begin < end and plain[begin].isspace():
        begin += 1
    joined = _JOINING.match(plain, begin, end)
    return joined.end() if joined else begin
