"""The situation of a sentence: who speaks when, what was spoken of before, and by which words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from knowwhy.core.model import Attribute
from knowwhy.ingest.candidates import Candidate, Gap
from knowwhy.ingest.grammar.subjects import Owner
from knowwhy.ingest.lexicon import Lexicon
from knowwhy.providers.extraction import Mention, Missing


@dataclass(frozen=True, slots=True)
class Situation:
    """What a sentence is read with.

    `block` are the candidates of the same breath so far, `before` all that was spoken of earlier,
    the latest last. `said` are the candidates of the same sentence.
    """

    lexicon: Lexicon
    spoke_at: datetime
    speaker: str | None = None
    block: Sequence[Candidate] = ()
    before: Sequence[Mention] = ()
    takes_undeclared: bool = False
    said: Sequence[Candidate] = ()

    def owned(self, owner: Owner, attribute: Attribute) -> str | Missing:
        """Whom a word such as "my" or "its" points at, or what is missing to tell."""
        if owner is Owner.SPEAKER:
            return self.speaker or Missing.SUBJECT
        if owner is Owner.HOUSE:
            return attribute.about or Missing.SUBJECT
        if owner is Owner.LISTENER:
            return Missing.SUBJECT
        if owner is Owner.SAME:
            return self.said[-1].subject if self.said else Missing.SUBJECT
        return self._last_subject() or Missing.ANTECEDENT

    def _last_subject(self) -> str | None:
        """The one subject of this breath; none if a value might be meant as well."""
        subjects = {one.subject for one in self.block}
        values = {str(one.value) for one in self.block if _is_name(one.value)}
        return subjects.pop() if len(subjects) == 1 and not values - subjects else None


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value[:1].isupper()


def gap(missing: Missing, start: int, end: int) -> Gap:
    """A gap, told in the usual words."""
    says = {
        Missing.SUBJECT: "whom or what it is about",
        Missing.ANTECEDENT: "what it points back at",
        Missing.CONDITION: "a place for what limits it",
        Missing.CHOICE: "which of several values",
    }[missing]
    return Gap(missing, start, end, says)
