"""Signals of a turn: at all one's tables, in title, icon, sound and notification; and shared devices, which show
nothing of a seat before its player has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from browsers import PATIENCE, Person
from game_servers import FRIEND, begin, guessing, local_player, reading, server
from rulewright.server.limits import Limits
from rulewright.server.web.protocol import MAX_TURNS
from screenshots import ANN, BO, CHROMIUM, EDITIONS, WILD_CARDS, WILDLIFE, Home, hosted

expect.set_options(timeout=PATIENCE)

in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

# ── whose turn it is ──


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        yield client


def turns(client: TestClient, *tokens: str) -> Any:
    answer = client.post("/turns", json={"tokens": tokens})
    assert answer.status_code == 200
    return answer.json()["turns"]


def test_turns_are_reported_for_each_link(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), options={"quick": "yes"})
    ann, bo = links["seats"]
    both = {"waiting": ["Ann", "Bo"]}
    assert turns(client, bo, "nonsense", links["host"], ann) == [
        {"yours": True, **both},
        None,
        both,
        {"yours": True, **both},
    ]
    with reading(client, ann) as reader:
        reader.answer("1")
        assert turns(client, ann, bo) == [{"yours": True, **both}] * 2, "how far somebody is with sealing is not told"
        reader.answer("2")
    assert turns(client, ann, bo) == [{"waiting": ["Bo"]}, {"yours": True, "waiting": ["Bo"]}]
    with reading(client, bo) as reader:
        reader.answer("0")
        reader.answer("0")
    assert turns(client, ann, links["host"]) == [{"over": True}] * 2


def test_a_table_before_its_start_awaits_no_one(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), FRIEND)
    assert turns(client, *links["seats"], links["host"]) == [{}, {}]


@pytest.mark.parametrize(
    "body", ['{"tokens": 3}', "[]", "{", '{"tokens": [3]}', json.dumps({"tokens": ["x"] * (MAX_TURNS + 1)})]
)
def test_invalid_lists_of_links_are_refused(client: TestClient, body: str) -> None:
    answer = client.post("/turns", content=body)
    assert (answer.status_code, answer.json()) == (400, {"turns": []})


def test_requests_for_turns_are_limited(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(turns=2, turns_each_second=0)) as client:
        codes = [client.post("/turns", json={"tokens": ["x"]}).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


# ── in a browser ──


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), EDITIONS) as home:
        yield home


def hand(page: Page) -> Any:
    return page.locator(".held .as-fan, .held .laid")


@pytest.mark.rotating(10)
@in_a_browser
def test_shared_device_is_passed_before_anything_private_is_drawn(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, BO)
    person = Person.at_device(browser)
    page = person.open(home.link(*links["seats"], links["host"]))
    tabs = page.locator("nav.tabs")
    for name, other in (("Ann", "Bo"), ("Bo", "Ann")):
        passing = page.get_by_role("dialog", name=f"Pass the device to {name}")
        passing.wait_for()
        expect(hand(page)).to_have_count(0)
        expect(page.locator(".laid.offered")).to_have_count(0)
        expect(page.get_by_role("region", name="What happened").or_(page.locator(".side")).first).to_be_visible()
        passing.get_by_role("button", name=f"I am {name}").click()
        expect(page.locator(".held .laid.offered").first).to_be_visible()
        expect(page.get_by_role("button", name=re.compile(f"^{name}"), pressed=True)).to_be_visible()
        tabs.get_by_role("button", name=re.compile(f"^{other}"), pressed=False).click()  # who takes a look
        expect(hand(page)).to_have_count(0)
        tabs.get_by_role("button", name=re.compile(f"^{name}"), pressed=False).click()
        page.get_by_role("button", name=f"I am {name}").click()
        page.locator(".held .laid.offered").first.click()
    assert not person.troubles


@pytest.mark.rotating(2)
@in_a_browser
def test_shared_device_without_what_all_may_see_shows_nothing_else(home: Home, browser: Browser) -> None:
    page = Person.at_device(browser).open(home.link(*home.begin(WILD_CARDS, ANN, BO)["seats"]))
    page.get_by_role("dialog", name="Pass the device to Ann").wait_for()
    expect(page.locator("main .laid")).to_have_count(0)


@pytest.mark.rotating(4)
@in_a_browser
def test_nobody_passes_a_device_to_themselves(home: Home, browser: Browser) -> None:
    links = home.begin(WILD_CARDS, ANN, {"player": "random"})
    page = Person.at_device(browser).open(home.link(*links["seats"], links["host"]))
    expect(page.locator(".held .laid.offered").first).to_be_visible()
    expect(page.locator(".handover")).to_have_count(0)


@pytest.mark.rotating(6)
@in_a_browser
def test_title_icon_and_first_page_show_ones_turn(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    ann.open(home.link(home.begin(WILD_CARDS, ANN, BO)["seats"][0]))
    expect(ann.page).to_have_title(re.compile("^● Your turn"))
    expect(ann.page.locator("link[rel=icon]")).to_have_attribute("href", "/page/icon-turn.svg")
    ann.page.goto(home.link(home.begin(WILD_CARDS, ANN, FRIEND)["seats"][0]))
    expect(ann.page.locator(".lobby")).to_be_visible()
    expect(ann.page).to_have_title("Wild Cards 2022")
    first = ann.open(home.address)
    tables = first.get_by_role("region", name="Your tables").get_by_role("listitem")
    expect(tables.first).to_contain_text("Your turn")
    expect(tables.nth(1)).not_to_contain_text("Your turn")
    expect(first).to_have_title(re.compile("^● Your turn"))
    tables.first.get_by_role("button").click()
    expect(tables).to_have_count(1)


LISTENING = """
window.posted = [];
window.told = new Promise((resolve) => { window.tell = resolve; });
window.sounded = 0;
const known = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.sounded += 1; return known.call(this); };
Object.defineProperty(Notification, "permission", { get: () => "granted" }); // a private window denies it
Notification.requestPermission = async () => "granted";
ServiceWorker.prototype.postMessage = (message) => { window.posted.push(message); window.tell(message); };
"""


@pytest.mark.rotating(6)
@in_a_browser
def test_sound_and_notification_signal_a_turn_on_demand(home: Home, browser: Browser) -> None:
    """No more than the table's title, and that it is their turn."""
    links = home.begin(WILDLIFE, ANN, BO)["seats"]
    people = [Person.at_device(browser), Person.at_device(browser)]
    for person, link in zip(people, links, strict=True):
        person.context.add_init_script(LISTENING)
        page = person.open(home.link(link))
        page.locator(".asked").wait_for()
        page.locator(".settings summary").click()
        page.get_by_label("Sounds").check()
        page.locator(".bell summary").click()
        page.get_by_label("Show a notification").check()
        page.evaluate("navigator.serviceWorker.ready.then((one) => Boolean(one.active))")
        page.keyboard.press("Escape")
        assert page.evaluate("window.posted") == []
    question, waits = sorted(
        (person.page for person in people), key=lambda page: page.locator(".asked.now").count() == 0
    )
    before = waits.evaluate("window.sounded")
    waits.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    question.locator("button.space:not([role])").first.click()
    posted = waits.evaluate("window.told")
    assert posted == {"title": "Wildlife 2002", "text": "Your turn", "language": "en", "direction": "ltr"}
    assert waits.evaluate("window.sounded") > before
    assert question.evaluate("window.posted") == []
    assert not any(person.troubles for person in people)


@pytest.mark.rotating(5)
@in_a_browser
def test_the_service_worker_caches_the_page_without_tables(home: Home, browser: Browser) -> None:
    person = Person.at_device(browser)
    page = person.open(home.address)
    page.evaluate(
        "new Promise((resolve) => { navigator.serviceWorker.addEventListener('controllerchange', resolve);"
        " navigator.serviceWorker.register('/worker.js'); })"
    )
    page.goto(home.link(home.begin(WILD_CARDS, ANN, BO)["seats"][0]))
    page.locator(".asked.now").wait_for()
    page.goto(home.address)
    page.locator(".my-tables .now").wait_for()
    value = page.evaluate(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys()))))"
        ".then((all) => all.flat().map((one) => new URL(one.url).pathname))"
    )
    assert "/table" in value and "/" in value
    assert all(re.fullmatch(r"/(table|words|page/[\w.-]+)?", path) for path in value), value


def test_page_can_be_installed(client: TestClient) -> None:
    manifest = client.get("/page/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for icon in manifest.json()["icons"]:
        assert client.get(icon["src"]).headers["content-type"].startswith(icon["type"])
    worker = client.get("/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert re.match(r'const CONTENT = "[0-9a-f]{16}";\n', worker.text)
    assert client.get("/page/_worker.js").status_code == 404
