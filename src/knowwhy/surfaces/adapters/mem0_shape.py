"""A memory with the calls that Mem0's users know: add, search, get, update, delete, history.

One memory in that sense is one belief here, or the words of a source from which none was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, TypeAlias

from knowwhy.core.timeline import isoformat
from knowwhy.engine.memory import Memory
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.ingest.observation import Observation
from knowwhy.recall.answer import Passage
from knowwhy.recall.finding import Finding

Message: TypeAlias = Mapping[str, Any]

_TYPES: Final = {"user": "user", "assistant": "assistant", "tool": "tool"}
# Messages of these roles are instructions to a model, and nobody's word about the world.
_SILENT: Final = frozenset({"system", "developer"})
_STANDING: Final = frozenset({"accepted", "contested"})


class Mem0Shape:
    """A memory in Mem0's shape.

    What is added for a `user_id` (or else an `agent_id`) is private to that principal, as `seen_by` and
    `shared_with` make it, and a search for it sees that and what all may read. `get`, `update`, `delete` and
    `history` act as whoever the memory was opened for. Nothing is decided by a model here.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(
        self,
        messages: str | Message | Sequence[Message],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        infer: bool = True,
    ) -> dict[str, Any]:
        """Observe messages: all of them in one operation, each as the word of who said it.

        Without `infer` the words are kept and found, and become no belief.

        Raises:
            InvalidInput: a message without words, or of a role that is none of user, assistant, tool.
        """
        names = {"user": user_id, "assistant": agent_id}
        told = [
            Observation(
                names.get(role) or role,
                text,
                source_type=_TYPES[role],
                metadata=dict(metadata or {}) | ({"speaker": user_id} if role == "user" and user_id else {}),
                extract=infer,
            )
            for role, text in dict.fromkeys(_said(messages))
        ]
        if not told:
            return {"results": []}
        desk = self._desk(user_id, agent_id)
        if user_id or agent_id:
            desk = desk.shared_with(f"user:{user_id}" if user_id else f"agent:{agent_id}")
        done = (desk if run_id is None else desk.in_run(run_id)).observe_many(told)
        changed = [_event(asdict(one)) for one in done.changes]
        if done.is_repeat:
            return {"results": []}
        read = {one.evidence for one in done.read_outs if one.read}
        words = zip(done.evidence, told, strict=True)
        kept = [{"id": one, "memory": said.text, "event": "ADD"} for one, said in words if one not in read]
        return {"results": [*changed, *kept]}

    def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        filters: Mapping[str, str] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float = 0.0,
    ) -> dict[str, Any]:
        """Recall what answers a query; who asks may be named in `filters` as well.

        Raises:
            InvalidInput: a filter that is none of user_id and agent_id.
        """
        asked = dict(filters or {})
        user, agent = asked.pop("user_id", user_id), asked.pop("agent_id", agent_id)
        if asked:
            msg = f"Recall filters by user_id and agent_id, not by {', '.join(asked)}: put it into the query."
            raise InvalidInput(msg)
        most = next((one for one in (top_k, limit) if one is not None), 5)
        found = self._desk(user, agent).recall(query, limit=most, min_score=threshold)
        named = {name: one for name, one in (("user_id", user), ("agent_id", agent)) if one}
        return {
            "results": [
                *(_remembered(one) | named for one in found.beliefs),
                *(_passage(one) | named for one in found.passages),
            ]
        }

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """One belief, or None where no belief has this id: words that became none are found by `search`."""
        try:
            told = self._memory.why(memory_id)
        except NotFound:
            return None
        belief = told.belief
        return {
            "id": belief.id,
            "memory": _words(belief.slot.subject.name, told.attribute.name, str(belief.value)),
            "metadata": {"status": str(told.status), "confidence": round(told.confidence, 6)},
            "created_at": isoformat(belief.observed_at),
        }

    def update(self, memory_id: str, data: str) -> dict[str, Any]:
        """Correct a belief: what it said never held, and `data` is the value that did.

        Raises:
            NotFound: no belief has this id.
        """
        belief = self._memory.why(memory_id).belief
        done = self._memory.correct(
            belief.slot.subject.name,
            belief.slot.attribute,
            data,
            was=belief.value.text,
            conditions=dict(belief.slot.conditions),
        )
        return {"message": str(done)}

    def delete(self, memory_id: str) -> dict[str, Any]:
        """Give up a belief, or retract the evidence of that id. Its history stays; `forget` erases.

        Raises:
            NotFound: no belief and no evidence has this id.
        """
        try:
            belief = self._memory.why(memory_id).belief
        except NotFound:
            return {"message": str(self._memory.retract(memory_id))}
        slot = belief.slot
        done = self._memory.give_up(
            slot.subject.name, slot.attribute, belief.value.text, conditions=dict(slot.conditions)
        )
        return {"message": str(done)}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """How a belief came to stand as it does, one entry for each change of mind, oldest first.

        Raises:
            NotFound: no belief has this id.
        """
        told = self._memory.history(memory_id)
        entries = []
        for turn in told.turns:
            if turn.belief.id != memory_id:
                continue
            words = _words(told.subject, told.attribute, str(turn.belief.value))
            was = turn.before is not None and turn.before.status in _STANDING
            stands = turn.belief.status in _STANDING
            entries.append(
                {
                    "id": f"{memory_id}@{turn.operation}",
                    "memory_id": memory_id,
                    "old_memory": words if was else None,
                    "new_memory": words if stands else None,
                    "event": _named(was=was, stands=stands),
                    "created_at": isoformat(turn.at),
                    "because": turn.because,
                }
            )
        return sorted(entries, key=lambda one: str(one["created_at"]))

    def _desk(self, user: str | None, agent: str | None) -> Memory:
        return self._memory.seen_by(user=user, agent=agent) if user or agent else self._memory


def _said(messages: str | Message | Sequence[Message]) -> list[tuple[str, str]]:
    """Who said what, in order."""
    if isinstance(messages, str):
        return [("user", messages)]
    several = [messages] if isinstance(messages, Mapping) else messages
    found = []
    for one in several:
        role, text = one.get("role", "user"), one.get("content")
        if role in _SILENT:
            continue
        if role not in _TYPES or not isinstance(text, str) or not text.strip():
            msg = (
                "A message has a role (user, assistant or tool) and content, which is text that is not empty."
            )
            raise InvalidInput(msg, role=str(role))
        found.append((role, text))
    return found


def _words(subject: str, attribute: str, value: str) -> str:
    return f"{subject} {attribute}: {value}"


def _event(changed: Mapping[str, Any]) -> dict[str, Any]:
    was, stands = changed["before"] in _STANDING, changed["after"] in _STANDING
    return {
        "id": changed["belief"],
        "memory": _words(changed["subject"], changed["attribute"], changed["value"]),
        "event": _named(was=was, stands=stands),
        "status": str(changed["after"]),
        "confidence": round(changed["confidence"], 6),
    }


def _named(*, was: bool, stands: bool) -> str:
    """What Mem0 calls it that a belief stood, or not, and now stands, or not."""
    if stands:
        return "UPDATE" if was else "ADD"
    return "DELETE" if was else "NONE"


def _remembered(one: Finding) -> dict[str, Any]:
    return {
        "id": one.id,
        "memory": _words(one.subject.name, one.attribute.name, str(one.value)),
        "score": round(one.score, 6),
        "created_at": isoformat(one.belief.observed_at),
        "metadata": {
            "status": str(one.status),
            "confidence": round(one.confidence, 6),
            "warnings": list(one.warnings),
            "is_denial": one.is_denial,
        },
    }


def _passage(one: Passage) -> dict[str, Any]:
    return {
        "id": one.evidence.id,
        "memory": one.evidence.text,
        "score": round(one.score, 6),
        "created_at": isoformat(one.evidence.observed_at),
        "metadata": {"status": "passage", "warnings": list(one.warnings), **dict(one.evidence.metadata)},
    }
