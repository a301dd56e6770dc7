// Starts the language server for rule files, and gives it only those: a YAML file that says `rulewright:` or `cases:`.

import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

const OURS = /^(rulewright|cases|extends)\s*:/m;
let client: LanguageClient | undefined;

function command(): string {
  return vscode.workspace.getConfiguration("rulewright").get<string>("command", "rulewright");
}

async function start(): Promise<void> {
  client = new LanguageClient(
    "rulewright",
    "Rulewright",
    { command: command(), args: ["language-server"] },
    {
      documentSelector: [
        { scheme: "file", language: "yaml" },
        { scheme: "file", pattern: "**/*.po" },
      ],
      middleware: {
        didOpen: async (document, next) => {
          if (document.fileName.endsWith(".po") || OURS.test(document.getText())) await next(document);
        },
      },
    },
  );
  await client.start();
}

function play(file: string | undefined, place: string[] = []): void {
  if (file === undefined) return;
  const terminal = vscode.window.createTerminal({
    name: path.basename(file),
    shellPath: command(),
    shellArgs: ["play", file, ...place], // no shell reads the names
  });
  terminal.show();
}

// What stands above a case begins as that does; above a phase or a step, a game is played until somebody is asked there.
async function playFrom(uri: string, name: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  if (!(await document.save())) return;
  play(document.fileName, [/^cases\s*:/m.test(document.getText()) ? "--case" : "--from", name]);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulewright.play", () => play(vscode.window.activeTextEditor?.document.fileName)),
    vscode.commands.registerCommand("rulewright.playFrom", playFrom),
    vscode.commands.registerCommand("rulewright.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
