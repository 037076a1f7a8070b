"""From the way to a value to a claim: where an English value ends, and what follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Attribute, Cardinality, Modality, Stance
from knowwhy.ingest.candidates import Bounds, Candidate, Found, Gap, Written
from knowwhy.ingest.grammar.english_bounds import EnglishBounds, Tail
from knowwhy.ingest.grammar.predicates import Tense
from knowwhy.ingest.grammar.situation import Situation, gap
from knowwhy.ingest.grammar.subjects import Subject
from knowwhy.ingest.grammar.values import Place, is_wordy, listed, value_in
from knowwhy.ingest.times.period import Direction
from knowwhy.providers.extraction import Missing
from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Claiming:
    """A subject and the way to a value: all of a statement that comes before it.

    `is_weighed` says that a preference is spoken of, whose value may be followed by what it is
    preferred to.
    """

    attribute: Attribute
    subject: Subject | None
    start: int
    value_at: int
    tense: Tense = Tense.PRESENT
    stance: Stance = Stance.SUPPORTS
    is_weighed: bool = False


_BUT: Final = expression(r",? (?:but|rather|it is|it's) (?:rather |now |it is |it's |is )*")
# Where a value in words ends at the latest: what follows is another clause.
_CUT: Final = expression(
    r"""[;!?](?=\s|$) | :\s | \s-\s | ,?"(?:\s|$|,) | ,?\s(?:which|who|whose|because|unless|if
      |since\ (?!\d|[a-z]{3,9}\ \d)
      |when|while|whereas|although|though|so\ that|except|provided|but|however)\b | ,\s(?:and|so|not|as|with
        |where)\s
      | ,\s(?:it|he|she|they|we|i|you|this|that|there)\b""",
    re.VERBOSE,
)
_RATHER: Final = expression(r"\s(?:over|to|rather than|instead of|more than|than)\s")
# What follows a comma and limits nothing: any clause that does not begin with a word that does.
_GOES_ON: Final = expression(
    r"""\s*(?: [;:."] | ,"| ,?\s*(?:and|but|so|which|because|while|although|though|however)\b(?!\s+only)
      | ,\s*(?!except|exclud|excl\b|for\b|if\b|unless|provided|subject|only|when|where\b|in\b|with|minus
        |plus|not\b|depending
        |on\b|at\b|per\b|each|every|after|before|count|or\b|up\b|less\b|more\ than|but\b)[a-z])""",
    re.VERBOSE,
)
_NAME_AFTER_COMMA: Final = expression(
    r"(?:[A-Z0-9][\w.'’&-]*|of|the|de|du|von|van|da|di|la|le|upon)(?:\s+|$)"
)
_FEW_WORDS: Final = 4
_MODALITIES: Final = {Tense.FUTURE: Modality.PLANNED, Tense.WISH: Modality.SUGGESTED}
_CHANGES: Final = (Tense.CHANGE, Tense.CHANGED, Tense.INTENDED)
_OVER: Final = (Tense.PAST, Tense.CHANGED)


@dataclass(frozen=True, slots=True)
class Closing:
    """The rest of a sentence in which a statement ends, up to `limit`.

    `lead_at` is where the sentence may begin with a time.
    """

    text: str
    plain: str
    bounds: EnglishBounds
    situation: Situation
    limit: int
    lead_at: int

    def claims(self, way: Claiming) -> Iterator[Found]:
        """The value at the end of the way, or the values of a list, with what follows them."""
        if way.tense is Tense.OVER:
            yield from self.finished(way, None)
            return
        value = value_in(self.place(way.value_at, self._value_end(way)), way.attribute)
        if value is None:
            return
        if not isinstance(value, Written):
            yield replace(value, start=way.start)
            return
        if str(value.value).startswith("to ") and not way.is_weighed:  # the plan is to move
            return
        for one in self._each(way, value):
            if isinstance(one, Gap):
                yield one
                continue
            for found in self.finished(way, one, after=value.end):
                yield found
                if isinstance(found, Candidate):
                    yield from self._otherwise(way, found, self.bounds.tail(value.end, self.limit))

    def finished(self, way: Claiming, value: Written | None, after: int | None = None) -> Iterator[Found]:
        """The candidate, or what is missing; nothing for a statement about the past.

        `after` is where the list ends in which the value stands.
        """
        at = way.value_at if value is None else value.end
        times = self.bounds.looking(Direction.PAST) if way.tense in _OVER else self.bounds
        tail = times.tail(at if after is None else after, self.limit)
        subject = self._subject(way)
        bounds = tail.bounds.within(times.leading(self.lead_at).bounds)
        if tail.puzzle is not None:
            yield Gap(Missing.DATE, way.start, at, str(tail.puzzle))
        elif not self._is_closed(way, tail.end):
            yield gap(Missing.CONDITION, way.start, self.limit)
        elif way.tense is Tense.PAST and way.attribute.changes and bounds.valid_to is None:
            return
        elif isinstance(subject, Missing):
            yield gap(subject, way.start, at)
        else:
            if way.tense in _CHANGES or way.tense is Tense.FUTURE:
                bounds = Bounds(bounds.valid_from, None if bounds.is_bounded else bounds.valid_to)
            modality = _MODALITIES.get(way.tense, Modality.ASSERTED)
            raw, unit = (None, None) if value is None else (value.value, value.unit)
            candidate = Candidate(
                subject, way.attribute, raw, way.start, at, unit, way.stance, modality, bounds
            )
            yield replace(candidate, is_intended=way.tense is Tense.INTENDED)

    def _is_closed(self, way: Claiming, at: int) -> bool:
        """Whether nothing follows that limits what is said."""
        is_weighed = way.is_weighed and _RATHER.match(self.plain, at) is not None
        is_end = self.bounds.is_end(at, self.limit)
        return is_end or is_weighed or _GOES_ON.match(self.plain, at) is not None

    def place(self, start: int, end: int) -> Place:
        """A place in the sentence where a value may stand."""
        return Place(self.text, self.plain, start, end, self.situation.spoke_at)

    def name_end(self, at: int) -> int:
        """Where a name that follows "of" ends: before a time, a clause or a mark."""
        cut = _CUT.search(self.plain, at, self.limit)
        return self._before_tail(at, cut.start() if cut else self.limit)

    def _each(self, way: Claiming, value: Written) -> list[Written | Gap]:
        """The value, or each of a list where there may be many; a gap where there may be only one."""
        values = listed(value, self.text) if is_wordy(way.attribute) else [value]
        if len(values) == 1 or way.attribute.cardinality is Cardinality.MANY:
            return list(values)
        return [gap(Missing.CHOICE, way.start, value.end)] if self._is_plain_list(values) else [value]

    def _is_plain_list(self, values: list[Written]) -> bool:
        """Whether several values were named, and not one with a comma in its name."""
        joined = self.plain[values[0].start : values[-1].end]
        is_short = all(len(str(one.value).split()) < _FEW_WORDS for one in values)
        return " and " in joined and ", " in joined and is_short

    def _otherwise(self, way: Claiming, found: Candidate, tail: Tail) -> Iterator[Found]:
        """The other value of "15 days, not 7" and of "not 7 but 15 days"."""
        but = _BUT.match(self.plain, found.end, self.limit) if found.stance is not Stance.SUPPORTS else None
        if found.stance is Stance.SUPPORTS and tail.denied is not None:
            start, stance = tail.denied[0], Stance.REFUTES
        elif but is not None:
            start, stance = but.end(), Stance.SUPPORTS
        else:
            return
        value = value_in(self.place(start, self.limit), way.attribute)
        if isinstance(value, Written):
            bounds = found.bounds if stance is Stance.SUPPORTS else Bounds()
            yield replace(
                found, value=value.value, unit=value.unit, stance=stance, end=value.end, bounds=bounds
            )

    def _value_end(self, way: Claiming) -> int:
        """Where a value that is in words ends: before a time, a comparison or another clause."""
        if not is_wordy(way.attribute):
            return self.limit
        if self.plain[way.value_at : way.value_at + 1] == '"':
            close = self.plain.find('"', way.value_at + 1, self.limit)
            return self.limit if close < 0 else close + 1
        cut = _CUT.search(self.plain, way.value_at, self.limit)
        end = cut.start() if cut else self.limit
        if way.is_weighed and (rather := _RATHER.search(self.plain, way.value_at + 1, end)):
            end = rather.start()
        return self._before_tail(way.value_at, self._before_comma(way.value_at, end, way.attribute))

    def _before_comma(self, at: int, end: int, attribute: Attribute) -> int:
        """A value goes on after a comma if it is a list, or the rest is part of a name: Paris, France."""
        comma = self.plain.find(", ", at, end)
        is_list = attribute.cardinality is Cardinality.MANY
        if comma < 0 or is_list or self.bounds.tail(comma, end).end > comma + 2:
            return end
        rest = self.text[comma + 2 : end].strip(" .!")
        is_name = rest != "" and _NAME_AFTER_COMMA.sub("", rest) == ""
        return end if is_name or " and " in rest else comma

    def _before_tail(self, at: int, end: int) -> int:
        """Where the words begin that only say when, if they do so up to the end."""
        for start in self.bounds.tail_starts(at + 1, end):
            tail = self.bounds.tail(start, end)
            is_tail = tail.end > start and self.plain[start : tail.end].strip(" ,") != ""
            if is_tail and self.bounds.is_end(tail.end, end):
                return start
        return end

    def _subject(self, way: Claiming) -> str | Missing:
        if way.subject is None:
            return way.attribute.about or Missing.SUBJECT
        if way.subject.owner is not None:
            return self.situation.owned(way.subject.owner, way.attribute)
        return way.subject.name
