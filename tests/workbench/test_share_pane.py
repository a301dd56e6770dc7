"""The pane 'Share' as the page asks it: who can come is asked first, and what others say leads to its moment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from game_servers import GUESSING
from workbenches import Refused, Workbench, workbench

GAME = "guessing.yaml"
LOCAL_ONLY = {"everywhere": False}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tmp_path_factory.mktemp("home"), {GAME: GUESSING}) as home:
        yield home


def visited(address: str, body: Any) -> Any:
    index, _, token = address.partition("#")
    path, lines = body.pop("path"), {"token": token, **body}
    content = json.dumps(lines).encode()
    with urlopen(Request(f"{index}/{path}", content, {"content-type": "application/json"})) as answer:
        return json.load(answer)


def test_nothing_is_shared_by_default(home: Workbench) -> None:
    assert home.get("share", file=GAME) == {"address": "", "everywhere": False, "over": [], "lines": []}
    with pytest.raises(Refused) as refused:
        home.post("share/line", {"title": "", "everything": False, **LOCAL_ONLY}, file=GAME)
    assert "Play something first" in refused.value.text


@pytest.mark.rotating(3)
def test_a_comment_leads_to_its_snapshot(home: Workbench) -> None:
    node = home.get("play", file=GAME)["node"]
    for _ in range(3):
        node = home.post("play/computer", {"node": node, "kind": "random"}, file=GAME)["node"]
    home.post("share/line", {"title": " Too\nlong? ", "everything": True, **LOCAL_ONLY}, file=GAME)
    [line] = home.get("share", file=GAME)["lines"]
    assert line["title"] == "Too long?"
    previous = visited(line["link"], {"path": "look", "step": 0})
    last = previous["steps"] - 1
    visited(line["link"], {"path": "say", "step": last, "name": "Vera", "text": "Here."})
    home.wait(lambda message: message["type"] == "remarked")
    [line] = home.get("share", file=GAME)["lines"]
    [remark] = line["remarks"]
    assert (remark["name"], remark["text"], remark["step"]) == ("Vera", "Here.", last)
    assert home.get("share/moment", id=line["id"], answers=3)["node"] == node
    assert home.get("share/moment", id=line["id"], answers=0)["node"] != node
    home.post("share/remark/remove", {"id": remark["id"]})
    home.post("share/line/remove", {"id": line["id"]})
    assert home.get("share", file=GAME)["lines"] == []


@pytest.mark.rotating(3)
def test_a_table_keeps_its_version_whatever_is_typed(home: Workbench) -> None:
    expected = {"name": "Nora", "friends": 1, "computers": 1, **LOCAL_ONLY}
    table = home.post("share/table", expected, file=GAME)
    home.type(GAME, GUESSING.replace("is turn limit", "is turn limti"))
    again = home.post("share/table", expected, file=GAME)  # the last version without mistakes
    assert len({*table.values(), *again.values()}) == 6
    home.post("share/end", {})
    assert home.get("share", file=GAME)["address"] == ""


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("table", {"name": "", "friends": 1, "computers": 0, **LOCAL_ONLY}),
        ("table", {"name": "Nora", "friends": 99, "computers": 0, **LOCAL_ONLY}),
        ("table", {"name": "Nora", "friends": 1}),
        ("line", {"title": "x" * 1000, "everything": False, **LOCAL_ONLY}),
        ("line/remove", {"id": "x"}),
    ],
)
def test_invalid_requests_are_refused(path: str, body: Any, home: Workbench) -> None:
    with pytest.raises(Refused):
        home.post(f"share/{path}", body, file=GAME)


def test_links_become_patterns(home: Workbench) -> None:
    request = Request(f"{home.address}qr", b"http://192.0.2.7/table#abc", home._headers("for-tests"))
    with urlopen(request) as answer:
        assert json.load(answer)["size"] > 20
