"""Kernels and remainders: which statements together clash with something, and what is left without them.

A kernel against a sentence is a least set of statements that cannot hold together with it. The kernels
against ~a are the least sets that imply a (Hansson, Kernel contraction, 1994), which contraction must
break; those against a are what revision by a must break.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from knowwhy.core.revision.belief_base.language import Sentence
from knowwhy.core.revision.belief_base.reasoning import Theory

Ids: TypeAlias = tuple[str, ...]

MOST_KERNELS: Final = 64
NODES_A_KERNEL: Final = 64


@dataclass(frozen=True, slots=True)
class Kernels:
    """All kernels against a sentence and all remainders; some of them only if `is_truncated`.

    Each is in the order of the statements it was found among. A remainder is a greatest set of
    statements that can hold together with the sentence.
    """

    kernels: tuple[Ids, ...]
    remainders: tuple[Ids, ...]
    is_truncated: bool


def kernel(theory: Theory, statements: Mapping[str, Sentence], against: Iterable[Sentence]) -> Ids | None:
    """One kernel of the statements against the sentences; None if all can hold together.

    Found by QuickXplain (Junker, QuickXplain: preferred explanations and relaxations for over-constrained
    problems, 2004) with O(k log(n/k)) tests of consistency for k of n statements. Later statements are
    avoided where earlier ones suffice: given best first, the weakest of the kernel is as strong as can be.
    """
    background = tuple(against)
    if theory.is_consistent([*background, *statements.values()]):
        return None
    if not theory.is_consistent(background):
        return ()
    search = _Search(theory, statements)
    found = search.explain(background, is_grown=False, among=tuple(statements))
    return _in_order(statements, found)


def kernels(
    theory: Theory, statements: Mapping[str, Sentence], against: Sentence, most: int = MOST_KERNELS
) -> Kernels:
    """All kernels and remainders, by the hitting-set tree of Reiter (A theory of diagnosis, 1987).

    Remainders are the complements of the least sets that hit every kernel. There can be exponentially
    many of either: this is for explaining, never for a write. It stops at `most` kernels, or after as
    many nodes as would do for 64 a kernel, and says so.
    """
    found: list[Ids] = []
    hitting: list[frozenset[str]] = []
    paths: deque[frozenset[str]] = deque([frozenset()])
    seen = {frozenset[str]()}
    while paths and len(seen) <= most * NODES_A_KERNEL:
        path = paths.popleft()
        if any(one <= path for one in hitting):
            continue
        label = next((one for one in found if path.isdisjoint(one)), None)
        if label is None:
            rest = {name: one for name, one in statements.items() if name not in path}
            label = kernel(theory, rest, [against])
            if label is None:
                hitting.append(path)
                continue
            if len(found) == most:
                paths.append(path)
                break
            found.append(label)
        for name in label:
            if (longer := path | {name}) not in seen:
                seen.add(longer)
                paths.append(longer)
    remainders = tuple(tuple(name for name in statements if name not in one) for one in hitting)
    return Kernels(tuple(found), remainders, is_truncated=bool(paths))


def full_meet(theory: Theory, statements: Mapping[str, Sentence], against: Sentence) -> Ids:
    """The statements that are in no kernel, so in every remainder: what even the most cautious keeps.

    All kernels are needed, whatever it costs: a truncated list would keep what should go.
    """
    blamed = {
        name
        for one in kernels(theory, statements, against, most=2 ** len(statements)).kernels
        for name in one
    }
    return tuple(name for name in statements if name not in blamed)


@dataclass(frozen=True, slots=True)
class _Search:
    """QuickXplain over fixed statements."""

    theory: Theory
    statements: Mapping[str, Sentence]

    def explain(self, background: Sequence[Sentence], among: Ids, *, is_grown: bool) -> Ids:
        """A kernel of `among` against a background; empty if that, having just grown, clashes by itself."""
        if is_grown and not self.theory.is_consistent(background):
            return ()
        if len(among) == 1:
            return among
        middle = len(among) // 2
        strong, weak = among[:middle], among[middle:]
        of_weak = self.explain([*background, *self._said(strong)], weak, is_grown=True)
        of_strong = self.explain([*background, *self._said(of_weak)], strong, is_grown=bool(of_weak))
        return of_strong + of_weak

    def _said(self, names: Ids) -> list[Sentence]:
        return [self.statements[name] for name in names]


def _in_order(statements: Mapping[str, Sentence], names: Iterable[str]) -> Ids:
    members = frozenset(names)
    return tuple(name for name in statements if name in members)
