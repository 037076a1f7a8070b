"""What is declared in a memory: its attributes, rules and denials, and by what it decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Attribute, Denial, InferenceRule, Pattern, one_line


@dataclass(frozen=True, slots=True)
class Declarations:
    """What is declared: attributes by name, rules, denials, and the memory's own policy and model.

    `policy` and `confidence` are those in force where an attribute names none.
    """

    policy: str
    confidence: str
    attributes: tuple[Attribute, ...] = ()
    rules: tuple[InferenceRule, ...] = ()
    denials: tuple[Denial, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The declarations for a program."""
        return {
            "policy": self.policy,
            "confidence": self.confidence,
            "attributes": [_attribute(one) for one in self.attributes],
            "rules": [
                {
                    "name": one.name,
                    "premises": list(map(_pattern, one.premises)),
                    "exceptions": list(map(_pattern, one.exceptions)),
                    "conclusion": _pattern(one.conclusion),
                    "strength": one.strength,
                    "operation": one.declared_in,
                }
                for one in self.rules
            ],
            "denials": [
                {
                    "name": one.name,
                    "statements": list(map(_pattern, one.statements)),
                    "operation": one.declared_in,
                }
                for one in self.denials
            ],
        }

    def __str__(self) -> str:
        lines = [f"policy {self.policy}; confidence by {self.confidence}"]
        lines += [one_line(f"attribute {one.name}: {', '.join(_traits(one))}") for one in self.attributes]
        lines += [one_line(f"rule {one.name}: {one}; strength {one.strength:g}") for one in self.rules]
        lines += [one_line(f"denial {one.name}: {one}") for one in self.denials]
        return "\n".join(lines)


def _pattern(one: Pattern) -> list[str]:
    return [one.subject, one.attribute, one.value]


def _attribute(one: Attribute) -> dict[str, Any]:
    return {
        "name": one.name,
        "cardinality": one.cardinality,
        "value_type": one.value_type,
        "unit": one.unit,
        "changes": one.changes,
        "half_life_days": one.half_life_days,
        "stale_below": one.stale_below,
        "synonyms": list(one.synonyms),
        "patterns": list(one.patterns),
        "about": one.about,
        "subject_type": one.subject_type,
        "object_type": one.object_type,
        "inverse": one.inverse,
        "confidence": one.confidence,
        "policy": one.policy,
        "base_rate": one.base_rate,
        "strictness": one.strictness,
        "depends_on": {premise.attribute: premise.strength for premise in one.depends_on},
        "act_above": one.acts_above,
        "domain": one.domain,
        "operation": one.declared_in,
    }


def _traits(one: Attribute) -> list[str]:
    """What an attribute is, in words; what is as by default is left out."""
    found = [f"{one.cardinality} {one.value_type or 'value'}{f' in {one.unit}' if one.unit else ''}"]
    if not one.changes:
        found.append("fixed")
    if one.half_life_days is not None:
        found.append(f"counts half after {one.half_life_days:g} days")
    if one.subject_type or one.object_type:
        found.append(f"from {one.subject_type or 'anything'} to {one.object_type or 'anything'}")
    found += [f"inverse {one.inverse}"] if one.inverse else []
    found += [f"also {name}" for name in one.synonyms]
    found += [f"rests on {premise.attribute} ({premise.strength:g})" for premise in one.depends_on]
    found += [f"policy {one.policy}"] if one.policy else []
    found += [f"confidence by {one.confidence}"] if one.confidence else []
    found.append(f"act above {one.acts_above:g}{f' ({one.domain})' if one.domain else ''}")
    return found
