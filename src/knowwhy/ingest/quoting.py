"""Quotes: where in the evidence a claim was read."""

from __future__ import annotations

import unicodedata

from knowwhy.errors import NotInSource


def matched_quote(quote: str, text: str) -> tuple[str, str]:
    """The passage of `text` that `quote` names, and how it matched: "exact" or "normalised".

    Raises:
        NotInSource: the words are not in the text, even with case, width and spacing levelled.
    """
    if quote and quote in text:
        return quote, "exact"
    levelled = _levelled(quote)
    if levelled and levelled in _levelled(text):
        return quote, "normalised"
    msg = f"The quote {quote!r} is not in the evidence: a claim must rest on words it contains."
    raise NotInSource(msg, quote=quote)


def _levelled(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
