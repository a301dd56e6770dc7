"""What an edition names: every thing with its dotted name, its kind and the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.model.declarations import Edition, canonical
from rulewright.syntax.section_cache import reused
from rulewright.syntax.source import MappingNode, Node, Scalar

# Where names stand in an edition, as a path of keys with * for every one of them -> what such a thing is.
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
_SHAPES: dict[str, list[tuple[list[str], str]]] = {}  # by their first key
for _pattern, _kind in _KINDS.items():
    _SHAPES.setdefault(_pattern.partition(".")[0], []).append((_pattern.split("."), _kind))


@record
class Entry:
    """A named thing. path: the keys that lead to it; place: where its name stands."""

    path: tuple[str, ...]
    kind: str
    place: SourcePlace
    node: Node

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def dotted(self) -> str:
        return ".".join(self.path)

    def text(self, key: str) -> Scalar | None:
        """What the entry says under a key such as 'text' or 'title'."""
        found = self.node.get(key) if isinstance(self.node, MappingNode) else None
        return found if isinstance(found, Scalar) and not found.absent else None

    @property
    def title(self) -> str:
        """What people call it."""
        found = self.text("title")
        return " ".join(found.text.split()) if found else self.name


def entries(edition: Edition) -> list[Entry]:
    """Everything that has a name, in the order of the file."""
    found: list[Entry] = []
    for key, section in edition.tree.items():
        alone = MappingNode(section.place, {key.text: section}, {key.text: key})
        found += reused("entries", section, partial(_entries_below, alone))
    return found


def _entries_below(section: MappingNode) -> list[Entry]:
    return list(_below(section, ()))


def kind_of(path: tuple[str, ...]) -> str:
    """What a thing at this path is, or ''."""
    for keys, kind in _SHAPES.get(path[0], ()) if path else ():
        if len(keys) == len(path) and all(key in ("*", name) for key, name in zip(keys, path, strict=True)):
            return kind
    return ""


def find(edition: Edition, name: str, known: list[Entry] | None = None) -> list[Entry]:
    """The things that a name, a title or a dotted name can mean: 'hand limit', 'values.hand limit' …

    known: the edition's entries, where they are at hand.
    """
    wanted = [canonical(part.casefold()) for part in name.split(".")]
    known = entries(edition) if known is None else known
    found = [entry for entry in known if _leads([canonical(key.casefold()) for key in entry.path], wanted)]
    found = found or [entry for entry in known if canonical(entry.title.casefold()) == canonical(name.casefold())]
    return found or list(_on_boards(known, edition, wanted[-1]))


def _on_boards(known: list[Entry], edition: Edition, name: str) -> Iterator[Entry]:
    """The boards whose spaces are called so, and the spaces of maps."""
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
                yield Entry(path, "space", legend.keys[letter].place, legend.entries[letter])
            elif name == word.name:
                yield Entry(path, "space", entry.place, Scalar("", entry.place, True))


def _below(node: MappingNode, path: tuple[str, ...]) -> Iterator[Entry]:
    for key, value in node.items():
        here = (*path, key.text)
        kind = kind_of(here)
        if kind:
            yield Entry(here, kind, key.place, value)
        if isinstance(value, MappingNode) and _may_lead_on(here):
            yield from _below(value, here)


def _may_lead_on(path: tuple[str, ...]) -> bool:
    """Whether names can stand below this path."""
    return any(
        len(keys) > len(path) and all(key in ("*", name) for key, name in zip(keys, path, strict=False))
        for keys, _ in _SHAPES.get(path[0], ())
    )


def _leads(path: list[str], wanted: list[str]) -> bool:
    """Whether what is wanted ends where the path ends, and names keys on its way in their order."""
    if path[-1] != wanted[-1]:
        return False
    keys = iter(path)
    return all(any(key == part for key in keys) for part in wanted)
