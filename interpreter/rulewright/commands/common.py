"""Helpers of several commands: errors, languages, and writing files."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n import languages
from rulewright.i18n.file_errors import write_error
from rulewright.i18n.localizer import Localizer, phrase


class CommandError(RulewrightError):
    """Arguments that contradict each other, or leave open what is meant."""


def choose_localizer(language: str | None) -> Localizer:
    """Return the interface in a requested language, or the system's. Raises CommandError."""
    return languages.localizer_for(choose_language(language))


def choose_language(text: str | None) -> str:
    """Return the code of a requested language, or the system's. Raises CommandError."""
    if text is None:
        return languages.environment_language(os.environ)
    language = languages.PSEUDO if text == languages.PSEUDO else languages.code_of(text)
    if not language:
        raise CommandError(languages.unknown_language(text))
    return language


def write(path: Path, content: str | bytes, overwrite: bool) -> bool:
    """Write a file, pipe or device; return whether it is a file that stays.

    Raises CommandError if it exists and is not overwritten, or cannot be written; BrokenPipeError. overwrite: whether
    an existing file may be.
    """
    check_writable(path, overwrite)
    data = content.encode() if isinstance(content, str) else content
    try:
        if files.is_stream(path):
            files.write_stream(path, data)
            return False
        (files.replace if overwrite else files.create)(path, data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise CommandError(write_error(path, error)) from None
    return True


def check_writable(path: Path, overwrite: bool) -> None:
    """Check that a file does not exist, or may be overwritten. Raises CommandError."""
    if os.path.lexists(path) and not overwrite and not files.is_stream(path):
        raise CommandError(
            phrase("errors", "'{path}' is there already; it stays as it is. Choose another name.", path=str(path))
        )


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun in English; the plural has an -s. noun: in the singular."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def format_range(span: tuple[int, int]) -> str:
    """Return the two ends of a range, joined by a dash; one number if they are equal."""
    return str(span[0]) if span[0] == span[1] else f"{span[0]}–{span[1]}"


def require_simulation() -> None:
    """Check that the libraries for simulations are installed, and let numpy use one thread; call it before importing
    that. Raises CommandError."""
    # No matrix here is worth a second thread, which takes longer to start than a hundred games.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if missing := [name for name in ("numpy", "pyarrow", "tqdm") if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "Simulations need {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command="pip install 'rulewright[simulate]'",
            )
        )
