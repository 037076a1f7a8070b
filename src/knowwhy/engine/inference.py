"""Rules and denials: what follows from what, and what cannot hold together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from knowwhy.core.model import (
    VARIABLE,
    Act,
    Denial,
    InferenceRule,
    Pattern,
    Retraction,
    Schema,
    Stance,
    attribute_key,
    checked_name,
    name_key,
)
from knowwhy.core.revision import contest_key
from knowwhy.core.timeline import BEGINNING
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.recall.ancestry import by_id, contests_of
from knowwhy.store.protocol import BeliefFilter

# A statement with gaps: (subject, attribute, value), where texts that begin with ? are variables.
PatternLike: TypeAlias = Sequence[str]

_TRIPLE = 3


def pattern(written: PatternLike) -> Pattern:
    """The pattern that a caller means.

    Raises:
        InvalidInput: not three texts, or a variable in the place of the attribute.
    """
    if isinstance(written, str) or len(written) != _TRIPLE:
        msg = f"A pattern is (subject, attribute, value), such as ('?x', 'plan', 'pro'), not {written!r}."
        raise InvalidInput(msg)
    subject, attribute, value = (str(one).strip() for one in written)
    checked_name(subject, "subject of a pattern")
    checked_name(value, "value of a pattern")
    checked_name(attribute, "attribute of a pattern")
    if attribute.startswith(VARIABLE):
        msg = (
            f"The attribute of a pattern must be given, not {attribute!r}; only the others may be variables."
        )
        raise InvalidInput(msg)
    return Pattern(subject, attribute_key(attribute), value)


def declare_rule(
    space: Space, rule: InferenceRule, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Declare that a conclusion follows from premises; it is drawn from all that is held already.

    A rule of the same name is replaced, and what it derived falls.

    Raises:
        InvalidInput: it has no name, or that of a denial.
    """
    checked_name(rule.name, "name of a rule")
    signature = Signature(Act.DECLARE, author, reason)
    return write(space, signature, lambda reading: _form_rule(reading, rule))


def _form_rule(reading: Reading, rule: InferenceRule) -> Intent | Outcome:
    rule = replace(
        rule,
        premises=tuple(_by_key(reading.schema, one) for one in rule.premises),
        exceptions=tuple(_by_key(reading.schema, one) for one in rule.exceptions),
        conclusion=_by_key(reading.schema, rule.conclusion),
    )
    _refuse_taken(rule, reading.schema.denials)
    known = next((one for one in reading.schema.rules if one.key == rule.key), None)
    if known is not None and _same(known, rule):
        return Outcome(operation=known.declared_in, at=None, is_repeat=True)
    return replace(without_rule(reading, known), declarations=(rule,))


def declare_denial(
    space: Space, denial: Denial, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Declare that some statements about one subject cannot all hold; what is held is settled anew.

    Raises:
        InvalidInput: it has no name, or that of a rule.
    """
    checked_name(denial.name, "name of a denial")
    signature = Signature(Act.DECLARE, author, reason)
    return write(space, signature, lambda reading: _form_denial(reading, denial))


def _form_denial(reading: Reading, denial: Denial) -> Intent | Outcome:
    statements = tuple(_by_key(reading.schema, one) for one in denial.statements)
    denial = replace(denial, statements=statements)
    _refuse_taken(denial, reading.schema.rules)
    known = next((one for one in reading.schema.denials if one.key == denial.key), None)
    if known is not None and _same(known, denial):
        return Outcome(operation=known.declared_in, at=None, is_repeat=True)
    concerned = (denial,) if known is None else (known, denial)
    return replace(settled_anew(reading, concerned), declarations=(denial,))


def _refuse_taken(new: InferenceRule | Denial, others: Iterable[InferenceRule | Denial]) -> None:
    """Refuse the name of a rule for a denial, and the other way round: a name is what `withdraw` goes by."""
    if any(one.key == new.key for one in others):
        other = "denial" if isinstance(new, InferenceRule) else "rule"
        msg = f"There is a {other} named {new.name!r} already; choose another name, or withdraw it first."
        raise InvalidInput(msg)


def withdraw(space: Space, name: str, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Withdraw a rule or denial by its name: what the rule derived falls, what was denied may come back.

    Raises:
        NotFound: there is no rule or denial of that name.
    """
    signature = Signature(Act.DECLARE, author, reason)
    return write(space, signature, lambda reading: _form_withdrawal(reading, name))


def _form_withdrawal(reading: Reading, name: str) -> Intent:
    key = name_key(name)
    for rule in reading.schema.rules:
        if rule.key == key:
            return replace(without_rule(reading, rule), declarations=(replace(rule, is_withdrawn=True),))
    for denial in reading.schema.denials:
        if denial.key == key:
            gone = replace(denial, is_withdrawn=True)
            return replace(settled_anew(reading, [denial]), declarations=(gone,))
    msg = f"There is no rule or denial named {name!r}."
    raise NotFound(msg, name=name)


def without_rule(reading: Reading, rule: InferenceRule | None) -> Intent:
    """The intent that withdraws all that a rule derived so far."""
    if rule is None:
        return Intent()
    held = reading.view.beliefs(BeliefFilter(attribute=rule.conclusion.attribute))
    contests = sorted(contests_of(reading.schema, held), key=by_id)
    derived = [
        one
        for those in reading.view.testimonies(contests).values()
        for one in those
        if one.retracted_at is None
        and one.claim.stance is Stance.SUPPORTS
        and one.claim.derivation is not None
        and one.claim.derivation.rule == rule.name
    ]
    return Intent(
        retractions=tuple(
            Retraction(one, f"rule {rule.name}")
            for one in sorted({each.claim.evidence_id for each in derived})
        ),
        contests=tuple(
            dict.fromkeys(
                contest_key(
                    one.claim.slot, one.claim.value.key, reading.schema.attribute(one.claim.slot.attribute)
                )
                for one in derived
            )
        ),
    )


def settled_anew(reading: Reading, denials: Iterable[Denial]) -> Intent:
    """The intent that settles all contests that denials speak of."""
    attributes = sorted({one.attribute for denial in denials for one in denial.statements})
    found = {
        contest
        for attribute in attributes
        for contest in contests_of(reading.schema, reading.view.beliefs(BeliefFilter(attribute=attribute)))
    }
    return Intent(contests=tuple(sorted(found, key=by_id)))


def _by_key(schema: Schema, one: Pattern) -> Pattern:
    """The pattern with its attribute by the key it is declared under, where it was a synonym."""
    return replace(one, attribute=schema.attribute(one.attribute).key)


def _same(known: InferenceRule | Denial, other: InferenceRule | Denial) -> bool:
    return replace(known, declared_in=0, declared_at=BEGINNING) == other
