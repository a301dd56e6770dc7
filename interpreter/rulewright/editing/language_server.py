"""The language server: what `editing` knows of rule files and files of cases, in the protocol that editors speak."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rulewright.base.diagnostics import EditionError, RulewrightError, SourcePlace
from rulewright.editing import (
    code_lenses,
    completion,
    document_symbols,
    hover,
    navigation,
    semantic_tokens,
    verified_fixes,
)
from rulewright.editing.document_symbols import OutlineItem
from rulewright.editing.protocol_kinds import COMPLETED, SYMBOLS, TOKENS, token_of
from rulewright.editing.rules_server import Places, RulesServer, path_of
from rulewright.editing.text_document import OpenFile
from rulewright.i18n import languages

RUN, PLAY = "rulewright.runCase", "rulewright.playFrom"
"""Commands of code lenses: the first is done here, the second by the editor, which opens a terminal."""


def make_server(language: str = "") -> RulesServer:
    """Make a server that speaks to nobody yet. language: of diagnostics; '' for the editor's."""
    server = RulesServer(language)
    for add in (
        _register_files,
        _register_names,
        _register_completion,
        _register_fixes,
        _register_formatting,
        _register_views,
        _register_cases,
    ):
        add(server)
    return server


def _register_files(server: RulesServer) -> None:
    """Register what follows open files, and the beginning and end of a session."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.language = server.language or languages.environment_language({"LANG": params.locale or ""})

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.on_change(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.on_change(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(_: types.DidSaveTextDocumentParams) -> None:
        server.on_save()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.on_close(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(*_: object) -> None:
        server.end()


def _register_names(server: RulesServer) -> None:
    """Register requests for a name: hover, places, and renaming."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def show_hover(params: types.HoverParams) -> types.Hover | None:
        cursor = server.cursor(params.text_document.uri, params.position)
        answer = hover.hover(*cursor, languages.diagnostic_translator(server.language))
        if answer is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, answer.text)
        places = server.places(params.text_document.uri)
        return types.Hover(content, places.range(answer.place) if answer.place else None)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        cursor = server.cursor(params.text_document.uri, params.position)
        spot = navigation.spot_at(*cursor)
        return server.locations(entry.place for entry in spot.entries) if spot else []

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        cursor = server.cursor(params.text_document.uri, params.position)
        spot = navigation.spot_at(*cursor)
        if spot is None or cursor[0].known is None:
            return []
        declared = [entry.place for entry in spot.entries] if params.context.include_declaration else []
        places = [*declared, *navigation.references(cursor[0].known, spot.entries, server.cases_of(cursor[0]))]
        return server.locations(places)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        cursor = server.cursor(params.text_document.uri, params.position)
        places = server.places(params.text_document.uri)
        return [types.DocumentHighlight(places.range(place)) for place in semantic_tokens.highlights(*cursor)]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def can_rename(params: types.PrepareRenameParams) -> types.Range | None:
        cursor = server.cursor(params.text_document.uri, params.position)
        spot = navigation.spot_at(*cursor)
        places = server.places(params.text_document.uri)
        return places.range(spot.place) if spot and spot.entries else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        uri = params.text_document.uri
        cursor = server.cursor(uri, params.position)
        spot, open_file = navigation.spot_at(*cursor), cursor[0]
        if spot is None:
            return None
        try:
            edits = navigation.rename_edits(open_file, spot, params.new_name, server.cases_of(open_file))
        except navigation.CannotRename as error:
            raise _refusal(str(error)) from None
        if mistake := await server.error_after(open_file, edits):
            raise _refusal(f"With this name the file would have a mistake. {mistake}")
        if server.workspace.get_text_document(uri).source != open_file.text:
            raise _refusal("The file has changed meanwhile. Try again.")
        changes: dict[str, list[types.TextEdit]] = {}
        for location, text in zip(server.locations(edits), edits.values(), strict=True):
            changes.setdefault(location.uri, []).append(types.TextEdit(location.range, text))
        return types.WorkspaceEdit(changes)


def _register_completion(server: RulesServer) -> None:
    """Register completion."""

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", ":", "{", "[", "'", ","])
    )
    async def complete(params: types.CompletionParams) -> types.CompletionList:
        """List what can stand at the cursor, answers of a case first."""
        uri = params.text_document.uri
        document = server.workspace.get_text_document(uri)
        position = document.position_from_client_units(params.position)
        line, column = position.line + 1, position.character + 1
        known = server.open_files.get(uri) or server.open_file(uri)
        open_file = replace(known, text=document.source)  # what was known a keystroke ago is enough
        proposals = completion.proposals(open_file, line, column)
        if (unfinished := completion.unfinished_answer_at(open_file, line, column)) is not None:
            offered = await server.choices_at(open_file, unfinished.case, line)
            proposals = completion.propose_answers(unfinished, offered) + proposals
        items, places, translate = [], server.places(uri), languages.diagnostic_translator(server.language)
        for number, proposal in enumerate(proposals):
            typed_range = places.range(SourcePlace(open_file.file, line, column - proposal.length, proposal.length))
            kind = COMPLETED.get(proposal.kind, types.CompletionItemKind.Value)
            item = types.CompletionItem(
                proposal.text.strip().removesuffix(":"), kind=kind, detail=translate(proposal.detail) or None
            )
            item.documentation = translate(proposal.help) or None
            item.sort_text = f"{number:04}"
            item.filter_text = proposal.text
            item.text_edit = types.TextEdit(typed_range, proposal.text)
            items.append(item)
        return types.CompletionList(True, items)


def _register_fixes(server: RulesServer) -> None:
    """Register quick fixes."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    async def quick_fixes(params: types.CodeActionParams) -> list[types.CodeAction]:
        """List the fixes of diagnostics, each tried on the whole file."""
        uri = params.text_document.uri
        open_file, places = server.open_file(uri), server.places(uri)
        originals = [(diagnostic, server.original(uri, diagnostic)) for diagnostic in params.context.diagnostics]
        answered = [diagnostic for diagnostic, original in originals if original is not None]
        known = [original for _, original in originals if original is not None]
        fixes = (
            await server.run_in_worker(verified_fixes.verify_fixes, open_file.path, open_file.text, known)
            if known
            else []
        )
        if server.open_files.get(uri) is not open_file:
            return []  # it says something else by now
        actions: list[types.CodeAction] = []
        for diagnostic, each in zip(answered, fixes or [], strict=False):
            for number, fix in enumerate(each):
                fix_range = types.Range(places.position(*fix.start), places.position(*fix.end))
                edit = types.WorkspaceEdit({uri: [types.TextEdit(fix_range, fix.new)]})
                kind = types.CodeActionKind.QuickFix
                title = fix.title.render(languages.diagnostic_translator(server.language))
                actions.append(types.CodeAction(title, kind, [diagnostic], number == 0, edit=edit))
        return actions


def _register_formatting(server: RulesServer) -> None:
    """Register the canonical form."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        """Return the edit that writes a file in its canonical form; none for a file with errors."""
        from rulewright.syntax.formatter import format_file  # noqa: PLC0415 - not everybody formats

        uri = params.text_document.uri
        document = server.workspace.get_text_document(uri)
        try:
            after = format_file(None, str(path_of(uri)), document.source)
        except EditionError:
            return []  # what is wrong is told where it stands
        except RulewrightError as error:
            raise _refusal(str(error)) from None
        if after == document.source:
            return []
        whole = types.Range(types.Position(0, 0), types.Position(len(document.lines), 0))
        return [types.TextEdit(whole, after)]


def _register_views(server: RulesServer) -> None:
    """Register what is shown beside or over a text: symbols, folds, figures and colours."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        uri = params.text_document.uri
        open_file, places = server.open_file(uri), server.places(uri)
        return [_symbol(places, item) for item in document_symbols.outline(open_file)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        open_file = server.open_file(params.text_document.uri)
        return [types.FoldingRange(start - 1, end - 1) for start, end in document_symbols.folds(open_file)]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def figures(params: types.InlayHintParams) -> list[types.InlayHint]:
        uri = params.text_document.uri
        open_file, places = server.open_file(uri), server.places(uri)
        hints = []
        for line, amounts in hover.figures(open_file, params.range.start.line + 1, params.range.end.line + 1):
            hints.append(types.InlayHint(places.end_of(line), amounts, padding_left=True))
        return hints

    legend = types.SemanticTokensLegend(list(TOKENS), ["declaration", "readonly"])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def colours(params: types.SemanticTokensParams) -> types.SemanticTokens:
        open_file = server.open_file(params.text_document.uri)
        return _encode_tokens(open_file, server.places(params.text_document.uri), 1, len(open_file.lines))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    def colours_of_lines(params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        open_file = server.open_file(params.text_document.uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return _encode_tokens(open_file, server.places(params.text_document.uri), first, last)


def _register_cases(server: RulesServer) -> None:
    """Register the lenses at cases, and the command that runs one."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        open_file, places = server.open_file(uri), server.places(uri)
        lenses = []
        for lens_data in code_lenses.lenses(open_file, server.outcomes(uri)):
            command = types.Command(lens_data.title, RUN if lens_data.runs else PLAY, None, [uri, lens_data.name])
            lenses.append(types.CodeLens(places.range(lens_data.place), command))
        return lenses

    @server.command(RUN)
    async def run_case(uri: str, name: str) -> dict[str, object] | None:
        """Run a case; return its failures, None if there is no such case."""
        outcome = await server.run_case(uri, name)
        if outcome is None:
            return None
        capabilities = server.client_capabilities.workspace
        if capabilities and capabilities.code_lens and capabilities.code_lens.refresh_support:
            server.workspace_code_lens_refresh(None)
        translate = languages.diagnostic_translator(server.language)
        failures = [{"line": place.line, "text": text.render(translate)} for place, text in outcome.failures]
        return {"name": name, "passed": not failures, "failures": failures}


def _refusal(message: str) -> JsonRpcException:
    """Return the error that tells an editor why a request is refused."""
    return JsonRpcException(message, types.LSPErrorCodes.RequestFailed)


def _symbol(places: Places, item: OutlineItem) -> types.DocumentSymbol:
    """Return an item of an outline, with those below it, in the protocol's form."""
    start, end = places.position(item.line, item.column), places.position(item.line, item.column + len(item.name))
    below = [_symbol(places, inner) for inner in item.below]
    kind = SYMBOLS.get(item.kind, types.SymbolKind.Key)
    whole, name = types.Range(start, places.position(item.end, item.end_column)), types.Range(start, end)
    return types.DocumentSymbol(item.name, kind, whole, name, item.detail or item.kind or None, children=below)


def _encode_tokens(open_file: OpenFile, places: Places, first: int, last: int) -> types.SemanticTokens:
    """Return the coloured words of lines in the protocol's form: five numbers each, relative to the word before."""
    data: list[int] = []
    line, column = 0, 0
    for word in semantic_tokens.coloured(open_file, first, last):
        place = places.range(word.place)
        start, length = place.start, place.end.character - place.start.character
        kind, modifiers = token_of(word)
        data += [start.line - line, start.character - (column if start.line == line else 0), length, kind, modifiers]
        line, column = start.line, start.character
    return types.SemanticTokens(data)


def serve(language: str) -> None:
    """Serve an editor over standard input and output until it ends. language: of diagnostics; '' for the editor's."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else that is printed may come between
    make_server(language).start_io(stdout=output)
