"""Tables in a real browser that show any state of a game: the page of a seat, whose states come from the test."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any

from msgspec.json import decode, encode
from playwright.sync_api import Browser, Page, WebSocketRoute

from browsers import PATIENCE, complete
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from screenshots import Home

NAMES = ("Maximiliane", "Bartholomäus K.", "Cora", "Don Quijote", "Eve", "Friedrich", "Gerda", "Heinz-Otto")
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
FIRST_QUESTION = 1000
"""Number of the first question that a page is shown: it takes smaller ones for older than its own."""

MEASURE = """() => {
  const wrong = [], rects = {};
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const text = (one) => (one.getAttribute?.("aria-label") || one.textContent || "").trim().slice(0, 30);
  const phone = innerWidth < 640 || innerHeight < 520;
  const regions = new Map();
  for (const one of all(".stage > :is(.asked, .held, .cloth, .boards, .side:not(.drawer), .pad-sheet), .player")) {
    const name = one.dataset.seat ? `player ${one.dataset.seat}` : one.className.split(" ")[0];
    const { left, top, right, bottom } = one.getBoundingClientRect();
    regions.set(one, { name, left, top, right, bottom });
    rects[name] = [left, top, right, bottom].map(Math.round).join(" ");
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) wrong.push(`${name} stands out`);
  }
  const onFelt = (one, other) =>
    one.name === "cloth" && other.name === "boards" && other.left >= one.left && other.right <= one.right;
  const parts = [...regions.values()];
  parts.forEach((one, n) => parts.slice(n + 1).forEach((other) => {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (across > 1 && down > 1 && !onFelt(one, other) && !onFelt(other, one))
      wrong.push(`${one.name} lies over ${other.name}`);
  }));

  // What cuts a part: what can be scrolled, ends in an ellipsis or is clamped tells that there is more.
  const cut = (one, edges, from) => {
    for (let frame = from; frame && !frame.matches(".stage-room"); frame = frame.parentElement) {
      const style = getComputedStyle(frame);
      if (style.clipPath !== "none") return "unseen";
      if (style.display === "contents") continue;
      const box = frame.getBoundingClientRect();
      if ((frame.offsetHeight ?? box.height) < 1) return "unseen"; // left out whole; box is higher where it is turned
      const across = style.overflowX !== "visible" && Math.max(box.left - edges.left, edges.right - box.right) > 4;
      const down = style.overflowY !== "visible" && Math.max(box.top - edges.top, edges.bottom - box.bottom) > 4;
      if (!across && !down) continue;
      const tells = style.webkitLineClamp !== "none" || (across && style.textOverflow === "ellipsis");
      const scrolls = (across && /auto|scroll/.test(style.overflowX)) || (down && /auto|scroll/.test(style.overflowY));
      const hasMore = scrolls && frame.matches("[data-more], .pad-sheet, .lines, .told, dialog");
      return tells || hasMore ? "told" : frame.className;
    }
    return "";
  };
  const inWords = document.createTreeWalker(document.querySelector(".stage"), NodeFilter.SHOW_TEXT);
  while (inWords.nextNode()) {
    const own = inWords.currentNode.parentElement;
    if (!inWords.currentNode.data.trim() || !shown(own)) continue;
    if (own.closest(".unseen, .legend, .map, .drawer, .side, .captions, .offer, .measure, .words, .rule")) continue;
    const range = document.createRange();
    range.selectNodeContents(inWords.currentNode);
    const edges = range.getBoundingClientRect();
    if (edges.width < 3) continue;
    const by = cut(own, edges, own);
    if (by) {
      if (by !== "unseen" && by !== "told") wrong.push(`${by} cuts '${text(own)}'`);
      continue;
    }
    const region = regions.get(own.closest(".asked, .held"));
    if (region && (edges.top < region.top - 5 || edges.bottom > region.bottom + 5 || edges.right > region.right + 5))
      wrong.push(`'${text(own)}' stands out of ${region.name}`);
  }
  for (const one of all(".plate :is(.tally, .chip, .total, .rank, .sign-of, .partner, .small-chart), .held .laid")) {
    const by = cut(one, one.getBoundingClientRect(), one.parentElement);
    if (by && by !== "unseen" && by !== "told") wrong.push(`${by} cuts ${text(one)}`);
  }

  // What a finger hits of a card, or a mouse of an answer.
  for (const one of all(".fan > .laid.offered")) {
    const { width } = one.getBoundingClientRect();
    const seen = Number.parseFloat(one.style.getPropertyValue("--seen"));
    if (seen < (phone ? Math.min(40, width - 1) : 24)) wrong.push(`${seen} px are hit of ${text(one)}`);
  }
  for (const one of all(".asked .choice, .asked .main")) {
    const { width, height } = one.getBoundingClientRect();
    if (Math.min(width, height) < (phone ? 35.9 : 23.9)) wrong.push(`${text(one)} is ${width}×${height}`);
  }
  const folded = all(".plate[data-folded]").reduce((sum, one) => sum + Number(one.dataset.folded), 0);
  return { wrong: [...new Set(wrong)], rects, folded };
}"""
"""Script that returns what is wrong with a table as it is seen, and where its parts lie."""


class ShownTable:
    """A table of people, seen by the first of them; the test plays the game and shows states of it at will."""

    def __init__(self, home: Home, browser: Browser, edition: str, seats: int, language: str) -> None:
        rules = next(offer.rules for offer in home.offers.all().values() if offer.rules.name == edition)
        self.game = Game.start(rules, NAMES[:seats], seed=7)
        self._language, self._rng, self._updates = language, random.Random(5), 0
        self._document: Mapping[str, Any] | None = None
        self._line: WebSocketRoute | None = None
        links = home.begin(edition, *({"player": "here", "name": name} for name in NAMES[:seats]))
        self.context = browser.new_context(locale=language, reduced_motion="reduce")
        self.context.add_init_script("if (location.host) localStorage.setItem('rulewright pace', 'at once')")
        self.context.route_web_socket(re.compile("/play"), self._connect)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.goto(home.link(links["seats"][0]))
        complete(self.page)
        self.page.wait_for_load_state("networkidle")

    def _connect(self, line: WebSocketRoute) -> None:
        """Let the server tell what the table is; what happens there is the test's."""
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            message_data = json.loads(message)
            if self._document is None and message_data["type"] == "updates":
                self._document = message_data["of"][0]["change"]
                line.send(message)

        server.on_message(pass_on)
        self._line = line

    def show(self) -> None:
        """Show the game as it is now."""
        assert self._document is not None and self._line is not None
        self._updates += 1
        now = decode(encode(seat_view.now(Labels(self.game, self._language), 0, FIRST_QUESTION + self._updates)))
        change = {**{name: value for name, value in self._document.items() if name != "own"}, "now": now}
        self._line.send(json.dumps({"type": "updates", "of": [{"number": 1, "change": change}]}))
        self.page.evaluate(PAINTED)

    def play(self) -> None:
        """Give answers by chance until the first seat is asked, or the game is over."""
        while not self.game.over:
            decision = self._rng.choice(self.game.decisions())
            offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
            take = self._rng.sample(offered, self._rng.randint(decision.least, decision.most))
            self.game.answer(decision.seat, tuple(take))
            if any(decision.seat == 0 for decision in self.game.decisions()):
                return

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(PAINTED)
