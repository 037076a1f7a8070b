"""How what is declared looks as text, and the way back: the same in every store."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeVar, cast

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    Adoption,
    Arbitration,
    Archive,
    Attribute,
    Auditing,
    Branch,
    Cardinality,
    Charter,
    Declared,
    Denial,
    Dependency,
    Document,
    DreamState,
    Edition,
    Erasure,
    Excerpts,
    Failing,
    Grant,
    Horizon,
    Identity,
    Incomplete,
    InferenceRule,
    Judgement,
    Label,
    Learning,
    Lifetimes,
    Mark,
    ParkedTopic,
    Pattern,
    Quarantine,
    Queued,
    QueueStep,
    RankingWeights,
    Run,
    Sameness,
    ValueType,
    Waiting,
)
from knowwhy.core.timeline import Instant

D = TypeVar("D", bound=Declared)

_Fields = dict[str, Any]


def declared_text(one: Declared) -> str:
    """The declaration as JSON, without when it was made: the log says that."""
    fields = asdict(one)
    del fields["declared_in"], fields["declared_at"]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def declared_from(kind: type[D], text: str, operation: int, at: Instant) -> D:
    """The declaration that `declared_text` wrote, made by an operation at an instant."""
    fields = _READ.get(kind.kind, _as_written)(json.loads(text))
    return cast("D", _KINDS[kind.kind](**fields, declared_in=operation, declared_at=at))


def declared_as(kind: str, text: str, operation: int, at: Instant) -> Declared:
    """The same, of a kind that is known by its name."""
    return declared_from(_KINDS[kind], text, operation, at)


def _attribute(fields: _Fields) -> _Fields:
    kind, model = fields["value_type"], fields["confidence"]
    return fields | {
        "cardinality": Cardinality(fields["cardinality"]),
        "value_type": None if kind is None else ValueType(kind),
        "confidence": None if model is None else ConfidenceModel(model),
        "synonyms": tuple(fields["synonyms"]),
        "patterns": tuple(fields["patterns"]),
        "depends_on": tuple(Dependency(**one) for one in fields["depends_on"]),
    }


def _rule(fields: _Fields) -> _Fields:
    return fields | {
        "premises": _patterns(fields["premises"]),
        "exceptions": _patterns(fields["exceptions"]),
        "conclusion": Pattern(**fields["conclusion"]),
    }


def _denial(fields: _Fields) -> _Fields:
    return fields | {"statements": _patterns(fields["statements"])}


def _charter(fields: _Fields) -> _Fields:
    model = fields["confidence"]
    return fields | {"confidence": None if model is None else ConfidenceModel(model)}


def _learning(fields: _Fields) -> _Fields:
    return fields | {"rates": tuple((group, rate, number) for group, rate, number in fields["rates"])}


def _label(fields: _Fields) -> _Fields:
    return fields | {"judgement": Judgement(fields["judgement"])}


def _document(fields: _Fields) -> _Fields:
    return fields | {"editions": tuple(Edition(**one) for one in fields["editions"])}


def _identity(fields: _Fields) -> _Fields:
    return fields | {"sameness": Sameness(fields["sameness"])}


def _lifetimes(fields: _Fields) -> _Fields:
    return fields | {"days": tuple((name, days) for name, days in fields["days"])}


def _queue_step(fields: _Fields) -> _Fields:
    kept = fields["kept"]
    return fields | {
        "added": tuple(Waiting(**one) for one in fields["added"]),
        "leased": tuple(fields["leased"]),
        "done": tuple(fields["done"]),
        "failing": tuple(Failing(**one) for one in fields["failing"]),
        "retried": tuple(fields["retried"]),
        "kept": None
        if kept is None
        else tuple(Queued(**{**one, "waiting": Waiting(**one["waiting"])}) for one in kept),
    }


def _erasure(fields: _Fields) -> _Fields:
    counts = tuple((name, number) for name, number in fields["counts"])
    return fields | {"records": tuple(fields["records"]), "counts": counts}


def _grant(fields: _Fields) -> _Fields:
    return fields | {"rights": tuple(fields["rights"])}


def _dream_state(fields: _Fields) -> _Fields:
    parked = tuple(ParkedTopic(**one) for one in fields["parked"])
    return fields | {"read": tuple((step, last) for step, last in fields["read"]), "parked": parked}


def _excerpts(fields: _Fields) -> _Fields:
    return fields | {"sentences": tuple((item, start, end) for item, start, end in fields["sentences"])}


def _as_written(fields: _Fields) -> _Fields:
    return fields


def _patterns(written: list[_Fields]) -> tuple[Pattern, ...]:
    return tuple(Pattern(**one) for one in written)


_KINDS: Final[Mapping[str, type[Declared]]] = {
    one.kind: one
    for one in (
        *(Attribute, InferenceRule, Denial, Charter, Learning, Label, RankingWeights),
        *(Branch, Mark, Run, Adoption, Horizon, QueueStep, Erasure, Document, Identity),
        *(Lifetimes, Auditing, Incomplete, Grant, Arbitration, Quarantine, DreamState, Archive, Excerpts),
    )
}
# The kinds of which what is believed depends.
SCHEMA_KINDS: Final = frozenset(kind for kind, one in _KINDS.items() if one.is_schema)
_READ: Final[Mapping[str, Callable[[_Fields], _Fields]]] = {
    Attribute.kind: _attribute,
    InferenceRule.kind: _rule,
    Denial.kind: _denial,
    Charter.kind: _charter,
    Learning.kind: _learning,
    Label.kind: _label,
    Erasure.kind: _erasure,
    QueueStep.kind: _queue_step,
    Document.kind: _document,
    Grant.kind: _grant,
    Identity.kind: _identity,
    Lifetimes.kind: _lifetimes,
    DreamState.kind: _dream_state,
    Excerpts.kind: _excerpts,
}
