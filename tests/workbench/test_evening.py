"""A designer's whole evening in the workbench, in a real browser: from a shipped game to friends at a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

import browsers
from browsers import PANE, against_the_rules
from screenshots import CHROMIUM
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

PATIENCE = 120_000
FILE = "my-cards.yaml"
VARIANT = """\
rulewright: 1
extends: wild-cards/2022
title: Wild Cards
edition: My Cards

words: {species: {otter: {home: savannah}}}

powers:
  otter:
    text: Your hand limit is {hand limit} habitat cards.
    change: {hand limit: +2}

change:
  values:
    seat:
      hand limti: 12
"""
"""A hand limit of 12 and a new leader with a power; with a slip of the pen."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path) as home:
        yield home


@pytest.fixture(autouse=True)
def patience(home: Workbench, context: BrowserContext) -> Iterator[None]:
    """Much is waited for that takes seconds. Windows close before their workbench, so that no answer is cut off."""
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    yield
    expect.set_options(timeout=browsers.PATIENCE)


def pane(page: Page, name: str) -> Locator:
    """Turn to a pane."""
    page.get_by_role("tab", name=re.compile(f"^{re.escape(name)}")).click()
    return page.get_by_role("tabpanel")


def source(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Source")


def write(page: Page, text: str) -> None:
    """Everything in the source, anew."""
    source(page).focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def question(page: Page) -> Locator:
    return page.get_by_role("region", name="Question")


def lay(page: Page, card: str) -> None:
    """Answer with a card, and wait until somebody else is asked."""
    decision = question(page).locator("p strong").first
    before = decision.inner_text()
    hand = page.get_by_role("tabpanel").locator(".held")
    hand.get_by_role("button", name=re.compile(f"^{card}( ×|$)")).first.click()
    expect(decision).not_to_have_text(before)


def make_case(page: Page, name: str) -> None:
    play = page.get_by_role("tabpanel")
    play.get_by_role("button", name="This is right").click()
    play.get_by_label("What this case shows").fill(name)
    play.get_by_role("button", name="Make the case").click()
    expect(play).to_contain_text("It is run after every change.")


@pytest.mark.rotating(12)
def test_a_whole_session_of_a_designer(home: Workbench, context: BrowserContext, tmp_path: Path) -> None:
    page = home.open(context)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=re.compile("^Change a game")).check()
    dialog.get_by_label("What is your game called?").fill("My Cards")
    dialog.get_by_label("Which game?").select_option("Wild Cards 2022")
    dialog.get_by_role("button", name="Make the game").click()
    expect(question(page)).to_contain_text("Place your bid")

    # A new leader and a hand limit of 12, with a mistake that its button mends.
    write(page, VARIANT)
    page.get_by_role("button", name="1 to mend").click()
    page.get_by_role("listbox", name="Diagnostics").get_by_role("button").first.click()
    expect(page.get_by_text("No mistakes")).to_be_visible()
    assert home.bench.text(FILE) == VARIANT.replace("limti", "limit")
    page.keyboard.press("Escape")

    # The game that was shown begins otherwise now; it goes on, and becomes two cases.
    play = pane(page, "Play")
    expect(play).to_contain_text("the game begins otherwise")
    play.get_by_role("button", name="Go on with what it is now").click()
    lay(page, "forest 1")
    make_case(page, "A bid lies face down")
    lay(page, "[a-z]+ [1-4]")
    make_case(page, "So does the next")
    cases = pane(page, "Cases")
    expect(cases).to_contain_text("All is right. Cases: 2")

    # Another number of cards: the cases come out otherwise, and are right again when it is taken back.
    source(page).focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("      cards dealt: 1")
    expect(cases).to_contain_text("of 2 come out otherwise.")
    pane(page, "History")
    page.locator(".versions button").nth(1).click()
    page.get_by_role("button", name="Go back to this version").click()
    expect(source(page)).not_to_contain_text("cards dealt")
    expect(pane(page, "Cases")).to_contain_text("All is right. Cases: 2")

    # What it does to many games, beside the game that it extends.
    figures = pane(page, "Figures")
    figures.get_by_label("Compare with").select_option("Wild Cards 2022")
    expect(figures).to_contain_text(re.compile(r"\d,000 games"))
    expect(figures.get_by_role("region", name="Who wins")).to_be_visible()

    # A Dutch text, and the cards as they print.
    texts = pane(page, "Texts")
    texts.get_by_label("Translate to").select_option("Nederlands")
    field = texts.get_by_role("textbox", name="Otter", exact=True)
    field.fill("Otter")
    field.press("Enter")
    expect(texts.get_by_role("combobox", name="Show")).to_contain_text("Not translated (2)")
    catalog = tmp_path / "my-cards.nl.po"
    assert 'msgstr "Otter"' in catalog.read_text(encoding="utf-8")
    cards = pane(page, "Cards")
    expect(cards.get_by_role("img", name="Page 1", exact=True)).to_be_visible()
    with page.expect_download() as printed:
        cards.get_by_role("button", name="Print (PDF)").click()
    assert Path(printed.value.path()).read_bytes().startswith(b"%PDF")

    # A table in a second window.
    share = pane(page, "Share")
    share.get_by_label("Your name").fill("Ada")
    share.get_by_label("Friends", exact=True).fill("0")
    share.get_by_label("Players that the computer plays").fill("2")
    share.get_by_role("button", name="Open a table").click()
    with context.expect_page() as opened:
        share.get_by_role("link", name="Open my seat").click()
    table = opened.value
    expect(table.get_by_role("heading", name=re.compile("Place your bid"))).to_be_visible()
    table.locator(".laid.offered").first.click()
    expect(table.get_by_role("heading", name=re.compile("Place your bid"))).to_have_count(0)


@pytest.mark.rotating(12)
def test_every_pane_keeps_to_the_rules_of_accessibility(home: Workbench, context: BrowserContext) -> None:
    home.bench.replace(FILE, VARIANT.replace("limti", "limit"))
    page = home.open(context, FILE)
    expect(question(page)).to_contain_text("Place your bid")
    results: dict[str, list[str]] = {}
    for name in ("Play", "Steps", "Cases", "Set up", "Figures", "Book", "Changes", "Texts", "Share"):
        expect(pane(page, name).get_by_role("heading").first).to_be_attached()
        results[name] = against_the_rules(page, PANE if results else "html")
    assert not {name: broken for name, broken in results.items() if broken}
