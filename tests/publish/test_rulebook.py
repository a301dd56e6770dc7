"""Rulebooks: all that is played is told, with the figures that are played, in every language and form."""

from __future__ import annotations

import html as markup
import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader
from pypdf.generic import Destination

import pdf_pages
from project_folders import GAMES
from rulewright.cli import main
from rulewright.game import library
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.i18n import languages
from rulewright.publish.rulebook import html, markdown, pdf
from rulewright.publish.rulebook.model import Rule
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from sample_book import fonts
from shipped_books import book, contents, document

EDITIONS = ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"]
LANGUAGES = languages.languages()


def squeezed(text: str) -> str:
    """A text as it can be looked for: without blanks, the hyphens at ends of lines, and the colons behind labels, which
    may stand by themselves."""
    return re.sub(r"[\s\u00ad:#-]+", "", text).casefold().replace("'", "’")


@pytest.mark.rotating(5)
@pytest.mark.parametrize(
    ("name", "language"), [(n, code) for code in LANGUAGES for n in EDITIONS if languages.is_translated(n, code)]
)
def test_every_rule_is_in_every_format(name: str, language: str) -> None:
    result = contents(name, language)
    texts = [result.text(key) for key in result.texts.rule_keys()]
    assert len(texts) > 20
    page = squeezed(markup.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", html.page(book(name, language)))))
    words = squeezed(re.sub(r"\\(.)", r"\1", markdown.text(book(name, language))))
    for text in texts:
        assert squeezed(text) in page
        assert squeezed(text) in words
        assert "{" not in text


@pytest.mark.rotating(12)
@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=() if (name, language) == ("wild-cards/2022", "fr") else pytest.mark.long)
        for language in LANGUAGES
        for name in EDITIONS
    ],
)
def test_pdf_is_what_readers_expect(name: str, language: str) -> None:
    result, paper = book(name, language), "a5" if language == "it" else "a4"
    read = PdfReader(BytesIO(document(name, language, paper)))
    assert read.metadata is not None and str(read.metadata.title) == f"{result.title} {result.edition}"
    catalog = read.root_object
    assert str(catalog["/Lang"]) == language and "/StructTreeRoot" in catalog  # tagged, for screen readers
    headings = [item for item in read.outline if isinstance(item, Destination)]
    chapters = [str(item.title) for item in headings]
    printed = [chapter for chapter in result.chapters if paper == "a4" or chapter.anchor != "sheet"]
    assert chapters[1:] == [f"{number} {chapter.title}" for number, chapter in enumerate(printed, 1)]
    last = max(read.get_destination_page_number(item) or 0 for item in headings)
    assert 10 < last <= len(read.pages) - 1 <= last + 1  # the powers at a glance have one page, or two
    rules = {block.anchor for chapter in result.chapters for block in chapter.blocks if isinstance(block, Rule)}
    assert rules <= read.named_destinations.keys()
    assert fonts(read) == {"LibertinusSerif"}  # a letter that it does not have would come from another


@pytest.mark.rotating(6)
def test_figures_have_the_values_of_the_variant(tmp_path: Path) -> None:
    """Change the hand limit, and every sentence of every language follows."""
    file = tmp_path / "mine.yaml"
    file.write_text("rulewright: 1\nextends: wild-cards/2022\nchange: {values: {seat: {hand limit: 73}}}\n", "utf-8")
    for language in LANGUAGES:
        before = markdown.text(book("wild-cards/2022", language))
        after = markdown.text(RulebookBuilder(library.load(str(file)), language, played=False).rulebook())
        assert "73" in after and "73" not in before


def test_figures_by_number_of_players_are_all_listed() -> None:
    text = contents("wild-cards/2022", "en").text("steps.remove animals")
    assert "14, 6, or 2" in text or "14, 6 or 2" in text


@pytest.mark.rotating(3)
def test_chosen_options_are_printed_as_rules() -> None:
    text = contents("wild-cards/2022").text("options.no bluffing")
    disabled = markdown.text(book("wild-cards/2022"))
    on = markdown.text(book("wild-cards/2022", "en", ("no bluffing", "yes")))
    box = "Variants (only if everyone agrees)"
    assert disabled.index(box) < disabled.index(text)
    assert on.index(text) < on.index(box)


@pytest.mark.rotating(2)
def test_texts_of_components_are_printed() -> None:
    words = markdown.text(book("wildlife/2002"))
    (row,) = (line for line in words.splitlines() if line.startswith("- Crocodile chart"))
    assert "(Forest: Expansion, Desert: No action, " in row


@pytest.mark.rotating(10)
def test_every_choice_of_an_option_is_printed() -> None:
    for choice in ("two", "single", "unlimited"):
        options = [] if choice == "two" else [("same abilities", choice)]  # the usual one
        words = markdown.text(contents("wildlife/2002", "en", *options).rulebook())
        agreed, _, disabled = words.partition("Variants (only if everyone agrees)")
        assert f"Same abilities: {choice.capitalize()}" not in words
        assert choice.capitalize() in agreed.rpartition("Same abilities")[2]
        assert disabled.count("Same abilities: ") == 2


def test_figures_with_options() -> None:
    rules = library.load("wildlife/2002")
    usual = RuleTexts(rules, check_options(rules, {}))
    assert set(usual.rule_keys()) >= {"setup", "phases.turns", "powers.intelligence"}


EVIL = """
rulewright: 1
title: "<script>alert(1)</script> & *Co*"
players: 2
text: "#let x = 1 [[ <b>bold</b> `code` | $x$"
pieces: {card: {starts in: deck, noun: "<i>card</i> | cards"}}
zones: {deck: {seen by: nobody, pile: yes}}
phases: {"play": {title: "__proto__ <u>", text: "1. Take </p><img src=x onerror=alert(1)>.", do: end game}}
"""


@pytest.mark.rotating(4)
def test_texts_are_never_markup() -> None:
    result = RulebookBuilder(library.from_text(EVIL)).rulebook()
    page = html.page(result)
    assert page.count("<script") == 1 and "<img" not in page and "<u>" not in page and "<b>bold" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; *Co*" in page
    words = markdown.text(result)
    assert "<script" not in words.replace("\\<script", "") and "\\*Co\\*" in words and "\\`code\\`" in words
    text = pdf_pages.text(pdf.document(result))
    assert "<b>bold</b>" in text and "#let x" in text


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", EDITIONS)
def test_the_page_is_self_contained_and_its_links_work(name: str) -> None:
    page = re.sub(r"(?s)<script>.*?</script>", "", html.page(book(name, "de")), count=1)
    assert not re.search(r"(src|href)=\"(?!#)|url\(|@import|<script", page)
    anchors = re.findall(r' id="([^"]*)"', page)
    assert not [anchor for anchor, count in Counter(anchors).items() if count > 1]
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(anchors)
    for svg in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["rulebook", "wild-cards/2022", "--out", "letter.txt"], "--format says which"),
        (["rulebook", "wild-cards/2022", "--out", "letter.txt", "--format", "html"], "is there already"),
        (["rulebook", "wild-cards/2022", "--out", "no/folder.html"], "cannot be written"),
        (["rulebook", "wild-cards/2022", "--option", "no blufing=yes"], "no bluffing"),
        (["rulebook", "wild-cards/2022", "--lang", "xx"], "xx"),
        (["rulebook", "wildcats"], "There is no edition"),
    ],
)
def test_impossible_books_are_refused(
    arguments: list[str],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text("Dear Ada", encoding="utf-8")
    assert main(arguments) == 2
    assert text in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    assert Path("letter.txt").read_text(encoding="utf-8") == "Dear Ada"


@pytest.mark.rotating(10)
def test_a_book_is_written_over_an_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small = str(GAMES / "goofspiel.yaml")
    for arguments in ([small, "--out", "book.pdf"], [small, "--out", "book.md"], ["wild-cards/2020", "--lang", "nl"]):
        assert [main(["rulebook", *arguments]) for _ in range(2)] == [0, 0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.md", "book.pdf", "wild-cards-2020-nl.html"]


@pytest.mark.rotating(5)
def test_missing_pictures_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.yaml"
    looks = 'looks: {cards: {animal: {picture: "no-{species}"}}}'
    file.write_text(f"rulewright: 1\nextends: wild-cards/2022\nchange: {{{looks}}}\n", "utf-8")
    assert main(["rulebook", str(file), "--out", str(tmp_path / "book.md")]) == 0
    text = " ".join(capsys.readouterr().err.split())
    assert text.count("There is no picture") == 6 and "'no-lion'" in text
