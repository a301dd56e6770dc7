"""The panes 'Play' and 'Cases' in a browser: lines, cases, and what comes out otherwise once rules have changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from browsers import PANE, against_the_rules
from screenshots import CHROMIUM
from small_games.stones import OPEN_STONES
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

FILE = "stones.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {FILE: OPEN_STONES}) as home:
        yield home


@pytest.fixture
def page(home: Workbench, browser: Browser) -> Iterator[Page]:
    """The pane 'Play'."""
    with browser.new_context(viewport={"width": 1280, "height": 800}, locale="en", reduced_motion="reduce") as context:
        yield opened(home, context)


def opened(home: Workbench, context: BrowserContext) -> Page:
    page = home.open(context, FILE, helped=False)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("console", lambda message: pytest.fail(message.text) if message.type == "error" else None)
    page.get_by_role("tab", name="Play").click()
    return page


def question_of(page: Page, name: str) -> Locator:
    """The question, once that seat is asked."""
    expect(page.locator(".playing .whose")).to_have_text(name)
    return page.locator(".playing .asked")


def take(page: Page, name: str, stone: str) -> None:
    question_of(page, name)
    page.locator(".playing").get_by_role("button", name=stone).first.click()


@pytest.mark.rotating(12)
def test_lines_become_cases_and_changes_are_seen(home: Workbench, page: Page) -> None:
    take(page, "Ada", "red stone")
    take(page, "Ben", "red stone")
    question_of(page, "Ada")
    page.get_by_role("button", name="Lines").click()
    page.get_by_role("button", name="One step back").click()
    take(page, "Ben", "blue stone")
    tree = page.get_by_role("region", name="Lines")
    expect(tree.get_by_role("button", name="Ben: blue stone")).to_have_attribute("aria-current", "true")
    expect(tree.get_by_role("button", name="Ben: red stone")).to_be_visible()
    assert against_the_rules(page, PANE) == []

    page.get_by_role("button", name="This is right").click()
    expect(page.get_by_role("textbox", name="What this case shows")).to_have_value("Ben takes blue stone")
    page.get_by_role("button", name="Make the case").click()
    page.locator(".case-made button").click()
    expect(page.get_by_text("All is right. Cases: 1")).to_be_visible()

    home.type(
        FILE,
        OPEN_STONES.replace("step: 1", "step: 2").replace(
            "- add step", "- move first 1 of heap to bag\n          - add step"
        ),
    )
    expect(page.get_by_text("1 of 1 come out otherwise.")).to_be_visible()
    expect(page.get_by_role("group").get_by_text("What came out", exact=True)).to_be_visible()
    expect(page.locator(".picture-of")).to_have_count(2)
    assert against_the_rules(page, PANE) == []
    page.get_by_role("button", name="That is right now").click()
    expect(page.get_by_text("All is right. Cases: 1")).to_be_visible()

    page.get_by_role("tab", name="Play").click()
    otherwise = page.get_by_role("region", name="This comes out otherwise now")
    expect(otherwise.get_by_role("row", name="Ada: turns")).to_contain_text("1")
    expect(otherwise.get_by_role("row", name="Ada: bag")).to_be_visible()
    assert against_the_rules(page, PANE) == []
    otherwise.get_by_role("button", name="Go on with what it is now").click()
    expect(otherwise).to_have_count(0)
    question_of(page, "Ada")


@pytest.mark.rotating(10)
def test_all_is_done_by_keyboard(page: Page) -> None:
    question_of(page, "Ada")
    page.locator(".playing").get_by_role("button", name="blue stone").first.focus()
    page.keyboard.press("Enter")
    question_of(page, "Ben")
    expect(page.locator(".playing .asked h2")).to_be_focused()
    page.get_by_role("combobox", name="See as").select_option("Ada")
    expect(page.locator(".playing .asked")).to_contain_text("Ben is asked. You see the table as Ada.")
    page.get_by_role("combobox", name="See as").select_option("Everything open")
    question_of(page, "Ben")
    page.locator(".playing [data-explain='zone heap']").first.focus()
    page.keyboard.press("Enter")
    line = OPEN_STONES[: OPEN_STONES.index("  heap:")].count("\n") + 1
    expect(page.locator(".cm-activeLineGutter").first).to_have_text(str(line))
    page.locator(".play-bar").get_by_text("New game").focus()
    page.keyboard.press("Enter")
    page.get_by_role("spinbutton", name="Seed").fill("7")
    page.keyboard.press("Enter")
    expect(page.locator(".play-bar")).to_contain_text("Seed: 7")
    question_of(page, "Ada")
