"""From a Chinese topic to a claim: where its value ends, and what follows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Attribute, Cardinality, Modality, Stance
from knowwhy.ingest.candidates import Bounds, Candidate, Found, Gap, Written
from knowwhy.ingest.grammar.chinese_bounds import ChineseBounds
from knowwhy.ingest.grammar.chinese_topics import Topic, Topics
from knowwhy.ingest.grammar.situation import Situation, gap
from knowwhy.ingest.grammar.values import Place, is_wordy, listed, value_in
from knowwhy.ingest.times.period import Direction
from knowwhy.providers.extraction import Missing
from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Saying:
    """How a statement says its value: its stance, and whether something changed, or has changed already.

    `is_ending` says that whatever stands ended, so that there is no value.
    """

    stance: Stance = Stance.SUPPORTS
    is_change: bool = False
    is_over: bool = False
    is_ending: bool = False


_BRACKET: Final = expression(r"\((?P<inner>[^()]{1,40})\)")
_CLAUSE_END: Final = expression(r"[,;。!?(]")
_LIMITS: Final = expression(
    r"[\s,;。(]*(?:仅|限|只|除|不含|不包括|适用|前提|但(?:仅|限|只限|不含|不包|需|须|除)|且仅|需|若|如|对于|针对|根据|视|另|各|周|星期|每|早|晚|上午|下午|\d|自购|自收|自签|自下单|[^,;。(]{0,6}(?:专享|专用|可用|适用))"
)
_PARTICLE: Final = expression(r"(?:了|啦|哦|呀|哈|嘛|啊|呢|喔|吧|就好|就行|才对|才好|的说)$")
_SEVERAL: Final = expression(r"、|还有|以及")
_LED: Final = expression(r"直到|截至|自|从")
_BUT: Final = expression(r"[\s,;]*(?:而是|应该是|应是|是)")


@dataclass(frozen=True, slots=True)
class Closing:
    """The rest of a sentence in which a statement about one attribute ends."""

    topics: Topics
    bounds: ChineseBounds
    situation: Situation
    attribute: Attribute
    name_at: tuple[int, int]
    said: tuple[Candidate, ...]

    @property
    def _text(self) -> str:
        return self.topics.text

    @property
    def _plain(self) -> str:
        return self.topics.plain

    def claims(self, topic: Topic, at: int, saying: Saying) -> Iterator[Found]:
        """The value at this place, or the values of a list, with what follows them."""
        value = value_in(self.place(at, self._value_end(at)), self.attribute)
        if value is None:
            return
        if not isinstance(value, Written):
            yield replace(value, start=topic.start)
            return
        is_listed = is_wordy(self.attribute) and _SEVERAL.search(str(value.value)) is not None
        if is_listed and self.attribute.cardinality is Cardinality.ONE:
            yield gap(Missing.CHOICE, topic.start, value.end)
            return
        is_many = is_wordy(self.attribute) and self.attribute.cardinality is Cardinality.MANY
        for one in listed(value, self._text) if is_many else [value]:
            yield self.finished(topic, replace(one, end=value.end), value.end, saying)
        yield from self._otherwise(topic, value.end, saying)

    def finished(self, topic: Topic, value: Written | None, at: int, saying: Saying) -> Found:
        """The candidate, or what is missing."""
        times = self.bounds.looking(Direction.PAST) if saying.is_over else self.bounds
        tail = times.tail(at, len(self._plain))
        if tail.puzzle is not None:
            return Gap(Missing.DATE, topic.start, at, str(tail.puzzle))
        if tail.end <= at and (bracket := _BRACKET.match(self._plain, at)):
            subject = self.topics.named(bracket.start("inner"), bracket.end("inner"))
            if subject is None or topic.subject is not None:
                return gap(Missing.CONDITION, topic.start, bracket.end())
            topic, at = replace(topic, subject=subject), bracket.end()
            tail = times.tail(at, len(self._plain))
        end = max(at, tail.end)
        if tail.denied is None and (_LIMITS.match(self._plain, end) or not self._is_clause_end(end, value)):
            return gap(Missing.CONDITION, topic.start, self.clause_end(end))
        who = self._subject(topic)
        if isinstance(who, Missing):
            return gap(who, topic.start, at)
        return self._candidate(who, topic, value, at, saying, tail.bounds.within(topic.bounds))

    def place(self, start: int, end: int) -> Place:
        """A place in the sentence where a value may stand."""
        return Place(self._text, self._plain, start, end, self.situation.spoke_at)

    def clause_end(self, at: int) -> int:
        """Where the clause ends that a place lies in."""
        found = _CLAUSE_END.search(self._plain, at)
        return found.start() if found else len(self._plain)

    def _candidate(
        self, who: str, topic: Topic, value: Written | None, at: int, saying: Saying, bounds: Bounds
    ) -> Candidate:
        if saying.is_change:
            bounds = Bounds(bounds.valid_from, None if bounds.is_bounded else bounds.valid_to)
        raw, unit = (None, None) if value is None else (value.value, value.unit)
        start, end = min(topic.start, self.name_at[0]), max(at, self.name_at[1])
        return Candidate(who, self.attribute, raw, start, end, unit, saying.stance, Modality.ASSERTED, bounds)

    def _otherwise(self, topic: Topic, at: int, saying: Saying) -> Iterator[Found]:
        """The other value of 是15天，不是7天 and of 不是7天，而是15天."""
        if saying.stance is Stance.SUPPORTS:
            tail = self.bounds.tail(at, len(self._plain))
            start, stance = (tail.denied[0] if tail.denied else None), Stance.REFUTES
            topic = replace(topic, bounds=Bounds())
        else:
            but = _BUT.match(self._plain, at)
            start, stance = (but.end() if but else None), Stance.SUPPORTS
        value = None if start is None else value_in(self.place(start, self._value_end(start)), self.attribute)
        if isinstance(value, Written):
            yield self.finished(topic, value, value.end, replace(saying, stance=stance))

    def _value_end(self, at: int) -> int:
        """Where a value ends: at the end of its clause; an amount ends by itself."""
        if not is_wordy(self.attribute):
            return len(self._plain)
        end = self.clause_end(at)
        for led in _LED.finditer(self._plain, at + 1, end):
            adjunct = self.bounds.adjunct(led.start())
            if adjunct is not None and adjunct.end >= end:
                end = led.start()
                break
        written = self._plain[at:end].rstrip()
        while particle := _PARTICLE.search(written):
            written = written[: particle.start()]
        return at + len(written)

    def _is_clause_end(self, at: int, value: Written | None) -> bool:
        """Whether a statement ends where its value and times do: a mark follows, or nothing."""
        if value is not None and is_wordy(self.attribute):
            return True
        after = self._plain[at:].lstrip()
        return not after or not after[0].isalnum()

    def _subject(self, topic: Topic) -> str | Missing:
        """The subject, or that of the statement before in the same sentence, which Chinese leaves out."""
        if topic.subject is None:
            same = {one.subject for one in self.said}
            return same.pop() if len(same) == 1 else self.attribute.about or Missing.SUBJECT
        if topic.subject.owner is not None:
            return self.situation.owned(topic.subject.owner, self.attribute)
        return topic.subject.name
