"""A page whose browser or network refuses something: it plays on as far as it can, and says what it cannot."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from browsers import Log, Person
from game_servers import guessing
from screenshots import ANN, BO, CHROMIUM, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

BLOCKED = """for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("Access is denied.", "SecurityError"); } });
}"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("tables")
    with hosted(folder, [guessing(folder)]) as home:
        yield home


def begin_table(home: Home) -> tuple[str, Log]:
    """The link of Ann's seat at a new table, and the log of the table."""
    (offer,) = home.offers.all().values()
    links = home.begin(offer.rules.name, ANN, BO)
    return home.link(links["seats"][0]), Log(home, links["host"])


@pytest.mark.rotating(4)
@pytest.mark.parametrize("refusing", [BLOCKED, FULL], ids=["blocked", "full"])
def test_a_browser_that_keeps_nothing_plays(home: Home, browser: Browser, refusing: str) -> None:
    context = browser.new_context(locale="en", reduced_motion="reduce")
    context.add_init_script(f"if (location.host) {{ {refusing} }}")
    ann = Person(context, "en")
    page = ann.open(home.address)
    page.get_by_role("button", name="Guessing").click()
    page.get_by_role("button", name="Begin", exact=True).wait_for()
    link, log = begin_table(home)
    page.goto(link)
    decision = log.game.decision(0)
    assert decision is not None
    ann.answer(page, decision, random.Random(1))
    assert log.read() == 1
    expect(page.get_by_text(ann.words["forgetful"])).to_be_visible()
    page.locator("details.settings summary").click()
    page.get_by_label(ann.words["pace"]).select_option("fast")
    expect(page.get_by_label(ann.words["pace"])).to_have_value("fast")  # as long as the page lasts
    assert ann.troubles == []


@pytest.mark.rotating(2)
def test_a_network_without_websockets_is_told_after_three_tries(home: Home, browser: Browser) -> None:
    ann, tries = Person.at_device(browser), list[WebSocketRoute]()

    def refuse(line: WebSocketRoute) -> None:
        tries.append(line)
        line.close(code=1011)

    ann.context.route_web_socket(re.compile("/play"), refuse)
    page = ann.open(begin_table(home)[0])
    page.get_by_text(ann.words["filtered"]).wait_for()
    assert len(tries) >= 3


WATCH = """() => {
  const place = document.getElementById("notice");
  const Plain = WebSocket;
  let tries = 0;
  window.WebSocket = class extends Plain {
    constructor(address) {
      super(address);
      tries += 1;
    }
  };
  window.notices = [];
  window.triesSince = (text) => tries - notices.find(([told]) => told === text)?.[1];
  const note = () => notices.push([place.textContent, tries]);
  new MutationObserver(note).observe(place, { characterData: true, childList: true, subtree: true });
}"""
"""Script that notes what is told from now on, and counts the tries to connect since it was told something."""


class Line:
    """The way to the server, which can be cut."""

    def __init__(self, person: Person) -> None:
        self.whole = True
        self._open: list[WebSocketRoute] = []
        self.sent: list[str] = []
        person.context.route_web_socket(re.compile("/play"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        if not self.whole:
            page.close()
            return
        server = page.connect_to_server()

        def send(message: str | bytes) -> None:
            self.sent.append(str(message))
            server.send(message)

        page.on_message(send)
        self._open += [page, server]

    def cut(self) -> None:
        self.whole = False
        for side in self._open:
            side.close()
        self._open.clear()


@pytest.mark.rotating(3)
def test_an_answer_given_while_the_server_is_away_is_sent_once(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    line = Line(ann)
    link, log = begin_table(home)
    page = ann.open(link)
    decision = log.game.decision(0)
    assert decision is not None
    ann.wait_for_question(page, decision)
    line.cut()
    page.get_by_text(ann.words["lost"]).wait_for()
    page.get_by_role("button", name="1", exact=True).click()
    page.get_by_role("button", name="2", exact=True).click()  # who thinks better of it has the last word
    page.get_by_text(ann.words["answer waits"]).wait_for()
    line.whole = True
    page.get_by_role("heading", name="What then?").wait_for()
    expect(page.locator("#notice")).to_be_empty()
    assert log.read() == 1
    assert [text for text in line.sent if '"answer"' in text] == [next(t for t in line.sent if '"take":["2"]' in t)]
    assert ann.troubles == []


@pytest.mark.rotating(2)
def test_anything_else_is_refused_while_the_server_is_away(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    line = Line(ann)
    page = ann.open(begin_table(home)[0])
    ann.question(page).wait_for()
    page.locator(".chat > summary").click()
    line.cut()
    page.get_by_text(ann.words["lost"]).wait_for()
    page.evaluate(WATCH)
    field = page.get_by_label(ann.words["your message"])
    field.fill("Are you there?")
    field.press("Enter")
    # Before the second try, the first one has told that the server is still away.
    page.wait_for_function("text => triesSince(text) >= 2", arg=ann.words["not sent"])
    assert page.evaluate("notices.slice(0, 2).map(([told]) => told)")[1:] in ([], [""])
    expect(field).to_have_value("Are you there?")


@pytest.mark.rotating(3)
def test_a_device_without_a_network_says_so_and_comes_back(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    link, log = begin_table(home)
    page = ann.open(link)
    ann.question(page).wait_for()
    ann.context.set_offline(True)
    page.get_by_text(ann.words["offline"]).wait_for()
    ann.context.set_offline(False)
    expect(page.locator("#notice")).to_be_empty()
    decision = log.game.decision(0)
    assert decision is not None
    ann.answer(page, decision, random.Random(1))
    assert log.read() == 1
