"""The dialogue 'New' in a real browser: from an empty folder to a game, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from benches import Workbench, workbench
from browsing import against_the_rules
from rulewright.authoring.examination import examine
from screenshots import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path) as home:
        yield home


def test_from_an_empty_folder_to_a_game_by_keyboard(home: Workbench, context: BrowserContext, tmp_path: Path) -> None:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{home.address}open/for-tests")
    dialogue = page.get_by_role("dialog", name="How do you want to begin?")
    expect(dialogue).to_be_visible()
    assert not against_the_rules(page)
    page.keyboard.press("Tab")  # from the way, which is right, to the name
    page.keyboard.type("Moon & <Sun>")
    page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("ArrowDown")  # cards, dice, a board
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(dialogue).to_be_hidden()
    expect(page.get_by_role("textbox", name="Source")).to_contain_text("Moon & <Sun>")
    path = tmp_path / "moon-sun.yaml"
    assert "longest line" in path.read_text(encoding="utf-8")
    assert not examine(str(path))[1].diagnostics
    page.get_by_role("tab", name="Share").click()
    expect(page.get_by_role("heading", name="Play with friends")).to_be_visible()
    assert not against_the_rules(page)
