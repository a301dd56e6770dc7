"""What commands share: errors, languages, options, and files that somebody asked for."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n import languages
from rulewright.i18n import localizer as speeches
from rulewright.i18n.localizer import Phrase, phrase


class CommandError(RulewrightError):
    """Arguments that do not go together, or leave open what is meant."""


def spoken(wanted: str | None) -> speeches.Speech:
    """The interface in the language that is asked for, or that the system is set to. Raises CommandError."""
    return languages.speech(language_of(wanted))


def language_of(wanted: str | None) -> str:
    """The language that is asked for, or that the system is set to. Raises CommandError."""
    if wanted is None:
        return languages.of_environment(os.environ)
    language = languages.PSEUDO if wanted == languages.PSEUDO else languages.code_of(wanted)
    if not language:
        raise CommandError(languages.unknown_language(wanted))
    return language


def write(path: Path, content: str | bytes, overwrite: bool) -> bool:
    """Write a file that somebody asked for, or to a pipe or device; whether it is a file that stays.

    Raises CommandError where it is there already, or cannot be written; BrokenPipeError.
    """
    may_write(path, overwrite)
    data = content.encode() if isinstance(content, str) else content
    try:
        if files.is_stream(path):
            files.pour(path, data)
            return False
        (files.replace if overwrite else files.create)(path, data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise CommandError(unwritten(path, error)) from None
    return True


def may_write(path: Path, overwrite: bool) -> None:
    """Raises CommandError for a file that is there already and is not overwritten."""
    if os.path.lexists(path) and not overwrite and not files.is_stream(path):
        raise CommandError(
            phrase("errors", "'{path}' is there already; it stays as it is. Choose another name.", path=str(path))
        )


def unwritten(path: Path, error: Exception) -> Phrase:
    """What to say of a file that the system refuses to write."""
    return phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=files.reason(error))


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}–{span[1]}"


def need_libraries() -> None:
    """To be called before numpy is imported. Raises CommandError where what plays many games is not installed."""
    # No matrix here is worth a second thread; beginning one takes longer than a hundred games.
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
