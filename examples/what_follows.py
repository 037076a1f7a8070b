"""What follows, and what no longer does: a job changes, a rule comes and goes, facts exclude each other."""

import knowwhy

memory = knowwhy.open()


def hear(source: str, kind: str, day: str, text: str, *claims: tuple[str, str, str]) -> None:
    memory.observe(text, source=source, source_type=kind, observed_at=day, claims=claims)


print("1. A commute rests on the job. The job changes: in doubt, until somebody confirms it.\n")
memory.declare("commute", depends_on={"employer": 0.9})
job, tram = ("Ann", "employer", "Acme"), ("Ann", "commute", "tram")
hear("Ann", "user", "2025-01-10", "I work at Acme, and I take the tram.", job, tram)
print(memory.ask("Ann", "commute"))
hear("Ann", "user", "2025-04-01", "I have started at Globex.", ("Ann", "employer", "Globex"))
print(memory.ask("Ann", "commute"))
hear("Ann", "user", "2025-04-20", "Still by tram.", tram)
print(memory.ask("Ann", "commute"))

print("\n2. A rule: who has the pro plan is supported round the clock, unless a bill is unpaid.\n")
memory.declare_rule(
    "pro support",
    premises=[("?customer", "plan", "pro")],
    conclusion=("?customer", "support hours", "24/7"),
    exceptions=[("?customer", "in arrears", "yes")],
    strength=0.95,
)
hear("billing", "api", "2025-02-01", "Globex took the pro plan.", ("Globex", "plan", "pro"))
hear("billing", "api", "2025-03-01", "Globex owes us a month.", ("Globex", "in arrears", "yes"))
hear("billing", "api", "2025-03-20", "Globex has paid.", ("Globex", "in arrears", "no"))
for day in ("2025-02-15", "2025-03-10", "2025-04-01"):
    print(f"{day}  {memory.at(valid=day).ask('Globex', 'support hours')}")
print(memory.why("Globex", "support hours"))

print("\n3. Two facts that exclude each other, and whose word counts for more.\n")
memory.declare_denial("booked is not free", [("?room", "status", "booked"), ("?room", "free", "yes")])
hear("calendar", "api", "2025-05-10", "Room 5 is booked.", ("room 5", "status", "booked"))
hear("Bob", "user", "2025-05-12", "Room 5 is free, I think.", ("room 5", "free", "yes"))
print(memory.ask("room 5"))
print(memory.why("room 5", "free"))
print(memory.end("room 5", "status", "booked", at="2025-05-20", reason="the meeting is over"))
print(memory.ask("room 5", "free"))

print("\n4. A rule can be withdrawn, and what followed from it falls.\n")
print(memory.withdraw_rule("pro support"))
print(memory.ask("Globex", "support hours"))
