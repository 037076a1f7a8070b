"""Segments: a text taken apart into sentences, table rows and pairs of key and value, each at its place.

Code is left out. A line that is one of several turns of a conversation knows who speaks in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from knowwhy.ingest.plain import plain
from knowwhy.recall.expressions import expression
from knowwhy.recall.sentences import LONGEST, sentences


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or line. What stands in one `block` was said in one breath; `turn` counts the speakers.

    `speaker` is who says so where the text tells, `is_reported` whether it stands in a quoted block.
    """

    text: str
    start: int
    block: int
    turn: int = 0
    speaker: str | None = None
    is_reported: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """A key with its value, in a list of such that names what it is about."""

    subject: str
    key: str
    value: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: what it is about, and its cells, each with the header above it."""

    subject: str
    cells: tuple[tuple[str, str], ...]
    start: int
    text: str


Segment: TypeAlias = Sentence | Pair | Row


@dataclass(frozen=True, slots=True)
class Segments:
    """All segments of a text in order, and how much was passed over, by reason."""

    found: tuple[Segment, ...]
    passed: Counter[str] = field(default_factory=Counter)


_Line: TypeAlias = tuple[int, str]

_FENCE: Final = expression(r" {0,3}(`{3,}|~{3,})")
_INDENTED: Final = expression(r"(?: {4}|\t)\s*\S")
_HEADING: Final = expression(r" {0,3}#{1,6}\s")
_RULE: Final = expression(r"\s*(?:[-*_=]\s*){3,}$")
_QUOTED: Final = expression(r" {0,3}>\s?")
_LISTED: Final = expression(
    r"\s*(?:[-*+•·]|\d{1,3}[.)、]|[（(][\d一二三四五六七八九十]{1,3}[)）])\s*(?:\[[ xX]\]\s*)?(?=\S)"
)
_OPEN_TASK: Final = expression(r"\s*[-*+]\s+\[ \]")
_DELIMITER: Final = expression(r"\s*\|?(?:\s*:?-{1,}:?\s*\|)+(?:\s*:?-+:?\s*)?\|?\s*$")
_LABEL: Final = expression(
    r"\s*(?:\[[^\]\n]{1,30}\]\s*)?([^\s:：|][^:：|\n]{0,30}?)\s*(?:[（(][^()（）\n]{1,30}[)）])?\s*[:：]\s+?(?=\S)"
    r"|\s*([\u4e00-\u9fff]{1,8})：(?=\S)"
)
_ROLES: Final = frozenset({"user", "assistant", "customer", "bot", "human", "ai"}) | {
    "用户", "助手", "客户", "客服", "顾客", "机器人"
}  # fmt: skip
# Roles that are also plain words: they speak only where another role does.
_OFFICES: Final = frozenset({"agent", "system", "support", "系统"})
_NO_SPEAKERS: Final = frozenset({"note", "correction", "update", "warning", "tip", "ps", "q", "a"}) | {
    "question", "answer", "注意", "更正", "备注", "注", "问", "答", "更新", "提示", "说明"
}  # fmt: skip
_PAIR: Final = expression(r"\s*(?:[-*+]\s+)?([^\s:：#|{}\[\]][^:：\n|{}]{0,39}?)\s*[:：]\s*(\S[^\n]{0,399})$")
_NAMING: Final = frozenset({"name", "subject", "entity", "title"}) | {
    "名称", "名字", "主体", "对象", "姓名", "标题", "店名", "公司名称", "产品名称", "项目名称"
}  # fmt: skip
_FRONT: Final = "---"
_LONGEST_FRONT: Final = 200
_WRAPPED: Final = 60
_ENDS: Final = tuple(".!?。！？；;:：")
_STRUCK: Final = "~~"


def segmented(text: str, is_key: Callable[[str], bool] = lambda _label: False) -> Segments:
    """The segments of `text`. It is read once from beginning to end, whatever stands in it.

    `is_key` tells which labels before a colon name an attribute, so that they are no speakers.
    """
    lines = list(_lines(text))
    passed: Counter[str] = Counter()
    found: list[Segment] = []
    at = 0
    if lines and lines[0][1].strip() == _FRONT:
        closing = next(
            (
                n
                for n, (_, line) in enumerate(lines[1 : _LONGEST_FRONT + 1], 1)
                if line.strip() in (_FRONT, "...")
            ),
            None,
        )
        if closing is not None:
            found += _paired(lines[1:closing])
            at = closing + 1
    found += _Body(text, lines[at:], passed, is_key).segments()
    return Segments(tuple(found), passed)


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line.rstrip("\r\n")
        at += len(line)


def _paired(lines: list[_Line]) -> list[Segment]:
    """The pairs among some lines, if one of the first names what they are about."""
    pairs = [(start, found) for start, line in lines if (found := _PAIR.match(line))]
    named = [found[2] for _, found in pairs if plain(found[1]) in _NAMING]
    if not named:
        return []
    subject = _unquoted(named[0])
    return [
        Pair(
            subject,
            found[1],
            _unquoted(found[2]),
            start + found.start(1),
            found[0][found.start(1) :].rstrip(),
        )
        for start, found in pairs
        if plain(found[1]) not in _NAMING
    ]


def _unquoted(value: str) -> str:
    value = value.strip()
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'`"
    return value[1:-1] if is_quoted else value


class _Body:
    """One reading of the lines below the front matter."""

    def __init__(
        self, text: str, lines: list[_Line], passed: Counter[str], is_key: Callable[[str], bool]
    ) -> None:
        self._text, self._lines, self._passed = text, lines, passed
        self._block = self._turn = 0
        self._speaker: str | None = None
        self._labels = _labels(lines, is_key)

    def segments(self) -> Iterator[Segment]:
        at, after_blank = 0, True
        while at < len(self._lines):
            start, line = self._lines[at]
            if not line.strip() or _HEADING.match(line) or _RULE.match(line):
                self._block += 1
                at, after_blank = at + 1, True
            elif fence := _FENCE.match(line):
                at = self._after_code(at + 1, fence[1])
            elif after_blank and _INDENTED.match(line) and not _LISTED.match(line):
                self._passed["code"] += 1
                at += 1
            elif "|" in line and at + 1 < len(self._lines) and _DELIMITER.match(self._lines[at + 1][1]):
                end = self._table_end(at + 2)
                yield from _rows(self._lines[at][1], self._lines[at + 2 : end])
                at, after_blank = end, False
            elif pairs := self._pairs(at):
                yield from _paired(self._lines[at : at + pairs])
                at, after_blank = at + pairs, False
            else:
                end = self._wrapped_end(at)
                yield from self._sentences(start, self._lines[end - 1])
                at, after_blank = end, False

    def _after_code(self, at: int, fence: str) -> int:
        """The line after a block of code; one that is never closed goes to the end."""
        self._passed["code"] += 1
        while at < len(self._lines):
            if self._lines[at][1].strip().startswith(fence):
                return at + 1
            at += 1
        return at

    def _table_end(self, at: int) -> int:
        while at < len(self._lines) and "|" in self._lines[at][1]:
            at += 1
        return at

    def _pairs(self, at: int) -> int:
        """How many lines from here on are pairs, if the first of them names what they are about."""
        first = _PAIR.match(self._lines[at][1])
        if first is None or plain(first[1]) not in _NAMING:
            return 0
        end = at + 1
        while end < len(self._lines) and _PAIR.match(self._lines[end][1]):
            end += 1
        return end - at if end - at > 1 else 0

    def _wrapped_end(self, at: int) -> int:
        """The line after those that are one paragraph, broken for width alone."""
        end = at + 1
        while end < len(self._lines):
            before, line = self._lines[end - 1][1], self._lines[end][1]
            is_wrapped = len(before) >= _WRAPPED and not before.rstrip().endswith(_ENDS) and "|" not in line
            is_new = not line.strip() or any(
                mark.match(line) for mark in (_LISTED, _QUOTED, _FENCE, _HEADING, _RULE, _PAIR)
            )
            if not is_wrapped or is_new:
                break
            end += 1
        return end

    def _sentences(self, start: int, last: _Line) -> Iterator[Sentence]:
        """The sentences from here to the end of a line, after marks of lists, quotes and speakers."""
        end = last[0] + len(last[1])
        quoted = _QUOTED.match(self._text, start, end)
        start = quoted.end() if quoted else start
        if _OPEN_TASK.match(self._text, start, end):
            self._passed["open task"] += 1
            return
        listed = _LISTED.match(self._text, start, end)
        start = listed.end() if listed else start
        label = _LABEL.match(self._text, start, end)
        if label is not None and plain(label[1] or label[2]) in self._labels:
            self._speaker, start = label[1] or label[2], label.end()
            self._turn += 1
            self._block += 1
        for begin, close in sentences(self._text, start, end):
            written = self._text[begin:close]
            if close - begin > LONGEST:
                self._passed["too long"] += 1
            elif _STRUCK in written:
                self._passed["struck out"] += 1
            else:
                speaker = self._speaker if self._labels else None
                yield Sentence(written, begin, self._block, self._turn, speaker, quoted is not None)


def _labels(lines: list[_Line], is_key: Callable[[str], bool]) -> frozenset[str]:
    """The labels that are speakers: roles, and what begins several lines and is no key."""
    counted: Counter[str] = Counter()
    for _, line in lines:
        found = _LABEL.match(line)
        if found is not None:
            counted[plain(found[1] or found[2])] += 1
    roles = {label for label in counted if label in _ROLES or label in _OFFICES}
    return frozenset(
        label
        for label, times in counted.items()
        if label in _ROLES
        or (label in roles and len(roles) > 1)
        or (times > 1 and label not in _NO_SPEAKERS and not is_key(label))
    )


def _rows(header: str, lines: list[_Line]) -> Iterator[Row]:
    """The rows of a table; one of two columns whose headers only say "key" and "value" has none."""
    headers = _cells(header)
    for start, line in lines:
        cells = _cells(line)
        if cells and cells[0]:
            indent = len(line) - len(line.lstrip())
            yield Row(
                cells[0], tuple(zip(headers[1:], cells[1:], strict=False)), start + indent, line.strip()
            )


def _cells(line: str) -> list[str]:
    return [
        cell.strip().strip("*`").strip()
        for cell in line.strip().removeprefix("|").removesuffix("|").split("|")
    ]
