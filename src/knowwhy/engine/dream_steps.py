"""The steps of dreaming, in the order in which they go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from knowwhy.consolidate.distilling import DISTIL
from knowwhy.consolidate.entities import ENTITIES
from knowwhy.consolidate.generalising import GENERALISE
from knowwhy.consolidate.material import Material
from knowwhy.consolidate.plan import Proposal, Step
from knowwhy.consolidate.settling import SETTLE
from knowwhy.consolidate.structuring import ARCHIVE, FOLD, LINK
from knowwhy.consolidate.summarising import SUMMARISE
from knowwhy.core.model import Retraction
from knowwhy.engine.configure import lifetimes_of
from knowwhy.engine.expire import OVER, expired


def _lifetimes(material: Material) -> Iterable[str]:
    """There is something to do where any lifetime was declared."""
    return ["lifetimes"] if lifetimes_of(material.gate.view).days else []


def _expired(material: Material, topic: str) -> Iterator[Proposal]:
    del topic
    view = material.gate.view
    if gone := tuple(expired(view, lifetimes_of(view), material.at)):
        yield Proposal(
            what=f"{len(gone)} item{'' if len(gone) == 1 else 's'} of raw words withdrawn",
            why=f"{OVER}, and no belief rests on them",
            effect="recall no longer finds them; vacuum drops them for good",
            evidence=gone,
            retractions=tuple(Retraction(one, OVER) for one in gone),
        )


EXPIRE: Final = Step("expire", "raw words withdrawn whose lifetime is over", _lifetimes, _expired)
STEPS: Final = (ENTITIES, SETTLE, DISTIL, GENERALISE, SUMMARISE, LINK, ARCHIVE, FOLD, EXPIRE)
