"""Reranking: what is asked of whoever says how well texts answer a question, having read both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from knowwhy.errors import Fault
from knowwhy.providers.posting import TIMEOUT, Desk, address

# Says for each of some texts how well it answers a question, from 0 to 1. It may raise Unavailable.
Reranker: TypeAlias = Callable[[str, Sequence[str]], Sequence[float]]


def relevances(reranker: Reranker, question: str, texts: Sequence[str]) -> list[float]:
    """How well each text answers a question, checked: one number for each, from 0 to 1.

    Raises:
        Fault: they are not.
        Unavailable: the model cannot be reached now.
    """
    found = [float(one) for one in reranker(question, texts)]
    wrong = [one for one in found if not 0.0 <= one <= 1.0]
    if len(found) != len(texts) or wrong:
        numbers = f"{wrong[0]:g}" if wrong else f"{len(found)} numbers for {len(texts)} texts"
        raise Fault(f"The reranker gave {numbers}; it must give one number from 0 to 1 for each text.")
    return found


class RemoteReranker:
    """Asks `url` (ending in /rerank, or the root that has it) how well texts answer, by a `model`.

    Nothing is sent anywhere but there, and the key is never shown.
    """

    def __init__(self, url: str, model: str, *, key: str | None = None, timeout: float = TIMEOUT) -> None:
        """Say where and whom to ask; nothing is asked yet.

        Raises:
            InvalidInput: not an http address.
        """
        self._desk = Desk(address(url, "/rerank"), "reranker", "relevances", key, timeout)
        self._model = model

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, as the endpoint has it."""
        asked: dict[str, Any] = {
            "model": self._model,
            "query": question,
            "documents": list(texts),
            "top_n": len(texts),
            "return_documents": False,
        }
        answer = self._desk.answer(asked)
        try:
            told = {int(one["index"]): float(one["relevance_score"]) for one in answer["results"]}
            return [told[at] for at in range(len(texts))]
        except (KeyError, TypeError, ValueError) as failure:
            raise self._desk.wrong() from failure
