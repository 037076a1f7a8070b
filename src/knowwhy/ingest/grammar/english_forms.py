"""The forms of English statements about one attribute: how each leads from its subject to its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Attribute, Stance, ValueType
from knowwhy.ingest.candidates import Found, Written
from knowwhy.ingest.grammar.english_claims import Claiming, Closing
from knowwhy.ingest.grammar.predicates import Predicate, Tense, predicate_after, predicate_at
from knowwhy.ingest.grammar.subjects import (
    QUALIFIERS,
    Owner,
    Subject,
    actor,
    is_bare,
    is_class,
    named,
    possessor,
    without_modifiers,
)
from knowwhy.ingest.grammar.values import is_wordy, value_in
from knowwhy.ingest.lexicon import Form, Named
from knowwhy.ingest.plain import plain
from knowwhy.ingest.times.english import time_at
from knowwhy.recall.expressions import expression

_OF: Final = expression(r" (?:of|for|at|in|on) ")
_STRICTLY_OF: Final = expression(r" of ")
_IN_BRACKETS: Final = expression(r" ?\((?P<name>[^()]{1,60})\)")
_OF_OR_COLON: Final = expression(r" of |: ")
_GIVES: Final = expression(
    r"(?P<s>.+?)\s+(?P<not>(?:does not|doesn't|do not|don't|no longer)\s+)?(?:now\s+|currently\s+|also\s+)?"
    r"(?:offers?|has|have|gives?|grants?|allows?|provides?|comes with|carries|carry|employs?|supports?"
    r"|accepts?|(?P<past>had|employed|offered))\s+"
    r"(?P<no>no\s+)?(?:an?\s+|the\s+)?(?P<v>\S.*?)?\s*$"
)
_IS_THE: Final = expression(
    r"(?P<v>.+?)\s+(?P<be>(?:will|shall) (?:be|become)|is going to (?:be|become)|is|was|are|isn't|wasn't"
    r"|aren't|becomes|became|remains|has been|has become)\s+"
    r"(?P<not>not\s+"
    r"|no longer\s+)?"
    r"(?:(?:now|currently|still|also|officially)\s+)*(?:(?:the|an?)\s+|(?P<s>\S.*?)(?:'s|(?<=s)')\s+)?$"
)
_BE: Final = expression(
    r"(?P<s>.*?)(?:\s+|(?='))(?P<be>is|am|are|was|were|'m|'s|'re|isn't|aren't|has been|have been)\s+"
    r"(?P<not>not\s+|no longer\s+)?(?:(?:now|currently|still|also|officially|really|actually|very"
    r"|severely)\s+)*(?:an?\s+)?$"
)
_DOES: Final = expression(
    r"(?P<s>.*?)\s*(?:\b(?P<no_longer>no longer)|\b(?P<not>(?:does|do)(?:n't| not))|\b(?P<will>will"
    r"|is going to)|\b(?P<has>has|have|'ve|'s))?"
    r"\s*(?:\b(?:now|currently|still|also|officially|really|actually|usually|always|mostly|mainly|already"
    r"|much)\s+)*$"
)
_BASES: Final = (
    "change|set|make|update|raise|lower|extend|reduce|increase|shorten|cut|move|switch|upgrade|downgrade|bump"
)
_PASTS: Final = (
    "changed|set|made|updated|raised|lowered|extended|reduced|increased|shortened|cut|moved|switched|upgraded"
    "|downgraded"
)
_DOES_CHANGE: Final = expression(
    rf"(?P<s>.*?)\s*\b(?:(?P<has>(?:has|have)\s+(?:now\s+)?)?(?P<past>{_PASTS})"
    rf"|(?:(?:will|would|should|shall|must|may|might|could|can|to|plans? to|is going to|wants? to"
    rf"|intends? to)\s+)*"
    rf"(?P<base>{_BASES}))\s+(?P<whose>\S.*\s)?$"
)
_TO: Final = expression(r" (?:of (?P<s>[^,.;]{1,60}?) )?(?:from [^,.;]{1,40}? )?to ")
_ANY_MORE: Final = expression(r"\bany ?(?:more|longer)\b")
# What happened once and stays so.
_EVENTS: Final = frozenset(
    """
    born built composed created designed developed directed discovered established founded introduced
    invented launched made manufactured named painted performed produced published recorded written
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
_PLURAL: Final = frozenset({"i", "we", "you", "they"})
_WEIGHED: Final = ("prefer", "like", "love", "enjoy")


@dataclass(frozen=True, slots=True)
class Statement:
    """One attribute in a sentence, from where its statement may begin."""

    closing: Closing
    name: Named
    start: int

    @property
    def attribute(self) -> Attribute:
        """What is spoken of."""
        return self.name.attribute

    @property
    def _text(self) -> str:
        return self.closing.text

    @property
    def _plain(self) -> str:
        return self.closing.plain

    @property
    def _limit(self) -> int:
        return self.closing.limit

    @property
    def _stop(self) -> int:
        """Where what stands before the attribute ends, without words such as "current"."""
        return without_modifiers(self._plain, self.start, self.name.start)

    def found(self) -> Iterator[Found]:
        """What the statement claims, in the first form that it has."""
        if self.name.phrase.form is not Form.NOUN:
            yield from self._with_verb()
            return
        for form in (self._truth, self._reversed, self._changed_by, self._given):
            found = form()
            if found is not None:
                yield from found
                return
        yield from self._with_predicate()

    # The attribute, a predicate, the value -------------------------------------------------------

    def _with_predicate(self) -> Iterator[Found]:
        """As in "X's return window is 15 days", "the return window of X is", "X return window: 15 days"."""
        owner = possessor(self._text, self._plain, self.start, self.name.start)
        is_alone = owner is None and is_bare(self._plain, self.start, self.name.start)
        predicate = predicate_at(self._plain, self.name.end, self._limit)
        if predicate is None and owner is None:
            owner, predicate = self._of()
        elif predicate is not None and owner is None and not is_alone:
            owner = self._adjacent(predicate)
            if owner is None:
                return
        if predicate is None or (owner is None and not (is_alone and self._is_next(predicate))):
            return
        start = self.name.start if owner is None else min(owner.start, self.name.start)
        way = Claiming(self.attribute, owner, start, predicate.end, predicate.tense, predicate.stance)
        yield from self.closing.claims(way)

    def _is_next(self, predicate: Predicate) -> bool:
        """Whether nothing stands between the attribute and its predicate."""
        return not self._plain[self.name.end : predicate.start].strip()

    def _of(self) -> tuple[Subject | None, Predicate | None]:
        """The subject that follows: "the return window of X is", "return window (X):"."""
        if bracket := _IN_BRACKETS.match(self._plain, self.name.end):
            name_at = bracket.start("name"), bracket.end("name")
            subject = named(self._text, self._plain, *name_at, is_framed=True)
            return subject, predicate_at(self._plain, bracket.end(), self._limit)
        led = _OF.match(self._plain, self.name.end)
        predicate = None if led is None else predicate_after(self._plain, led.end(), self._limit)
        if led is None or predicate is None or not is_bare(self._plain, self.start, self.name.start):
            return None, None
        subject = named(self._text, self._plain, led.end(), predicate.start, is_framed=True)
        is_plain_of = _STRICTLY_OF.match(self._plain, self.name.end) is not None
        if subject is not None and not is_plain_of and not self._is_proper(subject):
            return None, None
        return subject, predicate

    def _is_proper(self, subject: Subject) -> bool:
        """Whether a name is written as one, or is what the attribute is declared to be about."""
        if self.attribute.about is not None and plain(self.attribute.about) == plain(subject.name):
            return True
        if time_at(self._plain, subject.start, self.closing.situation.spoke_at.date()) is not None:
            return False
        is_the_one = self._plain[: subject.start].endswith((" for the ", " on the ")) and not (
            is_class(subject) or subject.name.endswith("s")
        )
        return is_the_one or subject.name[:1].isupper() or subject.name[:1].isdigit()

    def _adjacent(self, predicate: Predicate) -> Subject | None:
        """The name right before the attribute: "Harbour Books return window: 15 days"."""
        subject = named(self._text, self._plain, self.start, self._stop)
        is_colon = self._plain[predicate.start : predicate.end].strip() in (":", "=")
        if subject is None or not self._is_titled(subject, is_label=is_colon):
            return None
        words = plain(subject.name).split()
        if words[-1].endswith("'s"):
            return None
        if QUALIFIERS.intersection(words) or words[0] in ("new", "our", "the"):
            return None
        return subject if is_colon or len(words) > 1 else None

    def _is_titled(self, subject: Subject, *, is_label: bool) -> bool:
        """Whether all words of a name are capital, or the first of a label that begins the sentence."""
        words = subject.name.split()
        is_first = is_label and len(words) > 1 and not self._plain[: subject.start].strip()
        return all(word[:1].isupper() or word[:1].isdigit() for word in words[: 1 if is_first else None])

    # Somebody does something ---------------------------------------------------------------------

    def _with_verb(self) -> Iterator[Found]:
        """As in "X lives in V", "X does not live in V", "X has lived in V since …", "X is married to V"."""
        form = self.name.phrase.form
        at = predicate_at(self._plain, self.name.end, self._limit)
        if at is not None and self._plain[at.start : at.end].strip() == ":":
            yield from self._with_predicate()
            return
        led = (_BE if form is Form.WITH_BE else _DOES).match(self._plain[self.start : self.name.start])
        if led is None:
            return
        subject = actor(self._text, self._plain, self.start, self.start + led.end("s"))
        way = None if subject is None else self._way(led, form, subject)
        if subject is None or way is None:
            return
        tense, stance = way
        is_weighed = self.name.phrase.words.startswith(_WEIGHED)
        yield from self.closing.claims(
            Claiming(self.attribute, subject, subject.start, self.name.end, tense, stance, is_weighed)
        )

    def _way(self, led: re.Match[str], form: Form, subject: Subject) -> tuple[Tense, Stance] | None:
        """The tense and stance of a verb with its auxiliaries; None where they do not go together."""
        if form is Form.WITH_BE:
            return (Tense.PAST if self._is_past(led["be"]) else Tense.PRESENT), _negated(led)
        if led["will"]:
            return (Tense.FUTURE, Stance.SUPPORTS) if form is Form.BARE else None
        if led["not"]:
            ends = _ANY_MORE.search(self._plain, self.name.end, self._limit) is not None
            return (Tense.PRESENT, Stance.ENDS if ends else Stance.REFUTES) if form is Form.BARE else None
        stance = Stance.ENDS if led["no_longer"] else Stance.SUPPORTS
        if form is Form.PAST:
            return (Tense.PRESENT if led["has"] else Tense.PAST), stance
        is_plural = subject.owner is not None and self._plain[subject.start : subject.end].strip() in _PLURAL
        return (Tense.PRESENT, stance) if not led["has"] and (form is Form.BARE) == is_plural else None

    def _is_past(self, be: str) -> bool:
        """Whether a form of "be" says that it is over: "was based in", but not "was founded by"."""
        is_event = self.name.phrase.words.partition(" ")[0] in _EVENTS
        return be in ("was", "were", "wasn't") and self.attribute.changes and not is_event

    # Yes and no ----------------------------------------------------------------------------------

    def _truth(self) -> Iterator[Found] | None:
        """As in "X is vegetarian", "X does not offer free shipping"."""
        if self.attribute.value_type is not ValueType.BOOLEAN:
            return None
        before = self._plain[self.start : self.name.start]
        led = _BE.match(before)
        if led is not None:
            is_true, is_past = _negated(led) is Stance.SUPPORTS, led["be"] in ("was", "were")
        else:
            led = _GIVES.match(before)
            if led is None or led["v"]:
                return None
            is_true, is_past = not (led["not"] or led["no"]), led["past"] is not None
        subject = actor(self._text, self._plain, self.start, self.start + led.end("s"))
        if subject is None or is_past:
            return iter(())
        value = Written(is_true, None, self.name.start, self.name.end)
        way = Claiming(self.attribute, subject, subject.start, self.name.end)
        return self.closing.finished(way, value)

    # The value comes first -----------------------------------------------------------------------

    def _reversed(self) -> Iterator[Found] | None:
        """As in "V is the CEO of X", "V is X's CEO", "V became CEO of X in May"."""
        if not is_wordy(self.attribute):
            return None
        led = _IS_THE.match(self._plain[self.start : self._stop])
        if led is None:
            return None
        after = self.name.end
        if led["s"]:
            subject = named(self._text, self._plain, self.start + led.start("s"), self.start + led.end("s"))
        elif of := _STRICTLY_OF.match(self._plain, self.name.end):
            after = self.closing.name_end(of.end())
            subject = named(self._text, self._plain, of.end(), after, is_framed=True)
        else:
            return None
        holder = named(self._text, self._plain, self.start, self.start + led.end("v"))
        if subject is None or holder is None:
            return None
        value = value_in(self.closing.place(holder.start, self.start + led.end("v")), self.attribute)
        if not isinstance(value, Written):
            return None
        tense = Tense.PAST if self._is_past(led["be"]) else Tense.PRESENT
        tense = Tense.CHANGED if led["be"] in ("became", "has become") else tense
        tense = Tense.FUTURE if led["be"].startswith(("will", "shall", "is going")) else tense
        way = Claiming(self.attribute, subject, holder.start, after, tense, _negated(led))
        return self.closing.finished(way, replace(value, end=after))

    # Somebody changes it -------------------------------------------------------------------------

    def _changed_by(self) -> Iterator[Found] | None:
        """As in "X has extended its return window to 30 days", "we plan to change X's plan to Pro"."""
        to = _TO.match(self._plain, self.name.end, self._limit)
        led = _DOES_CHANGE.match(self._plain[self.start : self.name.start]) if to else None
        if to is None or led is None:
            return None
        subject = self._changed_subject(led, to)
        if subject is None:
            return None
        tense = Tense.CHANGED if led["past"] and (led["s"].strip() or led["has"]) else Tense.CHANGE
        verb_at = self.start + led.start("base" if led["base"] else "past")
        way = Claiming(self.attribute, subject, min(subject.start, verb_at), to.end(), tense)
        if led["base"]:  # only as a plan or a wish, which the words around it tell
            return self.closing.claims(replace(way, tense=Tense.INTENDED))
        return self.closing.claims(way)

    def _changed_subject(self, led: re.Match[str], to: re.Match[str]) -> Subject | None:
        """Whose attribute is changed: X's, of X, or that of who changes it."""
        if to["s"]:
            return named(self._text, self._plain, to.start("s"), to.end("s"))
        whose_at = self.start + (led.start("whose") if led["whose"] else led.end())
        owner = possessor(self._text, self._plain, whose_at, self.name.start)
        if owner is not None and owner.owner is Owner.LAST:
            return actor(self._text, self._plain, self.start, self.start + led.end("s"))
        if (
            owner is None
            and is_bare(self._plain, whose_at, self.name.start)
            and self.attribute.about is not None
        ):
            return Subject(self.name.start, self.name.start, owner=Owner.HOUSE)
        return owner

    # The value stands before the attribute -------------------------------------------------------

    def _given(self) -> Iterator[Found] | None:
        """As in "X offers a 15-day return window", "X has a warranty of 2 years", "X has 12 employees"."""
        led = _GIVES.match(self._plain[self.start : self._stop])
        if led is None:
            return None
        subject = actor(self._text, self._plain, self.start, self.start + led.end("s"))
        if subject is None or led["no"] or led["not"] or is_class(subject):
            return None
        tense = Tense.PAST if led["past"] else Tense.PRESENT
        if not led["v"]:
            of = _OF_OR_COLON.match(self._plain, self.name.end)
            way = Claiming(self.attribute, subject, subject.start, of.end() if of else 0, tense)
            return None if of is None else self.closing.claims(way)
        if self.attribute.value_type is not ValueType.NUMBER:
            return None
        place = self.closing.place(self.start + led.start("v"), self.start + led.end("v"))
        value = value_in(place, self.attribute)
        if value is None:
            return None
        if not isinstance(value, Written):
            return iter((value,))
        if self._plain[value.end : place.end].strip(" -"):
            return None
        way = Claiming(self.attribute, subject, subject.start, self.name.end, tense)
        return self.closing.finished(way, replace(value, end=self.name.end))


def _negated(led: re.Match[str]) -> Stance:
    """The stance of a form of "be" with what negates it."""
    if led["not"]:
        return Stance.ENDS if led["not"].startswith("no longer") else Stance.REFUTES
    return Stance.REFUTES if led["be"] in ("isn't", "aren't", "wasn't") else Stance.SUPPORTS
