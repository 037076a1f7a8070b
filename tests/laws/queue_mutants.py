"""The mutants of reading later: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_QUEUE = "knowwhy/ingest/queue.py"
_WORK = "knowwhy/engine/work.py"
_BACKLOG = "knowwhy/engine/backlog.py"
_MERGE = "knowwhy/engine/merge.py"
_LACKING = "knowwhy/engine/lacking.py"
_UNDO = "knowwhy/engine/undo.py"
_LAWS = "tests/laws/test_queue_laws.py::"
_AT_ONCE = _LAWS + "test_what_is_read_later_is_believed_as_what_is_read_at_once"
_FOLD = _LAWS + "test_the_queue_is_the_fold_of_all_its_steps_wherever_one_begins"
_TWO = _LAWS + "test_of_two_leases_on_an_item_the_earlier_holds_until_it_runs_out"
_ALONE = _LAWS + "test_what_failed_goes_alone_and_after_some_tries_not_at_all"
_TALK = _LAWS + "test_what_follows_in_a_conversation_waits_for_what_precedes_it"
_ONCE = _LAWS + "test_an_item_counts_once_though_two_readers_understand_it_differently"
_MERGED = _LAWS + "test_what_was_read_on_a_branch_is_not_read_twice_where_it_is_merged"
_BELOW = _LAWS + "test_what_was_read_below_since_a_branch_forked_is_merged_into_it"
_MERGED_WAITING = _LAWS + "test_what_waits_on_a_branch_waits_where_it_is_merged"
_UNDONE = _LAWS + "test_a_reading_can_be_undone_and_that_too"
_BACK = _LAWS + "test_steps_are_not_walked_back_to_the_beginning_forever"

QUEUE_MUTANTS = [
    Mutant(
        "a lease can be ended twice",
        Patch(_WORK, 'key = None if ends is None else f"lease {ends} ended"', "key = None"),
        _ONCE,
    ),
    Mutant(
        "claims on record are recorded again",
        Patch(_WORK, "if one.id not in heard),", "),"),
        _MERGED,
    ),
    Mutant(
        "a merge forgets what still waits",
        Patch(_MERGE, "steps = (QueueStep(added=brought.waiting),) if brought.waiting else ()", "steps = ()"),
        _MERGED_WAITING,
    ),
    Mutant(
        "a merge passes over what was read later",
        Patch(_LACKING, "if one.act in (Act.READ, Act.DOCUMENT) and seen", "if one.act is Act.UNDO and seen"),
        _BELOW,
    ),
    Mutant(
        "undoing a reading leaves its claims",
        Patch(_UNDO, "if one.claim.id in read and one.retracted_at is None", "if one.claim.id not in read"),
        _UNDONE,
    ),
    Mutant(
        "the later of two leases holds",
        Patch(_QUEUE, "(known.lease is None or known.until <= step.declared_at)", "True"),
        _TWO,
    ),
    Mutant(
        "a lease never runs out",
        Patch(_QUEUE, "(one.lease is not None and one.until > now)", "one.lease is not None"),
        _TWO,
    ),
    Mutant(
        "what failed is leased with others",
        Patch(_QUEUE, "is_fresh = one.lease is None and one.attempts == 0", "is_fresh = one.lease is None"),
        _ALONE,
    ),
    Mutant(
        "what failed is tried forever",
        Patch(
            _QUEUE,
            "is_parked = failing.is_parked or attempts >= MOST_ATTEMPTS",
            "is_parked = failing.is_parked",
        ),
        _ALONE,
    ),
    Mutant(
        "a conversation is read in any order",
        Patch(_QUEUE, "or one.due > now or context in blocked:", "or one.due > now:"),
        _TALK,
    ),
    Mutant(
        "the queue begins with an old whole",
        Patch(_BACKLOG, "newest = max(whole, key=lambda one: one.as_of)", "newest = whole[0]"),
        _FOLD,
    ),
    Mutant(
        "steps since a whole are forgotten",
        Patch(_BACKLOG, "floor = max(floor, step.as_of)", "floor = max(floor, step.declared_in)"),
        _FOLD,
    ),
    Mutant(
        "the queue is never kept as a whole",
        Patch(
            _WORK,
            "if backlog.steps_since_kept > _STEPS_UNKEPT",
            "if backlog.steps_since_kept < -_STEPS_UNKEPT",
        ),
        _BACK,
    ),
]
