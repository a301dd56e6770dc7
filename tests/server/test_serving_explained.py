"""Things on the table that explain themselves: by tap, by key, by a long tap and by the other mouse button."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsers import PATIENCE, Person
from screenshots import ANN, BO, CHROMIUM, CY, WILD_CARDS, WILDLIFE, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS, WILDLIFE]) as home:
        yield home


def table(home: Home, browser: Browser, edition: str = WILD_CARDS, language: str = "en") -> tuple[Person, Page]:
    ann = Person.at_device(browser, language)
    page = ann.open(home.link(home.begin(edition, ANN, BO, CY)["seats"][0]))
    ann.question(page).wait_for()
    return ann, page


def card(page: Page) -> Locator:
    return page.locator("#explained")


@pytest.mark.rotating(5)
def test_a_piece_tells_its_power_its_rulings_and_where_the_book_has_them(home: Home, browser: Browser) -> None:
    ann, page = table(home, browser)
    page.locator("[data-piece='lion leader']").first.click()
    text = card(page)
    expect(text.get_by_role("heading", name="Lion leader", level=2)).to_be_visible()
    expect(text).to_contain_text("You win every tie in which you can pay.")
    expect(text).to_contain_text("It wins ties against Leo and the Talisman too.")
    address = text.get_by_role("link", name="Rules").first.get_attribute("href")
    assert address is not None and address.endswith("#powers-lion")
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()
    assert ann.troubles == []


@pytest.mark.rotating(5)
def test_places_counters_and_phases_are_explained_by_key(home: Home, browser: Browser) -> None:
    ann, page = table(home, browser, language="de")
    page.get_by_role("button", name="Mehr über Ann", exact=True).press("Enter")
    score = page.get_by_role("dialog", name="Ann", exact=True).get_by_role("button", name="Punktemarker", exact=True)
    score.press("Enter")
    expect(card(page)).to_contain_text("Punkte")
    for _ in range(2):
        page.keyboard.press("Escape")
    expect(score).to_have_count(0)
    for name, text in (
        ("Auslage", "Reihe neben dem Tierstapel"),
        ("Gebote legen", "bieten"),
    ):
        page.get_by_role("button", name=name, exact=True).first.press("Enter")
        expect(card(page)).to_contain_text(text)
        card(page).get_by_role("button", name="Schließen").press("Enter")
        expect(card(page)).to_be_hidden()
    assert ann.troubles == []


@pytest.mark.rotating(4)
def test_a_question_leads_to_its_rule_and_an_example(home: Home, browser: Browser) -> None:
    """The rule is followed by the one that it is a part of."""
    ann = Person.at_device(browser)
    page = ann.open(home.link(home.begin(WILD_CARDS, ANN, BO, CY)["seats"][0]))
    ann.question(page).locator(".rule summary").click()
    ann.question(page).get_by_role("button", name="More, with an example").click()
    expect(card(page)).to_contain_text("You must bid, but you may bluff")
    expect(card(page)).to_contain_text("Everyone bids at the same time.")
    expect(card(page).get_by_text("Example: ").first).to_be_visible()
    assert ann.troubles == []


@pytest.mark.rotating(4)
def test_a_card_in_the_hand_is_explained_and_stays_there(home: Home, browser: Browser) -> None:
    ann, page = table(home, browser)
    refill = page.locator(".held").get_by_role("button", name="refill card")
    refill.click(button="right")
    expect(card(page)).to_contain_text("Then draw until you have 7 habitat cards")
    page.keyboard.press("Escape")
    expect(ann.question(page)).to_contain_text("Place your bid")
    refill.click()
    expect(ann.question(page)).not_to_contain_text("Place your bid")


@pytest.mark.rotating(4)
def test_a_long_tap_explains_and_takes_nothing(home: Home, browser: Browser) -> None:
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(home.link(home.begin(WILD_CARDS, ANN, BO, CY)["seats"][0]))
    refill = page.locator(".held").get_by_role("button", name="refill card")
    finger = {"pointerType": "touch", "clientX": 9, "clientY": 9, "bubbles": True}
    refill.dispatch_event("pointerdown", finger)
    expect(card(page)).to_contain_text("Then draw until you have 7 habitat cards")
    refill.dispatch_event("pointerup", finger)
    refill.dispatch_event("click")
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name="Question")).to_contain_text("Place your bid")


@pytest.mark.rotating(10)
def test_unexplained_things_say_so(home: Home, browser: Browser) -> None:
    ann, page = table(home, browser, WILDLIFE)
    page.get_by_role("button", name="More about Ann", exact=True).click()  # all that is hers
    page.get_by_role("button", name="cards played", exact=True).first.click()
    expect(card(page)).to_contain_text("The rules say nothing about it.", timeout=PATIENCE)
    assert ann.troubles == []
