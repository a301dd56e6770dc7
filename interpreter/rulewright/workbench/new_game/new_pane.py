"""New games in the workbench: the dialogue 'New', and games that come as one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.base import files as writing
from rulewright.game import library
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.editions import PICTURES, available
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import answering, read
from rulewright.workbench.new_game import dialog_texts, game_archive, game_maker
from rulewright.workbench.new_game.copied_catalogs import catalogs_for
from rulewright.workbench.new_game.game_maker import Answers, BeginningError

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

GameName = Annotated[str, Meta(min_length=1, max_length=1000)]


class _FromEdition(Struct, frozen=True, forbid_unknown_fields=True):
    name: GameName
    edition: GameName


def routes(bench: Bench) -> list[Route]:
    def dialogue(request: Request, _: Any) -> object:
        """What can be chosen."""
        return {
            **game_maker.dialogue(),
            "editions": [{"name": name, "title": game_maker.title(name)} for name in available()],
            "whole": game_maker.whole_games(),
        }

    def from_nothing(request: Request, body: Any) -> object:
        answers = read(Answers, body)
        name = _free(bench, answers.name)
        made = game_maker.begun(answers, name)
        bench.replace(_examples(name), made.examples)
        bench.replace(name, made.text)
        return {"file": name}

    def variant(request: Request, body: Any) -> object:
        wanted = read(_FromEdition, body)
        name = _free(bench, wanted.name)
        edition = library.load(_known(wanted.edition, list(available()))).edition
        bench.replace(name, game_maker.variant(edition, bench.folder.path / name, wanted.name))
        return {"file": name}

    def copied(request: Request, body: Any) -> object:
        wanted = read(_FromEdition, body)
        file = _free(bench, wanted.name)
        made = game_maker.copied(_known(wanted.edition, game_maker.whole_games()), wanted.name, file)
        place = _place(bench, file, made.pictures)
        bench.folder.refuse_links_to(bench.folder.path / place / PICTURES)
        _draw(bench.folder.path / place / PICTURES, made.pictures)
        if made.examples:
            bench.replace(_examples(f"{place}{file}"), made.examples)
        for catalog, text in catalogs_for(library.load(wanted.edition), f"{place}{file}").items():
            if not bench.is_there(catalog):
                bench.replace(catalog, text)
        bench.replace(f"{place}{file}", made.text)
        return {"file": f"{place}{file}"}

    def opened(request: Request, body: bytes) -> object:
        """A `.rulewright` file that is sent as it is."""
        path = game_archive.unpack(body, bench.folder.path, request.query_params.get("name", ""))
        return {"file": bench.folder.name_of(path)}

    return [
        Route("/api/new", answering(dialogue)),
        Route("/api/new/nothing", answering(from_nothing), methods=["POST"]),
        Route("/api/new/variant", answering(variant), methods=["POST"]),
        Route("/api/new/copy", answering(copied), methods=["POST"]),
        Route("/api/new/parcel", answering(opened, game_archive.LARGEST), methods=["POST"]),
    ]


def _free(bench: Bench, title: str) -> str:
    """The name of a file that is not there yet. Raises BeginningError for a game without a name."""
    if not game_maker.spoken(title, game_maker.LONGEST):
        raise BeginningError(phrase("design", "Give your game a name."))
    there = [entry.name for entry in bench.folder.path.iterdir()]
    return game_maker.file_name(title, [*there, *bench.folder.names()])


def _known(name: str, names: list[str]) -> str:
    """Raises BeginningError."""
    if name not in names:
        raise BeginningError(phrase("design", "There is no such game. Choose again."))
    return name


def _examples(name: str) -> str:
    return f"{name.removesuffix('.yaml')}.examples.yaml"


def _place(bench: Bench, file: str, pictures: Mapping[str, bytes]) -> str:
    """Where a copy goes: into the folder itself, or into a new one where other pictures are called like its own."""
    drawn = bench.folder.path / PICTURES
    if all(writing.beginning(drawn / name, len(content) + 1) in (b"", content) for name, content in pictures.items()):
        return ""
    return f"{file.removesuffix('.yaml')}/"


def _draw(folder: Path, pictures: Mapping[str, bytes]) -> None:
    """Raises BeginningError."""
    try:
        for name, content in pictures.items():
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / name).exists():
                writing.create(folder / name, content)
    except OSError as error:
        told = phrase("errors", "'{path}' cannot be written: {why}.", path=str(folder), why=writing.reason(error))
        raise BeginningError(told) from None
