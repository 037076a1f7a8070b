"""The layers: rooms import downwards only.

The contracts are in `pyproject.toml`, under `[tool.importlinter]`; import-linter checks them, here and in
`make check`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.reading import ROOT

SKELETON = (
    "__init__.py",
    "core/__init__.py",
    "core/confidence/__init__.py",
    "core/derivation/__init__.py",
    "core/model/__init__.py",
    "core/revision/__init__.py",
    "core/timeline/__init__.py",
    "engine/__init__.py",
    "errors.py",
    "evaluation/__init__.py",
    "explain/__init__.py",
    "ingest/__init__.py",
    "providers/__init__.py",
    "recall/__init__.py",
    "settings.py",
    "store/__init__.py",
    "store/memory.py",
    "store/protocol.py",
    "store/sqlite/__init__.py",
    "surfaces/__init__.py",
    "surfaces/cli/__init__.py",
)


def layers_of(sources: Path) -> subprocess.CompletedProcess[str]:
    """Check the package below `sources` against the contracts of this project."""
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(sources), "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_rooms_import_downwards_only() -> None:
    checked = layers_of(ROOT / "src")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Give a package that has our rooms, all empty but the settings, which read the environment."""
    for module in SKELETON:
        path = tmp_path / "knowwhy" / module
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "knowwhy" / "settings.py").write_text("import os", encoding="utf-8")
    return tmp_path


def test_empty_rooms_keep_every_contract(package: Path) -> None:
    checked = layers_of(package)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("engine/open.py", "import knowwhy.surfaces.cli", "Rooms import downwards only"),
        ("core/model/belief.py", "from knowwhy.store import protocol", "Rooms import downwards only"),
        ("recall/ranking.py", "import knowwhy.explain", "Rooms import downwards only"),
        ("store/memory.py", "import knowwhy.providers", "Rooms import downwards only"),
        ("errors.py", "def f():\n    import knowwhy.core.model", "Rooms import downwards only"),
        ("tools/__init__.py", "", "Rooms import downwards only"),
        ("core/model/belief.py", "import knowwhy.core.revision", "Inside core"),
        ("core/timeline/instant.py", "import knowwhy.core.confidence", "Inside core"),
        ("core/tools.py", "", "Inside core"),
        ("core/model/belief.py", "from os import path", "Core is pure"),
        ("core/confidence/decay.py", "import time", "Core is pure"),
        ("core/revision/reach.py", "import knowwhy.settings", "Core is pure"),
        ("store/sqlite/reading.py", "from knowwhy.store import memory", "Stores know the protocol"),
        ("store/protocol.py", "import knowwhy.store.memory", "Stores know the protocol"),
        ("surfaces/http/app.py", "import knowwhy.surfaces.cli", "Doors do not know each other"),
    ],
)
def test_a_contract_catches(package: Path, module: str, line: str, contract: str) -> None:
    path = package / "knowwhy" / module
    path.parent.mkdir(exist_ok=True)
    (path.parent / "__init__.py").touch()
    path.write_text(line, encoding="utf-8")
    checked = layers_of(package)
    broken = [row for row in checked.stdout.splitlines() if row.endswith(" BROKEN")]
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert any(row.startswith(contract) for row in broken), checked.stdout


def test_a_cycle_inside_a_room_is_caught(package: Path) -> None:
    room = package / "knowwhy" / "recall"
    (room / "ranking.py").write_text("import knowwhy.recall.packing", encoding="utf-8")
    (room / "packing.py").write_text("import knowwhy.recall.ranking", encoding="utf-8")
    checked = layers_of(package)
    assert checked.returncode == 1
    assert "No room contains a cycle BROKEN" in checked.stdout
