"""Statements in Chinese about declared attributes, sentence by sentence.

X的退货期限是15天, 退货期限为15天（X）, X的价格从下个月起改为55欧元, 周敏是X的首席执行官,
小林住在杭州, 小林是素食者.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knowwhy.core.model import Modality
from knowwhy.ingest.candidates import Candidate, Found, Proposal
from knowwhy.ingest.grammar.chinese_bounds import ChineseBounds
from knowwhy.ingest.grammar.chinese_claims import Closing
from knowwhy.ingest.grammar.chinese_forms import Statement
from knowwhy.ingest.grammar.chinese_topics import Topics
from knowwhy.ingest.grammar.moods import modality_of, place_of
from knowwhy.ingest.grammar.situation import Situation
from knowwhy.ingest.plain import plain

# How many attributes of a sentence are looked at, and how far before one its subject may begin.
_MOST_NAMES = 12
_FURTHEST = 80


class Chinese:
    """The reading of one Chinese sentence."""

    def __init__(self, text: str, situation: Situation) -> None:
        self._text, self._plain, self._situation = text, plain(text), situation
        self._bounds = ChineseBounds(self._plain, situation.spoke_at)
        self._topics = Topics(text, self._plain, self._bounds)
        self._names = situation.lexicon.named_in(self._plain)[:_MOST_NAMES]

    def found(self) -> Iterator[Found]:
        """All that the sentence claims, from left to right."""
        cursor = 0
        said: list[Candidate] = []
        for name in self._names:
            if name.start < cursor or name.start - cursor > _FURTHEST:
                continue
            situation = replace(self._situation, block=[*self._situation.block, *said])
            spot = (name.start, name.end)
            closing = Closing(self._topics, self._bounds, situation, name.attribute, spot, tuple(said))
            found = [self._settled(one) for one in Statement(closing, name, cursor).found()]
            yield from (one for one in found if one is not None)
            said += [one for one in found if isinstance(one, Candidate)]
            cursor = max([cursor, *(one.end for one in said)])

    def _settled(self, one: Found) -> Found | None:
        """A statement as it is meant; None for a question or a denial."""
        spot = (0, 0) if isinstance(one, Proposal) else (one.start, one.end)
        names = [(found.start, found.end) for found in self._names if spot[0] <= found.start < spot[1]]
        if not isinstance(one, Candidate):
            modality = modality_of(self._plain, *spot, names=names)
            return one if modality in (Modality.ASSERTED, Modality.PLANNED) else None
        names += place_of(one.value, self._text, 2)
        subjects = place_of(one.subject, self._text, 2)
        modality = modality_of(self._plain, one.start, one.end, names=names, subjects=subjects)
        if modality is None or modality is Modality.ASKED:
            return None
        return replace(one, modality=modality)
