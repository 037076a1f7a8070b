"""The extractor with a model; what it says is taken only as far as the words hold it.

passages → several to a call → the answer parsed, checked against the words → one repair → what is unsure,
by a larger model → claims. The same words under the same declarations are not asked about twice.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from knowwhy.core.model import Draft, Schema, attribute_key, content_id
from knowwhy.errors import InvalidInput, UnusableAnswer
from knowwhy.ingest.answers import claims_from, kept_claims
from knowwhy.ingest.dialogue import Answered, Dialogue
from knowwhy.ingest.grounding import Told, grounded
from knowwhy.ingest.passages import Passage, groups, told_attributes
from knowwhy.ingest.prompts import VERSION
from knowwhy.providers.cache import AnswerCache
from knowwhy.providers.chat import Chat
from knowwhy.providers.extraction import Aim, Extraction, Reason, Refusal, Usage, Utterance

_TOGETHER: Final = 8


class ModelExtractor:
    """Reads claims with a model, or with a small one first and a `large` one for what that is unsure of.

    `unknown` says what becomes of attributes that are not declared: they are proposed, or their claims
    refused. So many passages go `together` in one call.
    """

    def __init__(
        self,
        chat: Chat,
        *,
        large: Chat | None = None,
        cache: AnswerCache | None = None,
        unknown: str = "propose",
        together: int = _TOGETHER,
    ) -> None:
        if unknown not in ("propose", "refuse"):
            msg = f"unknown is propose or refuse, not {unknown!r}."
            raise InvalidInput(msg)
        if together < 1:
            msg = f"together must be at least 1, not {together}."
            raise InvalidInput(msg)
        self._chat, self._large, self._unknown, self._together = chat, large, unknown, together
        self._cache = cache or AnswerCache()
        models = chat.name if large is None else f"{chat.name}, {large.name}"
        self.name = f"model {models}, prompt {VERSION}"

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """The claims in some words, as far as a model tells and the words hold them.

        Raises:
            Unavailable: the model cannot be asked now.
            UnusableAnswer: what it answers cannot be used.
        """
        return self.extract_many([utterance], schema)[0]

    def extract_many(self, utterances: Sequence[Utterance], schema: Schema) -> list[Extraction]:
        """The same for several, some of them in one call."""
        dialogue = Dialogue(utterances, schema, told_attributes(schema))
        prints = [self._fingerprint(one, dialogue.attributes) for one in utterances]
        told: dict[int, list[Told]] = {}
        usage = {place: Usage() for place in range(len(utterances))}
        for place, fingerprint in enumerate(prints):
            kept = self._kept(fingerprint)
            if kept is not None:
                told[place], usage[place] = kept, Usage(cached=1)
        asked = [place for place in range(len(utterances)) if place not in told]
        for group in groups(utterances, asked, self._together):
            read = self._asked(dialogue, group)
            usage[group[0].utterance] += read.usage
            for passage, claims in zip(group, read.claims, strict=True):
                told.setdefault(passage.utterance, []).extend(claims)
        for place in asked:
            self._cache.put(prints[place], kept_claims(told.get(place, [])))
        return [
            replace(self._extraction(told.get(place, []), one, schema), usage=usage[place])
            for place, one in enumerate(utterances)
        ]

    def _asked(self, dialogue: Dialogue, group: list[Passage]) -> Answered:
        """What the model says of some passages; what it is unsure of, the large one says anew."""
        try:
            read = dialogue.answered(self._chat, group)
        except UnusableAnswer:
            if self._large is None:
                raise
            return dialogue.answered(self._large, group)
        unsure = [place for place, is_unsure in enumerate(read.is_unsure) if is_unsure]
        if self._large is None or not unsure:
            return read
        again = dialogue.answered(self._large, [group[place] for place in unsure])
        claims = list(read.claims)
        for place, better in zip(unsure, again.claims, strict=True):
            claims[place] = better
        return Answered(claims, [False] * len(claims), read.usage + again.usage)

    # Claims --------------------------------------------------------------------------------------

    def _extraction(self, told: Sequence[Told], utterance: Utterance, schema: Schema) -> Extraction:
        drafts: list[Draft] = []
        aims: list[Aim] = []
        refused: list[Refusal] = []
        for one in told:
            found = grounded(one, utterance, schema)
            is_known = attribute_key(one.attribute) in schema.by_name
            if isinstance(found, Refusal):
                refused.append(found)
            elif not is_known and self._unknown == "refuse" and not utterance.takes_undeclared:
                says = f"{one.attribute!r} is not declared"
                refused.append(Refusal(Reason.NOT_DECLARED, one.quote, says))
            elif isinstance(found, Aim):
                aims.append(found)
            else:
                drafts.append(found)
        return Extraction(tuple(drafts), tuple(aims), tuple(refused))

    def _kept(self, fingerprint: str) -> list[Told] | None:
        answer = self._cache.get(fingerprint)
        if answer is None:
            return None
        try:
            return claims_from(answer)
        except UnusableAnswer:
            return None

    def _fingerprint(self, utterance: Utterance, attributes: list[Any]) -> str:
        """What an answer depends on: the models and prompts, the declarations, and the words."""
        before = [[one.subject, one.attribute, str(one.value)] for one in utterance.before]
        parts = [
            *(self.name, attributes, utterance.text, utterance.spoke_at.isoformat()),
            *(utterance.speaker, before, utterance.takes_undeclared),
        ]
        return content_id("an", json.dumps(parts, ensure_ascii=False))
