"""Changing a belief base: accept, expand, contract, revise, consider (theory §3.3, §3.5).

Acceptance goes through everything recorded, hardest to give up first, and takes what is consistent with
what it took. With a strict order and no guards, revision by forced input then satisfies the eight
postulates K*1 to K*8 of Alchourrón, Gärdenfors and Makinson (On the logic of theory change: partial meet
contraction and revision functions, 1985) for whatever the accepted sentences imply, and repeated, the
postulates DP1 to DP4 of Darwiche and Pearl (On the logic of iterated belief revision, 1997): it is the
linear base revision of Nebel (Base revision operations and schemes, 1994). Contraction gives a remainder,
so it satisfies success, inclusion, vacuity, relevance, core-retainment, relative closure and uniformity
(Hansson, A Textbook of Belief Dynamics, 1999); like most operators on bases it does not satisfy recovery.
The two fit together: revising by a keeps what contracting by ~a keeps, and adds a (Levi); contracting by a
keeps those recorded sentences that revising by ~a keeps (Harper).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from knowwhy.core.revision.belief_base.kernels import Ids, kernel
from knowwhy.core.revision.belief_base.language import Clause, Sentence
from knowwhy.core.revision.belief_base.reasoning import Theory, connected
from knowwhy.core.revision.belief_base.records import BeliefBase, Element, Guard, Rank


@dataclass(frozen=True, slots=True)
class Rejection:
    """An element that was not accepted, and why.

    `rivals` are accepted elements, none of lower rank: the rest of one kernel, the one whose weakest
    member is strongest. With `guard` the kernel implies what that guard forbids; without, it is
    inconsistent. No rivals: the element clashes with constraints or guard alone. It is tied if it was
    put after a rival of its own rank for its id alone: then neither should be read as settled.
    """

    element: Element
    rivals: Ids
    guard: Guard | None
    is_tied: bool


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What of a base is accepted and what is not, each by rank, hardest to give up first."""

    accepted: tuple[Element, ...]
    rejected: tuple[Rejection, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The ids of what is accepted."""
        return frozenset(one.id for one in self.accepted)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is accepted, as sentences."""
        return tuple(one.sentence for one in self.accepted)

    @property
    def contested(self) -> frozenset[str]:
        """The ids of elements, accepted or not, between which only their ids decided."""
        ranks = {one.id: one.rank for one in self.accepted}
        tied = [one for one in self.rejected if one.is_tied]
        rivals = {name for one in tied for name in one.rivals if ranks[name] == one.element.rank}
        return frozenset(rivals.union(one.element.id for one in tied))

    def rejection(self, record_id: str) -> Rejection | None:
        """Why the element with this id was not accepted."""
        return next((one for one in self.rejected if one.element.id == record_id), None)


class Reception(StrEnum):
    """How an input was received."""

    ACCEPTED = "accepted"
    """It is recorded and accepted; for a contraction: it was believed and no longer is."""
    NOT_BELIEVED = "not believed"
    """A contraction of what was not believed: recorded, for it also keeps it from being believed later."""
    OUTRANKED = "outranked"
    """It is recorded, but clashes with what is harder to give up; nothing else changes."""
    CLASHES = "clashes"
    """An expansion that does not fit what is accepted: nothing changes."""
    VIOLATES_CONSTRAINT = "violates constraint"
    """The constraints alone contradict it, or imply what should be given up: nothing changes."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What an operator did: the base and what is accepted after it.

    `lost` are elements that were accepted before, each with one kernel; `regained` the ids of those that
    were recorded before and are accepted only now; `refusal` tells why the input was not accepted.
    """

    base: BeliefBase
    reception: Reception
    acceptance: Acceptance
    lost: tuple[Rejection, ...] = ()
    regained: frozenset[str] = frozenset()
    refusal: Rejection | None = None


def accept(base: BeliefBase) -> Acceptance:
    """The greedy maximal consistent subset of the recorded elements, best rank first.

    Only sentences that share atoms, also through constraints or guards, are weighed against each other.
    """
    accepted: set[str] = set()
    rejections: dict[str, Rejection] = {}
    for component in _components(base):
        component.settle(accepted, rejections)
    ranked = base.ranked
    return Acceptance(
        tuple(one for one in ranked if one.id in accepted),
        tuple(rejections[one.id] for one in ranked if one.id in rejections),
    )


def expand(base: BeliefBase, record_id: str, sentence: Sentence, rank: Rank) -> Effect:
    """Add a sentence that fits everything accepted, at its rank; one that does not fit changes nothing."""
    before = accept(base)
    effect = consider(base, record_id, sentence, rank)
    if effect.reception is Reception.VIOLATES_CONSTRAINT:
        return effect
    refusal = effect.refusal
    if effect.lost:
        first = effect.lost[0]
        said = {one.id: one.sentence for one in before.accepted}
        forbidden = [~first.guard.sentence] if first.guard else []
        rivals = kernel(base.theory, said, [sentence, *forbidden]) or ()
        refusal = Rejection(Element(record_id, sentence, rank), rivals, first.guard, is_tied=False)
    if refusal is None:
        return effect
    return Effect(base, Reception.CLASHES, before, refusal=refusal)


def contract(base: BeliefBase, record_id: str, sentence: Sentence, rank: Rank | None = None) -> Effect:
    """Give up a sentence, with what would still imply it: by a guard, on top of all unless ranked.

    The accepted elements are then a greedy remainder: B-a. A guard acts on all that was recorded before,
    of whatever rank; its rank tells what may lift it later. What the constraints imply cannot be given up.
    """
    before = accept(base)
    if base.theory.entails([], sentence):
        return Effect(base, Reception.VIOLATES_CONSTRAINT, before)
    was_believed = base.theory.entails(before.sentences, sentence)
    guard = Guard(record_id, sentence, base.top if rank is None else rank)
    reception = Reception.ACCEPTED if was_believed else Reception.NOT_BELIEVED
    return _effect(before, base.recording(guard), reception)


def revise(base: BeliefBase, record_id: str, sentence: Sentence) -> Effect:
    """Believe a sentence whatever it costs: B*a, with the input on top of all that is recorded.

    Only for input that must succeed: a person's command, a pin, a migration. Input that contradicts the
    constraints alone changes nothing.
    """
    return consider(base, record_id, sentence, base.top)


def consider(base: BeliefBase, record_id: str, sentence: Sentence, rank: Rank) -> Effect:
    """Record a sentence at its own rank, and let rank decide whether it is accepted.

    Not prioritised (Hansson, A survey of non-prioritized belief revision, 1999): either the input is
    accepted or nothing else changes, which is relative success; what fits is accepted, and nothing lost.
    Only an input that lifts a guard may be refused and yet bring back what the guard kept out.
    """
    before = accept(base)
    if not base.theory.is_consistent([sentence]):
        return Effect(base, Reception.VIOLATES_CONSTRAINT, before)
    effect = _effect(before, base.recording(Element(record_id, sentence, rank)), Reception.ACCEPTED)
    refusal = effect.acceptance.rejection(record_id)
    if refusal is None:
        return effect
    return replace(effect, reception=Reception.OUTRANKED, refusal=refusal)


def _effect(before: Acceptance, changed: BeliefBase, reception: Reception) -> Effect:
    after = accept(changed)
    lost = tuple(one for one in after.rejected if one.element.id in before.ids)
    regained = after.ids.intersection(one.element.id for one in before.rejected)
    return Effect(changed, reception, after, lost, regained)


def _bounds(guards: Sequence[Guard]) -> list[tuple[Guard | None, list[Sentence]]]:
    """What the accepted must stay consistent with: with nothing more, and with each guard's negation."""
    return [(None, []), *((guard, [~guard.sentence]) for guard in guards)]


@dataclass(frozen=True, slots=True)
class _Component:
    """Elements that share no atom with any other, best first, with the constraints and guards on them."""

    theory: Theory
    elements: tuple[Element, ...]
    guards: tuple[Guard, ...]

    def settle(self, accepted: set[str], rejections: dict[str, Rejection]) -> None:
        """Go through the elements and take each that what was taken before allows."""
        taken: list[Element] = []
        bounds = _bounds(self.guards)
        for element in self.elements:
            said = [*(one.sentence for one in taken), element.sentence]
            for guard, forbidden in bounds:
                if not self.theory.is_consistent([*said, *forbidden]):
                    rejections[element.id] = self._rejection(element, taken, guard, forbidden)
                    break
            else:
                taken.append(element)
        accepted.update(one.id for one in taken)

    def _rejection(
        self, element: Element, taken: list[Element], guard: Guard | None, forbidden: list[Sentence]
    ) -> Rejection:
        ranks = {one.id: one.rank for one in taken}
        said = {one.id: one.sentence for one in taken}
        rivals = kernel(self.theory, said, [element.sentence, *forbidden]) or ()
        return Rejection(element, rivals, guard, any(ranks[name] == element.rank for name in rivals))


def _components(base: BeliefBase) -> list[_Component]:
    """The base in parts that cannot influence each other."""
    guards = base.in_force
    clauses = [(clause, Sentence(frozenset({clause})).atoms) for clause in base.theory.constraints]
    spoken = [one.sentence.atoms for one in base.records]
    root = connected([*spoken, *(atoms for _, atoms in clauses)])

    def part(atoms: frozenset[str]) -> str:
        return root[min(atoms, default="")]

    elements: dict[str, list[Element]] = defaultdict(list)
    for one in base.ranked:
        elements[part(one.sentence.atoms)].append(one)
    near: dict[str, list[Guard]] = defaultdict(list)
    for guard in guards:
        near[part(guard.sentence.atoms)].append(guard)
    bound: dict[str, list[Clause]] = defaultdict(list)
    for clause, atoms in clauses:
        bound[part(atoms)].append(clause)
    return [
        _Component(Theory(frozenset(bound[name])), tuple(its_elements), tuple(near[name]))
        for name, its_elements in elements.items()
    ]
