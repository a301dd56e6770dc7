"""Folder that a workbench works on: its files and their contents."""

from __future__ import annotations

import os
import re
import stat
from codecs import BOM_UTF8
from pathlib import Path, PurePosixPath

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.file_errors import read_error, write_error
from rulewright.i18n.localizer import phrase
from rulewright.model import editions
from rulewright.syntax.source import MAX_FILE_SIZE

OWN_FOLDER = ".rulewright"
"""Subfolder for the workbench's own data."""
TEXT_SUFFIXES = (".yaml", ".yml", ".po")
"""Suffixes of files that can be edited."""
_MAX_FILES = 2000
"""Limit of files that are listed; the rest is left out."""
_MAX_DEPTH = 6
"""Limit of folders within each other, and of the parts of a file's name."""
_MAX_NAME_LENGTH = 200
"""Maximum characters of a file's name with its folders."""
_PART = re.compile(r"[^\x00-\x1f<>:\"/\\|?*]+")
"""Part of a name that is allowed on every system."""
_EDITION_LINE = re.compile(r"(?m)^(rulewright|extends) *:")
_CASES_END = re.compile(r"\.(examples|cases)(?=\.ya?ml$)")
"""End of the stem of a file of cases or examples."""
_CATALOG_END = re.compile(r"\.\w+\.po$")
"""End of a catalog's name, with the language."""


class BenchError(RulewrightError):
    """Failed operation on a file; nothing has changed."""


class NoRulesYet(BenchError):
    """Request for the rules of a file that has had no valid rules so far."""


def no_edition(name: str) -> NoRulesYet:
    """Make the error for a file without valid rules."""
    message = phrase("errors", "'{name}' has no rules that can be played yet. Mend its mistakes first.", name=name)
    return NoRulesYet(message)


def edition_names(name: str) -> tuple[str, ...]:
    """Return the names that the edition of a file can have: its own, or that of an edition beside which examples, cases
    or a catalog lie; () for other kinds of files."""
    edition = _CATALOG_END.sub(".yaml", _CASES_END.sub("", name))
    return (edition, f"{edition.removesuffix('.yaml')}.yml") if edition.endswith((".yaml", ".yml")) else ()


def is_edition(text: str) -> bool:
    """Return whether a text has a line that only editions have."""
    return _EDITION_LINE.search(text) is not None


def catalog_stem(name: str) -> str:
    """Return a catalog's name up to its language; another name as it is."""
    return _CATALOG_END.sub("", name)


class Workspace:
    """Folder with its files, named relative to it with '/' between parts; nothing outside can be named. Raises
    BenchError where there is no such folder, or its private folder has links."""

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))
        if not self.path.is_dir():
            raise BenchError(phrase("errors", "There is no folder '{path}'.", path=str(path)))
        self._refuse_links()

    @property
    def own(self) -> Path:
        """Folder of the workbench's private data (keys, tables, typed text), made on first use and ignored by git.
        Raises BenchError."""
        folder = self.path / OWN_FOLDER
        try:
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
                (folder / ".gitignore").write_text("*\n", encoding="utf-8")
            if stat.S_IMODE(folder.stat().st_mode) & 0o077:  # it came with a download
                folder.chmod(0o700)
        except OSError as error:
            raise BenchError(write_error(folder, error)) from None
        return folder

    def _refuse_links(self) -> None:
        """Refuse links in the private folder: a folder from elsewhere must not redirect what is written. Raises
        BenchError."""
        own = self.path / OWN_FOLDER
        inside = (Path(folder, name) for folder, below, names in os.walk(own) for name in (*below, *names))
        for path in (own, *inside):
            if path.is_symlink():
                name = path.relative_to(self.path).as_posix()
                raise BenchError(phrase("errors", "'{name}' lies outside of the folder.", name=name))

    def refuse_links_to(self, path: Path) -> None:
        """Refuse a path that leads through a link out of the folder. Raises BenchError."""
        if files.first_link(self.path, path) is not None:
            name = path.relative_to(self.path).as_posix()
            raise BenchError(phrase("errors", "'{name}' lies outside of the folder.", name=name))

    def names(self) -> list[str]:
        """List the files that can be edited, by name; hidden ones, links, and those too many or too deep
        are left out."""
        result: list[str] = []
        for folder, below, inside in os.walk(self.path):
            depth = len(Path(folder).relative_to(self.path).parts)
            below[:] = sorted(name for name in below if not name.startswith(".")) if depth < _MAX_DEPTH else []
            for name in inside:
                path = Path(folder) / name
                if name.endswith(TEXT_SUFFIXES) and not name.startswith(".") and not path.is_symlink():
                    result.append(path.relative_to(self.path).as_posix())
            if len(result) > _MAX_FILES:
                break
        return sorted(result[:_MAX_FILES])

    def file(self, name: str) -> Path:
        """Return the path of a file, whether or not it exists. Raises BenchError for an invalid name."""
        parts = PurePosixPath(name).parts
        sound = len(name) <= _MAX_NAME_LENGTH and name.endswith(TEXT_SUFFIXES) and 0 < len(parts) <= _MAX_DEPTH
        if not sound or any(not _PART.fullmatch(part) or part.startswith(".") for part in parts):
            raise BenchError(
                phrase("errors", "'{name}' cannot be the name of a file here.", name=name[:_MAX_NAME_LENGTH])
            )
        path = self.path.joinpath(*parts)
        if path.is_symlink() or not Path(os.path.realpath(path.parent)).is_relative_to(self.path):
            raise BenchError(phrase("errors", "'{name}' lies outside of the folder.", name=name))
        return path

    def name_of(self, path: Path) -> str | None:
        """Return the name of a path within the folder; None outside of it."""
        real = Path(os.path.realpath(path))
        return real.relative_to(self.path).as_posix() if real.is_relative_to(self.path) else None

    def readable(self, path: Path) -> str | None:
        """Return the name under which a window can show a file: one of the folder, or a shipped edition (read-only);
        None for others."""
        return self.name_of(path) or editions.name_of(path)

    def is_there(self, name: str) -> bool:
        """Return whether there is such a file. Raises BenchError for an invalid name."""
        return self.file(name).is_file()

    def read(self, name: str) -> str:
        """Read a text. Raises BenchError."""
        path = self.file(name)
        try:
            content = files.read(path, MAX_FILE_SIZE + 1)
            if len(content) > MAX_FILE_SIZE:
                raise BenchError(phrase("errors", "'{name}' is too large to edit here.", name=name))
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BenchError(phrase("errors", "'{name}' is not in UTF-8.", name=name)) from None
        except (OSError, ValueError) as error:
            raise BenchError(read_error(name, error)) from None
        return files.with_unix_line_ends(text)

    def write(self, name: str, text: str) -> None:
        """Write a text, with the line ends and the UTF-8 mark of the existing file; make its folders. Raises
        BenchError.
        """
        path = self.file(name)
        beginning = files.read_beginning(path, MAX_FILE_SIZE)
        if 2 * beginning.count(b"\r\n") > beginning.count(b"\n"):
            text = text.replace("\n", "\r\n")
        content = (BOM_UTF8 if beginning.startswith(BOM_UTF8) else b"") + text.encode()
        if len(content) > MAX_FILE_SIZE:
            raise BenchError(phrase("errors", "'{name}' is too large to edit here.", name=name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            files.replace(path, content)
        except (OSError, ValueError) as error:
            raise BenchError(write_error(name, error)) from None

    def signature(self, name: str) -> tuple[int, int] | None:
        """Return size and time by which a change of a file is noticed; None without a file."""
        try:
            status = self.file(name).stat()
        except (OSError, BenchError):
            return None
        return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None
