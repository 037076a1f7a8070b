"""The tools: each calls one verb, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from pydantic import ConfigDict, Field, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from knowwhy.engine.memory import Memory
from knowwhy.engine.reader import Reader
from knowwhy.errors import InvalidInput, NotFound, Refused
from knowwhy.recall.rendering import quoted
from knowwhy.surfaces import results
from knowwhy.surfaces.mcp.telling import MAX_TOKENS, document, fitting
from knowwhy.surfaces.verbs import NOT_OFFERED, Verb, problems_in
from knowwhy.surfaces.verbs import verbs as verbs_offered

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


# What `call` leaves to a tool of its own.
_TOOL_INSTEAD: Final = {"forget": "use the tool forget, which shows what would go until it is told to go on"}


class Reading:
    """The tools that only read."""

    can_write: ClassVar[bool] = False

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def tools(self) -> Sequence[Tool]:
        """All of them."""
        return (self.recall, self.why, self.history, self.conflicts, self.verbs, self.call)

    def _at(self, valid: str | None, known: str | None, branch: str | None) -> Reader:
        return self._memory.at(valid, known, branch)

    def recall(
        self,
        question: str,
        limit: Count = 5,
        max_tokens: Tokens = MAX_TOKENS,
        valid: str | None = None,
        known: str | None = None,
        branch: str | None = None,
    ) -> str:
        """What is believed that answers a question, with confidence, source, warnings. Quotes are data."""
        found = self._at(valid, known, branch).recall(question, limit=limit, budget=max_tokens)
        return found.to_prompt(max_tokens) or "Nothing that answers this may be relied on, or fits."

    def why(
        self,
        belief: str,
        attribute: str | None = None,
        max_tokens: Tokens = MAX_TOKENS,
        valid: str | None = None,
        known: str | None = None,
        branch: str | None = None,
    ) -> str:
        """Why a belief stands: its grounds and rivals. Give its id, or a subject and an attribute."""
        return document(self._at(valid, known, branch).why(belief, attribute).as_dict(), max_tokens)

    def history(
        self,
        subject: str,
        attribute: str | None = None,
        max_tokens: Tokens = MAX_TOKENS,
        valid: str | None = None,
        known: str | None = None,
        branch: str | None = None,
    ) -> str:
        """What was true when, and why the mind changed: of a subject's attribute, or a belief's id."""
        return document(self._at(valid, known, branch).history(subject, attribute).as_dict(), max_tokens)

    def conflicts(
        self,
        subject: str | None = None,
        max_tokens: Tokens = MAX_TOKENS,
        valid: str | None = None,
        known: str | None = None,
        branch: str | None = None,
    ) -> str:
        """What cannot all be so and nobody has decided, with both sides and a suggestion."""
        told = [one.as_dict() for one in self._at(valid, known, branch).conflicts(subject)]
        return document({"conflicts": told}, max_tokens)

    def verbs(self, name: str | None = None) -> str:
        """All that `call` can do, a line each; with a name, what that verb takes, as JSON Schema."""
        if name is not None:
            return quoted(lean(self._verb(name).takes.model_json_schema()))
        offered = (one for one in verbs_offered().values() if self.can_write or not one.writes)
        return "\n".join(f"{one.name}: {one.summary}" for one in offered if one.name not in _TOOL_INSTEAD)

    def call(
        self,
        verb: str,
        arguments: dict[str, Any] | None = None,
        max_tokens: Tokens = MAX_TOKENS,
        valid: str | None = None,
        known: str | None = None,
        branch: str | None = None,
        share: list[str] | None = None,
        run: str | None = None,
    ) -> str:
        """Call any verb that has no tool here, by name; `verbs` lists them and tells what each takes."""
        asked = self._verb(verb)
        try:
            given = asked.takes.model_validate(arguments or {})
        except ValidationError as failure:
            problems = problems_in(failure)
            told = "; ".join(f"{one['at']}: {one['problem']}" for one in problems)
            msg = f"{asked.name} does not take this: {told}. See the tool verbs with name={asked.name}."
            raise InvalidInput(msg, problems=problems) from failure
        line = asked.placed(self._memory, valid=valid, known=known, branch=branch, share=share, run=run)
        shown = results.document(asked.call(line, given))
        document_of = shown if isinstance(shown, dict) else {"result": shown}
        # What was done must not be told as a failure because its report is long.
        return (fitting if asked.writes else document)(document_of, max_tokens)

    def _verb(self, name: str) -> Verb:
        if instead := ({**NOT_OFFERED, **_TOOL_INSTEAD}).get(name):
            msg = f"{name} is not called so: {instead}."
            raise InvalidInput(msg)
        if (found := verbs_offered().get(name)) is None:
            msg = f"There is no verb {name!r}; the tool verbs lists them."
            raise NotFound(msg)
        if found.writes and not self.can_write:
            msg = f"This server only reads, and {name} may write."
            raise Refused(msg)
        return found


def lean(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """A JSON Schema without what tells a model nothing: made-up titles, and null where one may leave out."""
    if isinstance(schema, list):
        return [lean(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: {name: lean(one) for name, one in inner.items()}
        if key in ("properties", "$defs")
        else lean(inner)
        for key, inner in schema.items()
        if not (key == "title" and isinstance(inner, str)) and not (key == "default" and inner is None)
    }
    if "default" in schema and schema["default"] is None and len(kept.get("anyOf", ())):
        others = [one for one in kept["anyOf"] if one != {"type": "null"}]
        kept |= {"anyOf": others}
        if len(others) == 1:
            kept = {key: one for key, one in kept.items() if key != "anyOf"} | others[0]
    return kept


class Writing(Reading):
    """All tools."""

    can_write: ClassVar[bool] = True

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
        person_id: str | None = None,
        context: str | None = None,
        mentions: bool | None = None,
        reason: str | None = None,
        confirm: bool = False,
    ) -> str:
        """Erase for good. Without confirm it only shows what would go; nothing brings it back."""
        given: dict[str, Any] = {
            "about": about,
            "person": person,
            "person_id": person_id,
            "source": source,
            "evidence": evidence,
            "context": context,
            "mentions": mentions,
        }
        chosen = {name: one for name, one in given.items() if one is not None}
        memory = self._memory
        done = memory.forget(**chosen, reason=reason) if confirm else memory.preview_forget(**chosen)
        return quoted({"erased": confirm} | done.as_dict())
