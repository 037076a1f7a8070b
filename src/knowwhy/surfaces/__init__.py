"""The doors: each translates the words of its world into the verbs of a memory, and decides nothing."""
