"""What a memory's labels say about its numbers: which labels count, and which map is shown for what.

A map changes the number shown and nothing else: order, status and thresholds keep to the raw one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.confidence.maps import (
    FEWEST_LABELS,
    LABELS_FOR_TWO_PARAMETERS,
    Calibration,
    Identity,
)
from knowwhy.core.confidence.refitting import Fit, Judged, Progress, fits
from knowwhy.core.model import Attribute, Judgement, Label, Schema, content_id, name_key
from knowwhy.core.timeline import FOREVER, Instant

# From so many labels on, an attribute has a map of its own instead of the one shared by all.
LABELS_FOR_ITS_OWN: Final = LABELS_FOR_TWO_PARAMETERS


def strategy_of(schema: Schema, attribute: str, known: Instant = FOREVER) -> str:
    """By what the numbers of an attribute (by key) are reckoned, in words that are equal where it is.

    The confidence model and policy, the prior, the half-life, and what was last learned of sources.
    """
    declared = schema.attribute(attribute)
    prior = declared.prior
    learned = next((one for one in reversed(schema.learnings) if one.declared_at <= known), None)
    parts = {
        "model": declared.confidence or ConfidenceModel.EVIDENCE,
        "policy": declared.policy or schema.charter.policy,
        "base rate": prior.base_rate,
        "strictness": prior.strictness,
        "half-life": prior.half_life_days,
        "sources": content_id("ln", repr(learned.rates)) if learned is not None and learned.rates else None,
    }
    return ", ".join(f"{name} {part}" for name, part in parts.items() if part is not None)


@dataclass(frozen=True, eq=False)
class Lot:
    """Labels that one map is fitted to, in order, and what came of them.

    `attribute` is the key of the one it is for; None for the lot that all of one confidence model share.
    `fewest` is how many labels the first map takes.
    """

    attribute: str | None
    labels: tuple[Label, ...]
    fewest: int = FEWEST_LABELS

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """The judgements, each on the proposition that the value holds."""
        return tuple(map(judged, self.labels))

    @cached_property
    def _fitted(self) -> tuple[tuple[Fit, ...], Progress]:
        return fits(self.judged, self.fewest)

    @property
    def fits(self) -> tuple[Fit, ...]:
        """Every map so far, the one in force last."""
        return self._fitted[0]

    @property
    def progress(self) -> Progress:
        """How near the next map is."""
        return self._fitted[1]

    @property
    def shown(self) -> Calibration | None:
        """The map in force."""
        return map_of(self.fits[-1]) if self.fits else None


_NO_LOT: Final = Lot(None, ())


class Calibrations:
    """The maps of one memory, as its labels make them; each is fitted when it is first needed.

    `labels` are those known, in the order in which they were given, and `known` is by when. A label
    counts as long as the number it judged was reckoned as numbers are reckoned now.
    """

    def __init__(self, labels: Sequence[Label], schema: Schema, known: Instant = FOREVER) -> None:
        self.labels = tuple(labels)
        self._schema = schema
        self._known = known
        self._strategies: dict[str, str] = {}

    @cached_property
    def counted(self) -> tuple[Label, ...]:
        """The labels that count, those that were replaced later among them."""
        return tuple(one for one in self.labels if one.strategy == self._strategy(one.attribute))

    @cached_property
    def shared(self) -> Mapping[ConfidenceModel, Lot]:
        """The lot of each confidence model: labels on all attributes that use it."""
        found: dict[ConfidenceModel, list[Label]] = {}
        for one in self.counted:
            found.setdefault(_model(self._schema.attribute(one.attribute)), []).append(one)
        return {model: Lot(None, tuple(those)) for model, those in found.items()}

    @cached_property
    def own(self) -> Mapping[str, Lot]:
        """The lots of attributes, by key, that have had labels enough for a map of their own."""
        found: dict[str, list[Label]] = {}
        for one in self.counted:
            found.setdefault(self._schema.attribute(one.attribute).key, []).append(one)
        lots = (Lot(key, tuple(those), LABELS_FOR_ITS_OWN) for key, those in found.items())
        return {lot.attribute: lot for lot in lots if lot.attribute is not None and lot.fits}

    def lot(self, attribute: Attribute) -> Lot:
        """The labels by which the numbers of an attribute are mapped: its own, or those that all share."""
        own = self.own.get(attribute.key)
        return own if own is not None else self.shared_lot(attribute)

    def shared_lot(self, attribute: Attribute) -> Lot:
        """The labels that an attribute shares with all others of its confidence model."""
        return self.shared.get(_model(attribute), _NO_LOT)

    def shown(self, attribute: Attribute, raw: Mapping[str, float]) -> dict[str, float]:
        """The numbers to show for the values of one whole contest, by their raw ones; empty where no map is.

        Values that exclude each other are scaled down together where the map lets them add up to more
        than 1. Their order stays.
        """
        shown = self.lot(attribute).shown if self.labels else None
        if shown is None:
            return {}
        found = {name: shown(number) for name, number in raw.items()}
        total = math.fsum(found.values())
        if attribute.is_exclusive and total > 1.0:
            found = {name: number / total for name, number in found.items()}
        return found

    def _strategy(self, attribute: str) -> str:
        if attribute not in self._strategies:
            self._strategies[attribute] = strategy_of(self._schema, attribute, self._known)
        return self._strategies[attribute]


def judged(label: Label) -> Judged:
    """What a label says on the proposition that the value holds; of a denial, the other way round."""
    raw = 1.0 - label.confidence if label.is_denial else label.confidence
    came = None
    if label.judgement is not Judgement.UNKNOWN:
        came = (label.judgement is Judgement.RIGHT) is not label.is_denial
    return Judged((label.belief, None if label.by is None else name_key(label.by)), raw, came)


def map_of(fit: Fit) -> Calibration | None:
    """The map of a fit; None where too few labels were left for one."""
    return None if isinstance(fit.shown, Identity) else fit.shown


def in_order(labels: Iterable[Label]) -> list[Label]:
    """Labels in the order in which they were given."""
    return sorted(labels, key=lambda one: (one.declared_in, one.key))


def _model(attribute: Attribute) -> ConfidenceModel:
    return attribute.confidence or ConfidenceModel.EVIDENCE
