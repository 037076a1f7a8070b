"""The tables as they are written: their columns in order, and the statements that fill them."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_NUMBER: Final = "bigint"
_TEXT: Final = "text"
_JSON: Final = "jsonb"
_FLAG: Final = "boolean"
_REAL: Final = "float8"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of records: its columns after the space, each with its type."""

    name: str
    columns: dict[str, str]

    @property
    def lists(self) -> str:
        """The lists of an insertion, one for each column."""
        return ", ".join(f"%s::{kind}[]" for kind in self.columns.values())

    def insertion(self, otherwise: str = "") -> str:
        """The statement that adds rows: it binds the space, then one list for each column."""
        rest = f" ON CONFLICT {otherwise}" if otherwise else ""
        return (
            f"INSERT INTO {self.name} (space, {', '.join(self.columns)})"
            f" SELECT %s, j.* FROM unnest({self.lists}) AS j{rest}"
        )

    def replacement(self, key: str, kept: frozenset[str]) -> str:
        """The same, but rows of the same key get new values, all but those of the columns `kept`."""
        changing = [one for one in self.columns if one not in kept]
        changes = ", ".join(f"{one} = excluded.{one}" for one in changing)
        return self.insertion(f"({key}) DO UPDATE SET {changes}")


_OPERATIONS: Final = Table(
    "operations",
    {
        **dict.fromkeys(("sequence", "at", "decided_at"), _NUMBER),
        **dict.fromkeys(("act", "author", "reason", "policy", "key", "key_whole", "request"), _TEXT),
        "outcome": _JSON,
        "mark": _NUMBER,
        "access": _TEXT,
    },
)
_DECLARATIONS: Final = Table(
    "declarations", {"kind": _TEXT, "key": _TEXT, "operation": _NUMBER, "key_whole": _TEXT, "body": _JSON}
)
_ENTITIES: Final = Table(
    "entities",
    {
        "number": _NUMBER,
        **dict.fromkeys(("id", "id_whole", "name", "type"), _TEXT),
        "operation": _NUMBER,
        "access": _TEXT,
    },
)
_NAMES: Final = Table(
    "names",
    {
        "key": _TEXT,
        "entity": _TEXT,
        "is_alias": _FLAG,
        "operation": _NUMBER,
        **dict.fromkeys(("name", "target", "key_whole", "entity_whole", "access"), _TEXT),
    },
)
_SOURCES: Final = Table(
    "sources",
    {
        "number": _NUMBER,
        "name": _TEXT,
        "type": _TEXT,
        "authority": _NUMBER,
        "reliability": _REAL,
        "operation": _NUMBER,
        "name_whole": _TEXT,
        "access": _TEXT,
    },
)
_EVIDENCE: Final = Table(
    "evidence",
    {
        "number": _NUMBER,
        "id": _TEXT,
        "content": _TEXT,
        "source": _NUMBER,
        "groups": _JSON,
        **dict.fromkeys(("observed_at", "effective_at", "recorded_at"), _NUMBER),
        "is_pinned": _FLAG,
        "operation": _NUMBER,
        "context": _TEXT,
        "derived_from": _JSON,
        "metadata": _JSON,
        "text": _TEXT,
        "access": _TEXT,
    },
)
_SLOTS: Final = Table(
    "slots",
    {
        "number": _NUMBER,
        "id": _TEXT,
        "subject": _NUMBER,
        "attribute": _TEXT,
        "attribute_whole": _TEXT,
        "conditions": _JSON,
    },
)
_VALUE: Final = dict.fromkeys(("value_key", "value_whole", "value_type", "value_text", "value_unit"), _TEXT)
_CLAIMS: Final = Table(
    "claims",
    {
        "number": _NUMBER,
        "id": _TEXT,
        "evidence": _NUMBER,
        "slot": _NUMBER,
        **_VALUE,
        "stance": _TEXT,
        "valid_from": _NUMBER,
        "valid_to": _NUMBER,
        "modality": _TEXT,
        "weight": _REAL,
        "quote": _TEXT,
        "quote_match": _TEXT,
        "is_forced": _FLAG,
        "derivation": _JSON,
        "depends_on": _JSON,
        "operation": _NUMBER,
    },
)
_LINKS: Final = Table("links", {"premise": _TEXT, "slot": _NUMBER, "value_key": _TEXT})
_DECISIONS: Final = Table(
    "decisions", {"slot": _TEXT, "value_key": _TEXT, "operation": _NUMBER, "value_whole": _TEXT}
)
_RETRACTIONS: Final = Table(
    "retractions",
    {"target": _TEXT, "id": _TEXT, "operation": _NUMBER, "reason": _TEXT, "target_whole": _TEXT},
)
_BELIEFS: Final = Table(
    "beliefs",
    {
        "id": _TEXT,
        "slot": _NUMBER,
        **_VALUE,
        **dict.fromkeys(("status", "rule", "against"), _TEXT),
        **dict.fromkeys(("since", "until", "observed_at", "authority", "sources", "evidence"), _NUMBER),
        **dict.fromkeys(("version", "settled_at", "stable_until", "stale_from"), _NUMBER),
        "tally": _TEXT,
        "doubts": _JSON,
        "derivations": _JSON,
        "is_additive": _FLAG,
        "labels": _JSON,
    },
)

ADD_OPERATION: Final = _OPERATIONS.insertion()
ADD_DECLARATION: Final = _DECLARATIONS.replacement(
    "space, kind, key, operation", frozenset({"kind", "key", "operation"})
)
ADD_ENTITY: Final = _ENTITIES.insertion()
ADD_NAME: Final = _NAMES.insertion("DO NOTHING")
ADD_SOURCE: Final = _SOURCES.insertion()
ADD_EVIDENCE: Final = _EVIDENCE.insertion()
ADD_SLOT: Final = _SLOTS.insertion()
# Each with the source of its evidence.
ADD_CLAIM: Final = (
    f"INSERT INTO claims (space, {', '.join(_CLAIMS.columns)}, source) SELECT %s, j.*, e.source"
    f" FROM unnest({_CLAIMS.lists}) AS j({', '.join(_CLAIMS.columns)})"
    " JOIN evidence AS e ON e.space = %s AND e.number = j.evidence"
)
ADD_LINK: Final = _LINKS.insertion("DO NOTHING")
ADD_DECISION: Final = _DECISIONS.replacement("space, slot, value_key", frozenset({"slot", "value_key"}))
ADD_RETRACTION: Final = _RETRACTIONS.insertion("DO NOTHING")
# In place, so that indexes over what a belief's id determines, its slot and value, are not written again.
PUT_BELIEF: Final = _BELIEFS.replacement(
    "space, id", frozenset({"id", "slot", "value_key", "value_whole", "value_type"})
)
