"""Pictures of what people see. Needs the developers' tools, and Chromium.

`python tools/screenshots.py` makes the pictures of the README and of the pages in spec anew, in spec/pictures.

`python tools/screenshots.py FOLDER [PAGE…]` pictures the pages of the tables in the browser, to be looked at: as on a
phone, a tablet and a desktop, in light and in dark, FOLDER/PAGE-WIDTH-light.png. `--lang` says in which language.
"""

from __future__ import annotations

import argparse
import atexit
import io
import json
import random
import secrets
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

import rulewright
from rulewright.game.game import Game
from rulewright.server import tokens
from rulewright.server.application import AppSettings, server_config
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import browser_address, listen
from rulewright.server.network.client_addresses import ClientAddresses
from rulewright.server.storage.commit_queue import run_batch
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.storage.store import Store
from rulewright.simulation import report
from rulewright.workbench import launcher
from rulewright.workbench.access import Keys
from rulewright.workbench.application import WorkbenchSettings
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import Workspace

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
WIDTHS = {360: 740, 768: 1024, 1440: 900}
"""Screens, each with its height."""
HIGHEST = 6000
SEED = 7
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True)
class Home:
    """A server in this process. address: ends in a slash."""

    address: str
    store: Store
    offers: EditionRegistry

    def link(self, *arguments: str) -> str:
        return f"{self.address}table#{','.join(arguments)}"

    def begin(
        self, edition: str, *seats: Mapping[str, str], clock: int = 0, options: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """A new table; its tokens. clock: seconds for each move."""
        expected = {"edition": self._digest(edition), "seats": list(seats), "options": options or {}, "clock": clock}
        body = json.dumps(expected).encode()
        with urlopen(Request(f"{self.address}tables", body, {"content-type": "application/json"})) as answer:
            results: dict[str, Any] = json.load(answer)
        return results

    def learning(self, edition: str) -> str:
        """Return the address of an edition's course."""
        return f"{self.address}editions/{self._digest(edition)}/learn"

    def play_on(self, token: str, most: int, seed: int = 1, until: Callable[[Game], bool] = lambda game: False) -> Game:
        """Random answers at a table that nobody has opened yet: so many at most. Gives what it has come to."""
        entrance = self.store.grant(token)
        assert entrance is not None
        record = self.store.record(entrance.game)
        pinned = self.store.edition(record.edition)
        assert pinned is not None
        names = [seat.name or f"{number}" for number, seat in enumerate(record.seats)]  # a friend comes later
        roles = {name: seat.role for name, seat in zip(names, record.seats, strict=True) if seat.role is not None}
        game = Game.start(self.offers.rules(pinned), names, record.options, record.seed, roles)
        rng, rows = random.Random(seed), list[LoggedAnswer]()
        while not game.over and len(rows) < most and not until(game):
            decision = rng.choice(game.decisions())
            offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
            take = tuple(rng.sample(offered, rng.randint(decision.least, decision.most)))
            game.answer(decision.seat, take)
            rows.append(LoggedAnswer(decision.seat, decision.id, take))
        run_batch(self.store, [store_answer(entrance.game, number, row) for number, row in enumerate(rows)])
        return game

    def _digest(self, edition: str) -> str:
        return next(digest for digest, offer in self.offers.all().items() if offer.rules.name == edition)


def store_answer(game: int, number: int, row: LoggedAnswer) -> Callable[[Store], None]:
    return lambda store: store.answer(game, number, row)


@contextmanager
def hosted(
    folder: Path,
    editions: Sequence[str],
    limits: Limits | None = None,
    callers: ClientAddresses | None = None,
    clock: Clock | None = None,
) -> Iterator[Home]:
    """A server that runs beside whatever is done meanwhile, with its tables in the folder."""
    listening = listen("127.0.0.1", 0)
    store, offers = Store(folder / "tables.sqlite"), EditionRegistry(editions)
    settings = AppSettings(limits or Limits(hold=0), clients=callers or ClientAddresses(), clock=clock or Clock())
    config = server_config(store, offers, settings)
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, args=([listening],))
    thread.start()
    try:
        with patch.object(secrets, "randbits", return_value=SEED):  # the same cards each time
            yield Home(browser_address(listening), store, offers)
    finally:
        running.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def chromium(*options: str) -> Iterator[Browser]:
    """Start the browser that the system has, with more of its options."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *options])
        try:
            yield browser
        finally:
            browser.close()


# ── the pages ──

WILD_CARDS, WILDLIFE = EDITIONS = ("wild-cards/2022", "wildlife/2002")
ANN, BO, CY = ({"player": "here", "name": name} for name in ("Ann", "Bo", "Cy"))
FRIEND = {"player": "friend"}


def start(home: Home, page: Page) -> Locator:
    page.goto(home.address)
    return page.locator("main button.edition").first


def options(home: Home, page: Page) -> Locator:
    start(home, page).click()
    return page.locator("main form.begin button.main[type=submit]")


def lobby(home: Home, page: Page) -> Locator:
    page.goto(home.link(home.begin(WILD_CARDS, ANN, FRIEND, FRIEND)["host"]))
    return page.locator("main input").first


def group(home: Home, page: Page) -> Locator:
    page.goto(home.link(tokens.group(home.begin(WILD_CARDS, ANN, FRIEND, FRIEND)["host"])))
    return page.locator("main details.minute")


def invitation(home: Home, page: Page) -> Locator:
    page.goto(home.link(tokens.invite(home.begin(WILD_CARDS, ANN, FRIEND)["host"], 1)))
    return page.locator("main form button")


def table(edition: str, answers: int) -> Callable[[Home, Page], Locator]:
    """A game after so many answers, for one who is asked and one who may be."""

    def show(home: Home, page: Page) -> Locator:
        links = home.begin(edition, ANN, BO, CY)["seats"]
        home.play_on(links[0], answers)
        page.goto(home.link(*links[:2]))
        page.locator("main h2").first.wait_for()
        if (passed := page.locator(".handover button")).count():
            passed.click()
        return page.locator("main h2").first

    return show


def handover(home: Home, page: Page) -> Locator:
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], 40)
    page.goto(home.link(*links["seats"], links["host"]))
    return page.locator(".handover button")


def signals(home: Home, page: Page) -> Locator:
    """Back where it is one's turn, with the ways to be told."""
    page.goto(home.link(home.begin(WILD_CARDS, ANN, BO)["seats"][0]))
    page.locator(".asked.now").wait_for()
    page.goto(home.address)
    page.locator(".my-tables .now").wait_for()
    page.locator(".bell summary").click()
    return page.locator(".bell .panel")


def watching(home: Home, page: Page) -> Locator:
    links = home.begin(WILD_CARDS, ANN, BO, CY)
    home.play_on(links["host"], 40)
    page.goto(home.link(tokens.watch(links["host"])))
    return page.locator("main h2").first


def nowhere(home: Home, page: Page) -> Locator:
    page.goto(home.link("nonsense"))
    return page.locator("main a")


def lessons(home: Home, page: Page) -> Locator:
    page.goto(home.learning(WILD_CARDS))
    return page.locator(".lessons").first


def lesson(edition: str, number: int) -> Callable[[Home, Page], Locator]:
    """A lesson, counted from 1, after its first answer."""

    def show(home: Home, page: Page) -> Locator:
        page.goto(f"{home.learning(edition)}#{number}")
        page.locator("main .offered, .asked .choice").first.click()
        return page.locator(".story .told").first

    return show


PAGES: Mapping[str, Callable[[Home, Page], Locator]] = {
    "start": start,
    "options": options,
    "lobby": lobby,
    "group": group,
    "invitation": invitation,
    "wild-cards": table(WILD_CARDS, 60),
    "wildlife": table(WILDLIFE, 400),
    "handover": handover,
    "signals": signals,
    "watching": watching,
    "end": table(WILD_CARDS, 10_000),
    "nowhere": nowhere,
    "learning": lessons,
    "lesson": lesson(WILD_CARDS, 3),
    "wildlife lesson": lesson(WILDLIFE, 3),
}
"""Name -> what opens it; gives what is there when the page is."""


def opened(name: str, home: Home, page: Page) -> None:
    """Open a page, and wait until it is there with all its pictures."""
    PAGES[name](home, page).wait_for()
    page.wait_for_load_state("networkidle")


# ── the README's pictures ──

PICTURES = Path(__file__).resolve().parents[1] / "spec" / "pictures"
COLOURS = 255


@dataclass(frozen=True)
class View:
    """Settings of a picture. width, height: of the window, in the page's own pixels; scale: pixels for each."""

    width: int
    height: int
    scale: float
    show: Callable[[Home, Page], None]


def middle_of_a_game(home: Home, page: Page) -> None:
    """Somebody has an animal to choose, with everybody's bids and the whole table in view."""
    links = home.begin(WILD_CARDS, ANN, BO, CY)["seats"]
    home.play_on(links[0], 48)
    page.goto(home.link(links[0]))
    page.locator("[aria-description]").first.wait_for(state="attached")  # what an answer leads to


def page_of_a_book(_: Home, page: Page) -> None:
    """A chapter with an example, unfolded."""
    page.set_content(rulewright.rulebook(WILD_CARDS).decode())
    page.locator("#phases-place-bids details").first.evaluate("example => { example.open = true; }")
    page.locator("#phases-place-bids").evaluate("chapter => chapter.scrollIntoView()")


def question_of_a_report(_: Home, page: Page) -> None:
    """Parts of a report to picture: the question, the verdict, and the players."""
    with tempfile.TemporaryDirectory() as folder:
        results = rulewright.simulate(WILD_CARDS, folder, games=2000, options=["hand limit=8,12"])
        page.set_content(report.report(results))


HAND_LIMIT = """\
rulewright: 1
extends: wild-cards/2022
title: Wild Cards
edition: My Cards

change:
  values:
    seat:
      hand limit: 12 # instead of 10
"""


def rules_beside_their_game(_: Home, page: Page) -> None:
    """A variant in the workbench, which ends with this program."""
    above = Path(tempfile.mkdtemp(prefix="rulewright-pictures-"))
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    folder = above / "My games"
    folder.mkdir()
    (folder / "my-cards.yaml").write_text(HAND_LIMIT, encoding="utf-8")
    key, listening = secrets.token_urlsafe(), listen("127.0.0.1", 0)
    running = uvicorn.Server(
        launcher.server_config(Bench(Workspace(folder)), Keys(key, key), WorkbenchSettings("my-cards.yaml"))
    )
    threading.Thread(target=running.run, args=([listening],), daemon=True).start()
    page.goto(f"{browser_address(listening)}open/{key}")
    page.get_by_text("No mistakes").wait_for()
    page.locator(".playing .laid.offered").first.wait_for()
    page.locator(".cm-figures, .code-number").first.wait_for()


README: Mapping[str, View] = {
    "table": View(1440, 900, 5 / 6, middle_of_a_game),
    "book": View(960, 1032, 1, page_of_a_book),
    "report": View(800, 860, 1.2, question_of_a_report),
    "workbench": View(1280, 860, 0.9375, rules_beside_their_game),
}
"""The name of a picture -> what it shows."""


def picture(name: str) -> Path:
    """The file of a picture in the README."""
    return PICTURES / f"{name}.png"


def write_pictures(home: Home, browser: Browser) -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, view in README.items():
        context = browser.new_context(
            locale="en",
            reduced_motion="reduce",
            color_scheme="light",
            viewport={"width": view.width, "height": view.height},
            device_scale_factor=view.scale,
        )
        page = context.new_page()
        view.show(home, page)
        page.wait_for_load_state("networkidle")
        whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        whole.quantize(COLOURS, dither=Image.Dither.NONE).save(picture(name), optimize=True)
        print(picture(name))
        context.close()


def write_pages(home: Home, browser: Browser, folder: Path, pages: Sequence[str], language: str) -> None:
    for name in pages:
        context = browser.new_context(locale=language, reduced_motion="reduce")
        page = context.new_page()
        opened(name, home, page)
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            # All of it is seen at once, so that what keeps to the lower edge covers nothing.
            whole = min(page.evaluate("document.documentElement.scrollHeight"), HIGHEST)
            page.set_viewport_size({"width": width, "height": max(whole, height)})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                path = folder / f"{name}-{width}-{scheme}.png"
                page.screenshot(path=path)
                print(path)
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", nargs="?")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=", ".join(PAGES))
    parser.add_argument("--lang", default="en")
    arguments = parser.parse_args()
    if unknown := set(arguments.pages) - PAGES.keys():
        parser.error(f"there is no page {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder, hosted(Path(folder), EDITIONS) as home, chromium() as browser:
        if arguments.folder is None:
            write_pictures(home, browser)
        else:
            arguments.folder.mkdir(parents=True, exist_ok=True)
            write_pages(home, browser, arguments.folder, arguments.pages or list(PAGES), arguments.lang)


if __name__ == "__main__":
    main()
