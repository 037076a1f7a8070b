"""What a caller hands to `observe`, and the claims in it as drafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, Final, TypeAlias

from knowwhy.core.model import Draft, Modality, Stance, checked_name
from knowwhy.errors import InvalidInput
from knowwhy.providers.extraction import Extractor

# A claim as callers may write it: a draft, its fields as a mapping, or (subject, attribute, value).
ClaimLike: TypeAlias = Draft | Mapping[str, Any] | Sequence[Any]

# As `extract`: the words are kept now, and read by whoever works off the queue.
LATER: Final = "later"


@dataclass(frozen=True, slots=True)
class Observation:
    """One item a source said: its words, who said it and when, and the claims read out of it.

    Without `text` the claims themselves are kept as the words. `recorded_at` is only for loading
    history: when the memory this comes from learnt of it. `derived_from` are evidence ids whose
    voice this merely repeats. `is_forced` puts its claims above all that is not forced. `authority`
    and `reliability` override the source type's own.

    Words without claims are read by the memory's extractor, by the one given as `extract`, not at all
    where that is False, or `"later"` by whoever works off the queue. `takes_undeclared` says whether what
    they say of attributes that nobody declared is taken; None: as the memory does.
    """

    source: str
    text: str | None = None
    claims: Sequence[ClaimLike] = ()
    source_type: str | None = None
    observed_at: datetime | date | str | None = None
    recorded_at: datetime | date | str | None = None
    is_pinned: bool = False
    context: str | None = None
    derived_from: Sequence[str] = ()
    authority: int | None = None
    reliability: float | None = None
    is_forced: bool = False
    metadata: Mapping[str, str] | None = None
    extract: bool | str | Extractor = field(default=True, repr=False)
    takes_undeclared: bool | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be evidence."""
        checked_name(self.source, "source")
        if self.text is not None and not isinstance(self.text, str):
            msg = f"The text of an observation must be a text, not {type(self.text).__name__}."
            raise InvalidInput(msg)
        if not (self.text or "").strip() and not self.claims:
            msg = "An observation needs a text, or claims, or both."
            raise InvalidInput(msg)
        if isinstance(self.extract, str) and self.extract != LATER:
            msg = f"extract is True, False, an extractor, or {LATER!r}, not {self.extract!r}."
            raise InvalidInput(msg)


_PAIR = 2
_FIELDS = frozenset(one.name for one in fields(Draft))


def draft(claim: ClaimLike) -> Draft:
    """The claim as a draft, whatever form it was written in.

    Raises:
        InvalidInput: unknown or missing fields, a stance or modality that does not exist, or premises
            that are no pairs.
    """
    if isinstance(claim, Draft):
        return _with_pairs(claim)
    if isinstance(claim, Mapping):
        return _from_mapping(claim)
    try:
        subject, attribute, value = () if isinstance(claim, str) else claim
    except (TypeError, ValueError) as problem:
        msg = f"A claim is (subject, attribute, value) or a mapping with those fields, not {claim!r}."
        raise InvalidInput(msg) from problem
    return _checked(Draft(subject, attribute, value))


def drafts(claims: Iterable[ClaimLike]) -> list[Draft]:
    """All of `claims` as drafts."""
    return [draft(claim) for claim in claims]


def _from_mapping(claim: Mapping[str, Any]) -> Draft:
    unknown = sorted(set(claim) - _FIELDS)
    missing = sorted({"subject", "attribute", "value"} - set(claim))
    if unknown or missing:
        problem = f"unknown: {', '.join(unknown)}" if unknown else f"missing: {', '.join(missing)}"
        msg = f"A claim has the fields {', '.join(sorted(_FIELDS))}; {problem}."
        raise InvalidInput(msg)
    given = {name: value for name, value in claim.items() if value is not None}
    try:
        given["stance"] = Stance(given.get("stance", Stance.SUPPORTS))
        given["modality"] = Modality(given.get("modality", Modality.ASSERTED))
    except ValueError as problem:
        msg = f"{problem}; a stance is one of {', '.join(Stance)}, a modality one of {', '.join(Modality)}."
        raise InvalidInput(msg) from problem
    return _checked(Draft(**given))


def _checked(claim: Draft) -> Draft:
    checked_name(claim.subject, "subject of a claim")
    checked_name(claim.attribute, "attribute of a claim")
    if not isinstance(claim.weight, int | float) or not 0.0 <= claim.weight <= 1.0:
        msg = f"The weight of a claim lies between 0 and 1, not {claim.weight!r}."
        raise InvalidInput(msg)
    return _with_pairs(claim)


def _with_pairs(claim: Draft) -> Draft:
    """The claim, if all that it says it depends on is a pair of texts."""
    named = claim.depends_on
    if isinstance(named, str) or not isinstance(named, Sequence):
        msg = f"depends_on is a list of pairs of subject and attribute, not {named!r}."
        raise InvalidInput(msg)
    for pair in named:
        is_list = isinstance(pair, Sequence) and not isinstance(pair, str)
        if not is_list or len(pair) != _PAIR or not all(isinstance(one, str) for one in pair):
            msg = f"depends_on names pairs of subject and attribute, not {pair!r}."
            raise InvalidInput(msg)
    return claim
