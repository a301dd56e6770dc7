"""Files of saved games: read as untrusted input, written atomically."""

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
from rulewright.i18n.file_errors import read_error
from rulewright.i18n.localizer import phrase

if sys.platform != "win32":
    import fcntl

MAX_SAVE_BYTES = 20_000_000
"""Maximum size of a saved game that is read."""


class SaveError(RulewrightError):
    """Raised for a file that is no saved game, or that cannot be read, written or overwritten."""


def state_folder() -> Path:
    """Return the folder for games without a file of their own. Raises SaveError where there is no such place."""
    if sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA", "")
    else:
        folder = os.environ.get("XDG_STATE_HOME", "")
    # The XDG specification says to ignore a path that is not absolute.
    if folder and Path(folder).is_absolute():
        return Path(folder) / "rulewright"
    try:
        return Path.home() / ".local" / "state" / "rulewright"
    except RuntimeError:
        raise SaveError(phrase("errors", "There is no home folder to keep games in.")) from None


def make_folder(path: Path) -> None:
    """Make a private folder if it does not exist yet. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def last_file() -> Path:
    """Return the file of the game that was played last. Raises SaveError as `state_folder` does."""
    return state_folder() / "last.json"


def read(path: Path) -> dict[str, Any]:
    """Read the content of a save file; `Game.load` checks whether it fits a game. Raises SaveError."""
    try:
        content = files.read(path, MAX_SAVE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise SaveError(read_error(path, error)) from None
    if len(content) > MAX_SAVE_BYTES:
        raise SaveError(phrase("errors", "'{path}' is too large for a saved game.", path=str(path)))
    try:
        save = json.loads(files.to_nfc(content.decode()), parse_float=_reject_number, parse_constant=_reject_number)
    except (ValueError, RecursionError):
        message = phrase("errors", "'{path}' is not a saved game of Rulewright, or only a part of one.", path=str(path))
        raise SaveError(message) from None
    if not isinstance(save, dict) or save.get("rulewright") != SAVE_FORMAT:
        raise SaveError(phrase("errors", "'{path}' is not a saved game of Rulewright.", path=str(path)))
    return save


def write(path: Path, save: Mapping[str, Any]) -> None:
    """Write a save durably and atomically, readable by this user only: its seed reveals all that is hidden.

    Raises SaveError; an older file is then unchanged.
    """
    try:
        files.replace(path, json.dumps(save, indent=1).encode(), private=True)
    except (OSError, ValueError) as error:
        reason = files.error_reason(error)
        raise SaveError(
            phrase("errors", "The game cannot be saved in '{path}': {why}.", path=str(path), why=reason)
        ) from None


def check_overwrite(path: Path) -> None:
    """Check that a new game may be written here.

    Raises SaveError where it would overwrite another file, or an unfinished game.
    """
    if not os.path.exists(path):  # pathlib's own test raises where a folder is closed to us
        return
    try:
        save = read(path)
    except SaveError:
        raise SaveError(
            phrase(
                "errors",
                "'{path}' is there already, and it is no saved game; it stays as it is. Choose another name.",
                path=str(path),
            )
        ) from None
    if not save.get("over"):
        resume = f"rulewright play --resume {shlex.quote(str(path))}"
        raise SaveError(
            phrase(
                "errors",
                "'{path}' holds a game that is not over. Go on with it: {command}; or choose another name.",
                path=str(path),
                command=resume,
            )
        )


def move_unfinished(path: Path) -> Path | None:
    """Move an unfinished game to a file 'previous' beside it, replacing the one there; return the new path, None if
    there is no unfinished game. Raises SaveError."""
    try:
        if read(path).get("over"):
            return None
    except SaveError:
        return None
    moved = path.with_name(f"previous{path.suffix}")
    try:
        os.chmod(path, 0o600)  # earlier versions let everybody read it
        os.replace(path, moved)
    except OSError as error:
        reason = files.error_reason(error)
        message = phrase("errors", "'{path}' cannot be moved out of the way: {why}.", path=str(path), why=reason)
        raise SaveError(message) from None
    return moved


class SaveLocks:
    """Locks that keep two terminals from playing one saved game at the same time.

    Only files in the folder for games without a file of their own are locked: elsewhere no lock files are left behind.
    A lock ends with the context that they are, or with the process. Where the system has no such locks, or the lock
    file cannot be made, nothing is locked.
    """

    def __init__(self) -> None:
        self._files = contextlib.ExitStack()
        self._locked: set[Path] = set()

    def __enter__(self) -> SaveLocks:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def lock(self, path: Path) -> bool:
        """Lock the game in a file until these locks are closed; return False if another process plays it, True also
        where nothing is locked."""
        if sys.platform == "win32" or path in self._locked or not _is_in_state_folder(path):
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


def _is_in_state_folder(path: Path) -> bool:
    """Return whether a file is in the folder for games without a file of their own; False if there is no such place."""
    try:
        return path.parent == state_folder()
    except SaveError:
        return False


def _reject_number(text: str) -> None:
    """Raise ValueError for a number that is not whole."""
    raise ValueError(f"a save holds whole numbers only, not {text}")
