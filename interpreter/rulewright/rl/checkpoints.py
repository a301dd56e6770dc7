"""Checkpoints of trainings: arrays in an .npz file, from which a stopped training resumes.

The file is read as untrusted input: nothing in it is ever run, and its arrays must have the expected names, shapes and
types.
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
from rulewright.i18n.file_errors import read_error, write_error
from rulewright.i18n.localizer import phrase

MAX_FILE_BYTES = 256_000_000
"""Maximum size of a checkpoint, packed and unpacked."""
_ABOUT = "about"
"""Name of the array that holds the description, as JSON in bytes."""

Arrays = Mapping[str, NDArray[Any]]
"""Name -> array."""


def checkpoint_path(policy: Path) -> Path:
    """Return the path of the checkpoint for a policy's file."""
    return policy.with_suffix(".training.npz")


def write(path: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Write a checkpoint. about: description of the training, as JSON. Raises RulewrightError."""
    buffer = io.BytesIO()
    description = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(buffer, allow_pickle=False, **{_ABOUT: description, **arrays})
    try:
        files.replace(path, buffer.getvalue())
    except (OSError, ValueError) as error:
        raise RulewrightError(write_error(path, error)) from None


def remove(path: Path) -> None:
    """Remove a checkpoint, if there is one. Raises RulewrightError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise RulewrightError(write_error(path, error)) from None


def read(path: Path, expected: Arrays) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return a checkpoint's arrays, which are finite, and its description. expected: arrays of the same names, shapes
    and types. Raises RulewrightError."""
    try:
        content = files.read(path, MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RulewrightError(read_error(path, error)) from None
    try:
        return _parse_arrays(content, expected)
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile, RecursionError):
        message = phrase(
            "errors", "'{path}' is no training that can go on here. Delete it to begin anew.", path=str(path)
        )
        raise RulewrightError(message) from None


def _parse_arrays(content: bytes, expected: Arrays) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read the arrays, of expected shapes, and the description. Raises ValueError, or what zipfile, numpy and json
    raise for other content."""
    if len(content) > MAX_FILE_BYTES:
        raise ValueError("it is too large")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MAX_FILE_BYTES:
            raise ValueError("it is too large")
    with np.load(io.BytesIO(content), allow_pickle=False) as archive_arrays:
        about = json.loads(archive_arrays[_ABOUT].tobytes())
        arrays = {name: np.array(archive_arrays[name]) for name in expected}
    for name, array in arrays.items():
        if array.shape != expected[name].shape or array.dtype != expected[name].dtype or not np.isfinite(array).all():
            raise ValueError("an array is another")
    if not isinstance(about, dict):
        raise ValueError("it does not say what it is of")
    return arrays, about
