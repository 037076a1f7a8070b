"""A tour: seven years of edits to public support pages, and a memory that follows them.

Needs nothing but the files beside it. It leaves `support_windows.db` in the current folder, to go on asking.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from textwrap import fill

from rich.console import Console
from rich.progress import track
from rich.text import Text

import knowwhy

HERE = Path(__file__).parent
DB = Path("support_windows.db")
ENDS = "security support ends"

console = Console(highlight=False, width=None if Console().is_terminal else 100)


class Replay:
    """A clock that shows the day being replayed, so that the log tells when each thing became known."""

    def __init__(self, day: str) -> None:
        self.day = day

    def __call__(self) -> knowwhy.Instant:
        """The first moment of that day."""
        return knowwhy.instant(self.day)


def heading(title: str, code: str = "") -> None:
    console.print()
    console.print(Text(title, style="bold"))
    if code:
        tell(code, style="cyan")


def tell(words: object, style: str = "") -> None:
    for line in str(words).splitlines():
        wrapped = fill(line, console.width, initial_indent="   ", subsequent_indent="       ")
        console.print(Text(wrapped, style=style))


def statements() -> Iterator[knowwhy.Observation]:
    for name in ("claims.jsonl", "second_hand.jsonl"):
        for line in (HERE / name).read_text("utf-8").splitlines():
            said = json.loads(line)
            claim = {field: said.pop(field) for field in ("subject", "attribute", "value", "quote")}
            yield knowwhy.Observation(claims=[claim], **said)


def declare(memory: knowwhy.Memory) -> None:
    # A release date cannot change: a later word on it corrects the earlier one. The ends of support do move.
    memory.declare("released on", value_type="date", changes=False, synonyms=["release date"])
    memory.declare(ENDS, value_type="date", synonyms=["security updates", "end of life"])
    memory.declare("active support ends", value_type="date")
    memory.declare("extended support ends", value_type="date", synonyms=["paid support"])


def load() -> None:
    heard = sorted(statements(), key=attrgetter("observed_at"))
    days = [(day, list(those)) for day, those in groupby(heard, key=attrgetter("observed_at"))]
    clock = Replay(days[0][0])
    tell(f"{len(heard)} statements: what ten public pages said since 2019, and six rumours that we made up.")
    is_new = False
    with knowwhy.open(DB, clock=clock) as memory:
        declare(memory)
        is_unseen = not console.is_terminal
        for day, those in track(days, "   reading", console=console, transient=True, disable=is_unseen):
            clock.day = day
            is_new |= not memory.observe_many(those).is_repeat
        counts = memory.stats()
    if is_new:
        tell(
            f"Read day by day, as it was said: {counts['beliefs']} values for things that have one at a time."
        )
    else:
        tell("All of it was known from an earlier run, so nothing was written.")


def now_and_then(memory: knowwhy.Memory) -> None:
    heading("1. Until when does Ubuntu 20.04 get security updates?", f'ask("Ubuntu 20.04", "{ENDS}")')
    tell(memory.ask("Ubuntu 20.04", ENDS))
    tell(
        "(Confidence is computed from who said what and when. “accepted”: this is what the memory says.)",
        "dim",
    )

    heading("2. And what held in June 2022?", 'at(valid="2022-06-01").ask(…)')
    tell(memory.at(valid="2022-06-01").ask("Ubuntu 20.04", ENDS))

    heading("3. What did we know then, and what do we know now?", 'ask("Ubuntu 16.04", "released on")')
    tell(f"as known today:              {memory.ask('Ubuntu 16.04', 'released on').value}")
    then = memory.at(known="2020-01-01").ask("Ubuntu 16.04", "released on")
    tell(f"as known on 1 January 2020:  {then.value}")
    tell(
        "(The page was wrong until October 2020. A release date cannot move, so this was a correction.)",
        "dim",
    )


def why_and_against(memory: knowwhy.Memory) -> None:
    explanation = memory.why("Ubuntu 20.04", ENDS)
    heading("4. Why that day?", f'why("Ubuntu 20.04", "{ENDS}")')
    tell(f"{explanation.belief.value} is {explanation.status}: {explanation.because}.")
    rows = [("for", explanation.grounds), *(("against", grounds) for _, grounds in explanation.rivals)]
    for side, grounds in rows:
        for ground in grounds:
            said = ground.testimony
            if ground.is_counted:
                day = knowwhy.isoformat(said.observed_at)
                who = f"{said.source.type}, {said.source.name}, {day}"
                tell(f"{side:8} weight {ground.mass:5.2f}  {who}: “{said.claim.quote}”")
    tell(f"Would change it: {explanation.would_change_it[0]}.")

    heading("5. Who disagrees?", "conflicts()")
    for conflict in memory.conflicts():
        sides = " or ".join(f"{side.value} ({side.confidence:.2f})" for side in conflict.sides)
        first = conflict.sides[0]
        tell(f"{conflict.kind:10}  {first.subject.name}, {first.attribute.name}: {sides}")
    tell("(challenged: the newer word, but of a weaker source. contested: nothing decides.)", "dim")


def past_and_words(memory: knowwhy.Memory) -> None:
    heading("6. How did the mind change?", f'history("Ubuntu 20.04", "{ENDS}")')
    history = memory.history("Ubuntu 20.04", ENDS)
    for period in history.periods:
        values = " or ".join(str(belief.value) for belief in period.beliefs)
        tell(f"{knowwhy.isoformat(period.start)} – {knowwhy.isoformat(period.end) or 'today':10}  {values}")
    last = history.turns[-1]
    day = knowwhy.isoformat(last.at)
    tell(f"Last, on {day}, {last.belief.value} became a {last.belief.status}: {last.because}.")

    question = "Until when does Ubuntu 24.04 get security updates?"
    heading("7. Asked in plain words", f'recall("{question}")')
    tell(memory.recall(question, limit=2))

    heading("8. Somebody says 2030. Can I rely on it?", f'trust("Ubuntu 20.04", "{ENDS}", "2030-04-01")')
    trust = memory.trust("Ubuntu 20.04", ENDS, "2030-04-01")
    tell(f"Confidence {trust.confidence:.2f}, where 1 is certain and 0 is out of the question.")


def main() -> None:
    console.print(Text("When does support end? A memory that changes its mind, and knows why.", style="bold"))
    load()
    with knowwhy.open(DB) as memory:
        now_and_then(memory)
        why_and_against(memory)
        past_and_words(memory)
    console.print()
    tell(f"The memory is in {DB}. Go on asking it:")
    for command in (
        'ask "Ubuntu 22.04" --at 2022-06-01',
        f'why "PHP 8.2" "{ENDS}"',
        'recall "When does Kubernetes 1.31 reach end of life?"',
    ):
        tell(f".venv/bin/knowwhy --db {DB} {command}", "cyan")
    tell("To see it all in a browser (graph, times, conflicts, log), then open the address that it prints:")
    tell(".venv/bin/pip install -e '.[http]'", "cyan")
    tell(f".venv/bin/knowwhy --db {DB} serve", "cyan")


if __name__ == "__main__":
    main()
