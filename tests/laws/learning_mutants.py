"""How learning in a memory could be wrong, and which law must notice. See mutant_table.py for the rows."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_RELIABILITY = "knowwhy/core/confidence/reliability.py"
_CHANNEL = "knowwhy/core/confidence/channel.py"
_PERIODS = "knowwhy/core/revision/periods.py"
_HEARING = "knowwhy/core/revision/hearing.py"
_SCHEMA = "knowwhy/core/model/schema.py"
_SOURCE = "knowwhy/core/model/source.py"
_LEARN = "knowwhy/engine/learn.py"
_SURVEY = "knowwhy/engine/survey.py"
_SOURCES = "knowwhy/engine/sources.py"
_LAWS = "tests/laws/test_learning_laws.py::"
_RELIABILITY_LAWS = "tests/laws/test_reliability_laws.py::"
_PERIOD_LAWS = "tests/laws/test_period_laws.py::"

LEARNING_MUTANTS = [
    # Objects of which all the same is said are weighed once.
    Mutant(
        "objects that are alike count once",
        Patch(_RELIABILITY, "Counter(of.values())", "dict.fromkeys(of.values(), 1)"),
        _RELIABILITY_LAWS + "test_the_likelihood_never_falls_and_is_the_one_defined",
    ),
    Mutant(
        "objects with the same words are alike, whatever is known of them",
        Patch(_RELIABILITY, "                known.get(about),\n                choices.get(about),\n", ""),
        _RELIABILITY_LAWS + "test_posteriors_and_reliabilities_follow_from_each_other",
    ),
    # Unsure, it changes nothing.
    Mutant(
        "whatever was fitted is believed",
        Patch(_RELIABILITY, "_CLEARLY: Final = 2.0", "_CLEARLY: Final = -100.0"),
        _LAWS + "test_of_sources_that_are_alike_nothing_is_learned",
    ),
    Mutant(
        "to do better than equal sources is enough",
        Patch(
            _RELIABILITY,
            "for one in (task.fitted(Model.EQUAL), outset))",
            "for one in (task.fitted(Model.EQUAL),))",
        ),
        _LAWS + "test_a_type_that_says_it_all_leaves_nothing_to_learn",
    ),
    Mutant(
        "agreement is as good as chance where there are many values",
        Patch(_RELIABILITY, "MOST_CHOICES: Final = 10", "MOST_CHOICES: Final = 2"),
        _LAWS + "test_learning_does_not_hurt_where_hardly_anybody_agrees",
    ),
    Mutant(
        "all that nobody named is one value",
        Patch(_CHANNEL, "math.log(choices - len(named)) + alike", "alike"),
        _PERIOD_LAWS + "test_a_value_is_as_probable_as_what_is_said_of_it",
    ),
    Mutant(
        "what is not sure any more stays learned",
        Patch(_LEARN, "    if not moved:", "    if not moved or not rates:"),
        _LAWS + "test_what_is_not_sure_any_more_is_taken_back",
    ),
    Mutant(
        "nothing is too small to be written",
        Patch(_LEARN, "_NOTICEABLE: Final = 0.01", "_NOTICEABLE: Final = 0.0"),
        _LAWS + "test_learning_twice_writes_once",
    ),
    # Sure, it stays within bounds.
    Mutant(
        "there is no band",
        Patch(_LEARN, "speakers[group].within_band(one.mean)", "one.mean"),
        _LAWS + "test_what_is_learned_stays_within_the_band_of_the_type",
    ),
    Mutant(
        "every type has the band of an unstated source",
        Patch(_SOURCE, "kind = SOURCE_TYPES.get(self.type, UNSTATED)", "kind = UNSTATED"),
        _LAWS + "test_what_is_learned_stays_within_the_band_of_the_type",
    ),
    Mutant(
        "the band knows nothing of what was stated of a source",
        Patch(_SOURCE, "max(kind.ceiling, self.reliability)", "kind.ceiling"),
        _LAWS + "test_what_was_stated_of_a_source_is_within_its_band",
    ),
    Mutant(
        "all sources start alike, whatever their type",
        Patch(_LEARN, "priors=found.priors, ", ""),
        _LAWS + "test_a_source_judged_by_little_stays_near_its_type",
    ),
    Mutant(
        "what is pinned goes by what was learned",
        Patch(_HEARING, "return source.reliability if testimony.is_pinned else learned", "return learned"),
        _LAWS + "test_what_is_pinned_weighs_what_it_weighed",
    ),
    # What counts as said.
    Mutant(
        "a retelling is a voice",
        Patch(
            _PERIODS,
            """\
        Word(one.testimony.groups[0], one.value_key, one.start, one.recency)
        for one in spoken
        if one.is_support and one.start < FOREVER and one.testimony.groups == (one.testimony.source.group,)
""",
            """\
        Word(one.testimony.source.group, one.value_key, one.start, one.recency)
        for one in spoken
        if one.is_support and one.start < FOREVER
""",
        ),
        _LAWS + "test_copies_are_no_further_voices",
    ),
    Mutant(
        "what was withdrawn is surveyed",
        Patch(
            _SURVEY,
            "if (visible := [one for one in those if one.is_visible(known)])",
            "if (visible := those)",
        ),
        _LAWS + "test_what_was_withdrawn_teaches_nothing",
    ),
    # The past stays, and the views follow.
    Mutant(
        "what was learned was always known",
        Patch(
            _SCHEMA,
            "            if one.declared_at <= known:\n                return self._rates",
            "            if one.declared_at <= FOREVER:\n                return self._rates",
        ),
        _LAWS + "test_what_was_known_is_told_the_same_after_learning",
    ),
    Mutant(
        "the report of sources forgets when things were learned",
        Patch(_SOURCES, "if one.declared_at <= known:", "if one.declared_at is not None:"),
        _LAWS + "test_what_was_known_is_told_the_same_after_learning",
    ),
    Mutant(
        "learning settles nothing anew",
        Patch(
            _LEARN,
            "contests=tuple(sorted(contests, key=by_id))",
            "contests=tuple(sorted(contests, key=by_id))[:0]",
        ),
        _LAWS + "test_a_rebuild_comes_to_the_same",
    ),
    # A changing world.
    Mutant(
        "any new word begins a period",
        Patch(_PERIODS, "and not is_behind and self._is_borne_out(one)", "and not is_behind"),
        _PERIOD_LAWS + "test_a_value_that_comes_back_shows_who_was_wrong",
    ),
    Mutant(
        "what nobody has spoken of since is always wrong",
        Patch(_PERIODS, "        if is_steady:\n", "        if is_steady or self.loose:\n"),
        _PERIOD_LAWS + "test_sources_that_speak_at_different_times_do_not_contradict_each_other",
    ),
    Mutant(
        "the last to agree is judged by it",
        Patch(_PERIODS, "is_edge = self._is_first and", "is_edge = not self.placed and self._is_first and"),
        _PERIOD_LAWS + "test_a_source_that_always_speaks_last_is_not_judged_where_it_is_right_alone",
    ),
    Mutant(
        "who is behind brings the past back",
        Patch(_PERIODS, "is_news and is_other and not is_behind", "is_news and is_other"),
        _PERIOD_LAWS + "test_one_that_is_behind_is_not_wrong_once_it_has_come_round",
    ),
    Mutant(
        "a word that no period takes in is lost",
        Patch(_PERIODS, "            self.loose += [(self._began, one) for one in loose]\n", ""),
        _PERIOD_LAWS + "test_every_word_is_placed_once_and_in_any_order",
    ),
    Mutant(
        "witnesses are not heard",
        Patch(
            _PERIODS,
            'Assertion(f"{slot}@{beginning}", one.voice, one.value, one.at, is_witness)',
            'Assertion(f"{slot}@{beginning}", one.voice, one.value, one.at, False)',
        ),
        _PERIOD_LAWS + "test_a_source_that_always_speaks_last_is_not_judged_where_it_is_right_alone",
    ),
    Mutant(
        "a voice is judged and a witness at once",
        Patch(
            _RELIABILITY,
            "for voice, value in beside[about].items() if voice not in said",
            "for voice, value in beside[about].items()",
        ),
        _PERIOD_LAWS + "test_a_voice_is_judged_or_a_witness",
    ),
    Mutant(
        "what a witness names is not among the values",
        Patch(
            _CHANNEL,
            "named = dict.fromkeys(chain(said.values(), self._witnesses.get(about, _SILENCE).values()))",
            "named = dict.fromkeys([*said.values()])\n        self._witnesses = {}",
        ),
        _PERIOD_LAWS + "test_what_a_witness_says_counts_for_the_object_and_not_for_the_witness",
    ),
]
