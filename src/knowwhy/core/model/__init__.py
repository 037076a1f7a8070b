"""What a thing is: the values that every other room speaks of."""

from knowwhy.core.model.access import (
    FOLLOWS,
    PUBLIC,
    RIGHTS,
    Access,
    Grant,
    Principal,
    access_from,
    restricted,
)
from knowwhy.core.model.attribute import (
    ACT_ABOVE,
    DEPENDENCE,
    HALF_LIVES,
    HIGH_STAKES,
    STALE_BELOW,
    Attribute,
    Cardinality,
    Dependency,
    undeclared,
)
from knowwhy.core.model.belief import Because, Belief, Doubt, Rule, Status
from knowwhy.core.model.charter import Charter, Judgement, Label, Learning
from knowwhy.core.model.claim import (
    Claim,
    Derivation,
    Draft,
    Modality,
    Slot,
    Stance,
    Testimony,
    belief_id,
    claim_id,
    claim_of,
    premises_of,
    slot_of,
)
from knowwhy.core.model.document import Document, Edition
from knowwhy.core.model.entity import Alias, Entity, access_mark, alias_target, entity_named
from knowwhy.core.model.erasure import Erasure, digest_of
from knowwhy.core.model.evidence import Evidence, content_of, evidence_id
from knowwhy.core.model.ids import content_id
from knowwhy.core.model.inference import VARIABLE, Denial, InferenceRule, Pattern
from knowwhy.core.model.names import attribute_key, checked_name, name_key
from knowwhy.core.model.operation import Act, Operation
from knowwhy.core.model.queue import Failing, Queued, QueueStep, Waiting
from knowwhy.core.model.ranking import WEIGHTS, RankingWeights
from knowwhy.core.model.schema import Declared, Schema
from knowwhy.core.model.source import HIGHEST_AUTHORITY, SOURCE_TYPES, UNSTATED, Source, SourceType
from knowwhy.core.model.text import one_line
from knowwhy.core.model.value import RawValue, Value, ValueType, entity_value, value_of
from knowwhy.core.model.version import Adoption, Branch, Horizon, Mark, Run
from knowwhy.core.model.withdrawal import Retraction, Withdrawal, in_force, is_retraction, retraction_id

__all__ = [
    "ACT_ABOVE",
    "DEPENDENCE",
    "FOLLOWS",
    "HALF_LIVES",
    "HIGHEST_AUTHORITY",
    "HIGH_STAKES",
    "PUBLIC",
    "RIGHTS",
    "SOURCE_TYPES",
    "STALE_BELOW",
    "UNSTATED",
    "VARIABLE",
    "WEIGHTS",
    "Access",
    "Act",
    "Adoption",
    "Alias",
    "Attribute",
    "Because",
    "Belief",
    "Branch",
    "Cardinality",
    "Charter",
    "Claim",
    "Declared",
    "Denial",
    "Dependency",
    "Derivation",
    "Document",
    "Doubt",
    "Draft",
    "Edition",
    "Entity",
    "Erasure",
    "Evidence",
    "Failing",
    "Grant",
    "Horizon",
    "InferenceRule",
    "Judgement",
    "Label",
    "Learning",
    "Mark",
    "Modality",
    "Operation",
    "Pattern",
    "Principal",
    "QueueStep",
    "Queued",
    "RankingWeights",
    "RawValue",
    "Retraction",
    "Rule",
    "Run",
    "Schema",
    "Slot",
    "Source",
    "SourceType",
    "Stance",
    "Status",
    "Testimony",
    "Value",
    "ValueType",
    "Waiting",
    "Withdrawal",
    "access_from",
    "access_mark",
    "alias_target",
    "attribute_key",
    "belief_id",
    "checked_name",
    "claim_id",
    "claim_of",
    "content_id",
    "content_of",
    "digest_of",
    "entity_named",
    "entity_value",
    "evidence_id",
    "in_force",
    "is_retraction",
    "name_key",
    "one_line",
    "premises_of",
    "restricted",
    "retraction_id",
    "slot_of",
    "undeclared",
    "value_of",
]
