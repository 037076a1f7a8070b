"""Every door offers every verb: the command line has a command for each, and each is there to be awaited."""

import asyncio
import inspect
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest
import typer.main

import knowwhy
from knowwhy.engine.aio import AsyncReader
from knowwhy.surfaces.cli import app
from tests.corpus.meaning import WordModel

VERBS: Mapping[str, Callable[..., Any]] = {
    name: verb for name, verb in inspect.getmembers(knowwhy.Memory, callable) if not name.startswith("_")
}
READING = frozenset(name for name in VERBS if hasattr(knowwhy.Reader, name))

# Verbs without a command of their own, and why.
NO_COMMAND = {
    "add": "the name that other memories give observe",
    "search": "the name that other memories give recall",
    "at": "the options --at, --known and --branch of every command that reads",
    "in_run": "observe --run",
    "on": "the option --branch of every command",
    "seen_by": "the options --agent, --user and --group of every command",
    "shared_with": "the option --share of every command",
    "preview_merge": "merge --preview",
    "preview_forget": "forget --preview",
    "observe_many": "observe --jsonl",
    "close": "a command closes what it opened",
    "work": "worker, which goes on until it is stopped",
}
# Commands that are no verb, and why.
NO_VERB = {
    "init": "opening a memory makes it; here that is said",
    "worker": "work, again and again",
    "migrate": "between two memories: knowwhy.migrate",
    "mcp": "another door",
    "serve": "offers all verbs to others",
    "keys": "who may call what serve offers",
    "eval": "of sets of stories, not of a memory: knowwhy.evaluate and knowwhy.from_memory",
    "admin": "for those who run servers, of all memories at once",
}

# Parameters that a command gives another name, or offers in another form.
WORDED: Mapping[str, str] = {
    "conditions": "when",
    "claims": "claim",
    "observe": "claim",
    "half_life_days": "half_life",
    "patterns": "pattern",
    "synonyms": "synonym",
    "share": "at_most",
}
NOT_OFFERED = {"progress": "shown where somebody is looking"}


def parameters(verb: Callable[..., Any]) -> Iterator[str]:
    """Give the names a caller may pass, those in a typed group of keywords too."""
    hints = get_type_hints(verb, include_extras=True)
    for name, parameter in inspect.signature(verb).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            (group,) = get_args(hints[name])
            yield from get_type_hints(get_origin(group) or group)
        elif name != "self":
            yield name


def commands() -> Mapping[str, Any]:
    """Give the commands by the names that their verbs have: declare-rule is declare_rule."""
    program: Any = typer.main.get_command(app)
    found: Mapping[str, Any] = program.commands
    assert not any("_" in name for name in found)
    return {name.replace("-", "_"): command for name, command in found.items()}


def test_every_verb_has_a_command_and_every_command_a_verb() -> None:
    assert set(commands()) - set(NO_VERB) == set(VERBS) - set(NO_COMMAND)
    assert set(NO_COMMAND) <= set(VERBS)
    assert set(NO_VERB) <= set(commands())


@pytest.mark.parametrize("name", sorted(set(VERBS) - set(NO_COMMAND)))
def test_a_command_offers_every_parameter_of_its_verb(name: str) -> None:
    offered = {option.name for option in commands()[name].params}
    due = {WORDED.get(parameter, parameter) for parameter in parameters(VERBS[name])} - set(NOT_OFFERED)
    assert due <= offered
    assert {"db", "space", "branch", "zone", "is_json"} <= offered
    assert ({"at", "known"} <= offered) == (name in READING)


def test_observing_many_takes_every_parameter_as_well() -> None:
    offered = {option.name for option in commands()["observe"].params}
    assert set(parameters(VERBS["observe_many"])) - {"observations"} <= offered
    assert "jsonl" in offered


def test_every_verb_can_be_awaited() -> None:
    awaited = {name for name, _ in inspect.getmembers(knowwhy.AsyncMemory, callable) if name[0] != "_"}
    lifted = {name for name in vars(knowwhy.AsyncMemory) | vars(AsyncReader) if name[0] != "_"}
    assert awaited | lifted == set(VERBS)


@pytest.mark.parametrize("name", sorted(VERBS))
def test_an_awaited_verb_is_called_as_the_verb_is(name: str) -> None:
    memory = knowwhy.AsyncMemory(knowwhy.open())
    verb = getattr(memory, name)
    assert _called(verb) == _called(VERBS[name])
    assert inspect.getdoc(verb)
    assert inspect.iscoroutinefunction(verb) == (name not in {"at", "in_run", "seen_by", "shared_with"})
    if name in READING - {"at"}:
        assert inspect.iscoroutinefunction(getattr(memory.at("2025-01-01"), name))


def _called(verb: Callable[..., Any]) -> list[inspect.Parameter]:
    return [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in inspect.signature(verb).parameters.items()
        if name != "self"
    ]


DAY = "2025-01-10"
EMPTY = tempfile.mkdtemp()
CLAIM = ("order", "return window", "15")


def _memory() -> knowwhy.Memory:
    embedder = WordModel("words", 8)
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01"), embedder=embedder)
    memory.observe(source="ann", claims=[CLAIM], observed_at=DAY)
    memory.alias("purchase", "order")
    memory.declare_rule("generous", premises=[("?x", "size", "big")], conclusion=("?x", "returns", "easy"))
    memory.fork("if").observe(source="ann", claims=[("order", "colour", "red")], observed_at=DAY)
    memory.observe(source="bob", claims=[("parcel", "colour", "red")], observed_at=DAY)
    memory.observe("No, it is 16 now.", source="bob", source_type="user", observed_at=DAY)
    memory.observe(source="mill", claims=[("shirt", "colour", "grey")], observed_at=DAY)
    memory.quarantine("mill")
    for source, value in (("ann", "S"), ("bob", "L")):
        memory.observe(source=source, claims=[("shirt", "size", value)], observed_at=DAY)
    memory.configure(audits=30)
    memory.ask("shirt", "size")
    return memory


# The same on every run, since ids are hashes of content.
EVIDENCE: str = _memory().log()[-1].outcome.evidence[0]
INCOMPLETE: str = _memory().incomplete()[0].id
CONFLICT: str = _memory().conflicts()[0].id
AUDIT: str = _memory().audits()[0].id
BELIEF: str = _memory().ask("order", "return window").findings[0].id

CHAT = Path(EMPTY) / "chat.jsonl"
CHAT.write_text('{"role": "user", "content": "Hello.", "timestamp": "2025-01-01T10:00:00Z"}\n')


def fresh(name: str) -> Path:
    """Give a path at which nothing is."""
    path = Path(EMPTY) / name
    path.unlink(missing_ok=True)
    return path


# One call of each verb; of an asynchronous memory it gives what is to be awaited.
CALLS: Mapping[str, Callable[[Any], Any]] = {
    "add": lambda m: m.add("Hello there.", source="ann"),
    "alias": lambda m: m.alias("deal", "order"),
    "backup": lambda m: m.backup(fresh("backup.db")),
    "assign": lambda m: m.assign(CONFLICT, "ann", due="2025-03-01"),
    "ask": lambda m: m.ask("order"),
    "at": lambda m: m.at(valid=DAY).ask("order", "return window"),
    "branches": lambda m: m.branches(),
    "calibration": lambda m: m.calibration(attribute="return window"),
    "changes": lambda m: m.changes(2),
    "close": lambda m: m.close(),
    "configure": lambda m: m.configure(policy="newest", confidence="log-odds"),
    "complete": lambda m: m.complete(INCOMPLETE, "order", "return window", "16"),
    "conflicts": lambda m: m.conflicts(),
    "correct": lambda m: m.correct("order", "return window", "14"),
    "declared": lambda m: m.declared(),
    "declare": lambda m: m.declare("price", unit="EUR", depends_on=["supplier"], author="ann"),
    "declare_denial": lambda m: m.declare_denial(
        "no", [("?x", "return window", "15"), ("?x", "final", "yes")]
    ),
    "declare_rule": lambda m: m.declare_rule(
        "lenient", premises=[("?x", "return window", "15")], conclusion=("?x", "returns", "easy")
    ),
    "derive": lambda m: m.derive("order", "returns", "easy", premises=[("order", "return window")]),
    "diff": lambda m: m.diff(1),
    "dismiss": lambda m: m.dismiss(INCOMPLETE),
    "distinguish": lambda m: m.distinguish("order", "parcel"),
    "doctor": lambda m: m.doctor(),
    "erasures": lambda m: m.erasures(),
    "forget": lambda m: m.forget(source="ann"),
    "merge_entities": lambda m: m.merge_entities("order", "parcel"),
    "preview_forget": lambda m: m.preview_forget(source="ann"),
    "drop": lambda m: m.drop("if"),
    "embed": lambda m: m.embed(),
    "end": lambda m: m.end("order", "return window", at="2025-02-01"),
    "feedback": lambda m: m.feedback(BELIEF, "right", by="ann"),
    "dream": lambda m: m.dream(),
    "summary": lambda m: m.summary("order"),
    "expire": lambda m: m.expire(),
    "export": lambda m: m.export(fresh("export.jsonl")),
    "fork": lambda m: m.fork("up", assumes="more"),
    "give_up": lambda m: m.give_up("order", "return window", author="ann"),
    "grant": lambda m: m.grant("group:editors", "decide", "pin"),
    "grants": lambda m: m.grants(),
    "history": lambda m: m.history("order", "return window"),
    "import_from": lambda m: m.import_from(CHAT, "chat"),
    "in_run": lambda m: m.in_run("May").log(),
    "incomplete": lambda m: m.incomplete(),
    "audits": lambda m: m.audits(),
    "explain": lambda m: m.explain(AUDIT),
    "learn": lambda m: m.learn(author="ann"),
    "log": lambda m: m.log(limit=1),
    "merge": lambda m: m.merge("if"),
    "observe": lambda m: m.observe(source="bob", claims=[("order", "colour", "red")]),
    "observe_many": lambda m: m.observe_many([knowwhy.Observation("bob", "Hello.")]),
    "on": lambda m: m.on("if"),
    "preview_merge": lambda m: m.preview_merge("if"),
    "quarantine": lambda m: m.quarantine("bob"),
    "questions": lambda m: m.questions(),
    "duplicates": lambda m: m.duplicates(),
    "rebuild": lambda m: m.rebuild(),
    "recall": lambda m: m.recall("return an order"),
    "release": lambda m: m.release("mill"),
    "resolve": lambda m: m.resolve(CONFLICT, "L"),
    "retract": lambda m: m.retract(EVIDENCE),
    "search": lambda m: m.search("return an order"),
    "seen_by": lambda m: m.seen_by(agent="ann").log(),
    "shared_with": lambda m: m.shared_with("group:editors").log(),
    "show": lambda m: m.show(1),
    "snapshot": lambda m: m.snapshot("May"),
    "snapshots": lambda m: m.snapshots(),
    "sources": lambda m: m.sources("ann"),
    "stats": lambda m: m.stats(),
    "queue": lambda m: m.queue(),
    "sync": lambda m: m.sync(EMPTY),
    "reextract": lambda m: m.reextract("again", extractor="rules"),
    "observe_document": lambda m: m.observe_document("handbook.md", "1", "Hello there."),
    "retry": lambda m: m.retry(),
    "work": lambda m: m.work(limit=1),
    "to_check": lambda m: m.to_check(seed=1),
    "trust": lambda m: m.trust(*CLAIM),
    "unalias": lambda m: m.unalias("purchase", "order"),
    "undo": lambda m: m.undo(1),
    "used": lambda m: m.used("return an order", [BELIEF]),
    "vacuum": lambda m: m.vacuum("2025-01-15"),
    "what_if": lambda m: m.what_if(retract=EVIDENCE),
    "withdraw_rule": lambda m: m.withdraw_rule("Generous"),
    "why": lambda m: m.why("order", "return window"),
    "why_not": lambda m: m.why_not("order", "return window", "14"),
}


def test_every_verb_is_called() -> None:
    assert set(CALLS) == set(VERBS)


@pytest.mark.parametrize("name", sorted(VERBS))
def test_a_verb_does_the_same_awaited_or_not(name: str) -> None:
    async def awaited() -> object:
        async with knowwhy.AsyncMemory(_memory()) as memory:
            told: object = await CALLS[name](memory)
            return told

    with _memory() as memory:
        assert str(asyncio.run(awaited())) == str(CALLS[name](memory))
