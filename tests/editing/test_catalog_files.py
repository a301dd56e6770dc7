"""Catalogs of translations in an editor: diagnostics at their places, and completion of slots."""

from __future__ import annotations

from pathlib import Path

import pytest

from project_folders import ROOT
from rulewright.editing import completion, text_document
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fixes import fixes
from rulewright.editing.text_document import OpenFile

HEAD = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=n != 1;\\n"

"""
ENTRY = 'msgctxt "log"\nmsgid "{seat} takes {number} cards."\nmsgstr "{seat} nimmt {number} Karten."\n'
PATH = Path("/games/locales/de/LC_MESSAGES/market.po")


def opened(old: str = "", new: str = "") -> OpenFile:
    return text_document.read(PATH, HEAD + ENTRY.replace(old, new, 1))


def test_a_valid_translation_has_no_diagnostics() -> None:
    assert opened().diagnostics == []


def test_an_unknown_slot_can_be_fixed() -> None:
    sheet = opened("nimmt {number}", "nimmt {numbr}")
    wrong = next(found for found in sheet.diagnostics if "numbr" in found.message)
    assert (wrong.place.line, wrong.place.column) == (8, 23)
    (fix, *_) = fixes(wrong, sheet.lines)
    assert text_document.read(PATH, text_after_fix(fix, sheet.lines)).diagnostics == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("nimmt {number} Karten", "nimmt Karten", "is missing"),
        ("Karten.", "Karten..", "two full stops"),
        ('Karten."', "Karten.", "cannot be used"),
        ("nimmt {number}", "nimmt {number", "cannot be read"),
    ],
)
def test_mistakes_of_translations_are_reported(old: str, new: str, message: str) -> None:
    assert message in " ".join(found.message for found in opened(old, new).diagnostics)


def test_slots_are_completed() -> None:
    sheet = opened("nimmt {number}", "nimmt {n")
    proposals = completion.proposals(sheet, 8, sheet.lines[7].index("{n") + 3)
    assert [(proposal.text, proposal.length) for proposal in proposals] == [("number", 1)]
    assert completion.proposals(sheet, 7, 10) == []


@pytest.mark.parametrize("language", ["de", "it"])
def test_shipped_catalogs_have_no_diagnostics(language: str) -> None:
    path = ROOT / "locales" / language / "LC_MESSAGES" / "wild-cards.po"
    assert text_document.read(path, path.read_text("utf-8")).diagnostics == []


def test_slots_of_the_english_text_are_not_completed() -> None:
    sheet = opened("msgid ", 'msgid ""\n')
    assert sheet.diagnostics == []
    assert completion.proposals(sheet, 8, sheet.lines[7].index("{n") + 3) == []
