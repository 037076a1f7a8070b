"""Not a byte of what was erased is left in the files of a memory."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import knowwhy
from knowwhy import Memory
from knowwhy.store.sqlite.spelling import spelled

PRIVATE = ("Zebedee", "Quirke", "斑马先生", "Elmstreet", "zebedee.quirke@example.org")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def filled(memory: Memory) -> Memory:
    """A memory that has something of a person in each of its tables."""
    memory.configure(audits=30)
    memory.declare("address")
    memory.declare("commute", depends_on=["address"])
    memory.declare("phone", half_life_days=400)
    memory.declare_rule(
        "lives where the address is",
        premises=[("?who", "address", "?where")],
        conclusion=("?who", "region", "?where"),
    )
    for number in range(6):
        memory.observe(
            source=f"shop {number}",
            source_type="user",
            claims=[("Bob", "address", f"Oak road {number}")],
            text=f"Bob lives at Oak road {number}.",
            observed_at=f"2025-01-0{number + 1}",
        )
    memory.observe(
        "Zebedee Quirke lives at 4 Elmstreet.",
        source="chat 7",
        source_type="user",
        claims=[("Zebedee Quirke", "address", "4 Elmstreet"), ("Bob", "neighbour", "Zebedee Quirke")],
        observed_at="2025-01-03",
        context="call with Zebedee",
        metadata={"speaker": "Zebedee Quirke"},
    )
    memory.observe(
        "我是斑马先生。",
        source="Zebedee Quirke",
        source_type="user",
        claims=[("Zebedee Quirke", "phone", "555"), ("Zebedee Quirke", "commute", "from Elmstreet by bus")],
        observed_at="2025-01-04",
    )
    memory.observe(
        "Bob met zebedee  quirke twice.", source="diary", source_type="user", observed_at="2025-01-05"
    )
    memory.alias("斑马先生", "Zebedee Quirke")
    memory.alias("ZQ of Elmstreet", "Zebedee Quirke")
    memory.unalias("ZQ of Elmstreet", "Zebedee Quirke")
    memory.correct("Bob", "address", "Oak road 9", reason="Zebedee Quirke told us", author="Zebedee Quirke")
    memory.feedback(memory.ask("Zebedee Quirke", "address").findings[0].id, "right", by="Zebedee Quirke")
    fallen = memory.observe(
        "Zebedee Quirke, 4 Elmstreet, once more.",
        source="old list",
        source_type="document",
        claims=[("Zebedee Quirke", "address", "4 Elmstreet")],
        observed_at="2025-01-02",
    )
    memory.retract(fallen.evidence[0], reason="Zebedee Quirke asked for it")
    up = memory.fork("what if", assumes="Zebedee Quirke moves")
    up.observe(
        "Zebedee Quirke moves to Elmstreet 5.",
        source="rumour",
        source_type="rumour",
        claims=[("Zebedee Quirke", "address", "5 Elmstreet")],
        observed_at="2025-02-01",
    )
    gone = memory.fork("dropped", assumes="Zebedee Quirke stays")
    gone.observe(
        "Zebedee Quirke stays in Elmstreet.",
        source="rumour",
        source_type="rumour",
        claims=[("Zebedee Quirke", "address", "6 Elmstreet")],
    )
    memory.drop("dropped")
    memory.snapshot("before")
    memory.learn()
    memory.ask("Bob", "neighbour")
    memory.recall("Where does Zebedee Quirke of Elmstreet live?")
    up.seen_by(user="Zebedee Quirke").recall("Where does 斑马先生 live?")
    memory.observe(
        "From zebedee.quirke@example.org",
        source="mail",
        source_type="user",
        context="zebedee.quirke@example.org",
    )
    return memory


def bytes_of(file: Path) -> bytes:
    return b"".join(
        one.read_bytes() for one in sorted(file.parent.iterdir()) if one.name.startswith(file.name)
    )


def forms(word: str) -> set[bytes]:
    """How a word may stand in a file: as it is, escaped by JSON, and as the index spells its terms."""
    found = {
        form.encode(encoding)
        for form in (word, word.lower(), word.upper())
        for encoding in ("utf-8", "utf-16-le")
    }
    return found | {word.encode("unicode_escape"), spelled(word.lower()).encode()}


def test_not_a_byte_is_left(file: Path) -> None:
    with filled(knowwhy.open(file, author="desk")) as memory:
        before = bytes_of(file)
        assert all(word.encode() in before for word in PRIVATE)
        memory.forget(person="Zebedee Quirke")
        memory.forget(context="zebedee.quirke@example.org")
        after = bytes_of(file)
        for word in PRIVATE:
            assert not [form for form in forms(word) if form in after], word
        assert b"Oak road" in after
        assert memory.doctor().problems == ()
        assert memory.on("what if").doctor().problems == ()


def test_no_table_is_without_a_rule(file: Path) -> None:
    """Each table is filled above, or keeps no words at all: a new one must be thought of here."""
    covered = {
        "operations",
        "declarations",
        "entities",
        "names",
        "sources",
        "evidence",
        "slots",
        "claims",
        "retractions",
        "beliefs",
        "documents",
        "vectors",
        "links",
        "decisions",
        "audits",
    }
    without_words = {"spaces"}
    filled(knowwhy.open(file)).close()
    with sqlite3.connect(file) as connection:
        names = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        tables = {one for one in names if not one.startswith(("sqlite_", "postings", "vocabulary"))}
        assert tables == covered | without_words
        for table in covered - {"vectors", "decisions"}:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0], table  # noqa: S608


def test_it_stays_erased(file: Path, tmp_path: Path) -> None:
    memory = knowwhy.open(file)
    told = {
        "source": "chat",
        "source_type": "user",
        "observed_at": "2025-01-03",
        "claims": [("Ann", "address", "4 Elmstreet")],
    }
    first = memory.observe("Ann lives in Elmstreet.", **told)  # type: ignore[arg-type]
    memory.close()
    copy = tmp_path / "copy.db"
    copy.write_bytes(file.read_bytes())
    memory, other = knowwhy.open(file), knowwhy.open(copy)
    memory.forget(person="Ann")
    again = memory.observe("Ann lives in Elmstreet.", **told)  # type: ignore[arg-type]
    assert any("was erased, and stays so" in one for one in again.warnings)
    assert memory.ask("Ann", "address").value is None
    other.observe(source="chat", source_type="user", claims=[("Bob", "address", "Oak road 1")])
    memory.merge(str(copy))
    assert memory.ask("Ann", "address").value is None
    assert str(memory.ask("Bob", "address").value) == "Oak road 1"
    other.merge(str(file))
    assert other.ask("Ann", "address").value is None
    other.close()
    assert b"Elmstreet" not in bytes_of(copy)
    # A restored backup is told again what had been erased.
    (receipt,) = memory.erasures()
    backup = tmp_path / "backup.db"
    restored = knowwhy.open(backup)
    restored.observe("Ann lives in Elmstreet.", **told)  # type: ignore[arg-type]
    restored.forget(evidence=receipt.erasure.records)
    assert restored.ask("Ann", "address").value is None
    restored.close()
    assert b"Elmstreet" not in bytes_of(backup)
    assert first.evidence[0] in receipt.erasure.records
