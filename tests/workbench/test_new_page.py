"""The dialogue 'New' in a real browser: from an empty folder to a game, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from browsers import against_the_rules
from rulewright.authoring.edition_check import examine
from screenshots import CHROMIUM
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path) as home:
        yield home


@pytest.mark.rotating(12)
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


@pytest.mark.rotating(10)
def test_a_new_game_is_played_and_commented(home: Workbench, context: BrowserContext) -> None:
    """A case is made of its play, and a friend's comment on a line of it comes back."""
    home.post("new/nothing", {"name": "Cats", "turn": "tricks", "win": "points", "sorts": ["sun", "moon"], "most": 2})
    page = home.open(context, "cats.yaml")
    page.get_by_role("tab", name="Play").click()
    page.locator(".playing summary", has_text="Computer").click()
    page.get_by_role("button", name="Let it answer once").click()
    expect(page.get_by_role("button", name="One step back")).to_be_enabled()
    page.get_by_role("button", name="This is right").click()
    page.get_by_role("textbox", name="What this case shows").fill("the first card")
    page.get_by_role("button", name="Make the case").click()
    expect(page.get_by_text("It is run after every change.")).to_be_visible()
    page.get_by_role("tab", name="Cases").click()
    expect(page.get_by_text("the first card")).to_be_visible()

    home.post("share/line", {"title": "Cats", "everything": False, "everywhere": False}, file="cats.yaml")
    [line] = home.get("share", file="cats.yaml")["lines"]
    friend = context.new_page()
    friend.goto(line["link"])
    friend.get_by_label("What do you notice at this moment?").fill("Too <b>long</b>?")
    friend.get_by_label("Your name, if you like").fill("Vera")
    friend.get_by_role("button", name="Send", exact=True).click()
    expect(friend.get_by_text("Sent. Thank you!")).to_be_visible()
    assert not against_the_rules(friend)
    page.get_by_role("tab", name="Share").click()
    expect(page.get_by_text("Too <b>long</b>?")).to_be_visible()
    expect(page.get_by_text("Vera", exact=True)).to_be_visible()
