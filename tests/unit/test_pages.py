"""Pages of HTML and PDF: their words, whole or not at all."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import knowwhy
from knowwhy import InvalidInput
from knowwhy.providers.pages import MOST_CHARACTERS, html_text, pdf_text

PAGE = """<!doctype html><html><head><meta charset="{charset}"><title>Terms</title><style>p {{}}</style>
</head><body><nav><a href="/">Home</a></nav><h1>Returns</h1>
<p>The <b>return window</b> of <a href="javascript:x()">Harbour Books</a> is 15 days.</p>
<p hidden>The return window of Harbour Books is 99 days.</p>
<p style="display: none">The return window of Harbour Books is 98 days.</p><!-- 97 days -->
<table><tr><th>Shop</th><th>Return window</th></tr><tr><td>Café &amp; Söhne</td><td>7 days</td></tr></table>
<script>document.write("96 days")</script></body></html>"""


def pdf(pages: list[str], *, picture: bool = False, packed: bytes = b"") -> bytes:
    """A small PDF with a line of text on each page; where one has none, a picture may be there instead."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    objects.append(
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 "
        "/Length 1 >>\nstream\nx\nendstream"
    )
    kids = []
    for text in pages:
        kids.append(len(objects) + 1)
        shows = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ("/I1 Do" if picture else "")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R >> "
            + ("" if text or not picture else "/XObject << /I1 4 0 R >> ")
            + ">> >>"
        )
        objects.append(f"<< /Length {len(shows)} >>\nstream\n{shows}\nendstream")
    if packed:
        stream = packed.decode("latin-1")
        objects[-1] = f"<< /Filter /FlateDecode /Length {len(packed)} >>\nstream\n{stream}\nendstream"
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(f'{one} 0 R' for one in kids)}] /Count {len(kids)} >>"
    out = io.BytesIO(b"")
    out.write(b"%PDF-1.4\n")
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{one}\nendobj\n".encode("latin-1"))
    start = out.tell()
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode())
    out.write("".join(f"{place:010d} 00000 n \n" for place in places).encode())
    out.write(f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1"])
def test_what_is_seen_on_a_page_is_its_words(charset: str) -> None:
    words = html_text(PAGE.format(charset=charset).encode(charset))
    assert "# Returns" in words
    assert "Harbour Books is 15 days." in words.replace("**", "")
    assert "| Café & Söhne | 7 days |" in words
    assert not any(one in words for one in ("99", "98", "97", "96", "javascript", "document"))


def test_a_pdf_is_its_pages_in_order() -> None:
    assert pdf_text(pdf(["First page.", "", "Last page."])) == "First page.\n\n\n\nLast page."


BROKEN: dict[str, tuple[Callable[[bytes], str], bytes, str]] = {
    "tag": (html_text, b"<p>The return window is 15 days.<p class=", "breaks off inside a tag"),
    "comment": (html_text, b"<p>15 days</p><!-- and <p>7 days</p>", "breaks off"),
    "script": (html_text, b"<script>x</script><p>15 days</p><script>y <p>7</p>", "breaks off"),
    "encoding": (html_text, PAGE.format(charset="utf-8").encode("latin-1"), "not text in utf-8"),
    "unknown encoding": (html_text, PAGE.format(charset="klingon").encode(), "not text in klingon"),
    "deep": (html_text, b"<div>" * 20_000 + b"x", "nested too deep"),
    "long": (html_text, b"<p>" + b"word " * (MOST_CHARACTERS // 5 + 1), "more than"),
    "no pdf": (pdf_text, b"<html>", "damaged, or no PDF"),
    "empty": (pdf_text, b"", "damaged"),
    "cut off": (pdf_text, pdf(["First page.", "Second page."])[:-200], "damaged"),
    "picture": (pdf_text, pdf(["First page.", ""], picture=True), "page 2 is a picture"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_whole_is_refused(name: str) -> None:
    read, written, says = BROKEN[name]
    with pytest.raises(InvalidInput, match=says):
        read(written)


def test_a_bomb_is_refused() -> None:
    assert pdf_text(pdf(["x"], packed=zlib.compress(b"BT /F1 12 Tf (small) Tj ET"))) == "small"
    bomb = zlib.compress(b"BT /F1 12 Tf (" + b"a" * 80_000_000 + b") Tj ET", 9)
    with pytest.raises(InvalidInput, match="Limit"):
        pdf_text(pdf(["x"], packed=bomb))


def test_a_folder_is_read_in_all_its_formats(tmp_path: Path) -> None:
    memory = knowwhy.open()
    memory.declare("return window", unit="days")
    (tmp_path / "a.html").write_bytes(PAGE.format(charset="utf-8").encode())
    (tmp_path / "b.pdf").write_bytes(pdf(["The return window of Pier Store is 9 days."]))
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4 nothing")
    first = memory.sync(tmp_path)
    assert [one.uri.rpartition("/")[2] for one in first.impacts] == ["a.html", "b.pdf"]
    assert [one.partition(":")[0] for one in first.failed] == ["c.pdf"]
    assert str(memory.ask("Harbour Books", "return window").value) == "15 days"
    assert str(memory.ask("Pier Store", "return window").value) == "9 days"
    again = memory.sync(tmp_path)
    assert (again.unchanged, len(again.impacts)) == (2, 0)
