"""Laws of likeness: order does not matter, distinct stays distinct, and an id given by callers wins."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from knowwhy.consolidate.kinds import features, identifier
from knowwhy.consolidate.likeness import Profile, paired, proposals
from tests.laws.effort import examples

WORDS = st.lists(st.sampled_from(("ann", "bea", "lee", "li", "w150", "150")), max_size=3).map(" ".join)
IDS = st.dictionaries(st.sampled_from(("tax", "mail")), st.sampled_from("12"), max_size=2)
PROFILES = st.lists(st.tuples(st.fixed_dictionaries({"name": WORDS, "city": WORDS}), IDS), max_size=6).map(
    lambda found: [Profile(str(at), fields, ids) for at, (fields, ids) in enumerate(found)]
)


@given(PROFILES, st.randoms(use_true_random=False))
@examples(40)
def test_the_order_of_profiles_does_not_matter(profiles: list[Profile], chance: Random) -> None:
    mixed = sorted(profiles, key=lambda _: chance.random())
    assert proposals(mixed) == proposals(profiles)


@given(PROFILES, st.sets(st.tuples(st.sampled_from("012345"), st.sampled_from("012345"))))
@examples(40)
def test_what_is_distinct_is_never_proposed(profiles: list[Profile], distinct: set[tuple[str, str]]) -> None:
    found = {(each.left, each.right) for each in proposals(profiles, distinct=distinct)}
    assert not found & {paired(*each) for each in distinct}


@given(PROFILES)
@examples(40)
def test_an_id_wins(profiles: list[Profile]) -> None:
    known = {each.key: each for each in profiles}
    every = [(one, other) for one in known for other in known if one < other]
    found = {(each.left, each.right): each.automatic for each in proposals(profiles, pairs=every)}
    for one, other in every:
        left, right = known[one].ids, known[other].ids
        shared = left.keys() & right.keys()
        if any(left[each] != right[each] for each in shared):
            assert (one, other) not in found
        elif shared:
            assert (one, other) in found
        else:
            assert not found.get((one, other), False)


@given(PROFILES, st.sets(st.tuples(st.sampled_from("012345"), st.sampled_from("012345")), max_size=3))
@examples(60)
def test_what_is_automatic_joins_no_two_that_are_two(
    profiles: list[Profile], distinct: set[tuple[str, str]]
) -> None:
    known = {each.key: each for each in profiles}
    every = [(one, other) for one in known for other in known if one < other]
    found = proposals(profiles, pairs=every, distinct=distinct)
    joined = {key: {key} for key in known}
    for each in found:
        if each.automatic:
            whole = joined[each.left] | joined[each.right]
            for key in whole:
                joined[key] = whole
    for one, other in every:
        shared = known[one].ids.keys() & known[other].ids.keys()
        is_two = (one, other) in distinct or (other, one) in distinct
        if is_two or any(known[one].ids[each] != known[other].ids[each] for each in shared):
            assert other not in joined[one]


def test_likeness_is_found_and_unlike_is_not() -> None:
    names = ("Robert Smithson", "Robert Smithsen", "Grace Hopper", "Grace Kelly", "Alan Turing", "Ada Turing")
    found = proposals(Profile(each, {"name": each}) for each in names)
    assert (found[0].left, found[0].right) == ("Robert Smithsen", "Robert Smithson")
    assert not any(each.automatic for each in found)


TAKEN = [(f"40{at} 555-{1000 + at * 37}", f"Person{at} Name{at}") for at in range(12)]


@given(
    st.sampled_from(("404/659 -0400", "404-659-0400", "(404) 659-0400", "4046590400")),
    st.sampled_from(("Ann Lee", "Lee, Ann", "Zoe Quinn")),
    st.sampled_from((None, "", "404 659-0400")),
    st.sampled_from((None, "person", "firm")),
)
@examples(40)
def test_a_code_merges_only_where_nobody_else_has_it_and_nothing_speaks_against(
    written: str, name: str, third: str | None, kind: str | None
) -> None:
    pool = [Profile(f"p{at}", {"name": name, "phone": phone}) for at, (phone, name) in enumerate(TAKEN)]
    pool.append(Profile("a", {"name": "Ann Lee", "phone": "404-659-0400"}, type="person"))
    pool.append(Profile("b", {"name": name, "phone": written}, type=kind))
    if third is not None:
        pool.append(Profile("c", {"name": "Ann Lee", "phone": third}))
    found = {each.left + each.right: each for each in proposals(pool, pairs=[("a", "b")], cut=0.3)}
    is_sure = name != "Zoe Quinn" and not third and kind != "firm"
    assert any(each.automatic for each in found.values()) == is_sure
    if is_sure:
        assert found["ab"].by == ("phone",)


def test_what_a_value_is_by_kind() -> None:
    codes = ("404/659 -0400", "ann@example.org", "KA-1234", "f8n044-slv")
    assert all(map(identifier, codes))
    assert not any(
        map(identifier, ("1299.00", "2014-08-19", "August 19 , 2014", "3:26", "12", "181 peachtree st."))
    )
    assert features("13-Feb-15").words == features("February 13 , 2015").words == features("2015-02-13").words
    assert features("3:26").seconds == {206}
