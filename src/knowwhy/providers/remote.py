"""An embedder behind any endpoint that speaks OpenAI's way of asking for embeddings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from knowwhy.errors import Fault, InvalidInput, Unavailable
from knowwhy.providers.embedding import as_floats

_TIMEOUT: Final = 30.0
_AT_ONCE: Final = 64
_TOO_MANY: Final = 429
_SERVER: Final = 500


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
        timeout: float = _TIMEOUT,
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
        root = url.rstrip("/")
        self._url = root if root.endswith("/embeddings") else f"{root}/embeddings"
        self._model, self._dimension, self._unrelated = model, dimension, unrelated
        self._key, self._timeout = key, timeout

    @property
    def name(self) -> str:
        """The model and where it is."""
        return f"{self._model}@{self._url}"

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
        answer = self._answer({"model": self._model, "input": list(texts), "encoding_format": "float"})
        try:
            rows = sorted(answer["data"], key=lambda one: one["index"])
            vectors = [[float(number) for number in one["embedding"]] for one in rows]
        except (KeyError, TypeError, ValueError) as failure:
            raise Fault(f"{self._url} did not answer with embeddings; is it the right address?") from failure
        if [len(one) for one in vectors] != [self._dimension] * len(texts):
            sizes = sorted({len(one) for one in vectors})
            raise InvalidInput(
                f"{self._url} gave {len(vectors)} vectors of {sizes} numbers for {len(texts)} texts; "
                f"state its dimension, which is not {self._dimension}."
            )
        return [as_floats(one) for one in vectors]

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        import http.client
        import urllib.error
        import urllib.request

        headers = {"Content-Type": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(  # noqa: S310 - the address is checked when it is given
            self._url, json.dumps(asked).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as reply:  # noqa: S310 - the same
                answer = json.load(reply)
        except urllib.error.HTTPError as failure:
            failure.close()
            if failure.code == _TOO_MANY or failure.code >= _SERVER:
                raise self._unavailable(f"answered {failure.code}") from failure
            raise InvalidInput(
                f"{self._url} refused the request with {failure.code}; look at the model and the key."
            ) from failure
        except (OSError, http.client.HTTPException) as failure:
            raise self._unavailable("cannot be reached") from failure
        except ValueError as failure:
            raise Fault(f"{self._url} did not answer in JSON; is it the right address?") from failure
        if not isinstance(answer, dict):
            raise Fault(f"{self._url} did not answer with embeddings; is it the right address?")
        return answer

    def _unavailable(self, says: str) -> Unavailable:
        return Unavailable(f"The embedder at {self._url} {says}. Try again.", retry_after=5.0)
