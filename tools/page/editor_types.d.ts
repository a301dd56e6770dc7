// What the editor and the page of the workbench say to each other.

import type { EditorView } from "@codemirror/view";
import type { WorkspaceFile } from "@codemirror/lsp-client";
import type * as lsp from "vscode-languageserver-protocol";

/** What the editor asks the language server itself, after each pause. */
export type Asked =
  | "textDocument/codeLens"
  | "textDocument/documentSymbol"
  | "textDocument/inlayHint"
  | "textDocument/semanticTokens/full";

/** A change as it goes to the workbench; changes: as CodeMirror writes a ChangeSet. */
export interface UpdateMessage {
  clientID: string;
  changes: unknown;
}

/** Something in the outline of the file, and where it begins. */
export interface Crumb {
  name: string;
  line: number;
}

/** A file's text as the workbench has it. fixed: whether it is only read. */
export interface OpenedText {
  file: string;
  uri: string;
  text: string;
  version: number;
  root: string;
  fixed?: boolean;
}

/** What the workbench may not have yet. base: what it has; sent: what it has if it took what it was sent last. */
export interface TypedText {
  base: string;
  sent: string;
  text: string;
}

/** arguments: the address of the file, and a name in it. */
export type LensCommand = lsp.Command & { arguments: [string, string] };

export interface EditorPage {
  push(file: string, version: number, updates: UpdateMessage[]): void;
  changed(): void;
  cursor(line: number, column: number, crumbs: Crumb[]): void;
  mistakes(uri: string, found: lsp.Diagnostic[]): void;
  display(uri: string): Promise<EditorView | null>;
  /** Changes a file that is not open. */
  elsewhere(uri: string, edits: lsp.TextEdit[]): void;
  refused(text: string): void;
  /** Does what stands above a line. */
  act(command: LensCommand): void;
  largest(): number;
  language(): string;
  tooLarge(): void;
}

export type OpenFile = WorkspaceFile & { view: EditorView };
