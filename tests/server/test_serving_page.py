"""The page in a real browser, from the first click to the result: by mouse, and by keyboard alone."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browsers import Log, Person, by_keyboard, focused
from game_servers import guessing
from rulewright.model.editions import available
from rulewright.players import KINDS
from rulewright.server.network.websocket_connection import ALIVE_MESSAGE
from rulewright.server.web import pages
from screenshots import ANN, BO, CHROMIUM, CY, WILD_CARDS, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("tables")
    with hosted(folder, [guessing(folder), WILD_CARDS]) as home:
        yield home


def played(log: Log, people: list[Person], rng: random.Random) -> None:
    """Play to the end, each player on their own device."""
    while not log.game.over:
        seat, _ = rng.choice(log.game.pending.ids)
        decision = log.game.decision(seat, people[seat].language)
        assert decision is not None
        people[seat].answer(people[seat].page, decision, rng)
        log.read()


def ranking(person: Person, page: Page) -> list[str]:
    """Return the names in the table of the result."""
    result = page.get_by_role("group", name=person.words["result"], exact=True).get_by_role("table")
    result.wait_for()
    return result.get_by_role("columnheader").locator(".scored-seat").all_text_contents()


@pytest.mark.rotating(6)
def test_page_does_not_wait_for_a_server_that_stands_still(home: Home, browser: Browser) -> None:
    """The server's kernel still answers, and so does a proxy in front. A server without heartbeats is an older one."""
    ann, lines = Person.at_device(browser), list[WebSocketRoute]()

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        server = line.connect_to_server()
        if len(lines) == 1:
            server.on_message(lambda message: None if message == ALIVE_MESSAGE.decode() else line.send(message))

    ann.context.route_web_socket(re.compile("/play"), connect)
    ann.context.clock.install(time=0)
    links = home.begin(WILD_CARDS, ANN, BO)
    page = ann.open(home.link(links["seats"][0]))
    ann.question(page).wait_for()
    for view in (False, True):
        if view:
            lines[0].send(ALIVE_MESSAGE.decode())
        text = f"Shown: {view}."
        lines[0].send(json.dumps({"type": "refused", "text": text}))
        page.get_by_text(text).wait_for()
        page.clock.fast_forward(45_000)
        if not view:
            page.get_by_text(text).wait_for(state="hidden")  # it has been there for long enough
            assert len(lines) == 1 and not page.get_by_text(ann.words["lost"]).is_visible()
    page.get_by_text(ann.words["lost"]).wait_for()
    page.get_by_text(ann.words["lost"]).wait_for(state="hidden")
    log = Log(home, links["host"])
    decision = log.game.decision(0)
    assert decision is not None
    ann.answer(page, decision, random.Random(1))
    assert log.read() == 1 and len(lines) == 2 and ann.troubles == []


@pytest.mark.rotating(4)
def test_page_says_when_the_server_has_forgotten_an_answer(home: Home, browser: Browser) -> None:
    """The server was started again with an older copy, and does not know of any other."""
    ann, lines, copy = Person.at_device(browser), list[WebSocketRoute](), list[str]()

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) > 1:
            for text in before:
                line.send(text)
            return
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            copy.append(str(message))
            line.send(message)

        server.on_message(pass_on)

    ann.context.route_web_socket(re.compile("/play"), connect)
    links = home.begin(WILD_CARDS, ANN, BO)
    page = ann.open(home.link(links["seats"][0]))
    ann.question(page).wait_for()
    before, log = list(copy), Log(home, links["host"])
    decision = log.game.decision(0)
    assert decision is not None
    ann.answer(page, decision, random.Random(1))
    while not any('"kept"' in told for told in copy):
        page.evaluate("0")  # what comes is passed on meanwhile
    lines[0].close()
    page.get_by_text(ann.words["older copy"]).wait_for()
    ann.wait_for_question(page, decision)
    assert ann.troubles == []


@pytest.mark.rotating(10)
def test_two_people_play_a_game_from_the_link_to_the_result(home: Home, browser: Browser) -> None:
    ann, bo = Person.at_device(browser, "en"), Person.at_device(browser, "de")
    page = ann.open(home.address)
    page.get_by_role("button", name="Guessing").click()
    page.get_by_role("group", name="Seats").get_by_label("Your name").fill("Ann")
    while page.get_by_role("button", name="Remove seat 3").count():
        page.get_by_role("button", name="Remove seat 3").click()
    page.get_by_role("group", name="You play").get_by_label("first").check()
    page.get_by_role("button", name="Invite friends").click()
    bo.sit(page.get_by_label("A seat 2").input_value(), "Bo")
    bo.question(bo.page).wait_for()
    log = Log(home, page.url.partition("#")[2].split(",")[0])
    played(log, [ann, bo], random.Random(1))
    for person in (ann, bo):
        assert sorted(ranking(person, person.page)) == ["Ann", "Bo"]
        expect(person.page.locator("html")).to_have_attribute("lang", person.language)
        assert person.troubles == []


SIZED = [name for name in available() if name.startswith(("classics/go", "classics/hex"))]
"""Editions whose boards come in several sizes, which are listed under one cover."""


@pytest.mark.rotating(6)
def test_the_shelf_is_never_wider_than_a_phone(tmp_path: Path, browser: Browser) -> None:
    """Nor is a choice of games: one takes another to play at once."""
    with hosted(tmp_path, [*SIZED, WILD_CARDS, "wild-cards/2020", "classics/nine-mens-morris"]) as home:
        for width, language in ((360, "de"), (390, "en")):
            person = Person.at_device(browser, language)
            page = person.open(home.address)
            page.set_viewport_size({"width": width, "height": 844})
            page.locator(".finder").wait_for(timeout=5000)
            assert page.locator(".sized .variant").count() == len(SIZED)
            assert page.evaluate("document.documentElement.scrollWidth") == width
        page.locator("select.title").select_option("Go 13 × 13")
        assert "classics/go-13" in page.locator("select.title").input_value()
        assert person.troubles == []


@pytest.mark.rotating(2)
def test_back_and_forward_lead_to_the_games_and_to_the_game_again(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.address)
    page.get_by_role("button", name="Guessing").click()
    begin = page.get_by_role("button", name="Begin", exact=True)
    begin.wait_for()
    page.go_back()
    page.get_by_role("heading", name=ann.words["which game"]).wait_for()
    page.go_forward()
    begin.wait_for()
    expect(page.get_by_role("heading", name="Guessing")).to_be_visible()
    assert ann.troubles == []


@pytest.mark.rotating(2)
def test_stranger_with_a_wrong_link_sees_nothing(home: Home, browser: Browser) -> None:
    page = Person.at_device(browser).open(home.link("nonsense"))
    page.get_by_role("main").filter(has_text="This link leads nowhere.").wait_for()
    assert page.title() == "Rulewright"


@pytest.mark.rotating(4)
def test_a_list_of_games_that_does_not_come_can_be_asked_for_again(home: Home, browser: Browser) -> None:
    page = Person.at_device(browser).context.new_page()
    page.route(re.compile(r"/editions\?"), lambda route: route.abort())
    page.goto(home.address)
    page.get_by_role("alert").filter(has_text="The games could not be loaded.").wait_for()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Wild Cards").first.wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.rotating(10)
def test_lost_link_is_replaced_on_the_page(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO)
    host, lost, result = (Person.at_device(browser) for _ in range(3))
    page = host.open(home.link(links["host"]))
    lost.question(lost.open(home.link(links["seats"][1]))).wait_for()
    page.get_by_text("Somebody has lost their link").click()
    page.get_by_role("button", name="A new link: Bo").click()
    lost.page.get_by_text("This seat has another link now.").wait_for()
    result.question(result.open(page.get_by_role("textbox", name="Bo", exact=True).input_value())).wait_for()
    assert host.troubles == lost.troubles == result.troubles == []


@pytest.mark.rotating(10)
@pytest.mark.parametrize(
    ("title", "most"), [("Guessing", None), ("Wild Cards", 2), pytest.param("Wild Cards", None, marks=pytest.mark.long)]
)
def test_a_game_by_keyboard_alone(
    home: Home, browser: Browser, monkeypatch: pytest.MonkeyPatch, title: str, most: int | None
) -> None:
    """Play against bots from the first page on. most: stop after a number of answers; None for the whole game."""
    monkeypatch.setattr(pages, "LEVELS", KINDS)  # with players that take no time
    ann, rng = Person.at_device(browser), random.Random(2)
    page = ann.open(home.address)
    by_keyboard(page, page.get_by_role("button", name=title))
    page.get_by_role("button", name="Begin", exact=True).wait_for()  # the first page has a field for a name, too
    focused(page, page.get_by_label("Your name"))
    page.keyboard.type("Ann")
    for number in range(2, page.get_by_label("Who sits here").count() + 1):
        focused(page, page.get_by_label(f"{number}. Who sits here"))
        for _ in KINDS[KINDS.index("random") : KINDS.index("medium")]:
            page.keyboard.press("ArrowUp")
        expect(page.get_by_label(f"{number}. Who sits here")).to_have_value("random")
    by_keyboard(page, page.get_by_role("button", name="Begin", exact=True))
    mine = page.locator(".asked.now").get_by_role("heading")
    ended = page.get_by_role("rowheader", name="Total")
    mine.or_(ended).first.wait_for()
    log = Log(home, page.url.partition("#")[2].split(",")[0])
    for argument in itertools.count():
        mine.or_(ended).first.wait_for()
        log.read()
        if log.game.over or argument == most:
            break
        decision = log.game.decision(0)
        assert decision is not None
        ann.answer(page, decision, rng, by_keyboard)
    if most is None:
        assert "Ann" in ranking(ann, page)
    assert ann.troubles == []


@pytest.mark.rotating(4)
def test_a_hand_is_sorted_and_equal_cards_lie_together(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.link(home.begin(WILD_CARDS, ANN, BO, CY)["seats"][0]))
    ann.question(page).wait_for()
    hand = page.locator(".held [data-piece]").evaluate_all("cards => cards.map((card) => card.dataset.piece)")
    order = [f"{habitat} {value}" for habitat in ("forest", "savannah", "mountain", "wild") for value in range(1, 5)]
    views = [card for card in hand if card != "refill card"]
    assert len(views) > 3 and views == [card for card in order if card in views]


@pytest.mark.rotating(4)
def test_the_strip_of_players_stays_in_view(home: Home, browser: Browser) -> None:
    """Bids and how large a hand is, around the table: while one is asked, without scrolling."""
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], 9)
    ann = Person.at_device(browser)
    page = ann.open(home.link(links["seats"][0]))
    page.set_viewport_size({"width": 1440, "height": 900})
    log = Log(home, links["host"])
    log.read()
    strip = page.get_by_role("region", name="Players", exact=True)
    for seat in (1, 2):
        own = strip.locator(f"[data-seat='{seat}']")
        hand = log.game.view(None).zone("hand", seat)
        expect(own.get_by_role("group", name="Hand", exact=True)).to_have_text(re.compile(rf"^{hand.count} cards?\b"))
    for seat, player in enumerate(log.names):
        before = page.get_by_role("region", name="Table", exact=True).get_by_role("group", name=player, exact=True)
        for name in log.game.view(None).zone("bid", seat).pieces or ():
            expect(before.get_by_role("button", name=name, exact=True)).to_be_in_viewport()
    assert ann.troubles == []


IN_A_PLATE = """plate => [...plate.querySelectorAll(".who > :not(.mark), .who > .points > *, .sum > *")].map((one) => {
  const { left, top, width } = one.getBoundingClientRect();
  return [one.className, left, top, width].join(" ");
})"""


@pytest.mark.rotating(10)
def test_a_sealed_answer_is_visible_to_its_seat_alone(home: Home, browser: Browser) -> None:
    ann, bo = Person.at_device(browser), Person.at_device(browser)
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    page, other = ann.open(home.link(links["seats"][0])), bo.open(home.link(links["seats"][1]))
    before, plate = other.locator(".player.awaited[data-seat='0']"), other.locator("[data-seat='0'] .plate")
    before.wait_for()
    places = plate.evaluate(IN_A_PLATE)
    page.locator(".held").get_by_role("button", name="refill card").click()
    mine = page.locator(".offer.mine").get_by_role("button", name="refill card")
    expect(mine).to_be_visible()
    expect(other.locator("[data-seat='0'] .mark")).to_contain_text("ready")
    expect(before).to_have_count(0)
    assert len(places) > 3 and plate.evaluate(IN_A_PLATE) == places, "nothing in a plate moves with the turn"
    expect(other.locator(".offer.seat-0 .laid .picture")).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    expect(mine).to_have_count(0)
    expect(ann.question(page)).to_contain_text("Place your bid")


LOW_LOG = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".log .lines { max-height: 3rem !important } .log li { min-height: 20rem }");
  document.adoptedStyleSheets.push(sheet);
}"""
"""One line is more than it shows."""


@pytest.mark.rotating(10)
def test_the_log_ends_with_what_came_last_unless_somebody_reads_further_up(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, {"player": "random"}, {"player": "random"})
    home.play_on(links["host"], 8)
    log, ann = Log(home, links["host"]), Person.at_device(browser)
    page = ann.open(home.link(links["seats"][0]))
    lines = page.locator(".log .lines")

    def below() -> float:
        return float(lines.evaluate("list => list.scrollHeight - list.scrollTop - list.clientHeight"))

    def on(answers: int) -> None:
        """The others answer in between."""
        for _ in range(answers):
            page.locator(".asked.now").wait_for()
            log.read()
            decision = log.game.decision(0)
            assert decision is not None
            ann.answer(page, decision, random.Random(3))

    rows = lines.locator("li")
    ann.question(page).wait_for()
    page.evaluate(LOW_LOG)
    on(3)
    assert rows.count() > 10 and below() < 2
    lines.evaluate("list => { list.style.height = '1.5rem'; }")  # as when a question takes the room
    on(1)
    assert below() < 2
    lines.evaluate("list => { list.style.height = ''; list.scrollTop = 0; }")
    page.wait_for_function("() => !document.querySelector('.log .lines').following")
    on(2)
    assert lines.evaluate("list => list.scrollTop") == 0


@pytest.mark.rotating(10)
def test_the_page_that_begins_a_game_has_an_address_and_a_choice_of_sides(home: Home, browser: Browser) -> None:
    """A person without a name plays as a guest, on the side that they chose."""
    ann = Person.at_device(browser)
    page = ann.open(home.address)
    page.get_by_role("button", name="Guessing").click()
    page.get_by_role("button", name="Begin", exact=True).wait_for()
    other = ann.open(page.url)
    other.get_by_role("heading", name="Guessing").wait_for()
    while (third := other.get_by_role("button", name="Remove seat 3")).count():
        third.click()
    other.get_by_role("radio", name=ann.words["second seat"]).check()
    other.get_by_role("button", name="Begin", exact=True).click()
    guest = other.locator("[data-seat='1']").get_by_role("button", name=ann.words["guest"])
    guest.wait_for()
    assert page.url.endswith("/games/guessing.yaml") and ann.troubles == []
