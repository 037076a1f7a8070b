"""The application: every verb at an address of its own, under /v1."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel

import knowwhy
from knowwhy.engine.memory import Memory
from knowwhy.errors import InvalidInput, NoKey, TooMuch, Unavailable, Unsupported
from knowwhy.surfaces.http import failures
from knowwhy.surfaces.http.bounding import Bounded
from knowwhy.surfaces.http.describing import DESCRIPTION, EXAMPLES, TAGS, tag_of
from knowwhy.surfaces.http.hosting import ANYBODY, Hosted
from knowwhy.surfaces.http.keys import Key
from knowwhy.surfaces.http.measuring import Measured, Measures
from knowwhy.surfaces.http.neighbours import check_own
from knowwhy.surfaces.http.paging import Page, paged
from knowwhy.surfaces.http.streaming import streamed
from knowwhy.surfaces.results import document, words
from knowwhy.surfaces.verbs import Verb, verbs


class Reply(BaseModel):
    """What a verb gave: `result` for programs, `text` for people; `next` is the cursor of what follows."""

    result: Any = None
    text: str = ""
    next: str | None = None


class Problem(BaseModel):
    """Why a call failed: a stable code, a message that says what to do, and particulars."""

    error: str
    message: str
    details: dict[str, Any]
    status: int


_LOG: Final = logging.getLogger("knowwhy.http")
_BEARER: Final = "bearer "
_FAILED: Final[dict[str, Any]] = {
    "description": "It failed; nothing was changed unless it says so.",
    "content": {failures.MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
}


class Context(BaseModel):
    """What a model should be told for a question, within its budget, and whether one may act on it."""

    prompt: str
    decision: str
    reason: str
    beliefs: list[str]


class Where(BaseModel):
    """On which branch; as of when where the verb reads; and who may read what it writes."""

    valid: str | None = None
    known: str | None = None
    branch: str | None = None
    share: list[str] | None = None
    run: str | None = None


def application(hosted: Hosted) -> FastAPI:
    """The service as an ASGI application, for any server that runs one."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.waiting = CapacityLimiter(_MOST_WAITING)
        yield
        await asyncio.to_thread(hosted.close)

    app = FastAPI(
        title="knowwhy",
        summary="A memory for AI agents that knows why it believes what it believes.",
        description=DESCRIPTION,
        version=knowwhy.__version__,
        openapi_tags=TAGS,
        lifespan=lifespan,
        responses=dict.fromkeys((422, "4XX", "5XX"), _FAILED),
    )
    app.state.hosted = hosted
    failures.enter(app)
    app.add_middleware(Bounded, limits=hosted.limits)
    measures = Measures()
    app.add_middleware(Measured, measures=measures)
    app.include_router(_open(hosted, measures))
    app.include_router(_versioned(), prefix="/v1")
    return app


async def caller(request: Request, authorization: Annotated[str | None, Header()] = None) -> Key:
    """Whoever calls.

    Raises:
        NoKey: keys are needed here, and there is none, or one that is not in force.
        TooMuch: the caller has asked for more than is allowed at once.
        Refused: no keys are needed here, and a page from elsewhere calls through somebody's browser.
    """
    hosted: Hosted = request.app.state.hosted
    if hosted.keys is None:
        check_own(request)
    key = ANYBODY
    if hosted.keys is not None:
        given = authorization or ""
        token = given[len(_BEARER) :].strip() if given.lower().startswith(_BEARER) else ""
        found = hosted.keys.holder(token)
        if found is None:
            _check_pace(hosted, f"nobody at {_host(request)}")
            msg = "This service asks for a key in force: send the header Authorization: Bearer KEY."
            raise NoKey(msg)
        key = found
    _check_pace(hosted, key.id or _host(request))
    return key


def _host(request: Request) -> str:
    return request.client.host if request.client else ""


def _check_pace(hosted: Hosted, name: str) -> None:
    if wait := hosted.allowance.wait(name):
        msg = f"More than {hosted.limits.rate:g} requests a second; wait, and ask again."
        raise TooMuch(msg, retry_after=wait)


Caller = Annotated[Key, Depends(caller)]


async def desk(request: Request, memory: str, key: Caller) -> Memory:
    """The memory that an address names, as its caller may use it."""
    hosted: Hosted = request.app.state.hosted
    return hosted.opened(memory, key)


Desk = Annotated[Memory, Depends(desk)]


def _open(hosted: Hosted, measures: Measures) -> APIRouter:
    """What needs no key: whether the service lives and can serve."""
    router = APIRouter(tags=["service"])

    @router.get("/health", summary="Whether the process lives.")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/ready", summary="Whether every memory can be read now.")
    def ready() -> dict[str, str]:
        if unready := hosted.unready():
            for name, reason in unready.items():
                _LOG.warning("the memory %s cannot be read: %s", name, reason)
            # Who has no key is told no names.
            msg = f"{len(unready)} of {len(hosted.memories)} memories cannot be read now; see the log."
            raise Unavailable(msg, retry_after=1.0)
        return {"status": "ready"}

    @router.get("/metrics", summary="Counts and times for Prometheus.", response_class=PlainTextResponse)
    def metrics() -> str:
        return measures.told()

    return router


def _versioned() -> APIRouter:
    router = APIRouter()

    @router.get("/memories", tags=["service"], summary="The memories that a key opens.")
    def memories(request: Request, key: Caller) -> Reply:
        names = list(request.app.state.hosted.names(key))
        return Reply(result=names, text="\n".join(names))

    router.get(
        "/memories/{memory}/context",
        operation_id="context",
        tags=[tag_of("recall")],
        summary="What a model should be told for a question, quoted and within a budget of tokens.",
    )(_context)
    router.get(
        "/memories/{memory}/changes/stream",
        tags=[tag_of("changes")],
        summary="Operations as they come, as server-sent events; Last-Event-ID goes on where one stopped.",
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
        response_class=Response,
    )(_stream)
    for verb in verbs().values():
        _add(router, verb)
    return router


async def _stream(
    request: Request,
    desk: Desk,
    key: Caller,
    since: Annotated[int, Query(ge=0)] = 0,
    last_event_id: Annotated[int | None, Header(ge=0)] = None,
) -> Response:
    keys = request.app.state.hosted.keys
    begun = since if last_event_id is None else last_event_id
    return streamed(request, desk, begun, lambda: keys is None or keys.holds(key.id))


def _context(
    desk: Desk,
    question: Annotated[str, Query(min_length=1, examples=["How long may I return an anvil?"])],
    budget: Annotated[int | None, Query(ge=1, examples=[400])] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 5,
    valid: str | None = None,
    known: str | None = None,
    branch: str | None = None,
) -> Context:
    found = desk.at(valid=valid, known=known, branch=branch).recall(question, limit=limit, budget=budget)
    return Context(
        prompt=found.to_prompt(),
        decision=found.decision.verdict,
        reason=found.decision.reason,
        beliefs=[one.id for one in found.beliefs],
    )


def _add(router: APIRouter, verb: Verb) -> None:
    """Give a verb its address, where it is called with what it takes."""
    takes, tag = verb.takes, tag_of(verb.name)

    async def called(
        *,
        given: BaseModel | None,
        request: Request,
        response: Response,
        desk: Desk,
        where: Annotated[Where, Query()],
        page: Annotated[Page, Query()],
    ) -> Reply:
        told = _conditioned(verb, given or takes(), request)

        def work() -> tuple[Reply, int | None]:
            result = verb.call(verb.placed(desk, **where.model_dump()), told)
            shown, following = paged(result, page, request.app.state.hosted.limits.page)
            reply = Reply(result=document(shown), text=words(shown), next=following)
            version = getattr(result, "version", None)
            return reply, version if isinstance(version, int) else None

        # Who waits for news must not keep threads from those who ask.
        limiter = request.app.state.waiting if "wait" in takes.model_fields else None
        reply, version = await to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=True)
        if version is not None:
            response.headers["ETag"] = f'"v{version}"'
        return reply

    needs = any(one.is_required() for one in takes.model_fields.values())
    called.__annotations__["given"] = takes if needs else takes | None
    if not needs:
        called.__kwdefaults__ = {**(called.__kwdefaults__ or {}), "given": None}
    held = [name for name, (field, _) in _HEADERS.items() if field in takes.model_fields]
    extra: dict[str, Any] = {"parameters": [_header(name) for name in held]}
    if example := EXAMPLES.get(verb.name):
        extra["requestBody"] = {"content": {"application/json": {"example": example}}}
    router.post(
        f"/memories/{{memory}}/{verb.path}",
        name=verb.name,
        operation_id=verb.name,
        tags=[tag],
        summary=verb.summary,
        openapi_extra=extra,
    )(called)


def _conditioned(verb: Verb, given: BaseModel, request: Request) -> BaseModel:
    """What was handed over, with what the headers of the request say of it.

    Raises:
        Unsupported: the verb cannot hold to such a header.
    """
    added: dict[str, Any] = {}
    if getattr(given, "wait", 0.0) > _LONGEST_WAIT:
        added["wait"] = _LONGEST_WAIT
    for name, (field, read) in _HEADERS.items():
        if (written := request.headers.get(name)) is None:
            continue
        if field not in verb.takes.model_fields:
            msg = f"{verb.name} cannot hold to {name}; leave it out."
            raise Unsupported(msg)
        added[field] = read(written)
    return given.model_copy(update=added) if added else given


def _header(name: str) -> dict[str, Any]:
    """What the description says of a header."""
    schema = {"type": "string", "minLength": 1, "maxLength": _LONGEST_KEY}
    if name == "If-Match":
        schema = {"type": "string", "pattern": '^(W/)?"v[0-9]{1,15}"$', "example": '"v12"'}
    return {"name": name, "in": "header", "required": False, "schema": schema}


def _key_in(header: str) -> str:
    if not 0 < len(header) <= _LONGEST_KEY:
        msg = f"An Idempotency-Key has 1 to {_LONGEST_KEY} characters."
        raise InvalidInput(msg)
    return header


def _version_in(header: str) -> int:
    written = header.strip().removeprefix("W/").strip('"').removeprefix("v")
    if not (written.isascii() and written.isdigit() and len(written) <= _MOST_DIGITS):
        msg = f'If-Match is a version as ETag gives it, such as "v12", not {header!r}.'
        raise InvalidInput(msg)
    return int(written)


_LONGEST_KEY: Final = 200
# After so many seconds without news the answer is empty, and one asks again.
_LONGEST_WAIT: Final = 5.0
_MOST_WAITING: Final = 500
# No version has more, and what has thousands is no number that Python reads.
_MOST_DIGITS: Final = 15
# The headers that say something of a write, each with the parameter of verbs that it stands for.
_HEADERS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "If-Match": ("expected_version", _version_in),
    "Idempotency-Key": ("idempotency_key", _key_in),
}
