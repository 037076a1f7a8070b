"""An embedder behind any endpoint that speaks OpenAI's way of asking for embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from knowwhy.errors import InvalidInput
from knowwhy.providers.embedding import as_floats
from knowwhy.providers.posting import TIMEOUT, Desk, address

_AT_ONCE: Final = 64


class RemoteEmbedder:
    """Asks `url` (ending in /embeddings, or the root that has it) for the vectors of a `model`.

    Nothing is sent anywhere but there, and the key is never shown. `unrelated` is the cosine that texts
    come to which have nothing to do with each other.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        dimension: int,
        key: str | None = None,
        unrelated: float = 0.0,
        timeout: float = TIMEOUT,
    ) -> None:
        """Say where and whom to ask; nothing is asked yet.

        Raises:
            InvalidInput: not an http address, or a dimension below 1.
        """
        if not url.startswith(("http://", "https://")) or dimension < 1 or not -1.0 <= unrelated < 1.0:
            msg = (
                f"An embedder needs an address that begins with http:// or https:// (not {url!r}), a"
                f" dimension of at least 1 (not {dimension}), and a cosine of unrelated texts below 1"
                f" (not {unrelated})."
            )
            raise InvalidInput(msg)
        self._desk = Desk(address(url, "/embeddings"), "embedder", "embeddings", key, timeout)
        self._model, self._dimension, self._unrelated = model, dimension, unrelated

    @property
    def name(self) -> str:
        """The model and where it is."""
        return f"{self._model}@{self._desk.url}"

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._dimension

    @property
    def unrelated(self) -> float:
        """The cosine of unrelated texts."""
        return self._unrelated

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        """The vector of each text, some dozens a request; the endpoint is not told what asks."""
        del is_question
        found: list[bytes] = []
        for start in range(0, len(texts), _AT_ONCE):
            found += self._asked(texts[start : start + _AT_ONCE])
        return found

    def _asked(self, texts: Sequence[str]) -> list[bytes]:
        answer = self._desk.answer({"model": self._model, "input": list(texts), "encoding_format": "float"})
        try:
            rows = sorted(answer["data"], key=lambda one: one["index"])
            vectors = [[float(number) for number in one["embedding"]] for one in rows]
        except (KeyError, TypeError, ValueError) as failure:
            raise self._desk.wrong() from failure
        if [len(one) for one in vectors] != [self._dimension] * len(texts):
            sizes = sorted({len(one) for one in vectors})
            raise InvalidInput(
                f"{self._desk.url} gave {len(vectors)} vectors of {sizes} numbers for {len(texts)} texts; "
                f"state its dimension, which is not {self._dimension}."
            )
        return [as_floats(one) for one in vectors]
