"""distil: what was seen again and again becomes one belief, with all of it as its evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from knowwhy.consolidate.material import Material, session_of
from knowwhy.consolidate.plan import Conclusion, Proposal, Step
from knowwhy.consolidate.series import FEWEST_POINTS, Point, level, trend
from knowwhy.core.model import (
    Belief,
    Slot,
    Testimony,
    ValueType,
    slot_of,
    value_of,
)
from knowwhy.core.timeline import shown
from knowwhy.recall.analysis import terms

# So many sessions make a pattern of what each of them saw.
FEWEST_SESSIONS: Final = 3
# A value is typical if all others together were seen no more than in this share of its sessions.
_RIVAL_SHARE: Final = 0.5
# Conditions that only say on which occasion something was seen, by any of their words.
_OCCASIONS: Final = frozenset(
    term
    for word in [
        "session",
        "lesson",
        "turn",
        "day",
        "date",
        "visit",
        "meeting",
        "call",
        "episode",
        "trial",
        "attempt",
        "week",
        "conversation",
        "exercise",
        "会话",
        "课",
        "课次",
        "日期",
        "次",
        "回合",
        "拜访",
        "会议",
        "练习",
    ]
    for term in terms(word)
)
_ERRORS: Final = frozenset(
    term
    for word in [
        "error",
        "mistake",
        "failure",
        "fault",
        "bug",
        "misconception",
        "incident",
        "错误",
        "失误",
        "故障",
        "误区",
    ]
    for term in terms(word)
    if len(term) > 1
)
_APART: Final = "\n"


def _topics(material: Material) -> Iterable[str]:
    """The subjects and attributes of which something was said or withdrawn since."""
    return [_APART.join(one) for one in material.topics]


def _plan(material: Material, topic: str) -> Iterator[Proposal]:
    subject, attribute = topic.split(_APART)
    about = material.about(subject, attribute)
    heard = material.heard(about)
    told = [one for one in about if not _is_only_own(material, one)]
    if not told:
        return
    yield from _typical(material, told, heard)
    if _ERRORS.intersection(terms(attribute)):
        yield from _repeated(material, told, heard)
    yield from _series(material, told, heard)


def _is_only_own(material: Material, one: Belief) -> bool:
    """Whether a belief is nothing but what dreaming made."""
    return not material.heard([one])[one.id]


def _sessions(material: Material, said: Sequence[Testimony]) -> int:
    """In how many sessions something was said."""
    items = material.evidence(one.claim.evidence_id for one in said)
    return len({session_of(items[one.claim.evidence_id]) for one in said})


# What is typical --------------------------------------------------------------------------------


def _typical(
    material: Material, told: Sequence[Belief], heard: Mapping[str, tuple[Testimony, ...]]
) -> Iterator[Proposal]:
    """What held on every occasion on which anybody looked, as a belief without the occasion."""
    seen = [one for one in told if one.slot.conditions and _is_occasional(one.slot)]
    if not seen:
        return
    subject, attribute = seen[0].slot.subject, seen[0].slot.attribute
    general = slot_of(subject, attribute)
    by_value: dict[str, list[Belief]] = defaultdict(list)
    for one in seen:
        if one.status.is_held and heard[one.id]:
            by_value[one.value.key].append(one)
    conclusions = []
    for key in sorted(by_value):
        those = by_value[key]
        said = [each for one in those for each in heard[one.id]]
        rivals = len(seen) - len(those) if material.gate.attribute(attribute).is_exclusive else 0
        sessions = _sessions(material, said)
        occasions = {one.slot.conditions for one in those}
        if min(sessions, len(occasions)) < FEWEST_SESSIONS or rivals > _RIVAL_SHARE * len(those):
            continue
        conclusions.append(
            Conclusion(
                general,
                those[0].value,
                f"it was seen {_span(said, sessions)}",
                premises=tuple(sorted(one.id for one in those)),
                evidence=_evidence(said),
            )
        )
    said_of = "; ".join(f"{one.value}: {one.words}" for one in conclusions)
    yield Proposal(
        what=f"{subject.name} / {attribute} in general",
        why=said_of or "what was seen no longer makes a pattern",
        effect="one belief, which falls with what it was seen by",
        evidence=tuple(sorted({each for one in conclusions for each in one.evidence})),
        conclusions=tuple(conclusions),
        rules_on=(general,),
    )


def _is_occasional(slot: Slot) -> bool:
    return all(_OCCASIONS.intersection(terms(name)) for name, _ in slot.conditions)


# Errors that come again -------------------------------------------------------------------------


def _repeated(
    material: Material, told: Sequence[Belief], heard: Mapping[str, tuple[Testimony, ...]]
) -> Iterator[Proposal]:
    """How often an error was seen, and when last."""
    by_value: dict[str, list[Belief]] = defaultdict(list)
    for one in told:
        by_value[one.value.key].append(one)
    for key in sorted(by_value):
        those = by_value[key]
        said = sorted(
            (each for one in those for each in heard[one.id]),
            key=lambda one: (one.effective_at, one.claim.id),
        )
        first = those[0]
        which = (("of", f"{first.slot.attribute}: {first.value}"),)
        count, last = (slot_of(first.slot.subject, name, which) for name in ("occurrences", "last seen"))
        sessions = _sessions(material, said)
        conclusions: tuple[Conclusion, ...] = ()
        if sessions >= FEWEST_SESSIONS:
            words, evidence = f"it was seen {_span(said, sessions)}", _evidence(said)
            premises = tuple(sorted(one.id for one in those if one.status.is_held))
            day = value_of(shown(said[-1].effective_at)[:10], ValueType.DATE)
            conclusions = (
                Conclusion(count, value_of(sessions), words, premises, evidence),
                Conclusion(last, day, words, premises, evidence),
            )
        yield Proposal(
            what=f"{first.slot.subject.name} / {first.slot.attribute}: {first.value} as a pattern",
            why=conclusions[0].words if conclusions else "it is no longer one that comes again",
            effect="how often, and when last",
            evidence=conclusions[0].evidence if conclusions else (),
            conclusions=conclusions,
            rules_on=(count, last),
        )


# Numbers over time ------------------------------------------------------------------------------


def _series(
    material: Material, told: Sequence[Belief], heard: Mapping[str, tuple[Testimony, ...]]
) -> Iterator[Proposal]:
    """The level and the trend of numbers that were told over time."""
    by_slot: dict[str, list[Belief]] = defaultdict(list)
    for one in told:
        if one.value.type is ValueType.NUMBER and material.gate.attribute(one.slot.attribute).is_exclusive:
            by_slot[one.slot.id].append(one)
    for those in by_slot.values():
        slot = those[0].slot
        said = [each for one in those for each in heard[one.id]]
        of = (*slot.conditions, ("of", slot.attribute))
        slots = tuple(slot_of(slot.subject, name, tuple(sorted(of))) for name in ("level", "trend"))
        units = {one.claim.value.unit for one in said}
        points = Point.all_of(said)
        conclusions: tuple[Conclusion, ...] = ()
        if len(points) >= FEWEST_POINTS and len(units) == 1:
            words = f"{len(points)} numbers were told from {shown(points[0].at)} to {shown(points[-1].at)}"
            evidence = _evidence(said)
            premises = tuple(sorted(one.id for one in those if one.status.is_held))
            number = value_of(level(points), ValueType.NUMBER, units.pop())
            conclusions = (
                Conclusion(slots[0], number, words, premises, evidence),
                Conclusion(slots[1], value_of(trend(points), ValueType.TEXT), words, premises, evidence),
            )
        told_of = ", ".join(str(one.value) for one in conclusions)
        yield Proposal(
            what=f"{slot.subject.name} / {slot.attribute} as a series",
            why=conclusions[0].words if conclusions else "too few numbers are left",
            effect=told_of or "no level and no trend",
            evidence=conclusions[0].evidence if conclusions else (),
            conclusions=conclusions,
            rules_on=slots,
        )


# Words ------------------------------------------------------------------------------------------


def _evidence(said: Iterable[Testimony]) -> tuple[str, ...]:
    return tuple(sorted({one.claim.evidence_id for one in said}))


def _span(said: Sequence[Testimony], sessions: int) -> str:
    """In how many sessions, and from when to when."""
    times = [one.effective_at for one in said]
    first, last = (shown(each)[:10] for each in (min(times), max(times)))
    when = f"on {first}" if first == last else f"from {first} to {last}"
    return f"in {sessions} session{'' if sessions == 1 else 's'} {when}"


DISTIL: Final = Step("distil", "what was seen again and again, as one belief", _topics, _plan)
