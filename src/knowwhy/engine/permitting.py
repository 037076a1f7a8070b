"""Permitting: what a principal may do, and who may read what is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from knowwhy.core.model import (
    PUBLIC,
    Access,
    Act,
    Alias,
    Claim,
    Entity,
    Evidence,
    Grant,
    Stance,
    Testimony,
    ValueType,
    alias_named,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.space import Space
from knowwhy.errors import Refused, Unsupported
from knowwhy.store.protocol import Snapshot

# The right that an act takes; what stands in none of these is open to every principal.
_RIGHT_TO: Final[Mapping[Act, str]] = {
    **dict.fromkeys((Act.DECLARE, Act.CONFIGURE, Act.LEARN, Act.FEEDBACK, Act.USED, Act.IDENTIFY), "declare"),
    **dict.fromkeys((Act.FORK, Act.DROP, Act.SNAPSHOT), "branch"),
    **dict.fromkeys((Act.VACUUM, Act.ERASE, Act.EXPIRE), "erase"),
    **dict.fromkeys((Act.LEASE, Act.READ, Act.RETRY, Act.DISMISS, Act.DREAM), "maintain"),
    **dict.fromkeys((Act.RESOLVE, Act.ASSIGN, Act.QUARANTINE, Act.RELEASE), "decide"),
    Act.MERGE: "merge",
    Act.UNDO: "undo",
    Act.GRANT: "grant",
}
# What is said on the strength of what all may read who may read what is said; all else is the memory's own.
_SAID: Final = frozenset(
    {Act.OBSERVE, Act.DOCUMENT, Act.DERIVE, Act.END, Act.CORRECT, Act.GIVE_UP, Act.ALIAS, Act.RESOLVE}
)
_FROM_PUBLIC: Final = frozenset({Act.LEARN, Act.FEEDBACK, Act.USED, Act.READ})
# What changes the fate of what others said.
_OF_FATE: Final = frozenset({Act.END, Act.CORRECT, Act.GIVE_UP, Act.RETRACT, Act.ALIAS})
# Up to this authority everybody may speak.
_OPEN_AUTHORITY: Final = 50


def right_to(act: Act) -> str | None:
    """The right that an act takes, if it takes one."""
    return _RIGHT_TO.get(act)


def demand(space: Space, right: str, view: Snapshot | None = None) -> None:
    """Refuse where the principal has not been granted a right: on the main line, also for its branches.

    Raises:
        Refused: it has not.
    """
    if space.principal is None:
        return
    if view is None or space.branch is not None:
        root = space.root
        with root.store.snapshot(root.name) as state:
            demand(root, right, state)
        return
    known = view.declared(Grant, sorted(space.principal.names)).values()
    if not any(right in one.rights for one in known):
        msg = (
            f"{space.principal.name} has no right to {right}; who owns the memory may grant it, see `grant`."
        )
        raise Refused(msg, right=right)


def audience(space: Space, view: Snapshot, act: Act) -> Snapshot:
    """The state of a line as those may see it, all of them, who may read what an act writes."""
    if act in _FROM_PUBLIC:
        return space.seen(view, PUBLIC) if view.head().guards else view
    if act not in _SAID or not (view.head().guards or space.principal):
        return view
    access = space.written_access
    return view if not access.is_public and not access.names else space.seen(view, access)


def access_of(space: Space, signature: Signature, intent: Intent) -> Access:
    """Who may read an operation."""
    if intent.access is not None:
        return intent.access
    return space.written_access if signature.act in _SAID else PUBLIC


def check(reading: Reading, signature: Signature, intent: Intent) -> None:
    """Refuse an intent that its principal may not carry out.

    Raises:
        Refused: it takes a right that was not granted.
        Unsupported: it would declare something that not everybody may read.
    """
    space = reading.space
    if not space.access.is_public and signature.act in _SAID and (intent.declarations or intent.waiting):
        msg = "Documents and words to be read later are everybody's: write them where all may read them."
        raise Unsupported(msg)
    if space.principal is None:
        return
    demand_of_words(reading, signature, intent)
    if signature.act in _OF_FATE and not _is_own(reading, signature, intent):
        demand(space, "decide", reading.whole)


def demand_of_words(reading: Reading, signature: Signature, intent: Intent) -> None:
    """Refuse words that have more weight than their principal may give them."""
    needed = set[str]()
    if signature.act in (Act.OBSERVE, Act.DOCUMENT):
        needed |= {"authority" for one in intent.evidence if one.source.authority > _OPEN_AUTHORITY}
        needed |= {"pin" for one in intent.evidence if one.is_pinned}
        needed |= {"decide" for one in intent.claims if one.stance is Stance.GIVES_UP}
    if signature.act is not Act.RESOLVE:  # a decision is forced by its nature
        needed |= {"force" for one in intent.claims if one.is_forced}
    for right in sorted(needed):
        demand(reading.space, right, reading.whole)


def _is_own(reading: Reading, signature: Signature, intent: Intent) -> bool:
    """Whether an act touches only what its principal may change, or changes nothing for anybody else."""
    principal, access = reading.space.principal, reading.space.access
    assert principal is not None  # noqa: S101 - who calls has looked
    if not intent.retractions and access.readers == ():
        return True
    targets = [one.target for one in intent.retractions]
    accesses = [one.access for one in reading.mine.evidence(ids=targets)] if targets else []
    accesses += [one.access for one in reading.mine.claims(targets)] if targets else []
    if signature.act is Act.ALIAS:
        keys = sorted({named[0] for one in targets if (named := alias_named(one)) is not None})
        given = reading.mine.every(Alias, keys) if keys else ()
        accesses += [one.access for one in given if one.target in set(targets)]
    else:
        accesses += [one.access for one in _bearing(reading, signature, intent.claims)]
    return all(map(principal.may_change, accesses))


def _bearing(reading: Reading, signature: Signature, claims: Iterable[Claim]) -> Iterable[Testimony]:
    """What its readers see that speaks for the values claims are aimed at; on their slots, if it corrects."""
    aimed = {(one.slot.id, one.value.key) for one in claims if one.stance is not Stance.SUPPORTS}
    slots = sorted({one.slot.id for one in claims})
    own = {one.evidence_id for one in claims}
    for those in reading.view.testimonies([ContestKey(one) for one in slots]).values():
        for one in those:
            is_meant = signature.act is Act.CORRECT or (one.claim.slot.id, one.claim.value.key) in aimed
            is_standing = one.retracted_at is None and one.claim.stance is Stance.SUPPORTS
            if is_meant and is_standing and one.claim.evidence_id not in own:
                yield one


# What is on record of who may read it -------------------------------------------------------------


def guarded(reading: Reading, intent: Intent, access: Access) -> Intent:
    """An intent whose entities have the access of the words that name them.

    What was first named where readers of these words cannot see it is given its name for them too.
    """
    is_open = access.is_public and all(one.access.is_public for one in intent.evidence)
    if is_open and not reading.whole.head().guards:
        return intent
    named = _named(reading, intent, access)
    found = {one.id: one for one in (*intent.entities, *(claim.slot.subject for claim in intent.claims))}
    known = {one.id: one.access for one in reading.whole.entities(sorted(found))}
    keys = sorted({name_key(one.name) for one in found.values()})
    given = list(reading.whole.every(Alias, keys)) if keys else []
    aliases = [
        Alias(name_key(one.name), one.id, one.name, access=each)
        for own, one in sorted(found.items())
        for each in sorted(named[own], key=str)
        if own in known and not each.follows and not each.may_read(known[own])
        if not any(_is_for(each, alias, one) for alias in given)
    ]
    new = (replace(one, access=_widest(named[one.id])) for own, one in found.items() if own not in known)
    return replace(intent, entities=tuple(new), aliases=(*intent.aliases, *aliases))


def _is_for(access: Access, alias: Alias, entity: Entity) -> bool:
    """Whether all who have some access know an entity by its name already."""
    is_same = alias.entity_id == entity.id and alias.key == name_key(entity.name)
    return is_same and access.may_read(alias.access)


def _named(reading: Reading, intent: Intent, access: Access) -> Mapping[str, set[Access]]:
    """To whom each entity is named, by its id."""
    items: dict[str, Evidence] = {one.id: one for one in intent.evidence}
    missing = sorted({one.evidence_id for one in intent.claims} - items.keys())
    items |= {one.id: one for one in reading.whole.evidence(ids=missing)} if missing else {}
    found: dict[str, set[Access]] = defaultdict(set)
    for claim in intent.claims:
        to = items[claim.evidence_id].access
        found[claim.slot.subject.id].add(to)
        if claim.value.type is ValueType.ENTITY:
            found[claim.value.key.removeprefix("entity:")].add(to)
    for one in intent.entities:
        if one.id not in found:
            found[one.id].add(access)
    return found


def _widest(those: Iterable[Access]) -> Access:
    """Of some accesses everybody's, or else one that somebody has."""
    ordered = sorted(those, key=lambda one: (not one.is_public, one.follows, str(one)))
    return ordered[0] if not ordered[0].is_public else PUBLIC
