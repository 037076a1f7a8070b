"""The commands about what follows, what is excluded, what depends on what, and by what all is decided.

Each does what the same call of the library does: the same outcome, and the same on record.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import knowwhy
from knowwhy import Draft, Memory, Outcome
from tests.surfaces.program import run
from tests.surfaces.shop import made, recorded

RULE = (("?c", "plan", "pro"), ("?c", "support hours", "24/7"), ("?c", "in arrears", "yes"))


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Give such a memory."""
    return made(tmp_path / "shop.db")


@dataclass(frozen=True)
class Case:
    """A command, and the call of the library that does the same."""

    words: tuple[str, ...]
    verb: Callable[[Memory], Outcome]


CASES: Mapping[str, Case] = {
    "declare": Case(
        (
            *(
                "declare",
                "commute",
                "--depends-on",
                "employer=0.9",
                "--depends-on",
                "home",
                "--kind",
                "preference",
            ),
            *("--policy", "newest", "--confidence", "log-odds", "--base-rate", "0.25", "--strictness", "2"),
            *("--act-above", "0.8", "--domain", "payment", "--author", "bob", "--reason", "why"),
        ),
        lambda m: m.declare(
            "commute",
            kind="preference",
            depends_on={"employer": 0.9, "home": 0.8},
            policy="newest",
            confidence="log-odds",
            base_rate=0.25,
            strictness=2.0,
            act_above=0.8,
            domain="payment",
            author="bob",
            reason="why",
        ),
    ),
    "declare what identifies": Case(
        ("declare", "passport", "--kind", "identity"), lambda m: m.declare("passport", kind="identity")
    ),
    "declare what changes all the same": Case(
        ("declare", "passport", "--kind", "identity", "--changes"),
        lambda m: m.declare("passport", kind="identity", changes=True),
    ),
    "declare nothing but the name": Case(("declare", "plan"), lambda m: m.declare("plan")),
    "declare a rule": Case(
        (
            *(
                "declare-rule",
                "pro support",
                "--if",
                "?c / plan = pro",
                "--then",
                "?c / support hours = 24/7",
            ),
            *("--unless", "?c / in arrears = yes", "--strength", "0.9", "--author", "bob", "--reason", "why"),
        ),
        lambda m: m.declare_rule(
            "pro support",
            premises=RULE[:1],
            conclusion=RULE[1],
            exceptions=RULE[2:],
            strength=0.9,
            author="bob",
            reason="why",
        ),
    ),
    "declare a rule with several premises": Case(
        (
            *("declare-rule", "colleague", "--if", "?p / employer = ?c", "--if", "?c / plan = ?plan"),
            *("--then", "?p / works under = ?plan"),
        ),
        lambda m: m.declare_rule(
            "colleague",
            premises=[("?p", "employer", "?c"), ("?c", "plan", "?plan")],
            conclusion=("?p", "works under", "?plan"),
        ),
    ),
    "declare a denial": Case(
        (
            "declare-denial",
            "no",
            "?r / status = booked",
            "?r / free = yes",
            "--author",
            "bob",
            "--reason",
            "why",
        ),
        lambda m: m.declare_denial(
            "no", [("?r", "status", "booked"), ("?r", "free", "yes")], author="bob", reason="why"
        ),
    ),
    "withdraw a rule": Case(
        ("withdraw-rule", "Trams", "--author", "bob", "--reason", "why"),
        lambda m: m.withdraw_rule("Trams", author="bob", reason="why"),
    ),
    "derive": Case(
        (
            *("derive", "Ann", "visits", "7", "--from", "Ann / employer", "--from", "Acme / plan = pro"),
            *("--unless", "Ann / on leave = yes", "--rule", "account care", "--strength", "0.8"),
            *("--unit", "days", "--when", "season=winter", "--author", "bob", "--reason", "why"),
        ),
        lambda m: m.derive(
            "Ann",
            "visits",
            "7",
            premises=[("Ann", "employer"), ("Acme", "plan", "pro")],
            exceptions=[("Ann", "on leave", "yes")],
            rule="account care",
            strength=0.8,
            unit="days",
            conditions={"season": "winter"},
            author="bob",
            reason="why",
        ),
    ),
    "give up": Case(
        (
            *("give-up", "Ann", "commute", "--text", "Nobody knows.", "--source", "hr"),
            *("--expected-version", "3", "--author", "bob", "--reason", "why"),
        ),
        lambda m: m.give_up(
            "Ann",
            "commute",
            text="Nobody knows.",
            source="hr",
            expected_version=3,
            author="bob",
            reason="why",
        ),
    ),
    "give up one value": Case(
        ("give-up", "room 5", "free", "yes"), lambda m: m.give_up("room 5", "free", "yes")
    ),
    "configure": Case(
        ("configure", "--policy", "newest", "--confidence", "factors", "--author", "bob", "--reason", "why"),
        lambda m: m.configure(policy="newest", confidence="factors", author="bob", reason="why"),
    ),
    "configure one": Case(
        ("configure", "--confidence", "log-odds"), lambda m: m.configure(confidence="log-odds")
    ),
    "observe what rests on others": Case(
        (
            *("observe", "It is free.", "--source", "ann", "--observed-at", "2025-01-20", "--forced"),
            *("--claim", "room 5", "free", "no", "--depends-on", "Ann / employer"),
            *("--depends-on", "room 5 / status"),
        ),
        lambda m: m.observe(
            "It is free.",
            source="ann",
            observed_at="2025-01-20",
            is_forced=True,
            claims=[
                Draft("room 5", "free", "no", depends_on=[("Ann", "employer"), ("room 5", "status")]),
            ],
        ),
    ),
}


def told_by(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Give an outcome without what depends on the moment of the call."""
    plain: dict[str, Any] = json.loads(json.dumps(outcome))
    return {name: value for name, value in plain.items() if name not in ("at", "evidence")}


@pytest.mark.parametrize("name", CASES)
def test_a_command_does_what_the_library_does(name: str, db: Path, tmp_path: Path) -> None:
    case, other = CASES[name], made(tmp_path / "other.db")
    before = recorded(db)
    told = run(*case.words, "--db", db, "--json")
    assert told.code == 0, told.err
    with knowwhy.open(other) as memory:
        outcome = case.verb(memory)
    assert told_by(told.document) == told_by(outcome.as_dict())
    assert not outcome.is_repeat
    assert recorded(db) == recorded(other) != before


@pytest.mark.parametrize("name", CASES)
def test_a_command_says_it_in_the_words_of_the_library(name: str, db: Path, tmp_path: Path) -> None:
    case, other = CASES[name], made(tmp_path / "other.db")
    told = run(*case.words, "--db", db)
    assert told.code == 0, told.err
    with knowwhy.open(other) as memory:
        outcome = case.verb(memory)
    assert told.out.split() == str(outcome).split()


def test_a_premise_may_be_named_by_the_id_of_its_belief(db: Path) -> None:
    belief = run("ask", "Acme", "plan", "--db", db, "--json").document["beliefs"][0]["id"]
    told = run("derive", "Acme", "priority", "high", "--from", belief, "--db", db, "--json")
    assert [one["after"] for one in told.document["changes"]] == ["accepted"]
    assert belief in run("why", "Acme", "priority", "--db", db).out


def test_a_rule_comes_and_goes(db: Path) -> None:
    def hours() -> list[str]:
        found = run("ask", "Acme", "support hours", "--db", db, "--json").document["beliefs"]
        return [one["value"] for one in found if one["status"] == "accepted"]

    rule = CASES["declare a rule"].words
    assert hours() == []
    assert run(*rule, "--db", db).code == 0
    assert hours() == ["24/7"]
    assert "nothing was written" in run(*rule, "--db", db).out
    assert run("withdraw-rule", "pro support", "--db", db).code == 0
    assert hours() == []
    assert run(*rule, "--db", db).code == 0
    assert hours() == ["24/7"]


def test_a_derivation_that_does_not_apply_yet_says_so(db: Path) -> None:
    run("end", "Ann", "employer", "--at", "2025-01-20", "--db", db)
    told = run("derive", "Ann", "badge", "yes", "--from", "Ann / employer = Acme", "--db", db)
    assert "Ann / employer = Acme is superseded, so nothing follows for now" in " ".join(told.out.split())


def test_lines_can_name_what_a_claim_rests_on(db: Path, tmp_path: Path) -> None:
    lines = tmp_path / "said.jsonl"
    lines.write_text(
        '{"source": "x", "subject": "a", "attribute": "b", "value": "c", "depends_on": [["Ann", "employer"]],'
        ' "is_forced": true}\n'
    )
    assert run("observe", "--jsonl", lines, "--db", db).code == 0
    lines.write_text(
        '{"source": "x", "subject": "a", "attribute": "b", "value": "d", "depends_on": ["Ann"]}\n'
    )
    told = run("observe", "--jsonl", lines, "--db", db, "--json")
    assert (told.code, "pairs of subject and attribute" in told.error["message"]) == (2, True)
