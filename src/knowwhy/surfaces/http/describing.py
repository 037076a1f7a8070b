"""What the service says of itself: groups of verbs, and an example of what each of the main ones takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

DESCRIPTION: Final = """\
Each memory keeps beliefs about entities, each resting on evidence from a source, with a confidence computed
from that evidence. Every verb of the library is here under its own name:
`POST /v1/memories/{memory}/{verb}` with a JSON document of what it takes. Begin with `observe`, then
`context` for what a model should be told, and `trust` for whether a proposition may be relied on.

Reading verbs take `valid` (when it was so), `known` (when we knew) and `branch` as parameters of the query;
writing verbs `branch`, `share` (who may read it) and `run`. A list that is long comes in pages. An answer
about one attribute has an `ETag`; send it as `If-Match` with a write that rests on it: where somebody was
faster, it fails with 412 and changes nothing. `Idempotency-Key` makes a write safe to send again.
"""

_GROUPS: Final[Mapping[str, tuple[str, str]]] = {
    "tell": (
        "What sources say, and what they take back.",
        (
            "add observe observe_many observe_document correct end give_up retract derive resolve assign"
            " complete dismiss feedback used"
        ),
    ),
    "ask": (
        "What is held, why, since when, and what stands against it.",
        (
            "ask recall search summary trust why why_not history conflicts sources stats to_check calibration"
            " incomplete audits explain"
        ),
    ),
    "versions": (
        "Operations, branches, and the way back.",
        (
            "log show diff changes snapshot snapshots undo what_if fork branches drop merge preview_merge"
            " vacuum"
        ),
    ),
    "understand": (
        "How the memory understands what it hears: attributes, rules, names, policies.",
        (
            "declare declare_rule declare_denial withdraw_rule declared configure alias unalias"
            " merge_entities distinguish questions duplicates learn quarantine release"
        ),
    ),
    "keep": (
        "Permissions, erasure, and what keeps it in order.",
        (
            "dream grant grants forget preview_forget erasures expire doctor rebuild embed queue retry work"
            " reextract"
        ),
    ),
    "service": ("The service itself.", ""),
}
TAGS: Final[list[dict[str, Any]]] = [
    {"name": name, "description": told} for name, (told, _) in _GROUPS.items()
]
_TAG: Final = {verb: name for name, (_, verbs) in _GROUPS.items() for verb in verbs.split()}

EXAMPLES: Final[Mapping[str, Any]] = {
    "observe": {
        "text": "From 12 January, orders may be returned within 15 days.",
        "source": "policy 4.0",
        "source_type": "official",
        "observed_at": "2025-01-10",
        "claims": [{"subject": "order", "attribute": "return window", "value": 15, "unit": "day"}],
    },
    "observe_many": {
        "observations": [
            {"source": "price list", "claims": [["anvil", "price", 120], ["hammer", "price", 15]]}
        ]
    },
    "observe_document": {"uri": "policy.md", "version": "4", "text": "Return window: 15 days"},
    "recall": {"question": "How long may an order be returned?", "limit": 3, "budget": 400},
    "ask": {"subject": "order", "attribute": "return window"},
    "trust": {"subject": "order", "attribute": "return window", "value": 15, "unit": "day"},
    "why": {"belief": "order", "attribute": "return window"},
    "history": {"subject": "order", "attribute": "return window"},
    "correct": {"subject": "order", "attribute": "return window", "value": 14, "was": 15, "unit": "day"},
    "end": {"subject": "anvil", "attribute": "price", "at": "2025-03-01"},
    "declare": {"attribute": "return window", "unit": "day", "half_life_days": 90},
    "retract": {"target": "ev_0123456789abcdef0123"},
    "resolve": {"conflict": "cf_0123456789abcdef0123", "choice": "15"},
    "forget": {"person": "Ann Example"},
    "fork": {"name": "market up", "assumes": "prices rise by a fifth"},
    "what_if": {"observe": [{"source": "analyst", "claims": [["anvil", "price", 144]]}]},
}


def tag_of(verb: str) -> str:
    """The group that a verb belongs to."""
    return _TAG.get(verb, "keep")
