"""declared: what a memory was told about attributes, rules and denials."""

from __future__ import annotations

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import attribute_key, name_key
from knowwhy.core.timeline import Scope
from knowwhy.engine.space import Space
from knowwhy.explain.declarations import Declarations


def declared(space: Space, name: str | None = None, *, scope: Scope) -> Declarations:
    """What is declared now, or only what goes by a name (of an attribute, a rule or a denial)."""
    with space.reading(scope) as gate:
        schema = gate.schema
        key = None if name is None else name_key(name)
        means = None if name is None else schema.attribute(attribute_key(name)).key
        return Declarations(
            policy=gate.policy.name,
            confidence=schema.charter.confidence or ConfidenceModel.EVIDENCE,
            attributes=tuple(one for one in schema.attributes.values() if means in (None, one.key)),
            rules=tuple(one for one in schema.rules if key in (None, one.key)),
            denials=tuple(one for one in schema.denials if key in (None, one.key)),
        )
