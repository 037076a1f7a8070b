"""Deciding: from an intent to all that follows from it, however far it reaches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from knowwhy.core.model import (
    Attribute,
    Belief,
    Schema,
    Testimony,
    Withdrawal,
    premises_of,
    slot_of,
)
from knowwhy.core.revision import (
    Change,
    Changeset,
    ContestKey,
    Pool,
    Terms,
    added_changes,
    contest_key,
    revise,
)
from knowwhy.core.timeline import Scope
from knowwhy.engine.confirming import confirmed, testimony_of
from knowwhy.engine.firing import fired, started
from knowwhy.engine.intent import Intent, Reading
from knowwhy.recall.ancestry import Testimonies, attribute_slots, by_id, contests_of, with_ancestry
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

_Before = dict[ContestKey, tuple[Belief, ...]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an intent comes to, and what it was decided on.

    `intent` is the given one with what declared rules derived besides. `direct` are the contests it
    speaks of, `decided` those settled without testimony of its own, `expected`
    the version of each contest that was looked at, `links`
    the head's where it matters that nothing new came to rest on what changed.
    """

    intent: Intent
    changeset: Changeset
    before: Mapping[ContestKey, tuple[Belief, ...]]
    direct: frozenset[ContestKey]
    decided: tuple[ContestKey, ...]
    expected: Mapping[ContestKey, int]
    links: int | None


def decide(reading: Reading, intent: Intent, sequence: int) -> Verdict:
    """What follows from an intent that would be recorded as the operation of this number.

    First the contests it touches, then those that rest on what changed, until nothing more does.
    """
    added = confirmed(reading, intent)
    if added is not None:
        return _as_added(reading, intent, added)
    schema = reading.schema.with_declared(intent.declarations)
    terms = Terms(schema, reading.space.policy_under(schema))
    docket = _Docket(reading, schema, intent, sequence)
    direct: set[ContestKey] = {*intent.contests, *docket.claimed(intent)}
    changeset = Changeset((), (), (), terms.policy.name)
    firing = started(reading, schema, intent)
    opened = direct | docket.claimed(firing.intent)
    while opened:
        docket.enter(opened)
        changeset = revise(docket.pool(terms), docket.before, reading.at)
        firing = fired(reading, schema, firing, changeset)
        opened = docket.resting_on(changeset) | docket.claimed(firing.intent)
    decided = tuple(key for key in docket.before if not docket.is_spoken_of(key))
    links = reading.view.head().links if docket.moves_others else None
    return Verdict(
        firing.intent, changeset, docket.before, frozenset(direct), decided, docket.expected(), links
    )


def _as_added(reading: Reading, intent: Intent, added: Mapping[ContestKey, Change]) -> Verdict:
    before = {key: (one.before,) for key, one in added.items() if one.before is not None}
    return Verdict(
        intent,
        added_changes(added.values(), reading.at, reading.space.policy_under(reading.schema).name),
        before,
        frozenset(before),
        (),
        {key: version_of(those) for key, those in before.items()},
        reading.view.head().links,
    )


class _Docket:
    """The contests to be decided, with their testimony old and new, and how they stood."""

    def __init__(self, reading: Reading, schema: Schema, intent: Intent, sequence: int) -> None:
        self._reading = reading
        self._schema = schema
        self._intent = intent
        self._sequence = sequence
        self._links = reading.view.head().links
        # Of a claim or evidence it says that it falls, of a retraction that it is lifted: what a merge brings
        # as lifted does not fall.
        named = {retraction.target for retraction in intent.retractions}
        self._gone = {one.target for one in intent.retractions if one.id not in named}
        self._declared = {one.key for one in intent.declarations if isinstance(one, Attribute)}
        self._is_schema = any(one.is_schema for one in intent.declarations)
        self._pool: Testimonies = {}
        self._fresh: dict[str, Testimony] = {}
        self.before: _Before = {}

    @property
    def moves_others(self) -> bool:
        """Whether something may rest on what is decided, by what was recorded since."""
        return any(self._pool[key] for key in self.before)

    def claimed(self, intent: Intent) -> set[ContestKey]:
        """Take up the claims of an intent that are not on the docket yet; the contests they are about."""
        evidence = {one.id: one for one in intent.evidence}
        # A merge, or a later reading, may bring further claims of evidence on record: known from now on.
        recorded = sorted({one.evidence_id for one in intent.claims} - evidence.keys())
        if recorded:
            known = self._reading.view.evidence(ids=recorded)
            evidence |= {one.id: replace(one, recorded_at=self._reading.at) for one in known}
        heard: dict[ContestKey, list[Testimony]] = defaultdict(list)
        for claim in intent.claims:
            if claim.id in self._fresh:
                continue
            testimony = self._as_withdrawn(testimony_of(claim, evidence[claim.evidence_id], self._sequence))
            self._fresh[claim.id] = testimony
            attribute = self._schema.attribute(claim.slot.attribute)
            heard[contest_key(claim.slot, claim.value.key, attribute)].append(testimony)
        self._read(heard)
        for key, those in heard.items():
            self._pool[key] = (*self._pool[key], *those)
        return set(heard)

    def enter(self, keys: Iterable[ContestKey]) -> None:
        """Put contests on the docket, with how they stand."""
        new = sorted(set(keys) - self.before.keys(), key=by_id)
        self._read(new)
        # As a reader finds them at this very instant, who need not see what the views keep of an earlier one.
        policy = self._reading.space.policy_under(self._reading.schema)
        gate = Gate(self._reading.view, self._reading.schema, Scope(self._reading.at), policy)
        self.before.update(_by_contest(new, gate.beliefs))

    def pool(self, terms: Terms) -> Pool:
        """The testimony on all that is to be decided, and on what it rests on."""
        self._pool = with_ancestry(self._reading.view, self._schema, self._pool)
        return Pool(self._pool, terms)

    def resting_on(self, changeset: Changeset) -> set[ContestKey]:
        """The contests not decided yet that rest on those that are.

        What depends on them always; what follows from a belief where its standing changed, or where the
        schema did, by which that is judged.
        """
        attributes: dict[str, list[str]] = defaultdict(list)
        slots: set[str] = set()
        for key in self.before:
            if not self._pool[key]:
                continue
            slot = self._pool[key][0].claim.slot
            slots.add(slot.id)
            for dependent in self._schema.dependents.get(slot.attribute, ()):
                attributes[dependent].append(slot.subject.id)
            for denial in self._schema.denied_with.get(slot.attribute, ()):
                for statement in denial.statements:
                    attributes[statement.attribute].append(slot.subject.id)
        view = self._reading.view
        found = attribute_slots(view, self._schema, attributes) if attributes else set()
        moved = {*slots, *(one.after.id for one in changeset.changes if _is_flip(one))}
        moved |= self._relabelled(changeset.beliefs)
        if self._is_schema:
            moved.update(one.id for one in changeset.beliefs)
        if self._links:
            leaning = view.beliefs(BeliefFilter(premises=sorted(moved)))
            found |= contests_of(self._schema, leaning)
        # What this very operation brings may rest on what it changes.
        for key, those in self._pool.items():
            if key not in self.before and any(moved.intersection(premises_of(one.claim)) for one in those):
                found.add(key)
        return found - self.before.keys()

    def _relabelled(self, beliefs: Iterable[Belief]) -> set[str]:
        """Those beliefs (by id) that rest on other things that not everybody may read than they did."""
        labels = {one.id: one.labels for those in self.before.values() for one in those}
        return {one.id for one in beliefs if one.labels != labels.get(one.id, ())}

    def is_spoken_of(self, key: ContestKey) -> bool:
        """Whether the log says without more that this operation touched a contest."""
        those = self._pool[key]
        if any(one.claim.id in self._fresh for one in those):
            return True
        return not those or those[0].claim.slot.attribute in self._declared

    def expected(self) -> dict[ContestKey, int]:
        """The version of every contest that was looked at, also where nothing was found."""
        context = [key for key in self._pool if key not in self.before]
        standing = {**self.before, **_by_contest(context, self._reading.view.beliefs)}
        found = {key: version_of(standing.get(key, ())) for key in self._pool}
        of_slots: dict[str, int] = {}
        for key, version in found.items():
            of_slots[key.slot_id] = max(version, of_slots.get(key.slot_id, 0))
        return found | {ContestKey(slot): of_slots.get(slot, 0) for slot in self._near()}

    def _near(self) -> set[str]:
        """The slots that bear on the pool or rest on what is decided: all that was said of them was read."""
        found: set[str] = set()
        for key, those in self._pool.items():
            found.update(premise for one in those for premise in one.claim.depends_on)
            if not those:
                continue
            slot, names = those[0].claim.slot, set[str]()
            if key in self.before:
                names.update(self._schema.dependents.get(slot.attribute, ()))
            for dependency in self._schema.attribute(slot.attribute).depends_on:
                names.add(self._schema.attribute(dependency.attribute).key)
            for denial in self._schema.denied_with.get(slot.attribute, ()):
                names.update(one.attribute for one in denial.statements)
            found.update(
                slot_of(slot.subject, name, conditions).id
                for name in names
                for conditions in {(), slot.conditions}
            )
        return found

    def _read(self, keys: Iterable[ContestKey]) -> None:
        unread = [key for key in keys if key not in self._pool]
        if unread:
            kept = self._reading.view.testimonies(unread)
            for key in unread:
                self._pool[key] = tuple(map(self._as_withdrawn, kept.get(key, ())))

    def _as_withdrawn(self, one: Testimony) -> Testimony:
        """A testimony with what the intent withdraws of it, and lifts."""
        gone, at = self._gone, self._reading.at
        targets = gone.intersection((one.claim.id, one.claim.evidence_id))
        lifted = gone.intersection(each.id for each in one.withdrawals if not each.is_lifted)
        if not targets and not lifted:
            return one
        known = (
            replace(each, lifted_in=self._sequence, lifted_at=at) if each.id in lifted else each
            for each in one.withdrawals
        )
        new = (Withdrawal("", target, self._sequence, at) for target in sorted(targets))
        return replace(one, withdrawals=(*known, *new))


def _by_contest(keys: list[ContestKey], read: Callable[[BeliefFilter], list[Belief]]) -> _Before:
    """The beliefs of each of these contests."""
    held: dict[ContestKey, list[Belief]] = {key: [] for key in keys}
    for belief in read(BeliefFilter(contests=keys)) if keys else ():
        for key in (ContestKey(belief.slot.id), ContestKey(belief.slot.id, belief.value.key)):
            if key in held:
                held[key].append(belief)
    return {key: tuple(those) for key, those in held.items()}


def _is_flip(change: Change) -> bool:
    """Whether what rests on the belief may stand otherwise now."""
    before, after = change.before, change.after
    if before is None:
        return after.status.is_standing
    was, now = before.status, after.status
    return (was.is_held, was.is_standing, before.doubts) != (now.is_held, now.is_standing, after.doubts)


def version_of(beliefs: Iterable[Belief]) -> int:
    """The version of a contest: that of the last operation that decided it, 0 where none did."""
    return max((belief.version for belief in beliefs), default=0)
