"""The encoder: twelve layers of attention over the tokens of several texts at once, by numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from knowwhy.providers.e5.weights import Floats, Weights, unpacked

# How many rows the activation works on at a time, so that they stay in the cache.
_ROWS: Final = 32
# erf by Abramowitz and Stegun 7.1.26, with an error below 1.5e-7.
_SCALE: Final = np.float32(0.3275911)
_TERMS: Final = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: what it scales by and adds."""

    scale: Floats
    shift: Floats

    def __call__(self, rows: Floats, epsilon: float) -> Floats:
        """The rows, each with mean 0 and variance 1, then scaled and shifted."""
        centred: Floats = rows - rows.mean(-1, keepdims=True)
        variance = np.einsum("ij,ij->i", centred, centred)[:, None] / centred.shape[1]
        centred *= 1.0 / np.sqrt(variance + epsilon)
        centred *= self.scale
        centred += self.shift
        return centred


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: matrices stand so that rows of tokens are multiplied from the left."""

    attention: tuple[Floats, Floats]
    joined: tuple[Floats, Floats]
    inner: tuple[Floats, Floats]
    outer: tuple[Floats, Floats]
    after_attention: Norm
    after_all: Norm


class Encoder:
    """Turns lists of tokens into vectors: the mean over the tokens of each, not yet of length 1."""

    def __init__(self, weights: Weights) -> None:
        self.sizes = weights.sizes
        hidden = self.sizes.hidden
        self._words = weights.blocks("emb.word", self.sizes.vocabulary, hidden).reshape(
            self.sizes.vocabulary, -1
        )
        kind = weights.floats("emb.type").reshape(-1, hidden)[0]
        self._positions = weights.floats("emb.pos").reshape(-1, hidden) + kind
        self._norm = Norm(weights.floats("emb.ln.w"), weights.floats("emb.ln.b"))
        self._layers = [_layer(weights, f"l{number}.") for number in range(self.sizes.layers)]

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """A row for each list of tokens.

        All run flat together: the matrices see every token at once, attention only texts of one length.
        """
        order = sorted(range(len(texts)), key=lambda one: len(texts[one]))
        groups = _groups([len(texts[one]) for one in order])
        flat = [token for one in order for token in texts[one]]
        places = [place for one in order for place in range(len(texts[one]))]
        rows = self._norm(self._embedded(flat) + self._positions[places], self.sizes.epsilon)
        for layer in self._layers:
            rows = self._through(layer, rows, groups)
        out = np.empty((len(texts), self.sizes.hidden), np.float32)
        means = [
            rows[start : start + count * length].reshape(count, length, -1).mean(1)
            for start, count, length in groups
        ]
        out[order] = np.concatenate(means)
        return out

    def _embedded(self, flat: Sequence[int]) -> Floats:
        distinct, where = np.unique(np.asarray(flat), return_inverse=True)
        blocks = self._words[distinct].reshape(-1, 18)
        words: Floats = unpacked(blocks).reshape(len(distinct), self.sizes.hidden)[where]
        return words

    def _through(self, layer: Layer, rows: Floats, groups: Sequence[tuple[int, int, int]]) -> Floats:
        epsilon = self.sizes.epsilon
        seen = self._attended(rows @ layer.attention[0] + layer.attention[1], groups)
        rows = layer.after_attention(rows + (seen @ layer.joined[0] + layer.joined[1]), epsilon)
        inner = _activated(rows @ layer.inner[0] + layer.inner[1])
        return layer.after_all(rows + (inner @ layer.outer[0] + layer.outer[1]), epsilon)

    def _attended(self, rows: Floats, groups: Sequence[tuple[int, int, int]]) -> Floats:
        """What each token takes from the others of its text."""
        hidden, heads = self.sizes.hidden, self.sizes.heads
        width = hidden // heads
        out = np.empty((len(rows), hidden), np.float32)
        for start, count, length in groups:
            end = start + count * length
            asked, found, told = (
                rows[start:end].reshape(count, length, 3, heads, width).transpose(2, 0, 3, 1, 4)
            )
            scores = asked @ found.transpose(0, 1, 3, 2) * np.float32(1 / math.sqrt(width))
            scores -= scores.max(-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(-1, keepdims=True)
            out[start:end] = (scores @ told).transpose(0, 2, 1, 3).reshape(count * length, hidden)
        return out


def _layer(weights: Weights, name: str) -> Layer:
    hidden, inner = weights.sizes.hidden, weights.sizes.inner

    def linear(part: str, rows: int, columns: int) -> tuple[Floats, Floats]:
        matrix = np.ascontiguousarray(weights.matrix(f"{name}{part}.w", rows, columns).T)
        return matrix, weights.floats(f"{name}{part}.b")

    parts = [linear(one, hidden, hidden) for one in "qkv"]
    together = (
        np.ascontiguousarray(np.concatenate([matrix for matrix, _ in parts], 1)),
        np.concatenate([shift for _, shift in parts]),
    )
    return Layer(
        together,
        linear("ao", hidden, hidden),
        linear("fi", inner, hidden),
        linear("fo", hidden, inner),
        Norm(weights.floats(f"{name}aln.w"), weights.floats(f"{name}aln.b")),
        Norm(weights.floats(f"{name}oln.w"), weights.floats(f"{name}oln.b")),
    )


def _groups(lengths: Sequence[int]) -> list[tuple[int, int, int]]:
    """Where each run of equal lengths begins among the tokens, its number of texts, and their length."""
    found: list[tuple[int, int, int]] = []
    at = 0
    for length in lengths:
        if found and found[-1][2] == length:
            start, count, _ = found.pop()
            found.append((start, count + 1, length))
        else:
            found.append((at, 1, length))
        at += length
    return found


def _activated(rows: Floats) -> Floats:
    """The Gaussian error linear unit, in place."""
    for start in range(0, len(rows), _ROWS):
        part = rows[start : start + _ROWS]
        size = np.abs(part) * np.float32(math.sqrt(0.5))
        inverse = np.reciprocal(size * _SCALE + np.float32(1))
        sums = inverse * _TERMS[0]
        for term in _TERMS[1:]:
            sums += term
            sums *= inverse
        sums *= np.exp(-size * size)
        error = np.copysign(np.float32(1) - sums, part)
        part *= (error + np.float32(1)) * np.float32(0.5)
    return rows
