"""Nearness: the vectors of one model side by side, compared with that of a question.

Few are compared one and all. Of many, a short list is made by the signs of their numbers, one bit each, and
what is on it is compared exactly (decision 0028). Of very many only the bits stay in the process, and the
vectors of the short list are read from where they are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from knowwhy.errors import Unsupported
from knowwhy.providers.bits import SignBits

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float32]

# Reads the vectors of some documents from where they are kept, as far as they have one.
Read: TypeAlias = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]

_FIRST_ROWS: Final = 256
_AT_ONCE: Final = 1_000
# How many rows are gathered at once to be compared: so many that they stay in the processor's cache.
_GATHERED: Final = 256


@dataclass(frozen=True, slots=True)
class Sizes:
    """From how many vectors on what is compared how.

    Up to `exact` all are compared. Above it the short list holds `shortlist` documents, or a `share` of all
    where that is more. Above `kept` the vectors themselves are left where they are, and it gets no longer.
    """

    exact: int = 10_000
    kept: int = 200_000
    shortlist: int = 2_000
    share: float = 0.04


SIZES: Final = Sizes()


@dataclass(frozen=True, slots=True)
class Near:
    """How near documents come to one question: 0 where they are unrelated, 1 where they are the same."""

    model: str
    documents: Sequence[str | None]
    rows: dict[str, int]
    question: Floats = field(repr=False)
    count: int
    unrelated: float = 0.0
    kept: Floats | None = field(default=None, repr=False)
    bits: SignBits | None = field(default=None, repr=False)
    read: Read | None = field(default=None, repr=False)
    shortlist: int = SIZES.shortlist

    def nearest(self, most: int) -> list[tuple[str, float]]:
        """The nearest documents, nearest first, at most so many."""
        if self.count == 0 or most < 1:
            return []
        if self.bits is None:
            return self._best(range(self.count), self._cosines(None), most)
        chosen = self.bits.nearest(self.question, max(self.shortlist, most), self.count)
        if self.kept is not None:
            return self._best(chosen.tolist(), self._cosines(chosen), most)
        listed = [document for one in chosen.tolist() if (document := self.documents[one]) is not None]
        near = self.of(listed)
        ranked = sorted(listed, key=lambda one: (-near[one], one))[:most]
        return [(one, near[one]) for one in ranked if near[one] > 0.0]

    def of(self, documents: Iterable[str]) -> dict[str, float]:
        """The nearness of each of some documents; 0 where one has no vector yet."""
        import numpy as np

        found = dict.fromkeys(documents, 0.0)
        places = {one: row for one in found if (row := self.rows.get(one)) is not None and row < self.count}
        if not places:
            return found
        if self.kept is not None:
            cosines = self._cosines(np.fromiter(places.values(), np.intp, len(places))).tolist()
            found.update(zip(places, map(self._scaled, cosines), strict=True))
        elif self.read is not None and (there := list(self.read(sorted(places)))):
            numbers = np.frombuffer(b"".join(one for _, one in there), "<f4").reshape(len(there), -1)
            cosines = np.einsum("ij,j->i", numbers, self.question).tolist()
            found.update(zip((one for one, _ in there), map(self._scaled, cosines), strict=True))
        return found

    def _best(self, rows: Sequence[int], cosines: Floats, most: int) -> list[tuple[str, float]]:
        """The nearest of some rows, whose cosines these are."""
        import numpy as np

        total = len(cosines)
        chosen = np.argpartition(-cosines, most - 1)[:most] if most < total else np.arange(total)
        found = sorted(
            (-float(cosines[one]), document)
            for one in chosen.tolist()
            if (document := self.documents[rows[one]]) is not None
        )
        return [(document, near) for away, document in found if (near := self._scaled(-away)) > 0.0]

    def _cosines(self, rows: npt.NDArray[np.intp] | None) -> Floats:
        """The cosines of some rows that are kept here, or of all."""
        import numpy as np

        assert self.kept is not None  # noqa: S101 - who calls has looked
        # Not by the linear algebra library: its threads wait for each other where the machine is busy.
        if rows is None:
            return np.asarray(np.einsum("ij,j->i", self.kept[: self.count], self.question))
        cosines = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _GATHERED):
            gathered = self.kept[rows[start : start + _GATHERED]]
            np.einsum("ij,j->i", gathered, self.question, out=cosines[start : start + _GATHERED])
        return cosines

    def _scaled(self, cosine: float) -> float:
        return max(0.0, min(1.0, (cosine - self.unrelated) / (1.0 - self.unrelated)))


class Matrix:
    """The vectors of one model in one memory, as one process keeps them; threads may read while one adds.

    What was handed out stays as it was: a vector that takes the place of another gets a row of its own,
    and the old row then stands for no document.
    """

    def __init__(self, model: str, dimension: int, sizes: Sizes = SIZES) -> None:
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
        self._sizes = sizes
        self._rows: Floats | None = np.empty((_FIRST_ROWS, dimension), np.float32)
        self._bits: SignBits | None = None
        self._documents: list[str | None] = []
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def put(self, vectors: Iterable[tuple[str, bytes]]) -> None:
        """Put the vectors of documents in the place of those that they have; one thread at a time."""
        import numpy as np

        remaining = iter(vectors)
        while chunk := list(islice(remaining, _AT_ONCE)):
            numbers = np.frombuffer(b"".join(one for _, one in chunk), "<f4")
            added = numbers.reshape(len(chunk), self.dimension).astype(np.float32, copy=False)
            self._add(len(self._documents), added)
            for document, _ in chunk:
                before = self._places.get(document)
                self._places[document] = len(self._documents)
                self._documents.append(document)
                if before is not None:
                    self._documents[before] = None

    def _add(self, count: int, added: Floats) -> None:
        """Add rows to the `count` that there are."""
        import numpy as np

        total = count + len(added)
        rows = self._rows
        if rows is not None:
            if total > len(rows):
                grown = np.empty((max(2 * len(rows), total), self.dimension), np.float32)
                grown[:count] = rows[:count]
                rows = self._rows = grown
            rows[count:total] = added
        if rows is not None and total > self._sizes.exact and (self._bits is None or self._bits.is_outgrown):
            self._bits = SignBits.of(rows[:total])
        elif self._bits is not None:
            self._bits.add(added)
        if total > self._sizes.kept and self._bits is not None:
            self._rows = None

    def near(self, question: bytes, unrelated: float, read: Read | None = None) -> Near:
        """How near documents come to a question; `read` gives the vectors that are not kept here."""
        import numpy as np

        asked = np.frombuffer(question, "<f4").astype(np.float32)
        sizes, count = self._sizes, len(self._documents)
        longer = 0 if self._rows is None else int(sizes.share * count)
        return Near(
            self.model,
            self._documents,
            self._places,
            asked,
            count,
            unrelated,
            kept=self._rows,
            bits=self._bits,
            read=read,
            shortlist=max(sizes.shortlist, longer),
        )
