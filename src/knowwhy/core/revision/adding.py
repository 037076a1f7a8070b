"""Adding: what one more plain word does to a slot, without hearing again all that was said before.

Where nothing but plain words speaks of a contest, all for one value, its tally is a sum over voices: each
independence group once. A further word adds its voice to the sum, or none if its group has one already. So
it costs the same however many came before. All else is settled anew from its testimony.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from knowwhy.core.confidence import ConfidenceModel, Mass, Tally
from knowwhy.core.model import Attribute, Because, Belief, Modality, Rule, Stance, Status, Testimony
from knowwhy.core.timeline import FOREVER, Instant

# Up to this much evidence sums on the grid of counts are exact, whatever their order.
_MOST: Final = 2.0**20


def is_plain(one: Testimony) -> bool:
    """Whether a testimony is a plain word: asserted, of its own voice, not dated, weighted or fixed."""
    claim = one.claim
    is_usual = claim.stance is Stance.SUPPORTS and claim.modality is Modality.ASSERTED and claim.weight == 1.0
    is_undated = claim.valid_from is None and claim.valid_to == FOREVER
    is_bound = claim.is_forced or one.is_pinned or claim.derivation is not None or bool(claim.depends_on)
    return is_usual and is_undated and not is_bound and one.groups == (one.source.group,)


def adds_up(attribute: Attribute) -> bool:
    """Whether the evidence on an attribute is a sum that nothing but a further word changes."""
    is_counted = attribute.confidence in (None, ConfidenceModel.EVIDENCE)
    return is_counted and attribute.half_life_days is None and not attribute.depends_on


def is_sum(visible: Iterable[Testimony], attribute: Attribute, at: Instant) -> bool:
    """Whether a contest on which all this is visible at `at` can be added to."""
    values = set()
    for one in visible:
        if not is_plain(one) or one.effective_at > at:
            return False
        values.add(one.claim.value.key)
    return adds_up(attribute) and len(values) == 1


def can_add(belief: Belief, word: Testimony) -> bool:
    """Whether a plain word can be added to a belief, the only one of its contest, as it was last settled."""
    is_settled = belief.status is Status.ACCEPTED and belief.because == Because(Rule.UNOPPOSED)
    is_same = word.claim.value == belief.value or (
        word.claim.value.key == belief.value.key and word.effective_at > belief.observed_at
    )
    is_labelled = word.access.is_public or word.access in belief.labels
    return belief.is_additive and is_settled and is_same and is_labelled and is_plain(word)


def with_word(belief: Belief, word: Testimony, at: Instant, *, count: float, is_new: bool) -> Belief | None:
    """The belief once a further word of that evidence count is heard; None where the sum is too large.

    `is_new` says that its group has no voice yet.
    """
    tally = belief.tally
    if not isinstance(tally, Tally):
        return None
    support = tally.support + Mass(ageing=count) if is_new else tally.support
    if support.fresh >= _MOST:
        return None
    return replace(
        belief,
        tally=replace(tally, support=support, reference=at),
        since=min(belief.since, word.effective_at),
        observed_at=max(belief.observed_at, word.effective_at),
        authority=max(belief.authority, word.source.authority),
        sources=belief.sources + is_new,
        evidence=belief.evidence + 1,
        settled_at=at,
    )
