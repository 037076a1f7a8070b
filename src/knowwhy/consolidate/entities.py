"""entities: those that look like one, merged where a code says so, and pointed out where they may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from knowwhy.consolidate import likeness
from knowwhy.consolidate.kinds import identifier
from knowwhy.consolidate.likeness import AGREES, proposals
from knowwhy.consolidate.material import Material
from knowwhy.consolidate.plan import Proposal, Step
from knowwhy.consolidate.profiles import Known, some
from knowwhy.core.model import Sameness, identity_of, name_key
from knowwhy.recall.analysis import terms
from knowwhy.store.protocol import BeliefFilter

# So many beliefs are looked at for what is like an entity, and so many for whether a code is common.
_MOST_FOUND: Final = 60
_MOST_CODES: Final = 200
_MOST_TERMS: Final = 32


def _touched(material: Material) -> list[str]:
    return sorted(material.subjects)


def _alike(material: Material, topic: str) -> Iterator[Proposal]:
    """Merge an entity with the one that has its code, or point out the one it looks like."""
    gate = material.gate
    own = some(gate, [topic]).get(topic)
    if own is None:
        return
    known = some(gate, {topic, *_near(material, own)})
    for one in proposals(
        (each.profile for each in known.values()), distinct=gate.schema.distinct, touched={topic}, cut=AGREES
    ):
        other = one.right if one.left == topic else one.left
        is_told = other in material.subjects and other < topic  # by the topic of the other
        if not is_told and (one.left, one.right) not in gate.schema.reopened:
            yield _proposal(material, known[one.left], known[one.right], one)


def _near(material: Material, own: Known) -> set[str]:
    """The entities (by id) that share words with one, and those that have codes where it has some."""
    gate, profile = material.gate, own.profile
    texts = (profile.fields[name] for name in sorted(profile.fields, key=lambda name: name != likeness.NAME))
    wanted = list(dict.fromkeys(term for text in texts for term in terms(text)))[:_MOST_TERMS]
    hits = gate.view.search(wanted, _MOST_FOUND).hits if wanted else ()
    found = material.beliefs(one.document for one in hits)
    for name, text in profile.fields.items():
        if identifier(text) is not None:
            found += gate.beliefs(BeliefFilter(attribute=name, limit=_MOST_CODES))
    key = name_key(own.entity.name)
    called = gate.names([key]).get(key, [])
    return {one.slot.subject.id for one in found} | {one.id for one in called}


def _proposal(material: Material, one: Known, other: Known, found: likeness.Proposal) -> Proposal:
    gone, kept = sorted((one, other), key=lambda each: (len(each.beliefs), each.entity.id))
    beliefs = [
        belief for each in (one, other) for name in found.agrees for belief in each.beliefs.get(name, ())
    ]
    said = material.heard(beliefs)
    items = sorted({each.claim.evidence_id for those in said.values() for each in those})
    accesses = [each.access for each in material.evidence(items).values()]
    accesses += [each.entity.access for each in (one, other)]
    # A merge is seen by all, so it must not rest on what only some may read.
    is_done = found.automatic and all(each.is_public for each in accesses)
    same = identity_of(gone.entity.id, kept.entity.id, Sameness.SAME, kept.entity.id)
    against = f"; against it: {', '.join(found.against)}" if found.against else ""
    pair = f"{gone.entity.id} {kept.entity.id}"
    return Proposal(
        what=f"{gone.entity.name} [{gone.entity.id}] is {kept.entity.name} [{kept.entity.id}]"
        if is_done
        else f"{gone.entity.name} and {kept.entity.name} may be one",
        why=f"likeness {found.score:.2f}; alike in {', '.join(found.agrees) or 'little'}{against}",
        effect="what is held of both is decided as one"
        if is_done
        else f"merge-entities {pair}, if they are; if not: distinguish {pair}",
        evidence=tuple(items),
        declarations=(same,) if is_done else (),
    )


ENTITIES: Final = Step(
    "entities", "entities that look like one, merged where a code says so", _touched, _alike
)
