"""Every colon, bracket, comma and dash that code puts into what people read comes from a catalog."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from msgspec import to_builtins

import project_folders
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.i18n import languages, locale_formats
from rulewright.players.seating import read_seats
from rulewright.players.session import Session
from rulewright.publish.console import Console
from rulewright.publish.labels import Labels
from rulewright.publish.rulebook import html, markdown
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.server.views import question_view, seat_view, table_metadata
from rulewright.server.web.page_texts import words
from rulewright.terminal import play_loop

_OTHERS = str.maketrans(":()×,–", "=<>*;~")
OURS = re.compile(r"[:()×,–]")
PAGE = project_folders.ROOT / "interpreter" / "rulewright" / "server" / "page"


@pytest.fixture(autouse=True)
def odd_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The pseudo-locale writes all signs otherwise."""
    monkeypatch.setattr(languages, "_ACCENTS", languages._ACCENTS | _OTHERS)
    monkeypatch.setattr(locale_formats, "format_list", lambda texts, *_: "; ".join(texts))
    monkeypatch.setattr(locale_formats, "format_number", lambda number, _: str(number))
    languages.localizer_for.cache_clear()
    yield
    languages.localizer_for.cache_clear()


def ours(text: str) -> list[str]:
    """The lines with a sign that no catalog has."""
    return [line for line in text.splitlines() if OURS.search(line)]


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", ["wild-cards/2020", str(project_folders.ROOT / "tests" / "games" / "harbours.yaml")])
def test_a_book_uses_the_signs_of_its_language(name: str) -> None:
    book = RulebookBuilder(library.load(name), languages.PSEUDO).rulebook()
    text = re.sub(r"\]\(#[^)]*\)|<a id=[^>]*>|\\", "", markdown.text(book))
    assert "Cömpönénts" in text
    assert not ours(re.sub(r"(?m)(?<== )–$|\| – (?=\|)", "", text))  # a dash alone is for what is not there
    page = re.sub(r"(?s)<style.*?</style>|<script.*?</script>|<title>.*?</title>", "", html.page(book))
    view = unescape(re.sub(r"(?s)<b class=\"count\".*?</b>|<[^>]*>", "\n", page))
    assert not [line for line in ours(view) if line.strip() != "–"]


@pytest.mark.rotating(4)
@pytest.mark.parametrize(("name", "seats"), [("wild-cards/2022", "you,leo,random"), ("wildlife/2002", "you,random")])
def test_a_game_at_the_terminal_uses_the_signs_of_its_language(
    name: str, seats: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    session = Session.start(
        library.load(name), read_seats(seats, library.load(name).edition), seed=2, language=languages.PSEUDO
    )
    typed, out = io.StringIO("?\n? *\n? all\ntable\nlog\n99\nnobody\n" + "1\n\ny\n1 2\n" * 8 + "quit\n"), io.StringIO()
    play_loop.play(session, Console(typed, out, "never", session.game.localizer(languages.PSEUDO)))
    assert "Påss" in out.getvalue() or "Plåcé" in out.getvalue()
    assert not ours(re.sub(r"(?m)^.*> .*$|\b[0-9a-z]+\)|(?<= )–(?= |$)", "", out.getvalue()))


def texts(value: object) -> Iterator[str]:
    """Yield the texts of a message, without keys and names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("key", "passage", "prompt id"):
                yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


def test_a_table_in_the_browser_uses_the_signs_of_its_language() -> None:
    game = Game.start(library.load("wild-cards/2022"), ["Ada", "Ben", "Cora"], seed=1)
    labels = Labels(game, languages.PSEUDO)
    message = to_builtins([seat_view.table_state(labels, 0), question_view.question_now(labels, 0, 1)])
    views = [table_metadata.table_metadata(labels), message, words(labels.localizer)]
    assert not [text for text in texts(views) if OURS.search(text)]


def test_scripts_write_no_signs_themselves() -> None:
    """Colons, brackets and commas beside what is put in stand in words.js, from the catalogs."""
    program = re.compile(r"§[:,)]|[(×–:,] ?§|§ ?[(×–]|^[:,] $")
    for path in PAGE.glob("*.js"):
        for line in path.read_text(encoding="utf-8").splitlines():
            code = re.sub(r"\$\{([^{}]|\{[^{}]*\})*\}", "§", re.sub(r"//.*|import .*", "", line))
            texts_ = [
                text
                for text in re.findall(r'"[^"]*"|`[^`]*`', code)
                if not re.search(r"translate\(|scale\(|rotate\(|matrix\(|url\(|/", text)
            ]
            assert not [text for text in texts_ if program.search(text[1:-1])], f"{path.name}: {line.strip()}"
