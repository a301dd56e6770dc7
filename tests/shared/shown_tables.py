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
