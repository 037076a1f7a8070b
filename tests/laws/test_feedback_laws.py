"""Laws of judgements: what they change is the number shown, and that follows from them alone."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import Instant, Memory
from knowwhy.core.confidence.calibration import Checked, spiegelhalter_z
from knowwhy.core.confidence.maps import Identity, calibrated
from knowwhy.core.confidence.refitting import Cause, Fit, Judged, fits
from knowwhy.core.confidence.resampling import intervals
from knowwhy.core.model import Attribute, Cardinality, Judgement, Label, Schema
from knowwhy.core.timeline import MICROSECONDS_PER_DAY
from knowwhy.engine.space import Space
from knowwhy.recall.calibrating import Calibrations, judged, strategy_of
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store

# When maps are fitted ---------------------------------------------------------------------------

raws = st.integers(1, 49).map(lambda percent: percent / 50)


@st.composite
def judgements(draw: st.DrawFn) -> list[Judged]:
    """A log of judgements: some by the same person on the same belief, some that nobody could make.

    What comes true changes in the middle, so that maps drift.
    """
    chance = random.Random(draw(st.integers(0, 10**6)))
    count, people = draw(st.integers(20, 260)), draw(st.sampled_from((1, 3)))
    beliefs = draw(st.sampled_from((25, 10**6)))
    found = []
    for place in range(count):
        raw = draw(raws) if place < 8 else chance.randrange(1, 50) / 50
        is_true = chance.random() < (raw**0.3 if place < count / 2 else raw**4)
        came = None if chance.random() < 0.1 else is_true
        found.append(Judged((str(chance.randrange(beliefs)), chance.choice("abc"[:people])), raw, came))
    return found


def found_naively(log: Sequence[Judged]) -> list[Fit]:
    """The maps by the words of the rule: everything is reckoned anew after every judgement."""
    made: list[Fit] = []
    for place in range(1, len(log) + 1):
        last = {one.key: at for at, one in enumerate(log[:place])}
        counted = {log[at].key: (at, (log[at].raw, log[at].came)) for at in last.values()}
        points = [(raw, came) for _, (raw, came) in counted.values() if came is not None]
        right = sum(came for _, came in points)
        if not made:
            if len(points) >= 30 and min(right, len(points) - right) >= 10:
                made.append(Fit(calibrated(points), place, len(points), Cause.FIRST))
            continue
        old = made[-1]
        newer: list[Checked] = [
            (old.shown(raw), came)
            for at, (raw, came) in counted.values()
            if came is not None and at >= old.after
        ]
        has_grown = len(newer) >= 50 and len(newer) >= 0.25 * old.labels
        if has_grown or (len(newer) >= 30 and abs(spiegelhalter_z(newer)) > 2):
            cause = Cause.GROWTH if has_grown else Cause.DRIFT
            made.append(Fit(calibrated(points), place, len(points), cause))
    return made


@given(judgements())
def test_maps_are_fitted_when_the_rule_says(log: list[Judged]) -> None:
    expected = found_naively(log)
    made, progress = fits(log)
    if any(isinstance(one.shown, Identity) for one in expected):
        return  # replaced judgements left too few of one kind: then it begins anew
    assert list(made) == expected
    assert progress.labels == len(
        {one.key for one in log} - {key for key, came in last_of(log) if came is None}
    )


def last_of(log: Sequence[Judged]) -> list[tuple[tuple[str, str | None], bool | None]]:
    return list({one.key: one.came for one in log}.items())


def test_the_rule_was_met_in_all_its_parts() -> None:
    chance = random.Random(4)
    numbers = [chance.randrange(1, 50) / 50 for _ in range(400)]
    log = [
        Judged((str(place), None), raw, chance.random() < (raw if place < 300 else raw**5))
        for place, raw in enumerate(numbers)
    ]
    made, _ = fits(log)
    assert {one.cause for one in made} == set(Cause)
    assert list(made) == found_naively(log)


@given(judgements(), st.floats(0.0, 1.0))
def test_whoever_reads_earlier_finds_the_maps_there_were(log: list[Judged], share: float) -> None:
    known = round(share * len(log))
    made, _ = fits(log)
    assert fits(log[:known])[0] == tuple(one for one in made if one.after <= known)


@given(judgements())
def test_without_enough_of_each_kind_there_is_no_map(log: list[Judged]) -> None:
    short = log[:29]
    assert fits(short)[0] == ()
    lopsided = [replace(one, came=one.came and place % 25 == 0) for place, one in enumerate(log[:220])]
    assert fits(lopsided)[0] == ()


@given(st.lists(st.lists(st.tuples(raws, st.booleans()), min_size=1, max_size=4), min_size=20, max_size=60))
def test_intervals_hold_the_error_and_are_not_below_chance(groups: list[list[Checked]]) -> None:
    chance = random.Random(1)
    draws = [chance.choices(range(len(groups)), k=len(groups)) for _ in range(40)]
    found = intervals(groups, draws)
    for least, greatest in (found.ece, found.brier):
        assert 0.0 <= least <= greatest <= 1.0
    assert found == intervals(groups, iter(draws))


def test_perfect_numbers_may_have_no_error_at_all() -> None:
    held = 0
    for seed in range(40):
        chance = random.Random(seed)
        groups = [[(raw, chance.random() < raw)] for raw in (chance.random() for _ in range(200))]
        draws = [chance.choices(range(200), k=200) for _ in range(40)]
        held += intervals(groups, draws).ece[0] == 0.0
    assert held >= 36


def test_the_interval_holds_the_real_error_though_a_sample_shows_a_greater_one() -> None:
    def truth(p: float) -> float:
        return math.sqrt(p) / (math.sqrt(p) + math.sqrt(1.0 - p))

    grid = [0.3 + 0.67 * (step + 0.5) / 500 for step in range(500)]
    error = math.fsum(abs(p - truth(p)) for p in grid) / len(grid)
    held = 0
    for seed in range(40):
        chance = random.Random(seed)
        groups = [[(p, chance.random() < truth(p))] for p in chance.choices(grid, k=300)]
        least, greatest = intervals(groups, [chance.choices(range(300), k=300) for _ in range(60)]).ece
        held += least <= error <= greatest
    assert held >= 32


# What is shown ----------------------------------------------------------------------------------

SCHEMA = Schema({"colour": Attribute("colour"), "likes": Attribute("likes", Cardinality.MANY)})


def label(
    number: int, raw: float, *, is_right: bool, attribute: str = "colour", by: str | None = None
) -> Label:
    return Label(
        belief=f"bl_{number}",
        judgement=Judgement.RIGHT if is_right else Judgement.WRONG,
        confidence=raw,
        at=Instant(number),
        subject=f"en_{number % 40}",
        attribute=attribute,
        value="red",
        status="accepted",
        by=by,
        strategy=strategy_of(SCHEMA, attribute),
        declared_in=number + 1,
        declared_at=Instant(number),
    )


@st.composite
def labelled(draw: st.DrawFn) -> list[Label]:
    """Labels enough for a map, by which numbers are far too low, right or far too high."""
    chance = random.Random(draw(st.integers(0, 10**6)))
    power = draw(st.sampled_from((0.2, 1.0, 4.0)))
    count = draw(st.sampled_from((40, 120, 260)))
    numbers = [chance.randrange(1, 100) / 100 for _ in range(count)]
    return [
        label(place, raw, is_right=(place % 3 == 0) or (place % 3 != 1 and chance.random() < raw**power))
        for place, raw in enumerate(numbers)
    ]


@given(labelled(), st.lists(st.integers(1, 400), min_size=1, max_size=6, unique=True))
def test_a_map_keeps_the_order_and_rivals_share_one_unit(labels: list[Label], masses: list[int]) -> None:
    made = Calibrations(labels, SCHEMA)
    raw = {f"bl_{mass}": mass / (sum(masses) + 50) for mass in masses}
    for name in ("colour", "likes"):
        shown = made.shown(SCHEMA.attribute(name), raw)
        assert shown.keys() == raw.keys()
        assert all(0.0 <= one <= 1.0 for one in shown.values())
        ordered = sorted(raw, key=raw.__getitem__)
        for below, above in itertools.pairwise(ordered):
            assert shown[below] <= shown[above] + 1e-12
        if name == "colour":
            assert math.fsum(shown.values()) <= 1.0 + 1e-12


@given(labelled())
def test_values_side_by_side_are_shown_as_the_map_has_them(labels: list[Label]) -> None:
    made, likes = Calibrations(labels, SCHEMA), SCHEMA.attribute("likes")
    together = made.shown(likes, {"a": 0.9, "b": 0.95})
    assert together == made.shown(likes, {"a": 0.9}) | made.shown(likes, {"b": 0.95})


@given(labelled())
def test_only_labels_on_numbers_reckoned_as_now_count(labels: list[Label]) -> None:
    others = [
        replace(one, confidence=1.0 - one.confidence, strategy="another", belief=f"{one.belief}x")
        for one in labels
    ]
    mixed = [each for pair in zip(others, labels, strict=True) for each in pair]
    raw = {"a": 0.3, "b": 0.6}
    attribute = SCHEMA.attribute("colour")
    assert Calibrations(mixed, SCHEMA).shown(attribute, raw) == Calibrations(labels, SCHEMA).shown(
        attribute, raw
    )
    assert Calibrations(others, SCHEMA).shown(attribute, raw) == {}
    stricter = replace(SCHEMA, attributes={"colour": Attribute("colour", strictness=2.0)})
    assert Calibrations(labels, stricter).shown(attribute, raw) == {}


@given(labelled())
def test_a_denial_that_is_right_is_a_value_that_is_wrong(labels: list[Label]) -> None:
    opposite = {Judgement.RIGHT: Judgement.WRONG, Judgement.WRONG: Judgement.RIGHT}
    turned = [
        replace(one, confidence=1.0 - one.confidence, judgement=opposite[one.judgement], is_denial=True)
        for one in labels
    ]
    for straight, denied in zip(map(judged, labels), map(judged, turned), strict=True):
        assert (straight.key, straight.came) == (denied.key, denied.came)
        assert straight.raw == pytest.approx(denied.raw)


@given(labelled(), st.integers(0, 10**6))
def test_an_attribute_has_a_map_of_its_own_from_two_hundred_labels_on(labels: list[Label], seed: int) -> None:
    chance = random.Random(seed)
    numbers = [chance.randrange(1, 100) / 100 for _ in range(200)]
    others = [
        label(10_000 + place, raw, is_right=place % 15 == 0 or chance.random() < raw**8, attribute="likes")
        for place, raw in enumerate(numbers)
    ]
    likes, raw = SCHEMA.attribute("likes"), {"a": 0.5}
    alone = Calibrations(others, SCHEMA)
    assert Calibrations([*labels, *others], SCHEMA).shown(likes, raw) == alone.shown(likes, raw)
    fewer = Calibrations([*labels[:150], *others[:199]], SCHEMA)
    assert "likes" not in fewer.own
    assert fewer.lot(likes) is fewer.lot(SCHEMA.attribute("size"))


# In a memory ------------------------------------------------------------------------------------

NOW = knowwhy.instant("2025-06-01")
KINDS = ("official", "document", "user", "rumour")


def stocked(seed: int, store: Store | None = None) -> Memory:
    """A memory of forty things with one to three colours each, and what each likes."""
    chance = random.Random(seed)
    memory = Memory(Space(store or MemoryStore(), clock=lambda: NOW))
    memory.declare("likes", cardinality="many")
    for number in range(40):
        for source in range(chance.randrange(1, 4)):
            memory.observe(
                source=f"s{source}{number % 3}",
                source_type=chance.choice(KINDS),
                observed_at=f"2025-0{chance.randrange(1, 5)}-01",
                claims=[
                    (f"thing {number}", "colour", chance.choice(("red", "blue", "green"))),
                    (f"thing {number}", "likes", chance.choice(("tea", "rain"))),
                ],
            )
    return memory


def labelling(seed: int, memory: Memory) -> list[Callable[[Memory], object]]:
    """Judgements on all that is heard of, by which the numbers are far too low."""
    chance = random.Random(seed)
    answers = [memory.ask(f"thing {number}") for number in range(40)]
    beliefs = [one for answer in answers for one in (*answer.findings, *answer.others)]
    chance.shuffle(beliefs)
    words = ["right" if chance.random() < one.raw_confidence**0.35 else "wrong" for one in beliefs]
    return [judgement(one.id, word) for one, word in zip(beliefs, words, strict=True)]


def judgement(belief: str, word: str) -> Callable[[Memory], object]:
    return lambda memory: memory.feedback(belief, word, by="Ann")


def numbers_of(memory: knowwhy.Reader) -> dict[str, float]:
    """All numbers shown, by belief."""
    answers = [memory.ask(f"thing {number}") for number in range(40)]
    return {one.id: one.confidence for answer in answers for one in (*answer.findings, *answer.others)}


def told(memory: Memory) -> list[object]:
    """All that a memory says, but for the numbers shown."""
    said: list[object] = []
    for number in range(40):
        answer = memory.ask(f"thing {number}")
        found = (*answer.findings, *answer.others)
        said.append([(one.id, one.status, one.raw_confidence) for one in found])
        for question in (f"which colour is thing {number}", f"tea or rain, red thing {number}"):
            recalled = memory.recall(question, limit=20)
            said.append([(one.id, one.score, one.status) for one in (*recalled.beliefs, *recalled.withheld)])
    said.append([(one.id, one.kind, one.values) for one in memory.conflicts()])
    return said


@pytest.mark.parametrize("seed", range(2))
def test_a_map_changes_the_numbers_shown_and_nothing_else(seed: int) -> None:
    memory = stocked(seed)
    before, numbers = told(memory), numbers_of(memory)
    for judge in labelling(seed, memory):
        judge(memory)
    assert memory.calibration().is_mapped
    assert told(memory) == before
    shown = numbers_of(memory)
    assert max(abs(shown[one] - numbers[one]) for one in shown) > 0.03
    for number in range(40):
        answer = memory.ask(f"thing {number}", "colour")
        values = [
            1 - one.confidence if one.is_denial else one.confidence
            for one in (*answer.findings, *answer.others)
        ]
        assert math.fsum(values) <= 1.0 + 1e-12
        for one in answer.findings:
            assert memory.why(one.id).confidence == pytest.approx(one.confidence)
            assert memory.why(one.id).raw_confidence == pytest.approx(one.raw_confidence)


def test_slots_stay_in_the_order_of_their_evidence_where_rivals_are_scaled_down() -> None:
    memory = stocked(1)
    for judge in labelling(1, memory):
        judge(memory)
    for value, voices, stance, place in (
        *((value, 9, "supports", "eu") for value in ("red", "blue", "green")),
        ("red", 8, "refutes", "us"),
        ("red", 1, "supports", "us"),
    ):
        claim = {"subject": "x", "attribute": "colour", "value": value, "stance": stance}
        for number in range(voices):
            memory.observe(
                source=f"{value} {stance} {number}",
                source_type="user" if voices == 1 else "document" if voices == 8 else None,
                claims=[claim | {"conditions": {"in": place}}],
                observed_at="2025-03-01" if voices == 1 else "2025-02-01",
            )
    findings = memory.ask("x", "colour").findings
    numbers = [one.raw_confidence for one in findings]
    assert numbers == sorted(numbers, reverse=True)
    assert [one.confidence for one in findings] != sorted((one.confidence for one in findings), reverse=True)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_shown_does_not_depend_on_who_read_when(seed: int) -> None:
    store = MemoryStore()
    eager, patient = stocked(seed, store), stocked(seed)
    for judge in labelling(seed, patient):
        judge(eager)
        eager.ask("thing 1", "colour")
        eager.observe(source="z", claims=[("somewhere", "else", "1")])
        eager.ask("thing 1", "colour")
        judge(patient)
    fresh = Memory(Space(store, clock=lambda: NOW))
    assert numbers_of(eager) == numbers_of(patient) == numbers_of(fresh)
    maps = [
        [one.fitted and one.fitted.formula for one in each.calibration().maps]
        for each in (eager, patient, fresh)
    ]
    assert maps[0] == maps[1] == maps[2] != [None]


def test_what_was_known_then_is_shown_as_it_was_shown_then() -> None:
    day = itertools.count(NOW, MICROSECONDS_PER_DAY)
    memory = stocked(0)
    memory = Memory(replace(memory._space, clock=lambda: Instant(next(day))))  # noqa: SLF001
    shown: list[tuple[str, dict[str, float]]] = []
    for place, judge in enumerate(labelling(0, memory)):
        judge(memory)
        if place % 12 == 0:
            known = memory.log(limit=1)[0].as_dict()["at"]
            shown.append((known, numbers_of(memory.at(valid="2025-06-01", known=known))))
    assert len({tuple(numbers.values()) for _, numbers in shown}) > 2
    for known, numbers in shown:
        assert numbers_of(memory.at(valid="2025-06-01", known=known)) == numbers


def test_labels_by_one_person_on_one_belief_count_once() -> None:
    memory = stocked(2)
    belief = memory.ask("thing 1", "colour").findings[0].id
    for word in ("right", "wrong", "right", "wrong"):
        memory.feedback(belief, word, by="Ann")
        memory.feedback(belief, word, by=" ann ")
    memory.feedback(belief, "right", by="Bob")
    report = memory.calibration()
    assert (report.right, report.wrong, report.unknown) == (1, 1, 0)
    memory.feedback(belief, "unknown", by="Bob")
    report = memory.calibration()
    assert (report.right, report.wrong, report.unknown, report.raw.labels) == (0, 1, 1, 1)
    assert memory.stats()["operations"] == memory.log(limit=1)[0].operation.sequence


def test_a_changed_declaration_sets_labels_aside_until_it_is_as_before() -> None:
    memory = stocked(0)
    for judge in labelling(0, memory):
        judge(memory)
    numbers, labels = numbers_of(memory), memory.calibration().labels
    memory.declare("colour", synonyms=["color"])
    assert (numbers_of(memory), memory.calibration().left_aside) == (numbers, 0)
    memory.declare("colour", half_life_days=400)
    report = memory.calibration()
    assert report.labels < labels
    assert report.left_aside + report.labels == labels
    assert memory.calibration(attribute="colour").labels == 0
    memory.declare("colour")
    assert memory.calibration().left_aside == 0
    memory.configure(confidence="log-odds")
    assert (memory.calibration().labels, memory.calibration().left_aside) == (0, labels)
    assert not memory.calibration().is_mapped


@pytest.mark.parametrize("seed", range(2))
def test_what_is_compared_is_newer_than_the_map(seed: int) -> None:
    memory = stocked(seed)
    for judge in labelling(seed, memory):
        judge(memory)
    report = memory.calibration()
    (standing,) = report.maps
    assert standing.fitted is not None
    since = 0 if report.since_fit is None else report.since_fit.raw.labels
    assert since == standing.progress.newer == report.labels - standing.fitted.labels
    assert report.when_judged is not None
    assert since < report.when_judged.raw.labels <= report.labels - 30


def test_what_is_to_be_checked_is_one_growing_sample() -> None:
    memory = stocked(3)
    every = memory.to_check(1000, seed="a")
    standing = {one.id for number in range(40) for one in memory.ask(f"thing {number}").findings}
    assert {one.id for one in every} == {one for one in standing if memory.why(one).status.is_standing}
    assert [one.id for one in memory.to_check(7, seed="a")] == [one.id for one in every[:7]]
    assert [one.id for one in memory.to_check(7, seed="b")] != [one.id for one in every[:7]]
    memory.feedback(every[2].id, "unknown")
    assert [one.id for one in memory.to_check(3, seed="a")] == [every[place].id for place in (0, 1, 3)]
