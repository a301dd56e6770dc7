"""A file that is broken most of the time: what is told, and what is known all the same."""

from __future__ import annotations

from pathlib import Path

from rulewright.editing import text_document
from written import MARKET, sheet


def told(found: text_document.OpenFile) -> list[tuple[int, str]]:
    return [(item.place.line, item.code) for item in found.diagnostics]


def test_a_sound_file() -> None:
    found = sheet()
    assert told(found) == [] and found.known is not None
    assert text_document.examined(found.path, MARKET).ok


def test_a_section_that_is_no_yaml_does_not_silence_the_others() -> None:
    before = sheet()
    text = MARKET.replace("coins: 0", "coins: [0").replace("copies: 5", "copeis: 5")
    found = sheet(text, before)
    assert {code for _, code in told(found)} == {"unclosed-bracket", "unknown-key"}
    assert found.known is not None and any(entry.name == "coins" for entry in found.known.entries)


def test_what_stood_there_before_is_never_told_as_wrong() -> None:
    before = sheet()
    for line in range(1, MARKET.count("\n")):  # each line in turn ends in a quote that nobody closes
        lines = MARKET.split("\n")
        lines[line - 1] += ' x: "'
        found = sheet("\n".join(lines), before)
        assert found.known is not None
        assert {number for number, _ in told(found)} <= set(range(1, len(lines) + 1))
        assert len(told(found)) <= 2, (line, told(found))


def test_a_file_that_never_could_be_read_says_only_where_yaml_stumbles() -> None:
    found = sheet(MARKET.replace("coins: 0", "coins: [0"))
    assert told(found) == [(23, "unclosed-bracket")]


def test_what_check_says_is_told_besides() -> None:
    report = text_document.examined(Path("/games/market.yaml"), MARKET.replace("sold to market", "sold to maket"))
    assert [(found.place.line, found.hint) for found in report.errors] == [(46, "Did you mean 'market'?")]


def test_a_name_behind_a_number_is_one_and_no_number_that_is_missing() -> None:
    report = text_document.examined(Path("/games/market.yaml"), MARKET.replace("hand limit of deck", "1 of dek"))
    assert [found.hint for found in report.errors] == ["Did you mean 'deck'?"]


def test_scenarios_have_their_own_shape() -> None:
    found = sheet("edition: wild-cards/2022\ncases:\n  one: {givne: {}}\n", path="/games/one.yaml")
    assert [code for _, code in told(found)] == ["unknown-key"]


def test_what_was_wrong_in_a_section_before_is_not_told_below_the_file() -> None:
    wrong = MARKET.replace("copies: 5", "copeis: 5")
    text = wrong.replace("starts in: deck", "starts in: [deck")
    assert [code for _, code in told(sheet(wrong))] == ["unknown-key"]
    assert len(told(sheet(text, sheet(wrong)))) == 1


def test_a_broken_section_is_known_as_it_was_in_the_same_lines() -> None:
    before = sheet()
    text = MARKET.replace("copies: 5", 'copies: "5')
    found = sheet(text, before)
    assert before.known is not None and found.known is not None and found.broken is not None
    assert [entry.place for entry in found.known.entries] == [entry.place for entry in before.known.entries]
    assert found.known.uses == before.known.uses


def test_lines_more_in_a_broken_section_move_nothing_below_it() -> None:
    text = MARKET.replace("copies: 5", 'copies: "5\n')
    found, lines = sheet(text, sheet()), text.split("\n")
    assert found.known is not None and found.broken is not None
    below = [entry for entry in found.known.entries if entry.place.line > found.broken.line + 1]
    assert below and all(entry.name in lines[entry.place.line - 1] for entry in below)


def test_a_quote_that_begins_a_line_is_no_section() -> None:
    lines = MARKET.split("\n")
    at = next(number for number, line in enumerate(lines) if line.strip().startswith("- move"))
    lines[at] = '"' + lines[at] + ": "
    found = sheet("\n".join(lines), sheet())
    assert len(told(found)) == 1 and found.known is not None
