"""What a principal may do: what was said stays in its owner's hands, and all else takes a right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

import knowwhy
from knowwhy import Instant, LogEntry, Memory

Deed = Callable[[Memory, Memory], object]


class Clock:
    """A clock that moves a minute whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000

    def __call__(self) -> Instant:
        """The present instant."""
        self.now += 60_000_000
        return Instant(self.now)


@pytest.fixture
def memory() -> Memory:
    """Two officials who disagree about one thing, and what ann says of another."""
    memory = knowwhy.open(clock=Clock())
    for number, price in enumerate((100, 120)):
        memory.observe(
            source=f"list {number}",
            source_type="official",
            claims=[("anvil", "price", price)],
            observed_at="2020-01-01",
        )
    memory.seen_by(agent="ann").observe(source="ann", claims=[("anvil", "colour", "grey")])
    for name in ("lump", "ref: 1:2"):
        memory.seen_by(agent="ann").alias(name, "anvil")
    memory.fork("trial").observe(source="ann", claims=[("anvil", "price", 130)])
    return memory


def of_ann(memory: Memory) -> LogEntry:
    """The operation by which ann said something."""
    return next(one for one in memory.log(limit=30) if "grey" in str(one))


def said(who: Memory, **more: object) -> object:
    """Somebody says something, in some way."""
    return who.observe(source="bo", claims=[("anvil", "weight", 40)], **more)  # type: ignore[arg-type]


# What each takes, and what is done, by somebody to whom nothing of it belongs.
DEEDS: dict[str, tuple[str, Deed]] = {
    "retract what another said": (
        "decide",
        lambda who, all_: who.retract(of_ann(all_).outcome.evidence[0]),
    ),
    "correct it": ("decide", lambda who, _: who.correct("anvil", "colour", "blue", was="grey")),
    "end it": ("decide", lambda who, _: who.end("anvil", "colour")),
    "give it up": ("decide", lambda who, _: who.give_up("anvil", "colour")),
    "take away a name that another gave": ("decide", lambda who, _: who.unalias("lump", "anvil")),
    "take away a name with colons": ("decide", lambda who, _: who.unalias("ref: 1:2", "anvil")),
    "decide a conflict": ("decide", lambda who, all_: who.resolve(all_.conflicts()[0].id, "120")),
    "speak as an official": ("authority", lambda who, _: said(who, source_type="official")),
    "speak with authority": ("authority", lambda who, _: said(who, authority=90)),
    "pin": ("pin", lambda who, _: said(who, is_pinned=True)),
    "force": ("force", lambda who, _: said(who, is_forced=True)),
    "declare": ("declare", lambda who, _: who.declare("price", half_life_days=3)),
    "declare a rule": (
        "declare",
        lambda who, _: who.declare_rule(
            "r", premises=[("?x", "price", "0")], conclusion=("?x", "free", "yes")
        ),
    ),
    "configure": ("declare", lambda who, _: who.configure(policy="newest")),
    "fork": ("branch", lambda who, _: who.fork("another")),
    "drop": ("branch", lambda who, _: who.drop("trial")),
    "merge": ("merge", lambda who, _: who.merge("trial")),
    "undo": ("undo", lambda who, all_: who.undo(of_ann(all_).operation.sequence)),
    "forget": ("erase", lambda who, _: who.forget(source="ann")),
    "vacuum": ("erase", lambda who, _: who.vacuum("2021-01-01")),
    "grant": ("grant", lambda who, _: who.grant("agent:bob", "erase")),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_it_takes_a_right_and_that_right_alone(deed: str, memory: Memory) -> None:
    right, do = DEEDS[deed]
    bob = memory.seen_by(agent="bob", groups=["desk"])
    before = (memory.stats(), memory.log(limit=1)[0].operation.sequence)
    with pytest.raises(knowwhy.Refused, match=f"no right to {right}"):
        do(bob, memory)
    others = [one for one in knowwhy_rights() if one != right]
    memory.grant("group:desk", *others)
    with pytest.raises(knowwhy.Refused, match=f"no right to {right}"):
        do(bob, memory)
    assert memory.stats()["evidence"] == before[0]["evidence"]
    memory.grant("group:desk", right)
    do(bob, memory)
    assert memory.log(limit=1)[0].operation.sequence > before[1] + 2
    assert memory.doctor().is_healthy


def knowwhy_rights() -> tuple[str, ...]:
    """All rights there are."""
    return (
        "decide",
        "authority",
        "pin",
        "force",
        "declare",
        "branch",
        "merge",
        "undo",
        "erase",
        "maintain",
        "grant",
    )


def test_rights_are_those_of_the_main_line_on_every_branch(memory: Memory) -> None:
    trial = memory.on("trial").seen_by(agent="bob")
    memory.grant("agent:bob", "declare")
    trial.declare("price", half_life_days=3)
    memory.grant("agent:bob")
    with pytest.raises(knowwhy.Refused, match="no right to declare"):
        trial.declare("price", half_life_days=4)
    with pytest.raises(knowwhy.InvalidInput, match="main line"):
        memory.on("trial").grant("agent:bob", "declare")


def test_what_is_ones_own_one_may_change_without_any(memory: Memory) -> None:
    ann, bob = memory.seen_by(agent="ann"), memory.seen_by(agent="bob")
    ann.correct("anvil", "colour", "blue", was="grey")
    assert str(bob.ask("anvil", "colour").value) == "blue"
    bob.shared_with().observe(source="bob", claims=[("anvil", "colour", "red")], observed_at="2030-01-01")
    assert str(ann.ask("anvil", "colour").value) == "blue"


def test_what_may_not_be_read_is_refused_as_if_it_were_not_there(memory: Memory) -> None:
    ann, bob = memory.seen_by(agent="ann"), memory.seen_by(agent="bob")
    hidden = ann.shared_with().observe(source="ann", claims=[("safe", "code", "1234")]).evidence[0]
    memory.grant("agent:bob", "decide")

    def told(do: Callable[[], object]) -> tuple[type[BaseException], str]:
        with pytest.raises(knowwhy.KnowwhyError) as refused:
            do()
        return type(refused.value), str(refused.value)

    unheard_of = "ev_" + "0" * (len(hidden) - 3)
    (kind, message), (other, words) = [told(partial(bob.retract, one)) for one in (hidden, unheard_of)]
    assert (kind, message.replace(hidden, unheard_of)) == (other, words)
    (kind, message), (other, words) = [told(partial(bob.end, one, "code")) for one in ("safe", "vault")]
    assert (kind, message.replace("safe", "vault")) == (other, words)
    assert bob.ask("safe", "code").findings == bob.ask("vault", "code").findings == ()
