"""Reasons in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from knowwhy.core.model import Because, Belief, Rule, Status
from knowwhy.core.timeline import FOREVER, shown


def because(belief: Belief) -> str:
    """Why the belief has its status, as half a sentence."""
    return _REASONS.get(belief.status, _fallen)(belief)


def _accepted(belief: Belief) -> str:
    reason = belief.because
    return _ACCEPTED.get(reason.rule, _plain("nothing speaks against it"))(reason)


def _challenger(belief: Belief) -> str:
    reason = belief.because
    if reason.rule in (Rule.DENIED, Rule.OBSERVED):
        return _FALLEN[reason.rule](reason)
    return f"{_rival(reason)} has {_STRENGTH[reason.rule]}, but this is the newer word"


def _fallen(belief: Belief) -> str:
    reason = belief.because
    sentence = _FALLEN[reason.rule](reason)
    if belief.status is Status.SUPERSEDED and belief.until < FOREVER and reason.rule is not Rule.ENDED:
        return f"{sentence} since {shown(belief.until)}"
    if reason.rule is Rule.ENDED:
        return f"it ended {shown(belief.until)}"
    if reason.rule is Rule.NOT_YET and belief.since < FOREVER:
        return f"it holds only from {shown(belief.since)}"
    return sentence


def _rival(reason: Because) -> str:
    return f"“{reason.against}”" if reason.against else "its denial"


def _plain(words: str) -> Callable[[Because], str]:
    return lambda _reason: words


_STRENGTH: Final[Mapping[Rule, str]] = {
    Rule.AUTHORITY: "a source of higher authority",
    Rule.RECENCY: "the newer word",
    Rule.CONFIDENCE: "more evidence",
    Rule.TIE: "equal standing",
}

_ACCEPTED: Final[Mapping[Rule, Callable[[Because], str]]] = {
    Rule.AUTHORITY: lambda reason: f"a source of higher authority than for {_rival(reason)}",
    Rule.RECENCY: lambda reason: f"a newer word than {_rival(reason)}",
    Rule.CONFIDENCE: lambda reason: f"more evidence than for {_rival(reason)}",
    Rule.DERIVED: lambda reason: (
        f"it follows by the rule “{reason.against}”" if reason.against else "it follows"
    ),
}

_FALLEN: Final[Mapping[Rule, Callable[[Because], str]]] = {
    Rule.AUTHORITY: lambda reason: f"{_rival(reason)} has a source of higher authority",
    Rule.RECENCY: lambda reason: f"replaced by {_rival(reason)}",
    Rule.CONFIDENCE: lambda reason: f"{_rival(reason)} has more evidence",
    Rule.TIE: lambda reason: f"no rule settles it against {_rival(reason)}",
    Rule.REFUTED: _plain("refuted"),
    Rule.ENDED: _plain("it ended"),
    Rule.NOT_YET: _plain("it holds only later"),
    Rule.WITHDRAWN: _plain("everything that supported it was withdrawn"),
    Rule.NOT_ASSERTED: _plain("nobody asserts it: it was only supposed, asked or quoted"),
    Rule.AGED: _plain("its evidence has aged"),
    Rule.DERIVED: _plain("it follows from others"),
    Rule.UNFOUNDED: _plain("what it followed from no longer holds"),
    Rule.DENIED: lambda reason: f"declared not to hold together with {reason.against}",
    Rule.OBSERVED: lambda reason: f"it would follow, but {_rival(reason)} was observed",
    Rule.GIVEN_UP: _plain("it was given up, and nothing has spoken for it since"),
    Rule.DROPPED: _plain("its source says it no longer"),
    Rule.UNOPPOSED: _plain("nothing speaks against it"),
}

_REASONS: Final[Mapping[Status, Callable[[Belief], str]]] = {
    Status.DOUBTFUL: lambda belief: "; ".join(map(str, belief.doubts)),
    Status.ARCHIVED: lambda _belief: (
        "put away, since it was long unused and little sure; a new word brings it back"
    ),
    Status.ACCEPTED: _accepted,
    Status.CONTESTED: lambda belief: f"no rule settles it against {_rival(belief.because)}",
    Status.CHALLENGER: _challenger,
}
