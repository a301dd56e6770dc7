"""Modules of the page by themselves, without a server: what they make of a table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.json import decode, encode
from playwright.sync_api import Browser

from page_modules import Run, module_runner, page_state
from project_folders import ROOT
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.board_grid import BoardGrid
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from screenshots import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture
def run(browser: Browser) -> Run:
    return module_runner(browser)


EDGES = """\
rulewright: 1
title: Edges
players: 2
words: {side: {west: {}, east: {}}}
boards:
  row: {of: cell, map: "wwoooee", legend: {o: {}, w: {side: west}, e: {side: east}}}
pieces: {stone: {copies: 9, starts in: box}}
zones: {box: {seen by: all}, place: {of: cell, seen by: all}}
phases:
  play:
    do:
      - each seat:
          - choose 1 from cells where place is empty as spot
          - move first 1 of box to spot's place
"""
CLAIMED = EDGES.replace("place: {of: cell", "flag: {of: side, seen by: all}, place: {of: cell")

TAGS = """
  const of = document_.about(given.document), state = document_.now(given.states.at(-1), of);
  const [board] = of.boards, found = regions.regions(of, state, board);
  const drawn = (what) => {
    const box = document.createElement("div");
    dom.fill(box, what);
    return [...box.children].map((one) => one.textContent);
  };
  return {
    tags: drawn(regions.tags(of, board, found, () => ({}))), legend: drawn(regions.legend(of, board, found)).join(""),
  };
"""


@pytest.mark.rotating(2)
def test_how_full_a_region_is_stands_there_only_where_that_matters(run: Run) -> None:
    modules = ["document_", "dom", "regions"]
    assert run(modules, TAGS, page_state(EDGES, "a1")) == {"tags": [], "legend": "legendwesteast"}
    assert run(modules, TAGS, page_state(CLAIMED, "a1"))["tags"] == ["1/2", "0/3", "0/2"]


def test_long_words_on_cards_are_parted_at_syllables(run: Run) -> None:
    names = {"pieces": ["adaptation card", "Geländekarte Wüste", "Flaschenpost", "Entwicklung", "attack card"]}
    parted = run(
        ["pieces"], "return given.pieces.map((name) => pieces.hyphened(name).replaceAll('\\u00AD', '-'));", names
    )
    assert parted == ["adap-ta-tion card", "Gelän-de-karte Wüste", "Fla-schen-post", "Ent-wicklung", "attack card"]


PLACES = """
  const of = document_.about(given.document), [board] = of.boards, laid = board_grid.grid(board);
  return board.spaces.map((space) => [laid.middle(space), laid.corners(space)]);
"""


@pytest.mark.parametrize("hexagonal", [False, True])
def test_spaces_lie_where_books_draw_them(run: Run, hexagonal: bool) -> None:
    form = "neighbours: hexagonal, " if hexagonal else ""
    data = page_state(EDGES.replace('map: "wwoooee"', f'{form}map: "wwo\\noee"'), "a1")
    assert data["document"]["table"]["boards"][0]["hexagonal"] == hexagonal
    places = [(column, row) for row in range(2) for column in range(3)]
    for place, (middle, corners) in zip(places, run(["document_", "board_grid"], PLACES, data), strict=True):
        assert middle == pytest.approx(BoardGrid(hexagonal).center(place), abs=0.01)
        assert corners == [
            [pytest.approx(x, abs=0.51), pytest.approx(y, abs=0.51)] for x, y in BoardGrid(hexagonal).corners(place)
        ]


POINTS = """
  const of = document_.about(given.document), [board] = of.boards;
  return [false, true].map((turned) => {
    const laid = board_grid.grid(board, turned);
    const inside = { x: -laid.left, y: -laid.top };
    return board.spaces.map((space) => {
      const { x, y, w, h } = laid.box(space);
      return { box: [x + inside.x, y + inside.y, w, h], middle: laid.middle(space), pile: laid.pile(space) };
    }).concat({ box: [0, 0, laid.width, laid.height] });
  });
"""


RIM = """
  const [board] = document_.about(given.document).boards;
  return [false, true].map((turned) => {
    const laid = board_grid.grid(board, turned);
    return [laid.rim, ...board.spaces.filter((space) => Math.abs(laid.pile(space)) === 2).map(laid.box)];
  });
"""


def test_the_edge_of_a_board_of_points_is_free_between_its_trays(run: Run) -> None:
    points = EDGES.replace('map: "wwoooee"', 'map: "ww.w\\n.o..\\nee.e"') + "looks: {boards: {row: {kind: points}}}\n"
    for rim, *trays in run(["document_", "board_grid"], RIM, page_state(points, "a1")):
        upper, lower = sorted(trays, key=lambda tray: tray["y"])
        assert upper["y"] + upper["h"] <= rim["y"] and rim["y"] + rim["h"] <= lower["y"]
        assert (rim["x"], rim["w"]) == (upper["x"], upper["w"])


def test_points_are_piled_from_the_outer_edges_and_a_board_can_be_turned(run: Run) -> None:
    """Points are turned upside down only: whoever sits there has home on the same hand."""
    points = EDGES.replace('map: "wwoooee"', 'map: "www\\n.o.\\neee"') + "looks: {boards: {row: {kind: points}}}\n"
    (*upright, _), (*turned, (_, _, width, height)) = (
        [*(one for one in way[:-1]), way[-1]["box"]]
        for way in run(["document_", "board_grid"], POINTS, page_state(points, "a1"))
    )
    assert [one["pile"] for one in upright] == [1] * 3 + [0] + [-1] * 3
    assert [one["pile"] for one in turned] == [-1] * 3 + [0] + [1] * 3
    boxes = [one["box"] for one in upright]
    for place, (x, y, wide, high) in enumerate(boxes):
        assert x >= 0 and y >= 0 and x + wide <= width and y + high <= height
        assert turned[place]["box"] == pytest.approx([x, height - y - high, wide, high])
        for left, top, across, down in boxes[:place]:
            assert x + wide <= left or left + across <= x or y + high <= top or top + down <= y


NEW_PAGE = """
  const of = document_.about(given.document), states = given.states.map((state) => document_.now(state, of));
  const found = [];
  let known;
  states.forEach((state, at) => {
    known = changed_spaces.changedSpaces(states[at - 1] ?? null, state, known);
    found.push([...known.zones].map(([key, way]) => `${key} ${way}`).join());
  });
  return found;
"""


@pytest.mark.rotating(2)
def test_what_the_others_have_changed_stands_out_until_one_has_answered(run: Run) -> None:
    a, b, c, d = (f"place//{space}1 came" for space in "abcd")
    argument = page_state(EDGES, "a1", "b1", "c1", "d1")
    assert run(["document_", "changed_spaces"], NEW_PAGE, argument) == ["", a, b, c, d]
    argument["states"] = [argument["states"][n] for n in (0, 1, 2, 4)]  # two steps at once
    assert run(["document_", "changed_spaces"], NEW_PAGE, argument)[-1] == f"{c},{d}"


def test_a_disc_that_was_placed_is_told_from_those_that_it_turned(run: Run) -> None:
    reversi = (ROOT / "editions" / "classics" / "reversi.yaml").read_text("utf-8")
    results = run(["document_", "changed_spaces"], NEW_PAGE, page_state(reversi, "c4", "c3", "c2"))
    assert results[1] == "place//c4 came,place//d4 altered"
    assert results[3] == "place//c2 came,place//c3 altered"


def test_a_disc_that_is_turned_as_it_is_placed_moves_too() -> None:
    """White's discs lie in the box with their black side up."""
    before, after = (Game.start(library.load("classics/reversi"), ["Ann", "Bo"], seed=1) for _ in range(2))
    for game, spaces in ((before, ["c4"]), (after, ["c4", "c3"])):
        for seat, space in enumerate(spaces):
            game.answer(seat, [space])
    moves = seat_view.moves_since(Labels(after), 0, before)
    assert [(move.source, move.target, move.pieces) for move in moves] == [("box//", "place//c3", ("white disc",))]


PASSING = (
    EDGES.replace("choose 1", "choose up to 1")
    .replace("move first", "each spot as one: move first")
    .replace("to spot's", "to one's")
)


@pytest.mark.rotating(2)
def test_a_pass_ends_what_is_shown_as_the_last_move(run: Run) -> None:
    argument = page_state(PASSING, "a1", "", "b1", seat=1)
    a, b = (f"place//{space}1 came" for space in "ab")
    assert run(["document_", "changed_spaces"], NEW_PAGE, argument) == ["", a, a, b]


def test_one_of_one_is_taken_with_one_tap(run: Run) -> None:
    question = "return given.map(([least, most]) => picking.several({ least, most, choices: [{ count: least }] }))"
    assert run(["picking"], question, [[1, 1], [0, 1], [2, 2], [0, 2]]) == [False, False, True, True]


PICKED = """
  const asked = { least: 0, most: 4, choices: [["a", 1], ["b", 2], ["c", 1]].map(([key, count]) => ({ key, count })) };
  const made = new picking.Picking(asked, new Map(), () => {}, () => {});
  return given.map((key) => {
    made.take(asked.choices.find((choice) => choice.key === key));
    return made.taken.join("");
  });
"""


def test_several_are_taken_in_the_order_in_which_they_were_picked(run: Run) -> None:
    assert run(["picking"], PICKED, list("cba")) == ["c", "cb", "cba"]
    assert run(["picking"], PICKED, list("bab")) == ["b", "ba", "bab"]
    assert run(["picking"], PICKED, list("bcbbcb")) == ["b", "bc", "bcb", "c", "", "b"]


TAPPED = """
  globalThis.matchMedia = () => ({ matches: true });
  const { Picking } = await import("/picking.js");
  const choice = { key: "b1", count: 1, words: "spot", word: "b1" };
  const asked = { least: 1, most: 1, picked: [], choices: [choice] };
  const answers = [];
  const made = new Picking(asked, new Map(), (answer) => answers.push(answer), () => {}, undefined, () => {});
  made.binding = given;
  made.tap(choice);
  const waits = made.isChosen(choice);
  made.take(choice);
  return [waits, answers.length];
"""


def test_a_tap_on_a_board_waits_where_it_cannot_be_taken_back(run: Run) -> None:
    assert run([], TAPPED, True) == [True, 1]
    assert run([], TAPPED, False) == [False, 2]


REFUSALS = """
  const pieces = Object.fromEntries("a1 a2 b1 b2 c1".split(" ").map((name) =>
    [name, { label: name, attributes: { suit: name[0], rank: `rank ${name[1]}` } }]));
  const choices = (names) => names.map((piece) => ({ piece }));
  return given.map(([held, offered, name]) =>
    refusal.refusal({ pieces, words: {} }, { choices: choices(offered) }, held, name));
"""


def test_what_cannot_be_taken_says_why(run: Run) -> None:
    """Reasons are known here by the names of their texts."""
    hand = ["a1", "a2", "b1", "b2", "c1"]
    cases = [(hand, ["a1", "a2"], "b1"), (hand, ["a1", "a2", "c1"], "b1"), (hand, ["a2", "b1"], "a1")]
    assert run(["refusal"], REFUSALS, cases) == ["only now", "not now", "not this"]


REFUSED_SPACES = """
  const { owned, grounds, offered, picked, threatened, tapped } = given;
  const all = [..."abcdefgh"];
  const beside = (n) => [all[n - 1], all[n + 1]].filter(Boolean);
  const told = (word) => (grounds?.[word] ? [grounds[word]] : []);
  const spaces = all.map((word, n) => ({ word, label: word, neighbours: beside(n), told: told(word) }));
  const board = { words: "spot", spaces, key: [] };
  const seats = [{ name: "Ann" }, { name: "Bo" }];
  const of = { seat: 0, seats, zones: { place: { of: "spot" } }, pieces: { x: { label: "x" } } };
  const pieces = (word) => (owned?.[word] ? [owned[word]] : []);
  const zones = all.map((word) => ({ zone: "place", word, count: pieces(word).length, pieces: pieces(word) }));
  const state = { zones, owners: { x: 0, y: 1 }, threatened: { spot: threatened ?? [] } };
  const thing = (sort) => (word) => ({ key: word, word, words: "spot", place: 0, ...(sort && { sort }) });
  const picking = { asked: { rule: "" }, things: [...offered.map(thing()), ...(picked ?? []).map(thing("picked"))] };
  const space = spaces.find(({ word }) => word === tapped);
  return refused_space.refusedSpace(of, state, picking, board, space);
"""


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ({"offered": ["a", "b"], "owned": {"d": "y"}, "tapped": "d"}, "refused taken"),
        ({"offered": ["a", "b"], "owned": {"a": "x", "b": "x"}, "tapped": "d"}, "refused empty"),
        ({"offered": ["a"], "owned": {"a": "x", "d": "y"}, "tapped": "d"}, "refused other"),
        ({"offered": ["a"], "owned": {"a": "y", "d": "x"}, "tapped": "d"}, "refused own"),
        ({"offered": ["a", "b", "c"], "grounds": dict.fromkeys("abc", "sea"), "tapped": "d"}, "only now"),
        ({"offered": ["a", "b", "c"], "grounds": dict.fromkeys("def", "sea"), "tapped": "d"}, "not now"),
        ({"offered": ["a", "b"], "grounds": dict.fromkeys("ab", "sea"), "tapped": "d"}, "refused here"),
        ({"offered": ["b"], "owned": {"a": "x", "h": "x"}, "tapped": "d"}, "refused apart"),
        ({"offered": ["b"], "owned": {"a": "x"}, "picked": ["a"], "tapped": "d"}, "refused far"),
        ({"offered": ["c"], "owned": {"a": "x"}, "picked": ["a"], "tapped": "d"}, "refused there"),
        ({"offered": ["a"], "owned": {"a": "x", "d": "x"}, "threatened": ["a"], "tapped": "d"}, "refused threat"),
        ({"offered": [], "tapped": "d"}, None),
    ],
)
def test_a_space_that_cannot_be_taken_says_why(run: Run, board: object, reason: str | None) -> None:
    """Reasons are known here by the names of their texts; what two spaces share may be chance."""
    assert run(["refused_space"], REFUSED_SPACES, board) == reason


LETTERED = """
  const board = (size) => {
    const word = (column, row) => `${String.fromCharCode(97 + column)}${row + 1}`;
    const spaces = Array.from({ length: size * size }, (_, n) => {
      const [column, row] = [n % size, Math.floor(n / size)];
      const name = word(column, row);
      return { word: name, label: name, column, row, box: [200 * column, 200 * row, 200, 200] };
    });
    return { kind: "crossings", spaces, edges: [], bay: [], hexagonal: false, gaps: [] };
  };
  return given.map(([size, width]) => {
    const laid = board_grid.grid(board(size));
    const far = board_land.edges(laid && board(size), laid).map(({ props: { style, children } }) => {
      const [left, top] = [style.left, style.top].map((share) => (parseFloat(share) / 100) * width);
      return [String(children), left, width - top];
    });
    const least = (fits, axis) => Math.min(...far.filter(([text]) => fits.test(text)).map((one) => one[axis]));
    return [least(/^[a-z]$/, 2), least(/^\\d$/, 1), least(/^\\d\\d$/, 1)];
  });
"""


def test_letters_at_the_edge_of_a_large_board_are_whole(run: Run) -> None:
    """Letters of 12 px lie with their middle at least half of that from the edge; two digits are 15 px wide."""
    for height, digit, digits in run(["board_grid", "board_land"], LETTERED, [(19, 390), (19, 430), (13, 390)]):
        assert height >= 5
        assert digit >= 4
        assert digits >= 7.5


TRAILED = """
  const { steps, waiting } = given;
  const at = (n) => ({
    waiting: waiting[n],
    scores: [0, 0],
    moves: steps[n].map(([source, target]) => ({ source: `place//${source}`, target: `place//${target}` })),
  });
  const found = changed_spaces.trail(at(steps.length - 1));
  let n = steps.length - 2;
  while (n >= 0 && changed_spaces.lookBack(found, at(n))) n -= 1;
  return [[...found.zones].map(([key, way]) => `${key.slice(-1)} ${way}`).sort(), n];
"""


def test_the_last_turn_is_gathered_from_the_last_state_back(run: Run) -> None:
    """Both moves of a turn are marked, not the turn before; what only picks changes nothing."""
    steps = [[], [["a", "b"]], [["c", "d"]], [], [["e", "f"]], [["f", "d"]], []]
    waiting = [[0], [1], [0], [0], [0], [0], [1]]  # who is asked after each step
    marks, stop = run(["changed_spaces"], TRAILED, {"steps": steps, "waiting": waiting})
    assert marks == ["d came", "e left", "f left"]
    assert stop == 1, "the state before the turn, and no farther"


RECEIVED = """
  const state = (...pieces) => ({ zones: [{ zone: "hand", owner: 0, word: "", pieces }] });
  const names = (come) => [...come.values()].map((one) => [...one].join("")).join();
  let [before, known] = [null, new Map()];
  return given.map((hand) => {
    const after = state(...hand);
    known = received.received(before, after, 0, known);
    before = after;
    return names(known);
  });
"""


def test_what_comes_into_a_hand_is_known_until_other_things_come(run: Run) -> None:
    hands = ["", "abc", "ab", "abde", "abd", "abdf"]
    assert run(["received"], RECEIVED, hands) == ["", "", "", "de", "de", "f"], "the first hand is no news"


LANDED = """
  const board = { words: "spot", spaces: [0, 1, 2].map((column) => ({ word: `s${column}`, column, row: 0 })) };
  const of = { seat: 0 };
  const asked = { kind: "word", most: 1, picked: [], choices: [{ key: "s0", word: "s0" }] };
  return given.map(([owners, lead]) => {
    const made = new picking.Picking(asked, new Map(), () => {}, () => {}, { ...picking.UNTOLD, to: () => lead });
    const at = landing.landings(of, { owners }, board, made, () => true);
    return board.spaces.map(({ word }) => [at(word).lands?.word ?? "", at(word).comes?.piece ?? ""].join());
  });
"""


def test_a_ghost_lies_where_a_piece_lands_and_spaces_on_the_way_stand_for_it(run: Run) -> None:
    two, one = {"disc": 0, "cap": 0}, {"disc": 0, "cap": 1}
    cases = [(two, None), (one, None), (two, {"landing": ["cap", "s1"]})]
    expected = [[",", ",", ","], ["s0,disc", ",", ","], ["s1,", "s1,cap", "s1,"]]
    assert run(["picking", "landing"], LANDED, cases) == expected


PEEKED = """\
rulewright: 1
title: Peeked
players: 2
words: {hue: {red: {}, blue: {}}}
boards: {row: {of: spot, size: 2 by 1}}
pieces: {card: {each: hue, copies: {red: 1, blue: 4}, starts in: box, noun: "{hue} card"}}
zones: {box: {seen by: nobody}, back: {of: spot, seen by: nobody}}
setup:
  do:
    - shuffle box
    - each spot as place: move last 1 of box to place's back
    - each first 1 of seats: [show a1's back to you]
phases: {play: {do: [each seat: [choose 1 from spots as spot]]}}
"""

MEN = """
  const of = document_.about(given.document), state = document_.now(given.states[0], of);
  const main = document.getElementById("main");
  dom.fill(main, board.boards(of, state, null, () => {}));
  return [...main.querySelectorAll(".man")].map((man) => [man.textContent, man.style.getPropertyValue("--fill")]);
"""


def test_a_hidden_piece_that_the_reader_knows_is_drawn_as_known_in_its_colour(run: Run) -> None:
    modules = ["document_", "board", "dom"]
    assert run(modules, MEN, page_state(PEEKED)) == [["R👁", "#b5432a"], ["?", ""]]
    assert run(modules, MEN, page_state(PEEKED, seat=1)) == [["?", ""], ["?", ""]]


CAPTIONED = """
  document.getElementById("main").innerHTML = `<div class="stage">
    <div class="plate" style="position: relative; width: 90px; height: 40px">
    <span class="chip" style="position: absolute; left: 5px; width: 20px; height: 20px">1</span>
    <span class="chip" style="position: absolute; left: 80px; width: 20px; height: 20px">2</span>
    <div class="captions" style="position: absolute; top: 50px"><span class="chip">3</span></div></div></div>`;
  folded.fold();
  return [...document.querySelectorAll(".chip")].map((one) => one.hasAttribute("data-fold"));
"""


def test_what_is_told_beside_a_plate_is_not_folded_into_it(run: Run) -> None:
    assert run(["folded"], CAPTIONED) == [False, True, False]


REDRAWN = """
  const main = document.getElementById("main");
  const of = document_.about(given.document);
  await new Promise((done) => stage.isStaged(of, { apart_pieces: {} }, done) && done(null));
  const observer = new MutationObserver(() => {});
  const touched = [];
  let shown = {};
  for (const change of given.changes) {
    shown = merge_patch.merged(shown, change);
    const state = document_.now(shown, of);
    dom.fill(main, stage.stage(of, state, null, { bar: () => null, redraw: () => {} }));
    const records = observer.takeRecords().map(({ target }) => (target.nodeType === 3 ? target.parentElement : target));
    touched.push([".board", ".middle", ".players"].filter((part) => records.some((one) => one.closest(part))));
    observer.observe(main, { childList: true, characterData: true, attributes: true, subtree: true });
  }
  return touched.slice(2); // the first drawing tells the size of the stage
"""


@pytest.mark.rotating(2)
def test_only_what_has_changed_is_drawn_again(run: Run) -> None:
    """A stone that comes to the board leaves the box; who is asked stands beside the names."""
    argument = page_state(EDGES, "a1")
    before, after = argument["states"]
    zone = {"zones": {"place//a1": after["zones"]["place//a1"]}}
    box = {"zones": {"box//": {"pieces": ["stone"]}}}
    argument["changes"] = [before, {}, zone, {"round": 7}, {"waiting": [1]}, box]
    modules = ["document_", "merge_patch", "dom", "stage"]
    assert run(modules, REDRAWN, argument) == [[".board"], [], [".players"], [".middle"]]


QUIET = """
  const main = document.getElementById("main");
  const of = document_.about(given.document);
  const asked = document_.now(given.states[0], of);
  await new Promise((done) => stage.isStaged(of, asked, done) && done(null));
  const none = () => {};
  const made = new picking.Picking(asked.asked, new Map(), none, none, new leads.Leads(none), none);
  const draw = (state, hands) => dom.fill(main, stage.stage(of, state, hands, { bar: () => null, redraw: () => {} }));
  const observer = new MutationObserver(() => {});
  draw(asked, made);
  draw(asked, made); // the first drawing tells the size of the stage
  observer.observe(main, { attributes: true, attributeFilter: ["class", "role"], subtree: true });
  return [[{ ...asked, asked: null }, null], [asked, made], [{ ...asked, asked: null, over: true }, null]].map(
    ([state, hands]) => {
      draw(state, hands);
      const count = observer.takeRecords().filter(({ target }) => target.closest(".map")).length;
      const grid = state.asked || state.over ? "[role=grid]" : "[role=grid][aria-disabled]";
      return [count, main.querySelectorAll(`${grid} .space.offered`).length];
    });
"""


@pytest.mark.rotating(2)
def test_a_board_that_marks_no_space_is_not_styled_anew_with_each_turn(run: Run) -> None:
    """Free spaces stay as they are while others decide, and rest after the game."""
    (waiting, offered), back, (_, left) = run(
        ["document_", "dom", "leads", "picking", "stage"], QUIET, page_state(EDGES)
    )
    assert ((waiting, offered), back, left) == ((0, 7), [0, 7], 0)


LAID = """\
rulewright: 1
title: Laid
players: 2
words: {hue: {red: {}, blue: {}}}
pieces: {card: {each: hue, copies: 4, starts in: box, noun: "{hue} card"}}
zones: {box: {seen by: nobody}, hand: {of: seat, seen by: owner}, row: {seen by: all}, heap: {of: seat, seen by: all}}
setup: {do: [each seat: [move first 2 of box to hand]]}
phases: {play: {do: [each seat: [choose 1 from hand as laid, move laid to row]]}}
"""

FORESEEN = """
  const of = document_.about(given.document);
  const [before, after] = given.states.map((one) => document_.now(one, of));
  const answer = { question: 0, take: [before.asked.choices[0].key] };
  const lies = ({ zones }) => zones.map((one) => [one.zone, one.owner, one.count, one.pieces?.join() ?? null]).sort();
  const shown = foreseen.withAnswer(of, before, answer);
  const settled = foreseen.withAnswer(of, after);
  const moves = [shown, settled, after].map((one) => one.moves.map(({ target }) => target));
  const again = [foreseen.withAnswer(of, before, answer) === shown, foreseen.withAnswer(of, before) === before];
  const back = foreseen.withAnswer(of, before, { ...answer, back: 1 }) === before;
  return { shown: lies(shown), after: lies(after), moves, again, back };
"""


def test_what_an_answer_surely_does_is_shown_before_the_server_says_so(run: Run) -> None:
    laid = page_state(LAID, "red card")
    result = run(["document_", "foreseen"], FORESEEN, laid)
    assert result["shown"] == result["after"]
    assert result["moves"] == [["row//"], [], ["row//"]]  # and what was shown before does not move once more
    assert result["again"] == [True, True] and result["back"]


WALK = EDGES.replace(
    "- choose 1", "- choose 1 from cells where place is not empty as start\n          - choose 1"
).replace("first 1 of box", "start's place")
WALK = WALK.replace("phases:", "setup: {do: [each c1 plus d1 as spot: move first 1 of box to spot's place]}\nphases:")

ON_SPACES = """
  const of = document_.about(given.document);
  const states = given.states.map((one) => document_.now(one, of));
  const lies = ({ zones }) => zones.map((one) => [one.zone, one.word, one.count, one.pieces?.join() ?? null]).sort();
  return given.answers.map((key, at) => {
    const [before, after] = [states[at], states[at + 1]];
    if (!before.asked) return "";
    const shown = foreseen.withAnswer(of, before, { question: 0, take: [key] });
    const settled = foreseen.withAnswer(of, after);
    if (shown === before) return "waited for";
    return `${lies(shown).join() === lies(after).join() ? "right" : "wrong"}, ${settled.moves.length} more`;
  });
"""


@pytest.mark.parametrize(
    ("edition", "answers", "results"),
    [
        # What the rules lay is not known before it was seen, and only what is one's own at once.
        (EDGES, "a1 b1 c1 d1 e1", ["waited for", "", "waited for", "", "right, 0 more"]),
        (WALK, "c1 a1 d1 b1 a1 c1 b1 a1", ["waited for", "waited for", "", "", "waited for", "right, 0 more", "", ""]),
    ],
)
def test_what_lay_on_a_space_after_an_answer_lies_there_at_once_the_next_time(
    edition: str, answers: str, results: list[str], run: Run
) -> None:
    argument = {**page_state(edition, *answers.split()), "answers": answers.split()}
    assert run(["document_", "foreseen"], ON_SPACES, argument) == results


AUCTION = """\
rulewright: 1
title: Auction
players: 2
words: {face: {sun: {}, moon: {}}}
pieces: {lot: {copies: 3, starts in: box}}
zones: {box: {seen by: nobody}, sack: {seen by: nobody, text: What is not sold yet.}, shelf: {seen by: all}}
counters:
  game: {bidder: seat, bid face: face, price: 0}
  seat: {used: no}
phases:
  bid:
    do:
      - each seat:
          - choose number from 0 to 3 as bid
          - if bid is more than 1: [set bidder to you, set used to yes]
          - if bid is 1: [set bid face to sun, move first 1 of box to sack]
"""


def test_a_counter_that_holds_nobody_or_nothing_or_no_is_not_told() -> None:
    def counters(*answers: str) -> Any:
        return page_state(AUCTION, *answers)["states"][-1]["counters"]

    assert counters() == {"bidder": "", "bid face": "", "price": "0", "used": ["", ""]}
    assert counters("2") == {"bidder": "Ann", "bid face": "", "price": "0", "used": ["yes", ""]}
    assert counters("1") == {"bidder": "", "bid face": "sun", "price": "0", "used": ["", ""]}


MIDDLE = """
  const main = document.getElementById("main");
  const of = document_.about(given.document), state = document_.now(given.states.at(-1), of);
  dom.fill(main, stage.stage(of, state, null, { bar: () => null, redraw: () => {} }));
  return main.querySelector(".middle").textContent;
"""


def test_a_box_that_nobody_sees_into_is_not_shown_on_the_table(run: Run) -> None:
    modules = ["document_", "dom", "stage"]
    assert run(modules, MIDDLE, page_state(AUCTION)) == "shelf"
    laid_out = AUCTION + "looks: {zones: {sack: aside}}\n"
    assert run(modules, MIDDLE, page_state(laid_out, "1")) == "shelfsack 1bid facesun"


SCORED = """\
rulewright: 1
title: Scored
players: 2
counters: {seat: {tokens: {starts at: 0, noun: score tokens}, coins: 3}}
phases: {play: {do: [each seat: [choose number from 0 to 3 as number, add number to tokens]]}}
scoring:
  tokens: {title: Score tokens, points: tokens}
  wealth: {title: Wealth, points: coins * 2}
"""

BEFORE = """
  const main = document.getElementById("main");
  const of = document_.about(given.document), state = document_.now(given.states.at(-1), of);
  dom.fill(main, seat_sheet.before(of, state, null, 0));
  return [...main.querySelectorAll("dt")].map((one) => one.textContent);
"""


@pytest.mark.rotating(2)
def test_a_counter_that_is_a_line_of_the_score_is_told_once(run: Run) -> None:
    assert run(["document_", "dom", "seat_sheet"], BEFORE, page_state(SCORED)) == ["Score tokens", "Wealth", "coins"]


MOVED = """
  const main = document.getElementById("main"), texts = [];
  const draw = (...rows) => {
    dom.fill(main, rows.map((row) => preact.h("p", { key: row }, preact.h("b", {}, row), " ", row)));
    texts.push([...main.querySelectorAll("p")].map((one) => one.textContent));
  };
  draw("one", "two", "three");
  const [first, second] = main.children;
  if (given === "wrapped") {
    const around = document.createElement("font");
    first.replaceWith(around);
    around.append(first);
  } else {
    const words = document.createElement("font");
    words.textContent = "eins";
    second.lastChild.replaceWith(words);
  }
  draw("zero", "one", "three");
  draw("three");
  return texts;
"""


@pytest.mark.parametrize("mode", ["translated", "wrapped"])
def test_a_page_that_something_else_changes_is_drawn_as_it_is_wanted(run: Run, mode: str) -> None:
    texts = [["one one", "two two", "three three"], ["zero zero", "one one", "three three"], ["three three"]]
    assert run(["dom", "preact"], MOVED, mode) == texts


PICK_SCRIPT = """
  const thing = (key) => ({ key, zone: "hand", owner: 0, words: "", word: "", piece: key });
  const leads = { ...given.leads };
  const source = { to: (key) => leads[key] ?? null, told: () => "", idle: () => "", make: () => {} };
  const sent = [], asked = { question: 7, least: 1, most: 1, picked: [], ...given.asked };
  asked.choices = asked.choices.map(thing);
  for (const lead of Object.values(leads)) lead.next.choices = lead.next.choices.map(thing);
  const picked = new Map();
  const make = () => new picking.Picking(asked, picked, (one) => sent.push(one), () => {}, source, () => {});
  if (given.held) make().hold(asked.choices.find(({ key }) => key === given.held));
  const made = make();
  made.take(made.find(({ key }) => key === given.take));
  if (given.way) {
    const { ways } = made.forked;
    sent.push(ways.map(({ before }) => before[0]));
    made.take(ways.find(({ before }) => before[0] === given.way));
  }
  return [made.things.map(({ key, sort }) => `${key} ${sort ?? "offered"}`), sent];
"""


def test_a_held_piece_shows_its_targets_and_is_answered_with_one_of_them(run: Run) -> None:
    leads = {key: {"next": {"choices": choices}} for key, choices in {"a": ["c", "d"], "b": ["d"]}.items()}
    argument = {"asked": {"kind": "piece", "choices": ["a", "b"]}, "leads": leads, "held": "a", "take": "d"}
    assert run(["picking"], PICK_SCRIPT, argument) == [
        ["c offered", "d offered", "a picked", "b instead"],
        [{"type": "answer", "question": 7, "take": ["a"], "next": [["d"]]}],
    ]


SOON_SCRIPT = """
  const thing = (key) => ({ key, zone: "", owner: null, words: "spot", word: key, piece: "" });
  const source = { ...picking.UNTOLD, to: (key) => ({ a: { next: { choices: [thing("c"), thing("d")] } } })[key] };
  const sent = [];
  const send = (one) => sent.push([one.question, ...one.take]);
  const asked = { question: 7, kind: "word", least: 1, most: 1, picked: [], choices: [thing("a"), thing("b")] };
  const picked = new Map();
  const make = () => new picking.Picking(asked, picked, send, () => {}, source, () => {});
  const take = (made, key) => made.take(made.find((choice) => choice.key === key));
  take(make(), "a");
  const targets = make().things.map(({ key, sort }) => `${key} ${sort ?? "offered"}`);
  take(make(), given);
  const before = [...sent];
  const came = [{ key: "a", kind: "word", choices: [thing("a"), thing("b")] }];
  const next = { ...asked, question: 8, picked: came, choices: [thing("c"), thing("d")] };
  following.settle(new picking.Picking(next, new Map(), send, () => {}, picking.UNTOLD, () => {}));
  return [targets, before, sent];
"""


@pytest.mark.parametrize("second", ["d", "b"])
def test_what_is_picked_shows_its_targets_before_the_next_question_comes(run: Run, second: str) -> None:
    """A target, or another piece, that is clicked meanwhile answers that question."""
    assert run(["picking", "following"], SOON_SCRIPT, second) == [
        ["c offered", "d offered", "a picked", "b instead"],
        [[7, "a"]],
        [[7, "a"], [8, second]],
    ]


@pytest.mark.parametrize(("card", "way"), [("e", None), ("d", "play"), ("d", "sell")])
def test_a_card_answers_the_entry_of_a_menu_that_asks_for_it(run: Run, card: str, way: str | None) -> None:
    """The card of several entries asks which is meant, before anything is sent."""
    leads = {key: {"next": {"choices": choices}} for key, choices in {"play": ["c", "d"], "sell": ["d", "e"]}.items()}
    argument = {
        "asked": {"kind": "branch", "choices": ["play", "sell", "pass"]},
        "leads": leads,
        "take": card,
        "way": way,
    }
    things, answers = run(["picking"], PICK_SCRIPT, argument)
    assert [thing for thing in things if thing.endswith("direct")] == ["c direct", "d direct", "e direct"]
    entries = [["play", "sell"]] if way else []
    assert answers == [*entries, {"type": "answer", "question": 7, "take": [way or "sell"], "next": [[card]]}]


def test_the_last_space_of_a_route_stands_for_all_its_answers(run: Run) -> None:
    routes = {"a": [[["a", "a", "c"], "e"], [["a"], "f"]]}
    leads = {key: {"next": {"choices": []}, "routes": way} for key, way in routes.items()}
    argument = {"asked": {"kind": "word", "choices": ["a", "b"]}, "leads": leads, "take": "c"}
    things, answers = run(["picking"], PICK_SCRIPT, argument)
    assert things == ["a offered", "b offered", "c offered", "a offered"]
    assert answers == [{"type": "answer", "question": 7, "take": ["a"], "next": [["a"], ["c"]]}]


GROWING = """
  const spaces = Array.from({ length: 100 }, (_, n) => ({ word: `s${n}`, column: n % 10, row: Math.floor(n / 10) }));
  const board = { kind: "growing", spaces };
  const at = (...places) => spaces.filter(({ column, row }) => places.some(([x, y]) => x === column && y === row));
  const extent = (part) => [part.spaces[0], part.spaces.at(-1)].map(({ column, row }) => [column, row]);
  return {
    empty: growing.grown(board, [], []) === board,
    one: extent(growing.grown(board, at([4, 5]), at([4, 4]))),
    wide: extent(growing.grown(board, at([1, 2], [8, 3]), at([0, 2]))),
    same: growing.grown(board, at([4, 5]), []) === growing.grown(board, at([4, 5]), []),
    other: growing.grown({ kind: "", spaces }, at([4, 5]), []).spaces.length,
  };
"""


def test_a_growing_board_shows_what_lies_there_and_a_space_more(run: Run) -> None:
    assert run(["growing"], GROWING) == {
        "empty": True,
        "one": [[2, 3], [6, 7]],  # five by five at least
        "wide": [[0, 1], [9, 5]],
        "same": True,
        "other": 100,
    }


NOTED = """\
rulewright: 1
title: Noted
players: 2
pieces: {stone: {copies: 9, starts in: box}}
zones: {box: {seen by: all}, hand: {of: seat, seen by: all}}
phases:
  play:
    do:
      - each seat:
          - if number of box is less than 8: [{log: Check., notation: +}]
          - choose 1 from box into hand
          - {log: A stone., notation: s}
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("63: 13/7 7/4", "63: 13/4"),
        ("63: 13/7* 7/4*", "63: 13/7*/4*"),
        ("44: 24/20 24/20 6/2 20/16", "44: 24/16 24/20 6/2"),
        ("11: 6/5 6/5 bar/24 8/7*", "11: 6/5(2) bar/24 8/7*"),
        ("66: 6/off 6/off", "66: 6/off(2)"),
        ("e4", "e4"),
    ],
)
def test_ways_are_told_as_players_write_them(run: Run, text: str, expected: str) -> None:
    assert run(["move_sheet"], "return move_sheet.withWays(given);", text) == expected


def test_what_is_noted_before_anybody_answers_belongs_to_the_move(run: Run) -> None:
    """A check after the last move of a round, too."""
    game = Game.start(library.from_text(NOTED, "tried"), ["Ann", "Bo"], seed=1)
    for _ in range(3):
        (decision,) = game.decisions()
        game.answer(decision.seat, [decision.choices[0].key])
    lines = decode(encode(seat_view.lines(Labels(game), 0, 0, game.history.steps())))
    body = """const noted = move_sheet.notedMoves(given.map((line) => document_.line(line)));
      return noted.map(({ round, actor, text }) => [round, actor, text]);"""
    assert run(["document_", "move_sheet"], body, lines) == [[1, 0, "s"], [1, 1, "s+"], [2, 0, "s+"]]


def test_moves_of_one_round_go_on_in_rows_of_their_own(run: Run) -> None:
    body = """const line = ([round, actor], n) => ({ notation: `m${n}`, round, actor, step: n, answers: n });
      return move_sheet.inRows(given.map(line)).map(({ number, cells }) => [number, cells.map((one) => one?.text)]);"""
    turns = [[1, 0], [1, 1], [1, 0], [2, 1], [2, 0]]
    rows = [[1, ["m0", "m1"]], [2, ["m2", None]], [1, [None, "m3"]], [2, ["m4", None]]]
    assert run(["move_sheet"], body, turns) == rows
    assert [number for number, _ in run(["move_sheet"], body, [[4, 0], [4, 1], [5, 0]])] == [4, 5]


AHEAD = """
  const of = { ahead: "worth", measures: { worth: "worth" } }, state = { measures: { worth: given } };
  return [0, 1].map((seat) => seat_figures.ahead(of, state, seat)?.props?.children ?? "");
"""


def test_only_the_seat_that_is_ahead_tells_by_how_much(run: Run) -> None:
    assert run(["seat_figures"], AHEAD, [12, 9]) == ["+3", ""]
    assert run(["seat_figures"], AHEAD, [9, 12]) == ["", "+3"]
    assert run(["seat_figures"], AHEAD, [9, 9]) == ["", ""]


def test_a_space_where_something_was_taken_is_where_a_piece_came(run: Run) -> None:
    moves = [{"source": "at//d7", "target": "at//e5"}, {"source": "at//e5", "target": "box//"}]
    ends = run(["changed_spaces"], "return [...changed_spaces.moved(given)]", {"moves": moves})
    assert ends == [["at//d7", "left"], ["at//e5", "came"]]


SKETCH = """
  const main = document.getElementById("main");
  const space = (word, left) =>
    `<div data-space="${word}" style="position: absolute; left: ${left}px; top: 0; width: 40px; height: 40px"></div>`;
  main.innerHTML = `<div class="map" style="position: relative; height: 40px">${space("a", 0)}${space("b", 40)}</div>`;
  const at = (word) => {
    const { left, top } = main.querySelector(`[data-space=${word}]`).getBoundingClientRect();
    return { clientX: left + 20, clientY: top + 20, bubbles: true };
  };
  const press = (type, word, button) =>
    main.querySelector(`[data-space=${word}]`).dispatchEvent(new PointerEvent(type, { ...at(word), button }));
  const shapes = () => [...main.querySelectorAll(".sketch > *")];
  const drawn = () => shapes().map(({ tagName, dataset }) => `${tagName} ${dataset.way}`);
  return given.map(([from, to, button]) => {
    press("pointerdown", from, button);
    press("pointerup", to, button);
    return drawn();
  });
"""


def test_the_right_button_draws_arrows_and_rings_until_the_left_one_clicks(run: Run) -> None:
    drags = [["a", "b", 2], ["b", "b", 2], ["a", "b", 2], ["a", "a", 0]]
    assert run(["sketch"], SKETCH, drags) == [["path a b"], ["path a b", "circle b b"], ["circle b b"], []]


LENS = """
  const place = (n) => `position: absolute; left: ${20 * n}px; top: 200px; width: 20px; height: 20px`;
  const space = (n) => `<button class="space" data-space="a${n}" data-thing="${n}" style="${place(n)}"></button>`;
  document.body.innerHTML = `<div class="boards"><div class="board"><div class="map">${[0, 1, 2].map(space).join("")}`;
  let chosen = [], least = 0;
  const things = ["a0", "a1", "a2"];
  lens.attendLens(() => ({ things, aim: (one) => chosen.push(one) }), ({ offsetWidth }) => offsetWidth < least);
  const finger = (type, clientX, clientY) => {
    const how = { pointerType: "touch", pointerId: 5, bubbles: true, clientX, clientY };
    document.elementFromPoint(clientX, 210).dispatchEvent(new PointerEvent(type, how));
    return document.querySelector("#lens [data-aimed]")?.dataset.space ?? null;
  };
  return given.map(([small, ...end]) => {
    [chosen, least] = [[], small];
    const seen = [finger("pointerdown", 10, 210), finger("pointermove", 30, 215), finger("pointermove", 49, 215)];
    finger("pointerup", ...end);
    return [seen, chosen, document.querySelector("#lens")];
  });
"""


def test_a_finger_aims_at_small_spaces_through_a_lens(run: Run) -> None:
    """Fingers may slide on, and away from the board; large spaces need no lens."""
    aimed = [None, "a1", "a2"]
    assert run(["lens"], LENS, [[32, 49, 215], [32, 49, 600], [16, 49, 215]]) == [
        [aimed, ["a2"], None],
        [aimed, [], None],
        [[None, None, None], [], None],
    ]


BECOMING = """
  const piece = (figure, colour) => ({ kind: "man", picture: `${figure}-${colour}`, attributes: { figure, colour } });
  const names = ["pawn", "queen", "rook"].flatMap((figure) => ["white", "black"].map((colour) => [figure, colour]));
  const pieces = Object.fromEntries(names.map((name) => [name.join(" "), piece(...name)]));
  const of = { seat: 0, zones: { place: { of: "square" } }, boards: [{ words: "square" }], pieces };
  const zones = ["a8", "b8"].map((word) => ({ zone: "place", owner: null, word, pieces: ["pawn white"], count: 1 }));
  const state = { zones, changed: new Map([["place//b8", "came"]]), owners: { "pawn white": given.owner } };
  const choices = given.words.map((word) => ({ words: "figure", word }));
  const found = becoming.becoming(of, state, of.boards[0], { several: false, asked: { kind: "word", choices } });
  return found && [found.word, found.pieces.map((one) => one.picture)];
"""


def test_what_a_piece_becomes_is_chosen_where_it_has_come(run: Run) -> None:
    pieces_asked = {"owner": 0, "words": ["queen", "rook"]}
    assert run(["becoming"], BECOMING, pieces_asked) == ["b8", ["queen-white", "rook-white"]]
    assert run(["becoming"], BECOMING, pieces_asked | {"owner": 1}) is None
    assert run(["becoming"], BECOMING, pieces_asked | {"words": ["queen", "north"]}) is None


FINDING = """
  const shelf = given.map(([title, kinds, people, minutes]) => ({ title, name: title, series: "", text: "", kinds,
    people, minutes, edition: title }));
  const place = document.createElement("div");
  const opened = [];
  const draw = () => dom.fill(place, finding.finder(shelf, false, (one) => opened.push(one), draw));
  const titles = () => finding.found(shelf).map(({ title }) => title).join("");
  const set = (what, value, event) => {
    const field = place.querySelector(what);
    field.value = value;
    field.dispatchEvent(new Event(event));
    return titles();
  };
  draw();
  const words = set("input", "é", "input");
  place.querySelector("form").dispatchEvent(new Event("submit", { cancelable: true }));
  set("input", "", "input");
  const [, board] = place.querySelectorAll("button");
  board.click();
  const boards = titles();
  const two = set("label select", "2", "change");
  const quick = set("label + label select", "15", "change");
  const none = place.querySelector("[role=status]").className;
  place.querySelector("form > button").click();
  return { words, opened, boards, two, quick, none, all: titles() };
"""


def test_games_are_found_by_words_kind_players_and_time(run: Run) -> None:
    shelf = [
        ["E", ["cards"], [2, 4], [10, 15]],
        ["A", ["board"], [2, 2], [20, 60]],
        ["B", ["board", "dice"], [3, 5], [10, 10]],
        *([name, ["dice"], [1, 6], []] for name in "CDFGH"),
    ]
    assert run(["dom", "finding"], FINDING, shelf) == {
        "words": "E",
        "opened": ["E"],
        "boards": "AB",
        "two": "A",
        "quick": "",
        "none": "",
        "all": "EABCDFGH",
    }


STOPS = """
  const main = document.getElementById("main") ?? document.body;
  const lines = "<button>told</button>".repeat(3);
  main.innerHTML = `<div class="stage"><div class="log"><div class="lines">${lines}</div></div></div>`;
  roving.rove();
  return [...main.querySelectorAll("button")].map(({ tabIndex }) => tabIndex);
"""


def test_the_log_is_one_stop_at_what_happened_last(run: Run) -> None:
    assert run(["roving"], STOPS) == [-1, -1, 0]


PASSES = """
  const of = document_.about(given.document), state = document_.now(given.states.at(-1), of);
  const who = (name) => ({ text: name, seat: Number(name === "Bo") });
  const line = (name, text, rest) => ({ parts: [who(name), { text }], step: 1, ...rest });
  const passed = (name) => document_.line(line(name, " passed.", { sentence: 1 }));
  const lines = [passed("Ann"), passed("Bo"), document_.line(line("Bo", " paid 2.", {})), passed("Ann"), passed("Bo")];
  const given_ = { tell: log.telling(of, state), look: () => {}, redraw: () => {} };
  dom.fill(document.getElementById("main"), log.log(lines, given_));
  return [...document.querySelectorAll(".log .line")].map((row) =>
    [...row.querySelectorAll(".said")].map(({ textContent }) => textContent));
"""


def test_those_who_pass_one_after_the_other_are_told_in_whole_sentences(run: Run) -> None:
    """A row of them would leave bare names."""
    rows = run(["document_", "dom", "log"], PASSES, page_state(AUCTION))
    assert rows == [["Ann passed."], ["Bo passed."], ["Bo paid 2."], ["Ann passed."], ["Bo passed."]]


UNNAMED = """
  const { seats } = given.document;
  const called = (name) => {
    const of = document_.about({ ...given.document, seats: [{ ...seats[0], name }, seats[1]] });
    const { counters } = given.states.at(-1);
    return document_.now({ ...given.states.at(-1), counters: { ...counters, bidder: name } }, of).counters.bidder;
  };
  return [called("guest"), called("Ann")];
"""


TRIES = """
  let now = 1000;
  const sent = [], due = [];
  performance.now = () => now;
  window.setTimeout = (go, wait) => due.push([go, wait]);
  const made = new leads.Leads(({ take }) => sent.push(take.join(" ")));
  made.ask(1, true);
  for (const take of [["a"], ["a", "b"]]) made.make(take);
  const atOnce = [...sent], [[go, wait]] = due;
  now += wait;
  go();
  return [atOnce, wait > 0, sent];
"""


def test_what_a_pick_leads_to_is_asked_at_once_and_while_more_are_picked_now_and_then(run: Run) -> None:
    assert run(["leads"], TRIES) == [["a"], True, ["a", "a b"]]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Which card?", "Which card?"),
        ("Ann leads. She has 7. Which card?", "Which card?"),
        ("Anna bietet „Nichts!“. Was bietest du?", "Was bietest du?"),
        ("Play no. 3 or the 1st? (Neither is fine.)", "(Neither is fine.)"),
        ("Against no. 3 of 5", "Against no. 3 of 5"),
        ("Anne dit\u00a0: «\u00a0Non\u00a0!\u00a0» Que faites-vous\u00a0?", "Que faites-vous\u00a0?"),
    ],
)
def test_the_last_sentence_of_a_question_stands_out(run: Run, text: str, last: str) -> None:
    assert run(["decision"], "return decision.lastSentence(given)", text) == [text[: -len(last)], last]


def test_a_reader_without_a_name_is_you_in_counters_too(run: Run) -> None:
    assert run(["document_"], UNNAMED, page_state(AUCTION, "2")) == ["you", "Ann"]


CLOSING = """
  const sent = [];
  class Closing extends EventTarget {
    static OPEN = 1;
    readyState = given;
    send(text) {
      sent.push(JSON.parse(text).type);
    }
  }
  window.WebSocket = class extends Closing {
    constructor() {
      super();
      window.made = this;
    }
  };
  dialling.connected(["token"], () => ({}));
  window.made.dispatchEvent(new Event("open"));
  return sent;
"""


@pytest.mark.parametrize(("state", "sent"), [(1, ["hello"]), (2, [])], ids=["open", "closing"])
def test_nothing_is_sent_on_a_connection_that_closes(run: Run, state: int, sent: list[str]) -> None:
    assert run(["dialling"], CLOSING, state) == sent


MARKET = """\
rulewright: 1
title: Market
players: 2
pieces: {ruby: {copies: 1, starts in: stall}, opal: {copies: 2, starts in: stall}}
zones: {stall: {seen by: all}, bag: {of: seat, seen by: all}}
phases:
  play:
    do:
      - each seat:
          - choose 1 from stall as gem
          - move gem to bag
looks: {zones: {stall: row}}
"""
LAIN = """
  const of = document_.about(given.document);
  return given.states.map((given) => {
    const state = document_.now(given, of), stall = state.zones.find(({ zone }) => zone === "stall");
    return zones.lying(of, state, null, stall).map(({ props }) => props["data-piece"] ?? "");
  });
"""


def test_what_is_chosen_from_a_row_keeps_its_place_and_leaves_a_gap(run: Run) -> None:
    first, second = run(["zones", "document_"], LAIN, page_state(MARKET, "opal"))
    assert sorted(first) == ["opal", "opal", "ruby"]
    assert second == ["" if n == first.index("opal", first.index("opal") + 1) else name for n, name in enumerate(first)]


QUESTIONS = """
  history.replaceState(null, "", given);
  const all = [["go", 1], ["go", 1], ["go", 2], ["go", 1], ["hex", 1]];
  return all.map(([game, question]) => hints.isNew(game, question));
"""


@pytest.mark.rotating(2)
def test_only_the_first_question_of_a_game_points_out_its_rules(run: Run) -> None:
    assert run(["hints"], QUESTIONS, "/editions/go/learn") == [False] * 5
    assert run(["hints"], QUESTIONS, "/table") == [True, True, False, False, True]


SWEPT = """
  const moved = (...places) => places.map(([source, target]) => ({ source, target, pieces: ["card"] }));
  const row = new pace.Pace(() => {}, () => {});
  row.waiting = [{ moves: moved(...given), log: { lines: [] } }];
  row.laid.set("played", performance.now());
  return row.untilTaken() > 0;
"""


@pytest.mark.parametrize(
    ("moves", "waits"),
    [
        ([("played/0/", "won/1/"), ("played/1/", "won/1/")], True),
        ([("played/0/", "won/1/")], False),
        ([("hand/0/", "bin//"), ("hand/1/", "bin//")], False),
    ],
    ids=["a trick", "one card", "cards that have lain there"],
)
def test_what_several_have_laid_is_seen_whole_before_it_is_taken(
    run: Run, moves: list[tuple[str, str]], waits: bool
) -> None:
    assert run(["pace"], SWEPT, moves) is waits


PASSED = """
  const row = new pace.Pace(() => {}, () => {});
  const trick = [0, 1].map((seat) => ({ source: `played/${seat}/`, target: "won/1/", pieces: ["card"] }));
  row.waiting = [[], trick, []].map((moves) => ({ steps: 1, moves, log: { lines: [] } }));
  row.take();
  return [row.shown.moves.length, pace.passed.map(({ moves }) => moves.length)];
"""


def test_states_are_noted_of_which_no_page_is_drawn(run: Run) -> None:
    """Several states of one step are shown at once, and only the last of them is drawn."""
    assert run(["pace"], PASSED) == [0, [0, 2, 0]]
