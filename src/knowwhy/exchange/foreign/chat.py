"""Chat logs: lines of messages, or of conversations with `messages`, as providers and exports write them.

A message has `role` (or `speaker`, `sender`) and `content` (or `text`), in parts or as one text;
`timestamp`, `created_at`, `ts` or `date` say when, `conversation_id`, `session_id` or
`thread_id` in what conversation, `name` who.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from knowwhy.exchange.foreign.entry import Document, Mapped, Unmapped, documents, mapped
from knowwhy.ingest.observation import Observation

_TIMES: Final = ("timestamp", "created_at", "createdAt", "create_time", "ts", "time", "date")
_PLACES: Final = ("conversation_id", "session_id", "thread_id", "conversation", "id")
_LISTS: Final = ("messages", "conversation", "turns")

# By what role a speaker is what kind of source.
_KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "bot", "gpt"), "assistant"),
    **dict.fromkeys(("tool", "function"), "tool"),
}
# What instructs a model says nothing about the world.
_INSTRUCTING: Final = frozenset({"system", "developer"})


def chat(path: Path) -> Iterator[Mapped | Unmapped]:
    """The items in such a file."""

    def read(one: Document) -> Iterator[Mapped | Unmapped]:
        place = one.text(*_PLACES) or path.stem
        those = next((one.told[name] for name in _LISTS if isinstance(one.told.get(name), list)), None)
        if those is None:
            yield _message(one, one.text(*_PLACES[:-1]) or path.stem)
            return
        for number, each in enumerate(those, 1):
            where = f"{one.where}, message {number}"
            if isinstance(each, dict):
                yield _message(Document(each, where), place)
            else:
                yield Unmapped("no object", where)

    return mapped(documents(path, *_LISTS), read)


def _message(one: Document, place: str) -> Mapped | Unmapped:
    role = one.text("role", "speaker", "sender", "from", "author").casefold()
    words = _words(one.told)
    if role in _INSTRUCTING:
        return Unmapped("an instruction to a model, which says nothing", one.where)
    if not role or not words:
        return Unmapped("a message without a role" if not role else "a message without words", one.where)
    name = one.text("name", "user", "username") or role
    at = one.when(*_TIMES)
    said = Observation(
        name,
        words,
        source_type=_KINDS.get(role, "user"),
        observed_at=at,
        context=one.text(*_PLACES[:-1]) or place,
        metadata={"speaker": name} if name != role else None,
    )
    return Mapped(said, is_dated=at is not None)


def _words(told: Mapping[str, Any]) -> str:
    content = next((told[one] for one in ("content", "text", "value", "message") if told.get(one)), "")
    if isinstance(content, str):
        return content.strip()
    parts = content if isinstance(content, list) else [content]
    texts = (one if isinstance(one, str) else one.get("text") for one in parts if isinstance(one, str | dict))
    return "\n".join(one.strip() for one in texts if isinstance(one, str) and one.strip())
