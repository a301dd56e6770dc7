"""Cards as they are printed: what stands on them, and the pages."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

import pdf_pages
from rulewright.cli import main
from rulewright.game import library
from rulewright.i18n import languages
from rulewright.model.pictures import PictureError, Pictures, read
from rulewright.publish.printing import cards, typesetting
from rulewright.publish.printing.cards import BLEED, SAFE, SIZE, Card, CardLayout, Cards
from rulewright.publish.printing.parts import PartCutouts
from shipped_books import contents

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


def test_texts_of_cards(tmp_path: Path) -> None:
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


def test_a_rule_stands_on_its_cards(tmp_path: Path) -> None:
    """A rule stands on its cards with its figures, one of them perhaps in the corner; of one type, or of all others
    without a power."""
    sink = "{sink: {text: 'Lose {wage} of them.', do: end game}}"
    text = GAME.replace("{work: {do: end game}}", f"{{work: {{text: Sell., do: do sink, steps: {sink}}}}}")
    crate, note = '{corner: "{weight}{wage}", rule: {old iron: steps.sink}}', "{rule: phases.work}"
    text = text[: text.index("looks:")] + f"looks: {{cards: {{crate: {crate}, note: {note}}}}}\n"
    faces = {face.name: face for face in Cards(edition(tmp_path, text)).cards()}
    assert [(faces[name].corner, faces[name].text) for name in ("Tea 1", "Old iron 2")] == [
        ("1", ""),
        ("22", "Lose 2 of them."),
    ]
    assert [faces[name].text for name in ("Tea note", "Old iron note")] == ["Your wage is 5.", "Sell."]


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


def test_missing_pictures_are_reported_and_cards_printed_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edition(tmp_path, pictures=("tea", "hills-sign", "mines-sign", "back"))
    file = tmp_path / "crates.yaml"
    assert main(["check", str(file)]) == 0
    text = capsys.readouterr().out
    assert "There is no picture 'old-iron'" in text and "There is no picture 'box'" in text
    assert "warning[picture]" in text
    assert main(["cards", str(file), "--out", str(tmp_path / "out.pdf")]) == 0
    assert "old-iron" in capsys.readouterr().err
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("inside", "text"),
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
def test_pictures_run_no_scripts(tmp_path: Path, inside: str, text: str) -> None:
    file = tmp_path / "x.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>', encoding="utf-8")
    with pytest.raises(PictureError, match=text):
        read(file)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<p/>",
        "<svg/>",
        '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 1 1"><title>&a;</title></svg>',
        "<svg viewBox='0 0 1 1'>" + " " * 1_000_000 + "</svg>",
    ],
)
def test_cards_without_pictures(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.svg").write_text(text, encoding="utf-8")
    with pytest.raises(PictureError):
        read(tmp_path / "x.svg")


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/b", "..", "a\\b", "", "A b"])
def test_names_never_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.svg").write_text(SVG.format("secret"), encoding="utf-8")
    assert Pictures(edition(tmp_path, pictures=NAMES).edition).path(name) is None


def plain(name: str = "Tea", corner: str = "1", text: str = "", back: str = "", copies: int = 1) -> Card:
    return Card(0, name, corner, "", "", SVG.format("x"), (), text, back, copies)


SHEETS = CardLayout()


def counted(faces: list[Card], mode: CardLayout = SHEETS) -> int:
    data = cards.card_template_data("Crates", "en", mode, faces)
    return len(typesetting.png("cards", data, 20))


def test_pages(tmp_path: Path) -> None:
    face = plain()
    assert [counted([face] * count) for count in (1, 9, 10)] == [1, 1, 2]
    backed = plain(back=SVG.format("x"), copies=10)
    assert [counted([backed]), counted([backed], CardLayout(backs=False))] == [4, 2]
    assert [counted([backed], CardLayout(printer=True)), counted([backed], CardLayout(printer=True, once=True))] == [
        20,
        2,
    ]


def test_apostrophes_are_typographic(tmp_path: Path) -> None:
    """Any kind of apostrophe in an edition is printed as in books."""
    face = plain(name="Baker's tea", corner="d'or", text="Take the owner's 'best' crate.")
    (tmp_path / "cards.pdf").write_bytes(
        typesetting.pdf("cards", cards.card_template_data("Crates", "en", SHEETS, [face]))
    )
    text = "".join(PdfReader(tmp_path / "cards.pdf").pages[0].extract_text().split())
    assert "'" not in text and "Baker’stea" in text and "d’or" in text and "owner’s\u2018best’crate" in text


@pytest.mark.rotating(3)
@pytest.mark.parametrize("language", languages.languages())
@pytest.mark.parametrize("name", ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"])
def test_shipped_cards(name: str, language: str, tmp_path: Path) -> None:
    """Nothing on them is too small to be read at arm's length."""
    out = tmp_path / "cards.pdf"
    assert main(["cards", name, "--lang", language, "--once", "--out", str(out)]) == 0
    for page in pdf_pages.pages(out):
        assert min(result := page.sizes(), default=8) >= 8, result


def test_pages_for_a_printer(tmp_path: Path) -> None:
    """Each is a card: its trim box is where it is cut, and around it is room for what is cut off, and the marks."""
    out = tmp_path / "cards.pdf"
    assert main(["cards", "wild-cards/2022", "--bleed", "--once", "--out", str(out)]) == 0
    pages = PdfReader(out).pages
    points = 72 / 25.4
    for page in pages:
        trim, media = page.trimbox, page.mediabox
        assert (float(trim.width), float(trim.height)) == pytest.approx([side * points for side in SIZE], abs=0.1)
        assert float(trim.left - media.left) == pytest.approx(float(media.right - trim.right), abs=0.1)
        assert float(trim.left - media.left) > (BLEED + 1) * points


RED = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9H0Z" fill="#C4512D"/></svg>'


@pytest.mark.parametrize("text", ["", "Your wage is 5."])
def test_only_the_background_extends_into_the_bleed(text: str) -> None:
    """Ground goes on beyond the edge on all sides; names, numbers and pictures stay where it is safe."""
    dots = 10
    face = Card(0, "Tea of the high hills", "12", SVG.format("y"), RED, SVG.format("x"), (), text, "", 1)
    (page,) = typesetting.png(
        "cards", cards.card_template_data("Crates", "en", CardLayout(printer=True), [face], guides=True), dots * 25.4
    )
    image = Image.open(BytesIO(page)).convert("RGB")
    slug = (image.width - SIZE[0] * dots) // 2
    edge = [(slug - (BLEED - 1) * dots, image.height // 2), (image.width // 2, slug - (BLEED - 1) * dots)]
    for place in edge:
        assert image.getpixel(place) == (0xC4, 0x51, 0x2D)
    dark = image.convert("L")
    for inset in (-BLEED + 1, SAFE - 1):
        for x in (slug + inset * dots, image.width - slug - inset * dots - 1):
            column = dark.crop((x, slug + 2 * dots, x + 1, image.height - slug - 2 * dots))
            assert min(column.tobytes()) > 100, inset  # the ground's red and cream, no ink


@pytest.mark.rotating(2)
def test_previews_are_pictures_of_the_pages(tmp_path: Path) -> None:
    out = tmp_path / "cards.pdf"
    assert main(["cards", "wild-cards/2020", "--preview", "--once", "--no-backs", "--out", str(out)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"cards-{number}.png" for number in (1, 2, 3, 4)]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in tmp_path.iterdir())


def filled(page: bytes, colour: tuple[int, int, int]) -> tuple[float, float]:
    """The middle of what has a colour on a page, as parts of its width and height."""
    image = Image.open(BytesIO(page)).convert("RGB")
    results = [(x, y) for x in range(image.width) for y in range(image.height) if image.getpixel((x, y)) == colour]
    assert results
    return tuple(sum(of) / len(results) / side for of, side in zip(zip(*results, strict=True), image.size, strict=True))


@pytest.mark.rotating(3)
@pytest.mark.parametrize("paper", ["a4", "a3", "letter"])
@pytest.mark.parametrize("number", [0, 1, 5])
def test_a_back_lies_behind_its_card(number: int, paper: str) -> None:
    """Paper is turned over its long edge, so that left becomes right."""
    red, ground = (0xC4, 0x51, 0x2D), RED.replace("C4512D", "2D51C4")
    others = [plain(back=RED.replace("C4512D", "51C42D"))] * number
    card = replace(plain(back=ground), picture=RED)
    fronts, backs = typesetting.png(
        "cards", cards.card_template_data("Crates", "en", CardLayout(paper=paper), [*others, card]), 30
    )
    (across, down), (rest, below) = filled(fronts, red), filled(backs, (0x2D, 0x51, 0xC4))
    assert (across, down) == pytest.approx((1 - rest, below), abs=0.03)


def luminance(*colour: float) -> float:
    """Return the relative luminance of a colour, for contrast."""
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def corner_of(name: str, card: str) -> Image.Image:
    """Return the visible strip of a card in a fanned hand: the left one, as it is printed."""
    result = Cards(library.load(name))
    (face,) = [each for each in result.cards() if each.name == card]
    data = cards.card_template_data("Cards", "en", CardLayout(backs=False, once=True), [face])
    (page,) = typesetting.png("cards", data, 100)
    dots = 100 / 25.4
    left, top = round(10.5 * dots), round(16.5 * dots)
    return Image.open(BytesIO(page)).convert("RGB").crop((left, top, left + round(13 * dots), top + round(30 * dots)))


SUITS = {
    "wild-cards/2022": ("Forest 1", "Savannah 1", "Mountain 1", "Wild 1"),
    "wildlife/2002": ("Forest card", "Desert card", "Savannah card", "Steppe card", "Mountains card", "Water card"),
}


@pytest.mark.rotating(4)
@pytest.mark.parametrize("name", SUITS)
def test_cards_differ_in_a_fanned_hand_without_colours(name: str) -> None:
    """Dark and light signs in the corner differ by their form alone, in a good part of the sign."""
    forms = []
    for card in SUITS[name]:
        strip = corner_of(name, card).convert("L")
        sign = strip.crop((8, 12 if name == "wildlife/2002" else 36, 46, 50 if name == "wildlife/2002" else 74))
        dark = [value < 150 for value in sign.tobytes()]
        forms.append(dark)
    for number, one in enumerate(forms):
        assert sum(one) > len(one) * 0.1, f"{SUITS[name][number]} has hardly a sign"
        for other in forms[number + 1 :]:
            differing = sum(a != b for a, b in zip(one, other, strict=True))
            assert differing > 0.08 * len(one), SUITS[name][number]


@pytest.mark.parametrize("card", SUITS["wild-cards/2022"])
def test_a_corner_has_contrast(card: str) -> None:
    """The contrast between the number and its ground is at least 7 to 1."""
    data = corner_of("wild-cards/2022", card).crop((8, 8, 50, 36)).tobytes()
    results = [luminance(data[at] / 255, data[at + 1] / 255, data[at + 2] / 255) for at in range(0, len(data), 3)]
    assert (max(results) + 0.05) / (min(results) + 0.05) > 7


def parts_of(folder: Path, *more: str) -> list[str]:
    """The words on the pages of all else that is cut out."""
    assert main(["cards", "wildlife/2002", "--parts", *more, "--out", str(folder / "parts.pdf")]) == 0
    return [page.text for page in pdf_pages.pages(folder / "parts.pdf")]


@pytest.mark.rotating(2)
def test_tiles_charts_and_a_board_are_cut_out(tmp_path: Path) -> None:
    pages = parts_of(tmp_path, "--once", "--lang", "de")
    assert "Tafel Krokodil" in "".join(pages) and "Attackieren" in "".join(pages)
    assert [page.split()[-1] for page in pages[-2:]] == ["A1", "A2"]
    results = {part.name: part for part in PartCutouts(library.load("wildlife/2002")).parts()}
    assert [(row.key, row.value) for row in results["Bear chart"].chart][:2] == [
        ("Forest", "Attack"),
        ("Desert", "No action"),
    ]
    assert (results["Mobility"].copies, results["Bear"].copies, results["Bear"].round) == (3, 30, True)


@pytest.mark.rotating(2)
def test_sheets_of_a_board_overlap(tmp_path: Path) -> None:
    """Larger paper takes fewer sheets; and no sheet is smaller than what the next one is glued on."""
    assert len(parts_of(tmp_path, "--once", "--paper", "a3")) < len(parts_of(tmp_path, "--once"))


def test_tokens_have_their_values(tmp_path: Path) -> None:
    results = list(PartCutouts(library.load("wild-cards/2022")).parts())
    assert [(part.number, part.copies) for part in results] == [("1", 15), ("2", 4), ("4", 4), ("8", 2)]


def test_a_sheet_for_the_scores_is_cut_out(tmp_path: Path) -> None:
    """A small book has none."""
    out = tmp_path / "parts.pdf"
    assert main(["cards", "wild-cards/2022", "--parts", "--once", "--lang", "de", "--out", str(out)]) == 0
    last = pdf_pages.pages(out)[-1].text
    assert "Bonuskarten" in last and "Summe" in last and last.count("Person ") == 5


def test_an_edition_without_parts_has_nothing_to_cut_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edition(tmp_path)
    assert main(["cards", str(tmp_path / "crates.yaml"), "--parts", "--out", str(tmp_path / "x.pdf")]) == 2
    assert "width" in capsys.readouterr().err


def test_the_talisman_is_a_card() -> None:
    (card,) = [card for card in Cards(library.load("wild-cards/2022")).cards() if card.name == "Talisman"]
    assert card.text and card.ground and card.copies == 1


@pytest.mark.rotating(5)
@pytest.mark.parametrize(("name", "language"), [("wild-cards/2022", "de"), ("wildlife/2002", "en")])
def test_the_back_of_a_box_is_one_page(name: str, language: str, tmp_path: Path) -> None:
    """Contents are counted; authors, players and duration stand below the description."""
    out = tmp_path / "box.pdf"
    assert main(["cards", name, "--box", "--lang", language, "--out", str(out)]) == 0
    (page,) = pdf_pages.pages(out)
    text = " ".join(page.text.split())
    book = contents(name, language).rulebook()
    assert book.text[:40] in text and book.credits in text
    assert all(value in text and name in text for name, value in book.facts)
    counted = {"wild-cards/2022": ("42", "46", "25"), "wildlife/2002": ("180", "72", "48")}
    assert all(count in text.split() for count in counted[name])


def test_one_kind_of_part_is_printed_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "wildlife/2002", "--parts", "--box"]) == 2
    assert main(["cards", "wildlife/2002", "--bleed", "--box"]) == 2
    assert "leave out --parts or --box" in capsys.readouterr().err


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
    assert cards.pages(Cards(rules), CardLayout()) == cards.pages(Cards(rules), CardLayout())


def test_only_cards_have_a_bleed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "wildlife/2002", "--parts", "--bleed"]) == 2
    assert "leave out --bleed or --parts" in capsys.readouterr().err
