"""How well recall finds the turns of a conversation that answer a question, beside plain BM25.

    python evals/recall.py --data DIR [--store sqlite|memory] [--embedder packaged|none] [--most N]

DIR holds conversations, two files each, one JSON object a line:

NAME.turns.jsonl       id, date (a day, or "1:56 pm on 8 May, 2023"), and either speaker and text (and, if
                       there is one, image_caption) or user and assistant
NAME.questions.jsonl   question, evidence (ids of turns) and, if known: category, audit.evidence (ids that
                       correct the others)

Every turn is observed as it was said, as words alone: nothing is read out of it. A question is asked a day
after the last turn; what counts is where the turns that hold its evidence stand among all turns of the
conversation. Each channel is measured alone and all together, with the packaged embedder and without one. The
weights of fusion are chosen on one half of the conversations and reported on the other, both ways round; the
row `default` has the weights that a new memory starts with. Prints one JSON object; progress goes to standard
error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

import knowwhy
from knowwhy.recall.analysis import terms
from knowwhy.store.bm25 import bm25

Record: TypeAlias = dict[str, Any]

MEASURES: Final = (
    "recall@k: of the turns that hold a question's evidence, the share among the first k turns found, "
    "averaged over questions; mrr: one over the place of the first of them. All turns of one conversation "
    "compete. Adversarial questions (category 5) stand apart and are not in `all`."
)
DOES_NOT_MEASURE: Final = (
    "Whether the answer itself is right, refusing to answer, beliefs (nothing is read out of the turns, so "
    "the channels names, slots and graph, which find beliefs, find nothing here), or speed."
)
CUTS: Final = (5, 10, 20)
DEEPEST: Final = 20
ADVERSARIAL: Final = "5"
# What is chosen among, on one half, for the other.
MEANING: Final = (0.5, 0.75, 1.0)
BESIDE: Final = (0.3, 0.5, 0.7)
CHANNELS: Final = ("names", "slots", "graph", "text", "vectors")
SPOKEN: Final = re.compile(r"(\d+):(\d\d) (am|pm) on (\d+) (\w+), (\d{4})")


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns and questions of one pair of files."""

    name: str
    turns: tuple[Record, ...]
    questions: tuple[Record, ...]


@dataclass(slots=True)
class Tally:
    """The scores of questions, by category."""

    scores: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, question: Record, found: Sequence[str], evidence: frozenset[str]) -> None:
        """Count one question by the order in which turns were found."""
        places = [found.index(one) for one in evidence if one in found]
        shares = [sum(place < cut for place in places) / len(evidence) for cut in CUTS]
        first = 1.0 / (1 + min(places)) if places else 0.0
        self.scores[str(question.get("category", "all"))].append([*shares, first])

    def shown(self) -> Record:
        """The means: of all but adversarial questions, and by category where there are several."""
        plain = [one for key, those in self.scores.items() if key != ADVERSARIAL for one in those]
        by_category = {key: _means(self.scores[key]) for key in sorted(self.scores)}
        return {"all": _means(plain), **(by_category if len(by_category) > 1 else {})}

    def joined(self, other: Tally) -> Tally:
        """Both together."""
        both = Tally()
        for one in (self, other):
            for key, those in one.scores.items():
                both.scores[key] += those
        return both


def _means(scores: list[list[float]]) -> Record:
    names = [*(f"recall@{cut}" for cut in CUTS), "mrr"]
    means = [round(sum(column) / len(scores), 4) for column in zip(*scores, strict=True)]
    return {**dict(zip(names, means, strict=True)), "n": len(scores)}


class Remembering:
    """An embedder that asks another one only once for the same words."""

    def __init__(self, embedder: knowwhy.Embedder) -> None:
        self._embedder = embedder
        self._known: dict[tuple[str, bool], bytes] = {}
        self.name, self.dimension = embedder.name, embedder.dimension
        self.unrelated = embedder.unrelated

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        """The vectors, from memory where they are known."""
        new = list(dict.fromkeys(one for one in texts if (one, is_question) not in self._known))
        made = self._embedder.embed(new, is_question=is_question)
        self._known.update(((one, is_question), vector) for one, vector in zip(new, made, strict=True))
        return [self._known[one, is_question] for one in texts]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the conversations")
    parser.add_argument(
        "--store", choices=("sqlite", "memory"), default="sqlite", help="a file (default) or not"
    )
    parser.add_argument(
        "--embedder", choices=("packaged", "none"), default="packaged", help="who finds by meaning"
    )
    parser.add_argument("--most", type=int, help="how many conversations at the most (all)")
    given = parser.parse_args()
    conversations = read(given.data)[: given.most]
    if not conversations:
        parser.error(f"{given.data} holds no NAME.turns.jsonl")
    embedder = Remembering(knowwhy.PackagedEmbedder()) if given.embedder == "packaged" else None
    print(json.dumps(measured(conversations, given.store, embedder), ensure_ascii=False, indent=2))


def read(folder: Path) -> list[Conversation]:
    """The conversations in a folder, by name."""
    return [
        Conversation(
            path.name.removesuffix(".turns.jsonl"),
            tuple(lines(path)),
            tuple(lines(path.with_name(path.name.replace(".turns.", ".questions.")))),
        )
        for path in sorted(folder.glob("*.turns.jsonl"))
    ]


def lines(path: Path) -> Iterator[Record]:
    """The JSON objects in a file, one a line."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def measured(conversations: list[Conversation], store: str, embedder: Remembering | None) -> Record:
    """All rows, for each group of conversations by itself: names that begin alike belong together."""
    groups: dict[str, list[Conversation]] = defaultdict(list)
    for one in conversations:
        groups[one.name.partition("-")[0]].append(one)
    return {
        "groups": {name: of_group(those, store, embedder) for name, those in groups.items()},
        "embedder": None if embedder is None else embedder.name,
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
    }


def of_group(conversations: list[Conversation], store: str, embedder: Remembering | None) -> Record:
    """The rows for conversations of one kind."""
    tallies: dict[str, list[Tally]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as place:
        for number, one in enumerate(conversations):
            report(f"{one.name}: {len(one.turns)} turns, {len(one.questions)} questions")
            tallies["bm25"].append(by_bm25(one))
            address = ":memory:" if store == "memory" else Path(place) / f"{number}.db"
            asked_at = knowwhy.instant(said_at(one.turns[-1]) + timedelta(days=1))
            with knowwhy.open(address, embedder=embedder, clock=partial(knowwhy.Instant, asked_at)) as memory:
                turns = observe(memory, one)
                for row, channels, weights in rows(embedder is not None):
                    memory.configure(ranking=weights)
                    tallies[row].append(asked(memory, one, turns, channels))
    shown: Record = {}
    for row, those in tallies.items():
        if not row.startswith("with "):
            shown[row] = sum_of(those).shown()
    for kind in ("embedder", "no embedder"):
        if choices := {row: those for row, those in tallies.items() if row.startswith(f"with {kind}:")}:
            shown[f"all channels, {kind}, weights chosen on the other half"] = crossed(choices)
            shown[f"all channels, {kind}, default weights"] = sum_of(choices[default(kind)]).shown()
    return {
        "conversations": len(conversations),
        "turns": sum(len(one.turns) for one in conversations),
        "rows": shown,
    }


def rows(has_embedder: bool) -> Iterator[tuple[str, tuple[str, ...] | None, dict[str, float]]]:  # noqa: FBT001
    """What is measured: a name, the channels, and the weights of ranking."""
    alone = {"meaning": 0.75, "beside": 0.0}
    for channel in CHANNELS:
        if channel != "vectors" or has_embedder:
            yield f"{channel} alone", (channel,), alone
    without = tuple(one for one in CHANNELS if one != "vectors")
    for beside in BESIDE:
        yield f"with no embedder: beside {beside}", without, {"beside": beside}
    if has_embedder:
        for meaning, beside in product(MEANING, BESIDE):
            weights = {"meaning": meaning, "beside": beside}
            yield f"with embedder: meaning {meaning}, beside {beside}", None, weights


def default(kind: str) -> str:
    """The row of the weights that a memory starts with."""
    return "with embedder: meaning 1.0, beside 0.5" if kind == "embedder" else "with no embedder: beside 0.5"


def crossed(choices: dict[str, list[Tally]]) -> Record:
    """Each half of the conversations by the weights that are best on the other."""
    chosen, total = {}, Tally()
    for half in (0, 1):
        other = {row: sum_of(those[1 - half :: 2]) for row, those in choices.items()}
        if not next(iter(other.values())).scores:
            return {"note": "one conversation has no other half"}
        best = max(other, key=lambda row: _goodness(other[row]))
        chosen[f"half {half + 1}"] = best.partition(": ")[2]
        total = total.joined(sum_of(choices[best][half::2]))
    return {**total.shown(), "weights": chosen}


def _goodness(tally: Tally) -> tuple[float, float]:
    means = tally.shown()["all"]
    return means[f"recall@{CUTS[1]}"], means["mrr"]


def sum_of(tallies: Sequence[Tally]) -> Tally:
    """Several tallies as one."""
    total = Tally()
    for one in tallies:
        total = total.joined(one)
    return total


def by_bm25(conversation: Conversation) -> Tally:
    """Plain BM25 over the words of the turns, with who speaks, by the same analyser."""
    texts = {one["id"]: Counter(terms(f"{speaker(one)}: {said(one)}")) for one in conversation.turns}
    tally = Tally()
    for question, evidence in answerable(conversation):
        asked_for = dict.fromkeys(terms(question["question"]))
        frequencies = {term: sum(term in entry for entry in texts.values()) for term in asked_for}
        scores = bm25(texts, frequencies)
        found = sorted(scores, key=lambda one: (-scores[one], one))
        tally.add(question, found, evidence)
    return tally


def observe(memory: knowwhy.Memory, conversation: Conversation) -> dict[str, str]:
    """Observe all turns, each some seconds after the one before; gives the turn of each item of evidence."""
    observations, before = [], None
    for turn in conversation.turns:
        at = said_at(turn)
        if before is not None and at <= before:
            at = before + timedelta(seconds=20)
        before = at
        observations.append(
            knowwhy.Observation(
                speaker(turn),
                said(turn),
                source_type="user",
                observed_at=at.isoformat(),
                context=conversation.name,
                metadata={"speaker": speaker(turn), "turn": turn["id"]},
                extract=False,
            )
        )
    outcome = memory.observe_many(observations)
    assert len(outcome.evidence) == len(conversation.turns), "two turns were taken for one"
    assert not outcome.warnings, outcome.warnings
    return dict(zip(outcome.evidence, (one["id"] for one in conversation.turns), strict=True))


def asked(
    memory: knowwhy.Memory,
    conversation: Conversation,
    turns: dict[str, str],
    channels: tuple[str, ...] | None,
) -> Tally:
    """Ask every question by some channels."""
    tally = Tally()
    for question, evidence in answerable(conversation):
        found = memory.recall(question["question"], limit=DEEPEST, channels=channels)
        tally.add(question, [turns[one.evidence.id] for one in found.passages], evidence)
    return tally


def answerable(conversation: Conversation) -> Iterator[tuple[Record, frozenset[str]]]:
    """The questions whose evidence is there, with the audited keys where somebody corrected them."""
    there = {one["id"] for one in conversation.turns}
    for question in conversation.questions:
        keys = (question.get("audit") or {}).get("evidence") or question["evidence"]
        if evidence := frozenset(keys) & there:
            yield question, evidence


def speaker(turn: Record) -> str:
    """Who speaks in a turn."""
    return str(turn.get("speaker", "user"))


def said(turn: Record) -> str:
    """The words of a turn, with what its picture shows."""
    if "text" not in turn:
        return f"{turn['user']}\n{turn['assistant']}"
    caption = turn.get("image_caption")
    return f"{turn['text']} [shares {caption}]" if caption else str(turn["text"])


def said_at(turn: Record) -> datetime:
    """When a turn was said, in UTC."""
    if found := SPOKEN.fullmatch(turn["date"]):
        hour, minute, half, day, month, year = found.groups()
        written = f"{day} {month} {year} {int(hour) % 12 + (12 if half == 'pm' else 0)}:{minute}"
        return datetime.strptime(written, "%d %B %Y %H:%M").replace(tzinfo=UTC)
    return datetime.fromisoformat(turn["date"]).replace(tzinfo=UTC, hour=9)


def report(progress: str) -> None:
    """Tell a waiting person how far it has come."""
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
