"""The dialogue with a model about some passages: its answer, what is wrong with it, one repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowwhy.core.model import Schema
from knowwhy.errors import UnusableAnswer
from knowwhy.ingest.answers import SHAPE, claims_in
from knowwhy.ingest.grounding import Told, grounded
from knowwhy.ingest.passages import Passage, question
from knowwhy.ingest.plain import has_han
from knowwhy.ingest.prompts import prompt
from knowwhy.ingest.validation import validated
from knowwhy.providers.chat import Chat, Message, Reply
from knowwhy.providers.extraction import Aim, Extraction, Reason, Refusal, Usage, Utterance

_PROBLEMS_TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model made of passages: the claims of each, of which it was unsure, and the cost."""

    claims: list[list[Told]]
    is_unsure: list[bool]
    usage: Usage

    def beside(self, other: Answered) -> Answered:
        """Both, one after the other."""
        return Answered(
            self.claims + other.claims, self.is_unsure + other.is_unsure, self.usage + other.usage
        )


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What a model is asked about: words, under declarations."""

    utterances: Sequence[Utterance]
    schema: Schema
    attributes: list[Any]

    def answered(self, chat: Chat, group: list[Passage]) -> Answered:
        """The answer on some passages, repaired once; of one that is cut off or broken, half by half.

        Raises:
            Unavailable: the model cannot be asked now.
            UnusableAnswer: its answer is not of the shape, even repaired.
        """
        language = "zh" if any(has_han(one.text) for one in group) else "en"
        messages = [
            Message("system", prompt("extract", language)),
            Message("user", question(group, self.utterances, self.attributes)),
        ]
        reply = chat.reply(messages, SHAPE)
        try:
            claims = claims_in(reply.text, len(group))
        except UnusableAnswer as problem:
            if len(group) > 1:
                middle = len(group) // 2
                halves = self.answered(chat, group[:middle]).beside(self.answered(chat, group[middle:]))
                return Answered(halves.claims, halves.is_unsure, reply.usage + halves.usage)
            return self._repaired(chat, group, messages, reply, [str(problem)], None)
        if problems := list(self._problems(claims, group)):
            return self._repaired(chat, group, messages, reply, problems, claims)
        return self._taken(claims, group, reply.usage)

    def _repaired(
        self,
        chat: Chat,
        group: list[Passage],
        messages: list[Message],
        reply: Reply,
        problems: list[str],
        claims: list[list[Told]] | None,
    ) -> Answered:
        """The answer once it was asked to be mended; the first one's claims, if the second is of no use."""
        language = "zh" if any(has_han(one.text) for one in group) else "en"
        told = "\n".join(f"- {one}" for one in problems[:_PROBLEMS_TOLD])
        asked = Message("user", prompt("repair", language).replace("{problems}", told))
        mended = chat.reply([*messages, Message("assistant", reply.text), asked], SHAPE)
        try:
            claims = claims_in(mended.text, len(group))
        except UnusableAnswer as problem:
            if claims is None:
                msg = f"The answer of {chat.name} cannot be used, even repaired: {problem}"
                raise UnusableAnswer(msg, model=chat.name) from problem
        return self._taken(claims, group, reply.usage + mended.usage)

    def _taken(self, claims: list[list[Told]], group: list[Passage], usage: Usage) -> Answered:
        unsure = [
            any(not one.is_sure or self._refused(one, passage) is not None for one in told)
            for passage, told in zip(group, claims, strict=True)
        ]
        return Answered(claims, unsure, usage)

    def _problems(self, claims: list[list[Told]], group: list[Passage]) -> Iterator[str]:
        """What the words of passages do not hold of an answer, and a better answer could mend."""
        for number, (passage, told) in enumerate(zip(group, claims, strict=True), start=1):
            for one in told:
                found = self._refused(one, passage)
                if found is not None and found.reason is not Reason.WRONG_UNIT:
                    yield f"passage {number}, {one.subject} / {one.attribute}: {found.says}"

    def _refused(self, told: Told, passage: Passage) -> Refusal | None:
        utterance = self.utterances[passage.utterance]
        found = grounded(told, utterance, self.schema)
        if isinstance(found, Refusal):
            return found
        claims = Extraction(aims=(found,)) if isinstance(found, Aim) else Extraction((found,))
        return next(iter(validated(claims, utterance, self.schema).refused), None)
