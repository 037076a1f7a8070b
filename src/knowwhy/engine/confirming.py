"""Confirming: plain words for what nothing opposes are added to it, without reading all that was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from knowwhy.core.model import Belief, Claim, Evidence, Schema, Testimony
from knowwhy.core.revision import Change, ContestKey, contest_key
from knowwhy.core.revision.adding import adds_up, can_add, with_word
from knowwhy.core.revision.hearing import count_of, reliability_of
from knowwhy.engine.intent import Intent, Reading
from knowwhy.store.protocol import BeliefFilter
from knowwhy.store.seen import SeenSnapshot

# So many words of one source on one value are looked through for one that stands and is as strong.
_MOST_LOOKED_THROUGH: Final = 8


def confirmed(reading: Reading, intent: Intent) -> Mapping[ContestKey, Change] | None:
    """What plain words come to that only confirm; None where an intent asks for more than that.

    It must be just what settling anew would come to.
    """
    if intent.declarations or intent.retractions or intent.contests or not intent.claims:
        return None
    schema, head = reading.schema, reading.view.head()
    evidence = {one.id: one for one in intent.evidence}
    words: dict[ContestKey, Testimony] = {}
    for claim in intent.claims:
        attribute = schema.attribute(claim.slot.attribute)
        key = contest_key(claim.slot, claim.value.key, attribute)
        ground = evidence.get(claim.evidence_id)
        if ground is None or key in words or not adds_up(attribute) or _is_bound(schema, attribute.key):
            return None
        words[key] = testimony_of(claim, ground, head.sequence + 1)
    # On a branch a view may be that of below, where more was said since.
    # For one reader a view may be that of another.
    is_shared = not (head.guards and isinstance(reading.view, SeenSnapshot))
    if head.fork or not is_shared or any(one.effective_at > reading.at for one in words.values()):
        return None
    standing = _standing(reading, words)
    if standing is None or (head.links and _is_leant_on(reading, standing)):
        return None
    changes: dict[ContestKey, Change] = {}
    for key, before in standing.items():
        after = _added(reading, before, words[key])
        if after is None:
            return None
        changes[key] = Change(before, after)
    return changes


def testimony_of(claim: Claim, evidence: Evidence, sequence: int) -> Testimony:
    """A claim with who makes it and when, as recorded by the operation of a number."""
    return Testimony(
        claim=claim,
        source=evidence.source,
        groups=evidence.groups,
        observed_at=evidence.observed_at,
        effective_at=evidence.effective_at,
        recorded_at=evidence.recorded_at,
        is_pinned=evidence.is_pinned,
        operation=sequence,
        withdrawals=evidence.withdrawals,
        access=evidence.access,
    )


def _is_bound(schema: Schema, attribute: str) -> bool:
    """Whether what is said of an attribute may bear on others."""
    return attribute in schema.denied_with or attribute in schema.dependents


def _standing(reading: Reading, words: Mapping[ContestKey, Testimony]) -> dict[ContestKey, Belief] | None:
    """The one belief of each contest; None where any has another, or one that cannot be added to."""
    beliefs = reading.view.beliefs(BeliefFilter(contests=list(words)))
    if len(beliefs) != len(words):
        return None
    by_contest = {ContestKey(one.slot.id, one.value.key): one for one in beliefs}
    by_contest |= {ContestKey(one.slot.id): one for one in beliefs}
    found = {key: by_contest[key] for key in words if key in by_contest}
    is_whole = len(found) == len(words) and all(can_add(found[key], word) for key, word in words.items())
    return found if is_whole else None


def _is_leant_on(reading: Reading, standing: Mapping[ContestKey, Belief]) -> bool:
    """Whether anything rests on what is confirmed: it is decided again with it."""
    named = sorted({name for one in standing.values() for name in (one.id, one.slot.id)})
    return bool(reading.view.beliefs(BeliefFilter(premises=named, limit=1)))


def _added(reading: Reading, before: Belief, word: Testimony) -> Belief | None:
    """A belief with one more word for it; None where it takes settling anew."""
    attribute, learned = reading.schema.attribute(before.slot.attribute), reading.schema.learned_by()
    count = count_of(attribute, reliability_of(word, learned))
    contest = ContestKey(before.slot.id, before.value.key)
    said = reading.view.testimonies([contest], source=word.source.name, limit=_MOST_LOOKED_THROUGH)[contest]
    own = [one for one in said if one.source.group == word.source.group and one.is_visible(reading.at)]
    # Of one voice the strongest word counts.
    if own and all(count_of(attribute, reliability_of(one, learned)) < count for one in own):
        return None
    if not own and len(said) == _MOST_LOOKED_THROUGH:
        return None
    return with_word(before, word, reading.at, count=count, is_new=not own)
