"""Which editions there are, and how one is loaded by its name or its file."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from rulewright import resources
from rulewright.compiler import Setting, check, compile_edition
from rulewright.declarations import Edition
from rulewright.diagnostics import EditionError, Report, RulewrightError, nearest
from rulewright.edition import read
from rulewright.machine import Machine

LONGEST_SHOWN = 60


class UnknownEdition(RulewrightError):
    """No edition has that name, or several do."""


class Rules:
    """An edition that has been checked, with a machine for each number of seats, made when first needed."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._machines: dict[tuple[int, Setting | None], Machine] = {}

    @property
    def name(self) -> str:
        return self.edition.name

    @property
    def hash(self) -> str:
        return self.edition.hash

    @cached_property
    def title(self) -> str:
        return self.edition.full_title()

    def machine(self, seats: int, setting: Setting | None = None) -> Machine:
        """The machine for a number of seats that the edition allows; for one setting alone it is quicker."""
        key = (seats, setting)
        if key not in self._machines:
            self._machines[key] = Machine(compile_edition(self.edition, seats, Report(), setting))
        return self._machines[key]


def available() -> dict[str, Path]:
    """Name -> file of every edition that is shipped; a folder's path is part of the name."""
    root = resources.folder("editions")
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in sorted(root.rglob("*.yaml"))}


def find(name: str) -> tuple[str, Path]:
    """The full name and the file of an edition, given by a file's path or by any part of its name that is unambiguous.

    Raises UnknownEdition.
    """
    if name.endswith((".yaml", ".yml")) or "\\" in name or _is_file(Path(name)):
        return name, Path(name)
    editions = available()
    if name in editions:
        return name, editions[name]
    shown = name if len(name) <= LONGEST_SHOWN else name[: LONGEST_SHOWN - 1] + "…"
    words = re.split(r"[\s/_-]+", name.lower())
    matches = [full for full in editions if all(word in re.split(r"[/_-]", full) for word in words)]
    if len(matches) == 1:
        return matches[0], editions[matches[0]]
    if matches:
        raise UnknownEdition(f"'{shown}' could be any of these editions: {', '.join(matches)}.")
    hint = nearest(name, [*editions, *(part for full in editions for part in full.split("/"))])
    listed = ", ".join(editions) or "none"
    raise UnknownEdition(
        f"There is no edition '{shown}'. {hint} There are: {listed}; or give the path of a .yaml file.".replace(
            "  ", " "
        )
    )


def load(name: str) -> Rules:
    """The rules of an edition, by name or path. Raises UnknownEdition, or EditionError with all that is wrong."""
    full, path = find(name)
    if not _is_file(path):
        raise UnknownEdition(f"There is no file '{name}'.")
    report = Report()
    edition = read(path, report, full, shown_as=str(path) if full == name else full_path(path))
    if edition is not None and report.ok:
        check(edition, report)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition)


def from_text(text: str, name: str = "edition") -> Rules:
    """The rules of an edition given as text. Raises EditionError."""
    report = Report()
    edition = read(None, report, name, text=text, shown_as=name)
    if edition is not None and report.ok:
        check(edition, report)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition)


def _is_file(path: Path) -> bool:
    """Whether there is such a file; no path that cannot be one stops us."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def full_path(path: Path) -> str:
    """A path as people would type it: relative to here, if it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
