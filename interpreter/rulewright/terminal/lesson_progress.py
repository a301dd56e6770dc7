"""Which lessons somebody has played at this computer. Where this cannot be kept, they are just not marked."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from rulewright.base import files
from rulewright.players.saves import SaveError, make_folder, state_folder

LARGEST = 1_000_000


def learned(edition: str) -> set[str]:
    """The names of an edition's lessons that are done: they stay the same where numbers change."""
    return set(_kept().get(edition, ()))


def learn(edition: str, name: str) -> None:
    """Keep that a lesson is done."""
    kept = _kept()
    kept[edition] = list(dict.fromkeys([*kept.get(edition, ()), name]))
    with contextlib.suppress(OSError, ValueError, SaveError):
        make_folder(_file().parent)
        files.replace(_file(), json.dumps(kept, ensure_ascii=False, indent=1).encode())


def _file() -> Path:
    return state_folder() / "learned.json"


def _kept() -> dict[str, list[str]]:
    """By editions; whatever else the file holds counts for nothing."""
    try:
        found = json.loads(files.read(_file(), LARGEST))
    except (OSError, ValueError, RecursionError, SaveError):
        return {}
    if not isinstance(found, dict):
        return {}
    lists = {edition: names for edition, names in found.items() if isinstance(names, list)}
    return {edition: [name for name in names if isinstance(name, str)] for edition, names in lists.items()}
