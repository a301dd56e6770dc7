"""Data folders: `spec`, `editions` and `locales`.

A wheel has them beside the modules; a checkout has them at its root.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_HOMES = (_PACKAGE, _PACKAGE.parents[1])
"""Folders that may hold the data folders: the package's own in a wheel, the root of a checkout."""


def folder(name: str) -> Path:
    """Return the data folder `name`. Raises RuntimeError if the installation lacks it."""
    for home in _HOMES:
        if (home / name).is_dir():
            return home / name
    raise RuntimeError(
        f"Rulewright's installation is broken: its folder '{name}' is missing. "
        f"Looked in {' and '.join(str(home) for home in _HOMES)}. Please install Rulewright again."
    )


def read_text(name: str, *parts: str) -> str:
    """Return the UTF-8 text of a file in the data folder `name`.

    Raises ValueError if `parts` lead out of the folder, OSError if there is no such file, RuntimeError as `folder`.
    """
    home = folder(name)
    path = home.joinpath(*parts).resolve()
    if not path.is_relative_to(home):
        raise ValueError(f"{'/'.join(parts)} leads out of {name}")
    return path.read_text(encoding="utf-8")
