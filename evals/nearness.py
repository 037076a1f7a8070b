"""How many of the truly nearest texts the sign bits of their vectors find, with the packaged embedder.

    python evals/nearness.py --data DIR [--most 20000] [--questions 300] [--kept FILE]

DIR is searched for files *.jsonl; every text of 20 to 600 characters in them is a document, and everything
under the name `question` is a question (where there are none, some of the documents are asked for). For each
length of the short list it tells which share of the 10 and of the 40 nearest documents, as a comparison of
all of them has it, recall through the bits finds. Vectors take a while to make; in a file that is kept they
are used again. Prints one JSON object; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import knowwhy
from knowwhy.providers.nearness import Matrix, Sizes

MEASURES: Final = (
    "Of the 10 and of the 40 nearest documents by cosine, the share that is found when only the documents "
    "on a short list are compared exactly; the list is made by the sign bits. Averaged over questions."
)
DOES_NOT_MEASURE: Final = (
    "Whether what is near is relevant, other embedders, memories larger than the texts given, or speed."
)
SHORTEST, LONGEST = 20, 600
CUTS: Final = (10, 40)
SHORTLISTS: Final = (125, 250, 500, 1_000, 2_000)
AT_ONCE: Final = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the texts")
    parser.add_argument("--most", type=int, default=20_000, help="how many documents at the most")
    parser.add_argument("--questions", type=int, default=300, help="how many questions at the most")
    parser.add_argument("--kept", type=Path, help="a file for the vectors, kept for the next time")
    given = parser.parse_args()
    texts, questions = collected(given.data, given.most, given.questions)
    documents, asked = vectors_of(texts, questions, given.kept)
    print(json.dumps(report(documents, asked), indent=2))


def collected(folder: Path, most: int, questions: int) -> tuple[list[str], list[str]]:
    """The documents and the questions of a folder: of many, some that are spread over all of it."""
    texts: dict[str, None] = {}
    asked: dict[str, None] = {}
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            for name, said in _strings(json.loads(line)):
                (asked if name == "question" else texts)[said] = None
    documents = _spread([one for one in texts if SHORTEST <= len(one) <= LONGEST and one not in asked], most)
    return documents, _spread(list(asked) or documents, questions)


def _strings(part: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(part, str):
        yield name, part
    elif isinstance(part, dict):
        for own, inner in part.items():
            yield from _strings(inner, own)
    elif isinstance(part, list):
        for inner in part:
            yield from _strings(inner, name)


def _spread(texts: Sequence[str], most: int) -> list[str]:
    step = max(1.0, len(texts) / most) if most else 1.0
    return [texts[int(at * step)] for at in range(min(most, len(texts)))]


def vectors_of(
    texts: Sequence[str], questions: Sequence[str], kept: Path | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The vectors of documents and questions, from the file where they are kept."""
    if kept is not None and kept.exists():
        with np.load(kept) as found:
            return found["documents"], found["questions"]
    embedder = knowwhy.PackagedEmbedder()
    made = []
    for said, is_question in ((texts, False), (questions, True)):
        rows = []
        for start in range(0, len(said), AT_ONCE):
            rows += embedder.embed(said[start : start + AT_ONCE], is_question=is_question)
            if start % (16 * AT_ONCE) == 0:
                print(f"{start} of {len(said)} embedded", file=sys.stderr, flush=True)
        made.append(np.frombuffer(b"".join(rows), "<f4").reshape(len(rows), embedder.dimension))
    if kept is not None:
        np.savez(kept, documents=made[0], questions=made[1])
    return made[0], made[1]


def report(documents: npt.NDArray[np.float32], questions: npt.NDArray[np.float32]) -> dict[str, Any]:
    """The figures."""
    nearest = np.argsort(-(questions @ documents.T), axis=1, kind="stable")[:, : max(CUTS)]
    rows = []
    for length in SHORTLISTS:
        matrix = Matrix("packaged", documents.shape[1], Sizes(exact=0, shortlist=length, share=0.0))
        matrix.put((str(number), row.tobytes()) for number, row in enumerate(documents))
        shares: dict[int, list[float]] = {cut: [] for cut in CUTS}
        for question, due in zip(questions, nearest, strict=True):
            near = matrix.near(question.tobytes(), -1.0).nearest(max(CUTS))
            found = {int(document) for document, _ in near}
            for cut in CUTS:
                shares[cut].append(len(found.intersection(due[:cut].tolist())) / min(cut, len(due)))
        recalls = {f"recall@{cut}": round(float(np.mean(those)), 4) for cut, those in shares.items()}
        rows.append({"shortlist": length, "share": round(length / len(documents), 4)} | recalls)
    return {
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
        "documents": len(documents),
        "questions": len(questions),
        "by_shortlist": rows,
    }


if __name__ == "__main__":
    main()
