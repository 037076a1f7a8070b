"""The corpus's stage: a stage that measures, and the words that wait for a later ability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from knowwhy.evaluation.replies import Reply
from knowwhy.evaluation.stage import Stage
from knowwhy.evaluation.written import Written
from tests.corpus.meter import Meter

# What the corpus speaks of and the product cannot do yet: steps, and words within steps and claims.
LATER_STEPS: Final = {
    "raw_scan": "erasure",
    "export": "export",
    "resolve": "a model's opinion on conflicts",
}
LATER_WORDS: Final[Mapping[str, str]] = {}


class Waits(Exception):
    """A story needs an ability that the product does not have yet; the message names it."""


@dataclass(slots=True)
class MeasuredStage(Stage):
    """A stage whose memory is measured, and which gives up where a step waits for a later ability."""

    meter: Meter = field(default_factory=Meter)

    def act(self, step: Written) -> Reply:
        """Carry out one step.

        Raises:
            Waits: it needs what the product cannot do yet.
            Malformed: it cannot be understood.
        """
        if step.get("op") in LATER_STEPS:
            raise Waits(LATER_STEPS[step["op"]])
        wait_for_words(step)
        for claim in step.get("claims", ()):
            wait_for_words(claim)
        if step.get("op") == "query" and "context" in step and "agent" not in step:
            raise Waits("asking within a context")
        return Stage.act(self, step)


def wait_for_words(words: Iterable[str]) -> None:
    """Give up if one of the words speaks of what the product cannot do yet.

    Raises:
        Waits: one does.
    """
    for word in words:
        if word in LATER_WORDS:
            raise Waits(LATER_WORDS[word])
