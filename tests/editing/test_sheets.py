"""A file that is broken most of the time: its diagnostics, and what stays known of it."""

from __future__ import annotations

from pathlib import Path

from rulewright.editing import text_document
from small_games.market import MARKET, sheet


def lines_and_codes(file: text_document.OpenFile) -> list[tuple[int, str]]:
    return [(item.place.line, item.code) for item in file.diagnostics]


def test_a_valid_file_has_no_diagnostics() -> None:
    file = sheet()
    assert lines_and_codes(file) == [] and file.known is not None
    assert text_document.examine_text(file.path, MARKET).ok


def test_a_section_that_is_no_yaml_does_not_silence_the_others() -> None:
    before = sheet()
    text = MARKET.replace("coins: 0", "coins: [0").replace("copies: 5", "copeis: 5")
    file = sheet(text, before)
    assert {code for _, code in lines_and_codes(file)} == {"unclosed-bracket", "unknown-key"}
    assert file.known is not None and any(entry.name == "coins" for entry in file.known.entries)


def test_lines_before_an_unclosed_quote_are_not_reported() -> None:
    before = sheet()
    for line in range(1, MARKET.count("\n")):  # each line in turn ends in a quote that nobody closes
        lines = MARKET.split("\n")
        lines[line - 1] += ' x: "'
        file = sheet("\n".join(lines), before)
        assert file.known is not None
        assert {number for number, _ in lines_and_codes(file)} <= set(range(1, len(lines) + 1))
        assert len(lines_and_codes(file)) <= 2, (line, lines_and_codes(file))


def test_a_file_that_never_could_be_read_says_only_where_yaml_stumbles() -> None:
    file = sheet(MARKET.replace("coins: 0", "coins: [0"))
    assert lines_and_codes(file) == [(23, "unclosed-bracket")]


def test_diagnostics_of_check_are_added() -> None:
    report = text_document.examine_text(Path("/games/market.yaml"), MARKET.replace("sold to market", "sold to maket"))
    assert [(file.place.line, file.hint) for file in report.errors] == [(46, "Did you mean 'market'?")]


def test_a_mistyped_name_after_a_number_has_a_suggestion() -> None:
    report = text_document.examine_text(Path("/games/market.yaml"), MARKET.replace("hand limit of deck", "1 of dek"))
    assert [error.hint for error in report.errors] == ["Did you mean 'deck'?"]


def test_scenarios_have_their_own_schema() -> None:
    file = sheet("edition: wild-cards/2022\ncases:\n  one: {givne: {}}\n", path="/games/one.yaml")
    assert [code for _, code in lines_and_codes(file)] == ["unknown-key"]


def test_earlier_diagnostics_of_a_broken_section_are_dropped() -> None:
    wrong = MARKET.replace("copies: 5", "copeis: 5")
    text = wrong.replace("starts in: deck", "starts in: [deck")
    assert [code for _, code in lines_and_codes(sheet(wrong))] == ["unknown-key"]
    assert len(lines_and_codes(sheet(text, sheet(wrong)))) == 1


def test_a_broken_section_keeps_its_names_at_their_lines() -> None:
    before = sheet()
    text = MARKET.replace("copies: 5", 'copies: "5')
    file = sheet(text, before)
    assert before.known is not None and file.known is not None and file.broken is not None
    assert [entry.place for entry in file.known.entries] == [entry.place for entry in before.known.entries]
    assert file.known.uses == before.known.uses


def test_lines_added_to_a_broken_section_shift_the_places_below() -> None:
    text = MARKET.replace("copies: 5", 'copies: "5\n')
    file, lines = sheet(text, sheet()), text.split("\n")
    assert file.known is not None and file.broken is not None
    below = [entry for entry in file.known.entries if entry.place.line > file.broken.line + 1]
    assert below and all(entry.name in lines[entry.place.line - 1] for entry in below)


def test_a_quote_that_begins_a_line_is_no_section() -> None:
    lines = MARKET.split("\n")
    index = next(number for number, line in enumerate(lines) if line.strip().startswith("- move"))
    lines[index] = '"' + lines[index] + ": "
    file = sheet("\n".join(lines), sheet())
    assert len(lines_and_codes(file)) == 1 and file.known is not None
