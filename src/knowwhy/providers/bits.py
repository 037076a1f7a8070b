"""Sign bits: one bit for each number of a vector, by which a short list of the nearest is made.

Whether a number lies above its mean is all that is kept of it. Vectors that point the same way differ in few
bits, so counting those that differ finds nearly all of the nearest, in a thirty-second of the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_WORD: Final = 64
# How many rows are compared at once: so many that what is reckoned stays in the processor's cache.
_BLOCK: Final = 32_768


@dataclass(slots=True)
class SignBits:
    """The bits of rows in order, a word of 64 for each column, and the means they were taken from.

    One thread adds at a time, and others may read meanwhile: what was there stays as it is.
    """

    means: npt.NDArray[np.float32]
    words: npt.NDArray[np.uint64]
    count: int
    reckoned_from: int

    @classmethod
    def of(cls, rows: npt.NDArray[np.float32]) -> SignBits:
        """The bits of some rows, taken from the means of their numbers."""
        import numpy as np

        means = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        width = -(-rows.shape[1] // _WORD)
        made = cls(means, np.empty((width, 2 * len(rows)), np.uint64), 0, len(rows))
        for start in range(0, len(rows), _BLOCK):
            made.add(rows[start : start + _BLOCK])
        return made

    @property
    def is_outgrown(self) -> bool:
        """Whether there are so many more rows that the means should be taken anew."""
        return self.count >= 2 * self.reckoned_from

    def add(self, rows: npt.NDArray[np.float32]) -> None:
        """Add the bits of further rows."""
        import numpy as np

        total = self.count + len(rows)
        if total > self.words.shape[1]:
            grown = np.empty((self.words.shape[0], max(2 * self.words.shape[1], total)), np.uint64)
            grown[:, : self.count] = self.words[:, : self.count]
            self.words = grown
        self.words[:, self.count : total] = self._packed(rows).T
        self.count = total

    def nearest(self, question: npt.NDArray[np.float32], most: int, count: int) -> npt.NDArray[np.intp]:
        """Which of the first `count` rows differ from a question in the fewest bits: at least `most`, if any.

        As many more as differ in as many bits as the last of them.
        """
        import numpy as np

        words = self.words
        asked = self._packed(question[None, :])[0]
        differing = np.empty(count, np.uint16)
        for start in range(0, count, _BLOCK):
            end = min(start + _BLOCK, count)
            counted = differing[start:end]
            counted[:] = np.bitwise_count(words[0, start:end] ^ asked[0])
            for column in range(1, len(words)):
                counted += np.bitwise_count(words[column, start:end] ^ asked[column])
        reached = np.cumsum(np.bincount(differing))
        last = int(np.searchsorted(reached, min(most, count)))
        return np.flatnonzero(differing <= last)

    def _packed(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
        """The bits of rows, packed into words."""
        import numpy as np

        packed = np.packbits(rows > self.means, axis=1)
        whole = np.zeros((len(rows), self.words.shape[0] * _WORD // 8), np.uint8)
        whole[:, : packed.shape[1]] = packed
        return whole.view(np.uint64)
