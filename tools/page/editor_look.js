// How the editor looks: with the page's own colours.

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const look = EditorView.theme({
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
export const letters = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--code-key)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--faint)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
]);
