"""The types of the pages, held against what the server says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import decode, encode

import bundle_pages
import page_types
import places
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.views import seat_view
from rulewright.server.views.table_metadata import table_metadata
from rulewright.server.web import edition_list

TYPES = page_types.FILE.with_name("types")
EDITIONS = [
    "wild-cards/2022",
    "wildlife/2002",
    "classics/reversi",
    str(places.ROOT / "tests" / "games" / "harbours.yaml"),
]


def test_types_of_messages_are_those_of_the_records() -> None:
    """After a change: `python tools/page_types.py`."""
    assert page_types.FILE.read_text(encoding="utf-8") == page_types.text()
    assert page_types.DEFAULTS.read_text(encoding="utf-8") == page_types.defaults()


def checked(folder: Path, declarations: dict[str, tuple[str, Any]]) -> str:
    """What the type checker says about values, each with its type."""
    bundle_pages.install(bundle_pages.ROOT, tools=True)
    names = sorted({of for of, _ in declarations.values()})
    text = f"import type {{ {', '.join(names)} }} from {json.dumps(str(TYPES))};\n"
    text += "".join(f"export const {name}: {of} = {json.dumps(value)};\n" for name, (of, value) in declarations.items())
    (folder / "said.ts").write_text(text, encoding="utf-8")
    words = [*bundle_pages.tool(bundle_pages.ROOT, "tsc"), "--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck"]
    words += ["--target", "es2024", "--module", "esnext", "--moduleResolution", "bundler", "--allowJs", "said.ts"]
    return subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=False).stdout


def test_what_a_page_is_told_has_the_types_that_it_reads(tmp_path: Path) -> None:
    offers, texts = EditionRegistry(EDITIONS), dict[str, tuple[str, Any]]()
    for number, name in enumerate(EDITIONS):
        game = Game.start(library.load(name), ["Ann", "Bo", "Cy"][: 2 if "reversi" in name else 3], seed=1)
        texts[f"table{number}"] = ("Glossary", table_metadata(Labels(game)))
        texts[f"now{number}"] = ("Seen", decode(encode(seat_view.now(Labels(game), 0, 0))))
    for number, offer in enumerate(offers.all().values()):
        texts[f"edition{number}"] = ("Described", edition_list.describe(offer, "en"))
    assert checked(tmp_path, texts) == ""


@pytest.mark.parametrize("wrong", [{"title": 3}, {"boards": [{}]}, {"pieces": {"a": {"label": "A"}}}, {"cower": "x"}])
def test_what_has_another_type_is_noticed(wrong: dict[str, Any], tmp_path: Path) -> None:
    game = Game.start(library.load("classics/reversi"), ["Ann", "Bo"], seed=1)
    assert "error TS" in checked(tmp_path, {"table": ("Glossary", {**table_metadata(Labels(game)), **wrong})})
