"""A client: a memory behind a service, with the same verbs as one that is opened here."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from datetime import date
from decimal import Decimal
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, ParamSpec, Self, TypeAlias, TypeVar
from urllib.parse import quote

from knowwhy import errors
from knowwhy.engine.memory import Memory
from knowwhy.errors import Fault, InvalidInput, KnowwhyError, Unavailable

if TYPE_CHECKING:
    import httpx

Params = ParamSpec("Params")
Gives = TypeVar("Gives")
# Requests, each with its response, until what the verb gave is told.
Exchange: TypeAlias = "Generator[dict[str, Any], httpx.Response, Any]"
_TIMEOUT: Final = 60.0
_SERVER_ERROR: Final = 500


class Told(Mapping[str, Any]):
    """What a verb gave at the other end: a document, whose fields are attributes too, and its sentences.

    `answer.value`, `answer["value"]` and `str(answer)` are those of the value that the verb gives here, as
    far as its `as_dict` says it.
    """

    def __init__(self, fields: Mapping[str, Any], text: str = "") -> None:
        self._fields, self._text = fields, text

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - whatever a verb gives
        return _told(self._fields[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a verb gives
        if name.startswith("_") or name not in self._fields:
            msg = f"The service told no {name!r}; it told {', '.join(self._fields)}."
            raise AttributeError(msg)
        return self[name]

    def as_dict(self) -> dict[str, Any]:
        """The document as it came."""
        return dict(self._fields)

    def __str__(self) -> str:
        return self._text or str(dict(self._fields))

    def __repr__(self) -> str:
        return f"Told({dict(self._fields)!r})"


def _told(result: Any, text: str = "") -> Any:  # noqa: ANN401 - whatever a verb gives
    if isinstance(result, dict):
        return Told(result, text)
    return tuple(map(_told, result)) if isinstance(result, list) else result


class Called(Generic[Params]):
    """A verb of `Memory` that is called at the other end, with the same parameters."""

    def __init__(self, verb: Callable[Concatenate[Any, Params], Any]) -> None:
        self.verb = verb
        self.__doc__ = verb.__doc__
        self.name = verb.__name__

    def __get__(self, holder: Any, owner: type[object]) -> Callable[Params, Any]:  # noqa: ANN401 - a client
        signature = inspect.signature(self.verb)

        @functools.wraps(self.verb)
        def called(*args: Params.args, **kwargs: Params.kwargs) -> Any:  # noqa: ANN401 - whatever it gives
            return holder.call(self.name, _named(signature, args, kwargs))

        called.__signature__ = signature.replace(  # type: ignore[attr-defined]  # which `help` reads
            parameters=list(signature.parameters.values())[1:]
        )
        return called


def _named(signature: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """What was passed, by the names of the parameters."""
    found: dict[str, Any] = {}
    for name, value in signature.bind(None, *args, **kwargs).arguments.items():
        one = signature.parameters[name]
        if one.kind is one.VAR_KEYWORD:
            found |= value
        elif name != "self":
            found[name] = value
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a verb takes
    """The value as JSON can say it."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        given = {name: _plain(one) for name, one in asdict(value).items()}
        return {name: one for name, one in given.items() if one is not None}
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Sequence) or hasattr(value, "__iter__"):
        return [_plain(one) for one in value]
    msg = f"{type(value).__name__} cannot be handed to a memory behind a service."
    raise InvalidInput(msg)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a client says beside each call: as of when, on which branch, who may read, in which run."""

    valid: str | None = None
    known: str | None = None
    branch: str | None = None
    share: tuple[str, ...] | None = None
    run: str | None = None

    def query(self) -> dict[str, Any]:
        """The same as parameters of an address."""
        told = {name: one for name, one in asdict(self).items() if one is not None}
        return told | ({"share": list(self.share) or ["nobody"]} if self.share is not None else {})


class _Desk:
    """Where verbs are called: an address, and what is said beside each call."""

    def __init__(self, http: Any, path: str, scope: Scope) -> None:  # noqa: ANN401 - a client of either kind
        self.http, self.path, self.scope = http, path, scope

    def call(self, verb: str, given: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever the verb gives
        """What the verb gives at the other end.

        Raises:
            KnowwhyError: the error that the verb raised there.
            Unavailable: the service cannot be reached.
        """
        raise NotImplementedError

    def _exchange(self, verb: str, given: dict[str, Any]) -> Exchange:
        """The requests that a call takes, each answered before the next: a long list comes in pages."""
        key = given.get("idempotency_key")
        request = {
            "method": "POST",
            "url": f"{self.path}/{verb.replace('_', '-')}",
            "json": given,
            "headers": {"Idempotency-Key": key} if key else {},
        }
        told = _body((yield request | {"params": self.scope.query()}))
        result: Any = told.get("result")
        text = told.get("text", "")
        while (cursor := told.get("next")) is not None:
            told = _body((yield request | {"params": self.scope.query() | {"cursor": cursor}}))
            result = [*result, *told["result"]]
        return _told(result, text)

    def _scoped(self, **changed: Any) -> Self:  # noqa: ANN401 - fields of a scope
        return type(self)(self.http, self.path, replace(self.scope, **changed))


def _body(response: httpx.Response) -> dict[str, Any]:
    """What the service answered.

    Raises:
        KnowwhyError: the error that was raised there.
    """
    try:
        told = response.json()
    except ValueError:
        told = {}
    if response.is_success and isinstance(told, dict):
        return told
    raise _error(response.status_code, told if isinstance(told, dict) else {})


def _error(status: int, told: Mapping[str, Any]) -> KnowwhyError:
    """The error that was raised at the other end."""
    kind = _ERRORS.get(told.get("error", ""))
    message = told.get("message") or f"The service answered with status {status} and no reason."
    if kind is None:
        kind = Unavailable if status >= _SERVER_ERROR else Fault
    return kind(message, **told.get("details", {}))


_ERRORS: Final[Mapping[str, type[KnowwhyError]]] = {
    one.code: one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, KnowwhyError)
}


class RemoteMemory(_Desk):
    """A memory behind a service. Every verb of `Memory` that a program elsewhere can call is here.

    Use it as a context manager, or `close` it.
    """

    add = Called(Memory.add)
    alias = Called(Memory.alias)
    ask = Called(Memory.ask)
    assign = Called(Memory.assign)
    audits = Called(Memory.audits)
    branches = Called(Memory.branches)
    calibration = Called(Memory.calibration)
    changes = Called(Memory.changes)
    complete = Called(Memory.complete)
    configure = Called(Memory.configure)
    conflicts = Called(Memory.conflicts)
    correct = Called(Memory.correct)
    declare = Called(Memory.declare)
    declare_denial = Called(Memory.declare_denial)
    declare_rule = Called(Memory.declare_rule)
    declared = Called(Memory.declared)
    derive = Called(Memory.derive)
    diff = Called(Memory.diff)
    dismiss = Called(Memory.dismiss)
    distinguish = Called(Memory.distinguish)
    doctor = Called(Memory.doctor)
    dream = Called(Memory.dream)
    drop = Called(Memory.drop)
    duplicates = Called(Memory.duplicates)
    embed = Called(Memory.embed)
    end = Called(Memory.end)
    erasures = Called(Memory.erasures)
    expire = Called(Memory.expire)
    explain = Called(Memory.explain)
    feedback = Called(Memory.feedback)
    forget = Called(Memory.forget)
    fork = Called(Memory.fork)
    give_up = Called(Memory.give_up)
    grant = Called(Memory.grant)
    grants = Called(Memory.grants)
    history = Called(Memory.history)
    incomplete = Called(Memory.incomplete)
    learn = Called(Memory.learn)
    log = Called(Memory.log)
    merge = Called(Memory.merge)
    merge_entities = Called(Memory.merge_entities)
    observe = Called(Memory.observe)
    observe_document = Called(Memory.observe_document)
    observe_many = Called(Memory.observe_many)
    preview_forget = Called(Memory.preview_forget)
    preview_merge = Called(Memory.preview_merge)
    quarantine = Called(Memory.quarantine)
    questions = Called(Memory.questions)
    queue = Called(Memory.queue)
    rebuild = Called(Memory.rebuild)
    recall = Called(Memory.recall)
    reextract = Called(Memory.reextract)
    release = Called(Memory.release)
    resolve = Called(Memory.resolve)
    retract = Called(Memory.retract)
    retry = Called(Memory.retry)
    search = Called(Memory.search)
    show = Called(Memory.show)
    snapshot = Called(Memory.snapshot)
    snapshots = Called(Memory.snapshots)
    sources = Called(Memory.sources)
    stats = Called(Memory.stats)
    to_check = Called(Memory.to_check)
    summary = Called(Memory.summary)
    trust = Called(Memory.trust)
    unalias = Called(Memory.unalias)
    undo = Called(Memory.undo)
    used = Called(Memory.used)
    vacuum = Called(Memory.vacuum)
    what_if = Called(Memory.what_if)
    why = Called(Memory.why)
    why_not = Called(Memory.why_not)
    withdraw_rule = Called(Memory.withdraw_rule)
    work = Called(Memory.work)

    def at(self, valid: Any = None, known: Any = None, branch: str | None = None) -> RemoteMemory:  # noqa: ANN401
        """The memory at another time, on a branch; see `Memory.at`."""
        return self._scoped(
            valid=_plain(valid), known=_plain(known), branch=branch or self.scope.branch, share=None, run=None
        )

    def on(self, name: str | None = None) -> Self:
        """The memory on one of its branches, or on its main line."""
        return self._scoped(branch=name)

    def in_run(self, name: str) -> Self:
        """The memory whose writes belong to a run, which `undo` takes back as one."""
        return self._scoped(run=name)

    def shared_with(self, *readers: str) -> Self:
        """The memory whose writes these may read: agent:NAME, user:NAME, group:NAME; nobody else."""
        return self._scoped(share=readers)

    def call(self, verb: str, given: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever the verb gives
        """What the verb gives at the other end."""
        import httpx

        steps = self._exchange(verb, given)
        request = next(steps)
        while True:
            try:
                response = self.http.request(**request)
            except httpx.TransportError as failure:
                raise _unreachable(failure) from failure
            try:
                request = steps.send(response)
            except StopIteration as ended:
                return ended.value

    def close(self) -> None:
        """Let go of the connections."""
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncRemoteMemory(RemoteMemory):
    """The same for asynchronous programs: each verb is awaited."""

    def call(self, verb: str, given: dict[str, Any]) -> Awaitable[Any]:
        """What the verb gives at the other end, to be awaited."""
        return self._called(verb, given)

    async def _called(self, verb: str, given: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever it gives
        import httpx

        steps = self._exchange(verb, given)
        request = next(steps)
        while True:
            try:
                response = await self.http.request(**request)
            except httpx.TransportError as failure:
                raise _unreachable(failure) from failure
            try:
                request = steps.send(response)
            except StopIteration as ended:
                return ended.value

    async def close(self) -> None:  # type: ignore[override]  # all that this client does is awaited
        """Let go of the connections."""
        await self.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _unreachable(failure: Exception) -> Unavailable:
    told = str(failure) or type(failure).__name__
    return Unavailable(f"The service cannot be reached: {told}.", retry_after=1.0)


def connect(
    url: str, *, key: str | None = None, memory: str = "main", timeout: float = _TIMEOUT
) -> RemoteMemory:
    """A memory behind a service at `url`, such as "http://127.0.0.1:8080", with the verbs of `open`.

    Args:
        url: where the service is.
        key: the key it asks for, if it does.
        memory: which of its memories.
        timeout: after how many seconds to give up waiting for an answer.

    Raises:
        InvalidInput: not an address of a service.
    """
    import httpx

    return RemoteMemory(httpx.Client(**_options(url, key, timeout)), _path(memory), Scope())


def connect_async(
    url: str, *, key: str | None = None, memory: str = "main", timeout: float = _TIMEOUT
) -> AsyncRemoteMemory:
    """The same as `connect`, for asynchronous programs: each verb is awaited."""
    import httpx

    return AsyncRemoteMemory(httpx.AsyncClient(**_options(url, key, timeout)), _path(memory), Scope())


def _options(url: str, key: str | None, timeout: float) -> dict[str, Any]:
    if not url.startswith(("http://", "https://")):
        msg = f"{url!r} is no address of a service, such as http://127.0.0.1:8080."
        raise InvalidInput(msg)
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": timeout}


def _path(memory: str) -> str:
    return f"/v1/memories/{quote(memory, safe='')}"
