"""From when and until when, in Chinese: 自1月12日起, 从下个月1号开始, 截至三月底, 有效期至11月30日, 去年."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from knowwhy.ingest.candidates import Bounds
from knowwhy.ingest.grammar.english_bounds import Tail, moment
from knowwhy.ingest.times.chinese import clock_at, time_at
from knowwhy.ingest.times.period import Direction, Period, Puzzle
from knowwhy.recall.expressions import expression

_LED: Final = expression(
    r"(?P<from>自从?|从|打从|起自)|(?P<as_of>截至|截止到?)|(?P<until>有效期?(?:截?至|到)|直?到|至|截止至|在(?=[^,，。]{1,14}前有效))|(?P<in>在|于)"
)
_RUNS_ON: Final = expression(
    r"(?:开?始|起|以来|以后|之后|后|起?开始|正式|当天|当日)?(?:起)?(?:开始)?(?:生效|执行|实施|施行|启用)?"
)
_STARTS: Final = expression(r"(?:起|开始|以来|以后|之后)(?:开始)?(?:生效|执行|实施|施行|启用)?")
_STOPS: Final = expression(r"(?:为止|止|前有效|之前有效|前|之前)")
_TO: Final = expression(r"(?:至|到|-|~)")
_WEEKDAY: Final = expression(r"(?:周|星期|礼拜)[一二三四五六日天]")
_NOW: Final = expression(r"(?:目前|现在|当前|如今|现|今天|今日|眼下|至今)")
_MARKS: Final = expression(r"[\s,;:(。.!~]*")
_COMMA: Final = expression(r" ?,? ?")
_CLOSE: Final = expression(r"[\s)]*")
_DENIED: Final = expression(r"(?:而?不是|而非|并非|不再是|而不再是)")
_PARTICLES: Final = expression(r"(?:了|的|啦|哦|呀|哈|嘛|啊|呢|吧)(?=[\s,;。.!)]|$)")
_NEW_RULE: Final = expression(r"(?:有效|生效|执行)(?=[\s,;。.!)]|$)")
_END: Final = expression(r"[\s.。!,;:，；：！)\]\"'”’]*$")


class ChineseBounds:
    """Reads times in one sentence that was spoken at a moment, in the zone of who spoke."""

    def __init__(self, plain: str, spoke_at: datetime, direction: Direction = Direction.NEAR) -> None:
        self._plain, self._spoke_at, self._direction = plain, spoke_at, direction
        self._day, self._zone = spoke_at.date(), spoke_at.tzinfo

    def looking(self, direction: Direction) -> ChineseBounds:
        """The same, for a sentence that says that what it tells has happened."""
        return ChineseBounds(self._plain, self._spoke_at, direction)

    def adjunct(self, at: int) -> Tail | None:
        """One time, with the words before and after it that say whether it begins or ends there."""
        led = _LED.match(self._plain, at)
        if led is None:
            return self._bare(at, is_led=False)
        if led["from"]:
            return self._from(led.end())
        if led["as_of"]:
            as_of = self._point(led.end())
            is_to_come = as_of is not None and str(as_of.bounds.valid_from)[:10] > str(self._day)
            return self._until(led.end()) if is_to_come else as_of
        if led["until"]:
            return self._until(led.end())
        return self._bare(led.end(), is_led=True)

    def leading(self, at: int) -> Tail:
        """The time that a sentence begins with, up to its comma if there is one."""
        found = self.adjunct(at)
        if found is None or found.puzzle is not None:
            return Tail(end=at)
        return Tail(found.bounds, _after(_COMMA, self._plain, found.end))

    def tail(self, at: int, end: int) -> Tail:
        """All that can be understood after a value: particles, times, and 不是7天."""
        bounds, denied, puzzle = Bounds(), None, None
        while at < end:
            particle = _PARTICLES.match(self._plain, at)
            at = particle.end() if particle else at
            start = _after(_MARKS, self._plain, at)
            if known := _NOW.match(self._plain, start) or _NEW_RULE.match(self._plain, start):
                at = known.end()
            elif no := _DENIED.match(self._plain, start):
                denied, at = (no.end(), end), end
            elif (found := self.adjunct(start)) is not None and found.end <= end:
                bounds, at = found.bounds.within(bounds), found.end
                puzzle = puzzle or found.puzzle
            else:
                break
            at = _after(_CLOSE, self._plain, at)
        return Tail(bounds, at, denied, puzzle)

    def is_end(self, at: int, end: int) -> bool:
        """Whether nothing but marks stands between two places."""
        return _END.match(self._plain[at:end]) is not None

    def _bare(self, at: int, *, is_led: bool) -> Tail | None:
        is_led = is_led or self._is_led_after(at)
        found = time_at(self._plain, at, self._day, self._direction, is_led=is_led)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle):
            return Tail(end=end, puzzle=period)
        if stops := _STOPS.match(self._plain, end):
            return Tail(Bounds(valid_to=period.start), stops.end())
        if starts := _STARTS.match(self._plain, end):
            return Tail(Bounds(period.start), starts.end())
        if to := _TO.match(self._plain, end):
            return self._range(at, period, to.end())
        clock = clock_at(self._plain, end)
        if clock is not None:
            return Tail(Bounds(moment(period.start, clock[0], clock[1], self._zone)), clock[2])
        if period.start <= self._day < period.end:
            return Tail(end=end)
        return Tail(Bounds(period.start, period.end, is_bounded=True), end)

    def _range(self, at: int, begun: Period, to: int) -> Tail | None:
        """From one day to another; from one weekday to another is no time but every week."""
        found = None if _WEEKDAY.match(self._plain, at) else time_at(self._plain, to, begun.start)
        if found is None or isinstance(found[0], Puzzle) or found[0].end <= begun.start:
            return None
        return Tail(Bounds(begun.start, found[0].end, is_bounded=True), found[1])

    def _is_led_after(self, at: int) -> bool:
        """Whether a month alone is one because of what follows it: 3月起, 3月前."""
        found = time_at(self._plain, at, self._day)
        return (
            found is not None
            and (_STARTS.match(self._plain, found[1]) or _STOPS.match(self._plain, found[1])) is not None
        )

    def _from(self, at: int) -> Tail | None:
        begun = self._point(at)
        if begun is None:
            return None
        bare = self._bare(at, is_led=True)
        return bare if bare is not None and bare.end > begun.end else begun

    def _point(self, at: int) -> Tail | None:
        found = time_at(self._plain, at, self._day, self._direction)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle):
            return Tail(end=end, puzzle=period)
        bound, end = self._bound(period, end)
        return Tail(Bounds(bound), _after(_RUNS_ON, self._plain, end))

    def _until(self, at: int) -> Tail | None:
        """Until a day or month, which is included."""
        found = time_at(self._plain, at, self._day, Direction.FUTURE)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle):
            return Tail(end=end, puzzle=period)
        stops = _STOPS.match(self._plain, end)
        is_before = stops is not None and "前" in stops[0]
        bound = period.start if is_before else period.end
        return Tail(Bounds(valid_to=bound), stops.end() if stops else end)

    def _bound(self, period: Period, at: int) -> tuple[date | datetime, int]:
        clock = clock_at(self._plain, at)
        if clock is None:
            return period.start, at
        return moment(period.start, clock[0], clock[1], self._zone), clock[2]


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
