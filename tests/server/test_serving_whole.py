"""No name, number or answer is clipped or covered: on tables of all shipped editions, from a phone to a very large
screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsers import Person, complete
from example_counts import one_of_each_game
from game_servers import local_player
from screenshots import CHROMIUM, Home, hosted

pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"), pytest.mark.rotating(12)]

NAMES = ("Ada", "Benjamin", "Charlotte", "Dan", "Eva", "Frederick", "Gus", "Hannah")
WINDOWS = ((360, 740), (390, 844), (844, 390), (1024, 768), (1440, 900), (1920, 1080), (3840, 2160))
MOST = 5000
"""Answers until any game is over."""
TRIES = 20

CUT = """async () => {
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  const told = ["#head h1", ".seat-name", ".plate :is(.total, .tally, .rank, .sign-of, .chip, .small-chart)", ".asks",
    ".earlier", ".winner b:not(.by)", ".asked button", ".shared .zone h3 > .dotted", ".shared .badge", ".loose .aside",
    ".figures div", ".groups .group", ".pad-sheet :is(tbody th, td)"].join();
  const wrong = [], texts = [];
  const isWhole = (one) => getComputedStyle(one).clipPath === "none";
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) &&
    !one.closest(".unseen, .drawer:not(.open)") && [one, one.parentElement].every(isWhole);
  const name = (one) => `${one.className} ${one.textContent.trim().slice(0, 40)}`;
  const hides = ({ overflowX, overflowY }) => [overflowX, overflowY].map((way) => way !== "visible");
  const isScrolled = ({ overflowX, overflowY }) => /auto|scroll/.test(overflowX + overflowY);
  const within = (a, b, [across, down] = [true, true]) => ({
    left: across ? Math.max(a.left, b.left) : a.left, right: across ? Math.min(a.right, b.right) : a.right,
    top: down ? Math.max(a.top, b.top) : a.top, bottom: down ? Math.min(a.bottom, b.bottom) : a.bottom,
  });
  const size = ({ left, top, right, bottom }) => [right - left, bottom - top];
  for (const one of document.querySelectorAll(told)) {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (!isSeen(one) || box.width < 2 || box.height < 2) continue;
    const isFull = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3;
    if (hides(style)[0] && !isScrolled(style) && isFull) wrong.push(`${name(one)} is cut`);
    let [whole, seen, scrolls] = [{ ...box.toJSON() }, box, false];
    for (let up = one.parentElement; up; up = up.parentElement) {
      const around = getComputedStyle(up), edges = up.getBoundingClientRect();
      seen = within(seen, edges, hides(around));
      scrolls ||= isScrolled(around);
      if (!scrolls) whole = within(whole, edges, hides(around));
    }
    const [w, h] = size(whole);
    if (w > 1 && h > 3 && (w < box.width - 2 || h < box.height - 3)) wrong.push(`${name(one)} is seen in part`);
    const range = document.createRange();
    range.selectNodeContents(one);
    const isBoxed = one.matches("button, .tally, .chip, .badge, .rank, .sign-of");
    if (!one.querySelector(told)) texts.push([one, isBoxed ? seen : within(seen, range.getBoundingClientRect())]);
  }
  texts.forEach(([one, box], n) => texts.slice(n + 1).forEach(([other, rect]) => {
    const [w, h] = size(within(box, rect));
    if (!one.contains(other) && w > 3 && h > 4) wrong.push(`${name(one)} and ${name(other)} lie over each other`);
  }));
  return wrong;
}
"""
"""Lists texts that are cut by their own box, seen in part, or over each other; pieces held in a hand may be."""


def positions(home: Home, edition: str) -> Iterator[tuple[str, str]]:
    """Yield the start, the middle and the end of a game for the fewest and the most players, each with its link."""
    rules = next(offer.rules for offer in home.offers.all().values() if offer.rules.name == edition)
    for count in sorted(set(rules.edition.seats)):
        length = 0
        for moment in ("end", "middle", "start"):
            links = home.begin(edition, *map(local_player, NAMES[:count]))
            game = home.play_on(links["host"], {"start": 0, "middle": length // 2, "end": MOST}[moment])
            entrance = home.store.grant(links["host"])
            assert entrance is not None
            length = length or len(home.store.answers(entrance.game))
            seat = 0 if game.over else game.pending.ids[0][0]
            yield f"{count} players, {moment}", home.link(links["seats"][seat])


def cut(page: Page) -> list[str]:
    """Return what is cut once the page has settled."""
    result: list[str] = []
    for _ in range(TRIES):
        result = page.evaluate(CUT)
        if not result:
            break
    return result


@pytest.mark.parametrize("edition", one_of_each_game())
def test_no_name_number_or_answer_is_cut(tmp_path: Path, browser: Browser, edition: str) -> None:
    with hosted(tmp_path, [edition]) as home:
        person = Person.at_device(browser)
        wrong = []
        for position, link in positions(home, edition):
            page = person.open(link)
            complete(page)
            page.locator(".asked h2, .asked .winner").first.wait_for()
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                wrong += [f"{position}, {width}×{height}: {one}" for one in cut(page)]
            page.close()
        person.context.close()
    assert not wrong
