"""The explorer in a real browser: its journeys, in two languages, and nothing from a memory as markup."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect, sync_playwright

import knowwhy
from knowwhy.surfaces.http import KeyRing
from knowwhy.surfaces.web.pages import STATIC
from tests.architecture.reading import ROOT
from tests.surfaces.http.conftest import Service, serving

HOSTILE = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
BROWSER = os.environ.get("KNOWWHY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    memory = knowwhy.open(tmp_path_factory.mktemp("explorer") / "main.db")
    memory.declare("return window", unit="days")
    for text, source, kind, at, days in (
        ("Orders may be returned within 7 days.", "policy 3", "official", "2024-12-01", 7),
        ("From 12 January: 15 days.", "policy 4", "official", "2025-01-12", 15),
        ("It is 30 days, says my neighbour.", "chat 9", "user", "2025-03-02", 30),
    ):
        claim = ("order", "return window", days)
        memory.observe(text, source=source, source_type=kind, observed_at=at, claims=[claim])
    for source, colour in (("Ann", "red"), ("Bo", "blue")):
        memory.observe(
            f"The anvil is {colour}.",
            source=source,
            source_type="user",
            observed_at="2025-02-01",
            claims=[("anvil", "colour", colour)],
        )
    memory.observe(HOSTILE, source=HOSTILE, observed_at="2025-02-02", claims=[("trap", HOSTILE, HOSTILE)])
    with serving({"main": memory}, web=True) as found:
        yield found


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    if BROWSER is None:
        pytest.fail("The explorer is tried in a real browser: run `make browser`, which installs Chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        found = browser.new_page(viewport={"width": 1_100, "height": 800}, locale="en-GB")
        found.set_default_timeout(10_000)
        yield found
        browser.close()


@pytest.fixture
def problems(page: Page) -> Iterator[list[str]]:
    """What the page complained of, which must be nothing."""
    found: list[str] = []

    def noted(message: Any) -> None:  # noqa: ANN401 - of either kind
        found.append(str(getattr(message, "text", message)))

    def said(message: Any) -> None:  # noqa: ANN401 - a message of the console
        if message.type == "error":
            noted(message)

    page.on("pageerror", noted)
    page.on("console", said)
    yield found
    page.remove_listener("pageerror", noted)
    page.remove_listener("console", said)
    assert found == []


def opened(page: Page, service: Service, place: str = "") -> None:
    page.goto("about:blank")
    page.goto(f"{service.url}/#/{place}")
    expect(page.locator("main:not([aria-busy])")).to_be_attached()


@pytest.mark.usefixtures("problems")
def test_a_question_is_answered_with_its_grounds(page: Page, service: Service, tmp_path: Path) -> None:
    opened(page, service)
    page.get_by_role("searchbox").fill("how long may an order be returned?")
    page.get_by_role("button", name="Search").click()
    first = page.locator("article.belief").first
    expect(first).to_contain_text("15 days")
    expect(first).to_contain_text("policy 4")
    expect(first.locator(".warning")).to_contain_text("30 days")
    expect(page.get_by_role("status")).to_contain_text("may act on it")
    page.screenshot(path=tmp_path / "ask.png")
    first.get_by_role("link", name="Why").click()
    expect(page.get_by_role("img", name="Confidence over time")).to_be_visible()
    expect(page.locator("main")).to_contain_text("a newer word than “7 days”")
    page.screenshot(path=tmp_path / "slot.png", full_page=True)


@pytest.mark.usefixtures("problems")
def test_it_can_be_asked_of_another_time(page: Page, service: Service) -> None:
    opened(page, service, "slot/order/return window")
    expect(page.locator("article.belief").first).to_contain_text("15 days")
    page.get_by_label("true on").first.fill("2024-12-24")
    expect(page.locator("article.belief").first).to_contain_text("7 days")
    page.get_by_role("slider").press("End")
    expect(page.locator("article.belief").first).to_contain_text("15 days")


@pytest.mark.usefixtures("problems")
def test_the_graph_grows_by_a_click_and_nodes_are_dragged(
    page: Page, service: Service, tmp_path: Path
) -> None:
    opened(page, service, "graph/order")
    dots = page.locator("g.dot")
    expect(dots).to_have_count(1 + 3 + 1)  # (others come without grounds until they are opened)
    rival = page.locator("g.dot.belief", has_text="30")
    before = dots.count()
    rival.focus()
    page.keyboard.press("Enter")
    expect(dots).not_to_have_count(before)
    expect(page.locator("line.tie.supports").first).to_be_attached()
    centre = page.locator("g.dot.entity").first
    page.wait_for_timeout(900)
    box = centre.locator("circle").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 180, box["y"] + 90, steps=4)
    page.mouse.up()
    page.wait_for_timeout(300)
    moved = centre.locator("circle").bounding_box()
    assert moved is not None
    assert abs(moved["x"] - box["x"]) > 60
    page.screenshot(path=tmp_path / "graph.png")


@pytest.mark.usefixtures("problems")
def test_a_conflict_is_decided_and_the_log_undoes_it(page: Page, service: Service, tmp_path: Path) -> None:
    opened(page, service, "conflicts")
    conflict = page.locator("article.conflict", has_text="colour")
    expect(conflict.locator(".side")).to_have_count(2)
    page.screenshot(path=tmp_path / "conflicts.png")
    conflict.locator(".side", has_text="blue").get_by_role("button").click()
    expect(page.locator("article.conflict", has_text="colour")).to_have_count(0)
    with service.client() as memory:
        assert memory.ask("anvil", "colour").beliefs[0].value == "blue"
    opened(page, service, "log")
    entry = page.locator("article.entry").first
    entry.get_by_role("button", name="What it changed").click()
    expect(entry.locator("table")).to_contain_text("anvil / colour")
    page.once("dialog", lambda dialog: dialog.accept())
    entry.get_by_role("button", name="Undo").click()
    expect(page.locator("article.entry").first).to_contain_text("undo")
    with service.client() as memory:
        assert len(memory.conflicts("anvil")) == 1


@pytest.mark.parametrize(
    "place", ["ask/trap", "graph/trap", "sources", "log", "conflicts", "calibration", "dream"]
)
@pytest.mark.usefixtures("problems")
def test_nothing_from_a_memory_becomes_markup(page: Page, service: Service, place: str) -> None:
    opened(page, service, place)
    expect(page.locator("main > *").first).to_be_attached()
    assert page.locator("main img, main script, main iframe").count() == 0
    assert "taken" not in page.title()


@pytest.mark.usefixtures("problems")
def test_it_speaks_chinese_and_fits_a_narrow_screen(page: Page, service: Service, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 380, "height": 740})
    opened(page, service, "conflicts")
    page.get_by_role("button", name="中文").click()
    expect(page.locator("nav")).to_contain_text("冲突")
    opened(page, service, "slot/order/return window")
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.screenshot(path=tmp_path / "narrow.png", full_page=True)
    page.get_by_role("button", name="English").click()
    page.set_viewport_size({"width": 1_100, "height": 800})
    page.emulate_media(color_scheme="light")
    assert wide <= 380


def test_a_key_is_asked_for_and_kept_for_the_session_alone(page: Page, tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys.json")
    token, _ = ring.add(agent="ann")
    memory = knowwhy.open(tmp_path / "main.db")
    memory.observe(source="a", claims=[("anvil", "price", 7)])
    with serving({"main": memory}, ring, web=True) as service:
        opened(page, service, "ask/price of the anvil")
        page.get_by_label("This service asks for a key.").fill(token)
        page.get_by_role("button", name="Enter").click()
        expect(page.locator("article.belief")).to_contain_text("7")
        assert page.evaluate("Object.values(localStorage).join()").count(token) == 0


def test_only_its_own_script_and_style_run_on_it(service: Service) -> None:
    for path in ("/", "/explorer.js", "/explorer.css"):
        response = httpx.get(f"{service.url}{path}")
        assert response.status_code == 200
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    for path in ("/../pages.py", "/%2e%2e/pages.py", "/none"):
        assert httpx.get(f"{service.url}{path}").status_code == 404
    assert httpx.get(f"{service.url}/health").json() == {"status": "ok"}


def test_the_bundle_was_built_from_these_sources() -> None:
    sources = ROOT / "web"
    files = [
        *sorted((sources / "src").iterdir()),
        *(sources / name for name in ("index.html", "package-lock.json")),
    ]
    digest = hashlib.sha256(b"".join(one.read_bytes() for one in files)).hexdigest()
    assert (STATIC / "built-from").read_text("ascii").strip() == digest, "run `make web`, and commit static/"
    assert re.search(r"https?://(?!www\.w3\.org/)", (STATIC / "explorer.js").read_text("utf-8")) is None
