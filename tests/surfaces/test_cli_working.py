"""The commands about words that are read later."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

import knowwhy
from knowwhy.testing.endpoint import Said, ScriptedEndpoint, answering, claim
from tests.surfaces.program import PROGRAM, Ran, environment, run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    assert run("--db", path, "declare", "return window", "--unit", "days").code == 0
    words = "The return window of Harbour Books is 15 days."
    told = run("--db", path, "observe", words, "--source", "policy", "--later")
    assert (told.code, "to be read later: 1" in told.out) == (0, True)
    return path


def test_a_worker_reads_what_waits(db: Path) -> None:
    assert run("--db", db, "queue").out.startswith("1 waiting.")
    assert run("--db", db, "worker", "--once").out == "1 item read, 1 claim found.\n"
    assert run("--db", db, "worker", "--once").out == ""
    assert run("--db", db, "queue", "--json").document["waiting"] == 0
    assert "15 days" in run("--db", db, "ask", "Harbour Books", "return window").out


def test_lines_can_be_kept_for_later(db: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    said = [
        {"source": "clerk", "text": f"The return window of Shop {place} is 9 days."} for place in range(5)
    ]
    lines.write_text("".join(json.dumps(one) + "\n" for one in said), encoding="utf-8")
    assert run("--db", db, "observe", "--jsonl", lines, "--later").code == 0
    assert run("--db", db, "worker", "--once", "--limit", "4", "--json").document["read"] == 4
    assert run("--db", db, "queue", "--json").document["waiting"] == 2


def test_retry_says_when_nothing_is_parked(db: Path) -> None:
    assert "Nothing is parked" in run("--db", db, "retry").out
    assert run("--db", db, "retry", "ev_unknown").code == 3


def test_a_worker_goes_on_until_it_is_stopped(db: Path, tmp_path: Path) -> None:
    command = [str(PROGRAM), "--db", str(db), "worker", "--every", "0.05"]
    worker = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True)
    try:
        with knowwhy.open(db) as memory:
            _until_read(memory)
            memory.observe("The return window of Pier Store is 9 days.", source="policy", extract="later")
            _until_read(memory)
            assert str(memory.ask("Pier Store", "return window").value) == "9 days"
        worker.send_signal(signal.SIGINT)
        said, _ = worker.communicate(timeout=30)
    finally:
        worker.kill()
    assert said.count("1 item read, 1 claim found.") == 2
    assert worker.returncode == 130


def _until_read(memory: knowwhy.Memory) -> None:
    for _ in range(600):
        if not memory.queue().total:
            return
        time.sleep(0.05)
    raise AssertionError(str(memory.queue()))


def reads(text: str) -> list[Said]:
    quote = "return window of Harbour Books is 15 days"
    return [claim("Harbour Books", "return window", "15", quote)] if quote in text else []


def test_a_worker_reads_with_a_model(db: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refused = run("--db", db, "worker", "--once", "--extractor", "model")
    assert (refused.code, "KNOWWHY_MODEL_URL" in refused.err) == (2, True)
    unknown = run("--db", db, "worker", "--once", "--extractor", "oracle")
    assert (unknown.code, "rules, model" in unknown.err) == (3, True)
    with ScriptedEndpoint([answering(reads)]) as server:
        monkeypatch.setenv("KNOWWHY_MODEL_URL", server.url)
        monkeypatch.setenv("KNOWWHY_MODEL", "scripted")
        monkeypatch.setenv("KNOWWHY_MODEL_CACHE", str(tmp_path / "answers"))
        assert run("--db", db, "worker", "--once", "--extractor", "model").out.startswith("1 item read")
        assert len(server.requests) == 1
    with knowwhy.open(db) as memory:
        (entry,) = memory.log(limit=1)
    assert entry.outcome.usage.calls == 1
    assert entry.outcome.read_outs[0].by == "model scripted, prompt 1"


def test_an_installed_extractor_is_found_by_its_name(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package offers one by an entry point; here a module with the metadata that installers write."""
    package = tmp_path / "plugin"
    (package / "loud-1.0.dist-info").mkdir(parents=True)
    metadata = "Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n"
    (package / "loud-1.0.dist-info" / "METADATA").write_text(metadata)
    (package / "loud-1.0.dist-info" / "entry_points.txt").write_text(
        "[knowwhy.extractors]\nloud = loud_reader:Loud\nmute = loud_reader:Mute\n"
    )
    (package / "loud_reader.py").write_text(
        "from knowwhy import Draft\n"
        "from knowwhy.providers.extraction import Extraction\n"
        "class Loud:\n"
        "    name = 'loud 1.0'\n"
        "    def extract(self, utterance, schema):\n"
        "        return Extraction((Draft('Harbour Books', 'return window', '15', quote=utterance.text),))\n"
        "class Mute:\n"
        "    pass\n"
    )
    monkeypatch.syspath_prepend(str(package))
    assert run("--db", db, "worker", "--once", "--extractor", "loud").out.startswith("1 item read, 1 claim")
    assert run("--db", db, "worker", "--once", "--extractor", "mute").code == 2


def test_versions_of_a_document_are_compared(db: Path, tmp_path: Path) -> None:
    page = tmp_path / "terms.md"

    def observed(version: str, days: int) -> Ran:
        page.write_text(f"The return window of Sail Co is {days} days.", encoding="utf-8")
        words = "--db", db, "observe-document", "terms.md", version, "--file", page, "--json"
        return run(*words, "--observed-at", f"2026-0{version}-01")

    assert observed("1", 7).code == 0
    assert [one["is"]["value"] for one in observed("2", 30).document["changed"]] == ["30 days"]
    assert run("--db", db, "observe-document", "terms.md", "2", "other words").code == 4
    assert run("--db", db, "observe-document", "terms.md", "3").code == 2


def test_kept_words_are_read_again_on_a_branch(db: Path) -> None:
    run("--db", db, "worker", "--once")
    said = run("--db", db, "reextract", "again", "--since", "2020-01-01", "--json")
    assert (said.document["read"], said.document["same"]) == (1, 1)
    assert "'again'" in run("--db", db, "reextract", "once more").out.replace("once more", "again")
    assert run("--db", db, "reextract", "again").code == 2


def test_a_folder_is_kept_in_step(db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "wiki"
    folder.mkdir()
    (folder / "a.md").write_text("The return window of Pier Store is 9 days.", encoding="utf-8")
    assert "1 new version, 0 unchanged" in " ".join(run("--db", db, "sync", folder).out.split())
    assert run("--db", db, "sync", folder, "--json").document["unchanged"] == 1
    assert run("--db", db, "sync", tmp_path / "nowhere").code == 3
