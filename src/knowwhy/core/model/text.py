"""Text of others, made fit to be shown in one line."""

from __future__ import annotations


def one_line(text: str, longest: int = 400) -> str:
    """`text` in one line: line ends as spaces, control and bidi characters spelt out, cut where too long.

    So stored text can neither imitate a line of our own nor steer a terminal.
    """
    flat = " ".join(text.split())
    if not flat.isprintable():
        flat = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in flat)
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
