"""Nothing on cards and parts is cut off, and nothing lies across the edge of a page.

On every paper, in several scripts, with names that are drawn by chance. What does not fit is refused with its name.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pypdfium2.raw import FPDF_PAGEOBJ_PATH

from rulewright.cli import main
from rulewright.game import library
from rulewright.publish.printing import PAPERS, cards, overflow, parts, typesetting
from rulewright.publish.printing.cards import SAFE, SIZE, Card, CardLayout, Cards
from rulewright.publish.printing.parts import PartCutouts
from rulewright.publish.printing.typesetting import PrintingError

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><circle cx="9" cy="9" r="8"/></svg>'
POINTS = 72 / 25.4

SCRIPTS = {
    "en": "abcdefghijklmnoprstuwy",
    "de": "aeiounrstldäößß",
    "pl": "aąeęiosłśżźćnń",
    "el": "αβγδεικλμνοπρστω",
    "ru": "абвгдеиклмнопрстуя",
}


def drawn_words(language: str, seed: int, count: int, longest: int) -> str:
    """Words by chance in a script."""
    chance = random.Random(f"{language} {seed}")
    letters = SCRIPTS[language]
    return " ".join("".join(chance.choices(letters, k=chance.randint(2, longest))) for _ in range(count))


def card(name: str, corner: str = "", text: str = "", **more: Any) -> Card:
    plain = {"kind": 0, "suit": "", "ground": "", "picture": SVG, "signs": (), "back": "", "copies": 1}
    return Card(name=name, corner=corner, text=text, **{**plain, **more})


def set_cards(faces: list[Card], language: str = "en", mode: CardLayout = CardLayout(printer=True)) -> bytes:  # noqa: B008
    data = cards.card_template_data("Cards", language, mode, faces)
    with overflow.naming_overflow(data["cards"]):
        return typesetting.pdf("cards", data)


def letters_on(page: pypdfium2.PdfPage) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Each letter that is printed, with its box in points from the left and the foot of the trimmed page."""
    text, (left, foot, *_) = page.get_textpage(), page.get_trimbox()
    results = []
    for number in range(text.count_chars()):
        if (letter := text.get_text_range(number, 1)).strip():
            x, y, right, top = text.get_charbox(number)
            results.append((letter, (x - left, y - foot, right - left, top - foot)))
    return results


def outside(page: pypdfium2.PdfPage, room: tuple[float, float], inset: float) -> str:
    """The letters that stand nearer to the edge than they may."""
    return "".join(
        letter
        for letter, (x, y, right, top) in letters_on(page)
        if min(x, y, room[0] - right, room[1] - top) < inset - 0.2
    )


def text_of(page: pypdfium2.PdfPage) -> str:
    """All letters, without blanks and hyphens."""
    return squeezed(page.get_textpage().get_text_range())


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u00ad\ufffe\u2010-]+", "", text)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("language", SCRIPTS)
def test_names_corners_and_texts_stay_whole_on_their_cards(language: str) -> None:
    """Each is there with all its letters, at least 2 mm inside the edge; or the card is refused by its name."""
    faces = [
        card(
            drawn_words(language, seed, seed % 4 + 1, 8 + seed),
            drawn_words(language, seed + 50, seed % 3, 4 + seed),
            drawn_words(language, seed + 100, seed * 7 % 60, 14),
        )
        for seed in range(24)
    ]
    refused = []
    stored = []
    for face in faces:
        try:
            set_cards([face], language)
            stored.append(face)
        except PrintingError as error:
            assert face.name in str(error)
            refused.append(face)
    assert len(stored) > len(refused)
    edges = tuple(side * POINTS for side in SIZE)
    with pypdfium2.PdfDocument(set_cards(stored, language)) as pages:
        assert len(pages) == len(stored)
        for page, face in zip(pages, stored, strict=True):
            assert not outside(page, (edges[0], edges[1]), (SAFE - 1) * POINTS), face
            result = text_of(page)
            for words in filter(None, (face.corner, face.name, face.text)):
                assert squeezed(words) in result, face


@pytest.mark.parametrize("name", ["sorcerer", "crocodile", "archaeologist", "salamandermann", "Straßenbahnhaltestelle"])
def test_a_long_word_in_a_corner_is_whole(name: str) -> None:
    """The word takes a wider corner, at both ends of the card."""
    with pypdfium2.PdfDocument(set_cards([card(name.title(), name)])) as pages:
        assert text_of(pages[0]).count(squeezed(name)) == 2 if name != name.title() else 3


OVERLONG = "Whenever you play a card of the same colour, you may pay two gold to look at it. " * 40


@pytest.mark.parametrize(
    ("face", "text"),
    [
        (card("Long", text=OVERLONG), "The text of 'Long' is too long for its card"),
        (card("Short", corner=OVERLONG[:120]), "The corner of 'Short' is too long for it"),
        (card(OVERLONG[:300]), "The name 'Whenever you play"),
        (card("W" * 120), "The name 'WWW"),
    ],
)
def test_texts_that_do_not_fit_are_refused_by_name(face: Card, text: str) -> None:
    with pytest.raises(PrintingError, match=re.escape(text)):
        set_cards([card("Fine", "1"), face])


def test_all_texts_that_do_not_fit_are_listed() -> None:
    faces = [card(f"Card {number}", text=OVERLONG) for number in range(20)]
    with pytest.raises(PrintingError) as error:
        set_cards(faces)
    assert "'Card 0'" in str(error.value) and "'Card 11'" in str(error.value) and "and 8 more" in str(error.value)


def test_a_text_of_fourteen_hundred_letters_is_whole() -> None:
    """The text takes the room of the picture before it is refused."""
    text = OVERLONG[:1400].strip()
    (page,) = pypdfium2.PdfDocument(set_cards([card("Long", "long", text)]))
    assert squeezed(text) in text_of(page)
    assert not outside(page, (SIZE[0] * POINTS, SIZE[1] * POINTS), (SAFE - 1) * POINTS)


def test_line_breaks_of_a_text_stay(tmp_path: Path) -> None:
    """Line breaks are those of the text: one that is only wrapped in its file is one paragraph."""
    file = tmp_path / "corners.yaml"
    lines = "text: |-\n        Draw two cards.\n\n        Discard one.\n"
    wrapped = "text: >-\n        Draw two cards.\n        Discard one.\n"
    block = "words:\n  job:\n    miner:\n    sorcerer:\n      TEXT\npieces:"
    game = GAME.replace("words: {job: {miner: {}, sorcerer: {TEXT}}}\npieces:", block)
    texts = []
    for message in (lines, wrapped):
        file.write_text(game.replace("TEXT", message), encoding="utf-8")
        texts.append([each.text for each in Cards(library.load(str(file))).cards()][1])
    assert texts == ["Draw two cards.\n\nDiscard one.", "Draw two cards. Discard one."]
    feet = []
    for text in texts:
        (page,) = pypdfium2.PdfDocument(set_cards([card("Sorcerer", text=text)]))
        feet.append({round(foot) for letter, (_, foot, _, _) in letters_on(page) if letter == "D"})
    assert [len(found) for found in feet] == [2, 1]


GAME = """
rulewright: 1
title: Corners
players: 2
words: {job: {miner: {}, sorcerer: {TEXT}}}
pieces: {card: {each: job, starts in: deck, noun: "{job}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: owner}}
phases: {play: {text: Nothing., do: [each seat: move top 1 of deck to hand, end game]}}
scoring: {cards: {text: A point for each card., points: number of hand}}
looks: {cards: {card: {corner: "{job}"}}}
"""


@pytest.mark.rotating(3)
def test_check_reports_cards_that_cannot_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only --strict reports them; `cards` refuses the same cards, in any output format."""
    file = tmp_path / "corners.yaml"
    file.write_text(GAME.replace("TEXT", f'text: "{OVERLONG}"'), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    capsys.readouterr()
    assert main(["check", "--strict", str(file)]) == 1
    text = capsys.readouterr().out
    assert "warning[unprintable]: This card cannot be printed: the text of 'Sorcerer' is too long for its card" in text
    assert "corners.yaml:10:" in text
    for more in ([], ["--preview"]):
        assert main(["cards", str(file), *more, "--out", str(tmp_path / "x.pdf")]) == 2
        assert "The text of 'Sorcerer'" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["corners.yaml"]
    file.write_text(GAME.replace("TEXT", ""), encoding="utf-8")
    assert main(["check", "--strict", str(file)]) == 0


@pytest.mark.parametrize("words", ["七つの塔", "ช้าง ใหญ่มาก"])
def test_previews_need_the_same_letters_as_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    """No page has boxes where letters should be: whatever it is written as, it is refused."""
    file = tmp_path / "script.yaml"
    file.write_text(GAME.replace("TEXT", f'text: "{words}."'), encoding="utf-8")
    lines = []
    for more in ([], ["--preview"]):
        assert main(["cards", str(file), *more, "--out", str(tmp_path / "x.pdf")]) == 2
        lines.append(capsys.readouterr().err)
    assert "No font here has" in lines[0] and lines[0] == lines[1]
    main(["check", "--strict", str(file)])
    assert "warning[unprintable]: No font here has" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["script.yaml"]


# ── parts ──


def part(name: str, width: int, copies: int, number: str = "", picture: str = SVG, **more: Any) -> dict[str, Any]:
    plain = {"signs": [], "chart": [], "round": False}
    return {"name": name, "picture": picture, "number": number, "width": width, "copies": copies, **plain, **more}


def set_parts(results: list[dict[str, Any]], paper: str) -> bytes:
    data = {"title": "P", "language": "en", "paper": PAPERS[paper], "parts": results, "boards": [], "scores": None}
    with overflow.naming_overflow(results):
        return typesetting.pdf("parts", {**data, "player": "Player"})


def outlines(content: bytes, width: int) -> list[tuple[float, float]]:
    """Width and height in mm of all that is drawn as wide as a part, without its line."""
    sizes = []
    with pypdfium2.PdfDocument(content) as document:
        for page in document:
            for picture in page.get_objects(filter=[FPDF_PAGEOBJ_PATH], max_depth=4):
                left, foot, right, top = picture.get_bounds()
                across, down = (right - left) / POINTS, (top - foot) / POINTS
                assert min(left, foot) > -0.1
                assert right < page.get_width() + 0.1 and top < page.get_height() + 0.1
                if abs(across - width) < 0.4:
                    sizes.append((across, down))
    return sizes


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("width", [17, 26, 41])
def test_no_part_is_cut_by_the_end_of_a_page(paper: str, width: int) -> None:
    """Each tile and token is one square or disc on one page, whatever else stands before it."""
    others = [part("Other", 33, 7), part("Round", 21, 11, "5", round=True)]
    content = set_parts([*others, part("Tile", width, 150)], paper)
    sizes = outlines(content, width)
    assert len({round(down) for _, down in sizes}) == 1 and abs(sizes[0][1] - width) < 0.4
    assert len(sizes) in (150, 300)  # with its line, or that by itself


@pytest.mark.rotating(3)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["wildlife/2002", "wild-cards/2022"])
def test_shipped_parts_are_whole_on_every_paper(name: str, paper: str) -> None:
    cut = PartCutouts(library.load(name))
    results = [
        {**each, "picture": each["picture"] and SVG, "signs": []}
        for each in parts.template_data(cut, paper, False)["parts"]
    ]
    content = set_parts(results, paper)
    for width in {part.width for part in cut.parts() if not part.chart}:
        sizes = outlines(content, width)
        assert sizes and all(abs(down - across) < 0.4 for across, down in sizes), width


@pytest.mark.parametrize(
    ("results", "text"),
    [
        (part("Bear chart", 250, 1), "'Bear chart' is wider than the paper"),
        (part("Donaudampfschifffahrtsgesellschaft", 8, 1, picture=""), "The name 'Donaudampf"),
        (part("Token", 20, 1, number="a thousand and one"), "What stands in the middle of 'Token'"),
    ],
)
def test_parts_that_do_not_fit_are_refused_by_name(results: dict[str, Any], text: str) -> None:
    with pytest.raises(PrintingError, match=re.escape(text)):
        set_parts([part("Fine", 20, 1), results], "letter")


@pytest.mark.parametrize("language", SCRIPTS)
def test_names_on_parts_without_pictures_are_whole(language: str) -> None:
    names = [drawn_words(language, seed, seed % 3 + 1, 9) for seed in range(8)]
    content = set_parts([part(name, 30, 1, picture="", round=seed % 2 == 1) for seed, name in enumerate(names)], "a4")
    with pypdfium2.PdfDocument(content) as document:
        result = "".join(map(text_of, document))
    for name in names:
        assert squeezed(name) in result


@pytest.mark.parametrize("paper", PAPERS)
def test_cards_fit_every_paper_size(paper: str) -> None:
    """Each page has as many whole cards as fit."""
    faces = [card(f"Card {number}", str(number), "A text.") for number in range(20)]
    with pypdfium2.PdfDocument(set_cards(faces, mode=CardLayout(paper=paper))) as pages:
        results = [text_of(page) for page in pages]
        for page in pages:
            assert not outside(page, (PAPERS[paper][0] * POINTS, PAPERS[paper][1] * POINTS), 8 * POINTS)
    assert all("".join(results).count(f"Card{number}Atext.") == 1 for number in range(20))


@pytest.mark.rotating(2)
def test_shipped_cards_fit() -> None:
    for name in ("wild-cards/2022", "wildlife/2002", "classics/hearts"):
        assert cards.overflowing_cards(Cards(library.load(name))) == []
