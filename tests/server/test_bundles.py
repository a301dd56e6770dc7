"""The page's files: what pages name is for good, complete, and little enough."""

from __future__ import annotations

import inspect
import json
import re
import time
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route
from starlette.testclient import TestClient

import bundle_pages
from browsers import Person
from game_servers import guessing, server
from project_folders import ROOT
from rulewright.server.web import page_files, pages
from rulewright.server.web.bundles import DIGEST, digest, is_bundle, with_bundles
from rulewright.server.web.page_texts import LATER_WORDS, WORDS
from rulewright.server.web.script_words import unused_words
from screenshots import ANN, BO, CHROMIUM, CY, EDITIONS, WILD_CARDS, WILDLIFE, Home, hosted


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), EDITIONS) as home:
        yield home


PAGE = ROOT / "interpreter" / "rulewright" / "server" / "page"
FILES = {"one.html": b"<p>", "one.js": b"one();", "one.css": b"p {}", "icon.svg": b"<svg/>"}
BUNDLED = {"one.html": b"<q>", "one-ABCD2345.js": b"o()"}


def bundle(folder: Path, of: Mapping[str, bytes]) -> Path:
    """A folder of bundles, made of these files."""
    for name, content in {**BUNDLED, DIGEST: digest(of).encode()}.items():
        (folder / name).write_bytes(content)
    return folder


def test_bundles_are_sent_in_place_of_their_modules(tmp_path: Path) -> None:
    assert with_bundles(FILES, bundle(tmp_path, FILES)).items() >= {**BUNDLED, "icon.svg": b"<svg/>"}.items()


@pytest.mark.parametrize("changed", [{"one.js": b"two();"}, {"one.css": b""}, {"one.html": b""}, {"two.js": b"one();"}])
def test_modules_are_sent_as_they_are_where_bundles_are_older(changed: dict[str, bytes], tmp_path: Path) -> None:
    files = {**FILES, **changed}
    assert with_bundles(files, bundle(tmp_path, FILES)) == files


def test_modules_are_sent_as_they_are_where_nothing_is_bundled(tmp_path: Path) -> None:
    assert with_bundles(FILES, tmp_path / "bundles") == FILES


def test_only_bundles_are_named_by_their_content() -> None:
    assert [name for name in (*FILES, *BUNDLED, "editor.js", "icon-turn.svg", "icon-192.png") if is_bundle(name)] == [
        "one-ABCD2345.js"
    ]


def test_first_view_gets_the_rules_that_may_hold_for_it() -> None:
    rules = (
        "p{a:b}.card,.far{a:b}.card:not(.far){a:b}:is(.far,.hand>.card){a:b}@media x{.hand p{a:b}}@keyframes x{0%{}}"
        ".card:not(:hover){a:b}"
    )
    others = ".far{a:b}.card.far,.hand .far{a:b}.card:has(.far){a:b}@media print{.far{a:b}}.card:hover{a:b}"
    others += ".hand:focus-visible{a:b}.hand[open] .card{a:b}.card[aria-pressed=true]{a:b}dialog{a:b}"
    assert "".join(bundle_pages._rules_for(others + rules + others, {"card", "hand"})) == rules


SMALL = 500
"""Bytes of a file below which it is not worth to compress it."""


def test_bundles_are_kept_and_everything_is_compressed(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        page = client.get("/table").text
        addresses = {part.partition('"')[0] for part in page.split('"/page/')[1:]}
        assert (
            len([address for address in addresses if is_bundle(address)]) == 5
        )  # a sheet for later, and a script in parts
        for address in addresses:
            answer = fetched(client, f"/page/{address}")
            if is_bundle(address):
                assert "immutable" in answer.headers["cache-control"]
                if len(answer.content) < SMALL:
                    continue
                assert answer.headers["content-encoding"] == "gzip"
                bundled = client.get(f"/page/{address}", headers={"accept-encoding": "gzip, br"})
                assert bundled.headers["content-encoding"] == "br"
                assert int(bundled.headers["content-length"]) < int(answer.headers["content-length"])
        assert client.get("/").headers["cache-control"] == "no-store"


def fetched(client: TestClient, address: str):  # type: ignore[no-untyped-def]
    answer = client.get(address)
    assert answer.status_code == 200
    return answer


@pytest.mark.rotating(6)
def test_preact_is_the_one_that_the_lock_file_names() -> None:
    bundle_pages.install(bundle_pages.ROOT, tools=True)
    theirs = bundle_pages.ROOT / "tools" / "page" / "node_modules" / "preact" / "dist" / "preact.mjs"
    code, _, _ = theirs.read_text(encoding="utf-8").partition("//# sourceMappingURL=")
    first, ours = (PAGE / "preact.js").read_text(encoding="utf-8").split("\n", 1)
    assert first.startswith("/*! Preact ") and "MIT" in first and (PAGE / "preact.license.txt").is_file()
    assert ours == code


MOST_REQUESTS, MOST_BYTES = 9, 103_800


@pytest.mark.rotating(10)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("edition", [WILD_CARDS, WILDLIFE])
def test_first_view_of_a_table_is_light(home: Home, browser: Browser, edition: str) -> None:
    person = Person.at_device(browser, "de")
    page = person.context.new_page()
    session = person.context.new_cdp_session(page)
    session.send("Network.enable")
    requests, pictures, sent, ends = dict[str, str](), set[str](), list[int](), list[str]()

    def on_request(event: dict[str, Any]) -> None:
        address = event.get("request", event)["url"]
        if ends or not address.startswith(("http", "ws")):  # what is in the page already is asked of it
            return
        requests[event["requestId"]] = address
        if address.endswith("/pictures"):
            pictures.add(event["requestId"])

    def came(event: dict[str, Any]) -> None:
        if event["requestId"] in requests:
            sent.append(int(event["encodedDataLength"]))
        if event["requestId"] in pictures:
            ends.append("the first view: what it does without is asked for only now")

    def on_message(event: dict[str, Any]) -> None:
        if not ends:
            sent.append(small(event["response"]["payloadData"]))

    session.on("Network.requestWillBeSent", on_request)
    session.on("Network.webSocketCreated", on_request)
    session.on("Network.loadingFinished", came)
    session.on("Network.webSocketFrameReceived", on_message)
    links = home.begin(edition, ANN, BO, CY)  # people, who wait: what others have done meanwhile would count, too
    page.goto(home.link(links["seats"][0]))
    person.question(page).get_by_role("heading").first.wait_for()
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.hasAttribute('src'))")
    page.wait_for_load_state("networkidle")
    assert 3 < len(requests) <= MOST_REQUESTS, list(requests.values())
    assert 20_000 < sum(sent) < MOST_BYTES


@pytest.mark.rotating(10)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("edition", [WILD_CARDS, WILDLIFE])
def test_first_view_has_all_its_styles(home: Home, browser: Browser, edition: str) -> None:
    """A class that is missing here belongs in the list `first-view` of the page of a table."""
    source = (PAGE / "table.html").read_text(encoding="utf-8")
    sheets = "".join((PAGE / name).read_text(encoding="utf-8") for name in bundle_pages._SHEET.findall(source))
    listed = bundle_pages._FIRST_VIEW.search(source)
    person, routes = Person.at_device(browser), list[Route]()
    page = person.open("about:blank")
    page.route("**/page/table-*.css", lambda route: routes.append(route))  # noqa: PLW0108 - a built-in has no place for marks
    page.goto(home.link(home.begin(edition, ANN, BO, CY)["seats"][0]))
    person.question(page).get_by_role("heading").first.wait_for()
    while not routes:
        page.title()  # so that events are heard of
    classes = set(page.evaluate("[...document.querySelectorAll('*')].flatMap((one) => [...one.classList])"))
    routes[0].continue_()
    page.wait_for_function("() => !document.querySelector('body > style')", timeout=5_000)
    sheets_ = page.evaluate("[...document.styleSheets].flatMap(({ href }) => href ?? [])")
    assert len(sheets_) == 1 and is_bundle(sheets_[0].rpartition("/")[2])  # kept, and in no parts
    assert listed and len(classes) > 50
    assert classes & set(re.findall(r"\.([a-z][\w-]*)", sheets)) <= set(listed[1].split())
    assert person.troubles == []


def small(frame: str) -> int:
    """Bytes of a message on the way: it is compressed."""
    return len(zlib.compress(frame.encode()))


@pytest.mark.rotating(10)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_page_works_where_nothing_is_bundled_and_is_answered_before_it_is_there(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_files, "with_bundles", lambda files, _: files)
    monkeypatch.setattr(pages, "_page_content", inspect.unwrap(pages._page_content))  # as it is kept for other tests
    person = Person.at_device(browser)
    with hosted(tmp_path, [guessing(tmp_path)]) as home:
        (offer,) = home.offers.all().values()
        links = home.begin(offer.rules.name, ANN, {"player": "random"})
        page, routes, frames = person.open("about:blank"), list[Route](), list[str | bytes]()
        page.route("**/page/table.js", lambda route: routes.append(route))  # noqa: PLW0108 - a built-in has no place for marks
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))  # noqa: PLW0108 - as above
        page.goto(home.link(links["seats"][0]), wait_until="commit")
        while not (routes and frames):
            page.title()  # so that events are heard of
        page.locator(".early").get_by_role("heading", name="What first?").wait_for()
        page.locator(".early").get_by_role("button", name="2", exact=True).click()
        routes[0].continue_()
        person.question(page).get_by_role("heading", name="What then?").wait_for()
        assert page.locator(".early").count() == 0
    assert person.troubles == []


def test_what_stands_in_a_page_runs_and_nothing_else(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        answer = client.get("/table")
        for kind in ("script", "style"):
            contents = re.findall(f"<{kind}>(.*?)</{kind}>", answer.text, re.DOTALL)
            digests = [b64encode(sha256(content.encode()).digest()).decode() for content in contents]
            listing = "".join(f" 'sha256-{digest_}'" for digest_ in digests)
            assert digests and f"{kind}-src 'self'{listing};" in answer.headers["content-security-policy"]
        assert "sha256" not in client.get("/").headers["content-security-policy"]


CACHED = """async () => {
  const text = await (await fetch("/table")).text();
  const named = [...text.matchAll(/"(\\/page\\/\\w+-[0-9A-Z]{8}\\.\\w+)"/g)];
  const addresses = named.map(([, address]) => new URL(address, location).href);
  return performance.getEntriesByType("resource")
    .filter((one) => addresses.includes(one.name)).map((one) => one.transferSize);
}"""
"""Script that returns how many bytes have come for each script and sheet that a table's page names."""


@pytest.mark.rotating(3)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_page_of_a_table_comes_while_its_game_is_looked_at(home: Home, browser: Browser) -> None:
    person = Person.at_device(browser)
    page = person.open(f"{home.address}games/{WILD_CARDS}")
    button = page.get_by_role("button", name="Begin", exact=True)
    button.wait_for()
    page.wait_for_load_state("networkidle")
    button.click()
    person.question(page).get_by_role("heading").first.wait_for()
    sizes = page.evaluate(CACHED)
    assert len(sizes) > 3 and not any(sizes)
    assert person.troubles == []


def test_pages_bring_their_words(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        page = client.get("/table", headers={"accept-language": "de-AT,en;q=0.5"}).text
        words = client.get("/words?language=de").json()
    texts = page.partition('<script type="application/json" id="words">')[2].partition("</script>")[0]
    assert '<html lang="de" dir="ltr">' in page
    assert "<" not in texts
    embedded = json.loads(texts)
    assert abs(embedded.pop("time") - time.time()) < 3600
    brought, all_ = embedded.pop("words"), words.pop("words")
    assert embedded == words
    assert brought.items() < all_.items()
    assert "your turn" in brought and "which game" not in brought
    assert "your name" in brought  # said by what comes later, and by another page


def test_pages_do_without_words_that_only_others_have() -> None:
    scripts = {"one": 'say("your turn")', "other": 'say("which game")+say("your turn")+say(`gesture ${one}`)'}
    unused = unused_words(scripts)
    assert unused["one"] == {"which game", *(name for name in WORDS if name.startswith("gesture "))}
    assert not unused["other"]
    scripts = {"one": "say(`gesture ${name}`)", "other": 'say("gesture luck")'}
    assert not unused_words(scripts)["one"]


def test_the_first_page_has_a_word_for_each_kind_of_player(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        page = client.get("/").text
    assert [
        text for text in ("Computer: easy", "Computer: medium", "Computer: hard", "Computer: best") if text not in page
    ] == []


def test_no_rule_asks_the_whole_page_what_it_has() -> None:
    """A rule with `:has()` at the root makes browsers match anew all that any such rule names, with each change."""
    whole = re.compile(r"(?:html|:root|body|\bmain|\.staged?)(?:\.[\w-]+)*:has(\([^)]*\))")
    wishes = {what for sheet in PAGE.glob("*.css") for what in whole.findall(sheet.read_text(encoding="utf-8"))}
    assert wishes <= {"(.score-sheet)"}  # on paper


def test_what_floats_over_the_page_has_a_class_of_its_own() -> None:
    """A rule for a box over everything would tear another module's element out of its place."""
    scripts = [path.read_text(encoding="utf-8") for path in PAGE.glob("*.js")]
    for sheet in PAGE.glob("*.css"):
        for name in re.findall(r"(?m)(?:^|\} )\.([\w-]+) \{ position: fixed", sheet.read_text(encoding="utf-8")):
            own = re.compile(rf'class: ["`](?:[^"`]* )?{name}[ "`]')
            assert sum(bool(own.search(text)) for text in scripts) <= 1, f"{sheet.name}: .{name}"


_IMPORTED = re.compile(r'^(?:(?:import|export)[^;]*? from|import) "\./(\w+\.js)"', re.MULTILINE)


def test_first_view_of_a_table_says_no_word_that_comes_later() -> None:
    scripts, awaited = dict[str, str](), ["table.js", "board.js"]
    while awaited:
        name = awaited.pop()
        scripts[name] = (PAGE / name).read_text(encoding="utf-8")
        awaited += [other for other in _IMPORTED.findall(scripts[name]) if other not in scripts]
    assert "picking.js" in scripts
    assert "later.js" not in scripts
    quoted = {
        name for name in LATER_WORDS for text in scripts.values() if re.search(rf'["`]{re.escape(name)}["`]', text)
    }
    assert not quoted
    assert "refused here" in LATER_WORDS
