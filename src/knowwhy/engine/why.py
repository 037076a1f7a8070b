"""why and trust: on what a belief rests, and how far a proposition can be relied on."""

from __future__ import annotations

from collections.abc import Mapping

from knowwhy.core.model import Belief, Draft, RawValue, Status
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Scope
from knowwhy.engine.ask import about, meant
from knowwhy.engine.foundations import foundations
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousName, NotFound
from knowwhy.explain.explanation import Explanation, Inference
from knowwhy.explain.trust import Trust
from knowwhy.ingest.resolution import Resolver, conditions_key, names_in
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter


def why(space: Space, belief: str, *, scope: Scope) -> Explanation:
    """Why the belief with this id stands as it does in `scope`.

    Raises:
        NotFound: no belief of this id was held or heard of then.
    """
    with space.reading(scope) as gate:
        found = gate.beliefs(BeliefFilter(ids=[belief]))
        if not found:
            msg = f"No belief has the id {belief!r} here; `ask` and `recall` show the ids."
            raise NotFound(msg, belief=belief)
        return explained(gate, found[0])


def why_standing(
    space: Space,
    subject: str,
    attribute: str,
    *,
    scope: Scope,
    conditions: Mapping[str, str] | None = None,
) -> Explanation:
    """Why what stands for a subject's attribute does so; where nothing stands, why the last value fell.

    Raises:
        NotFound: nothing was ever heard about it.
        AmbiguousName: the subject's name stands for several entities.
    """
    with space.reading(scope) as gate:
        held = _named(gate, subject, attribute)
        if conditions is not None:
            wanted = conditions_key(conditions)
            held = [belief for belief in held if belief.slot.conditions == wanted]
        if not held:
            msg = f"Nothing was ever heard about {subject} / {attribute}."
            raise NotFound(msg, subject=subject, attribute=attribute)
        return explained(gate, max(held, key=_prominence))


def trust(
    space: Space,
    subject: str,
    attribute: str,
    value: RawValue,
    *,
    scope: Scope,
    unit: str | None = None,
    conditions: Mapping[str, str] | None = None,
) -> Trust:
    """How far the proposition that `subject`'s `attribute` is `value` can be relied on in `scope`."""
    with space.reading(scope) as gate:
        held = _named(gate, subject, attribute)
        draft = Draft(subject, attribute, value, unit=unit, conditions=conditions)
        known = gate.names(sorted(names_in([draft], gate.schema)))
        resolver = Resolver(known, gate.schema, space.zone)
        declared = resolver.attribute(attribute)
        key = resolver.value(draft, declared).key
        slot = resolver.slot(draft, declared)
        belief = next((one for one in held if one.value.key == key and one.slot.id == slot.id), None)
        explanation = explained(gate, belief) if belief is not None else None
        return Trust(subject, declared.name, str(value), scope.valid, explanation)


def explained(gate: Gate, belief: Belief) -> Explanation:
    """The explanation of a belief that the gate let through."""
    key = gate.contest(belief)
    contest = gate.beliefs(BeliefFilter(contests=[key]))
    rivals = [one for one in contest if one.id != belief.id]
    grounds = gate.grounds([belief, *rivals])
    shown = [ground for those in grounds.values() for ground in those]
    ids = sorted({ground.testimony.claim.evidence_id for ground in shown})
    texts = {one.id: one.text for one in gate.view.evidence(ids=ids)} if ids else {}
    return Explanation(
        belief=belief,
        attribute=gate.attribute(belief.slot.attribute),
        at=gate.scope.valid,
        policy=gate.policy.name,
        grounds=grounds.get(belief.id, ()),
        rivals=tuple((one, grounds.get(one.id, ())) for one in sorted(rivals, key=_prominence, reverse=True)),
        texts=texts,
        inferences=_inferences(gate, key, belief),
        foundations=foundations(gate, belief),
        calibrated=gate.shown(contest),
    )


def _inferences(gate: Gate, key: ContestKey, belief: Belief) -> tuple[Inference, ...]:
    """How a belief follows from others, by every derivation of it that was not withdrawn."""
    derivations = dict.fromkeys(
        one.claim.derivation
        for one in gate.view.testimonies([key])[key]
        if one.claim.derivation is not None
        and one.claim.value.key == belief.value.key
        and one.is_visible(gate.scope.known)
    )
    if not derivations:
        return ()
    ids = sorted(
        {named for one in derivations if one is not None for named in (*one.premises, *one.exceptions)}
    )
    known = {one.id: one for one in gate.beliefs(BeliefFilter(ids=ids))}
    return tuple(
        Inference(
            one,
            tuple(known[each] for each in one.premises if each in known),
            tuple(known[each] for each in one.exceptions if each in known),
            one in belief.derivations,
        )
        for one in derivations
        if one is not None
    )


def _named(gate: Gate, subject: str, attribute: str) -> list[Belief]:
    entities = meant(gate, subject)
    if len(entities) > 1:
        msg = f"{subject!r} may mean {len(entities)} entities; ask by the id of a belief instead."
        raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in entities])
    return about(gate, entities[0], attribute) if entities else []


_RANKS = (Status.CONTESTED, Status.STALE, Status.DOUBTFUL, Status.ACCEPTED)


def _prominence(belief: Belief) -> tuple[int, int, str]:
    rank = _RANKS.index(belief.status) + 1 if belief.status in _RANKS else 0
    return rank, belief.observed_at, belief.id
