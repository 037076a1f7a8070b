"""The explorer in the package is what its sources make, is small, and is served under a strict policy."""

import hashlib
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from knowwhy.surfaces.web import explorer
from tests.architecture.reading import ROOT

SOURCES = ROOT / "web"
BUNDLE = ROOT / "src/knowwhy/surfaces/web/static"


def digest(folder: Path) -> str:
    """Give the digest that the build leaves beside the bundle; see web/vite.config.js."""
    files = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") or part == "node_modules" for part in path.relative_to(folder).parts)
    }
    found = hashlib.sha256()
    for name in sorted(files):
        found.update(name.encode() + b"\0" + files[name].read_bytes() + b"\0")
    return found.hexdigest()


def test_the_bundle_was_built_from_these_sources() -> None:
    built_from = (BUNDLE / "sources.sha256").read_text().strip()
    assert built_from == digest(SOURCES), "web/ has changed since the bundle was built: run `make web`"


def test_the_bundle_is_small() -> None:
    assert sum(path.stat().st_size for path in BUNDLE.iterdir()) < 300_000


def test_the_lock_names_no_place_to_download_from() -> None:
    assert '"resolved"' not in (SOURCES / "package-lock.json").read_text()


@pytest.mark.parametrize("name", [path.name for path in sorted((SOURCES / "src").rglob("*.ts"))])
def test_no_source_makes_markup_of_text(name: str) -> None:
    (source,) = (SOURCES / "src").rglob(name)
    text = source.read_text()
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "eval(",
        "srcdoc",
    ):
        assert way not in text


def test_it_is_served_under_a_strict_policy_and_nothing_else_is() -> None:
    client = TestClient(Starlette(routes=list(explorer())))
    for path, kind in {
        "/": "text/html",
        "/explorer.js": "text/javascript",
        "/explorer.css": "text/css",
    }.items():
        given = client.get(path)
        assert given.status_code == 200
        assert given.headers["content-type"].startswith(kind)
        assert given.headers["x-content-type-options"] == "nosniff"
        policy = given.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "connect-src 'self'" in policy
        assert "unsafe" not in policy
    for path in ("/sources.sha256", "/../pages.py", "/%2e%2e/pages.py", "/index.html"):
        assert client.get(path).status_code == 404
