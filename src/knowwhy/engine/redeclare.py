"""Declarations put in force again or anew, as undoing and merging do, with all that is settled for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from knowwhy.core.model import (
    Arbitration,
    Archive,
    Attribute,
    Auditing,
    Branch,
    Charter,
    Declared,
    Denial,
    Excerpts,
    Identity,
    Incomplete,
    InferenceRule,
    Judgement,
    Label,
    Learning,
    Lifetimes,
    Mark,
    Quarantine,
    RankingWeights,
    Sameness,
    Schema,
    undeclared,
)
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.engine.branch import over
from knowwhy.engine.configure import all_contests
from knowwhy.engine.inference import settled_anew, without_rule
from knowwhy.engine.intent import Intent, Reading
from knowwhy.engine.setting_apart import set_apart
from knowwhy.recall.ancestry import by_id
from knowwhy.store.protocol import BeliefFilter

# The kinds of declarations that say how a memory understands what it hears, or what it was taught.
TAUGHT: Final[tuple[type[Declared], ...]] = (
    *(Attribute, InferenceRule, Denial, Charter, Learning, Label),
    *(Identity, Lifetimes, Auditing, Incomplete, RankingWeights, Arbitration, Quarantine, Archive, Excerpts),
)


def redeclared(reading: Reading, declarations: Sequence[Declared]) -> Intent:
    """The intent that declares all of these; what is held is settled anew where it bears on that."""
    schema = reading.schema.with_declared(declarations)
    intent = Intent()
    for one in declarations:
        intent = intent.beside(_of_one(reading, schema, one))
    return replace(intent, contests=tuple(dict.fromkeys(intent.contests)))


def _of_one(reading: Reading, schema: Schema, one: Declared) -> Intent:
    match one:
        case Attribute():
            return Intent(declarations=(one,), contests=_about(reading, schema, one.key))
        case InferenceRule():
            known = next((rule for rule in reading.schema.rules if rule.key == one.key), None)
            return replace(without_rule(reading, known), declarations=(one,))
        case Denial():
            known_denial = next((each for each in reading.schema.denials if each.key == one.key), None)
            concerned = [one] if known_denial is None else [known_denial, one]
            return replace(settled_anew(reading, concerned), declarations=(one,))
        case Quarantine():
            retractions, evidence = set_apart(reading, one)
            bears_on = contests_on(reading, schema, evidence)
            return Intent(declarations=(one,), retractions=retractions, contests=bears_on)
        case Charter() | Learning():
            return Intent(declarations=(one,), contests=all_contests(reading))
        case _:
            return Intent(declarations=(one,))


def _about(reading: Reading, schema: Schema, key: str) -> tuple[ContestKey, ...]:
    held = reading.view.beliefs(BeliefFilter(attribute=key))
    return tuple(dict.fromkeys(contest_key(one.slot, one.value.key, schema.attribute(key)) for one in held))


def contests_on(reading: Reading, schema: Schema, targets: Iterable[str]) -> tuple[ContestKey, ...]:
    """The contests that the claims of these ids, or of evidence of these ids, bear on."""
    wanted = sorted(set(targets))
    found = {
        contest_key(one.claim.slot, one.claim.value.key, schema.attribute(one.claim.slot.attribute))
        for one in (reading.view.claims(wanted) if wanted else ())
    }
    return tuple(sorted(found, key=by_id))


def absent(reading: Reading, one: Declared) -> Declared | None:
    """What declares that something is not declared; None where that cannot be said."""
    match one:
        case Attribute():
            return undeclared(one.name)
        case InferenceRule() | Denial() | Mark():
            return replace(one, is_withdrawn=True)
        case Charter() | Lifetimes() | Auditing() | RankingWeights():
            return type(one)()
        case Identity():
            return replace(one, sameness=Sameness.OPEN, kept="")
        case Learning():
            return replace(one, at=reading.at, rates=_rates_before(reading, one))
        case Arbitration() | Label() | Quarantine() | Archive() | Excerpts():
            return _unsaid(one)
        case Branch():
            return None if over(reading.view, one) else replace(one, is_closed=True)
        case _:
            return None


def _unsaid(one: Arbitration | Label | Quarantine | Archive | Excerpts) -> Declared:
    """The same about the same, with nothing said."""
    if isinstance(one, Arbitration):
        return Arbitration(one.conflict)
    if isinstance(one, Quarantine):
        return replace(one, is_released=True)
    if isinstance(one, Excerpts):
        return replace(one, sentences=())
    if isinstance(one, Archive):
        return replace(one, is_undone=True)
    return replace(one, judgement=Judgement.UNKNOWN)


def _rates_before(reading: Reading, one: Learning) -> tuple[tuple[str, float, int], ...]:
    """What was learned of sources before it, which is in force again without it."""
    earlier = [each for each in reading.schema.learnings if each.key < one.key]
    return earlier[-1].rates if earlier else ()
