"""A cache of answers by what was asked: in memory, and in a folder where one is given."""

from __future__ import annotations

import os
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final

_KEPT: Final = 2_000


class AnswerCache:
    """Answers by the fingerprint of what was asked; safe to use from several threads and processes."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """In memory alone, unless a `folder` is given, which is made where it is not there."""
        self._folder = None if folder is None else Path(folder)
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def get(self, fingerprint: str) -> str | None:
        """The answer that was kept, if there is one."""
        with self._lock:
            if fingerprint in self._kept:
                self._kept.move_to_end(fingerprint)
                return self._kept[fingerprint]
        place = self._place(fingerprint)
        if place is None:
            return None
        try:
            answer = place.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        self._remember(fingerprint, answer)
        return answer

    def put(self, fingerprint: str, answer: str) -> None:
        """Keep an answer; a file of it is there whole or not at all."""
        self._remember(fingerprint, answer)
        place = self._place(fingerprint)
        if place is None:
            return
        place.parent.mkdir(exist_ok=True)
        handle, written = tempfile.mkstemp(dir=place.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(answer)
        Path(written).replace(place)

    def _remember(self, fingerprint: str, answer: str) -> None:
        with self._lock:
            self._kept[fingerprint] = answer
            self._kept.move_to_end(fingerprint)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _place(self, fingerprint: str) -> Path | None:
        return None if self._folder is None else self._folder / fingerprint[:2] / f"{fingerprint}.json"
