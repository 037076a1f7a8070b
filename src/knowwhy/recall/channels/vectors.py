"""By meaning: the documents whose vectors come nearest to that of the question."""

from __future__ import annotations

from typing import Final

from knowwhy.recall.leads import Catch, Channel
from knowwhy.recall.vectors import Nearness

# How many documents are looked at at the least: more than are wanted, since some may not be read by who asks.
LEAST_NEAR: Final = 24


def find(nearness: Nearness, most: int = LEAST_NEAR) -> Catch:
    """The beliefs and the evidence that come nearest."""
    near = [document for document, _ in nearness.nearest(most)]
    return Catch(
        Channel.VECTORS,
        tuple(one for one in near if one.startswith("bl_")),
        tuple(one for one in near if one.startswith("ev_")),
    )
