"""The files that are open in an editor: a sheet of each, what is wrong with them, and the process that finds out more.

A text is read as soon as nobody types, or when something is asked that needs it. What `check` says besides takes
longer, so another process works it out, of the newest text alone; its answer to an older one is thrown away.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
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
from rulewright.editing.text_document import KnownEdition, OpenFile
from rulewright.model.editions import examples_of
from rulewright.syntax import schema

_PAUSE = 0.02
"""Seconds without a change before a text is read: letters that arrive together, as of a held key, are read once."""
_LONG_PAUSE = 0.2
"""Seconds without a change before all that `check` says is worked out, which takes far longer than a letter."""

P = ParamSpec("P")
T = TypeVar("T")


class RulesServer(LanguageServer):
    """Keeps a sheet of each file that is open."""

    def __init__(self) -> None:
        super().__init__("rulewright", __version__)
        self.sheets: dict[str, OpenFile] = {}
        self._stale: set[str] = set()
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._examiner: ProcessPoolExecutor | None = None
        self._outcomes: dict[str, dict[str, tuple[str, CaseOutcome]]] = {}
        self._found: dict[str, list[Diagnostic]] = {}
        self._offered: tuple[object, dict[str, list[str]]] | None = None
        self._settled = False

    # ── what is wrong ──

    def changed(self, uri: str) -> None:
        """See to it that a text is read, and what is wrong with it is told, soon."""
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._look(uri))

    def sheet(self, uri: str) -> OpenFile:
        """What is known of the text of a file as it is now."""
        text = self.workspace.get_text_document(uri).source
        before = self.sheets.get(uri)
        if before is None or before.text != text or uri in self._stale:
            self._stale.discard(uri)
            self.sheets[uri] = text_document.read(path_of(uri), text, before, self.neighbour)
        return self.sheets[uri]

    def saved(self) -> None:
        """Read all files anew: what they extend may say something else now."""
        self._outcomes.clear()
        self._offered = None
        for uri in self.sheets:
            self._stale.add(uri)
            self.changed(uri)

    def neighbour(self, path: Path) -> KnownEdition | None:
        """The edition in a file, as it is written now if it is open, too."""
        uri = uris.from_fs_path(str(path)) or ""
        return self.sheet(uri).known if uri in self.sheets else text_document.known_at(path)

    def unsaved(self) -> dict[Path, str]:
        """Files whose text is newer here than on disk."""
        found = {}
        for uri, sheet in self.sheets.items():
            text = self.workspace.get_text_document(uri).source
            try:
                if sheet.path.read_text(encoding="utf-8") == text:
                    continue
            except (OSError, ValueError):
                pass  # not on disk at all
            found[sheet.path] = text
        return found

    def cases_of(self, sheet: OpenFile) -> list[OpenFile]:
        """The files of cases that belong to an edition, or to the one that a file of cases tests: its examples, and
        those that are open."""
        edition = text_document.edition_file(sheet) if sheet.kind == schema.SCENARIOS else sheet.path
        found = {sheet.path: sheet} if sheet.kind == schema.SCENARIOS else {}
        for uri in list(self.sheets):
            if (other := self.sheet(uri)).kind == schema.SCENARIOS and text_document.edition_file(other) == edition:
                found.setdefault(other.path, other)
        beside = examples_of(edition) if edition else None
        if beside and beside not in found and (text := text_document.text_at(beside)) is not None:
            found[beside] = text_document.read(beside, text, None, self.neighbour)
        return list(found.values())

    async def mistake_after(self, sheet: OpenFile, edits: Mapping[SourcePlace, str]) -> str:
        """Tell what would be wrong with an edition after a name has changed; '' if nothing is, or if the files that it
        extends change, too."""
        files = sheet.known.edition.files if sheet.known is not None else ()
        if not files or any(place.file in map(str, files[1:]) for place in edits):
            return ""
        text = self.unsaved().get(files[0]) or text_document.text_at(files[0])
        if text is None:
            return ""
        after = navigation.text_after(text, str(files[0]), edits)
        return await self.examiner(navigation.mistake, files[0], text, after) or ""

    async def _look(self, uri: str) -> None:
        await asyncio.sleep(_PAUSE)
        sheet = self.sheet(uri)
        if not sheet.report.ok:
            self.tell(uri, sheet.diagnostics)
        self._settle()
        await asyncio.sleep(_LONG_PAUSE)
        if sheet.kind == schema.SCENARIOS:
            examined = await self.examiner(case_files.examined, sheet.path, sheet.text, self.unsaved())
            report = examined.report if examined else None
            sheet.facts = (examined.facts if examined else None) or sheet.facts
        elif sheet.kind == text_document.CATALOG:
            report = None
        else:
            report = await self.examiner(text_document.examined, sheet.path, sheet.text)
        if self.sheets.get(uri) is not sheet:
            return
        found = {(item.place, item.message): item for item in sheet.diagnostics}
        if report and (sheet.kind == schema.SCENARIOS or sheet.known is None or sheet.known.lines == sheet.lines):
            found |= {(item.place, item.message): item for item in report.diagnostics if item.place.file == sheet.file}
        self.tell(uri, found.values())

    def _settle(self) -> None:
        """Look for rubbish never again in what is there when the first file has been read: the grammar and the modules
        would make one letter in ten wait for that."""
        if not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()

    async def examiner(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T | None:
        """What another process finds out; None if that ends before."""
        loop = asyncio.get_running_loop()
        for _ in range(2):  # once more with another process, if somebody has ended it
            if self._examiner is None:
                self._examiner = ProcessPoolExecutor(1, spawn_context(), initializer=end_with_parent)
            try:
                return await loop.run_in_executor(self._examiner, partial(work, *arguments, **named))
            except BrokenProcessPool:
                self._examiner = None
        return None

    def tell(self, uri: str, found: Iterable[Diagnostic]) -> None:
        self._found[uri] = list(found)
        self.publish(uri)

    def publish(self, uri: str) -> None:
        """Tell what is wrong, and which cases that have been run fail."""
        document = self.workspace.get_text_document(uri)
        found = [*self._found.get(uri, ())]
        for outcome in self.outcomes(uri).values():
            found += [Diagnostic(place, "case-fails", text) for place, text in outcome.failures]
        places = Places(document)
        shown = [_diagnostic(places, item) for item in sorted(found, key=lambda item: item.place)]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, document.version))

    # ── cases ──

    def outcomes(self, uri: str) -> dict[str, CaseOutcome]:
        """What the cases came to that have been run and are still written as they were."""
        text = self.workspace.get_text_document(uri).source
        kept = self._outcomes.get(uri, {})
        return {name: outcome for name, (then, outcome) in kept.items() if case_files.only(text, name) == then}

    async def offered(self, sheet: OpenFile, case: str, line: int) -> dict[str, list[str]]:
        """What each seat may choose at the step of a case in which a line stands."""
        cut = case_files.cut(sheet.text, case, line)
        asked = sheet.path, case, cut, self.unsaved().get(text_document.edition_file(sheet) or sheet.path)
        if self._offered is None or self._offered[0] != asked:
            found = await self.examiner(case_files.offered, sheet.path, cut, case, self.unsaved())
            self._offered = asked, found or {}
        return self._offered[1]

    async def run_case(self, uri: str, name: str) -> CaseOutcome | None:
        """Play a case; what fails is told where it stands. None where it cannot be read."""
        sheet = self.sheet(uri)
        outcome = await self.examiner(case_files.run, sheet.path, sheet.text, name, self.unsaved())
        if outcome is not None:
            self._outcomes.setdefault(uri, {})[name] = case_files.only(sheet.text, name), outcome
            self.publish(uri)
        return outcome

    def closed(self, uri: str) -> None:
        for kept in (self.sheets, self._outcomes, self._found):
            kept.pop(uri, None)
        if (task := self._waiting.pop(uri, None)) is not None:
            task.cancel()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def end(self) -> None:
        if self._examiner is not None:
            self._examiner.shutdown(wait=False, cancel_futures=True)
            self._examiner = None

    # ── places ──

    def here(self, uri: str, position: types.Position) -> tuple[OpenFile, int, int]:
        """What is known of a file, with a line and a column that count from 1."""
        at = self.workspace.get_text_document(uri).position_from_client_units(position)
        return self.sheet(uri), at.line + 1, at.character + 1

    def places(self, uri: str) -> Places:
        """Of a file as it is now."""
        return Places(self.workspace.get_text_document(uri))

    def locations(self, found: Iterable[SourcePlace]) -> list[types.Location]:
        """Places in files."""
        files: dict[str, tuple[str, Places]] = {}
        for place in (found := list(found)):
            if place.file not in files:
                uri = uris.from_fs_path(place.file) or ""
                files[place.file] = uri, self.places(uri)
        return [types.Location(files[place.file][0], files[place.file][1].range(place)) for place in found]


def path_of(uri: str) -> Path:
    """The file that an editor means."""
    return Path(uris.to_fs_path(uri) or uri)


class Places:
    """Places of one text, as the editor counts."""

    def __init__(self, document: TextDocument) -> None:
        self.lines, self.codec = document.source.split("\n"), document.position_codec

    def position(self, line: int, column: int) -> types.Position:
        """Line and column count from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        before = text[: column - 1]
        return types.Position(line - 1, column - 1 if before.isascii() else self.codec.client_num_units(before))

    def range(self, place: SourcePlace) -> types.Range:
        start = self.position(place.line, place.column)
        return types.Range(start, self.position(place.line, place.column + place.length))

    def end_of(self, line: int) -> types.Position:
        """Behind the last character of a line that is no blank."""
        return self.position(line, len(self.lines[line - 1].rstrip()) + 1)


def _diagnostic(places: Places, found: Diagnostic) -> types.Diagnostic:
    return types.Diagnostic(
        places.range(found.place),
        f"{found.message}\n{found.hint}".strip(),
        severity=types.DiagnosticSeverity.Error if found.severity == "error" else types.DiagnosticSeverity.Warning,
        code=found.code,
        source="rulewright",
    )
