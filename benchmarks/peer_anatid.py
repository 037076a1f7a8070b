"""The peer's side of `peer.py`: it runs in an environment of its own, and is told what to do line by line.

    python peer_anatid.py FOLDER

FOLDER holds facts.jsonl (subject and words of each) and pairs.jsonl (subjects that stand beside another).
Each line it reads is {"act": ..., "items": [...]}; it answers with the milliseconds that each item took.
"""
# mypy: ignore-errors
# The peer is installed where this runs, and nowhere else.

from __future__ import annotations

import json
import sys
import time
import zlib
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from anatid import Anatid
from duckdb_extensions import import_extension

DIMENSION = 384
WRITTEN = datetime(2025, 1, 1)  # noqa: DTZ001 - the peer takes times without a zone


def main() -> None:
    folder = Path(sys.argv[1])
    import_extension("fts")
    is_new = not (folder / "peer.anatid").exists()
    memory = Anatid.open(folder / "peer.anatid", tenant=1, embedding_dim=DIMENSION)
    begun = time.perf_counter()
    if is_new:
        load(memory, folder)
    print(json.dumps({"loaded_s": round(time.perf_counter() - begun, 1)}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        taken = [timed(memory, asked["act"], item) for item in asked["items"]]
        print(json.dumps(taken), flush=True)
    memory.close()


def load(memory: Anatid, folder: Path) -> None:
    facts = [json.loads(line) for line in (folder / "facts.jsonl").open(encoding="utf-8")]
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").open(encoding="utf-8")]
    subjects = {name: at for at, name in enumerate(dict.fromkeys(one["subject"] for one in facts), 1)}
    vectors = np.stack([vector(one["words"]) for one in facts])
    tables = {
        "entities": {
            "entity_id": list(subjects.values()),
            "name": list(subjects),
            "kind": ["thing"] * len(subjects),
        },
        "memories": {
            "memory_id": list(range(1, len(facts) + 1)),
            "content": [one["words"] for one in facts],
            "kind": ["fact"] * len(facts),
            "embedding": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), DIMENSION),
            "created_at": [WRITTEN] * len(facts),
        },
        "edges_about": edges([(at, subjects[one["subject"]]) for at, one in enumerate(facts, 1)])
        | {"weight": [1.0] * len(facts)},
        "edges_relates": edges([(subjects[one], subjects[other]) for one, other in pairs])
        | {"rel_kind": ["stands beside"] * len(pairs)},
    }
    for name, columns in tables.items():
        rows = len(next(iter(columns.values())))
        columns |= {
            "tenant_id": [1] * rows,
            "valid_from": [WRITTEN] * rows,
            "tx_from": [WRITTEN] * rows,
            "confidence": [1.0] * rows,
        }
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    memory.load_parquet(folder)
    memory.maintain_indexes()
    memory.checkpoint()


def edges(ends: list[tuple[int, int]]) -> dict[str, list[int]]:
    return {
        "edge_id": list(range(1, len(ends) + 1)),
        "src": [one for one, _ in ends],
        "dst": [other for _, other in ends],
    }


def timed(memory: Anatid, act: str, item: dict[str, str]) -> float:
    """How many milliseconds an act took; the vector it needs is made before."""
    words = item.get("words", "")
    meant = vector(words).tolist()
    begun = time.perf_counter_ns()
    if act == "write":
        memory.remember(words, entities=[item["subject"]], embedding=meant)
    elif act == "ask":
        found = memory.context(item["subject"])
        assert found
    elif act == "two steps":
        memory.recall_2hop(item["subject"])
    else:
        memory.recall(words, embedding=meant, k=5, allow_slow=True)
    return (time.perf_counter_ns() - begun) / 1e6


def vector(words: str) -> np.ndarray:
    """The vector that knowwhy's side has for the same words."""
    found = np.random.default_rng(zlib.crc32(words.encode())).standard_normal(DIMENSION, np.float32)
    return found / np.linalg.norm(found)


if __name__ == "__main__":
    main()
