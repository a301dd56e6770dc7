"""The middle of a table keeps its place and size through a whole game, whatever is asked."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.json import decode, encode
from playwright.sync_api import Browser

from page_modules import module_runner
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from rulewright.server.views.document import Now, Sitting, TableDocument
from rulewright.server.views.table_metadata import table_metadata
from screenshots import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

MOST = 50
"""Answers of a game that are looked at."""

PLACES = """
  for (const name of ["style", "pieces", "board", "table", "stage", "windows", "kinds"]) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/${name}.css` });
    await new Promise((done) => { link.onload = done; document.head.append(link); });
  }
  const of = document_.about(given.document), found = {};
  if (of.race) await new Promise((done) => middle.partsFor(of, done));
  const seen = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left, top, width, height].map(Math.round).join(" ");
  };
  for (const [width, height] of given.windows) {
    const has = place.contents(of), order = place.others(of);
    const regions = arrange.arrange({ width, height, count: order.length, mine: true, has });
    const states = given.states.map((shown) => document_.now(shown, of));
    for (const state of states) {
      const main = document.createElement("main");
      main.style.cssText = `position: absolute; inset: 0; width: ${width}px; height: ${height}px; padding: 0`;
      document.body.replaceChildren(main);
      const stage = preact.h("div", { class: `stage ${regions.mode}${regions.phone ? " phone" : ""}`,
        style: { height: "100%", "--scale": regions.scale } },
        middle.middle(of, state, null, regions, { order: [of.seat, ...order], above: null, redraw: () => {} }));
      preact.render(stage, main);
      for (const zone of main.querySelectorAll(".shared .zone, .offer.slot")) {
        const name = `${width} ${zone.dataset.zone ?? /seat-[0-9]/.exec(zone.className)}`;
        const cards = [...zone.querySelectorAll(".card")].map((one) => `cards ${Math.round(one.offsetWidth)} px wide`);
        const all = zone.matches(".offer") ? [seen(zone)] : [seen(zone), ...cards];
        found[name] = [...new Set([...(found[name] ?? []), ...all])];
      }
    }
  }
  return found;
"""


FRONTS = """
  for (const name of ["style", "pieces", "table", "stage", "windows", "kinds"]) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/${name}.css` });
    await new Promise((done) => { link.onload = done; document.head.append(link); });
  }
  const of = document_.about(given.document), order = place.others(of), found = {};
  const given_ = { picking: null, away: null, chat: null, caption: null, redraw: () => {} };
  for (const [width, height] of given.windows) {
    const regions = arrange.arrange({ width, height, count: order.length, mine: true, has: place.contents(of) });
    for (const told of given.states) {
      const main = document.createElement("main");
      main.style.cssText = `position: absolute; inset: 0; width: ${width}px; height: ${height}px; padding: 0`;
      document.body.replaceChildren(main);
      const people = order.map((one, n) =>
        seat.seatAt(of, document_.now(told, of), one, regions.seats[n], { ...given_, regions }));
      const look = { class: `stage ${regions.mode}`, style: { height: "100%", "--scale": regions.scale } };
      preact.render(preact.h("div", look, preact.h("ul", { class: "players" }, people)), main);
      for (const one of main.querySelectorAll(".player")) {
        const { left, top } = one.querySelector(".plate").getBoundingClientRect();
        const sizes = [...one.querySelectorAll(".front .card")].map((card) => `${card.offsetWidth} px`);
        const name = `${width} seat ${one.dataset.seat}`;
        found[name] = [...new Set([...(found[name] ?? []), `at ${Math.round(left)} ${Math.round(top)}`, ...sizes])];
      }
    }
  }
  return found;
"""


def whole_game(name: str, seats: int) -> dict[str, Any]:
    """Return the data of a page: the document, and each state of a game that is played by chance."""
    game = Game.start(library.load(name), [f"Player {number + 1}" for number in range(seats)], seed=3)
    rng, states = random.Random(3), list[Now]()
    while len(states) < MOST and not game.over:
        states.append(seat_view.now(Labels(game), 0, len(states)))
        decision = rng.choice(game.decisions())
        offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
        game.answer(decision.seat, tuple(rng.sample(offered, rng.randint(decision.least, decision.most))))
    document = TableDocument(
        "seat", "en", "ltr", "tried", "Tried", tuple(Sitting(one, "person") for one in game.names), 0,
        table=table_metadata(Labels(game)), now=states[0],
    )  # fmt: skip
    return {"document": decode(encode(document)), "states": decode(encode(states))}


@pytest.mark.rotating(6)
@pytest.mark.parametrize(
    "name", ["wild-cards/2022", "wild-cards/2020", "classics/gin-rummy", "classics/hearts", "classics/cribbage"]
)
def test_nothing_in_the_middle_moves_through_a_whole_game(browser: Browser, name: str) -> None:
    seats = max(2, min(4, library.load(name).edition.seats[1]))
    argument = whole_game(name, seats) | {"windows": [[390, 796], [1440, 852]]}
    modules = ["document_", "place", "arrange", "middle", "preact"]
    places = module_runner(browser)(modules, PLACES, argument)
    assert places
    for zone, rects in places.items():
        assert len([one for one in rects if one.startswith("cards")]) <= 1, (zone, rects)
        assert len([one for one in rects if not one.startswith("cards")]) == 1, (zone, rects)


@pytest.mark.rotating(6)
@pytest.mark.parametrize("name", ["wild-cards/2022", "classics/oh-hell"])
def test_people_and_the_size_of_what_lies_before_them_stay_through_a_whole_game(browser: Browser, name: str) -> None:
    argument = whole_game(name, 4) | {"windows": [[900, 720], [1024, 720], [1440, 852], [1920, 1032]]}
    facts_of_seats = module_runner(browser)(["document_", "place", "arrange", "seat", "preact"], FRONTS, argument)
    assert facts_of_seats
    for seat, facts in facts_of_seats.items():
        assert len([one for one in facts if one.startswith("at")]) == 1, (seat, facts)
        assert len([one for one in facts if one.endswith("px")]) <= 1, (seat, facts)
    assert name != "wild-cards/2022" or any(one.endswith("px") for facts in facts_of_seats.values() for one in facts)
