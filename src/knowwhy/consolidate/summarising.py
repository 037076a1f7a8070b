"""summarise: for each session, which of its sentences carry what is believed: places, and no words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from knowwhy.consolidate.material import Material, chunks, is_own
from knowwhy.consolidate.plan import Proposal, Step
from knowwhy.consolidate.telling import Told
from knowwhy.core.model import Evidence, Excerpts, Stance, Testimony, belief_id, session_key
from knowwhy.store.protocol import BeliefFilter

# So many sentences tell of a session at the most.
MOST_SENTENCES: Final = 12


def _topics(material: Material) -> Iterable[str]:
    """The sessions in which something was said since."""
    items = material.evidence(_recorded(material))
    return sorted({one.context for one in items.values() if one.context is not None})


def _recorded(material: Material) -> list[str]:
    return [each for one in material.operations for each in (one.outcome or {}).get("evidence", ())]


def _plan(material: Material, topic: str) -> Iterator[Proposal]:
    """What was noted of the session, with the sentences that came since."""
    view, key = material.gate.view, session_key(topic)
    known = view.declared(Excerpts, [key]).get(key, Excerpts(key))
    items = {
        one.id: one
        for one in material.evidence([*_recorded(material), *known.evidence]).values()
        if one.context == topic and one.retracted_at is None and not is_own(one.source)
    }
    said = [
        one
        for chunk in chunks(sorted(items))
        for one in view.claims(chunk)
        if one.retracted_at is None and one.claim.stance is Stance.SUPPORTS
    ]
    places = _ranked(material, items, said)[:MOST_SENTENCES]
    if not places:
        return
    ordered = sorted(places, key=lambda one: (items[one[0]].effective_at, one))
    evidence = tuple(dict.fromkeys(one[0] for one in ordered))
    yield Proposal(
        what=f"the session {topic!r} in {len(ordered)} sentence{'' if len(ordered) == 1 else 's'}",
        why="they carry what is believed of what was said there",
        effect="`summary` tells those of them that still hold",
        evidence=evidence,
        declarations=(Excerpts(key, tuple(ordered)),),
    )


def _ranked(
    material: Material, items: dict[str, Evidence], said: Sequence[Testimony]
) -> list[tuple[str, int, int]]:
    """The sentences that carry beliefs that are held, those that carry most and surest first."""
    ids = sorted({belief_id(one.claim.slot.id, one.claim.value.key) for one in said})
    held = {
        one.id: one.confidence(material.at)
        for chunk in chunks(ids)
        for one in material.gate.beliefs(BeliefFilter(ids=chunk))
        if one.status.is_held
    }
    texts = {one: Told(item.text) for one, item in items.items()}
    weights: dict[tuple[str, int, int], float] = defaultdict(float)
    for one in said:
        sure = held.get(belief_id(one.claim.slot.id, one.claim.value.key))
        item = one.claim.evidence_id
        place = texts[item].sentence(one.claim)
        if sure is not None and place is not None:
            weights[item, *place] += sure
    return sorted(weights, key=lambda one: (-weights[one], one))


SUMMARISE: Final = Step("summarise", "which sentences of a session carry what is believed", _topics, _plan)
