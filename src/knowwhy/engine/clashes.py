"""Clashes: the least set of what is held that leaves no room for something, by denials or its own slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from knowwhy.core.model import Belief, Schema
from knowwhy.core.revision.belief_base.kernels import kernel
from knowwhy.core.revision.belief_base.language import Sentence, denial, exclusive, fact
from knowwhy.core.revision.belief_base.reasoning import Theory

# So many ways in which the statements of one denial can be met are looked at.
_MOST_WAYS: Final = 256


def clash(lost: Belief, held: Iterable[Belief], schema: Schema) -> tuple[Belief, ...]:
    """One kernel against `lost`: what of `held` cannot hold together with it; empty where nothing clashes.

    The surest come first, and less sure ones are blamed only where those alone do not clash.
    """
    others = [one for one in held if one.id != lost.id and _is_near(one, lost)]
    others.sort(key=lambda one: (-one.confidence(lost.settled_at), one.id))
    named = {one.id: one for one in others}
    found = kernel(
        Theory.of(*_constraints(lost, others, schema)), {one: fact(one) for one in named}, [fact(lost.id)]
    )
    return tuple(named[one] for one in found or ())


def _is_near(one: Belief, other: Belief) -> bool:
    return (one.slot.subject.id, one.slot.conditions) == (other.slot.subject.id, other.slot.conditions)


def _constraints(lost: Belief, others: list[Belief], schema: Schema) -> Iterator[Sentence]:
    if schema.attribute(lost.slot.attribute).is_exclusive:
        for one in others:
            if one.slot.id == lost.slot.id:
                yield exclusive(fact(one.id), fact(lost.id))
    for declared in schema.denied_with.get(lost.slot.attribute, ()):
        met = (
            [one.id for one in (lost, *others) if statement.fits(one.slot, one.value)]
            for statement in declared.statements
        )
        for ways in islice(product(*met), _MOST_WAYS):
            yield denial(*map(fact, ways))
