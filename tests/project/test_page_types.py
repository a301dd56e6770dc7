"""The types of the pages, held against what the server says."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import decode, encode

import bundle_pages
import page_types
import project_folders
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.views import seat_view
from rulewright.server.views.table_metadata import table_metadata
from rulewright.server.web import edition_list
from rulewright.workbench.statistics.game_player import SamplePlayer
from rulewright.workbench.statistics.sample_requests import CurveRequest, GamesRequest, SearchRequest, TableRequest
from small_games.quarry import QUARRY
from workbenches import Workbench, workbench

TYPES, ANSWERS = page_types.PROTOCOL.with_name("types"), page_types.RECORDS.with_name("answers")
EDITIONS = [
    "wild-cards/2022",
    "wildlife/2002",
    "classics/reversi",
    str(project_folders.ROOT / "tests" / "games" / "harbours.yaml"),
]


def test_types_of_messages_match_the_records() -> None:
    """Run `python tools/page_types.py` after a change."""
    for path, text in page_types.texts().items():
        assert path.read_text(encoding="utf-8") == text


def checked(folder: Path, declarations: dict[str, tuple[str, Any]]) -> str:
    """Return the output of the type checker on values, each with its type: the name of one, or a part of `Answers`."""
    bundle_pages.install(bundle_pages.ROOT, tools=True)
    names = {of.partition("[")[0]: ANSWERS if "[" in of else TYPES for of, _ in declarations.values()}
    text = "".join(f"import type {{ {name} }} from {json.dumps(str(names[name]))};\n" for name in sorted(names))
    text += "".join(f"export const {name}: {of} = {json.dumps(value)};\n" for name, (of, value) in declarations.items())
    (folder / "said.ts").write_text(text, encoding="utf-8")
    words = [*bundle_pages.tool(bundle_pages.ROOT, "tsc"), "--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck"]
    words += ["--target", "es2024", "--module", "esnext", "--moduleResolution", "bundler", "--allowJs", "said.ts"]
    return subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=False).stdout


@pytest.mark.rotating(4)
def test_messages_to_a_page_have_their_types(tmp_path: Path) -> None:
    offers, texts = EditionRegistry(EDITIONS), dict[str, tuple[str, Any]]()
    for number, name in enumerate(EDITIONS):
        game = Game.start(library.load(name), ["Ann", "Bo", "Cy"][: 2 if "reversi" in name else 3], seed=1)
        texts[f"table{number}"] = ("Glossary", table_metadata(Labels(game)))
        texts[f"now{number}"] = ("Seen", decode(encode(seat_view.now(Labels(game), 0, 0))))
    for number, offer in enumerate(offers.all().values()):
        texts[f"edition{number}"] = ("Described", edition_list.describe(offer, "en"))
    assert checked(tmp_path, texts) == ""


@pytest.mark.rotating(3)
@pytest.mark.parametrize("wrong", [{"title": 3}, {"boards": [{}]}, {"pieces": {"a": {"label": "A"}}}, {"cower": "x"}])
def test_another_type_is_noticed(wrong: dict[str, Any], tmp_path: Path) -> None:
    game = Game.start(library.load("classics/reversi"), ["Ann", "Bo"], seed=1)
    assert "error TS" in checked(tmp_path, {"table": ("Glossary", {**table_metadata(Labels(game)), **wrong})})


# ── the workbench ──

FILE = "quarry.yaml"


def workbench_answers(home: Workbench) -> Iterator[tuple[str, Any]]:
    """Yield answers of a workbench to its panes, by address: of a game that is played, and of a case of it that fails
    once the rules have changed."""

    def got(path: str, **slots: Any) -> tuple[str, Any]:
        return path, home.get(path, file=FILE, **slots)

    def posted(path: str, body: Any, **slots: Any) -> tuple[str, Any]:
        return path, home.post(path, body, file=FILE, **slots)

    for path in ("files", "history", "history/1", "figures", "new", "play/form", "changes", "book", "share"):
        yield got(path)
    node = got("play")[1]["node"]
    yield posted("play/answer", {"node": node, "seat": 0, "take": ["dig"]})
    node = got("play")[1]["node"]
    name = got("cases/name", node=node)
    yield from (name, posted("cases/make", {"node": node, "name": name[1]["name"]}))
    yield from (got("play"), got("play/lines"), got("play/where", what="zone", name="pouch"))
    yield from (got("steps"), got("steps/table"), got("steps/why", piece="pebble", zone="pouch/0/"))
    setup = got("setup")
    yield from (setup, posted("setup/check", setup[1]["draft"]), posted("setup/play", setup[1]["draft"]))
    texts = got("texts", to="de")
    [known, *_] = texts[1]["texts"]
    typed = {"context": known["context"], "one": known["one"], "texts": ["Steinbruch"]}
    yield from (texts, posted("texts/check", typed, to="de"), posted("texts/write", {"all": [typed]}, to="de"))
    home.type(FILE, QUARRY.replace("load: 2", "load: 3"))
    yield posted("play/go", {"node": node})
    since = len(home.messages)
    got("cases")
    home.wait(lambda message: message["type"] == "cases", since)
    cases = got("cases")
    failing = {"cases": "quarry.cases.yaml", "name": name[1]["name"]}
    yield from (cases, got("cases/picture", **failing), posted("cases/play", failing), posted("cases/mend", failing))


@pytest.mark.rotating(4)
def test_responses_of_the_workbench_have_their_types(tmp_path: Path) -> None:
    with workbench(tmp_path / "game", {FILE: QUARRY}) as home:
        answers = list(workbench_answers(home))
    assert dict(answers)["cases/picture"]["picture"]
    assert dict(answers)["play/go"]["parted"]
    declared = {f"answer{number}": (f'Answers["{path}"]', answer) for number, (path, answer) in enumerate(answers)}
    assert checked(tmp_path, declared) == ""
    assert "error TS" in checked(tmp_path, {"answer": ('Answers["cases"]', {**dict(answers)["cases"], "current": 1})})


@pytest.mark.rotating(5)
def test_statistics_have_their_types(tmp_path: Path) -> None:
    edition = library.from_text(QUARRY, FILE).edition
    base = library.from_text(QUARRY.replace("load: 2", "load: 1"), FILE).edition
    curve, search = CurveRequest("load", 1, 3), SearchRequest(("load=1..3",), ("rounds=2", "total=high"))
    request = GamesRequest("one", edition, TableRequest("random,random", ()), base, curve, search)
    messages = [message for message in SamplePlayer().play(request) if message is not None]
    latest = {kind: {"file": FILE, "key": key, **(data or {})} for key, kind, data in messages if kind != "rest"}
    assert set(latest) == {"figures", "curve", "search"}
    assert checked(tmp_path, {kind: (f'Events["{kind}"]', message) for kind, message in latest.items()}) == ""
