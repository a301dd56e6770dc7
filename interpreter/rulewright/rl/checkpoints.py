"""Checkpoints of trainings: arrays in an .npz file, from which a training that was stopped goes on.

Such a file is read with suspicion: nothing in it is ever run, and its arrays have to be those that are expected.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase

LARGEST_FILE = 256_000_000
_ABOUT = "about"

Arrays = Mapping[str, NDArray[Any]]


def path_beside(policy: Path) -> Path:
    """Where the checkpoint of a training lies whose policy goes into a file."""
    return policy.with_suffix(".training.npz")


def write(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Keep a training. about: what it is of, as JSON. Raises RulewrightError."""
    buffer = io.BytesIO()
    told = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(buffer, allow_pickle=False, **{_ABOUT: told, **arrays})
    try:
        files.replace(path, buffer.getvalue())
    except (OSError, ValueError) as error:
        slots = {"path": str(path), "why": files.reason(error)}
        raise RulewrightError(phrase("errors", "'{path}' cannot be written: {why}.", **slots)) from None


def read(path: Path, expected: Arrays) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the arrays of a training, and what it is of. expected: arrays of the same names, shapes and types.

    Raises RulewrightError.
    """
    try:
        content = files.read(path, LARGEST_FILE + 1)
    except FileNotFoundError:
        raise RulewrightError(phrase("errors", "There is no file '{path}'.", path=str(path))) from None
    except (OSError, ValueError) as error:
        slots = {"path": str(path), "why": files.reason(error)}
        raise RulewrightError(phrase("errors", "'{path}' cannot be read: {why}.", **slots)) from None
    try:
        return _parsed(content, expected)
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile, RecursionError):
        told = phrase("errors", "'{path}' is no training that can go on here. Delete it to begin anew.", path=str(path))
        raise RulewrightError(told) from None


def _parsed(content: bytes, expected: Arrays) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    if len(content) > LARGEST_FILE:
        raise ValueError("it is too large")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > LARGEST_FILE:
            raise ValueError("it is too large")
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        about = json.loads(kept[_ABOUT].tobytes())
        arrays = {name: np.array(kept[name]) for name in expected}
    for name, array in arrays.items():
        if array.shape != expected[name].shape or array.dtype != expected[name].dtype or not np.isfinite(array).all():
            raise ValueError("an array is another")
    if not isinstance(about, dict):
        raise ValueError("it does not say what it is of")
    return arrays, about
