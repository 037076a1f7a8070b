"""generalise: what goes together in case after case becomes a candidate for a rule, and no more than that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from knowwhy.consolidate.material import Material, session_of
from knowwhy.consolidate.plan import Conclusion, Proposal, Step
from knowwhy.core.model import Belief, ValueType, entity_named, slot_of, value_of
from knowwhy.store.protocol import BeliefFilter

# So many cases, each told in a session of its own, and none against, make a candidate.
FEWEST_CASES: Final = 3
_MOST_CASES: Final = 200
# Of what goes together with one thing the most frequent are told.
_MOST_RULES: Final = 3
# No candidate is sure enough to be acted on by itself.
_STRENGTH: Final = 0.5
_APART: Final = "\n"


def _topics(material: Material) -> Iterable[str]:
    """What is said of more than its one subject: attributes with their values."""
    found = {(one.slot.attribute, one.value.key) for one in material.touched.values() if _is_case(one)}
    return sorted(_APART.join(one) for one in found)


def _plan(material: Material, topic: str) -> Iterator[Proposal]:
    attribute, value = topic.split(_APART)
    gate = material.gate
    alike = [
        one
        for one in gate.beliefs(BeliefFilter(attribute=attribute, values=[value], limit=_MOST_CASES))
        if _is_case(one) and material.heard([one])[one.id]
    ]
    if len({one.slot.subject.id for one in alike}) < FEWEST_CASES:
        return
    causes = {one.slot.subject.id: one for one in alike}
    beside: dict[str, list[Belief]] = defaultdict(list)
    for one in gate.beliefs(BeliefFilter(subjects=sorted(causes), limit=_MOST_CASES * _MOST_RULES)):
        if one.slot.attribute != attribute and _is_case(one) and material.heard([one])[one.id]:
            beside[one.slot.attribute].append(one)
    agreeing = [those for key in sorted(beside) if _agree(material, those := beside[key])]
    agreeing.sort(key=lambda those: (-len(those), those[0].slot.attribute))
    for those in agreeing[:_MOST_RULES]:
        yield _candidate(material, [causes[one.slot.subject.id] for one in those], those)


def _is_case(one: Belief) -> bool:
    """Whether a belief may be part of a case: held, and of a kind of which others may say the same."""
    return one.status.is_held and not one.slot.conditions and one.value.type is not ValueType.DATE


def _agree(material: Material, those: Sequence[Belief]) -> bool:
    """Whether enough cases have one value of an attribute, in sessions of their own, and none another."""
    if len(those) < FEWEST_CASES or len({one.value.key for one in those}) > 1:
        return False
    said = [one for each in material.heard(those).values() for one in each]
    items = material.evidence(one.claim.evidence_id for one in said)
    return len({session_of(one) for one in items.values()}) >= FEWEST_CASES


def _candidate(material: Material, causes: Sequence[Belief], effects: Sequence[Belief]) -> Proposal:
    cause, effect = causes[0], effects[0]
    head = f"{cause.slot.attribute} = {cause.value}"
    conclusion = f"{effect.slot.attribute} = {effect.value}"
    premises = tuple(sorted({one.id for one in (*causes, *effects)}))
    said = [one for each in material.heard([*causes, *effects]).values() for one in each]
    evidence = tuple(sorted({one.claim.evidence_id for one in said}))
    slot = slot_of(entity_named(head), "rule candidate", (("about", effect.slot.attribute),))
    words = f"{len(effects)} cases have both, and none says otherwise"
    return Proposal(
        what=f"rule candidate: where {head}, {conclusion}",
        why=words,
        effect="too little sure to act on; declare it as a rule, if it is one",
        evidence=evidence,
        conclusions=(
            Conclusion(slot, value_of(conclusion, ValueType.TEXT), words, premises, evidence, _STRENGTH),
        ),
    )


GENERALISE: Final = Step("generalise", "candidates for rules, from cases that are alike", _topics, _plan)
