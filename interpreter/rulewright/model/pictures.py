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
from rulewright.model.declarations import NUMBER, NUMBERS, SLOT, Edition, Kind, number_of
from rulewright.model.editions import PICTURES
from rulewright.syntax.source import MappingNode, Node, Scalar

_DICE = Path(__file__).parent / "dice"
_PIPS = range(1, 7)

_COVER = "cover"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 100  # letters of a name: systems complain of more
_LARGEST = 1_000_000
"""Characters of a file."""
_OTHERS = (".png", ".jpg", ".jpeg", ".webp", ".gif")
"""Ends of the names of pictures that are no drawings."""


class PictureError(RulewrightError):
    """A picture that is not there, or is none. why: what is wrong with it, without its name."""

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why or message


Found = Mapping[str, tuple[str, int]]
"""What fills slots: one of NUMBERS or a word list, and the number or the word's place."""


def attributes(edition: Edition, kind: Kind) -> list[str]:
    """What can be filled in for the pieces of a kind: its attributes, then those of their words."""
    lists = [edition.words[of] for of in kind.attributes.values() if of != NUMBER]
    return list(dict.fromkeys([*kind.attributes, *(name for words in lists for name in words.attributes)]))


def values(edition: Edition, kind: Kind, row: Sequence[int]) -> Found:
    """What fills the slots for pieces with these values."""
    own = {name: (of, value) for (name, of), value in zip(kind.attributes.items(), row, strict=True)}
    return _with_words(edition, own)


def attributes_of(edition: Edition, words: str) -> list[str]:
    """What can be filled in for the words of a list: their attributes, then those of the words that these are."""
    own = edition.words[words].attributes
    inner = (name for of in own.values() if of not in NUMBERS for name in edition.words[of].attributes)
    return list(dict.fromkeys([*own, *inner]))


def values_of(edition: Edition, words: str, number: int) -> Found:
    """What fills the slots for a word; a number that it does not have is 0."""
    declared, held = edition.words[words].attributes, edition.words[words].words[number].attributes
    own = {name: (of, held.get(name, 0)) for name, of in declared.items() if of in NUMBERS or name in held}
    return _with_words(edition, own)


def _with_words(edition: Edition, own: Found) -> Found:
    """What fills the slots of something with these attributes: they, then what their words have."""
    inherited: dict[str, tuple[str, int]] = {}
    for of, value in own.values():
        words = edition.words[of] if of not in NUMBERS else None
        if words is not None and value >= 0:
            for name, held in words.attributes.items():
                if name in words.words[value].attributes:
                    inherited.setdefault(name, (held, words.words[value].attributes[name]))
    return {**inherited, **own}


def dice(edition: Edition) -> frozenset[str]:
    """The kinds of piece without a picture of their own that are drawn as dice: they show one to six, where something
    is rolled."""
    drawn = {name for name, look in edition.looks.items() if look.card or look.picture is not None}
    numbered = [kind.name for kind in edition.kinds.values() if has_pips(kind) and kind.name not in drawn]
    return frozenset(numbered if numbered and _rolls(edition.tree) else ())


def has_pips(kind: Kind) -> bool:
    """Whether a kind of piece shows a number from one to six, and then another."""
    return kind.faces == _PIPS and kind.attributes[kind.changing] == NUMBER


def _rolls(node: Node) -> bool:
    """Whether a sentence in there rolls something."""
    if isinstance(node, Scalar):
        return node.text.startswith("roll ")
    return any(map(_rolls, node.entries.values() if isinstance(node, MappingNode) else node.items))


def name_of(pattern: str, edition: Edition, found: Found) -> str:
    """The name of a picture with its slots filled in; '' where there is no such attribute."""
    missing = False

    def fill(slot: re.Match[str]) -> str:
        nonlocal missing
        if slot[1].strip() not in found:
            missing = True
            return ""
        of, value = found[slot[1].strip()]
        return str(number_of(of, value)) if of in NUMBERS else edition.words[of].words[value].name

    filled = SLOT.sub(fill, pattern)
    return "" if missing else "-".join(filled.lower().split())


class Pictures:
    """The pictures that an edition can name: its own, then those of the editions that it extends, then those of dice
    if it has any without a picture. dice: their kinds."""

    def __init__(self, edition: Edition) -> None:
        self._folders = [file.parent / PICTURES for file in edition.files]
        self._edition, self.dice = edition, dice(edition)
        self._folders += [_DICE] if self.dice else []
        self._covers = [*(f"{_COVER}-{file.stem}" for file in edition.files), _COVER]
        self._read: dict[str, str] = {}

    def of_piece(self, kind: Kind, row: Sequence[int]) -> str:
        """The name of the large picture on pieces with these values of their attributes; '' for none."""
        if kind.name in self.dice:
            return f"die-{dict(zip(kind.attributes, row, strict=True))[kind.changing]}"
        look = self._edition.looks.get(kind.name)
        if look is None or look.picture is None:
            return ""
        return name_of(look.picture.text, self._edition, values(self._edition, kind, row))

    def path(self, name: str) -> Path | None:
        """The file of a picture, or None if there is none."""
        if not _NAME.fullmatch(name) or len(name) > _LONGEST:
            return None
        return next((path for folder in self._folders if (path := folder / f"{name}.svg").is_file()), None)

    def missing(self, name: str) -> str:
        """What to tell of a picture that is not there: where it is expected, and whether one of another sort is."""
        expected = f"There is no picture '{name}': expected {PICTURES}/{name}.svg beside the edition."
        named = bool(_NAME.fullmatch(name)) and len(name) <= _LONGEST
        other = (folder / f"{name}{end}" for folder in self._folders for end in _OTHERS if named)
        there = next((path.name for path in other if path.is_file()), "")
        return f"{expected} {PICTURES}/{there} is no drawing: save it as SVG." if there else expected

    @property
    def cover(self) -> str:
        """The name of the picture on the box: of its file, `cover-NAME`, or else of the folder, `cover`; or ''."""
        return next((name for name in self._covers if self.path(name) is not None), "")

    def names(self) -> list[str]:
        """All that there are, but for the covers of other editions in the folder."""
        found = {path.stem for folder in self._folders for path in folder.glob("*.svg")}
        return sorted(name for name in found if not name.startswith(_COVER) or name in self._covers)

    def svg(self, name: str) -> str:
        """A picture as SVG that is safe to put into a page. Raises PictureError."""
        if name not in self._read:
            path = self.path(name)
            if path is None:
                raise PictureError(self.missing(name))
            if files.leads_out(path, path.parent.parent):
                raise PictureError(f"{path} is a link that leads out of the folder. Put the picture itself there.")
            self._read[name] = read(path)
        return self._read[name]


def read(path: Path) -> str:
    """What a file draws, written anew. Raises PictureError."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(_LARGEST + 1)
    except (OSError, UnicodeError) as error:
        raise PictureError(f"{path} cannot be read: {error}.") from None
    if len(text) > _LARGEST:
        raise PictureError(
            f"{path} is larger than {_LARGEST:,} characters.", f"it is larger than {_LARGEST:,} characters"
        )
    return _drawn(text, path)


@lru_cache(maxsize=512)  # a book shows the same pieces again and again
def _drawn(text: str, path: Path) -> str:
    from rulewright.model import svg  # noqa: PLC0415 - few commands look at pictures

    try:
        return svg.cleaned(text)
    except svg.UnfitDrawing as error:
        raise PictureError(f"{path} cannot be used as a picture: {error}.", str(error)) from None
