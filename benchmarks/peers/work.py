"""What each peer is given to do: claims with changes, and questions whose right answers follow from them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

Item: TypeAlias = dict[str, Any]

SEED: Final = 4_511
PERSON: Final = "Zoltanquirk"
ATTRIBUTES: Final = ("owner", "status", "colour")
_FORMS: Final = ("amber", "basalt", "cedar", "delta", "fjord", "garnet", "indigo", "maple")
_THINGS: Final = ("router", "pump", "clinic", "bridge", "ledger", "kiln", "ferry", "mill")
_DAWN: Final = datetime(2021, 1, 1, tzinfo=UTC)
_ASKED: Final = 100
_LATE_SHARE: Final = 0.05


def claim(subject: str, attribute: str, value: str, day: int) -> Item:
    """One claim, with the words and the day that it was said in."""
    date = (_DAWN + timedelta(days=day)).isoformat()
    words = f"The {attribute} of {subject} is {value}."
    return {"subject": subject, "attribute": attribute, "value": value, "date": date, "words": words}


def made(size: int) -> dict[str, list[Item]]:
    """The claims in the order in which they are told, and for each act its items with what is right."""
    chance = random.Random(SEED)
    told: list[Item] = []
    while len(told) < size:
        number = len(told)
        subject = f"{chance.choice(_FORMS)} {chance.choice(_THINGS)} {number}"
        for attribute in ATTRIBUTES:
            days = sorted(chance.sample(range(1_500), chance.randint(1, 3)))
            values = [f"{attribute[0]}{chance.randrange(10**6)}" for _ in days]
            told += [claim(subject, attribute, *one) for one in zip(values, days, strict=True)]
    subjects = list(dict.fromkeys(one["subject"] for one in told))
    told += [claim(one, "neighbour", chance.choice(subjects), 0) for one in subjects[::5]]
    # Most are told in the order of their dates, and some come to light late.
    told.sort(key=lambda one: (chance.random() < _LATE_SHARE, one["date"]))
    told.append(claim(PERSON, "city", "Elmstreet", 1_501))
    slots: dict[tuple[str, str], list[Item]] = {}
    for one in told:
        slots.setdefault((one["subject"], one["attribute"]), []).append(one)
    newest = {slot: max(those, key=lambda one: str(one["date"])) for slot, those in slots.items()}
    asked = chance.sample([slot for slot in slots if slot[1] in ATTRIBUTES], _ASKED)
    late = [slot for slot, those in slots.items() if those[-1] is not newest[slot]]
    changed = [slot for slot, those in slots.items() if len(those) > 1 and slot not in late]
    past = chance.sample(changed, min(_ASKED, len(changed)))
    beside = chance.sample([slot for slot in slots if slot[1] == "neighbour"], min(50, len(subjects) // 5))
    return {
        "load": told,
        "current": [_question(slot, newest[slot]["value"]) for slot in asked],
        "late news": [_question(slot, newest[slot]["value"]) for slot in late[:50]],
        "past": [_then(slots[slot]) for slot in past],
        "recall": [
            _question(slot, newest[slot]["value"]) | {"words": f"What is the {slot[1]} of {slot[0]}?"}
            for slot in asked
        ],
        "two steps": [
            {"subject": slot[0], "through": "neighbour", "attribute": "owner"}
            | {"right": newest[newest[slot]["value"], "owner"]["value"]}
            for slot in beside
        ],
        "write": [claim(f"new thing {number}", "status", f"n{number}", 1_600) for number in range(50)],
        "withdraw": [
            _question(slot, slots[slot][-2]["value"]) | {"withdrawn": slots[slot][-1]["words"]}
            for slot in changed[:20]
        ],
        "weaker word": [
            claim(*slot, f"x{number}", 1_700) | {"right": newest[slot]["value"]}
            for number, slot in enumerate(asked[:20])
            if slot not in changed[:20]
        ],
        "erase": [{"subject": PERSON, "attribute": "city", "right": None}],
    }


def _question(slot: tuple[str, str], right: str) -> Item:
    return {"subject": slot[0], "attribute": slot[1], "right": right}


def _then(told: list[Item]) -> Item:
    """A slot, and an instant between its last change and the one before."""
    first, last = (datetime.fromisoformat(one["date"]) for one in told[-2:])
    return {
        **{name: told[-2][name] for name in ("subject", "attribute")},
        "date": (first + (last - first) / 2).isoformat(),
        "right": told[-2]["value"],
    }
