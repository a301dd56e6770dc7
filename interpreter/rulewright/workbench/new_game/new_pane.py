"""Dialog 'New' of the workbench, and opening of `.rulewright` files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.base import files as writing
from rulewright.game import library
from rulewright.i18n.file_errors import write_error
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.editions import PICTURES, available
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import get, post, read
from rulewright.workbench.new_game import dialog_texts, game_archive, game_maker
from rulewright.workbench.new_game.copied_catalogs import catalogs_for
from rulewright.workbench.new_game.game_maker import Answers, NewGameError

WORDS: Mapping[str, Phrase] = {
    "make game": phrase("design", "Make a new game"),
    "new welcome": phrase("design", "How do you want to begin?"),
    "new close": phrase("design", "Close"),
    "new nothing": phrase("design", "From nothing"),
    "new nothing told": phrase(
        "design", "Answer a few questions. You get a small game that already plays, and change it from there."
    ),
    "new variant": phrase("design", "Change a game that is there"),
    "new variant told": phrase("design", "Your file says only what is different. All else stays as it is."),
    "new copy": phrase("design", "From a copy"),
    "new copy told": phrase("design", "You get the whole game as your own, and can change every word of it."),
    "new parcel": phrase("design", "From a file"),
    "new parcel told": phrase("design", "Somebody has sent you a game: a file that ends in .rulewright."),
    "new name": phrase("design", "What is your game called?"),
    "new which": phrase("design", "Which game?"),
    "new people": phrase("design", "How many can play?"),
    "new fewest": phrase("design", "At least"),
    "new most": phrase("design", "At most"),
    "new with": phrase("design", "What do you play with?"),
    "new of cards": phrase("design", "Cards"),
    "new of dice": phrase("design", "Dice"),
    "new of board": phrase("design", "A board"),
    "new of path": phrase("design", "A board and dice"),
    "new of markers": phrase("design", "Markers or stones"),
    "new turn": phrase("design", "What do you do in a turn?"),
    "new win": phrase("design", "Who wins?"),
    "new cards suits": phrase("design", "Suits and numbers"),
    "new cards names": phrase("design", "Each sort has a name"),
    "new cards": phrase("design", "What is on the cards?"),
    "new suits": phrase("design", "The suits, one in a line"),
    "new names": phrase("design", "The names, one in a line, the lowest first"),
    "new sorts": phrase("design", "The sorts of markers, one in a line"),
    "new highest": phrase("design", "Highest number"),
    "new copies": phrase("design", "How many of each?"),
    "new dice": phrase("design", "How many dice?"),
    "new sides": phrase("design", "How many sides has one?"),
    "new columns": phrase("design", "Spaces across"),
    "new rows": phrase("design", "Spaces down"),
    "new length": phrase("design", "How many spaces?"),
    "new form": phrase("design", "What are the spaces like?"),
    "new square": phrase("design", "Squares"),
    "new hexagonal": phrase("design", "Hexagons"),
    "new marker": phrase("design", "What is a marker called?"),
    "new make": phrase("design", "Make the game"),
    "new choose": phrase("design", "Choose the file"),
    "new usual suits": phrase("design", "sun, moon, star, sea"),
    "new usual names": phrase("design", "mouse, cat, fox, wolf, giant"),
    "new usual sorts": phrase("design", "red, yellow, green, blue"),
    "new usual marker": phrase("design", "marker"),
    **dialog_texts.WORDS,
}
"""Phrases of the page by the names that its code has for them."""

GameName = Annotated[str, Meta(min_length=1, max_length=1000)]
"""Name from the page, of 1 to 1,000 characters."""


class _FromEdition(Struct, frozen=True, forbid_unknown_fields=True):
    """Name of the new game, and the edition that it is made from."""

    name: GameName
    edition: GameName


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the dialog for a new game."""

    def send_choices(request: Request, _: Any) -> object:
        """Send the choices of the dialog."""
        return {
            **game_maker.dialog_choices(),
            "editions": [{"name": name, "title": game_maker.title(name)} for name in available()],
            "whole": game_maker.whole_games(),
        }

    def make_new(request: Request, body: Any) -> object:
        """Write a game made of answers, with its examples."""
        answers = read(Answers, body)
        name = _free_name(bench, answers.name)
        game = game_maker.make_game(answers, name)
        bench.replace(_examples(name), game.examples)
        bench.replace(name, game.text)
        return {"file": name}

    def make_variant_file(request: Request, body: Any) -> object:
        """Write a variant that changes nothing yet."""
        body_fields = read(_FromEdition, body)
        name = _free_name(bench, body_fields.name)
        edition = library.load(_check_name(body_fields.edition, list(available()))).edition
        bench.replace(name, game_maker.make_variant(edition, bench.folder.path / name, body_fields.name))
        return {"file": name}

    def make_copy(request: Request, body: Any) -> object:
        """Write a copy of a shipped game with its examples, catalogs and pictures."""
        body_fields = read(_FromEdition, body)
        file = _free_name(bench, body_fields.name)
        game = game_maker.copy_game(_check_name(body_fields.edition, game_maker.whole_games()), body_fields.name, file)
        place = _place(bench, file, game.pictures)
        bench.folder.refuse_links_to(bench.folder.path / place / PICTURES)
        _write_pictures(bench.folder.path / place / PICTURES, game.pictures)
        if game.examples:
            bench.replace(_examples(f"{place}{file}"), game.examples)
        for catalog, text in catalogs_for(library.load(body_fields.edition), f"{place}{file}").items():
            if not bench.is_there(catalog):
                bench.replace(catalog, text)
        bench.replace(f"{place}{file}", game.text)
        return {"file": f"{place}{file}"}

    def open_archive(request: Request, body: bytes) -> object:
        """Unpack a `.rulewright` file, sent as the raw body."""
        path = game_archive.unpack(body, bench.folder.path, request.query_params.get("name", ""))
        return {"file": bench.folder.name_of(path)}

    return [
        get("/api/new", send_choices),
        post("/api/new/nothing", make_new),
        post("/api/new/variant", make_variant_file),
        post("/api/new/copy", make_copy),
        post("/api/new/parcel", open_archive, game_archive.MAX_BYTES),
    ]


def _free_name(bench: Bench, title: str) -> str:
    """Return a free file name for a title. Raises NewGameError for a game without a title."""
    if not game_maker.clean_text(title, game_maker.MAX_TITLE_LENGTH):
        raise NewGameError(phrase("design", "Give your game a name."))
    names = [entry.name for entry in bench.folder.path.iterdir()]
    return game_maker.file_name(title, [*names, *bench.folder.names()])


def _check_name(name: str, names: list[str]) -> str:
    """Return the name if it is one of `names`. Raises NewGameError."""
    if name not in names:
        raise NewGameError(phrase("design", "There is no such game. Choose again."))
    return name


def _examples(name: str) -> str:
    """Return the name of the examples file beside an edition's."""
    return f"{name.removesuffix('.yaml')}.examples.yaml"


def _place(bench: Bench, file: str, pictures: Mapping[str, bytes]) -> str:
    """Choose where a copy goes: the folder itself, or a new one if other pictures have names of its own."""
    pictures_folder = bench.folder.path / PICTURES
    if all(
        writing.read_beginning(pictures_folder / name, len(content) + 1) in (b"", content)
        for name, content in pictures.items()
    ):
        return ""
    return f"{file.removesuffix('.yaml')}/"


def _write_pictures(folder: Path, pictures: Mapping[str, bytes]) -> None:
    """Write the pictures of a copy. Raises NewGameError."""
    try:
        for name, content in pictures.items():
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / name).exists():
                writing.create(folder / name, content)
    except OSError as error:
        raise NewGameError(write_error(folder, error)) from None
