"""An OpenAI-compatible endpoint: with timeouts, back-off, and a circuit breaker, over a real connection."""

from __future__ import annotations

import random
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from knowwhy.errors import InvalidInput, Refused, Unavailable, Unsupported
from knowwhy.providers.chat import Message, Reply
from knowwhy.providers.extraction import Usage

if TYPE_CHECKING:
    import httpx

_TOO_MANY: Final = 429
_FAILING: Final = 500
_UNKNOWN_KEY: Final = frozenset({401, 403})
_SHOWN: Final = 300
_MILLION: Final = 1_000_000
_WAITS_AT_MOST: Final = 20.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited: for one answer, between tries, and before a broken endpoint is asked again.

    After `breaks_after` failures in a row nothing is asked for `rests` seconds.
    """

    seconds: float = 60.0
    tries: int = 4
    first_wait: float = 0.5
    breaks_after: int = 8
    rests: float = 30.0


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever currency."""

    prompt: float = 0.0
    completion: float = 0.0


@dataclass(slots=True)
class Breaker:
    """Whether an endpoint is worth asking: after failures in a row it is left alone for a while."""

    patience: Patience
    _failures: int = 0
    _open_until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check(self) -> None:
        """Raise Unavailable while the endpoint is left alone."""
        with self._lock:
            left = self._open_until - time.monotonic()
        if left > 0:
            msg = f"The endpoint failed {self.patience.breaks_after} times in a row; it is asked again later."
            raise Unavailable(msg, retry_after=round(left, 1))

    def told(self, *, is_well: bool) -> None:
        """Take in how a try went."""
        with self._lock:
            self._failures = 0 if is_well else self._failures + 1
            if self._failures >= self.patience.breaks_after:
                self._open_until = time.monotonic() + self.patience.rests
                self._failures = 0


class Endpoint:
    """A model behind an OpenAI-compatible endpoint; safe to use from several threads.

    Needs the extra `knowwhy[model]`.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str | None = None,
        constrain: str = "schema",
        patience: Patience = Patience(),
        price: Price = Price(),
    ) -> None:
        """`constrain` is how the answer's shape is asked for: schema, object, or none (by words alone)."""
        if constrain not in ("schema", "object", "none"):
            msg = f"constrain is schema, object or none, not {constrain!r}."
            raise InvalidInput(msg)
        if not url.startswith(("http://", "https://")):
            msg = f"{url!r} is no address of an endpoint; it begins with http:// or https://."
            raise InvalidInput(msg)
        self.name = model
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._constrain, self._patience, self._price = constrain, patience, price
        self._breaker = Breaker(patience)
        self._client = _client(key, patience.seconds)
        self._closed = weakref.finalize(self, self._client.close)

    def reply(self, messages: Sequence[Message], shape: Mapping[str, Any]) -> Reply:
        """The answer to some messages; tried again where that may help.

        Raises:
            Unavailable: it cannot answer now.
            Refused: it does not take our key.
            Unsupported: it does not understand the request, such as a constrained shape.
        """
        body = self._body(messages, shape)
        wait: float | None = None
        why = ""
        for attempt in range(self._patience.tries):
            if attempt:
                # Chance only spreads those who wait; no result depends on it.
                backoff = self._patience.first_wait * 2 ** (attempt - 1)
                time.sleep(backoff * random.uniform(0.5, 1.0) if wait is None else wait)  # noqa: S311
            self._breaker.check()
            answer, why, wait = self._asked(body)
            self._breaker.told(is_well=answer is not None)
            if answer is not None:
                return answer
            if wait is not None and wait > _WAITS_AT_MOST:
                break
        msg = f"The model {self.name} did not answer: {why}. Try again later."
        raise Unavailable(msg, retry_after=wait or self._patience.rests)

    def close(self) -> None:
        """Let go of the connections; that happens by itself once nobody holds the endpoint."""
        self._closed()

    def _body(self, messages: Sequence[Message], shape: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.name,
            "temperature": 0,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
        }
        if self._constrain == "schema":
            named = {"name": "claims", "strict": True, "schema": shape}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self._constrain == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _asked(self, body: dict[str, Any]) -> tuple[Reply | None, str, float | None]:
        """The answer, or why there is none and after how many seconds to ask again, if that was said."""
        import httpx

        begun = time.monotonic()
        try:
            response = self._client.post(self._url, json=body)
        except httpx.HTTPError as problem:
            return None, f"{type(problem).__name__} {problem}".strip(), None
        status = response.status_code
        if status == _TOO_MANY or status >= _FAILING:
            return None, f"status {status}", _retry_after(response)
        if status in _UNKNOWN_KEY:
            msg = f"The endpoint refused the key (status {status}): {response.text[:_SHOWN]}"
            raise Refused(msg, status=status)
        if not response.is_success:
            msg = (
                f"The endpoint did not take the request (status {status}): {response.text[:_SHOWN]}. "
                "If it knows no json_schema, say constrain='object' or 'none'."
            )
            raise Unsupported(msg, status=status)
        reply = self._understood(response, time.monotonic() - begun)
        return reply, "its answer was no completion", None

    def _understood(self, response: httpx.Response, seconds: float) -> Reply | None:
        """The completion in a response; None where it holds none."""
        try:
            document = response.json()
            choice = document["choices"][0]
            text = choice["message"]["content"]
            counted = document.get("usage") or {}
            prompt = int(counted.get("prompt_tokens") or 0)
            completion = int(counted.get("completion_tokens") or 0)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return None
        if not isinstance(text, str):
            return None
        cost = (prompt * self._price.prompt + completion * self._price.completion) / _MILLION
        usage = Usage(1, prompt, completion, round(cost, 9), round(seconds, 3))
        return Reply(text, usage, is_cut_off=choice.get("finish_reason") == "length")


def _client(key: str | None, seconds: float) -> httpx.Client:
    try:
        import httpx
    except ImportError as problem:
        msg = "Reading words with a model needs httpx: pip install 'knowwhy[model]'."
        raise Unsupported(msg) from problem
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return httpx.Client(timeout=httpx.Timeout(seconds, connect=min(10.0, seconds)), headers=headers)


def _retry_after(response: httpx.Response) -> float | None:
    """What the other side says about when to ask again, in seconds."""
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None
