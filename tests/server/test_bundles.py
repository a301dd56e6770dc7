"""The page's files: what pages name is for good, complete, and little enough."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from browsing import Person
from rulewright.server.web.bundles import BundleError, bundled, is_bundle, one_script
from screenshots import ANN, CHROMIUM, EDITIONS, WILD_CARDS, WILDLIFE, Home, hosted
from served import guessing, server


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), EDITIONS) as home:
        yield home


FILES = {
    "one.js": b'import { two, half as part } from "./two.js";\nexport const one = two + part;\n',
    "two.js": b"let kept = 1;\nexport function two() {\n  return kept;\n}\nexport const half = 2;\n",
    "page.html": b'<link rel="stylesheet" href="/page/a.css">\n<link rel="stylesheet" href="/page/b.css">\n'
    b'<script type="module" src="/page/one.js"></script>\n',
    "a.css": b"a { }\n",
    "b.css": b"b { }\n",
}


def test_what_a_page_imports_comes_first_and_once() -> None:
    script = one_script("one.js", FILES)
    assert script.index("return { two, half };") < script.index("const { two, half: part } = $two;")
    assert "import" not in script.replace("imported", "") and script.count("let kept") == 1


def test_comments_are_not_sent() -> None:
    commented = (
        b"// Why.\n  // More.\n/** What\n * it is. */\n"
        b"export const two = 2; // kept\nexport const half = `/* kept */`;\n"
    )
    script = one_script("one.js", {**FILES, "two.js": commented})
    assert "Why" not in script and "More" not in script and "What" not in script and "it is" not in script
    assert "const two = 2; // kept\nconst half = `/* kept */`;\n" in script


def test_a_page_names_one_script_and_one_sheet_by_their_content() -> None:
    found = bundled(FILES)
    script, sheet = sorted(name for name in found if is_bundle(name))[::-1]
    assert {script.rpartition(".")[2], sheet.rpartition(".")[2]} == {"js", "css"}
    assert found["page.html"].decode().count("/page/") == 2
    assert script in found["page.html"].decode() or sheet in found["page.html"].decode()
    other = bundled({**FILES, "b.css": b"b { color: red }\n"})
    assert len(other.keys() & {script, sheet}) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b'import { one } from "./one.js";\n', "import each other"),
        (b'import { none } from "./none.js";\n', "not there"),
        (b'import "./one.js";\n', "not written as"),
        (b"export default 3;\n", "not written as"),
    ],
)
def test_what_cannot_be_put_together_is_said(text: bytes, why: str) -> None:
    with pytest.raises(BundleError, match=why):
        one_script("one.js", {**FILES, "two.js": text})


def test_bundles_are_kept_and_everything_is_compressed(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        page = client.get("/table").text
        for address in (part.partition('"')[0] for part in page.split('"/page/')[1:]):
            answer = fetched(client, f"/page/{address}")
            if is_bundle(address):
                assert "immutable" in answer.headers["cache-control"]
                assert answer.headers["content-encoding"] == "gzip"
        assert client.get("/").headers["cache-control"] == "no-store"


def fetched(client: TestClient, address: str):  # type: ignore[no-untyped-def]
    answer = client.get(address)
    assert answer.status_code == 200
    return answer


MOST_REQUESTS, MOST_BYTES = 15, 90_000


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("edition", [WILD_CARDS, WILDLIFE])
def test_first_view_of_a_table_is_light(home: Home, browser: Browser, edition: str) -> None:
    person = Person.at(browser, "de")
    page = person.context.new_page()
    session = person.context.new_cdp_session(page)
    session.send("Network.enable")
    requests, sent = set[str](), list[int]()

    def asked(event: dict[str, Any]) -> None:
        if event.get("request", event)["url"].startswith(("http", "ws")):  # what is in the page already is asked of it
            requests.add(event["requestId"])

    def came(event: dict[str, Any]) -> None:
        if event["requestId"] in requests:
            sent.append(int(event["encodedDataLength"]))

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.webSocketCreated", asked)
    session.on("Network.loadingFinished", came)
    session.on("Network.webSocketFrameReceived", lambda event: sent.append(small(event["response"]["payloadData"])))
    links = home.begin(edition, ANN, {"player": "random"}, {"player": "random"})
    page.goto(home.link(links["seats"][0]))
    person.question(page).get_by_role("heading").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert 3 < len(requests) <= MOST_REQUESTS
    assert 20_000 < sum(sent) < MOST_BYTES


def small(frame: str) -> int:
    """Bytes of a message on the way: it is compressed."""
    return len(zlib.compress(frame.encode()))
