"""What the service bears: two hundred clients at once on loopback, beside a no-op of the same server.

    python benchmarks/serving.py [--clients 200] [--requests 2000] [--beliefs 1000] [--json FILE]

Each client keeps a connection and calls one after another: the no-op (/health), recall, observe. Prints
requests a second and the slowest in a hundred, and the ratios to the no-op. Not measured: a network, TLS,
PostgreSQL, and clients on another machine; here they take processor time from the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

_RUN = "from knowwhy.surfaces.cli import main; main()"


async def _round(
    url: str, clients: int, requests: int, call: Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]
) -> dict[str, float]:
    """Figures of one endpoint: each client sends its share one after another."""
    took: list[float] = []
    failed = 0
    share = max(1, requests // clients)

    async def client(http: httpx.AsyncClient, number: int) -> None:
        nonlocal failed
        for turn in range(share):
            began = time.perf_counter()
            response = await call(http, number * share + turn)
            took.append(time.perf_counter() - began)
            failed += response.status_code != 200

    # Clients are made before the clock starts: each makes a context for TLS, which takes long.
    async with AsyncExitStack() as stack:
        several = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=120))
            for _ in range(clients)
        ]
        await asyncio.gather(*(http.get("/health") for http in several))  # each connection is open
        began = time.perf_counter()
        await asyncio.gather(*(client(http, number) for number, http in enumerate(several)))
        wall = time.perf_counter() - began
    took.sort()
    return {
        "requests": len(took),
        "errors": failed,
        "per_second": round(len(took) / wall, 1),
        "p50_ms": round(1000 * took[len(took) // 2], 1),
        "p99_ms": round(1000 * took[min(len(took) - 1, int(0.99 * len(took)))], 1),
    }


async def _measured(url: str, clients: int, requests: int, beliefs: int) -> dict[str, dict[str, float]]:
    path = "/v1/memories/main"
    async with httpx.AsyncClient(base_url=url, timeout=120) as http:
        told = [{"source": "list", "claims": [[f"part {one}", "price", one]]} for one in range(beliefs)]
        (await http.post(f"{path}/observe-many", json={"observations": told})).raise_for_status()
    found = {}
    found["no_op"] = await _round(url, clients, requests, lambda http, _: http.get("/health"))
    found["recall"] = await _round(
        url,
        clients,
        requests,
        lambda http, n: http.post(f"{path}/recall", json={"question": f"What does part {n % beliefs} cost?"}),
    )
    found["observe"] = await _round(
        url,
        clients,
        requests,
        lambda http, n: http.post(
            f"{path}/observe", json={"source": "load", "claims": [[f"item {n}", "colour", "red"]]}
        ),
    )
    for one in found.values():
        one["throughput_of_no_op"] = round(one["per_second"] / found["no_op"]["per_second"], 3)
        one["p99_of_no_op"] = round(one["p99_ms"] / found["no_op"]["p99_ms"], 2)
    return found


def main() -> None:
    """Start a server, load it, stop it, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--requests", type=int, default=1_000)
    parser.add_argument("--beliefs", type=int, default=1_000)
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder) / "load.db")
        program = [sys.executable, "-c", _RUN]
        subprocess.run([*program, "--db", place, "init"], check=True, capture_output=True)
        served = subprocess.Popen(
            [*program, "serve", "--db", place, "--port", "0", "--rate", "1000000", "--seconds", "120"],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert served.stderr is not None
        match = re.search(r"http://[\d.:]+", served.stderr.readline())
        assert match is not None, "the service told no address"
        try:
            found = asyncio.run(_measured(match.group(), given.clients, given.requests, given.beliefs))
        finally:
            served.send_signal(signal.SIGTERM)
            served.wait(timeout=60)
    print(
        json.dumps({"clients": given.clients, "beliefs": given.beliefs, "load": os.getloadavg()[0], **found})
    )


if __name__ == "__main__":
    main()
