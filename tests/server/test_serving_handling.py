"""Pieces in the hand: picked, put back and exchanged for another one, on a board in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browsers import Log, Person, complete
from screenshots import ANN, BO, CHROMIUM, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

SLIDING = """\
rulewright: 1
title: Sliding
players: 2
boards: {lane: {of: spot, size: 6 by 2, columns: column}}
pieces: {stone: {copies: 4, starts in: bag}}
zones: {bag: {seen by: all}, ground: {of: spot, seen by: all, at most: 1}}
setup: {do: [each spots where column is at most 2 as spot: move first 1 of bag to spot's ground]}
phases:
  slide:
    do:
      - each seat:
          - choose 1 from spots where ground is not empty as start: {ask: Which stone?}
          - choose 1 from spots where ground is empty as goal: {ask: Where to?}
          - move start's ground to goal's ground
          - log: "{seat} slid from {start} to {goal}."
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "sliding.yaml").write_text(SLIDING, encoding="utf-8")
    with hosted(folder, [str(folder / "sliding.yaml")]) as home:
        yield home


def opened(home: Home, person: Person) -> Page:
    (offer,) = home.offers.all().values()
    page = person.open(home.link(home.begin(offer.rules.name, ANN, BO)["seats"][0]))
    attend_drags(page)
    return page


def attend_drags(page: Page) -> None:
    """Wait for what comes after the first view, such as settings and what drags pieces."""
    page.locator(".settings.drop").wait_for(state="attached")


@pytest.mark.rotating(5)
def test_a_click_picks_another_stone_instead(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = opened(home, ann)
    picked = page.locator(".space.picked")
    page.locator("[data-space=a1]").click()
    expect(picked).to_have_attribute("data-space", "a1")
    page.locator("[data-space=b2]").click()
    expect(picked).to_have_attribute("data-space", "b2")
    picked.click()
    expect(picked).to_have_count(0)
    page.locator("[data-space=b1]").click()
    expect(picked).to_have_attribute("data-space", "b1")
    page.keyboard.press("Escape")
    expect(page.locator(".space.offered")).to_have_count(4)
    page.locator("[data-space=a2]").click()
    expect(picked).to_have_attribute("data-space", "a2")
    page.locator("[data-space=f1]").click()
    page.get_by_role("log").get_by_text("slid from a2 to f1").first.wait_for()
    assert ann.troubles == []


@pytest.mark.rotating(6)
@pytest.mark.parametrize(("thing", "logged"), [(".bay:not(.rim) .lies.gives", "rolled"), (".rim .gives", "2×")])
def test_a_click_on_what_an_entry_moves_gives_it(tmp_path: Path, browser: Browser, thing: str, logged: str) -> None:
    """Dice are rolled by a click on them, where the question is a menu; the cube is turned by one."""
    with hosted(tmp_path, ["classics/backgammon"]) as home:
        links = home.begin("classics/backgammon", ANN, BO, options={"match": "three points"})
        game = home.play_on(
            links["host"],
            400,
            until=lambda game: {one.key for one in game.decisions()[0].choices} == {"roll", "double"},
        )
        page = Person.at_device(browser).open(home.link(links["seats"][game.decisions()[0].seat]))
        page.locator(thing).first.click()
        expect(page.get_by_text(logged).first).to_be_attached()


def middle(page: Page, space: str) -> tuple[float, float]:
    box = page.locator(f"[data-space={space}]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: str, *stops: tuple[float, float]) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    for stop in stops:
        page.mouse.move(*stop, steps=3)
    page.mouse.up()


@pytest.mark.rotating(3)
def test_any_space_of_a_column_answers_for_it(tmp_path: Path, browser: Browser) -> None:
    ann = Person.at_device(browser)
    with hosted(tmp_path, ["classics/four-in-a-row"]) as home:
        page = opened(home, ann)
        assert page.locator(".ghost").count() == 0  # nor on hundreds of spaces of other boards
        page.locator("[data-space=d4].along").hover()
        expect(page.locator("[data-ghost]:has(> .ghost)")).to_have_attribute("data-space", "d1")
        page.locator("[data-space=d4]").click()
        expect(page.locator("[data-space=d1] .man")).to_have_count(1)
        expect(page.locator("[data-ghost] .ghost")).to_have_count(0)
    assert ann.troubles == []


RING_IN_THE_SKY = """() => {
  const shell = document.createElement("div");
  shell.className = "space came flown";
  document.body.append(shell);
  return getComputedStyle(shell, "::after").content;
}"""
"""Script that returns what a mark draws of a space that was copied around a flying piece, as large as the window."""


@pytest.mark.rotating(6)
def test_plates_turn_with_the_board(home: Home, browser: Browser) -> None:
    page = opened(home, Person.at_device(browser))
    places = "() => [...document.querySelectorAll('.player')].map((one) => one.style.left + one.style.top)"
    turn = page.get_by_role("button", name="Turn the board", exact=True)
    expect(turn).to_be_visible()
    before = page.evaluate(places)
    turn.click()
    assert page.evaluate(places) == before[::-1]
    turn.click()
    assert page.evaluate(places) == before


@pytest.mark.rotating(3)
def test_a_stone_is_dragged_to_where_it_goes(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = opened(home, ann)
    assert page.evaluate(RING_IN_THE_SKY) == "none"
    drag(page, "a1", middle(page, "f2"), (5, 200))
    expect(page.locator("#dragged, .space.picked, [data-dragged]")).to_have_count(0)
    expect(page.locator(".space.offered")).to_have_count(4)
    page.locator("[data-space=a1]").click()
    expect(page.locator(".space.picked")).to_have_attribute("data-space", "a1")
    drag(page, "b2", middle(page, "f2"))  # another stone than the one that was picked
    expect(page.locator("[data-space=f2] .man")).to_have_count(1)
    expect(page.locator("[data-space=b2] .man")).to_have_count(0)
    assert ann.troubles == []


@pytest.mark.rotating(6)
def test_a_stone_is_dragged_while_another_pick_is_on_its_way(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    late, is_holding = list[Callable[[], None]](), False

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: late.append(lambda: socket.send(text)) if is_holding else socket.send(text))

    ann.context.route_web_socket("**/play/**", hold)
    page = opened(home, ann)
    is_holding = True
    page.locator("[data-space=a1]").click()
    expect(page.locator(".space.picked")).to_have_attribute("data-space", "a1")
    drag(page, "b2", middle(page, "f2"))
    is_holding = False
    for send in late:
        send()
    expect(page.locator("[data-space=f2] .man")).to_have_count(1)
    expect(page.locator("[data-space=b2] .man")).to_have_count(0)
    assert late and ann.troubles == []


@pytest.mark.rotating(6)
def test_cards_of_a_hand_are_moved_while_nothing_can_be_done(tmp_path: Path, browser: Browser) -> None:
    ann = Person.at_device(browser)
    seats = [{"player": "here", "name": name} for name in ("Ann", "Bo", "Cy", "Di")]
    with hosted(tmp_path, ["classics/hearts"]) as home:
        links = home.begin("classics/hearts", *seats)
        game = home.play_on(links["host"], 4)
        waiting = next(seat for seat in range(4) if seat != game.pending.ids[0][0])
        page = ann.open(home.link(links["seats"][waiting]))
        complete(page)
        cards = page.locator(".held .fan > .laid")
        expect(cards.last).to_be_visible()
        attend_drags(page)
        first, *others = names = [card.get_attribute("data-piece") for card in cards.all()]
        boxes = [card.bounding_box() for card in cards.all()]
        for place, move in ((0, page.mouse.down), (3, page.mouse.up)):
            box = boxes[place]
            assert box is not None
            page.mouse.move(box["x"] + 12, box["y"] + 40, steps=3)
            move()
        expect(cards.nth(3)).to_have_attribute("data-piece", first or "")
        moved = [*others[:3], first, *others[3:]]
        assert [card.get_attribute("data-piece") for card in cards.all()] == moved != names
    assert ann.troubles == []


@pytest.mark.rotating(4)
def test_a_finger_drags_a_stone(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = opened(home, ann)
    page.set_viewport_size({"width": 600, "height": 800})
    page.locator(".stage:not(.phone), .stage.phone").wait_for()
    client = page.context.new_cdp_session(page)
    (x, y), (u, v) = middle(page, "a1"), middle(page, "d1")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for part in range(1, 6):
        touch("touchMove", (x + (u - x) * part / 5, y + (v - y) * part / 5))
    touch("touchEnd")
    expect(page.locator("[data-space=d1] .man")).to_have_count(1)
    assert page.evaluate("() => [scrollX, scrollY, getSelection().toString()]") == [0, 0, ""]


@pytest.mark.rotating(10)
def test_moves_wait_to_be_confirmed_where_somebody_wants_that(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = opened(home, ann)
    page.locator("details.settings summary").click()
    page.get_by_label("Confirm moves").check()
    confirm = ann.question(page).get_by_role("button", name="Confirm", exact=True)
    page.locator("[data-space=a1]").click()
    if page.locator("[data-space=a1].chosen").count():  # it is not known yet that this only picks the stone
        confirm.click()
    expect(page.locator(".space.picked")).to_have_attribute("data-space", "a1")
    page.locator("[data-space=c1]").click()
    page.locator("[data-space=d1]").click()
    expect(page.locator(".space.chosen")).to_have_attribute("data-space", "d1")
    page.keyboard.press("Escape")
    expect(page.locator(".space.chosen")).to_have_count(0)
    expect(page.locator("[data-space=a1] .man")).to_have_count(1)
    page.reload()
    page.locator("[data-space=e1]").click()
    confirm.click()
    expect(page.locator("[data-space=e1] .man")).to_have_count(1)
    assert ann.troubles == []


LAYING = """\
rulewright: 1
title: Laying
players: 2
pieces: {card: {has: {size: 1 to 10}, copies: 1, starts in: deck, noun: "card of {size}"}}
zones: {deck: {seen by: all}, hand: {of: seat, seen by: owner}, table: {seen by: all}}
setup: {do: [each seat: [move first 5 of deck to hand]]}
phases:
  lay:
    do:
      - each seat:
          - if any card in table: [choose 1 from hand where size is at least 2 into table: {ask: Which card?}]
            otherwise: [choose 1 from hand into table: {ask: Which card?}]
          - log: "{seat} laid a card."
"""


@pytest.mark.rotating(5)
def test_a_planned_card_is_laid_when_it_is_asked_for(tmp_path: Path, browser: Browser) -> None:
    ann, bo = Person.at_device(browser), Person.at_device(browser)
    (tmp_path / "laying.yaml").write_text(LAYING, encoding="utf-8")
    with hosted(tmp_path, [str(tmp_path / "laying.yaml")]) as home:
        tokens = home.begin(next(iter(home.offers.all().values())).rules.name, ANN, BO)["seats"]
        page, other = (person.open(home.link(token)) for person, token in zip((ann, bo), tokens, strict=True))
        card, planned = page.get_by_role("button", name="card of 2", exact=True), page.locator(".laid.planned")
        page.get_by_role("button", name="card of 3").click()
        other.locator(".asked.now").wait_for()
        card.click()
        expect(planned).to_have_count(1)
        page.keyboard.press("Escape")
        expect(planned).to_have_count(0)
        card.click()
        assert Log(home, tokens[0]).read() == 1, "what is planned stays with who plans it"
        other.get_by_role("button", name="card of 6").click()
        page.get_by_role("log").get_by_text("You laid a card.").nth(2).wait_for(state="attached")
        expect(page.locator(".held .laid")).to_have_count(3)
        page.get_by_role("button", name="card of 1", exact=True).click()
        expect(planned).to_have_count(1)
        other.get_by_role("button", name="card of 7").click()
        expect(planned).to_have_count(0)
    assert ann.troubles == bo.troubles == []


@pytest.mark.rotating(12)
def test_a_tap_chooses_a_card_and_says_why_another_cannot_be_laid(tmp_path: Path, browser: Browser) -> None:
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ann, bo = Person(phone, "en"), Person.at_device(browser)
    (tmp_path / "laying.yaml").write_text(LAYING, encoding="utf-8")
    with hosted(tmp_path, [str(tmp_path / "laying.yaml")]) as home:
        tokens = home.begin(next(iter(home.offers.all().values())).rules.name, ANN, BO)["seats"]
        page, other = (person.open(home.link(token)) for person, token in zip((ann, bo), tokens, strict=True))
        choice, confirm = page.locator(".laid.chosen"), page.get_by_role("button", name="Confirm", exact=True)
        for number in (3, 2):
            page.get_by_role("button", name=f"card of {number}", exact=True).tap()
            expect(choice).to_have_accessible_name(f"card of {number}")
        assert Log(home, tokens[0]).read() == 0
        confirm.tap()
        other.get_by_role("button", name="card of 6").click()
        page.locator(".asked.now").wait_for()
        page.get_by_role("button", name="card of 1", exact=True).tap(force=True)  # which is not enabled
        page.get_by_role("status").get_by_text("Not this one now.").wait_for()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="card of 3", exact=True).tap()
        choice.tap()
        expect(page.locator(".held .laid")).to_have_count(3)
    assert ann.troubles == bo.troubles == []


IS_APART = """() => {
  const rect = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const [offer, board] = [rect(".proposal"), rect(".boards .map")];
  return offer?.width > 0 && board?.width > 0 && (offer.left >= board.right || offer.top >= board.bottom);
}"""


@pytest.mark.rotating(6)
def test_an_offer_covers_nothing_of_the_board(tmp_path: Path, browser: Browser) -> None:
    with hosted(tmp_path, ["classics/chess"]) as home:
        seats = home.begin("classics/chess", ANN, BO)["seats"]
        ann, bo = (Person.at_device(browser).open(home.link(seat)) for seat in seats)
        ann.get_by_role("button", name="Offer a draw").click()
        for width, height in ((1440, 900), (390, 844)):
            bo.set_viewport_size({"width": width, "height": height})
            bo.wait_for_function(IS_APART)  # as soon as it is drawn for this window
        bo.get_by_role("button", name="Accept").click()
        expect(ann.get_by_role("heading", name="Draw")).to_be_visible()
