"""Neovim without a screen: it opens a file with a mistake, shows the diagnostic, and applies the fix."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from documents import blocks
from project_folders import SPEC
from small_games.market import MARKET

SETTINGS = {block.words: block.text for block in blocks(SPEC / "EDITORS.md") if block.words}
SCRIPT = """
vim.cmd('edit market.yaml')
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local found = vim.diagnostic.get(0)
local lines = {}
for _, item in ipairs(found) do table.insert(lines, (item.lnum + 1) .. ' ' .. vim.split(item.message, '\\n')[1]) end
vim.api.nvim_win_set_cursor(0, {found[1].lnum + 1, found[1].col})
local params = vim.lsp.util.make_range_params()
params.context = {diagnostics = vim.tbl_map(function(item) return item.user_data.lsp and {
  range = params.range, message = item.message, source = item.source, code = item.code,
} end, found)}
params.range = {start = {line = found[1].lnum, character = found[1].col},
  ['end'] = {line = found[1].end_lnum, character = found[1].end_col}}
params.context.diagnostics[1].range = params.range
local client = vim.lsp.get_active_clients()[1].id
local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 60000)
local action = answer[client].result[1]
vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
vim.cmd('write')
vim.fn.writefile(lines, 'told.txt')
vim.cmd('qall!')
"""


@pytest.mark.rotating(5)
@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim_shows_a_diagnostic_and_applies_its_fix(tmp_path: Path) -> None:
    folder = tmp_path / "editions"
    folder.mkdir()
    file = folder / "market.yaml"
    file.write_text(MARKET.replace("to market", "to maket"), "utf-8")
    (folder / "try.lua").write_text(SETTINGS[("lua",)] + SCRIPT, "utf-8")
    command = ["nvim", "--headless", "--clean", "-n", "-c", "luafile try.lua", "-c", "qall!"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    subprocess.run(
        command, cwd=folder, env=environment, check=True, timeout=120, capture_output=True, stdin=subprocess.DEVNULL
    )
    assert (folder / "told.txt").read_text("utf-8") == "46 Nothing here is called 'maket'.\n"
    assert file.read_text("utf-8") == MARKET


def test_helix_starts_the_same_server() -> None:
    settings = tomllib.loads(SETTINGS[("toml",)])
    server = settings["language-server"]["rulewright"]
    assert [server["command"], *server["args"]] == ["rulewright", "language-server"]
    assert settings["language"][0]["language-servers"] == ["rulewright"]
