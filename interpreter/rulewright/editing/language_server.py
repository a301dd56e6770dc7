"""The language server: what `editing` knows of a rule file, in the protocol that editors speak.

A text is read as soon as nobody types, or when something is asked that needs it. What `check` says besides takes
longer, so another process works it out, of the newest text alone; its answer to an older one is thrown away.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.workspace import ServerTextPosition, ServerTextRange, TextDocument

from rulewright import __version__
from rulewright.base.diagnostics import Diagnostic, EditionError, Report, RulewrightError, SourcePlace
from rulewright.editing import completion, fixes, hover, navigation, outlines, sheets
from rulewright.editing.outlines import OutlineItem
from rulewright.editing.sheets import OpenFile

_PAUSE = 0.05
"""Seconds without a change before a text is read."""
_LONG_PAUSE = 0.2
"""Seconds without a change before all that `check` says is worked out."""
_SYMBOLS = {
    "": types.SymbolKind.Namespace, "word list": types.SymbolKind.Enum, "word": types.SymbolKind.EnumMember,
    "board": types.SymbolKind.Array, "space": types.SymbolKind.EnumMember, "kind of piece": types.SymbolKind.Class,
    "attribute": types.SymbolKind.Property, "zone": types.SymbolKind.Struct, "value": types.SymbolKind.Constant,
    "term": types.SymbolKind.Function, "counter": types.SymbolKind.Variable, "step": types.SymbolKind.Method,
    "phase": types.SymbolKind.Module, "power": types.SymbolKind.Event, "role": types.SymbolKind.Interface,
    "option": types.SymbolKind.Boolean,
}  # fmt: skip
_COMPLETED = {
    "key": types.CompletionItemKind.Property, "word": types.CompletionItemKind.Keyword,
    "zone": types.CompletionItemKind.Struct, "value": types.CompletionItemKind.Constant,
    "counter": types.CompletionItemKind.Variable, "name made here": types.CompletionItemKind.Variable,
    "term": types.CompletionItemKind.Function, "step": types.CompletionItemKind.Method,
    "phase": types.CompletionItemKind.Module, "kind of piece": types.CompletionItemKind.Class,
}  # fmt: skip


class RulesServer(LanguageServer):
    """Keeps a sheet of each file that is open."""

    def __init__(self) -> None:
        super().__init__("rulewright", __version__)
        self.sheets: dict[str, OpenFile] = {}
        self._stale: set[str] = set()
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._examiner: ProcessPoolExecutor | None = None

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
            self.sheets[uri] = sheets.read(_path(uri), text, before)
        return self.sheets[uri]

    def saved(self) -> None:
        """Read all files anew: what they extend may say something else now."""
        for uri in self.sheets:
            self._stale.add(uri)
            self.changed(uri)

    async def _look(self, uri: str) -> None:
        await asyncio.sleep(_PAUSE)
        sheet = self.sheet(uri)
        if not sheet.report.ok:
            self.tell(uri, sheet.diagnostics)
        await asyncio.sleep(_LONG_PAUSE)
        report = await self._examined(sheet)
        if self.sheets.get(uri) is not sheet:
            return
        found = {(item.place, item.message): item for item in sheet.diagnostics}
        if sheet.known is None or sheet.known.lines == sheet.lines:
            found |= {(item.place, item.message): item for item in report.diagnostics if item.place.file == sheet.file}
        self.tell(uri, found.values())

    async def _examined(self, sheet: OpenFile) -> Report:
        loop = asyncio.get_running_loop()
        for _ in range(2):  # once more with another process, if somebody has ended it
            if self._examiner is None:
                self._examiner = ProcessPoolExecutor(1, get_context("spawn"))
            try:
                return await loop.run_in_executor(self._examiner, sheets.examined, sheet.path, sheet.text)
            except BrokenProcessPool:
                self._examiner = None
        return Report()

    def tell(self, uri: str, found: Iterable[Diagnostic]) -> None:
        document = self.workspace.get_text_document(uri)
        shown = [_diagnostic(document, item) for item in sorted(found, key=lambda item: item.place)]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, document.version))

    def closed(self, uri: str) -> None:
        self.sheets.pop(uri, None)
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

    def location(self, place: SourcePlace) -> types.Location:
        uri = uris.from_fs_path(place.file) or ""
        return types.Location(uri, _range(self.workspace.get_text_document(uri), place))


def _path(uri: str) -> Path:
    return Path(uris.to_fs_path(uri) or uri)


def _range(document: TextDocument, place: SourcePlace) -> types.Range:
    start = ServerTextPosition(place.line - 1, place.column - 1)
    end = ServerTextPosition(place.line - 1, place.column - 1 + place.length)
    return document.range_to_client_units(ServerTextRange(start, end))


def _diagnostic(document: TextDocument, found: Diagnostic) -> types.Diagnostic:
    return types.Diagnostic(
        _range(document, found.place),
        f"{found.message}\n{found.hint}".strip(),
        severity=types.DiagnosticSeverity.Error if found.severity == "error" else types.DiagnosticSeverity.Warning,
        code=found.code,
        source="rulewright",
        data={"hint": found.hint, "message": found.message},
    )


def made() -> RulesServer:
    """A server that speaks to nobody yet."""
    server = RulesServer()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.saved()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(*_: object) -> None:
        server.end()

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def told(params: types.HoverParams) -> types.Hover | None:
        here = server.here(params.text_document.uri, params.position)
        found = hover.hover(*here)
        if found is None:
            return None
        document = server.workspace.get_text_document(params.text_document.uri)
        content = types.MarkupContent(types.MarkupKind.Markdown, found.text)
        return types.Hover(content, _range(document, found.place) if found.place else None)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        here = server.here(params.text_document.uri, params.position)
        spot = navigation.at(*here)
        return [server.location(entry.place) for entry in spot.entries] if spot else []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        here = server.here(params.text_document.uri, params.position)
        spot = navigation.at(*here)
        if spot is None or here[0].known is None:
            return []
        declared = [entry.place for entry in spot.entries] if params.context.include_declaration else []
        places = [*declared, *navigation.references(here[0].known, spot.entries)]
        return [server.location(place) for place in places]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def can_rename(params: types.PrepareRenameParams) -> types.Range | None:
        here = server.here(params.text_document.uri, params.position)
        spot = navigation.at(*here)
        document = server.workspace.get_text_document(params.text_document.uri)
        return _range(document, spot.place) if spot else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        here = server.here(params.text_document.uri, params.position)
        spot = navigation.at(*here)
        if spot is None:
            return None
        try:
            edits = navigation.renamed(here[0], spot, params.new_name)
        except navigation.CannotRename as error:
            raise _refused(str(error)) from None
        changes: dict[str, list[types.TextEdit]] = {}
        for place, text in edits.items():
            where = server.location(place)
            changes.setdefault(where.uri, []).append(types.TextEdit(where.range, text))
        return types.WorkspaceEdit(changes)

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", ":", "{", "[", "'", ","])
    )
    def complete(params: types.CompletionParams) -> types.CompletionList:
        uri = params.text_document.uri
        document = server.workspace.get_text_document(uri)
        at = document.position_from_client_units(params.position)
        line, column = at.line + 1, at.character + 1
        known = server.sheets.get(uri) or server.sheet(uri)
        sheet = replace(known, text=document.source)  # what was known a keystroke ago is enough
        items = []
        for number, found in enumerate(completion.proposals(sheet, line, column)):
            where = _range(document, SourcePlace(sheet.file, line, column - found.length, found.length))
            kind = _COMPLETED.get(found.kind, types.CompletionItemKind.Value)
            item = types.CompletionItem(found.text.strip().removesuffix(":"), kind=kind, detail=found.detail or None)
            item.documentation = found.help or None
            item.sort_text = f"{number:04}"
            item.filter_text = found.text
            item.text_edit = types.TextEdit(where, found.text)
            items.append(item)
        return types.CompletionList(True, items)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def mend(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        sheet, document = server.sheet(uri), server.workspace.get_text_document(uri)
        actions = []
        for shown in params.context.diagnostics:
            if shown.source != "rulewright":
                continue
            inside = document.range_from_client_units(shown.range)
            start, end = inside.start, inside.end
            length = end.character - start.character if end.line == start.line else 1
            place = SourcePlace(sheet.file, start.line + 1, start.character + 1, length)
            hint = str(shown.data.get("hint", "")) if isinstance(shown.data, dict) else shown.message.partition("\n")[2]
            line = sheet.lines[start.line] if start.line < len(sheet.lines) else ""
            for fix in fixes.fixes(Diagnostic(place, str(shown.code), shown.message, hint), line):
                where = _range(document, SourcePlace(sheet.file, fix.line, fix.column, fix.length))
                edit = types.WorkspaceEdit({uri: [types.TextEdit(where, fix.new)]})
                actions.append(types.CodeAction(fix.title, types.CodeActionKind.QuickFix, [shown], True, edit=edit))
        return actions

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        from rulewright.syntax.formatter import formatted  # noqa: PLC0415 - not everybody formats

        uri = params.text_document.uri
        document = server.workspace.get_text_document(uri)
        try:
            after = formatted(None, str(_path(uri)), document.source)
        except EditionError:
            return []  # what is wrong is told where it stands
        except RulewrightError as error:
            raise _refused(str(error)) from None
        if after == document.source:
            return []
        whole = types.Range(types.Position(0, 0), types.Position(len(document.lines), 0))
        return [types.TextEdit(whole, after)]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        uri = params.text_document.uri
        sheet, document = server.sheet(uri), server.workspace.get_text_document(uri)
        return [_symbol(sheet, document, item) for item in outlines.outline(sheet)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        sheet = server.sheet(params.text_document.uri)
        return [types.FoldingRange(start - 1, end - 1) for start, end in outlines.folds(sheet)]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def figures(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        sheet, document = server.sheet(uri), server.workspace.get_text_document(uri)
        hints = []
        for line, amounts in hover.figures(sheet, params.range.start.line + 1, params.range.end.line + 1):
            end = ServerTextPosition(line - 1, len(sheet.lines[line - 1].rstrip()))
            hints.append(types.InlayHint(document.position_to_client_units(end), amounts, padding_left=True))
        return hints

    return server


def _refused(message: str) -> JsonRpcException:
    return JsonRpcException(message, types.LSPErrorCodes.RequestFailed)


def _symbol(sheet: OpenFile, document: TextDocument, item: OutlineItem) -> types.DocumentSymbol:
    name = _range(document, SourcePlace(sheet.file, item.line, item.column, len(item.name)))
    end = ServerTextPosition(item.end - 1, len(sheet.lines[item.end - 1]))
    whole = types.Range(name.start, document.position_to_client_units(end))
    below = [_symbol(sheet, document, inner) for inner in item.below]
    kind = _SYMBOLS.get(item.kind, types.SymbolKind.Key)
    return types.DocumentSymbol(item.name, kind, whole, name, item.detail or item.kind or None, children=below)


def serve() -> None:
    """Speak with an editor over standard input and output until it goes."""
    spoken = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else that is printed may come between
    made().start_io(stdout=spoken)
