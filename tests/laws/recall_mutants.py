"""The mutants of recall: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_RECALL = "knowwhy/engine/recall.py"
_SEARCH = "knowwhy/recall/search.py"
_GATE = "knowwhy/recall/gate.py"
_OUTDATED = "knowwhy/recall/outdated.py"
_PACKING = "knowwhy/recall/packing.py"
_TIMING = "knowwhy/recall/timing.py"
_ANSWER = "knowwhy/recall/answer.py"
_LAWS = "tests/laws/test_recall_laws.py::"
_STANDS = _LAWS + "test_what_comes_back_stands_whatever_channel_found_it"
_DATE = _LAWS + "test_a_date_in_the_question_is_the_date_that_is_asked_about"
_MARKED = _LAWS + "test_raw_words_never_bring_back_a_fallen_value_unmarked"
_BUDGET = _LAWS + "test_a_budget_only_ever_leaves_out"
_PASSAGES = _LAWS + "test_words_that_may_not_be_read_are_in_no_passage"
_TOLD = _LAWS + "test_time_words_that_cannot_be_placed_are_told_in_every_rendering"

RECALL_MUTANTS = [
    Mutant(
        "recall: what fell answers too",
        Patch(_RECALL, "or (one.id in answering and one.status is not Status.STALE)", "or True"),
        _STANDS,
    ),
    Mutant(
        "recall: the best are chosen before the gate has settled them",
        Patch(_SEARCH, "return gate.contests(near.values())", "return gate.contests([*near.values()][:1])"),
        _STANDS,
    ),
    Mutant(
        "recall: withdrawn words are read",
        Patch(_GATE, "evidence.effective_at <= self.scope.valid and not gone", "not (gone and not gone)"),
        _PASSAGES,
    ),
    Mutant(
        "recall: words are read before they were said",
        Patch(_GATE, "is_known and evidence.effective_at <= self.scope.valid", "is_known"),
        _PASSAGES,
    ),
    Mutant(
        "recall: superseded values are not looked for in raw words",
        Patch(_OUTDATED, "_GONE: Final = (Status.SUPERSEDED, ", "_GONE: Final = ("),
        _MARKED,
    ),
    Mutant(
        "recall: raw words are marked though they say what stands",
        Patch(_OUTDATED, "and not any(_has(levelled, now.value.text) for now in one.instead)", ""),
        _MARKED,
    ),
    Mutant(
        "recall: a value is found within another",
        Patch(_OUTDATED, "_has(levelled, one.finding.value.text)\n", "True\n"),
        _MARKED,
    ),
    Mutant(
        "recall: what does not fit into a budget is cut",
        Patch(
            _PACKING,
            'return "\\n".join([head, *chosen] if head else chosen) if chosen else ""',
            'return "\\n".join([head, *listed])[: 4 * (self.tokens or 9_999)]',
        ),
        _BUDGET,
    ),
    Mutant(
        "recall: the head of a prompt costs nothing",
        Patch(_PACKING, "        text = head\n", '        text = ""\n'),
        _BUDGET,
    ),
    Mutant(
        "recall: what a budget leaves out is not counted",
        Patch(_ANSWER, "left_out=len(parts) - len(chosen),", "left_out=0,"),
        _BUDGET,
    ),
    Mutant(
        "recall: time words do not say of which time beliefs are wanted",
        Patch(_RECALL, "gate = replace(asked, scope=query.timing.scope(scope))", "gate = asked"),
        _DATE,
    ),
    Mutant(
        "recall: a day is asked about as it began",
        Patch(_TIMING, "return Instant(self.end - 1)", "return self.start"),
        _DATE,
    ),
    Mutant(
        "recall: time words that cannot be placed are dropped",
        Patch(_ANSWER, "for words in self.timing.unread:", "for words in ():"),
        _TOLD,
    ),
]
