"""Topics: what stands before an attribute in Chinese - of whom it is, from when, and under what condition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from knowwhy.ingest.candidates import UNBOUNDED, Bounds
from knowwhy.ingest.grammar.chinese_bounds import ChineseBounds
from knowwhy.ingest.grammar.subjects import Owner, Subject
from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Topic:
    """Of whom something is said, and how: `is_past` that it was so, `is_limited` that it is of some only.

    Where it is not clear, there are words that are no name.
    """

    subject: Subject | None
    bounds: Bounds = UNBOUNDED
    start: int = 0
    is_past: bool = False
    is_limited: bool = False
    is_clear: bool = True


ADVERBS: Final = expression(
    r"(?:目前|现在|最近|近来|当前|如今|现|已经|已|仍然|仍|还|均|都|也|正|一直|就|正式|将|会|要|拟|即将|计划|预计|暂|暂时|统一|全部|可能|也许|大概(?!\d)"
    r"|依然|同样|真的|其实|的确|确实|应该|应当|应|或许|恐怕|打算|准备|决定|考虑| )+"
)
_LEADS: Final = expression(
    r"""(?:(?:如果|假如|假设|假使|要是|倘若|万一|若是|若|即使|就算|除非|只要|例如|比如|譬如|其实|另外|此外|同时|而且|并且|但是|但|不过|所以|因此|其中
      |注意|通知|公告|更正|纠正|提醒|备注|说明|补充|关于|对于|根据[^,;。]{1,14},|按照[^,;。]{1,14},|好的|据传|传闻|传言|有传言说|坊间传闻|对|是的|不对|不是|听说|据说|据悉|据我所知|就我所知|据我了解|而|然而|至于|相比之下|不如|要不
      |我们?(?:觉得|认为|想|猜|建议|希望|相信|说过?|刚说过?)|建议|希望|请|目前|现在|当前|如今|今后|可能|也许|大概|应该|或许|恐怕|看来
      |我(?:已经)?(?:告诉|跟)(?:过)?你(?:说过?)?)[\s,:]*)+""",
    re.VERBOSE,
)
_REPORT: Final = expression(
    r"^.{0,20}?(?:(?<![会小])说(?:过|了|道)?(?!明|法)|(?<![名简职])称(?!为|号)|表示|认为|提到|告诉(?:了|过)?(?:我们?|大家)|透露|声称|觉得|以为|指出|听说|据说|相信)[,:\s“”\"]*"
)
_DISPOSAL: Final = expression(r"^(?P<who>.*?)(?P<mark>把|将(?!来|军))")
_MODIFIERS: Final = expression(
    r"(?:最新|当前|现行|目前|实际|具体|新任|现任|新|正式)?(?:的(?:最新|新|现任|新任)?)?$"
)
_PAST: Final = expression(
    # One character alone is part of a name, unless it stands right before what is spoken of.
    r"以前|过去|曾经|原来|原先|之前|当时|那时|从前|老版|旧版|此前|原本|原有|原定|前任|上任|首任|[曾原旧]的?$"
)
# A clause before that says when or for whom it holds: 持学生证时. With a time in it, it is a time.
_UNDER: Final = expression(
    r"(?:时|期间|情况下|条件下|前提下|之前|以前|之后|以后|者|的人|会员|用户|顾客|客户|买家|学生|员工)[,:\s]*$"
)
_BACK_THEN: Final = expression(r"的时候|小时候|那时|当年|那年|当初")
# My colleague 小赵: who he is to somebody, before his name.
_CALLED: Final = expression(
    r"(?:我|我们|他|她|你)们?的?(?:同事|朋友|老板|上司|经理|同学|老师|室友|邻居|客户|助理|妻子|丈夫|太太|先生|女儿|儿子"
    r"|姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|表哥|表姐)(?=[^的,]{2})"
)
_CLASSES: Final = expression(
    r"(?:会员|用户|客户|顾客|学生|新人|买家|卖家|代理商|vip|商品|员工|节假日|周末|平时|线上|线下|标准|默认|特价|最长|最短|最低|最高|平均|预计|每个人|大家|所有人|人人|家)$"
    r"|^(?:每|所有|全部|任何|各|某|凡是|部分|多数|有些|有的|一般|其他|其它|另一)"
)
_NOT_IN_NAMES: Final = expression(
    r"是|说|如果|因为|所以|没有|什么|哪|谁|这|那|让|被|请|要求|需要|应该|可以|告诉|不|都|吗|呢|[,;:。!?]|知道|记得|有关|的|我|你|您|咱|比起|除非|觉得"
)
# What a clause ends with that goes on: no name ends so.
_GOES_ON: Final = expression(r"(?:想|差点儿?|从|宣布|宣称|承认|确认|公布|否认|最.{1,2}|年度|季度|月度|曾)$")
_SEVERAL: Final = expression(r"[^和与及]{2,}(?:和|与|及|以及|跟)[^和与及]{2,}|、")
_OWNERS: Final = {
    "我": Owner.SPEAKER,
    "本人": Owner.SPEAKER,
    "我自己": Owner.SPEAKER,
    "我们": Owner.HOUSE,
    "咱们": Owner.HOUSE,
    "本店": Owner.HOUSE,
    "我店": Owner.HOUSE,
    "我司": Owner.HOUSE,
    "本公司": Owner.HOUSE,
    "我们公司": Owner.HOUSE,
    "我们店": Owner.HOUSE,
    "本站": Owner.HOUSE,
    "你": Owner.LISTENER,
    "您": Owner.LISTENER,
    "你们": Owner.LISTENER,
    "他": Owner.LAST,
    "她": Owner.LAST,
    "它": Owner.LAST,
    "其": Owner.LAST,
    "该店": Owner.LAST,
    "该公司": Owner.LAST,
    "他们": Owner.LAST,
}
_CLAUSE_START: Final = expression(r"[,;:。!?]")
_LONGEST_NAME: Final = 24
_LONGEST_LABEL: Final = 16
_LONGEST_TIME: Final = 20


@dataclass(frozen=True, slots=True)
class Topics:
    """Finds topics in one sentence."""

    text: str
    plain: str
    bounds: ChineseBounds

    def before(self, begin: int, end: int, *, is_disposed: bool = False) -> Topic:
        """The topic of a statement, from the words of its clause between two places.

        `is_disposed` says that its predicate changes something, as 把 and 将 announce.
        """
        start = self.clause_start(begin, end)
        bounds = self.led_bounds(begin, start)
        is_limited = bounds == Bounds() and _UNDER.search(self.plain, begin, start) is not None
        is_past = bool(_PAST.search(self.plain, start, end) or _BACK_THEN.search(self.plain, begin, start))
        start, more = self._after_leads(start, end)
        bounds = more.within(bounds)
        stop, trailing = self._before_time(start, end)
        bounds = trailing.within(bounds)
        if is_disposed and (disposal := _DISPOSAL.match(self.plain[start:end])):
            after, who_end = start + disposal.end(), start + disposal.end("who")
            who_stop, more = self._before_time(start, who_end)
            bounds = more.within(bounds)
            start, stop = (after, end) if self.plain[after:end].strip() else (start, who_stop)
        words = self.plain[start:stop].rstrip()
        bare = words[: _found_at(_MODIFIERS, words)].rstrip()
        stop, named_time = self._before_time(start, start + len(bare))
        bounds = named_time.within(bounds)
        if not self.plain[start:stop].strip(' ,:"'):
            label = self._labelled(start)
            return Topic(label, bounds, start, is_past=is_past, is_limited=is_limited and label is None)
        subject = self.named(start, stop)
        if subject is None:
            return Topic(None, bounds, start, is_past=is_past, is_clear=False)
        is_class = subject.owner is None and _CLASSES.search(self.plain[start:stop]) is not None
        is_limited = is_limited or is_class
        return Topic(subject, bounds, subject.start, is_past=is_past, is_limited=is_limited)

    def named(self, start: int, end: int) -> Subject | None:
        """The name between two places, or the word that points at somebody."""
        while start < end and self.plain[start] in " ,:\"'(":
            start += 1
        while end > start and self.plain[end - 1] in " ,:\"'()":
            end -= 1
        if called := _CALLED.match(self.plain, start, end):
            start = called.end()
        words = self.plain[start:end]
        if words in _OWNERS:
            return Subject(start, end, owner=_OWNERS[words])
        name = self.text[start:end].strip("“”「」『』《》`")
        if not name or len(name) > _LONGEST_NAME:
            return None
        if any(pattern.search(words) for pattern in (_NOT_IN_NAMES, _SEVERAL, _GOES_ON)):
            return None
        return None if words.startswith(("他", "她", "它", "本店", "该")) else Subject(start, end, name=name)

    def _labelled(self, at: int) -> Subject | None:
        """The label that a sentence begins with, if its clause follows one: 流明台灯：价格49欧元."""
        colon = self.plain.find(":")
        is_label = 0 < colon < min(at, _LONGEST_LABEL) and not self.plain[colon + 1 : at].strip(" ")
        return self.named(0, colon) if is_label and not _LEADS.match(self.plain) else None

    def holder(self, start: int, end: int) -> tuple[Subject | None, Bounds]:
        """The name between two places, and the time that stands behind it: 周敏五月份."""
        stop, bounds = self._before_time(start, end)
        return self.named(start, stop), bounds

    def name_start(self, start: int, end: int) -> int:
        """Where a name begins, after the reports, conjunctions and times of its clause."""
        return self._after_leads(self.clause_start(start, end), end)[0]

    def clause_start(self, begin: int, at: int) -> int:
        """Where the clause begins in which a place lies."""
        start = max((mark.end() for mark in _CLAUSE_START.finditer(self.plain, begin, at)), default=begin)
        while start < at and self.plain[start] in " ,;:。":
            start += 1
        return start

    def led_bounds(self, begin: int, start: int) -> Bounds:
        """The time that the clause before names on its own: 自1月12日起."""
        bounds, at = Bounds(), begin
        while at < start:
            found = self.bounds.adjunct(_after(_LEADS, self.plain, at))
            if found is None or found.puzzle is not None or found.end > start:
                break
            bounds, at = found.bounds.within(bounds), found.end
            if not self.plain[at:start].strip(" ,:;"):
                return bounds
        return Bounds()

    def _after_leads(self, start: int, end: int) -> tuple[int, Bounds]:
        """Where the subject begins, after reports, conjunctions, adverbs and times; and the times."""
        bounds = Bounds()
        report = _REPORT.match(self.plain[start:end])
        start = start + report.end() if report else start
        while start < end:
            leads = _LEADS.match(self.plain, start, end)
            at = leads.end() if leads else start
            found = self.bounds.adjunct(at)
            if found is not None and found.puzzle is None and found.end <= end:
                bounds, at = found.bounds.within(bounds), found.end
                while at < end and self.plain[at] in " ,":
                    at += 1
            if at == start:
                break
            start = at
        return start, bounds

    def _before_time(self, start: int, end: int) -> tuple[int, Bounds]:
        """Where a name ends, before adverbs and a time that stand between it and what follows."""
        for at in range(max(start + 1, end - _LONGEST_TIME), end):
            after = _after(ADVERBS, self.plain, at, end)
            if after == end:
                return at, Bounds()
            found = self.bounds.adjunct(after)
            if found is None or found.puzzle is not None or found.end > end:
                continue
            if _after(ADVERBS, self.plain, found.end, end) == end:
                return at, found.bounds
        return end, Bounds()


def _after(pattern: re.Pattern[str], plain: str, at: int, end: int | None = None) -> int:
    found = pattern.match(plain, at, len(plain) if end is None else end)
    return found.end() if found else at


def _found_at(pattern: re.Pattern[str], words: str) -> int:
    found = pattern.search(words)
    return found.start() if found else len(words)
