"""Strategies for everything that can be declared in a memory, often the same few, so that they meet again."""

from __future__ import annotations

from hypothesis import strategies as st

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    Attribute,
    Cardinality,
    Charter,
    Declared,
    Denial,
    Dependency,
    Failing,
    InferenceRule,
    Judgement,
    Label,
    Learning,
    Pattern,
    Queued,
    QueueStep,
    RankingWeights,
    Status,
    ValueType,
    Waiting,
    attribute_key,
)
from knowwhy.core.revision import POLICIES
from knowwhy.testing.records import ATTRIBUTES, RESTED_ON, instants, texts

_KEYS = tuple(map(attribute_key, ATTRIBUTES))
_policies = st.none() | st.sampled_from(sorted(POLICIES))
_models = st.none() | st.sampled_from(ConfidenceModel)
_shares = st.floats(0.0, 1.0)
_words = st.sampled_from(["7", "15", "Berlin"]) | texts(10).filter(lambda text: not text.startswith("?"))
_names = st.sampled_from(["of Berlin", "OF  berlin", "规则"]) | texts(10)


def declarations() -> st.SearchStrategy[Declared]:
    """Declarations of every kind."""
    kinds = attributes(), rules(), denials(), charters(), learnings(), labels(), rankings(), queue_steps()
    return st.one_of(kinds)


@st.composite
def attributes(draw: st.DrawFn) -> Attribute:
    """Declarations of the few attributes that the slots of `records` have."""
    name = draw(st.sampled_from(ATTRIBUTES))
    others = st.sampled_from([key for key in _KEYS if key != attribute_key(name)])
    dependencies = st.lists(
        st.builds(Dependency, others, _shares), max_size=2, unique_by=lambda one: one.attribute
    )
    return Attribute(
        name=name,
        cardinality=draw(st.sampled_from(Cardinality)),
        value_type=draw(st.none() | st.sampled_from(ValueType)),
        unit=draw(st.none() | st.sampled_from(["day", "元"])),
        changes=draw(st.booleans()),
        half_life_days=draw(st.none() | st.floats(0.5, 5000.0)),
        stale_below=draw(_shares),
        synonyms=draw(st.lists(texts(10), max_size=2).map(tuple)),
        patterns=draw(st.lists(st.just("{subject} is {value}"), max_size=1).map(tuple)),
        about=draw(st.none() | texts(10)),
        confidence=draw(_models),
        policy=draw(_policies),
        base_rate=draw(st.just(0.5) | st.floats(0.01, 0.99)),
        strictness=draw(st.just(1.0) | st.floats(0.1, 50.0)),
        depends_on=draw(dependencies.map(tuple)),
        act_above=draw(_shares),
        domain=draw(st.none() | texts(10)),
    )


@st.composite
def rules(draw: st.DrawFn) -> InferenceRule:
    """Rules about `?x`, with one value that may be a variable too, some of them withdrawn."""
    keys, value = st.sampled_from(_KEYS), draw(st.just("?v") | _words)
    subjects = st.sampled_from(["?x", "order", "Berlin"])
    others = st.lists(st.builds(Pattern, subjects, keys, st.just(value) | _words), max_size=2)
    return InferenceRule(
        draw(_names),
        (Pattern("?x", draw(keys), value), *draw(others)),
        Pattern(draw(subjects), draw(keys), draw(st.just(value) | _words)),
        tuple(draw(others)),
        draw(st.floats(0.0, 1.0, exclude_min=True)),
        draw(st.booleans()),
    )


@st.composite
def denials(draw: st.DrawFn) -> Denial:
    """Denials of two or three statements about one subject, some of them withdrawn."""
    subject = st.just(draw(st.sampled_from(["?x", "order"])))
    statements = st.lists(
        st.builds(Pattern, subject, st.sampled_from(_KEYS), _words),
        min_size=2,
        max_size=3,
        unique_by=lambda one: (one.attribute, one.value),
    )
    return Denial(draw(_names), tuple(draw(statements)), draw(st.booleans()))


def charters() -> st.SearchStrategy[Charter]:
    """Charters, each of which takes the place of the one before."""
    return st.builds(Charter, _policies, _models)


def learnings() -> st.SearchStrategy[Learning]:
    """What was learned of sources at some instant."""
    rates = st.tuples(
        st.sampled_from(["user:Ann", "rumour:mill"]) | texts(10), _shares, st.integers(0, 10**9)
    )
    return st.builds(Learning, instants(), st.lists(rates, max_size=3).map(tuple), texts(10))


def labels() -> st.SearchStrategy[Label]:
    """Judgements on few beliefs, now and then two of them at one instant."""
    return st.builds(
        Label,
        st.sampled_from(RESTED_ON),
        st.sampled_from(Judgement),
        _shares,
        instants(),
        subject=texts(10),
        attribute=st.sampled_from(_KEYS),
        value=texts(10),
        status=st.sampled_from(Status).map(str),
        by=st.none() | texts(10),
    )


def queue_steps() -> st.SearchStrategy[QueueStep]:
    """What operations do to the queue of words that wait, now and then with the whole of it."""
    names = st.lists(texts(10), max_size=2).map(tuple)
    waiting = st.builds(
        Waiting,
        texts(10),
        instants(),
        st.none() | texts(10),
        st.integers(-840, 840),
        st.none() | st.booleans(),
        st.booleans(),
    )
    queued = st.builds(
        Queued,
        waiting,
        st.none() | st.integers(1, 9),
        instants(),
        st.integers(0, 9),
        instants(),
        st.none() | texts(10),
        st.booleans(),
    )
    failing = st.builds(Failing, texts(10), texts(10), instants(), st.booleans(), st.booleans())
    return st.builds(
        QueueStep,
        st.lists(waiting, max_size=2).map(tuple),
        names,
        instants(),
        st.none() | st.integers(1, 9),
        names,
        st.lists(failing, max_size=2).map(tuple),
        names,
        st.none() | st.lists(queued, max_size=2).map(tuple),
        st.integers(0, 9),
    )


def rankings() -> st.SearchStrategy[RankingWeights]:
    """Weights for ranking, each of which takes the place of the one before."""
    return st.builds(
        RankingWeights, st.floats(0.0, 4.0), _shares, _shares, _shares, _shares, st.integers(0, 10**6)
    )
