// The editor of the workbench: CodeMirror for one file at a time, shared with other windows, with the language server
// behind it. The workbench's page knows nothing of CodeMirror but what this module gives it.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from "@codemirror/collab";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentService,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, openLintPanel, setDiagnostics } from "@codemirror/lint";
import {
  findReferencesKeymap,
  formatDocument,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  serverCompletion,
  Workspace,
} from "@codemirror/lsp-client";
import { diff, unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { ChangeSet, Compartment, EditorState, RangeSetBuilder, StateEffect, StateField, Text } from "@codemirror/state";
import {
  crosshairCursor,
  Decoration,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
  showDialog,
  ViewPlugin,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { boundedYaml } from "./bounded.js";

/** @import { Diagnostic } from "@codemirror/lint" */
/** @import { Transport } from "@codemirror/lsp-client" */
/** @import { StateEffectType, TransactionSpec } from "@codemirror/state" */
/** @import { DecorationSet, ViewUpdate } from "@codemirror/view" */
/** @import * as lsp from "vscode-languageserver-protocol" */
/** @import { Asked, EditorPage, OpenedText, OpenFile, TypedText, UpdateMessage } from "./editor_types" */
/** @typedef {ReturnType<typeof sendableUpdates>[number]} SendableUpdate */

// ── colours, from the page's own ──

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--raised)", fontSize: ".9rem" },
  ".cm-scroller": {
    fontFamily: "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    lineHeight: "1.5",
  },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--glow) 9%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--glow) 18%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--glow) 34%, transparent) !important",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--glow) 22%, transparent)" },
  ".cm-tooltip, .cm-panels": { color: "var(--ink)", backgroundColor: "var(--paper)", border: "1px solid var(--line)" },
  ".cm-tooltip": { borderRadius: ".4rem", boxShadow: "var(--shadow)", maxWidth: "38rem" },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "inherit", maxHeight: "18rem" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--on-strong)", backgroundColor: "var(--strong)" },
  ".cm-lsp-documentation, .cm-diagnosticText": { font: "0.9rem/1.45 system-ui, sans-serif" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
  ".cm-lsp-documentation": { padding: ".3rem .7rem" },
  ".cm-lsp-documentation ul": { paddingInlineStart: "1.2rem", listStyle: "disc" },
  ".cm-lsp-documentation p": { margin: ".3rem 0" },
  ".cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]": {
    color: "var(--ink)",
    backgroundColor: "color-mix(in srgb, var(--glow) 18%, transparent)",
  },
  ".cm-diagnostic": { padding: ".4rem .6rem" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--strong)",
    color: "var(--on-strong)",
    padding: ".2rem .6rem",
    borderRadius: ".4rem",
  },
  ".cm-panels button, .cm-panels input": { minHeight: "1.8rem", padding: ".1rem .5rem" },
  ".cm-figures": { color: "var(--faint)", fontStyle: "italic", paddingLeft: "1.5ch" },
  ".cm-lenses button": {
    minHeight: "0",
    padding: "0 .5rem 0 0",
    border: "0",
    background: "none",
    color: "var(--faint)",
    font: "0.75rem/1.3 system-ui, sans-serif",
  },
  ".cm-lenses button:hover": { color: "var(--strong)", textDecoration: "underline" },
  ".cm-marked": { backgroundColor: "color-mix(in srgb, var(--glow) 28%, transparent)" },
  ".cm-lintRange-error, .cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy light-dark(#c22, #ff8d7a) 1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-warning": { textDecorationColor: "light-dark(#b07400, #f6be45)" },
  ".cm-lint-marker-error, .cm-lint-marker-warning": {
    content: "''",
    width: ".7em",
    height: ".7em",
    margin: ".3em .1em",
    borderRadius: "50%",
    backgroundColor: "light-dark(#c22, #ff8d7a)",
  },
  ".cm-lint-marker-warning": { backgroundColor: "light-dark(#b07400, #f6be45)" },
  ".cm-foldPlaceholder": { color: "var(--faint)", backgroundColor: "transparent", border: "1px solid var(--line)" },
});

// The library draws these by pictures in addresses, which the page does not allow.
const letters = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--code-key)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--faint)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
]);

// ── a line that somebody is shown ──

/** @type {StateEffectType<number | null>} */
const marking = StateEffect.define();
/** @type {StateField<DecorationSet>} */
const marked = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    found = found.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(marking)) continue;
      found =
        effect.value === null
          ? Decoration.none
          : Decoration.set([Decoration.line({ class: "cm-marked" }).range(effect.value)]);
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// A long line goes on where it began, not at the edge. By classes: the page allows no styles of single elements.
const DEEPEST = 40; // columns
const hangingLook = EditorView.theme(
  Object.fromEntries(
    Array.from({ length: DEEPEST }, (_, at) => [
      `.cm-hanging-${at + 1}`,
      { textIndent: `-${at + 1}ch`, paddingInlineStart: `calc(${at + 1}ch + 6px)` },
    ]),
  ),
);
const hanging = ViewPlugin.fromClass(
  class {
    /** @param {EditorView} view */
    constructor(view) {
      this.decorations = this.made(view);
    }
    /** @param {ViewUpdate} update */
    update(update) {
      if (update.docChanged || update.viewportChanged) this.decorations = this.made(update.view);
    }
    /** @param {EditorView} view */
    made(view) {
      /** @type {RangeSetBuilder<Decoration>} */
      const found = new RangeSetBuilder();
      for (const { from, to } of view.visibleRanges) {
        for (let at = from; at <= to; ) {
          const line = view.state.doc.lineAt(at);
          const columns = Math.min(line.text.match(/^[ ]*(- )?/)?.[0].length ?? 0, DEEPEST);
          if (columns) found.add(line.from, line.from, Decoration.line({ class: `cm-hanging-${columns}` }));
          at = line.to + 1;
        }
      }
      return found.finish();
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

// A line that ends with a colon has what belongs to it below, further to the right.
const OPENS = /^(?<blanks> *)(?<item>- )?[^#\s].*:( [>|]-?)?\s*$/;
const deeper = indentService.of((context, at) => {
  if (context.simulatedBreak !== at) return undefined;
  const found = context.lineAt(at, -1).text.match(OPENS)?.groups;
  return found && found.blanks.length + (found.item ? 4 : 2);
});

// ── what the language server says beside what the library asks it for ──

class Figures extends WidgetType {
  /** @param {string} text */
  constructor(text) {
    super();
    this.text = text;
  }
  /** @param {Figures} other */
  eq(other) {
    return other.text === this.text;
  }
  toDOM() {
    const made = document.createElement("span");
    made.className = "cm-figures";
    made.textContent = this.text;
    return made;
  }
}

// What stands in the text for as long as nobody types: asked for anew after a pause, in milliseconds, so that what is
// typed at once is asked once. The shortest pause also decides how soon a mistake is underlined.
/**
 * @template T
 * @param {Asked} method
 * @param {number} pause
 * @param {(answer: T, plugin: LSPPlugin, doc: Text, client: LSPClient) => DecorationSet} draw
 */
const asking = (method, pause, draw) =>
  ViewPlugin.fromClass(
    class {
      /** @type {number | undefined} */
      timer;

      /** @param {EditorView} view */
      constructor(view) {
        this.view = view;
        this.decorations = Decoration.none;
        this.later();
      }

      /** @param {ViewUpdate} update */
      update(update) {
        this.decorations = this.decorations.map(update.changes);
        if (update.docChanged) this.later();
      }

      later() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.ask(), pause);
      }

      async ask() {
        const plugin = LSPPlugin.get(this.view);
        if (!plugin) return;
        const { client, uri } = plugin;
        try {
          await client.initializing;
          if (!supports(client, method)) return;
          client.sync();
          const { doc } = this.view.state;
          const range = { start: { line: 0, character: 0 }, end: plugin.toPosition(doc.length) };
          /** @type {T | null} */
          const found = await client.request(method, { textDocument: { uri }, range });
          if (this.view.state.doc !== doc || !found) return;
          this.decorations = draw(found, plugin, doc, client);
          this.view.dispatch({});
        } catch {
          /* the server is busy, or has gone: the next letter asks again */
        }
      }

      destroy() {
        clearTimeout(this.timer);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );

/** @type {Record<Asked, keyof lsp.ServerCapabilities>} */
const PROVIDERS = {
  "textDocument/codeLens": "codeLensProvider",
  "textDocument/documentSymbol": "documentSymbolProvider",
  "textDocument/inlayHint": "inlayHintProvider",
  "textDocument/semanticTokens/full": "semanticTokensProvider",
};

/** @param {LSPClient} client @param {Asked} method */
const supports = (client, method) => Boolean(client.serverCapabilities?.[PROVIDERS[method]]);

const figures = asking("textDocument/inlayHint", 300, (/** @type {lsp.InlayHint[]} */ hints, plugin, doc) =>
  Decoration.set(
    hints.map(({ position, label }) =>
      Decoration.widget({ widget: new Figures(String(label)), side: 1 }).range(plugin.fromPosition(position, doc)),
    ),
    true,
  ),
);

// What can be done from a place: buttons above its line.
class Lenses extends WidgetType {
  /** @param {lsp.CodeLens[]} lenses @param {number} indent @param {EditorPage["act"]} act */
  constructor(lenses, indent, act) {
    super();
    this.lenses = lenses;
    this.indent = indent;
    this.act = act;
  }
  /** @param {Lenses} other */
  eq(other) {
    return JSON.stringify([this.lenses, this.indent]) === JSON.stringify([other.lenses, other.indent]);
  }
  toDOM() {
    const made = document.createElement("div");
    made.className = "cm-lenses";
    made.style.paddingInlineStart = `${this.indent}ch`;
    for (const { command } of this.lenses) {
      if (!command) continue;
      const button = document.createElement("button");
      Object.assign(button, {
        type: "button",
        tabIndex: -1,
        textContent: command.title,
        onclick: () => this.act(command),
      });
      made.append(button);
    }
    return made;
  }
  ignoreEvent() {
    return true;
  }
}

/** @type {StateEffectType<DecorationSet>} */
const showLenses = StateEffect.define();
/** @type {StateField<DecorationSet>} */
const lensField = StateField.define({
  create: () => Decoration.none,
  update: (found, transaction) =>
    transaction.effects.reduce(
      (now, effect) => (effect.is(showLenses) ? effect.value : now),
      found.map(transaction.changes),
    ),
  provide: (field) => EditorView.decorations.from(field),
});

/** @param {EditorPage["act"]} act */
const lenses = (act) => [
  lensField,
  asking("textDocument/codeLens", 400, (/** @type {lsp.CodeLens[]} */ found, plugin, doc) => {
    /** @type {Map<number, lsp.CodeLens[]>} */
    const lines = new Map();
    for (const lens of found) {
      const line = Math.min(lens.range.start.line + 1, doc.lines);
      lines.set(line, [...(lines.get(line) ?? []), lens]);
    }
    const widgets = [...lines]
      .sort(([a], [b]) => a - b)
      .map(([line, those]) => {
        const at = doc.line(line);
        return Decoration.widget({
          widget: new Lenses(those, at.text.search(/\S|$/), act),
          block: true,
          side: -1,
        }).range(at.from);
      });
    plugin.view.dispatch({ effects: showLenses.of(Decoration.set(widgets)) });
    return Decoration.none;
  }),
];

// What the file is made of: where the cursor is in it is told above the text.
/** @param {(symbols: lsp.DocumentSymbol[]) => void} heard */
const outline = (heard) =>
  asking("textDocument/documentSymbol", 300, (/** @type {lsp.DocumentSymbol[]} */ found) => {
    heard(found);
    return Decoration.none;
  });

// From the whole to the smallest part around a line, counted from 0.
/** @param {lsp.DocumentSymbol[]} symbols @param {number} line @returns {lsp.DocumentSymbol[]} */
function within(symbols, line) {
  const found = symbols.find(({ range }) => range.start.line <= line && line <= range.end.line);
  return found ? [found, ...within(found.children ?? [], line)] : [];
}

// The kinds of words in sentences, where the server tells them.
/** @type {(tokens: lsp.SemanticTokens, plugin: LSPPlugin, doc: Text, client: LSPClient) => DecorationSet} */
const drawKinds = ({ data }, plugin, doc, client) => {
  const { tokenTypes = [] } = client.serverCapabilities?.semanticTokensProvider?.legend ?? {};
  /** @type {RangeSetBuilder<Decoration>} */
  const made = new RangeSetBuilder();
  let [line, character] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    line += data[at];
    character = data[at] ? data[at + 1] : character + data[at + 1];
    if (line >= doc.lines) break;
    const from = plugin.fromPosition({ line, character }, doc);
    made.add(
      from,
      Math.min(doc.length, from + data[at + 2]),
      Decoration.mark({ class: `code-${tokenTypes[data[at + 3]]}` }),
    );
  }
  return made.finish();
};
const kinds = asking("textDocument/semanticTokens/full", 30, drawKinds);

// What this editor shows, besides what the library tells the server.
const ABLE = {
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
function diagnosing(heard) {
  return async (client, { uri, diagnostics, version }) => {
    const file = client.workspace.getFile(uri);
    const view = file?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!file || !plugin || (typeof version === "number" && version !== file.version)) return;
    /** @param {Map<string, lsp.CodeAction[]>} actions */
    const show = (actions) => {
      const told = diagnostics.map((one) => {
        const from = plugin.fromPosition(one.range.start, plugin.syncedDoc),
          to = plugin.fromPosition(one.range.end, plugin.syncedDoc);
        return {
          from: plugin.unsyncedChanges.mapPos(from),
          to: plugin.unsyncedChanges.mapPos(Math.max(from, to)),
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
    if (actions.size && view.state.doc === plugin.view.state.doc) show(actions);
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
function rename(view) {
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
class OneFile extends Workspace {
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
function transport(address) {
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

// ── texts that change ──

// From one text to another; where they are large and very different, roughly.
/** @param {string} before @param {string} after */
const changesBetween = (before, after) =>
  ChangeSet.of(
    diff(before, after, { scanLimit: 500, timeout: 500 }).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: after.slice(fromB, toB),
    })),
    before.length,
  );

/** @param {Text} doc */
const bytes = (doc) => (3 * doc.length <= LEAST ? 0 : new TextEncoder().encode(doc.toString()).length);
const LEAST = 100_000; // no bound is as low as this

// What would make a file larger than one may be is refused; what others have done is not asked.
/** @param {EditorPage} page */
const bounded = (page) =>
  EditorState.transactionFilter.of((transaction) => {
    if (
      !transaction.docChanged ||
      transaction.newDoc.length <= transaction.startState.doc.length ||
      bytes(transaction.newDoc) <= page.largest()
    )
      return transaction;
    page.tooLarge();
    return [];
  });

// How many letters one text has that another has not, and the other way round.
/** @param {string} before @param {string} after */
function distance(before, after) {
  let found = 0;
  changesBetween(before, after).iterChanges((fromA, toA, fromB, toB) => {
    found += toA - fromA + toB - fromB;
  });
  return found;
}

const MOST_SENT = 1 << 20; // letters of a message, which may have one change more
const MOST_UPDATES = 1000; // of a message

// Milliseconds until nobody waits for an answer of the language server any more: a busy computer takes long to begin
// it, and what has asked in vain is not asked again.
const SLOWEST = 300_000;

// The first of some updates, as they are sent together.
/** @param {readonly SendableUpdate[]} updates */
function parcel(updates) {
  /** @type {UpdateMessage[]} */
  const found = [];
  let size = 0;
  for (const { clientID, changes } of updates) {
    if (size > MOST_SENT || found.length === MOST_UPDATES) break;
    found.push({ clientID, changes: changes.toJSON() });
    size += JSON.stringify(found.at(-1)).length;
  }
  return found;
}

// ── what the page has ──

export class SourceEditor {
  /**
   * The view of the file that is open.
   * @type {EditorView | null}
   */
  view = null;
  /**
   * The file that was opened last.
   * @type {{ file: string, uri: string, root: string } | null}
   */
  file = null;
  /**
   * Where the cursor was in files, by their names.
   * @type {Map<string, number>}
   */
  states = new Map();
  opened = 0;
  // Whether what the workbench tells and what is shown go on from the same version: not while it is gone, and not until
  // it has told its text anew; then nothing is sent or taken.
  together = false;
  // How many of the updates that the workbench has not confirmed have been sent, the first ones: it takes all or none.
  sent = 0;
  /** @type {lsp.DocumentSymbol[]} */
  symbols = [];
  /** The text as the workbench has it. */
  base = Text.empty;
  language = new Compartment();

  // parent: where it stands; once: what lets its styles in; label: what it is called.
  /** @param {HTMLElement} parent @param {{ once: string, label: string, page: EditorPage }} given */
  constructor(parent, { once, label, page }) {
    this.parent = parent;
    this.once = once;
    this.label = label;
    this.page = page;
    this.diagnose = diagnosing(page.mistakes);
    this.client = this.connect();
  }

  // The language server may end; then another one begins.
  connect() {
    const query = new URLSearchParams({ language: this.page.language() });
    const address = new URL(`/language-server?${query}`, location.href);
    address.protocol = location.protocol.replace("http", "ws");
    const lines = transport(address);
    this.reconnect = () => lines.socket.close();
    const client = new LSPClient({
      timeout: SLOWEST,
      sanitizeHTML: (html) =>
        this.file ? html.replaceAll(decodeURIComponent(new URL(this.root()).pathname), "") : html,
      workspace: (client) => new OneFile(client, this.page),
      notificationHandlers: {
        "textDocument/publishDiagnostics": (client, params) => {
          this.diagnose(client, params);
          return true;
        },
      },
      extensions: [
        { clientCapabilities: ABLE },
        serverCompletion({ override: true }),
        hoverTooltips(),
        keymap.of([
          ...formatKeymap,
          { key: "F2", run: rename, preventDefault: true },
          ...jumpToDefinitionKeymap,
          ...findReferencesKeymap,
        ]),
      ],
    }).connect(lines);
    lines.socket.onclose = () => {
      client.disconnect();
      setTimeout(() => {
        this.client = this.connect();
        if (this.file)
          this.view?.dispatch({ effects: this.language.reconfigure(this.client.plugin(this.file.uri, "yaml")) });
      }, 1000);
    };
    return client;
  }

  // fixed: whether it is only read. A text as it came from the workbench; where it is one that is open, its place is
  // kept.
  /** @param {OpenedText} opened @param {string} by */
  open({ file, uri, text, version, root, fixed }, by) {
    if (this.view) this.close();
    const kept = this.states.get(file) ?? 0;
    if (this.file?.file !== file) this.symbols = [];
    this.file = { file, uri, root };
    this.base = Text.of(text.split("\n"));
    this.opened += 1;
    const state = EditorState.create({
      doc: text,
      selection: { anchor: Math.min(kept, text.length) },
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        foldGutter(),
        codeFolding(),
        lintGutter(),
        history(),
        drawSelection(),
        dropCursor(),
        indentOnInput(),
        EditorState.allowMultipleSelections.of(true),
        EditorState.phrases.of(this.page.phrases ?? {}),
        indentUnit.of("  "),
        EditorState.tabSize.of(2),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ activateOnTyping: true, icons: false }),
        rectangularSelection(),
        crosshairCursor(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...defaultKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...foldKeymap,
          indentWithTab,
        ]),
        EditorState.readOnly.of(fixed ?? false),
        EditorView.clipboardInputFilter.of((pasted) => pasted.toWellFormed()),
        bounded(this.page),
        boundedYaml(),
        deeper,
        syntaxHighlighting(letters),
        look,
        marked,
        hanging,
        hangingLook,
        figures,
        kinds,
        lenses(this.page.act),
        outline((found) => {
          this.symbols = found;
          this.tellCursor();
        }),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(this.once),
        EditorView.contentAttributes.of({ "aria-label": this.label, spellcheck: "false", tabindex: "0" }),
        // what was sent of another state is not its own
        collab({ startVersion: version, clientID: `${by}.${this.opened}` }),
        EditorView.updateListener.of((update) => this.updated(update)),
        this.language.of(this.client.plugin(uri, "yaml")),
      ],
    });
    this.together = true;
    this.sent = 0;
    this.view = new EditorView({ state, parent: this.parent });
    this.view.dispatch({ effects: EditorView.scrollIntoView(state.selection.main.head, { y: "center" }) });
    this.tellCursor();
  }

  close() {
    this.states.set(this.openFile.file, this.openView.state.selection.main.head);
    this.openView.destroy();
    this.view = null;
  }

  get openView() {
    if (!this.view) throw new Error("no file is open");
    return this.view;
  }
  get openFile() {
    if (!this.file) throw new Error("no file is open");
    return this.file;
  }

  /** @param {ViewUpdate} update */
  updated(update) {
    if (update.docChanged) {
      this.page.changed();
      this.push();
    }
    if (update.selectionSet || update.docChanged) this.tellCursor();
  }

  tellCursor() {
    const { head } = this.openView.state.selection.main;
    const line = this.openView.state.doc.lineAt(head);
    this.page.cursor(
      line.number,
      head - line.from + 1,
      within(this.symbols, line.number - 1).map(({ name, selectionRange }) => ({
        name,
        line: selectionRange.start.line + 1,
      })),
    );
  }

  // What has been typed goes to the workbench, one parcel at a time.
  push() {
    const updates = sendableUpdates(this.openView.state);
    if (!this.together || this.sent || !updates.length) return;
    const sent = parcel(updates);
    this.sent = sent.length;
    this.page.push(this.openFile.file, getSyncedVersion(this.openView.state), sent);
  }

  // Whether something has been typed that the workbench does not have yet.
  get unsent() {
    return this.view !== null && sendableUpdates(this.openView.state).length > 0;
  }

  // Updates of all windows, this one's too, from a version on. False where some are missing.
  /** @param {number} version @param {UpdateMessage[]} updates */
  receive(version, updates) {
    if (!this.together) return true; // all of the text is told soon
    const known = getSyncedVersion(this.openView.state);
    if (version > known) return false;
    const fresh = updates
      .slice(known - version)
      .map(({ clientID, changes }) => ({ clientID, changes: ChangeSet.fromJSON(changes) }));
    this.sent = 0;
    for (const { changes } of fresh) this.base = changes.apply(this.base);
    if (fresh.length) this.openView.dispatch(receiveUpdates(this.openView.state, fresh));
    this.push();
    return true;
  }

  // The connection is lost.
  part() {
    this.together = false;
  }

  // The connection is there again, to the same workbench: what has been typed is sent again, and what others have typed
  // is asked for.
  again() {
    this.together = true;
    this.sent = 0;
    if (this.unsent) this.push();
    else this.page.push(this.openFile.file, getSyncedVersion(this.openView.state), []);
  }

  // What has been typed that the workbench does not have yet, and the text that it has; sent: the one that it has if it
  // took what it was sent last, which it has not said.
  /** @returns {TypedText} */
  get typed() {
    const sent = sendableUpdates(this.openView.state)
      .slice(0, this.sent)
      .reduce((text, { changes }) => changes.apply(text), this.base);
    return { base: this.base.toString(), sent: sent.toString(), text: this.text };
  }

  // Types anew what was typed into another text: beside what has changed since. False where the file would be too
  // large.
  /** @param {TypedText} typed */
  retype({ base, sent, text }) {
    const now = this.text;
    if (text === now) return true;
    const from = distance(sent, now) < distance(base, now) ? sent : base;
    const changes = changesBetween(from, text).map(changesBetween(from, now));
    this.openView.dispatch({ changes });
    return changes.empty || this.text !== now;
  }

  get version() {
    return this.view ? getSyncedVersion(this.openView.state) : 0;
  }
  get text() {
    return this.view?.state.doc.toString() ?? "";
  }

  /** @param {number} line @param {number} column */
  position(line, column) {
    const { doc } = this.openView.state;
    const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return Math.min(found.from + Math.max(1, column) - 1, found.to);
  }

  /** @param {number} line */
  show(line, column = 1, focus = true) {
    const anchor = this.position(line, column);
    this.openView.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    if (focus) this.openView.focus();
  }

  // Marks a line, which need not take the cursor there; null marks none.
  /** @param {number | null} line */
  mark(line) {
    if (!this.view) return;
    const at = line === null ? null : this.position(line, 1);
    this.openView.dispatch({
      effects:
        at === null ? marking.of(null) : [marking.of(at), EditorView.scrollIntoView(at, { y: "nearest", yMargin: 80 })],
    });
  }

  // A file has been written: what else is open may be read otherwise now.
  /** @param {string} file */
  written(file) {
    const here = this.file && new URL(encodeURI(file).replace(/[?#]/g, encodeURIComponent), this.root());
    if (here && this.client.connected)
      this.client.notification("textDocument/didSave", { textDocument: { uri: here.href } });
  }

  // The folder, as an address.
  root() {
    return this.openFile.root;
  }

  focus() {
    this.view?.focus();
  }
  format() {
    if (this.view) formatDocument(this.view);
  }
  nextMistake() {
    if (this.view && nextDiagnostic(this.view)) this.openView.focus();
  }
  listMistakes() {
    if (this.view) openLintPanel(this.view);
  }
}

// A text with what is different in it from another. Gives what takes it away again.
/** @param {HTMLElement} parent @param {{ once: string, label: string }} given @param {string} before @param {string} after */
export function beside(parent, { once, label }, before, after) {
  const extensions = [
    boundedYaml(),
    syntaxHighlighting(letters),
    look,
    EditorView.editable.of(false),
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.cspNonce.of(once),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        ...extensions,
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 2, minSize: 6 } }),
      ],
    }),
  });
  return () => view.destroy();
}
