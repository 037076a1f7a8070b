"""Rules, denials, derivations and dependencies over the life of a memory: declared, replaced, read back."""

from collections.abc import Iterator

import pytest

import knowwhy
from knowwhy import InvalidInput, Memory, Outcome

PRO = [("?c", "plan", "pro")]
HOURS = ("?c", "support hours", "24/7")


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Give a memory in which a customer has the pro plan."""
    with knowwhy.open() as opened:
        say(opened, "billing", "2025-02-01", ("Acme", "plan", "pro"))
        yield opened
        assert opened.doctor().is_healthy


def say(memory: Memory, source: str, day: str, *claims: tuple[str, str, str], kind: str = "api") -> Outcome:
    return memory.observe(source=source, source_type=kind, observed_at=day, claims=claims)


def hours(memory: Memory) -> object:
    return memory.ask("Acme", "support hours").value


def test_a_rule_that_was_withdrawn_can_be_declared_again(memory: Memory) -> None:
    for _ in range(3):
        memory.declare_rule("pro support", premises=PRO, conclusion=HOURS)
        assert hours(memory) == "24/7"
        memory.withdraw_rule("PRO support")
        assert hours(memory) is None
    memory.rebuild()
    assert hours(memory) is None


def test_a_rule_that_is_changed_and_changed_back_still_derives(memory: Memory) -> None:
    sure = []
    for strength in (0.95, 0.5, 0.95, 0.5):
        memory.declare_rule("pro support", premises=PRO, conclusion=HOURS, strength=strength)
        assert hours(memory) == "24/7"
        sure.append(memory.ask("Acme", "support hours").confidence)
    assert sure[0] == sure[2] > sure[1] == sure[3]


def test_what_a_wider_rule_still_derives_does_not_fall(memory: Memory) -> None:
    memory.declare_rule("pro support", premises=PRO, conclusion=HOURS)
    memory.declare_rule("pro support", premises=[("?c", "plan", "?any")], conclusion=HOURS)
    assert hours(memory) == "24/7"
    memory.withdraw_rule("pro support")
    assert hours(memory) is None


def test_an_outcome_counts_the_evidence_that_was_given(memory: Memory) -> None:
    told = memory.declare_rule("pro support", premises=PRO, conclusion=HOURS)
    assert (told.evidence, told.recorded, len(told.changes)) == ((), 0, 1)
    assert "known already" not in str(told)


def test_a_rule_and_a_denial_do_not_share_a_name(memory: Memory) -> None:
    denied = [("?c", "plan", "pro"), ("?c", "plan", "free")]
    memory.declare_rule("pro", premises=PRO, conclusion=HOURS)
    with pytest.raises(InvalidInput, match="a rule named 'Pro'"):
        memory.declare_denial("Pro", denied)
    memory.withdraw_rule("pro")
    memory.declare_denial("Pro", denied)
    with pytest.raises(InvalidInput, match="a denial named 'pro'"):
        memory.declare_rule("pro", premises=PRO, conclusion=HOURS)


@pytest.mark.parametrize("pair", [5, "Ann", [], ("Ann",), ("Ann", 1), ("Ann", "job", "Acme")])
def test_what_a_claim_rests_on_must_be_pairs(memory: Memory, pair: object) -> None:
    claim = {"subject": "Ann", "attribute": "commute", "value": "tram"}
    for named in ([pair], [("Ann", "job"), pair], pair):
        if named == []:
            continue
        with pytest.raises(InvalidInput, match="depends_on"):
            memory.observe(source="Ann", claims=[{**claim, "depends_on": named}])
        with pytest.raises(InvalidInput, match="depends_on"):
            memory.observe(source="Ann", claims=[knowwhy.Draft(**claim, depends_on=named)])  # type: ignore[arg-type]


def test_a_later_confirmation_casts_no_doubt_on_earlier_times(memory: Memory) -> None:
    memory.declare("commute", depends_on=["employer"])
    tram = ("Ann", "commute", "tram")
    say(memory, "Ann", "2025-01-10", ("Ann", "employer", "Acme"), tram)
    say(memory, "Ann", "2025-04-01", ("Ann", "employer", "Globex"))
    assert str(memory.ask("Ann", "commute").findings[0].status) == "doubtful"
    say(memory, "Ann", "2025-04-20", tram)
    for day in ("2025-01-10", "2025-02-01", "2025-05-01"):
        (finding,) = memory.at(valid=day).ask("Ann", "commute").findings
        assert str(finding.status) == "accepted", day


def test_a_derivation_says_what_does_not_hold_yet(memory: Memory) -> None:
    memory.end("Acme", "plan", at="2025-03-01")
    told = memory.derive("Acme", "priority", "high", premises=[("Acme", "plan", "pro")])
    assert told.warnings == ("Acme / plan = pro is superseded, so nothing follows for now.",)
    say(memory, "billing", "2025-04-01", ("Acme", "plan", "pro"))
    assert memory.ask("Acme", "priority").value == "high"
