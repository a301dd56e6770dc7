// Lines of the source: one that is marked, long ones, and where a new one begins.

import { indentService } from "@codemirror/language";
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin } from "@codemirror/view";

/** @import { StateEffectType } from "@codemirror/state" */
/** @import { DecorationSet, ViewUpdate } from "@codemirror/view" */

// A line that somebody is shown.
/** @type {StateEffectType<number | null>} */
export const marking = StateEffect.define();
/** @type {StateField<DecorationSet>} */
export const marked = StateField.define({
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
export const hangingLook = EditorView.theme(
  Object.fromEntries(
    Array.from({ length: DEEPEST }, (_, at) => [
      `.cm-hanging-${at + 1}`,
      { textIndent: `-${at + 1}ch`, paddingInlineStart: `calc(${at + 1}ch + 6px)` },
    ]),
  ),
);
export const hanging = ViewPlugin.fromClass(
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
export const deeper = indentService.of((context, at) => {
  if (context.simulatedBreak !== at) return undefined;
  const found = context.lineAt(at, -1).text.match(OPENS)?.groups;
  return found && found.blanks.length + (found.item ? 4 : 2);
});
