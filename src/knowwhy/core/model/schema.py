"""The schema: all that is declared in one memory, ready to be asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from knowwhy.core.model.access import Grant
from knowwhy.core.model.arbitration import Arbitration
from knowwhy.core.model.attribute import Attribute, undeclared
from knowwhy.core.model.charter import Charter, Label, Learning
from knowwhy.core.model.document import Document
from knowwhy.core.model.dreaming import Archive, DreamState
from knowwhy.core.model.erasure import Erasure
from knowwhy.core.model.identity import Identity, Sameness, merged
from knowwhy.core.model.inference import Denial, InferenceRule
from knowwhy.core.model.keeping import Auditing, Excerpts, Incomplete, Lifetimes
from knowwhy.core.model.names import attribute_key
from knowwhy.core.model.quarantine import Quarantine
from knowwhy.core.model.queue import QueueStep
from knowwhy.core.model.ranking import RankingWeights
from knowwhy.core.model.version import Adoption, Branch, Horizon, Mark, Run
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant

# What can be declared in a memory; each kind says in `is_schema` whether what is believed depends on it.
Declared: TypeAlias = (
    Attribute
    | InferenceRule
    | Denial
    | Charter
    | Learning
    | Label
    | RankingWeights
    | Branch
    | Mark
    | Run
    | Adoption
    | Horizon
    | QueueStep
    | Erasure
    | Document
    | Grant
    | Identity
    | Lifetimes
    | Auditing
    | Incomplete
    | Arbitration
    | Quarantine
    | DreamState
    | Archive
    | Excerpts
)


@dataclass(frozen=True)
class Schema:
    """What is declared: attributes by key, rules, denials, the charter, what was learned of sources.

    `identities` say which entities are one, and which are not; sources that are `quarantined` (by name)
    count nothing. What was known before `horizon` can no longer be told. `archived` are the beliefs (by id)
    that were put away.
    """

    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    rules: tuple[InferenceRule, ...] = ()
    denials: tuple[Denial, ...] = ()
    charter: Charter = field(default_factory=Charter)
    learnings: tuple[Learning, ...] = ()
    horizon: Instant = BEGINNING
    identities: tuple[Identity, ...] = ()
    quarantined: frozenset[str] = frozenset()
    archived: Mapping[str, Archive] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> Mapping[str, Attribute]:
        """The attributes by the keys of their names and synonyms; a name always beats a synonym."""
        found = {attribute_key(other): one for one in self.attributes.values() for other in one.synonyms}
        found.update(self.attributes)
        return found

    @cached_property
    def inverses(self) -> Mapping[str, Attribute]:
        """The attributes by the keys of their inverses; what is declared by that name itself beats them."""
        found = {
            attribute_key(one.inverse): one
            for _, one in sorted(self.attributes.items())
            if one.inverse is not None
        }
        return {key: one for key, one in found.items() if key not in self.by_name}

    def attribute(self, key: str) -> Attribute:
        """The declaration in force for an attribute's key or synonym, or the default for undeclared ones.

        Where it names no confidence model of its own, it has that of the charter.
        """
        found = self.by_name.get(key) or undeclared(key)
        if found.confidence is None and self.charter.confidence is not None:
            return replace(found, confidence=self.charter.confidence)
        return found

    @cached_property
    def merged(self) -> Mapping[str, str]:
        """The entities (by id) that are merged into another, each with the one that stands for it."""
        return merged(self.identities)

    @cached_property
    def distinct(self) -> frozenset[tuple[str, str]]:
        """The pairs of entities (by id, in order) that are two, as those that stand for them."""
        into = self.merged
        pairs = [
            (into.get(one.one, one.one), into.get(one.other, one.other))
            for one in self.identities
            if one.sameness is Sameness.DISTINCT
        ]
        return frozenset((min(pair), max(pair)) for pair in pairs)

    @cached_property
    def reopened(self) -> frozenset[tuple[str, str]]:
        """The pairs of entities (by id, in order) that were said to be one, which somebody took back."""
        return frozenset((one.one, one.other) for one in self.identities if one.sameness is Sameness.OPEN)

    @cached_property
    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """The keys of the attributes that rest on an attribute, by its key."""
        found: dict[str, list[str]] = {}
        for one in self.attributes.values():
            for dependency in one.depends_on:
                found.setdefault(self.attribute(dependency.attribute).key, []).append(one.key)
        return {premise: tuple(sorted(those)) for premise, those in found.items()}

    @cached_property
    def denied_with(self) -> Mapping[str, tuple[Denial, ...]]:
        """The denials that speak of an attribute, by its key."""
        found: dict[str, list[Denial]] = {}
        for denial in self.denials:
            for key in sorted({one.attribute for one in denial.statements}):
                found.setdefault(key, []).append(denial)
        return {key: tuple(those) for key, those in found.items()}

    def learned_by(self, known: Instant = FOREVER) -> Mapping[str, float]:
        """The reliability last learned for each source by an instant, by its group."""
        for one in reversed(self.learnings):
            if one.declared_at <= known:
                return self._rates[one.key]
        return {}

    @cached_property
    def _rates(self) -> Mapping[str, Mapping[str, float]]:
        return {one.key: {group: rate for group, rate, _ in one.rates} for one in self.learnings}

    def with_declared(self, declared: Iterable[Declared]) -> Schema:
        """The schema once these are declared too."""
        declared = tuple(declared)
        if not declared:
            return self
        attributes, charter, horizon = dict(self.attributes), self.charter, self.horizon
        rules = {one.key: one for one in self.rules}
        denials = {one.key: one for one in self.denials}
        learnings = {one.key: one for one in self.learnings}
        identities = {one.key: one for one in self.identities}
        quarantined = set(self.quarantined)
        archived = {**self.archived, **{one.key: one for one in declared if isinstance(one, Archive)}}
        for one in declared:
            match one:
                case Attribute():
                    attributes[one.key] = one
                case InferenceRule():
                    rules[one.key] = one
                case Denial():
                    denials[one.key] = one
                case Charter():
                    charter = one
                case Learning():
                    learnings[one.key] = one
                case Horizon():
                    horizon = one.at
                case Identity():
                    identities[one.key] = one
                case Quarantine():
                    (quarantined.discard if one.is_released else quarantined.add)(one.key)
                case (
                    Label()
                    | RankingWeights()
                    | Branch()
                    | Mark()
                    | Run()
                    | Arbitration()
                    | Adoption()
                    | QueueStep()
                    | Erasure()
                    | Document()
                    | Lifetimes()
                    | Auditing()
                    | Incomplete()
                    | DreamState()
                    | Archive()
                    | Excerpts()
                ):
                    pass
        return Schema(
            attributes,
            tuple(rules[key] for key in sorted(rules) if not rules[key].is_withdrawn),
            tuple(denials[key] for key in sorted(denials) if not denials[key].is_withdrawn),
            charter,
            tuple(learnings[key] for key in sorted(learnings)),
            horizon,
            tuple(identities[key] for key in sorted(identities)),
            frozenset(quarantined),
            {key: one for key, one in archived.items() if not one.is_undone},
        )
