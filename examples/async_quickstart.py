"""The same verbs, awaited: several agents write to one memory at once, and one of them reads."""

import asyncio

import knowwhy

HEARD = (
    ("a customer", "user", "7", "2024-11-20"),
    ("policy 4.0", "official", "15", "2025-01-10"),
    ("a forum post", "rumour", "30", "2025-02-01"),
)


async def main() -> None:
    async with knowwhy.AsyncMemory(knowwhy.open(":memory:")) as memory:
        await memory.declare("return window", value_type="number", unit="days")
        await asyncio.gather(
            *(
                memory.observe(
                    source=source,
                    source_type=kind,
                    claims=[("order", "return window", value)],
                    observed_at=day,
                )
                for source, kind, value, day in HEARD
            )
        )
        print(await memory.ask("order", "return window"))
        print(await memory.at(valid="2024-12-24").ask("order", "return window"))
        for conflict in await memory.conflicts():
            print(conflict)


asyncio.run(main())
