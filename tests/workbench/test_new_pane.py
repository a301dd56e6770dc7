"""The dialogue 'New' and the pane 'Share' as the page asks them: files come to be, and nothing is overwritten."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from example_counts import one_in
from game_servers import GUESSING
from rulewright.authoring.edition_check import examine
from rulewright.game import library
from rulewright.workbench.new_game import dialog_texts, game_archive, game_maker
from workbenches import Refused, Workbench, workbench

GAME = "guessing.yaml"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tmp_path_factory.mktemp("home"), {GAME: GUESSING}) as home:
        yield home


def sound(home: Workbench, name: str) -> Path:
    path = home.bench.folder.file(name)
    report = examine(str(path))[1]
    assert not report.diagnostics, report.render()
    return path


@pytest.mark.rotating(3)
def test_the_dialog_lists_existing_games(home: Workbench) -> None:
    text = home.get("new")
    assert {"wild-cards/2022", "classics/hearts"} <= {one["name"] for one in text["editions"]}
    assert "wild-cards/2020" not in text["whole"]
    for name in ("wild-cards/2020", "classics/hearts"):
        assert {"name": name, "title": library.load(name).title} in text["editions"]
    assert {turn["of"] for turn in text["turns"]} == {"cards", "dice", "board", "path", "markers"}
    names = {f"new turn {turn['name']}" for turn in text["turns"]}
    names |= {f"new win {win}" for turn in text["turns"] for win in turn["wins"]}
    assert names == set(dialog_texts.WORDS), "all have words, in the reader's language"


def test_a_game_from_nothing_lies_in_the_folder(home: Workbench) -> None:
    expected = {"name": "Sun & Moon", "turn": "draft", "win": "points", "sorts": ["sun", "moon"], "copies": 2}
    names = [home.post("new/nothing", expected)["file"] for _ in range(2)]
    assert names == ["sun-moon.yaml", "sun-moon-2.yaml"]
    assert library.load(str(sound(home, names[1]))).title == "Sun & Moon"
    assert home.bench.is_there("sun-moon-2.examples.yaml")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("nothing", {"name": "", "turn": "draft", "win": "points", "sorts": ["sun", "moon"]}),
        ("nothing", {"name": "x", "turn": "draft", "win": "points", "sorts": ["sun"]}),
        ("nothing", {"name": "x", "turn": "draft", "win": "row", "sorts": ["sun", "moon"]}),
        ("nothing", {"name": "x", "turn": "../draft", "win": "points"}),
        ("nothing", {"name": "x", "turn": "draft", "win": "points", "sorts": ["a", "b"], "highest": 10**9}),
        ("nothing", {"name": "x", "turn": "draft", "win": "points", "sorts": ["a", "b"], "highest": 3, "most": 8}),
        ("nothing", {"name": "x", "turn": "place", "win": "row", "most": 8}),
        ("nothing", {"name": "x", "turn": "place", "win": "row", "rows": 1}),
        ("nothing", {"name": "x", "turn": "place", "win": "row", "columns": 26, "rows": 26}),
        ("variant", {"name": "x", "edition": "/etc/passwd"}),
        ("variant", {"name": "  ", "edition": "wild-cards/2022"}),
        ("copy", {"name": "x", "edition": "wild-cards/2020"}),
        ("copy", []),
    ],
)
def test_impossible_games_are_refused_with_a_message(path: str, body: Any, home: Workbench) -> None:
    before = home.bench.folder.names()
    with pytest.raises(Refused) as refused:
        home.post(f"new/{path}", body)
    assert refused.value.status == 400
    assert "text" in refused.value.text
    assert home.bench.folder.names() == before


@pytest.mark.rotating(4)
@pytest.mark.parametrize("edition", ["wild-cards/2022", "wild-cards/2020", "classics/hearts"])
def test_a_variant_changes_nothing_yet(edition: str, home: Workbench) -> None:
    name = home.post("new/variant", {"name": 'Long: "hands"', "edition": edition})["file"]
    result = library.load(str(sound(home, name)))
    assert result.play_digest == library.load(edition).play_digest
    assert 'Long: "hands"' in result.title


@pytest.mark.rotating(4)
def test_a_copy_is_a_whole_game_with_its_pictures_and_examples(home: Workbench) -> None:
    first, second = (home.post("new/copy", {"name": "Cold Hearts", "edition": "classics/hearts"})["file"] for _ in "ab")
    assert (first, second) == ("cold-hearts.yaml", "cold-hearts-2.yaml")
    result = library.load(str(sound(home, second)))
    assert result.title == "Cold Hearts"
    assert result.play_digest == library.load("classics/hearts").play_digest
    pictures = {path.name for path in (home.bench.folder.path / "pictures").iterdir()}
    assert {"spades.svg", "cover-cold-hearts.svg"} <= pictures
    assert "cover-reversi.svg" not in pictures


@pytest.mark.rotating(2)
def test_pictures_of_another_game_are_left_alone(tmp_path: Path) -> None:
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        own = tmp_path / "pictures" / "spades.svg"
        own.parent.mkdir()
        own.write_text("mine", encoding="utf-8")
        name = home.post("new/copy", {"name": "Hearts", "edition": "classics/hearts"})["file"]
        assert name == "hearts/hearts.yaml"
        assert own.read_text(encoding="utf-8") == "mine"
        sound(home, name)


def test_a_copy_draws_nothing_through_a_link(tmp_path: Path) -> None:
    """A folder that came from somebody may lead elsewhere."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "pictures").symlink_to(outside)
    with workbench(tmp_path / "folder") as home:
        with pytest.raises(Refused, match="'pictures' lies outside of the folder"):
            home.post("new/copy", {"name": "Hearts", "edition": "classics/hearts"})
        assert list(outside.iterdir()) == [] and home.bench.folder.names() == []


@pytest.mark.rotating(4)
def test_a_copy_brings_its_translations(tmp_path: Path) -> None:
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        name = home.post("new/copy", {"name": "My hearts", "edition": "classics/hearts"})["file"]
        texts = home.get("texts", file=name, to="de")
        assert {"de", "it", "nl"} <= set(texts["begun"]) and not texts["trouble"]
        missing = [text["one"] for text in texts["texts"] if text["state"] == "missing"]
        assert missing == ["My hearts"], missing


@pytest.mark.parametrize("name", one_in(3, game_maker.whole_games()))
def test_every_game_can_be_copied(name: str, tmp_path: Path) -> None:
    result = game_maker.copy_game(name, "Mine", "mine.yaml")
    assert "yaml-language-server" not in result.text + result.examples
    assert result.text.count("title: ") > 1
    path = tmp_path / "mine.yaml"
    path.write_text(result.text, encoding="utf-8")
    for file, content in result.pictures.items():
        (tmp_path / "pictures").mkdir(exist_ok=True)
        (tmp_path / "pictures" / file).write_bytes(content)
    report = examine(str(path))[1]
    assert not report.diagnostics, report.render()


def test_a_game_travels_as_one_file(home: Workbench) -> None:
    packed = home.raw(f"api/share/file?file={GAME}")
    assert zipfile.ZipFile(io.BytesIO(packed)).testzip() is None
    name = sent(home, packed, "guessing.rulewright")["file"]
    assert name == "guessing/guessing.yaml"
    assert home.bench.text(name) == GUESSING


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK" + b"\0" * (game_archive.MAX_BYTES + 1)])
def test_other_files_are_no_archives(content: bytes, home: Workbench) -> None:
    with pytest.raises(OSError):
        sent(home, content, "x.rulewright")


def sent(home: Workbench, content: bytes, name: str) -> Any:
    with urlopen(Request(f"{home.address}api/new/parcel?name={name}", content, home._headers("for-tests"))) as answer:
        return json.load(answer)
