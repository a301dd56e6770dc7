"""Tables for friends: a server of its own, for just the version that is shared, that ends with the workbench."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from game_servers import GUESSING, PATIENCE
from rulewright.game import library
from rulewright.server.edition_registry import playable_edition
from rulewright.workbench.play.game_start import default_start
from rulewright.workbench.share.friends_server import FriendsServer
from rulewright.workbench.share.share_store import ShareStore, SharingError


@pytest.fixture
def notified() -> Event:
    return Event()


@pytest.fixture
def friends(tmp_path: Path, notified: Event) -> Iterator[FriendsServer]:
    friends = FriendsServer(tmp_path, notified.set)
    yield friends
    friends.stop()


@pytest.mark.rotating(4)
def test_a_table_is_shared_and_comments_come_back(tmp_path: Path, friends: FriendsServer, notified: Event) -> None:
    path = tmp_path / "guessing.yaml"
    path.write_text(GUESSING, encoding="utf-8")
    shared, result = ShareStore(tmp_path), playable_edition(library.load(str(path)))
    digest = shared.put_edition(result)
    index = friends.start(everywhere=False)
    assert index.startswith("http://127.0.0.1:")
    assert friends.start(everywhere=False) == index
    table = friends.table(digest, "Nora", 1, 1, "random")
    assert table.mine.startswith(f"{index}table#") and table.mine.count(",") == 1
    assert len({table.mine, table.invite, table.watch}) == 3
    assert "<title>" in urlopen(table.invite).read().decode()
    with pytest.raises(SharingError):
        friends.table(digest, "Nora", 9, 9, "random")
    line = shared.put_line(result, "guessing.yaml", 1, "", default_start(result.rules.edition, 2), [], False)
    texts = {"token": shared.token(line), "step": 0, "name": "Timo", "text": "Nice"}
    urlopen(Request(f"{index}remarks/say", json.dumps(texts).encode(), {"content-type": "application/json"}))
    assert notified.wait(PATIENCE)
    assert [remark.text for remark in shared.comments()] == ["Nice"]
    process = friends._process
    friends.stop()
    assert process.exitcode == 0  # it ended by itself, and was not killed
    with pytest.raises(URLError):
        urlopen(index)
