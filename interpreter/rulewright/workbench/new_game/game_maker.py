"""New games: a variant of an edition, a complete copy to change, or a game made from a few answers.

What is made of answers plays at once, and says in comments what its parts are for. Whatever people call things, the
file is sound: what they type stands in quotes, and a name that rules could mistake gets a plain one beside it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rulewright.authoring import new_variant, scenarios
from rulewright.authoring.edition_check import examine
from rulewright.authoring.lint.pictures import picture_names
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game import library
from rulewright.i18n.localizer import phrase
from rulewright.model.edition import Edition
from rulewright.model.editions import available, examples_of, shipped
from rulewright.model.pictures import Pictures
from rulewright.syntax.formatter import format_file
from rulewright.syntax.nouns import singular
from rulewright.workbench.new_game import dialog_texts
from rulewright.workbench.new_game.game_templates import TypedText, fill, frame, turns

MAX_TITLE_LENGTH, MAX_NAME_LENGTH, MAX_SORTS = 80, 30, 12
"""Characters of a title and of a sort's name, beyond which they are cut, and number of sorts, beyond which they are
left out.
"""
MAX_SPACES = 400
"""Maximum number of a board's spaces."""
_MIN_HAND, _MIN_ROWS, _MAX_PEOPLE = 2, 3, 8
"""Least cards that a player is dealt, least rows of a board, and most players where a way of turns does not say."""
_EXAMPLE_NAMES = ("Nora", "Timo", "Vera", "Emil", "Lena", "Paul", "Rosa", "Hugo")
"""Names of players in the example that is written beside a game."""
_COLOURS = ("black", "white", "red", "blue")
"""Colours of players, in the order of seats."""
_PLAIN = re.compile(r"[a-z]+( [a-z]+)*")
"""Names that rules can use as they are."""
_NEIGHBOURS_BY_FORM = {"square": "diagonal", "hexagonal": "hexagonal"}
"""Form of a board's spaces -> its `neighbours`."""
_LINE_DIRECTIONS = {"square": "across, up and down, or diagonally", "hexagonal": "in any of the three directions"}
"""Form of a board's spaces -> directions of lines, as a rule says it."""
_SIGNS_OF_RULES = str.maketrans({"{": "(", "}": ")", "[": "(", "]": ")", "|": "/"})
"""Replacements of characters that rules would read."""
_YAML_ESCAPES = str.maketrans({chr(code): f"\\u{code:04x}" for code in (0x7F, 0x85, 0x2028, 0x2029, 0xFEFF)})
"""Table for `str.translate`: escapes of characters that JSON leaves as they are in quotes and YAML forbids, or reads as
the end of a line."""

TypedField = Annotated[str, Meta(max_length=1000)]
"""Text from the page, at most 1,000 characters."""


class NewGameError(RulewrightError):
    """Answers from which no game can be made."""


class Answers(Struct, frozen=True, forbid_unknown_fields=True):
    """Answers of the dialog.

    - turn, win: names of templates and of ways to win
    - fewest, most: numbers of players
    - cards: whether they have suits and numbers, or each sort a name
    - sorts: the suits or names
    - highest: number of a suit
    - copies: of each card or marker, at least 5 where all markers are alike
    - sides: of a die
    - columns, rows: of a board, or columns: length of a path
    - marker: what one is called
    """

    name: TypedField
    turn: TypedField
    win: TypedField
    fewest: Annotated[int, Meta(ge=1, le=8)] = 2
    most: Annotated[int, Meta(ge=1, le=8)] = 4
    cards: Literal["suits", "names"] = "suits"
    sorts: Annotated[tuple[TypedField, ...], Meta(max_length=100)] = ()
    highest: Annotated[int, Meta(ge=3, le=20)] = 10
    copies: Annotated[int, Meta(ge=1, le=100)] = 1
    dice: Annotated[int, Meta(ge=1, le=6)] = 2
    sides: Annotated[int, Meta(ge=2, le=20)] = 6
    columns: Annotated[int, Meta(ge=3, le=26)] = 8
    rows: Annotated[int, Meta(ge=1, le=26)] = 8
    form: Literal["square", "hexagonal"] = "square"
    marker: TypedField = ""


@record
class NewGame:
    """New game: the text of its file, and that of its examples."""

    text: str
    examples: str


@record
class GameCopy(NewGame):
    """Copy of a game. examples: '' for none; pictures: names and contents, for the folder of pictures beside it."""

    pictures: Mapping[str, bytes]


def dialog_choices() -> dict[str, Any]:
    """Return what the dialog offers: turns with what they are played with, for how many players, and the ways to win,
    all by names for which `dialog_texts` has words."""
    return {
        "turns": [
            {
                "name": name,
                "of": turn["of"],
                "with": turn.get("with", ""),
                "fewest": int(turn["least"]),
                "most": int(turn.get("most", _MAX_PEOPLE)),
                "wins": list(turn["wins"]),
            }
            for name, turn in turns().items()
        ]
    }


def make_game(answers: Answers, file: str) -> NewGame:
    """Make a game from answers. file: the name that it will have. Raises NewGameError."""
    turn = turns().get(answers.turn)
    if turn is None or answers.win not in turn["wins"]:
        raise NewGameError(phrase("design", "There is no such way to play. Choose again."))
    _check(answers, turn)
    for plain in (False, True):
        game = _fill_templates(answers, turn, file, plain)
        if game is not None:
            return game
    raise NewGameError(phrase("design", "Nothing could be made of these names. Choose simpler ones."))


def make_variant(edition: Edition, path: Path, name: str) -> str:
    """Return the text of a variant that changes nothing yet, to be written at `path`. name: its title, beside that of
    its game. Raises VariantError."""
    text = new_variant.draft(edition, path)
    head = f"# A variant of {clean_text(edition.full_title(), MAX_TITLE_LENGTH)}: it says only what is different.\n"
    body = text[text.index("\nrulewright: 1") + 1 :]
    return head + re.sub(
        r"(?m)^edition: .*$", lambda _: f"edition: {quoted(clean_text(name, MAX_TITLE_LENGTH))}", body, count=1
    )


def whole_games() -> list[str]:
    """List the shipped editions that extend no other: copies of them can be changed throughout."""
    return [name for name, path in available().items() if not re.search(r"(?m)^extends:", path.read_text("utf-8"))]


def title(name: str) -> str:
    """Return the title of a shipped edition, given by its full name, read without its rules. Raises KeyError."""
    head = _head(name)
    game_title = head["title"] if "title" in head else _head(head["extends"])["title"]
    return f"{game_title} {head['edition']}" if "edition" in head else game_title


def _head(name: str) -> dict[str, str]:
    """Return title, edition and `extends` of a shipped edition, as far as they stand there, as written."""
    text = available()[name].read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^(title|edition|extends): (.*)$", text))


def copy_game(name: str, game_title: str, file: str) -> GameCopy:
    """Copy a shipped edition as a game of one's own, without its `series` and `edition`. name: one of `whole_games`;
    game_title: of the copy; file: the name that it will have. Raises UnknownEdition for another name."""
    path = shipped(name)[1]
    edition = library.load(name).edition
    text = _without_schema(path.read_text(encoding="utf-8"))
    text = re.sub(
        r"(?m)^title:.*$", lambda _: f"title: {quoted(clean_text(game_title, MAX_TITLE_LENGTH))}", text, count=1
    )
    text = re.sub(r"(?m)^(series|edition):.*\n", "", text)
    examples = ""
    if (examples_file := examples_of(path)).is_file():
        examples = re.sub(
            r"(?m)^edition:.*$",
            lambda _: f"edition: {quoted(file)}",
            _without_schema(examples_file.read_text(encoding="utf-8")),
            count=1,
        )
    pictures = Pictures(edition)
    needed = dict.fromkeys(one for _, names in picture_names(edition) for one in names)
    picture_files = {
        one: place for one in needed if (place := pictures.path(one)) is not None and place.parent.parent == path.parent
    }
    if (cover := pictures.path(pictures.cover)) is not None:
        picture_files[f"cover-{file.removesuffix('.yaml')}"] = cover
    return GameCopy(text, examples, {f"{one}.svg": place.read_bytes() for one, place in picture_files.items()})


def _without_schema(text: str) -> str:
    """Remove the line by which editors find the schema, which does not lie beside the copy."""
    return re.sub(r"(?m)^# yaml-language-server:.*\n(#\n)?", "", text, count=1)


def file_name(title: str, existing: Sequence[str]) -> str:
    """Return a free file name for a title: 'Long Hands' becomes long-hands.yaml. existing: names in use, in any case of
    letters.
    """
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = "-".join(re.findall(r"[a-z0-9]+", folded))[:40].strip("-") or "game"
    names = {name.casefold() for name in existing}
    for number in range(1, len(names) + 3):
        stem_with_number = f"{stem}-{number}" if number > 1 else stem
        try:
            new_variant.file_of(stem_with_number, Path())
        except new_variant.VariantError:  # some system forbids the name
            stem_with_number = f"{stem_with_number}-game"
        if not {f"{stem_with_number}.yaml", f"{stem_with_number}.examples.yaml"} & names:
            return f"{stem_with_number}.yaml"
    raise AssertionError("one more name than are taken is free")


def clean_text(text: str, max_length: int) -> str:
    """Turn typed text into text that can be shown and that the rules do not read."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text.translate(_SIGNS_OF_RULES))
    return " ".join(printable.split())[:max_length].strip()


def quoted(text: str) -> str:
    """Quote any text as YAML; templates leave it as it is."""
    return TypedText(json.dumps(text, ensure_ascii=False).translate(_YAML_ESCAPES))


# ── checks ──


def _check(answers: Answers, turn: Mapping[str, Any]) -> None:
    """Check that the answers fit together. Raises NewGameError."""
    if not clean_text(answers.name, MAX_TITLE_LENGTH):
        raise NewGameError(phrase("design", "Give your game a name."))
    least, most = int(turn["least"]), int(turn.get("most", _MAX_PEOPLE))
    if not least <= answers.fewest <= answers.most <= most:
        raise NewGameError(
            phrase(
                "design",
                "This can be played by {least} to {most} people. Choose numbers between those.",
                least=str(least),
                most=str(most),
            )
        )
    if turn["of"] == "cards" and turn.get("with", answers.cards) != answers.cards:
        raise NewGameError(phrase("design", "This needs cards with suits and numbers."))
    if turn["of"] == "board" and (answers.rows < _MIN_ROWS or answers.columns * answers.rows > MAX_SPACES):
        raise NewGameError(
            phrase(
                "design",
                "A board has at least {rows} rows, and at most {number} spaces.",
                rows=str(_MIN_ROWS),
                number=str(MAX_SPACES),
            )
        )


def _sorts(answers: Answers, fewest: int) -> list[str]:
    """Return the names of sorts, cleaned, each once, and MAX_SORTS at most; singular and plural are one. Raises
    NewGameError if there are fewer than `fewest`.
    """
    by_singular: dict[str, str] = {}
    for text in answers.sorts:
        if name := clean_text(text, MAX_NAME_LENGTH):
            by_singular.setdefault(singular(name.casefold()), name)
    if len(by_singular) < fewest:
        raise NewGameError(phrase("design", "Give at least {number} names, each of them once.", number=str(fewest)))
    return list(by_singular.values())[:MAX_SORTS]


def _deals(turn: Mapping[str, Any], cards: int, people: int) -> int:
    """Return how many cards a player is dealt. Raises NewGameError if there are too few cards."""
    hands = (1 if "dealt" in turn else people) + ("shared" in turn)
    dealt = min(int(turn["deals"]), (cards - people * int(turn["spare"])) // hands)
    if dealt < _MIN_HAND:
        raise NewGameError(
            phrase(
                "design",
                "These are {cards} cards, too few for {people} players. Have more of each, or more sorts.",
                cards=str(cards),
                people=str(people),
            )
        )
    return dealt


# ── templates ──


def _fill_templates(answers: Answers, turn: Mapping[str, Any], file: str, plain: bool) -> NewGame | None:
    """Fill in the templates; None if the rules could mistake a name. plain: use plain generated names instead of the
    typed ones."""
    shared, win = frame(), frame()["wins"][answers.win]
    texts: dict[str, Any] = {**shared, **turn, **win, **turn["wins"][answers.win]}
    slots = {name: text for name, text in texts.items() if isinstance(text, str)}
    people = str(answers.fewest) if answers.fewest == answers.most else f"{answers.fewest} to {answers.most}"
    slots |= {
        "title": quoted(clean_text(answers.name, MAX_TITLE_LENGTH)),
        "players": people,
        "about": f"{dialog_texts.WORDS[f'new turn {answers.turn}'].text}.",
        "end of file": win["game"],
        "file": quoted(file),
        "seats": f"[{', '.join(_EXAMPLE_NAMES[: answers.fewest])}]",
        "sides": str(answers.sides),
        "dice copies": str(answers.dice),
    }
    slots |= _materials(answers, turn, plain)
    slots["case"] = turn["case"]
    with TemporaryDirectory() as folder:
        path = Path(folder, file)
        path.write_text(fill(f"{shared['head']}\n{turn['game']}\n<looks>\n", slots), encoding="utf-8")
        edition, report = examine(str(path))
        if edition is None or report.diagnostics:
            return None
        path.write_text(format_file(path, file), encoding="utf-8")
        examples = path.with_suffix(".examples.yaml")
        for case in (turn["case"], _BEGINNING):
            examples.write_text(fill(shared["case"], {**slots, "case": case}), encoding="utf-8")
            with open(Path(folder, "told.txt"), "w", encoding="utf-8") as output:
                if scenarios.run([str(examples)], output) == scenarios.PASSED:
                    break
        examples.write_text(format_file(examples, examples.name), encoding="utf-8")
        return NewGame(path.read_text(encoding="utf-8"), examples.read_text(encoding="utf-8"))


_BEGINNING = """\
the game begins:
  expect: {over: no}
"""
"""Case for a game whose own case does not pass: it only begins."""


def _materials(answers: Answers, turn: Mapping[str, Any], plain: bool) -> dict[str, str]:
    """Return the slots for the cards, board, path or markers of the game; {} for dice, whose slots every game has.
    plain: as for `_fill_templates`, here and below."""
    match turn["of"]:
        case "cards":
            return _cards(answers, turn, plain)
        case "board":
            return _board_texts(answers)
        case "path":
            length = str(answers.columns)
            return {"length": length, "colours": _colours(answers.most), "marker": _marker(answers)}
        case "markers" if turn.get("with"):
            name = clean_text(answers.marker, MAX_NAME_LENGTH) or "marker"
            return {"copies": str(max(answers.copies, 5)), "marker": quoted(name), "a": quoted(name)}
        case "markers":
            names = _sorts(answers, 2)
            words = "".join(f"{key}: {{{noun}}}\n" for key, noun in _words(names, "shade", plain))
            return {"sorts": TypedText(words), "copies": str(answers.copies), "marker": quoted("{shade}")}
    return {}


def _cards(answers: Answers, turn: Mapping[str, Any], plain: bool) -> dict[str, str]:
    """Return the slots of a card game."""
    suits = answers.cards == "suits"
    names = _sorts(answers, 2 if suits else 3)
    sort = "suit" if suits else "face"
    keys = _words(names, sort, plain)
    counts = True
    if suits:
        words = "".join(f"{key}: {{{noun}}}\n" for key, noun in keys)
        labels = [f"{names[0]} 2", f"{names[0]} 1", f"{names[1]} 1", f"{names[0]} 3", f"{names[1]} 2"]
        fits = "suit is (top 1 of pile)'s suit or value is (top 1 of pile)'s value"
        fits_text = "has the suit or the number of"
    else:
        rule_text = turn["game"] + turn["wins"][answers.win].get("scored", "")
        counts = re.search(r"\bvalue\b|<fits>", rule_text) is not None  # a value that no rule uses is left out
        values = (", ".join(filter(None, [f"value: {n}" * counts, noun])) for n, (_, noun) in enumerate(keys, 1))
        words = "".join(f"{key}: {{{value}}}\n" for (key, _), value in zip(keys, values, strict=True))
        labels = [names[1], names[0], names[2], names[-1], names[1]]
        fits = "value is at least (top 1 of pile)'s value - 1 and value is at most (top 1 of pile)'s value + 1"
        fits_text = "has the number, or one more or less than,"
    cards = len(names) * answers.copies * (answers.highest if suits else 1)
    return {
        "cards": frame()[answers.cards],
        "looks": frame()["card looks"],
        "corner": 'corner: "{value}"' * counts,
        "words": TypedText(words),
        "sort": sort,
        "highest": str(answers.highest),
        "copies": str(answers.copies),
        "deals": str(_deals(turn, cards, answers.most)),
        "fits": fits,
        "fits told": fits_text,
        **dict(zip("abcde", map(quoted, labels), strict=True)),
    }


def _board_texts(answers: Answers) -> dict[str, str]:
    """Return what a template of a board game needs: size, colours, directions and numbers."""
    moved = answers.turn == "move"
    spaces, across = answers.columns * answers.rows, min(answers.columns, answers.rows)
    homes = (
        [
            ("home: {}, goal: {}" if answers.win == "reach the other side" else "home: {}").format(*ends)
            for ends in ((answers.rows, 1), (1, answers.rows))
        ]
        if moved
        else []
    )
    return {
        "colours": _colours(answers.most, homes),
        "size": f"{answers.columns} by {answers.rows}",
        "neighbours": _NEIGHBOURS_BY_FORM[answers.form],
        "ways": _LINE_DIRECTIONS[answers.form],
        "marker copies": str(answers.columns if moved else -(-spaces // answers.fewest)),
        "marker": _marker(answers),
        "row": str(5 if across > 8 else 4 if across > 4 else 3),
        "height": str(answers.rows),
        "one less": str(answers.rows - 1),
    }


def _colours(people: int, attributes: Sequence[str] = ()) -> str:
    """Return a list of words, one colour a player, in YAML's braces. attributes: of each, in YAML."""
    own = chain(attributes, [""] * people)
    return f"{{{', '.join(f'{colour}: {{{told}}}' for colour, told in zip(_COLOURS[:people], own, strict=False))}}}"


def _marker(answers: Answers) -> str:
    """Return the quoted name of a marker, with a slot for its colour."""
    return quoted(f"{{colour}} {clean_text(answers.marker, MAX_NAME_LENGTH) or 'marker'}")


def _words(names: Sequence[str], of: str, plain: bool) -> list[tuple[str, str]]:
    """Pair each name's word for the rules with a `noun`, which people read instead; '' if they read that word. of:
    begins generated words.
    """
    pairs = []
    for number, name in enumerate(names):
        key = name.casefold()
        if plain or not _PLAIN.fullmatch(key):
            key = f"{of}{number + 1}"
        pairs.append((key, "" if key == name else f"noun: {quoted(name)}"))
    return pairs
