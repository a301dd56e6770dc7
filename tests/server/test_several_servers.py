"""Several servers of one PostgreSQL database: any of them serves any table, and what one keeps the others show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import databases
from clocks import TestClock
from databases import location, needs_postgresql
from game_servers import FRIEND, Reader, begin, guessing, local_player, reading, server, within
from rulewright.server import tokens
from rulewright.server.limits import Limits
from rulewright.server.metrics import Metrics
from rulewright.server.storage.store import Store

pytestmark = needs_postgresql
Servers = tuple[TestClient, TestClient]


@pytest.fixture(autouse=True)
def postgresql() -> Iterator[str]:
    yield from databases.use(databases.POSTGRESQL)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Servers]:
    with server(tmp_path, [guessing(tmp_path)]) as one, server(tmp_path, [guessing(tmp_path)]) as other:
        yield one, other


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Store]:
    store = Store(location(tmp_path))
    yield store
    store.close()


def next_state(reader: Reader, existing: Any) -> dict[str, Any]:
    """Wait for a state of a table that meets a condition; return it."""
    while not existing(reader.document):
        reader.next()
    return reader.document


def test_an_answer_at_one_server_is_shown_by_the_other(two: Servers) -> None:
    links = begin(two[0], local_player("Ann"), local_player("Bo"))["seats"]
    with reading(two[0], links[0]) as ann, reading(two[1], links[1]) as bo:
        for reader in (ann, bo, bo, ann):
            reader.answer("1")
        ann.look(lambda state: len(state["zones"]) and state["steps"] >= 1)
        for reader in (ann, bo, ann, bo):
            reader.answer("0")
        for reader in (ann, bo):
            reader.look(lambda state: state["over"])


def test_seats_names_links_messages_and_rematches_are_followed(two: Servers) -> None:
    links = begin(two[0], local_player("Ann"), FRIEND)
    group = tokens.group(links["host"])
    with ExitStack() as stack:
        ann = stack.enter_context(reading(two[0], links["seats"][0]))
        host = stack.enter_context(reading(two[0], links["host"]))
        guest = stack.enter_context(reading(two[1], group))
        assert [seat["name"] for seat in next_state(guest, lambda document: document)["seats"]] == ["Ann", ""]
        guest.send(type="sit", name="Bo")
        token = guest.until("seated")["token"]
        next_state(ann, lambda document: document.get("begun"))
        bo = stack.enter_context(reading(two[1], token))
        bo.send(type="say", text="Hello")
        next_state(ann, lambda document: [m["text"] for m in document.get("messages", {}).values()] == ["Hello"])
        next_state(host, lambda document: document.get("seats", [{}])[-1].get("name") == "Bo")
        host.send(type="replace", seat=1)
        new = host.until("replaced")["token"]
        assert "another link" in bo.until("refused")["text"]
        bo = stack.enter_context(reading(two[1], new))
        bo.question()
        bo.send(type="concede")
        ann.look(lambda state: state["over"])
        ann.send(type="rematch")
        ann.until("rematch")
        next_state(bo, lambda document: document.get("rematch") == "Ann")


def test_an_answer_that_lost_a_race_is_repeated(two: Servers, log: Store) -> None:
    """Both decide at once, at two servers of which neither has heard of the other."""
    links = begin(two[0], local_player("Ann"), local_player("Bo"), options={"quick": "yes"})["seats"]
    with reading(two[0], links[0]) as ann, reading(two[1], links[1]) as bo:
        for reader in (ann, bo):
            reader.question()
        for take in ("1", "2"):
            for reader in (ann, bo):
                reader.send(type="answer", question=reader.question()["question"], take=[take])
            for reader in (ann, bo):
                assert reader.until("kept", "refused")["type"] == "kept"
                if take == "1":
                    reader.look(lambda state: state["asked"] and state["asked"]["prompt"] == "What then?")
        for reader in (ann, bo):
            reader.look(lambda state: state["over"])
    assert len(log.answers(1)) == 4


def test_same_answer_at_two_servers_counts_once(two: Servers, log: Store) -> None:
    token = begin(two[0], local_player("Ann"))["seats"][0]
    with reading(two[0], token) as one, reading(two[1], token) as other:
        question = one.question()["question"]
        assert other.question()["question"] == question
        for reader in (one, other):
            reader.send(type="answer", question=question, take=["1"])
        ends = sorted(reader.until("kept", "refused")["type"] for reader in (one, other))
        assert ends == ["kept", "refused"]
    assert len(log.answers(1)) == 1


def test_a_client_of_another_server_finds_its_state(two: Servers) -> None:
    token = begin(two[0], local_player("Ann"))["seats"][0]
    with reading(two[1], token) as existing:
        existing.question()
    with reading(two[0], token) as ann:
        ann.answer("1")
    with reading(two[1], token) as existing:
        assert existing.question()["prompt"] == "What then?"


def test_table_at_which_nobody_is_here_is_not_followed_and_read_again(tmp_path: Path) -> None:
    measures, clock, edition = Metrics(), TestClock(), [guessing(tmp_path)]
    with server(tmp_path, edition) as one, server(tmp_path, edition, clock=clock, measures=measures) as other:
        token, neighbour = begin(one, local_player("Ann"), local_player("Bo"))["seats"]
        assert other.post("/turns", json={"tokens": [token]}).json()["turns"] == [
            {"yours": True, "waiting": ["Ann", "Bo"]}
        ]
        with reading(other, neighbour) as bo, reading(one, neighbour) as again:
            again.answer("1")
            bo.look(lambda state: state["asked"] and state["asked"]["question"] == 1)  # it hears of changes by now
        within(lambda: until_none(measures, "tables_watched"))
        assert measures.gauges["tables_in_memory"]() == 1
        clock.go(61)
        with reading(one, token) as ann:
            ann.answer("1")
            within(lambda: until_none(measures, "tables_in_memory"))
        with reading(other, token) as ann, reading(one, token) as again:
            assert ann.question()["question"] == 1
            again.answer("0")
            ann.look(lambda state: not state["asked"])
            assert measures.gauges["tables_in_memory"]() == 1, "somebody is here"


def until_none(measures: Metrics, gauge: str) -> None:
    while measures.gauges[gauge]():
        continue


def test_bots_go_on_when_the_server_that_drove_them_has_gone(tmp_path: Path, log: Store) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), {"player": "random"})
        assert log.take_lease(1), "somebody else drives them"
        with reading(client, links["seats"][0]) as ann:
            ann.answer("1")
            ann.answer("1")
            assert [row.seat for row in log.answers(1)] == [0, 0]
            log.close()
            ann.look(lambda state: state["asked"] and state["steps"] > 1)


@pytest.mark.rotating(3)
def test_a_deadline_passes_once(tmp_path: Path, log: Store) -> None:
    clock = TestClock()
    with ExitStack() as stack:
        servers = [
            stack.enter_context(server(tmp_path, [guessing(tmp_path)], Limits(hold=0), clock=clock)) for _ in range(2)
        ]
        links = begin(servers[0], local_player("Ann"), local_player("Bo"), clock=60)["seats"]
        readers = [stack.enter_context(reading(client, link)) for client, link in zip(servers, links, strict=True)]
        for reader in readers:
            reader.look(lambda state: state["deadline"])
        clock.go(61)
        for reader in readers:
            next_state(reader, lambda document: all(seat.get("away") for seat in document["seats"]))
    assert [row.decision.partition(" ")[0] for row in log.answers(1)].count("away") == 2
    assert log.next_deadline() is None


@pytest.mark.rotating(2)
@pytest.mark.parametrize("noticed", [True, False])
def test_tables_of_an_older_copy_are_shown_again_with_a_note(two: Servers, log: Store, noticed: bool) -> None:
    """noticed: since the database was begun again; else when somebody does something."""
    links = begin(two[0], local_player("Ann"))["seats"]
    removed = begin(two[0], local_player("Bo"))["seats"]
    with reading(two[0], links[0]) as ann, reading(two[0], removed[0]) as bo:
        bo.question()
        ann.answer("1")
        ann.answer("2")
        for table, condition in (
            ("answers", "number > 0"),
            ("tokens", "game = 2"),
            ("visits", "game = 2"),
            ("games", "id = 2"),
        ):
            log.database.execute(f"DELETE FROM {table} WHERE {condition}")
        if noticed:
            log.database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND application_name = 'rulewright'"
            )
        else:
            assert ann.answer("3")["type"] == "refused"
            bo.send(type="answer", question=0, take=["1"])
        ann.look(lambda state: state["asked"] and state["asked"]["prompt"] == "What then?")
        assert "older copy" in next_state(ann, lambda document: document.get("notices"))["notices"][0]
        while "older copy" not in bo.until("refused")["text"]:
            continue
        ann.answer("3")
    assert [row.take for row in log.answers(1)] == [("1",), ("3",)]
