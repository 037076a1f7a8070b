"""A memory in twelve lines: a rule changes, a neighbour disagrees, and the memory says why it believes."""

import knowwhy

memory = knowwhy.open("support.db")
memory.declare("return window", unit="days", patterns=["returned within {value} days"], about="order")

memory.observe(
    "Orders may be returned within 7 days.",
    source="policy-3.2",
    source_type="official",
    observed_at="2024-12-01",
)
memory.observe(
    "Orders may be returned within 15 days.",
    source="policy-4.0",
    source_type="official",
    observed_at="2025-01-12",
)
memory.observe(
    "My neighbour says it is 30 days now.",
    source="chat-981",
    source_type="user",
    observed_at="2025-03-02",
    claims=[("order", "return window", 30)],
)

print(memory.recall("how long may an order be returned?"))
print(memory.at(valid="2025-01-05").ask("order", "return window"))
print(memory.why("order", "return window"))
print(memory.recall("how long may an order be returned?").to_prompt(max_tokens=200))
