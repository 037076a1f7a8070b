"""The explorer in a real browser: its journeys by mouse and keyboard; nothing hostile becomes markup."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

import knowwhy
from knowwhy import Memory
from knowwhy.surfaces.http import Hosted, KeyRing, Limits, application
from knowwhy.surfaces.web import explorer

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
HOSTILE = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>\'"</svg>{{7*7}}'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    if found is None:
        pytest.fail(
            "The tests of the explorer need Chromium: run `make browser` (Debian's package chromium)."
        )
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=found, args=FLAGS.split())
        yield opened
        opened.close()


@contextmanager
def serving(memory: Memory, keys: KeyRing | None = None) -> Iterator[str]:
    app = application(Hosted({"main": memory}, keys, Limits(rate=1e6, burst=10**6)))
    app.router.routes.extend(explorer())
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=2))
    listening = server.config.bind_socket()
    listening.listen()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def shop(path: Path) -> Memory:
    memory = knowwhy.open(path)
    for source, kind, day, value in (
        ("policy 3", "official", "2024-12-01", "7 days"),
        ("policy 4", "official", "2025-01-12", "15 days"),
        ("chat 9", "user", "2025-03-02", "30 days"),
    ):
        memory.observe(
            f"Orders may be returned within {value}.",
            source=source,
            source_type=kind,
            observed_at=day,
            claims=[("order", "return window", value)],
        )
    memory.observe(
        "Not so.",
        source="clerk",
        source_type="user",
        observed_at="2025-02-02",
        claims=[{"subject": "order", "attribute": "return window", "value": "15 days", "stance": "refutes"}],
    )
    memory.derive("parcel", "label kept", "yes", premises=[("order", "return window", "15 days")])
    return memory


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(shop(tmp_path_factory.mktemp("explorer") / "shop.db")) as found:
        yield found


@contextmanager
def page_of(browser: Browser, **looks: Any) -> Iterator[Page]:  # noqa: ANN401 - whatever a context takes
    """A page whose errors fail the test."""
    context = browser.new_context(**({"locale": "en-US"} | looks))
    context.set_default_timeout(5000)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda failure: wrong.append(str(failure)))
    page.on(
        "console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None
    )
    yield page
    context.close()
    assert wrong == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with page_of(browser) as made:
        yield made


def asked(page: Page, address: str, question: str) -> None:
    page.goto(address)
    page.get_by_role("searchbox").fill(question)
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator("article.belief h1")).to_be_visible()


def test_a_question_is_answered_with_confidence_grounds_and_warnings(
    page: Page, address: str, tmp_path: Path
) -> None:
    asked(page, address, "how long may an order be returned?")
    page.locator("ol.list a", has_text="15 days").click()
    answer = page.locator("ol.list a[aria-current]")
    expect(answer).to_contain_text("15 days")
    expect(page.locator("article.belief h1")).to_contain_text("return window")
    expect(answer).to_contain_text("15 days")
    expect(answer).to_contain_text("30 days")
    expect(page.locator("article.belief meter").first).to_be_visible()
    expect(page.locator("article.belief table").first).to_contain_text("policy 4")
    # Support and refutation differ by sign and dashes, and weight is width.
    assert page.locator("path.edge.supports").count() >= 2
    assert page.locator("text.sign.refutes").first.text_content() == "−"
    dashes = "one => getComputedStyle(one).strokeDasharray"
    assert page.locator("figure.graph g path.edge.refutes").first.evaluate(dashes) != "none"
    page.screenshot(path=tmp_path / "ask.png", full_page=True)


def test_a_node_is_dragged_expanded_and_walked_to_by_keys(page: Page, address: str) -> None:
    asked(page, address, "parcel label kept")
    center = page.locator(".node.center")
    before = center.get_attribute("transform")
    box = center.locator("circle").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + 40, steps=4)
    page.mouse.up()
    assert center.get_attribute("transform") != before
    nodes = page.locator(".node").count()
    center.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")  # the premise takes in what it rests on
    expect(page.locator(".node.evidence").first).to_be_visible()
    assert page.locator(".node").count() > nodes


def test_the_past_is_asked_by_the_slider(page: Page, address: str) -> None:
    asked(page, address, "order return window")
    page.locator("ol.list a", has_text="15 days").click()
    expect(page.locator("article.belief h1")).to_contain_text("return window")
    assert page.locator(".track line").count() >= 3
    slider = page.get_by_role("slider", name="Known at")
    step = slider.evaluate("one => one.max")
    valid = page.get_by_role("slider", name="True at")
    days = page.evaluate("Math.round((Date.now() - Date.parse('2025-01-01')) / 864e5)")
    valid.evaluate(
        "(one, day) => { one.value = String(day); for (const kind of ['input', 'change'])"
        " one.dispatchEvent(new Event(kind, { bubbles: true })); }",
        int(step) - days,
    )
    expect(page.locator("ol.list")).to_contain_text("7 days")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("ol.list")).to_contain_text("15 days")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("main")).to_contain_text("Nothing is believed")


def test_a_conflict_is_decided_and_the_decision_undone(browser: Browser, tmp_path: Path) -> None:
    with serving(shop(tmp_path / "own.db")) as address, page_of(browser) as page:
        page.goto(f"{address}#/conflicts")
        card = page.locator("article.conflict")
        expect(card.locator(".side")).to_have_count(2)
        card.get_by_role("textbox").fill("the newest is right")
        card.locator(".side", has_text="30 days").last.get_by_role("button").click()
        expect(page.locator("main")).to_contain_text("No open conflicts.")
        page.get_by_role("link", name="Operations").click()
        page.locator("ol.list a").first.click()
        shown = page.locator("article.operation")
        expect(shown).to_contain_text("the newest is right")
        expect(shown.locator("table")).to_contain_text("30 days")
        shown.get_by_role("button", name="Undo").click()
        shown.get_by_role("button", name="Yes, undo it").click()
        expect(page.locator("main [role=status]").first).to_contain_text("Undone.")
        page.get_by_role("link", name="Conflicts").click()
        expect(page.locator("article.conflict")).to_have_count(1)


def test_nothing_from_memory_becomes_markup(browser: Browser, tmp_path: Path) -> None:
    memory = knowwhy.open(tmp_path / "hostile.db", author=HOSTILE)
    for value in (HOSTILE, f"other {HOSTILE}"):
        said = (HOSTILE, HOSTILE, value)
        memory.observe(
            HOSTILE,
            source=f"{value[:5]} {HOSTILE}",
            source_type="user",
            reason=HOSTILE,
            claims=[said],
            observed_at="2025-01-01",
        )
    memory.feedback(memory.conflicts()[0].sides[0].id, "right", by=HOSTILE)
    names = {name.lower() for name in ("IMG", "SCRIPT", "IFRAME", "OBJECT")}
    held = "all => [...document.querySelectorAll('#app *')].map(one => one.localName)"
    with serving(memory) as address, page_of(browser) as page:
        page.goto(address)
        for view in ("conflicts", "sources", "calibration", "log?op=2", "dream", "ask?q=img+onerror"):
            page.goto(f"{address}#/{view}")
            expect(page.locator("main:not([aria-busy]) > *").nth(1)).to_be_visible()
            if not view.startswith(("calibration", "dream")):
                expect(page.locator("main")).to_contain_text("<img src=x")
            assert not names & set(page.evaluate(held))
        page.locator(".node").first.click()
        assert page.evaluate("window.broken") is None


def test_a_key_is_asked_for_and_kept_for_the_tab_alone(browser: Browser, tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys.json")
    token, _ = ring.add()
    with serving(shop(tmp_path / "kept.db"), ring) as address, page_of(browser) as page:
        page.goto(address)
        page.locator("input[type=password]").fill(token)
        page.locator("input[type=password]").press("Enter")
        expect(page.get_by_role("searchbox")).to_be_visible()
        assert page.evaluate("sessionStorage.getItem('knowwhy.key')") == token
        assert token not in page.evaluate("JSON.stringify(localStorage) + document.cookie + location.href")


@pytest.mark.parametrize(
    ("looks", "word"),
    [
        ({"locale": "zh-CN", "color_scheme": "dark"}, "冲突"),
        ({"viewport": {"width": 360, "height": 700}}, "Conflicts"),
    ],
)
def test_it_speaks_chinese_turns_dark_and_fits_narrow_screens(
    browser: Browser, address: str, tmp_path: Path, looks: dict[str, Any], word: str
) -> None:
    with page_of(browser, **looks) as page:
        asked(page, address, "order return window")
        expect(page.get_by_role("navigation")).to_contain_text(word)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
        assert dark is ("color_scheme" in looks)
        unnamed = (
            "all => all.filter(one => !one.getAttribute('aria-label') && !one.textContent.trim()).length"
        )
        assert page.locator("button, input, select, svg.picture, .node").evaluate_all(unnamed) == 0
        page.screenshot(path=tmp_path / "looks.png", full_page=True)
