"""Resolution: from names and raw values to entities, slots and typed values."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from knowwhy.core.model import (
    Attribute,
    Claim,
    Draft,
    Entity,
    Evidence,
    Schema,
    Slot,
    Stance,
    Value,
    ValueType,
    attribute_key,
    checked_name,
    claim_id,
    entity_named,
    entity_value,
    name_key,
    slot_of,
    undeclared,
    value_of,
)
from knowwhy.core.timeline import FOREVER, Interval, instant, isoformat
from knowwhy.errors import AmbiguousName, InvalidInput, TypeMismatch, UndeclaredAttribute
from knowwhy.ingest.quoting import matched_quote

_ALWAYS = Interval()


@dataclass(slots=True)
class Resolver:
    """Turns drafts into claims, given the entities that their names stand for.

    `known` maps name keys to entities, `schema` holds the declarations. A name that stands for several means
    the one of them of which the same conversation has spoken, where `spoken_of` tells of just one. The
    entities it had to make are collected in `made`; `notes` say what it took for granted.
    """

    known: Mapping[str, list[Entity]]
    schema: Schema
    zone: str | None = None
    is_strict: bool = False
    made: dict[str, Entity] = field(default_factory=dict)
    spoken_of: Callable[[Evidence], Collection[str]] | None = None
    notes: list[str] = field(default_factory=list)
    _said_in: Evidence | None = None

    def attribute(self, name: str) -> Attribute:
        """The attribute that a name or synonym means.

        Raises:
            UndeclaredAttribute: a strict memory does not know it.
            InvalidInput: it is the inverse of another, by which only whole claims can be told.
        """
        found = self.schema.by_name.get(attribute_key(name))
        relation = self.schema.inverses.get(attribute_key(name))
        if relation is not None:
            msg = f"{name!r} is {relation.name!r} told from the other side; say it by that name."
            raise InvalidInput(msg)
        if found is None and self.is_strict:
            msg = f"The attribute {name!r} is not declared, and this memory is strict: declare it first."
            raise UndeclaredAttribute(msg, attribute=name)
        return found or undeclared(checked_name(name, "attribute"))

    def entity(
        self,
        name: str,
        own_id: str | None = None,
        entity_type: str | None = None,
        *,
        declared_type: str | None = None,
    ) -> Entity:
        """The entity a name stands for, made where there is none yet.

        An id always wins. Where it has a type, others of that name that have another are not meant. One that
        is made has the type that is declared for its place, unless it is said to be of another.

        Raises:
            AmbiguousName: the name stands for several, and no id says which.
        """
        written = checked_name(name, "name of an entity")
        if own_id is not None:
            made = entity_named(written, entity_type or declared_type, own_id)
            return self.made.setdefault(made.id, made)
        known = list(self.known.get(name_key(written), ()))
        if entity_type is not None and known:
            known = _of_type(known, entity_type)
            if not known:
                made = entity_named(written, entity_type, is_by_type=True)
                self.notes.append(
                    f"{written!r} is taken to be another than those of other types; see `questions`."
                )
                return self.made.setdefault(made.id, made)
        if len(known) > 1:
            known = self._near(known)
        if len(known) > 1:
            msg = f"{written!r} may mean {len(known)} entities; say which by subject_id."
            raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in known])
        if known:
            return known[0]
        made = entity_named(written, entity_type or declared_type)
        return self.made.setdefault(made.id, made)

    def _near(self, known: list[Entity]) -> list[Entity]:
        """Those of some entities of one name that are spoken of in the same conversation, where it is one."""
        said_in = self._said_in
        if self.spoken_of is None or said_in is None or not said_in.context:
            return known
        near = self.spoken_of(said_in)
        found = [one for one in known if one.id in near]
        if len(found) != 1:
            return known
        self.notes.append(
            f"{found[0].name!r} is taken to be [{found[0].id}], of whom this conversation has spoken."
        )
        return found

    def slot(self, draft: Draft, attribute: Attribute) -> Slot:
        """The slot a draft is about.

        Raises:
            TypeMismatch: its subject is of another type than the attribute is declared for.
        """
        subject = self.entity(
            draft.subject, draft.subject_id, draft.subject_type, declared_type=attribute.subject_type
        )
        _check_type(subject, attribute.subject_type, f"what has {attribute.name!r}")
        return slot_of(subject, attribute.key, conditions_key(draft.conditions or {}))

    def value(self, draft: Draft, attribute: Attribute) -> Value:
        """The typed value of a draft.

        Raises:
            TypeMismatch: it does not fit the declared type or unit.
        """
        unit = draft.unit or attribute.unit
        if attribute.unit and draft.unit and name_key(draft.unit) != name_key(attribute.unit):
            msg = f"{attribute.name!r} is declared in {attribute.unit!r}, not {draft.unit!r}."
            raise TypeMismatch(msg, attribute=attribute.name)
        if attribute.value_type is ValueType.ENTITY:
            entity = self.entity(
                str(draft.value), draft.object_id, draft.object_type, declared_type=attribute.object_type
            )
            _check_type(entity, attribute.object_type, f"what {attribute.name!r} leads to")
            return entity_value(entity.id, entity.name)
        return value_of(draft.value, attribute.value_type, unit)

    def claim(self, draft: Draft, evidence: Evidence) -> Claim:
        """The claim that a draft makes on the strength of `evidence`."""
        self._said_in = evidence
        draft = as_declared(draft, self.schema)
        attribute = self.attribute(draft.attribute)
        slot = self.slot(draft, attribute)
        value = self.value(draft, attribute)
        span = self._span(draft)
        if draft.stance is Stance.ENDS and span.end == FOREVER:
            span = Interval(span.start, evidence.effective_at)
        quote, match = (None, None) if draft.quote is None else matched_quote(draft.quote, evidence.text)
        valid_from = None if draft.valid_from is None else span.start
        return Claim(
            claim_id(evidence.id, slot, value, draft.stance, valid_from, span.end),
            evidence.id,
            slot,
            value,
            draft.stance,
            valid_from,
            span.end,
            draft.modality,
            float(draft.weight),
            quote,
            match,
            depends_on=tuple(dict.fromkeys(self._premise(one, slot) for one in draft.depends_on)),
            is_forced=draft.is_forced,
        )

    def _premise(self, named: tuple[str, str], dependent: Slot) -> str:
        """The id of the slot that a claim says it rests on."""
        subject, attribute = named
        slot = slot_of(self.entity(subject), self.attribute(attribute).key)
        if slot.id == dependent.id:
            msg = f"{subject} / {attribute} cannot depend on itself."
            raise InvalidInput(msg)
        return slot.id

    def _span(self, draft: Draft) -> Interval:
        if draft.valid_from is None and draft.valid_to is None:
            return _ALWAYS
        span = Interval(
            *(
                open_end if bound is None else instant(bound, self.zone)
                for bound, open_end in ((draft.valid_from, Interval().start), (draft.valid_to, FOREVER))
            )
        )
        if span.is_empty:
            msg = (
                f"{draft.subject} / {draft.attribute} would be valid from {isoformat(span.start)} "
                f"to {isoformat(span.end)}: the end must lie after the beginning."
            )
            raise InvalidInput(msg)
        return span


def as_declared(draft: Draft, schema: Schema) -> Draft:
    """The claim as its relation is declared: told by the inverse, it is turned round."""
    relation = schema.inverses.get(attribute_key(draft.attribute))
    if relation is None:
        return draft
    return replace(
        draft,
        subject=str(draft.value),
        attribute=relation.name,
        value=draft.subject,
        subject_id=draft.object_id,
        subject_type=draft.object_type,
        object_id=draft.subject_id,
        object_type=draft.subject_type,
    )


def _check_type(entity: Entity, declared: str | None, what: str) -> None:
    if declared is None or entity.type is None or name_key(entity.type) == name_key(declared):
        return
    msg = f"{entity.name!r} is of the type {entity.type!r}, but {what} is declared to be of {declared!r}."
    raise TypeMismatch(msg, entity=entity.id)


def _of_type(known: list[Entity], entity_type: str) -> list[Entity]:
    """Which of some entities of one name have a type, or else might have it."""
    wanted = name_key(entity_type)
    same = [one for one in known if one.type is not None and name_key(one.type) == wanted]
    return same or [one for one in known if one.type is None]


def conditions_key(conditions: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Conditions in the form in which two writings of them are equal."""
    return tuple(sorted((name_key(key), name_key(str(value))) for key, value in conditions.items()))


def names_in(drafts: Iterable[Draft], schema: Schema) -> set[str]:
    """The name keys that resolving `drafts` will ask about."""
    keys: set[str] = set()
    for draft in (as_declared(one, schema) for one in drafts):
        if draft.subject_id is None:
            keys.add(name_key(draft.subject))
        attribute = schema.by_name.get(attribute_key(draft.attribute))
        is_relation = attribute is not None and attribute.value_type is ValueType.ENTITY
        if is_relation and draft.object_id is None:
            keys.add(name_key(str(draft.value)))
        keys.update(name_key(subject) for subject, _ in draft.depends_on)
    return keys


def fingerprint(drafts: Iterable[Draft]) -> str:
    """What tells one list of claims from another, whatever order their fields were written in."""
    return json.dumps([_identity(draft) for draft in drafts], ensure_ascii=False, default=str)


def _identity(draft: Draft) -> tuple[object, ...]:
    return (
        draft.subject,
        draft.attribute,
        draft.value,
        draft.stance,
        draft.unit,
        conditions_key(draft.conditions) if draft.conditions else None,
        draft.valid_from,
        draft.valid_to,
        draft.modality,
        draft.quote,
        draft.weight,
        draft.subject_id,
        draft.subject_type,
        *([list(map(list, draft.depends_on))] if draft.depends_on else []),
        *(["forced"] if draft.is_forced else []),
        *(["object", draft.object_id, draft.object_type] if draft.object_id or draft.object_type else []),
    )


def written_out(drafts: Iterable[Draft]) -> str:
    """The claims as sentences, for evidence that came without words of its own."""
    return "\n".join(_sentence(draft) for draft in drafts)


def _sentence(draft: Draft) -> str:
    unit = f" {draft.unit}" if draft.unit else ""
    denial = {
        Stance.SUPPORTS: "",
        Stance.REFUTES: "not ",
        Stance.ENDS: "no longer ",
        Stance.GIVES_UP: "no more believed to be ",
    }[draft.stance]
    named = ", ".join(f"{key} {value}" for key, value in (draft.conditions or {}).items())
    conditions = f" ({named})" if named else ""
    return f"{draft.subject}: {draft.attribute} {denial}{draft.value}{unit}{conditions}"
