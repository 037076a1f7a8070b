"""declare: what an attribute is, so that its values are read, compared and aged as they should be."""

from __future__ import annotations

from dataclasses import replace

from knowwhy.core.model import Act, Attribute
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.engine.commit import Intent, Reading, Signature, write
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
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
    known = reading.view.attributes([attribute.key]).get(attribute.key)
    if known is not None and _same(known, attribute):
        return Outcome(operation=known.declared_in, at=None, is_repeat=True)
    touched: dict[ContestKey, Attribute] = {
        contest_key(belief.slot, belief.value.key, attribute): attribute
        for belief in reading.view.beliefs(BeliefFilter(attribute=attribute.key))
    }
    return Intent(attributes=(attribute,), contests=tuple(touched), touched=touched)


def _same(known: Attribute, attribute: Attribute) -> bool:
    return replace(known, declared_in=0) == attribute
