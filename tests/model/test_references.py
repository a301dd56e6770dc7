"""Files beside an edition: links to elsewhere are refused with a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.authoring.edition_check import examine
from rulewright.authoring.scenarios import examples
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.i18n import catalogs
from rulewright.model.pictures import PictureError, Pictures

GAME = """\
rulewright: 1
title: Mine
players: 2
pieces:
  gem: {copies: 2, starts in: box}
zones:
  box: {seen by: all}
phases: {play: {do: end game}}
looks:
  cards: {gem: {picture: gem}}
"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "mine.yaml").write_text(GAME, encoding="utf-8")
    return folder / "mine.yaml"


@pytest.mark.parametrize("linked", ["pictures", "pictures/gem.svg"])
def test_a_picture_that_is_a_link_to_elsewhere_is_not_shown(game: Path, linked: str) -> None:
    outside = game.parent.parent / "outside"
    outside.mkdir()
    (outside / "gem.svg").write_text(PICTURE, encoding="utf-8")
    (game.parent / linked).parent.mkdir(exist_ok=True)
    (game.parent / linked).symlink_to(outside if linked == "pictures" else outside / "gem.svg")
    with pytest.raises(PictureError, match="leads out of the folder"):
        Pictures(library.load(str(game)).edition).svg("gem")
    assert any("leads out of the folder" in found.message for found in examine(str(game))[1].warnings)


def test_a_picture_may_be_a_link_to_another_one(game: Path) -> None:
    pictures = game.parent / "pictures"
    pictures.mkdir()
    (pictures / "stone.svg").write_text(PICTURE, encoding="utf-8")
    (pictures / "gem.svg").symlink_to("stone.svg")
    assert "<path" in Pictures(library.load(str(game)).edition).svg("gem")


def test_examples_that_are_a_link_to_elsewhere_are_refused(game: Path) -> None:
    outside = game.parent.parent / "token"
    outside.write_text("token: secret\n", encoding="utf-8")
    game.with_name("mine.examples.yaml").symlink_to(outside)
    with pytest.raises(EditionError, match="leads out of its folder") as refused:
        list(examples.sources(library.load(str(game)).edition))
    assert "secret" not in str(refused.value)


def test_a_catalog_that_is_a_link_to_elsewhere_is_not_read(game: Path) -> None:
    outside = game.parent.parent / "other.po"
    outside.write_text('msgid "Mine"\nmsgstr "Meins"\n', encoding="utf-8")
    path = game.with_name("mine.de.po")
    path.symlink_to(outside)
    assert "leads out" in catalogs.load_beside(path, "de").problem
