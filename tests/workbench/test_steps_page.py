"""The panes 'Steps' and 'Set up' in a real browser: by keyboard, by mouse, and with nothing that axe finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browsers import PANE, against_the_rules
from screenshots import CHROMIUM
from small_games.counting import COUNTING
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

FILE = "counting.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {FILE: COUNTING}) as home:
        yield home


def pane(home: Workbench, context: BrowserContext, name: str) -> Page:
    page = home.open(context, FILE, helped=False)
    page.get_by_role("textbox", name="Source").wait_for()
    page.get_by_role("tab", name=name).click()
    return page


def answer(home: Workbench, *keys: str) -> None:
    """Answers of the seats in turn."""
    node = home.get("play", file=FILE)["node"]
    for number, key in enumerate(keys):
        node = home.post("play/answer", {"node": node, "seat": number % 2, "take": [key]}, file=FILE)["node"]


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(COUNTING.splitlines(), start=1) if text in line)


@pytest.mark.rotating(12)
def test_sentences_are_stepped_through_by_keyboard(home: Workbench, context: BrowserContext) -> None:
    answer(home, "2", "1", "2")
    page = pane(home, context, "Steps")
    now = page.locator(".done [aria-current=step]")
    expect(now).to_contain_text("move top wanted of heap to hand")
    expect(page.locator(".details")).to_contain_text("chip ×2: from heap to hand of Ada")
    expect(page.locator(".cm-activity, .cm-content .marked, .cm-marked").first).to_be_attached()
    now.focus()
    page.keyboard.press("ArrowDown")
    expect(now).to_contain_text("if number of hand is more than most")
    expect(page.locator(".details")).to_contain_text("number of hand: 4")
    page.keyboard.press("ArrowDown")
    expect(now).to_contain_text("add 1 to taken")
    expect(now).to_be_focused()
    expect(page.locator(".details")).to_contain_text("taken of Ada: 0, then 1")
    assert not against_the_rules(page, PANE)
    page.get_by_role("button", name="The answer before").click()
    expect(page.locator(".after")).to_have_text("After Ben: 1")


@pytest.mark.rotating(10)
def test_a_counter_and_a_piece_lead_to_their_last_change(home: Workbench, context: BrowserContext) -> None:
    answer(home, "2", "1", "2", "1")
    page = pane(home, context, "Steps")
    now = page.locator(".done [aria-current=step]")
    expect(page.locator(".after")).to_have_text("After Ben: 1")
    ada = page.locator("[data-seat-table='0']")
    ada.locator("[data-explain='counter taken']").click()
    expect(page.locator(".after")).to_have_text("After Ada: 2")
    expect(now).to_contain_text("add 1 to taken")
    page.get_by_label("To the first sentence").click()
    page.locator("[data-seat-table='1'] [data-piece=chip]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".after")).to_have_text("After Ben: 1")
    expect(page.locator(".details")).to_contain_text("from heap to hand of Ben")


@pytest.mark.rotating(12)
def test_a_position_is_made_by_mouse_and_keyboard_and_played(home: Workbench, context: BrowserContext) -> None:
    page = pane(home, context, "Set up")
    heap, ada, ben = (page.locator(f".setup [data-zone='{key}']") for key in ("heap//", "hand/0/", "hand/1/"))
    heap.get_by_role("button", name="Take chip").first.drag_to(ada)
    expect(ada.get_by_role("button", name="Take chip")).to_have_count(1)
    heap.get_by_role("button", name="Take chip").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="You hold chip")).to_be_visible()
    assert not against_the_rules(page, PANE)
    ben.get_by_role("button", name="Put it here").focus()
    page.keyboard.press("Enter")
    expect(ben.get_by_role("button", name="Take chip")).to_be_focused()
    page.get_by_label("taken of Ben").fill("4")
    page.get_by_label("Round").fill("3")
    page.get_by_label("Round").blur()
    expect(page.get_by_role("button", name="Copy for a case")).to_be_enabled()
    page.get_by_text("As a case says it").click()
    expect(page.locator(".setup pre")).to_contain_text("round: 3")
    assert (
        page.locator(".setup pre").text_content()
        == "given:\n  phase: take\n  round: 3\n  Ada: {hand: [chip]}\n  Ben: {hand: [chip], taken: 4}\n"
    )
    page.get_by_role("tabpanel").get_by_role("button", name="Play from here").click()
    expect(page.get_by_role("tab", name="Play")).to_have_attribute("aria-selected", "true")
    game = home.get("play", file=FILE)
    assert game["position"] and game["game"]["now"]["counters"]["taken"] == ["0", "4"]


@pytest.mark.rotating(4)
def test_a_position_that_comes_late_replaces_nothing(home: Workbench, context: BrowserContext) -> None:
    late: list[Route] = []
    context.route("**/api/setup?*", lambda route: route.continue_() if late else late.append(route))
    with context.expect_event("request", lambda request: "/api/setup?" in request.url):
        page = pane(home, context, "Set up")
    with page.expect_response("**/api/setup?*"):
        page.get_by_role("textbox", name="Source").press_sequentially(" ")
    heap, ada, ben = (page.locator(f".setup [data-zone='{key}']") for key in ("heap//", "hand/0/", "hand/1/"))
    heap.get_by_role("button", name="Take chip").first.drag_to(ada)
    with page.expect_response("**/api/setup?*"):
        late[0].continue_()
    heap.get_by_role("button", name="Take chip").first.drag_to(ben)
    page.get_by_text("As a case says it").click()
    expect(page.locator(".setup pre")).to_have_text("given: phase: take Ada: {hand: [chip]} Ben: {hand: [chip]}")


@pytest.mark.rotating(10)
def test_impossible_positions_are_reported_at_once_and_undone(home: Workbench, context: BrowserContext) -> None:
    page = pane(home, context, "Set up")
    page.get_by_label("taken of Ben").fill("999999999999")
    page.get_by_label("taken of Ben").blur()
    expect(page.locator(".setup .trouble")).to_have_text("Expected a whole number here.")
    expect(page.get_by_role("tabpanel").get_by_role("button", name="Play from here")).to_be_disabled()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".setup .trouble")).to_have_count(0)


BED = """\
rulewright: 1
title: Bed
players: 2
boards: {bed: {of: spot, size: 3 by 3}}
pieces: {seed: {copies: 2, starts in: bag}}
zones: {bag: {seen by: all}, ground: {of: spot, seen by: all, at most: 1}}
phases: {plant: {do: [each seat: [choose 1 from spots as spot, move first 1 of bag to spot's ground]]}}
"""


@pytest.mark.rotating(10)
def test_pieces_are_put_on_a_board_and_taken_from_there(tmp_path: Path, context: BrowserContext) -> None:
    with workbench(tmp_path, {FILE: BED}) as home:
        page = pane(home, context, "Set up")
        space, other = (page.locator(f".setup .space[data-space='{name}']") for name in ("a1", "b2"))
        expect(space).to_have_attribute("role", "group")
        page.locator(".setup .movable").first.click()
        expect(page.locator(".setup .movable.held")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".setup .space.open")).to_have_count(9)
        expect(space).to_have_attribute("role", "button")
        space.click()
        man = space.locator(".man")
        expect(man).to_have_attribute("role", "button")
        expect(page.locator(".setup .space.open")).to_have_count(0)
        man.click()
        expect(space.locator(".man.held")).to_have_attribute("aria-hidden", "true")
        expect(page.locator(".setup .space.open")).to_have_count(9)
        page.keyboard.press("Escape")
        expect(page.locator(".setup .space.open")).to_have_count(0)
        man.drag_to(other)
        expect(other.locator(".man")).to_have_count(1)
        assert not against_the_rules(page, PANE)
