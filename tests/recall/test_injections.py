"""Stored text stays text: whatever it says, no rendering takes it for a line, a mark or an order of its own.

The oracle is the same memory with harmless text in its place: what stands around it must be the same.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

import knowwhy
from tests.recall.injections import INJECTIONS

DAY, HARMLESS = "2025-01-10", "calm"
JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def told(text: str) -> knowwhy.Memory:
    """A memory that holds the text as a name, a value, a source, a condition, a reason and a passage."""
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01"))
    memory.declare("note", value_type="text")
    for source, value in ((f"a {text}", f"v {text}"), (f"b {text}", f"w {text}")):
        claims = [("order", "note", value)]
        memory.observe(source=source, claims=claims, observed_at=DAY, author=f"c {text}", reason=f"d {text}")
    claim = {
        "subject": f"order {text}",
        "attribute": "note",
        "value": "x",
        "conditions": {"where": f"e {text}"},
    }
    memory.observe(source="z", claims=[claim], observed_at=DAY)
    memory.observe(f"order note {text}", source=f"f {text}", observed_at=DAY, extract=False)
    return memory


def found(memory: knowwhy.Memory) -> knowwhy.Recollection:
    return memory.recall("order note", limit=10)


def sentences(memory: knowwhy.Memory) -> Iterator[tuple[str, str]]:
    """Everything that is told in words, by what tells it."""
    belief = memory.ask("order", "note").findings[0]
    yield "recall", str(found(memory))
    yield "ask", str(memory.ask("order", "note"))
    yield "why", str(memory.why(belief.id))
    yield "history", str(memory.history("order", "note"))
    yield "why not", str(memory.why_not("order", "note", "nothing"))
    yield "trust", str(memory.trust("order", "note", belief.value.text))
    yield "sources", "\n".join(map(str, memory.sources()))
    yield "log", "\n".join(map(str, memory.log()))
    yield "show", str(memory.show(2))
    yield "diff", str(memory.diff(1))
    (conflict,) = memory.conflicts("order")
    yield "conflicts", str(conflict)
    yield "resolve", str(memory.resolve(conflict.id, belief.id, author="ann"))


@dataclass(frozen=True)
class Rendered:
    """What a memory with harmless text tells."""

    prompt: str
    markdown: str
    sentences: dict[str, str]


@cache
def calm() -> Rendered:
    with told(HARMLESS) as memory:
        recalled = found(memory)
        return Rendered(recalled.to_prompt(), recalled.to_markdown(), dict(sentences(memory)))


@pytest.mark.parametrize("text", INJECTIONS, ids=lambda text: ascii(text[:20]))
def test_stored_text_stays_text(text: str) -> None:
    with told(text) as memory:
        due, prompt = calm().prompt, found(memory).to_prompt()
        assert all(mark.isprintable() for line in prompt.split("\n") for mark in line)
        assert _around(prompt) == _around(due)
        # What stands in quotes is the text itself, which a program can read back.
        assert f"order note {text}" in [json.loads(one) for one in JSON_STRING.findall(prompt)]
        markdown = found(memory).to_markdown()
        assert _shape(markdown) == _shape(calm().markdown)
        bare = re.sub(r"\\.|&(?:amp|lt|gt);", "", markdown)
        assert not re.search(r"[`\[\]<>#|~]|!\[", bare)
        for name, words in sentences(memory):
            assert all(mark.isprintable() for line in words.split("\n") for mark in line), name
            assert _shape(words) == _shape(calm().sentences[name]), name


def _around(prompt: str) -> list[str]:
    return sorted(JSON_STRING.sub('""', line) for line in prompt.split("\n"))


def _shape(words: str) -> list[str]:
    """How each line begins."""
    return sorted(re.match(r"\s*(?:- |\w+:)?", line)[0] for line in words.splitlines())  # type: ignore[index]


@pytest.mark.parametrize("name", ["\u0410pple", "Appl\u0435", "\u0391pple", "\uff21ppl\u0435"])
def test_a_name_that_looks_like_a_known_one_is_warned_of_and_stays_another(name: str) -> None:
    with knowwhy.open() as memory:
        memory.declare("colour")
        for plain in ("Apple", "\u0410\u043d\u043d\u0430", "\u5f20\u4f1f"):
            assert not memory.observe(source="a", claims=[(plain, "colour", "red")]).warnings
        outcome = memory.observe(source="b", claims=[(name, "colour", "green")])
        (warning,) = outcome.warnings
        assert f"{name!r} looks like the known 'Apple'" in warning
        assert memory.ask("Apple", "colour").value == "red"
