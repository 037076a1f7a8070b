"""Moving house: whatever a memory lived through, it is the same in another store, and answers the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import knowwhy
from knowwhy.core.model import Claim, Evidence
from knowwhy.engine.address import shown_address, store_at
from knowwhy.engine.migrate import checksum_of
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Batch, StaleRead, Store, Vector
from knowwhy.store.replay import Records
from knowwhy.testing.records import claim, evidence, observations, slot
from knowwhy.testing.suite.opening import state
from knowwhy.testing.workload import Workload
from tests.laws import lives
from tests.servers import server
from tests.surfaces.program import run

Told = tuple[list[Evidence], list[Claim]]

_NUMBERS: Final = count()


@contextmanager
def at(address: str) -> Iterator[Store]:
    store = store_at(address)
    yield store
    store.close()


def lived(address: str, seed: int, steps: int) -> list[str]:
    """A memory with a random life, branches of it with theirs, and a vacuum; the spaces of its lines."""
    with at(address) as store:
        life = lives.Life(seed, store)
        life.memory.alias("the big one", "order")
        main = life.memory
        for _ in range(steps):
            life.step()
        for name in ("if", "else"):
            life.memory = main.fork(name)
            for _ in range(steps // 3):
                life.step()
            life.memory = life.memory.fork(f"{name} deeper")
            life.step()
            life.memory = main
        main.drop("else deeper")
        main.merge("else")
        main.undo(3, anyway=True)
        main.snapshot("May")
        main.unalias("the big one", "order")
        main.learn()
        if seed % 2:
            main.vacuum(life.clock.moment() - timedelta(days=365))
        life.step()
        with store.snapshot("main") as view:
            told = [one.id for one in view.every(Evidence)][:5]
        put_vectors(store, told, b"\0\0\x80\x3f")
        return ["main", *(one.branch.space for one in main.branches())]


def put_vectors(store: Store, documents: list[str], numbers: bytes) -> None:
    rows = [Vector(one, "small", numbers) for one in documents]
    store.replace_views("main", rows, is_whole=False)


def vectors_of(address: str) -> set[tuple[str, str, bytes]]:
    with at(address) as store, store.snapshot("main") as view:
        return {(one.document, one.model, one.numbers) for one in view.every(Vector)}


def answers(address: str) -> list[object]:
    """What each line of a memory says, at several times."""
    found: list[object] = []
    with knowwhy.open(address) as memory:
        for line in (memory, *(memory.on(one.name) for one in memory.branches())):
            times = (None, "2025-01-10", "2025-02-01")
            found += [lives.told(line.at(valid="2026-01-01", known=when)) for when in times]
            found += [json.dumps(one.as_dict(), sort_keys=True) for one in line.log(limit=500)]
            found.append(line.stats())
            assert line.doctor().is_healthy
    return found


@pytest.mark.parametrize("seed", [0, 3])
def test_a_random_life_is_the_same_there_and_back(seed: int, tmp_path: Path) -> None:
    first, url, last = str(tmp_path / "first.db"), server().fresh(), str(tmp_path / "last.db")
    lines = lived(first, seed, 18)
    there = knowwhy.migrate(first, url)
    back = knowwhy.migrate(url, last)
    assert there.checksum == back.checksum
    assert (there.behind, back.behind) == (0, 0)
    assert there.operations == there.copied == back.copied
    assert there.lines >= len(lines)
    with at(first) as old, at(url) as middle, at(last) as new:
        for line in lines:
            assert without_links(old, line) == without_links(middle, line) == without_links(new, line)
            assert old.problems(line) == middle.problems(line) == new.problems(line)
    assert answers(first) == answers(url) == answers(last)
    assert vectors_of(first) == vectors_of(url) == vectors_of(last)


def test_vectors_that_were_put_or_taken_away_since_follow(tmp_path: Path) -> None:
    source, target = str(tmp_path / "shop.db"), str(tmp_path / "new.db")
    lived(source, 4, 10)
    knowwhy.migrate(source, target)
    before = vectors_of(source)
    assert vectors_of(target) == before != set()
    with at(source) as store:
        (first, *_), (second, *_) = sorted(before)[:2]
        put_vectors(store, [first], b"")
        put_vectors(store, [second], b"\0\0\0\x40")
    assert knowwhy.migrate(source, target).copied == 0
    assert vectors_of(target) == vectors_of(source) != before


def without_links(store: Store, line: str) -> dict[str, object]:
    """All that a line says, but for where the last link was recorded, which a vacuum may have dropped."""
    found = state(store, line, ["the big one"])
    head = found.pop("head")
    return found | {"head": (head.sequence, head.at, head.schema)}  # type: ignore[attr-defined]


@given(first=st.lists(observations(), max_size=6), later=st.lists(observations(), max_size=4))
@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_records_there_are_they_are_copied_and_caught_up_with(
    first: list[Told], later: list[Told], tmp_path: Path
) -> None:
    source, target, space = str(tmp_path / "one.db"), str(tmp_path / "two.db"), f"s{next(_NUMBERS)}"
    with at(source) as store:
        work = Workload(store, space)
        for told in (first, later, []):
            new = commit(work, told)
            assert knowwhy.migrate(source, target, space=space).copied == new
        with at(target) as moved:
            assert state(moved, space) == state(store, space)


def commit(work: Workload, told: list[Told]) -> int:
    """Commit what was drawn, but for what is on record already; how many operations that came to."""
    done = 0
    for one in told:
        with suppress(StaleRead):
            work.commit(work.observation(*one))
            done += 1
    return done


def test_a_memory_may_be_written_to_while_it_moves(tmp_path: Path) -> None:
    source, url = str(tmp_path / "shop.db"), server().fresh()
    lived(source, 5, 20)
    with knowwhy.open(source) as memory:
        before = memory.log(limit=1)[0].operation.sequence

        def interfere(done: int) -> None:
            if done % 5 == 0:
                memory.observe(source="late", claims=[("late", "number", done)])

        first = knowwhy.migrate(source, url, progress=interfere)
        assert memory.log(limit=1)[0].operation.sequence > before
        last = knowwhy.migrate(source, url)
    assert first.behind == last.copied
    assert last.behind == 0
    assert answers(source) == answers(url)


def test_a_migration_that_broke_off_is_gone_on_with(tmp_path: Path) -> None:
    source, target = str(tmp_path / "shop.db"), str(tmp_path / "new.db")
    lived(source, 6, 20)

    def break_off(done: int) -> None:
        if done == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        knowwhy.migrate(source, target, progress=break_off)
    done = knowwhy.migrate(source, target)
    assert done.copied == done.operations - 9
    assert answers(source) == answers(target)


def other(address: str) -> None:
    with knowwhy.open(address) as memory:
        memory.observe(source="bob", claims=[("bob", "number", 1)])


def vacuumed(address: str) -> None:
    with knowwhy.open(address) as memory:
        memory.retract(memory.log(limit=50)[-1].outcome.evidence[0])
        memory.vacuum(memory.log(limit=1)[0].as_dict()["at"])


def further(address: str) -> None:
    with knowwhy.open(address) as memory:
        memory.observe(source="bob", claims=[("bob", "number", 2)])


@pytest.mark.parametrize(("prepare", "is_source"), [(other, False), (vacuumed, True), (further, False)])
def test_what_is_something_else_is_left_as_it_is(
    prepare: Callable[[str], None], *, is_source: bool, tmp_path: Path
) -> None:
    source, target = str(tmp_path / "shop.db"), str(tmp_path / "new.db")
    with knowwhy.open(source) as memory:
        memory.observe("It is 7.", source="ann", claims=[("order", "number", 7)])
        memory.observe("It is 8.", source="ann", claims=[("order", "number", 8)])
    if prepare is not other:
        knowwhy.migrate(source, target)
    prepare(source if is_source else target)
    with at(target) as store:
        before = state(store, "main")
    with pytest.raises(knowwhy.InvalidInput, match="not how the source begins"):
        knowwhy.migrate(source, target)
    with at(target) as store:
        assert state(store, "main") == before


def test_a_memory_does_not_move_to_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(knowwhy.InvalidInput, match="two places"):
        knowwhy.migrate(tmp_path / "shop.db", tmp_path / "shop.db")


def test_the_checksum_of_a_log_tells_every_record() -> None:
    """Change any column of any record of the log, and the checksum is another one."""
    url = server().fresh()
    lived(url, 8, 40)

    def checksum() -> str:
        with at(url) as store, store.snapshot("main") as view:
            return checksum_of(view.every(Batch))

    before = checksum()
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    changed = 0
    with psycopg.connect(server().url(name, as_admin=True), autocommit=True) as admin:
        admin.execute("SET search_path = knowwhy")
        admin.execute("SET session_replication_role = replica")
        for table, column, change in CHANGES:
            admin.execute("BEGIN")
            done = admin.execute(
                f"UPDATE {table} SET {column} = {change} WHERE {column} IS NOT NULL"  # noqa: S608
            ).rowcount
            assert done > 0, (table, column)
            admin.execute("COMMIT")
            assert checksum() != before, (table, column)
            before = checksum()
            changed += 1
    assert changed == len(CHANGES)


CHANGES = (
    ("operations", "decided_at", "decided_at + 1"),
    ("operations", "act", "CASE act WHEN 'observe' THEN 'declare' ELSE 'observe' END"),
    ("operations", "request", "request || '.'"),
    ("operations", "outcome", "outcome || '{\"more\": 1}'"),
    ("entities", "name", "name || '.'"),
    ("evidence", "text", "text || '.'"),
    ("evidence", "observed_at", "observed_at + 1"),
    ("evidence", "recorded_at", "recorded_at - 1"),
    ("evidence", "is_pinned", "NOT is_pinned"),
    ("sources", "reliability", "reliability / 2"),
    ("claims", "value_text", "value_text || '.'"),
    ("claims", "weight", "weight / 2"),
    ("claims", "stance", "CASE stance WHEN 'supports' THEN 'refutes' ELSE 'supports' END"),
    ("slots", "attribute", "attribute || '.'"),
    ("names", "name", "name || '.'"),
    ("retractions", "target", "target || '.'"),
    ("decisions", "operation", "operation - 1"),
)


def test_a_record_of_every_kind_is_part_of_the_log() -> None:
    """Whoever adds a kind of record to what is committed must let it be read back and moved."""
    computed = {"beliefs", "texts", "expected", "schema", "links"}
    spelt = {"operation": "operations"}
    due = {spelt.get(one.name, one.name) for one in fields(Batch)} - computed
    assert due == {one.name for one in fields(Records)}


def test_an_address_is_told_without_who_uses_it() -> None:
    assert shown_address("postgresql://me:secret@db.example:5433/shop?password=x") == (
        "postgresql://db.example:5433/shop"
    )
    assert shown_address("shop.db") == "shop.db"


def test_the_command_moves_a_memory(tmp_path: Path) -> None:
    source, target = tmp_path / "shop.db", tmp_path / "new.db"
    lived(str(source), 9, 10)
    told = run("migrate", source, target)
    assert told.code == 0
    assert "Logs and views are equal" in told.out
    again = run("migrate", source, target, "--json")
    assert (again.document["copied"], again.document["behind"]) == (0, 0)
    assert run("migrate", tmp_path / "none.db", target).code == 3
    assert run("migrate", source, target, "--db", source).code == 2
    assert not (tmp_path / "none.db").exists()


def test_the_oracle_gives_the_log_that_was_committed() -> None:
    store = MemoryStore()
    work = Workload(store)
    ground = evidence("It costs 7.")
    batch = work.observation([ground], [claim(ground, slot("tea", "price"), "7")], key="seven")
    work.commit(batch)
    work.commit(work.withdrawal(ground.id, "an error"))
    with store.snapshot("default") as view:
        said, withdrawn = view.every(Batch)
        items = said.evidence
        assert [(one.id, one.recorded_at) for one in items] == [(ground.id, said.operation.at)]
        assert said == replace(
            batch, operation=said.operation, evidence=items, beliefs=(), texts=(), expected={}
        )
        assert [one.target for one in withdrawn.retractions] == [ground.id]
        assert [one.operation.sequence for one in view.every(Batch, after=1)] == [2]
