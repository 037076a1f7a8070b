"""What a derived belief rests on in the end, through all steps between."""

from __future__ import annotations

import pytest

import knowwhy
from knowwhy import Memory


@pytest.fixture
def memory() -> Memory:
    opened = knowwhy.open()
    opened.declare_rule(
        "works where the team does",
        premises=[("?who", "team", "?team"), ("?team", "site", "?where")],
        conclusion=("?who", "site", "?where"),
    )
    opened.declare_rule(
        "sits where the badge opens",
        premises=[("?who", "badge", "?where")],
        conclusion=("?who", "site", "?where"),
    )
    opened.declare_rule(
        "commutes to the site",
        premises=[("?who", "site", "?where")],
        conclusion=("?who", "commutes to", "?where"),
    )
    return opened


def said(memory: Memory, subject: str, attribute: str, value: str) -> str:
    outcome = memory.observe(source="directory", source_type="official", claims=[(subject, attribute, value)])
    return outcome.evidence[0]


def sets_of(memory: Memory, subject: str, attribute: str) -> set[frozenset[tuple[str, str, str]]]:
    found = memory.why(subject, attribute).as_dict()["foundations"]
    assert found is not None
    assert not found["truncated"]
    return {
        frozenset((one["subject"], one["attribute"], one["value"]) for one in those)
        for those in found["sets"]
    }


def test_all_least_sets_of_what_was_observed_are_told(memory: Memory) -> None:
    said(memory, "Ann", "team", "Rowing")
    site = said(memory, "Rowing", "site", "Oslo")
    by_team = frozenset({("Ann", "team", "Rowing"), ("Rowing", "site", "Oslo")})
    assert sets_of(memory, "Ann", "commutes to") == {by_team}
    badge = said(memory, "Ann", "badge", "Oslo")
    by_badge = frozenset({("Ann", "badge", "Oslo")})
    assert sets_of(memory, "Ann", "commutes to") == {by_team, by_badge}
    words = str(memory.why("Ann", "commutes to"))
    assert "rests in the end on Ann / " in words
    memory.retract(site)
    assert sets_of(memory, "Ann", "commutes to") == {by_badge}
    memory.retract(badge)
    assert memory.ask("Ann", "commutes to").value is None


def test_what_is_observed_has_no_other_foundations(memory: Memory) -> None:
    said(memory, "Ann", "site", "Bergen")
    found = memory.why("Ann", "site")
    assert found.foundations is None
    assert found.as_dict()["foundations"] is None


def test_there_are_too_many_sets_to_tell_them_all(memory: Memory) -> None:
    memory.declare("member of", cardinality="many")
    memory.declare_rule(
        "may enter with a club",
        premises=[("?who", "member of", "?club")],
        conclusion=("?who", "may enter", "yes"),
    )
    for number in range(12):
        said(memory, "Ann", "member of", f"club {number}")
    found = memory.why("Ann", "may enter").foundations
    assert found is not None
    assert found.is_truncated
    assert len(found.sets) == 8


def test_views_that_are_lost_come_back_by_one_rebuild(memory: Memory) -> None:
    for one in ("Ann", "Bo"):
        said(memory, one, "team", "red")
    said(memory, "red", "site", "Oslo")
    said(memory, "Ann", "badge", "Oslo")
    before = [str(memory.why(one, "commutes to")) for one in ("Ann", "Bo")]
    space = memory._space  # noqa: SLF001 - there is no call that loses views
    space.store.replace_views(space.name, [])
    assert not memory.doctor().is_healthy
    memory.rebuild()
    assert memory.doctor().is_healthy
    assert [str(memory.why(one, "commutes to")) for one in ("Ann", "Bo")] == before
