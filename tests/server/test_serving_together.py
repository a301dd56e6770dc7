"""Groups at a server: one link for all, attendance, and a rematch with the same people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from databases import location
from example_counts import one_in
from game_servers import FRIEND, Reader, begin, guessing, local_player, offered, reading, server
from rulewright.game import library
from rulewright.players.seating import Seat
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.server import tokens
from rulewright.server.edition_registry import playable_edition
from rulewright.server.limits import Limits
from rulewright.server.storage.records import TokenGrant
from rulewright.server.storage.store import Store
from rulewright.server.tables.attendance import Attendance
from rulewright.server.tables.rematch import rotate_seats

on_both = pytest.mark.usefixtures("database")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        yield client


# ── one link for a group ──


@pytest.mark.rotating(2)
@on_both
def test_one_link_seats_a_group_in_the_order_in_which_they_come(client: TestClient) -> None:
    """More of them than there are seats: the others watch."""
    links = begin(client, FRIEND, local_player("Ann"), FRIEND)
    with reading(client, links["host"]) as host, ExitStack() as stack:
        group = host.until("lobby")["group"]
        bo, cy, dan, edith = (stack.enter_context(reading(client, group)) for _ in range(4))
        for guest in (bo, cy, dan, edith):
            lobby = guest.until("lobby")
            assert lobby["you"] == "group" and lobby["inviter"] == "Ann"
            assert not {"group", "invites", "watch"} & lobby.keys()
        assert "Ann" in bo.refused(type="sit", name="ann")
        bo.send(type="sit", name="Bo")
        first = bo.until("seated")["token"]
        assert bo.closed() == 1000
        assert [seat["name"] for seat in dan.until("lobby")["seats"]] == ["Bo", "Ann", ""]
        cy.send(type="sit", name="Cy")
        second = cy.until("seated")["token"]
        assert "All seats are taken" in dan.refused(type="sit", name="Dan")
        late = stack.enter_context(reading(client, group))
        for onlooker in (dan, edith, late):
            onlooker.look(lambda state: state["waiting"] == [0, 1, 2])
            assert onlooker.table["you"] == "group" and onlooker.table["seat"] is None
            assert onlooker.state["asked"] is None
        assert host.until("table")["group"] == ""
        for seat, token in ((0, first), (2, second)):
            player = stack.enter_context(reading(client, token))
            assert player.question() and player.table["seat"] == seat
        assert "does not allow" in dan.refused(type="answer", question=0, take=["1"])


def test_two_servers_give_each_seat_of_a_group_once(tmp_path: Path) -> None:
    """Both servers use one log, and each may lag behind."""
    path = guessing(tmp_path)
    with server(tmp_path, [path]) as one, server(tmp_path, [path]) as other:
        group = tokens.group(begin(one, local_player("Ann"), FRIEND, FRIEND)["host"])
        with reading(one, group) as bo, reading(other, group) as cy:
            bo.until("lobby")
            assert [seat["name"] for seat in cy.until("lobby")["seats"]] == ["Ann", "", ""]
            bo.send(type="sit", name="Bo")
            bo.until("seated")
            cy.send(type="sit", name="Cy")
            with reading(other, cy.until("seated")["token"]) as seated:
                seated.question()
                assert [seat["name"] for seat in seated.table["seats"]] == ["Ann", "Bo", "Cy"]


def test_a_lost_confirmation_keeps_the_seat(tmp_path: Path) -> None:
    """The server may go before it can say so: the page knows the secret of its link, and says the same again."""
    path, key = guessing(tmp_path), "k" * 43
    with server(tmp_path, [path]) as client:
        host = begin(client, local_player("Ann"), FRIEND, FRIEND)["host"]
        with reading(client, tokens.group(host)) as bo:
            bo.until("lobby")
            bo.send(type="sit", name="Bo", key=key)
            bo.until("seated")
    with server(tmp_path, [path]) as client:
        with reading(client, tokens.group(host)) as bo:
            bo.until("lobby")
            bo.send(type="sit", name="Bo", key=key)
            token = bo.until("seated")["token"]
        assert token == tokens.with_key(host, key)
        with reading(client, tokens.invite(host, 2)) as cy:
            cy.until("lobby")
            for bad in ("short", "k" * 42 + "!", "k" * 44):
                assert "did not understand" in cy.refused(type="sit", name="Cy", key=bad)
            cy.send(type="sit", name="Cy", key="c" * 43)
            cy.until("seated")
        with reading(client, tokens.with_key(host, "c" * 43)) as cy:
            cy.question()
            assert [seat["name"] for seat in cy.table["seats"]] == ["Ann", "Bo", "Cy"]
            assert cy.table["seat"] == 2


def test_table_that_is_older_than_links_for_a_group_gets_one(tmp_path: Path) -> None:
    path, host = guessing(tmp_path), tokens.new()
    store, stored = Store(location(tmp_path)), playable_edition(library.load(path))
    entrances = {host: (tokens.HOST, None), tokens.invite(host, 1): (tokens.INVITE, 1)}
    seats = [Seat("Ann", "person"), Seat("", "person")]
    game = store.create(stored.pinned, stored.rules.hash, seats, {"quick": "no"}, 7, entrances)
    assert store.grant(tokens.group(host)) is None
    store.close()
    with server(tmp_path, [path]) as client:
        for _ in range(2):
            with reading(client, host) as reader:
                group = reader.until("lobby")["group"]
        with reading(client, group) as bo:
            bo.send(type="sit", name="Bo")
            bo.until("seated")
    store = Store(location(tmp_path))
    assert store.people(game) == {1: "Bo"} and store.grant(group) == TokenGrant(game, tokens.GROUP, None)
    store.close()


# ── a minute's reading ──


@pytest.mark.parametrize("name", one_in(4, ["tests/games/goofspiel.yaml", *library.available()]))
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_short_description_is_that_of_the_rulebook(tmp_path: Path, name: str, language: str) -> None:
    contents = RulebookBuilder(library.load(name), language)
    passages = {link.anchor for chapter in contents.rulebook().chapters for link in chapter.links()}
    with server(tmp_path, [name]) as client:
        data = client.get(f"/editions/{offered(client)}/glance", params={"language": language}).json()
    words = " ".join([data["text"], *(point["text"] for part in data["parts"] for point in part["points"])]).split()
    assert 20 < len(words) < 300, "a minute"
    assert data["text"] == contents.text("edition")
    points = [point for part in data["parts"] for point in part["points"]]
    assert points and {point["passage"] for point in points if point["text"]} <= passages
    assert data["chosen"] == [] and data["people"] == list(contents.edition.people)


def test_the_short_description_names_changed_options(client: TestClient) -> None:
    address = f"/editions/{offered(client)}/glance"
    assert client.get(address, params={"quick": "yes"}).json()["chosen"] == [["Quick", "yes"]]
    assert client.get(address, params={"quick": "perhaps"}).status_code == 404
    assert client.get("/editions/nonsense/glance").status_code == 404


# ── who is there ──


@pytest.mark.rotating(2)
@on_both
def test_attendance_is_announced(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(absence=0)) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"), {"player": "greedy"})
        with reading(client, tokens.watch(links["host"])) as onlooker:
            until(onlooker, lambda document: set(document.get("away", {})) == {"0", "1"})
            assert set(onlooker.document["away"].values()) == {0}, "nobody knows since when"
            with reading(client, links["seats"][1]) as bo, reading(client, links["seats"][1]) as also:
                until(onlooker, lambda document: document.get("away") == {"0": 0})
                until(bo, lambda document: document.get("away") == {"0": 0})
                also.question()
            until(onlooker, lambda document: set(document["away"]) == {"0", "1"})
            assert onlooker.document["away"]["1"] > 1_700_000_000
            changes = [message for message in onlooker.received if message["type"] == "state"]
            assert all(message["log"]["start"] in (-1, 0) for message in changes), "it says nothing of the game"


@on_both
def test_a_reload_is_no_leaving(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(absence=3600)) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, links["seats"][0]) as ann:
            ann.question()
            for _ in range(3):
                with reading(client, links["seats"][1]) as bo:
                    bo.question()
            ann.answer("1")
            assert all("away" not in message for message in ann.received)


def test_one_page_of_several_may_be_closed() -> None:
    lines = list[str]()

    async def come_and_go() -> None:
        attendance = Attendance(lambda: lines.append("told"), 0)
        for _ in range(2):
            attendance.come(1)
        attendance.go(1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert attendance.away == {} and lines == []
        attendance.go(1)
        while not lines:
            await asyncio.sleep(0)
        assert attendance.away.keys() == {1}
        attendance.come(1)
        assert attendance.away == {} and lines == ["told", "told"]

    asyncio.run(come_and_go())


# ── again with the same people ──


def over(*people: Reader) -> None:
    """Play a quick game to its end."""
    for person in people:
        for _ in range(2):
            person.answer("1")
    for person in people:
        person.look(lambda state: state["over"])


def until(reader: Reader, existing: Callable[[dict[str, Any]], object]) -> None:
    while not existing(reader.document):
        reader.next()


QUICK = {"quick": "yes"}


@on_both
def test_a_rematch_with_the_same_people(client: TestClient) -> None:
    """Any player starts the rematch; the others are told and take their own seats, moved by one."""
    links = begin(client, local_player("Ann"), local_player("Bo"), {"player": "random"}, options=QUICK)
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        onlooker = stack.enter_context(reading(client, tokens.watch(links["host"])))
        ann.question()
        assert "not over" in ann.refused(type="rematch")
        over(ann, bo)
        assert "Nobody has begun" in onlooker.refused(type="rematch")
        assert "rematch" not in ann.document
        bo.send(type="rematch")
        argument = bo.until("rematch")
        for reader in (ann, onlooker):
            until(reader, lambda document: document.get("rematch") == "Bo")
        host = stack.enter_context(reading(client, argument["host"]))
        lobby = host.until("lobby")
        assert [(seat["name"], seat.get("awaited", "")) for seat in lobby["seats"]] == [
            ("Bo", ""), ("Ada", ""), ("", "Ann"),
        ]  # fmt: skip
        assert lobby["chosen"] == QUICK and lobby["inviter"] == "Bo" and lobby["group"]
        ann.send(type="rematch")
        mine = ann.until("rematch")
        assert "host" not in mine and mine["token"] not in (*links["seats"], argument["token"])
        with reading(client, mine["token"]) as again:
            again.question()
            assert again.table["seat"] == 2
            assert [seat["name"] for seat in again.table["seats"]] == ["Bo", "Ada", "Ann"]
            assert not again.state["over"]
        for reader, expected in ((bo, argument), (ann, mine)):
            reader.send(type="rematch")
            assert reader.until("rematch") == expected, "who asks again gets the same"


@on_both
def test_onlookers_go_along_to_the_next_table_and_whoever_has_the_replay_does_not(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), options=QUICK)
    with ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        onlooker = stack.enter_context(reading(client, tokens.watch(links["host"])))
        host = stack.enter_context(reading(client, links["host"]))
        over(ann, bo)
        ann.send(type="share")
        stranger = stack.enter_context(reading(client, ann.until("shared")["token"]))
        stranger.look(lambda state: state["over"])
        bo.send(type="rematch")
        start = bo.until("rematch")
        for reader in (onlooker, host):
            until(reader, lambda document: document.get("rematch") == "Bo")
            for _ in range(2):
                reader.send(type="rematch")
            argument, again = reader.until("rematch"), reader.until("rematch")
            assert argument == again and "host" not in argument and argument["token"] != start["token"]
            existing = stack.enter_context(reading(client, argument["token"]))
            lobby = existing.until("lobby")
            assert (lobby["you"], [seat["name"] for seat in lobby["seats"]]) == ("watch", ["Bo", ""])
            assert "does not allow" in existing.refused(type="sit", name="Eve")
        assert "does not allow" in stranger.refused(type="rematch")
        assert "rematch" not in stranger.document, "a replay is for anybody"


@pytest.mark.rotating(6)
@on_both
def test_the_computer_takes_the_seats_that_are_left(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client, ExitStack() as stack:
        links = begin(client, local_player("Ann"), FRIEND, FRIEND, options=QUICK)
        host, invited = (
            stack.enter_context(reading(client, token)) for token in (links["host"], tokens.invite(links["host"], 2))
        )
        with reading(client, tokens.group(links["host"])) as bo:
            bo.until("lobby")
            assert "does not allow" in bo.refused(type="fill")
            bo.send(type="sit", name="Bo")
            seat = bo.until("seated")["token"]
        invited.until("lobby")
        host.send(type="fill")
        assert "is taken" in invited.until("refused")["text"]
        assert "No seat is free" in host.refused(type="fill")
        ann, bo = (stack.enter_context(reading(client, token)) for token in (links["seats"][0], seat))
        late = stack.enter_context(reading(client, tokens.group(links["host"])))
        late.look(lambda state: state["waiting"])
        assert "taken by now" in late.refused(type="sit", name="Cy")
        ann.question()
        assert [(one["name"], one["kind"]) for one in ann.table["seats"]] == [
            ("Ann", "person"), ("Bo", "person"), ("Ada", "bot"),
        ]  # fmt: skip
        ann.answer("1")
    with server(tmp_path, []) as client, ExitStack() as stack:
        ann, bo = (stack.enter_context(reading(client, token)) for token in (links["seats"][0], seat))
        ann.answer("2")
        for key in ("1", "2"):
            bo.answer(key)
        ann.look(lambda state: state["over"])
        ann.send(type="rematch")
        with reading(client, ann.until("rematch")["token"]) as again:
            assert [one["kind"] for one in again.until("lobby")["seats"]] == ["person", "bot", "person"]


@on_both
def test_two_who_click_at_once_come_to_one_table(tmp_path: Path) -> None:
    """Even at two servers that share a log."""
    path = guessing(tmp_path)
    with server(tmp_path, [path]) as one, server(tmp_path, [path]) as other:
        links = begin(one, local_player("Ann"), local_player("Bo"), options=QUICK)
        with reading(one, links["seats"][0]) as ann, reading(one, links["seats"][1]) as bo:
            over(ann, bo)
        with reading(one, links["seats"][0]) as ann, reading(other, links["seats"][1]) as bo:
            bo.look(lambda state: state["over"])
            ann.send(type="rematch")
            first = ann.until("rematch")
            bo.send(type="rematch")
            second = bo.until("rematch")
        assert "host" in first and "host" not in second
        with reading(other, second["token"]) as again:
            again.question()
            assert [seat["name"] for seat in again.table["seats"]] == ["Bo", "Ann"]


@on_both
def test_a_seat_of_the_next_table_may_be_given_away(client: TestClient) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"), options=QUICK)
    with reading(client, links["seats"][0]) as ann, reading(client, links["seats"][1]) as bo:
        over(ann, bo)
        ann.send(type="rematch")
        argument = ann.until("rematch")
        with reading(client, tokens.group(argument["host"])) as cy:
            cy.send(type="sit", name="Cy")
            cy.until("seated")
        assert "taken" in bo.refused(type="rematch")


def test_a_host_without_a_seat_begins_again(client: TestClient) -> None:
    links = begin(client, FRIEND, options=QUICK)
    with reading(client, tokens.group(links["host"])) as ann:
        ann.send(type="sit", name="Ann")
        token = ann.until("seated")["token"]
    with reading(client, links["host"]) as host, reading(client, token) as ann:
        over(ann)
        host.look(lambda state: state["over"])
        host.send(type="rematch")
        argument = host.until("rematch")
        assert "token" not in argument
        until(ann, lambda document: document.get("rematch") == "")
        ann.send(type="rematch")
        with reading(client, ann.until("rematch")["token"]) as again:
            assert again.question()


@given(st.lists(st.sampled_from([None, "leo"]), min_size=1, max_size=8))
def test_another_seat_is_first_in_a_rematch(roles: list[str | None]) -> None:
    seats = [Seat(str(number), "random", role) for number, role in enumerate(roles)]
    order = rotate_seats(seats)
    assert sorted(order) == list(range(len(seats)))
    assert all(order[number] == number for number, seat in enumerate(seats) if seat.role)
    people = [number for number, seat in enumerate(seats) if not seat.role]
    assert [order[number] for number in people] == people[1:] + people[:1]
