"""The overlay: beliefs of the operation under way, found as the store finds those on record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from knowwhy.core.model import Belief, Entity, name_key


class Overlay:
    """Beliefs by attribute, by subject and by value, and their subjects by name."""

    def __init__(self, beliefs: Iterable[Belief] = ()) -> None:
        self._by_attribute: dict[str, list[Belief]] = defaultdict(list)
        self._by_subject: dict[tuple[str, str], list[Belief]] = defaultdict(list)
        self._by_value: dict[tuple[str, str], list[Belief]] = defaultdict(list)
        self._by_name: dict[str, dict[str, Entity]] = defaultdict(dict)
        for one in beliefs:
            attribute, subject = one.slot.attribute, one.slot.subject
            self._by_attribute[attribute].append(one)
            self._by_subject[attribute, subject.id].append(one)
            self._by_value[attribute, one.value.key].append(one)
            self._by_name[name_key(subject.name)][subject.id] = subject

    def beliefs(
        self, attribute: str, subjects: Sequence[str] | None, values: Sequence[str] | None
    ) -> list[Belief]:
        """The beliefs about an attribute; of these subjects, where given, else with these values."""
        if subjects is not None:
            return [one for subject in subjects for one in self._by_subject.get((attribute, subject), ())]
        if values is not None:
            return [one for value in values for one in self._by_value.get((attribute, value), ())]
        return list(self._by_attribute.get(attribute, ()))

    def named(self, key: str) -> dict[str, Entity]:
        """The subjects of that name, by id."""
        return dict(self._by_name.get(key, {}))
