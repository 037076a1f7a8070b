"""The command line as users run it: the installed program, or the same commands inside this process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from knowwhy.surfaces.cli import app

PROGRAM = Path(sys.executable).with_name("knowwhy")
HIDDEN = ("COLUMNS", "FORCE_COLOR", "KNOWWHY_", "NO_COLOR", "TERM", "_KNOWWHY_")
SECONDS = 60


@dataclass(frozen=True)
class Ran:
    """What a run printed on either stream, and the code it exited with."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401 - whatever the command prints
        """The JSON on standard output: one document, nothing else."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The JSON on the error stream, and nothing on the other."""
        assert not self.out, self.out
        error: dict[str, Any] = json.loads(self.err)
        return error


def run(*words: str | Path, stdin: bytes = b"") -> Ran:
    """Run a command inside this process, which is fast."""
    done = CliRunner().invoke(app, [str(word) for word in words], input=stdin, prog_name="knowwhy")
    return Ran(done.exit_code, done.stdout, done.stderr)


def environment(**added: str) -> dict[str, str]:
    """This process's environment without what would change how the program behaves."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
    return {**kept, "PYTHONWARNINGS": "error", **added}


def ran(*words: str | Path, folder: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
    """Run the program in a folder and wait for it."""
    done = subprocess.run(
        [PROGRAM, *words],
        cwd=folder,
        env=environment(**(env or {})),
        input=stdin,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
