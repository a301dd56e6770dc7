"""A `.rulewright` file: a game with all that belongs to it, as a plain zip (see `spec/PARCELS.md`).

Such files come from anywhere. One is read whole, within bounds, and checked before anything is written; then it goes
into a folder of its own, where nothing was.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from rulewright.base import files
from rulewright.base.diagnostics import Report, RulewrightError, visible
from rulewright.base.files import reason
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.model import pictures
from rulewright.model.editions import PICTURES, is_path
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import LARGEST_FILE, MappingNode, Scalar
from rulewright.workbench.new_game.portable_names import obstacle

SUFFIX, MANIFEST, VERSION = ".rulewright", "rulewright.json", 1
MOST_FILES, LARGEST = 1000, 20_000_000
"""How many files one may hold, and of how many bytes, packed and unpacked."""
MOST_YAML = 2_000_000
"""Bytes of all rule files, examples and cases together: reading them takes time."""
_LARGEST = {".yaml": LARGEST_FILE, ".yml": LARGEST_FILE, ".po": 5_000_000, ".svg": 400_000, ".json": 1000}
_DEEPEST = 4
_BESIDE = ("examples.yaml", "cases.yaml", "examples.yml", "cases.yml")
_CATALOG = re.compile(r"[A-Za-z_]{2,20}\.po")
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How files may be packed: other ways unpack at once whatever a few bytes may become."""
_WHEN = (1980, 1, 1, 0, 0, 0)
_RIGHTS = (stat.S_IFREG | 0o644) << 16


class ParcelError(RulewrightError):
    """A `.rulewright` file that is none, or a game that fits into none; nothing has been written."""


@record
class Parcel:
    """What one holds. edition: the name of its game's file; files: their names, with '/', and contents."""

    edition: str
    files: Mapping[str, bytes]


# ── packing ──


def pack(edition: Path) -> bytes:
    """A game's file, those that it extends, and what lies beside them: examples, cases, catalogs, pictures. The same
    files always give the same bytes, whatever mistakes their rules may have. A game may come from anywhere: what it has
    as a link, which may lead to any file of this computer, is not sent on. Raises ParcelError."""
    texts = _extended(edition.absolute())
    root = Path(os.path.commonpath([path.parent for path in texts]))
    found: dict[str, bytes] = {}
    for path, content in texts.items():
        found[_name(path, root)] = content
        for other in _beside(path, {text.stem for text in texts}):
            found[_name(other, root)] = _content(other)
    manifest = {"rulewright": VERSION, "edition": _name(edition.absolute(), root)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in [(MANIFEST, json.dumps(manifest).encode()), *sorted(found.items())]:
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.external_attr, entry.compress_type, entry.create_system = _RIGHTS, zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, content)
    read(packed.getvalue())  # whoever gets it must be able to open it
    return packed.getvalue()


def _extended(edition: Path) -> dict[Path, bytes]:
    """An edition's file and those of this computer that it extends, with their contents."""
    found: dict[Path, bytes] = {}
    path: Path | None = edition
    while path is not None and path not in found and len(found) < MOST_FILES:
        found[path] = _content(path)
        tree = _tree(found[path])
        if path != edition and not any(_named(tree, key) for key in ("rulewright", "extends")):
            raise ParcelError(
                phrase("errors", "'{path}' is extended, but is no game. It is not sent.", path=_shown(str(path)))
            )
        base = _named(tree, "extends")
        path = files.on_disk(Path(os.path.normpath(path.parent / base))) if base is not None and is_path(base) else None
    return found


def _beside(edition: Path, packed: set[str]) -> Iterator[Path]:
    """What lies beside an edition and belongs to it. packed: what the editions are called that are packed."""
    try:
        there = sorted(edition.parent.iterdir())
        drawn = sorted((edition.parent / PICTURES).glob("*.svg"))
    except OSError:
        return
    for path in there:
        name = files.composed(path.name)
        end = name.removeprefix(f"{files.composed(edition.stem)}.")
        if end != name and (end in _BESIDE or _CATALOG.fullmatch(end)) and path.is_file():
            yield path
    for path in drawn:
        cover = path.stem.removeprefix("cover-")
        if path.is_file() and (cover == path.stem or cover in packed):
            yield path


def _name(path: Path, root: Path) -> str:
    """What a file is called in a `.rulewright` file. Raises ParcelError where it cannot be in one."""
    name = path.relative_to(root).as_posix()
    if (link := files.link_below(root, path)) is not None:
        raise ParcelError(
            phrase(
                "errors",
                "'{path}' is a link. Put the file itself there, then pack the game.",
                path=_shown(link.relative_to(root).as_posix()),
            )
        )
    for part in name.split("/"):
        if why := obstacle(part):
            raise ParcelError(
                phrase(
                    "errors",
                    "'{path}' cannot be sent, since not every computer can have a file called so: {why}. "
                    "Give it another name.",
                    path=_shown(part),
                    why=why,
                )
            )
    return name


def content(path: Path) -> bytes:
    """What stands in a file, as far as one is read. Raises ParcelError."""
    return _content(path, LARGEST)


def _content(path: Path, most: int = 0) -> bytes:
    try:
        return files.read(path, (most or _LARGEST.get(path.suffix, LARGEST_FILE)) + 1)
    except (OSError, ValueError) as error:
        raise ParcelError(
            phrase("errors", "'{path}' cannot be read: {why}.", path=str(path), why=reason(error))
        ) from None


# ── reading ──


def read(content: bytes) -> Parcel:
    """What a `.rulewright` file holds, checked. Raises ParcelError, in one sentence."""
    if len(content) > LARGEST:
        raise _too_large()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found = dict(_entries(archive))
    except ParcelError:
        raise
    except Exception:  # the library reads what anybody may have written, and says so in many ways
        raise _damaged() from None
    manifest = found.pop(MANIFEST, None)
    edition = _edition(manifest, found)
    _check(found)
    return Parcel(edition, found)


def _entries(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise _too_large()
    seen: set[str] = set()
    left, left_yaml = LARGEST, MOST_YAML
    for entry in entries:
        name = entry.orig_filename
        if not _is_sound(name) or stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            raise ParcelError(
                phrase("errors", "This file holds '{name}', which does not belong into one.", name=_shown(name))
            )
        folded = unicodedata.normalize("NFKC", name).casefold()
        above = {parent.as_posix() for parent in PurePosixPath(folded).parents}
        if folded in seen or above & seen:
            raise ParcelError(phrase("errors", "This file holds '{name}' twice.", name=_shown(name)))
        if entry.compress_type not in _PACKED:
            raise _damaged()
        seen.add(folded)
        with archive.open(entry) as file:  # what its head says of its size need not be so
            most = min(left, _LARGEST[PurePosixPath(name).suffix])
            read = file.read(most + 1)
        if len(read) > most:
            raise _too_large()
        left -= len(read)
        if name.endswith((".yaml", ".yml")):
            left_yaml -= len(read)
        if left_yaml < 0:
            raise _too_large()
        yield name, read


def _is_sound(name: str) -> bool:
    """Whether a file may be called so: everywhere, and within the folder it goes into."""
    if name == MANIFEST:
        return True
    path = PurePosixPath(name)
    parts = name.split("/")
    kind = path.suffix in _LARGEST and path.suffix != ".json"
    place = (path.suffix == ".svg") == (len(parts) > 1 and parts[-2] == PICTURES)
    plain = not any(obstacle(part) for part in parts)
    return kind and place and plain and len(parts) <= _DEEPEST


def _edition(manifest: bytes | None, found: Mapping[str, bytes]) -> str:
    """The name of the game's file. Raises ParcelError."""
    try:
        told = json.loads(manifest or b"")
        version, edition = told["rulewright"], told["edition"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise ParcelError(
            phrase("errors", "This is no game of Rulewright: it does not say which one it holds.")
        ) from None
    if version != VERSION:
        raise ParcelError(
            phrase("errors", "A newer version of Rulewright has made this file, and is needed to open it.")
        )
    if not isinstance(edition, str) or edition not in found or not edition.endswith((".yaml", ".yml")):
        raise ParcelError(phrase("errors", "This file does not hold the game that it says it holds."))
    return edition


def _check(found: Mapping[str, bytes]) -> None:
    """Raises ParcelError for what is not what its name says, or leads out of the file."""
    with TemporaryDirectory() as folder:
        for name, content in found.items():
            why = ""
            if name.endswith(".svg"):
                path = Path(folder, "picture.svg")
                path.write_bytes(content)
                try:
                    pictures.read(path)
                except pictures.PictureError as error:
                    why = error.why.replace(str(path), "it").rstrip(".")
            elif name.endswith(".po"):
                why = "" if _is_text(content) else "it is no text"
            elif (tree := _tree(content)) is None:
                why = "it cannot be read as YAML"
            else:
                why = _leads_out(name, tree, found)
            if why:
                told = phrase("errors", "'{path}' in this file cannot be used: {why}.", path=_shown(name), why=why)
                raise ParcelError(told)


def _leads_out(name: str, tree: MappingNode, found: Mapping[str, bytes]) -> str:
    """Whether a file builds upon one that is not there, in words."""
    for key in ("extends", "edition"):
        base = _named(tree, key)
        if base is not None and is_path(base):
            place = os.path.normpath(f"{PurePosixPath(name).parent}/{base}").replace("\\", "/")
            there = files.composed(place) in map(files.composed, found)
            if not there or PurePosixPath(base).is_absolute():
                return f"it needs '{_shown(base)}', which is not there"
    return ""


def _named(tree: MappingNode | None, key: str) -> str | None:
    node = tree.get(key) if tree is not None else None
    return node.text if isinstance(node, Scalar) else None


def _tree(content: bytes) -> MappingNode | None:
    if not _is_text(content):
        return None
    node = yaml_reader.read(None, content.decode(), Report(), "file")
    return node if isinstance(node, MappingNode) else None


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _shown(name: str) -> str:
    return visible(name if len(name) <= 60 else f"{name[:59]}…")


def _damaged() -> ParcelError:
    return ParcelError(phrase("errors", "This is no game of Rulewright, or it is damaged."))


def _too_large() -> ParcelError:
    return ParcelError(
        phrase(
            "errors", "This is larger than a game may be: {files} files, {size} MB.", files=str(MOST_FILES), size="20"
        )
    )


# ── unpacking ──


def unpack(content: bytes, folder: Path, name: str) -> Path:
    """Put what a `.rulewright` file holds into a new folder within `folder`, called like the file, or else with a
    number behind it; where its game then lies. A folder that holds just this already is taken as it is. Raises
    ParcelError."""
    parcel = read(content)
    stem = name.removesuffix(SUFFIX)
    if obstacle(stem):
        stem = "game"
    try:
        place = _folder(folder, stem, parcel)
        for inner, data in parcel.files.items():
            path = place.joinpath(*inner.split("/"))
            if path.exists():
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            files.create(path, data)
    except (OSError, ValueError) as error:
        raise ParcelError(
            phrase("errors", "'{path}' cannot be written: {why}.", path=str(folder / stem), why=reason(error))
        ) from None
    return place.joinpath(*parcel.edition.split("/"))


def _folder(folder: Path, stem: str, parcel: Parcel) -> Path:
    """A new folder, or one that holds all that is in the file."""
    for number in range(1, 1000):
        place = folder / (f"{stem}-{number}" if number > 1 else stem)
        try:
            place.mkdir()
        except FileExistsError:
            if not _holds(place, parcel):
                continue
        return place
    raise FileExistsError(None, "there are too many folders of that name")


def _holds(place: Path, parcel: Parcel) -> bool:
    """Whether all that is in the file lies in a folder just so, and nothing of it somewhere else."""
    if place.is_symlink():
        return False
    for name, content in parcel.files.items():
        path = place.joinpath(*name.split("/"))
        there = files.link_below(place, path) is None and files.beginning(path, len(content) + 1)
        if not content or there != content:
            return False
    return True
