"""AsyncMemory: the same verbs for asynchronous programs, each run in a worker thread.

No verb is written twice: each is lifted from `Memory`, with its signature and its documentation.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, Unpack, overload

from knowwhy.engine.branching import Line
from knowwhy.engine.declaring import Signed
from knowwhy.engine.memory import Memory
from knowwhy.engine.merge import MergePreview
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reader import Reader
from knowwhy.engine.space import When

Desk = TypeVar("Desk", bound=Reader)
Params = ParamSpec("Params")
Result = TypeVar("Result")


class Lifted(Generic[Desk, Params, Result]):
    """A verb of `Memory` or `Reader` as a coroutine method with the same parameters and result."""

    def __init__(self, verb: Callable[Concatenate[Desk, Params], Result]) -> None:
        self.verb = verb
        self.__doc__ = verb.__doc__

    @overload
    def __get__(self, holder: None, owner: type[object]) -> Self: ...
    @overload
    def __get__(
        self, holder: AsyncReader[Any], owner: type[object]
    ) -> Callable[Params, Coroutine[Any, Any, Result]]: ...
    def __get__(
        self, holder: AsyncReader[Any] | None, owner: type[object]
    ) -> Self | Callable[Params, Coroutine[Any, Any, Result]]:
        if holder is None:
            return self
        desk = holder.desk

        @functools.wraps(self.verb)
        async def lifted(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            return await asyncio.to_thread(self.verb, desk, *args, **kwargs)

        signature = inspect.signature(self.verb)
        lifted.__signature__ = signature.replace(  # type: ignore[attr-defined]  # which `help` reads
            parameters=list(signature.parameters.values())[1:]
        )
        return lifted


class AsyncReader(Generic[Desk]):
    """A `Reader` whose verbs are awaited."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    ask = Lifted(Reader.ask)
    recall = Lifted(Reader.recall)
    trust = Lifted(Reader.trust)
    why = Lifted(Reader.why)
    history = Lifted(Reader.history)
    conflicts = Lifted(Reader.conflicts)
    declared = Lifted(Reader.declared)
    calibration = Lifted(Reader.calibration)
    to_check = Lifted(Reader.to_check)
    search = Lifted(Reader.search)
    why_not = Lifted(Reader.why_not)
    sources = Lifted(Reader.sources)
    export = Lifted(Reader.export)
    summary = Lifted(Reader.summary)


class AsyncMemory(AsyncReader[Memory]):
    """A `Memory` whose verbs are awaited; `async with AsyncMemory(knowwhy.open(path)) as memory:`."""

    declare = Lifted(Memory.declare)
    declare_rule = Lifted(Memory.declare_rule)
    declare_denial = Lifted(Memory.declare_denial)
    withdraw_rule = Lifted(Memory.withdraw_rule)
    configure = Lifted(Memory.configure)
    derive = Lifted(Memory.derive)
    give_up = Lifted(Memory.give_up)
    observe = Lifted(Memory.observe)
    observe_many = Lifted(Memory.observe_many)
    add = Lifted(Memory.add)
    end = Lifted(Memory.end)
    retract = Lifted(Memory.retract)
    correct = Lifted(Memory.correct)
    alias = Lifted(Memory.alias)
    unalias = Lifted(Memory.unalias)
    merge_entities = Lifted(Memory.merge_entities)
    distinguish = Lifted(Memory.distinguish)
    questions = Lifted(Memory.questions)
    duplicates = Lifted(Memory.duplicates)
    incomplete = Lifted(Memory.incomplete)
    complete = Lifted(Memory.complete)
    dismiss = Lifted(Memory.dismiss)
    expire = Lifted(Memory.expire)
    learn = Lifted(Memory.learn)
    feedback = Lifted(Memory.feedback)
    used = Lifted(Memory.used)
    branches = Lifted(Memory.branches)
    drop = Lifted(Memory.drop)
    show = Lifted(Memory.show)
    diff = Lifted(Memory.diff)
    snapshot = Lifted(Memory.snapshot)
    snapshots = Lifted(Memory.snapshots)
    undo = Lifted(Memory.undo)
    what_if = Lifted(Memory.what_if)
    vacuum = Lifted(Memory.vacuum)
    preview_forget = Lifted(Memory.preview_forget)
    forget = Lifted(Memory.forget)
    erasures = Lifted(Memory.erasures)
    grant = Lifted(Memory.grant)
    grants = Lifted(Memory.grants)
    resolve = Lifted(Memory.resolve)
    assign = Lifted(Memory.assign)
    quarantine = Lifted(Memory.quarantine)
    release = Lifted(Memory.release)
    dream = Lifted(Memory.dream)
    audits = Lifted(Memory.audits)
    explain = Lifted(Memory.explain)
    work = Lifted(Memory.work)
    reextract = Lifted(Memory.reextract)
    sync = Lifted(Memory.sync)
    import_from = Lifted(Memory.import_from)
    backup = Lifted(Memory.backup)
    observe_document = Lifted(Memory.observe_document)
    queue = Lifted(Memory.queue)
    retry = Lifted(Memory.retry)
    log = Lifted(Memory.log)
    changes = Lifted(Memory.changes)
    stats = Lifted(Memory.stats)
    embed = Lifted(Memory.embed)
    rebuild = Lifted(Memory.rebuild)
    doctor = Lifted(Memory.doctor)
    close = Lifted(Memory.close)

    def at(
        self, valid: When | None = None, known: When | None = None, branch: str | None = None
    ) -> AsyncReader[Reader]:
        """The memory at another time, as `Memory.at`; a branch is looked up at once."""
        return AsyncReader(self.desk.at(valid, known, branch))

    def in_run(self, name: str) -> AsyncMemory:
        """The memory whose operations belong to a run, as `Memory.in_run`."""
        return AsyncMemory(self.desk.in_run(name))

    def seen_by(
        self, *, agent: str | None = None, user: str | None = None, groups: Sequence[str] = ()
    ) -> AsyncMemory:
        """The memory as a principal may use it, as `Memory.seen_by`."""
        return AsyncMemory(self.desk.seen_by(agent=agent, user=user, groups=groups))

    def shared_with(self, *readers: str, writers: Sequence[str] = ()) -> AsyncMemory:
        """The memory whose evidence only some may read, as `Memory.shared_with`."""
        return AsyncMemory(self.desk.shared_with(*readers, writers=writers))

    async def fork(
        self,
        name: str,
        *,
        assumes: str | None = None,
        expires_at: When | None = None,
        **signed: Unpack[Signed],
    ) -> AsyncMemory:
        """A new branch, as `Memory.fork`."""
        forked = functools.partial(self.desk.fork, name, assumes=assumes, expires_at=expires_at, **signed)
        return AsyncMemory(await asyncio.to_thread(forked))

    async def on(self, name: str | None = None) -> AsyncMemory:
        """The memory on one of its branches, as `Memory.on`."""
        return AsyncMemory(await asyncio.to_thread(self.desk.on, name))

    async def merge(
        self, other: Line | AsyncMemory, *, expected: str | None = None, **signed: Unpack[Signed]
    ) -> Outcome:
        """Take over what another line has, as `Memory.merge`."""
        line = other.desk if isinstance(other, AsyncMemory) else other
        return await asyncio.to_thread(functools.partial(self.desk.merge, line, expected=expected, **signed))

    async def preview_merge(self, other: Line | AsyncMemory) -> MergePreview:
        """What a merge would come to, as `Memory.preview_merge`."""
        line = other.desk if isinstance(other, AsyncMemory) else other
        return await asyncio.to_thread(self.desk.preview_merge, line)

    def __str__(self) -> str:
        return str(self.desk)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
