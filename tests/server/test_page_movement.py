"""Movement on the page, module by module, without a server: what flies, when, and from where to where."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from page_modules import Run, module_runner
from screenshots import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

TIME, APART, LONGEST = 300, 60, 1200
"""Milliseconds of a flight, from one to the next, and of all together."""


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
    assert plans[0] == {"starts": [0, APART, 2 * APART], "time": TIME}
    assert plans[1] == {"starts": [0, TIME, TIME + APART], "time": TIME}, "what was turned up is taken after that"
    assert plans[2]["starts"][-1] + plans[2]["time"] == pytest.approx(LONGEST)
    assert plans[3] == {"starts": [], "time": TIME}


FOLLOWING = """
  const drawn = ([whose, step, steps, moves]) => ({ whose, step, state: { steps, moves } });
  const states = given.map(drawn);
  return states.map((state, at) => move_animation.isNext(states[at - 1] ?? null, state));
"""


def test_only_what_comes_next_moves(run: Run) -> None:
    """Neither what was taken back, nor what lies between two moments that somebody looks at."""
    drawn, played, taken = [["drawn"]], [["played"]], [["taken"]]
    states: list[list[Any]] = [
        ["Ann", None, 1, []], ["Ann", None, 2, drawn], ["Ann", None, 2, played],  # which the log does not tell
        ["Ann", None, 2, drawn], ["Ann", None, 4, taken], ["Ann", None, 3, played],
        ["Ann", 0, 0, []], ["Ann", 1, 0, drawn], ["Ann", 3, 0, taken], ["Ann", 2, 0, played],
        ["Ann", None, 4, taken], ["Bo", None, 4, taken],
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


@pytest.mark.parametrize("touch", ["pointerdown", "keydown"])
def test_a_touch_finishes_what_flies(run: Run, touch: str) -> None:
    during, after = run(["move_animation"], MOVED, touch)
    assert during == {"flying": ["ace"], "rings": [], "moving": ["ace", "ace", "two"]}
    assert after == {"flying": [], "rings": [], "moving": []}


def test_whoever_wants_no_motion_sees_rings(browser: Browser) -> None:
    calm = browser.new_context(reduced_motion="reduce")
    during, _ = module_runner(calm)(["move_animation"], MOVED, "")
    assert during == {"flying": [], "rings": ["ace", "two"], "moving": []}
