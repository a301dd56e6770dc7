"""A board by keyboard: the focus stays where somebody plays, and arrows go from space to space."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from browsers import PATIENCE, Log, Person
from screenshots import ANN, BO, CHROMIUM, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

PLANTING = """\
rulewright: 1
title: Planting
players: 2
boards: {bed: {of: spot, size: 3 by 3}}
pieces: {seed: {copies: 9, starts in: bag}}
zones: {bag: {seen by: all}, ground: {of: spot, seen by: all, at most: 1}}
phases:
  plant:
    do:
      - each seat:
          - choose 1 from spots where ground is empty as spot: {ask: Where do you plant?}
          - move first 1 of bag to spot's ground
          - if spot is b2: [choose number from 1 to 3 as depth: {ask: How deep?}]
"""
HAS_FOCUS = "() => document.activeElement.dataset.space ?? document.activeElement.textContent"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "planting.yaml").write_text(PLANTING, encoding="utf-8")
    with hosted(folder, [str(folder / "planting.yaml")]) as home:
        yield home


def seats(home: Home) -> list[str]:
    """Links to the seats of a new table."""
    (offer,) = home.offers.all().values()
    return [home.link(token) for token in home.begin(offer.rules.name, ANN, BO)["seats"]]


@pytest.mark.rotating(6)
def test_the_keyboard_begins_at_the_question(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(seats(home)[0])
    first = page.locator("button[data-space='a1']")
    first.wait_for()
    expect(page.get_by_role("heading", name="Where do you plant?")).to_be_focused()
    page.keyboard.press("Tab")
    expect(first).to_be_focused()
    skip = page.get_by_role("button", name="Skip to the question", exact=True)
    skip.press("Enter")
    expect(first).to_be_focused()


@pytest.mark.rotating(6)
def test_the_focus_stays_on_the_board_after_an_answer(home: Home, browser: Browser) -> None:
    ann, bo = Person.at_device(browser), Person.at_device(browser)
    page, other = (person.open(link) for person, link in zip((ann, bo), seats(home), strict=True))
    page.locator("button[data-space='a1']").focus()
    page.keyboard.press("Enter")
    page.locator(".asked:not(.now)").wait_for()
    expect(page.locator("[data-space='a1']")).to_be_focused()
    for key, reached in (("ArrowRight", "b1"), ("ArrowDown", "b2"), ("ArrowLeft", "a2"), ("ArrowUp", "a1")):
        page.keyboard.press(key)
        assert page.evaluate(HAS_FOCUS) == reached
    page.keyboard.press("ArrowDown")
    other.locator("button[data-space='c3']").focus()
    other.keyboard.press("Enter")
    page.locator(".asked.now").wait_for()
    expect(page.locator("button[data-space='a2']")).to_be_focused()  # what could not be taken there before, can be now
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="How deep?").wait_for()  # which is answered elsewhere
    expect(page.get_by_role("button", name="1", exact=True)).to_be_focused()
    assert ann.troubles == bo.troubles == []


@pytest.mark.rotating(2)
def test_a_board_where_nothing_can_be_taken_is_reached_by_keyboard(home: Home, browser: Browser) -> None:
    bo = Person.at_device(browser)
    page = bo.open(seats(home)[1])
    entrance = page.locator(".board [tabindex='0']")
    expect(entrance).to_have_count(1)
    expect(entrance).to_have_attribute("aria-label", "a1")
    entrance.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(HAS_FOCUS) == "b1"


@pytest.mark.rotating(3)
def test_parts_of_the_table_are_one_stop_each(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(seats(home)[0])
    stops = "() => [...document.querySelectorAll('.map [data-space]')].filter(one => one.tabIndex === 0).length"
    expect(page.get_by_role("grid").get_by_role("row")).to_have_count(3)
    page.wait_for_function(f"() => ({stops})() === 1")
    expect(page.get_by_role("heading", name="Where do you plant?")).to_be_focused()
    page.keyboard.press("F6")
    expect(page.locator("button[data-space='a1']")).to_be_focused()
    for key, reached in (("PageDown", "b1"), ("End", "b1"), ("PageUp", "a1"), ("c", "c1"), ("2", "c2")):
        page.keyboard.press(key)
        page.wait_for_function(f"space => ({HAS_FOCUS})() === space", arg=reached)
    assert page.evaluate(stops) == 1
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_text("PageDown").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("[data-space='c2']")).to_be_focused()
    assert ann.troubles == []


DISTANCE = """element => {
  const all = [...document.querySelectorAll("main :is(.offered, .asked .choices button):enabled")];
  const from = document.activeElement, to = all.indexOf(element);
  const next = all.findIndex(one => from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  if (!all.includes(from)) return ((to - Math.max(0, next) + all.length) % all.length) + 1;
  const on = (to - all.indexOf(from) + all.length) % all.length;
  return all.length - on < on ? on - all.length : on;
}"""
"""Script that counts how often PageDown, or else PageUp, has to be pressed to come to an answer."""


NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class CountedKeys:
    """Answers by keyboard, as a practised person gives them.

    pressed: number of keys so far; answers: number of answers, or of parts of them; presses: whether keys are pressed
    and not only counted.
    """

    def __init__(self, presses: bool) -> None:
        self.pressed = self.answers = 0
        self._presses = presses

    def __call__(self, page: Page, answer: Locator) -> None:
        element = answer.element_handle()
        page.evaluate(NEXT_FRAME)  # in which the page sets the focus on what it has drawn
        way = element.evaluate(DISTANCE)
        for _ in range(abs(way) if self._presses else 0):
            page.keyboard.press("PageDown" if way > 0 else "PageUp")
        if not self._presses:
            element.focus()
        assert element.evaluate("element => element === document.activeElement")
        page.keyboard.press("Enter")
        self.pressed += abs(way) + 1
        self.answers += 1


WHOLE = {"classics/four-in-a-row", "classics/mancala"}
"""Games that are played to the end, with every key; in others some answers are given, and their keys are counted."""
PARTLY = (
    *("classics/checkers", "classics/chess", "classics/crazy-eights", "classics/cribbage", "classics/dominoes"),
    *("classics/gin-rummy", "classics/hearts", "classics/hex", "classics/nine-mens-morris", "classics/spades"),
    *("classics/yacht", "wild-cards/2020", "wild-cards/2022"),
)
BEFORE, MOST_ANSWERS = 60, 8


def keys_of_answers(tmp_path: Path, browser: Browser, name: str, is_whole: bool) -> tuple[int, int]:
    """Play a game against the computer, all of it or some answers in its middle.

    Return how many keys were pressed, and how many a list of the answers would take: one for each answer before, one
    for itself and one to take it.
    """
    ann, rng, listed = Person.at_device(browser), random.Random(3), 0
    keys = CountedKeys(is_whole)
    with hosted(tmp_path, [name]) as home:
        (offer,) = home.offers.all().values()
        seats = max(2, offer.rules.edition.seats[0])
        links = home.begin(name, ANN, *[{"player": "random"}] * (seats - 1))
        home.play_on(links["host"], 0 if is_whole else BEFORE)
        page, log = ann.open(home.link(links["seats"][0])), Log(home, links["seats"][0])
        page.locator(".asked.now, .rank").first.wait_for()
        page.keyboard.press("F6")
        ended = page.locator(".rank").first
        while is_whole or keys.answers < MOST_ANSWERS:
            page.locator(".asked.now").or_(ended).first.wait_for()
            log.read()
            if log.game.over:
                break
            decision = log.game.decision(0)
            assert decision is not None
            order, count = [choice.key for choice in decision.choices], log.count
            ann.answer(page, decision, rng, keys)
            log.read()
            answered = next(answer for answer in log.game.history.answers[count:] if answer.seat == 0)
            listed += sum(order.index(key) + 2 for key in answered.keys) + (len(answered.keys) != 1)
    assert ann.troubles == []
    return keys.pressed, listed


@pytest.mark.rotating(12)
@pytest.mark.parametrize("name", [*sorted(WHOLE), *PARTLY])
def test_answers_take_few_keys(tmp_path: Path, browser: Browser, name: str) -> None:
    pressed, listed = keys_of_answers(tmp_path, browser, name, name in WHOLE)
    assert 3 < pressed < 1.5 * listed


TRANSLATOR = """() => {
  const skipped = new Set(["SCRIPT", "STYLE", "TITLE", "FONT"]);
  const wrap = (text) => {
    if (!text.nodeValue.trim() || !text.parentNode || skipped.has(text.parentNode.nodeName)) return;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = text.nodeValue.toUpperCase();
    outer.append(inner);
    text.parentNode.replaceChild(outer, text);
  };
  const translate = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    found.forEach(wrap);
  };
  translate();
  new MutationObserver(translate).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Script that does what a translating browser does: each text becomes another element, whenever it changes."""
ATTEMPTS = 60
VISIBLE_TEXT = "() => document.body.innerText.toUpperCase().replace(/\\s+/g, ' ')"


def become_alike(page: Page, other: Page) -> None:
    """Wait until both show the same. Either may still change, so both are read again and again."""
    for _ in range(ATTEMPTS):
        with contextlib.suppress(PlaywrightTimeout):
            page.wait_for_function(
                f"told => ({VISIBLE_TEXT})() === told", arg=other.evaluate(VISIBLE_TEXT), timeout=PATIENCE / ATTEMPTS
            )
            return
    assert page.evaluate(VISIBLE_TEXT) == other.evaluate(VISIBLE_TEXT)


@pytest.mark.rotating(10)
def test_a_translated_page_shows_the_same(home: Home, browser: Browser) -> None:
    """The page is compared with one of the same seat that is not translated."""
    (link, other) = seats(home)
    ann, same, bo = Person.at_device(browser), Person.at_device(browser), Person.at_device(browser)
    page, plain, at_bo = ann.open(link), same.open(link), bo.open(other)
    page.evaluate(TRANSLATOR)
    turns = [(page, "a1"), (at_bo, "c3"), (plain, "a2"), (at_bo, "c2"), (page, "c1")]
    for index, space in turns:
        index.locator(f"button[data-space='{space}'].offered, button[data-space='{space}']").first.click()
        for view in (page, plain):
            expect(view.locator(f"[data-space='{space}']")).to_have_attribute("aria-label", re.compile("[Ss]eed"))
        become_alike(page, plain)
    assert ann.troubles == same.troubles == bo.troubles == []
