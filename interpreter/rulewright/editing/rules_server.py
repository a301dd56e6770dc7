"""Open files of an editor with their diagnostics, and a worker process for slow checks.

A text is read as soon as typing pauses, or when a request needs it. Further checks of `check` run in another process,
for the newest text only; results for an older one are dropped.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from rulewright import __version__
from rulewright.base.diagnostics import Diagnostic, SourcePlace
from rulewright.base.processes import end_with_parent, spawn_context
from rulewright.editing import case_files, navigation, text_document
from rulewright.editing.case_files import CaseOutcome
from rulewright.editing.messages import CASE_FAILS
from rulewright.editing.text_document import KnownEdition, OpenFile
from rulewright.i18n import languages
from rulewright.model.editions import examples_of
from rulewright.syntax import schema

_PAUSE = 0.02
"""Seconds without a change before a text is read: characters that arrive together are read once."""
_LONG_PAUSE = 0.2
"""Seconds without a change before the full check, which takes far longer than a keystroke."""

P = ParamSpec("P")
T = TypeVar("T")


class RulesServer(LanguageServer):
    """Language server of open files. open_files: by URI, as last read; language: of diagnostics."""

    def __init__(self, language: str = "") -> None:
        super().__init__("rulewright", __version__)
        self.open_files: dict[str, OpenFile] = {}
        self._stale: set[str] = set()
        self._check_tasks: dict[str, asyncio.Task[None]] = {}
        self._worker: ProcessPoolExecutor | None = None
        self._outcomes: dict[str, dict[str, tuple[str, CaseOutcome]]] = {}
        self._diagnostics: dict[str, tuple[int | None, list[Diagnostic]]] = {}
        self._published: dict[str, list[tuple[types.Diagnostic, Diagnostic]]] = {}
        self.language = language
        self._last_choices: tuple[object, dict[str, list[str]]] | None = None
        self._has_frozen = False

    # ── diagnostics ──

    def on_change(self, uri: str) -> None:
        """Schedule reading a text and publishing its diagnostics."""
        if (task := self._check_tasks.pop(uri, None)) is not None:
            task.cancel()
        self._check_tasks[uri] = asyncio.get_running_loop().create_task(self._check(uri))

    def open_file(self, uri: str) -> OpenFile:
        """Return an open file with its current text, which is read if it has changed since."""
        text = self.workspace.get_text_document(uri).source
        before = self.open_files.get(uri)
        if before is None or before.text != text or uri in self._stale:
            self._stale.discard(uri)
            self.open_files[uri] = text_document.read(path_of(uri), text, before, self.edition_in_file)
        return self.open_files[uri]

    def on_save(self) -> None:
        """Schedule reading all files anew, since extended files may have changed, and forget what cases came to."""
        self._outcomes.clear()
        self._last_choices = None
        for uri in self.open_files:
            self._stale.add(uri)
            self.on_change(uri)

    def edition_in_file(self, path: Path) -> KnownEdition | None:
        """Return the edition of a file, in its unsaved state if it is open; None if it cannot be read."""
        uri = uris.from_fs_path(str(path)) or ""
        return self.open_file(uri).known if uri in self.open_files else text_document.edition_on_disk(path)

    def unsaved(self) -> dict[Path, str]:
        """Return the texts of the open files that differ from those on disk."""
        result = {}
        for uri, open_file in self.open_files.items():
            text = self.workspace.get_text_document(uri).source
            try:
                if open_file.path.read_text(encoding="utf-8") == text:
                    continue
            except (OSError, ValueError):
                pass  # no file yet
            result[open_file.path] = text
        return result

    def cases_of(self, open_file: OpenFile) -> list[OpenFile]:
        """Return the files of cases of an edition, or of the edition that a file of cases tests: its examples, and open
        files."""
        edition = text_document.edition_file(open_file) if open_file.kind == schema.SCENARIOS else open_file.path
        documents = {open_file.path: open_file} if open_file.kind == schema.SCENARIOS else {}
        for uri in list(self.open_files):
            if (other := self.open_file(uri)).kind == schema.SCENARIOS and text_document.edition_file(other) == edition:
                documents.setdefault(other.path, other)
        examples = examples_of(edition) if edition else None
        if examples and examples not in documents and (text := text_document.text_at(examples)) is not None:
            documents[examples] = text_document.read(examples, text, None, self.edition_in_file)
        return list(documents.values())

    async def error_after(self, open_file: OpenFile, edits: Mapping[SourcePlace, str]) -> str:
        """Return an error that a rename would cause; '' if there is none, or if extended files change, too."""
        files = open_file.known.edition.files if open_file.known is not None else ()
        if not files or any(place.file in map(str, files[1:]) for place in edits):
            return ""
        text = self.unsaved().get(files[0]) or text_document.text_at(files[0])
        if text is None:
            return ""
        after = navigation.text_after(text, str(files[0]), edits)
        return await self.run_in_worker(navigation.new_error, files[0], text, after) or ""

    async def _check(self, uri: str) -> None:
        """Publish quick diagnostics when typing pauses, if they are errors, then all with those of the full check,
        unless the text has changed meanwhile."""
        await asyncio.sleep(_PAUSE)
        open_file = self.open_file(uri)
        if not open_file.report.ok:
            self.set_diagnostics(uri, open_file.diagnostics)
        self._freeze_objects()
        await asyncio.sleep(_LONG_PAUSE)
        if open_file.kind == schema.SCENARIOS:
            examined = await self.run_in_worker(
                case_files.examine_cases, open_file.path, open_file.text, self.unsaved()
            )
            report = examined.report if examined else None
            open_file.facts = (examined.facts if examined else None) or open_file.facts
        elif open_file.kind == text_document.CATALOG:
            report = None
        else:
            report = await self.run_in_worker(text_document.examine_text, open_file.path, open_file.text)
        if self.open_files.get(uri) is not open_file:
            return
        by_place = {(item.place, item.message): item for item in open_file.diagnostics}
        if report and (
            open_file.kind == schema.SCENARIOS or open_file.known is None or open_file.known.lines == open_file.lines
        ):
            by_place |= {
                (item.place, item.message): item for item in report.diagnostics if item.place.file == open_file.file
            }
        self.set_diagnostics(uri, by_place.values())

    def _freeze_objects(self) -> None:
        """Exclude the objects present after the first file from garbage collection: the grammar and the modules would
        delay every tenth keystroke."""
        if not self._has_frozen:
            self._has_frozen = True
            gc.collect()
            gc.freeze()

    async def run_in_worker(self, work: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T | None:
        """Run a function in the worker process; None if that ends before."""
        loop = asyncio.get_running_loop()
        for _ in range(2):  # retry with a new process if it was killed
            if self._worker is None:
                self._worker = ProcessPoolExecutor(1, spawn_context(), initializer=end_with_parent)
            try:
                return await loop.run_in_executor(self._worker, partial(work, *arguments, **keywords))
            except BrokenProcessPool:
                self._worker = None
        return None

    def set_diagnostics(self, uri: str, diagnostics: Iterable[Diagnostic]) -> None:
        """Replace the diagnostics of a file's present text, and publish them."""
        self._diagnostics[uri] = self.workspace.get_text_document(uri).version, list(diagnostics)
        self.publish(uri)

    def publish(self, uri: str) -> None:
        """Publish diagnostics, with failures of the cases that have been run, for the version of the text that they are
        of: editors leave them out where they have a later one."""
        document = self.workspace.get_text_document(uri)
        version, present = self._diagnostics.get(uri, (document.version, []))
        diagnostics = [*present]
        translate = languages.diagnostic_translator(self.language)
        for outcome in self.outcomes(uri).values():
            diagnostics += [
                Diagnostic(place, CASE_FAILS(failure=text.render(translate))) for place, text in outcome.failures
            ]
        diagnostics.sort(key=lambda item: item.place)
        published = [self._protocol_diagnostic(document, item) for item in diagnostics]
        self._published[uri] = list(zip(published, diagnostics, strict=True))
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, published, version))

    def _protocol_diagnostic(self, document: TextDocument, diagnostic: Diagnostic) -> types.Diagnostic:
        """Return a diagnostic in the protocol and in the editor's language."""
        message, hint = diagnostic.message_and_hint(translate := languages.diagnostic_translator(self.language))
        related = [
            types.DiagnosticRelatedInformation(location, other.wording.render(translate))
            for other in diagnostic.related
            for location in self.locations([other.place])
        ]
        return types.Diagnostic(
            Places(document).range(diagnostic.place),
            f"{message}\n{hint}".strip(),
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source="rulewright",
            related_information=related or None,
        )

    def original(self, uri: str, present: types.Diagnostic) -> Diagnostic | None:
        """Return the published diagnostic that an editor shows, at the place where the editor has it now; None for an
        unknown one."""
        same = [pair for pair in self._published.get(uri, ()) if pair[0].message == present.message]
        start = present.range.start
        same.sort(key=lambda pair: (abs(pair[0].range.start.line - start.line), pair[0].range.start != start))
        if not same:
            return None
        published, diagnostic = same[0]
        if published.range == present.range:
            return diagnostic
        inside = self.workspace.get_text_document(uri).range_from_client_units(present.range)
        length = inside.end.character - inside.start.character if inside.end.line == inside.start.line else 1
        place = SourcePlace(diagnostic.place.file, inside.start.line + 1, inside.start.character + 1, length)
        return replace(diagnostic, place=place, fixes=())

    # ── cases ──

    def outcomes(self, uri: str) -> dict[str, CaseOutcome]:
        """Return the results of unchanged cases that have been run."""
        text = self.workspace.get_text_document(uri).source
        results = self._outcomes.get(uri, {})
        return {
            name: outcome for name, (then, outcome) in results.items() if case_files.keep_one_case(text, name) == then
        }

    async def choices_at(self, open_file: OpenFile, case: str, line: int) -> dict[str, list[str]]:
        """Return the choices of each seat at the step of a case that contains a line, from 1; none if the case cannot
        be played up to there."""
        cut = case_files.cut_before_step(open_file.text, case, line)
        key = open_file.path, case, cut, self.unsaved().get(text_document.edition_file(open_file) or open_file.path)
        if self._last_choices is None or self._last_choices[0] != key:
            choices = await self.run_in_worker(case_files.choices_at_end, open_file.path, cut, case, self.unsaved())
            self._last_choices = key, choices or {}
        return self._last_choices[1]

    async def run_case(self, uri: str, name: str) -> CaseOutcome | None:
        """Run a case and publish its failures; None if it cannot be read."""
        open_file = self.open_file(uri)
        outcome = await self.run_in_worker(case_files.run_case, open_file.path, open_file.text, name, self.unsaved())
        if outcome is not None:
            self._outcomes.setdefault(uri, {})[name] = case_files.keep_one_case(open_file.text, name), outcome
            self.publish(uri)
        return outcome

    def on_close(self, uri: str) -> None:
        """Drop a file that is closed, with its diagnostics, which the editor is told to show no more."""
        for table in (self.open_files, self._outcomes, self._diagnostics, self._published):
            table.pop(uri, None)
        if (task := self._check_tasks.pop(uri, None)) is not None:
            task.cancel()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def end(self) -> None:
        """End the worker process, without waiting for what it does."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None

    # ── places ──

    def cursor(self, uri: str, position: types.Position) -> tuple[OpenFile, int, int]:
        """Return the document of a file, with line and column counted from 1."""
        server_position = self.workspace.get_text_document(uri).position_from_client_units(position)
        return self.open_file(uri), server_position.line + 1, server_position.character + 1

    def places(self, uri: str) -> Places:
        """Return the converter of places for a file's current text."""
        return Places(self.workspace.get_text_document(uri))

    def locations(self, places: Iterable[SourcePlace]) -> list[types.Location]:
        """Turn places into locations of the protocol."""
        files: dict[str, tuple[str, Places]] = {}
        for place in (places := list(places)):
            if place.file not in files:
                uri = uris.from_fs_path(place.file) or ""
                files[place.file] = uri, self.places(uri)
        return [types.Location(files[place.file][0], files[place.file][1].range(place)) for place in places]


def path_of(uri: str) -> Path:
    """Return the path of a URI."""
    return Path(uris.to_fs_path(uri) or uri)


class Places:
    """Converter between places of one text, whose lines and columns count from 1, and positions as the editor
    counts."""

    def __init__(self, document: TextDocument) -> None:
        self.lines, self.codec = document.source.split("\n"), document.position_codec

    def position(self, line: int, column: int) -> types.Position:
        """Return a position; line and column count from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        before = text[: column - 1]
        return types.Position(line - 1, column - 1 if before.isascii() else self.codec.client_num_units(before))

    def range(self, place: SourcePlace) -> types.Range:
        """Return the extent of a place."""
        start = self.position(place.line, place.column)
        return types.Range(start, self.position(place.line, place.column + place.length))

    def end_of(self, line: int) -> types.Position:
        """Return the position behind the last non-blank character of a line."""
        return self.position(line, len(self.lines[line - 1].rstrip()) + 1)


_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
