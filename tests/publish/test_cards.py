"""Cards as they are printed: what stands on them, and the pages."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from rulewright.cli import main
from rulewright.game import library
from rulewright.i18n import speech
from rulewright.model.pictures import PictureError, Pictures, read
from rulewright.publish.printing import cards, typesetting
from rulewright.publish.printing.cards import Card, Cards

GAME = """
rulewright: 1
title: Crates
players: 2
words:
  goods: {tea: {origin: hills}, old iron: {origin: mines}}
  region: {hills: , mines: }
pieces:
  crate: {has: {goods: goods, weight: 1 to 2}, copies: 3, starts in: deck, noun: "{goods} {weight}"}
  note: {each: goods, starts in: deck, noun: "{goods} note", power in: front}
zones:
  deck: {seen by: nobody, pile: yes}
  front: {of: seat, seen by: all}
values: {seat: {wage: 2}}
setup: {do: [each seat: move first 1 of notes in deck to front]}
powers: {tea: {text: "Your wage is {wage}.", change: {wage: 5}}}
phases: {work: {do: end game}}
scoring: {wage: {points: wage}}
looks:
  cards:
    crate: {picture: "{goods}", signs: ["{origin}-sign", box], corner: "{weight}", back: back}
    note: {}
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><title>{}</title><circle cx="9" cy="9" r="8"/></svg>'


def edition(folder: Path, text: str = GAME, pictures: tuple[str, ...] = ()) -> library.Rules:
    """The game in a folder that has these pictures."""
    (folder / "pictures").mkdir(exist_ok=True)
    for name in pictures:
        (folder / "pictures" / f"{name}.svg").write_text(SVG.format(name), encoding="utf-8")
    (folder / "crates.yaml").write_text(text, encoding="utf-8")
    return library.load(str(folder / "crates.yaml"))


NAMES = ("tea", "old-iron", "hills-sign", "mines-sign", "box", "back")


def test_what_stands_on_cards(tmp_path: Path) -> None:
    faces = list(Cards(edition(tmp_path, pictures=NAMES)).cards())
    crates = {face.name: face for face in faces if face.kind == 0}
    assert list(crates) == ["Tea 1", "Tea 2", "Old iron 1", "Old iron 2"]
    iron = crates["Old iron 2"]
    assert (iron.corner, iron.copies, iron.text) == ("2", 3, "")
    assert [f"<title>{name}</title>" in svg for name, svg in (("old-iron", iron.picture), ("back", iron.back))] == [
        True
    ] * 2
    assert ["mines-sign" in iron.signs[0], "box" in iron.signs[1]] == [True, True]
    assert [(face.name, face.text) for face in faces if face.kind == 1] == [
        ("Tea note", "Your wage is 5."),
        ("Old iron note", ""),
    ]


def test_cards_of_a_game_that_needs_a_virtual_player(tmp_path: Path) -> None:
    text = GAME.replace("players: 2", "players: 1\nseats: 2") + "roles: {robot: {joins: {1: required}}}\n"
    assert len(list(Cards(edition(tmp_path, text)).cards())) == 6


def test_pictures_of_a_variant_come_before_those_of_its_base(tmp_path: Path) -> None:
    edition(tmp_path, pictures=NAMES)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pictures").mkdir()
    (tmp_path / "mine" / "pictures" / "tea.svg").write_text(SVG.format("my tea"), encoding="utf-8")
    (tmp_path / "mine" / "crates.yaml").write_text("rulewright: 1\nextends: ../crates.yaml\n", encoding="utf-8")
    faces = {face.name: face for face in Cards(library.load(str(tmp_path / "mine" / "crates.yaml"))).cards()}
    assert "my tea" in faces["Tea 1"].picture
    assert "old-iron" in faces["Old iron 1"].picture


def test_looks_change_no_rule(tmp_path: Path) -> None:
    plain = GAME[: GAME.index("looks:")]
    assert edition(tmp_path, pictures=NAMES).hash == edition(tmp_path, plain).hash


def test_missing_pictures_are_told_and_the_cards_are_printed_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edition(tmp_path, pictures=("tea", "hills-sign", "mines-sign", "back"))
    file = tmp_path / "crates.yaml"
    assert main(["check", str(file)]) == 0
    told = capsys.readouterr().out
    assert "There is no picture 'old-iron'" in told and "There is no picture 'box'" in told
    assert "warning[picture]" in told
    assert main(["cards", str(file), "--out", str(tmp_path / "out.pdf")]) == 0
    assert "old-iron" in capsys.readouterr().err
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ('<circle onclick="x()" r="1"/>', "onclick"),
        ('<image href="file:///etc/passwd"/>', "<image>"),
        ('<a href="https://example.org"><circle r="1"/></a>', "<a>"),
        ('<circle r="1" fill="url(https://example.org/x)"/>', "fill"),
        ('<style>@import "x"</style>', "<style>"),
        ("<g>" * 60 + "</g>" * 60, "deep"),
        ("<circle", "line 1"),
        ("<text>hello</text>", "<text>"),
    ],
)
def test_pictures_only_draw(tmp_path: Path, inside: str, told: str) -> None:
    file = tmp_path / "x.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>', encoding="utf-8")
    with pytest.raises(PictureError, match=told):
        read(file)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<p/>",
        "<svg/>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 1 1"><title>&a;</title></svg>',
        "<svg viewBox='0 0 1 1'>" + " " * 100_000 + "</svg>",
    ],
)
def test_no_pictures(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.svg").write_text(text, encoding="utf-8")
    with pytest.raises(PictureError):
        read(tmp_path / "x.svg")


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "..", "a\\b", "", "A b"])
def test_names_never_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.svg").write_text(SVG.format("secret"), encoding="utf-8")
    assert Pictures(edition(tmp_path, pictures=NAMES).edition).path(name) is None


def counted(faces: list[Card], backs: bool = True) -> int:
    data = cards.sheets("Crates", "en", "a4", backs, faces)
    return len(typesetting.png("cards", data, 20))


def test_pages(tmp_path: Path) -> None:
    face = Card(0, "Tea", "1", SVG.format("x"), (), "", "", 1)
    assert [counted([face] * count) for count in (1, 9, 10)] == [1, 1, 2]
    backed = Card(0, "Tea", "1", "", (), "", SVG.format("x"), 10)
    assert [counted([backed]), counted([backed], backs=False)] == [4, 2]


@pytest.mark.parametrize("name", ["W" * 300, "Ein sehr langer Name aus vielen kurzen Wörtern, der nicht aufhört " * 5])
def test_long_names_and_texts_stay_on_their_card(name: str) -> None:
    """Nothing is printed beside the card, nor on its margin, which is white."""
    face = Card(0, name, name[:40], SVG.format("x"), (SVG.format("y"),), name * 10, "", 1)
    (page,) = typesetting.png("cards", cards.sheets("Crates", "de", "a4", True, [face]), 50)
    image = Image.open(BytesIO(page)).convert("L")
    dots = 50 / 25.4
    left, top = round(10.5 * dots), round(16.5 * dots)
    beside = image.crop((left + round(63 * dots) + 2, top + 2, image.width - left - 2, image.height - top - 2))
    assert beside.getextrema() == (255, 255)


@pytest.mark.parametrize("language", speech.languages())
@pytest.mark.parametrize("name", ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"])
def test_shipped_cards(name: str, language: str, tmp_path: Path) -> None:
    out = tmp_path / "cards.pdf"
    assert main(["cards", name, "--lang", language, "--once", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")


def test_other_files_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "letter.txt"
    out.write_text("Dear Ada", encoding="utf-8")
    assert main(["cards", "wild-cards/2022", "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == "Dear Ada"


def test_an_edition_without_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edition(tmp_path, GAME[: GAME.index("looks:")])
    assert main(["cards", str(tmp_path / "crates.yaml"), "--out", str(tmp_path / "x.pdf")]) == 2
    assert "looks" in capsys.readouterr().err
    assert not (tmp_path / "x.pdf").exists()


def test_equal_cards_make_equal_files(tmp_path: Path) -> None:
    rules = edition(tmp_path, pictures=NAMES)
    assert cards.pages(Cards(rules)) == cards.pages(Cards(rules))
