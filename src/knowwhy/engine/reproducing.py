"""explain: an answer on record given again, from the ids and the times that are kept of it.

What was found is on record, so no question is searched again for that: the beliefs are settled from what was
known then, under the declarations in force then, for whom the answer was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from knowwhy.core.model import Belief, Status, Testimony
from knowwhy.core.timeline import FOREVER, Instant, Scope, isoformat, shown
from knowwhy.engine import ask as asking
from knowwhy.engine import recall as recalling
from knowwhy.engine.audited import AnswerExplanation, AuditEntry, Difference, digest_of
from knowwhy.engine.auditing import audit
from knowwhy.engine.recall import Wish
from knowwhy.engine.space import Space
from knowwhy.errors import BeyondHorizon
from knowwhy.recall.answer import Answer, Passage, Recollection
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.outdated import GoneValue
from knowwhy.recall.packing import Budget
from knowwhy.recall.standing import grounded, standing
from knowwhy.recall.timing import Relation, TimeWords, Timing
from knowwhy.store.protocol import BeliefFilter

# Confidences that are told alike.
_SAME: Final = 0.005

_GONE: Final = "what it rests on was dropped or erased since"
_OTHERWISE: Final = (
    "something was recorded since as known earlier, so what was known then comes out otherwise"
)


def explained(space: Space, own: str) -> AnswerExplanation:
    """An answer on record as it was, whether it comes out to the letter, and how it would come out now.

    Raises:
        NotFound: no answer of this id is on record, or not for the principal.
    """
    entry = audit(space, own)
    whose = space.seen_by(entry.principal)
    answer, why_not = None, None
    try:
        answer = _again(whose, entry)
        if digest_of(answer) != entry.digest:
            why_not = _OTHERWISE if _is_on_record(whose, entry) else _GONE
    except BeyondHorizon as dropped:
        why_not = dropped.message
    return AnswerExplanation(entry, answer, why_not, tuple(_differences(whose, entry)))


def _is_on_record(space: Space, entry: AuditEntry) -> bool:
    """Whether all evidence is there that the answer rested on."""
    ids = {own for one in entry.beliefs for own in one.evidence} | set(entry.passages)
    with space.snapshot() as view:
        return len(view.evidence(ids=sorted(ids))) == len(ids)


def _again(space: Space, entry: AuditEntry) -> Answer | Recollection:
    """The answer as it was, as far as all is there that it told."""
    scope = Scope(entry.valid, _known(space, entry))
    with space.reading(scope, until=entry.operation) as gate:
        if entry.verb == "ask":
            return _asked_again(gate, entry)
        return _Recalled(gate, entry.body).again(space)


def _known(space: Space, entry: AuditEntry) -> Instant:
    """What was known by when: by the horizon, where nothing had come to be known in between."""
    horizon = space.horizon()
    if entry.known >= horizon:
        return entry.known
    with space.store.snapshot(space.name) as view:
        following = view.operations(sequences=[entry.operation + 1])
    return entry.known if following and following[0].at <= horizon else horizon


def _asked_again(gate: Gate, entry: AuditEntry) -> Answer:
    body = entry.body
    entities = gate.entities(body["entities"]) if body["entities"] else []
    answer = asking.answered(gate, entities, body["subject"], body["attribute"], body["conditions"])
    told = {one.id: one for one in entry.beliefs}
    found = tuple(_counted(one, told[one.id].version) if one.id in told else one for one in answer.findings)
    return replace(answer, findings=found)


def _counted(finding: Finding, version: int) -> Finding:
    """A finding with the version that its belief had."""
    return replace(finding, belief=replace(finding.belief, version=version))


@dataclass(frozen=True, slots=True)
class _Recalled:
    """What a recollection told, read again."""

    gate: Gate
    body: Any
    _stood: dict[Instant, dict[str, Finding]] = field(default_factory=dict)

    def again(self, space: Space) -> Recollection:
        """The recollection, as far as all is there that it told."""
        body, gate = (
            self.body,
            replace(self.gate, scope=Scope(Instant(self.body["told_of"]), self.gate.scope.known)),
        )
        best, withheld = self._findings(body["beliefs"]), self._findings(body["withheld"])
        grounds = gate.grounds(one.belief for one in (*best, *withheld))
        return Recollection(
            question=body["question"],
            at=gate.scope.valid,
            beliefs=grounded(best, grounds),
            passages=self._passages(),
            withheld=grounded(withheld, grounds),
            ambiguous={name: tuple(gate.entities(ids)) for name, ids in body["ambiguous"].items()},
            timing=_timing(body["timing"]),
            budget=Budget(body["wish"]["budget"], space.count_tokens),
            left_out=body["left_out"],
            unsearched=body["unsearched"],
            unranked=body["unranked"],
        )

    def _findings(self, told: Sequence[Any]) -> list[Finding]:
        ids = [one["id"] for one in told]
        found = []
        for one in told:
            finding = self._stood_at(Instant(one["at"]), ids).get(one["id"])
            if finding is not None:
                found.append(replace(_counted(finding, one["version"]), score=one["score"]))
        return found

    def _stood_at(self, at: Instant, ids: Iterable[str]) -> dict[str, Finding]:
        """How beliefs stood at an instant, with all that was in their contests."""
        known = self._stood.setdefault(at, {})
        missing = sorted(set(ids) - known.keys())
        if missing:
            kept = self.gate.view.beliefs(BeliefFilter(ids=missing))
            then = replace(self.gate, scope=Scope(at, self.gate.scope.known))
            contests = self.gate.contests(kept)
            found = standing(then, then.beliefs(BeliefFilter(contests=contests)) if contests else ())
            known |= {one.id: one for one in (*found.answers, *found.others)}
        return known

    def _passages(self) -> tuple[Passage, ...]:
        told = self.body["passages"]
        ids = [one["evidence"] for one in told]
        kept = {one.id: one for one in self.gate.view.evidence(ids=ids)} if ids else {}
        found = []
        for one in told:
            item = kept.get(one["evidence"])
            if item is not None and self.gate.may_read(item):
                found.append(Passage(item, one["score"], outdated=tuple(self._gone(one["outdated"]))))
        return tuple(found)

    def _gone(self, told: Iterable[Any]) -> Iterator[GoneValue]:
        for (own, at), instead in told:
            finding = self._stood_at(Instant(at), [own]).get(own)
            now = (self._stood_at(Instant(when), [each]).get(each) for each, when in instead)
            if finding is not None:
                yield GoneValue(finding, tuple(one for one in now if one is not None))


def _timing(told: Any) -> Timing:  # noqa: ANN401 - as it is on record
    read = (
        TimeWords(words, Instant(start), Instant(end), Relation(relation))
        for words, start, end, relation in told["read"]
    )
    return Timing(tuple(read), tuple(told["unread"]))


# Now -----------------------------------------------------------------------------------------------


def _differences(space: Space, entry: AuditEntry) -> Iterator[Difference]:
    """How the beliefs of an answer come out if the same is asked now."""
    valid, known = entry.body["asked"]
    scope = Scope(
        space.clock() if valid is None else Instant(valid), FOREVER if known is None else Instant(known)
    )
    try:
        told = _asked_now(space, entry, scope)
    except BeyondHorizon:
        return
    then = {one.id: (one.status, one.confidence) for one in entry.beliefs}
    now = {one.id: (str(one.status), one.confidence) for one in told}
    moved = [
        own
        for own in (*then, *(one for one in now if one not in then))
        if own not in now or own not in then or _is_other(then[own], now[own])
    ]
    if not moved:
        return
    with space.reading(scope) as gate:
        kept = {one.id: one for one in gate.beliefs(BeliefFilter(ids=moved))}
        for own in moved:
            yield Difference(
                own,
                _named(kept.get(own)),
                _put(then.get(own)),
                _put(now.get(own)),
                _reasons(gate, kept.get(own), entry, is_told=own in now),
            )


def _asked_now(space: Space, entry: AuditEntry, scope: Scope) -> Sequence[Finding]:
    body = entry.body
    if entry.verb == "ask":
        answer = asking.ask(
            space,
            body["subject"],
            body["attribute"],
            scope=scope,
            conditions=body["conditions"],
            subject_id=body["subject_id"],
        )
        return answer.findings
    return recalling.recall(space, body["question"], Wish(**body["wish"]), scope=scope).beliefs


def _is_other(then: tuple[str, float], now: tuple[str, float]) -> bool:
    return then[0] != now[0] or abs(then[1] - now[1]) > _SAME


def _put(told: tuple[str, float] | None) -> str | None:
    return None if told is None else f"{told[0]}, {told[1]:.0%}"


def _named(belief: Belief | None) -> str:
    if belief is None:
        return "a belief that is no longer on record"
    return f"{belief.slot.subject.name} / {belief.slot.attribute} = {belief.value}"


def _reasons(gate: Gate, belief: Belief | None, entry: AuditEntry, *, is_told: bool) -> tuple[str, ...]:
    """Why a belief comes out otherwise than it was told."""
    if belief is None:
        return ("it was dropped or erased since",)
    contest = gate.contest(belief)
    found = [reason for one in gate.view.testimonies([contest])[contest] if (reason := _moved(one, entry))]
    if gate.view.head().schema > entry.operation:
        found.append("attributes, rules or policies were declared anew since")
    if belief.doubts:
        found.append("what it rests on moved")
    if not found and not is_told and belief.status_at(gate.scope.valid).is_standing:
        return ("it still stands; other beliefs answer the question better now",)
    if not found and belief.status_at(gate.scope.valid) is Status.STALE:
        return ("its evidence has aged since",)
    return tuple(found) or ("time has passed since, or what it follows from has changed",)


def _moved(one: Testimony, entry: AuditEntry) -> str | None:
    """What became of a statement since an answer, if anything did."""
    whose, own = one.source.name, one.claim.evidence_id
    if one.retracted_at is not None and one.retracted_at > entry.known:
        return f"{own} of {whose} was withdrawn on {shown(one.retracted_at)}"
    if one.operation > entry.operation:
        return f"{whose} said “{one.claim.value}” ({own}, {isoformat(one.observed_at)})"
    return None
