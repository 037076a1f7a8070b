"""Statements in English about declared attributes, sentence by sentence.

"X's return window is 15 days", "the return window of X is …", "X return window: …", "Y is the CEO of X",
"X lives in …", "X is located in …", "X offers a 15-day return window", "X is vegetarian".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from knowwhy.core.model import Modality
from knowwhy.ingest.candidates import Candidate, Found, Gap, Proposal
from knowwhy.ingest.grammar.english_bounds import EnglishBounds
from knowwhy.ingest.grammar.english_claims import Closing
from knowwhy.ingest.grammar.english_forms import Statement
from knowwhy.ingest.grammar.moods import modality_of, place_of
from knowwhy.ingest.grammar.predicates import predicate_after, predicate_at
from knowwhy.ingest.grammar.situation import Situation
from knowwhy.ingest.lexicon import Form, Named
from knowwhy.ingest.plain import plain
from knowwhy.providers.extraction import Missing
from knowwhy.recall.expressions import expression

# What a sentence may begin with that says nothing about what it claims.
_OPENING: Final = expression(
    r"""\W*(?:
        (?:yes|no|no\ wait|wait|oh|hm+|right|great|thanks|ok|okay|well|sorry|hi|hello|hey|note|update
          |correction|reminder
          |important|attention|good\ news|fyi|btw|actually|indeed)[,:;.!-]+\s+
      | (?:by\ the\ way|also|and|but|so|however|please\ note|remember|for\ the\ record|just\ so\ you\ know
        |in\ fact
          |as\ (?:i|you)\ (?:said|know|mentioned)|in\ short|in\ addition|maybe|perhaps|possibly|probably
            |apparently
          |allegedly|reportedly|hopefully|actually|note|fyi)(?:\s+that)?,?\s+
    )*+""",
    re.VERBOSE,
)
_JOINED: Final = expression(r",?\s+(?:and|but|while|whereas)\s+|,\s+|;\s+")
# How many attributes of a sentence are looked at, and how far before one its subject may begin.
_MOST_NAMES: Final = 12
_FURTHEST: Final = 160
_NEAR: Final = 80


class English:
    """The reading of one English sentence."""

    def __init__(self, text: str, situation: Situation) -> None:
        self._text, self._plain, self._situation = text, plain(text), situation
        self._bounds = EnglishBounds(self._plain, situation.spoke_at)
        self._names = situation.lexicon.named_in(self._plain)[:_MOST_NAMES]
        self._end = len(text)

    def found(self) -> Iterator[Found]:
        """All that the sentence claims, from left to right."""
        if not self._names:
            return
        opening = _OPENING.match(self._plain)
        lead_at = opening.end() if opening else 0
        lead = self._bounds.leading(lead_at)
        cursor = lead.end
        if lead.puzzle is not None:
            yield Gap(Missing.DATE, 0, self._end, str(lead.puzzle))
            return
        said: list[Candidate] = []
        for number, name in enumerate(self._names):
            if name.start < cursor or name.start - cursor > _FURTHEST:
                continue
            situation = replace(self._situation, block=[*self._situation.block, *said], said=said)
            limit = self._limit(number)
            closing = Closing(self._text, self._plain, self._bounds, situation, limit, lead_at)
            found = [self._settled(one) for one in Statement(closing, name, cursor).found()]
            yield from (one for one in found if one is not None)
            said += [one for one in found if isinstance(one, Candidate)]
            cursor = max([cursor, *(one.end for one in said)])

    def _limit(self, number: int) -> int:
        """Where a statement ends at the latest: before the next attribute that has a clause of its own."""
        if number + 1 == len(self._names):
            return self._end
        following = self._names[number + 1]
        joints = [
            joint.start() for joint in _JOINED.finditer(self._plain, self._names[number].end, following.start)
        ]
        return joints[-1] if joints and self._has_predicate(following) else self._end

    def _has_predicate(self, name: Named) -> bool:
        if name.phrase.form is not Form.NOUN:
            return True
        after = predicate_after(self._plain, max(0, name.end - 1), min(self._end, name.end + _NEAR))
        return after is not None or predicate_at(self._plain, name.end, self._end) is not None

    def _is_of_another(self, one: Candidate) -> bool:
        """Whether its subject is only described, by an attribute of its own: "Acme's CEO lives in Bath"."""
        spots = place_of(one.subject, self._text) if "'s " in plain(one.subject) else []
        return any(start <= name.start and name.end <= end for start, end in spots for name in self._names)

    def _settled(self, one: Found) -> Found | None:
        """A statement as it is meant; None for a question or a denial."""
        spot = (0, 0) if isinstance(one, Proposal) else (one.start, one.end)
        names = [
            (found.start, found.end)
            for found in self._names
            if spot[0] <= found.start and found.end <= spot[1]
        ]
        if not isinstance(one, Candidate):
            modality = modality_of(self._plain, *spot, names=names)
            return one if modality in (Modality.ASSERTED, Modality.PLANNED) else None
        names += place_of(one.value, self._text)
        subjects = place_of(one.subject, self._text)
        modality = modality_of(self._plain, one.start, one.end, names=names, subjects=subjects)
        if modality is None or modality is Modality.ASKED or self._is_of_another(one):
            return None
        if modality is Modality.ASSERTED:
            if one.is_intended:  # "to change X's plan to Pro" alone says nothing
                return None
            modality = one.modality
        return replace(one, modality=modality)
