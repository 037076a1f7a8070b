"""Ids are hashes of content: the same record has the same id on every machine, and needs no counter."""

from __future__ import annotations

from hashlib import blake2b


def content_id(prefix: str, *parts: str) -> str:
    """An id such as `ev_3f0a…` for the record that `parts` determine (80 bits of BLAKE2b)."""
    # Length-prefixed, so that ("ab", "c") and ("a", "bc") differ whatever the texts contain.
    payload = "".join([f"{len(part)}:{part}" for part in parts]).encode("utf-8", "surrogatepass")
    return f"{prefix}_{blake2b(payload, digest_size=10, person=prefix.encode()).hexdigest()}"
