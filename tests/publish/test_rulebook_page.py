"""The rulebook as a page: its weight, its colours, and what a reader with a phone, a keyboard or a printer does."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import pdf_pages
import sample_book
from browsers import against_the_rules
from rulewright.game import library
from rulewright.i18n import languages
from rulewright.publish.rulebook import html, page_frame
from rulewright.publish.rulebook.model import Example, Rulebook
from screenshots import CHROMIUM, SCHEMES
from shipped_books import book

LARGEST = 400_000  # bytes
LEAST = 4.5  # contrast of words, by WCAG AA
SIZES = {360: 740, 768: 1024, 1200: 800, 1440: 900}
SMALLEST, TARGET = 16, 44  # px

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


# ── without a browser ──


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, code, marks=pytest.mark.long if name.startswith("classics/") and code != "en" else ())
        for name in library.available()
        for code in languages.languages()
    ],
)
def test_no_shipped_book_is_heavy(name: str, language: str) -> None:
    assert len(html.page(book(name, language)).encode()) < LARGEST


def test_only_the_script_of_the_page_may_run() -> None:
    [script] = re.findall(r"(?s)<script>(.*?)</script>", html.page(sample_book.book()))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page_frame.policy()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|fetch\(|https?:", script)


def test_links_to_examples_are_stable() -> None:
    """Links are made of names, not of numbers, which another example would shift, and are the same in all languages."""
    for language in ("en", "de"):
        blocks = [block for chapter in book("wild-cards/2022", language).chapters for block in chapter.blocks]
        anchors = [block.anchor for block in blocks if isinstance(block, Example)]
        assert "example-a-table-for-three" in anchors and len(anchors) == len(set(anchors))


@cache
def colours(scheme: str) -> dict[str, dict[str, str]]:
    """The colours of each hue, with those that all have in common."""
    folder = Path(page_frame.__file__).parent
    sheet = (folder / "rulebook.css").read_text("utf-8").partition("@media print")[0]
    sheet += (folder / "rulebook.dark.css").read_text("utf-8") if scheme == "dark" else ""
    rules: dict[str, dict[str, str]] = {}
    for names, inside in re.findall(r"(?m)^(:root|\.hue-\d) \{([^}]*)\}", sheet):
        rules.setdefault(names, {}).update(re.findall(r"--([\w-]+): (#\w+)", inside))
    return {name: {**rules[":root"], **rule} for name, rule in rules.items() if name != ":root"}


def rgb(colour: str) -> list[float]:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]


def mixed(colour: str, share: float, other: str) -> list[float]:
    return [share * one + (1 - share) * two for one, two in zip(rgb(colour), rgb(other), strict=True)]


def contrast(one: list[float], other: list[float]) -> float:
    def light(colour: list[float]) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_words_stand_out(scheme: str) -> None:
    assert len(colours(scheme)) == page_frame.HUES
    for hue, result in colours(scheme).items():
        grounds = [rgb(result[name]) for name in ("paper", "tint", "panel")]
        grounds += [mixed(result["hue"], share, result["paper"]) for share in (0.13, 0.14, 0.16, 0.18)]
        for ground in grounds:
            assert contrast(rgb(result["ink"]), ground) >= LEAST, hue
            assert contrast(rgb(result["quiet"]), ground) >= LEAST, hue
            assert contrast(rgb(result["hue"]), ground) >= LEAST, hue
        assert contrast([1, 1, 1], rgb(result["band"])) >= LEAST, hue
        assert contrast(rgb(result["ink"]), rgb(result["found"])) >= LEAST, hue


# ── in a browser ──


def write_page(result: Rulebook, folder: Path) -> str:
    """The address of a page on a disk."""
    path = folder / "book.html"
    path.write_text(html.page(result), "utf-8")
    return path.as_uri()


BOOKS: Mapping[str, Callable[[], Rulebook]] = {
    "sample": sample_book.book,
    "hebrew": sample_book.hebrew,
    "wild-cards": lambda: book("wild-cards/2022", "de"),
    "wildlife": lambda: book("wildlife/2002", "de"),
}

TOO_SMALL = """least => {
  const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || at.closest("svg, script")) continue;
    if (parseFloat(getComputedStyle(at).fontSize) < least) found.add(at.className || at.tagName);
  }
  return [...found];
}"""
HARD_TO_HIT = """least => {
  const found = new Set();
  for (const at of document.querySelectorAll("a, button, input, summary")) {
    const {width, height} = at.getBoundingClientRect();
    if (width && Math.min(width, height) < least - 0.5) found.add(`${at.tagName} ${at.className} ${at.textContent}`);
  }
  return [...found];
}"""


def unfolded(page: Page) -> None:
    """All examples are open. What is inside pictures, which nobody measures, would be laid out ten thousand times."""
    page.add_style_tag(content="use { display: none }")
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")


@pytest.mark.rotating(10)
@needs_chromium
@pytest.mark.parametrize("name", BOOKS)
def test_page_fits_every_screen(name: str, browser: Browser, tmp_path: Path) -> None:
    """Nothing is scrolled sideways, small, or too small for a thumb, with everything unfolded."""
    page = browser.new_page()
    page.goto(write_page(BOOKS[name](), tmp_path))
    unfolded(page)
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert not page.evaluate(TOO_SMALL, SMALLEST), width
        if not page.locator(".close").is_visible() and width < 1000:
            page.get_by_role("link", name=re.compile(".")).first.press("Enter")  # the drawer
        assert not page.evaluate(HARD_TO_HIT, TARGET), width
        page.keyboard.press("Escape")
    page.close()


@pytest.mark.rotating(12)
@needs_chromium
def test_no_rule_of_accessibility_is_broken(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(write_page(sample_book.book(), tmp_path))
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    result = against_the_rules(page)
    page.close()
    assert not result, "\n".join(result)


@pytest.fixture
def phone(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="light")
    page.goto(write_page(sample_book.book(), tmp_path))
    yield page
    page.close()


@pytest.mark.rotating(4)
@needs_chromium
def test_search_finds_folded_text(phone: Page) -> None:
    folded = phone.locator("#example-tie details")
    assert folded.get_attribute("open") is None
    phone.keyboard.press("/")
    field = phone.get_by_role("searchbox")
    assert field.evaluate("field => field === document.activeElement")
    field.fill("REFÍLL payment")  # whatever the capitals and accents
    assert phone.get_by_role("status").first.text_content() == "Found: 1"
    assert phone.locator("#example-tie mark").count() > 2
    field.press("Enter")
    assert folded.get_attribute("open") is not None and phone.url.endswith("#example-tie")
    assert not field.is_visible()  # the drawer is closed
    phone.keyboard.press("/")
    field.fill("no such word")
    assert phone.get_by_role("status").first.text_content() == "Nothing was found."
    field.press("Escape")
    assert field.input_value() == "" and not phone.locator("main mark").count()


@pytest.mark.rotating(4)
@needs_chromium
def test_a_link_unfolds_its_target(phone: Page) -> None:
    address = phone.url
    phone.goto("about:blank")
    phone.goto(f"{address}#example-tie")
    assert phone.locator("#example-tie details").get_attribute("open") is not None
    top = phone.locator("#example-tie").evaluate("place => place.getBoundingClientRect().top")
    bar = phone.locator(".bar").bounding_box()
    assert bar is not None and 0 <= top < bar["height"] + 40
    link = phone.locator("#example-tie > .here")
    assert link.is_visible() and link.get_attribute("href") == "#example-tie"
    unlinked = "[...document.querySelectorAll('main [id]')].filter(at => at.querySelector('h2, h3, h4') && "
    assert phone.evaluate(f"{unlinked} !at.querySelector('.here')).length") == 0


@pytest.mark.rotating(3)
@needs_chromium
def test_the_contents_stay_in_view_and_mark_the_chapter(phone: Page) -> None:
    last = phone.locator("main > section").last
    last.scroll_into_view_if_needed()
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    title = sample_book.book().chapters[-1].title
    phone.locator(".where", has_text=title).wait_for()
    phone.get_by_role("link", name="Contents").click()
    first = sample_book.book().chapters[0]
    phone.get_by_role("link", name=first.title, exact=True).click()
    assert phone.url.endswith(f"#{first.anchor}") and not phone.locator("nav").is_visible()


@pytest.mark.rotating(4)
@needs_chromium
def test_light_and_dark_as_the_system_or_as_chosen(phone: Page) -> None:
    def paper() -> str:
        return str(phone.evaluate("getComputedStyle(document.body).backgroundColor"))

    text = html.page(sample_book.book())
    phone.route("http://book/", lambda route: route.fulfill(body=text, content_type="text/html"))
    phone.goto("http://book/")  # where a file is opened again at once, Chromium may lose what it has just stored
    light = paper()
    phone.emulate_media(color_scheme="dark")
    dark = paper()
    assert light != dark
    phone.keyboard.press("/")
    switch = phone.get_by_role("button", name="Dark colours")
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    assert paper() == light

    phone.reload()
    assert paper() == light
    phone.emulate_media(media="print")
    assert paper() == light or "255" in paper()


@pytest.mark.rotating(2)
@needs_chromium
def test_page_is_whole_without_its_script(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(write_page(sample_book.book(), tmp_path))
    assert page.locator("nav .chapters a").first.is_visible() and page.locator("main h2").first.is_visible()
    assert not page.get_by_role("searchbox").is_visible() and not page.get_by_role("button").count()
    folded = page.locator("#example-tie")
    folded.locator("summary").click()
    assert folded.locator(".course").is_visible()
    context.close()


@pytest.mark.rotating(5)
@needs_chromium
def test_cover_is_whole(browser: Browser, tmp_path: Path) -> None:
    """The cover has the shape of its picture on every screen, or room around it."""
    page = browser.new_page()
    page.goto(write_page(book("wild-cards/2022", "de"), tmp_path))
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        mode = "cover => [cover.getAttribute('preserveAspectRatio'), cover.getBoundingClientRect().bottom]"
        [ratio, bottom] = page.locator(".cover > svg").evaluate(mode)
        assert ratio is None and bottom <= height
    page.close()


@pytest.mark.rotating(6)
@needs_chromium
@pytest.mark.parametrize("paper", ["A4", "A5"])
def test_no_heading_ends_a_printed_page(paper: str, browser: Browser, tmp_path: Path) -> None:
    result = book("wild-cards/2022", "en")
    page = browser.new_page()
    page.goto(write_page(result, tmp_path))
    sheets = pdf_pages.pages(page.pdf(format=paper, prefer_css_page_size=False))
    page.close()
    headings = set(page_titles(result))
    words = [sheet.text.strip() for sheet in sheets]
    assert "Search" not in "".join(words)  # no navigation
    assert not [number for number, said in enumerate(words) if said.splitlines()[-1].strip() in headings]


def page_titles(result: Rulebook) -> Iterator[str]:
    for number, chapter in enumerate(result.chapters, 1):
        yield f"{number} {chapter.title}"
        for block in chapter.blocks:
            if title := getattr(block, "title", ""):
                yield title
