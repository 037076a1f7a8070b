"""evaluate: plays the stories of a set, and tells what failed, in which way, and how sure it was."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from knowwhy.core.confidence.calibration import bins_of_equal_width, brier, calibration_error
from knowwhy.core.model import Principal
from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.engine.clock import Clock
from knowwhy.engine.memory import Memory
from knowwhy.engine.migrate import migrate
from knowwhy.engine.opening import open as opened
from knowwhy.engine.space import Space
from knowwhy.errors import Malformed
from knowwhy.evaluation.failures import Failure, FailureKind
from knowwhy.evaluation.playing import compared, played, shown
from knowwhy.evaluation.stage import Home, Stage, StoryClock
from knowwhy.evaluation.steps import STEPS
from knowwhy.evaluation.stories import Story, in_file, stories_of
from knowwhy.store.memory import MemoryStore

# From where on a wrong answer counts as said confidently.
CONFIDENT: Final = 0.8

# What XML cannot hold.
_UNFIT: Final = {number: None for number in range(32) if number not in {9, 10, 13}}

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class StoryResult:
    """How one story went: what failed, and how sure each answer was whose truth the story tells.

    `asked` counts the steps of which something is expected.
    """

    story: str
    title: str
    file: str
    asked: int
    failures: tuple[Failure, ...] = ()
    answers: tuple[tuple[float, bool], ...] = ()

    @property
    def has_passed(self) -> bool:
        """Whether all came out as expected."""
        return not self.failures

    def as_dict(self) -> dict[str, Any]:
        """The result for a program."""
        return {
            "story": self.story,
            "title": self.title,
            "file": self.file,
            "passed": self.has_passed,
            "asked": self.asked,
            "failures": [one.as_dict() for one in self.failures],
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How a set of stories went, and whether what was said confidently was right."""

    results: tuple[StoryResult, ...]

    @property
    def has_passed(self) -> bool:
        """Whether every story came out as expected."""
        return all(one.has_passed for one in self.results)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """All that failed, story by story."""
        return tuple(one for result in self.results for one in result.failures)

    @property
    def answers(self) -> tuple[tuple[float, bool], ...]:
        """How sure each answer was whose truth is told, and whether it was right."""
        return tuple(one for result in self.results for one in result.answers)

    @property
    def brier(self) -> float | None:
        """The mean squared distance of confidence to truth; None where no answer can be judged."""
        return brier(self.answers) if self.answers else None

    @property
    def calibration_error(self) -> float | None:
        """The mean distance of confidence to the share that is right, in ten bins of equal width."""
        return calibration_error(bins_of_equal_width(self.answers)) if self.answers else None

    @property
    def confidently_wrong(self) -> int:
        """How many answers were wrong and said with a confidence of 0.8 or more."""
        return sum(shown >= CONFIDENT and not is_right for shown, is_right in self.answers)

    def as_dict(self) -> dict[str, Any]:
        """The evaluation for a program."""
        kinds = Counter(str(one.kind) for one in self.failures)
        return {
            "passed": self.has_passed,
            "stories": len(self.results),
            "asked": sum(one.asked for one in self.results),
            "failures": dict(sorted(kinds.items())),
            "confidence": {
                "answers": len(self.answers),
                "brier": self.brier,
                "calibration_error": self.calibration_error,
                "confidently_wrong": self.confidently_wrong,
            },
            "results": [one.as_dict() for one in self.results],
        }

    def __str__(self) -> str:
        return "\n".join([*self._failed(), self._counts(), *self._sureness()])

    def _failed(self) -> Iterator[str]:
        for kind in FailureKind:
            those = [(result, one) for result in self.results for one in result.failures if one.kind is kind]
            if those:
                yield f"{kind.in_words}:"
            for result, one in those:
                where = f"{result.file}:{one.line}" if one.line is not None else result.story
                sure = "" if one.confidence is None else f" (said with confidence {one.confidence:.2f})"
                yield f"  {where} {result.title}{sure}"
                yield from (f"    {line}" for line in one.message.splitlines())

    def _counts(self) -> str:
        failed = sum(not one.has_passed for one in self.results)
        asked = sum(one.asked for one in self.results)
        how = "all as expected" if self.has_passed else f"{failed} failed"
        return f"Stories: {len(self.results)}, questions: {asked}; {how}."

    def _sureness(self) -> Iterator[str]:
        if self.brier is not None and self.calibration_error is not None:
            yield (
                f"Confidence over {len(self.answers)} answers: Brier {self.brier:.3f}, calibration error "
                f"{self.calibration_error:.3f}; {self.confidently_wrong} wrong at {CONFIDENT} or more."
            )

    def to_junit(self) -> str:
        """The evaluation as JUnit XML: a suite for each file, a case for each story."""
        root = ET.Element("testsuites", tests=str(len(self.results)), failures=str(self._failed_count()))
        for file in dict.fromkeys(one.file for one in self.results):
            those = [one for one in self.results if one.file == file]
            failed = str(sum(not one.has_passed for one in those))
            suite = ET.SubElement(root, "testsuite", name=file, tests=str(len(those)), failures=failed)
            for one in those:
                name = f"{one.story}: {one.title}".translate(_UNFIT)
                case = ET.SubElement(suite, "testcase", classname=file, name=name)
                for failure in one.failures:
                    told = ET.SubElement(case, "failure", type=failure.kind, message=failure.kind.in_words)
                    told.text = failure.message.translate(_UNFIT)
        return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"

    def _failed_count(self) -> int:
        return sum(not one.has_passed for one in self.results)


def evaluate(
    *sets: str | Path | Story,
    copy_of: str | Path | None = None,
    space: str = "main",
    principal: Principal | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Play the stories of evaluation sets, each in a memory of its own, and tell what failed.

    Args:
        sets: files (YAML, or JSON lines), or stories.
        copy_of: the address of a memory; each story is played on a copy of it, and the memory itself is
            never written to. Where None, on an empty memory in this process.
        space: which memory at that address.
        principal: on whose behalf the copy is used.
        progress: told how many stories were played so far.

    Raises:
        Malformed: a set cannot be understood; file, line and field are named.
        InvalidInput: a file cannot be read.
    """
    told = [one for given in sets for one in ([given] if isinstance(given, Story) else stories_of(given))]
    results = []
    with _homes(copy_of, space, principal) as homes:
        for number, (story, (home, since)) in enumerate(zip(told, homes, strict=False), start=1):
            results.append(result_of(story, home, since=since))
            if progress is not None:
                progress(number)
    return Evaluation(tuple(results))


def result_of(story: Story, home: Home, *, since: Instant = BEGINNING) -> StoryResult:
    """How one story goes in one home, whose memory holds nothing that was written after `since`.

    Raises:
        Malformed: the story cannot be understood.
    """
    clock = StoryClock()
    clock.now = Instant(max(clock.now, since))
    try:
        told, refusals = played(story, Stage(home, STEPS, clock=clock))
        refused = {one.at for one in refusals}  # which is told, and enough
        judged = [one for one in story.expect if one.at not in refused]
        failures = (*refusals, *compared(judged, told))
        answers = tuple(shown(story.expect, told))
    except Malformed as problem:
        raise in_file(problem, story.file or story.id) from problem
    return StoryResult(story.id, story.title, story.file, len(story.expect), failures, answers)


@contextmanager
def _homes(
    copy_of: str | Path | None, space: str, principal: Principal | None
) -> Iterator[Iterable[tuple[Home, Instant]]]:
    """A home for each story, with the time of the last thing that was written there."""
    if copy_of is None:
        yield iter(_in_memory, None)
        return
    with tempfile.TemporaryDirectory(prefix="knowwhy-eval-") as folder:
        whole = Path(folder) / "copy.db"
        migrate(copy_of, whole, space=space)
        with opened(whole, space=space) as memory:
            since = Instant(max((one.operation.at for one in memory.log(limit=1)), default=BEGINNING))
        yield iter(partial(_copied, whole, space, principal, since), None)


def _in_memory() -> tuple[Home, Instant]:
    store = MemoryStore()
    return Home("memory", lambda clock: Memory(Space(store, clock=clock))), BEGINNING


def _copied(whole: Path, space: str, principal: Principal | None, since: Instant) -> tuple[Home, Instant]:
    """A fresh copy of the copy: nothing that a story writes reaches the next one."""
    one = whole.with_name("story.db")
    for left in one.parent.glob("story.db*"):
        left.unlink()
    shutil.copyfile(whole, one)

    def fresh(clock: Clock) -> Memory:
        return opened(one, space=space, clock=clock, principal=principal)

    return Home("copy", fresh, str(one)), since
