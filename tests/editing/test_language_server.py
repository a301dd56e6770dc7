"""The language server as editors use it: over standard input and output, as another process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from small_games.market import CASES, MARKET

T = TypeVar("T")


class Editor:
    """Editor with one open file."""

    def __init__(self, client: LanguageClient, path: Path, text: str) -> None:
        self.client, self.path, self.text, self.version = client, path, text, 1
        self.uri = uris.from_fs_path(str(path)) or ""
        self.document = types.TextDocumentIdentifier(self.uri)
        item = types.TextDocumentItem(self.uri, "yaml", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def write(self, text: str) -> None:
        self.text, self.version = text, self.version + 1
        whole = types.TextDocumentContentChangeWholeDocument(text)
        identifier = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))

    async def diagnostics_when(self, condition: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """Wait until the diagnostics meet a condition; return them."""
        while not condition(diagnostics := list(self.client.diagnostics.get(self.uri, ()))):
            await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return diagnostics

    def position_of(self, stretch: str) -> types.Position:
        """Return the position of a piece of text, in UTF-16 as the protocol counts."""
        before = self.text[: self.text.index(stretch)]
        line = before.rpartition("\n")[2]
        return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


@asynccontextmanager
async def editor(path: Path, text: str, *options: str) -> AsyncIterator[Editor]:
    client = make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "rulewright", "language-server", *options)
    capabilities = client_capabilities("neovim")
    await client.initialize_session(types.InitializeParams(capabilities, root_uri=uris.from_fs_path(str(path.parent))))
    yield Editor(client, path, text)
    await client.shutdown_session()


def run(work: Awaitable[T]) -> T:
    async def limited() -> T:
        return await asyncio.wait_for(work, 120)

    return asyncio.run(limited())


@pytest.mark.rotating(6)
def test_a_session_of_an_editor(tmp_path: Path) -> None:
    """Mistakes are reported and fixed; names are completed, looked up and renamed; the file is formatted and closed."""
    text = MARKET.replace("title: Market", "title: Märkte 🐪").replace("to market", "to maket")
    text = text.replace("text: Who has sold most wins.", "text: Who 🐪🐪 sells most wins.  # 🐪 {hand limit}")

    async def work() -> None:
        async with editor(tmp_path / "market.yaml", text) as session:
            (wrong,) = await session.diagnostics_when(bool)
            assert wrong.range.start == session.position_of("maket") and wrong.code == "unknown-name"
            await fix_mistake(session, wrong)
            await use_names(session)
            await format_file(session)

    async def fix_mistake(session: Editor, wrong: types.Diagnostic) -> None:
        context = types.CodeActionContext([wrong])
        params = types.CodeActionParams(session.document, wrong.range, context)
        actions: Any = await session.client.text_document_code_action_async(params)
        assert actions[0].edit.changes[session.uri][0].new_text == "market"
        session.write(session.text.replace("maket", "market"))
        await session.diagnostics_when(lambda diagnostics: not diagnostics)

    async def use_names(session: Editor) -> None:
        position = session.position_of("market\n")
        place: Any = await session.client.text_document_definition_async(
            types.DefinitionParams(session.document, position)
        )
        assert place[0].range.start == session.position_of("market: {seen by: all}")
        hover: Any = await session.client.text_document_hover_async(types.HoverParams(session.document, position))
        assert "zone" in hover.contents.value
        completions: Any = await session.client.text_document_completion_async(
            types.CompletionParams(session.document, position)
        )
        assert [item.label for item in completions.items][:3] == ["deck", "hand", "market"]
        edit: Any = await session.client.text_document_rename_async(
            types.RenameParams(session.document, position, "stall")
        )
        assert len(edit.changes[session.uri]) == 2
        with pytest.raises(JsonRpcException, match=r"the file would have a mistake\. I did not expect 'up to'"):
            await session.client.text_document_rename_async(
                types.RenameParams(session.document, session.position_of("deck:"), "draw up")
            )
        hints: Any = await session.client.text_document_inlay_hint_async(
            types.InlayHintParams(session.document, types.Range(types.Position(0, 0), types.Position(99, 0)))
        )
        assert [hint.label for hint in hints] == ["3 with 2 seats, 4 with 3, 5 with 4"]

    async def format_file(session: Editor) -> None:
        symbols: Any = await session.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(session.document)
        )
        assert [symbol.name for symbol in symbols][-1] == "ranking"
        session.write(session.text.replace("    coins: 0", "    coins:    0"))
        options = types.FormattingOptions(2, True)
        form: Any = await session.client.text_document_formatting_async(
            types.DocumentFormattingParams(session.document, options)
        )
        assert "coins: 0" in form[0].new_text

    run(work())


@pytest.mark.rotating(6)
def test_a_diagnostic_is_fixed_in_whatever_language_and_line_it_is_shown(tmp_path: Path) -> None:
    text = MARKET.replace("to market", "to maket")

    async def work() -> None:
        async with editor(tmp_path / "market.yaml", text, "--lang", "en_XA") as session:
            (wrong,) = await session.diagnostics_when(bool)
            assert wrong.message.endswith("'market'?")
            session.write("# A comment.\n" + session.text)
            start = session.position_of("maket")
            shifted = types.Range(start, types.Position(start.line, start.character + len("maket")))
            context = types.CodeActionContext([types.Diagnostic(shifted, wrong.message)])
            params = types.CodeActionParams(session.document, shifted, context)
            actions: Any = await session.client.text_document_code_action_async(params)
            [edit] = actions[0].edit.changes[session.uri]
            assert (edit.range, edit.new_text) == (shifted, "market")

    run(work())


@pytest.mark.rotating(6)
def test_a_case_is_run_from_its_line(tmp_path: Path) -> None:
    """The outcome stands above the case and at the failing line, until the case changes."""
    (tmp_path / "market.yaml").write_text(MARKET, "utf-8")
    case = "a sold ware brings two coins"

    async def work() -> None:
        async with editor(tmp_path / "market.examples.yaml", CASES.replace("coins: 2", "coins: 3")) as session:
            lenses: Any = await session.client.text_document_code_lens_async(types.CodeLensParams(session.document))
            assert [lens.command.title for lens in lenses][:2] == ["Run this case", "Play from here"]
            run_case = types.ExecuteCommandParams("rulewright.runCase", [session.uri, case])
            outcome: Any = await session.client.workspace_execute_command_async(run_case)
            assert not outcome["passed"]
            (wrong,) = await session.diagnostics_when(bool)
            assert wrong.code == "case-fails" and wrong.range.start == session.position_of("coins: 3")
            session.write(session.text.replace("coins: 3", "coins: 2"))
            await session.diagnostics_when(lambda diagnostics: not diagnostics)
            outcome = await session.client.workspace_execute_command_async(run_case)
            assert outcome["passed"]
            lenses = await session.client.text_document_code_lens_async(types.CodeLensParams(session.document))
            assert lenses[0].command.title.startswith("✓")
            tokens: Any = await session.client.text_document_semantic_tokens_full_async(
                types.SemanticTokensParams(session.document)
            )
            assert list(tokens.data[:5]) == [5, 14, 10, 11, 0]
            highlight_params = types.DocumentHighlightParams(session.document, session.position_of("hand: 3"))
            same: Any = await session.client.text_document_document_highlight_async(highlight_params)
            assert len(same) == 2
            session.write(session.text.replace("- Ada: salt card", "- Ada: s"))
            params = types.CompletionParams(session.document, types.Position(12, 14))
            completions: Any = await session.client.text_document_completion_async(params)
            assert completions.items[0].label == "salt card"

    run(work())
