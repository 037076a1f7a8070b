"""What the commands about rules, denials, derivations and policies refuse: with what words and what code."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.surfaces.program import run
from tests.surfaces.shop import made, recorded


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Give a memory with a rule that fires."""
    return made(tmp_path / "shop.db")


# What is wrong, what the message must say, and the code it exits with.
WRONG: Mapping[str, tuple[tuple[str, ...], str, int]] = {
    "a rule without premises": (("declare-rule", "r", "--then", "?c / a = b"), "--if", 2),
    "a rule without conclusion": (("declare-rule", "r", "--if", "?c / a = b"), "--then", 2),
    "a premise that is no statement": (
        ("declare-rule", "r", "--if", "?c/plan=pro", "--then", "?c / a = b"),
        "--if: '?c/plan=pro' must be written as SUBJECT / ATTRIBUTE = VALUE",
        2,
    ),
    "a conclusion that is no statement": (
        ("declare-rule", "r", "--if", "?c / a = b", "--then", "?c / a"),
        "--then: '?c / a' must be",
        2,
    ),
    "an exception that is no statement": (
        ("declare-rule", "r", "--if", "?c / a = b", "--then", "?c / c = d", "--unless", "e"),
        "--unless: 'e' must be",
        2,
    ),
    "a variable that nothing binds": (
        ("declare-rule", "r", "--if", "?c / a = b", "--then", "?x / c = d"),
        "no premise binds ?x",
        2,
    ),
    "a variable for an attribute": (
        ("declare-rule", "r", "--if", "?c / ?a = b", "--then", "?c / c = d"),
        "attribute of a pattern must be given",
        2,
    ),
    "a strength that is none": (
        ("declare-rule", "r", "--if", "?c / a = b", "--then", "?c / c = d", "--strength", "2"),
        "strength",
        2,
    ),
    "a rule without a name": (
        ("declare-rule", " ", "--if", "?c / a = b", "--then", "?c / c = d"),
        "name of a rule",
        2,
    ),
    "a denial of one thing": (("declare-denial", "d", "?r / a = b"), "at least two", 2),
    "a denial of nothing": (("declare-denial", "d"), "STATEMENT", 2),
    "a denial of several subjects": (
        ("declare-denial", "d", "?r / a = b", "?s / a = c"),
        "about one subject",
        2,
    ),
    "a denial named as a rule": (
        ("declare-denial", "TRAMS", "?r / a = b", "?r / a = c"),
        "a rule named 'TRAMS' already",
        2,
    ),
    "withdrawing what is not there": (("withdraw-rule", "x"), "no rule or denial named 'x'", 3),
    "deriving from nothing": (("derive", "a", "b", "c"), "--from", 2),
    "deriving from what is no premise": (
        ("derive", "a", "b", "c", "--from", "Ann"),
        "--from: 'Ann' must be the id of a belief (bl_…), SUBJECT / ATTRIBUTE, or",
        2,
    ),
    "deriving from what was never heard of": (
        ("derive", "a", "b", "c", "--from", "Bob / x"),
        "observe it",
        3,
    ),
    "deriving from a belief that is none": (("derive", "a", "b", "c", "--from", "bl_0"), "bl_0", 3),
    "an exception without a value": (
        ("derive", "a", "b", "c", "--from", "Ann / employer", "--unless", "Ann / leave"),
        "must name a value",
        2,
    ),
    "deriving a thing from itself": (
        ("derive", "Ann", "employer", "Acme", "--from", "Ann / employer"),
        "its own premise",
        2,
    ),
    "giving up what does not stand": (("give-up", "Ann", "shoe size"), "could be given up", 3),
    "giving up what has moved on": (("give-up", "Ann", "employer", "--expected-version", "1"), "version", 4),
    "configuring nothing": (("configure",), "name a policy, a confidence model, a weight or a lifetime", 2),
    "a policy that is none": (("configure", "--policy", "x"), "authority-then-recency, confidence-first", 2),
    "a model that is none": (("configure", "--confidence", "x"), "'log-odds'", 2),
    "a kind that is none": (("declare", "a", "--kind", "x"), "price, rule, policy, preference, identity", 2),
    "the policy of an attribute": (("declare", "a", "--policy", "x"), "confidence-first", 2),
    "a dependency that is badly written": (
        ("declare", "a", "--depends-on", "employer=much"),
        "NAME=STRENGTH, such as employer=0.9",
        2,
    ),
    "a dependency that is too strong": (("declare", "a", "--depends-on", "employer=2"), "between 0 and 1", 2),
    "a dependency on itself": (("declare", "a", "--depends-on", "A"), "cannot depend on itself", 2),
    "a base rate that is none": (("declare", "a", "--base-rate", "1"), "base rate", 2),
    "a strictness that is none": (("declare", "a", "--strictness", "0"), "strictness", 2),
    "a threshold that is none": (("declare", "a", "--act-above", "2"), "act_above", 2),
    "resting on what is no topic": (
        ("observe", "--source", "x", "--claim", "a", "b", "c", "--depends-on", "Ann / employer = Acme"),
        "--depends-on: 'Ann / employer = Acme' must be written as SUBJECT / ATTRIBUTE and no value",
        2,
    ),
    "resting without a claim": (
        ("observe", "Hi.", "--source", "x", "--depends-on", "Ann / employer"),
        "need a --claim",
        2,
    ),
    "forcing beside lines": (("observe", "--jsonl", "x", "--forced"), "say it in the lines", 2),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_and_changes_nothing(name: str, db: Path) -> None:
    words, says, code = WRONG[name]
    before = recorded(db)
    told = run(*words, "--db", db, "--json")
    assert told.code == code, told.err
    assert says in told.error["message"]
    plain = run(*words, "--db", db)
    assert (plain.code, plain.out) == (code, "")
    assert told.error["message"] in plain.err
    assert recorded(db) == before
