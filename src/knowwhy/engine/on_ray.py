"""Ray: workers of offline work as tasks of a Ray cluster, wherever it has room for them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar

from knowwhy.errors import InvalidInput, Unavailable, Unsupported

T = TypeVar("T")

# How Ray calls the cluster that this machine is part of.
NEAREST: Final = "auto"


def on_ray(work: Callable[[], T], workers: int, cluster: str = NEAREST) -> list[T]:
    """What so many workers give, each a task of a Ray cluster; it waits for them all.

    A worker that dies is begun anew, as Ray does with any task. Where this process has joined a cluster
    already, that one is used.

    Raises:
        InvalidInput: fewer than one worker.
        Unsupported: the extra is not installed.
        Unavailable: there is no such cluster.
    """
    if workers < 1:
        raise InvalidInput(f"There must be at least 1 worker, not {workers}.")
    ray = _loaded()
    is_joined = ray.is_initialized()
    if not is_joined:
        try:
            ray.init(address=cluster, log_to_driver=False)
        except ConnectionError as failure:
            raise Unavailable(
                f"There is no Ray cluster at {cluster!r}: start one (`ray start --head`), or name another.",
                retry_after=1.0,
            ) from failure
    try:
        task = ray.remote(work).options(scheduling_strategy="SPREAD")
        told: list[T] = ray.get([task.remote() for _ in range(workers)])
        return told
    finally:
        if not is_joined:
            ray.shutdown()


def _loaded() -> Any:  # noqa: ANN401 - a module, loaded only for those who ask for it
    try:
        return import_module("ray")
    except ImportError as failure:
        msg = f"Workers on a Ray cluster need the extra `ray`: pip install 'knowwhy[ray]' ({failure})."
        raise Unsupported(msg, extra="ray") from failure
