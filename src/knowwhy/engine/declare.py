"""declare: what an attribute is, so that its values are read, compared and aged as they should be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    ACT_ABOVE,
    DEPENDENCE,
    HALF_LIVES,
    STALE_BELOW,
    Act,
    Attribute,
    Cardinality,
    Dependency,
    Schema,
    ValueType,
    attribute_key,
    checked_name,
)
from knowwhy.core.revision import POLICIES, contest_key
from knowwhy.core.timeline import BEGINNING
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.ingest.patterns import check_patterns
from knowwhy.store.protocol import BeliefFilter


def declare(
    space: Space, attribute: Attribute, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Declare an attribute, or change its declaration; beliefs about it are settled anew.

    Raises:
        InvalidInput: a declaration that no memory could keep.
    """
    check_patterns(attribute)
    signature = Signature(Act.DECLARE, author, reason)
    return write(space, signature, lambda reading: _form(reading, attribute))


def _form(reading: Reading, attribute: Attribute) -> Intent | Outcome:
    known = reading.view.declared(Attribute, [attribute.key]).get(attribute.key)
    if known is not None and _same(known, attribute):
        return Outcome(operation=known.declared_in, at=None, is_repeat=True)
    schema = reading.schema.with_declared([attribute])
    touched = dict.fromkeys(
        contest_key(one.slot, one.value.key, schema.attribute(one.slot.attribute))
        for key in _concerned(reading.schema, schema, attribute)
        for one in reading.view.beliefs(BeliefFilter(attribute=key))
    )
    return Intent(declarations=(attribute,), contests=tuple(touched))


def _concerned(before: Schema, after: Schema, attribute: Attribute) -> list[str]:
    """The attributes that are understood otherwise once one is declared.

    Beside it what was or is its synonym, and what was or is said to depend on one of these.
    """
    known = before.attributes.get(attribute.key, attribute)
    synonyms = {attribute_key(one) for one in (*known.synonyms, *attribute.synonyms)}
    renamed = {one for one in synonyms if before.attribute(one).key != after.attribute(one).key}
    leaning = {
        one.key
        for schema in (before, after)
        for one in schema.attributes.values()
        if renamed.intersection(dependency.attribute for dependency in one.depends_on)
    }
    return sorted({attribute.key} | synonyms | leaning)


def _same(known: Attribute, attribute: Attribute) -> bool:
    return replace(known, declared_in=0, declared_at=BEGINNING) == attribute


def checked_attribute(name: str, given: Mapping[str, Any]) -> Attribute:
    """The attribute that a caller declares by a name and traits, each left out where the default will do.

    Raises:
        InvalidInput: a trait that does not exist or cannot be.
    """
    kind = given.get("kind")
    if kind is not None and kind not in HALF_LIVES:
        msg = f"{kind!r} is not a kind of attribute; use one of {', '.join(HALF_LIVES)}."
        raise InvalidInput(msg)
    domain, policy = given.get("domain"), given.get("policy")
    if domain is not None:
        domain = checked_name(domain, "domain").casefold()
    if policy is not None and policy not in POLICIES:
        msg = f"{policy!r} is not a policy; use one of {', '.join(POLICIES)}."
        raise InvalidInput(msg)
    half_life = given.get("half_life_days")
    try:
        return Attribute(
            name=checked_name(name, "attribute"),
            cardinality=Cardinality(given.get("cardinality", Cardinality.ONE)),
            value_type=_value_type(given),
            unit=given.get("unit"),
            changes=given.get("changes", kind != "identity"),
            half_life_days=HALF_LIVES[kind] if half_life is None and kind is not None else half_life,
            stale_below=given.get("stale_below", STALE_BELOW),
            synonyms=tuple(checked_name(one, "synonym") for one in given.get("synonyms", ())),
            patterns=tuple(given.get("patterns", ())),
            about=given.get("about"),
            subject_type=given.get("subject_type"),
            object_type=given.get("object_type"),
            inverse=None if given.get("inverse") is None else checked_name(given["inverse"], "inverse"),
            confidence=_model(given.get("confidence")),
            policy=policy,
            base_rate=given.get("base_rate", 0.5),
            strictness=given.get("strictness", 1.0),
            depends_on=_dependencies(given.get("depends_on", ())),
            act_above=given.get("act_above", ACT_ABOVE),
            domain=domain,
        )
    except ValueError as problem:
        msg = (
            f"{problem}: cardinality is one of {', '.join(Cardinality)}; value_type one of "
            f"{', '.join(ValueType)}; confidence one of {', '.join(ConfidenceModel)}."
        )
        raise InvalidInput(msg) from problem


def _dependencies(given: str | Iterable[str] | Mapping[str, float]) -> tuple[Dependency, ...]:
    if isinstance(given, str):
        given = [given]
    pairs = given.items() if isinstance(given, Mapping) else ((one, DEPENDENCE) for one in given)
    found: dict[str, float] = {}
    for name, strength in pairs:
        if not isinstance(strength, int | float):
            msg = f"The strength of a dependency is a number between 0 and 1, not {strength!r}."
            raise InvalidInput(msg)
        found[attribute_key(checked_name(name, "attribute depended on"))] = float(strength)
    return tuple(Dependency(key, found[key]) for key in sorted(found))


def _model(named: str | None) -> ConfidenceModel | None:
    return None if named is None else ConfidenceModel(named)


def _value_type(given: Mapping[str, Any]) -> ValueType | None:
    if given.get("value_type") is not None:
        return ValueType(given["value_type"])
    if given.get("inverse") is not None or given.get("object_type") is not None:
        return ValueType.ENTITY
    return None if given.get("unit") is None else ValueType.NUMBER
