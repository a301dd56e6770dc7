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
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, openLintPanel } from "@codemirror/lint";
import {
  findReferencesKeymap,
  formatDocument,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  serverCompletion,
} from "@codemirror/lsp-client";
import { unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { ChangeSet, Compartment, EditorState, Text } from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { boundedYaml } from "./bounded.js";
import { deeper, hanging, hangingLook, marked, marking } from "./editor_lines.js";
import { letters, look } from "./editor_look.js";
import { ABLE, diagnosing, OneFile, rename, transport } from "./server_client.js";
import { figures, kinds, lenses, outline, within } from "./server_marks.js";
import { bounded, changesBetween, distance, parcel } from "./text_changes.js";

/** @import { ViewUpdate } from "@codemirror/view" */
/** @import * as lsp from "vscode-languageserver-protocol" */
/** @import { EditorPage, OpenedText, TypedText, UpdateMessage } from "./editor_types" */

// Milliseconds until nobody waits for an answer of the language server any more: a busy computer takes long to begin
// it, and what has asked in vain is not asked again.
const SLOWEST = 300_000;

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
  /** @type {WebSocket | undefined} */
  socket;

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
    this.socket = lines.socket;
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

  reconnect() {
    this.socket?.close();
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
