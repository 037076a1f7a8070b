"""Names that look like others though they are written in other letters."""

from __future__ import annotations

import unicodedata
from typing import Final

from knowwhy.core.model.names import name_key

# Letters of other scripts, each pair with the Latin letter it looks like, small and capital apart.
_PAIRS: Final = (
    # Cyrillic
    *("аa", "еe", "оo", "рp", "сc", "уy", "хx", "іi", "јj", "ѕs", "һh", "ԁd", "ԛq", "ԝw", "ɡg", "ӏl", "ԍg"),
    *("АA", "ВB", "ЕE", "КK", "МM", "НH", "ОO", "РP", "СC", "ТT", "ХX", "УY", "ІI", "ЈJ", "ЅS", "ԌG", "ӀI"),
    *("вb", "кk", "мm", "нh", "тt", "ьb", "гr", "пn"),
    # Greek
    *("αa", "οo", "ρp", "νv", "ιi", "υu", "κk", "τt", "χx", "ηn", "γy", "ωw", "εe", "ϲc", "ϳj"),
    *("ΑA", "ΒB", "ΕE", "ΖZ", "ΗH", "ΙI", "ΚK", "ΜM", "ΝN", "ΟO", "ΡP", "ΤT", "ΥY", "ΧX", "ϹC"),
    # Armenian, and Latin letters that are not English ones
    *("օo", "ոn", "սu", "հh", "ցg", "զq", "ɑa", "ıi", "ℓl", "ƽs", "ʋu", "ᴏo", "ᴄc", "ᴠv", "ᴢz"),
)
_LATIN: Final = {ord(pair[0]): pair[1] for pair in _PAIRS}


def lookalike_key(name: str) -> str | None:
    """The key of the name in Latin letters that this one looks like; None where it is written in such."""
    levelled = unicodedata.normalize("NFKC", name)
    seen = levelled.translate(_LATIN)
    return None if seen == levelled else name_key(seen)
