"""Archives and backups: what a memory lived through is whole in them, and only what is whole is taken."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knowwhy
from knowwhy.core.model import Access, Declared
from knowwhy.engine.space import Space
from knowwhy.errors import Conflict, InvalidInput, NewerFormat, NotFound, Refused
from knowwhy.exchange.archive import Writing, batch_from
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Batch
from knowwhy.testing.suite.declaring import EXAMPLES
from tests.laws import lives, readers
from tests.servers import server
from tests.unit.test_migrate import answers, lived, vectors_of


def shared(address: str) -> None:
    """Let several people use a memory: names, who is who, grants, and words that not everybody may read."""
    with knowwhy.open(address) as memory:
        memory.grant("user:ann", "decide", "pin")
        memory.shared_with("user:ann").observe(source="ann", claims=[("acme", "plan", "w")])
        memory.observe(source="bob", claims=[("the firm", "site", "u"), ("acme", "site", "v")])
        memory.merge_entities("acme", "the firm")
        memory.quarantine("bob")
        memory.configure(audits=30)
        memory.recall("plan of acme")
        memory.ask("acme")
        memory.observe("The plan is 7.", source="bob", source_type="user", extract="later")


@pytest.mark.parametrize("where", ["file", "server"])
def test_a_memory_made_anew_from_its_archive_answers_the_same(where: str, tmp_path: Path) -> None:
    is_on_server = where == "server"
    first, last = str(tmp_path / "first.db"), str(tmp_path / "last.db")
    between = server().fresh() if is_on_server else str(tmp_path / "between.db")
    lived(first, 3 if is_on_server else 0, 4 if is_on_server else 14)
    shared(first)
    paths = [tmp_path / f"{number}.jsonl" for number in range(3)]
    with knowwhy.open(first) as memory:
        whole = memory.export(paths[0])
    with knowwhy.open(between) as memory:
        assert memory.import_from(paths[0]).new == whole.counts["operations"]
        assert (memory.import_from(paths[0]).new, memory.backup(paths[1]).kind) == (
            0,
            "archive" if is_on_server else "file",
        )
        memory.export(paths[2])
    with knowwhy.open(last) as memory:
        memory.import_from(paths[2])
    assert paths[0].read_bytes().count(b'{"answer":') == 2
    assert paths[0].read_bytes() == paths[2].read_bytes()
    assert not is_on_server or paths[1].read_bytes() == paths[0].read_bytes()
    assert answers(first) == answers(between) == answers(last)
    assert vectors_of(first) == vectors_of(between) == vectors_of(last)
    for address in (first, last):
        with knowwhy.open(address) as memory:
            told = [memory.seen_by(user=name).ask("acme", "plan").as_dict() for name in ("ann", "bob")]
            assert told[0] != told[1] or address == first
            assert [one.name for one in memory.grants()] == ["user:ann"]


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_whatever_was_lived_comes_back(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("lives")
    life = lives.Life(seed)
    for _ in range(12):
        life.step()
    first = life.memory
    first.export(folder / "a.jsonl")
    second = knowwhy.Memory(Space(MemoryStore(), clock=life.clock))
    second.import_from(folder / "a.jsonl")
    second.export(folder / "b.jsonl")
    assert (folder / "a.jsonl").read_bytes() == (folder / "b.jsonl").read_bytes()
    assert lives.told(first) == lives.told(second)
    assert [str(one) for one in first.log()] == [str(one) for one in second.log()]
    for one in lives.ATTRIBUTES:
        assert str(first.history("acme", one)) == str(second.history("acme", one))
    assert str(first.conflicts()) == str(second.conflicts())
    # What is done next has the same outcome: nothing that decides is missing.
    for line in (first, second):
        line.observe(source="z", claims=[("acme", "plan", "z")], observed_at=life.clock.moment())
    assert lives.told(first) == lives.told(second)


@settings(max_examples=4)
@given(steps=readers.steps())
def test_what_not_everybody_may_read_comes_back_as_such(
    steps: list[readers.Step], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("shared") / "a.jsonl"
    first, second = readers.Life(MemoryStore()), readers.Life(MemoryStore())
    first.live(steps, lambda _: True)
    second.clock.day = first.clock.day
    numbers = readers.in_order(first, lambda _: True)
    first.memory.export(path)
    second.memory.import_from(path)
    for who in readers.READERS:
        told = [readers.told_to(one.memory, who, numbers, len(steps)) for one in (first, second)]
        assert told[0] == told[1]


@pytest.mark.parametrize("one", EXAMPLES, ids=lambda one: one.kind)
def test_every_kind_that_is_declared_comes_back(one: Declared) -> None:
    written = json.loads(Writing().entry(_declaring(one)))
    assert batch_from(written) == _declaring(one)


def _declaring(one: Declared) -> Batch:
    from_batch: Batch = batch_from(
        {"operation": {"sequence": 3, "at": 5, "decided_at": 5, "act": "declare", "access": ""}}
    )
    assert from_batch.operation.access == Access()
    return Batch(from_batch.operation, declarations=(one,))


def _archive(folder: Path) -> Path:
    with knowwhy.open(str(folder / "shop.db")) as memory:
        memory.observe(source="ann", claims=[("order", "colour", "红")])
        memory.fork("if").observe(source="ann", claims=[("order", "colour", "blue")])
        memory.observe(source="bob", claims=[("order", "size", "L")])
        memory.export(folder / "shop.jsonl")
    return folder / "shop.jsonl"


def test_an_archive_that_is_not_whole_is_not_taken_at_all(tmp_path: Path) -> None:
    path = _archive(tmp_path)
    whole = path.read_bytes().splitlines(keepends=True)
    changed = [*whole[:2], whole[2].replace(b"colour", b"color "), *whole[3:]]
    assert changed != whole
    for number, lines in enumerate((whole[:-1], whole[:-2], changed, [*whole[:2], *whole[3:]], [])):
        path.write_bytes(b"".join(lines))
        with knowwhy.open(str(tmp_path / f"{number}.db")) as memory:
            with pytest.raises(InvalidInput, match=r"not whole|no archive"):
                memory.import_from(path, "jsonl")
            assert memory.stats()["operations"] == 0
    path.write_bytes(b'{"knowwhy archive":99,"space":"main"}\n')
    with knowwhy.open() as memory, pytest.raises(NewerFormat, match="99"):
        memory.import_from(path)


def test_an_archive_goes_where_nothing_else_is(tmp_path: Path) -> None:
    path = _archive(tmp_path)
    with knowwhy.open() as other:
        other.observe(source="eve", claims=[("order", "colour", "green")])
        before = other.stats()
        with pytest.raises(Conflict, match="not how the archive begins"):
            other.import_from(path)
        assert other.stats() == before
    with knowwhy.open(str(tmp_path / "shop.db")) as same:
        assert same.import_from(path).new == 0
        same.observe(source="eve", claims=[("order", "colour", "green")])
        with pytest.raises(Conflict):
            same.import_from(path)
    with knowwhy.open(space="another") as named, pytest.raises(InvalidInput, match="space='main'"):
        named.import_from(path)


def test_what_is_there_is_left_and_nothing_half_written_stays(tmp_path: Path) -> None:
    path = _archive(tmp_path)
    before = sorted(one.name for one in tmp_path.iterdir())
    with knowwhy.open(str(tmp_path / "shop.db")) as memory:
        for write in (memory.export, memory.backup):
            with pytest.raises(InvalidInput, match="is there already"):
                write(path)
            with pytest.raises(NotFound, match="no folder"):
                write(tmp_path / "none" / "a.jsonl")

        def stop(_done: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.export(tmp_path / "b.jsonl", progress=stop)
        with pytest.raises(KeyboardInterrupt):
            memory.backup(tmp_path / "b.db", progress=stop)
    assert sorted(one.name for one in tmp_path.iterdir()) == before


def test_only_the_owner_takes_all_and_an_archive_is_of_no_time(tmp_path: Path) -> None:
    path = _archive(tmp_path)
    with knowwhy.open(str(tmp_path / "shop.db")) as memory:
        ann = memory.seen_by(user="ann")
        for call in (
            lambda: ann.export(tmp_path / "x.jsonl"),
            lambda: ann.backup(tmp_path / "x.db"),
            lambda: ann.import_from(path),
        ):
            with pytest.raises(Refused, match="only its owner"):
                call()
        with pytest.raises(InvalidInput, match="no time"):
            memory.at(known="2025-01-01").export(tmp_path / "x.jsonl")


def test_a_backup_is_of_one_moment_while_others_write(tmp_path: Path) -> None:
    address = str(tmp_path / "busy.db")
    stop = threading.Event()
    with knowwhy.open(address) as memory:
        for number in range(20):
            memory.observe(source="ann", claims=[("order", f"a{number}", "x" * 2_000)])

        def write() -> None:
            number = 0
            while not stop.is_set():
                memory.observe(source="bob", claims=[(f"order {number}", "size", "L")])
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(3):
                memory.backup(tmp_path / f"{number}.db")
        finally:
            stop.set()
            writer.join()
        operations = memory.stats()["operations"]
    sizes = []
    for number in range(3):
        with knowwhy.open(str(tmp_path / f"{number}.db")) as copy:
            assert copy.doctor().is_healthy
            sizes.append(copy.stats()["operations"])
    assert 20 <= sizes[0] <= sizes[1] <= sizes[2] <= operations


def test_what_was_erased_since_is_erased_again_after_a_restore(tmp_path: Path) -> None:
    day = datetime(2025, 9, 1, tzinfo=UTC)
    with knowwhy.open(str(tmp_path / "desk.db")) as memory:
        memory.observe(
            "Mr Quirke moved.", source="chat", observed_at=day, claims=[("Quirke", "street", "Elm")]
        )
        memory.observe("Bob pays by card.", source="chat", observed_at=day, claims=[("Bob", "pays", "card")])
        memory.backup(tmp_path / "restored.db")
        memory.export(tmp_path / "old.jsonl")
        memory.forget(person="Quirke")
        receipts = [one.as_dict() for one in memory.erasures()]
        memory.export(tmp_path / "new.jsonl")
    assert b"Quirke" not in (tmp_path / "new.jsonl").read_bytes()
    assert "Quirke" not in json.dumps(receipts)
    with knowwhy.open(str(tmp_path / "from_archive.db")) as memory:
        memory.import_from(tmp_path / "old.jsonl")
    for name in ("restored.db", "from_archive.db"):
        with knowwhy.open(str(tmp_path / name)) as memory:
            assert str(memory.ask("Quirke", "street").value) == "Elm"
            for one in receipts:
                memory.forget(evidence=one["records"])
            assert memory.ask("Quirke", "street").value is None
            assert str(memory.ask("Bob", "pays").value) == "card"
        assert b"Quirke" not in (tmp_path / name).read_bytes()
