"""Pictures of an edition: SVG files in folders called `pictures`, chosen by name.

An edition may come from anywhere, and its pictures are put into pages that people open. So a picture is read into what
it draws, and written anew from that: shapes, paths and groups, and nothing that runs, loads or links.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.model.declarations import NUMBER, NUMBERS, SLOT, Edition, Kind, number_of
from rulewright.model.editions import PICTURES
from rulewright.syntax.source import MappingNode, Node, Scalar

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_DICE = Path(__file__).parent / "dice"
_PIPS = range(1, 7)

_COVER = "cover"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 100  # letters of a name: systems complain of more
_SVG = "http://www.w3.org/2000/svg"
_LARGEST = 100_000  # characters of a file
_DEEPEST = 50
_ELEMENTS = frozenset(["svg", "title", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"])
_PLACES = ["viewBox", "transform", "d", "points", "x", "y", "width", "height", "x1", "y1", "x2", "y2"]
_ROUND = ["cx", "cy", "r", "rx", "ry"]
_STROKES = [f"stroke-{what}" for what in ("width", "opacity", "linecap", "linejoin", "miterlimit", "dasharray")]
_PAINT = ["fill", "fill-opacity", "fill-rule", "stroke", "opacity", *_STROKES]
_ATTRIBUTES = frozenset([*_PLACES, *_ROUND, *_PAINT])
_VALUE = re.compile(r"[\w\s#.,%()+-]{0,50000}")


class PictureError(RulewrightError):
    """A picture that is not there, or is none."""


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
                raise PictureError(f"There is no picture '{name}': expected {PICTURES}/{name}.svg beside the edition.")
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
        raise PictureError(f"{path} is larger than {_LARGEST:,} characters.")
    return _drawn(text, path)


@lru_cache(maxsize=512)  # a book shows the same pieces again and again
def _drawn(text: str, path: Path) -> str:
    from xml.etree import ElementTree  # noqa: PLC0415 - few commands look at pictures

    if "<!" in re.sub(r"(?s)<!--.*?-->", "", text):  # no entities, which could grow without end
        raise PictureError(f"{path} has a <!DOCTYPE> or the like; a picture needs none.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise PictureError(f"{path}, line {line}, column {column + 1}: this is no SVG.") from None
    if _local(root.tag) != "svg" or not root.get("viewBox"):
        raise PictureError(f"{path} is no <svg> with a viewBox.")
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(_clean(root, path, 0), encoding="unicode")


def _clean(element: Element, path: Path, depth: int) -> Element:
    """An element with what may stand in a picture."""
    name = _local(element.tag)
    if name not in _ELEMENTS:
        raise PictureError(f"{path} has a <{name[:40]}>; a picture is made of {', '.join(sorted(_ELEMENTS))}.")
    if depth > _DEEPEST:
        raise PictureError(f"{path} has groups in groups, more than {_DEEPEST} deep.")
    clean = element.makeelement(f"{{{_SVG}}}{name}", {})
    for key, value in element.items():
        if key not in _ATTRIBUTES or not _VALUE.fullmatch(value):
            raise PictureError(f'{path}: <{name}> has {key[:40]}="{value[:40]}", which a picture may not have.')
        clean.set(key, value)
    if name == "title":
        clean.text = element.text
    clean.extend([_clean(inner, path, depth + 1) for inner in element if isinstance(inner.tag, str)])
    return clean


def _local(tag: str) -> str:
    return tag.removeprefix(f"{{{_SVG}}}")
