"""How memories on PostgreSQL are read: by indexes that begin with the space, whatever is asked."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any, Final

import psycopg
import pytest

from knowwhy.core.model import Alias, Attribute, Belief, Evidence, Slot, Status, entity_value
from knowwhy.core.revision import ContestKey
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.connections import Connections
from knowwhy.store.postgres.session import Session
from knowwhy.store.protocol import Batch, BeliefFilter, Decision, Snapshot
from knowwhy.testing.records import claim, evidence, slot
from knowwhy.testing.suite.committing import bare
from knowwhy.testing.workload import Workload
from tests.servers import server

# How many things are spoken of: so few that the server has not looked at the tables yet, or many.
THINGS: Final = {"new": 12, "grown": 1_500, "cleaned up": 1_500}

# What keeps a planner from having several processes read for one statement.
PARALLEL_COSTS: Final = (
    "parallel_setup_cost",
    "parallel_tuple_cost",
    "min_parallel_table_scan_size",
    "min_parallel_index_scan_size",
)

# What opens a transaction, and so has no plan of its own.
OPENING: Final = re.compile("BEGIN|COMMIT|ROLLBACK|SELECT set_config|SELECT pg_notify|LOCK|CREATE|SET ")


def thing(number: int) -> Slot:
    """A slot, one of several of its subject."""
    return slot(f"thing {number // 3}", f"trait {number % 60}")


def fill(store: PostgresStore, space: str, things: int) -> Workload:
    """Write claims about many things, some of them contested."""
    work = Workload(store, space)
    for source in ("a", "b"):
        grounds = [evidence(f"thing {n} costs {n} francs, says {source}") for n in range(things)]
        read = [claim(one, thing(n), f"{n if n % 9 else source} francs") for n, one in enumerate(grounds)]
        work.commit(work.observation(grounds, read))
    work.commit(work.naming(thing(1).subject, "the first"))
    work.commit(work.declaration(Attribute("price")))
    return work


@contextmanager
def statements() -> Iterator[dict[str, Any]]:
    """Collect the statements that are sent, each with what was bound last."""
    seen: dict[str, Any] = {}
    send = psycopg.Cursor.execute

    def noted(self: Any, query: Any, params: Any = None, **options: Any) -> Any:  # noqa: ANN401
        seen[str(query)] = params
        return send(self, query, params, **options)

    psycopg.Cursor.execute = noted  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        psycopg.Cursor.execute = send  # type: ignore[method-assign]


def read_all(snapshot: Snapshot, belief: Belief) -> None:
    """Ask everything that can be asked of few records."""
    about, subject = belief.slot, belief.slot.subject.id
    snapshot.operations(key="k", sequences=[1], before=5, limit=2)
    snapshot.operations(sequences=[1])
    snapshot.operations(limit=3)
    snapshot.declared(Attribute, ["price"])
    snapshot.sources(["handbook"])
    snapshot.names(["order", "the first"])
    snapshot.entities([subject])
    snapshot.evidence(ids=["ev_1"], contents=["ct_1"])
    snapshot.testimonies([ContestKey(about.id), ContestKey(about.id, belief.value.key)])
    snapshot.claims(["cl_1", "ev_1"])
    snapshot.search(["thing", "francs", "77", "1009"], 5)
    for kind in (Slot, Evidence, Decision, Alias, Batch):
        next(iter(snapshot.every(kind)), None)
    next(snapshot.views())
    for wanted in (
        BeliefFilter(ids=[belief.id]),
        BeliefFilter(contests=[ContestKey(about.id)]),
        BeliefFilter(contests=[ContestKey(about.id, belief.value.key)]),
        BeliefFilter(contests=[ContestKey(about.id)], ids=[belief.id]),
        BeliefFilter(subjects=[subject]),
        BeliefFilter(subjects=[subject], attribute=about.attribute, limit=50),
        BeliefFilter(subjects=[subject], values=[belief.value.key], statuses=[Status.ACCEPTED]),
        BeliefFilter(subjects=[subject], evidence=["ev_1"], premises=[about.id]),
        BeliefFilter(attribute=about.attribute),
        BeliefFilter(attribute=about.attribute, values=[belief.value.key]),
        BeliefFilter(values=[entity_value("en_1", "one").key]),
        BeliefFilter(statuses=[Status.CONTESTED]),
        BeliefFilter(statuses=[Status.CONTESTED, Status.CHALLENGER], limit=5),
        BeliefFilter(evidence=["ev_1"]),
        BeliefFilter(evidence=["ev_1"], statuses=[Status.ACCEPTED]),
        BeliefFilter(premises=[about.id]),
    ):
        snapshot.beliefs(wanted)


def plan_of(session: Session, sql: str, bindings: Sequence[object]) -> list[dict[str, Any]]:
    """The steps by which the server carries out a statement, whatever is bound to it."""
    numbers = count(1)
    text = re.sub("%s", lambda _: f"${next(numbers)}", sql)
    kinds = ", ".join("bigint" if isinstance(one, int) else "unknown" for one in bindings)
    cursor = psycopg.ClientCursor(session.connection)
    cursor.execute(f"PREPARE asked{f' ({kinds})' if kinds else ''} AS {text}")
    given = f"({', '.join(['%s'] * len(bindings))})" if bindings else ""
    ((found,),) = cursor.execute(f"EXPLAIN (FORMAT JSON) EXECUTE asked {given}", bindings).fetchall()
    cursor.execute("DEALLOCATE asked")
    return list(nodes(found[0]["Plan"]))


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All steps of a plan."""
    yield plan
    for step in plan.get("Plans", ()):
        yield from nodes(step)


@pytest.fixture(scope="module", params=["new", "grown", "cleaned up"])
def filled(request: pytest.FixtureRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    """A memory, and every statement that was sent to it."""
    url = server().fresh(is_kept=True)
    store = PostgresStore(url)
    with statements() as seen:
        for space in ("default", "other"):
            work = fill(store, space, THINGS[request.param])
        if request.param == "cleaned up":
            # As the server does by itself, sooner or later.
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM ANALYZE")
        seen.clear()
        with store.snapshot("default") as snapshot:
            (belief, *_) = snapshot.beliefs(BeliefFilter(subjects=[thing(10).subject.id]))
            read_all(snapshot, belief)
        work = Workload(store)
        ground = evidence("thing 9 costs 8 francs now")
        resting = replace(claim(ground, thing(9), "8 francs"), depends_on=(thing(8).id,))
        work.commit(work.observation([ground], [resting], key="k"))
        work.commit(work.withdrawal(ground.id))
        work.commit(work.decision([ContestKey(thing(9).id)]))
        store.commit("default", replace(bare(), expected={ContestKey(thing(9).id, "text:?"): 0}))
    store.close()
    yield url, seen
    server().drop(url)


def test_every_statement_reads_by_an_index_of_its_space(filled: tuple[str, dict[str, Any]]) -> None:
    url, seen = filled
    asked = {sql: bindings for sql, bindings in seen.items() if not OPENING.match(sql)}
    assert len(asked) > 45
    connections = Connections(Address.read(url))
    used = set()
    with connections.reading("default") as session:
        # As if it cost nothing to start others, which a planner believes that takes few rows for many.
        for cost in PARALLEL_COSTS:
            session.run(f"SET LOCAL {cost} = 0")
        for sql, bindings in asked.items():
            for node in plan_of(session, sql, bindings):
                assert node["Node Type"] != "Seq Scan", sql
                assert not node["Node Type"].startswith("Gather"), sql
                if "Index Name" in node:
                    used.add(node["Index Name"])
                    assert re.search(r"\bspace = ", node.get("Index Cond", "")), (sql, node)
    connections.close()
    assert used >= {
        "operations_pkey", "operations_by_key", "declarations_pkey", "entities_pkey", "entities_by_id",
        "names_pkey", "aliases", "sources_by_name", "evidence_by_id", "evidence_by_content", "slots_by_id",
        "slots_by_subject", "slots_by_attribute", "claims_by_id", "claims_by_slot", "claims_by_evidence",
        "links_pkey", "decisions_pkey", "retractions_pkey", "beliefs_pkey", "beliefs_by_slot",
        "beliefs_in_question", "beliefs_by_value", "documents_pkey", "documents_by_id", "postings_pkey",
    }  # fmt: skip


HOT: Final[dict[str, tuple[BeliefFilter, str, set[str]]]] = {
    "by id": (BeliefFilter(ids=["bl_1"]), "beliefs_pkey", set()),
    "by contest": (BeliefFilter(contests=[ContestKey("sl_1")]), "slots_by_id", {"beliefs_by_slot"}),
    "by value": (BeliefFilter(contests=[ContestKey("sl_1", "v")]), "slots_by_id", {"beliefs_by_slot"}),
    "by subject": (BeliefFilter(subjects=["en_1"]), "entities_by_id", {"slots_by_subject"}),
    "by attribute": (BeliefFilter(attribute="price"), "slots_by_attribute", {"beliefs_by_slot"}),
    "by evidence": (BeliefFilter(evidence=["ev_1"]), "evidence_by_id", {"claims_by_evidence"}),
    "by premise": (BeliefFilter(premises=["sl_1"]), "links_pkey", set()),
    "in question": (BeliefFilter(statuses=[Status.CONTESTED]), "beliefs_in_question", set()),
    "by entity": (BeliefFilter(values=["entity:en_1"]), "beliefs_by_value", set()),
}


@pytest.mark.parametrize("hot", HOT)
def test_what_is_asked_often_begins_where_it_should(filled: tuple[str, dict[str, Any]], hot: str) -> None:
    url, _ = filled
    wanted, first, further = HOT[hot]
    store = PostgresStore(url)
    with statements() as seen, store.snapshot("default") as snapshot:
        snapshot.beliefs(wanted)
    store.close()
    ((sql, bindings),) = [(sql, bound) for sql, bound in seen.items() if not OPENING.match(sql)]
    connections = Connections(Address.read(url))
    with connections.reading("default") as session:
        steps = plan_of(session, sql, bindings)
    connections.close()
    names = [node["Index Name"] for node in steps if "Index Name" in node]
    assert names[0] == first
    assert further <= set(names)
    # A value of a slot is found as well by the one as by the other.
    assert {"beliefs_pkey", "beliefs_by_slot", "beliefs_by_value", "beliefs_in_question"} & set(names)


def test_documents_and_numbers_are_found_without_their_tables(filled: tuple[str, dict[str, Any]]) -> None:
    """Covering indexes answer what a commit and a search ask most often."""
    url, seen = filled
    covering = {"entities_by_id", "slots_by_id", "evidence_by_id", "claims_by_id", "postings_pkey"}
    only: set[str] = set()
    connections = Connections(Address.read(url))
    # What any other transaction may still see is not marked as seen by all: then vacuum it once more.
    for _ in range(40):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        with connections.reading("default") as session:
            for sql, bindings in seen.items():
                if not OPENING.match(sql):
                    steps = plan_of(session, sql, bindings)
                    only |= {one["Index Name"] for one in steps if one["Node Type"] == "Index Only Scan"}
        if only >= covering:
            break
        time.sleep(0.25)
    connections.close()
    assert only >= covering


def test_every_statement_names_the_space_it_is_about(filled: tuple[str, dict[str, Any]]) -> None:
    _, seen = filled
    for sql in seen:
        if not OPENING.match(sql):
            assert re.search(r"\bspace = %s|\(space, .*SELECT %s", sql), sql


def test_every_key_index_and_reference_begins_with_the_space(filled: tuple[str, dict[str, Any]]) -> None:
    url, _ = filled
    with psycopg.connect(url) as connection:
        keys = connection.execute(
            "SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, a.attname FROM pg_index AS i"
            " JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
            " JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_namespace AS s ON s.oid = c.relnamespace"
            " WHERE s.nspname = 'knowwhy' AND c.relname <> 'formats'"
        ).fetchall()
        references = connection.execute(
            "SELECT conname, a.attname, b.attname FROM pg_constraint AS c"
            " JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]"
            " JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]"
            " WHERE c.contype = 'f'"
        ).fetchall()
        sequences = connection.execute("SELECT sequencename FROM pg_sequences").fetchall()
    assert len(keys) > 25
    assert {column for _, _, column in keys} == {"space"}
    assert len(references) == 6
    assert {columns for _, *columns in references for columns in columns} == {"space"}
    assert sequences == []
