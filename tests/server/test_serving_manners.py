"""Actions at a table besides playing, in a real browser."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browsers import Person
from clocks import TestClock
from rulewright.server.limits import Limits
from screenshots import ANN, BO, CHROMIUM, WILD_CARDS, Home, hosted
from small_games.drawers import DRAWERS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

ROBOT = {"player": "random"}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with hosted(tmp_path, [WILD_CARDS], Limits(hold=600)) as home:
        yield home


@pytest.mark.rotating(6)
def test_an_answer_to_which_the_computer_may_show_a_card_is_taken_back(tmp_path: Path, browser: Browser) -> None:
    edition = tmp_path / "drawers.yaml"
    edition.write_text(DRAWERS, encoding="utf-8")
    with hosted(tmp_path, [str(edition)], Limits(hold=600)) as home:
        ann = Person.at_device(browser)
        page = ann.open(home.link(home.begin(str(edition), ANN, ROBOT)["seats"][0]))
        seven = page.get_by_role("button", name="7", exact=True)
        seven.click()
        going = page.get_by_role("button", name="Go on")
        going.wait_for()
        page.get_by_role("button", name="Take back").click()
        expect(going).to_have_count(0)
        seven.click()
        going.click()
        seven.wait_for()
        expect(going).to_have_count(0)
        assert ann.troubles == []


@pytest.mark.rotating(10)
def test_whoever_began_the_table_lets_the_computer_play_for_somebody(home: Home, browser: Browser) -> None:
    """The host does it from their own seat; no other player gets the offer."""
    links = home.begin(WILD_CARDS, ANN, BO, ROBOT)
    people = ann, bo = Person.at_device(browser), Person.at_device(browser)
    bo.open(home.link(links["seats"][1])).get_by_text("Game menu", exact=True).click()
    page = ann.open(home.link(links["seats"][0], links["host"]))
    page.get_by_text("Game menu", exact=True).click()
    offered = [person.page.locator(".menu").get_by_role("button", name="Let the computer play") for person in people]
    expect(offered[0]).to_have_text(["Let the computer play for me", "Let the computer play for Bo"])
    expect(offered[1]).to_have_text(["Let the computer play for me"])
    offered[0].last.click()
    expect(offered[0]).to_have_text(["Let the computer play for me"])
    bo.page.get_by_role("button", name="I am back").click()
    expect(offered[0]).to_have_text(["Let the computer play for me", "Let the computer play for Bo"])
    assert [person.troubles for person in people] == [[], []]


@pytest.mark.rotating(12)
def test_links_are_in_the_menu_of_a_table_to_which_nobody_is_to_come(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    for other, place in ((BO, "banner"), (ROBOT, "menu")):
        links = home.begin(WILD_CARDS, ANN, other, ROBOT)
        page = ann.open(home.link(links["seats"][0], links["host"]))
        page.get_by_text("Game menu", exact=True).click()
        places = {"banner": page.get_by_role("banner"), "menu": page.get_by_role("complementary")}
        button = page.get_by_role("button", name="Invite links", exact=True)
        expect(button).to_have_count(1)
        expect(places[place].get_by_role("button", name="Invite links", exact=True)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".menu[open]")).to_have_count(0)
    assert ann.troubles == []


@pytest.mark.rotating(10)
def test_two_clocks_run_out_and_both_come_back(tmp_path: Path, browser: Browser) -> None:
    clock = TestClock(time.time())
    with hosted(tmp_path, [WILD_CARDS], clock=clock) as home:
        people = [Person.at_device(browser), Person.at_device(browser)]
        links = home.begin(WILD_CARDS, ANN, BO, {"player": "random"}, clock=900)
        for person, token in zip(people, links["seats"], strict=True):
            page = person.open(home.link(token))
            page.locator(".held").get_by_role("button", name="refill card").wait_for()
            expect(page.locator("time.clock").first).to_have_text(re.compile(r"^1[45]:\d\d$"))
        clock.go(900)
        for person in people:
            person.page.get_by_text("The computer plays for you.").wait_for()
        back = [person.page.get_by_role("button", name="I am back") for person in people]
        for button in back:
            button.click()
        for button in back:
            button.wait_for(state="hidden")
        assert [person.troubles for person in people] == [[], []]


@pytest.mark.rotating(6)
def test_a_game_on_a_board_is_conceded_beside_it_or_in_the_menu_of_a_phone(tmp_path: Path, browser: Browser) -> None:
    with hosted(tmp_path, ["classics/hex-9"]) as home:
        ann = Person.at_device(browser)
        page = ann.open(home.link(home.begin("classics/hex-9", ANN, ROBOT)["seats"][0]))
        expect(page.locator(".side .acts").get_by_text("Concede", exact=True)).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        page.get_by_role("button", name="Menu", exact=True).click()
        buttons = page.locator("#menu .acts")
        buttons.get_by_text("Concede", exact=True).click(timeout=5000)
        buttons.get_by_role("button", name="Yes, I concede").click()
        page.locator("h2.winner").wait_for()
        expect(buttons).to_have_count(0)
        assert ann.troubles == []


@pytest.mark.rotating(5)
def test_who_concedes_ends_the_game_and_takes_the_file_along(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.link(home.begin(WILD_CARDS, ANN, ROBOT, ROBOT)["seats"][0]))
    page.get_by_text("Game menu", exact=True).click()
    with page.expect_download() as fault:
        page.get_by_role("button", name="Report a fault").click()
    data = json.loads(fault.value.path().read_text(encoding="utf-8"))
    assert data["seat"] == 0 and "save" not in data
    page.locator("#rail").get_by_text("Concede", exact=True).click()
    page.get_by_role("button", name="Yes, I concede").click()
    page.locator("h2.winner", has_text="You conceded.").wait_for()
    page.locator(".keeping > details > summary").click()
    page.get_by_text("Game menu", exact=True).click()
    with page.expect_download() as fault:
        page.get_by_role("button", name="Report a fault").click()
    assert "save" in json.loads(fault.value.path().read_text(encoding="utf-8"))
    assert ann.troubles == []
