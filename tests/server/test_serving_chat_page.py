"""People who talk at a table, in real browsers: each in their own language, unless they would rather not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsers import Person, against_the_rules
from screenshots import ANN, BO, CHROMIUM, FRIEND, WILD_CARDS, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

MARKUP = "<img src=x onerror=document.title='gone'>"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS]) as home:
        yield home


def panel(person: Person, page: Page) -> Locator:
    """The messages, opened if they were not."""
    element = page.locator("details.chat")
    if not element.evaluate("panel => panel.open"):
        element.locator("> summary").click()
    return element


def say(person: Person, page: Page, text: str) -> None:
    panel(person, page).get_by_label(person.words["your message"]).fill(text)
    panel(person, page).get_by_role("button", name=person.words["send"], exact=True).click()


@pytest.mark.rotating(12)
def test_two_people_talk_in_two_languages(home: Home, browser: Browser) -> None:
    """Somebody says something, is muted, and at last the host has enough."""
    links = home.begin(WILD_CARDS, ANN, BO)
    ann, bo = Person.at_device(browser), Person.at_device(browser, "de")
    at_ann, at_bo = ann.open(home.link(links["seats"][0], links["host"])), bo.open(home.link(links["seats"][1]))
    at_ann.set_viewport_size({"width": 390, "height": 844})
    panel(ann, at_ann).get_by_role("button", name="Well played!").click()
    bubble = at_bo.locator("[data-seat='0'] .bubble")
    expect(bubble).to_have_text("Gut gespielt!")
    text = at_bo.locator("#head [aria-live=polite]")
    expect(text).to_have_text("Ann: Gut gespielt!")
    expect(at_bo.locator("details.chat > summary")).to_contain_text("Nachrichten (1)")
    say(bo, at_bo, MARKUP)
    expect(panel(ann, at_ann).locator("ol.said")).to_contain_text(MARKUP)
    expect(at_ann.locator("[data-seat='1'] .bubble")).to_have_text(MARKUP)
    assert at_ann.evaluate("document.documentElement.scrollWidth") <= 390
    covered = panel(ann, at_ann).locator("> .panel").bounding_box()
    question = ann.question(at_ann).bounding_box()
    assert covered and question and covered["y"] + covered["height"] <= question["y"]
    for button in panel(ann, at_ann).locator("button:visible, input:visible").all():
        box = button.bounding_box()
        assert box and box["height"] >= 43.9 and box["width"] >= 43.9
    for page in (at_ann, at_bo):
        assert against_the_rules(page, "details.chat, .bubble") == []

    panel(ann, at_ann).get_by_text(ann.words["mute"], exact=True).click()
    panel(ann, at_ann).get_by_role("button", name=ann.words["mute one"].format(name="\u2068Bo\u2069")).click()
    expect(panel(ann, at_ann).locator("ol.said")).not_to_contain_text(MARKUP)
    say(bo, at_bo, "Hört mich jemand?")
    expect(panel(bo, at_bo).locator("ol.said")).to_contain_text("Hört mich jemand?")
    at_ann.reload()
    expect(panel(ann, at_ann).locator("ol.said")).to_contain_text("Well played!")
    expect(at_ann.locator("body")).not_to_contain_text("Hört mich jemand?")

    panel(ann, at_ann).get_by_role("button", name=ann.words["turn messages off"]).click()
    expect(at_bo.locator("details.chat")).to_have_count(0)
    panel(ann, at_ann).get_by_role("button", name=ann.words["allow messages"]).click()
    expect(panel(bo, at_bo).locator("ol.said")).to_contain_text("Hört mich jemand?")
    assert ann.troubles == bo.troubles == []


@pytest.mark.rotating(12)
def test_friends_talk_while_they_wait_and_onlookers_read(home: Home, browser: Browser) -> None:
    """Players talk until the host stops waiting and bots take the empty seats."""
    links = home.begin(WILD_CARDS, ANN, FRIEND, FRIEND)
    ann, bo = Person.at_device(browser), Person.at_device(browser, "nl")
    page = ann.open(home.link(*links["seats"], links["host"]))
    group = page.get_by_label(ann.words["link for all"]).input_value()
    late = bo.open(group)
    expect(late.locator(".sitting")).to_be_visible()  # what is said before somebody is there stands in the panel alone
    say(ann, page, "Come in!")
    expect(late.locator(".sitting .bubble")).to_have_text("Come in!")
    expect(panel(bo, late)).to_contain_text(bo.words["only players say"])
    expect(panel(bo, late).locator("form")).to_have_count(0)
    assert against_the_rules(late) == []
    page.get_by_role("button", name=ann.words["fill seats"]).click()
    ann.question(page).get_by_role("heading").first.wait_for()
    expect(late.get_by_text(bo.words["watching"]).last).to_be_attached()
    assert ann.troubles == bo.troubles == []


@pytest.mark.rotating(3)
def test_a_single_player_has_no_chat(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.link(*home.begin(WILD_CARDS, ANN, {"player": "greedy"})["seats"]))
    ann.question(page).get_by_role("heading").first.wait_for()
    expect(page.locator("details.chat")).to_have_count(0)


@pytest.mark.rotating(10)
def test_a_draft_stays_while_others_play(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO)
    ann, bo = Person.at_device(browser), Person.at_device(browser)
    at_ann, at_bo = (person.open(home.link(link)) for person, link in zip((ann, bo), links["seats"], strict=True))
    field = panel(ann, at_ann).get_by_label(ann.words["your message"])
    field.click()
    at_ann.keyboard.type("Well pl")
    say(bo, at_bo, "Hello!")
    expect(panel(ann, at_ann).locator("ol.said")).to_contain_text("Hello!")
    at_ann.set_viewport_size({"width": 390, "height": 500})  # as a keyboard on a phone does
    at_ann.keyboard.type("ayed")
    expect(field).to_be_focused()
    expect(field).to_have_value("Well played")
    assert ann.troubles == bo.troubles == []
