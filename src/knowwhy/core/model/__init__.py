"""What a thing is: the values that every other room speaks of."""

from knowwhy.core.model.belief import Because, Belief, Rule, Status
from knowwhy.core.model.claim import (
    Claim,
    Draft,
    Modality,
    Slot,
    Stance,
    Testimony,
    belief_id,
    claim_id,
    claim_of,
    slot_of,
)
from knowwhy.core.model.entity import Alias, Entity, alias_target, entity_named
from knowwhy.core.model.evidence import Evidence, content_of, evidence_id
from knowwhy.core.model.ids import content_id
from knowwhy.core.model.names import attribute_key, checked_name, name_key
from knowwhy.core.model.operation import Act, Operation, Retraction
from knowwhy.core.model.schema import STALE_BELOW, Attribute, Cardinality, attribute_in, undeclared
from knowwhy.core.model.source import HIGHEST_AUTHORITY, SOURCE_TYPES, UNSTATED, Source, SourceType
from knowwhy.core.model.text import one_line
from knowwhy.core.model.value import RawValue, Value, ValueType, entity_value, value_of

__all__ = [
    "HIGHEST_AUTHORITY",
    "SOURCE_TYPES",
    "STALE_BELOW",
    "UNSTATED",
    "Act",
    "Alias",
    "Attribute",
    "Because",
    "Belief",
    "Cardinality",
    "Claim",
    "Draft",
    "Entity",
    "Evidence",
    "Modality",
    "Operation",
    "RawValue",
    "Retraction",
    "Rule",
    "Slot",
    "Source",
    "SourceType",
    "Stance",
    "Status",
    "Testimony",
    "Value",
    "ValueType",
    "alias_target",
    "attribute_in",
    "attribute_key",
    "belief_id",
    "checked_name",
    "claim_id",
    "claim_of",
    "content_id",
    "content_of",
    "entity_named",
    "entity_value",
    "evidence_id",
    "name_key",
    "one_line",
    "slot_of",
    "undeclared",
    "value_of",
]
