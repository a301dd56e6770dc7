"""Errors of files in words: why the system refuses to read or write one."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.files import error_reason
from rulewright.i18n.localizer import Phrase, phrase


def read_error(path: Path | str, error: Exception) -> Phrase:
    """Describe why a file cannot be read, or that there is none."""
    if isinstance(error, FileNotFoundError):
        return phrase("errors", "There is no file '{path}'.", path=str(path))
    return phrase("errors", "'{path}' cannot be read: {why}.", path=str(path), why=error_reason(error))


def write_error(path: Path | str, error: Exception) -> Phrase:
    """Describe why a file cannot be written."""
    return phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=error_reason(error))
