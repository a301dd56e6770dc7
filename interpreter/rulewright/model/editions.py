"""Shipped editions, and finding an edition by name or file."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.base import resources
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.files import path_on_disk
from rulewright.i18n.localizer import phrase, suggestion

MAX_SHOWN_LENGTH = 60
"""Maximum number of characters of a name in a message."""
PICTURES = "pictures"
"""The folder beside an edition that has its pictures."""
_EXAMPLES = ".examples.yaml"
"""End of files of examples, which lie beside editions."""


class UnknownEdition(RulewrightError):
    """Error: no edition, or several, have a name."""


def available() -> dict[str, Path]:
    """Return the files of shipped editions by name; the path of the folder is part of the name."""
    root = resources.folder("editions")
    files = (path for path in sorted(root.rglob("*.yaml")) if not path.name.endswith(_EXAMPLES))
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in files}


def name_of(file: Path) -> str | None:
    """Return the name of the shipped edition in a file; None for any other file."""
    root, real = resources.folder("editions").resolve(), file.resolve()
    if not real.is_relative_to(root) or real.suffix != ".yaml" or real.name.endswith(_EXAMPLES):
        return None
    return real.relative_to(root).with_suffix("").as_posix()


def examples_of(file: Path) -> Path:
    """Return the path of the examples of an edition's rulebook, which need not exist: `2022.examples.yaml` beside
    `2022.yaml`."""
    return path_on_disk(file.with_name(f"{file.stem}{_EXAMPLES}"))


def find(name: str) -> tuple[str, Path]:
    """Return full name and file of an edition, given by a path or by an unambiguous part of its name.

    A path is its own name, and its file need not exist. Raises UnknownEdition for any other name.
    """
    path = path_on_disk(Path(name))
    return (name, path) if is_path(name) or is_file(path) else shipped(name)


def shipped(name: str) -> tuple[str, Path]:
    """Return full name and file of a shipped edition, given by an unambiguous part of its name.

    Raises UnknownEdition.
    """
    editions = available()
    if name in editions:
        return name, editions[name]
    words = re.split(r"[\s/_-]+", name.lower())
    short_name = name if len(name) <= MAX_SHOWN_LENGTH else name[: MAX_SHOWN_LENGTH - 1] + "…"
    matches = [full for full in editions if all(word in re.split(r"[/_-]", full) for word in words)]
    whole = [full for full in matches if re.split(r"[_-]", full.rpartition("/")[2]) == words]
    if len(matches) == 1 or len(whole) == 1:
        full_name = (whole or matches)[0]
        return full_name, editions[full_name]
    if matches:
        message = phrase(
            "errors", "'{name}' could be any of these editions: {names}.", name=short_name, names=", ".join(matches)
        )
        raise UnknownEdition(message)
    raise UnknownEdition(
        phrase(
            "errors",
            "There is no edition '{name}'. {hint} There are: {names}; or give the path of a .yaml file.",
            name=short_name,
            hint=suggestion(name, [*editions, *(part for full in editions for part in full.split("/"))]),
            names=", ".join(editions) or phrase("errors", "none"),
        )
    )


def is_path(name: str) -> bool:
    """Return whether this is the path of a file, existing or not, rather than a shipped edition's name."""
    return name.endswith((".yaml", ".yml")) or "\\" in name


def is_file(path: Path) -> bool:
    """Return whether a file exists; False for paths that cannot be."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def displayed_path(path: Path) -> str:
    """Return a path as people would type it: relative to the current folder if it is below, else as given."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
