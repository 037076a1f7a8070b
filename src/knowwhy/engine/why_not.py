"""why_not: why a value is not believed, and what is in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knowwhy.core.model import Draft, RawValue
from knowwhy.core.timeline import Scope
from knowwhy.engine.ask import about, meant
from knowwhy.engine.space import Space
from knowwhy.engine.why import explained
from knowwhy.errors import AmbiguousName
from knowwhy.explain.absence import WhyNot
from knowwhy.ingest.resolution import Resolver, conditions_key, names_in


def why_not(
    space: Space,
    subject: str,
    attribute: str,
    value: RawValue,
    *,
    scope: Scope,
    unit: str | None = None,
    conditions: Mapping[str, str] | None = None,
) -> WhyNot:
    """Why the proposition that `subject`'s `attribute` is `value` is not believed in `scope`.

    Raises:
        AmbiguousName: the subject's name stands for several entities.
    """
    with space.reading(scope) as gate:
        entities = meant(gate, subject)
        if len(entities) > 1:
            msg = f"{subject!r} may mean {len(entities)} entities; give one of them a name of its own."
            raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in entities])
        held = about(gate, entities[0], attribute) if entities else []
        draft = Draft(subject, attribute, value, unit=unit, conditions=conditions)
        known = gate.names(sorted(names_in([draft], gate.schema)))
        resolver = Resolver(known, gate.schema, space.zone)
        declared = resolver.attribute(attribute)
        key = resolver.value(draft, declared).key
        wanted = conditions_key(conditions or {})
        held = [one for one in held if one.slot.conditions == wanted]
        belief = next((one for one in held if one.value.key == key), None)
        found = WhyNot(
            subject,
            declared.name,
            str(value),
            scope.valid,
            standing=tuple(one for one in held if one.status.is_standing and one.value.key != key),
        )
        return found if belief is None else replace(found, explanation=explained(gate, belief))
