"""Groups in a real browser: more friends than seats, attendance, a rematch with the same people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsers import Person, against_the_rules
from game_servers import guessing
from rulewright.server import tokens
from rulewright.server.limits import Limits
from screenshots import ANN, BO, CHROMIUM, CY, FRIEND, WILD_CARDS, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("tables")
    with hosted(folder, [guessing(folder), WILD_CARDS]) as home:
        yield home


@pytest.mark.rotating(12)
def test_more_friends_than_seats(home: Home, browser: Browser) -> None:
    """One link for all: they read what the game is about, sit down as they come, and the last one watches."""
    links = home.begin(WILD_CARDS, ANN, FRIEND, FRIEND, clock=3 * 86_400)
    ann, bo, cy, dan = (Person.at_device(browser, language) for language in ("en", "en", "de", "nl"))
    page = ann.open(home.link(*links["seats"], links["host"]))
    group = page.get_by_label("One link for all").input_value()
    assert group == home.link(tokens.group(links["host"]))
    expect(page.get_by_text(ann.words["only here"])).to_be_visible()
    expect(page.get_by_role("img", name=ann.words["qr code"])).to_have_count(0)  # a telephone would not get there
    late = dan.open(group)
    page = bo.open(group)
    expect(page.get_by_role("heading", name=re.compile("Ann.? invites you to .?Wild Cards 2022"))).to_be_visible()
    expect(page.get_by_text("30–45 min")).to_be_visible()
    expect(page.get_by_text("Six species need a home.")).to_be_visible()
    expect(page.get_by_text("Time for each move: 3 days")).to_contain_text("the computer plays for them")
    bo.sit(group, "Bo")
    expect(late.get_by_role("region", name=dan.words["seats"])).to_contain_text("Bo")
    cy.sit(group, "Cy")
    for person in (bo, cy):
        person.question(person.pages[-1]).wait_for()
    expect(late.get_by_text(dan.words["all seated"])).to_be_visible()
    expect(late.get_by_text(dan.words["watching"]).last).to_be_attached()
    page = bo.open(group)  # on the same device it leads back to the seat
    bo.question(page).wait_for()
    expect(page.get_by_role("button", name="refill card")).to_be_visible()
    assert [person.troubles for person in (ann, bo, cy, dan)] == [[], [], [], []]


@pytest.mark.rotating(5)
def test_two_people_at_one_device_use_one_link(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, FRIEND, FRIEND)
    bo = Person.at_device(browser)
    bo.sit(home.link(tokens.group(links["host"])), "Bo")
    bo.page.get_by_role("button", name="Somebody else at this device").click()
    bo.page.get_by_label("Your name").fill("Cy")
    bo.page.get_by_role("button", name="Sit down", exact=True).click()
    tabs = bo.page.locator("nav.tabs").get_by_role("button")
    expect(tabs).to_have_count(2)
    for name in ("Bo", "Cy"):
        tabs.filter(has_text=name).click()
        bo.page.locator(".handover button").click()
        bo.question(bo.page).wait_for()
    assert bo.troubles == []


@pytest.mark.rotating(2)
@pytest.mark.parametrize("sharing", [True, False])
def test_phones_share_a_link_by_their_own_means(home: Home, browser: Browser, sharing: bool) -> None:
    links = home.begin(WILD_CARDS, ANN, FRIEND)
    ann = Person.at_device(browser)
    script = "navigator.canShare = () => true; navigator.share = async (given) => { window.given = given; };"
    ann.context.add_init_script(
        script if sharing else "delete Navigator.prototype.share; navigator.canShare = undefined;"
    )
    page = ann.open(home.link(links["host"]))
    page.get_by_label("One link for all").wait_for()
    button = page.get_by_role("button", name="Send …")
    expect(button).to_have_count(int(sharing))
    if sharing:
        button.click()
        value = page.evaluate("window.given")
        assert value == {"title": "Wild Cards 2022", "url": home.link(tokens.group(links["host"]))}
    assert ann.troubles == []


def played_out(home: Home, *seats: Mapping[str, str]) -> dict[str, Any]:
    links = home.begin(WILD_CARDS, *seats)
    home.play_on(links["host"], 10_000)
    return links


def rematch(person: Person, page: Page, button: str) -> None:
    page.get_by_role("button", name=person.words[button]).click()


@pytest.mark.rotating(12)
def test_again_with_the_same_people_across_three_windows(home: Home, browser: Browser) -> None:
    start = played_out(home, ANN, BO, CY)
    links = start["seats"]
    onlooker = Person.at_device(browser, "nl")
    watching = onlooker.open(home.link(tokens.watch(start["host"])))
    people = [Person.at_device(browser, language) for language in ("en", "de", "it")]
    pages = [person.open(home.link(token)) for person, token in zip(people, links, strict=True)]
    for person, page in zip(people, pages, strict=True):
        page.get_by_role("button", name=person.words["rematch"]).wait_for()
    rematch(people[1], pages[1], "rematch")
    expect(pages[1].get_by_text(people[1].words["rematch is told"])).to_be_visible()
    expect(pages[1].get_by_role("region", name=people[1].words["seats"])).to_contain_text("Ann ist eingeladen")
    assert against_the_rules(pages[1]) == []
    invited = pages[0].get_by_role("status").filter(has_text=re.compile("Bo.? would like to play again"))
    expect(invited).to_be_visible()
    assert against_the_rules(pages[0]) == []
    for number in (0, 2):
        rematch(people[number], pages[number], "join rematch")
    rematch(onlooker, watching, "watch there")
    for person, page in zip(people, pages, strict=True):
        person.question(page).get_by_role("heading").first.wait_for()
        strip = page.get_by_role("region", name=person.words["players"], exact=True)
        expect(strip.locator(".seat-name")).to_have_text(["Bo", "Cy", "Ann"])
    expect(watching.locator(".players .seat-name")).to_have_text(["Bo", "Cy", "Ann"])
    expect(watching.get_by_text(onlooker.words["watching"]).last).to_be_attached()
    pages[0].go_back()
    rematch(people[0], pages[0], "join rematch")  # leads to the same seat once more
    people[0].question(pages[0]).get_by_role("heading").first.wait_for()
    assert [person.troubles for person in (*people, onlooker)] == [[], [], [], []]


@pytest.mark.rotating(5)
def test_again_for_two_people_at_one_device(home: Home, browser: Browser) -> None:
    links = played_out(home, ANN, BO, {"player": "greedy"})
    ann = Person.at_device(browser)
    page = ann.open(home.link(*links["seats"], links["host"]))
    rematch(ann, page, "rematch")
    page.locator(".handover button").click()
    ann.question(page).get_by_role("heading").first.wait_for()
    tabs = page.locator("nav.tabs").get_by_role("button")
    expect(tabs).to_have_text([re.compile("^Ann"), re.compile("^Bo")])
    names = page.get_by_role("region", name=ann.words["players"], exact=True).locator(".seat-name")
    expect(names).to_have_text(["Bo", "Ada", "Ann"])
    assert ann.troubles == []


@pytest.mark.rotating(10)
def test_a_dot_says_who_is_there(tmp_path: Path, browser: Browser) -> None:
    with hosted(tmp_path, [WILD_CARDS], Limits(absence=0.1)) as home:
        links = home.begin(WILD_CARDS, ANN, BO, {"player": "greedy"})
        ann, bo = Person.at_device(browser), Person.at_device(browser)
        page = ann.open(home.link(links["seats"][0]))
        strip = page.get_by_role("region", name=ann.words["players"], exact=True)
        own, other, computer = (strip.locator(f"[data-seat='{seat}'] .attendance") for seat in range(3))
        expect(own).to_have_attribute("title", ann.words["there"])
        expect(other).to_have_attribute("title", ann.words["away"])
        expect(computer).to_have_count(0)
        left = bo.open(home.link(links["seats"][1]))
        expect(other).to_have_attribute("title", ann.words["there"])
        assert bo.troubles == []  # what a closing page gives back, Chromium calls forbidden: it is not counted
        left.close()
        expect(other).to_have_attribute("title", re.compile(r"^not here since \d+:\d\d"))
        assert against_the_rules(page, ".players") == []
        assert ann.troubles == []
