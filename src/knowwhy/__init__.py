"""A memory for AI agents that knows why it believes what it believes."""

from knowwhy.core.model import SOURCE_TYPES, Draft, Grant, Judgement, Modality, Principal, Stance, Status
from knowwhy.core.revision import Conflict
from knowwhy.core.timeline import Instant, instant, isoformat
from knowwhy.engine.aio import AsyncMemory
from knowwhy.engine.audited import AnswerExplanation, AuditEntry
from knowwhy.engine.backup import Backup
from knowwhy.engine.branch import BranchState
from knowwhy.engine.conflicts import OpenConflict
from knowwhy.engine.diff import Diff
from knowwhy.engine.disagreement import Disagreement
from knowwhy.engine.dream_report import DreamReport
from knowwhy.engine.duplicates import Agreement, Duplicate
from knowwhy.engine.export import Exported
from knowwhy.engine.foresee import Foresight
from knowwhy.engine.forget import ErasurePlan, Receipt
from knowwhy.engine.identify import Question
from knowwhy.engine.impact import Impact
from knowwhy.engine.import_from import Imported
from knowwhy.engine.incomplete import IncompleteStatement
from knowwhy.engine.jobs import Jobs
from knowwhy.engine.log import LogEntry
from knowwhy.engine.mark import NamedSnapshot
from knowwhy.engine.meaning import EmbeddingReport
from knowwhy.engine.memory import Memory
from knowwhy.engine.merge import MergePreview
from knowwhy.engine.migrate import Migration, migrate
from knowwhy.engine.opening import open
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.placement import Placement
from knowwhy.engine.queue import Queue
from knowwhy.engine.reader import Reader
from knowwhy.engine.reextract import Reextraction
from knowwhy.engine.retrying import retrying
from knowwhy.engine.show import OperationReport
from knowwhy.engine.suggesting import Suggestion
from knowwhy.engine.summary import Summary
from knowwhy.engine.sync import FolderReport
from knowwhy.engine.upkeep import Diagnosis
from knowwhy.engine.work import WorkReport
from knowwhy.errors import (
    AmbiguousName,
    AmbiguousTarget,
    BeyondHorizon,
    Fault,
    IdempotencyConflict,
    InvalidInput,
    KnowwhyError,
    Malformed,
    NaiveTime,
    NewerFormat,
    NoKey,
    NotFound,
    NotInSource,
    Refused,
    RestedOn,
    TooLarge,
    TooMuch,
    TypeMismatch,
    Unavailable,
    UndeclaredAttribute,
    Unsupported,
    UnusableAnswer,
    VersionConflict,
)
from knowwhy.evaluation import Evaluation, Failure, FailureKind, Story, StoryResult, evaluate, from_memory
from knowwhy.explain.absence import WhyNot
from knowwhy.explain.calibration import CalibrationReport
from knowwhy.explain.declarations import Declarations
from knowwhy.explain.explanation import Explanation
from knowwhy.explain.history import History
from knowwhy.explain.sources import SourceStanding
from knowwhy.explain.trust import Trust
from knowwhy.ingest.modelled import ModelExtractor
from knowwhy.ingest.observation import Observation
from knowwhy.providers.embedding import Embedder
from knowwhy.providers.endpoint import Endpoint
from knowwhy.providers.packaged import PackagedEmbedder
from knowwhy.providers.remote import RemoteEmbedder
from knowwhy.providers.reranking import RemoteReranker, Reranker
from knowwhy.recall.answer import Answer, Passage, Recollection
from knowwhy.recall.finding import Finding
from knowwhy.surfaces.client import AsyncRemoteMemory, RemoteMemory, connect, connect_async

__version__ = "0.1.0"

__all__ = [
    "SOURCE_TYPES",
    "Agreement",
    "AmbiguousName",
    "AmbiguousTarget",
    "Answer",
    "AnswerExplanation",
    "AsyncMemory",
    "AsyncRemoteMemory",
    "AuditEntry",
    "Backup",
    "BeyondHorizon",
    "BranchState",
    "CalibrationReport",
    "Conflict",
    "Declarations",
    "Diagnosis",
    "Diff",
    "Disagreement",
    "Draft",
    "DreamReport",
    "Duplicate",
    "Embedder",
    "EmbeddingReport",
    "Endpoint",
    "ErasurePlan",
    "Evaluation",
    "Explanation",
    "Exported",
    "Failure",
    "FailureKind",
    "Fault",
    "Finding",
    "FolderReport",
    "Foresight",
    "Grant",
    "History",
    "IdempotencyConflict",
    "Impact",
    "Imported",
    "IncompleteStatement",
    "Instant",
    "InvalidInput",
    "Jobs",
    "Judgement",
    "KnowwhyError",
    "LogEntry",
    "Malformed",
    "Memory",
    "MergePreview",
    "Migration",
    "Modality",
    "ModelExtractor",
    "NaiveTime",
    "NamedSnapshot",
    "NewerFormat",
    "NoKey",
    "NotFound",
    "NotInSource",
    "Observation",
    "OpenConflict",
    "OperationReport",
    "Outcome",
    "PackagedEmbedder",
    "Passage",
    "Placement",
    "Principal",
    "Question",
    "Queue",
    "Reader",
    "Receipt",
    "Recollection",
    "Reextraction",
    "Refused",
    "RemoteEmbedder",
    "RemoteMemory",
    "RemoteReranker",
    "Reranker",
    "RestedOn",
    "SourceStanding",
    "Stance",
    "Status",
    "Story",
    "StoryResult",
    "Suggestion",
    "Summary",
    "TooLarge",
    "TooMuch",
    "Trust",
    "TypeMismatch",
    "Unavailable",
    "UndeclaredAttribute",
    "Unsupported",
    "UnusableAnswer",
    "VersionConflict",
    "WhyNot",
    "WorkReport",
    "connect",
    "connect_async",
    "evaluate",
    "from_memory",
    "instant",
    "isoformat",
    "migrate",
    "open",
    "retrying",
]
