"""A memory in twelve lines: a rule changes, and the answer changes with it."""

import knowwhy

memory = knowwhy.open("shop.db")
memory.declare(
    "return window",
    value_type="number",
    unit="days",
    about="order",
    patterns=["returned within {value} days"],
)

for text, source, day in (
    ("Orders may be returned within 7 days.", "policy 3.2", "2024-12-01"),
    ("From now on, orders may be returned within 15 days.", "policy 4.0", "2025-01-10"),
):
    memory.observe(text, source=source, source_type="official", observed_at=day)

print(memory.ask("order", "return window"))
print(memory.at(valid="2024-12-24").ask("order", "return window"))
print(memory.recall("How long can I return an order?").to_prompt(max_tokens=200))
print(memory.why("order", "return window"))
