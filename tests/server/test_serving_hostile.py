"""Hostile messages and failures of a server: refused with a message, and the table goes on."""

from __future__ import annotations

import json
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, get_args
from urllib.error import HTTPError

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from game_servers import (
    FRIEND,
    GUESSING,
    HOSTS,
    Reader,
    ask,
    begin,
    guessing,
    local_player,
    offered,
    process,
    reading,
    server,
)
from project_folders import GAMES
from rulewright.server import tokens
from rulewright.server.application import AppSettings, application
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.limits import Limits
from rulewright.server.storage.records import PinnedEdition
from rulewright.server.storage.store import Store
from rulewright.server.web import protocol

on_both = pytest.mark.usefixtures("database")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)], Limits(hold=0, begun=100)) as client:
        yield client


def goes_on(client: TestClient, token: str) -> bool:
    """Whether a seat's answer is taken."""
    with reading(client, token) as reader:
        return bool(reader.answer("1")["type"] == "kept")


# ── tokens ──

EVERYBODY = {tokens.HOST, tokens.GROUP, tokens.INVITE, tokens.SEAT, tokens.WATCH}
SEATED, AT_THE_TABLE = {tokens.SEAT}, EVERYBODY - {tokens.INVITE}
ALLOWED: list[tuple[dict[str, Any], set[str]]] = [
    ({"type": "sit", "name": "Bo"}, {tokens.INVITE, tokens.GROUP}),
    ({"type": "answer", "question": 0, "take": ["1"]}, SEATED),
    ({"type": "try", "question": 0}, SEATED),
    ({"type": "undo"}, SEATED),
    ({"type": "stand"}, SEATED),
    ({"type": "leave"}, SEATED | {tokens.HOST}),
    ({"type": "leave", "seat": 0}, {tokens.HOST}),
    ({"type": "back"}, SEATED),
    ({"type": "concede"}, SEATED),
    ({"type": "propose", "what": "undo"}, SEATED),
    ({"type": "agree", "number": 0, "agrees": True}, SEATED),
    ({"type": "review", "number": 0}, SEATED),
    ({"type": "analyse"}, SEATED),
    ({"type": "why"}, SEATED),
    ({"type": "report"}, EVERYBODY),
    ({"type": "scores"}, EVERYBODY),
    ({"type": "record"}, EVERYBODY),
    ({"type": "look", "step": 0}, EVERYBODY),
    ({"type": "explain", "what": "zone", "name": "bag"}, EVERYBODY),
    ({"type": "share"}, EVERYBODY),
    ({"type": "save"}, EVERYBODY),
    ({"type": "rematch"}, AT_THE_TABLE),
    ({"type": "say", "text": "Hello"}, SEATED),
    ({"type": "gesture", "name": "thanks"}, SEATED),
    ({"type": "chat", "on": False}, {tokens.HOST}),
    ({"type": "fill"}, {tokens.HOST}),
    ({"type": "replace", "seat": 0}, {tokens.HOST}),
    ({"type": "language", "language": "de"}, EVERYBODY),
    ({"type": "again"}, EVERYBODY),
]
"""Messages that each kind of token may send."""


def told_off(reader: Reader, message: dict[str, Any]) -> bool:
    """Whether it is the link that does not allow something; other reasons do not count."""
    reader.send(**message)
    reader.send(type="nonsense")  # is answered in any case, and after that
    text = reader.until("refused", "seated").get("text")
    return text in ("This link does not allow that.", "Dieser Link erlaubt das nicht.")


@pytest.mark.rotating(3)
@pytest.mark.parametrize("purpose", sorted(EVERYBODY))
def test_a_token_allows_only_its_purpose(client: TestClient, purpose: str) -> None:
    for message, allowed in ALLOWED:
        links = begin(client, local_player("Ann"), FRIEND)
        of = {
            tokens.HOST: links["host"],
            tokens.GROUP: tokens.group(links["host"]),
            tokens.INVITE: tokens.invite(links["host"], 1),
            tokens.SEAT: links["seats"][0],
            tokens.WATCH: tokens.watch(links["host"]),
        }
        with reading(client, of[purpose]) as reader:
            assert told_off(reader, message) == (purpose not in allowed), message


def test_the_link_of_a_replay_allows_only_watching(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with reading(client, links["seats"][0]) as ann:
        ann.question()
        ann.send(type="concede")
        ann.look(lambda state: state["over"])
        ann.send(type="share")
        token = ann.until("shared")["token"]
    for message, allowed in ALLOWED:
        if allowed == EVERYBODY and message["type"] != "language":
            continue
        with reading(client, token) as stranger:
            assert told_off(stranger, message) == (allowed != EVERYBODY), message


def test_every_message_is_in_the_table() -> None:
    kinds = {one.__struct_config__.tag for one in get_args(protocol.ClientMessage)}
    assert {message["type"] for message, _ in ALLOWED} == kinds - {"hello"}


def test_tokens_of_other_tables_and_of_seats_that_are_not_free_open_nothing(client: TestClient) -> None:
    links, other = begin(client, local_player("Ann"), FRIEND), begin(client, local_player("Eve"), local_player("Bo"))
    invented = [
        tokens.invite(links["host"], 0),
        tokens.invite(links["host"], 2),
        tokens.invite(other["host"], 1),
        tokens.watch(links["seats"][0]),
        tokens.digest(links["host"]).hex(),
        links["host"][:-1],
        links["host"].swapcase(),
        f"{links['seats'][0]},{links['host']}",
    ]
    for token in invented:
        with reading(client, token) as stranger:
            assert stranger.until("refused", "lobby", "table")["text"] == "This link leads nowhere."
            assert stranger.closed() == 4404
    with reading(client, other["seats"][0]) as eve:
        assert eve.answer("1")["type"] == "kept"
    with reading(client, links["seats"][0]) as ann:
        assert ann.until("lobby", "table")["type"] == "lobby"


@on_both
def test_lost_link_is_replaced_by_the_host_and_ends(client: TestClient, tmp_path: Path) -> None:
    links = begin(client, local_player("Ann"), FRIEND)
    with reading(client, tokens.invite(links["host"], 1)) as bo:
        bo.send(type="sit", name="Bo")
        lost = bo.until("seated")["token"]
    with reading(client, links["host"]) as host, reading(client, lost) as thief, reading(client, lost) as second:
        for device in (thief, second):
            device.question()
        host.send(type="replace", seat=1)
        text = host.until("replaced")
        assert text["seat"] == 1
        for device in (thief, second):
            assert "another link now" in device.until("refused")["text"]
            assert device.closed() == 4404
        with reading(client, lost) as again:
            assert again.until("refused")["text"] == "This link leads nowhere."
        with reading(client, text["token"]) as result:
            assert result.answer("2")["type"] == "kept"
    assert goes_on(client, links["seats"][0])
    with server(tmp_path, []) as later, reading(later, text["token"]) as result:
        assert result.question()["prompt"] == "What then?"


@pytest.mark.parametrize("seat", [-1, 1, 2, 3, 10**30])
def test_only_a_link_that_somebody_has_is_replaced(client: TestClient, seat: int) -> None:
    links = begin(client, local_player("Ann"), FRIEND, {"player": "random"})
    with reading(client, links["host"]) as host:
        assert host.refused(type="replace", seat=seat) == "Nobody plays this seat with a link."
    with reading(client, tokens.invite(links["host"], 1)) as bo:
        bo.send(type="sit", name="Bo")
        assert bo.until("seated")


# ── messages ──


@pytest.mark.parametrize("question", [-1, 1, 7, 2**63, 10**4000])
def test_questions_that_were_not_asked_are_not_answered(client: TestClient, question: int) -> None:
    token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
    with reading(client, token) as ann:
        ann.question()
        assert ann.answer("1", question=question)["type"] == "refused"
        assert ann.answer("1", question=0)["type"] == "kept"


@pytest.mark.parametrize(
    "take", [["1", "2"], [], ["1", "1"], [""], ["01"], ["1 "], ["\u0661"], ["1\x00"], ["x" * 200], ["1"] * 500]
)
def test_impossible_answers_are_refused(client: TestClient, take: list[str]) -> None:
    token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
    with reading(client, token) as ann:
        ann.question()
        assert ann.answer(*take)["type"] == "refused"
        assert ann.answer("1")["type"] == "kept"


def test_invalid_bytes_are_refused(client: TestClient) -> None:
    token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
    with reading(client, token) as ann:
        ann.question()
        ann.socket.send_bytes(b'{"type": "undo"}')
        assert "did not understand" in ann.until("refused")["text"]
        assert ann.answer("1")["type"] == "kept"


@pytest.mark.parametrize("body", [b"\xff\xfe", b"", b"[" * 16_000, b"{}", b"null"])
def test_impossible_tables_are_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, bool(answer.json()["text"])) == (400, True)


def test_requests_for_tables_are_short_json(client: TestClient) -> None:
    expected = json.dumps({"edition": offered(client), "seats": [local_player("Ann")], "options": {}}).encode()
    headers = {"content-type": "application/json"}
    assert client.post("/tables", content=expected + b" " * Limits().message, headers=headers).status_code == 400
    assert client.post("/tables", content=expected, headers=headers).status_code == 201
    assert client.post("/tables", content=expected, headers={"content-type": "text/plain"}).status_code == 415
    assert client.get("/tables").status_code == 405


NAMES = [
    "", " ", "\u3000", "x" * 41, "B\no", "B\to", "B\x00o", "B\x1bo", "Bo\u202e", "\u2066Bo", "\u200fBo", "B\u200bo",
    "\ufeffBo", "B\u2028o", "You", "you", "ann", "ANN", " Ann ",
    "\u3164", "\u2800\ufe0f", "\u0301", "\u0410nn", "Ann\ufe0f", "\uff21\uff4e\uff4e", "A n n",
    "\U0001d400nn", "Yo\u03c5",
]  # fmt: skip


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", NAMES)
def test_names_that_would_deceive_are_refused(client: TestClient, name: str) -> None:
    """Empty, invisible, running the other way, or somebody else's."""
    links = begin(client, local_player("Ann"), FRIEND)
    with reading(client, tokens.invite(links["host"], 1)) as guest:
        guest.until("lobby")
        guest.send(type="sit", name=name)
        text = guest.until("refused", "seated")
        if name in ("B\no", "B\to", "B\u2028o"):  # space, of whatever kind, is one space
            assert text["type"] == "seated"
        else:
            assert text["type"] == "refused"
            assert goes_on(client, begin(client, local_player("Cy"), local_player("Di"))["seats"][0])
    expected = {"edition": offered(client), "seats": [local_player("Ann"), local_player(name)], "options": {}}
    assert (client.post("/tables", json=expected).status_code == 201) == (text["type"] == "seated")


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\u05d0\u05b8\u05d3\u05b8\u05d4", "{name}", "%s", "'; DROP TABLE games; --"]
)
def test_names_are_shown_literally(client: TestClient, name: str) -> None:
    token = begin(client, local_player("Ann"), local_player(name), {"player": "random"})["seats"][1]
    with reading(client, token) as reader:
        reader.question()
        assert reader.table["seats"][1]["name"] == name
        assert reader.answer("1")["type"] == "kept"


# ── the disk, and what is on it ──


def test_nothing_is_done_that_cannot_be_stored(tmp_path: Path) -> None:
    store, edition = Store(tmp_path / "tables.sqlite"), guessing(tmp_path)
    with (
        TestClient(application(store, EditionRegistry([edition]), AppSettings(hosts=HOSTS))) as client,
        ExitStack() as stack,
    ):
        links, played = (
            begin(client, local_player("Ann"), FRIEND),
            begin(client, local_player("Ann"), local_player("Bo")),
        )
        host, guest, ann = (
            stack.enter_context(reading(client, token))
            for token in (links["host"], tokens.invite(links["host"], 1), played["seats"][0])
        )
        ann.answer("1")
        expected = {"edition": offered(client), "seats": [local_player("Ann")], "options": {}}
        store.database.execute("PRAGMA query_only = ON")
        for text in (
            client.post("/tables", json=expected).json()["text"],
            guest.refused(type="sit", name="Bo"),
            host.refused(type="replace", seat=0),
            ann.refused(type="undo"),
        ):
            assert "cannot be kept" in text
        assert ann.state["asked"]["prompt"] == "What then?"
        store.database.execute("PRAGMA query_only = OFF")
        assert client.post("/tables", json=expected).status_code == 201
        guest.send(type="sit", name="Bo")
        assert guest.until("seated")
        ann.send(type="undo")
        assert ann.look(lambda state: state["asked"]["prompt"] == "What first?")
        with reading(client, links["seats"][0]) as still:
            assert still.answer("1")["type"] == "kept"


@on_both
def test_table_goes_on_without_its_edition(tmp_path: Path) -> None:
    path = Path(guessing(tmp_path))
    with server(tmp_path, [str(path)]) as client:
        digest, token = offered(client), begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
    path.unlink()
    with server(tmp_path, [str(path)]) as client:
        assert client.get("/editions").json()["editions"] == []
        assert client.get(f"/editions/{digest}/rulebook").status_code == 200
        with reading(client, token) as ann:
            assert ann.answer("1")["type"] == "kept"
            assert ann.table["title"] == "Guessing"


NEWER = PinnedEdition.from_text("guessing", [], "rulewright: 1\ntitle: Newer\ninvented: yes\n")
OTHER = PinnedEdition.from_text("guessing", [], GUESSING.replace("0 to 3", "0 to 4"))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (f"UPDATE games SET edition = '{NEWER.digest}' WHERE id = 1", "no longer understands"),
        (f"UPDATE games SET edition = '{OTHER.digest}' WHERE id = 1", "no longer understands"),
        ("UPDATE games SET seats = '{' WHERE id = 1", "damaged"),
        ("UPDATE games SET seed = 'x' WHERE id = 1", "damaged"),
        ("UPDATE answers SET take = '[' WHERE game = 1", "damaged"),
        ("UPDATE answers SET take = '[\"9\"]' WHERE game = 1", "damaged"),
        ("UPDATE answers SET number = 5 WHERE game = 1", "damaged"),
        ("UPDATE answers SET seat = 7 WHERE game = 1", "damaged"),
        ("UPDATE answers SET decision = 'guess.none' WHERE game = 1", "damaged"),
    ],
)
def test_an_unreadable_table_is_reported_and_affects_no_other(tmp_path: Path, change: str, text: str) -> None:
    edition = guessing(tmp_path)
    with server(tmp_path, [edition]) as client:
        bad, good = (begin(client, local_player("Ann"), local_player("Bo"))["seats"] for _ in range(2))
        assert goes_on(client, bad[0])
    with sqlite3.connect(tmp_path / "tables.sqlite") as database:
        for pinned in (NEWER, OTHER):
            values = (pinned.digest, pinned.name, "[]", pinned.text)
            database.execute("INSERT INTO editions VALUES (?, ?, ?, ?)", values)
        database.execute(change)
    database.close()
    with server(tmp_path, [edition]) as client:
        with reading(client, bad[0]) as ann:
            output = ann.until("refused", "table", "lobby")
            assert text in output["text"]
            assert str(tmp_path) not in output["text"]
            assert ann.closed() == 1008
        assert goes_on(client, good[0])


# ── a server in the open ──


@pytest.mark.rotating(12)
def test_a_server_survives_random_messages(tmp_path: Path) -> None:
    """Over a real socket: bytes that are no HTTP, heads and messages without end; nothing is logged of it."""
    with process(tmp_path, str(GAMES / "hex.yaml")) as (_, address):
        port = int(address.rstrip("/").rpartition(":")[2])
        for bytes_ in (b"\x00" * 1000, b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"x" * 200_000, b"\x16\x03\x01 hello"):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as raw, suppress(OSError):
                raw.sendall(bytes_)
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(65536):
                    continue
        with connect(address.replace("http", "ws") + "play") as flood, pytest.raises(ConnectionClosed):
            while True:
                flood.send("x" * 2**20)
        with connect(address.replace("http", "ws") + "play") as halves, pytest.raises(ConnectionClosed):
            halves.send("half of a mess" for _ in range(10**6))
        edition = ask(address, "editions")["editions"][0]["edition"]
        with pytest.raises(HTTPError) as refused:
            ask(address, "tables", {"edition": edition, "seats": [], "options": {}})
        refused.value.close()
        assert refused.value.code == 400
    assert (tmp_path / "said.txt").read_text(encoding="utf-8") == ""
