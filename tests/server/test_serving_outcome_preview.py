"""Previews of answers at a table: sent after the question on demand, in the reader's language, and shown on the
page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock, patch

import pytest
from playwright.sync_api import Browser, expect

from browsers import Person, complete
from game_servers import begin, local_player, offered, reading, server
from rulewright.game.game import Game
from rulewright.players.answer_outcomes import AnswerOutcome
from rulewright.publish import outcome_texts
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.tables import outcome_preview
from rulewright.server.web.client_commands import ClientCommands
from screenshots import CHROMIUM, WILDLIFE, Home, hosted

BUYING = """\
rulewright: 1
title: Buying
players: 2
pieces:
  ware: {has: {price: 1 to 4}, copies: 2, starts in: shelf, noun: "ware of {price}"}
zones:
  shelf: {holds: ware, seen by: all}
  stall: {holds: ware, seen by: all}
  basket: {of: seat, holds: ware, seen by: owner}
counters:
  seat: {money: 8, fame: 5}
  game: {price: {starts at: 0, shown: no}, buyer: {starts at: seat, shown: no}}
phases:
  buy:
    text: Whoever bids most takes the ware.
    do:
      - move first 1 of shelf to stall
      - go round seats until you are buyer:
          - choose number from price + 1 to money + fame as amount:
              ask: "{stall} is for sale. You have {money}. What do you bid?"
              text: Bid {amount}
              none: Pass
          - if amount is empty: drop out
            otherwise:
              - set price to amount
              - set buyer to you
              - log: "{seat} bid {amount}."
      - each seat: do finish
      - end game
    steps:
      finish:
        do:
          - if buyer is you:
              - take highest of (0, price - money) from fame
              - take lowest of (price, money) from money
              - move stall to basket
scoring: {fame: {points: fame}}
ranking: highest score
"""


DOORS = """\
rulewright: 1
title: Doors
players: 2
pieces: {card: {has: {size: 1 to 2}, copies: 1, starts in: box, noun: "card of {size}"}}
zones: {box: {seen by: nobody, pile: yes}, hand: {of: seat, holds: card, seen by: owner}}
setup: {do: [shuffle box]}
phases:
  go:
    do:
      - each seat:
          - choose one:
              ask: Which way?
              among:
                left:
                  text: Left
                  do:
                    - choose number from 1 to 2 as steps: {ask: How far?}
                right:
                  text: Right
                  do:
                    - if (any card in top 1 of box has (size is 1)):
                        - choose number from 1 to 2 as steps: {ask: How far?}
                hop:
                  text: Hop
                  do: [log: "{seat} hopped."]
"""


def buying(folder: Path) -> str:
    path = folder / "buying.yaml"
    path.write_text(BUYING, encoding="utf-8")
    return str(path)


@pytest.mark.rotating(2)
def test_outcomes_are_sent_on_demand_for_the_open_decision(tmp_path: Path) -> None:
    doors = tmp_path / "doors.yaml"
    doors.write_text(DOORS, encoding="utf-8")
    with server(tmp_path, [buying(tmp_path), str(doors)]) as client:
        seats = begin(client, local_player("Ann"), local_player("Bo"))["seats"]
        with reading(client, seats[0]) as ann, reading(client, seats[1], "de") as bo:
            questions = ann.question()
            assert questions["about"] == ["ware of 1"]
            assert questions["among"] == [0, 1]
            assert questions["purse"] == ["money", 8]
            assert questions["rule"] == "Whoever bids most takes the ware."
            assert [questions["none"], questions["choices"][0]["label"]] == ["Pass", "Bid 1"]
            question = questions["question"]
            ann.send(type="try", question=question, take=["7"])
            text = ann.until("tried")
            assert (text["question"], text["take"]) == (question, ["7"])
            assert text["leads"] == {"": {"sure": ["money −7 (1 left) if the others pass"]}}
            ann.send(type="try", question=question, take=["10"])
            assert ann.until("tried")["leads"][""]["warning"] == (
                "If the others pass, this sets you back 2 points: money −8 (0 left), fame −2 (3 left)."
            )
            ann.send(type="try", question=question, take=["77"])  # not offered: nothing is told of it, nothing breaks
            ann.answer("7")
            ann.send(type="try", question=question)  # answered already: nothing is told of it
            questions = bo.look(lambda state: state["asked"])["asked"]
            assert (questions["among"], questions["named"]) == ([0, 1], [7, None])
        seats = begin(client, *map(local_player, ("Ann", "Bo")), edition=offered(client, 1))["seats"]
        with (
            patch.object(BotPool, "outcomes", AsyncMock(return_value=[AnswerOutcome()] * 3)),
            reading(client, seats[0]) as ann,
        ):
            ann.send(type="try", question=ann.question()["question"])  # what comes after entries of a menu needs none
            leads = ann.until("tried")["leads"]
            assert list(leads) == ["left"] and list(leads["left"]) == ["next"]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with hosted(tmp_path, [buying(tmp_path), WILDLIFE]) as home:
        yield home


@pytest.mark.rotating(6)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_bid_is_set_in_steps_beside_what_one_has(tmp_path: Path, home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    seats = home.begin(str(tmp_path / "buying.yaml"), local_player("Ann"), local_player("Bo"))["seats"]
    page = ann.open(home.link(seats[0]))
    page.set_viewport_size({"width": 1920, "height": 1080})  # in less room, steps of 5 make room for the question
    question = ann.question(page)
    expect(question.locator(".among .unseen")).to_have_text("Still in: Ann, Bo")
    expect(question.locator(".about-it [data-piece]")).to_have_count(0)  # a slip of paper, which the prompt names
    for step in ("More: +5", "More: +1", "Less: −1"):
        question.get_by_role("button", name=step, exact=True).click()
    number, purse = question.get_by_role("spinbutton"), question.locator(".amount > .purse")
    expect(number).to_have_value("6")
    expect(purse).to_have_text("Money: You have 8, 2 left after this.")
    question.get_by_role("button", name="More: +5", exact=True).click()
    expect(number).to_have_value("8")  # no further than what one has
    expect(question.get_by_role("button", name="More: +1", exact=True)).to_be_disabled()
    question.get_by_role("button", name="More than I have…").click()
    expect(purse).to_have_text("Money: You have 8: 1 too few.")
    number.fill("11")
    question.get_by_role("button", name="Bid 11", exact=True).press("Enter")
    warning = re.compile("this sets you back 3 points|3 too few")  # the latter where the former takes long
    expect(question.get_by_role("alert")).to_contain_text(warning, timeout=60_000)
    question.get_by_role("button", name="No, go back", exact=True).click()
    expect(number).to_have_value("11")
    number.fill("7")
    question.get_by_role("button", name="Bid 7", exact=True).press("Enter")
    expect(number).to_be_hidden()
    expect(ann.open(home.link(seats[1])).locator(".among .unseen")).to_have_text("Still in: Ann (7), Bo")
    assert ann.troubles == []


@pytest.mark.rotating(12)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_tray_of_an_auction_takes_a_third_of_a_phone_at_most(home: Home, browser: Browser) -> None:
    seats = home.begin(WILDLIFE, *map(local_player, ("Ann", "Bo", "Maximiliane", "Dee")))["seats"]
    game = home.play_on(seats[0], 2_000, until=lambda game: game.decisions()[0].about != ())
    [decision] = game.decisions()
    for language in ("de", "it"):
        person = Person.at_device(browser, language)
        page = person.open(home.link(seats[decision.seat]))
        complete(page)
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator(".amount > .purse")).to_be_visible()
        tray = page.locator(".asked").bounding_box()
        assert tray is not None
        assert tray["height"] <= 844 / 3, language
        for target in page.locator(".question").locator("button, summary, input").all():
            box = target.bounding_box()
            if target.is_visible() and box is not None:
                assert min(box["width"], box["height"]) >= 43.9, (language, target.inner_html())
        expect(page.locator(".question .card")).to_have_count(1)
        person.context.close()


@pytest.mark.rotating(12)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_card_without_effect_says_so(home: Home, browser: Browser) -> None:
    """The reason is shown on hover and on keyboard focus; on touch screens, before the answer is taken."""

    def some_do_nothing(game: Game) -> bool:
        [decision, *_] = game.decisions()
        return decision.id == "play a card.table" and any(
            one.idle for one in outcome_texts.outcomes_by_key(game, decision.seat).values()
        )

    seats = home.begin(WILDLIFE, *map(local_player, ("Ann", "Bo", "Cy")))["seats"]
    game = home.play_on(seats[0], 2_000, until=some_do_nothing)
    link = home.link(seats[game.decisions()[0].seat])
    person = Person.at_device(browser)
    page = person.open(link)
    card = page.locator(".held .offered.idle").first
    card.focus(timeout=60_000)
    expect(card.locator(".comes-to")).to_be_visible()
    expect(card.locator(".comes-to")).to_contain_text(re.compile("nothing comes of it: .* could not use the"))
    expect(page.locator(".asked .pointed")).to_contain_text("nothing comes of it")
    expect(page.locator(".comes-to").locator("visible=true")).to_have_count(1)
    assert person.troubles == []
    person.context.close()
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True, is_mobile=True)
    tablet = context.new_page()
    tablet.goto(link)
    tablet.locator(".held .offered.idle").first.tap(timeout=60_000)
    expect(tablet.locator(".asked .what .leads-to")).to_contain_text(
        re.compile("nothing comes of it: .* could not use the")
    )
    context.close()


def test_previews_of_a_later_question_are_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Picks of the question before may be told late."""
    questions: list[int] = []

    async def picks(*_: object) -> None:
        commands._queue_preview(reader, (8, ()))  # meanwhile

    async def outcomes(_table: object, _seat: int, request: tuple[int, tuple[str, ...]]) -> None:
        questions.append(request[0])

    monkeypatch.setattr(outcome_preview, "preview_picks", picks)
    monkeypatch.setattr(outcome_preview, "preview_outcomes", outcomes)
    reader: Any = Mock(seat=0)

    async def run() -> None:
        await commands._send_picks(reader, (7, ()))
        assert commands._previewing is not None
        await commands._previewing

    connection: Any = SimpleNamespace(tables=SimpleNamespace(task=asyncio.ensure_future), language="en")
    commands = ClientCommands(connection, lambda: None)
    asyncio.run(run())
    assert questions == [8]
