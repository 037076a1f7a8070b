"""A model for stories: it knows words, and nothing of what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowwhy import Memory
from knowwhy.core.model import Belief
from knowwhy.providers.embedding import as_floats, model_of
from knowwhy.recall.analysis import terms
from knowwhy.store.protocol import Vector


@dataclass(frozen=True, slots=True)
class WordModel:
    """Texts are alike as far as they share words."""

    name: str
    dimension: int
    unrelated: float = 0.0

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        """A vector for each text: how often its words fall into each place."""
        del is_question
        return [self._vector(one) for one in texts]

    def _vector(self, text: str) -> bytes:
        numbers = [1e-6] * self.dimension
        for term in terms(text):
            numbers[sum(term.encode()) % self.dimension] += 1.0
        return as_floats(numbers)


def with_embedder(memory: Memory, embedder: WordModel) -> Memory:
    """The same memory, as a process opens it that has another embedder."""
    return Memory(replace(memory._space, embedder=embedder))  # noqa: SLF001 - there is no verb for it


def without_vector(memory: Memory) -> int:
    """How many beliefs have no vector of the memory's embedder."""
    space = memory._space  # noqa: SLF001 - the store says it
    assert space.embedder is not None
    with space.store.snapshot(space.name) as view:
        there = {one.id for one in view.views() if isinstance(one, Belief)}
        model = model_of(space.embedder)
        return len(there - {one.document for one in view.every(Vector) if one.model == model})
