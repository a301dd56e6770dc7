"""Moves of others are held on each reader's own screen, explained, and can be reviewed, in a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from browsers import Log, Person
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.server import tokens
from rulewright.server.network.websocket_connection import WebSocketConnection
from screenshots import ANN, BO, CHROMIUM, CY, WILD_CARDS, Home, hosted
from small_games.pennies import PENNIES

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

BOTS = [{"player": "random"}] * 3
SEATS = 4
SLOW = 3000
"""Milliseconds for which a slow reader is shown something."""
HOUR = 3600


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS]) as home:
        yield home


@pytest.fixture(autouse=True)
def hours_go_by_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page leaves a server that has not shown for so long that it lives; here none ever does."""
    for name in ("start_keepalive", "send_keepalive_ping"):
        monkeypatch.setattr(WebSocketConnection, name, getattr(WebSocketsSansIOProtocol, name))


def bids(page: Page) -> list[str]:
    """Return every seat's bid, as it lies on the cloth before them."""
    result = page.get_by_role("region", name="Table", exact=True).get_by_role("group", name="Bid", exact=True)
    return [
        name or "" for one in result.all() for name in [one.get_by_role("button").first.get_attribute("aria-label")]
    ]


def told_bids(game: Game, seat: int, in_round: int | None = None) -> list[str]:
    """Return the lines of the log about bids, as the page of a seat tells them."""
    lines = [game.log.line(number, seat) for number in range(game.log.length)]
    texts = ["".join(part.text for part in line.parts) for line in lines if in_round in (None, line.round)]
    return [text for text in texts if " bid " in text]


NARROW: ViewportSize = {"width": 390, "height": 800}
ROOMY = ((1024, 768), (1440, 900))
LIES_OVER = """caption => {
  const box = caption.getBoundingClientRect();
  const isUnder = ({ left, right, top, bottom }) => Math.min(right, box.right) - Math.max(left, box.left) > 2
    && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 2;
  const all = document.querySelectorAll("#head, .asked, .plate .who, .plate .sum, .card, .token, .zone h3");
  const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const found = [...all].filter((one) => isUnder(one.getBoundingClientRect())).map((one) => one.className);
  return inside ? found : [...found, "edge"];
}"""
SMALLEST = 12
"""Pixels of what one can read."""


def told_once(page: Page, others: list[str]) -> None:
    """Assert that what others have done stands at their seats, clear of all else, or in the bar of a phone."""
    heading = page.get_by_role("region", name="Question", exact=True).get_by_role("heading")
    captions = page.locator(".player .captions")
    assert sorted(captions.locator(".unseen").all_text_contents()) == sorted(others)
    assert not any(line in heading.inner_text() for line in others)
    for width, height in ROOMY:
        page.set_viewport_size({"width": width, "height": height})
        for caption in captions.all():
            assert caption.evaluate(LIES_OVER) == []
            assert caption.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= SMALLEST
    page.set_viewport_size(NARROW)
    expect(captions).to_have_count(0)
    assert heading.locator(".line > .unseen").all_text_contents() == others
    page.set_viewport_size({"width": 1280, "height": 720})


def go_on(page: Page) -> None:
    page.get_by_role("button", name="Continue").click()


def bidding(home: Home, person: Person) -> tuple[Page, Log, str]:
    """Ann against three of the computer's players, on a page on which time stands still; she has just bid. Gives
    the link to watch, too."""
    links = home.begin(WILD_CARDS, ANN, *BOTS)
    page = person.open("about:blank")
    page.clock.install(time=0)
    page.goto(home.link(links["seats"][0]))
    log = Log(home, links["host"])
    decision = log.game.decision(0)
    assert decision is not None
    person.wait_for_question(page, decision)
    page.clock.pause_at(HOUR)
    person.answer(page, decision, random.Random(1))
    return page, log, home.link(tokens.watch(links["host"]))


def asked_again(log: Log) -> Decision:
    """Return Ann's question when all have bid, and the others have done what they had to do."""
    while True:
        decision = log.game.decision(0) if log.read() >= SEATS else None
        if decision is not None:
            return decision


@pytest.mark.rotating(10)
def test_all_bids_are_seen_before_it_goes_on(home: Home, browser: Browser) -> None:
    """The computer's players are through with everything long before that."""
    ann = Person.at_device(browser, pace="slow")
    page, log, _ = bidding(home, ann)
    page.get_by_role("button", name="Continue").wait_for()
    view = bids(page)
    log.read()
    text = told_bids(log.game, 0)[:4]
    assert len(view) == 4 and all(name in line for name, line in zip(view, text, strict=True))
    told_once(page, text[1:])
    page.clock.run_for(SLOW - 100)
    assert bids(page) == view
    go_on(page)
    page.get_by_role("button", name="Continue").wait_for(state="hidden")
    assert ann.troubles == []


@pytest.mark.rotating(5)
def test_the_pace_can_be_immediate(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page, log, _ = bidding(home, ann)
    decision = asked_again(log)
    ann.wait_for_question(page, decision)  # though no time passes
    assert not page.get_by_role("button", name="Continue").count()
    page.locator("details.settings summary").click()
    page.get_by_label("Pace").select_option("slow")
    assert page.get_by_label("Pace").input_value() == "slow" and ann.troubles == []


@pytest.mark.rotating(10)
def test_slow_readers_delay_no_one(home: Home, browser: Browser) -> None:
    """The game goes on, and an onlooker sees it, while Ann still looks at the bids; then she comes to now in one go."""
    ann, onlooker = Person.at_device(browser, pace="slow"), Person.at_device(browser, "de")
    page, log, watching = bidding(home, ann)
    other = onlooker.open(watching)
    page.get_by_role("button", name="Continue").wait_for()
    view = bids(page)
    decision = asked_again(log)
    last = log.game.log.lines(None, language="de")[-1].text
    other.get_by_role("log").get_by_text(last).last.wait_for()
    assert bids(page) == view
    page.get_by_role("button", name="Continue").click()
    ann.wait_for_question(page, decision)
    assert ann.troubles == onlooker.troubles == []


@pytest.mark.rotating(5)
def test_a_shared_device_shows_what_was_revealed_before_it_is_passed_on(home: Home, browser: Browser) -> None:
    """Ann bids most and Bo last: he looks at the bids, then it is passed to her; nobody's hand is seen meanwhile."""
    links = home.begin(WILD_CARDS, ANN, BO, BOTS[0])
    person = Person.at_device(browser, pace="slow")
    page = person.open("about:blank")
    page.clock.install(time=0)
    page.goto(home.link(*links["seats"], links["host"]))
    log = Log(home, links["host"])
    hand, captions, contents = page.locator(".held .laid"), page.locator(".captions"), set()
    for seat, pick in enumerate((max, min)):
        passed = page.get_by_role("button", name=f"I am {log.names[seat]}", exact=True)
        passed.wait_for()
        assert hand.count() == captions.count() == 0
        if seat == 0:
            page.clock.pause_at(HOUR)
        passed.click()
        decision = log.game.decision(seat)
        assert decision is not None
        person.wait_for_question(page, decision)
        contents = {choice.name for choice in decision.choices}
        numbered = [choice for choice in decision.choices if choice.key[-1].isdigit()]
        person.offered(page, pick(numbered, key=lambda choice: choice.key[-1])).click()
    page.get_by_role("button", name="Continue").wait_for()
    while log.read() < len(log.names):
        pass
    lines = told_bids(log.game, 1)
    others = [line for line in lines if not line.startswith("You ")]
    assert others and sorted(captions.locator(".unseen").all_text_contents()) == sorted(others)
    assert sorted(seen.split()[0] for seen in captions.all_inner_texts()) == ["Ada", "Ann"]
    assert not page.locator(".handover").count()
    views = {piece.get_attribute("data-piece") for piece in hand.all()}
    assert views and views <= contents
    while not page.locator(".handover").count():
        page.keyboard.press("Enter")
    passed = page.get_by_role("dialog", name="Pass the device to Ann", exact=True)
    passed.wait_for()
    assert hand.count() == captions.count() == 0
    passed.get_by_role("button").click()
    while (decision := log.game.decision(0)) is None:  # a bot that bid as much may come first
        log.read()
    person.wait_for_question(page, decision)
    assert hand.count() and person.troubles == []


@pytest.mark.rotating(6)
def test_a_line_of_the_log_leads_back_to_its_moment(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], 60)
    ann = Person.at_device(browser)
    page = ann.open(home.link(links["seats"][0]))
    log = Log(home, links["host"])
    log.read()
    lines = page.get_by_role("log")
    lines.get_by_text("Round 2", exact=True).wait_for()
    texts = told_bids(log.game, 0, 2)
    assert len(texts) == 3
    lines.get_by_role("button", name=texts[0]).first.click()
    page.get_by_role("region", name="Look back").get_by_role("heading", name="Step 11").wait_for()
    assert len(bids(page)) == 3
    assert not lines.get_by_text("Round 3").count()
    page.get_by_role("button", name="Back to now").click()
    lines.get_by_text("Round 3", exact=True).wait_for()
    assert ann.troubles == []


@pytest.mark.rotating(5)
def test_a_replay_runs_by_itself_and_can_be_stopped(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], 10_000)
    onlooker = Person.at_device(browser, pace="slow")
    page = onlooker.open("about:blank")
    page.clock.install(time=0)
    page.goto(home.link(tokens.watch(links["host"])).replace("#", "?replay#"))
    step = page.get_by_role("region", name="Look back").get_by_role("heading", name=re.compile("^Step"))
    step.wait_for()
    page.clock.pause_at(HOUR)
    page.get_by_role("button", name="Play automatically", pressed=True).wait_for()
    log = Log(home, links["host"])
    log.read()
    steps = log.game.history.steps()
    before = step.inner_text()
    lines = page.get_by_role("log").get_by_role("button")
    while step.inner_text() == before:
        page.clock.run_for(100)
    number = int(re.findall(r"\d+", step.inner_text())[0]) - 1
    texts = [line for line in log.game.log.lines(None)[: steps[number].lines] if not line.heading]
    assert 0 < number < 60 and lines.count() == len(texts)
    page.get_by_role("button", name="Play automatically").click()
    stopped = step.inner_text()
    page.clock.run_for(10 * SLOW)
    assert step.inner_text() == stopped and onlooker.troubles == []


@pytest.mark.rotating(3)
def test_turns_are_headings_below_their_round(tmp_path: Path, browser: Browser) -> None:
    """Each with the sign and the colour of its seat, and never alone over the question. One below which nothing was
    told is left out, except the last."""
    edition = tmp_path / "pennies.yaml"
    edition.write_text(PENNIES, encoding="utf-8")
    with hosted(tmp_path, [str(edition)]) as home:
        links = home.begin(str(edition), ANN, BO)
        log_lines = home.play_on(links["host"], 7).log.lines(None)
        ann = Person.at_device(browser)
        page = ann.open(home.link(links["seats"][0]))
        lines = page.get_by_role("log")
        turns, after = lines.get_by_role("heading", level=4), [*log_lines[1:], log_lines[0]]
        views = [line for line, next_ in zip(log_lines, after, strict=True) if line.heading and not next_.heading]
        rounds = dict.fromkeys(f"Round {line.round}" for line in views)
        expect(lines.get_by_role("heading", level=3)).to_have_text(list(rounds))
        assert views[-1] == log_lines[-1] and not any(line.phase for line in views) and len(views) < 7
        texts = [line.text.replace("Ann's", "Your") for line in views]
        assert "Your turn" in texts and turns.locator(".unseen").all_text_contents() == texts
        expect(turns.last.locator(".by.seat-1")).to_have_text("Bo")
        expect(turns.last.locator(".avatar")).to_be_visible()
        page.set_viewport_size(NARROW)
        last = page.locator(".ticker :has(> .unseen):visible > .unseen")
        newest = next(line.text for line in reversed(log_lines) if not line.heading)
        expect(last).to_have_text(newest.replace("Ann", "You"))
        page.get_by_role("button", name="What happened", exact=True).click()
        lines.get_by_role("button").last.click()
        before = page.get_by_role("region", name="Look back")
        expect(before.get_by_role("heading", name="Bo's turn", level=3)).to_be_visible()
        assert ann.troubles == []
