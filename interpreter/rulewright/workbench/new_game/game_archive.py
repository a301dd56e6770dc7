"""`.rulewright` file: a game with all that belongs to it, as a plain zip (see `spec/PARCELS.md`).

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
from rulewright.base.diagnostics import Report, RulewrightError, shorten_name
from rulewright.base.records import record
from rulewright.i18n.file_errors import read_error, write_error
from rulewright.i18n.localizer import phrase
from rulewright.model import pictures
from rulewright.model.editions import PICTURES, is_path
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MAX_FILE_SIZE, MappingNode, Scalar
from rulewright.workbench.new_game.portable_names import obstacle

SUFFIX, MANIFEST, VERSION = ".rulewright", "rulewright.json", 1
"""End of an archive's name; file in it that tells its version and its edition; and the version."""
MAX_FILES, MAX_BYTES = 1000, 20_000_000
"""Maximum number of files, and of bytes, packed and unpacked."""
MAX_YAML_BYTES = 2_000_000
"""Maximum bytes of all rule files, examples and cases together: reading them takes time."""
_MAX_BYTES_BY_ENDING = {".yaml": MAX_FILE_SIZE, ".yml": MAX_FILE_SIZE, ".po": 5_000_000, ".svg": 400_000, ".json": 1000}
"""Maximum bytes of a file by the end of its name; files with other ends are not allowed."""
_MAX_DEPTH = 4
"""Maximum parts of a name in an archive, the file's own included."""
_CASE_FILE_ENDINGS = ("examples.yaml", "cases.yaml", "examples.yml", "cases.yml")
"""Ends of the names of files with examples and cases, behind the edition's stem."""
_CATALOG = re.compile(r"[A-Za-z_]{2,20}\.po")
"""End of the name of a catalog, behind the edition's stem."""
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Allowed compression methods: others can unpack a few bytes to any size."""
_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
"""Time of every file, so that equal games give equal archives."""
_PERMISSIONS = (stat.S_IFREG | 0o644) << 16
"""Attributes of every file: an ordinary one that all can read and its owner can change."""


class ArchiveError(RulewrightError):
    """Invalid `.rulewright` file, or a game that does not fit into one; nothing has been written."""


@record
class GameArchive:
    """Content of a `.rulewright` file. edition: name of the game's file; files: names, with '/', and contents."""

    edition: str
    files: Mapping[str, bytes]


# ── packing ──


def pack(edition: Path) -> bytes:
    """Pack a game's file, those that it extends, and what lies beside them: examples, cases, catalogs, pictures. The
    same files always give the same bytes, whatever mistakes their rules may have. Links are refused: a game may come
    from anywhere, and a link may lead to any file of this computer. Raises ArchiveError."""
    texts = _extended(edition.absolute())
    root = Path(os.path.commonpath([path.parent for path in texts]))
    contents: dict[str, bytes] = {}
    for path, content in texts.items():
        contents[_name(path, root)] = content
        for other in _files_beside(path, {text.stem for text in texts}):
            contents[_name(other, root)] = _content(other)
    manifest = {"rulewright": VERSION, "edition": _name(edition.absolute(), root)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in [(MANIFEST, json.dumps(manifest).encode()), *sorted(contents.items())]:
            entry = zipfile.ZipInfo(name, _TIMESTAMP)
            entry.external_attr, entry.compress_type, entry.create_system = _PERMISSIONS, zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, content)
    read(packed.getvalue())  # the recipient must be able to open it
    return packed.getvalue()


def _extended(edition: Path) -> dict[Path, bytes]:
    """Read an edition's file and the local files that it extends. Raises ArchiveError."""
    contents: dict[Path, bytes] = {}
    path: Path | None = edition
    while path is not None and path not in contents and len(contents) < MAX_FILES:
        contents[path] = _content(path)
        tree = _tree(contents[path])
        if path != edition and not any(_text_at(tree, key) for key in ("rulewright", "extends")):
            raise ArchiveError(
                phrase("errors", "'{path}' is extended, but is no game. It is not sent.", path=shorten_name(str(path)))
            )
        base = _text_at(tree, "extends")
        path = (
            files.path_on_disk(Path(os.path.normpath(path.parent / base)))
            if base is not None and is_path(base)
            else None
        )
    return contents


def _files_beside(edition: Path, packed: set[str]) -> Iterator[Path]:
    """Yield the files beside an edition that belong to it. packed: stems of the packed editions."""
    try:
        neighbours = sorted(edition.parent.iterdir())
        pictures = sorted((edition.parent / PICTURES).glob("*.svg"))
    except OSError:
        return
    for path in neighbours:
        name = files.to_nfc(path.name)
        end = name.removeprefix(f"{files.to_nfc(edition.stem)}.")
        if end != name and (end in _CASE_FILE_ENDINGS or _CATALOG.fullmatch(end)) and path.is_file():
            yield path
    for path in pictures:
        cover = path.stem.removeprefix("cover-")
        if path.is_file() and (cover == path.stem or cover in packed):
            yield path


def _name(path: Path, root: Path) -> str:
    """Return the name of a file inside the archive. Raises ArchiveError for a name that some system forbids, or a
    link."""
    name = path.relative_to(root).as_posix()
    if (link := files.first_link(root, path)) is not None:
        raise ArchiveError(
            phrase(
                "errors",
                "'{path}' is a link. Put the file itself there, then pack the game.",
                path=shorten_name(link.relative_to(root).as_posix()),
            )
        )
    for part in name.split("/"):
        if reason_phrase := obstacle(part):
            raise ArchiveError(
                phrase(
                    "errors",
                    "'{path}' cannot be sent, since not every computer can have a file called so: {why}. "
                    "Give it another name.",
                    path=shorten_name(part),
                    why=reason_phrase,
                )
            )
    return name


def content(path: Path) -> bytes:
    """Read an archive's bytes, one more than allowed at most, by which `read` finds it too large. Raises ArchiveError
    if the file cannot be read."""
    return _content(path, MAX_BYTES)


def _content(path: Path, max_bytes: int = 0) -> bytes:
    """Read a file, one byte more than allowed at most. max_bytes: 0 for the limit of its ending. Raises
    ArchiveError."""
    try:
        return files.read(path, (max_bytes or _MAX_BYTES_BY_ENDING.get(path.suffix, MAX_FILE_SIZE)) + 1)
    except (OSError, ValueError) as error:
        raise ArchiveError(read_error(path, error)) from None


# ── reading ──


def read(content: bytes) -> GameArchive:
    """Read and check a `.rulewright` file. Raises ArchiveError, in one sentence."""
    if len(content) > MAX_BYTES:
        raise _too_large()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            contents = dict(_read_entries(archive))
    except ArchiveError:
        raise
    except Exception:  # untrusted input makes zipfile raise many kinds of errors
        raise _damaged() from None
    manifest = contents.pop(MANIFEST, None)
    edition = _edition(manifest, contents)
    _check(contents)
    return GameArchive(edition, contents)


def _read_entries(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each file of an archive. Raises ArchiveError for what no game has."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MAX_FILES:
        raise _too_large()
    names: set[str] = set()
    left, left_yaml = MAX_BYTES, MAX_YAML_BYTES
    for entry in entries:
        name = entry.orig_filename
        if not _is_sound(name) or stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
            raise ArchiveError(
                phrase("errors", "This file holds '{name}', which does not belong into one.", name=shorten_name(name))
            )
        folded = unicodedata.normalize("NFKC", name).casefold()
        above = {parent.as_posix() for parent in PurePosixPath(folded).parents}
        if folded in names or above & names:
            raise ArchiveError(phrase("errors", "This file holds '{name}' twice.", name=shorten_name(name)))
        if entry.compress_type not in _COMPRESSIONS:
            raise _damaged()
        names.add(folded)
        with archive.open(entry) as file:  # the size in the header may be wrong
            most = min(left, _MAX_BYTES_BY_ENDING[PurePosixPath(name).suffix])
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
    """Return whether an archive may hold a file of this name: valid on every system, of a known kind, in its folder."""
    if name == MANIFEST:
        return True
    path = PurePosixPath(name)
    parts = name.split("/")
    kind = path.suffix in _MAX_BYTES_BY_ENDING and path.suffix != ".json"
    place = (path.suffix == ".svg") == (len(parts) > 1 and parts[-2] == PICTURES)
    plain = not any(obstacle(part) for part in parts)
    return kind and place and plain and len(parts) <= _MAX_DEPTH


def _edition(manifest: bytes | None, contents: Mapping[str, bytes]) -> str:
    """Return the name of the game's file from the manifest. Raises ArchiveError."""
    try:
        fields = json.loads(manifest or b"")
        version, edition = fields["rulewright"], fields["edition"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise ArchiveError(
            phrase("errors", "This is no game of Rulewright: it does not say which one it holds.")
        ) from None
    if version != VERSION:
        raise ArchiveError(
            phrase("errors", "A newer version of Rulewright has made this file, and is needed to open it.")
        )
    if not isinstance(edition, str) or edition not in contents or not edition.endswith((".yaml", ".yml")):
        raise ArchiveError(phrase("errors", "This file does not hold the game that it says it holds."))
    return edition


def _check(contents: Mapping[str, bytes]) -> None:
    """Check that every file is what its name says and needs nothing outside the archive. Raises ArchiveError."""
    with TemporaryDirectory() as folder:
        for name, content in contents.items():
            problem = ""
            if name.endswith(".svg"):
                path = Path(folder, "picture.svg")
                path.write_bytes(content)
                try:
                    pictures.read(path)
                except pictures.PictureError as error:
                    problem = error.reason.replace(str(path), "it").rstrip(".")
            elif name.endswith(".po"):
                problem = "" if _is_text(content) else "it is no text"
            elif (tree := _tree(content)) is None:
                problem = "it cannot be read as YAML"
            else:
                problem = _problem_with_base(name, tree, contents)
            if problem:
                message = phrase(
                    "errors", "'{path}' in this file cannot be used: {why}.", path=shorten_name(name), why=problem
                )
                raise ArchiveError(message)


def _problem_with_base(name: str, tree: MappingNode, contents: Mapping[str, bytes]) -> str:
    """Return the end of a sentence on the missing file that a file builds upon: "it needs 'b.yaml', which is not
    there"; '' if none is missing."""
    for key in ("extends", "edition"):
        base = _text_at(tree, key)
        if base is not None and is_path(base):
            place = os.path.normpath(f"{PurePosixPath(name).parent}/{base}").replace("\\", "/")
            is_present = files.to_nfc(place) in map(files.to_nfc, contents)
            if not is_present or PurePosixPath(base).is_absolute():
                return f"it needs '{shorten_name(base)}', which is not there"
    return ""


def _text_at(tree: MappingNode | None, key: str) -> str | None:
    """Return the text of a key of a YAML file; None if that is not there, or no text."""
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


def _damaged() -> ArchiveError:
    return ArchiveError(phrase("errors", "This is no game of Rulewright, or it is damaged."))


def _too_large() -> ArchiveError:
    return ArchiveError(
        phrase(
            "errors",
            "This is larger than a game may be: {files} files, {size} MB.",
            files=str(MAX_FILES),
            size=str(MAX_BYTES // 1_000_000),
        )
    )


# ── unpacking ──


def unpack(content: bytes, folder: Path, name: str) -> Path:
    """Unpack a game into a new folder within `folder`, named like the file, with a number if taken, and return the path
    of the game's file. A folder that holds all files of this game already is reused. Raises ArchiveError."""
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
        raise ArchiveError(write_error(folder / stem, error)) from None
    return place.joinpath(*parcel.edition.split("/"))


def _folder(folder: Path, stem: str, parcel: GameArchive) -> Path:
    """Make a new folder, or return one that already holds the same files. Raises FileExistsError if too many have that
    name."""
    for number in range(1, 1000):
        place = folder / (f"{stem}-{number}" if number > 1 else stem)
        try:
            place.mkdir()
        except FileExistsError:
            if not _holds(place, parcel):
                continue
        return place
    raise FileExistsError(None, "there are too many folders of that name")


def _holds(place: Path, parcel: GameArchive) -> bool:
    """Return whether a folder holds each file of an archive with the same content."""
    if place.is_symlink():
        return False
    for name, content in parcel.files.items():
        path = place.joinpath(*name.split("/"))
        if files.first_link(place, path) is not None or not path.is_file():
            return False
        if files.read_beginning(path, len(content) + 1) != content:
            return False
    return True
