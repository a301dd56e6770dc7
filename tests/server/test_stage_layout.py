"""Layout of the stage: regions and places in them, for every edition, window and number of seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import decode, encode
from playwright.sync_api import Browser

from page_modules import Run, module_runner
from project_folders import GAMES, ROOT
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n import languages
from rulewright.publish.labels import Labels
from rulewright.server.views.table_metadata import table_metadata
from screenshots import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

SHELF = sorted(path for path in (ROOT / "editions").glob("*/*.yaml") if ".examples" not in path.name)
DRAFTS = [GAMES / f"{name}.yaml" for name in ("goofspiel", "harbours", "three-banners")]
WINDOWS = [
    (360, 740),
    (390, 844),
    (844, 390),
    (720, 450),
    (1024, 768),
    (1440, 900),
    (1920, 1080),
    (3840, 2160),
    (640, 360),
    (320, 256),
]
HEAD = 48
"""Pixels that the head of the page takes."""
SEATS = range(2, 9)


def seat_names(rules: Rules) -> list[str]:
    return [f"Player {number}" for number in range(1, rules.edition.seats[1] + 1)]


@pytest.fixture
def run(browser: Browser) -> Run:
    return module_runner(browser)


@pytest.fixture(scope="module", params=[*SHELF, *DRAFTS], ids=lambda path: path.stem)
def table(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """Metadata of an edition's table."""
    yield tables_of(request.param)[0]


def tables_of(path: Path, codes: Sequence[str] = ("en",)) -> list[dict[str, Any]]:
    """Return the metadata of an edition's table in some languages."""
    rules = library.load(str(path))
    game = Game.start(rules, seat_names(rules), seed=1)
    texts = (table_metadata(Labels(game, language)) for language in codes)
    return [{"seats": len(game.names), **decode(encode(text))} for text in texts]


ARRANGED = """
  const wrong = [];
  const all = given.tables.map((one) => place.contents({ ...one, seats: Array(one.seats).fill({}), seat: 0 }));
  const different = new Map(all.map((has) => [JSON.stringify(has), has]));
  const lands = (regions) =>
    Object.entries(regions).filter(([name]) => name !== "felt").flatMap(([name, one]) =>
      Array.isArray(one) ? one.map((rect, n) => [`${name} ${n}`, rect]) : one?.w === undefined ? [] : [[name, one]],
    );
  let tried = 0;
  for (const has of different.values()) for (const [wide, high] of given.windows)
    for (const seats of given.counts)
      for (const [mine, guided, ended] of [[true, false], [true, true], [false, false], [true, false, true]]) {
        const { width, height } = arrange.fitting(wide, high - given.head);
        const railed = !guided || width > 1400;
        const shape = { width, height, count: mine ? seats - 1 : seats, mine, has, guided, railed, ended };
        const regions = arrange.arrange(shape), areas = lands(regions);
        const kind = [mine ? "seated" : "watching", guided && "guided", ended && "ended"].filter(Boolean);
        const where = `${width}×${height}, ${seats} seats, ${kind.join(", ")}`;
        for (const [name, { x, y, w, h }] of areas)
          if (!(w >= 38 && h >= 40 && x >= 0 && y >= 0 && x + w <= width + 0.5 && y + h <= height + 0.5))
            wrong.push(`${where}: ${name} ${[x, y, w, h]}`);
        areas.forEach(([name, one], n) =>
          areas.slice(n + 1).forEach(
            ([other, rect]) => ring.isOver(one, rect) && wrong.push(`${where}: ${name} over ${other}`),
          ),
        );
        if (has.board ? !regions.board : !regions.cloth) wrong.push(`${where}: no middle`);
        if (high < 300 && regions.board && !has.pad && Math.max(regions.board.w, regions.board.h) < 200)
          wrong.push(`${where}: a board of ${Math.round(regions.board.w)} px, though one scrolls`);
        tried += 1;
      }
  return { tried, sets: different.size, wrong };
"""


@pytest.mark.rotating(3)
@pytest.mark.parametrize("path", [*SHELF, *DRAFTS], ids=lambda path: path.stem)
def test_no_region_lies_over_another(run: Run, path: Path) -> None:
    """Nor outside the window, nor smaller than a finger, in any language."""
    codes = languages.languages()
    argument = {"tables": tables_of(path, codes), "windows": WINDOWS, "counts": list(SEATS), "head": HEAD}
    result = run(["place", "arrange", "ring"], ARRANGED, argument)
    assert result.pop("sets") * len(WINDOWS) * len(SEATS) * 4 == result["tried"] > 0
    assert result["wrong"] == []


HELPED = """
  const wrong = [], px = (text) => Number.parseFloat(text ?? "0");
  for (const table of given.tables) {
    const has = place.contents({ ...table, seats: Array(table.seats).fill({}), seat: 0 });
    for (const [wide, high] of given.windows) {
      const { width, height } = arrange.fitting(wide, high - given.head);
      const regions = arrange.arrange({ width, height, count: table.seats - 1, mine: true, has });
      const { bar, hand, pad, board, phone } = regions;
      const lies = help_place.helpPlace(regions);
      if (!("--help-x" in lies)) continue;
      const down = "--help-down" in lies;
      const foot = bar.y + bar.h - px(lies["--help-foot"]);
      const box = { x: bar.x + px(lies["--help-x"]), w: px(lies["--help-w"]), h: given.lines };
      box.y = down ? 8 : foot - box.h;
      const where = `${table.title} ${width}×${height}`;
      for (const [name, one] of Object.entries({ hand, pad: phone ? null : pad, board: phone || down ? null : board }))
        if (one && ring.isOver(box, one)) wrong.push(`${where}: over ${name}`);
      if (!(phone && board) && ring.isOver(box, bar)) wrong.push(`${where}: over the question`);
      if (box.x < 0 || box.x + box.w > width) wrong.push(`${where}: outside`);
    }
  }
  return wrong;
"""


@pytest.mark.rotating(4)
def test_help_opens_beside_what_is_asked(run: Run) -> None:
    """Neither over the question, nor over a hand or a board where there is room elsewhere."""
    shapes = [path for path in SHELF if path.stem in ("hearts", "mancala", "yacht")]
    tables = [{**table, "title": path.stem} for path in shapes for table in tables_of(path)]
    windows = [(390, 844), (1024, 768), (1440, 900), (1920, 1080)]
    argument = {"tables": tables, "windows": windows, "head": HEAD, "lines": 180}
    assert run(["place", "arrange", "ring", "help_place"], HELPED, argument) == []


UPRIGHT = """
  globalThis.matchMedia = () => ({ matches: true });
  const { grid, SPACE } = await import("/board_grid.js"), wrong = [];
  const { contents } = await import("/place.js"), { arrange } = await import("/arrange.js");
  const of = { ...given, seats: Array(given.seats).fill({}), seat: 0 };
  const window = { width: 390, height: 793, count: given.seats - 1, mine: true, has: contents(of) };
  const wide = arrange(window).board?.w ?? 0;
  for (const board of given.boards.filter(({ drawn }) => drawn))
    for (const turned of [false, true]) {
      const laid = grid(board, turned), { left, top, width, height } = laid;
      const tell = (what) => wrong.push(`${board.name}${turned ? ", turned" : ""}: ${what}`);
      const plain = ["pits", "hex", "squares", "crossings"].includes(board.kind);
      const sides = board.spaces.flatMap((space) => [laid.box(space).w, laid.box(space).h]);
      const least = Math.min(...sides) * (wide / width);
      if (board.kind === "points" && least < 32) tell(`points of ${least} px`);
      if (plain && width > 8 * SPACE && width > 1.4 * height) tell(`lies, ${width}×${height}`);
      for (const space of board.spaces) {
        const { x, y, w, h } = laid.box(space), [across, down] = laid.middle(space);
        if (x < left || y < top || x + w > left + width || y + h > top + height) tell(`${space.word} outside`);
        if (Math.abs(x + w / 2 - across) > 1 || Math.abs(y + h / 2 - down) > 1) tell(`${space.word} elsewhere`);
        for (const [u, v] of laid.corners(space))
          if (u < x - 1 || v < y - 1 || u > x + w + 1 || v > y + h + 1) tell(`a corner of ${space.word} at ${u}, ${v}`);
      }
    }
  return wrong;
"""


@pytest.mark.rotating(3)
def test_a_wide_board_stands_upright_in_a_narrow_window(run: Run, table: dict[str, Any]) -> None:
    assert run([], UPRIGHT, table) == []


LAID = """
  globalThis.matchMedia = () => ({ matches: true });
  const { grid } = await import("/board_grid.js"), { contents } = await import("/place.js");
  const { isLaid, keepOn, lyingKey } = await import("/switches.js");
  const { boardChoices } = await import("/setting_choices.js");
  const [board] = given.boards, other = { ...given, edition: `${given.edition} 2` };
  const measured = () => [given, other].map((of) => {
    const { width, height } = grid(board, false, isLaid(of));
    return [width > height, contents({ ...of, seats: [{}, {}], seat: 0 }).board > 1];
  });
  const offers = boardChoices(given, () => {}).filter((one) => one?.key === lyingKey(given)).length;
  const standing = measured();
  keepOn(lyingKey(given), true);
  return { offers, standing, lying: measured() };
"""


def test_a_reader_may_have_the_boards_of_one_game_lie_where_they_would_stand(run: Run) -> None:
    shape = next(path for path in SHELF if path.stem == "backgammon")
    result = run([], LAID, next(iter(tables_of(shape))))
    assert result == {"offers": 1, "standing": [[False] * 2] * 2, "lying": [[True] * 2, [False] * 2]}


MARKED = """
  const [board] = given.boards.filter(({ drawn }) => drawn);
  const found = { zones: [], owners: {}, threatened: {}, lit: {}, pale: {}, areas: {}, winning: {} };
  const tell = (state) => marks_key.marksOf(given, state, board)
    .map(({ space, man, aims }) => [space, aims ? "aims" : "", man ?? ""].filter(Boolean).join(" "));
  const zone = Object.keys(given.zones).find((name) => given.zones[name].of === board.words);
  const one = { zone, owner: null, word: board.spaces[0].word, pieces: [] };
  const changed = new Map([[`${zone}//${one.word}`, "altered"]]);
  const now = tell({ ...found, zones: [one], changed, threatened: { [board.words]: [one.word] } });
  return [tell(found), now.filter((mark) => !tell(found).includes(mark))];
"""
PLACES = ["offered", "ghost", "came lies"]
MOVES = ["offered lies", "offered", "ghost", "came lies", "left"]
MARKS = {
    "four-in-a-row": PLACES,
    "reversi": PLACES,
    "hex": PLACES,
    "checkers": MOVES,
    "chess": [*MOVES[:2], "offered aims lies", *MOVES[2:]],
    "backgammon": ["offered lies", "offered goal", "came lies", "left"],
    "mancala": ["offered lies", "came lies", "left"],
}
"""Marks that the key tells of, by edition."""


@pytest.mark.parametrize("edition", MARKS)
def test_a_key_tells_of_the_marks_that_a_board_can_show(run: Run, edition: str) -> None:
    shape = next(path for path in SHELF if path.stem == edition)
    assert run(["marks_key"], MARKED, tables_of(shape)[0]) == [MARKS[edition], ["altered lies", "threatened lies"]]


def test_a_tray_of_dice_needs_no_key(run: Run) -> None:
    shape = next(path for path in SHELF if path.stem == "yacht")
    assert run(["marks_key"], MARKED, tables_of(shape)[0]) == [[], []]


PLACED = """
  const of = { ...given, seats: Array(given.seats).fill({}), seat: 0 };
  return Object.fromEntries(Object.keys(of.zones).map((zone) => [zone, place.regionOf(of, zone)]));
"""


def placed(run: Run, edition: str) -> dict[str, str]:
    rules = library.load(edition)
    game = Game.start(rules, seat_names(rules), seed=1)
    result: dict[str, str] = run(
        ["place"], PLACED, {"seats": len(game.names), **decode(encode(table_metadata(Labels(game))))}
    )
    return result


def test_cards_that_are_passed_on_lie_on_the_cloth_before_whoever_played_them(run: Run) -> None:
    assert placed(run, "classics/hearts") == {"hand": "hand", "passed": "offer", "played": "offer", "won": "hidden"}


def test_what_is_shared_lies_in_the_middle_and_the_rest_before_its_owner(run: Run) -> None:
    assert placed(run, "wild-cards/2022") == {
        "animal deck": "deck", "habitat deck": "deck", "habitat discard": "deck", "display": "focus",
        "leader supply": "things", "box": "hidden", "collection": "front", "front": "front", "hand": "hand",
        "pile": "plate", "offer": "offer", "bid": "offer", "payment": "offer",
    }  # fmt: skip


def test_dice_and_what_shows_the_stakes_lie_on_the_board(run: Run) -> None:
    assert placed(run, "classics/backgammon") == dict.fromkeys(("cup", "stack", "middle", "keep"), "board")


AS_HIGH = """
  const of = { ...given, seats: Array(given.seats).fill({}), seat: 0 };
  const has = place.contents(of);
  return [[1024, 720], [1440, 852], [1920, 1032]].map(([width, height]) => {
    const { board, bar } = arrange.arrange({ width, height, count: 3, mine: true, has });
    return Math.round(bar.y - board.y - board.h);
  });
"""


@pytest.mark.rotating(3)
def test_a_board_is_as_high_as_the_room_above_the_question(run: Run) -> None:
    rules = library.load("wildlife/2002")
    game = Game.start(rules, seat_names(rules), seed=1)
    table = {"seats": len(game.names), **decode(encode(table_metadata(Labels(game))))}
    assert all(free < 60 for free in run(["place", "arrange"], AS_HIGH, table))


MEETINGS = """
  return given.map((places) => {
    const spaces = places.map(([x, y]) => ({ box: [200 * x, 200 * y, 200, 200] }));
    const board = { kind: "squares", spaces, edges: [], bay: [], hexagonal: false };
    return board_land.meeting(spaces, board_grid.grid(board));
  });
"""


def test_the_count_of_a_region_lies_where_its_spaces_meet(run: Run) -> None:
    square, three, row, column = (
        [(0, 0), (1, 0), (0, 1), (1, 1)],
        [(0, 0), (1, 0), (1, 1)],
        [(0, 0), (1, 0)],
        [(0, 0), (0, 1)],
    )
    regions = [square, three, row, column, [(0, 0)], [*row, (0, 1)]]
    assert run(["board_land", "board_grid"], MEETINGS, regions) == [
        [200, 200], [200, 200], [200, 100], [100, 200], [100, 100], [200, 200],
    ]  # fmt: skip


LAND = """
  window.fetch = async () => ({ ok: true, json: async () => ({ "tile-wood": "<svg/>" }) });
  await pictures.fetched("tried", () => {});
  const [board] = given.boards, box = document.createElement("div");
  dom.fill(box, board_land.land({ ...given, edition: "tried" }, board, board_grid.grid(board)));
  const { id } = box.querySelector("pattern:has(image)");
  return [box.querySelectorAll("image").length, box.querySelector("rect").getAttribute("fill") === `url(#${id})`];
"""


def test_what_lies_around_a_board_is_one_picture(run: Run) -> None:
    rules = library.load("classics/go-19")
    table = decode(encode(table_metadata(Labels(Game.start(rules, seat_names(rules), seed=1)))))
    assert run(["board_land", "board_grid", "pictures", "dom"], LAND, table) == [1 + 19 * 19, True]


FANS = """
  const wrong = [];
  for (let count = 1; count <= 24; count += 1)
    for (const [w, h] of [[348, 150], [378, 106], [460, 92], [800, 126], [900, 158], [2600, 380]])
      for (const held of [count, 24]) {
        const how = { bent: w > 640, close: count % 2 > 0, splits: [count - 2], held };
        const { card, places } = fan.fan(count, { w, h }, how), high = (card * 88) / 63;
        if (places.length !== count) wrong.push(`${places.length} places for ${count}`);
        const where = `${count} of ${held} in ${w}×${h}`;
        for (const { x, y } of places)
          if (x < 0 || y < 0 || x + card > w + 0.5 || y + high > h + 0.5) wrong.push(`${where}: ${x}, ${y}, ${card}`);
        const isBent = places.some(({ turn }) => turn);
        const rows = [...Map.groupBy(places, ({ y }) => (isBent ? 0 : y)).values()];
        const least = rows.length > 2 || h < 100 ? Math.min(38, card) : Math.min(44, card);
        rows.forEach((row, n) => {
          row.slice(1).forEach(({ x }, m) => {
            if (x - row[m].x < least - 0.1) wrong.push(`${where}: ${x - row[m].x} px of a card`);
          });
          if (n && row[0].y - rows[n - 1][0].y < Math.min(40, h / 4)) wrong.push(`${where}: a row below another`);
        });
      }
  return wrong;
"""


def test_of_each_card_in_a_hand_as_much_is_seen_as_a_finger_hits(run: Run) -> None:
    """44 px across in one row or in two, where there is room for them."""
    assert run(["fan"], FANS) == []


ROWS = """
  return given.map(([count, w, splits, held]) => {
    const { card, places } = fan.fan(count, { w, h: 151 }, { bent: false, close: true, splits, held });
    const upper = places.filter(({ y }) => y === places[0].y);
    return [upper.length, Math.round(card), Math.round(upper[1].x - upper[0].x)];
  });
"""


def test_a_hand_that_is_dealt_in_two_rows_keeps_its_size(run: Run) -> None:
    hands = [[13, 386, [], 13], [8, 386, [], 13], [5, 386, [], 13], [13, 352, [], 13], [13, 830, [], 13]]
    assert run(["fan"], ROWS, hands) == [[7, 61, 53], [8, 61, 46], [5, 61, 61], [7, 61, 48], [13, 102, 60]]


def test_cards_that_are_seen_smaller_lie_in_one_row(run: Run) -> None:
    assert run(["fan"], ROWS, [[7, 386, [], 7], [8, 386, [], 8]]) == [[7, 102, 47], [8, 74, 44]]


def test_a_suit_is_not_parted_by_rows(run: Run) -> None:
    hands = [[13, 386, [3, 5, 9], 13], [13, 386, [], 13], [13, 386, [11], 13]]
    assert [rows[0] for rows in run(["fan"], ROWS, hands)] == [5, 7, 7]


SLOTS = """
  const wrong = [];
  for (const [w, h] of [[348, 300], [378, 400], [640, 390], [710, 470], [2376, 1211]])
    for (let count = 2; count <= 8; count += 1) {
      const cloth = { x: 0, y: 0, w, h };
      const slots = ring.slots(count, cloth, { ratio: 88 / 63, most: 124, least: 36, apart: 0.42 });
      slots.forEach((one, n) => {
        const where = `${count} in ${w}×${h}: ${n}`;
        if (one.x < 0 || one.y < 0 || one.x + one.w > w || one.y + one.h > h) wrong.push(`${where} outside`);
        if (slots.slice(n + 1).some((other) => ring.isOver(one, other))) wrong.push(`${where} over another`);
      });
    }
  return wrong;
"""


def test_what_is_offered_lies_side_by_side_on_the_cloth(run: Run) -> None:
    assert run(["ring"], SLOTS) == []


FREE = """
  const wrong = [];
  for (const [w, h] of [[640, 390], [710, 470], [2376, 1211]])
    for (let count = 1; count <= 8; count += 1) {
      const room = { x: 0, y: 0, w, h };
      const taken = ring.slots(count, room, { ratio: 88 / 63, most: 52, least: 36, apart: 1 });
      const free = ring.largestFree(room, taken, 8);
      if (taken.some((one) => ring.isOver(one, free))) wrong.push(`${count} in ${w}×${h}: over a slot`);
      if (free.w * free.h < 0.25 * w * h) wrong.push(`${count} in ${w}×${h}: only ${free.w}×${free.h}`);
    }
  return wrong;
"""


def test_what_is_shared_lies_between_the_offers(run: Run) -> None:
    assert run(["ring"], FREE) == []


SHARED_OUT = """
  const set = (count, label, part = 1) => ({ count, label, part });
  const sets = [set(1, 60, 0.75), set(4, 90), set(1, 60, 0.75), set(1, 60, 0.75), set(6, 138, 0.8)];
  const wrong = [];
  for (const [w, h, scale] of [[350, 350, 0.9], [614, 380, 0.85], [703, 484, 1], [1180, 640, 1.2], [2100, 1000, 2.2]])
    for (let seats = 2; seats <= 8; seats += 1) {
      const where = `${seats} in ${w}×${h}`;
      const given = { seats, sets, decks: false, below: 6, most: 124 * scale, scale, letters: 1, phone: w < 400 };
      const { slots, room } = cloth.shareOut({ x: 10, y: 20, w, h }, given);
      const all = [...slots, room];
      if (slots.length !== seats) wrong.push(`${where}: ${slots.length} slots`);
      if (all.some((one, n) => all.slice(n + 1).some((other) => ring.isOver(one, other)))) wrong.push(`${where}: over`);
      if (all.some((one) => one.x < 10 || one.y < 20 || one.x + one.w > 10 + w || one.y + one.h > 20 + h))
        wrong.push(`${where}: outside`);
      const card = fan.largest(sets, { w: room.w - 4, h: room.h - 6 }, { most: 124 * scale, least: 1 });
      if (w > 400 && seats <= 4 && (card < 70 * scale || slots[0].w < 40 * scale))
        wrong.push(`${where}: cards of ${card} and ${slots[0].w} px`);
    }
  return wrong;
"""


def test_a_cloth_is_shared_out_so_that_bids_and_what_is_bid_for_are_large(run: Run) -> None:
    assert run(["cloth", "ring", "fan"], SHARED_OUT) == []


BEFORE_ONESELF = """
  const of = { ...given.table, seats: Array(given.table.seats).fill({}), seat: 0 };
  const results = {};
  for (const zone of Object.keys(of.zones).filter((one) => place.regionOf(of, one) === "front")) {
    const lies = { zone, owner: 0, word: "", pieces: ["one"] };
    const choice = { piece: "one", zone, owner: 0, word: "", words: "", place: 0 };
    results[zone] = [false, true].map((strip) => place.isInPlace(of, { zones: [lies] }, choice, strip));
  }
  return results;
"""


def test_pieces_before_oneself_are_listed_where_a_plate_tells_them(run: Run) -> None:
    rules = library.load("wild-cards/2022")
    game = Game.start(rules, seat_names(rules), seed=1)
    table = {"seats": len(game.names), **decode(encode(table_metadata(Labels(game))))}
    results = run(["place"], BEFORE_ONESELF, {"table": table})
    assert results and all(value == [True, False] for value in results.values()), results
