"""Intents: what a writing verb wants on record, and what it may look at while it forms that."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from knowwhy.core.model import (
    Access,
    Act,
    Alias,
    Claim,
    Declared,
    Entity,
    Evidence,
    Retraction,
    Schema,
    Source,
    content_id,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.engine.readout import ReadOut
from knowwhy.engine.space import Space
from knowwhy.providers.extraction import NO_USAGE, Usage
from knowwhy.recall.identity import names_followed
from knowwhy.store.protocol import Snapshot


@dataclass(frozen=True, slots=True)
class Signature:
    """Who acts and why, and how a repetition or a lost race is recognised."""

    act: Act
    author: str | None = None
    reason: str | None = None
    key: str | None = None
    expected_version: int | None = None
    request: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a writing verb wants on record, before its consequences are computed.

    `contests` are those to decide anew beside the ones that `claims` fall into. `reported` are the
    evidence ids the caller is told, new and known ones alike; `read_outs` what was read in their words,
    `waiting` those whose words are left to the queue, `usage` what reading cost. What it withdraws has an
    `access` of its own.
    """

    entities: tuple[Entity, ...] = ()
    aliases: tuple[Alias, ...] = ()
    declarations: tuple[Declared, ...] = ()
    sources: tuple[Source, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Claim, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    contests: tuple[ContestKey, ...] = ()
    reported: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    read_outs: tuple[ReadOut, ...] = ()
    waiting: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    access: Access | None = None

    @property
    def guards(self) -> bool:
        """Whether it brings what not everybody may read."""
        accesses = [*(one.access for one in self.evidence), *(one.access for one in self.aliases)]
        return not all(one.is_public for one in accesses)

    def beside(self, other: Intent) -> Intent:
        """Both intents as one."""
        parts = (name for name in self.__slots__ if name != "access")
        joined = Intent(*(getattr(self, name) + getattr(other, name) for name in parts))
        return replace(joined, access=self.access or other.access)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a verb may look at while it forms its intent: one snapshot, the schema, the present instant.

    The `view` is what all those may see who may read what is written: by names that some of them do not know
    nothing is understood. The `whole` is all there is, on which what is written is decided.
    """

    space: Space
    view: Snapshot
    schema: Schema
    at: Instant
    whole: Snapshot

    @property
    def last(self) -> int:
        """The number of the last operation that the caller may see."""
        return next((one.sequence for one in self.mine.operations(limit=1)), 0)

    @property
    def mine(self) -> Snapshot:
        """What the caller may see."""
        return self.space.seen(self.whole)

    def names(self, keys: Iterable[str]) -> dict[str, list[Entity]]:
        """What name keys stand for to somebody who says something of it: as said, see `names_followed`."""
        return names_followed(self.view, self.schema.merged, sorted(set(keys)), is_as_said=True)

    def meant(self, keys: Iterable[str]) -> dict[str, list[Entity]]:
        """What name keys stand for to somebody who looks at what is held of it: merges are followed."""
        return names_followed(self.view, self.schema.merged, sorted(set(keys)))


def fingerprint(*parts: object) -> str:
    """The fingerprint of a request, so that a reused idempotency key with other contents is noticed."""
    return content_id("rq", json.dumps(parts, default=str, ensure_ascii=False, sort_keys=True))
