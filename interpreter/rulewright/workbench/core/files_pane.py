"""Pane 'History': the files of the folder and their earlier versions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.workbench.core import version_history
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, not_understood, post, read
from rulewright.workbench.core.workspace import BenchError

WORDS: Mapping[str, Phrase] = {
    "history": phrase("design", "History"),
    "history told": phrase("design", "Every version of this file is kept. Look at one, name it, or take it back."),
    "version typed": phrase("design", "typed"),
    "version opened": phrase("design", "as it was opened"),
    "version disk": phrase("design", "changed by another program"),
    "version merged": phrase("design", "both changes together"),
    "version restored": phrase("design", "taken back"),
    "version made": phrase("design", "changed by the workbench"),
    "version name": phrase("design", "What to call this version"),
    "version back": phrase("design", "Go back to this version"),
    "no history": phrase("design", "There is only this version so far."),
    "now beside then": phrase("design", "What has changed since this version"),
}


class _LabelFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Label for a version by its number."""

    id: int
    label: Annotated[str, Meta(max_length=100)]


class _RestoreFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Number of a version."""

    id: int


class _Position(Struct, frozen=True):
    """Position as the language server protocol counts: lines from 0, UTF-16 units."""

    line: Annotated[int, Meta(ge=0)]
    character: Annotated[int, Meta(ge=0)]


class _TextRange(Struct, frozen=True):
    """Range of a text; the end does not belong to it."""

    start: _Position
    end: _Position


class _Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """Edit as the language server protocol has it: text in place of a range."""

    range: _TextRange
    newText: str


class _EditFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Edits of one file, all of which refer to the text before."""

    edits: Annotated[list[_Edit], Meta(max_length=10_000)]


class _FilesPane:
    """Handlers of the list of files and of the pane 'History'.

    Each gets the request, which names a file as `file` where it needs one, and the body, and returns what is sent.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def list_files(self, request: Request, _: Any) -> object:
        """List all files by name, each with the edition that it belongs to, if any."""
        names = self._bench.names()
        of = {name: self._bench.edition_of(name) for name in names}
        return {
            "folder": self._bench.folder.path.name,
            "files": [{"file": name, "edition": of[name]} for name in names],
        }

    def name_of_uri(self, request: Request, _: Any) -> object:
        """Return the name by which a window can show the file of a URI. Raises BenchError outside of the folder."""
        parts = urlsplit(request.query_params.get("uri", ""))
        name = self._bench.folder.readable(Path(url2pathname(parts.path))) if parts.scheme == "file" else None
        if name is None:
            raise BenchError(phrase("errors", "This file lies outside of the folder."))
        return {"file": name}

    def theirs(self, request: Request, _: Any) -> object:
        """Return the text of another program, in a conflict."""
        return {"text": self._bench.theirs(file(request))}

    def edit(self, request: Request, body: Any) -> object:
        """Apply an editor's edits to a file that it does not show, as when a name changes everywhere; return {}. Raises
        BenchError if they do not fit the text; nothing has changed then."""
        name = file(request)
        text = _apply_edits(self._bench.text(name), read(_EditFields, body).edits)
        self._bench.replace(name, text, version_history.TYPED)
        return {}

    def list_versions(self, request: Request, _: Any) -> object:
        """List the versions of a file, as `VersionHistory.list_versions` does."""
        return {"versions": self._bench.versions.list_versions(file(request))}

    def version(self, request: Request, _: Any) -> object:
        """Return the text of the version whose number is in the path. Raises BenchError if there is none."""
        return {"text": self._text(request, request.path_params["id"])}

    def set_label(self, request: Request, body: Any) -> object:
        """Label a version, '' for none; return {}."""
        fields = read(_LabelFields, body)
        self._bench.versions.set_label(file(request), fields.id, fields.label)
        return {}

    def restore(self, request: Request, body: Any) -> object:
        """Write the text of a version, which is a new version; return {}. Raises BenchError if there is none."""
        text = self._text(request, read(_RestoreFields, body).id)
        self._bench.replace(file(request), text, version_history.RESTORED)
        return {}

    def _text(self, request: Request, number: int) -> str:
        """Return the text of a version. Raises BenchError if there is none."""
        text = self._bench.versions.text(file(request), number)
        if text is None:
            raise BenchError(phrase("errors", "There is no such version."))
        return text


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the list of files, and of the pane of history."""
    pane = _FilesPane(bench)
    return [
        get("/api/files", pane.list_files),
        get("/api/files/named", pane.name_of_uri),
        get("/api/files/theirs", pane.theirs),
        post("/api/files/edit", pane.edit),
        get("/api/history", pane.list_versions),
        get("/api/history/{id:int}", pane.version),
        post("/api/history/name", pane.set_label),
        post("/api/history/restore", pane.restore),
    ]


def _apply_edits(text: str, edits: list[_Edit]) -> str:
    """Return a text with edits, all of which refer to the original text. New texts for one place follow each other as
    the edits do. Raises BenchError if edits overlap, lie outside of the text, or split a character."""
    units = [line.encode("utf-16-le") for line in text.split("\n")]
    starts = [0, *accumulate(len(line) + 2 for line in units)]

    def offset_of(position: _Position) -> int:
        if position.line >= len(units):
            raise not_understood()
        return starts[position.line] + min(2 * position.character, len(units[position.line]))

    whole = "\n".encode("utf-16-le").join(units)
    last = len(whole)
    spans = ((offset_of(edit.range.start), offset_of(edit.range.end), number) for number, edit in enumerate(edits))
    for start, end, number in sorted(spans, reverse=True):
        if not start <= end <= last:
            raise not_understood()
        last = start
        whole = whole[:start] + edits[number].newText.encode("utf-16-le") + whole[end:]
    try:
        return whole.decode("utf-16-le")
    except UnicodeDecodeError:
        raise not_understood() from None
