"""The page in a real browser: two people, two languages, from the first click to the result."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from rulewright.serving.offers import Offers
from rulewright.serving.server import address, application, listen
from rulewright.serving.store import Store
from served import guessing

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[str]:
    """The address of a server that runs beside the test."""
    listening = listen("127.0.0.1", 0)
    app = application(Store(tmp_path / "tables.sqlite"), Offers([guessing(tmp_path)]))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield address(listening)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture
def browser() -> Iterator[Browser]:
    with sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def person(browser: Browser, language: str, troubles: list[str]) -> Page:
    """Somebody with a device of their own; what goes wrong there is noted."""
    page = browser.new_context(locale=language).new_page()
    page.set_default_timeout(20_000)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None)
    return page


def test_two_people_play_a_game_from_the_link_to_the_result(home: str, browser: Browser) -> None:
    troubles: list[str] = []
    ann, bo = (person(browser, language, troubles) for language in ("en", "de"))
    ann.goto(home)
    ann.get_by_role("button", name="Guessing").click()
    ann.get_by_label("Your name").fill("Ann")
    while ann.get_by_role("button", name="Remove this seat").count() > 2:
        ann.get_by_role("button", name="Remove this seat").last.click()
    ann.get_by_label("2. Who sits here").select_option("friend")
    while ann.get_by_role("button", name="Remove this seat 3").count():
        ann.get_by_role("button", name="Remove this seat 3").click()
    ann.get_by_role("button", name="Begin", exact=True).click()
    ann.get_by_role("button", name="Links to give away").click()
    invitation = ann.get_by_label("A seat 2").input_value()
    bo.goto(invitation)
    bo.locator("form input").fill("Bo")
    bo.locator("form button").click()
    ann.get_by_role("button", name="Ann").click()
    for reader in (ann, bo):
        reader.get_by_role("button", name="1", exact=True).wait_for()
    assert bo.evaluate("document.documentElement.lang") == "de"
    for turn in range(2):
        for number in ("1", "2"):
            ann.get_by_role("button", name=number, exact=True).click()
            question = ann.locator(".decision h2", has_text="What then?" if number == "1" else "What first?")
            (question if number == "1" else ann.locator(".asked p").first).wait_for()
        bo.reload()
        bo.get_by_role("button", name="0", exact=True).click()
        bo.locator(".decision h2", has_text="What then?").wait_for()
        bo.get_by_role("button", name="3", exact=True).click()
        ann.get_by_text(f"Turn {turn + 1} is over.").wait_for()
    for reader in (ann, bo):
        reader.locator(".result table").wait_for()
        assert reader.locator(".result tbody th").all_text_contents() == ["Ann", "Bo"]
    assert troubles == []


def test_stranger_with_a_wrong_link_sees_nothing(home: str, browser: Browser) -> None:
    stranger = person(browser, "en", [])
    stranger.goto(f"{home}table#nonsense")
    stranger.locator("main", has_text="This link leads nowhere.").wait_for()
    assert stranger.title() == "Rulewright"
