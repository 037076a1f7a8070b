"""Paging: a long list in parts, each with the cursor of the next."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from pydantic import BaseModel, Field

from knowwhy.errors import InvalidInput

MOST: Final = 1_000
_BEFORE: Final = "from "


class Page(BaseModel):
    """Which part of a list: from a cursor on, so many at the most."""

    cursor: str | None = None
    page_size: int | None = Field(None, ge=1, le=MOST)


def paged(result: Any, page: Page, usual: int) -> tuple[Any, str | None]:  # noqa: ANN401 - whatever a verb gives
    """The part of a list that a page asks for, and the cursor of what follows; what is no list goes whole.

    Raises:
        InvalidInput: a cursor that none of these answers gave.
    """
    if not isinstance(result, Sequence) or isinstance(result, str):
        return result, None
    start = 0 if page.cursor is None else _place(page.cursor)
    end = start + (page.page_size or usual)
    return result[start:end], (_cursor(end) if end < len(result) else None)


def _cursor(place: int) -> str:
    return base64.urlsafe_b64encode(f"{_BEFORE}{place}".encode()).decode().rstrip("=")


def _place(cursor: str) -> int:
    try:
        written = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        return int(written.removeprefix(_BEFORE)) if written.startswith(_BEFORE) else _refuse()
    except (ValueError, binascii.Error):
        return _refuse()


def _refuse() -> NoReturn:
    msg = "The cursor is none that an answer gave as `next`; leave it out to begin."
    raise InvalidInput(msg)
