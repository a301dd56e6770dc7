"""The pane 'What does it do?' in a real browser: what it warns of, the way into the source, the slider by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsers import PANE, against_the_rules
from screenshots import CHROMIUM
from small_games.quarry import QUARRY
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

FILE = "quarry.yaml"
PATIENCE = 120_000


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {FILE: QUARRY}) as home:
        yield home


def pane(home: Workbench, browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    page = home.open(context, FILE)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("console", lambda message: pytest.fail(message.text) if message.type == "error" else None)
    page.get_by_role("tab", name="Figures").click()
    expect(page.get_by_text("10,000 games", exact=True)).to_be_visible(timeout=PATIENCE)
    return page


@pytest.mark.rotating(12)
def test_a_designer_sees_a_problem_and_changes_a_number(home: Workbench, browser: Browser) -> None:
    page = pane(home, browser)
    expect(page.locator(".of-seats")).to_contain_text("The first seat wins more often than chance explains")
    page.get_by_role("button", name="end game").click()
    line = QUARRY[: QUARRY.index("end game   #")].count("\n") + 1
    expect(page.locator(".cm-activeLineGutter").first).to_have_text(str(line))

    page.get_by_role("combobox", name="Number").select_option("load")
    page.get_by_role("combobox", name="Show").select_option("rounds")
    slider = page.get_by_role("slider", name="Try another number")
    slider.wait_for(timeout=PATIENCE)
    expect(slider).to_have_attribute("max", "5", timeout=PATIENCE)  # the numbers from 1 to 6
    expect(page.get_by_text("load 0: No game ends.")).to_be_visible()
    assert against_the_rules(page, PANE) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("status").filter(has_text="load 3")).to_contain_text("Rounds 1")
    page.get_by_role("button", name="Take this value").press("Enter")
    home.wait(lambda message: message["type"] == "edited")
    assert home.bench.text(FILE) == QUARRY.replace("load: 2", "load: 3")

    page.get_by_role("combobox", name="Compare with").select_option("opened")
    expect(page.locator(".of-differences")).to_contain_text("Rounds: 1 instead of 2", timeout=PATIENCE)
    page.context.close()  # before its workbench ends, which it would tell as an error


@pytest.mark.rotating(12)
def test_a_designer_searches_for_values_and_applies_them(home: Workbench, browser: Browser) -> None:
    page = pane(home, browser)
    look = page.get_by_role("button", name="Look", exact=True)
    expect(look).to_be_disabled()
    page.get_by_role("checkbox", name="Vary load").check()
    page.get_by_role("spinbutton", name="load: to").fill("4")
    page.get_by_role("combobox", name="Goal 1").select_option("rounds")
    page.get_by_role("combobox", name="Should be").select_option("number")
    page.get_by_role("spinbutton", name="Goal 1: which number").fill("2")
    page.get_by_role("combobox", name="Goal 2").select_option("spread of seat wins")
    look.click()
    expect(page.get_by_text("4 tried.")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("load 0: No game ends.")).to_be_visible()
    element = page.locator(".search-found")
    expect(element.get_by_role("img", name="Rounds against Spread of seat wins")).to_be_visible()
    take = element.get_by_role("button", name="Take load 3")
    take.press("Enter")
    home.wait(lambda message: message["type"] == "edited")
    assert home.bench.text(FILE) == QUARRY.replace("load: 2", "load: 3")
