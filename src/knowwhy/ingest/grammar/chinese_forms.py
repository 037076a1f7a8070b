"""The forms of Chinese statements about one attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Attribute, Stance, ValueType
from knowwhy.ingest.candidates import Bounds, Found, Written
from knowwhy.ingest.grammar.chinese_claims import Closing, Saying
from knowwhy.ingest.grammar.chinese_topics import ADVERBS, Topic
from knowwhy.ingest.grammar.situation import gap
from knowwhy.ingest.grammar.values import is_wordy, value_in
from knowwhy.ingest.lexicon import Form, Named
from knowwhy.ingest.times.period import Direction
from knowwhy.providers.extraction import Missing
from knowwhy.recall.expressions import expression

_HOW: Final = (
    r"(?:目前|现在|最近|近来|如今|现|仍然|仍|还|也|都|一直|更加|更|最|比较|很|非常|特别|十分|挺|真的|主要|平时|通常|经常"
    r"|一般|已经|已|只|仅| )*"
)
_VERB_LED: Final = expression(
    rf"(?P<s>.*?)(?:(?P<ends>(?:已经|已|现在|如今|目前)?不再|已经不|已不)|(?P<not>不太|不大|不怎么|并不|从不|不|没有|没)"
    rf"|){_HOW}$"
)
_BE_LED: Final = expression(
    r"(?P<s>.*?)(?:目前|现在|也|都|一直|仍然|仍|还|其实|确实)*(?P<not>不是|并不是|并非|不再是|没有|不支持"
    r"|不提供)?(?P<be>是|支持|提供|有)?(?:一(?:名|个|位))?$"
)
_IS_OF: Final = expression(
    r"(?P<v>[^,;:]{2,40}?)(?:目前|现在|已经|已|仍然|仍|还)*(?P<not>不再|并不|不)?(?P<be>是|担任|为|就任|出任"
    r"|成为|兼任)(?:现任)?"
    r"(?P<s>[^,;:]{1,40}?)的?(?:新任|现任|新)?$"
)
_GIVES: Final = expression(
    r"(?P<s>.+?)(?:目前|现在|现|均|都|可|已)*(?:享有|提供|享受|附带|配有|给予|实行|支持"
    r"|有)(?P<v>[^,;:的]{1,12})的?$"
)
_CHANGED: Final = (
    r"(?:调整|变更|更改|修改|改|变|延长|缩短|提高|提升|上调|下调|降低|增加|增长|减少|上升|下降|升|降|涨|跌|更新"
    r"|更正|换|增|减|定|设|搬|搬迁|迁|移|转|推迟|推后|提前|延期|顺延|升级|降级|切换)(?:为|成|到|至)了?"
)
_PREDICATE: Final = expression(
    rf"""\s*(?:
        (?P<over>(?:已经|已|现已|均|都|被|现在|目前|全部|全面)*(?:停用|取消|作废|废止|失效|终止|停止执行
          |不再适用|不再有效|不再执行|不再实行|撤销|下线|停止)(?![的为成到至]))
      | (?P<ends>(?:已经|已|现在)?不再(?:是|为|有))
      | (?P<not>(?:并|也)?(?:不是|不为|并非|非))
      | (?P<change>(?:由|从)(?P<old>[^,;。]{{1,20}}?){_CHANGED}|(?:已经|已|现|被|正式)*{_CHANGED})
      | (?P<present>(?:是|为|即|等于|达到|达|共有|共计|有|:|=|就是|仍为|仍是|还是|仅为|只有
        |位于|叫做|叫)(?:每\S{{1,3}}(?=\d))?)
    )\s*""",
    re.VERBOSE,
)
# An attribute that is a place may be said to be in it: 办公室在B12.
_PLACE: Final = expression(r"(?:室|地|地址|地点|位置|处)$")
_IN: Final = expression(r"\s*在\s*")
_BRACKET: Final = expression(r" ?\((?P<inner>[^()]{1,40})\)")
_TO_COME: Final = expression(r"将|会|打算|计划|准备|要|拟|预计")
# What turns a verb into something else: 喜欢过, 会说的语言.
_NOT_AFTER: Final = expression(r"过|的(?!是)")
_ASPECT: Final = expression(r"[着了]?(?:的是|是)?:?\s*")
_IS_DONE: Final = expression(r"已|了")


@dataclass(frozen=True, slots=True)
class Statement:
    """One attribute in a sentence, with what stands before it since the statement before."""

    closing: Closing
    name: Named
    start: int

    @property
    def attribute(self) -> Attribute:
        """What is spoken of."""
        return self.name.attribute

    @property
    def _plain(self) -> str:
        return self.closing.topics.plain

    def found(self) -> Iterator[Found]:
        """What the statement claims, in the first form that it has."""
        if self.name.phrase.form is Form.THIRD:
            yield from self._with_verb()
            return
        for form in (self._truth, self._reversed, self._given):
            found = form()
            if found is not None:
                yield found
                return
        yield from self._with_predicate()

    # The attribute, a predicate, the value -------------------------------------------------------

    def _with_predicate(self) -> Iterator[Found]:
        """X的退货期限是15天, 退货期限（X）：15天, X的价格从下个月起改为55欧元, 退货期限15天."""
        at, bracketed = self.name.end, None
        if bracket := _BRACKET.match(self._plain, at):
            at = bracket.end()
            bracketed = self.closing.topics.named(bracket.start("inner"), bracket.end("inner"))
        done = self._is_done(at)
        bounds, at = self._between(at, is_over=done)
        predicate = _PREDICATE.match(self._plain, at)
        saying = replace(_saying(predicate), is_over=done)
        if predicate is None and _PLACE.search(self.name.phrase.words):
            predicate = _IN.match(self._plain, at)
        topic = self.closing.topics.before(self.start, self.name.start, is_disposed=saying.is_change)
        if not topic.is_clear or topic.is_past:
            return
        topic = replace(topic, bounds=bounds.within(topic.bounds), subject=bracketed or topic.subject)
        value_at = predicate.end() if predicate else at
        if topic.is_limited:
            yield gap(Missing.CONDITION, topic.start, self.closing.clause_end(value_at))
        elif saying.is_ending:
            yield self.closing.finished(topic, None, value_at, saying)
        elif predicate is not None or self._is_direct(value_at):
            yield from self.closing.claims(topic, value_at, saying)

    def _between(self, at: int, *, is_over: bool) -> tuple[Bounds, int]:
        """The adverbs and times between an attribute and its predicate."""
        times = self.closing.bounds.looking(Direction.PAST) if is_over else self.closing.bounds
        bounds = Bounds()
        while True:
            adverbs = ADVERBS.match(self._plain, at)
            after = adverbs.end() if adverbs else at
            found = times.adjunct(after)
            if found is None or found.puzzle is not None or found.end == after:
                return bounds, after
            bounds, at = found.bounds.within(bounds), found.end

    def _is_done(self, at: int) -> bool:
        """Whether the clause says that it happened already."""
        return _IS_DONE.search(self._plain, at, self.closing.clause_end(at)) is not None

    def _is_direct(self, at: int) -> bool:
        """Whether a value may follow with no word between: 退货期限15天."""
        is_amount = self.attribute.value_type in (ValueType.NUMBER, ValueType.DATE)
        return is_amount and at == self.name.end

    # Somebody does something ---------------------------------------------------------------------

    def _with_verb(self) -> Iterator[Found]:
        """小林住在杭州, 小林不再住在苏州, 我更喜欢茶, 小陈从2019年起任职于北风渡轮."""
        before = self._plain[self.start : self.name.start]
        if before.rstrip().endswith("的") and _PREDICATE.match(self._plain, self.name.end):
            yield from self._with_predicate()
            return
        led = _VERB_LED.match(before)
        if led is None or _NOT_AFTER.match(self._plain, self.name.end):
            return
        topics = self.closing.topics
        if not _TO_COME.search(before):  # who lives there since May has moved in already
            topics = replace(topics, bounds=topics.bounds.looking(Direction.PAST))
        topic = topics.before(self.start, self.start + led.end("s"))
        if not topic.is_clear or topic.is_past or topic.is_limited:
            return
        stance = Stance.ENDS if led["ends"] else Stance.REFUTES if led["not"] else Stance.SUPPORTS
        aspect = _ASPECT.match(self._plain, self.name.end)
        yield from self.closing.claims(topic, aspect.end() if aspect else self.name.end, Saying(stance))

    # Yes and no ----------------------------------------------------------------------------------

    def _truth(self) -> Found | None:
        """小林是素食者, 小林不是素食者."""
        if self.attribute.value_type is not ValueType.BOOLEAN:
            return None
        led = _BE_LED.match(self._plain[self.start : self.name.start])
        if led is None or not (led["be"] or led["not"]):
            return None
        topic = self.closing.topics.before(self.start, self.start + led.end("s"))
        if not topic.is_clear or topic.is_past or topic.is_limited:
            return None
        value = Written(not led["not"], None, self.name.start, self.name.end)
        return self.closing.finished(topic, value, self.name.end, Saying())

    # The value comes first -----------------------------------------------------------------------

    def _reversed(self) -> Found | None:
        """周敏是北风渡轮的首席执行官."""
        if not is_wordy(self.attribute) or _PREDICATE.match(self._plain, self.name.end):
            return None
        topics = self.closing.topics
        start = topics.clause_start(self.start, self.name.start)
        led = _IS_OF.match(self._plain[start : self.name.start])
        if led is None:
            return None
        subject = topics.named(start + led.start("s"), start + led.end("s"))
        holder, bounds = topics.holder(start + led.start("v"), start + led.end("v"))
        if subject is None or holder is None or subject.owner or holder.owner:
            return None
        value = value_in(self.closing.place(holder.start, holder.end), self.attribute)
        if not isinstance(value, Written):
            return None
        stance = Stance.SUPPORTS
        if led["not"]:
            stance = Stance.ENDS if led["not"] == "不再" else Stance.REFUTES
        is_change = led["be"] in ("成为", "就任", "出任")
        bounds = bounds.within(topics.led_bounds(self.start, start))
        topic = Topic(subject, bounds, holder.start)
        saying = Saying(stance, is_change=is_change, is_over=is_change)
        return self.closing.finished(topic, replace(value, end=self.name.end), self.name.end, saying)

    # The value stands before the attribute -------------------------------------------------------

    def _given(self) -> Found | None:
        """流明台灯享有两年保修期."""
        if self.attribute.value_type is not ValueType.NUMBER or _PREDICATE.match(self._plain, self.name.end):
            return None
        led = _GIVES.match(self._plain[self.start : self.name.start])
        if led is None:
            return None
        topic = self.closing.topics.before(self.start, self.start + led.end("s"))
        place = self.closing.place(self.start + led.start("v"), self.start + led.end("v"))
        value = value_in(place, self.attribute)
        if not isinstance(value, Written) or value.end < place.end or topic.is_past or topic.subject is None:
            return None
        return self.closing.finished(topic, replace(value, end=self.name.end), self.name.end, Saying())


def _saying(predicate: re.Match[str] | None) -> Saying:
    if predicate is None:
        return Saying()
    if predicate["over"]:
        return Saying(Stance.ENDS, is_ending=True)
    if predicate["ends"]:
        return Saying(Stance.ENDS)
    if predicate["not"]:
        return Saying(Stance.REFUTES)
    return Saying(is_change=predicate["change"] is not None)
