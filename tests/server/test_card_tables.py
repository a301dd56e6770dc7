"""Tables of card games: pads of numbers to bid, what plates tell of bids and of sides, chains of tiles,
races, score pads, and hands at the end."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browsers import Person
from page_modules import Run, module_runner, page_state
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.runtime.view import piece_names
from rulewright.server.views import seat_view, table_marks
from rulewright.server.views.laid_pieces import laid_by
from rulewright.server.views.memo import NoMemo
from rulewright.server.views.question_view import question_now
from rulewright.server.views.table_metadata import table_metadata
from screenshots import CHROMIUM, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture
def run(browser: Browser) -> Run:
    return module_runner(browser)


BIDS = """\
rulewright: 1
title: Bids
players: 2
words: {pair: {north: {noun: North}, east: {noun: East}}}
sides: pair
pieces: {slip: {has: {size: 0 to 3}, starts in: table, noun: "{size}"}}
zones: {table: {seen by: all}}
counters:
  pair: {score: {starts at: 0}, bags: {starts at: 0}}
  seat: {said: {starts at: 0}, taken: {starts at: 0}}
phases:
  play:
    do:
      - each seat:
          - choose number from 1 to 13 as answer: {none: Bid nil, text: "Bid {answer}"}
          - if answer is not empty: set said to answer
          - choose 1 from slips as made
          - set taken to made's size
          - add 3 to my pair's bags
      - end game
scoring: {points: {points: my pair's score}}
ranking: {by: highest score}
measures: {contract: {title: contract, is: total said of seats where pair is my pair}}
looks: {seats: {show: contract, goals: {taken: said}}}
"""

BID_DECISION = """
  const of = document_.about(given.document);
  const asked = given.states.flatMap((told) => document_.now(told, of).asked ?? []);
  const [number] = asked, many = { ...number, choices: Array(31).fill(number.choices[0]) };
  return [...asked, many, { ...number, among: [0, 1] }].map((one) => [decision.isSet(one), decision.isPad(of, one)]);
"""


@pytest.mark.rotating(2)
def test_numbers_and_slips_are_a_pad_but_for_many_or_in_an_auction(run: Run) -> None:
    number, slips, many, auctioned = run(["document_", "decision"], BID_DECISION, page_state(BIDS, "4", "2"))
    assert number == [False, True] and slips == [False, True]
    assert many[0] and auctioned[0]


BID_STATES = """
  const of = document_.about(given.document), box = document.createElement("div");
  return given.states.map((told) => {
    dom.fill(box, seat_parts.tallies(of, document_.now(told, of), 0, true));
    return [...box.children].map((one) => one.textContent + (one.matches(".kept") ? "!" : ""));
  });
"""

BID_MEASURES = """
  const of = document_.about(given.document), box = document.createElement("div");
  return given.states.map((told) => [0, 1].map((seat) => {
    dom.fill(box, seat_figures.measures(of, document_.now(told, of), seat));
    return box.textContent;
  }));
"""


@pytest.mark.rotating(2)
def test_a_plate_tells_what_was_taken_of_what_was_bid_and_what_its_side_has(run: Run) -> None:
    states = run(["document_", "dom", "seat_parts"], BID_STATES, page_state(BIDS, "2", "2"))
    assert states == [["pairNorth"], ["said2", "pairNorth"], ["taken2/2!", "pairNorth", "bags3"]]


@pytest.mark.rotating(2)
def test_no_plate_tells_a_bid_of_nothing_before_all_have_bid(run: Run) -> None:
    states = run(["document_", "dom", "seat_figures"], BID_MEASURES, page_state(BIDS, "2", "2"))
    assert states == [["", ""], ["2 contract", ""], ["2 contract", "0 contract"]]


TEAM_BIDS = """
  const of = { counters: { said: { goal: "" }, taken: { goal: "said" } }, measures: { bid: "bid" }, ahead: "" };
  return given.map(([said, taken]) => {
    const state = { counters: { said, taken }, measures: { bid: [6, 0, 6, 0] }, over: false };
    return said.map((_, seat) => seat_figures.measures(of, state, seat).length);
  });
"""


@pytest.mark.parametrize(
    ("bids", "tricks", "marks"),
    [("0000", "0000", "0000"), ("6000", "0000", "1000"), ("6030", "0000", "1010"), ("6030", "0100", "1111")],
)
def test_what_a_side_has_bid_stands_beside_a_person_who_has_bid(run: Run, bids: str, tricks: str, marks: str) -> None:
    assert run(["seat_figures"], TEAM_BIDS, [[list(bids), list(tricks)]]) == [[int(one) for one in marks]]


CHAIN = """
  const across = given.map(Boolean), room = { w: 330, h: 400 };
  const { unit, places } = chain.links(across, 5, room, 30);
  const boxes = places.map(({ x, y, turn }, n) => {
    const [wide, high] = across[n] === (turn === 90) ? [unit, unit / 2] : [unit / 2, unit];
    return { x: x - wide, y: y - high, w: 2 * wide, h: 2 * high };
  });
  const over = boxes.filter((one, n) => boxes.slice(n + 1).some((other) => ring.isOver(one, other))).length;
  const out = boxes.filter(({ x, y, w, h }) => x < 0 || y < 0 || x + w > room.w || y + h > room.h).length;
  const steps = places.filter(({ turn }, n) =>
    turn === 90 && !across[n] && Math.abs(n - 4.5) > 1.5 && across[n < 5 ? n + 1 : n - 1]).length;
  return [over, out, steps, places.some(({ turn }) => turn === 180)];
"""


@pytest.mark.rotating(2)
@pytest.mark.parametrize("doubles", [(), (2, 5, 8, 11, 13), (0, 4, 6, 9, 15), (1, 3, 7, 10, 12, 14)])
def test_a_chain_bends_within_its_room_and_never_lies_over_itself(run: Run, doubles: tuple[int, ...]) -> None:
    assert run(["chain", "ring"], CHAIN, [n in doubles for n in range(16)]) == [0, 0, 0, True]


ENDS = """\
rulewright: 1
title: Ends
players: 2
pieces: {tile: {has: {pips: 1 to 5}, starts in: line, noun: "tile {pips}"}}
zones: {line: {seen by: all}}
phases:
  play:
    do:
      - each seat: choose 1 from bottom 1 of line plus top 1 of line as end
      - end game
looks: {zones: {line: {layout: chain}}}
"""

OFFERED = """
  const of = document_.about(given.document), state = document_.now(given.states[0], of);
  const sent = [], box = document.createElement("div");
  const one = new picking.Picking(state.asked, new Map(), ({ take }) => sent.push(...take), () => {});
  dom.fill(box, chain.chain(of, one, state.zones[0], { x: 0, y: 0, w: 600, h: 300 }, 1));
  const ends = [...box.querySelectorAll(".offered")];
  ends.at(-1).click();
  const isInPlace = state.asked.choices.every((choice) => place.isInPlace(of, state, choice));
  return [ends.map((end) => end.dataset.piece), sent, isInPlace];
"""


@pytest.mark.rotating(2)
def test_an_end_of_a_chain_is_taken_where_it_lies(run: Run) -> None:
    data = page_state(ENDS)
    [line] = data["states"][0]["zones"].values()
    ends, sent, in_place = run(["document_", "dom", "chain", "picking", "place"], OFFERED, data)
    assert ends == [line["pieces"][0], line["pieces"][-1]]
    assert (sent, in_place) == ([ends[1]], True)


HOLES = """
  return given.map(([goal, seats, wide, most]) => {
    const hole = race.holeIn(goal, seats, wide, most);
    const place = race.holes(goal, seats, wide, hole), high = race.heightOf(goal, seats, wide, hole);
    const all = [];
    for (let lane = 0; lane < seats; lane++) for (let hole = 1; hole <= goal; hole++) all.push(place(lane, hole));
    const inside = all.every(({ x, y }) => x >= 5 && x <= wide - 5 && y >= 5 && y <= high - 5);
    const apart = all.every((one, n) =>
      all.slice(n + 1).every((other) => Math.hypot(one.x - other.x, one.y - other.y) > hole * 0.9));
    const steps = all.slice(1, goal).map(({ x, y }, n) => Math.hypot(x - all[n].x, y - all[n].y));
    return [inside, apart, Math.max(...steps) < 9 * hole, high <= most];
  });
"""


@pytest.mark.rotating(2)
def test_a_race_has_a_hole_for_each_point_in_a_row_that_turns_back(run: Run) -> None:
    boards = [(121, 2, 345, 80), (121, 2, 750, 200), (61, 4, 300, 90), (31, 3, 345, 240), (6, 2, 300, 60)]
    assert run(["race"], HOLES, boards) == [[True, True, True, True]] * len(boards)


PAD = """\
rulewright: 1
title: Pad
players: 2
words: {line: {ones: {}, twos: {}}}
counters:
  seat: {open: {for: line, starts at: yes}, sheet: {for: line, starts at: 0, shown: no}}
phases:
  play:
    do:
      - each seat:
          - choose 1 from lines where open for it as filled: {ask: Which line?}
          - set open for filled to no
          - set sheet for filled to 3
      - if every seat has (number of sheet is 6): end game
scoring: {points: {points: number of sheet}}
ranking: {by: highest score}
terms: {line: {gain: {by: it, ones: 1, otherwise: 2}}}
looks: {seats: {pad: {lines: sheet, free: open, worth: gain}}}
"""

FILLED = """
  const of = document_.about(given.document), box = document.createElement("div");
  return given.states.map((told) => {
    const state = document_.now(told, of);
    const picking_ = given.asks && state.asked ? new picking.Picking(state.asked, new Map(), () => {}, () => {}) : null;
    dom.fill(box, pad.pad(of, state, picking_, { x: 0, y: 0, w: 1, h: 1 }));
    return [...box.querySelectorAll("tbody tr")].map((line) =>
      [...line.querySelectorAll("td")].map((one) => (one.querySelector("button") ? "?" : one.textContent)).join(" "));
  });
"""


@pytest.mark.rotating(2)
def test_a_free_line_of_ones_own_pad_is_filled_where_it_stands(run: Run) -> None:
    modules, data = ["document_", "dom", "pad", "picking"], page_state(PAD, "twos", "ones")
    states = run(modules, FILLED, {**data, "asks": True})
    assert states == [["? –", "? –", "0 0"], ["– –", "3 –", "3 0"], ["? 3", "3 –", "3 3"]]
    states = run(modules, FILLED, {**data, "asks": False})
    assert [lines[:2] for lines in states] == [["1 –", "2 –"], ["– –", "3 –"], ["1 3", "3 –"]], "what they would bring"


@pytest.mark.parametrize(("length", "goal"), [("twice round", 121), ("once round", 61)])
def test_a_race_goes_to_the_goal_of_the_options(length: str, goal: int) -> None:
    game = Game.start(library.load("classics/cribbage"), ["Ann", "Bo"], {"length": length})
    assert table_metadata(Labels(game))["race"] == {"counter": "points", "goal": goal}


HANDS = """\
rulewright: 1
title: Hands
players: 2
pieces: {card: {has: {value: 1 to 6}, starts in: deck, noun: "card {value}"}}
zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner}
setup: {do: [each seat: move top 2 of deck to hand]}
phases:
  play:
    do:
      - each seat:
          - choose up to 1 from hand into deck: {ask: Which card?, none: None.}
      - end game
"""


def opened(game: Game, seat: int | None) -> list[str]:
    """Return the zones of which a seat, or a spectator, sees the pieces."""
    everybody = seat_view.table_state(Labels(game), None)
    zones = dict(everybody.zones)
    if seat is not None:
        zones |= seat_view.own(Labels(game), seat, None, everybody).get("zones", {})
    return [name for name, zone in zones.items() if zone.pieces is not None]


def test_hands_are_open_once_the_game_is_over_and_not_before() -> None:
    game = Game.start(library.from_text(HANDS, "tried"), ["Ann", "Bo"], seed=1)
    game.answer(0, [])
    assert (opened(game, 0), opened(game, 1), opened(game, None)) == (["hand/0/"], ["hand/1/"], [])
    game.answer(1, [])
    assert opened(game, 0) == opened(game, 1) == opened(game, None) == ["hand/0/", "hand/1/"]
    assert opened(game.with_history(game.history.until(game.history.steps()[0])), None) == []


def test_hands_stay_hidden_at_the_end_where_looks_say_so() -> None:
    rules = HANDS + "looks: {zones: {hand: {at the end: hidden}}}\n"
    game = Game.start(library.from_text(rules, "tried"), ["Ann", "Bo"], seed=1)
    for seat in (0, 1):
        game.answer(seat, [])
    assert game.over
    assert (opened(game, 0), opened(game, 1), opened(game, None)) == (["hand/0/"], ["hand/1/"], [])


LAST_TRICK = """
  const flow = (passes) => ({ passes, filled: ["hand"] });
  const zones = {
    played: { place: "offer", of: "seat", flow: flow(["won"]) }, won: { place: "number", of: "seat" },
    parcel: { place: "offer", of: "seat", flow: flow(["hand"]) }, hand: { place: "hand", of: "seat" },
    bid: { place: "offer", of: "seat", flow: flow(["won", "bin"]) }, bin: { place: "deck", of: "" },
  };
  const of = { zones, words: {}, boards: [], seats: [{}, {}], deals: true };
  const only = (...names) => ({ ...of, zones: Object.fromEntries(names.map((name) => [name, zones[name]])) });
  const move = (source, target, ...pieces) => ({ source, target, pieces });
  const wanted = [];
  const see = (steps, moves, round = 1, rest = {}) => {
    const one = last_taken.lastTaken(of, { moves, steps, round, ...rest }, (step) => wanted.push(step));
    return one && [one.by, ...one.cards.map(({ seat, name }) => `${seat} ${name}`)];
  };
  const trick = [move("played/0/", "won/1/", "a"), move("played/1/", "won/1/", "b")];
  const parcels = [move("parcel/0/", "hand/1/", "p"), move("parcel/1/", "hand/0/", "q")];
  const seen = [see(1, parcels), see(2, trick), see(2, []), see(3, parcels)];
  pace.passed.push({ steps: 1, round: 1, moves: [], log: {} });  // all of it was taken back
  const own = [move("played/0/", "won/0/", "x"), move("played/1/", "won/1/", "y")];
  seen.push(see(2, own), see(3, trick), see(4, [], 2));
  seen.push(see(9, []), see(9, []));
  pace.passed.push({ steps: 8, round: 1, moves: trick, lines: [] });
  seen.push(see(9, []));
  const [ordered, asked] = [[], [...wanted]];
  const order = (steps, moves) => {
    see(steps, moves, 3);
    const taken = last_taken.lastTaken(of, { moves, steps, round: 3 }, null);
    const { cards, isOrdered } = last_taken.inOrder(of, taken, null);
    ordered.push([isOrdered, ...cards.map(({ seat }) => seat)]);
  };
  see(20, [move("hand/1/", "played/1/", "b")], 3);
  see(21, [move("hand/0/", "played/0/", "a")], 3);
  order(22, trick);
  order(24, [move("hand/0/", "played/0/", "a"), ...trick]);
  return [seen, asked, [of, only("parcel", "hand"), only("bid", "won", "bin")].map(last_taken.takes), ordered];
"""


@pytest.mark.rotating(2)
def test_the_cards_that_were_taken_last_can_be_looked_at_again(run: Run) -> None:
    """Cards that are passed on, or of which each goes another way, are none; nor are those of an earlier deal. What was
    not shown is asked for, once."""
    trick = [1, "0 a", "1 b"]
    pictures, requests, takes, ordered = run(["last_taken", "pace"], LAST_TRICK)
    assert pictures == [None, trick, trick, trick, None, trick, None, None, None, trick]
    assert requests == [7]
    assert takes == [True, False, False]
    assert ordered == [[True, 1, 0], [False, 0, 1]], "who led is first, where it is known who laid when"


def lie(game: Game, zone: str) -> bool:
    """Whether something lies in a zone of anybody."""
    return any(game.history.present[one.address] for one in game.program.layout.zones if one.name == zone)


def last_trick(game: Game) -> tuple[set[str], int]:
    """Return the names of the cards of a game's last trick, and who took it, by its states."""
    layout, states = game.program.layout, [answered.before for answered in game.history.answers]
    won = [zone for zone in layout.zones if zone.name == "won"]
    for before, after in reversed(list(pairwise([*states, game.history.present]))):
        for zone in won:
            names = [piece_names(game.program, state, zone) for state in (before, after)]
            if len(names[1]) > len(names[0]):
                return {*names[1]} - {*names[0]}, zone.owner
    raise AssertionError("nobody has taken a trick")


@pytest.mark.rotating(4)
@pytest.mark.parametrize("name", ["hearts", "spades", "oh-hell"])
def test_a_page_that_is_opened_in_the_middle_of_a_trick_shows_the_last_one(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    with hosted(tmp_path, [f"classics/{name}"]) as home:
        links = home.begin(f"classics/{name}", *({"player": "here", "name": one} for one in ("Ann", "Bo", "Cy", "Di")))
        game = home.play_on(links["host"], 200, until=lambda game: lie(game, "won") and lie(game, "played"))
        trick, taker = last_trick(game)
        person = Person.at_device(browser)
        page = person.open(home.link(links["seats"][game.pending.ids[0][0]]))
        page.locator(".taken-last button").click()
        cards = page.locator(".taken-last .card-of")
        page.locator(".card-of .nth").nth(3).wait_for()  # once the steps in which they were laid have come
        names = {one.locator("[aria-label]").first.get_attribute("aria-label") for one in cards.all()}
        labels = Labels(game, "en")
        assert names == {labels.piece(one) for one in trick}
        led, played = (int((one.get_attribute("class") or "").split("seat-")[1].split()[0]) for one in cards.all()[:2])
        assert played == (led + 1) % 4, "in turn, from who led"
        assert page.locator(f".card-of.took.seat-{taker}").count() == 1
        person.context.close()
        assert not person.troubles


PASSING = """\
rulewright: 1
title: Passing
players: 2
pieces: {card: {has: {size: 1 to 6}, starts in: deck, noun: "{size}"}}
zones: {deck: {seen by: nobody}, hand: {of: seat, seen by: owner}, parcel: {of: seat, seen by: owner}}
counters: {seat: {receiver: {starts at: seat, noun: passing to}}}
setup:
  do:
    - each seat:
        - move top 3 of deck to hand
        - set receiver to left of it
phases:
  play:
    do:
      - all seats at once: choose 1 from hand into parcel
      - each seat: move parcel to receiver's hand
      - end game
scoring: {points: {points: number of hand}}
ranking: {by: highest score}
looks: {zones: {parcel: {place: offer}}}
"""

ARROWS = """
  const of = document_.about(given.document), state = document_.now(given.states[0], of);
  const has = place.contents(of), box = document.createElement("div");
  const regions = arrange.arrange({ width: 1440, height: 860, count: 1, mine: true, has });
  dom.fill(box, middle.middle(of, state, null, regions, { order: [0, 1], caption: null, redraw() {} }));
  const plate = document.createElement("div");
  dom.fill(plate, seat_parts.tallies(of, state, 0, true));
  const slots = [...box.querySelectorAll(".offer.slot")];
  return [...slots.map((slot) => slot.querySelector(".toward")?.style.rotate), plate.textContent];
"""


@pytest.mark.rotating(2)
def test_slots_point_to_whom_something_is_passed_and_plates_do_not_tell_it_again(run: Run) -> None:
    modules = ["document_", "place", "arrange", "dom", "middle", "seat_parts"]
    assert run(modules, ARROWS, page_state(PASSING)) == ["-90deg", "90deg", ""]


TRAY = """
  const of = document_.about(given.document), state = document_.now(given.states[0], of);
  for (const piece of Object.values(of.pieces)) piece.die = true; // where it has pictures
  const box = document.createElement("div");
  dom.fill(box, board.boards(of, state, null, () => {}));
  return [
    [...box.querySelectorAll("[role=gridcell][aria-label]")].map((one) => one.getAttribute("aria-label")),
    box.querySelectorAll(".coordinate, .below button").length,
  ];
"""


@pytest.mark.rotating(2)
def test_dice_in_a_row_have_no_coordinates_and_nothing_to_turn(run: Run) -> None:
    labels, others = run(["document_", "dom", "board"], TRAY, page_state(library.load("classics/yacht").text))
    assert labels == ["entry"] * 5, "a die by its place, and what it shows"
    assert others == 0
    _, others = run(["document_", "dom", "board"], TRAY, page_state(library.load("classics/checkers").text))
    assert others > 0


ALL = """
  const of = document_.about(given.document), { asked } = document_.now(given.states[0], of);
  const sent = [], box = document.createElement("div");
  const one = new picking.Picking(asked, new Map(), ({ take }) => sent.push(take), () => {});
  const draw = () => dom.fill(box, decision.confirm(asked, one));
  draw();
  box.querySelector(".choice")?.click();
  draw();
  box.querySelector(".main").click();
  return [sent, box.querySelector(".choice")?.disabled];
"""


@pytest.mark.rotating(2)
def test_everything_is_picked_with_one_button_where_all_may_be(run: Run) -> None:
    modules = ["document_", "dom", "decision", "picking"]
    data = page_state(library.load("classics/yacht").text)
    question, everything = data["states"][0]["asked"], ["a1", "b1", "c1", "d1", "e1"]
    assert run(modules, ALL, data) == [[everything, []], False]
    cases: tuple[tuple[dict[str, object], list[object]], ...] = (
        ({"all": "", "some": ""}, [[everything], True]),
        ({"most": 4}, [[[]], None]),
    )
    for change, expected in cases:
        assert (
            run(modules, ALL, {**data, "states": [{**data["states"][0], "asked": {**question, **change}}]}) == expected
        )


FINISH = """
  const of = document_.about(given.document), { asked } = document_.now(given.states[0], of);
  const sent = [];
  const one = new picking.Picking(asked, new Map(), ({ take, next }) => sent.push([take, next]), () => {}, undefined,
    () => {});
  one.take(one.find(({ words, word }) => words === "category" && word === "chance"));
  const again = picking.picksFor({ take: ["b1", "d1"] }, asked);
  const other = picking.picksFor({ take: ["chance"] }, asked);
  return [sent, again.order, [...again.keys()], other.size];
"""


@pytest.mark.rotating(2)
def test_a_line_is_filled_after_any_roll_and_kept_dice_stay_picked(run: Run) -> None:
    data = page_state(library.load("classics/yacht").text)
    result = run(["document_", "picking"], FINISH, data)
    assert result == [[[["a1", "b1", "c1", "d1", "e1"], [["chance"]]]], ["b1", "d1"], ["b1", "d1"], 0]


OWN_ORDER = """
  const order = (...names) => own_order.inOwnOrder("hand/0/", names.map((name) => ({ name }))).map(({ name }) => name);
  const usual = order("a", "b", "c", "d");
  own_order.reorder("hand/0/", usual, 0, 2);
  return [order("a", "b", "c", "d"), order("a", "c", "cc", "d"), order("w", "x", "y", "a"), order("a", "b", "c", "d")]
    .map((names) => names.join(" "));
"""


def test_a_hand_keeps_its_readers_order_until_it_is_another_one(run: Run) -> None:
    assert run(["own_order"], OWN_ORDER) == ["b c a d", "c cc a d", "w x y a", "a b c d"]


ADDRESSED = """
  const svg = (width) =>
    `<svg xmlns="http://www.w3.org/2000/svg"\nwidth="${width}" height="9"><title>é 100 % #</title></svg>`;
  globalThis.fetch = async () => ({ ok: true, json: async () => ({ wide: svg(70), small: svg(7) }) });
  URL.createObjectURL = () => { throw new Error("asks another process, while the page waits"); };
  await pictures.fetched("one", () => {});
  const widths = ["wide", "small"].map(async (name) => {
    const image = new Image();
    image.src = pictures.addressOf({ edition: "one" }, name);
    await image.decode();
    return image.naturalWidth;
  });
  return [...(await Promise.all(widths)), pictures.addressOf({ edition: "one" }, "missing") ?? null];
"""


def test_a_picture_has_an_address_that_holds_it(run: Run) -> None:
    assert run(["pictures"], ADDRESSED) == [70, 7, None]


COLOURED = """
  const drawn = ["", '<path fill="#F6BE45"/>'].map((more) => pictures.recoloured(
    '<path fill="#FFF6E3"/><path fill="#c4512d"/><path fill="#5B3526"/>' + more, "#27508a"));
  const pieces = { k1: ["K", 1], a2: ["A", 3], a1: ["A", 0], k2: ["K", 4] };
  const of = { pieces: Object.fromEntries(Object.entries(pieces).map(([name, [corner, order]]) =>
    [name, { corner, order }])) };
  const dealt = ["k2", "a2", "k1", "a1"].map((name) => ({ name, count: 1 }));
  const hand = () => pieces_.held(of, dealt).map(({ name }) => name);
  const bySuit = hand();
  switches.keepOn(switches.RANKS, true);
  const byRank = hand();
  switches.keepOn(switches.RANKS, false);
  return [drawn, bySuit, byRank];
"""


@pytest.mark.rotating(2)
def test_readers_choose_colours_of_suits_and_the_order_of_their_hand(run: Run) -> None:
    modules = ["pictures", "pieces_", "switches"]
    pictures, by_suit, by_rank = run(modules, COLOURED)
    assert pictures == [
        '<path fill="#FFF6E3"/><path fill="#27508a"/><path fill="#183256"/>',
        '<path fill="#FFF6E3"/><path fill="#27508a"/><path fill="#5B3526"/><path fill="#F6BE45"/>',
    ]
    assert by_suit == ["a1", "k1", "a2", "k2"]
    assert by_rank == ["a1", "a2", "k1", "k2"]


def test_cards_have_the_colour_that_a_reader_may_choose_for_their_suit() -> None:
    game = Game.start(library.load("classics/hearts"), ["Ann", "Bo", "Cleo", "Dan"])
    pieces = table_metadata(Labels(game))["pieces"].values()
    colours = {(piece["attributes"]["suit"], piece["colour"]) for piece in pieces}
    assert colours == {("clubs", "#2f6b4f"), ("diamonds", "#27508a"), ("hearts", ""), ("spades", "")}


def test_court_cards_have_pictures_of_their_own() -> None:
    game = Game.start(library.load("classics/hearts"), ["Ann", "Bo", "Cleo", "Dan"])
    pieces = table_metadata(Labels(game))["pieces"].values()
    pictures = {(one["attributes"]["rank"], one["attributes"]["suit"]): one["picture"] for one in pieces}
    assert len(pictures) == 52
    for (rank, suit), picture in pictures.items():
        assert picture == (f"{rank}-{suit}" if rank in ("jack", "queen", "king") else suit)


def test_a_peg_behind_is_where_a_seat_was_before_its_points_changed() -> None:
    """Also for a page that is opened anew: the game's history tells it."""
    game, rng = Game.start(library.load("classics/cribbage"), ["Ann", "Bo"], seed=5), random.Random(1)
    counter = next(one for one in game.program.layout.counters if one.name == "points")
    now, before = [0, 0], [0, 0]
    while max(now) < 20:
        decision = game.decisions()[0]
        game.answer(decision.seat, rng.sample([choice.key for choice in decision.choices], decision.least))
        values = game.position.counter(counter)
        assert isinstance(values, tuple)
        for seat, points in enumerate(values):
            assert isinstance(points, int)
            before[seat], now[seat] = (before[seat] if points == now[seat] else now[seat]), points
        assert list(table_marks.values_before(Labels(game), NoMemo())) == before
    assert all(before)


def test_cards_of_a_row_are_known_by_whoever_laid_them() -> None:
    game, layers = Game.start(library.load("classics/cribbage"), ["Ann", "Bo"], seed=5), list[int]()
    while len(layers) < 3:
        decision = game.decisions()[0]
        game.answer(decision.seat, [choice.key for choice in decision.choices][: decision.least])
        if game.view(None).zone("row").pieces:
            layers.append(decision.seat)
        assert tuple(layers) == laid_by(Labels(game), NoMemo()).get("row", ())
    assert len(set(layers)) == 2


def test_a_stock_stands_for_drawing_from_it_and_cards_lie_by_rank_where_they_count() -> None:
    game = Game.start(library.load("classics/gin-rummy"), ["Ann", "Bo"], seed=5)
    stands = []
    for _ in range(4):
        decision = game.decisions()[0]
        question = question_now(Labels(game), decision.seat, 1)
        assert question is not None
        stands.append(question.none_at)
        game.answer(decision.seat, [choice.key for choice in decision.choices][: decision.least])
    assert stands == ["", "", "", "stock"]  # two pass, one discards, the next one draws
    labels = Labels(Game.start(library.load("classics/cribbage"), ["Ann", "Bo"], seed=5))
    names = ["king of clubs", "two of hearts", "ace of spades", "two of clubs"]
    assert [name.split()[0] for name in labels.sort_pieces(names)] == ["ace", "two", "two", "king"]


TOGETHER = """
  const suits = ["c", "d", "h", "s"], corners = ["A", "2", "3", "4", "5", "6"];
  const pieces = Object.fromEntries(suits.flatMap((suit, row) =>
    corners.map((corner, n) => [suit + corner, { corner, suit, order: row * corners.length + n }])));
  const hand = (names, apart) => together.together({ pieces }, names.split(" ").map((name) => ({ name })), apart);
  return [
    hand("c2 c6 d2 d3 d4 h2 h6 s2", ["h6", "c6"]), hand("c2 c5 d2 d5 h2 h5 s6", ["s6"]), hand("c1 d1", ["c1", "d1"]),
  ].map(({ cards, begins }) => [cards.map(({ name }) => name).join(" "), begins]);
"""


def test_cards_that_go_together_lie_together_and_the_others_apart(run: Run) -> None:
    assert run(["together"], TOGETHER) == [
        ["c2 h2 s2 d2 d3 d4 c6 h6", [3, 6]],
        ["c2 d2 h2 c5 d5 h5 s6", [3, 6]],
        ["c1 d1", []],
    ]


def test_only_its_owner_is_told_which_cards_lie_apart() -> None:
    game, rng = Game.start(library.load("classics/gin-rummy"), ["Ann", "Bo"], seed=5), random.Random(1)
    for _ in range(12):
        decision = game.decisions()[0]
        game.answer(decision.seat, rng.sample([choice.key for choice in decision.choices], decision.least))
    labels = Labels(game)
    everybody = seat_view.table_state(labels, None)
    assert everybody.apart_pieces == {}
    for seat in (0, 1):
        pieces = seat_view.own(labels, seat, None, everybody)["apart_pieces"]["hand"]
        assert pieces and set(pieces) <= set(game.view(seat).zone("hand", seat).pieces or ())


RANK_NAMES = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]


def deadwood(game: Game) -> set[str]:
    """Return the names of the cards that lie apart in the hand of whoever is asked."""
    seat, labels = game.decisions()[0].seat, Labels(game)
    everybody = seat_view.table_state(labels, None)
    return set(seat_view.own(labels, seat, None, everybody).get("apart_pieces", {}).get("hand", ()))


@pytest.mark.rotating(4)
def test_what_goes_together_is_marked_and_a_button_sorts_the_other_cards(browser: Browser, tmp_path: Path) -> None:
    with hosted(tmp_path, ["classics/gin-rummy"]) as home:
        links = home.begin("classics/gin-rummy", *({"player": "here", "name": one} for one in ("Ann", "Bo")))
        game = home.play_on(links["host"], 60, seed=3, until=lambda game: 3 < len(deadwood(game)) < 6)
        seat, others = game.decisions()[0].seat, deadwood(game)
        hand = set(game.view(seat).zone("hand", seat).pieces or ())
        person = Person.at_device(browser)
        page = person.open(home.link(links["seats"][seat]))
        button, cards = page.locator(".sort-hand"), page.locator(".fan > .laid")
        button.wait_for()
        descriptions = [
            (one.get_attribute("aria-label") or "", one.get_attribute("aria-describedby")) for one in cards.all()
        ]
        assert {name for name, group in descriptions if group} == hand - others
        assert all(name in (page.locator(f"#{group}").text_content() or "") for name, group in descriptions if group)
        assert page.locator(".fan > .goes").count() == len(hand - others)
        for text in ("Sort by rank", "Sort by suit"):
            assert button.inner_text() == text
            button.click()
            names = [name for one in cards.all() if (name := one.get_attribute("aria-label")) in others]
            assert set(names) == others
            ranks = [RANK_NAMES.index(name.split()[0]) for name in names]
            assert (ranks == sorted(ranks)) == (text == "Sort by rank")
        person.context.close()
        assert not person.troubles


NAMES_ON_CARDS = """
  const piece = { card: true, picture: "p", tint: 0, corner: "", suit: "", ground: "", signs: [], unnamed: false };
  const of = { edition: "e", pieces: Object.fromEntries(given.map((label) => [label, { ...piece, label }])) };
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/pieces.css" });
  const loaded = new Promise((done) => { sheet.onload = done; });
  document.head.append(sheet);
  document.body.style.font = "16px system-ui";
  await loaded;
  return [46, 54, 60, 68, 76].map((wide) => {
    const box = document.createElement("div");
    box.style.setProperty("--card", `${wide}px`);
    document.body.append(box);
    dom.fill(box, given.map((name) => pieces.face(of, name)));
    const names = [...box.querySelectorAll(".card .name")].filter((one) => one.clientHeight > 0);
    const isWhole = (one) => one.scrollWidth <= one.clientWidth + 2 && one.scrollHeight <= one.clientHeight + 2;
    return names.map((one) => [one.textContent.replaceAll("\u00ad", ""), isWhole(one)]);
  });
"""


def test_a_word_stands_on_a_small_card_wherever_it_fits_and_is_whole(run: Run) -> None:
    words = ["lion", "squirrel", "steenbok", "Murmeltier", "Eichhörnchen", "water buffalo"]
    sizes = run(["dom", "pieces"], NAMES_ON_CARDS, words)
    assert [name for names in sizes for name, is_whole in names if not is_whole] == []
    labels = [[name for name, _ in names] for names in sizes]
    assert all(set(small) <= set(large) for small, large in pairwise(labels))
    assert (labels[0], "squirrel" in labels[2], labels[-1]) == ([], True, words[:-1])
