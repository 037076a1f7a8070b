"""The vectors of a memory as one process keeps them, read on when some were put."""

from __future__ import annotations

import threading

from knowwhy.providers.embedding import Embedder, model_of
from knowwhy.providers.nearness import Matrix
from knowwhy.store.protocol import Snapshot, Vector


class VectorShelf:
    """The vectors of one model in one memory, as far as this process has read them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._matrix: Matrix | None = None
        self._read = 0

    def matrix(self, view: Snapshot, embedder: Embedder) -> Matrix:
        """The vectors of the embedder's model, brought up to what the view holds."""
        model, last = model_of(embedder), view.head().vectors
        with self._lock:
            if self._matrix is None or self._matrix.model != model:
                self._matrix, self._read = Matrix(model, embedder.dimension), 0
            if self._read < last:
                found = view.every(Vector, after=self._read)
                self._matrix.put((one.document, one.numbers) for one in found if one.model == model)
                self._read = last
            return self._matrix
