"""A family in a real browser: three people in three languages, one reloads, one is cut off, one has two tabs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute, expect

from browsers import Log, Person
from rulewright.server import tokens
from rulewright.server.views.merge_patches import merge_patch
from screenshots import ANN, BO, CHROMIUM, CY, EDITIONS, FRIEND, WILD_CARDS, WILDLIFE, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

PLAYED, RELOADS, GOES, COMES_BACK = 92, 94, 96, 100
"""Numbers of answers after which the family goes on with a game that was begun elsewhere; Bo's page is loaded again; Cy
is cut off, and returns; and how many answers are given on a board."""
ON_A_BOARD = 12


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), EDITIONS) as home:
        yield home


def hearing(page: Page) -> list[dict[str, Any]]:
    """All that the server sends to a page from its next address on."""
    received: list[dict[str, Any]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: received.append(json.loads(frame)))

    page.on("websocket", listen)
    return received


class Line:
    """The way between a device and the server, which can be cut."""

    def __init__(self, person: Person) -> None:
        self._whole = True
        self._open: list[WebSocketRoute] = []
        person.context.route_web_socket(re.compile("/play"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        if self._whole:
            self._open += [route, route.connect_to_server()]
        else:
            route.close()

    def cut(self) -> None:
        self._whole = False
        for side in self._open:  # the page's first: it would send to a server that is closing
            side.close()
        self._open.clear()

    def mend(self) -> None:
        self._whole = True


@pytest.mark.rotating(12)
def test_a_family_plays_a_game_to_its_end(home: Home, browser: Browser) -> None:
    rng = random.Random(3)
    links = home.begin(WILD_CARDS, ANN, FRIEND, FRIEND)
    home.play_on(links["host"], PLAYED)
    people = [Person.at_device(browser, language) for language in ("en", "de", "nl")]
    names = ["Ann", "<b>Bo</b>", "אבא"]
    line = Line(people[2])
    people[0].open(home.link(links["seats"][0]))
    for seat in (1, 2):
        people[seat].sit(home.link(tokens.invite(links["host"], seat)), names[seat])
        people[seat].page.get_by_text(names[seat]).filter(visible=True).first.wait_for()
    people[0].open(home.link(links["seats"][0]))
    onlooker = Person.at_device(browser, "it")
    previous = hearing(onlooker.open("about:blank"))
    onlooker.page.goto(home.link(tokens.watch(links["host"])))
    log = Log(home, links["host"])
    assert log.names == names and log.read() == PLAYED
    away, lost = False, people[2].page.get_by_text(people[2].words["lost"])
    while not log.game.over:
        questions = [seat for seat, _ in log.game.pending.ids]
        if log.count == GOES and not away:
            line.cut()
            lost.wait_for()
            away = True
        if away and (log.count >= COMES_BACK or questions == [2]):
            line.mend()
            lost.wait_for(state="hidden")
            away = False
        seat = rng.choice([seat for seat in questions if not (away and seat == 2)])
        decision = log.game.decision(seat, people[seat].language)
        assert decision is not None
        before = log.count
        people[seat].answer(rng.choice(people[seat].pages), decision, rng)
        assert log.read() == before + 1
        if log.count == RELOADS:
            people[1].page.reload()
    totals = {log.names[one.seat]: str(one.total) for one in log.game.standings()}
    for person in (*people, onlooker):
        for page in person.pages:
            total = page.get_by_role("rowheader", name=person.words["total"], exact=True)
            result = page.get_by_role("table").filter(has=total).first  # one more tells the rounds
            result.wait_for()
            expect(result.get_by_role("columnheader").locator(".scored-seat")).to_have_text(list(totals))
            row = result.get_by_role("row").filter(has=total)
            expect(row.get_by_role("cell")).to_have_text(list(totals.values()))
        expect(page.locator("html")).to_have_attribute("lang", person.language)
    assert [person.troubles for person in (*people, onlooker)] == [[], [], [], []]
    text: Any = {}
    updates = [one for message in previous if message["type"] == "updates" for one in message["of"]]
    assert len(updates) > COMES_BACK - PLAYED
    for update in updates:
        text = merge_patch(text, update["change"])
        assert "asked" not in text["now"]
        secret = {name for name, zone in text["table"]["zones"].items() if zone["owner only"]}
        assert secret
        hands = [zone for zone in text["now"]["zones"].values() if zone["zone"] in secret]
        assert all(("pieces" in zone) == text["now"].get("over", False) for zone in hands)  # open in the end


@pytest.mark.rotating(12)
def test_the_first_answers_on_a_board(home: Home, browser: Browser) -> None:
    rng, links = random.Random(5), home.begin(WILDLIFE, ANN, BO, CY)
    person = Person.at_device(browser, "de")
    page = person.open(home.link(*links["seats"]))
    log = Log(home, links["host"])
    while log.count < ON_A_BOARD:
        seat, _ = log.game.pending.ids[0]
        decision = log.game.decision(seat, person.language)
        assert decision is not None
        tab = page.locator("nav.tabs").get_by_role("button", name=re.compile(rf"^{log.names[seat]}"))
        if tab.count():
            tab.first.click()
        page.locator(".asked.now").wait_for()
        if (passed := page.locator(".handover button")).count():
            passed.click()
        person.answer(page, decision, rng)
        log.read()
    assert person.troubles == []
