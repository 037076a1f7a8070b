"""Nearness: all vectors of one model side by side, compared with a question's exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from knowwhy.errors import Unsupported

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_FIRST_ROWS: Final = 256


@dataclass(frozen=True, slots=True)
class Near:
    """How near each document comes to one question: 0 where they are unrelated, 1 where they are the same."""

    model: str
    documents: Sequence[str | None]
    rows: dict[str, int]
    cosines: npt.NDArray[np.float32] = field(repr=False)
    unrelated: float = 0.0

    def nearest(self, most: int) -> list[tuple[str, float]]:
        """The nearest documents, nearest first, at most so many."""
        import numpy as np

        count = len(self.cosines)
        if count == 0 or most < 1:
            return []
        chosen = np.argpartition(-self.cosines, most - 1)[:most] if most < count else np.arange(count)
        found = sorted(
            (-float(self.cosines[one]), document)
            for one in chosen.tolist()
            if (document := self.documents[one]) is not None
        )
        return [(document, near) for away, document in found if (near := self._scaled(-away)) > 0.0]

    def of(self, document: str) -> float:
        """The nearness of one document; 0 where it has no vector yet."""
        row = self.rows.get(document)
        return 0.0 if row is None or row >= len(self.cosines) else self._scaled(float(self.cosines[row]))

    def _scaled(self, cosine: float) -> float:
        return max(0.0, min(1.0, (cosine - self.unrelated) / (1.0 - self.unrelated)))


class Matrix:
    """The vectors of one model in one memory, as one process keeps them; threads may read while one adds.

    What was handed out stays as it was: a vector that takes the place of another gets a row of its own,
    and the old row then stands for no document.
    """

    def __init__(self, model: str, dimension: int) -> None:
        """Begin with none.

        Raises:
            Unsupported: numpy is not installed.
        """
        try:
            import numpy as np
        except ImportError as missing:
            raise Unsupported(
                "Searching by meaning needs numpy; install it with: pip install 'knowwhy[embed]'"
            ) from missing
        self.model, self.dimension = model, dimension
        self._rows = np.empty((_FIRST_ROWS, dimension), np.float32)
        self._documents: list[str | None] = []
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def put(self, vectors: Iterable[tuple[str, bytes]]) -> None:
        """Put the vectors of documents in the place of those that they have; one thread at a time."""
        import numpy as np

        for document, numbers in vectors:
            row = len(self._documents)
            if row >= len(self._rows):
                grown = np.empty((2 * len(self._rows), self.dimension), np.float32)
                grown[:row] = self._rows
                self._rows = grown
            self._rows[row] = np.frombuffer(numbers, "<f4")
            self._documents.append(document)
            before = self._places.get(document)
            self._places[document] = row
            if before is not None:
                self._documents[before] = None

    def near(self, question: bytes, unrelated: float) -> Near:
        """How near each document comes to a question."""
        import numpy as np

        count = len(self._documents)
        cosines = self._rows[:count] @ np.frombuffer(question, "<f4").astype(np.float32)
        return Near(self.model, self._documents, self._places, cosines, unrelated)
