"""What a fresh process finds in the memory that writers left behind, some of them killed.

    python tests/campaigns/checking.py FOLDER ADDRESS

FOLDER holds the journal of what each writer said (see `crash.py`), ADDRESS is where the memory is. Prints a
JSON list of checks, each with what is amiss or null.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import knowwhy
from knowwhy.core.model import Evidence, Testimony, belief_id
from knowwhy.engine.address import store_at
from knowwhy.recall.analysis import terms
from knowwhy.store.protocol import Snapshot, Store, TextEntry

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from tests.campaigns import follower

SPACE: Final = "main"
KILLED: Final = -9
_PAGE: Final = 500
_MOST_TOLD: Final = 3


@dataclass(slots=True)
class Deed:
    """One operation of a writer: what it was to write, and what it was told when it was done."""

    told: list[dict[str, Any]] = field(default_factory=list)
    withdrawn: str | None = None
    operation: int | None = None
    evidence: list[str] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """Whether the call returned."""
        return self.operation is not None


@dataclass(slots=True)
class Journal:
    """What all writers said."""

    writers: list[dict[str, Any]]
    deeds: list[Deed] = field(default_factory=list)

    @staticmethod
    def read(path: Path) -> Journal:
        """The journal in a file."""
        journal = Journal(json.loads(path.read_text("utf-8")))
        for writer in journal.writers:
            begun: dict[int, Deed] = {}
            for line in writer["lines"]:
                if "begin" in line:
                    begun[line["begin"]] = Deed(line.get("told", []), line.get("withdrawn"))
                elif "done" in line:
                    deed = begun[line["done"]]
                    deed.operation, deed.evidence = line["operation"], line["evidence"]
            journal.deeds.extend(begun.values())
        return journal

    @property
    def killed(self) -> int:
        """How many writers died by kill -9."""
        return sum(writer["ended"] == KILLED for writer in self.writers)

    @property
    def done(self) -> list[Deed]:
        """What was acknowledged."""
        return [deed for deed in self.deeds if deed.is_done]

    @property
    def subjects(self) -> list[str]:
        """Who was spoken of."""
        return sorted(
            {subject for deed in self.deeds for one in deed.told for subject, _, _ in one["claims"]}
        )

    @property
    def in_flight(self) -> list[Deed]:
        """What was begun and never acknowledged: at most one for each killed writer."""
        return [deed for deed in self.deeds if not deed.is_done]


@dataclass(slots=True)
class Found:
    """All that is in a memory: evidence by its words, claims by evidence, the index, versions of beliefs."""

    evidence: dict[str, Evidence]
    claims: dict[str, list[Testimony]]
    texts: dict[str, TextEntry]
    beliefs: dict[str, int]

    @staticmethod
    def read(view: Snapshot) -> Found:
        """What a snapshot holds."""
        ids = [one.id for one in view.every(Evidence)]
        evidence = {one.text: one for one in view.evidence(ids=ids)}
        assert len(evidence) == len(ids), "some words are on record twice"
        claims: dict[str, list[Testimony]] = {own_id: [] for own_id in ids}
        for one in view.claims(ids):
            claims[one.claim.evidence_id].append(one)
        texts, beliefs = {}, {}
        for row in view.views():
            if isinstance(row, TextEntry):
                texts[row.document] = row
            else:
                beliefs[row.id] = row.version
        return Found(evidence, claims, texts, beliefs)

    def missing(self, told: dict[str, Any]) -> Iterator[str]:
        """What is not there of an observation that must be there whole."""
        evidence = self.evidence.get(told["text"])
        if evidence is None:
            yield f"no evidence {told['text']!r}"
            return
        if evidence.source.name != told["source"]:
            yield f"{evidence.id} comes from {evidence.source.name}, not {told['source']}"
        claimed = sorted(
            (one.claim.slot.subject.name, one.claim.slot.attribute, one.claim.value.text)
            for one in self.claims[evidence.id]
        )
        if claimed != sorted(map(tuple, told["claims"])):
            yield f"{evidence.id} claims {claimed}, not {told['claims']}"
        entry = self.texts.get(evidence.id)
        # Beside its words it has the day and month it was said in, each marked as no word is.
        words = [] if entry is None else [one for one in entry.terms if not one.startswith("@")]
        if sorted(words) != sorted(terms(evidence.text)):
            yield f"{evidence.id} is not indexed as it reads"
        for one in self.claims[evidence.id]:
            belief = belief_id(one.claim.slot.id, one.claim.value.key)
            if self.beliefs.get(belief, 0) < one.operation:
                yield f"belief {belief} has not heard operation {one.operation}"
            if belief not in self.texts:
                yield f"belief {belief} is not indexed"


def main() -> None:
    folder, path = Path(sys.argv[1]), sys.argv[2]
    journal = Journal.read(folder / "journal.json")
    store = store_at(path)
    found = [
        (f"no writer met an error ({journal.killed} were killed)", writers_ended(journal)),
        ("the store is sound", integrity(store)),
    ]
    with store.snapshot(SPACE) as view:
        kept = Found.read(view)
        found += [
            (f"{len(journal.done)} acknowledged operations are there whole", whole(journal, kept)),
            (f"nothing is half there ({in_flight(journal, kept)})", halves(journal, kept)),
            (f"{len(kept.evidence)} items of evidence are found by their words", searched(kept, view)),
            ("each slot has the evidence that was acknowledged for it", counted(journal, kept)),
            ("each acknowledged withdrawal is on record", withdrawals(journal, kept)),
        ]
    store.close()
    killed = f"killed {(folder / follower.KILLS).read_text('utf-8')} times"
    with knowwhy.open(path) as memory:
        found += [
            ("the log has no gaps and says what the writers were told", log(journal, memory)),
            (
                f"a follower {killed} saw each operation once, in order",
                followed(journal, folder, memory),
            ),
            ("the views equal the log", "; ".join(memory.doctor().problems[:_MOST_TOLD]) or None),
            ("a rebuild changes no answer", rebuilt(memory, journal.subjects)),
            ("the memory can be written again", written_again(memory)),
        ]
    print(json.dumps(found))


def amiss(problems: Iterable[str]) -> str | None:
    """The first problems in words, None where there are none."""
    listed = list(problems)
    return f"{len(listed)} problems: {'; '.join(listed[:_MOST_TOLD])}" if listed else None


def writers_ended(journal: Journal) -> str | None:
    def problems() -> Iterator[str]:
        for writer in journal.writers:
            yield from (line["failed"] for line in writer["lines"] if "failed" in line)
            is_finished = any("finished" in line for line in writer["lines"])
            # A victim may be done before its time has come.
            is_killed = writer["victim"] and writer["ended"] == KILLED
            if not is_killed and (writer["ended"], is_finished) != (0, True):
                yield f"writer {writer['number']} ended with {writer['ended']}"
        if len(journal.in_flight) > journal.killed:
            yield f"{len(journal.in_flight)} operations were never acknowledged"

    return amiss(problems())


def integrity(store: Store) -> str | None:
    return amiss(store.problems(SPACE))


def whole(journal: Journal, kept: Found) -> str | None:
    def problems() -> Iterator[str]:
        for deed in journal.done:
            for one in deed.told:
                yield from kept.missing(one)
            ids = [kept.evidence[one["text"]].id for one in deed.told if one["text"] in kept.evidence]
            if ids != deed.evidence:
                yield f"operation {deed.operation} was said to record {deed.evidence}, not {ids}"

    return amiss(problems())


def in_flight(journal: Journal, kept: Found) -> str:
    """How many operations a kill interrupted, and how many of those had been written all the same."""
    texts = [one["text"] for deed in journal.in_flight for one in deed.told[:1]]
    there = sum(text in kept.evidence for text in texts)
    return f"{len(journal.in_flight)} operations were cut off, {there} of them after they were written"


def halves(journal: Journal, kept: Found) -> str | None:
    def problems() -> Iterator[str]:
        known = {one["text"] for deed in journal.deeds for one in deed.told}
        yield from (f"nobody wrote {text!r}" for text in kept.evidence if text not in known)
        for deed in journal.in_flight:
            there = [one for one in deed.told if one["text"] in kept.evidence]
            if there and len(there) != len(deed.told):
                yield f"of an unacknowledged batch of {len(deed.told)}, {len(there)} are there"
            for one in there:
                yield from kept.missing(one)

    return amiss(problems())


def searched(kept: Found, view: Snapshot) -> str | None:
    def problems() -> Iterator[str]:
        for text, evidence in kept.evidence.items():
            # The second word of each note is its alone.
            hits = view.search(terms(text.split()[1]), 2).hits
            if [hit.document for hit in hits] != [evidence.id]:
                yield f"{text.split()[1]} does not find {evidence.id}"

    return amiss(problems())


def counted(journal: Journal, kept: Found) -> str | None:
    """No acknowledged update was lost: by slot, from what was said against what is there."""
    done = _slots(one for deed in journal.done for one in deed.told)
    begun = _slots(one for deed in journal.deeds for one in deed.told)
    there = Counter(
        (one.claim.slot.subject.name, one.claim.slot.attribute)
        for those in kept.claims.values()
        for one in those
    )
    return amiss(
        f"{slot} has {there[slot]} claims of {done[slot]} acknowledged and {begun[slot]} begun"
        for slot in begun | there
        if not done[slot] <= there[slot] <= begun[slot]
    )


def _slots(told: Iterable[dict[str, Any]]) -> Counter[tuple[str, str]]:
    return Counter((subject, attribute) for one in told for subject, attribute, _ in one["claims"])


def withdrawals(journal: Journal, kept: Found) -> str | None:
    withdrawn = {one.id for one in kept.evidence.values() if one.retracted_at is not None}
    done = {deed.withdrawn for deed in journal.done if deed.withdrawn is not None}
    begun = {deed.withdrawn for deed in journal.deeds if deed.withdrawn is not None}
    problems = [f"{target} is not withdrawn" for target in done - withdrawn]
    return amiss(problems + [f"nobody withdrew {target}" for target in withdrawn - begun])


def log(journal: Journal, memory: knowwhy.Memory) -> str | None:
    entries: dict[int, knowwhy.LogEntry] = {}
    before: int | None = None
    while page := memory.log(limit=_PAGE, before=before):
        entries.update((entry.operation.sequence, entry) for entry in page)
        before = page[-1].operation.sequence

    def problems() -> Iterator[str]:
        if sorted(entries) != list(range(1, len(entries) + 1)):
            yield "operations are missing"
        instants = [entries[number].operation.at for number in sorted(entries)]
        if instants != sorted(set(instants)):
            yield "operations are not in order of time"
        for deed in journal.done:
            entry = entries.get(deed.operation or 0)
            if entry is None or list(entry.outcome.evidence) != deed.evidence:
                yield f"operation {deed.operation} is not in the log as it was acknowledged"
        numbers = [deed.operation for deed in journal.done]
        if len(numbers) != len(set(numbers)):
            yield "two operations were acknowledged under one number"
        if len(entries) > len(journal.deeds):
            yield f"{len(entries)} operations are logged, {len(journal.deeds)} were begun"

    return amiss(problems())


def followed(journal: Journal, folder: Path, memory: knowwhy.Memory) -> str | None:
    acknowledged = {deed.operation: deed.evidence for deed in journal.done if deed.operation is not None}
    last = memory.log(limit=1)[0].operation.sequence
    return amiss(follower.problems(folder / follower.FOLLOWED, acknowledged, last))


def rebuilt(memory: knowwhy.Memory, subjects: Iterable[str]) -> str | None:
    now = memory.log(limit=1)[0].as_dict()["at"]
    before = _answers(memory, now, subjects)
    memory.rebuild()
    after = _answers(memory, now, subjects)
    problems = [f"{subject} is answered otherwise" for subject in before if before[subject] != after[subject]]
    return amiss(problems + list(memory.doctor().problems))


def _answers(memory: knowwhy.Memory, at: str, subjects: Iterable[str]) -> dict[str, object]:
    reader = memory.at(valid=at)
    return {subject: reader.ask(subject).as_dict() for subject in subjects}


def written_again(memory: knowwhy.Memory) -> str | None:
    last = memory.log(limit=1)[0].operation.sequence
    outcome = memory.observe("All is well.", source="checker", claims=[("amber router", "owner", "checker")])
    return None if outcome.operation == last + 1 else f"operation {outcome.operation} follows {last}"


if __name__ == "__main__":
    main()
