"""Lists of editions kept over restarts, so that a server that starts again shows its games before it reads their rules.

A list is kept in the cache for the editions offered and a language, with the state of every file that it was made from:
it is used only while all of them are as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode

from rulewright.base import cache
from rulewright.i18n import languages
from rulewright.model.editions import PICTURES
from rulewright.model.pictures import PictureError, Pictures
from rulewright.server.edition_registry import FilesSignature, OfferedEdition, signature_of

_MAX_SIZE = 4_000_000
"""Most bytes of a kept list."""


class EditionIndex(Struct, frozen=True):
    """List of editions with what shows it.

    names: public names of the editions by digest; covers: pictures as SVG, by digest and name; files: state of all that
    it was made from.
    """

    editions: list[dict[str, Any]]
    names: dict[str, str]
    covers: dict[str, str]
    files: FilesSignature

    def is_current(self) -> bool:
        """Return whether all files are as they were."""
        return signature_of(Path(path) for path, _, _ in self.files) == self.files


def make_index(offered: Sequence[OfferedEdition], editions: list[dict[str, Any]], language: str) -> EditionIndex:
    """Make the index of a list of editions, as the files are now."""
    files = signature_of(dict.fromkeys(file for one in offered for file in _sources(one, language)))
    names = {one.edition.pinned.digest: one.edition.pinned.name for one in offered}
    covers = {key: svg for one in offered for key, svg in covers_of(one).items()}
    return EditionIndex(editions, names, covers, files)


def store(index: EditionIndex, offers: Iterable[str], language: str) -> None:
    """Keep an index for the next start. offers: the names of all editions, or their paths."""
    data = encode(index)
    if len(data) <= _MAX_SIZE:
        cache.store(_key(offers, language), data)


def find(offers: Iterable[str], language: str) -> EditionIndex | None:
    """Return the index kept for some editions; None if there is none, or a file has changed since."""
    data = cache.get(_key(offers, language))
    if not isinstance(data, bytes) or len(data) > _MAX_SIZE:
        return None
    with suppress(DecodeError, ValueError):
        index = decode(data, type=EditionIndex)
        return index if index.is_current() else None
    return None


def picture_key(digest: str, name: str) -> str:
    """Return the key of a cover."""
    return f"{digest}/{name}"


def _key(offers: Iterable[str], language: str) -> str:
    return cache.key("list of editions", sorted(offers), str(Path.cwd()), language)


def _sources(one: OfferedEdition, language: str) -> Iterator[Path]:
    """Yield the files and folders that an edition's entry depends on: rules, covers and translations."""
    edition = one.edition.rules.edition
    yield from languages.folder(language).glob("**/*.*")
    for file in edition.files:
        pictures = file.parent / PICTURES
        yield from (file, file.parent, file.with_name(f"{file.stem}.{language}.po"), pictures)
        yield from pictures.glob("cover*.svg")


def covers_of(one: OfferedEdition) -> dict[str, str]:
    """Return the cover of an edition with its key; nothing if it has none that can be drawn."""
    pictures = Pictures(one.edition.rules.edition)
    with suppress(PictureError):
        if pictures.cover:
            return {picture_key(one.edition.pinned.digest, pictures.cover): pictures.svg(pictures.cover)}
    return {}
