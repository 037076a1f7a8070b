"""From a command's options to an open memory."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import knowwhy
from knowwhy import Embedder, InvalidInput, Memory, NotFound, PackagedEmbedder, Principal, Reader, settings
from knowwhy.engine.sharing import principal_of as named
from knowwhy.surfaces.cli.options import Place, Times

DEFAULT_SPACE = "main"
# What is shared with it is private.
NOBODY = "nobody"


def path_of(place: Place) -> str:
    """The file that is meant."""
    return settings.read().db if place.db is None else place.db


def is_there(place: Place) -> bool:
    """Whether the memory need not be made; an address that is no path is for the library to judge."""
    path = path_of(place)
    return not path or "://" in path or path == ":memory:" or Path(path).exists()


@contextmanager
def opened(
    place: Place,
    *,
    may_make: bool = False,
    strict: bool = False,
    run: str | None = None,
    extractor: str | None = None,
) -> Iterator[Memory]:
    """The memory, on the branch that is meant, closed again afterwards; what is written belongs to a `run`.

    Raises:
        NotFound: there is no such file, and this command makes none; no such branch, or no such extractor.
    """
    path = path_of(place)
    if not may_make and not is_there(place):
        named = "" if place.db is None else f"--db {shlex.quote(path)} "
        msg = f"There is no memory at {path}. To make one: knowwhy {named}init"
        raise NotFound(msg, db=path)
    space = place.space or DEFAULT_SPACE
    with knowwhy.open(
        path, space=space, zone=place.zone, strict=strict, extractor=extractor, embedder=embedder_named()
    ) as memory:
        line = memory if place.branch is None else memory.on(place.branch)
        line = _shared(_for(line, place), place)
        yield line if run is None else line.in_run(run)


def principal_of(place: Place) -> Principal | None:
    """On whose behalf a memory is used: by the options, or else by the environment; None for its owner."""
    set_outside = settings.read()
    agent, user = place.agent or set_outside.agent, place.user or set_outside.user
    groups = place.group or set_outside.groups
    return named(agent, user, groups) if agent or user or groups else None


def _for(memory: Memory, place: Place) -> Memory:
    """The memory as whoever is named may use it."""
    one = principal_of(place)
    return memory if one is None else memory.seen_by(agent=one.agent, user=one.user, groups=one.groups)


def _shared(memory: Memory, place: Place) -> Memory:
    if not place.share:
        return memory
    return memory.shared_with(*(one for one in place.share if one != NOBODY))


@contextmanager
def reading(place: Place, times: Times) -> Iterator[Reader]:
    """The memory as of the times asked about."""
    with opened(place) as memory:
        yield memory.at(valid=times.at, known=times.known)


def embedder_named() -> Embedder | None:
    """The embedder that the environment names."""
    named = settings.read().embedder
    if named in ("", "none"):
        return None
    if named == "packaged":
        return PackagedEmbedder()
    msg = f"KNOWWHY_EMBEDDER={named!r} names no embedder; it is packaged or none."
    raise InvalidInput(msg)
