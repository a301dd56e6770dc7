"""Files of saved games: read with suspicion, written so that a reader meets the old one or the new one."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.saved_game import SAVE_FORMAT
from rulewright.i18n.localizer import phrase

if sys.platform != "win32":
    import fcntl

LARGEST_SAVE = 20_000_000


class SaveError(RulewrightError):
    """A file that is no saved game, or that cannot be read, written or overwritten."""


def state_folder() -> Path:
    """Where games are kept that were given no file. Raises SaveError where there is no such place."""
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA", "")
    else:
        given = os.environ.get("XDG_STATE_HOME", "")
    # The XDG specification says to ignore a path that is not absolute.
    if given and Path(given).is_absolute():
        return Path(given) / "rulewright"
    try:
        return Path.home() / ".local" / "state" / "rulewright"
    except RuntimeError:
        raise SaveError(phrase("errors", "There is no home folder to keep games in.")) from None


def make_folder(path: Path) -> None:
    """Make a folder for what nobody else is to read, if it is not there yet. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def last_file() -> Path:
    """The game that was played last."""
    return state_folder() / "last.json"


def read(path: Path) -> dict[str, Any]:
    """What a save file holds; that it fits a game is for Game.load to see. Raises SaveError."""
    try:
        content = files.read(path, LARGEST_SAVE + 1)
    except FileNotFoundError:
        raise SaveError(phrase("errors", "There is no file '{path}'.", path=str(path))) from None
    except (OSError, ValueError) as error:
        why = files.reason(error)
        raise SaveError(phrase("errors", "'{path}' cannot be read: {why}.", path=str(path), why=why)) from None
    if len(content) > LARGEST_SAVE:
        raise SaveError(phrase("errors", "'{path}' is too large for a saved game.", path=str(path)))
    try:
        found = json.loads(files.composed(content.decode()), parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError):
        told = phrase("errors", "'{path}' is not a saved game of Rulewright, or only a part of one.", path=str(path))
        raise SaveError(told) from None
    if not isinstance(found, dict) or found.get("rulewright") != SAVE_FORMAT:
        raise SaveError(phrase("errors", "'{path}' is not a saved game of Rulewright.", path=str(path)))
    return found


def write(path: Path, save: Mapping[str, Any]) -> None:
    """Put a save at `path`, in one step and lastingly, for nobody else to read: its seed tells all that is hidden.
    Raises SaveError; an older file is then as it was."""
    try:
        files.replace(path, json.dumps(save, indent=1).encode(), private=True)
    except (OSError, ValueError) as error:
        why = files.reason(error)
        raise SaveError(
            phrase("errors", "The game cannot be saved in '{path}': {why}.", path=str(path), why=why)
        ) from None


def may_write(path: Path) -> None:
    """Raises SaveError where a new game would overwrite another file, or an unfinished game."""
    if not os.path.exists(path):  # pathlib's own test raises where a folder is closed to us
        return
    try:
        found = read(path)
    except SaveError:
        raise SaveError(
            phrase(
                "errors",
                "'{path}' is there already, and it is no saved game; it stays as it is. Choose another name.",
                path=str(path),
            )
        ) from None
    if not found.get("over"):
        resume = f"rulewright play --resume {shlex.quote(str(path))}"
        raise SaveError(
            phrase(
                "errors",
                "'{path}' holds a game that is not over. Go on with it: {command}; or choose another name.",
                path=str(path),
                command=resume,
            )
        )


def keep_unfinished(path: Path) -> Path | None:
    """Move a game that is not over out of the way of the next one; where it is then. Raises SaveError."""
    try:
        if read(path).get("over"):
            return None
    except SaveError:
        return None
    kept = path.with_name(f"previous{path.suffix}")
    try:
        os.chmod(path, 0o600)  # earlier versions let everybody read it
        os.replace(path, kept)
    except OSError as error:
        why = files.reason(error)
        told = phrase("errors", "'{path}' cannot be moved out of the way: {why}.", path=str(path), why=why)
        raise SaveError(told) from None
    return kept


class Locks:
    """Keeps two terminals from playing one saved game at the same time.

    Only in the folder where games are kept that were given no file: elsewhere no lock files are left behind. A
    lock ends with the process, however that ends. Where the system has no such locks, nothing is locked.
    """

    def __init__(self) -> None:
        self._files = contextlib.ExitStack()
        self._locked: set[Path] = set()

    def __enter__(self) -> Locks:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def lock(self, path: Path) -> bool:
        """Whether this process may play the game in a file, now and until it ends."""
        if sys.platform == "win32" or path in self._locked or path.parent != state_folder():
            return True
        with contextlib.ExitStack() as opened:
            try:
                file = opened.enter_context(open(path.with_suffix(".lock"), "wb"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            except OSError:
                return True
            self._files.push(opened.pop_all())
        self._locked.add(path)
        return True


def _refuse(text: str) -> None:
    raise ValueError(f"a save holds whole numbers only, not {text}")
