"""Declarations and uses of a name, and renaming it everywhere at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.editing import document_symbols, hover, navigation, text_document
from rulewright.model.editions import available, examples_of
from small_games.market import MARKET, cursor, sheet


def rename(marked: str, name: str) -> str:
    """Return the text of the market with something renamed."""
    text, line, column = cursor(marked)
    file = sheet(text)
    spot = navigation.spot_at(file, line, column)
    assert spot is not None
    lines = text.split("\n")
    for place, new in sorted(navigation.rename_edits(file, spot, name).items(), reverse=True):
        old = lines[place.line - 1]
        lines[place.line - 1] = old[: place.column - 1] + new + old[place.column - 1 + place.length :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("marked", "declared", "used"),
    [
        ("do sell=>do se|ll", "      sell:", 1),
        ("shuffle deck=>shuffle de|ck", "  deck:", 4),
        ("to market=>to ma|rket", "  market:", 1),
        ("{hand limit}=>{hand li|mit}", "    hand limit:", 3),
        ("ranking: highest coins=>ranking: highest co|ins", "    coins:", 2),
        ("{good: ware}=>{good: wa|re}", "  ware:", 1),
    ],
)
def test_definition_and_references(marked: str, declared: str, used: int) -> None:
    text, line, column = cursor(marked)
    file = sheet(text)
    spot = navigation.spot_at(file, line, column)
    assert spot is not None and file.known is not None
    (entry,) = spot.entries
    assert file.lines[entry.place.line - 1].startswith(declared)
    assert len(navigation.references(file.known, spot.entries)) == used


def test_a_name_is_renamed_everywhere() -> None:
    after = rename("shuffle deck=>shuffle de|ck", "draw pile")
    assert "deck" not in after and after.count("draw pile") == MARKET.count("deck")
    assert text_document.examine_text(Path("/games/market.yaml"), after).ok


def test_singular_and_plural_are_renamed_together() -> None:
    text = MARKET.replace("{hand limit} cards", "{number of cards in hand} cards")
    file = sheet(text)
    spot = navigation.spot_at(file, 10, 4)
    assert spot is not None and spot.entries[0].name == "card"
    assert set(navigation.rename_edits(file, spot, "tile").values()) == {"tile", "tiles"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hand", "already"),
        ("top", "word of the language"),
        ("number of cards", "'cards' is a kind of piece"),
        ("seats", "what the language itself calls"),
        ("you", "what the language itself calls"),
        ("2 piles", "no name"),
        ("d\u0435\u0441k", "two scripts"),
        ("h\u0430nd", "two scripts"),
        ("", "no name"),
    ],
)
def test_an_invalid_new_name_is_refused(name: str, message: str) -> None:
    with pytest.raises(navigation.CannotRename, match=message):
        rename("shuffle deck=>shuffle de|ck", name)


@pytest.mark.parametrize(
    ("marked", "name", "message"),
    [
        ("shuffle deck=>shuffle de|ck", "Round", "not 'Round'"),
        ("shuffle deck=>shuffle de|ck", "draw up", "did not expect 'up to'"),
        ("{hand limit}=>{hand li|mit}", "left", "did not expect 'left of'"),
    ],
)
def test_a_new_name_that_makes_a_mistake_is_refused(marked: str, name: str, message: str) -> None:
    """Mistakes that only `check` finds count, too; those that were there before do not."""
    path, after = Path("/games/market.yaml"), rename(marked, name)
    assert message in navigation.new_error(path, MARKET, after)
    assert navigation.new_error(path, after, after) == ""
    assert navigation.new_error(path, after, MARKET) == ""


def test_names_of_a_base_lead_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "market.yaml").write_text(MARKET, "utf-8")
    text = "rulewright: 1\nextends: market.yaml\nchange: {values: {game: {hand limit: 7}}}\nlimit: {answers: coins}\n"
    path = tmp_path / "long.yaml"
    path.write_text(text, "utf-8")
    file = text_document.read(path, text)
    assert file.known is not None
    entry = next(entry for entry in file.known.entries if entry.name == "deck")
    assert entry.place.file == str(tmp_path / "market.yaml")
    card = next(entry for entry in file.known.entries if entry.name == "card")
    spot = navigation.NamedSpot((card,), card.place)
    assert {place.file for place in navigation.rename_edits(file, spot, "tile")} == {entry.place.file}
    limit = next(entry for entry in file.known.entries if entry.name == "hand limit")
    changed = navigation.rename_edits(file, navigation.NamedSpot((limit,), limit.place), "most held")
    declared = next(n for n, line in enumerate(MARKET.split("\n"), 1) if "hand limit:" in line)
    assert {(place.file, place.line) for place in changed} >= {(str(path), 3), (entry.place.file, declared)}


def test_hovering_over_a_name_explains_it() -> None:
    text, line, column = cursor("{hand limit}=>{hand li|mit}")
    hover_text = hover.hover(sheet(text), line, column)
    assert hover_text is not None and "value of the game" in hover_text.text and "3 with 2 seats" in hover_text.text


def test_hovering_over_a_key_explains_it() -> None:
    text, line, column = cursor("seen by: nobody, pile=>seen by: nobody, pile")[0], 13, 3
    assert hover.hover(sheet(text), line, column) is not None
    key = hover.hover(sheet(), 26, 4)
    assert key is not None and key.text.startswith("**text**")


def test_texts_of_a_file_are_escaped_as_markdown() -> None:
    hover_text = hover.hover(
        sheet(MARKET.replace("{seen by: all}", "{seen by: all, text: '[x](http://x) <b>'}")), 15, 4
    )
    assert (
        hover_text is not None and "<b>" not in hover_text.text.replace("\\<b\\>", "") and "[x](" not in hover_text.text
    )


def test_computed_figures_are_shown_inline() -> None:
    assert list(hover.figures(sheet(), 1, 99)) == [(19, "3 with 2 seats, 4 with 3, 5 with 4")]


def test_an_outline_has_every_section_and_name() -> None:
    items = {item.name: item for item in document_symbols.outline(sheet())}
    assert list(items)[-6:] == ["zones", "values", "counters", "setup", "phases", "ranking"]
    assert [item.name for item in items["zones"].below] == ["deck", "hand", "market"]
    (trade,) = items["phases"].below
    assert (trade.kind, trade.line, trade.end) == ("phase", 33, 46)
    assert (items["zones"].line, items["zones"].end) == (12, 15)


@pytest.mark.parametrize("name", ["wildlife/2002", "wild-cards/2022", "classics/hearts"])
def test_outline_entries_lie_within_their_parents(name: str) -> None:
    """Entries do not overlap their neighbours, so that an editor can say where the cursor is."""

    def span(item: document_symbols.OutlineItem) -> tuple[tuple[int, int], tuple[int, int]]:
        return (item.line, item.column), (item.end, item.end_column)

    def look(items: tuple[document_symbols.OutlineItem, ...], whole: tuple[tuple[int, int], tuple[int, int]]) -> None:
        end_before = whole[0]
        for item in items:
            begin, end = span(item)
            assert end_before <= begin < end <= whole[1], item.name
            end_before = end
            look(item.below, (begin, end))

    for path in (available()[name], examples_of(available()[name])):
        text = path.read_text("utf-8")
        look(document_symbols.outline(sheet(text, path=str(path))), ((0, 0), (text.count("\n") + 2, 0)))


def test_folding_ranges_end_before_the_next_section() -> None:
    lines = MARKET.split("\n")
    for start, end in document_symbols.folds(sheet()):
        indent = len(lines[start - 1]) - len(lines[start - 1].lstrip())
        assert lines[end - 1].strip()
        assert all(len(line) - len(line.lstrip()) > indent for line in lines[start:end] if line.strip())


def test_a_place_is_never_outside_the_file() -> None:
    file = sheet()
    assert navigation.spot_at(file, 10_000, 1) is None and hover.hover(file, 10_000, 1) is None


def test_nothing_is_renamed_in_a_file_that_cannot_be_read_whole() -> None:
    text, line, column = cursor("shuffle deck=>shuffle de|ck")
    file = sheet(text.replace("copies: 5", 'copies: "5'), sheet())
    spot = navigation.spot_at(file, line, column)
    assert spot is not None and file.broken is not None
    with pytest.raises(navigation.CannotRename, match=f"Mend line {file.broken.line} first"):
        navigation.rename_edits(file, spot, "stock")
