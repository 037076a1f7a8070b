"""The mutants fit the code they are made for: each finds the one place that it breaks."""

from __future__ import annotations

from tests.architecture.reading import ROOT, report
from tests.laws.mutant_table import Patch
from tests.laws.mutants import collected


def test_every_mutant_finds_its_place() -> None:
    mutants = collected()
    names = [one.name for one in mutants]
    assert len(set(names)) == len(names) > 500
    lost = [
        f"{one.name}: not once in {one.change.file}"
        for one in mutants
        if isinstance(one.change, Patch)
        and (ROOT / "src" / one.change.file).read_text(encoding="utf-8").count(one.change.old) != 1
    ]
    assert not lost, report(lost)
