"""The mutants of versions: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_LACKING = "knowwhy/engine/lacking.py"
_MERGE = "knowwhy/engine/merge.py"
_UNDO = "knowwhy/engine/undo.py"
_LAYERED = "knowwhy/store/layered.py"
_JOINT = "knowwhy/store/joint.py"
_DECIDING = "knowwhy/engine/deciding.py"
_UPKEEP = "knowwhy/engine/upkeep.py"
_VACUUM = "knowwhy/engine/vacuum.py"
_LAWS = "tests/laws/test_merge_laws.py::"
_COMMUTATIVE = _LAWS + "test_merging_is_commutative"
_ORDER = _LAWS + "test_merging_in_any_order_comes_to_the_same"
_REPLAY = _LAWS + "test_merging_equals_replaying_in_any_order"
_FILES = _LAWS + "test_files_that_went_separate_ways_merge_like_branches"
_PREVIEW = _LAWS + "test_what_a_preview_says_is_what_a_merge_does"
_AGAIN = _LAWS + "test_merging_again_takes_over_nothing"
_PAST = _LAWS + "test_the_past_never_changes_whatever_is_merged_or_undone"
_BLIND = _LAWS + "test_a_branch_does_not_see_what_comes_to_its_parent"
_ALIKE = _LAWS + "test_acts_on_a_branch_come_to_what_they_would_on_the_main_line"
_UNDONE = _LAWS + "test_undoing_restores_what_was_and_undoing_that_what_is"
_REVERTED = _LAWS + "test_a_merge_is_reverted_as_a_whole"
_RUN = _LAWS + "test_a_run_is_undone_as_a_whole"
_DIFFERENCE = _LAWS + "test_a_difference_is_where_two_answers_differ"
_LET_GO = _LAWS + "test_what_is_let_go_of_is_not_needed_later"
_FOREIGN = _LAWS + "test_a_vacuum_leaves_open_branches_alone"
_APART = "tests/journeys/test_lines_apart.py::"
_LIFTED = "tests/conformance/test_stores.py::TestMemoryStore::test_what_is_lifted_stands_again_from_then_on"

MERGE_MUTANTS = [
    Mutant(
        "a merge leaves withdrawals behind",
        Patch(
            _LACKING,
            "retractions=tuple(Retraction(one.target, one.reason, one.id) for one in missing)",
            "retractions=()",
        ),
        _COMMUTATIVE,
    ),
    Mutant(
        "a merge leaves lifts behind",
        Patch(
            _LACKING,
            "return [one for one in gone if one.id not in known",
            "return [one for one in gone if not is_retraction(one.target) and one.id not in known",
        ),
        _APART + "test_what_was_withdrawn_below_is_lifted_on_a_branch_alone",
    ),
    Mutant(
        "a withdrawal gets another id wherever it is merged",
        Patch(_LACKING, "Retraction(one.target, one.reason, one.id)", "Retraction(one.target, one.reason)"),
        _AGAIN,
    ),
    Mutant(
        "what is withdrawn by a merge is not decided anew",
        Patch(
            _MERGE,
            "contests=contests_on(reading, schema, (one for one in brought.withdrawn if one not in known))",
            "contests=()",
        ),
        _COMMUTATIVE,
    ),
    Mutant(
        "what is brought withdrawn and lifted falls",
        Patch(
            _DECIDING,
            "for one in intent.retractions if one.id not in named}",
            "for one in intent.retractions}",
        ),
        _APART + "test_what_was_withdrawn_and_restored_on_a_branch_comes_with_it",
    ),
    Mutant(
        "what was said counts from the merge on",
        Patch(_LACKING, "withdrawals=(), operation=0, ", "withdrawals=(), operation=0, effective_at=at, "),
        _REPLAY,
    ),
    Mutant(
        "what is merged was always known",
        Patch(_LACKING, "recorded_at=one.recorded_at if is_loaded else at", "recorded_at=one.recorded_at"),
        _PAST,
    ),
    Mutant(
        "theirs is the later declaration",
        Patch(_LACKING, "if mine is None or (stated_there[key], declared_text(one)) > mine:", "if one:"),
        _COMMUTATIVE,
    ),
    Mutant(
        "a declaration is as old as the merge that brought it",
        Patch(_LACKING, "is_adopted = adopted is not None and", "is_adopted = adopted is None and"),
        _ORDER,
    ),
    Mutant(
        "a name that was taken away comes back with a merge",
        Patch(_LACKING, "(one for one in new if one.target not in barred)", "new"),
        "tests/journeys/test_versions.py::test_a_merge_is_reverted_like_any_operation",
    ),
    Mutant(
        "what rules derived is taken over as if it were said",
        Patch(_LACKING, "return one.source.type == _DERIVED and any(", "return False and any("),
        _APART + "test_what_follows_by_a_rule_of_the_other_line_is_not_taken_over",
    ),
    Mutant(
        "a merge looks no further than the topmost branch",
        Patch(_LACKING, "        if seen < reach:\n", "        if seen < reach and layer is not view:\n"),
        _APART + "test_a_branch_may_take_over_what_came_to_the_main_line_since",
    ),
    Mutant(
        "a preview writes",
        Patch(
            _MERGE,
            "        prepared = prepare(space, Signature(Act.MERGE), form, view)\n",
            "        prepared = prepare(space, Signature(Act.MERGE), form, view)\n"
            "        write(space, Signature(Act.MERGE), form)\n",
        ),
        _PREVIEW,
    ),
]

BRANCH_MUTANTS = [
    Mutant(
        "a branch sees what was said below later",
        Patch(
            _JOINT,
            "            for one in under\n            if one.operation <= last\n",
            "            for one in under\n",
        ),
        _BLIND,
    ),
    Mutant(
        "a branch sees what was withdrawn below later",
        Patch(
            _JOINT,
            "            for one in withdrawals\n            if one.operation <= last\n",
            "            for one in withdrawals\n",
        ),
        _BLIND,
    ),
    Mutant(
        "a branch sees the views of below as they are",
        Patch(
            _LAYERED,
            "        moved = [one for one in beliefs if one.version > last]\n",
            "        moved: list[Belief] = []\n",
        ),
        "tests/journeys/test_versions.py::test_states_can_be_named_and_compared",
    ),
    Mutant(
        "a branch sees names that were given below later",
        Patch(
            _LAYERED,
            "        below = self.below.names(keys, until=under)\n",
            "        below = self.below.names(keys)\n",
        ),
        _BLIND,
    ),
    Mutant(
        "a branch sees what was declared below later",
        Patch(
            _LAYERED,
            "        found = self.below.declared(kind, keys, until=under)\n",
            "        found = self.below.declared(kind, keys)\n",
        ),
        _BLIND,
    ),
    Mutant(
        "a name of two that is taken from one on a branch is listed as theirs yet",
        Patch(_LAYERED, "self._taken_away({one.target for one in under})", "self._taken_away(set())"),
        "tests/journeys/test_identity.py::test_a_name_of_two_is_taken_from_one_on_a_branch",
    ),
    Mutant(
        "a name taken away on a branch stays",
        Patch(
            _LAYERED,
            "unnamed = self._unnamed(further, above) if further else ()",
            "unnamed = self._unnamed((), above)",
        ),
        _ALIKE,
    ),
    Mutant(
        "what moved below is told as it stands there",
        Patch(
            _DECIDING,
            "_by_contest(new, gate.beliefs)",
            "_by_contest(new, self._reading.view.beliefs)",
        ),
        _ALIKE,
    ),
    Mutant(
        "a lift on a branch does not reach what is below",
        Patch(_JOINT, "if not standing or not self.has_own:", "if standing or not self.has_own:"),
        _APART + "test_what_was_withdrawn_below_is_lifted_on_a_branch_alone",
    ),
    Mutant(
        "what a branch takes over is indexed there again",
        Patch(_UPKEEP, "if belief.value.key not in below:", "if belief:"),
        _ALIKE,
    ),
    Mutant(
        "what came into conflict below since is not looked for",
        Patch(_LAYERED, "if wanted.statuses is None or not self.has_moved:", "if found is not None:"),
        _APART + "test_a_conflict_that_was_settled_below_since_is_still_one_on_a_branch",
    ),
]

UNDO_MUTANTS = [
    Mutant(
        "undoing a withdrawal lifts nothing",
        Patch(_UNDO, "targets += [one.id for one in lifted] + again", "targets += again"),
        _UNDONE,
    ),
    Mutant(
        "undoing a lift withdraws nothing",
        Patch(
            _UNDO, "targets += [one.id for one in lifted] + again", "targets += [one.id for one in lifted]"
        ),
        _UNDONE,
    ),
    Mutant(
        "undoing leaves declarations as they are",
        Patch(
            _UNDO,
            "    declarations = list(_restored(reading, undone, brought))\n",
            "    declarations: list[Declared] = []\n",
        ),
        _UNDONE,
    ),
    Mutant(
        "what came withdrawn stands once its merge is undone",
        Patch(_UNDO, "    own = {one.id for one in brought.evidence}\n", "    own: set[str] = set()\n"),
        _REVERTED,
    ),
    Mutant(
        "of a run only the last operation is undone",
        Patch(
            _UNDO,
            "        until = known.declared_in - 1\n    if not found:",
            "        break\n    if not found:",
        ),
        _RUN,
    ),
    Mutant(
        "a lift is not seen by what was known",
        Patch(
            "knowwhy/core/model/withdrawal.py",
            "self.at <= known and (self.lifted_at is None or known < self.lifted_at)",
            "self.at <= known",
        ),
        _UNDONE,
    ),
    Mutant(
        "a lift begins an instant late",
        Patch("knowwhy/core/model/withdrawal.py", "known < self.lifted_at", "known <= self.lifted_at"),
        _LIFTED,
    ),
    Mutant(
        "what is lifted is derived a second time",
        Patch("knowwhy/engine/firing.py", "all(each.is_lifted or each.id in gone", "all(each.is_lifted"),
        _APART + "test_what_is_lifted_is_decided_by_that_and_not_drawn_a_second_time",
    ),
]

KEEPING_MUTANTS = [
    Mutant(
        "a difference passes over what was withdrawn",
        Patch(
            "knowwhy/engine/diff.py",
            "    targets |= {one.target for one in view.every(Withdrawal) if one.operation in numbers}\n",
            "",
        ),
        _DIFFERENCE,
    ),
    Mutant(
        "a vacuum takes what was withdrawn after the horizon too",
        Patch(
            _VACUUM, "if withdrawal is not None and withdrawal.at <= horizon:", "if withdrawal is not None:"
        ),
        _APART + "test_what_was_withdrawn_after_the_horizon_can_still_be_told",
    ),
    Mutant(
        "what was known before the horizon is told all the same",
        Patch(
            "knowwhy/engine/space.py",
            "        if known < horizon:\n",
            "        if known < horizon < known:\n",
        ),
        _LET_GO,
    ),
    Mutant(
        "branches do not hold a vacuum back",
        Patch(
            _VACUUM, "    if oldest is None or wanted <= oldest.at:\n", "    if oldest is None or wanted:\n"
        ),
        _FOREIGN,
    ),
    Mutant(
        "what is foreseen is written",
        Patch(
            "knowwhy/engine/foresee.py",
            "        prepared = prepare(space, Signature(Act.OBSERVE), form, view)\n",
            "        prepared = prepare(space, Signature(Act.OBSERVE), form, view)\n"
            "    if isinstance(prepared, Prepared):\n"
            "        space.store.commit(space.name, prepared.batch)\n",
        ),
        _LAWS + "test_what_is_foreseen_is_what_comes_and_writes_nothing",
    ),
]
