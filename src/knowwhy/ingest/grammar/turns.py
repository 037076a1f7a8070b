"""Turns: words that point back at what was said before: "no, it is 15 days now", 之前的作废."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Attribute, Modality, RawValue, Stance, ValueType, undeclared
from knowwhy.ingest.amounts.quantity import quantity_at
from knowwhy.ingest.candidates import UNBOUNDED, Bounds, Candidate, Found, Gap, Written
from knowwhy.ingest.grammar.chinese_bounds import ChineseBounds
from knowwhy.ingest.grammar.english_bounds import EnglishBounds
from knowwhy.ingest.grammar.moods import is_question, modality_of
from knowwhy.ingest.grammar.situation import Situation, gap
from knowwhy.ingest.grammar.values import Place, is_wordy, value_in
from knowwhy.ingest.plain import has_han, plain
from knowwhy.providers.extraction import Mention, Missing
from knowwhy.recall.expressions import expression

_MARKED: Final = expression(
    r"\W*(?:(?:no|nope|wrong|correction|sorry|actually|wait|update|oops|not quite|that's (?:wrong|outdated"
    r"|not right)"
    r"|that is (?:wrong|outdated|incorrect|not right)|you're wrong)\b[\s,.:;!-]*)+"
)
_POINTS: Final = expression(
    r"(?:but )?(?:(?:it|that|this)(?:'s| is| was|(?: has)? (?:changed|been changed|been extended"
    r"|been raised) to)"
    r"|(?:it|this) (?:is|was) changed to|i meant?|make (?:it|that)|(?:it )?should (?:be|read)|is)(?P<not>n't"
    r"| not| never| no longer)? "
    r"(?P<now>(?:now|currently|actually|only|really|already) )*"
)
_WAS: Final = expression(r"(?:it|that) (?:was|used to be) [^,.;]{1,30}?(?:,? (?:but|and|now) |, )")
_WAS_HAN: Final = expression(
    r"(?:它|这个)?(?:以前|原来|之前|过去|原先|本来)(?:是|为)[^,。;]{1,16}[,;]?(?:但|不过)?"
)
_BUT: Final = expression(r"[\s,;]*(?:but (?:it is |rather )?|it is |it's |而是|应该是|应是|是)")
_NOW: Final = expression(r"\b(?:now|currently|from|since|as of|starting|these days)\b")
_MARKED_HAN: Final = expression(
    r"[\s,。]*(?:(?:不对|错了|说错了|更正|纠正|更新|等等|等一下|抱歉|对不起|哦不|不好意思|搞错了|记错了"
    r"|不是的?(?=[,。!:])|不(?=[,。!:]))[\s,。!:]*)+"
)
_POINTS_HAN: Final = expression(
    r"(?:但|而且)?(?:它|这个|那个|期限|这|那)?(?P<now>现在|目前|如今|已经?|现已|其实|应该|我是说"
    r"|准确说)*(?P<not>不再|不)?(?:是|为|改成了?|改为了?|变成了?|变为|调整为|延长到|涨到|降到)(?:了)?"
)
_FORGET: Final = expression(
    r"""\W*(?:(?:please|ok|okay|no|actually|just|sorry|wait|so)\W+)*(?:(?:forget|ignore|disregard|scratch|strike
      |never\ ?mind)
      \ (?:about\ )?
      (?:that|it|this|what\ i\ (?:just\ )?(?:said|told\ you)|my\ (?:last|previous)\ (?:message|remark
        |statement)
        |the\ (?:last|previous)\ (?:message|one|statement|remark|sentence))
      |i\ take\ (?:that|it)\ back)(?:\ please|\ again|,\ i\ was\ wrong)?\W*$""",
    re.VERBOSE,
)
_VOID: Final = expression(
    r"""\W*(?:and\ )?(?:that|this|it|(?:the|what\ was\ said)\ (?:previous|old|earlier|above|former|before)
      (?:\ (?:rule|one|value|policy|statement|version|number|information))?)
      \ (?:(?:is|has\ been|was)\ (?:now\ |hereby\ )?(?:void|cancelled|canceled|withdrawn|revoked
        |no\ longer\ (?:valid|true|in\ force)|obsolete|outdated)
      |no\ longer\ (?:applies|holds))\W*$""",
    re.VERBOSE,
)
_VOID_LAST: Final = expression(
    r"(?:and|so|;|,)\s+the\ (?:previous|old|earlier|former)(?: (?:rule|one|value|policy|version|number))?"
    r" (?:(?:is|has been|was) (?:now |hereby )?(?:void|cancelled|canceled|withdrawn|revoked"
    r"|no longer (?:valid|in force))|no longer applies)\W*$"
)
_FORGET_HAN: Final = expression(
    r"[\s,。]*(?:请|麻烦|还是|算了)?[,]?(?:(?:忘掉|忘了|忽略|别管|收回|撤回|撤销|不要管)(?:掉)?(?:这个|那个"
    r"|它|刚才(?:说的|的话|那句话?|那个)?|刚刚(?:说的)?|上面(?:的|那条|说的)?|之前(?:说的|的)?|前面(?:说的)?"
    r"|我(?:刚才|刚刚)?说的(?:话)?|这条|那条)?"
    r"|当我没说(?:过)?|就当(?:我)?没说(?:过)?|(?:刚才|刚刚|上面|前面)(?:说的|的话|那句)?不算数?)(?:吧|了"
    r"|的话)?[\s。!,]*$"
)
_VOID_HAN: Final = expression(
    r"(?:^|[,。;\s])(?:之前|此前|先前|原来|原先|原|上述|以上|刚才|前面|旧)(?:的|那条|那个|说的|版)?(?:规定"
    r"|规则|说法|版本|标准|期限|通知|内容|消息|话|政策|方案|价格)?(?:全部|都|一律|即日起|同时|随即|现|已经?"
    r"|均|也)*"
    r"(?:作废|无效|失效|废止|取消|不算数?|不再有效|不再适用|不再执行)(?:了)?[\s。!,]*$"
)
_FEW_WORDS: Final = 4
_FEW_MARKS: Final = 12


@dataclass(frozen=True, slots=True)
class _Corrected:
    """Where a corrected value begins, from when it holds, and how the words say that they correct.

    They are marked by a word such as "no", or at least clear: "it is 15 days now".
    """

    value_at: int
    stance: Stance
    bounds: Bounds = UNBOUNDED
    marked_to: int = 0
    is_marked: bool = False
    is_clear: bool = False


def takes_back(text: str, situation: Situation) -> Iterator[Found]:
    """What a sentence takes back or puts right without naming it."""
    written = plain(text)
    if is_question(written):
        return
    forgets, void_words = (_FORGET_HAN, _VOID_HAN) if has_han(written) else (_FORGET, _VOID)
    if forgets.match(written):
        yield _given_up(text, situation)
        return
    if (void := _found(void_words, written)) is not None:
        yield _voided(text, void.start(), situation)
        return
    bounds = (ChineseBounds if has_han(written) else EnglishBounds)(written, situation.spoke_at)
    corrected = _corrected(written, bounds)
    if corrected is not None:
        yield from _put_right(text, written, corrected, bounds, situation)


def voids(text: str, situation: Situation) -> Iterator[Found]:
    """What the last clause of a sentence says of the former value, after the new one was said."""
    written = plain(text)
    void = _VOID_HAN.search(written) if has_han(written) else _VOID_LAST.search(written)
    if void is not None and not is_question(written):
        yield _voided(text, void.start(), situation)


def _found(void: re.Pattern[str], written: str) -> re.Match[str] | None:
    return void.search(written) if has_han(written) else void.match(written)


def _last(situation: Situation) -> Mention | None:
    return situation.before[-1] if situation.before else None


def _given_up(text: str, situation: Situation) -> Found:
    last = _last(situation)
    if last is None:
        return gap(Missing.ANTECEDENT, 0, len(text))
    return _on(last, last.value, last.unit, situation, (0, len(text)), Stance.GIVES_UP)


def _voided(text: str, start: int, situation: Situation) -> Found:
    """The former value is void: what stands but the new one, if one was just said, or the last."""
    spot = (start, len(text))
    new = [one for one in situation.block if one.stance is Stance.SUPPORTS and one.value is not None]
    if new:
        one = new[-1]
        return Candidate(one.subject, one.attribute, None, *spot, stance=Stance.ENDS, but=one.value)
    last = _last(situation)
    if last is None:
        return gap(Missing.ANTECEDENT, *spot)
    return _on(last, last.value, last.unit, situation, spot, Stance.ENDS)


def _on(
    last: Mention,
    value: RawValue,
    unit: str | None,
    situation: Situation,
    spot: tuple[int, int],
    stance: Stance,
) -> Candidate:
    """A candidate on the slot of what was spoken of last."""
    attribute = _attribute(last, situation)
    return Candidate(last.subject, attribute, value, *spot, unit, stance)


def _attribute(last: Mention, situation: Situation) -> Attribute:
    return situation.lexicon.attribute(last.attribute) or undeclared(last.attribute)


def _corrected(written: str, bounds: ChineseBounds | EnglishBounds) -> _Corrected | None:
    """Where the new value begins, after marks of correction, what was before, a time, and "it is"."""
    is_han = has_han(written)
    marks, points, was = (_MARKED_HAN, _POINTS_HAN, _WAS_HAN) if is_han else (_MARKED, _POINTS, _WAS)
    marked = marks.match(written)
    at = marked.end() if marked else 0
    if before := was.match(written, at):
        at = before.end()
    lead = bounds.leading(at)
    is_led = lead.end > at
    pointed = points.match(written, lead.end)
    if pointed is None:
        is_bare = marked is not None and quantity_at(written, at) is not None
        return (
            _Corrected(at, Stance.SUPPORTS, marked_to=at, is_marked=True, is_clear=True) if is_bare else None
        )
    is_now = bool(pointed["now"]) or _NOW.search(written, pointed.end()) is not None
    is_marked = marked is not None
    negation = (pointed["not"] or "").strip()
    stance = Stance.SUPPORTS
    if negation:
        stance = Stance.ENDS if negation in ("no longer", "不再") else Stance.REFUTES
    is_clear = is_marked or is_now or is_led or before is not None or stance is not Stance.SUPPORTS
    return _Corrected(
        pointed.end(),
        stance,
        lead.bounds,
        marked.end() if marked else 0,
        is_marked=is_marked,
        is_clear=is_clear,
    )


def _put_right(
    text: str,
    written: str,
    corrected: _Corrected,
    bounds: ChineseBounds | EnglishBounds,
    situation: Situation,
) -> Iterator[Found]:
    at, end = corrected.value_at, len(text)
    last = _last(situation)
    has_amount = quantity_at(written, at) is not None
    if last is None:
        if corrected.is_clear and has_amount:
            yield gap(Missing.ANTECEDENT, 0, end)
        return
    attribute = _attribute(last, situation)
    is_amount = attribute.value_type in (ValueType.NUMBER, ValueType.DATE) or has_amount
    if not (corrected.is_marked or (corrected.is_clear and has_amount)):
        return
    value_end = end if is_amount else _words_end(bounds, written, at, end)
    value = value_in(Place(text, written, at, value_end, situation.spoke_at), attribute)
    if isinstance(value, Gap):
        yield Gap(Missing.VALUE, 0, end, value.says)
    elif not isinstance(value, Written):
        if has_amount:
            yield gap(Missing.ANTECEDENT, 0, end)
    elif not is_wordy(attribute) or _is_short(str(value.value)):
        yield from _corrections(text, written, corrected, bounds, situation, value)


def _corrections(
    text: str,
    written: str,
    corrected: _Corrected,
    bounds: ChineseBounds | EnglishBounds,
    situation: Situation,
    value: Written,
) -> Iterator[Found]:
    """The new value, and the old one that is denied beside it."""
    last, end = situation.before[-1], len(text)
    tail = bounds.tail(value.end, end)
    but = _BUT.match(written, value.end) if corrected.stance is Stance.REFUTES else None
    other, stance = (tail.denied[0] if tail.denied else None), Stance.REFUTES
    if but is not None:
        other, stance = but.end(), Stance.SUPPORTS
    elif not bounds.is_end(tail.end, end):
        yield gap(Missing.CONDITION, 0, end)
        return
    times = tail.bounds.within(corrected.bounds)
    found = _on(last, value.value, value.unit, situation, (0, value.end), corrected.stance)
    after = corrected.marked_to
    modality = modality_of(written[after:], 0, end - after)
    if modality is None or modality is Modality.ASKED:
        return
    yield replace(found, modality=modality, bounds=times)
    again = (
        None
        if other is None
        else value_in(Place(text, written, other, end, situation.spoke_at), found.attribute)
    )
    if isinstance(again, Written):
        bounds_ = times if stance is Stance.SUPPORTS else Bounds()
        spot = (0, again.end)
        yield replace(
            _on(last, again.value, again.unit, situation, spot, stance), modality=modality, bounds=bounds_
        )


def _words_end(bounds: ChineseBounds | EnglishBounds, written: str, at: int, end: int) -> int:
    """Where a value in words ends: before a time that ends the sentence."""
    for start in range(at + 1, end):
        if written[start] in " ,":
            tail = bounds.tail(start, end)
            if tail.end > start and bounds.is_end(tail.end, end):
                return start
    return end


def _is_short(value: str) -> bool:
    return len(value) <= _FEW_MARKS if has_han(value) else len(value.split()) <= _FEW_WORDS
