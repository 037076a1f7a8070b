"""Meaning: the vectors of a memory's documents, kept up with what is written, and asked by recall.

Beliefs have vectors, and evidence from which no claim was read: for all else a belief speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from knowwhy.core.model import Belief, Evidence
from knowwhy.engine.permitting import demand
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, KnowwhyError, Unavailable
from knowwhy.providers.embedding import Embedder, embedded, model_of
from knowwhy.recall.documents import belief_words, evidence_words
from knowwhy.recall.vectors import Nearness
from knowwhy.store.protocol import Batch, Snapshot, Vector

# How many documents are embedded before their vectors are put.
_AT_ONCE: Final = 128

# Told how many documents are done so far.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class EmbeddingReport:
    """What `embed` did: by which model, how many vectors it made, and took away of other models."""

    model: str
    made: int
    taken_away: int

    def as_dict(self) -> dict[str, Any]:
        """The report for a program."""
        return {"model": self.model, "made": self.made, "taken_away": self.taken_away}

    def __str__(self) -> str:
        return f"{self.made} vectors made by {self.model}; {self.taken_away} of other models taken away."


def asked(space: Space, question: str) -> tuple[bytes | None, str | None]:
    """The vector of a question, or why there is none."""
    if space.embedder is None:
        return None, None
    try:
        return embedded(space.embedder, [question], is_question=True)[0], None
    except Unavailable as failure:
        return None, f"nothing was searched by meaning: {failure.message}"


def nearness(space: Space, question: bytes | None) -> Nearness | None:
    """How near the documents of a memory come to a question; of all its branches, which share them."""
    root = space.root
    if question is None or space.embedder is None:
        return None
    with root.store.snapshot(root.name) as view:
        matrix = space.vectors.matrix(view, space.embedder)

    def read(documents: Sequence[str]) -> list[tuple[str, bytes]]:
        with root.store.snapshot(root.name) as view:
            found = view.every(Vector, documents)
            return [(one.document, one.numbers) for one in found if one.model == matrix.model]

    return matrix.near(question, space.embedder.unrelated, read)


def keep_up(space: Space, batch: Batch) -> str | None:
    """Make the vectors of what a batch brought; what went wrong, if it did: the batch is written already."""
    if space.embedder is None or not batch.texts:
        return None
    new = {one.document for one in batch.texts} - {one.evidence_id for one in batch.claims}
    words = [(one.id, belief_words(one)) for one in batch.beliefs if one.id in new]
    words += [(one.id, evidence_words(one)) for one in batch.evidence if one.id in new]
    try:
        for _ in _made(space, space.embedder, words):
            pass
    except KnowwhyError as failure:
        return f"{len(words)} documents have no vectors yet: {failure.message} `embed` makes them."
    return None


def embed(space: Space, progress: Progress | None = None) -> EmbeddingReport:
    """Make the vectors that are missing of the memory's embedder, then take those of other models away.

    While it runs, the others go on serving whoever asks by their model. Broken off, it goes on where it
    was when it is called again.

    Raises:
        InvalidInput: the memory was opened without an embedder.
        Unavailable: the embedder cannot be reached.
    """
    demand(space, "maintain")
    if space.embedder is None:
        msg = "This memory was opened without an embedder; name one, as in open(..., embedder=...)."
        raise InvalidInput(msg)
    made = 0
    for done in _made(space, space.embedder, _lacking(space, model_of(space.embedder))):
        made += done
        if progress is not None:
            progress(made)
    return EmbeddingReport(model_of(space.embedder), made, _others_taken_away(space))


def without_vector(space: Space, view: Snapshot) -> int:
    """How many documents of a line should have a vector of the memory's embedder and have none."""
    if space.embedder is None:
        return 0
    return sum(1 for _ in _lacking_in(view, _embedded_in(space, model_of(space.embedder))))


def _made(space: Space, embedder: Embedder, words: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Embed documents and put their vectors, some at a time; gives how many each time."""
    root, model, remaining = space.root, model_of(embedder), iter(words)
    while chunk := list(islice(remaining, _AT_ONCE)):
        vectors = embedded(embedder, [said for _, said in chunk])
        rows = [Vector(document, model, one) for (document, _), one in zip(chunk, vectors, strict=True)]
        root.store.replace_views(root.name, rows, is_whole=False)
        yield len(chunk)


def _embedded_in(space: Space, model: str) -> set[str]:
    root = space.root
    with root.store.snapshot(root.name) as view:
        return {one.document for one in view.every(Vector) if one.model == model}


def _lacking(space: Space, model: str) -> list[tuple[str, str]]:
    """The documents of a line that have no vector of a model, with their words."""
    known = _embedded_in(space, model)
    with space.store.snapshot(space.name) as view:
        return list(_lacking_in(view, known))


def _lacking_in(view: Snapshot, known: set[str]) -> Iterator[tuple[str, str]]:
    for row in view.views():
        if isinstance(row, Belief) and row.id not in known:
            yield row.id, belief_words(row)
    remaining = (one for one in view.every(Evidence) if one.id not in known)
    while chunk := list(islice(remaining, _AT_ONCE)):
        claimed = {one.claim.evidence_id for one in view.claims([one.id for one in chunk])}
        yield from ((one.id, evidence_words(one)) for one in chunk if one.id not in claimed)


def _others_taken_away(space: Space) -> int:
    assert space.embedder is not None  # noqa: S101 - who calls has looked
    root, model = space.root, model_of(space.embedder)
    with root.store.snapshot(root.name) as view:
        others = [Vector(one.document, one.model, b"") for one in view.every(Vector) if one.model != model]
    for start in range(0, len(others), 1_000):
        root.store.replace_views(root.name, others[start : start + 1_000], is_whole=False)
    return len(others)
