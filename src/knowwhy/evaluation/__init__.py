"""Evaluation: stories of what a memory was told, what it must answer, and a runner that compares both."""

from knowwhy.evaluation.evaluation import Evaluation, StoryResult, evaluate
from knowwhy.evaluation.failures import Failure, FailureKind
from knowwhy.evaluation.generating import from_memory
from knowwhy.evaluation.stories import Story, stories_of

__all__ = [
    "Evaluation",
    "Failure",
    "FailureKind",
    "Story",
    "StoryResult",
    "evaluate",
    "from_memory",
    "stories_of",
]
