"""Predicates: what stands between an English attribute and its value, and which way it points."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from knowwhy.core.model import Stance
from knowwhy.recall.expressions import expression


class Tense(StrEnum):
    """When a predicate says that something is so."""

    PRESENT = "present"
    PAST = "past"
    FUTURE = "future"
    CHANGE = "change"
    CHANGED = "changed"
    INTENDED = "intended"
    WISH = "wish"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate at its place: its tense, and whether it affirms, denies or ends the value after it."""

    start: int
    end: int
    tense: Tense
    stance: Stance = Stance.SUPPORTS


_ADVERBS: Final = (
    r"(?:(?:now|currently|presently|today|still|also|always|officially|actually|really|only|just|exactly"
    r"|indeed|then"
    r"|again|simply|already|therefore|thus|hence|probably|maybe|perhaps|possibly)\s+)*"
)
_CHANGED: Final = (
    r"(?:changed|changes|change|raised|raises|lowered|lowers|extended|extends|increased|increases|increase"
    r"|reduced|cut|dropped"
    r"|drops|drop|fell|falls|fall|rose|rises|rise|went|goes|go|grew|grows|shortened|adjusted|updated|moved"
    r"|moves|switched|corrected"
    r"|shrank|doubled|halved|upgraded|downgraded)\s+(?:(?:up|down"
    r"|back)\s+)?(?:from\s+(?P<old>[^,.;]{1,40}?)\s+)?to"
)
_PREDICATE: Final = expression(
    rf"""\s*(?:
        (?P<over>{_ADVERBS}(?:no\ longer\ (?:applies|apply|exists?|holds?|(?:is|are)\ (?:valid|available
          |in\ force|offered))
          | (?:is|are|was|were|has\ been|have\ been)\ {_ADVERBS}(?:abolished|discontinued|cancell?ed|dropped
            |removed|withdrawn
              |revoked|suspended|void|voided|scrapped|lifted|terminated)(?!\s+to\b)
          | (?:has|have)\ (?:ended|expired|lapsed)
          | (?:does|do)(?:n't|\ not)\ (?:apply|exist|hold)\ any\ ?more))
      | (?P<change>{_ADVERBS}(?:(?:will|shall)\ (?:be\ )?|(?:is|are)\ (?:going|planned|set|scheduled
        |due)\ to\ (?:be\ )?
          |(?:is|are|was|were)\ (?:being\ )?|(?:has|have)\ (?:now\ )?(?:been\ )?|gets?\
            |got\ )?{_ADVERBS}{_CHANGED})
      | (?P<becomes>{_ADVERBS}(?:becomes|became|has\ become|have\ become))
      | (?P<future>(?:will|shall)\ {_ADVERBS}(?:be|become|remain|stay)
          | '?(?:ll)\ be | (?:is|are)\ (?:going|planned|scheduled|due|expected|set)\ to\ (?:be|become))
      | (?P<wish>(?:should|must|ought\ to|needs?\ to|could|may|might|would|can)\ {_ADVERBS}(?:not\ )?(?:be
        |become))
      | (?P<past>was|were|used\ to\ be|had\ been|wasn't|weren't)
      | (?P<present>{_ADVERBS}(?:is|are|'s|'re|am|'m|equals|remains|remain|stays|stay|stands\ at|amounts\ to
        |comes\ to|isn't|aren't
          |ain't|(?:has|have)\ been|=|:)(?:\ (?:(?:set|fixed)\ (?:at|to)(?!\ be)|called|named))?)
    )(?P<not>\s+(?:no\ longer|not|never)\b | n't)?\s*{_ADVERBS}""",
    re.VERBOSE,
)
_PAST_CHANGE: Final = expression(
    r"^\s*(?:\w+ )*?(?:was|were|has|have|got|changed|raised|lowered|extended|increased|reduced|dropped|fell"
    r"|rose|went|grew"
    r"|shortened|adjusted|updated|moved|switched|shrank|doubled|halved|upgraded|downgraded"
    r"|became)\b(?<!will be)"
)
_NEGATED: Final = expression(r"n't\b")
# "Not always" and the like deny something else than the value.
_NOT_QUITE: Final = expression(
    r"(?:\bnot|n't)\s+(?:always|only|just|exactly|really|simply|actually|necessarily|quite|yet)\b"
)
_ANY_MORE: Final = expression(r"\bany ?(?:more|longer)\b")


# A word that a predicate can begin with; asked first, since it is asked at every word.
_BEGINS: Final = expression(
    r"""\s*(?:[=:] | '(?:s|re|m|ll)\b | (?:no|is|are|was|were|am|has|have|had|does|do|will|shall
      |should|must|ought|needs?
      |could|may|might|would|can|used|equals|remains?|stays?|stands|amounts|comes|becomes|became|gets?|got|isn't|aren't
        |ain't|wasn't|weren't
      |now|currently|presently|today|still|also|always|officially|actually|really|only|just|exactly|indeed
        |then|again|simply
      |already|therefore|thus|hence|probably|maybe|perhaps|possibly|chang|rais|lower|extend|increas
        |reduc|cut|drop|fell|fall
      |rose|rise|went|go|grew|grow|shorten|adjust|updat|mov|switch|correct|shrank|doubl|halv|upgrad
        |downgrad))""",
    re.VERBOSE,
)


def predicate_at(plain: str, at: int, limit: int) -> Predicate | None:
    """The predicate that begins at a place, white space aside."""
    if _BEGINS.match(plain, at, limit) is None:
        return None
    found = _PREDICATE.match(plain, at, limit)
    if found is None or not _is_whole(plain, found) or _NOT_QUITE.search(found[0]):
        return None
    return Predicate(found.start(), found.end(), _tense(found), _stance(plain, found, limit))


def predicate_after(plain: str, at: int, limit: int) -> Predicate | None:
    """The first predicate from a place on that stands after a space."""
    for space in re.finditer(r"\s|(?=[:=])", plain[at:limit]):
        found = predicate_at(plain, at + space.start(), limit)
        if found is not None:
            return found
    return None


def _is_whole(plain: str, found: re.Match[str]) -> bool:
    """Whether the predicate is not the beginning of a longer word."""
    end = found.end()
    last, after = plain[end - 1 : end], plain[end : end + 1]
    return not (last.isalnum() and after.isalnum())


def _tense(found: re.Match[str]) -> Tense:
    if found["over"]:
        return Tense.OVER
    if change := found["change"] or found["becomes"]:
        return Tense.CHANGED if _PAST_CHANGE.search(change) else Tense.CHANGE
    if found["future"]:
        return Tense.FUTURE
    if found["wish"]:
        return Tense.WISH
    return Tense.PAST if found["past"] else Tense.PRESENT


def _stance(plain: str, found: re.Match[str], limit: int) -> Stance:
    if found["over"]:
        return Stance.ENDS
    negation = (found["not"] or "").strip()
    is_negated = bool(negation) or _NEGATED.search(found[0]) is not None
    if negation == "no longer" or (is_negated and _ANY_MORE.search(plain, found.end(), limit)):
        return Stance.ENDS
    return Stance.REFUTES if is_negated else Stance.SUPPORTS
