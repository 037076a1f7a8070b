"""Laws of likeness: order does not matter, distinct stays distinct, and an id given by callers wins."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

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
            assert found[one, other]
        else:
            assert not found.get((one, other), False)


def test_likeness_is_found_and_unlike_is_not() -> None:
    names = ("Robert Smithson", "Robert Smithsen", "Grace Hopper", "Grace Kelly", "Alan Turing", "Ada Turing")
    found = proposals(Profile(each, {"name": each}) for each in names)
    assert (found[0].left, found[0].right) == ("Robert Smithsen", "Robert Smithson")
    assert not any(each.automatic for each in found)
