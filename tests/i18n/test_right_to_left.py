"""Languages that run from right to left, and names that do: what is inserted keeps its order on the screen."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import pytest
from bidi import get_display

from project_folders import GAMES
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.i18n import bidi, catalog_check, catalog_update, catalogs, languages, phrase_extraction
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.localizer import Argument, Person, Phrase
from rulewright.players.seating import read_seats
from rulewright.players.session import Session
from rulewright.publish import templates
from rulewright.publish.console import Console, ConsoleLine, Styled, cell_width, flow, shorten
from rulewright.terminal import play_loop

GAME = GAMES / "goofspiel.yaml"
MOSES = "משה"
_INSERTED = re.compile(f"Ada|Ben|{MOSES}|{MOSES[::-1]}|[0-9]+")
_HEBREW = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתאבגד")


def visible(line: str) -> str:
    """A line as it stands on the screen, from left to right; its direction is that of its first letter."""
    first = next((c for c in re.sub(f"{bidi.OPEN}[^{bidi.CLOSE}]*{bidi.CLOSE}", "", line) if direction(c)), "a")
    return bidi.plain_text(get_display(line, base_dir=direction(first)))


def direction(character: str) -> str:
    return "R" if bidi.runs_right_to_left(character) or character == bidi.RIGHT_TO_LEFT else "L" * character.isalpha()


def made_up(text: str) -> str:
    """An English text in Hebrew letters; slots stay as they are."""
    parts = re.split(r"(\{[^{}]*\})", re.sub(r"\[[^\[\]|]*\] ?(?=\{)", "", text))
    return "".join(p if n % 2 else p.casefold().translate(_HEBREW) for n, p in enumerate(parts))


@cache
def interface() -> list[CatalogMessage]:
    return phrase_extraction.interface(Path(library.__file__).parents[1])


@pytest.fixture
def hebrew(locales: Path, tmp_path: Path) -> Path:
    """The game's file, with a catalog in a generated language beside it; the interface speaks it too."""
    (locales / "he").mkdir()
    (locales / "he" / "grammar.yaml").write_text("language: עברית\n", encoding="utf-8")
    game = tmp_path / GAME.name
    game.write_text(GAME.read_text("utf-8"), encoding="utf-8")
    for path, messages in (
        (languages.catalog_path("he", languages.INTERFACE), interface()),
        (game.with_suffix(".he.po"), templates.messages([library.load(str(game))])),
    ):
        catalog = catalog_update.update(messages, None, "he", path.stem)
        for entry in catalog:
            if entry.id:
                results = tuple(map(made_up, (entry.id,) if isinstance(entry.id, str) else entry.id))
                entry.string = results[0] if len(results) == 1 else (*results, *results[1:] * (catalog.num_plurals - 2))
        path.parent.mkdir(exist_ok=True)
        path.write_text(catalog_update.text_of(catalog), encoding="utf-8")
    return game


def screen_lines(*lines: ConsoleLine, language: str = "en") -> list[str]:
    """Return the lines of a console."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "utf-8")
    Console(None, out, "never", languages.localizer_for(language)).write_lines(lines)
    out.flush()
    return raw.getvalue().decode().splitlines()


def played(game: Path, language: str) -> list[str]:
    """The lines of a whole game."""
    rules = library.load(str(game))
    session = Session.start(rules, read_seats(f"Ada,{MOSES},random", rules.edition), seed=1, language=language)
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "utf-8")
    typed = io.StringIO("help\ntable\nlog\n?\n99\n" + "1\n\n" * 400)
    play_loop.play(session, Console(typed, out, "never", session.game.localizer(language)))
    out.flush()
    assert session.game.over
    assert not [text for _, text in session.game.localizer(language).missed if language != "en"]
    return raw.getvalue().decode().splitlines()


@pytest.mark.rotating(5)
@pytest.mark.parametrize("language", ["he", "en"])
def test_a_whole_game_keeps_its_order(hebrew: Path, language: str) -> None:
    lines = played(hebrew, language)
    several = 0
    for line in lines:
        matches = _INSERTED.findall(bidi.plain_text(line))
        results = _INSERTED.findall(visible(line))
        expected = [name if name != MOSES else MOSES[::-1] for name in matches]
        assert (results[::-1] if language == "he" else results) == expected, visible(line)
        assert line == bidi.balance(line)
        several += len(matches) > 2
    assert several > 100
    assert any(re.search("[א-ת]", line) for line in lines) and any(MOSES in line for line in lines)


@pytest.mark.rotating(5)
@pytest.mark.parametrize("language", ["he", "en"])
def test_columns_stand_below_each_other(hebrew: Path, language: str) -> None:
    seats = [visible(line) for line in played(hebrew, language) if re.search(f"^\\W*▸ \\W*(Ada|Ben|{MOSES})", line)][:3]
    rows = [line[::-1] if language == "he" else line for line in seats]
    assert len(rows) == 3
    assert len({row.index("13" if language == "en" else "31") for row in rows}) == 1


def formatted(text: str, language: str = "en", **slots: Argument) -> str:
    return languages.localizer_for(language).say(Phrase("x", text, tuple(slots.items())))


def test_names_of_the_other_direction_are_isolated() -> None:
    text = formatted(
        "{who} has {points} and {other} {less}.", who=Person(MOSES), points=12, other=Person(MOSES), less=3
    )
    assert visible(text) == f"{MOSES[::-1]} has 12 and {MOSES[::-1]} 3."
    assert bidi.OPEN not in formatted("{who} has {points}.", who=Person("Ada"), points=12)


@pytest.mark.rotating(2)
def test_english_fallbacks_keep_their_order(hebrew: Path) -> None:
    text = formatted("Ada takes 12 oxen.", "he")
    assert visible(bidi.RIGHT_TO_LEFT + text) == "Ada takes 12 oxen."


@pytest.mark.parametrize(
    "name", ["\u202eevil", "x\u2069 Ben \u2068", "\u2067x", "\u2068" * 300, "\u2069" * 2, "a\u200bb"]
)
def test_names_cannot_change_the_direction_around_them(name: str) -> None:
    (line,) = screen_lines([formatted("{who} has {points}.", who=Person(MOSES + name), points=12)])
    assert not re.search("[\u202a-\u202e\u2066\u2067\u200b]", line)
    assert line == bidi.balance(line)
    assert visible(line).endswith(" has 12.")


def test_zero_width_characters_take_no_column() -> None:
    name = bidi.isolate("Ada")
    assert cell_width(name) == cell_width("Ada") and cell_width("بن\u200cبن") == 4
    assert shorten(bidi.isolate("Adalbert"), 5) == bidi.isolate("Adal…")
    assert flow([*f"by {bidi.isolate('Ada Lovelace')} now".split()], 8) == [
        f"by {bidi.isolate('Ada')}",
        bidi.isolate("Lovelace"),
        "now",
    ]
    assert screen_lines([Styled("a" + bidi.CLOSE, ""), "b" + bidi.OPEN]) == ["ab" + bidi.OPEN + bidi.CLOSE]


def test_an_edition_with_hidden_marks_is_refused() -> None:
    with pytest.raises(EditionError, match="U\\+202E"):
        library.from_text("rulewright: 1\ntitle: \u202eGame\n")


def test_a_catalog_with_hidden_marks_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    message = CatalogMessage("x", "Good evening.", "", "log")
    catalog = catalog_update.update([message], None, "de", "x")
    for entry in catalog:
        entry.string = "Guten \u202eAbend." if entry.id else entry.string
    path.write_text(catalog_update.text_of(catalog), encoding="utf-8")
    assert not catalogs.load(path, "de").entries
    (result,) = catalog_check.check(path, [message], languages.localizer_for("de").table, "x.po")
    assert "U+202E" in result.message and result.line
