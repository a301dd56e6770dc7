// The connection to the language server: mistakes and what mends them, renaming, and the files that it knows.

import { LSPPlugin, Workspace } from "@codemirror/lsp-client";
import { setDiagnostics } from "@codemirror/lint";
import { showDialog } from "@codemirror/view";

/** @import { Diagnostic } from "@codemirror/lint" */
/** @import { LSPClient, Transport } from "@codemirror/lsp-client" */
/** @import { TransactionSpec } from "@codemirror/state" */
/** @import { EditorView } from "@codemirror/view" */
/** @import * as lsp from "vscode-languageserver-protocol" */
/** @import { EditorPage, OpenFile } from "./editor_types" */

// What this editor shows, besides what the library tells the server.
export const ABLE = {
  textDocument: {
    codeLens: {},
    inlayHint: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } },
  },
};

/** @type {Record<lsp.DiagnosticSeverity, Diagnostic["severity"]>} */
const SEVERITIES = { 1: "error", 2: "warning", 3: "info", 4: "info" };

/** @param {LSPClient} client */
const pageOf = (client) => /** @type {OneFile} */ (client.workspace).page;

// Mistakes as the server tells them, each with what mends it.
/**
 * @param {EditorPage["mistakes"]} heard
 * @returns {(client: LSPClient, params: lsp.PublishDiagnosticsParams) => Promise<void>}
 */
export function diagnosing(heard) {
  return async (client, { uri, diagnostics, version }) => {
    const file = client.workspace.getFile(uri);
    const view = file?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!file || !plugin || (typeof version === "number" && version !== file.version)) return;
    const { syncedDoc } = plugin;
    // A mistake at the end of a text may go beyond it.
    const at = (/** @type {lsp.Position} */ position) =>
      plugin.unsyncedChanges.mapPos(Math.min(plugin.fromPosition(position, syncedDoc), syncedDoc.length));
    /** @param {Map<string, lsp.CodeAction[]>} actions */
    const show = (actions) => {
      const told = diagnostics.map((one) => {
        const from = at(one.range.start);
        return {
          from,
          to: Math.max(from, at(one.range.end)),
          severity: SEVERITIES[one.severity ?? 1],
          message: /** @type {string} */ (one.message),
          actions: (actions.get(key(one)) ?? []).map((action) => ({
            name: action.title,
            apply: () => apply(client, action),
          })),
        };
      });
      view.dispatch(setDiagnostics(view.state, told));
    };
    show(new Map());
    heard(uri, diagnostics);
    if (!diagnostics.length) return;
    const actions = await fixes(client, plugin, diagnostics).catch(() => new Map());
    if (actions.size && plugin.syncedDoc === syncedDoc) show(actions);
  };
}

/** @param {lsp.Diagnostic} diagnostic */
const key = ({ range, message }) => `${range.start.line}:${range.start.character} ${message}`;

/** @param {LSPClient} client @param {LSPPlugin} plugin @param {lsp.Diagnostic[]} diagnostics */
async function fixes(client, plugin, diagnostics) {
  const range = { start: { line: 0, character: 0 }, end: plugin.toPosition(plugin.view.state.doc.length) };
  /** @type {lsp.CodeAction[] | null} */
  const found = await client.request("textDocument/codeAction", {
    textDocument: { uri: plugin.uri },
    range,
    context: { diagnostics },
  });
  /** @type {Map<string, lsp.CodeAction[]>} */
  const sorted = new Map();
  for (const action of found ?? []) {
    for (const one of action.diagnostics ?? []) sorted.set(key(one), [...(sorted.get(key(one)) ?? []), action]);
  }
  return sorted;
}

// Files that are not open are changed by the workbench.
/** @param {LSPClient} client @param {{ edit?: lsp.WorkspaceEdit | null }} action */
function apply(client, { edit }) {
  for (const [uri, edits] of Object.entries(edit?.changes ?? {})) {
    const view = client.workspace.getFile(uri)?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!plugin) {
      pageOf(client).elsewhere(uri, edits);
      continue;
    }
    const changes = edits.map(({ range, newText }) => ({
      from: plugin.fromPosition(range.start, view.state.doc),
      to: plugin.fromPosition(range.end, view.state.doc),
      insert: newText,
    }));
    view.dispatch({ changes, userEvent: "input.fix" });
  }
}

// Another name for what the cursor is at, everywhere: names have blanks, so the server says where one begins.
/** @param {EditorView} view */
export function rename(view) {
  const plugin = LSPPlugin.get(view);
  if (!plugin || view.state.readOnly) return false;
  const { client, uri } = plugin;
  const position = plugin.toPosition(view.state.selection.main.head);
  client.sync();
  /** @type {Promise<lsp.Range | null>} */
  const prepared = client.request("textDocument/prepareRename", { textDocument: { uri }, position });
  prepared
    .then(async (range) => {
      if (!range) return;
      const now = view.state.sliceDoc(plugin.fromPosition(range.start), plugin.fromPosition(range.end));
      const { close, result } = showDialog(view, {
        label: view.state.phrase("New name"),
        input: { name: "name", value: now },
        focus: true,
        submitLabel: view.state.phrase("rename"),
        class: "cm-lsp-rename-panel",
      });
      const form = await result;
      view.dispatch({ effects: close });
      view.focus();
      const field = /** @type {HTMLInputElement | null | undefined} */ (form?.elements.namedItem("name"));
      const newName = field?.value;
      if (!newName || newName === now) return;
      client.sync();
      apply(client, {
        edit: await client.request("textDocument/rename", { textDocument: { uri }, position, newName }),
      });
    })
    .catch((error) => pageOf(client).refused(String(error?.message ?? error)));
  return true;
}

// One file is open at a time; others are shown by the page, and changed through it.
export class OneFile extends Workspace {
  /** @type {OpenFile[]} */
  files = [];
  /** @type {Map<string, number>} */
  versions = new Map();

  /** @param {LSPClient} client @param {EditorPage} page */
  constructor(client, page) {
    super(client);
    this.page = page;
  }

  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      const changes = plugin?.unsyncedChanges;
      if (!plugin || !changes || changes.empty) continue;
      found.push({ changes, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version = this.next(file.uri);
      plugin.clear();
    }
    return found;
  }

  /** @param {string} uri */
  next(uri) {
    const version = (this.versions.get(uri) ?? -1) + 1;
    this.versions.set(uri, version);
    return version;
  }

  /** @param {string} uri @param {string} languageId @param {EditorView} view */
  openFile(uri, languageId, view) {
    if (this.getFile(uri)) return;
    const file = { uri, languageId, version: this.next(uri), doc: view.state.doc, view, getView: () => view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  /** @param {string} uri */
  closeFile(uri) {
    if (!this.getFile(uri)) return;
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  /** @param {string} uri @param {TransactionSpec} update */
  updateFile(uri, update) {
    this.getFile(uri)?.getView()?.dispatch(update);
  }

  /** @param {string} uri */
  async displayFile(uri) {
    return this.page.display(uri);
  }
}

// What goes over the socket of the language server.
/** @param {URL} address @returns {Transport & { socket: WebSocket }} */
export function transport(address) {
  const socket = new WebSocket(address);
  /** @type {Set<(message: string) => void>} */
  const handlers = new Set();
  /** @type {string[]} */
  const waiting = [];
  socket.onopen = () => {
    for (const message of waiting.splice(0)) socket.send(message);
  };
  socket.onmessage = ({ data }) => {
    for (const handler of handlers) handler(data);
  };
  return {
    socket,
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
      else waiting.push(message);
    },
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
  };
}
