"""Valid records that fit together: builders for examples, hypothesis strategies for properties."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from knowwhy.core.model import (
    FOLLOWS,
    PUBLIC,
    SOURCE_TYPES,
    Access,
    Claim,
    Derivation,
    Entity,
    Evidence,
    Modality,
    Slot,
    Source,
    Stance,
    Value,
    ValueType,
    attribute_key,
    belief_id,
    claim_of,
    content_of,
    entity_named,
    entity_value,
    evidence_id,
    slot_of,
    value_of,
)
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, instant

# Texts that break what was written without thinking of them: quotes, operators of full-text search,
# comments and wildcards of query languages, NUL, marks outside the basic plane, scripts without spaces.
HOSTILE: Final = (
    "O'Brien",
    'say "no"',
    "AND OR NOT NEAR",
    'NEAR("a" "b", 2)',
    'col:umn ^start -minus +plus "half',
    "100% under_score * ? [abc] {brace} (paren",
    "') OR '1' = '1'; --",
    "NUL\0inside",
    "back\\slash \\0 \\n",
    "smile 😀 family 👩‍👩‍👧 flag 🇨🇭",
    "退货期限是七天",
    "e\u0301 is not é, nor ﬁ fi",
    "\u202eright to left",
    "x" * 20_000,
)

EPOCH: Final = instant("2025-01-01")

# Few, so that claims meet each other, and among them what is easily confused.
ATTRIBUTES: Final = ("price", "Return-Window", "首都")
ENTITIES: Final = (
    entity_named("order"),
    entity_named("Berlin", "city"),
    entity_named("Berlin", "person", own_id="berlin-2"),
    entity_named("北京"),
    entity_named('O\'Brien "the" *'),
)

# What claims rest on: slots and beliefs (by id) that others speak of, and some that nobody does.
_FEW: Final = [slot_of(one, attribute_key(name)) for one in ENTITIES[:2] for name in ATTRIBUTES[:2]]
RESTED_ON: Final = (
    *(one.id for one in _FEW),
    *(belief_id(one.id, value_of(text).key) for one in _FEW for text in ("7", "15")),
    "bl_nobody",
    'O\'Brien "the" *',
)


def source(name: str = "handbook", kind: str = "document") -> Source:
    """A source of one of the known types, with that type's authority and reliability."""
    known = SOURCE_TYPES[kind]
    return Source(name, known.name, known.authority, known.reliability)


def evidence(
    text: str,
    by: Source | None = None,
    observed_at: Instant = EPOCH,
    *,
    recorded_at: Instant = FOREVER,
    context: str | None = None,
    is_pinned: bool = False,
) -> Evidence:
    """What a source said; `recorded_at` FOREVER leaves that to the store."""
    speaker = by or source()
    content = content_of(speaker, text, "", context)
    return Evidence(
        id=evidence_id(content, observed_at),
        content=content,
        text=text,
        source=speaker,
        observed_at=observed_at,
        effective_at=min(observed_at, recorded_at),
        recorded_at=recorded_at,
        groups=(speaker.group,),
        is_pinned=is_pinned,
        context=context,
    )


def slot(subject: str | Entity = "order", attribute: str = "return window") -> Slot:
    """The slot of an attribute of a subject, which may be named."""
    about = subject if isinstance(subject, Entity) else entity_named(subject)
    return slot_of(about, attribute_key(attribute))


def claim(
    ground: Evidence,
    about: Slot,
    value: Value | str,
    stance: Stance = Stance.SUPPORTS,
    *,
    valid_from: Instant | None = None,
    valid_to: Instant = FOREVER,
) -> Claim:
    """What `ground` says about a slot; a value given as text is that text."""
    stated = value_of(value) if isinstance(value, str) else value
    return claim_of(ground.id, about, stated, stance, valid_from, valid_to)


# Strategies -------------------------------------------------------------------------------------


def texts(max_size: int = 40) -> st.SearchStrategy[str]:
    """Texts of any characters but lone surrogates, hostile ones often; never only white space."""
    return st.one_of(
        st.sampled_from(range(len(HOSTILE))).map(lambda number: HOSTILE[number]),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=max_size),
    ).filter(lambda text: bool(text.strip()))


def instants() -> st.SearchStrategy[Instant]:
    """Instants of this century to the microsecond, often the same few."""
    first, last = instant("2000-01-01"), instant("2040-01-01")
    few = st.sampled_from([instant(f"2025-0{month}-01") for month in range(1, 10)])
    return st.one_of(few, st.integers(first, last).map(Instant))


def entities() -> st.SearchStrategy[Entity]:
    """Entities, among them different ones of one name."""
    few = st.sampled_from(ENTITIES)
    return st.one_of(few, few, texts().map(lambda name: entity_named(" ".join(name.split()))))


def sources() -> st.SearchStrategy[Source]:
    """Sources of few names and several types, so that they meet each other again."""
    return st.builds(
        source,
        st.one_of(st.sampled_from(["handbook", "Ann", "tool-1"]), texts(10)),
        st.sampled_from(["official", "document", "user", "model", "unstated"]),
    )


def values() -> st.SearchStrategy[Value]:
    """Values of every type, often the same few."""
    return st.one_of(
        st.sampled_from(["7", "15"]).map(value_of),
        st.sampled_from(["7", "15"]).map(value_of),
        st.sampled_from(["7", "15"]).map(lambda text: value_of(text, ValueType.NUMBER, "day")),
        st.integers(-(10**20), 10**20).map(value_of),
        st.booleans().map(value_of),
        st.dates().map(value_of),
        texts().map(value_of),
        st.sampled_from(ENTITIES).map(lambda one: entity_value(one.id, one.name)),
    )


def derivations() -> st.SearchStrategy[Derivation]:
    """Derivations from few beliefs, most of which some claim of this module speaks of."""
    return st.builds(
        Derivation,
        st.lists(st.sampled_from(RESTED_ON), min_size=1, max_size=3, unique=True).map(tuple),
        st.lists(st.sampled_from(RESTED_ON), max_size=2, unique=True).map(tuple),
        st.just("") | texts(10),
        st.floats(0.0, 1.0, exclude_min=True),
    )


def accesses() -> st.SearchStrategy[Access]:
    """Everybody's access more often than not, else that of few, or of what follows from others."""
    few = (
        PUBLIC,
        PUBLIC,
        PUBLIC,
        FOLLOWS,
        Access("agent:a", ()),
        Access("agent:a", ("group:g", "user:O'B\"[")),
        Access(None, (), ("group:g",)),
        Access("agent:b", None, ("group:g",)),
    )
    return st.sampled_from(few)


@st.composite
def slots(draw: st.DrawFn) -> Slot:
    """Slots of few subjects and attributes, some under conditions, so that claims meet each other."""
    conditions = draw(st.sampled_from([(), (), (), (("country", "CH"), ("plan", "a|b'\""))]))
    about = draw(st.sampled_from(ENTITIES[:2]) | entities())
    return slot_of(about, attribute_key(draw(st.sampled_from(ATTRIBUTES))), conditions)


@st.composite
def evidences(draw: st.DrawFn) -> Evidence:
    """Evidence of any source; now and then recorded before, pinned, derived or with metadata."""
    speaker, text = draw(sources()), draw(texts())
    observed_at = draw(instants())
    recorded_at = draw(st.just(FOREVER) | instants())
    context = draw(st.none() | texts(10))
    access = draw(accesses())
    content = content_of(speaker, text, draw(st.sampled_from(["", "1", "2"])), context, access)
    return Evidence(
        id=evidence_id(content, observed_at),
        content=content,
        text=text,
        source=speaker,
        observed_at=observed_at,
        effective_at=min(observed_at, recorded_at),
        recorded_at=recorded_at,
        groups=draw(st.sampled_from([(speaker.group,), (speaker.group, "rumour:mill")])),
        is_pinned=draw(st.booleans()),
        context=context,
        derived_from=draw(st.lists(st.just("ev_0"), max_size=1).map(tuple)),
        metadata=draw(st.lists(st.tuples(texts(10), texts(10)), max_size=2).map(tuple)),
        access=access,
    )


@st.composite
def claims(draw: st.DrawFn, ground: Evidence) -> Claim:
    """Claims read out of `ground`, of every stance, modality and bound; some rest on others or are forced."""
    stance = draw(st.sampled_from([*Stance, Stance.SUPPORTS]))
    stated = claim_of(
        ground.id,
        draw(slots()),
        draw(values()),
        stance,
        valid_from=draw(st.none() | st.just(BEGINNING) | instants()),
        valid_to=draw(instants() if stance is Stance.ENDS else st.just(FOREVER) | instants()),
    )
    derived = st.none() | st.none() | derivations() if stance is Stance.SUPPORTS else st.none()
    return replace(
        stated,
        modality=draw(st.sampled_from([*Modality, Modality.ASSERTED])),
        weight=draw(st.floats(0.0, 4.0)),
        quote=draw(st.none() | texts()),
        quote_match=draw(st.none() | st.just("exact")),
        derivation=draw(derived),
        depends_on=draw(st.lists(st.sampled_from(RESTED_ON), max_size=2, unique=True).map(tuple)),
        is_forced=draw(st.booleans()),
    )


@st.composite
def observations(draw: st.DrawFn, max_size: int = 3) -> tuple[list[Evidence], list[Claim]]:
    """Different items of evidence, each with some different claims."""
    grounds = draw(st.lists(evidences(), min_size=1, max_size=max_size, unique_by=lambda one: one.id))
    read = [
        one
        for ground in grounds
        for one in draw(st.lists(claims(ground), max_size=max_size, unique_by=lambda one: one.id))
    ]
    return grounds, read
