"""How sharing could go wrong: `mutant_table.py` says what a row is."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_SEEN = "knowwhy/store/seen.py"
_SIEVE = "knowwhy/store/sieve.py"
_HIDDEN = "knowwhy/store/hidden.py"
_PERMITTING = "knowwhy/engine/permitting.py"
_LABELLING = "knowwhy/core/revision/labelling.py"
_DECIDING = "knowwhy/engine/deciding.py"
_FIRING = "knowwhy/engine/firing.py"
_COMMIT = "knowwhy/engine/commit.py"

_TOLD = "tests/laws/test_sharing_laws.py::test_a_reader_is_told_as_if_what_it_may_not_see_had_never_been"

SHARING_MUTANTS = [
    Mutant(
        "hidden claims are heard",
        Patch(
            _SEEN, "            if one.claim.evidence_id in hidden.evidence:\n                continue\n", ""
        ),
        _TOLD,
    ),
    Mutant(
        "a view that others settled is handed out",
        Patch(_SEEN, "version=_touched(those), stable_until=one.settled_at", "version=_touched(those)"),
        _TOLD,
    ),
    Mutant(
        "words are counted that are hidden",
        Patch(_SEEN, "max(0, count - less[term])", "count"),
        _TOLD,
    ),
    Mutant(
        "hidden documents are counted",
        Patch(_SEEN, "found.documents - hidden.documents", "found.documents"),
        _TOLD,
    ),
    Mutant(
        "operations of others are told",
        Patch(_SEEN, "if self.viewer.may_read(one.access))\n            if limit", ")\n            if limit"),
        _TOLD,
    ),
    Mutant(
        "what an operation changed is told",
        Patch(
            _SIEVE,
            '_TOLD: Final = ("evidence", "recorded")',
            '_TOLD: Final = ("evidence", "recorded", "changes")',
        ),
        _TOLD,
    ),
    Mutant(
        "sources are known by hidden words",
        Patch(_SEEN, "[one for one in known if self.viewer.may_read(one.access) or one in shown]", "known"),
        _TOLD,
    ),
    Mutant(
        "labels leave out what stands beside",
        Patch(
            _LABELLING,
            "restricted((*found[key], *_spoken(pool.testimonies[key], one)))",
            "restricted(_spoken(pool.testimonies[key], one))",
        ),
        _TOLD,
    ),
    Mutant(
        "labels leave out what a belief rests on",
        Patch(
            _LABELLING, "    below = _grounds(pool)\n", "    below: dict[ContestKey, set[ContestKey]] = {}\n"
        ),
        _TOLD,
    ),
    Mutant(
        "what follows from hidden premises is everybody's",
        Patch(_FIRING, "FOLLOWS if any(one.labels for one in instance.premises) else PUBLIC", "PUBLIC"),
        _TOLD,
    ),
    Mutant(
        "what follows is shown before its premises",
        Patch(
            _HIDDEN,
            "        if not spoken:\n            return None\n",
            "        if not spoken:\n            continue\n",
        ),
        _TOLD,
    ),
    Mutant(
        "names are understood as the writer knows them",
        Patch(
            _PERMITTING,
            "return view if not access.is_public and not access.names else space.seen(view, access)",
            "return space.seen(view)",
        ),
        _TOLD,
    ),
    Mutant(
        "the writer is told what it comes to for all",
        Patch(_COMMIT, "seen = verdict if is_whole else", "seen = verdict if True else"),
        _TOLD,
    ),
    Mutant(
        "an entity is called as it was first named",
        Patch(_HIDDEN, "return slot if subject is None else replace(slot, subject=subject)", "return slot"),
        _TOLD,
    ),
    Mutant(
        "withdrawals of hidden words are counted",
        Patch(_SIEVE, "if (root := roots[one.id]) not in self.hidden.evidence", "if (root := roots[one.id])"),
        _TOLD,
    ),
    Mutant(
        "whoever may not read is asked whether a fate may change",
        Patch(
            _PERMITTING,
            "in reading.view.testimonies(",
            "in reading.whole.testimonies(",
        ),
        _TOLD,
    ),
    Mutant(
        "a name is read up to its first colon",
        Patch(_PERMITTING, "sorted({named[0] for", "sorted({named[0].partition(':')[0] for"),
        "tests/journeys/test_rights.py::test_it_takes_a_right_and_that_right_alone",
    ),
    Mutant(
        "what is the same words is one record for all readers",
        Patch(
            "knowwhy/core/model/evidence.py",
            "() if access.is_public or access.follows else (str(access),)",
            "()",
        ),
        _TOLD,
    ),
]
