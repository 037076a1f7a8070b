"""The adapter: the neutral words of the corpus on one side, the product's verbs on the other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from knowwhy import Instant, KnowwhyError, Memory, Observation, Reader, instant, isoformat
from knowwhy.core.model import Entity, name_key
from knowwhy.engine.clock import Clock
from tests.corpus import replies
from tests.corpus.crowd import Report, in_processes, in_threads
from tests.corpus.meter import Meter
from tests.corpus.replies import Reply
from tests.corpus.stories import Malformed, Written, taken

_SECOND: Final = 1_000_000

# "changes with time" says that a fact has a shelf life, not how long: by then its evidence counts half.
_SHELF_LIFE_DAYS: Final = 90

# How many beliefs a filling writes at once.
_BATCH: Final = 2_000

_MODALITIES: Final = {
    "asserted": "asserted",
    "inferred": "inferred",
    "planned": "planned",
    "suggested": "suggested",
    "hypothetical": "hypothetical",
    "quoted": "quoted",
    "question": "asked",
}

# Words of claims whose meaning is the product's own, under its own name.
_CLAIM_WORDS: Final = {
    "subject": "subject",
    "attribute": "attribute",
    "value": "value",
    "polarity": "stance",
    "unit": "unit",
    "scope": "conditions",
    "valid_from": "valid_from",
    "valid_to": "valid_to",
    "quote": "quote",
    "subject_ref": "subject_id",
    "subject_type": "subject_type",
}

# What the corpus speaks of and the product cannot do yet.
_LATER_STEPS: Final = {
    "erase": "erasure",
    "raw_scan": "erasure",
    "consolidate": "consolidation",
    "consolidate_begin": "consolidation",
    "consolidate_end": "consolidation",
    "summary": "consolidation",
    "prune": "consolidation",
    "context_pack": "packing what is critical first",
    "export": "export",
    "extract": "extraction judged against its source",
    "resolve": "a model's opinion on conflicts",
    "import": "undo of a whole import",
    "undo_batch": "undo of a whole import",
    "set_embedder": "embeddings",
    "reembed": "embeddings",
}
_LATER_WORDS: Final = {
    "when_text": "relative time phrases",
    "importance": "protection of what is critical",
    "object_type": "typed relations and their inverses",
    "inverse": "typed relations and their inverses",
    "subject_of": "typed relations and their inverses",
    "channel": "embeddings",
    "explain": "the trace of a recall",
}


class Waits(Exception):  # noqa: N818 - read aloud: the story waits for erasure
    """A story needs an ability that the product does not have yet; the message names it."""


@dataclass(slots=True)
class StoryClock:
    """The time of a story: it moves with the steps, and never back."""

    now: Instant = instant("2000-01-01")

    def __call__(self) -> Instant:
        return self.now

    def reach(self, when: str | None) -> None:
        """Let a second pass, and more if the story says that it is later."""
        self.now = Instant(max(self.now + _SECOND, self.now if when is None else instant(when)))


@dataclass(frozen=True, slots=True)
class Home:
    """Where a story plays: a store by its name, how to open a memory in it, its file if it has one."""

    store: str
    opened: Callable[[Clock], Memory]
    path: Path | None = None


@dataclass(slots=True)
class Stage:
    """One story being played in one home. `told` are the replies of the steps that have a name."""

    home: Home
    is_full: bool = False
    clock: StoryClock = field(default_factory=StoryClock)
    meter: Meter = field(default_factory=Meter)
    told: dict[str, Reply] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        """Open the memory."""
        self.memory = self.home.opened(self.clock)

    def act(self, step: Written) -> Reply:
        """Carry out one step.

        Raises:
            Waits: it needs what the product cannot do yet.
            Malformed: it cannot be understood.
        """
        fields = dict(step)
        op, name = fields.pop("op", None), fields.pop("id", None)
        if op in _LATER_STEPS:
            raise Waits(_LATER_STEPS[op])
        if op not in _STEPS:
            raise Malformed(f"{op!r} is no step; use one of {', '.join(sorted(_STEPS))}.")
        for word in fields:
            if word in _LATER_WORDS:
                raise Waits(_LATER_WORDS[word])
        kind = _STEPS[op]
        given = taken(fields, f"the step {name or op}", kind.needed, kind.allowed)
        self.clock.reach(given.get("ingested_at") or given.get("recorded_at") or given.get("asked_at"))
        reply = self._carried_out(kind, given)
        if name is not None:
            self.told[str(name)] = reply
        return reply

    def _carried_out(self, kind: Kind, given: dict[str, Any]) -> Reply:
        is_measured = given.pop("measure", False)
        before = self.memory.stats()
        try:
            if not is_measured:
                return kind.act(self, dict(given))
            reply, measures = self.meter.measured(
                lambda: kind.act(self, dict(given)), is_repeatable=kind.act is query
            )
        except KnowwhyError as error:
            return replies.refused(error, is_unchanged=self.memory.stats() == before)
        return Reply({**reply.facts, **measures}, reply.answers, reply.asides, other=reply.other)

    def version(self, name: str | None) -> int | None:
        """The version that the step of this name read."""
        return None if name is None else int(self._earlier(name).fact("version"))

    def evidence(self, name: str) -> list[str]:
        """The ids of the evidence that the step of this name recorded."""
        return list(self._earlier(name).fact("evidence"))

    def _earlier(self, name: str) -> Reply:
        if name not in self.told:
            raise Malformed(f"no earlier step has the id {name!r}")
        return self.told[name]

    def restarted(self) -> None:
        """Let go of the memory and open it again; a store without a file lives as long as its process."""
        if self.home.path is not None:
            self.memory.close()
        self.memory = self.home.opened(self.clock)


def observe(stage: Stage, given: dict[str, Any]) -> Reply:
    """A source says something."""
    if given.get("visibility", "shared") != "shared":
        raise Waits("private visibility")
    if given.get("resolution", "exact") != "exact":
        raise Malformed(f"names are resolved exactly, not {given['resolution']!r}")
    claims = [_claim(stage, one) for one in given.get("claims", ())]
    roots = [one for step in given.get("derived_from", ()) for one in stage.evidence(step)]
    lang = given.get("lang")
    outcome = stage.memory.observe(
        given.get("text"),
        source=given["source_id"],
        source_type=given.get("source_type"),
        claims=claims,
        observed_at=given.get("recorded_at"),
        is_pinned=given.get("pinned", False),
        context=given.get("context"),
        derived_from=roots,
        reliability=given.get("source_trust"),
        metadata={"lang": lang} if lang else None,
        idempotency_key=given.get("idempotency_key"),
        expected_version=stage.version(given.get("base_version")),
        author=given.get("agent"),
    )
    return replies.of_outcome(outcome)


def _claim(stage: Stage, written: Written) -> dict[str, Any]:
    """A claim in the product's words."""
    further = {"modality", "volatility", *_LATER_WORDS}
    given = taken(written, "a claim", {"subject", "attribute", "value"}, {*_CLAIM_WORDS, *further})
    for word in given:
        if word in _LATER_WORDS:
            raise Waits(_LATER_WORDS[word])
    if (volatility := given.pop("volatility", None)) is not None:
        if volatility != "changes with time":
            raise Malformed(f"volatility is 'changes with time', not {volatility!r}")
        stage.memory.declare(given["attribute"], half_life_days=_SHELF_LIFE_DAYS)
    modality = given.pop("modality", "asserted")
    if modality not in _MODALITIES:
        raise Malformed(f"{modality!r} is no modality; use one of {', '.join(_MODALITIES)}.")
    stage.names.append(str(given["subject"]))
    return {_CLAIM_WORDS[word]: value for word, value in given.items()} | {"modality": _MODALITIES[modality]}


def declare(stage: Stage, given: dict[str, Any]) -> Reply:
    """Somebody says what an attribute is."""
    return replies.of_outcome(stage.memory.declare(given.pop("attribute"), **given))


def update(stage: Stage, given: dict[str, Any]) -> Reply:
    """A person changes a fact directly, perhaps only if it still is as they read it."""
    stage.clock.reach(given.get("at"))
    outcome = stage.memory.observe(
        claims=[{word: given[word] for word in ("subject", "attribute", "value")}],
        source=given["agent"],
        source_type="user",
        observed_at=given.get("at"),
        expected_version=stage.version(given.get("base_version")),
        author=given["agent"],
    )
    return replies.of_outcome(outcome)


def end(stage: Stage, given: dict[str, Any]) -> Reply:
    """Something stopped being true."""
    outcome = stage.memory.end(
        given["subject"],
        given["attribute"],
        given.get("value"),
        at=given.get("at"),
        text=given.get("text"),
        conditions=given.get("scope"),
        expected_version=stage.version(given.get("base_version")),
        author=given.get("agent"),
    )
    return replies.of_outcome(outcome)


def correct(stage: Stage, given: dict[str, Any]) -> Reply:
    """Something was wrong all along."""
    outcome = stage.memory.correct(
        given["subject"],
        given["attribute"],
        given["value"],
        was=given.get("was"),
        unit=given.get("unit"),
        text=given.get("text"),
        conditions=given.get("scope"),
        expected_version=stage.version(given.get("base_version")),
        author=given.get("agent"),
    )
    return replies.of_outcome(outcome)


def retract(stage: Stage, given: dict[str, Any]) -> Reply:
    """What was observed at an earlier step is withdrawn."""
    outcomes = [
        stage.memory.retract(one, author=given.get("agent"), reason=given.get("reason"))
        for one in stage.evidence(given["of"])
    ]
    return replies.of_outcome(outcomes[-1])


def alias(stage: Stage, given: dict[str, Any]) -> Reply:
    """A name stands for an entity too."""
    stage.names += [given["name"], given["entity"]]
    return replies.of_outcome(stage.memory.alias(given["name"], given["entity"]))


def unalias(stage: Stage, given: dict[str, Any]) -> Reply:
    """A name does so no longer."""
    before = stage.memory.stats()["retractions"]
    reply = replies.of_outcome(stage.memory.unalias(given["name"], given["entity"]))
    removed = stage.memory.stats()["retractions"] - before
    is_gone = stage.memory.ask(given["name"]).is_unknown
    return Reply({**reply.facts, "removed": removed if is_gone else 0})


def query(stage: Stage, given: dict[str, Any]) -> Reply:
    """Somebody asks: of a subject, in plain words, or both ways at once."""
    zones = given.pop("host_tz", ())
    if zones:
        asked = []
        for zone in zones:
            with _host_zone(zone):
                asked.append(query(stage, dict(given)))
        same = all(one.facts["told"] == asked[0].facts["told"] for one in asked)
        return Reply(
            {**asked[0].facts, "same_answer_on_every_host": same}, asked[0].answers, asked[0].asides
        )
    if "agent" in given or "context" in given:
        raise Waits("private visibility")
    for _ in range(given.pop("repeat", 1) - 1):
        query(stage, dict(given))
    if given.get("mode") == "history":
        return replies.of_history(_reader(stage, given).history(given["subject"], given["attribute"]))
    if "mode" in given:
        raise Malformed(f"the mode of a query is 'history', not {given['mode']!r}")
    if "subject" not in given:
        return _recalled(stage, given)
    answer = replies.of_answer(_reader(stage, given).ask(given["subject"], given.get("attribute")))
    other = _recalled(stage, given) if "text" in given else None
    return Reply(answer.facts, answer.answers, answer.asides, other=other)


def _recalled(stage: Stage, given: Mapping[str, Any]) -> Reply:
    if "text" not in given:
        raise Malformed("a query has a text, or a subject and perhaps an attribute")
    if (window := _window(given)) is not None:
        start, end_ = window
        reader = stage.memory.at(valid=isoformat(end_), known=given.get("known_at"))
        found = reader.recall(given["text"], limit=20, include=["superseded"])
        return replies.of_window(found, start, end_)
    found = _reader(stage, given).recall(given["text"], min_score=given.get("min_score", 0.0))
    return replies.of_recollection(found)


def _reader(stage: Stage, given: Mapping[str, Any]) -> Reader:
    return stage.memory.at(valid=given.get("valid_at"), known=given.get("known_at"))


def _window(given: Mapping[str, Any]) -> tuple[Instant, Instant] | None:
    """The stretch of time that a query is about: from an instant to another, or one day somewhere."""
    if "day" in given:
        day = date.fromisoformat(given["day"])
        zone = given.get("tz", "UTC")
        return instant(day, zone), instant(day + timedelta(days=1), zone)
    if "valid_from" in given and "valid_to" in given:
        return instant(given["valid_from"]), instant(given["valid_to"])
    return None


@contextmanager
def _host_zone(zone: str) -> Iterator[None]:
    """This process as if its host stood in another zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


def read(stage: Stage, given: dict[str, Any]) -> Reply:
    """Somebody notes what stands, and its version, to change it later."""
    return replies.of_answer(stage.memory.ask(given["subject"], given["attribute"]))


def conflicts(stage: Stage, given: dict[str, Any]) -> Reply:
    """Somebody asks what is in conflict."""
    return replies.of_conflicts(stage.memory.conflicts(given.get("subject")))


def stats(stage: Stage, _given: dict[str, Any]) -> Reply:
    """Somebody counts."""
    return replies.of_counts(stage.memory.stats())


def entities(stage: Stage, given: dict[str, Any]) -> Reply:
    """Somebody asks how many things the names of the story stand for."""
    found: dict[str, Entity] = {}
    for name in dict.fromkeys(stage.names):
        answer = stage.memory.ask(name)
        about = [one.subject for one in (*answer.findings, *answer.others)]
        found.update({one.id: one for one in (*answer.candidates, *about)})
    like = name_key(given.get("name_like", ""))
    meant = [
        one
        for one in found.values()
        if like in name_key(one.name) and given.get("type") in (None, one.type)
    ]
    return Reply({"entities": len(meant), "aliases_added": stage.memory.stats()["aliases"]})


def evidence(stage: Stage, given: dict[str, Any]) -> Reply:
    """Somebody asks for the very words that a belief rests on."""
    why = stage.memory.why(given["subject"], given["attribute"])
    return replies.of_words(list(why.texts.values()))


def integrity(stage: Stage, _given: dict[str, Any]) -> Reply:
    """Somebody has the store checked, and its views compared with the log."""
    return Reply({"problems": len(stage.memory.doctor().problems)})


def restart(stage: Stage, _given: dict[str, Any]) -> Reply:
    """The memory is closed and opened again."""
    stage.restarted()
    return Reply()


def fill(stage: Stage, given: dict[str, Any]) -> Reply:
    """Many beliefs come in, five to an entity; `brief` of them where time is short."""
    count = int(given["count"] if stage.is_full else given.get("brief", given["count"]))
    for start in range(0, count, _BATCH):
        numbers = range(start, min(start + _BATCH, count))
        stage.memory.observe_many([_filling(number, is_last=number == count - 1) for number in numbers])
    return Reply({"beliefs": count})


def _filling(number: int, *, is_last: bool) -> Observation:
    value = "word from one belief" if is_last else f"note {number % 997} of lot {number % 4_999}"
    claim = (f"entity-{number // 5}", f"field {number % 5}", value)
    return Observation(f"file-{number % 100}", claims=[claim], source_type="import")


def parallel(stage: Stage, given: dict[str, Any]) -> Reply:
    """Several write at once: each branch a thread, or all of them spread over processes."""
    branches: list[list[Written]] = given["branches"]
    processes = given.get("processes")
    if processes is not None:
        branches = [[step for one in branches[at::processes] for step in one] for at in range(processes)]
    if processes is not None and stage.home.path is not None:
        reports = in_processes(stage.home.path, stage.clock.now, branches)
    else:
        reports = in_threads([lambda branch=branch: performed(stage, branch) for branch in branches])
    refusals = [report for report in reports if report is not None]
    codes = sorted(set(refusals))
    return Reply(
        {"succeeded": len(reports) - len(refusals), "refused": len(refusals)},
        refusal=", ".join(codes) or None,
        message=f"{len(refusals)} of {len(reports)}",
    )


def performed(stage: Stage, branch: list[Written]) -> list[Report]:
    """For each step of a branch the code of its refusal, or None."""
    return [stage.act(step).refusal for step in branch]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of step: what carries it out, and the fields it needs and allows."""

    act: Callable[[Stage, dict[str, Any]], Reply]
    needed: set[str] = field(default_factory=set)
    allowed: set[str] = field(default_factory=set)


_TIMES: Final = {"recorded_at", "ingested_at"}
_BY: Final = {"agent", "base_version", "text", "scope", *_TIMES}

_STEPS: Final = {
    "alias": Kind(alias, {"name", "entity"}),
    "conflicts": Kind(conflicts, set(), {"subject"}),
    "correct": Kind(correct, {"subject", "attribute", "value"}, {"was", "unit", *_BY}),
    "declare": Kind(
        declare,
        {"attribute"},
        {"cardinality", "value_type", "unit", "changes", "half_life_days", "synonyms", "patterns", "about"},
    ),
    "end": Kind(end, {"subject", "attribute"}, {"value", "at", *_BY}),
    "entities": Kind(entities, set(), {"name_like", "type"}),
    "evidence": Kind(evidence, {"subject", "attribute"}),
    "fill": Kind(fill, {"count"}, {"brief", "note"}),
    "integrity": Kind(integrity),
    "list": Kind(stats),
    "observe": Kind(
        observe,
        {"source_id"},
        {"text", "claims", "source_type", "source_trust", "agent", "context", "visibility", "lang", "pinned"}
        | {"derived_from", "idempotency_key", "base_version", "resolution", "measure", *_TIMES},
    ),
    "parallel": Kind(parallel, {"branches"}, {"processes"}),
    "query": Kind(
        query,
        set(),
        {"text", "subject", "attribute", "valid_at", "known_at", "valid_from", "valid_to", "day", "tz"}
        | {"host_tz", "asked_at", "mode", "repeat", "min_score", "measure", "agent", "context"},
    ),
    "read": Kind(read, {"subject", "attribute"}),
    "restart": Kind(restart),
    "retract": Kind(retract, {"of"}, {"agent", "reason", *_TIMES}),
    "stats": Kind(stats),
    "unalias": Kind(unalias, {"name", "entity"}),
    "update": Kind(update, {"subject", "attribute", "value", "agent"}, {"base_version", "at"}),
}
