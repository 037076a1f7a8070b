"""The vectors of a memory as one process keeps them, read on when some were put."""

from __future__ import annotations

import threading

from knowwhy.providers.embedding import Embedder, model_of
from knowwhy.providers.nearness import SIZES, Matrix, Sizes
from knowwhy.store.protocol import Snapshot, Vector


class VectorShelf:
    """The vectors of one model in one memory, as far as this process has read them.

    `sizes` say from how many on they are compared how.
    """

    def __init__(self, sizes: Sizes = SIZES) -> None:
        self.sizes = sizes
        self._lock = threading.Lock()
        self._matrix: Matrix | None = None
        self._read = 0

    def matrix(self, view: Snapshot, embedder: Embedder) -> Matrix:
        """The vectors of the embedder's model, brought up to what the view holds."""
        model, last = model_of(embedder), view.head().vectors
        with self._lock:
            if self._matrix is None or self._matrix.model != model:
                self._matrix, self._read = Matrix(model, embedder.dimension, self.sizes), 0
            if self._read < last:
                found = view.every(Vector, after=self._read)
                self._matrix.put((one.document, one.numbers) for one in found if one.model == model)
                self._read = last
            return self._matrix

    def clear(self) -> None:
        """Let go of what was read; the next question reads it again."""
        with self._lock:
            self._matrix, self._read = None, 0
