"""The end of a deal on the page: what it tells, and that the page stays there until the reader goes on."""

from __future__ import annotations

import random

import pytest
from msgspec.json import decode, encode
from playwright.sync_api import Browser

from page_modules import Run, module_runner, page_state
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.model.editions import available
from rulewright.publish.labels import Labels
from rulewright.publish.scores import deals
from rulewright.server.views.document import Sitting, TableDocument
from rulewright.server.views.history import past_state
from rulewright.server.views.outcome import points_by_round
from rulewright.server.views.seat_view import now
from rulewright.server.views.table_metadata import table_metadata
from screenshots import CHROMIUM
from whole_games import answer_to

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture
def run(browser: Browser) -> Run:
    return module_runner(browser)


@pytest.mark.parametrize(
    ("edition", "expected"),
    [("classics/cribbage", True), ("classics/yacht", False), ("classics/go", False), ("wild-cards/2022", False)],
)
def test_rounds_are_deals_where_each_of_them_shuffles(edition: str, expected: bool) -> None:
    assert deals(library.load(edition).edition) is expected


PACE = """
  localStorage.setItem("rulewright pace", given.pace);
  const shown = [];
  const one = new pace.Pace((state) => shown.push(state.steps), () => {}, () => given.seat, () => given.deals);
  const state = (steps, round, phase, asked = null) =>
    ({ steps, round, phase, asked, scores: [], moves: [], log: { start: steps, lines: [] } });
  one.heard(state(1, 1, "play", {}));
  one.heard(state(2, 1, "play"));
  for (const next of [state(3, 1, "count"), state(4, 1, "count"), state(5, 2, "deal", {})]) one.heard(next);
  const found = { before: shown.at(-1), end: one.dealEnd?.steps ?? null, stays: one.timer === undefined };
  one.skip(true);
  return { ...found, after: shown.at(-1), later: one.dealEnd, holding: one.holding };
"""


@needs_chromium
@pytest.mark.parametrize(
    ("pace", "seat", "deals", "end", "stays"),
    [
        ("fast", 0, True, 4, False),
        ("at once", 0, True, None, True),
        ("at once", 0, False, None, True),
        ("usual", 0, True, 4, True),
        ("usual", None, True, 4, False),
    ],
)
def test_the_end_of_a_deal_is_looked_at(
    run: Run, pace: str, seat: int | None, deals: bool, end: int | None, stays: bool
) -> None:
    """The page stays there until the reader goes on; whoever watches or wants it fast has some seconds."""
    result = run(["pace"], PACE, {"pace": pace, "seat": seat, "deals": deals})
    assert (result["end"], result["stays"]) == (end, stays)
    assert result["before"] == (end or 5)
    assert result["after"] == 5 and result["later"] is None and not result["holding"]


SHEET = """
  const of = document_.about(given.document), lines = given.lines.map(document_.line);
  const state = document_.now(given.past.state, of);
  let gone = 0;
  const tell = log.telling(of, state), rect = { x: 0, y: 0, w: 800, h: 600 };
  const box = document.createElement("div");
  document.body.append(box);
  dom.fill(box, deal_end.dealEnd(of, state, { lines, tell, rounds: given.rounds, rect, goOn: () => { gone += 1; } }));
  const texts = (where) => [...box.querySelectorAll(where)].map((one) => one.textContent);
  const cards = [...box.querySelectorAll(".cards")].map((one) => one.children.length);
  const focused = document.activeElement.matches(".deal-end .main");
  const order = [...box.querySelector(".deal-counts").children].map((one) => one.localName);
  box.querySelector(".main").click();
  return { cards, focused, gone, order, gains: texts(".gain"), totals: texts(".all strong"), names: texts("tbody th") };
"""


@needs_chromium
@pytest.mark.rotating(3)
def test_hands_that_are_counted_lie_there_with_what_they_bring(run: Run) -> None:
    game = Game.start(library.load("classics/cribbage"), ["Ann", "Bo"], seed=5)
    rng = random.Random(1)
    while game.position.round < 2:
        decision = game.decisions()[0]
        keys = [choice.key for choice in decision.choices]
        game.answer(decision.seat, rng.sample(keys, decision.least))
    labels, steps = Labels(game), game.history.steps()
    step = next(n for n in reversed(range(len(steps))) if game.history.state_at(steps[n]) != game.state)
    past = past_state(labels, 0, step)
    assert past.state.round == 1 and past.state.phase == "show"
    lines = [line for n in range(step + 1) for line in past_state(labels, 0, n).lines]
    table = TableDocument(
        "seat", "en", "ltr", "cribbage", "Cribbage", tuple(Sitting(name, "person") for name in game.names), 0,
        table=table_metadata(labels),
    )  # fmt: skip
    rounds = points_by_round(labels, 0)
    data = {"document": table, "past": past, "lines": lines, "rounds": rounds}
    result = run(["document_", "log", "dom", "deal_end"], SHEET, decode(encode(data)))
    totals = {name: rounds[-1].points[seat] for seat, name in enumerate(game.names)}
    ranked = sorted(totals, key=lambda name: -(totals[name] or 0))
    assert result["cards"] == [5, 5, 5] and result["focused"]
    assert result["order"] == ["table", "ul"], "points come before what was counted"
    assert [name[-len(one) :] for name, one in zip(result["names"], ranked, strict=True)] == ranked
    assert result["totals"] == [str(totals[name]) for name in ranked]
    assert result["gains"] == [f"+{totals[name]}" if totals[name] else "0" for name in ranked]


SEALED = """
  const of = document_.about(given.document);
  const zones = (state) => state.zones.map(({ zone, owner, count, pieces }) => [zone, owner, count, pieces]);
  return given.states.map((state) => zones(document_.now(state, of)));
"""
PASSING = """\
rulewright: 1
title: Passing
players: 2
words: {rank: {one: {}, two: {}, three: {}, four: {}}}
pieces: {card: {has: {rank: rank}, starts in: deck, noun: "{rank}"}}
zones: {deck: {seen by: nobody}, hand: {of: seat, seen by: owner}, parcel: {of: seat, seen by: owner}}
phases:
  pass:
    do:
      - each seat: move first 2 of deck to hand
      - all seats at once:
          - choose 1 from hand into parcel: {ask: Which?}
      - each seat: move parcel to deck
      - end game
"""


@needs_chromium
@pytest.mark.rotating(2)
def test_what_is_chosen_under_seal_lies_where_it_will_go(run: Run) -> None:
    data = page_state(PASSING, "one")
    before, after = run(["document_"], SEALED, data)
    assert [zone for zone in before if zone[1] == 0] == [["hand", 0, 2, ["one", "two"]], ["parcel", 0, 0, []]]
    assert [zone for zone in after if zone[1] == 0] == [["hand", 0, 1, ["two"]], ["parcel", 0, 1, ["one"]]]
    assert [zone[2] for zone in after if zone[1] == 1] == [2, 0]


LAST = """
  const of = document_.about(given.document), state = document_.now(given.now, of);
  const box = document.createElement("div");
  const lines = given.lines.map(document_.line), tell = log.telling(of, state);
  dom.fill(box, end.podium(of, state, () => deal_end.lastDeal(of, state, { lines, tell })));
  const texts = (where) => [...box.querySelectorAll(where)].map((one) => one.textContent);
  const cards = box.querySelectorAll(".strip-of-cards .laid").length;
  return { places: texts(".place-of"), gains: texts(".gain"), cards };
"""


@needs_chromium
@pytest.mark.rotating(3)
def test_a_game_ends_with_what_its_last_deal_has_brought(run: Run) -> None:
    game = Game.start(library.load("classics/hearts"), ["Ann", "Bo", "Cleo", "Dan"], {"length": "single deal"}, seed=5)
    while not game.over:
        decision = game.decisions()[0]
        game.answer(decision.seat, [choice.key for choice in decision.choices][: decision.least])
    labels = Labels(game)
    table = TableDocument(
        "seat", "en", "ltr", "hearts", "Hearts", tuple(Sitting(name, "person") for name in game.names), 0,
        table=table_metadata(labels),
    )  # fmt: skip
    lines = [line for step in range(len(game.history.steps())) for line in past_state(labels, 0, step).lines]
    data = {"document": table, "now": now(labels, 0, 0), "lines": lines}
    result = run(["document_", "log", "dom", "end", "deal_end"], LAST, decode(encode(data)))
    points = {standing.seat: standing.total for standing in game.standings()}
    assert len(result["places"]) == 4 and result["places"][0].startswith("★")
    assert result["gains"] == [f"+{total:g}" if total else "0" for total in sorted(points.values())]
    assert result["cards"] == 14, "hearts and the queen of spades"


def test_the_points_of_a_deal_are_those_with_which_the_next_one_begins() -> None:
    """The last line of a deal comes after the last points, for all seats."""
    game, rng = Game.start(library.load("classics/oh-hell"), ["Ann", "Bo", "Cleo"], {}, 7), random.Random(1)
    points = dict[int, tuple[float | None, ...]]()
    while len(points) < 3:
        decision, number = game.decisions()[0], game.position.round
        game.answer(decision.seat, rng.sample([choice.key for choice in decision.choices], decision.least))
        if game.position.round > number:
            points[number] = tuple(game.position.score(seat, None, ended=False).known for seat in range(3))
    assert {one.round: one.points for one in points_by_round(Labels(game), None) if one.round in points} == points


@pytest.mark.rotating(4)
@pytest.mark.parametrize("edition", [one for one in available() if deals(library.load(one).edition)])
def test_what_brought_points_in_a_round_comes_to_what_it_brought(edition: str) -> None:
    """Also of those whose points are told one by one, as in the play of cribbage, before a deal is counted."""
    rules = library.load(edition)
    game, rng = Game.start(rules, ["Ann", "Bo", "Cleo", "Dan"][: rules.edition.seats[0]], seed=3), random.Random(3)
    while not game.over and game.position.round < 4 and len(game.history.answers) < 300:
        decision = game.decisions()[0]
        game.answer(decision.seat, answer_to(decision, rng))
    before = dict.fromkeys(range(len(game.names)), 0.0)
    for one in points_by_round(Labels(game), None):
        for seat, points in enumerate(one.points):
            if one.sources:
                assert sum(row.values[seat] or 0 for row in one.sources) == (points or 0) - before[seat]
            before[seat] = points or 0
    sources = [row.title for one in points_by_round(Labels(game), None) for row in one.sources]
    assert ("Play" in sources and "Hands and crib" in sources) == (edition == "classics/cribbage")
