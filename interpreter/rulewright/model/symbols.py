"""Symbols of an edition: its named declarations, with dotted name, kind and place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.syntax.section_cache import cached
from rulewright.syntax.source import MappingNode, Node, Scalar

_KINDS = {
    "words.*": "word list",
    "words.*.*": "word",
    "boards.*": "board",
    "boards.*.spaces.*": "space",
    "sides": "sides",
    "pieces.*": "kind of piece",
    "pieces.*.has.*": "attribute",
    "zones.*": "zone",
    "values.*.*": "value",
    "terms.*.*": "term",
    "counters.*.*": "counter",
    "setup": "setup",
    "setup.steps.*": "step",
    "phases.*": "phase",
    "phases.*.steps.*": "step",
    "powers.*": "power",
    "roles.*": "role",
    "options.*": "option",
    "options.*.choices.*": "choice",
    "scoring.*": "score line",
    "ranking": "ranking",
    "limit": "limit",
    "rulings.*": "ruling",
    "measures.*": "measure",
}
"""Path of keys in an edition, with * for any name -> kind of the symbols declared there."""
_SHAPES: dict[str, list[tuple[list[str], str]]] = {}
"""Paths of keys, each with the kind of what it leads to, by their first key."""
for _pattern, _kind in _KINDS.items():
    _SHAPES.setdefault(_pattern.partition(".")[0], []).append((_pattern.split("."), _kind))


@record
class Symbol:
    """Named declaration. path: the keys that lead to it; place: of its name."""

    path: tuple[str, ...]
    kind: str
    place: SourcePlace
    node: Node

    @property
    def name(self) -> str:
        """Last key of the path."""
        return self.path[-1]

    @property
    def dotted(self) -> str:
        """Path with dots, such as 'zones.hand'."""
        return ".".join(self.path)

    def text(self, key: str) -> Scalar | None:
        """Return the text under a key such as 'text' or 'title', or None."""
        value = self.node.get(key) if isinstance(self.node, MappingNode) else None
        return value if isinstance(value, Scalar) and not value.absent else None

    @property
    def title(self) -> str:
        """Title on one line, or else the name."""
        text = self.text("title")
        return " ".join(text.text.split()) if text else self.name


def symbols(edition: Edition) -> list[Symbol]:
    """Return all symbols, in the order of the file."""
    result: list[Symbol] = []
    for key, section in edition.tree.items():
        alone = MappingNode(section.place, {key.text: section}, {key.text: key})
        result += cached("entries", section, partial(_section_symbols, alone))
    return result


def _section_symbols(section: MappingNode) -> list[Symbol]:
    """Return the symbols of one section, by itself in a mapping."""
    return list(_symbols_below(section, ()))


def kind_of(path: tuple[str, ...]) -> str:
    """Return the kind of the symbol at a path, such as 'zone'; '' if there can be none."""
    for keys, kind in _SHAPES.get(path[0], ()) if path else ():
        if len(keys) == len(path) and all(key in ("*", name) for key, name in zip(keys, path, strict=True)):
            return kind
    return ""


def find(edition: Edition, name: str, known: list[Symbol] | None = None) -> list[Symbol]:
    """Return the symbols that a name, a title or a dotted name can mean: 'hand limit', 'values.hand limit'; titles
    count only if no name fits, spaces and directions of boards only if neither does. known: the edition's symbols, if
    already listed."""
    parts = [canonical(part.casefold()) for part in name.split(".")]
    known = symbols(edition) if known is None else known
    matches = [entry for entry in known if _matches([canonical(key.casefold()) for key in entry.path], parts)]
    matches = matches or [entry for entry in known if canonical(entry.title.casefold()) == canonical(name.casefold())]
    return matches or list(_on_boards(known, edition, parts[-1]))


def _on_boards(known: list[Symbol], edition: Edition, name: str) -> Iterator[Symbol]:
    """Yield the boards with spaces or directions of that name, and the spaces of maps."""
    for entry in known:
        if entry.kind != "board":
            continue
        board = edition.boards[entry.name]
        if name in (board.spaces, board.directions) or (
            board.directions and name in [word.name for word in edition.words[board.directions].words]
        ):
            yield entry
        legend = entry.node.get("legend") if isinstance(entry.node, MappingNode) else None
        for letter, word in zip(board.letters, edition.words[board.spaces].words, strict=False):
            path = (*entry.path, "spaces", name)
            if name == word.name and isinstance(legend, MappingNode):
                yield Symbol(path, "space", legend.keys[letter].place, legend.entries[letter])
            elif name == word.name:
                yield Symbol(path, "space", entry.place, Scalar("", entry.place, True))


def _symbols_below(node: MappingNode, path: tuple[str, ...]) -> Iterator[Symbol]:
    """Yield the symbols in a mapping, each before those within it."""
    for key, value in node.items():
        full_path = (*path, key.text)
        kind = kind_of(full_path)
        if kind:
            yield Symbol(full_path, kind, key.place, value)
        if isinstance(value, MappingNode) and _can_contain_names(full_path):
            yield from _symbols_below(value, full_path)


def _can_contain_names(path: tuple[str, ...]) -> bool:
    """Return whether symbols can stand below this path."""
    return any(
        len(keys) > len(path) and all(key in ("*", name) for key, name in zip(keys, path, strict=False))
        for keys, _ in _SHAPES.get(path[0], ())
    )


def _matches(path: list[str], name_parts: list[str]) -> bool:
    """Return whether a dotted name ends like a path and names some of its other keys in order."""
    if path[-1] != name_parts[-1]:
        return False
    keys = iter(path)
    return all(any(key == part for key in keys) for part in name_parts)
