"""A scripted endpoint: a real HTTP server that answers as an OpenAI-compatible one does, or misbehaves.

    with ScriptedEndpoint([status(500), answering(claims)]) as server:
        extractor = ModelExtractor(Endpoint(server.url, "scripted"))

Each request is met by the next turn of the script; the last one goes on. At /rerank it is asked how well
documents answer a question.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self, TypeAlias

# A claim as a model reports it, some fields of it; the others have their usual values.
Said: TypeAlias = Mapping[str, Any]
# What a model would say of a passage: its text, as it was asked about.
Reads: TypeAlias = Callable[[str], Sequence[Said]]


@dataclass(frozen=True, slots=True)
class Turn:
    """How one request is met: after so many seconds, with a status, headers and a body."""

    body: Callable[[Mapping[str, Any]], bytes]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0


def answering(reads: Reads, *, after: float = 0.0) -> Turn:
    """A proper answer, with the claims that `reads` finds in each passage."""
    return Turn(lambda asked: _completion(_answer(asked, reads)), after=after)


def saying(text: str, *, finish: str = "stop") -> Turn:
    """A completion that says this, whatever was asked."""
    return Turn(lambda _asked: _completion(text, finish))


def truncated(reads: Reads, share: float = 0.6) -> Turn:
    """An answer that is cut off before its end."""

    def cut(asked: Mapping[str, Any]) -> bytes:
        text = _answer(asked, reads)
        return _completion(text[: int(len(text) * share)], "length")

    return Turn(cut)


def ranking(relevance: Callable[[str, str], float]) -> Turn:
    """How well each document answers, by a function of the question and the document; the best first."""

    def ranked(asked: Mapping[str, Any]) -> bytes:
        found = [
            {"index": at, "relevance_score": relevance(asked["query"], document)}
            for at, document in enumerate(asked["documents"])
        ]
        found.sort(key=lambda one: -float(one["relevance_score"]))
        return json.dumps({"model": asked["model"], "results": found[: asked["top_n"]]}).encode()

    return Turn(ranked)


def status(code: int, retry_after: float | None = None) -> Turn:
    """A failure, with what it says about when to ask again."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Turn(lambda _asked: b'{"error": {"message": "scripted"}}', code, headers)


def garbage(body: bytes = b"<html>Bad gateway</html>") -> Turn:
    """A success whose body is no completion."""
    return Turn(lambda _asked: body)


def claim(subject: str, attribute: str, value: str | None, quote: str, **more: Any) -> Said:  # noqa: ANN401
    """A claim as a model reports it."""
    return {"subject": subject, "attribute": attribute, "value": value, "quote": quote, **more}


class ScriptedEndpoint:
    """The server; it is up inside of a `with`, and keeps what it was asked in `requests`."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.requests: list[Mapping[str, Any]] = []
        self.keys: list[str | None] = []
        self._turns = list(turns)
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Exchange)
        self._server.script = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """Its address, as an `Endpoint` takes it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def passages(self, request: int = -1) -> list[str]:
        """The passages that a request asked about."""
        return [str(one["text"]) for one in asked_about(self.requests[request])]

    def next_turn(self, asked: Mapping[str, Any], key: str | None) -> Turn:
        """The turn that meets a request."""
        with self._lock:
            self.requests.append(asked)
            self.keys.append(key)
            return self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_ended: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def asked_about(asked: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The passages in a request: in the first thing that the user says there."""
    said = next(one["content"] for one in asked["messages"] if one["role"] == "user")
    passages: list[Mapping[str, Any]] = json.loads(said)["passages"]
    return passages


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: ScriptedEndpoint


class _Exchange(BaseHTTPRequestHandler):
    protocol_version: ClassVar[str] = "HTTP/1.1"  # type: ignore[misc]
    server: _Server

    def do_POST(self) -> None:
        """Meet a request by the next turn."""
        length = int(self.headers.get("Content-Length", 0))
        asked = json.loads(self.rfile.read(length))
        if self.path not in ("/v1/chat/completions", "/v1/rerank"):
            self._send(404, {}, b"{}")
            return
        turn = self.server.script.next_turn(asked, self.headers.get("Authorization"))
        time.sleep(turn.after)
        self._send(turn.status, turn.headers, turn.body(asked))

    def _send(self, code: int, headers: Mapping[str, str], body: bytes) -> None:
        try:
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:  # who asked has gone away meanwhile
            self.close_connection = True

    def log_message(self, *_told: object) -> None:
        """Nothing: the tests look at `requests`."""


def _answer(asked: Mapping[str, Any], reads: Reads) -> str:
    passages = [
        {"number": one["number"], "claims": [_full(said) for said in reads(str(one["text"]))]}
        for one in asked_about(asked)
    ]
    return json.dumps({"passages": passages}, ensure_ascii=False)


def _full(said: Said) -> Said:
    usual = {
        "unit": None,
        "stance": "supports",
        "modality": "asserted",
        "valid_from": None,
        "valid_to": None,
        "is_sure": True,
    }
    return {**usual, **said}


def _completion(text: str, finish: str = "stop") -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 100, "completion_tokens": max(1, len(text) // 4)}
    return json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode()
