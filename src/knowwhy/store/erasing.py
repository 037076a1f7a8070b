"""Erasing in the in-memory store: what the engines do with tables, done with its records."""

from __future__ import annotations

from dataclasses import replace

from knowwhy.core.model import Declared, Operation, Slot, ValueType
from knowwhy.store.blotting import BLOT, GOING, KEPT, Blotter
from knowwhy.store.encoding import declared_from, declared_text
from knowwhy.store.protocol import Erasing
from knowwhy.store.records import Records


def erase(records: Records, erasing: Erasing) -> None:
    """Drop what nothing speaks of any more, and blot words out of the log."""
    candidates = frozenset(erasing.entities)
    for own_id, slot in list(records.slots.items()):
        if slot.subject.id in candidates and not records.claims_by_slot.get(own_id):
            _forget_slot(records, slot)
    spoken = {one.subject.id for one in records.slots.values()}
    spoken |= {
        one.value.key.removeprefix(f"{ValueType.ENTITY}:")
        for one in records.beliefs.values()
        if one.value.type is ValueType.ENTITY
    }
    for own_id in candidates - spoken:
        records.forget_entity(own_id)
    heard = {(one.source.name, one.source.type) for one in records.evidence.values()}
    for key in [one for one in records.sources if one[0] in erasing.sources and one not in heard]:
        del records.sources[key]
    for one in [one for one in records.standings if (one[0].name, one[0].type) not in records.sources]:
        del records.standings[one]
    _blot(records, Blotter(erasing.words, erasing.ids))


def _forget_slot(records: Records, slot: Slot) -> None:
    del records.slots[slot.id]
    for contest in [one for one in records.decisions if one.slot_id == slot.id]:
        del records.decisions[contest]


def _blot(records: Records, blotter: Blotter) -> None:
    records.audits = {
        own: one
        for own, one in records.audits.items()
        if not (blotter.tells_in(one.body) or blotter.tells(one.principal))
    }
    records.operations = [_blotted(one, blotter) for one in records.operations]
    records.operation_by_key = {one.key: one for one in records.operations if one.key is not None}
    records.withdrawals = {
        target: tuple(replace(one, reason=BLOT) if blotter.tells(one.reason) else one for one in those)
        for target, those in records.withdrawals.items()
    }
    declared: dict[tuple[str, str], tuple[Declared, ...]] = {}
    for (kind, key), made in records.declared.items():
        for one in made:
            if kind in GOING and blotter.names(declared_text(one)):
                continue
            is_kept = kind in KEPT
            now = one if is_kept else _redeclared(one, blotter)
            named = f"{BLOT} {one.declared_in}" if not is_kept and blotter.tells(key) else key
            declared[kind, named] = (*declared.get((kind, named), ()), now)
    records.declared = declared


def _redeclared(one: Declared, blotter: Blotter) -> Declared:
    text = declared_text(one)
    blotted = blotter.blotted_json(text)
    return one if blotted == text else declared_from(type(one), blotted, one.declared_in, one.declared_at)


def _blotted(one: Operation, blotter: Blotter) -> Operation:
    return replace(
        one,
        author=BLOT if blotter.tells(one.author) else one.author,
        reason=BLOT if blotter.tells(one.reason) else one.reason,
        key=None if blotter.tells(one.key) else one.key,
        outcome=one.outcome if blotter.blotted(one.outcome) == one.outcome else None,
    )
