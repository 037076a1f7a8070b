"""What follows from what: justifications, their labels, and how far derived beliefs are supported."""

from knowwhy.core.derivation.justification import Justification
from knowwhy.core.derivation.labels import Label, exclusive, labels
from knowwhy.core.derivation.network import Network
from knowwhy.core.derivation.support import Support, supports

__all__ = [
    "Justification",
    "Label",
    "Network",
    "Support",
    "exclusive",
    "labels",
    "supports",
]
