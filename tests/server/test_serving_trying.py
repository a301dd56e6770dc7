"""What answers lead to, at a table: told after the question to whoever asks, in their language, and on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browsing import Person
from screenshots import CHROMIUM, Home, chromium, hosted
from served import begin, here, reading, server

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
  seat: {money: 30}
  game: {price: {starts at: 0, shown: no}, buyer: {starts at: seat, shown: no}}
phases:
  buy:
    text: Whoever bids most takes the ware.
    do:
      - move first 1 of shelf to stall
      - go round seats until you are buyer:
          - choose one as what:
              ask: "{stall} is for sale. Do you bid?"
              among:
                bid: {text: Bid., do: [do name a price]}
                pass: {text: Pass., do: [drop out]}
      - each seat: do finish
      - end game
    steps:
      name a price:
        do:
          - choose number from price + 1 to money as amount: {ask: How much?}
          - set price to amount
          - set buyer to you
      finish:
        do:
          - if buyer is you:
              - take price from money
              - move stall to basket
scoring: {wares: {points: number of basket}}
ranking: highest score
"""


def buying(folder: Path) -> str:
    path = folder / "buying.yaml"
    path.write_text(BUYING, encoding="utf-8")
    return str(path)


def test_outcomes_are_told_to_whoever_asks_and_only_for_what_is_asked(tmp_path: Path) -> None:
    with server(tmp_path, [buying(tmp_path)]) as client:
        seats = begin(client, here("Ann"), here("Bo"))["seats"]
        with reading(client, seats[0]) as ann, reading(client, seats[1], "de") as bo:
            asked = ann.asked()
            assert asked["about"] == ["ware of 1"]
            assert asked["among"] == [0, 1]
            assert asked["rule"] == "Whoever bids most takes the ware."
            question = asked["question"]
            ann.answer("bid")
            ann.send(type="try", question=question)  # answered already: nothing is told of it
            question = ann.look(lambda state: state["asked"] and state["asked"]["kind"] == "number")["asked"][
                "question"
            ]
            ann.send(type="try", question=question, take=["7"])
            told = ann.until("tried")
            assert (told["question"], told["take"]) == (question, ["7"])
            assert told["leads"] == {"": {"sure": ["points +1, money −7 (23 left) if the others pass"]}}
            ann.send(
                type="try", question=question, take=["77"]
            )  # not offered: nothing is told of it, and nothing breaks
            ann.answer("7")
            assert bo.look(lambda state: state["asked"])["asked"]["among"] == [0, 1]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with hosted(tmp_path, [buying(tmp_path)]) as home:
        yield home


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_an_amount_is_set_in_steps_beside_what_it_leads_to(tmp_path: Path, home: Home, browser: Browser) -> None:
    ann = Person.at(browser)
    page = ann.open(home.link(home.begin(str(tmp_path / "buying.yaml"), here("Ann"), here("Bo"))["seats"][0]))
    question = ann.question(page)
    expect(question.locator(".about-it [data-piece='ware of 1']")).to_be_visible()
    expect(question.locator(".among")).to_have_text("Still in: Ann, Bo")
    question.get_by_role("button", name="Bid.", exact=True).click()
    for step in ("+5", "+5", "+1", "−5"):
        question.get_by_role("button", name=step, exact=True).click()
    expect(question.get_by_role("spinbutton")).to_have_value("7")
    expect(question.locator(".leads-to")).to_have_text(
        "points +1, money −7 (23 left) if the others pass", timeout=60_000
    )
    question.get_by_role("spinbutton").fill("9")
    expect(question.locator(".leads-to")).to_have_text(
        "points +1, money −9 (21 left) if the others pass", timeout=60_000
    )
    question.get_by_role("button", name="Confirm (9)", exact=True).press("Enter")
    expect(question.get_by_role("spinbutton")).to_be_hidden()
    assert ann.troubles == []
