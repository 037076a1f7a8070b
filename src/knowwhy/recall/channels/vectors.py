"""By meaning: the documents whose vectors come nearest to that of the question."""

from __future__ import annotations

from typing import Final

from knowwhy.recall.leads import Catch, Channel
from knowwhy.recall.vectors import Nearness

# How many documents are looked at: more than are wanted, since some may not be read by who asks.
MOST_NEAR: Final = 60


def find(nearness: Nearness) -> Catch:
    """The beliefs and the evidence that come nearest."""
    near = [document for document, _ in nearness.nearest(MOST_NEAR)]
    return Catch(
        Channel.VECTORS,
        tuple(one for one in near if one.startswith("bl_")),
        tuple(one for one in near if one.startswith("ev_")),
    )
