"""Progress with lessons on this computer. If it cannot be stored, lessons are just not marked as done."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from rulewright.base import files
from rulewright.players.saves import SaveError, make_folder, state_folder

MAX_BYTES = 1_000_000
"""Maximum bytes that are read of the file."""


def done_lessons(edition: str) -> set[str]:
    """Return the names of an edition's finished lessons; names stay the same where numbers change."""
    return set(_read().get(edition, ()))


def mark_done(edition: str, name: str) -> None:
    """Store that a lesson is finished, by its name; nothing where that cannot be written."""
    progress = _read()
    progress[edition] = list(dict.fromkeys([*progress.get(edition, ()), name]))
    with contextlib.suppress(OSError, ValueError, SaveError):
        make_folder(_file().parent)
        files.replace(_file(), json.dumps(progress, ensure_ascii=False, indent=1).encode())


def _file() -> Path:
    """Return the file with the finished lessons. Raises SaveError as `state_folder` does."""
    return state_folder() / "learned.json"


def _read() -> dict[str, list[str]]:
    """Read the finished lessons by edition, ignoring anything else in the file; {} if it cannot be read."""
    try:
        content = json.loads(files.read(_file(), MAX_BYTES))
    except (OSError, ValueError, RecursionError, SaveError):
        return {}
    if not isinstance(content, dict):
        return {}
    lists = {edition: names for edition, names in content.items() if isinstance(names, list)}
    return {edition: [name for name in names if isinstance(name, str)] for edition, names in lists.items()}
