// What the language server says of the source beside what the library asks it for: figures, lenses, the outline, and
// kinds of words.

import { LSPPlugin } from "@codemirror/lsp-client";
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";

/** @import { LSPClient } from "@codemirror/lsp-client" */
/** @import { StateEffectType, Text } from "@codemirror/state" */
/** @import { DecorationSet, ViewUpdate } from "@codemirror/view" */
/** @import * as lsp from "vscode-languageserver-protocol" */
/** @import { Asked, EditorPage, LensCommand } from "./editor_types" */

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

export const figures = asking("textDocument/inlayHint", 300, (/** @type {lsp.InlayHint[]} */ hints, plugin, doc) =>
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
    for (const lens of this.lenses) {
      const command = /** @type {LensCommand} */ (lens.command);
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
export const lenses = (act) => [
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
export const outline = (heard) =>
  asking("textDocument/documentSymbol", 300, (/** @type {lsp.DocumentSymbol[]} */ found) => {
    heard(found);
    return Decoration.none;
  });

// From the whole to the smallest part around a line, counted from 0.
/** @param {lsp.DocumentSymbol[]} symbols @param {number} line @returns {lsp.DocumentSymbol[]} */
export function within(symbols, line) {
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
export const kinds = asking("textDocument/semanticTokens/full", 30, drawKinds);
