"""Tables in the browser, over the wire: who may do what, what is refused, and in which words."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from game_servers import FRIEND, Reader, begin, guessing, local_player, offered, reading, server, within
from rulewright import cli
from rulewright.base import resources
from rulewright.server import tokens
from rulewright.server.limits import Bucket, Limits
from rulewright.server.storage.records import TokenGrant
from rulewright.server.tables.table import Table
from rulewright.server.tables.table_registry import TableRegistry
from rulewright.server.views.merge_patches import merge_own
from rulewright.server.web import page_texts, protocol
from rulewright.server.web.protocol import ProtocolError
from rulewright.server.web.security_headers import HEADERS

on_both = pytest.mark.usefixtures("database")

PAGE = resources.folder("editions").parent / "interpreter" / "rulewright" / "server" / "page"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        yield client


@pytest.fixture
def two(client: TestClient) -> Iterator[tuple[Reader, Reader]]:
    """Two people at one table."""
    tokens = begin(client, local_player("Ann"), local_player("Bo"))["seats"]
    with reading(client, tokens[0]) as ann, reading(client, tokens[1], "de") as bo:
        yield ann, bo


# ── sitting down and playing ──


@on_both
def test_invitation_is_a_seat_once_and_then_a_link_for_any_device(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), FRIEND)
    with reading(client, links["host"]) as host, ExitStack() as stack:
        lobby = host.until("lobby")
        assert [seat["name"] for seat in lobby["seats"]] == ["Ann", ""]
        invite = lobby["invites"]["1"]
        guest, other = (stack.enter_context(reading(client, invite)) for _ in range(2))
        assert "invites" not in guest.until("lobby")
        assert guest.refused(type="answer", question=0, take=["1"]) == "This link does not allow that."
        for name in ("", " ", "x" * 41, "Bo\u202e", "You"):
            assert guest.refused(type="sit", name=name)
        assert "Ann" in guest.refused(type="sit", name="ann")
        guest.send(type="sit", name="<b>Bo</b>")
        token = guest.until("seated")["token"]
        assert guest.closed() == 1000
        assert host.until("table")["seats"][1]["name"] == "<b>Bo</b>"
        assert host.table["invites"] == {}
        again = stack.enter_context(reading(client, invite))
        assert "taken" in again.until("refused")["text"]
        assert again.closed() == 4404
        assert "taken" in other.until("refused")["text"]
        assert other.closed() == 4404
        first, second = (stack.enter_context(reading(client, token)) for _ in range(2))
        assert first.question() == second.question()
        assert first.answer("2")["type"] == "kept"
        assert second.look(lambda state: state["asked"]["question"] == 1)


@on_both
def test_whole_game_to_its_result_and_its_save(two: tuple[Reader, Reader], tmp_path: Path, capsys: Any) -> None:
    ann, bo = two
    assert "when it is over" in ann.refused(type="save")
    for _ in range(2):
        for number in ("1", "2"):
            ann.answer(number)
        assert bo.answer("0")["type"] == bo.answer("3")["type"] == "kept"
    final = ann.look(lambda state: state["over"])
    assert [(one["rank"], one["total"]) for one in final["standings"]] == [(1, 2), (1, 2)]
    ann.send(type="save")
    save = ann.until("save")["save"]
    path = tmp_path / "save.json"
    path.write_text(json.dumps({**save, "file": str(tmp_path / "guessing.yaml")}), encoding="utf-8")
    assert cli.main(["replay", str(path), "--lang", "en"]) == 0
    assert "Turn 2 is over." in capsys.readouterr().out


def test_sealed_answers_show_only_as_ready(two: tuple[Reader, Reader]) -> None:
    ann, bo = two
    bo.question()
    assert bo.state["waiting"] == [0, 1]
    ann.answer("1")
    assert ann.state["ready"] == []
    ann.answer("2")
    assert ann.state["waiting"] == [1]
    state = bo.look(lambda state: state["ready"])
    assert (state["ready"], state["waiting"]) == ([0], [1])


@on_both
def test_answer_can_be_taken_back_until_the_seals_are_broken(two: tuple[Reader, Reader]) -> None:
    ann, bo = two
    ann.answer("1")
    assert ann.state["undo"]
    ann.send(type="undo")
    ann.look(lambda state: state["asked"]["question"] == 2)
    assert ann.state["asked"]["prompt"] == "What first?"
    ann.answer("3")
    bo.answer("0", question=bo.question()["question"])
    ann.send(type="undo")
    ann.look(lambda state: state["asked"]["question"] == 4)
    ann.answer("3")
    ann.answer("1")
    bo.answer("0")
    ann.look(lambda state: not state["undo"])
    assert "taken back" in ann.refused(type="undo")


SECOND_QUESTION = """\
          - choose number from 0 to 3 as doubt: {ask: What then?}
"""


def test_nobody_is_told_how_often_somebody_seals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A high number brings a second question: neither what is sent nor how often it is sent tells of it."""
    path = Path(guessing(tmp_path))
    asked_again = "          - if guess is 3:\n" + SECOND_QUESTION.replace("          -", "              -")
    path.write_text(path.read_text(encoding="utf-8").replace(SECOND_QUESTION, asked_again), encoding="utf-8")
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)  # the same stones each time
    with server(tmp_path, [str(path)]) as client:
        lines = []
        for way in (("1",), ("3", "0"), ("3", "undo", "3", "0")):
            links = begin(client, local_player("Ann"), local_player("Bo"), local_player("Cy"))
            watch = tokens.watch(links["host"])
            with ExitStack() as stack:
                ann, bo, cy, onlooker = (
                    stack.enter_context(reading(client, token)) for token in (*links["seats"], watch)
                )
                for reader in (ann, bo, onlooker):
                    reader.until("state")
                cy.answer("2")
                for number, kind in enumerate(way, 1):
                    told_before = [states(reader) for reader in (bo, cy, onlooker)]
                    if kind == "undo":
                        ann.send(type="undo")
                        while ann.state["asked"]["question"] < number:
                            ann.until("state")
                    else:
                        assert ann.answer(kind)["type"] == "kept"
                    assert number == len(way) or told_before == [states(reader) for reader in (bo, cy, onlooker)]
                lines.append([states(reader) for reader in (bo, cy, onlooker)])
                assert cy.state["undo"]
        assert lines == lines[:1] * 3


def states(reader: Reader) -> list[dict[str, Any]]:
    """All that a reader has been shown up to now."""
    reader.send(type="look", step=0)
    reader.until("past")
    return [message for message in reader.received if message["type"] == "state"]


def test_language_changes_in_the_middle_with_all_that_was_told(two: tuple[Reader, Reader]) -> None:
    ann, bo = two
    for reader in (ann, bo):
        reader.answer("1")
        reader.answer("1")
    ann.look(lambda state: state["log"]["lines"])
    ann.send(type="language", language="nl-BE")
    assert ann.until("table")["language"] == "nl"
    ann.until("state")
    assert len(ann.lines) == 3
    assert "kan niet" in ann.refused(type="answer", question=ann.state["asked"]["question"], take=["9"])


def test_computer_and_spectator(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), {"player": "random"})
    with reading(client, links["host"]) as host, reading(client, links["seats"][0]) as ann:
        watch = host.until("table")["watch"]
        with reading(client, watch) as onlooker:
            assert onlooker.look(lambda state: state["ready"] == [1])["asked"] is None
            assert [zone["pieces"] for zone in onlooker.state["zones"] if zone["owner"] is not None] == [None, None]
            assert onlooker.refused(type="undo") == "This link does not allow that."
        while not ann.state.get("over"):
            ann.look(lambda state: state["asked"] or state["over"])
            if ann.state["asked"]:
                ann.answer("0")


def test_only_those_at_one_device_begin_at_once_and_all_others_must_come(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), FRIEND)
    with reading(client, links["seats"][0]) as ann:
        ann.until("lobby")
        assert ann.refused(type="answer", question=0, take=["1"]) == "The game has not begun."


# ── what is refused ──


def test_unknown_token_learns_nothing(client: TestClient) -> None:
    begin(client, local_player("Ann"), local_player("Bo"))
    for token in ("", "x", "x" * 43, "x" * 200):
        with reading(client, token) as stranger:
            assert stranger.until("refused") == {"type": "refused", "text": "This link leads nowhere.", "gone": True}
            assert stranger.closed() == 4404
    assert "Guessing" not in client.get("/table").text


ELSEWHERE = [
    "",
    "ftp://testserver",
    "http://testserver/",
    "file://",
    "http://ann@testserver",
    "chrome-extension://testserver",
]


def test_other_sites_are_turned_away(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with reading(client, links["seats"][0], origin="http://testserver") as ann:
        ann.question()
    for origin in ("http://evil.example", "null", "http://testserver.evil.example", "http://[broken", *ELSEWHERE):
        with pytest.raises(WebSocketDisconnect), reading(client, links["seats"][0], origin=origin):
            pass
        assert client.post("/tables", json={}, headers={"origin": origin}).status_code == 403
    for both in (("http://testserver", "http://evil.example"), ("http://testserver", "http://testserver")):
        twice = [("content-type", "application/json"), *(("origin", one) for one in both)]
        assert client.post("/tables", content="{}", headers=twice).status_code == 403, "browsers say it once"


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "7", '"x"', "{}", '{"type": "dance"}', '{"type": ["undo"]}',
        '{"type": "undo", "more": 1}',
        '{"type": "answer", "question": 0}', '{"type": "answer", "question": "0", "take": []}',
        '{"type": "answer", "question": true, "take": []}', '{"type": "answer", "question": 0.5, "take": []}',
        '{"type": "answer", "question": 0, "take": [1]}', '{"type": "answer", "question": 0, "take": ["\\ud800"]}',
        '{"type": "sit", "name": null}', '{"type": "language", "language": NaN}', "[" * 10_000, '{"type": "undo"' * 99,
        '{"type": "hello", "protocol": 3, "tokens": "x"}', '{"type": "hello", "protocol": 3, "tokens": []}',
        '{"type": "undo", "by": -1}', '{"type": "look", "step": 1e3}',
    ],
)  # fmt: skip
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError, match="did not understand"):
        protocol.parse_message(text)


def test_garbage_changes_nothing_and_in_the_end_closes(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with reading(client, links["seats"][0]) as ann, reading(client, links["seats"][1]) as bo:
        ann.question()
        for _ in range(Limits().mistakes):
            ann.socket.send_text("nonsense")
        assert ann.closed() == 1008
        assert bo.answer("1")["type"] == "kept"


def test_stale_and_wrong_answers_are_refused_in_words(two: tuple[Reader, Reader]) -> None:
    ann, bo = two
    ann.answer("1")
    assert ann.answer("1", question=0)["text"] == "This was answered already, or has changed. Look again."
    assert ann.answer("9")["text"] == "'9' cannot be chosen."
    assert ann.answer("1", "2")["type"] == "refused"
    ann.answer("2")
    assert ann.answer("1", question=2)["text"] == "It is not your turn."
    bo.question()
    assert bo.refused(type="hello", protocol=2, tokens=["x"], language="en")


@on_both
def test_two_answers_at_once_one_wins(client: TestClient) -> None:
    token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
    with reading(client, token) as one, reading(client, token) as other:
        question = one.question()["question"]
        other.question()
        for reader, key in ((one, "1"), (other, "2")):
            reader.send(type="answer", question=question, take=[key])
        texts = sorted(reader.until("kept", "refused")["type"] for reader in (one, other))
        assert texts == ["kept", "refused"]


def test_long_messages_and_floods_end_one_connection_and_no_other(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with reading(client, links["seats"][1]) as bo:
        bo.question()
        with reading(client, links["seats"][0]) as ann:
            ann.question()
            ann.send(type="sit", name="x" * Limits().message)
            assert ann.closed() == 1008
            assert "too long" in ann.received[-1]["text"]
        with reading(client, links["seats"][0]) as ann:
            ann.question()
            for _ in range(2 * Limits().burst):
                ann.send(type="language", language="en")
            assert ann.closed() == 1008
            assert any("too many messages" in message.get("text", "") for message in ann.received)
        assert bo.answer("1")["type"] == "kept"


def test_hello_must_come_first_soon_and_in_this_version(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(greeting=0.01)) as client:
        with client.websocket_connect("/play") as socket:
            assert Reader(socket).closed() == 1008
    with server(tmp_path, [guessing(tmp_path)]) as client:
        with client.websocket_connect("/play") as socket:
            assert "version" in Reader(socket).refused(type="hello", protocol=1, token="x", language="en")
        with client.websocket_connect("/play") as socket:
            assert Reader(socket).refused(type="undo")


def test_page_whose_table_is_dropped_while_it_comes_is_told_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else nobody would tell it what others do there."""
    entrance = TableRegistry.open_token

    async def dropping(tables: TableRegistry, token: str) -> tuple[TokenGrant, Table] | None:
        opened = await entrance(tables, token)
        assert opened is not None
        tables.drop([opened[1].record.id])
        return opened

    with server(tmp_path, [guessing(tmp_path)]) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with monkeypatch.context() as patch:
            patch.setattr(TableRegistry, "open_token", dropping)
            with reading(client, token) as ann:
                assert ann.closed() == 1013
        with reading(client, token) as ann:
            assert ann.question()


def test_table_stays_in_memory_while_somebody_is_about_to_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many others are wanted meanwhile: else one table would be there twice, and each would tell its own."""
    entrance = TableRegistry.open_token

    with server(tmp_path, [guessing(tmp_path)], Limits(live=1)) as client:
        [ann_, bo_], *others = (begin(client, local_player("Ann"), local_player("Bo"))["seats"] for _ in range(4))

        async def slowly(tables: TableRegistry, token: str) -> tuple[TokenGrant, Table] | None:
            opened = await entrance(tables, token)
            if token == ann_:
                for other, _ in others:
                    await entrance(tables, other)
            return opened

        monkeypatch.setattr(TableRegistry, "open_token", slowly)
        with reading(client, ann_) as ann:
            assert ann.question()
            with reading(client, bo_) as bo:
                ann.answer("1")
                ann.answer("0")
                bo.look(lambda state: state["ready"] == [0])


def test_tables_and_devices_are_limited(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(tables=1, per_table=1, begun=3)) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        expected = {"edition": offered(client), "seats": [local_player("Ann"), local_player("Bo")], "options": {}}
        assert "as many tables" in client.post("/tables", json=expected).json()["text"]
        client.post("/tables", json=expected)
        assert client.post("/tables", json=expected).status_code == 429
        with reading(client, links["seats"][0]) as ann:
            ann.question()
            with reading(client, links["seats"][1]) as bo:
                assert "Too many devices" in bo.until("refused")["text"]
    with server(tmp_path, [guessing(tmp_path)], Limits(connections=1)) as client:
        with reading(client, links["seats"][0]) as ann:
            ann.question()
            with pytest.raises(WebSocketDisconnect), reading(client, links["seats"][1]):
                pass


@pytest.mark.parametrize(
    "change",
    [
        {"edition": "x"}, {"edition": 3}, {"seats": []}, {"seats": [local_player("Ann")] * 2},
        {"seats": [local_player("")]},
        {"seats": [{"player": "search-600000ms"}]}, {"seats": [{"player": "random", "role": "nobody"}]},
        {"seats": [local_player("Ann")] * 13}, {"seats": [local_player("Ann"), FRIEND, FRIEND, FRIEND]},
        {"options": {"slow": "yes"}},
        {"options": {"quick": "perhaps"}}, {"options": []}, {"more": 1}, {"seats": [{"player": "here"}]},
    ],
)  # fmt: skip
def test_impossible_tables_are_refused_in_words(client: TestClient, change: dict[str, Any]) -> None:
    expected = {"edition": offered(client), "seats": [local_player("Ann")], "options": {}}
    answer = client.post("/tables", json={**expected, **change})
    assert 400 <= answer.status_code < 500
    assert answer.json()["text"]


def test_bucket_fills_again() -> None:
    now = 0.0
    bucket = Bucket(2, 1.0, lambda: now)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    now = 1.0
    assert [bucket.take() for _ in range(2)] == [True, False]


# ── pages ──


def test_every_answer_has_the_headers(client: TestClient) -> None:
    edition = offered(client)
    paths = [
        "/",
        "/table",
        "/page/style.css",
        "/words",
        "/editions",
        f"/editions/{edition}",
        "/nowhere",
        "/page/__init__.py",
    ]
    for path in [*paths, f"/editions/{edition}/rulebook", f"/editions/{edition}/pictures/none.svg"]:
        headers = client.get(path).headers
        for name in HEADERS:
            assert name in headers, (path, name)
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/page/..%2fserver.py", "/page/%2e%2e/server.py", "/editions/x", "/editions/x/rulebook", "/editions/x%00"]
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("name", ["x" * 300, "x" * 5000, "..%2fx", "x%00", "x%ff", "-", "%20"])
def test_picture_that_cannot_be_is_not_there(client: TestClient, name: str) -> None:
    assert client.get(f"/editions/{offered(client)}/pictures/{name}.svg").status_code == 404


@pytest.mark.rotating(2)
def test_rulebook_is_of_just_this_variant(tmp_path: Path) -> None:
    with server(tmp_path, ["wild-cards/2022"]) as client:
        edition = offered(client)
        book = client.get(f"/editions/{edition}/rulebook", params={"language": "de", "no bluffing": "yes"})
        assert book.status_code == 200
        assert '<html lang="de"' in book.text
        [script] = re.findall(r"(?s)<script>(.*?)</script>", book.text)
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = book.headers["content-security-policy"]
        assert f"script-src 'sha256-{digest}'" in policy and "frame-ancestors 'none'" in policy
        assert client.get(f"/editions/{edition}/rulebook", params={"no such": "yes"}).status_code == 404
        picture = client.get(f"/editions/{edition}/pictures/cover.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert "sandbox" in picture.headers["content-security-policy"]
        assert "lion" in (pictures := client.get(f"/editions/{edition}/pictures").json()) and "cover" not in pictures
        data = client.get(f"/editions/{edition}", params={"language": "nl"}).json()
        assert data["options"] and data["cover"] == "cover"


def test_page_fetches_nothing_from_elsewhere_and_has_no_words_of_its_own() -> None:
    own = [path for path in PAGE.glob("*.js") if path.name != "preact.js"]  # which sets no markup unless it is told to
    scripts = {path.name: path.read_text(encoding="utf-8") for path in own}
    for name, text in {
        **scripts,
        **{path.name: path.read_text(encoding="utf-8") for path in PAGE.glob("*.html")},
    }.items():
        assert not re.search(r"(?i)innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", text), name
        assert not re.search(r"https?://(?!www\.w3\.org)", re.sub(r'"https:"', "", text)), name
    questions = {word for text in scripts.values() for word in re.findall(r'say\(\s*"([^"]+)"', text)}
    questions |= {
        word
        for text in scripts.values()
        for pair in re.findall(r'(?:say|filled)\(\s*[\w.> ]+\s+\? "([^"]+)"\s+: "([^"]+)",?\s*[,)]', text)
        for word in pair
    }
    questions |= {word for text in scripts.values() for word in re.findall(r'filled\(\s*"([^"]+)"', text)}
    assert questions <= page_texts.WORDS.keys()
    assert page_texts.WORDS.keys() - questions <= {"here", "friend", "easy", "medium", "hard", "best"}


# ── looking back ──


def test_one_looks_back_step_by_step_at_what_one_saw(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        text = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, text["seats"][0]) as ann, reading(client, text["seats"][1]) as bo:
            before = dict(ann.look(lambda state: True))
            for _ in range(2):
                for reader in (ann, bo):
                    reader.answer("1")
                    reader.answer("2")
            after = ann.look(lambda state: state["over"])
            steps = [look(ann, step) for step in range(after["steps"])]
            assert [line["text"] for step in steps for line in step["lines"]] == [
                line["text"] for line in look_at_log(client, text["seats"][0])
            ]
            for name in ("zones", "counters", "scores", "round", "over"):
                assert steps[0][name] == before[name]
                assert steps[-1][name] == after[name]
            assert [pouch(step, 1) for step in steps[:-1]] == [None] * (len(steps) - 1), "what is Bo's alone"
            assert all(step["asked"] is None and not step["undo"] for step in steps)
            assert ann.refused(type="look", step=after["steps"]) == "There is no such step in this game."
            assert ann.refused(type="look", step=-1) == "There is no such step in this game."


def test_sealed_answers_are_no_steps(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        text = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, text["seats"][0]) as ann, reading(client, text["seats"][1]) as bo:
            steps = ann.look(lambda state: True)["steps"]
            bo.answer("1")
            bo.answer("2")
            assert ann.look(lambda state: state["ready"])["steps"] == steps


@on_both
def test_finished_game_is_shown_to_whoever_gets_the_link(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        text = begin(client, local_player("Ann"), options={"quick": "yes"})
        with reading(client, text["seats"][0]) as ann:
            assert ann.refused(type="share") == "A game can be shown to others when it is over."
            ann.answer("1")
            ann.answer("2")
            state = ann.look(lambda state: state["over"])
            assert state["result"] == "Result: 1 point."
            assert state["curve"][-1] == {"round": state["round"], "points": [1]}
            ann.send(type="share")
            token = ann.until("shared")["token"]
            ann.send(type="share")
            assert ann.until("shared")["token"] == token
        with reading(client, token, "de") as stranger:
            stranger.look(lambda state: state["over"])
            assert stranger.table["you"] == "replay" and stranger.table["seat"] is None
            assert pouch(look(stranger, 0), 0) is None
            stranger.send(type="share")
            assert stranger.until("shared")["token"] == token


def look(reader: Reader, step: int) -> dict[str, Any]:
    reader.send(type="look", step=step)
    results: dict[str, Any] = reader.until("past")["state"]
    return results


def look_at_log(client: TestClient, token: str) -> list[dict[str, Any]]:
    with reading(client, token) as reader:
        lines: list[dict[str, Any]] = reader.look(lambda state: True)["log"]["lines"]
        return lines


def pouch(state: dict[str, Any], owner: int) -> list[str] | None:
    """Return the visible part of a zone that only its owner sees."""
    results: list[list[str] | None] = [
        zone["pieces"] for zone in state["zones"] if (zone["zone"], zone["owner"]) == ("pouch", owner)
    ]
    return results[0]


def test_link_becomes_a_pattern(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        data = client.post("/qr", content="http://127.0.0.1/table#token").json()
        assert data["size"] >= 21 and data["path"].startswith("M0 0h1v1h-1z")
        assert data["path"].count("M") == len(set(data["path"].split("M"))) - 1
        assert client.post("/qr", content="x" * 201).status_code == 404
        assert client.post("/qr", content="").status_code == 404


# ── several at one device ──


def test_two_seats_at_one_device_share_a_connection_and_each_is_shown_its_own(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with client.websocket_connect("/play") as socket, reading(client, links["seats"][1]) as bo:
        socket.send_json({"type": "hello", "protocol": 3, "tokens": [links["host"], *links["seats"], "none"]})
        assert within(socket.receive_json)["gone"] is True
        first = within(socket.receive_json)
        views = {one.get("reader", 0): one["change"] for one in first["of"]}
        assert views[0]["links"]["watch"]
        contents = [zone for name, zone in views[0]["now"]["zones"].items() if name.startswith("pouch")]
        assert contents and not any("pieces" in zone for zone in contents)  # for while the device is passed on
        assert [views[reader]["seat"] for reader in (1, 2)] == [0, 1]
        pouches = [merge_own(views[reader]["now"], views[reader]["own"])["zones"] for reader in (1, 2)]
        assert [["pieces" in zones[f"pouch/{seat}/"] for seat in (0, 1)] for zones in pouches] == [
            [True, False],
            [False, True],
        ]
        assert bo.question()["question"] == 0
        socket.send_json({"type": "answer", "by": 2, "question": 0, "take": ["1"]})
        texts = [within(socket.receive_json) for _ in range(2)]
        assert sorted(message["type"] for message in texts) == ["kept", "updates"]
        (update,) = next(message["of"] for message in texts if message["type"] == "updates")
        assert (update["reader"], update["number"]) == (2, 2)  # nobody else sees that Bo has begun to seal
        assert bo.look(lambda state: state["asked"]["question"] == 1)


def test_host_who_has_the_only_seat_at_a_device_is_not_shown_everything_twice(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), {"player": "random"})
    with client.websocket_connect("/play") as socket:
        socket.send_json({"type": "hello", "protocol": 3, "tokens": [*links["seats"], links["host"]]})
        views = [one["change"] for one in within(socket.receive_json)["of"]]
    assert ["now" in one for one in views] == [True, False]


def test_whoever_misses_a_change_is_sent_the_whole(two: tuple[Reader, Reader]) -> None:
    ann, _ = two
    ann.answer("1")
    before, number = ann.state, ann.number
    assert number > 1
    ann.send(type="again")
    assert ann.until("state") == {**before, "log": ann.state["log"]}
    assert ann.number == 1 and ann.table["title"] == "Guessing"
