"""generalise: what goes together in case after case becomes a candidate for a rule, and no more than that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from knowwhy.consolidate.material import Material, chunks, session_of
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
_CANDIDATE: Final = "rule candidate"
_APART: Final = "\n"


def _topics(material: Material) -> Iterable[str]:
    """What is said of the subjects touched, and what was said of them: attributes with their values."""
    found = {(one.slot.attribute, one.value.key) for one in material.touched.values()}
    for chunk in chunks(sorted({one.slot.subject.id for one in material.touched.values()})):
        held = material.gate.beliefs(BeliefFilter(subjects=chunk, limit=_MOST_CASES * len(chunk)))
        found |= {(one.slot.attribute, one.value.key) for one in held if _is_case(one)}
    return sorted(_APART.join(one) for one in found)


def _plan(material: Material, topic: str) -> Iterator[Proposal]:
    attribute, value = topic.split(_APART)
    gate = material.gate
    named = gate.beliefs(BeliefFilter(attribute=attribute, values=[value], limit=_MOST_CASES))
    heard = material.heard(named)
    alike = [one for one in named if _is_case(one) and heard[one.id]]
    slots: set[str] = set()
    if len({one.slot.subject.id for one in alike}) >= FEWEST_CASES:
        causes = {one.slot.subject.id: one for one in alike}
        for those in _effects(material, attribute, sorted(causes)):
            proposal = _candidate(material, [causes[one.slot.subject.id] for one in those], those)
            slots |= {one.slot.id for one in proposal.conclusions}
            yield proposal
    if len(named) >= FEWEST_CASES:
        yield from _given_up(material, f"{attribute} = {named[0].value}", slots)


def _effects(material: Material, attribute: str, subjects: Sequence[str]) -> list[list[Belief]]:
    """What else all of some subjects have in common, that which most of them have first."""
    beside: dict[str, list[Belief]] = defaultdict(list)
    held = material.gate.beliefs(BeliefFilter(subjects=subjects, limit=_MOST_CASES * _MOST_RULES))
    heard = material.heard(held)
    for one in held:
        if one.slot.attribute != attribute and _is_case(one) and heard[one.id]:
            beside[one.slot.attribute].append(one)
    agreeing = [those for key in sorted(beside) if _agree(material, those := beside[key])]
    agreeing.sort(key=lambda those: (-len(those), those[0].slot.attribute))
    return agreeing[:_MOST_RULES]


def _given_up(material: Material, head: str, slots: Collection[str]) -> Iterator[Proposal]:
    """Candidates drawn earlier that the cases do not bear out any more."""
    subject = entity_named(head).id
    earlier = material.gate.view.beliefs(BeliefFilter(subjects=[subject], attribute=_CANDIDATE))
    gone = {one.slot.id: one.slot for one in earlier if one.slot.id not in slots}
    if gone:
        yield Proposal(
            what=f"rule candidates where {head}",
            why="cases do not bear them out any more",
            effect="they are withdrawn",
            rules_on=tuple(gone[one] for one in sorted(gone)),
        )


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
    slot = slot_of(entity_named(head), _CANDIDATE, (("about", effect.slot.attribute),))
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
