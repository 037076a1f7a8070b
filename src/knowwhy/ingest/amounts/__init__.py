"""Amounts: numbers as people write them, with their units, in English and Chinese."""
