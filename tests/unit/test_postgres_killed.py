"""A client that is killed in the middle of a commit leaves nothing half written, and nobody waiting.

Campaigns (`make crash ARGS='--store postgres'`) kill many at moments drawn by chance, and the server too;
here each moment of one commit is met for certain.
"""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

import knowwhy
from tests.servers import server

# A process that kills itself: when the commit is about to be sent, or has been sent and not been answered.
CLIENT = """
import os, signal, sys
import knowwhy
from knowwhy.store.postgres.session import Writing

url, moment = sys.argv[1:]
sent = Writing._send

def kill():
    os.kill(os.getpid(), signal.SIGKILL)

def sending(self, statements):
    those = list(statements)
    if those[-1][0] != "COMMIT":
        return sent(self, those)
    if moment == "before any of it":
        kill()
    if moment == "before the commit":
        sent(self, those[:-1])
        kill()
    with self.connection.pipeline() as pipeline:
        for sql, bindings in those:
            self.connection.execute(sql, bindings)
        if moment == "on its way":
            self.connection.pgconn.send_flush_request()
            self.connection.pgconn.flush()
            kill()
        pipeline.sync()
        kill()

Writing._send = sending
with knowwhy.open(url) as memory:
    memory.observe("It costs 7.", source="ann", claims=[("tea", "price", 7)], idempotency_key="seven")
"""


@pytest.mark.parametrize(
    ("moment", "is_kept"),
    [
        ("before any of it", False),
        ("before the commit", False),
        ("on its way", None),  # the server may have read it or not
        ("before the answer", True),
    ],
)
def test_a_client_killed_in_mid_commit_leaves_all_or_nothing(moment: str, *, is_kept: bool | None) -> None:
    url = server().fresh()
    with knowwhy.open(url) as memory:
        memory.observe("It costs 6.", source="bob", claims=[("tea", "price", 6)], observed_at="2020-01-01")
        done = subprocess.run([sys.executable, "-c", CLIENT, url, moment], check=False)
        assert done.returncode == -signal.SIGKILL
        # Who writes next waits until the server has ended what the dead client began, and no longer.
        told = memory.observe(
            "It costs 7.", source="ann", claims=[("tea", "price", 7)], idempotency_key="seven"
        )
        if is_kept is not None:
            assert told.is_repeat == is_kept
        assert told.operation == 2
        assert [one.operation.sequence for one in memory.changes()] == [1, 2]
        assert memory.ask("tea", "price").value == "7"
        assert memory.stats()["evidence"] == 2
        assert memory.doctor().is_healthy
