"""Pages of HTML and PDF as text, whole or not at all; with the extra `knowwhy[documents]`."""

from __future__ import annotations

import importlib.util
import io
import re
from typing import TYPE_CHECKING, Final

from knowwhy.errors import InvalidInput, Unsupported

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from pypdf import PdfReader

MOST_PAGES: Final = 2_000
MOST_CHARACTERS: Final = 2_000_000

# What nobody reads on a page.
_UNREAD: Final = ("script", "style", "noscript", "template", "head", "svg", "iframe", "object", "form")
_UNSEEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LAST_TAG: Final = re.compile(r"<[a-zA-Z/!][^>]*\Z")
_BLANK_LINES: Final = re.compile(r"\n{3,}")


def html_text(written: bytes) -> str:
    """The words of a page of HTML as Markdown: headings, lists and tables stay, what is not seen goes.

    Raises:
        Unsupported: the extra `documents` is not installed.
        InvalidInput: it breaks off, is not in the encoding it names, is nested too deep, or too long.
    """
    _check_installed("bs4", "markdownify")
    import markdownify

    text = _decoded(written)
    _check_whole(text)
    try:
        soup = _seen(text)
        # What the page holds is text, not markup: a link is its words.
        words: str = markdownify.MarkdownConverter(
            heading_style="ATX",
            bullets="-",
            strip=["a", "b", "em", "i", "img", "strong", "u"],
            escape_asterisks=False,
            escape_underscores=False,
            escape_misc=False,
        ).convert_soup(soup)
    except RecursionError:
        raise InvalidInput("it is nested too deep to be a page for people") from None
    lines = (line.rstrip() for line in words.splitlines())
    return _bounded(_BLANK_LINES.sub("\n\n", "\n".join(lines)).strip())


def pdf_text(written: bytes) -> str:
    """The words of a PDF, page by page.

    Raises:
        Unsupported: the extra `documents` is not installed.
        InvalidInput: it is no PDF, damaged, encrypted, too long, or a page of it is a picture.
    """
    _check_installed("pypdf")
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        return _bounded("\n\n".join(_pages(PdfReader(io.BytesIO(written), strict=True))).strip())
    except InvalidInput:
        raise
    except RecursionError:
        raise InvalidInput("it is damaged: it refers to itself") from None
    except PyPdfError as problem:
        raise InvalidInput(f"it is damaged, or no PDF: {problem}") from problem
    # A parser of hostile bytes fails in any way; the page is refused whole, and the others are read.
    except Exception as problem:
        raise InvalidInput(f"it is damaged: {type(problem).__name__}: {problem}") from problem


def _pages(reader: PdfReader) -> list[str]:
    if reader.is_encrypted:
        raise InvalidInput("it is encrypted")
    if len(reader.pages) > MOST_PAGES:
        raise InvalidInput(f"it has more than {MOST_PAGES:,} pages")
    found, length = [], 0
    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text().strip()
        if not text and len(page.images) > 0:
            raise InvalidInput(f"page {number} is a picture, whose words would be missing")
        found.append(text)
        length += len(text)
        if length > MOST_CHARACTERS:
            _bounded("\n\n".join(found))
    return found


def _decoded(written: bytes) -> str:
    from bs4.dammit import EncodingDetector

    named = "utf-8-sig" if written.startswith(b"\xef\xbb\xbf") else None
    named = named or EncodingDetector.find_declared_encoding(written, is_html=True) or "utf-8"
    try:
        return written.decode(named)
    except (UnicodeDecodeError, LookupError):
        raise InvalidInput(f"it is not text in {named}") from None


def _check_whole(text: str) -> None:
    """Refuse what breaks off: a parser would take the rest for part of a tag, and leave it out."""
    lowered = text.casefold()
    for begins, ends in (("<!--", "-->"), ("<script", "</script"), ("<style", "</style")):
        if lowered.rfind(begins) > lowered.rfind(ends):
            raise InvalidInput(f"it breaks off: {begins} has no end")
    if _LAST_TAG.search(text):
        raise InvalidInput("it breaks off inside a tag")


def _seen(text: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup
    from bs4.element import Comment

    soup = BeautifulSoup(text, "html.parser")
    for one in soup.find_all(_UNREAD):
        one.decompose()
    for one in soup.find_all(_is_unseen):
        if not one.decomposed:
            one.decompose()
    for comment in soup.find_all(string=lambda each: isinstance(each, Comment)):
        comment.extract()
    return soup


def _is_unseen(tag: Tag) -> bool:
    return tag.has_attr("hidden") or _UNSEEN.search(str(tag.get("style", ""))) is not None


def _bounded(text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        raise InvalidInput(f"it has more than {MOST_CHARACTERS:,} characters")
    return text


def _check_installed(*modules: str) -> None:
    if any(importlib.util.find_spec(one) is None for one in modules):
        raise Unsupported("reading HTML and PDF takes: pip install 'knowwhy[documents]'")
