"""How adding a plain word could go wrong: `mutant_table.py` says what a row is."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_ADDING = "knowwhy/core/revision/adding.py"
_HEARING = "knowwhy/core/revision/hearing.py"
_CONFIRMING = "knowwhy/engine/confirming.py"

_LAWS = "tests/laws/test_adding_laws.py::"
_ANEW = _LAWS + "test_views_are_what_settling_anew_comes_to"
_AMID = _LAWS + "test_a_word_amid_plain_ones_counts_as_if_all_were_heard_anew"
_ADDED = _LAWS + "test_plain_words_are_added_without_hearing_the_others"

ADDING_MUTANTS = [
    Mutant(
        "a voice counts as often as it speaks",
        Patch(
            _ADDING,
            "tally.support + Mass(ageing=count) if is_new else tally.support",
            "tally.support + Mass(ageing=count)",
        ),
        _ANEW,
    ),
    Mutant(
        "a further voice adds nothing",
        Patch(_ADDING, "tally.support + Mass(ageing=count) if is_new else tally.support", "tally.support"),
        _ANEW,
    ),
    Mutant(
        "a repetition is a further source",
        Patch(_ADDING, "belief.sources + is_new", "belief.sources + 1"),
        _ANEW,
    ),
    Mutant(
        "what was said earlier is the last word",
        Patch(_ADDING, "max(belief.observed_at, word.effective_at)", "word.effective_at"),
        _AMID,
    ),
    Mutant(
        "the last speaker's authority counts",
        Patch(_ADDING, "max(belief.authority, word.source.authority)", "word.source.authority"),
        _ANEW,
    ),
    Mutant(
        "it holds since the last word",
        Patch(_ADDING, "min(belief.since, word.effective_at)", "word.effective_at"),
        _AMID,
    ),
    Mutant(
        "the tally stays as of when it was settled",
        Patch(_ADDING, "replace(tally, support=support, reference=at)", "replace(tally, support=support)"),
        _ANEW,
    ),
    Mutant(
        "what ages is added up too",
        Patch(_ADDING, "is_counted and attribute.half_life_days is None", "is_counted"),
        _ANEW,
    ),
    Mutant(
        "what is pinned is a plain word",
        Patch(_ADDING, "claim.is_forced or one.is_pinned or", "claim.is_forced or"),
        _AMID,
    ),
    Mutant("what weighs less is a plain word", Patch(_ADDING, " and claim.weight == 1.0", ""), _AMID),
    Mutant(
        "what was merely asked is a plain word",
        Patch(_ADDING, " and claim.modality is Modality.ASSERTED", ""),
        _AMID,
    ),
    Mutant("a denial is a plain word", Patch(_ADDING, "claim.stance is Stance.SUPPORTS and ", ""), _AMID),
    Mutant("what is dated is a plain word", Patch(_ADDING, "claim.valid_from is None and ", ""), _AMID),
    Mutant("any spelling is taken", Patch(_ADDING, " and word.effective_at > belief.observed_at", ""), _AMID),
    Mutant(
        "a stronger word of a voice is none",
        Patch(_CONFIRMING, "reliability_of(one, learned)) < count", "reliability_of(one, learned)) < -1.0"),
        _AMID,
    ),
    Mutant(
        "a name is one voice in whatever part",
        Patch(_CONFIRMING, "one.source.group == word.source.group and ", ""),
        _ANEW,
    ),
    Mutant("what was withdrawn speaks on", Patch(_CONFIRMING, " and one.is_visible(reading.at)", ""), _ANEW),
    Mutant(
        "counts lie on no grid", Patch(_HEARING, "return round(count * _GRID) / _GRID", "return count"), _ANEW
    ),
    Mutant(
        "nothing is ever added", Patch(_ADDING, "adds_up(attribute) and len(values) == 1", "False"), _ADDED
    ),
]
