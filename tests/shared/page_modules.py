"""Modules of the page run by themselves in a browser, without a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.json import decode, encode
from playwright.sync_api import Browser, BrowserContext, Route

import rulewright
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from rulewright.server.views.document import Sitting, TableDocument
from rulewright.server.views.table_metadata import table_metadata

PAGES = [Path(rulewright.__file__).parent / room / "page" for room in ("server", "workbench")]

Run = Callable[..., Any]


def served(route: Route) -> None:
    name = route.request.url.rpartition("/")[2]
    path = next((page / name for page in PAGES if name and (page / name).is_file()), None)
    route.fulfill(path=path) if path else route.fulfill(body="<!doctype html><main id='main'>")


def module_runner(browser: Browser | BrowserContext) -> Run:
    """Return what runs JavaScript with modules, each by its name: run(['board'], 'return board.…', what is given)."""
    page = browser.new_page()
    page.route("**/*", served)
    page.goto("http://page/")

    def run(modules: list[str], body: str, argument: object = None) -> Any:
        imported = " ".join(f"const {name} = await import('/{name.rstrip('_')}.js');" for name in modules)
        return page.evaluate(f"async (given) => {{ {imported} {body} }}", argument)

    return run


def page_state(text: str, *answers: str, seat: int = 0) -> dict[str, Any]:
    """Return the data of a page: the document, and each state from the beginning on."""
    game = Game.start(library.from_text(text, "tried"), ["Ann", "Bo"], seed=1)
    states = [seat_view.now(Labels(game), seat, 0)]
    for answer in answers:
        game.answer(game.decisions()[0].seat, [answer] if answer else [])
        states.append(seat_view.now(Labels(game), seat, len(states)))
    document = TableDocument(
        "seat", "en", "ltr", "tried", "Tried", tuple(Sitting(name, "person") for name in game.names), seat,
        table=table_metadata(Labels(game)), now=states[-1],
    )  # fmt: skip
    return {"document": decode(encode(document)), "states": decode(encode(states))}
