"""Reliability diagrams: what was said against what came true, in letters and as a drawing.

Bröcker and Smith (2007) for the diagram; Wilson (1927) for its bars.
"""

from __future__ import annotations

import hashlib
import html
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from knowwhy.core.confidence.calibration import Bin
from knowwhy.core.model import one_line

_COLUMNS: Final = 41  # an odd number, so that one half has a column of its own

# What XML 1.0 has no place for.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks a diagram in letters is made of."""

    nothing: str
    least: str
    within: str
    greatest: str
    share: str
    said: str


UNICODE: Final = Marks("·", "├", "─", "┤", "●", "┃")
ASCII: Final = Marks(".", "[", "-", "]", "o", "|")


@dataclass(frozen=True, slots=True)
class Series:
    """The bins of one set of numbers, under a name."""

    name: str
    bins: tuple[Bin, ...]


def in_letters(bins: Sequence[Bin], marks: Marks) -> Iterator[str]:
    """The diagram line by line: each bin with its interval, the share that came true, and what was said."""
    yield f"said  true     n  0{'.5'.center(_COLUMNS - 2)}1"
    for one in bins:
        yield f"{one.shown:.2f}  {one.true:.2f}  {one.count:>4}  {_bar(one, marks)}"
    yield (
        f"{marks.share} what came true, {marks.least}{marks.within}{marks.greatest} where the real share "
        f"lies (95 %), {marks.said} what was said"
    )


def _bar(one: Bin, marks: Marks) -> str:
    least, greatest = (_column(end) for end in one.interval)
    cells = [marks.nothing] * _COLUMNS
    cells[least : greatest + 1] = [marks.within] * (greatest + 1 - least)
    cells[least], cells[greatest] = marks.least, marks.greatest
    cells[_column(one.shown)] = marks.said
    cells[_column(one.true)] = marks.share
    return "".join(cells)


def _column(share: float) -> int:
    return round(share * (_COLUMNS - 1))


# As a drawing ------------------------------------------------------------------------------------

_LEFT, _TOP, _SIDE, _COUNTS, _WIDTH = 56, 44, 320, 48, 400
_FLOOR: Final = _TOP + _SIDE  # where the share 0 is drawn
_LONGEST_TITLE: Final = 44
_ROOM: Final = 16  # what the number below a bar needs, in the unit of the drawing

# Mid tones, which are legible on white and on black.
_STYLE: Final = """
text { font: 12px system-ui, sans-serif; fill: #767676 }
.title { font-size: 14px; font-weight: 600 }
.axis, .diagonal, .tick { stroke: #767676; fill: none }
.tick { stroke-opacity: .35 }
.diagonal { stroke-dasharray: 5 4 }
.first { stroke: #767676; fill: none; stroke-width: 1.5 }
.second { stroke: #2f80d0; fill: #2f80d0; stroke-width: 1.5 }
.first.count { fill: #767676; fill-opacity: .6; stroke: none }
.second.count { fill-opacity: .6; stroke: none }
.small { font-size: 9px; stroke: none }
.first.small { fill: #767676 }
"""


def as_svg(title: str, description: str, series: Sequence[Series]) -> str:
    """A drawing that stands alone: of at most two series, with Wilson bars, the diagonal and the counts.

    It has a title and a description for those who cannot see it, and no colour of its own behind it.
    """
    name = hashlib.sha256(f"{title}\n{description}".encode(errors="replace")).hexdigest()[:12]
    height = _FLOOR + _COUNTS + 74 + 16 * len(series)
    size = f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
    labels = f'role="img" aria-labelledby="title-{name} description-{name}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {labels}>',
        f'<title id="title-{name}">{_escaped(title)}</title>',
        f'<desc id="description-{name}">{_escaped(description)}</desc>',
        f"<style>{_STYLE}</style>",
        f'<text class="title" x="{_LEFT}" y="22">{_escaped(one_line(title, _LONGEST_TITLE))}</text>',
        *_frame(),
    ]
    most = max((one.count for each in series for one in each.bins), default=1)
    for style, each in zip(("first", "second"), series, strict=False):
        parts += _points(style, each)
        parts += _bars(style, each, most)
    parts += _legend(series, height)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _frame() -> Iterator[str]:
    """The axes with their numbers, and the diagonal on which calibrated numbers lie."""
    for tenths in range(0, 11, 2):
        share = tenths / 10
        x, y = _across(share), _up(share)
        yield f'<path class="tick" d="M{x} {_TOP}V{_FLOOR}M{_LEFT} {y}H{_LEFT + _SIDE}"/>'
        yield f'<text x="{x}" y="{_FLOOR + 16}" text-anchor="middle">{share:g}</text>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{share:g}</text>'
    yield f'<path class="axis" d="M{_LEFT} {_TOP}V{_FLOOR}H{_LEFT + _SIDE}"/>'
    yield f'<path class="diagonal" d="M{_LEFT} {_FLOOR}L{_LEFT + _SIDE} {_TOP}"/>'
    yield f'<text x="{_LEFT + _SIDE / 2}" y="{_FLOOR + 32}" text-anchor="middle">what was said</text>'
    middle = _TOP + _SIDE / 2
    yield (
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">'
        "share that came true</text>"
    )


def _points(style: str, series: Series) -> Iterator[str]:
    """Each bin as a point with its Wilson bar."""
    for one in series.bins:
        x, (least, greatest) = _across(one.shown), one.interval
        says = _escaped(f"{series.name}: {_in_words(one)}")
        yield (
            f'<g class="{style}"><title>{says}</title>'
            f'<path d="M{x} {_up(least)}V{_up(greatest)}"/>'
            f'<circle cx="{x}" cy="{_up(one.true)}" r="4"/></g>'
        )


def _bars(style: str, series: Series, most: int) -> Iterator[str]:
    """How many are in each bin, as bars below the diagram; their numbers where there is room."""
    ground = _FLOOR + 40 + _COUNTS
    last = -math.inf
    shift, line = (-3, ground + 10) if style == "first" else (3, ground + 20)
    for one in series.bins:
        x, height = _across(one.shown) + shift, max(1.0, round(one.count / most * _COUNTS, 1))
        yield f'<path class="{style} count" d="M{x - 3} {ground}v{-height}h6v{height}z"/>'
        if x - last >= _ROOM:
            yield f'<text class="{style} small" x="{x}" y="{line}" text-anchor="middle">{one.count}</text>'
            last = x


def _legend(series: Sequence[Series], height: int) -> Iterator[str]:
    for place, (style, each) in enumerate(zip(("first", "second"), series, strict=False)):
        y = height - 6 - 16 * (len(series) - 1 - place)
        yield f'<circle class="{style}" cx="{_LEFT + 5}" cy="{y - 4}" r="4"/>'
        count = sum(one.count for one in each.bins)
        yield f'<text x="{_LEFT + 16}" y="{y}">{_escaped(each.name)} ({count} labels, 95 % intervals)</text>'


def described(series: Sequence[Series]) -> str:
    """The series in words, bin by bin."""
    return " ".join(f"{each.name}: {'; '.join(map(_in_words, each.bins))}." for each in series if each.bins)


def _in_words(one: Bin) -> str:
    least, greatest = one.interval
    said = f"said {one.shown:.2f}, came true {one.true:.2f} of {one.count}"
    return f"{said} (really {least:.2f} to {greatest:.2f})"


def _across(share: float) -> float:
    return round(_LEFT + share * _SIDE, 1)


def _up(share: float) -> float:
    return round(_FLOOR - share * _SIDE, 1)


def _escaped(text: str) -> str:
    return html.escape(_NO_XML.sub("\ufffd", text))
