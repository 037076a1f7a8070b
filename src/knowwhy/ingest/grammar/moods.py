"""Moods: whether a statement is asserted, or asked, supposed, suggested, planned or somebody else's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from knowwhy.core.model import Modality
from knowwhy.ingest.plain import has_han
from knowwhy.recall.expressions import expression

_ASKS: Final = expression(
    r"""[?]["')\]]*\s*$ | ^\W*(?:is|are|was|were|do|does|did|can|could|should|would|has
      |have|am|what|where|who|whom
      |whose|which|why|how|isn't|aren't|doesn't)\b | \b(?:whether|wonder(?:ed|ing|s)?|any\ idea|no\ idea
        |do\ you\ know|ask\ if
      |asked\ if|asks\ if|check\ if|don't\ know|do\ not\ know|not\ sure)\b""",
    re.VERBOSE,
)
_ASKS_HAN: Final = expression(
    r"""[?]["'”’)）]*\s*$ | [吗呢么](?=[\s,。!.]*$) | 吗[,，?] | 什么 | 多少
      | 几(?:天|个|月|年|周|元|块|人|岁|点|次|号|时)
      | 谁 | 哪
      | 怎么 | 怎样 | 如何 | 为何 | 为什么 | 是否 | 是不是 | 有没有 | 能不能 | 会不会 | 可不可以 | 难道
        | 对吧 | 不知道 | 不清楚 | 不确定""",
    re.VERBOSE,
)
# That words are false, or not to be taken for true: they claim nothing.
_DENIES: Final = expression(
    r"\b(?:it(?:'s| is) (?:not true|untrue|false|wrong|a lie|a myth)|not the case|doubt(?:s|ed)? that|i doubt"
    r"|unlikely"
    r"|den(?:y|ies|ied) that|no longer true that|joke|kidding|sarcas)"
)
_DENIES_HAN: Final = expression(r"谣言|不属实|并非事实|是假的|开玩笑|不一定|未必|不见得|没说过?|否认")
_SUPPOSES: Final = expression(
    r"\b(?:if|suppos(?:e|ing)|assum(?:e|ing)|imagine|unless|in case|provided that|hypothetical(?:ly)?|would"
    r"|were to|wish"
    r"|hope(?:s|fully)?|pretend|let's say|for example|for instance|e\.g\.|as though|until proven)\b"
)
_SUPPOSES_HAN: Final = expression(
    r"如果|假如|假设|假使|要是|倘若|若是|若(?!干)|万一|除非|只要|的话|比如|例如|譬如|设想|即使|就算|举例|想象"
)
_SUGGESTS: Final = expression(
    r"""\b(?:should|ought\ to|let's|let\ us|suggest(?:s|ed|ion)?
      |recommend(?:s|ed|ation)?|propos(?:e|es|ed|al)
      |how\ about|why\ not
      |could\ be|had\ better|needs?\ to|must|i'd\ (?:like|want)|i\ want|we\ want
      |please(?!\ (?:note|be\ aware|remember|keep\ in\ mind|see))|request(?:s
        |ed)?|wants?\ to)\b
      | ^\W*(?:change|set|make|update|raise|lower|extend|reduce|increase|shorten|keep|put|remember\ to
        |consider|try|use)\ """,
    re.VERBOSE,
)
_SUGGESTS_HAN: Final = expression(
    r"建议|(?:咱们|我们)[^,，。]*吧|应该|应当|最好|不如|希望|(?:^|[,，。])请(?!假|客)|要不|提议|推荐|想要|想把|要求|需要把|可以考虑"
    r"|考虑|(?:^|[,，。])(?:把|将)(?=[^,，。]{1,20}(?:改|调|设|换|延))"
)
_REPORTS: Final = expression(
    r"""\b(?:says?|said|saying|told|tells|mention(?:s|ed)|insists?|insisted|argue[sd]?|thinks|thought|believes|believed|reckons|reckoned|suspects|suspected|assumes|swears|heard
      |hears|guesses|according\ to|rumou?rs?|allegedly|reportedly|supposedly|apparently|quote[sd]?|wrote
        |writes
      |(?:claim(?:s|ed)?|report(?:s|ed)?|state[sd]?|announce[sd]|confirm(?:s|ed)?|read)(?=\ that\b
        |[:,]))\b""",
    re.VERBOSE,
)
_OWN_REPORT: Final = expression(
    r"\b(?:i|we)(?:'ve|'d| have| would)? (?:just )?"
    r"(?:said|say|told|mentioned|tell|confirm(?:ed)?|wrote|mean|meant)\b"
)
_REPORTS_HAN: Final = expression(
    r"""(?<![会小听再想别我不])说(?![明法服]) | 听说 | 据说 | 据悉 | (?:^|[,，。])据(?!此)
      | (?<![名简职号统])称(?![为号呼职赞])
      | 表示 | 认为 | 提到 | 告诉
      | 透露 | 声称 | 宣称 | 觉得 | 以为 | 指出 | 转述 | 传言 | 传闻 | 猜测 | 相信""",
    re.VERBOSE,
)
_OWN_REPORT_HAN: Final = expression(
    r"我们?(?:觉得|认为|以为|猜|想|相信|说|刚说)|[据就]我(?:们)?(?:所知|了解)"
)
_GUESSES: Final = expression(
    r"\b(?:maybe|perhaps|possibly|probably|might|presumably|likely|i (?:think|believe|guess|assume|suppose"
    r"|reckon|feel)"
    r"|we (?:think|believe|guess|assume)|seems?|appears? to|unsure|not certain|could)\b"
)
_GUESSES_HAN: Final = expression(
    r"可能|也许|大概|或许|估计|恐怕|好像|似乎|应该是|没准|我们?(?:觉得|认为|以为|猜|想)(?!要)|说不定"
    r"|吧[\s。!.]*$"
)
_PLANS: Final = expression(
    r"\b(?:will|shall|going to|plan(?:s|ned|ning)? to|intends? to|(?:is|are) scheduled to|about to|(?:is"
    r"|are) to be"
    r"|expected to|due to (?:be|become|change|rise|fall|go)|is set to be)\b|'ll\b"
)
_PLANS_HAN: Final = expression(
    r"将(?!军|来|近|_)|计划(?=[在于把从将改调下明延缩提降升到,])|打算|拟(?=[于从将在改调])|即将|预计"
    r"|准备(?=[在于把从将改调])|会(?=[改变调升降涨换])|要(?=[改变调涨降换])"
)
_CLAUSE: Final = expression(r"[,;:](?!\d)")

_ENGLISH: Final = (_ASKS, _DENIES, _SUPPOSES, _SUGGESTS, _REPORTS, _OWN_REPORT, _GUESSES, _PLANS)
_CHINESE: Final = (
    _ASKS_HAN,
    _DENIES_HAN,
    _SUPPOSES_HAN,
    _SUGGESTS_HAN,
    _REPORTS_HAN,
    _OWN_REPORT_HAN,
    _GUESSES_HAN,
    _PLANS_HAN,
)


def is_question(plain: str) -> bool:
    """Whether a sentence asks."""
    return (_ASKS_HAN if has_han(plain) else _ASKS).search(plain) is not None


def modality_of(
    plain: str,
    start: int,
    end: int,
    *,
    names: Iterable[tuple[int, int]] = (),
    subjects: Iterable[tuple[int, int]] = (),
) -> Modality | None:
    """How the statement between two places of a sentence is meant; None if it is not to be taken for true.

    What colours a whole sentence (a condition, a report) is looked for everywhere before and around
    it; what colours a clause, in its own. Words within `names` colour nothing; those of `subjects`
    may still ask, deny or suppose, since such words may have been taken for a part of a name.
    """
    hidden = _without(plain, names)
    asks, denies, supposes, suggests, reports, own_report, guesses, plans = (
        _CHINESE if has_han(plain) else _ENGLISH
    )
    if asks.search(hidden):
        return Modality.ASKED
    if denies.search(hidden):
        return None
    if supposes.search(hidden):
        return Modality.HYPOTHETICAL
    hidden = _without(hidden, subjects)
    own = hidden[_clause_start(hidden, start) : _clause_end(hidden, end)]
    if suggests.search(own):
        return Modality.SUGGESTED
    around = own_report.sub("", hidden[:start]), own_report.sub("", hidden[end:])
    if any(reports.search(part) for part in around):
        return Modality.QUOTED
    if guesses.search(own) or guesses.search(hidden[:start]):
        return Modality.HYPOTHETICAL
    return Modality.PLANNED if plans.search(own) else Modality.ASSERTED


def place_of(words: object, text: str, shortest: int = 1) -> list[tuple[int, int]]:
    """Where words stand in a text, as a list of one; none if they are no words of it."""
    if not isinstance(words, str) or len(words) < shortest or (at := text.find(words)) < 0:
        return []
    return [(at, at + len(words))]


def _without(plain: str, names: Iterable[tuple[int, int]]) -> str:
    for start, end in names:
        plain = plain[:start] + "_" * (end - start) + plain[end:]
    return plain


def _clause_start(plain: str, at: int) -> int:
    return max((mark.end() for mark in _CLAUSE.finditer(plain, 0, at)), default=0)


def _clause_end(plain: str, at: int) -> int:
    found = _CLAUSE.search(plain, at)
    return found.start() if found else len(plain)
