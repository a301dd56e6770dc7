"""Frames of what has the keyboard's focus are seen whole, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browsers import Person, complete
from game_servers import local_player
from project_folders import GAMES as GAMES_OF_TESTS
from screenshots import CHROMIUM, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

CUT = """() => {
  const found = [];
  for (const one of document.querySelectorAll("a[href], button:enabled, summary, select, input, [tabindex='0']")) {
    one.focus();
    const { outlineStyle, outlineWidth, outlineOffset, position } = getComputedStyle(one);
    if (document.activeElement !== one || !one.getClientRects().length) continue;
    const far = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const frame = one.getBoundingClientRect();
    const isWithin = (box, across, down) =>
      (!across || (frame.left - far > box.left - 1 && frame.right + far < box.right + 1)) &&
      (!down || (frame.top - far > box.top - 1 && frame.bottom + far < box.bottom + 1));
    const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    let isWhole = outlineStyle !== "none" && isWithin(page, true, true);
    let free = position === "absolute";
    for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (free && style.position === "static") continue;
      free = style.position === "absolute";
      const isCutting = (way) => ["auto", "hidden", "scroll"].includes(style[`overflow${way}`]);
      const isLarge = frame.height > around.clientHeight || frame.width > around.clientWidth;
      isWhole &&= isLarge || isWithin(around.getBoundingClientRect(), isCutting("X"), isCutting("Y"));
    }
    if (!isWhole) found.push(one.outerHTML.slice(0, 90));
  }
  return found;
}"""
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
GAMES = [("classics/spades", 3), ("classics/backgammon", 1), ("classics/yacht", 1), ("wildlife/2002", 2)]
SIZES = ((390, 844), (1440, 900))


@pytest.mark.rotating(6)
@pytest.mark.parametrize(("edition", "others"), GAMES)
def test_frames_of_what_has_the_focus_are_whole(tmp_path: Path, browser: Browser, edition: str, others: int) -> None:
    with hosted(tmp_path, [edition]) as home:
        person = Person.at_device(browser)
        seats = home.begin(edition, local_player("Ann"), *[{"player": "random"}] * others)["seats"]
        page = person.open(home.link(seats[0]))
        complete(page)
        page.locator(".asked.now h2").wait_for()
        page.wait_for_load_state("networkidle")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(TWO_FRAMES)
            page.keyboard.press("Tab")
            assert page.evaluate(CUT) == [], width
        person.context.close()


@pytest.mark.rotating(4)
def test_nothing_looks_chosen_on_a_page_that_nobody_has_touched(tmp_path: Path, browser: Browser) -> None:
    """A frame that comes by itself would be taken for a choice: the question has the focus, until something is done."""
    edition = str(GAMES_OF_TESTS / "hex.yaml")
    with hosted(tmp_path, [edition]) as home:
        ann, bo = Person.at_device(browser), Person.at_device(browser)
        seats = home.begin(edition, local_player("Ann"), local_player("Bo"))["seats"]
        first, second = ann.open(home.link(seats[0])), bo.open(home.link(seats[1]))
        second.locator(".asked h2").wait_for()
        first.locator(".space.offered").first.click()
        second.locator(".asked.now").wait_for()
        second.evaluate(TWO_FRAMES)
        assert second.evaluate("document.activeElement.matches('.asked h2')")
        second.locator(".asked.now .choices button").last.click()  # no swap
        second.wait_for_function("() => document.activeElement.matches('.space.offered')", timeout=5000)
        for person in (ann, bo):
            person.context.close()


@pytest.mark.rotating(6)
def test_the_tabulator_goes_on_from_the_last_pick_to_the_button_that_confirms(tmp_path: Path, browser: Browser) -> None:
    """The button stands before the hand: nobody has to go back to it."""
    with hosted(tmp_path, ["classics/hearts"]) as home:
        person = Person.at_device(browser)
        seats = home.begin("classics/hearts", local_player("Ann"), *[{"player": "random"}] * 3)["seats"]
        page = person.open(home.link(seats[0]))
        complete(page)
        heading = person.question(page)
        heading.wait_for()
        question = heading.inner_text()
        page.locator(".held .offered").first.focus()
        confirms = page.locator(".asked.now button.main")
        for pick in range(3):
            expect(confirms).to_be_disabled()
            page.keyboard.press("Enter")
            page.keyboard.press("ArrowRight" if pick < 2 else "Tab")
        expect(confirms).to_be_focused()
        page.keyboard.press("Enter")
        expect(heading).not_to_have_text(question)
        assert person.troubles == []
