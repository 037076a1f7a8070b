"""Relations: declared with types and an inverse, told and asked from either side."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import InvalidInput, Memory, TypeMismatch
from tests.laws.effort import examples

PEOPLE = ("Kim", "Lee", "Ann")
FIRMS = ("Alder Co", "Birch Ltd")
TELLINGS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from(FIRMS),
        st.sampled_from(("supports", "refutes")),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


def typed() -> Memory:
    memory = knowwhy.open(":memory:")
    memory.declare("employer", subject_type="person", object_type="organisation", inverse="employs")
    return memory


def told(memory: Memory, number: int, person: str, firm: str, stance: str, *, is_turned: bool) -> None:
    at = f"2025-01-{number + 1:02d}"
    claim = (
        {"subject": firm, "attribute": "Employs", "value": person, "subject_type": "organisation"}
        if is_turned
        else {"subject": person, "attribute": "employer", "value": firm, "object_type": "organisation"}
    )
    memory.observe(source=f"s{number}", observed_at=at, claims=[{**claim, "stance": stance}])


@examples(40)
@given(tellings=TELLINGS)
def test_what_is_told_from_the_other_side_is_the_same(tellings: list[tuple[str, str, str, bool]]) -> None:
    as_told, all_straight = typed(), typed()
    for number, (person, firm, stance, is_turned) in enumerate(tellings):
        told(as_told, number, person, firm, stance, is_turned=is_turned)
        told(all_straight, number, person, firm, stance, is_turned=False)
    for name in (*PEOPLE, *FIRMS):
        for attribute in (None, "employer", "employs"):
            found, expected = (
                memory.at(valid="2025-02-01").ask(name, attribute) for memory in (as_told, all_straight)
            )
            shown = [
                [(one.id, one.status, one.confidence) for one in (*answer.findings, *answer.others)]
                for answer in (found, expected)
            ]
            assert shown[0] == shown[1]


def test_it_can_be_asked_from_either_side() -> None:
    memory = typed()
    memory.observe(
        source="staff list", claims=[("Kim", "employer", "Alder Co"), ("Lee", "employer", "Alder Co")]
    )
    employed = memory.ask("Alder Co", "employs").findings
    assert sorted(one.subject.name for one in employed) == ["Kim", "Lee"]
    assert {str(one.value) for one in employed} == {"Alder Co"}
    assert memory.history("Alder Co", "employs").turns
    assert memory.why("Alder Co", "employs").texts


def test_what_points_the_wrong_way_is_refused_and_nothing_is_written() -> None:
    memory = typed()
    memory.observe(source="staff list", claims=[("Kim", "employer", "Alder Co")])
    before = memory.stats()
    for wrong in (
        {"subject": "Alder Co", "attribute": "employer", "value": "Kim"},
        {"subject": "Kim", "attribute": "employs", "value": "Alder Co"},
        {"subject": "Kim", "attribute": "employer", "value": "Lee", "object_type": "person"},
    ):
        with pytest.raises(TypeMismatch):
            memory.observe(source="bad reading", claims=[wrong])
    assert memory.stats() == before


def test_single_acts_are_done_by_the_declared_name() -> None:
    memory = typed()
    memory.observe(source="staff list", claims=[("Alder Co", "employs", "Kim")])
    with pytest.raises(InvalidInput, match="employer"):
        memory.correct("Alder Co", "employs", "Lee")
    memory.correct("Kim", "employer", "Birch Ltd")
    assert str(memory.ask("Kim", "employer").value) == "Birch Ltd"


def test_what_is_declared_by_the_name_of_an_inverse_keeps_it(tmp_path: Path) -> None:
    memory = knowwhy.open(tmp_path / "m.db")
    memory.observe(source="old list", claims=[("Alder Co", "employs", "Kim")])
    memory.declare("employer", inverse="employs")
    # What was told before stays what it was, and is found beside what is told now.
    memory.observe(source="new list", claims=[("Alder Co", "employs", "Lee")])
    assert len(memory.ask("Alder Co", "employs").findings) == len({"Kim", "Lee"})
    memory.declare("employs", cardinality="many")
    memory.observe(source="third list", claims=[("Birch Ltd", "employs", "Ann")])
    assert memory.ask("Ann", "employer").is_unknown


@pytest.mark.parametrize(
    "traits",
    [
        {"inverse": "Employer"},
        {"inverse": "x", "value_type": "number"},
        {"object_type": "p", "value_type": "text"},
    ],
)
def test_a_declaration_that_cannot_be_is_refused(traits: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        knowwhy.open(":memory:").declare("employer", **traits)  # type: ignore[arg-type]
