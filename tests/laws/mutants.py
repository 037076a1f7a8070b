"""Whether the laws would notice: each mutant is the package with one fault, and its law must fail on it.

    python tests/laws/mutants.py [--jobs N] [WORD ...]

Runs the mutants of `mutant_table.py` and of `*_mutants.py` whose name or law contains one of the words, or
all. Copies of the package are broken, never the working tree. Exits with 1 unless every mutant was killed,
and killed by a law that passes without it; a mutant that cannot even run does not count as killed.
"""

from __future__ import annotations

import argparse
import dis
import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # as pytest has it, so that neighbours are found

from tests.laws.mutant_table import MUTANTS, Mutant, Patch, Replacement

ROOT = Path(__file__).resolve().parents[2]
SECONDS_FOR_ONE = 300
PASSED, FAILED = 0, 1  # exit codes of pytest; all others mean that no test was run to its end
MISWRITTEN = re.compile(r"^E +(NameError|UnboundLocalError|ImportError)", re.MULTILINE)


def main() -> int:
    reader = argparse.ArgumentParser(description="Check that each law catches the mutants made for it.")
    reader.add_argument("words", nargs="*", help="run only mutants whose name or law contains one of these")
    reader.add_argument("--jobs", type=int, default=2, help="how many to run at once (default: 2)")
    asked = reader.parse_args()
    mutants = [mutant for mutant in collected() if _is_meant(mutant, asked.words)]
    if not mutants:
        print("No mutant has such a name or law.")
        return 1
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        return _campaign(mutants, Path(folder), asked.jobs)


def collected() -> list[Mutant]:
    """The mutants of the table, and of every list in the files beside it."""
    found = list(MUTANTS)
    for path in sorted(Path(__file__).parent.glob("*_mutants.py")):
        module = vars(importlib.import_module(f"tests.laws.{path.stem}"))
        for name in sorted(module):
            if name.endswith("MUTANTS") and isinstance(module[name], list):
                found += module[name]
    return found


def _campaign(mutants: Sequence[Mutant], folder: Path, jobs: int) -> int:
    sound = _copied(folder / "sound")
    laws = sorted({mutant.kills for mutant in mutants})
    code, said = _tested(sound, laws)
    if code != PASSED:
        print(said)
        print("Some law fails, or is not found, without any mutant: nothing can be learned. Mend it first.")
        return 1
    width = max(len(mutant.name) for mutant in mutants)
    reach = max(len(_law(mutant)) for mutant in mutants)
    killed = 0
    with ThreadPoolExecutor(jobs) as pool:
        places = [folder / str(number) for number in range(len(mutants))]
        for mutant, (verdict, said) in zip(mutants, pool.map(_judged, mutants, places), strict=True):
            print(f"{mutant.name:{width}}  {_law(mutant):{reach}}  {verdict}", flush=True)
            if verdict == "killed":
                killed += 1
            elif said:
                print(textwrap.indent(said.strip(), "    "))
    print(f"{killed}/{len(mutants)} mutants killed")
    return 0 if killed == len(mutants) else 1


def _judged(mutant: Mutant, place: Path) -> tuple[str, str]:
    """What became of the mutant, and what there is to say about it."""
    sources = _copied(place)
    try:
        _break(sources, mutant)
    except ValueError as problem:
        return "BROKEN", str(problem)
    try:
        code, said = _tested(sources, [mutant.kills])
    except subprocess.TimeoutExpired:
        return "HUNG", f"no result within {SECONDS_FOR_ONE} s"
    finally:
        shutil.rmtree(place)
    if code == PASSED:
        return "SURVIVED", ""
    if code != FAILED or MISWRITTEN.search(said):
        return "BROKEN", said
    return "killed", ""


def _copied(place: Path) -> Path:
    return Path(shutil.copytree(ROOT / "src", place, ignore=shutil.ignore_patterns("__pycache__")))


def _break(sources: Path, mutant: Mutant) -> None:
    if isinstance(mutant.change, Patch):
        _patch(sources, mutant.change)
    else:
        _replace(sources, mutant.change)


def _patch(sources: Path, patch: Patch) -> None:
    file = sources / patch.file
    text = file.read_text(encoding="utf-8")
    if (times := text.count(patch.old)) != 1:
        message = f"{patch.file} has the text to be replaced {times} times, not once: {patch.old}"
        raise ValueError(message)
    file.write_text(text.replace(patch.old, patch.new), encoding="utf-8")


def _replace(sources: Path, change: Replacement) -> None:
    module, _, target = change.target.partition(":")
    file = sources / module.replace(".", "/") / "__init__.py"
    if not file.exists():
        file = file.parent.with_suffix(".py")
    name = change.replacement.__name__
    used = {step.argval for step in dis.get_instructions(change.replacement) if step.opname == "LOAD_GLOBAL"}
    # Each name stands alone first: one that the module does not have must break its import, lest the mutant
    # be killed for no merit of the law.
    lines = [inspect.getsource(change.replacement), *sorted(used), target, f"{target} = {name}"]
    with file.open("a", encoding="utf-8") as text:
        text.write("\n\n" + "\n".join(lines) + "\n")


def _tested(sources: Path, laws: Sequence[str]) -> tuple[int, str]:
    """The exit code of pytest for these laws over these sources, and what it said."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(sources),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "HYPOTHESIS_PROFILE": "mutants",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(sources / ".hypothesis"),
    }
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "--tb=short", "-p", "no:cacheprovider", *laws],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=None if len(laws) > 1 else SECONDS_FOR_ONE,
        check=False,
    )
    return ran.returncode, ran.stdout


def _law(mutant: Mutant) -> str:
    return mutant.kills.rpartition("::")[2]


def _is_meant(mutant: Mutant, words: Sequence[str]) -> bool:
    return not words or any(word in mutant.name or word in mutant.kills for word in words)


if __name__ == "__main__":
    sys.exit(main())
