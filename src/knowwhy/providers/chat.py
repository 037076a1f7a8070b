"""Chat: what is asked of whoever answers messages with a language model, and what the answer cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from knowwhy.providers.extraction import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One message: whose it is (system, user, assistant), and what it says."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the words, what they cost, and whether they were cut off before their end."""

    text: str
    usage: Usage
    is_cut_off: bool = False


class Chat(Protocol):
    """Answers messages with JSON of a shape."""

    @property
    def name(self) -> str:
        """Which model answers."""

    def reply(self, messages: Sequence[Message], shape: Mapping[str, Any]) -> Reply:
        """The answer to some messages, in the shape of a JSON schema as far as the other side keeps to it.

        Raises:
            Unavailable: it cannot answer now; `retry_after` says when to ask again.
            Refused: it does not take us.
        """
