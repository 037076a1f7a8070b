"""How exactly belief bases are contracted and revised, and rankings of worlds revised again and again.

    python evals/revision.py --data DIR

DIR holds .jsonl files, or folders that do, with one case a line. What a case is, its content says:

base      id, base_ast (sentences), input_ast, priority_high_to_low (their numbers), entails_input,
          consistent_with_input and the expected: contract and revise, each with remainders, kernels,
          full_meet and by_priority; revise also with models_after_by_priority
iterated  id, worlds (each the atoms true in it), ranks (lowest: most plausible), inputs_ast and the expected:
          gold, with natural, lexicographic and restrained, each a list of believed (worlds) and ranks

A sentence is an atom or a list: not, and, or, imp or iff, then its parts. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from knowwhy.core.revision.belief_base.kernels import full_meet, kernels
from knowwhy.core.revision.belief_base.language import ALWAYS, Sentence, fact
from knowwhy.core.revision.belief_base.operators import accept, contract, revise
from knowwhy.core.revision.belief_base.rankings import Ranking, World
from knowwhy.core.revision.belief_base.reasoning import Theory
from knowwhy.core.revision.belief_base.records import BeliefBase, Element

Record: TypeAlias = dict[str, Any]
Formula: TypeAlias = str | list[Any]

MEASURES: Final = (
    "The share of cases in which every part of the answer is exactly the expected one. For bases: whether "
    "the input follows or fits, all remainders and kernels, their full meet, what contraction and revision "
    "keep by priority, and the models after it. For rankings: the believed worlds, and the rank of every "
    "world, after each input of a sequence; for `stack`, a base revised by forced inputs in the place of the "
    "lexicographic ranking, the believed worlds alone."
)
DOES_NOT_MEASURE: Final = (
    "Whether these operators are the right ones, constraints, guards, input that is not forced, equal ranks, "
    "bases of more than a few sentences, speed, or anything that memories do around the operators."
)
MOST_FAILURES: Final = 10
THEORY: Final = Theory()


@dataclass(slots=True)
class Score:
    """Exact and all cases by operator, and the ids of some that were not exact."""

    exact: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    cases: int = 0
    wrong: int = 0
    failures: list[Record] = field(default_factory=list)

    def add(self, case: Record, answers: dict[str, tuple[object, object]]) -> None:
        """Count a case by its answers, each found and expected."""
        self.cases += 1
        missed = [name for name, (found, expected) in answers.items() if found != expected]
        self.asked.update(list(answers))
        self.exact.update(name for name in answers if name not in missed)
        self.wrong += bool(missed)
        if missed and len(self.failures) < MOST_FAILURES:
            found, expected = answers[missed[0]]
            self.failures.append({"id": case["id"], "wrong": missed, "found": found, "expected": expected})

    def shown(self) -> Record:
        """The shares, as they are printed."""
        found: Record = {
            "exact": share(self.cases - self.wrong, self.cases),
            "n": self.cases,
            "by_operator": {name: share(self.exact[name], count) for name, count in self.asked.items()},
        }
        return found | ({"failures": self.failures} if self.failures else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="the folder that holds the cases, or their folders"
    )
    given = parser.parse_args()
    if not given.data.is_dir():
        parser.error(f"{given.data} is not there, or no folder")
    scores: dict[str, Score] = defaultdict(Score)
    for case in cases(given.data):
        if (kind := kind_of(case)) is not None:
            scores[kind].add(case, examined(case) if kind == "base" else examined_again(case))
    if not scores:
        parser.error(f"{given.data} holds no cases of either format")
    print(json.dumps(measured(given.data, scores), ensure_ascii=False, indent=2))


def measured(folder: Path, scores: dict[str, Score]) -> Record:
    """The scores of all sets, as they are printed."""
    asked = sum(score.cases for score in scores.values())
    wrong = sum(score.wrong for score in scores.values())
    return {
        "data": folder.resolve().name,
        "exact": share(asked - wrong, asked),
        "n": asked,
        "sets": {kind: score.shown() for kind, score in sorted(scores.items())},
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
    }


def cases(folder: Path) -> Iterator[Record]:
    """The JSON objects in the folder's files and in those of the folders in it, one a line."""
    for path in sorted([*folder.glob("*.jsonl"), *folder.glob("*/*.jsonl")]):
        with path.open(encoding="utf-8") as file:
            for line in file:
                if line.strip() and isinstance(case := json.loads(line), dict):
                    if kind_of(case) is None:
                        break  # a file of something else
                    yield case


def kind_of(case: Record) -> str | None:
    """Which format a case has, by what it holds."""
    if case.keys() >= {"base_ast", "input_ast", "contract", "revise"}:
        return "base"
    if case.keys() >= {"worlds", "ranks", "inputs_ast", "gold"}:
        return "iterated"
    return None


def sentence(formula: Formula) -> Sentence:
    """The sentence that a formula says."""
    if isinstance(formula, str):
        return fact(formula)
    connective, *parts = formula
    one, *others = map(sentence, parts)
    if connective == "not":
        return ~one
    (other,) = others
    if connective == "and":
        return one & other
    if connective == "or":
        return one | other
    if connective == "imp":
        return ~one | other
    assert connective == "iff", f"no such connective: {connective}"
    return (~one | other) & (~other | one)


def examined(case: Record) -> dict[str, tuple[object, object]]:
    """What is found in a case of a base, and what is expected."""
    statements = {str(number): sentence(one) for number, one in enumerate(case["base_ast"])}
    given = sentence(case["input_ast"])
    priority = [str(number) for number in case["priority_high_to_low"]]
    base = BeliefBase.of(
        THEORY, (Element(one, statements[one], (-float(place),)) for place, one in enumerate(priority))
    )
    said = statements.values()
    answers: dict[str, tuple[object, object]] = {
        "entails": (THEORY.entails(said, given), case["entails_input"]),
        "fits": (THEORY.is_consistent([*said, given]), case["consistent_with_input"]),
    }
    contracted, revised = contract(base, "guard", given).acceptance, revise(base, "input", given).acceptance
    for operator, against, kept in (("contract", ~given, contracted), ("revise", given, revised)):
        expected, every = case[operator], kernels(THEORY, statements, against)
        assert not every.is_truncated, f"{case['id']} has more kernels than are listed"
        found = {
            "remainders": sorted(numbers(one) for one in every.remainders),
            "kernels": sorted(numbers(one) for one in every.kernels),
            "full_meet": numbers(full_meet(THEORY, statements, against)),
            "by_priority": numbers(kept.ids - {"input"}),
        }
        answers.update({f"{operator} {name}": (one, in_order(expected[name])) for name, one in found.items()})
    models = [
        world for world in worlds(case["atoms"]) if all(one.is_true_in(world) for one in revised.sentences)
    ]
    answers["revise models"] = (plain(models), plain(case["revise"]["models_after_by_priority"]))
    return answers


def examined_again(case: Record) -> dict[str, tuple[object, object]]:
    """What is found in a case of a ranking, after each input, and what is expected."""
    every = [frozenset(world) for world in case["worlds"]]
    first = Ranking.of(zip(every, case["ranks"], strict=True))
    inputs = [sentence(one) for one in case["inputs_ast"]]
    revisions = {
        "natural": Ranking.natural,
        "lexicographic": Ranking.lexicographic,
        "restrained": Ranking.restrained,
    }
    answers: dict[str, tuple[object, object]] = {}
    for name, revision in revisions.items():
        ranking, found = first, []
        for given in inputs:
            ranking = revision(ranking, given)
            found.append((plain(ranking.believed), [ranking.rank(world) for world in every]))
        expected = [(plain(one["believed"]), one["ranks"]) for one in case["gold"][name]]
        answers[name] = (found, expected)
    expected_believed = [plain(one["believed"]) for one in case["gold"]["lexicographic"]]
    answers["stack"] = (believed_by_stack(first, every, inputs), expected_believed)
    return answers


def believed_by_stack(first: Ranking, every: list[World], inputs: list[Sentence]) -> list[list[list[str]]]:
    """The worlds believed after each input by a base that stands for the ranking."""
    base = BeliefBase.of(THEORY, stack_of(first, every))
    believed = []
    for number, given in enumerate(inputs):
        base = revise(base, f"input {number}", given).base
        kept = accept(base).sentences
        believed.append(plain(world for world in every if all(one.is_true_in(world) for one in kept)))
    return believed


def stack_of(ranking: Ranking, every: list[World]) -> Iterator[Element]:
    """Elements that stand for a ranking: the better a level, the higher that none beyond it is the case."""
    for rank in range(len(ranking.levels)):
        within = ALWAYS
        for world in every:
            if ranking.rank(world) > rank:
                within &= ~exactly(world, frozenset().union(*every))
        yield Element(f"level {rank}", within, (-float(rank),))


def exactly(world: World, atoms: frozenset[str]) -> Sentence:
    """That the world is the case."""
    whole = ALWAYS
    for atom in sorted(atoms):
        whole &= fact(atom) if atom in world else ~fact(atom)
    return whole


def worlds(atoms: list[str]) -> Iterator[World]:
    """All worlds over the atoms."""
    for signs in product((True, False), repeat=len(atoms)):
        yield frozenset(atom for atom, is_true in zip(atoms, signs, strict=True) if is_true)


def plain(some: Any) -> list[list[str]]:  # noqa: ANN401 (sets or lists of sets or lists)
    """Worlds in one order, to be compared."""
    return sorted(sorted(world) for world in some)


def numbers(names: Any) -> list[int]:  # noqa: ANN401 (a set or a tuple of names)
    """The numbers that names stand for, in order."""
    return sorted(int(name) for name in names)


def in_order(expected: list[Any]) -> list[Any]:
    """A list of numbers, or of lists of numbers, in order."""
    return sorted(sorted(one) if isinstance(one, list) else one for one in expected)


def share(right: int, asked: int) -> float:
    """The share of right answers."""
    return round(right / asked, 6)


if __name__ == "__main__":
    main()
