"""Movement and pace on the page, module by module, without a server: what flies, and for how long things are held."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.json import decode, encode
from playwright.sync_api import Browser

from page_modules import Run, module_runner
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from rulewright.server.views.document import Now, Sitting, TableDocument
from rulewright.server.views.question_view import question_now
from rulewright.server.views.table_metadata import table_metadata
from screenshots import CHROMIUM
from whole_games import answer_to

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

TIME, INTERVAL, LONGEST, REST = 300, 60, 1200, 900
"""Milliseconds of a flight, from one to the next, of all together, and of what came and goes on."""


@pytest.fixture
def run(browser: Browser) -> Run:
    return module_runner(browser)


def flight(name: str, source: str, target: str) -> dict[str, str]:
    return {"name": name, "source": source, "target": target}


def test_moves_fly_in_their_order_and_not_for_long(run: Run) -> None:
    swept = [flight(name, f"trick/{seat}/", "won/1/") for seat, name in enumerate("abc")]
    bought = [flight("", "deck//", "row//"), flight("d", "row//", "hand/0/"), flight("e", "row//", "hand/0/")]
    dealt = [flight("", "deck//", f"hand/{seat % 4}/") for seat in range(40)]
    plans = run(["move_animation"], "return given.map(move_animation.schedule)", [swept, bought, dealt, []])
    assert plans[0] == {"starts": [0, INTERVAL, 2 * INTERVAL], "time": TIME}
    on = TIME + REST
    assert plans[1] == {"starts": [0, on, on + INTERVAL], "time": TIME}, "what was turned up is seen, then taken"
    assert plans[2]["starts"][-1] + plans[2]["time"] == pytest.approx(LONGEST)
    assert plans[3] == {"starts": [], "time": TIME}


def test_seeds_are_sown_one_by_one_in_the_order_of_the_pits(run: Run) -> None:
    game = Game.start(library.load("classics/mancala"), ["Ann", "Bo"], seed=1)
    game.answer(0, ["g3"])
    moves = seat_view.last_moves(Labels(game), 1)
    assert [move.target for move in moves] == ["bowl//h2", "bowl//g1", "bowl//f1", "bowl//e1"]
    assert {(move.source, *move.pieces) for move in moves} == {("bowl//g3", "seed")}
    seeds = [flight("seed", move.source, move.target) for move in moves]
    plan = run(["move_animation"], "return move_animation.schedule(given)", seeds)
    assert plan == {"starts": [0, 160, 320, 480], "time": TIME}
    sown = [{**seed, "pieces": ["seed"], "hidden": 0} for seed in seeds]
    assert run(["sowing"], "return given.map(sowing.sowingTime)", [sown, sown[:2]]) == [5 * 160, 0]


FOLLOWING = """
  const drawn = ([whose, step, steps, moves]) => ({ whose, step, state: { steps, moves } });
  const states = given.map(drawn);
  return states.map((state, at) => move_animation.isNext(states[at - 1] ?? null, state));
"""


def test_only_what_comes_next_moves(run: Run) -> None:
    """Neither what was taken back, nor what lies between two moments that somebody looks at."""
    move_drawn, played, move_taken = [["drawn"]], [["played"]], [["taken"]]
    states: list[list[Any]] = [
        ["Ann", None, 1, []], ["Ann", None, 2, move_drawn], ["Ann", None, 2, played],  # which the log does not tell
        ["Ann", None, 2, move_drawn], ["Ann", None, 4, move_taken], ["Ann", None, 3, played],
        ["Ann", 0, 0, []], ["Ann", 1, 0, move_drawn], ["Ann", 3, 0, move_taken], ["Ann", 2, 0, played],
        ["Ann", None, 4, move_taken], ["Bo", None, 4, move_taken],
    ]  # fmt: skip
    expected = [False, True, True, False, True, False, False, True, False, False, False, False]
    assert run(["move_animation"], FOLLOWING, states) == expected


MOVED = """
  const main = document.getElementById("main");
  const draw = (zones) => {
    main.innerHTML = zones.map(({ zone, pieces }) => `<div data-zone="${zone}//" style="width: 9rem; height: 3rem">
      ${pieces.map((name) => `<b data-at="${zone}//" data-piece="${name}">${name}</b>`).join("")}</div>`).join("");
    return zones.map((one) => ({ owner: null, word: "", ...one }));
  };
  const of = { pieces: { ace: {}, king: {}, one: { die: true }, two: { die: true } } };
  const state = (steps, zones, moves = []) => ({ steps, moves, zones });
  const before = draw([{ zone: "hand", pieces: ["ace", "king"] }, { zone: "table", pieces: [] },
    { zone: "dice", pieces: ["one", "one"] }]);
  move_animation.movement(of, state(1, before), "Ann");
  const moves = [{ source: "hand//", target: "table//", pieces: ["ace"], hidden: 0 }];
  const zones = [{ zone: "hand", pieces: ["king"] }, { zone: "table", pieces: ["ace"] },
    { zone: "dice", pieces: ["one", "two"] }].map((one) => ({ owner: null, word: "", ...one }));
  const animate = move_animation.movement(of, state(2, zones, moves), "Ann");
  draw(zones);
  animate();
  const at = (where) => [...document.querySelectorAll(where)].map((one) => one.textContent);
  const seen = () => ({ flying: at(".flying"), rings: at("[data-moved]"),
    moving: document.getAnimations().map(({ effect }) => effect.target.textContent).sort() });
  const during = seen();
  if (given) dispatchEvent(new Event(given));
  await new Promise(requestAnimationFrame);
  return [during, seen()];
"""


ONTO_A_PILE = """
  const main = document.getElementById("main");
  const draw = (zones) => {
    main.innerHTML = zones.map(({ zone, seen, pieces }) => `<div data-zone="${zone}//" style="height: 3rem">` + (seen
      ? pieces.slice(-1).map((name) => `<b class="laid" data-at="${zone}//" data-piece="${name}">${name}</b>`).join("")
      : '<b class="laid" data-at="hand//">back</b>') + "</div>").join("");
    return zones.map((one) => ({ owner: null, word: "", ...one }));
  };
  const card = { card: true, suit: "", picture: "", ground: "", signs: [], unnamed: true, tint: 0 };
  const names = ["ace", "king", "ten", "two"];
  const of = { zones: { hand: {}, pile: {} },
    pieces: Object.fromEntries(names.map((name) => [name, { ...card, label: name, corner: name }])) };
  const state = (steps, zones, moves = []) => ({ steps, moves, zones });
  const left = { zone: "hand", pieces: null };
  const before = draw([left, { zone: "pile", seen: true, pieces: ["two"] }]);
  move_animation.movement(of, state(1, before), "Ann");
  const moves = [{ source: "hand//", target: "pile//", pieces: ["ace", "king", "ten"], hidden: 0 }];
  const zones = [left, { zone: "pile", seen: true, pieces: names }];
  const animate = move_animation.movement(of, state(2, zones, moves), "Ann");
  draw(zones);
  animate();
  return [...document.querySelectorAll(".flying")].map((one) => one.textContent);
"""


def test_each_card_that_flies_onto_a_pile_shows_itself(run: Run) -> None:
    """The pile shows the last of them alone."""
    assert run(["move_animation"], ONTO_A_PILE) == ["ace", "king", "ten"]


SOUND_SCRIPT = """
  window.AudioContext = class {
    state = "suspended"; currentTime = 0; destination = {};
    async resume() { this.state = "running"; }
    createGain() {
      const quiet = () => {};
      return { gain: { setValueAtTime: quiet, linearRampToValueAtTime: quiet, exponentialRampToValueAtTime: quiet },
        connect: (to) => to };
    }
    createOscillator() { return { frequency: {}, connect: (to) => to, start() { notes += 1; }, stop() {} }; }
  };
  let notes = 0;
  signals.attend(() => {});
  dispatchEvent(new Event("pointerdown"));
  await new Promise(requestAnimationFrame);
  const of = { pieces: { ace: {}, one: { die: true }, two: { die: true } } };
  const zone = (name, pieces) => ({ zone: name, owner: null, word: "", pieces });
  const after = (steps, more) => ({ steps, moves: [], zones: [], over: false, ...more });
  const states = [after(1, { zones: [zone("dice", ["one"])] }), after(2),
    after(3, { moves: [{ source: "hand//", target: "table//", pieces: ["ace"], hidden: 0 }] }),
    after(4, { zones: [zone("dice", ["two"])] }), after(5, { over: true })];
  return states.map((state) => {
    const before = notes;
    move_animation.movement(of, state, "Ann")();
    return notes - before;
  });
"""


@pytest.mark.parametrize("on", [True, False])
def test_sounds_are_made_for_whoever_wants_them(run: Run, on: bool) -> None:
    """A piece has moved, dice are thrown, the game is over; where nothing has moved there is nothing to hear."""
    run([], "localStorage.setItem('rulewright signals', JSON.stringify({ sound: given }))", on)
    assert run(["signals", "move_animation"], SOUND_SCRIPT) == ([0, 0, 1, 3, 3] if on else [0] * 5)


@pytest.mark.parametrize("touch", ["pointerdown", "keydown"])
def test_a_touch_finishes_what_flies(run: Run, touch: str) -> None:
    during, after = run(["move_animation"], MOVED, touch)
    assert during == {"flying": ["ace"], "rings": [], "moving": ["ace", "ace", "two"]}
    assert after == {"flying": [], "rings": [], "moving": []}


def test_whoever_wants_no_motion_sees_rings(browser: Browser) -> None:
    calm = browser.new_context(reduced_motion="reduce")
    during, _ = module_runner(calm)(["move_animation"], MOVED, "")
    assert during == {"flying": [], "rings": ["ace", "two"], "moving": []}


PACED = """
  let time = 0, timers = [];
  performance.now = () => time;
  window.setTimeout = (call, after) => { const timer = { call, at: time + after }; timers.push(timer); return timer; };
  window.clearTimeout = (timer) => { timers = timers.filter((one) => one !== timer); };
  const of = document_.about(given.document), paced = new pace.Pace(() => {}, () => {}, () => 0);
  let presses = 0;
  return given.waits.map((wait) => {
    const start = time;
    for (const { now, lines, first } of wait) {
      const log = { start: first, lines: lines.map(document_.line) };
      paced.heard({ ...document_.now(now, of), log });
      if (given.skips && paced.holding) {
        presses += 1;
        paced.skip(true);
      }
    }
    for (; paced.holding; ) {
      timers.sort((one, other) => one.at - other.at);
      const { call, at } = timers.shift();
      time = at;
      call();
    }
    return [time - start, presses];
  });
"""
ROUNDS, AT_MOST = 9, 40
"""Seconds for which that many rounds are held for somebody who presses nothing."""


def waits(game: Game, rng: random.Random) -> Iterator[list[dict[str, Any]]]:
    """Yield what the first seat is shown from one of its questions to the next, until after the rounds."""
    step_count, lines, wait = 0, 0, []
    while game.position.round <= ROUNDS and (decisions := game.decisions()):
        for number, step in enumerate(game.history.steps()[step_count:], step_count + 1):
            past = Labels(game.with_history(game.history.until(step)))
            now: Now = seat_view.table_state(past, 0, steps=number, moves=seat_view.last_moves(past, 0))
            new = seat_view.lines(past, 0, lines, game.history.steps())
            wait.append({"now": now, "lines": new, "first": lines})
            step_count, lines = number, lines + len(new)
        decision = next((one for one in decisions if one.seat == 0), decisions[0])
        if decision.seat == 0 and wait:
            question = question_now(Labels(game), 0, step_count)
            yield [*wait[:-1], {**wait[-1], "now": decode(encode(wait[-1]["now"])) | {"asked": question}}]
            wait = []
        game.answer(decision.seat, answer_to(decision, rng), decision.id)


@pytest.mark.rotating(5)
def test_nine_rounds_are_shown_within_ones_attention(browser: Browser) -> None:
    """Ask the person who presses the button once next."""
    game = Game.start(library.load("wild-cards/2022"), ["Ann", "Bo", "Cy", "Di"], seed=1)
    document = TableDocument(
        "seat", "en", "ltr", "tried", "Tried", tuple(Sitting(name, "person") for name in game.names), 0,
        table=table_metadata(Labels(game)),
    )  # fmt: skip
    arguments = decode(encode({"document": document, "waits": list(waits(game, random.Random(1)))}))
    milliseconds = [time for time, _ in module_runner(browser)(["document_", "pace"], PACED, arguments)]
    assert len(milliseconds) > ROUNDS and AT_MOST / 2 < sum(milliseconds) / 1000 < AT_MOST
    skipped = module_runner(browser)(["document_", "pace"], PACED, {**arguments, "skips": True})
    assert not any(time for time, _ in skipped) and 0 < skipped[-1][1] <= len(milliseconds)
