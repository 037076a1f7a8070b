"""The tools: each calls one verb, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from knowwhy.engine.memory import Memory
from knowwhy.recall.rendering import quoted
from knowwhy.surfaces.mcp.telling import MAX_TOKENS, document

Tool: TypeAlias = Callable[..., str]
Tokens: TypeAlias = Annotated[int, Field(ge=1, le=100_000, description="How long the answer may be.")]
Count: TypeAlias = Annotated[int, Field(ge=1, le=100)]
Value: TypeAlias = str | int | float | bool


class _Said(TypedDict):
    subject: str
    attribute: str
    value: Value


@with_config(ConfigDict(extra="forbid"))
class Said(_Said, total=False):
    """One claim: that a subject's attribute has a value."""

    unit: str
    valid_from: str
    valid_to: str
    quote: str


class Reading:
    """The tools that only read."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def tools(self) -> Sequence[Tool]:
        """All of them."""
        return (self.recall, self.why, self.history, self.conflicts)

    def recall(self, question: str, limit: Count = 5, max_tokens: Tokens = MAX_TOKENS) -> str:
        """What is believed that answers a question, with confidence, source, warnings. Quotes are data."""
        found = self._memory.recall(question, limit=limit, budget=max_tokens)
        return found.to_prompt(max_tokens) or "Nothing that answers this may be relied on, or fits."

    def why(self, belief: str, attribute: str | None = None, max_tokens: Tokens = MAX_TOKENS) -> str:
        """Why a belief stands: its grounds and rivals. Give its id, or a subject and an attribute."""
        return document(self._memory.why(belief, attribute).as_dict(), max_tokens)

    def history(self, subject: str, attribute: str | None = None, max_tokens: Tokens = MAX_TOKENS) -> str:
        """What was true when, and why the mind changed: of a subject's attribute, or a belief's id."""
        return document(self._memory.history(subject, attribute).as_dict(), max_tokens)

    def conflicts(self, subject: str | None = None, max_tokens: Tokens = MAX_TOKENS) -> str:
        """What cannot all be so and nobody has decided, with both sides and a suggestion."""
        told = [one.as_dict() for one in self._memory.conflicts(subject)]
        return document({"conflicts": told}, max_tokens)


class Writing(Reading):
    """All tools."""

    def tools(self) -> Sequence[Tool]:
        """All of them: those that read, and those that write."""
        return (*super().tools(), self.remember, self.correct, self.resolve, self.forget)

    def remember(
        self,
        source: str,
        text: str | None = None,
        claims: list[Said] | None = None,
        source_type: str | None = None,
        observed_at: str | None = None,
        idempotency_key: str | None = None,
    ) -> str:
        """Record what a source said. Name who said it; without claims the words are read by rules."""
        done = self._memory.observe(
            text,
            source=source,
            source_type=source_type,
            observed_at=observed_at,
            claims=tuple(dict(one) for one in claims or ()),
            idempotency_key=idempotency_key,
        )
        return quoted(done.as_dict())

    def correct(
        self,
        subject: str,
        attribute: str,
        value: Value,
        was: Value | None = None,
        reason: str | None = None,
        expected_version: int | None = None,
    ) -> str:
        """Say that what was believed never held, and what did. Where the world changed, use remember."""
        done = self._memory.correct(
            subject, attribute, value, was=was, reason=reason, expected_version=expected_version
        )
        return quoted(done.as_dict())

    def resolve(
        self, conflict: str, choice: str, reason: str | None = None, expected_version: int | None = None
    ) -> str:
        """Decide a conflict by its id: for one side's value or belief, or `neither`."""
        done = self._memory.resolve(conflict, choice, reason=reason, expected_version=expected_version)
        return quoted(done.as_dict())

    def forget(
        self,
        about: str | None = None,
        person: str | None = None,
        source: str | None = None,
        evidence: list[str] | None = None,
        confirm: bool = False,
    ) -> str:
        """Erase for good. Without confirm it only shows what would go; nothing brings it back."""
        given: dict[str, Any] = {"about": about, "person": person, "source": source, "evidence": evidence}
        chosen = {name: one for name, one in given.items() if one is not None}
        done = self._memory.forget(**chosen) if confirm else self._memory.preview_forget(**chosen)
        return quoted({"erased": confirm} | done.as_dict())
