"""Beliefs going out: what a question finds, what of it may be read, and how it is shown."""
