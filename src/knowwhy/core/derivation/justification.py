"""Justifications: that a node follows from others, unless something stands against it (theory §2)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Justification:
    """That `conclusion` follows where all `premises` hold and none of the `exceptions` does.

    `rule` names what it is an instance of. `strength` is the most support it can lend: what the
    conclusion has where the premises are beyond doubt.

    Raises:
        ValueError: a strength that is not a number from 0 to 1.
    """

    conclusion: str
    premises: tuple[str, ...]
    exceptions: tuple[str, ...] = ()
    rule: str = ""
    strength: float = 1.0

    def __post_init__(self) -> None:
        refuse_unless_share(f"strength of a justification of {self.conclusion!r}", self.strength)

    def lends(self, weakest: float, disbelief: float) -> float:
        """The support of a conclusion disbelieved this much, given that of the weakest premise.

        Never more than the weakest premise has, in floats too: this is what makes best-first search
        right, and circular proofs worthless.
        """
        return (1.0 - disbelief) * self.strength * weakest


def refuse_unless_share(name: str, value: float) -> None:
    """Nothing, for a number from 0 to 1.

    Raises:
        ValueError: any other number, and what is not a number.
    """
    if not 0.0 <= value <= 1.0:
        msg = f"The {name} must be a number from 0 to 1, not {value!r}."
        raise ValueError(msg)
