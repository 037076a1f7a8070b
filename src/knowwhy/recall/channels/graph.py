"""By the graph: from what a question names along relations, and along what follows from what.

A belief whose value is an entity is a relation. The walk goes from each named entity along beliefs that
stand, and remembers which words of the question its way accounts for: "the capital of the country where the
author of it was born" is three steps, each asked for by its own words. A step that no new word asks for is
taken only among the first two, so that a walk stays near, and of an entity with many beliefs only the best
are followed, so that a hub does not flood.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowwhy.core.model import Belief, Entity, ValueType, name_key
from knowwhy.recall.gate import Gate
from knowwhy.recall.leads import Catch, Channel
from knowwhy.recall.question import Query
from knowwhy.recall.ranking import Relevance
from knowwhy.store.protocol import BeliefFilter

# How far a walk goes: while its words lead on, and where they do not.
MOST_STEPS: Final = 5
MOST_UNLED: Final = 2
# How many beliefs of one entity are followed, how many entities go on to the next step, how many beliefs
# are read a step.
_MOST_OF_ONE: Final = 16
_MOST_ABREAST: Final = 24
_MOST_READ: Final = 400
# What a way keeps after a step that part of an attribute's name leads, or nothing; and what it may lose for
# the least sure of the beliefs it went along.
_LED: Final = 0.8
_UNLED: Final = 0.7
_DOUBT: Final = 0.3
_ENTITY: Final = "entity:"


@dataclass(frozen=True, slots=True)
class Way:
    """A way from a named entity, the words of the question it accounts for, and how far to rely on it."""

    root: str
    steps: tuple[str, ...]
    terms: frozenset[str]
    sureness: float = 1.0
    behind: float = 1.0
    cost: float = 1.0

    @property
    def strength(self) -> float:
        """How far what is believed before its last step carries, less what its steps cost."""
        return (1.0 - _DOUBT + _DOUBT * self.behind) * self.cost

    def __str__(self) -> str:
        return " → ".join((self.root, *self.steps))


def find(gate: Gate, query: Query, weights: Relevance) -> Catch:
    """The beliefs that a walk from what the question names comes to, two steps away or more."""
    walk = _Walk(gate, query, weights)
    walk.go()
    ways = walk.found
    return Catch(
        Channel.GRAPH,
        read=tuple(walk.read[one] for one in ways),
        covers={one: way.terms for one, way in ways.items()},
        strength={one: way.strength for one, way in ways.items()},
        by={one: str(way) for one, way in ways.items()},
    )


class _Walk:
    """One walk: the best way found to each belief."""

    def __init__(self, gate: Gate, query: Query, weights: Relevance) -> None:
        self._gate, self._query, self._weights = gate, query, weights
        self.found: dict[str, Way] = {}
        self.read: dict[str, Belief] = {}
        self._met: dict[str, float] = {}

    def go(self) -> None:
        """Walk from each named entity, all abreast."""
        abreast: dict[str, Way] = {}
        for key, entity in self._query.mentions.named:
            abreast[entity.id] = Way(entity.name, (), self._weights.known(key))
        for step in range(MOST_STEPS):
            if not abreast:
                return
            taken = self._taken(abreast, is_first=step == 0)
            if step == 0:
                self._follow(taken)
            abreast = self._arrived(taken)

    def worth(self, way: Way) -> float:
        """By what ways are compared."""
        return self._weights.coverage(way.terms) * way.strength

    def _taken(self, abreast: Mapping[str, Way], *, is_first: bool) -> list[tuple[Belief, Way]]:
        """Each step that can be taken from where the walk is, with the way as it is then."""
        held = self._held(sorted(abreast))
        taken: list[tuple[Belief, Way]] = []
        for subject, beliefs in held.items():
            options = [(one, way) for one in beliefs if (way := self._along(abreast[subject], one))]
            options.sort(key=lambda pair: (-self.worth(pair[1]), pair[0].id))
            taken += options[:_MOST_OF_ONE]
        for belief, way in taken:
            known = self.found.get(belief.id)
            # What is a step away is found by its name already.
            if not is_first and (known is None or self.worth(known) < self.worth(way)):
                self.found[belief.id] = way
        return taken

    def _held(self, subjects: Sequence[str]) -> dict[str, list[Belief]]:
        """What stands about some entities, by entity."""
        read = self._gate.beliefs(BeliefFilter(subjects=subjects, limit=_MOST_READ))
        if len(read) == _MOST_READ:
            # Too many to read them all: at least what is asked for in full.
            for key in self._query.asked_for(self._gate.schema):
                wanted = BeliefFilter(subjects=subjects, attribute=key, limit=_MOST_READ)
                read += self._gate.beliefs(wanted)
        found: dict[str, list[Belief]] = defaultdict(list)
        for one in {each.id: each for each in read}.values():
            if one.status_at(self._gate.scope.valid).is_standing:
                self.read[one.id] = one
                found[one.slot.subject.id].append(one)
        return found

    def _along(self, way: Way, belief: Belief) -> Way | None:
        """The way, one step on along a belief; None where nothing leads there any more."""
        attribute = self._gate.attribute(belief.slot.attribute)
        cue = self._query.cue(attribute)
        is_led = bool(cue.terms - way.terms)
        if not is_led and len(way.steps) >= MOST_UNLED:
            return None
        return Way(
            way.root,
            (*way.steps, f"{attribute.name}: {belief.value}"),
            way.terms | cue.terms,
            min(way.sureness, belief.confidence(self._gate.scope.valid)),
            way.sureness,
            way.cost * (_LED + (1.0 - _LED) * cue.share if is_led else _UNLED),
        )

    def _arrived(self, taken: Iterable[tuple[Belief, Way]]) -> dict[str, Way]:
        """The entities that the steps lead to, each by its best way, the best of them."""
        ends: dict[str, Way] = {}
        named = self._named([belief for belief, _ in taken])
        for belief, way in taken:
            target = _target(belief) or named.get(belief.id)
            if target is None:
                continue
            worth = self.worth(way)
            if worth > max(self._met.get(target, 0.0), self.worth(ends[target]) if target in ends else 0.0):
                ends[target] = way
        best = sorted(ends, key=lambda one: (-self.worth(ends[one]), one))[:_MOST_ABREAST]
        self._met.update((one, self.worth(ends[one])) for one in best)
        return {one: ends[one] for one in best}

    def _named(self, beliefs: Sequence[Belief]) -> dict[str, str]:
        """For beliefs whose value is a text: the one entity of which that text is a name."""
        keys = {one.id: name_key(one.value.text) for one in beliefs if one.value.type is ValueType.TEXT}
        known: Mapping[str, list[Entity]] = self._gate.names(sorted(set(keys.values()))) if keys else {}
        return {own: known[key][0].id for own, key in keys.items() if len(known.get(key, ())) == 1}

    def _follow(self, taken: Sequence[tuple[Belief, Way]]) -> None:
        """What follows from the first steps, and what they follow from."""
        best = {belief.id: (belief, way) for belief, way in taken[:_MOST_OF_ONE]}
        premises = {
            one for belief, _ in best.values() for each in belief.derivations for one in each.premises
        }
        near = self._gate.beliefs(BeliefFilter(ids=sorted(premises))) if premises else []
        sources = {one: way for belief, way in best.values() for one in (belief.id, belief.slot.id)}
        near += (
            self._gate.beliefs(BeliefFilter(premises=sorted(sources), limit=_MOST_OF_ONE)) if sources else []
        )
        for one in near:
            if one.id in best or not one.status_at(self._gate.scope.valid).is_standing:
                continue
            way = next(
                (sources[each] for made in one.derivations for each in made.premises if each in sources),
                next((way for belief, way in best.values() if _rests_on(belief, one.id)), None),
            )
            if way is not None and (way := self._along(way, one)) is not None:
                self.read[one.id] = one
                self.found.setdefault(one.id, way)


def _rests_on(belief: Belief, premise: str) -> bool:
    return any(premise in one.premises for one in belief.derivations)


def _target(belief: Belief) -> str | None:
    key = belief.value.key
    return key.removeprefix(_ENTITY) if key.startswith(_ENTITY) else None
