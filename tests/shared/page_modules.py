"""Modules of the page run by themselves in a browser, without a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Route

import rulewright.server

PAGE = Path(rulewright.server.__file__).parent / "page"

Run = Callable[..., Any]


def served(route: Route) -> None:
    path = PAGE / route.request.url.rpartition("/")[2]
    route.fulfill(path=path) if path.is_file() else route.fulfill(body="<!doctype html><main id='main'>")


def module_runner(browser: Browser | BrowserContext) -> Run:
    """Return what runs JavaScript with modules, each by its name: run(['board'], 'return board.…', what is given)."""
    page = browser.new_page()
    page.route("**/*", served)
    page.goto("http://page/")

    def run(modules: list[str], body: str, argument: object = None) -> Any:
        imported = " ".join(f"const {name} = await import('/{name.rstrip('_')}.js');" for name in modules)
        return page.evaluate(f"async (given) => {{ {imported} {body} }}", argument)

    return run
