"""The deterministic extractor: from raw words to claims by rules, in English and Chinese, without a model.

segmented → candidates of each segment → meant and bounded → drafts. It prefers silence to a guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from knowwhy.core.model import Draft, Modality, Schema, name_key
from knowwhy.ingest.candidates import Candidate, Found, Gap, Misfit, Proposal
from knowwhy.ingest.grammar.chinese import Chinese
from knowwhy.ingest.grammar.english import English
from knowwhy.ingest.grammar.filled import filled_candidate
from knowwhy.ingest.grammar.moods import is_question
from knowwhy.ingest.grammar.situation import Situation
from knowwhy.ingest.grammar.small_talk import is_filler
from knowwhy.ingest.grammar.structured import in_pair, in_row
from knowwhy.ingest.grammar.turns import takes_back, voids
from knowwhy.ingest.grammar.undeclared import lexicon_with, proposed_in
from knowwhy.ingest.lexicon import Lexicon, lexicon_of
from knowwhy.ingest.patterns import Templates, templates_of
from knowwhy.ingest.plain import has_han, plain
from knowwhy.ingest.segments import Pair, Row, Segment, Sentence, segmented
from knowwhy.providers.extraction import Aim, Extraction, Mention, Refusal, Unsure, Utterance

_SCHEMAS_KEPT: Final = 8
_ROLES_OF_THE_SPEAKER: Final = frozenset({"user", "customer", "human", "用户", "客户", "顾客"})


@dataclass(frozen=True, slots=True)
class _Compiled:
    """What was made of a schema once, for all texts read under it."""

    schema: Schema
    lexicon: Lexicon
    templates: Templates


@dataclass(slots=True)
class DeterministicExtractor:
    """Reads claims by rules. The same words give the same claims, on every machine and at any time."""

    name: str = "deterministic"
    _kept: list[_Compiled] = field(default_factory=list, repr=False, compare=False)

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """The claims in some words, as far as rules can tell."""
        return _Reading(self._compiled(schema), utterance).extraction()

    def _compiled(self, schema: Schema) -> _Compiled:
        """What was made of this very schema; a memory keeps one as long as nothing is declared."""
        known = next((one for one in self._kept if one.schema is schema), None)
        if known is None:
            known = _Compiled(schema, lexicon_of(schema), templates_of(schema))
            self._kept = [known, *self._kept[: _SCHEMAS_KEPT - 1]]
        return known


class _Reading:
    """One reading of one text: what it has found so far, and what was spoken of last."""

    def __init__(self, compiled: _Compiled, utterance: Utterance) -> None:
        self._lexicon, self._templates = compiled.lexicon, compiled.templates
        self._utterance = utterance
        self._before: list[Mention] = list(utterance.before)
        self._block: list[Candidate] = []
        self._block_number = -1
        self._drafts: dict[tuple[object, ...], Draft] = {}
        self._aims: list[Aim] = []
        self._refused: list[Refusal] = []
        self._unsure: dict[tuple[str, str], Unsure] = {}
        self._proposed: Counter[str] = Counter()
        self._passed: Counter[str] = Counter()

    def extraction(self) -> Extraction:
        segments = segmented(self._utterance.text, lambda label: bool(self._lexicon.named_in(label)))
        self._passed.update(segments.passed)
        for segment in segments.found:
            for one in list(self._found(segment)):
                self._take(one, segment)
        return Extraction(
            tuple(self._drafts.values()),
            tuple(self._aims),
            tuple(self._refused),
            tuple(self._unsure.values()),
            dict(self._proposed),
            dict(self._passed),
        )

    # What a segment says -------------------------------------------------------------------------

    def _found(self, segment: Segment) -> Iterable[Found]:
        if isinstance(segment, Row):
            return in_row(segment, self._lexicon, self._utterance.spoke_at)
        if isinstance(segment, Pair):
            return in_pair(segment, self._lexicon, self._utterance.spoke_at)
        if segment.block != self._block_number:
            self._block, self._block_number = [], segment.block
        if is_filler(segment.text):
            self._passed["filler"] += 1
            return ()
        return self._in_sentence(segment)

    def _in_sentence(self, sentence: Sentence) -> Iterator[Found]:
        situation = self._situation(sentence)
        filled = list(self._filled(sentence))
        covered = {one.attribute.key for one in filled if isinstance(one, Candidate)}
        found = [*filled, *(one for one in read(sentence.text, situation) if _key(one) not in covered)]
        said = [one for one in found if isinstance(one, Candidate)]
        takes = voids if said else takes_back
        found += takes(sentence.text, replace(situation, block=[*self._block, *said]))
        if not found:
            found = list(self._undeclared(sentence, situation))
        if not found and is_question(plain(sentence.text)):
            self._passed["question"] += 1
        for one in found:
            yield _reported(one) if sentence.is_reported else one

    def _situation(self, sentence: Sentence) -> Situation:
        speaker = self._utterance.speaker
        if sentence.speaker is not None:
            is_ours = plain(sentence.speaker) in _ROLES_OF_THE_SPEAKER
            is_role = is_ours or plain(sentence.speaker) in _OTHER_ROLES
            speaker = sentence.speaker if not is_role else speaker if is_ours else None
        return Situation(
            self._lexicon,
            self._utterance.spoke_at,
            speaker,
            tuple(self._block),
            tuple(self._before),
            self._utterance.takes_undeclared,
        )

    def _undeclared(self, sentence: Sentence, situation: Situation) -> Iterator[Found]:
        """What a sentence says of an attribute that nobody declared, if such are taken; or just its name."""
        name = proposed_in(sentence.text)
        written = plain(sentence.text)
        if name is None or self._lexicon.named_in(written) or is_question(written):
            return
        if self._utterance.takes_undeclared:
            found = list(read(sentence.text, replace(situation, lexicon=lexicon_with(name))))
            if any(isinstance(one, Candidate) for one in found):
                yield from found
                return
        yield Proposal(name)

    # Declared patterns ---------------------------------------------------------------------------

    def _filled(self, sentence: Sentence) -> Iterator[Found]:
        for filled in self._templates.filled(sentence.text):
            if (one := filled_candidate(filled, sentence.text, self._utterance.spoke_at)) is not None:
                yield one

    # From what was found to what is given back ---------------------------------------------------

    def _take(self, one: Found, segment: Segment) -> None:
        if isinstance(one, Proposal):
            if not self._utterance.takes_undeclared or isinstance(segment, Sentence):
                self._proposed[one.name] += 1
            return
        quote = segment.text[one.start : one.end].strip().lstrip(",，;；。:： ")
        if isinstance(one, Gap):
            self._unsure.setdefault((str(one.missing), quote), Unsure(one.missing, quote, one.says))
        elif isinstance(one, Misfit):
            self._refused.append(Refusal(one.reason, quote, one.says))
        else:
            self._claim(one, quote)

    def _claim(self, one: Candidate, quote: str) -> None:
        self._block.append(one)
        if one.mention is not None and one.modality.is_assertive:
            self._before.append(one.mention)
        drafted = one.drafted(quote)
        if isinstance(drafted, Aim):
            if one.modality is Modality.ASSERTED:
                self._aims.append(drafted)
            return
        key = _identity(one)
        known = self._drafts.get(key)
        if known is None or (drafted.modality.is_assertive and not known.modality.is_assertive):
            self._drafts[key] = drafted


_OTHER_ROLES: Final = frozenset(
    {"assistant", "agent", "system", "bot", "ai", "support", "助手", "客服", "系统", "机器人"}
)


def read(text: str, situation: Situation) -> Iterator[Found]:
    """What the grammar finds in one sentence: Chinese where there is any in it, or else English."""
    if not has_han(text):
        yield from English(text, situation).found()
        return
    found = list(Chinese(text, situation).found())
    yield from found
    if not found:
        yield from (one for one in English(text, situation).found() if isinstance(one, Candidate))


def _key(one: Found) -> str | None:
    return one.attribute.key if isinstance(one, Candidate) else None


def _reported(one: Found) -> Found:
    """The same, in words that are quoted from elsewhere."""
    is_meant = isinstance(one, Candidate) and one.modality.is_assertive
    return one.meant(Modality.QUOTED) if is_meant and isinstance(one, Candidate) else one


def _identity(one: Candidate) -> tuple[object, ...]:
    """What makes two statements one claim, however each was meant."""
    value = name_key(one.value) if isinstance(one.value, str) else one.value
    bounds = (one.bounds.valid_from, one.bounds.valid_to)
    return name_key(one.subject), one.attribute.key, type(value).__name__, value, one.unit, one.stance, bounds
