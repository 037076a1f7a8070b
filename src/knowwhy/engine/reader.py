"""The reading verbs in one scope: what `memory.at(...)` gives, and what a memory itself offers for now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from knowwhy.core.model import RawValue
from knowwhy.core.timeline import Scope
from knowwhy.engine import (
    auditing,
    calibration,
    conflicts,
    declared,
    feedback,
    history,
    sources,
    why,
    why_not,
)
from knowwhy.engine import export as exporting
from knowwhy.engine import summary as summaries
from knowwhy.engine.archiving import Progress
from knowwhy.engine.conflicts import OpenConflict
from knowwhy.engine.export import Exported
from knowwhy.engine.recall import Wish
from knowwhy.engine.space import Space, When
from knowwhy.engine.summary import Summary
from knowwhy.explain.absence import WhyNot
from knowwhy.explain.calibration import CalibrationReport
from knowwhy.explain.declarations import Declarations
from knowwhy.explain.explanation import Explanation
from knowwhy.explain.history import History
from knowwhy.explain.sources import SourceStanding
from knowwhy.explain.trust import Trust
from knowwhy.recall.answer import Answer, Recollection
from knowwhy.recall.finding import Finding


class Reader:
    """A memory as it is to be read: the world at `valid` (now where None), as known at `known`.

    Nothing a reader does changes the memory: reading leaves no trace in confidence or order. Where a memory
    says so (`configure(audits=…)`), it is put on record what `ask` and `recall` answered.
    """

    def __init__(self, space: Space, valid: When | None = None, known: When | None = None) -> None:
        self._space = space
        self._valid = valid
        self._known = known
        self._scope()

    def _scope(self) -> Scope:
        return self._space.scope(self._valid, self._known)

    def ask(
        self,
        subject: str,
        attribute: str | None = None,
        *,
        conditions: Mapping[str, str] | None = None,
        subject_id: str | None = None,
    ) -> Answer:
        """What stands for a subject's attribute (or for all of them), with rivals and grounds.

        Under `conditions`, beliefs made for other ones are left out. A name that stands for several
        entities gives an answer with `candidates`, unless `subject_id` says which is meant.
        """
        return auditing.ask(
            self._space,
            subject,
            attribute,
            scope=self._scope(),
            is_dated=self._valid is not None,
            conditions=conditions,
            subject_id=subject_id,
        )

    def recall(
        self,
        question: str,
        *,
        limit: int = 5,
        min_score: float = 0.0,
        include: Collection[str] = (),
        channels: Collection[str] | None = None,
        budget: int | None = None,
    ) -> Recollection:
        """The beliefs that answer a question in plain words, best first.

        Time words in it ("last March", 去年三月) say of which time beliefs are wanted; what could not be
        placed is told in `timing.unread`.

        Args:
            question: in English or Chinese.
            limit: how many beliefs, and how many passages, at the most.
            min_score: leave out what fits less well than this, from 0 to 1.
            include: statuses to bring along that are left out otherwise, such as "superseded".
            channels: by which ways to look: names, slots, graph, text, vectors; all where None.
            budget: into how many tokens of a prompt it must fit; whole items, best first.

        Raises:
            InvalidInput: an empty question, a limit or budget below 1, an unknown status or channel.
        """
        wish = Wish(limit, min_score, include, channels, budget)
        return auditing.recall(
            self._space, question, wish, scope=self._scope(), is_dated=self._valid is not None
        )

    def trust(
        self,
        subject: str,
        attribute: str,
        value: RawValue,
        *,
        unit: str | None = None,
        conditions: Mapping[str, str] | None = None,
    ) -> Trust:
        """How far the proposition that `subject`'s `attribute` is `value` can be relied on."""
        return why.trust(
            self._space, subject, attribute, value, scope=self._scope(), unit=unit, conditions=conditions
        )

    def why(
        self,
        belief: str,
        attribute: str | None = None,
        *,
        conditions: Mapping[str, str] | None = None,
    ) -> Explanation:
        """Why a belief stands as it does: `why(belief_id)`, or `why(subject, attribute)` for what stands.

        Raises:
            NotFound: no such belief, or nothing was ever heard about the attribute.
            AmbiguousName: the subject's name stands for several entities.
        """
        if attribute is None:
            return why.why(self._space, belief, scope=self._scope())
        return why.why_standing(self._space, belief, attribute, scope=self._scope(), conditions=conditions)

    def history(
        self, subject: str, attribute: str | None = None, *, conditions: Mapping[str, str] | None = None
    ) -> History:
        """What was true when, when and why the mind changed, and what fell with it.

        Of a subject's attribute, or `history(belief_id)`.

        Raises:
            AmbiguousName: the subject's name stands for several entities.
            NotFound: no belief has such an id.
        """
        return history.history(self._space, subject, attribute, scope=self._scope(), conditions=conditions)

    def why_not(
        self,
        subject: str,
        attribute: str,
        value: RawValue,
        *,
        unit: str | None = None,
        conditions: Mapping[str, str] | None = None,
    ) -> WhyNot:
        """Why the proposition that `subject`'s `attribute` is `value` is not believed.

        Raises:
            AmbiguousName: the subject's name stands for several entities.
        """
        return why_not.why_not(
            self._space, subject, attribute, value, scope=self._scope(), unit=unit, conditions=conditions
        )

    def conflicts(self, subject: str | None = None) -> tuple[OpenConflict, ...]:
        """What cannot all be so and no rule has put to rest, about one subject or all."""
        return conflicts.conflicts(self._space, subject, scope=self._scope())

    def sources(self, name: str | None = None) -> tuple[SourceStanding, ...]:
        """How far each source is trusted, and what became of what it said; all of them, or those of a name.

        It reads all that was ever said, so it takes its time in a large memory.

        Raises:
            NotFound: no source of that name has spoken.
        """
        return sources.sources(self._space, name, scope=self._scope())

    def calibration(self, *, attribute: str | None = None) -> CalibrationReport:
        """How well confidences did, as far as somebody judged: of one attribute, or of all.

        It says which map is in force, if there are labels enough for one, and when it will be fitted anew.
        Valid time plays no part: a label judges a belief as it stood when it was given.
        """
        return calibration.calibration(self._space, attribute, scope=self._scope())

    def to_check(self, limit: int = 5, *, seed: int | str = 0) -> tuple[Finding, ...]:
        """Beliefs that stand, drawn by chance from all that nobody has judged yet, for somebody to check.

        The same `seed` goes on with the same sample. What is drawn this way, and not what caught the eye,
        tells how all that stands does.

        Raises:
            InvalidInput: a limit below 1.
        """
        return feedback.to_check(self._space, limit, seed=seed, scope=self._scope())

    def declared(self, name: str | None = None) -> Declarations:
        """What is declared: attributes, rules, denials, policy; or only what goes by a name."""
        return declared.declared(self._space, name, scope=self._scope())

    def export(
        self,
        path: str | Path,
        format: str | None = None,  # noqa: A002 - what it is called everywhere
        *,
        progress: Progress | None = None,
    ) -> Exported:
        """Write the memory to a file that is not there yet, as an archive that holds all of it.

        Args:
            path: where to; its ending says the format, where none is given.
            format: jsonl, the complete archive from which `import_from` makes the memory anew.
            progress: told how many operations or items are done so far.

        Raises:
            InvalidInput: no such format, something is there already, or an archive as of a time.
            Refused: an archive, on behalf of a principal.
            NotFound: there is no such folder.
            Unavailable: the disk has no room.
        """
        return exporting.export(
            self._space, path, format, valid=self._valid, known=self._known, progress=progress
        )

    def summary(self, subject: str | None = None, *, context: str | None = None) -> Summary:
        """What tells of a subject, or of the session of a `context`, in the words of its sources.

        It is put together of sentences whose beliefs still stand: what was superseded, withdrawn or erased is
        not in it, nor what is not for the reader. Of a session those are told that `dream` noted.

        Raises:
            InvalidInput: neither a subject nor a context is named, or both are.
            AmbiguousName: the name stands for several.
        """
        return summaries.summary(self._space, subject, context, scope=self._scope())

    def search(self, question: str, *, limit: int = 5) -> Recollection:
        """The same as `recall`, under the name that other memories give it."""
        return self.recall(question, limit=limit)
