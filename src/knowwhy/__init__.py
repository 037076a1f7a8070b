"""A memory for AI agents that knows why it believes what it believes."""

from knowwhy.core.model import SOURCE_TYPES, Draft, Modality, Stance, Status
from knowwhy.core.revision import Conflict
from knowwhy.core.timeline import Instant, instant, isoformat
from knowwhy.engine.aio import AsyncMemory
from knowwhy.engine.conflicts import OpenConflict
from knowwhy.engine.log import LogEntry
from knowwhy.engine.memory import Memory
from knowwhy.engine.opening import open
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reader import Reader
from knowwhy.engine.upkeep import Diagnosis
from knowwhy.errors import (
    AmbiguousName,
    Fault,
    IdempotencyConflict,
    InvalidInput,
    KnowwhyError,
    NaiveTime,
    NewerFormat,
    NotFound,
    NotInSource,
    Refused,
    TypeMismatch,
    Unavailable,
    UndeclaredAttribute,
    Unsupported,
    VersionConflict,
)
from knowwhy.explain.explanation import Explanation
from knowwhy.explain.history import History
from knowwhy.explain.trust import Trust
from knowwhy.ingest.observation import Observation
from knowwhy.recall.answer import Answer, Passage, Recollection
from knowwhy.recall.finding import Finding

__version__ = "0.1.0"

__all__ = [
    "SOURCE_TYPES",
    "AmbiguousName",
    "Answer",
    "AsyncMemory",
    "Conflict",
    "Diagnosis",
    "Draft",
    "Explanation",
    "Fault",
    "Finding",
    "History",
    "IdempotencyConflict",
    "Instant",
    "InvalidInput",
    "KnowwhyError",
    "LogEntry",
    "Memory",
    "Modality",
    "NaiveTime",
    "NewerFormat",
    "NotFound",
    "NotInSource",
    "Observation",
    "OpenConflict",
    "Outcome",
    "Passage",
    "Reader",
    "Recollection",
    "Refused",
    "Stance",
    "Status",
    "Trust",
    "TypeMismatch",
    "Unavailable",
    "UndeclaredAttribute",
    "Unsupported",
    "VersionConflict",
    "instant",
    "isoformat",
    "open",
]
