"""Belief bases: sentences with ranks, what follows from them, and the operators that change them."""
