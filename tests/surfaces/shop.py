"""A memory in which much can follow from what is said, and what a file has on record."""

from dataclasses import replace
from pathlib import Path

import knowwhy
from knowwhy.core.model import Attribute, Charter, Declared, Denial, Evidence, InferenceRule
from knowwhy.core.timeline import BEGINNING
from knowwhy.store.sqlite import SqliteStore

TIME = knowwhy.instant("2025-02-01")
SAID = (
    ("Acme", "plan", "pro"),
    ("Ann", "employer", "Acme"),
    ("Ann", "commute", "tram"),
    ("room 5", "status", "booked"),
    ("room 5", "free", "yes"),
)


def made(path: Path) -> Path:
    """Make a memory in which much can follow from what is said, and one rule does already."""
    with knowwhy.open(path, clock=lambda: TIME) as memory:
        for claim in SAID:
            memory.observe(source="crm", source_type="api", observed_at="2025-01-10", claims=[claim])
        memory.declare_rule("trams", premises=[("?p", "commute", "tram")], conclusion=("?p", "pass", "yes"))
    return path


def recorded(path: Path) -> dict[str, object]:
    """Give what is declared and claimed in a file, without what depends on the moment of the call."""
    kinds: tuple[type[Declared], ...] = (Attribute, InferenceRule, Denial, Charter)
    store = SqliteStore(str(path))
    try:
        with store.snapshot("main") as snapshot:
            declared = [one for kind in kinds for one in snapshot.declared(kind).values()]
            claims = [one.claim for one in snapshot.claims([one.id for one in snapshot.every(Evidence)])]
            signed = [(one.act, one.author, one.reason) for one in snapshot.operations()]
    finally:
        store.close()
    read = [
        (one.slot, one.value, one.stance, one.derivation, one.depends_on, one.is_forced) for one in claims
    ]
    dated = [replace(one, declared_at=BEGINNING) for one in declared]
    return {"declared": dated, "claims": sorted(read, key=str), "signed": signed}
