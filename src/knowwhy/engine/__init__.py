"""The verbs: what a user of a memory can do, one file each. `Memory` only delegates to them."""
