"""Pictures of an edition: SVG files in folders called `pictures`, chosen by name.

An edition may come from anywhere, and its pictures are put into pages that people open. So a picture is read into what
it draws, and written anew from that: shapes, paths and groups, and nothing that runs, loads or links.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.model.artwork import Look
from rulewright.model.declarations import NUMBER, NUMBERS, SLOT, Kind, written_number
from rulewright.model.edition import Edition
from rulewright.model.editions import PICTURES
from rulewright.syntax.source import MappingNode, Node, Scalar

_DICE = Path(__file__).parent / "dice"
"""Folder of the pictures of dice, for editions that draw none."""
_PIPS = range(1, 7)
"""Numbers of a die with pips."""

_COVER = "cover"
"""Name of the picture of the cover; "cover-STEM" is that of the edition in the file of this stem alone."""
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_NAME_LENGTH = 100
"""Limit of a file name's letters: systems complain of more."""
_MAX_SIZE = 1_000_000
"""Largest file, in characters."""
_OTHERS = (".png", ".jpg", ".jpeg", ".webp", ".gif")
"""Suffixes of pictures that are no SVG."""


class PictureError(RulewrightError):
    """Error: a picture is missing or unusable. reason: the problem, without the file's name."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason or message


SlotValues = Mapping[str, tuple[str, int]]
"""Values of slots by name: type (one of NUMBERS or a word list), and number or index of the word."""


def kind_slots(edition: Edition, kind: Kind) -> list[str]:
    """Return the slots that pictures of a kind may have: its attributes, then those of their words."""
    lists = [edition.words[of] for of in kind.attributes.values() if of != NUMBER]
    return list(dict.fromkeys([*kind.attributes, *(name for words in lists for name in words.attributes)]))


def kind_slot_values(edition: Edition, kind: Kind, row: Sequence[int]) -> SlotValues:
    """Return the values of slots for pieces with these values of their attributes."""
    own = {name: (of, value) for (name, of), value in zip(kind.attributes.items(), row, strict=True)}
    return _with_words(edition, own)


def word_slots(edition: Edition, words: str) -> list[str]:
    """Return the slots that pictures of a word list may have: its attributes, then those of their words."""
    own = edition.words[words].attributes
    inner = (name for of in own.values() if of not in NUMBERS for name in edition.words[of].attributes)
    return list(dict.fromkeys([*own, *inner]))


def word_slot_values(edition: Edition, words: str, number: int) -> SlotValues:
    """Return the values of slots for a word, given by its index; a number that it does not have is 0, a word that it
    does not have is left out."""
    declared, word_attributes = edition.words[words].attributes, edition.words[words].words[number].attributes
    own = {
        name: (of, word_attributes.get(name, 0))
        for name, of in declared.items()
        if of in NUMBERS or name in word_attributes
    }
    return _with_words(edition, own)


def _with_words(edition: Edition, own: SlotValues) -> SlotValues:
    """Return values with the attributes of the words among them; of two with one name, the value itself counts."""
    inherited: dict[str, tuple[str, int]] = {}
    for of, value in own.values():
        words = edition.words[of] if of not in NUMBERS else None
        if words is not None and value >= 0:
            for name, type_ in words.attributes.items():
                if name in words.words[value].attributes:
                    inherited.setdefault(name, (type_, words.words[value].attributes[name]))
    return {**inherited, **own}


def dice_kinds(edition: Edition) -> frozenset[str]:
    """Return the kinds of piece drawn as dice: they show one to six, have no picture, and the edition rolls pieces."""
    with_artwork = {name for name, look in edition.looks.items() if look.card or look.picture is not None}
    numbered = [kind.name for kind in edition.kinds.values() if has_pips(kind) and kind.name not in with_artwork]
    return frozenset(numbered if numbered and _rolls(edition.tree) else ())


def has_pips(kind: Kind) -> bool:
    """Return whether a kind of piece shows changing numbers from one to six."""
    return kind.faces == _PIPS and kind.attributes[kind.changing] == NUMBER


def _rolls(node: Node) -> bool:
    """Return whether a sentence in a tree rolls something."""
    if isinstance(node, Scalar):
        return node.text.startswith("roll ")
    return any(map(_rolls, node.entries.values() if isinstance(node, MappingNode) else node.items))


def picture_name(pattern: str, edition: Edition, fillings: SlotValues) -> str:
    """Return a picture's name, in small letters with hyphens, from a pattern with slots; '' if a value is missing."""
    missing = False

    def fill(slot: re.Match[str]) -> str:
        nonlocal missing
        if slot[1].strip() not in fillings:
            missing = True
            return ""
        of, value = fillings[slot[1].strip()]
        return str(written_number(of, value)) if of in NUMBERS else edition.words[of].words[value].name

    filled = SLOT.sub(fill, pattern)
    return "" if missing else "-".join(filled.lower().split())


def picture_pattern(edition: Edition, look: Look, kind: Kind, row: Sequence[int]) -> Scalar | None:
    """Return the pattern of the large picture on pieces with these values: that of a word of theirs, or else that of
    all; None for none."""
    for of, value in zip(kind.attributes.values(), row, strict=True):
        word = edition.words[of].words[value].name if of not in NUMBERS and value >= 0 else ""
        if word in look.pictures_by_word:
            return look.pictures_by_word[word]
    return look.picture


class Pictures:
    """Pictures that an edition can name: its own, then those of the editions that it extends, then those of dice if it
    has any without a picture. dice: their kinds."""

    def __init__(self, edition: Edition) -> None:
        self._folders = [file.parent / PICTURES for file in edition.files]
        self._edition, self.dice = edition, dice_kinds(edition)
        self._folders += [_DICE] if self.dice else []
        self._covers = [*(f"{_COVER}-{file.stem}" for file in edition.files), _COVER]
        self._read: dict[str, str] = {}

    def of_piece(self, kind: Kind, row: Sequence[int]) -> str:
        """Return the name of the large picture on pieces with these values of their attributes; '' for none."""
        if kind.name in self.dice:
            return f"die-{dict(zip(kind.attributes, row, strict=True))[kind.changing]}"
        look = self._edition.looks.get(kind.name)
        pattern = picture_pattern(self._edition, look, kind, row) if look is not None else None
        if pattern is None:
            return ""
        return picture_name(pattern.text, self._edition, kind_slot_values(self._edition, kind, row))

    def path(self, name: str) -> Path | None:
        """Return the file of a picture, or None if there is none, as for a name that no picture can have."""
        if not _NAME.fullmatch(name) or len(name) > _MAX_NAME_LENGTH:
            return None
        return next((path for folder in self._folders if (path := folder / f"{name}.svg").is_file()), None)

    def missing_message(self, name: str) -> str:
        """Return the message for a missing picture: where it is expected, and whether a raster file is there."""
        expected = f"There is no picture '{name}': expected {PICTURES}/{name}.svg beside the edition."
        is_valid = bool(_NAME.fullmatch(name)) and len(name) <= _MAX_NAME_LENGTH
        other = (folder / f"{name}{end}" for folder in self._folders for end in _OTHERS if is_valid)
        raster = next((path.name for path in other if path.is_file()), "")
        return f"{expected} {PICTURES}/{raster} is no drawing: save it as SVG." if raster else expected

    @property
    def cover(self) -> str:
        """Name of the picture on the box: of its file, `cover-NAME`, or else of the folder, `cover`; or ''."""
        return next((name for name in self._covers if self.path(name) is not None), "")

    def is_cover(self, name: str) -> bool:
        """Return whether a picture stands for the box."""
        return name in self._covers

    def names(self) -> list[str]:
        """Return the names of all pictures, but for covers of other editions in the folder."""
        stems = {path.stem for folder in self._folders for path in folder.glob("*.svg")}
        return sorted(name for name in stems if not name.startswith(_COVER) or name in self._covers)

    def svg(self, name: str) -> str:
        """Return a picture as SVG that is safe to put into a page. Raises PictureError."""
        if name not in self._read:
            path = self.path(name)
            if path is None:
                raise PictureError(self.missing_message(name))
            if files.is_outside(path, path.parent.parent):
                raise PictureError(f"{path} is a link that leads out of the folder. Put the picture itself there.")
            self._read[name] = read(path)
        return self._read[name]


def read(path: Path) -> str:
    """Read a file as SVG that is safe to put into a page. Raises PictureError."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_MAX_SIZE + 1)
    except (OSError, UnicodeError) as error:
        raise PictureError(f"{path} cannot be read: {error}.") from None
    if len(text) > _MAX_SIZE:
        raise PictureError(
            f"{path} is larger than {_MAX_SIZE:,} characters.", f"it is larger than {_MAX_SIZE:,} characters"
        )
    return _clean(text, path)


@lru_cache(maxsize=512)  # a book shows the same pieces again and again
def _clean(text: str, path: Path) -> str:
    """Return the SVG text of a file rewritten safely; results are cached. Raises PictureError."""
    from rulewright.model import svg  # noqa: PLC0415 - few commands look at pictures

    try:
        return svg.clean(text)
    except svg.UnfitDrawing as error:
        raise PictureError(f"{path} cannot be used as a picture: {error}.", str(error)) from None
