"""A line of play that others look at: they see what they may, say something of a moment, and can do nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from game_servers import GUESSING, HOSTS
from rulewright.game import library
from rulewright.server.application import AppSettings, application
from rulewright.server.edition_registry import MAX_OLD_EDITIONS, PlayableEdition, playable_edition
from rulewright.server.limits import Limits
from rulewright.server.storage.store import Store
from rulewright.workbench.play.game_start import default_start
from rulewright.workbench.play.play_tree import PlayTree
from rulewright.workbench.share import comment_api
from rulewright.workbench.share.comment_api import MAX_CACHED_GAMES, CommentApi
from rulewright.workbench.share.share_store import MAX_LINES, SharedOffers, ShareStore, SharingError


@pytest.fixture
def edition(tmp_path: Path) -> PlayableEdition:
    path = tmp_path / "guessing.yaml"
    path.write_text(GUESSING, encoding="utf-8")
    return playable_edition(library.load(str(path)))


@pytest.fixture
def shared(tmp_path: Path) -> ShareStore:
    return ShareStore(tmp_path)


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def client(tmp_path: Path, shared: ShareStore, messages: list[str]) -> Iterator[TestClient]:
    offers = SharedOffers(shared)
    desk = CommentApi(shared, offers, lambda: messages.append("heard"))
    store = Store(tmp_path / "tables.sqlite")
    result = application(store, offers, AppSettings(Limits(hold=0), HOSTS, routes=desk.routes()))
    with TestClient(result, "http://testserver") as client:
        yield client


def played(edition: PlayableEdition) -> PlayTree:
    """A tree that is gone to the end of a game."""
    tree = PlayTree(edition.rules)
    node = tree.start_game(default_start(edition.rules.edition, 2))
    while not tree.game_at(node).over:
        node = tree.answer_by_computer(node, "random")
    return tree


def remark_page(shared: ShareStore, edition: PlayableEdition, everything: bool = False) -> str:
    tree = played(edition)
    assert tree.current is not None
    root, *rest = tree.current.line()
    assert root.beginning is not None
    answers = [(node.seat, node.keys) for node in rest]
    line = shared.put_line(edition, "guessing.yaml", 7, "An odd end", root.beginning, answers, everything)
    return shared.token(line)


def look(client: TestClient, token: str, step: int = 0, **more: Any) -> Any:
    answer = client.post("/remarks/look", json={"token": token, "step": step, **more})
    return answer.json() if answer.status_code == 200 else answer.status_code


def say(client: TestClient, token: str, step: int, text: str, name: str = "Nora") -> int:
    answer = client.post("/remarks/say", json={"token": token, "step": step, "name": name, "text": text})
    return answer.status_code


def pouches(text: Any) -> list[Any]:
    return [zone.get("pieces") for zone in text["past"]["state"]["zones"].values() if zone["zone"] == "pouch"]


def test_snapshots_are_those_of_a_spectator(client: TestClient, shared: ShareStore, edition: PlayableEdition) -> None:
    result = look(client, remark_page(shared, edition))
    assert result["title"] == "An odd end"
    assert result["table"]["seats"][0]["name"]
    assert result["steps"] > 2
    assert pouches(result) == [None, None]
    assert not result.get("everything")


def test_snapshots_are_complete_on_demand(client: TestClient, shared: ShareStore, edition: PlayableEdition) -> None:
    result = look(client, remark_page(shared, edition, everything=True))
    assert result["everything"] is True
    assert all(len(pieces) == 1 for pieces in pouches(result))


def test_a_comment_reaches_the_designer_with_its_snapshot(
    client: TestClient, shared: ShareStore, edition: PlayableEdition, messages: list[str]
) -> None:
    token = remark_page(shared, edition)
    last = look(client, token)["steps"] - 1
    assert say(client, token, last, "Is this <b>right</b>?\n\n  I\x00 \u202edoubt it.", "Nora\n") == 200
    [remark] = shared.comments()
    [line] = shared.lines()
    assert (remark.line, remark.step, remark.name) == (line.id, last, "Nora")
    assert remark.text == "Is this <b>right</b>?\nI doubt it."
    assert remark.answers == len(line.answers)
    assert messages == ["heard"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"token": "x", "step": 0, "name": "", "text": "hi"},
        {"token": "", "step": 0, "name": "", "text": "hi"},
        {"token": "TOKEN", "step": 10_000, "name": "", "text": "hi"},
        {"token": "TOKEN", "step": -1, "name": "", "text": "hi"},
        {"token": "TOKEN", "step": 0, "name": "", "text": "  \n"},
        {"token": "TOKEN", "step": 0, "name": "", "text": "x" * 100_000},
        {"token": "TOKEN", "step": 0, "name": "x" * 5000, "text": "hi"},
        {"token": "TOKEN", "step": 0, "name": "", "text": "hi", "line": 1},
        {"token": ["TOKEN"], "step": 0, "name": "", "text": "hi"},
        [],
    ],
)
def test_invalid_comments_are_refused(
    body: Any, client: TestClient, shared: ShareStore, edition: PlayableEdition, messages: list[str]
) -> None:
    token = remark_page(shared, edition)
    if isinstance(body, dict) and body.get("token") == "TOKEN":
        body = {**body, "token": token}
    answer = client.post("/remarks/say", json=body)
    assert answer.status_code == 400
    assert answer.json()["text"]
    assert not shared.comments() and not messages


def test_a_link_that_is_closed_opens_nothing(client: TestClient, shared: ShareStore, edition: PlayableEdition) -> None:
    token = remark_page(shared, edition)
    assert say(client, token, 0, "hm") == 200
    shared.remove_line(shared.lines()[0].id)
    assert look(client, token) == 400
    assert say(client, token, 0, "hm") == 400
    assert not shared.comments()


def test_remarks_are_bounded(client: TestClient, shared: ShareStore, edition: PlayableEdition) -> None:
    token = remark_page(shared, edition)
    texts = [say(client, token, 0, f"remark {number}") for number in range(comment_api.COMMENT_BURST + 1)]
    assert texts == [200] * comment_api.COMMENT_BURST + [400]


def test_wrong_links_are_counted_too(client: TestClient, shared: ShareStore, edition: PlayableEdition) -> None:
    for _ in range(comment_api.COMMENT_BURST):
        assert say(client, "guessed", 0, "hm") == 400
    assert say(client, remark_page(shared, edition), 0, "hm") == 400


def test_large_messages_are_not_read(client: TestClient) -> None:
    answer = client.post("/remarks/say", content=b'{"token": "' + b"x" * comment_api.MAX_BYTES)
    assert "did not understand" in answer.json()["text"]


def test_digests_that_nobody_knows_push_out_no_game(shared: ShareStore, edition: PlayableEdition) -> None:
    offers, digest = SharedOffers(shared), shared.put_edition(edition)
    known = offers.get(digest)
    assert known is not None
    assert all(offers.get(f"{number:064x}") is None for number in range(MAX_OLD_EDITIONS + 1))
    assert offers.get(digest) is known


def test_many_at_once_see_their_games(shared: ShareStore, edition: PlayableEdition) -> None:
    """More games than are kept, asked for by several threads."""
    beginning = default_start(edition.rules.edition, 2)
    desk = CommentApi(shared, SharedOffers(shared), lambda: None)
    for number in range(MAX_CACHED_GAMES + 4):
        shared.put_line(edition, "guessing.yaml", number, "", beginning, [], False)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(desk._game_of_line, shared.lines() * 20))


@pytest.mark.rotating(2)
def test_shown_lines_are_bounded(shared: ShareStore, edition: PlayableEdition) -> None:
    beginning = default_start(edition.rules.edition, 2)
    for number in range(MAX_LINES):
        shared.put_line(edition, "guessing.yaml", number, "", beginning, [], False)
    with pytest.raises(SharingError):
        shared.put_line(edition, "guessing.yaml", 0, "", beginning, [], False)


def test_the_page_stands_on_its_own(client: TestClient) -> None:
    page = client.get("/remarks")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for name in [part.split('"')[0] for part in page.text.split("/page/")[1:]]:
        assert client.get(f"/page/{name}").status_code == 200, name
    assert client.get("/page/remarks-none.js").status_code == 404
    assert client.get("/words").json()["words"]["remark send"] == "Send"


def test_tables_begin_with_just_the_version_that_was_shared(
    client: TestClient, shared: ShareStore, edition: PlayableEdition
) -> None:
    digest = shared.put_edition(edition)
    assert edition.rules.edition.files[0].write_text("broken", encoding="utf-8")
    assert client.get("/editions").json()["editions"] == []
    seats = [{"player": "here", "name": "Ada"}, {"player": "friend"}]
    answer = client.post("/tables", json={"edition": digest, "seats": seats, "options": {}})
    assert answer.status_code == 201, answer.text
