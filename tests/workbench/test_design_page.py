"""The page of the workbench in a real browser: the source in several windows, files that change meanwhile, history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browsers import against_the_rules, focused
from game_servers import GUESSING
from screenshots import CHROMIUM
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

GAME = "guessing.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        yield home


def opened(home: Workbench, context: BrowserContext) -> Page:
    """The page with the game in it."""
    page = home.open(context, GAME)
    page.get_by_role("textbox", name="Source").wait_for()
    return page


def type_at_top(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Source").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.type(text)


@pytest.mark.rotating(12)
def test_two_windows_come_to_the_same_text(home: Workbench, context: BrowserContext, tmp_path: Path) -> None:
    one, other = opened(home, context), opened(home, context)
    type_at_top(one, "# one 😀\n")
    expect(other.get_by_role("textbox", name="Source")).to_contain_text("# one 😀")
    other.get_by_role("textbox", name="Source").focus()
    other.keyboard.press("Control+End")
    other.keyboard.type("# other")
    expect(one.locator("#state")).to_contain_text("Saved")
    home.wait(lambda message: message["type"] == "saved")
    one.get_by_role("textbox", name="Source").focus()
    one.keyboard.press("Control+End")
    expect(one.get_by_role("textbox", name="Source")).to_contain_text("# other")
    assert home.bench.text(GAME) == f"# one 😀\n{GUESSING}# other"


@pytest.mark.rotating(10)
def test_unused_names_are_no_errors(home: Workbench, context: BrowserContext) -> None:
    home.type(GAME, GUESSING.replace("  heap: {seen by: all}", "  heap: {seen by: all}\n  idle: {seen by: all}"))
    page = opened(home, context)
    page.get_by_role("button", name="1 to look at").click()
    expect(page.get_by_role("listbox", name="Diagnostics")).to_contain_text("idle")
    expect(page.get_by_text("No mistakes")).to_be_visible()


@pytest.mark.rotating(6)
def test_keys_are_listed_beside_the_text(home: Workbench, context: BrowserContext) -> None:
    page = opened(home, context)
    page.get_by_role("button", name="Keys").click()
    keys = page.locator("#keys")
    for key in ("F2", "Ctrl-F", "Ctrl-Z, Ctrl-Y", "Ctrl-/"):
        expect(keys.get_by_text(key, exact=True)).to_be_visible()


@pytest.mark.rotating(10)
def test_a_mistake_is_shown_and_fixed_in_place(home: Workbench, context: BrowserContext) -> None:
    home.type(GAME, GUESSING.replace("is turn limit", "is turn limti"))
    page = opened(home, context)
    page.get_by_role("button", name="1 to mend").click()
    panel = page.get_by_role("listbox", name="Diagnostics")
    expect(panel).to_contain_text("turn limti")
    panel.get_by_role("button").first.click()
    expect(page.get_by_text("No mistakes")).to_be_visible()
    assert home.bench.text(GAME) == GUESSING


@pytest.mark.rotating(10)
def test_a_name_changes_in_all_files(home: Workbench, context: BrowserContext, tmp_path: Path) -> None:
    home.type(
        "variant.yaml",
        "rulewright: 1\nextends: guessing.yaml\nedition: short\nchange: {values: {game: {turn limit: 3}}}\n",
    )
    page = home.open(context, "variant.yaml")
    source = page.get_by_role("textbox", name="Source")
    source.get_by_text("turn limit").click()
    expect(page.locator("[class*=code-]").first).to_be_visible()  # the server has read the file
    page.keyboard.press("F2")
    page.get_by_label("New name").fill("final turn")
    page.keyboard.press("Enter")
    expect(source).to_contain_text("final turn: 3")
    home.wait(lambda message: message["type"] == "saved" and message["file"] == GAME)
    assert home.bench.text(GAME) == GUESSING.replace("turn limit", "final turn")
    result = home.bench.compiled("variant.yaml")
    assert result.current, result.report.errors


@pytest.mark.rotating(10)
def test_changes_of_another_program_are_merged_without_loss(
    home: Workbench, context: BrowserContext, tmp_path: Path
) -> None:
    page = opened(home, context)
    (tmp_path / GAME).write_text(f"# theirs\n{GUESSING}", encoding="utf-8")
    expect(page.get_by_role("textbox", name="Source")).to_contain_text("# theirs")
    (tmp_path / GAME).unlink()
    expect(page.get_by_role("alert")).to_contain_text("Another program has deleted this file.")
    type_at_top(page, "# mine\n")
    page.get_by_role("button", name="Write it again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("#state")).to_contain_text("Saved")
    home.wait(lambda message: message["type"] == "settled")
    assert (tmp_path / GAME).read_text(encoding="utf-8") == f"# mine\n# theirs\n{GUESSING}"


@pytest.mark.rotating(12)
def test_an_older_version_is_taken_back_with_the_keyboard_alone(home: Workbench, context: BrowserContext) -> None:
    home.type(GAME, f"# new\n{GUESSING}")
    page = opened(home, context)
    page.evaluate("localStorage.setItem('rulewright pane', 'history')")
    page.reload()
    page.get_by_role("tab", name="History").focus()
    focused(page, page.locator(".versions button").last)
    page.keyboard.press("Enter")
    focused(page, page.get_by_role("button", name="Go back to this version"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Source")).not_to_contain_text("# new")
    assert home.bench.text(GAME) == GUESSING


@pytest.mark.rotating(12)
def test_a_base_is_read_only(home: Workbench, context: BrowserContext) -> None:
    variant = "rulewright: 1\nextends: wild-cards/2022\ntitle: Wild Cards\nedition: Mine\n"
    home.bench.replace("mine.yaml", variant)
    page = home.open(context, "mine.yaml")
    source = page.get_by_role("textbox", name="Source")
    expect(source).to_contain_text("edition: Mine")
    page.get_by_role("tab", name="Steps").click()
    page.get_by_role("button", name="wild-cards/2022: line").first.click()
    expect(page.get_by_text("Your game extends this.")).to_be_visible()
    expect(source).not_to_contain_text("edition: Mine")
    before = source.inner_text()
    source.press_sequentially("x")
    assert source.inner_text() == before
    page.get_by_role("button", name="mine.yaml").click()
    expect(source).to_contain_text("edition: Mine")


@pytest.mark.rotating(10)
def test_nested_lines_are_indented(home: Workbench, context: BrowserContext) -> None:
    page = opened(home, context)
    page.get_by_role("textbox", name="Source").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nlooks:\nwords:\ncolour: [hue]")
    page.keyboard.press("Enter")
    page.keyboard.type("# so far:\n")
    expected = "\nlooks:\n  words:\n    colour: [hue]\n    # so far:\n    "
    expect(page.get_by_text("Saved")).to_be_visible()
    home.wait(lambda message: message["type"] == "saved")
    assert home.bench.text(GAME).endswith(expected)


@pytest.mark.rotating(10)
def test_all_tabs_stand_in_one_row(home: Workbench, context: BrowserContext) -> None:
    page = opened(home, context)
    tabs = page.get_by_role("tab")
    heights = {box["y"] for tab in tabs.all() if (box := tab.bounding_box()) is not None}
    assert tabs.count() > 10 and len(heights) == 1


@pytest.mark.rotating(10)
def test_a_file_that_never_had_rules_says_so(context: BrowserContext, tmp_path: Path) -> None:
    with workbench(tmp_path, {GAME: "rulewright: 1\ntitle: [\n"}) as home:
        page = home.open(context, GAME)
        for name in ("Play", "Steps", "Book", "Changes", "Cards", "Texts", "Set up"):
            page.get_by_role("tab", name=name).click()
            expect(page.get_by_role("tabpanel")).to_contain_text("As soon as the file has no mistakes")
        page.get_by_role("tab", name="Play").click()
        home.bench.replace(GAME, GUESSING)
        expect(page.get_by_role("region", name="Question")).to_be_visible()
        page.close()


@pytest.mark.rotating(12)
def test_the_page_keeps_to_the_rules_of_accessibility(home: Workbench, context: BrowserContext) -> None:
    page = opened(home, context)
    page.get_by_role("tab", name="History").click()
    assert against_the_rules(page) == []
