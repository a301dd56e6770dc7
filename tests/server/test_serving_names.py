"""Every piece on the table has a name for those who hear the page, and explains itself by keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browsers import Person, against_the_rules
from screenshots import ANN, BO, CHROMIUM, CY, WILD_CARDS, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

LATE = 48
"""Answers after which leaders, bids and herds lie before everybody."""

SMALL = {"width": 390, "height": 844}
NAMED_PIECES = """pieces => pieces.filter((piece) => piece.checkVisibility())
  .map((piece) => [piece.dataset.piece, piece.ariaLabel])"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS]) as home:
        yield home


@pytest.mark.rotating(12)
@pytest.mark.parametrize("size", [None, SMALL], ids=["wide", "phone"])
def test_every_piece_has_a_name(home: Home, browser: Browser, size: dict[str, int] | None) -> None:
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], LATE)
    ann = Person.at_device(browser)
    page = ann.open(home.link(links["seats"][0]))
    if size:
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
    ann.question(page).wait_for()
    if size:  # where others' things are told as signs, all of somebody's are one tap away
        page.get_by_role("button", name="More about Cy", exact=True).click()
    pieces = page.locator("main .laid[data-piece]").evaluate_all(NAMED_PIECES)
    assert len(pieces) >= 20
    assert [piece for piece, name in pieces if piece not in (name or "")] == []
    tree = page.locator("main").aria_snapshot()
    leaders = [piece for piece, _ in pieces if piece.endswith(" leader")]
    assert leaders and all(f'button "{leader}' in tree for leader in leaders)
    assert against_the_rules(page, ".stage") == []


@pytest.mark.rotating(10)
def test_a_leader_explains_itself_by_keyboard(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], LATE)
    ann = Person.at_device(browser)
    page = ann.open(home.link(links["seats"][0]))
    leaders = page.locator(".player", has_text="Cy").locator("[data-zone^='front/'] button.laid")
    leaders.nth(1).wait_for()
    leaders.first.focus()
    assert leaders.evaluate_all("all => all.map((one) => one.tabIndex)") == [0] + [-1] * (leaders.count() - 1)
    page.keyboard.press("ArrowRight")
    expect(leaders.nth(1)).to_be_focused()
    name = leaders.nth(1).get_attribute("data-piece")
    page.keyboard.press("Enter")
    expect(page.locator("#explained h2")).to_have_text(str(name))
    assert ann.troubles == []
