"""Files of cases in an editor: diagnostics, completion, names, and outcomes of cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.editing import (
    case_files,
    code_lenses,
    completion,
    document_symbols,
    hover,
    navigation,
    semantic_tokens,
    text_document,
)
from rulewright.editing.text_document import OpenFile
from rulewright.i18n import languages
from small_games.market import CASES, MARKET, cursor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "market.yaml").write_text(MARKET, "utf-8")
    return tmp_path


def opened(folder: Path, text: str = CASES, before: OpenFile | None = None) -> OpenFile:
    file = text_document.read(folder / "market.examples.yaml", text, before)
    if file.facts is None:
        file.facts = case_files.examine_cases(file.path, CASES, {}).facts
    return file


def wrong(folder: Path, old: str = "", new: str = "") -> list[tuple[int, str]]:
    text = CASES.replace(old, new, 1)
    report = case_files.examine_cases(folder / "market.examples.yaml", text, {}).report
    return [(found.place.line, found.code) for found in report.diagnostics]


def test_a_valid_file_has_no_diagnostics(folder: Path) -> None:
    assert wrong(folder) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "code"),
    [
        ("market: [salt card]", "market: [sald card]", 15, "unknown-name"),
        ("Ada: {coins: 2}", "Ada: {coin: 2}", 16, "unknown-name"),
        ("      - Ada: salt card", "      - Adda: salt card", 13, "unknown-name"),
        ("deck: rest", "deck: []", 11, "impossible-position"),
        ("phase: trade", "phase: traed", 9, "unknown-name"),
        ("{hand limit}", "{hand limt}", 7, "unknown-name"),
        ("steps.sell", "steps.sel", 6, "unknown-name"),
        ("market.yaml", "markt.yaml", 1, "unknown-edition"),
    ],
)
def test_mistakes_of_cases_are_reported(folder: Path, old: str, new: str, line: int, code: str) -> None:
    assert wrong(folder, old, new) == [(line, code)]


def test_a_broken_case_does_not_silence_the_others(folder: Path) -> None:
    text = CASES.replace("hand: 3", "hant: 3").replace("[salt card]", "[salt card")
    broken_report = case_files.examine_cases(folder / "market.examples.yaml", text, {}).report
    assert {item.code for item in broken_report.errors} >= {"unknown-name"} and len(broken_report.errors) == 2
    misshapen = CASES.replace("hand: 3", "hant: 3").replace("explains:", "explain:")
    report = case_files.examine_cases(folder / "market.examples.yaml", misshapen, {}).report
    assert [item.code for item in report.errors] == ["unknown-key", "unknown-name"]


def test_an_edition_with_mistakes_is_reported_where_it_is_named(folder: Path) -> None:
    newer = {folder / "market.yaml": MARKET.replace("to market", "to maket")}
    report = case_files.examine_cases(folder / "market.examples.yaml", CASES, newer).report
    assert [(item.place.line, item.place.column, item.code) for item in report.errors] == [(1, 10, "wrong-edition")]
    assert "maket" in report.errors[0].message


@pytest.mark.parametrize(
    ("marked", "first"),
    [
        ("phase: trade\n      Ada=>phase: |\n      Ada", ["trade"]),
        ("Ada: {hand: [cloth card, salt card]}=>Ada: {|", ["hand: ", "coins: "]),
        ("      deck: rest=>      |", ["deck: ", "market: ", "Ben: "]),
        ("deck: rest=>deck: |", ["rest"]),
        ("market: [salt card]=>market: [sa|", ["salt card"]),
        ("      market: [salt card]=>      |", ["asked: ", "deck: ", "seen by Ada: ", "log of Ben: "]),
        ("      - Ada: salt card=>      - A|", ["Ada: "]),
        ("    explains: steps.sell=>    explains: st|", ["steps.sell"]),
        ("{hand limit}=>{ha|", ["hand limit"]),
        ("Ada: {coins: 2}=>Ada: {po|", ["points: ", "powers: "]),
        ("    given:=>    op|", ["options: "]),
    ],
)
def test_completions_fit_their_place(folder: Path, marked: str, first: list[str]) -> None:
    before = opened(folder)
    text, line, column = cursor(marked, CASES)
    proposals = [proposal.text for proposal in completion.proposals(opened(folder, text, before), line, column)]
    assert set(first) <= set(proposals), proposals


def test_possible_answers_are_proposed(folder: Path) -> None:
    before = opened(folder)
    text, line, column = cursor("      - Ada: salt card=>      - Ada: [s|", CASES)
    file = opened(folder, text, before)
    step = completion.unfinished_answer_at(file, line, column)
    assert step is not None and (step.case, step.seat) == ("a sold ware brings two coins", "Ada")
    offered = case_files.choices_at_end(file.path, case_files.cut_before_step(text, step.case, line), step.case, {})
    assert offered == {"Ada": ["cloth card", "salt card"]}
    assert [proposal.text for proposal in completion.propose_answers(step, offered)] == ["salt card"]


@pytest.mark.parametrize(
    ("marked", "declared"),
    [
        ("market: [salt=>mar|ket: [salt", "market"),
        ("[cloth card, salt card]=>[clo|th card, salt card]", "card"),
        ("steps.sell=>steps.se|ll", "sell"),
        ("phase: trade\n      Ada=>phase: tr|ade\n      Ada", "trade"),
        ("{hand limit}=>{hand li|mit}", "hand limit"),
        ("coins: 2=>co|ins: 2", "coins"),
    ],
)
def test_names_lead_into_the_edition(folder: Path, marked: str, declared: str) -> None:
    text, line, column = cursor(marked, CASES)
    file = opened(folder, text)
    spot = navigation.spot_at(file, line, column)
    assert spot is not None and spot.entries[0].place.file == str(folder / "market.yaml")
    assert spot.entries[0].name == declared and hover.hover(file, line, column)


def test_a_name_changes_in_edition_and_cases(folder: Path) -> None:
    cases = opened(folder)
    edition = text_document.read(folder / "market.yaml", MARKET)
    _, line, column = cursor("shuffle deck=>shuffle de|ck")
    spot = navigation.spot_at(edition, line, column)
    assert spot is not None
    edits = navigation.rename_edits(edition, spot, "stock", [cases])
    assert [place.line for place in edits if place.file == cases.file] == [11]
    spot = navigation.spot_at(edition, 7, 11)
    assert spot is not None and spot.entries[0].name == "cloth"
    edits = navigation.rename_edits(edition, spot, "silk", [cases])
    places = [place for place in edits if place.file == cases.file]
    assert [(place.line, place.column) for place in places] == [(10, 20)]


def test_the_outline_lists_the_cases(folder: Path) -> None:
    (cases,) = [item for item in document_symbols.outline(opened(folder)) if item.name == "cases"]
    assert [(item.name, item.kind) for item in cases.below] == [
        ("a sold ware brings two coins", "case"),
        ("the hand is dealt", "case"),
    ]
    assert [item.name for item in cases.below[0].below] == ["given", "do", "expect"]


def test_a_case_is_run(folder: Path) -> None:
    file = opened(folder, CASES.replace("coins: 2", "coins: 3"))
    sold, dealt = (case.name for case in case_files.written_cases(file))
    outcome = case_files.run_case(file.path, file.text, sold, {})
    assert outcome is not None
    [(place, message)] = outcome.failures
    assert place.line == 16 and message.render() == "Ada’s coins\nexpected  3\nactual    2"
    german = message.render(languages.diagnostic_translator("de"))
    assert german == "coins von Ada\nerwartet     3\ntatsächlich  2"
    passed = case_files.run_case(file.path, file.text, dealt, {})
    assert passed is not None and not passed.failures
    titles = [lens.title for lens in code_lenses.lenses(file, {sold: outcome, dealt: passed})]
    assert titles == ["✗ Fails. Run again", "Play from here", "✓ Passes. Run again", "Play from here"]


def test_an_edition_within_its_file_of_cases(folder: Path) -> None:
    edition = "\n".join(f"  {line}" if line else "" for line in MARKET.splitlines())
    text = CASES.replace("edition: market.yaml", f"edition:\n{edition}")
    file = opened(folder, text)
    assert case_files.examine_cases(file.path, text, {}).report.ok and file.known is not None
    marked, line, column = cursor("- move sold to market=>- move sold to ma|", text)
    assert "market" in [p.text for p in completion.proposals(opened(folder, marked, file), line, column)]


def test_names_are_coloured_by_their_kind(folder: Path) -> None:
    file = opened(folder)
    words = [(word.place, word.kind) for word in semantic_tokens.coloured(file)]
    kinds = {file.lines[at.line - 1][at.column - 1 : at.column - 1 + at.length]: kind for at, kind in words}
    assert kinds["market"] == "zone" and kinds["salt card"] == "kind of piece" and kinds["hand limit"] == "value"


def test_other_uses_of_a_name_are_highlighted(folder: Path) -> None:
    file = opened(folder)
    assert [place.line for place in semantic_tokens.highlights(file, 10, 14)] == [10, 20]
    edition = text_document.read(folder / "market.yaml", MARKET)
    _, line, column = cursor("move sold to=>move so|ld to")
    assert [place.line for place in semantic_tokens.highlights(edition, line, column)] == [43, 46]
