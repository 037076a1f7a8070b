"""derive: a belief that follows from others, and holds as long as they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from knowwhy.core.model import Act, Belief, Derivation, Draft, Evidence, RawValue, belief_id
from knowwhy.core.timeline import Scope
from knowwhy.engine.ask import meant
from knowwhy.engine.commit import write
from knowwhy.engine.firing import derivation_of
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.recall.gate import Gate
from knowwhy.recall.identity import as_said
from knowwhy.store.protocol import BeliefFilter

# A premise: the id of a belief, (subject, attribute) for what stands there, or (subject, attribute, value).
PremiseLike: TypeAlias = str | Sequence[RawValue]


def derive(
    space: Space,
    draft: Draft,
    premises: Sequence[PremiseLike],
    *,
    exceptions: Sequence[PremiseLike] = (),
    rule: str = "",
    strength: float = 1.0,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Record that the statement of `draft` follows from premises, unless an exception holds.

    Raises:
        InvalidInput: no premise, a premise that is no belief, or a strength that is none.
        NotFound: a premise that was never heard of.
    """
    if not premises:
        msg = "A derivation needs at least one premise; what stands by itself is an observation."
        raise InvalidInput(msg)
    if not 0.0 < strength <= 1.0:
        msg = f"The strength of a derivation lies above 0 and up to 1, not {strength}."
        raise InvalidInput(msg)
    signature = Signature(Act.DERIVE, author, reason)

    inference = _Inference(draft, tuple(premises), tuple(exceptions), rule, strength, author)
    return write(space, signature, lambda reading: _form(reading, inference))


@dataclass(frozen=True, slots=True)
class _Inference:
    """What a caller wants derived, in its own words."""

    draft: Draft
    premises: tuple[PremiseLike, ...]
    exceptions: tuple[PremiseLike, ...]
    rule: str
    strength: float
    author: str | None


def _form(reading: Reading, inference: _Inference) -> Intent | Outcome:
    space, draft = reading.space, inference.draft
    gate = Gate(reading.view, reading.schema, Scope(reading.at), space.policy_under(reading.schema))
    known = reading.meant(names_in([draft], reading.schema))
    resolver = Resolver(known, reading.schema, space.zone, is_strict=space.is_strict)
    attribute = resolver.attribute(draft.attribute)
    grounds = [_premise(gate, resolver, one) for one in inference.premises]
    derivation = Derivation(
        tuple(one.id for one in grounds),
        tuple(_exception(gate, resolver, one) for one in inference.exceptions),
        inference.rule,
        inference.strength,
    )
    slot, value = resolver.slot(draft, attribute), resolver.value(draft, attribute)
    if belief_id(slot.id, value.key) in derivation.premises:
        msg = f"{draft.subject} / {draft.attribute} cannot be its own premise."
        raise InvalidInput(msg)
    words = " and ".join(map(_stated_by, grounds))
    derived = derivation_of(
        reading, slot, value, derivation, words, inference.author, access=space.written_access
    )
    if recorded := reading.view.evidence(ids=[derived.evidence.id]):
        return _known(reading, recorded[0])
    return Intent(
        entities=tuple(resolver.made.values()),
        sources=(derived.evidence.source,),
        evidence=(derived.evidence,),
        claims=(derived.claim,),
        reported=(derived.evidence.id,),
        warnings=tuple(
            f"{_stated_by(one)} is {one.status}, so nothing follows for now."
            for one in grounds
            if not one.status.is_held
        ),
    )


def _stated_by(belief: Belief) -> str:
    return f"{belief.slot.subject.name} / {belief.slot.attribute} = {belief.value}"


def _known(reading: Reading, recorded: Evidence) -> Outcome:
    """The outcome of drawing what was drawn before: nothing, unless it was withdrawn since."""
    if recorded.retracted_at is not None:
        msg = "The same derivation was withdrawn; give it another rule or strength to draw it anew."
        raise InvalidInput(msg, evidence=recorded.id)
    (first,) = as_said(reading.view.claims([recorded.id]))
    return Outcome(first.operation, None, (recorded.id,), is_repeat=True)


def _premise(gate: Gate, resolver: Resolver, written: PremiseLike) -> Belief:
    """The belief that a premise means; of a subject's attribute the one that stands."""
    if isinstance(written, str):
        found = gate.beliefs(BeliefFilter(ids=[written]))
    else:
        found = _stated(gate, resolver, written)
    if not found:
        msg = f"No belief answers to the premise {written!r}; observe it first."
        raise NotFound(msg, premise=written)
    standing = [one for one in found if one.status.is_standing]
    if len(standing) > 1:
        values = ", ".join(str(one.value) for one in standing)
        msg = f"The premise {written!r} may mean {values}: name the value too."
        raise InvalidInput(msg)
    if len(found) > 1 and not standing:
        msg = f"Nothing stands for the premise {written!r}; name the value that is meant."
        raise InvalidInput(msg)
    return (standing or found)[0]


def _stated(gate: Gate, resolver: Resolver, written: Sequence[RawValue]) -> list[Belief]:
    draft = _draft(written)
    attribute = resolver.attribute(draft.attribute)
    subjects = [one.id for one in meant(gate, draft.subject)]
    held = gate.beliefs(BeliefFilter(subjects=subjects, attribute=attribute.key)) if subjects else []
    if draft.value == "":
        return held
    key = resolver.value(draft, attribute).key
    return [one for one in held if one.value.key == key]


def _exception(gate: Gate, resolver: Resolver, written: PremiseLike) -> str:
    """The id of the belief that would be an exception, whether it was ever heard of or not."""
    if isinstance(written, str):
        return _premise(gate, resolver, written).id
    draft = _draft(written)
    if draft.value == "":
        msg = f"The exception {written!r} must name a value: (subject, attribute, value)."
        raise InvalidInput(msg)
    attribute = resolver.attribute(draft.attribute)
    return belief_id(resolver.slot(draft, attribute).id, resolver.value(draft, attribute).key)


_PAIR, _TRIPLE = 2, 3


def _draft(written: Sequence[RawValue]) -> Draft:
    if len(written) not in (_PAIR, _TRIPLE):
        msg = f"A premise is the id of a belief, (subject, attribute) or these with a value, not {written!r}."
        raise InvalidInput(msg)
    value = written[2] if len(written) == _TRIPLE else ""
    return Draft(str(written[0]), str(written[1]), value)
