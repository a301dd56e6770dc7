"""Chat at a table: permissions, limits, and where messages never appear."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.testclient import TestClient

from game_servers import FRIEND, Reader, begin, guessing, local_player, reading, server
from rulewright.server import tokens
from rulewright.server.limits import Limits
from rulewright.server.tables.chat import MAX_LENGTH, MAX_MESSAGES
from rulewright.server.web.page_texts import WORDS
from rulewright.server.web.protocol import GestureName

on_both = pytest.mark.usefixtures("database")

LIBERAL = Limits(hold=0, said=1000)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)], LIBERAL) as client:
        yield client


def chat_of(reader: Reader) -> list[tuple[int, str]]:
    """All messages that a reader has, in their order, without the times."""
    result = reader.document.get("messages", {})
    messages = (result[number] for number in sorted(result, key=int))
    return [(one["seat"], one.get("text") or one["gesture"]) for one in messages]


def until_said(reader: Reader, *expected: tuple[int, str]) -> None:
    while chat_of(reader) != list(expected):
        reader.next()


def wait_for_text(reader: Reader, text: str) -> str:
    """Return a text as it arrives, or '' where it is refused."""
    reader.send(type="say", text=text)
    known = len(chat_of(reader))
    while len(chat_of(reader)) == known:
        if reader.next()["type"] == "refused":
            return ""
    return chat_of(reader)[-1][1]


@on_both
def test_everybody_reads_what_somebody_says_and_whoever_comes_back_the_last_of_it(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client, ExitStack() as stack:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        watch = stack.enter_context(reading(client, tokens.watch(links["host"])))
        for reader in (ann, bo, watch):
            reader.look(lambda state: True)
        ann.send(type="say", text="  Shall we\nbegin? ")
        until_said(bo, (0, "Shall we begin?"))
        bo.send(type="gesture", name="luck")
        for reader in (ann, watch):
            until_said(reader, (0, "Shall we begin?"), (1, "luck"))
    with server(tmp_path, []) as client, reading(client, links["seats"][0]) as ann:
        until_said(ann, (0, "Shall we begin?"), (1, "luck"))
        ann.send(type="gesture", name="thanks")
        until_said(ann, (0, "Shall we begin?"), (1, "luck"), (0, "thanks"))


def test_a_message_is_a_small_change_and_the_game_is_not_told_again(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with reading(client, links["seats"][0]) as ann:
        ann.question()
        ann.send(type="gesture", name="played")
        text = ann.socket.receive_text()
    (update,) = json.loads(text)["of"]
    assert update["change"].keys() == {"messages"} and len(text) < 150


@on_both
def test_people_talk_before_the_game_begins(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), FRIEND)
    with reading(client, links["seats"][0]) as ann, reading(client, tokens.invite(links["host"], 1)) as bo:
        ann.until("lobby")
        ann.send(type="say", text="Come in!")
        until_said(bo, (0, "Come in!"))
        assert bo.refused(type="say", text="I do") == "This link does not allow that."


PURPOSES = (tokens.HOST, tokens.SEAT, tokens.WATCH, tokens.GROUP, tokens.INVITE)


@pytest.mark.parametrize("purpose", PURPOSES)
@pytest.mark.parametrize(
    ("message", "allowed"),
    [
        ({"type": "say", "text": "Hello"}, {tokens.SEAT}),
        ({"type": "gesture", "name": "smile"}, {tokens.SEAT}),
        ({"type": "chat", "on": False}, {tokens.HOST}),
    ],
)
def test_permissions_of_chat(client: TestClient, purpose: str, message: dict[str, Any], allowed: set[str]) -> None:
    links = begin(client, local_player("Ann"), FRIEND)
    host = links["host"]
    of = dict(zip(PURPOSES, (host, links["seats"][0], tokens.watch(host), tokens.group(host), tokens.invite(host, 1)), strict=True))  # fmt: skip  # noqa: E501
    with reading(client, of[purpose]) as reader:
        reader.until("lobby")
        reader.send(**message)
        answer = reader.until("refused", "lobby")
        assert (answer["type"] == "refused") == (purpose not in allowed)


@on_both
def test_the_host_turns_messages_off_and_on(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client, ExitStack() as stack:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        host, ann = (stack.enter_context(reading(client, token)) for token in (links["host"], links["seats"][0]))
        ann.question()
        ann.send(type="say", text="Hello")
        until_said(ann, (0, "Hello"))
        host.send(type="chat", on=False)
        until_said(ann)
        assert ann.document["silent"]
        assert "turned messages off" in ann.refused(type="gesture", name="luck")
    with server(tmp_path, []) as client, ExitStack() as stack:
        host, ann = (stack.enter_context(reading(client, token)) for token in (links["host"], links["seats"][0]))
        ann.question()
        assert ann.document["silent"] and chat_of(ann) == []
        host.send(type="chat", on=True)
        until_said(ann, (0, "Hello"))


def test_a_table_begins_without_messages(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), chat=False)
    with reading(client, links["seats"][0]) as ann:
        ann.question()
        assert ann.document["silent"]
        assert "turned messages off" in ann.refused(type="say", text="Hello")


# ── bounds ──


def test_a_seat_does_not_say_much_at_once_and_others_still_can(tmp_path: Path) -> None:
    with (
        server(tmp_path, [guessing(tmp_path)], Limits(hold=0, said=2, said_each_second=0)) as client,
        ExitStack() as stack,
    ):
        links = begin(client, local_player("Ann"), local_player("Bo"))
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        second = stack.enter_context(reading(client, links["seats"][0]))
        ann.question(), second.question(), bo.question()
        assert [wait_for_text(ann, "one"), wait_for_text(ann, "two"), wait_for_text(ann, "three")] == ["one", "two", ""]
        assert "too fast" in second.refused(type="gesture", name="hurry"), "another device of hers"
        bo.send(type="gesture", name="wait")
        until_said(bo, (0, "one"), (0, "two"), (1, "wait"))
        assert ann.answer("1")["type"] == "kept"


@on_both
def test_the_last_messages_are_kept(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(hold=0, said=1000, burst=1000)) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        expected = [(0, f"{number}") for number in range(MAX_MESSAGES + 5)][-MAX_MESSAGES:]
        with reading(client, links["seats"][0]) as ann:
            ann.question()
            for number in range(MAX_MESSAGES + 5):
                ann.send(type="say", text=f"{number}")
            until_said(ann, *expected)
    with server(tmp_path, []) as client, reading(client, links["seats"][1]) as bo:
        until_said(bo, *expected)


HOSTILE = {
    "": "",
    " \t\n ": "",
    "\u200b\u200d\ufe0f\u2800\u3164": "",
    "x" * MAX_LENGTH: "x" * MAX_LENGTH,
    "x" * (MAX_LENGTH + 1): "",
    "<b onclick=alert(1)>hi</b>": "<b onclick=alert(1)>hi</b>",
    "{name} %s '; DROP TABLE messages; --": "{name} %s '; DROP TABLE messages; --",
    "one\u2028two\x00\x1b[31m": "one two[31m",
    "abc\u202egpj.exe\u2066": "abcgpj.exe",
    "\u05e9\u05dc\u05d5\u05dd \u200f!": "\u05e9\u05dc\u05d5\u05dd !",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "e\u0323\u0302\u0301 \u05d0\u05b8\u0591\u05bc": "e\u0323\u0302\u0301 \u05d0\u05b8\u0591\u05bc",
}


@on_both
def test_texts_are_plain_and_short(client: TestClient) -> None:
    with reading(client, begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]) as ann:
        ann.question()
        for text, expected in HOSTILE.items():
            assert wait_for_text(ann, text) == expected
        for stacked in ("H" + "\u0301" * 60, "a" + "\u0489" * 5):
            assert "Too many signs" in ann.refused(type="say", text=stacked)
        ann.socket.send_text('{"type": "say", "text": "\\ud800half"}')
        assert ann.until("refused", "table")["type"] in ("refused", "table")
        assert wait_for_text(ann, "still here") == "still here"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "gesture", "name": "<b>"},
        {"type": "gesture", "name": ""},
        {"type": "gesture"},
        {"type": "say"},
        {"type": "say", "text": 7},
        {"type": "say", "text": "x" * 201},
        {"type": "say", "text": "Hello", "gesture": "smile"},
    ],
)
def test_invalid_messages_are_refused(client: TestClient, message: dict[str, Any]) -> None:
    with reading(client, begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]) as ann:
        ann.question()
        assert "did not understand" in ann.refused(**message)
        assert chat_of(ann) == []


def test_each_gesture_has_its_words() -> None:
    assert {name.removeprefix("gesture ") for name in WORDS if name.startswith("gesture ")} == {*get_args(GestureName)}


# ── where none of it goes ──


def test_messages_are_not_in_saves(client: TestClient) -> None:
    """Neither of its log, nor of saves, reports, steps one looks back to, and replays that are shared."""
    links = begin(client, local_player("Ann"), local_player("Bo"))
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        watch = stack.enter_context(reading(client, tokens.watch(links["host"])))
        watch.look(lambda state: True)
        ann.question()
        ann.send(type="say", text="Zanzibar")
        until_said(watch, (0, "Zanzibar"))
        bo.question()
        bo.send(type="concede")
        ann.look(lambda state: state["over"])
        assert chat_of(ann) == [(0, "Zanzibar")], "those who play can still talk"
        ann.send(type="say", text="Zanzibar again")
        until_said(bo, (0, "Zanzibar"), (0, "Zanzibar again"))
        results = []
        for expected, kind in (("save", "save"), ("report", "reported"), ("share", "shared"), ("look", "past")):
            ann.send(type=expected, **({"step": 0} if expected == "look" else {}))
            results.append(ann.until(kind))
        assert "Zanzibar" not in json.dumps([results, ann.lines])
        shared = stack.enter_context(reading(client, results[2]["token"]))
        shared.look(lambda state: state["over"])
        assert "Zanzibar" not in json.dumps(shared.received), "a replay is for anybody"
        until_said(watch, (0, "Zanzibar"), (0, "Zanzibar again"))
