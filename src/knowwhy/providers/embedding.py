"""Embedding: what is asked of whoever turns texts into vectors, near each other where texts mean alike."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Protocol

from knowwhy.errors import Fault


class Embedder(Protocol):
    """Turns texts into vectors of one length.

    Everything compared must come from one model in one state, so the `name` says both.
    """

    @property
    def name(self) -> str:
        """The model and the state of its weights; vectors of other names are never compared with its own."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    @property
    def unrelated(self) -> float:
        """The cosine that texts come to that have nothing to do with each other: 0 for most models."""

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        """The vector of each text: 32-bit floats of length 1, the lowest byte first.

        `is_question` says that the texts ask, for models that see questions otherwise.

        Raises:
            Unavailable: the model cannot be reached now.
        """


def model_of(embedder: Embedder) -> str:
    """What vectors of an embedder are kept under: its name, and how long they are."""
    return f"{embedder.name}/{embedder.dimension}"


def embedded(embedder: Embedder, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
    """The vectors of texts, checked: one for each, all of the length that the embedder states.

    Raises:
        Fault: they are not.
        Unavailable: the model cannot be reached now.
    """
    found = embedder.embed(texts, is_question=is_question)
    wrong = {len(one) for one in found} - {4 * embedder.dimension}
    if len(found) != len(texts) or wrong:
        sizes = ", ".join(str(one / 4) for one in sorted(wrong)) or "the right number of"
        msg = (
            f"The embedder {embedder.name!r} gave {len(found)} vectors of {sizes} numbers for {len(texts)} "
            f"texts; it states {embedder.dimension}. Its vectors were not kept."
        )
        raise Fault(msg)
    return found


def as_floats(numbers: Sequence[float]) -> bytes:
    """Numbers as a vector of length 1, in the writing that is kept.

    Raises:
        Fault: they have no direction: all are 0, or one is not finite.
    """
    length = sum(one * one for one in numbers) ** 0.5
    if not 0.0 < length < float("inf"):
        raise Fault("The embedder gave a vector without a direction; it was not kept.")
    vector = array("f", [one / length for one in numbers])
    if vector.itemsize != 4:  # noqa: PLR2004 - bytes of a float
        raise Fault("A float has not four bytes on this machine.")
    _to_little_endian(vector)
    return vector.tobytes()


def _to_little_endian(vector: array[float]) -> None:
    if array("H", [1]).tobytes() != b"\1\0":
        vector.byteswap()
