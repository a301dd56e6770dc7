"""The language server as editors meet it: over standard input and output, from another process."""

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

from written import CASES, MARKET

T = TypeVar("T")


class Editor:
    """An editor with one file open."""

    def __init__(self, client: LanguageClient, path: Path, text: str) -> None:
        self.client, self.path, self.text, self.version = client, path, text, 1
        self.uri = uris.from_fs_path(str(path)) or ""
        self.document = types.TextDocumentIdentifier(self.uri)
        item = types.TextDocumentItem(self.uri, "yaml", 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def write(self, text: str) -> None:
        self.text, self.version = text, self.version + 1
        whole = types.TextDocumentContentChangeWholeDocument(text)
        named = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [whole]))

    async def told(self, wanted: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """What is wrong, as soon as it is told so."""
        while not wanted(found := list(self.client.diagnostics.get(self.uri, ()))):
            await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return found

    def at(self, stretch: str) -> types.Position:
        """Where a stretch of the text begins, in UTF-16 as the protocol counts."""
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


@pytest.mark.rotating(3)
def test_an_hour_with_an_editor(tmp_path: Path) -> None:
    """Mistakes are told and mended; names are completed, found and changed; the file is formatted and closed."""
    text = MARKET.replace("title: Market", "title: Märkte 🐪").replace("to market", "to maket")
    text = text.replace("text: Who has sold most wins.", "text: Who 🐪🐪 sells most wins.  # 🐪 {hand limit}")

    async def work() -> None:
        async with editor(tmp_path / "market.yaml", text) as at:
            (wrong,) = await at.told(bool)
            assert wrong.range.start == at.at("maket") and wrong.code == "unknown-name"
            await mended(at, wrong)
            await named(at)
            await written(at)

    async def mended(at: Editor, wrong: types.Diagnostic) -> None:
        context = types.CodeActionContext([wrong])
        params = types.CodeActionParams(at.document, wrong.range, context)
        found: Any = await at.client.text_document_code_action_async(params)
        assert found[0].edit.changes[at.uri][0].new_text == "market"
        at.write(at.text.replace("maket", "market"))
        await at.told(lambda told: not told)

    async def named(at: Editor) -> None:
        here = at.at("market\n")
        place: Any = await at.client.text_document_definition_async(types.DefinitionParams(at.document, here))
        assert place[0].range.start == at.at("market: {seen by: all}")
        told: Any = await at.client.text_document_hover_async(types.HoverParams(at.document, here))
        assert "zone" in told.contents.value
        found: Any = await at.client.text_document_completion_async(types.CompletionParams(at.document, here))
        assert [item.label for item in found.items][:3] == ["deck", "hand", "market"]
        edit: Any = await at.client.text_document_rename_async(types.RenameParams(at.document, here, "stall"))
        assert len(edit.changes[at.uri]) == 2
        with pytest.raises(JsonRpcException, match=r"the file would have a mistake\. I did not expect 'up to'"):
            await at.client.text_document_rename_async(types.RenameParams(at.document, at.at("deck:"), "draw up"))
        hints: Any = await at.client.text_document_inlay_hint_async(
            types.InlayHintParams(at.document, types.Range(types.Position(0, 0), types.Position(99, 0)))
        )
        assert [hint.label for hint in hints] == ["3 with 2 seats, 4 with 3, 5 with 4"]

    async def written(at: Editor) -> None:
        symbols: Any = await at.client.text_document_document_symbol_async(types.DocumentSymbolParams(at.document))
        assert [symbol.name for symbol in symbols][-1] == "ranking"
        at.write(at.text.replace("    coins: 0", "    coins:    0"))
        options = types.FormattingOptions(2, True)
        form: Any = await at.client.text_document_formatting_async(types.DocumentFormattingParams(at.document, options))
        assert "coins: 0" in form[0].new_text

    run(work())


@pytest.mark.rotating(3)
def test_a_diagnostic_is_fixed_in_whatever_language_and_line_it_is_shown(tmp_path: Path) -> None:
    text = MARKET.replace("to market", "to maket")

    async def work() -> None:
        async with editor(tmp_path / "market.yaml", text, "--lang", "en_XA") as at:
            (wrong,) = await at.told(bool)
            assert wrong.message.endswith("'market'?")
            at.write("# A comment.\n" + at.text)
            start = at.at("maket")
            shown = types.Range(start, types.Position(start.line, start.character + len("maket")))
            context = types.CodeActionContext([types.Diagnostic(shown, wrong.message)])
            params = types.CodeActionParams(at.document, shown, context)
            found: Any = await at.client.text_document_code_action_async(params)
            [edit] = found[0].edit.changes[at.uri]
            assert (edit.range, edit.new_text) == (shown, "market")

    run(work())


@pytest.mark.rotating(3)
def test_a_case_is_run_from_its_line(tmp_path: Path) -> None:
    """The outcome stands above the case and where it fails, until the case changes."""
    (tmp_path / "market.yaml").write_text(MARKET, "utf-8")
    case = "a sold ware brings two coins"

    async def work() -> None:
        async with editor(tmp_path / "market.examples.yaml", CASES.replace("coins: 2", "coins: 3")) as at:
            lenses: Any = await at.client.text_document_code_lens_async(types.CodeLensParams(at.document))
            assert [lens.command.title for lens in lenses][:2] == ["Run this case", "Play from here"]
            run_case = types.ExecuteCommandParams("rulewright.runCase", [at.uri, case])
            outcome: Any = await at.client.workspace_execute_command_async(run_case)
            assert not outcome["passed"]
            (wrong,) = await at.told(bool)
            assert wrong.code == "case-fails" and wrong.range.start == at.at("coins: 3")
            at.write(at.text.replace("coins: 3", "coins: 2"))
            await at.told(lambda told: not told)
            outcome = await at.client.workspace_execute_command_async(run_case)
            assert outcome["passed"]
            lenses = await at.client.text_document_code_lens_async(types.CodeLensParams(at.document))
            assert lenses[0].command.title.startswith("✓")
            tokens: Any = await at.client.text_document_semantic_tokens_full_async(
                types.SemanticTokensParams(at.document)
            )
            assert list(tokens.data[:5]) == [5, 14, 10, 11, 0]
            here = types.DocumentHighlightParams(at.document, at.at("hand: 3"))
            same: Any = await at.client.text_document_document_highlight_async(here)
            assert len(same) == 2
            at.write(at.text.replace("- Ada: salt card", "- Ada: s"))
            params = types.CompletionParams(at.document, types.Position(12, 14))
            found: Any = await at.client.text_document_completion_async(params)
            assert found.items[0].label == "salt card"

    run(work())
