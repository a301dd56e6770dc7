"""The editions of a server: those that are offered, and those that tables were begun with, as they were then."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from rulewright import library
from rulewright.catalogue import UnknownEdition, available, is_path, shipped
from rulewright.diagnostics import EditionError
from rulewright.library import Rules
from rulewright.serving.store import Pinned

MOST_KEPT = 32


@dataclass(frozen=True)
class Offer:
    """An edition that can be played, and what tables keep of it."""

    rules: Rules
    pinned: Pinned


def offer(rules: Rules) -> Offer:
    """Of an edition from a file, others learn the file's name and not where it lies."""
    path = Path(rules.name)
    name = path.name if is_path(rules.name) else rules.name
    return Offer(rules, Pinned.of(name, rules.edition.bases, library.whole_text(rules)))


class Offers:
    """names: of the editions that are offered, by name or file. Made for threads: what takes long does not wait."""

    def __init__(self, names: Mapping[str, str] | list[str]) -> None:
        self._names = list(names)
        self._lock = Lock()
        self._offered: dict[str, Offer] | None = None
        self._kept: OrderedDict[str, Rules] = OrderedDict()

    def all(self) -> dict[str, Offer]:
        """Digest -> edition of all that can be played; those with errors are left out."""
        with self._lock:
            if self._offered is None:
                found: dict[str, Offer] = {}
                for name in self._names:
                    try:
                        offered = offer(library.load(name))
                    except (EditionError, UnknownEdition):
                        continue
                    found[offered.pinned.digest] = offered
                self._offered = found
            return self._offered

    def rules(self, pinned: Pinned) -> Rules:
        """The rules that a table was begun with. Raises EditionError where this version reads them no more."""
        if pinned.digest in self.all():
            return self.all()[pinned.digest].rules
        with self._lock:
            if pinned.digest not in self._kept:
                self._kept[pinned.digest] = restored(pinned)
                if len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(pinned.digest)
            return self._kept[pinned.digest]


def restored(pinned: Pinned) -> Rules:
    """An edition from the text that was kept; its pictures only as far as they come with Rulewright."""
    there = available()
    folders = [there[name].parent for name in (pinned.name, *pinned.bases) if name in there]
    return library.from_text(pinned.text, pinned.name, pinned.bases, folders)


def names_of(given: list[str]) -> list[str]:
    """The editions that come along, then what is given: names or files. Raises UnknownEdition, EditionError."""
    for name in given:
        library.load(name)
    return [*available(), *(name for name in given if not _is_shipped(name))]


def _is_shipped(name: str) -> bool:
    try:
        return not is_path(name) and bool(shipped(name))
    except UnknownEdition:
        return False
