// The page of the workbench: the source, the panes beside it, and the connection over which texts and news come.

import { button } from "./controls.js";
import { Bench } from "./bench.js";
import { Beside, compare } from "./comparing.js";
import { divide } from "./divider.js";
import { fill, notice } from "./dom.js";
import { drawFiles } from "./file_tabs.js";
import { drop, keep, whenDropped, whenLeft } from "./kept_text.js";
import { languageChoice } from "./language.js";
import { PaneTabs } from "./pane_tabs.js";
import { HEAD } from "./panes.js";
import { h } from "./preact.js";
import { drawState } from "./source_state.js";
import { filled, language, load, number, say } from "./words.js";

/** @import { Crumb } from "../../../../tools/page/editor_types" */
/** @import { Answers, Events, ServerEvent, SourceText } from "./answers" */
/** @import { Action } from "./comparing.js" */
/** @import { Copy } from "./kept_text.js" */
/** @typedef {import("../../../../tools/page/editor.js").SourceEditor} SourceEditor */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const head = element("head");
const tabs = element("files");
const place = element("editor");
const state = element("state");
const path = element("crumbs");
const once = document.querySelector("meta[name=once]")?.getAttribute("content") ?? "";

const bench = new Bench();
/** @type {WebSocket} */
let socket;
let by = "";
/** @type {SourceEditor} */
let editor;
/** @type {typeof import("../../../../tools/page/editor.js")} */
let comparing; // the module of the editor, for what compares two texts

// all: the files of the folder; saved: whether the file that is shown is written; mistakes: how many the server tells;
// conflict: of the file that is shown, whether somebody has to say which text stays; going: where to go once it is
// open; session: of the workbench that is connected; told: of the one that has told the text that is shown; opening:
// the file that has been asked for; held: whether that waits until what is typed has been taken; copies: of the file
// that is shown, what was typed in windows that have been closed; unkept: whether the browser has no room for that;
// largest: bytes of a file.
/**
 * @type {Omit<Events["hello"], "window"> & {
 *   told: string, opening: string | null, held: boolean, copies: Copy[], unkept: boolean,
 *   all: Answers["files"]["files"], folder: string, saved: boolean, fixed: boolean,
 *   mistakes: Map<string | null, { wrong: number, doubtful: number }>, conflicts: Map<string, boolean | "gone">,
 *   going: { file: string, line: number, column: number } | null, lost: boolean, ok: boolean, crumbs: Crumb[]
 * }}
 */
const now = {
  session: "",
  root: "",
  told: "",
  fixed: false,
  opening: null,
  held: false,
  copies: [],
  unkept: false,
  largest: Infinity,
  all: [],
  folder: "",
  saved: true,
  mistakes: new Map(),
  conflicts: new Map(),
  going: null,
  lost: false,
  ok: true,
  crumbs: [],
};
/** @type {PaneTabs} */
let panes;
let quitted = false;

// ── the connection ──

function connect() {
  const address = new URL(`/window?${new URLSearchParams({ language: language() })}`, location.href);
  address.protocol = location.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = () => {
    if (quitted) return;
    now.lost = true;
    editor.part();
    keepTyped();
    draw();
    setTimeout(connect, 1000);
  };
}

/** @param {{ type: string, file: string | null, [field: string]: unknown }} message */
const send = (message) => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};

/** @type {{ [E in ServerEvent["type"]]?: (message: Events[E]) => unknown }} */
const hearing = {
  hello: ({ window, session, root, largest }) => {
    const { opening } = now;
    Object.assign(now, { session, root, largest, lost: false, opening: null, held: false });
    by ||= window;
    notice("");
    if (!bench.source && !opening) start();
    if (bench.source && session !== now.told) send({ type: "open", file: bench.source });
    else if (bench.source && !now.fixed) together();
    if (opening) open(opening);
  },
  text: (message) => {
    const again = message.file === bench.source;
    if (again ? isLate(message) : message.file !== now.opening) return;
    if (!again && editor.unsent) {
      now.held = true;
      return;
    }
    showText(message, again);
  },
  updates: ({ file, version, updates }) => {
    if (file !== bench.source || !editor.view) return;
    if (!editor.receive(version, updates)) send({ type: "push", file, version: editor.version, updates: [] });
    if (now.held && !editor.unsent) {
      now.held = false;
      send({ type: "open", file: now.opening });
    }
    keepSoon();
  },
  saved: ({ file }) => {
    if (file === bench.source && !editor.unsent) now.saved = true;
    editor.written(file);
    bench.emit("saved", { file });
  },
  conflict: ({ file, gone }) => {
    now.conflicts.set(file, gone ? "gone" : true);
  },
  settled: ({ file }) => now.conflicts.delete(file),
  merged: ({ file }) => {
    if (file === bench.source) notice(say("merged"));
  },
  "taken over": ({ file }) => {
    if (file === bench.source) notice(say("taken over"));
  },
  files: () => list(),
  refused: ({ file, text }) => {
    if (file === now.opening) Object.assign(now, { opening: null, held: false });
    notice(text);
  },
  edited: (event) => {
    if (event.file === bench.file) now.ok = event.ok;
    bench.emit("edited", event);
  },
};

// Whether a text that the workbench has told of the file that is shown is older than what is shown.
/** @param {SourceText} message */
const isLate = ({ version, spoiled }) => now.told === now.session && !spoiled && version <= editor.version;

// again: whether that file is shown already, as the workbench had it before.
/** @param {SourceText} message @param {boolean} again */
function showText(message, again) {
  const typed = again && editor.unsent ? editor.typed : null; // what the workbench never got
  if (!typed) keepTyped();
  if (!again) now.opening = null;
  now.conflicts.set(message.file, message.gone ? "gone" : (message.conflict ?? false));
  bench.source = message.file;
  const edition = message.edition ?? bench.file;
  const other = edition !== bench.file;
  bench.file = edition;
  now.told = now.session;
  now.fixed = message.fixed ?? false;
  editor.open({ ...message, root: now.root }, by);
  if (typed && !editor.retype(typed)) keep(message.uri, typed, crypto.randomUUID());
  now.saved = message.saved && !editor.unsent;
  now.copies = [];
  if (!now.fixed) {
    whenLeft(message.uri, offerCopy);
    remember();
  }
  if (now.going?.file === message.file) editor.show(now.going.line, now.going.column);
  if (!again) now.going = null;
  bench.emit("opened", { file: message.file });
  if (other) bench.emit("shown", { file: edition });
}

// The same workbench is there again.
function together() {
  editor.again();
  whenLeft(editor.openFile.uri, offerCopy);
}

// What the workbench does not have yet stays in the browser until it has; that is looked at once nobody types.
function keepTyped() {
  if (!editor?.view || now.fixed) return;
  if (editor.unsent) now.unkept = !keep(editor.openFile.uri, editor.typed);
  else drop(editor.openFile.uri);
}

// What a window has left; what has come into the file meanwhile is no longer kept.
/** @param {Copy} copy */
function offerCopy(copy) {
  if (copy.place !== editor.openFile.uri || now.copies.some(({ name }) => name === copy.name)) return;
  if (copy.text === editor.text) drop(copy.place, copy.name);
  else now.copies = [...now.copies, copy].sort((one, other) => other.at - one.at);
  drawStatus();
}

whenDropped((name) => {
  now.copies = now.copies.filter((copy) => copy.name !== name);
  drawStatus();
});

const KEEPING = 300; // milliseconds
let keeping = 0;
function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    keepTyped();
    drawStatus();
  }, KEEPING);
}

/** @param {ServerEvent} message */
function hear(message) {
  const heard = /** @type {((message: ServerEvent) => unknown) | undefined} */ (hearing[message.type]);
  if (heard) heard(message);
  else bench.emit(message.type, message);
  draw();
}

async function list() {
  const found = await bench.get("files");
  if (found) Object.assign(now, { all: found.files, folder: found.folder });
  draw();
}

async function start() {
  await list();
  const wanted = new URLSearchParams(location.search).get("file");
  const editions = now.all.filter(({ file, edition }) => file === edition);
  const first = now.all.find(({ file }) => file === wanted) ?? (editions.length === 1 ? editions[0] : null);
  if (first) open(first.file);
  else bench.emit("empty", { file: wanted });
  draw();
}

/** @param {string} file @param {number} [line] @param {number} [column] */
function open(file, line = 0, column = 1) {
  if (file === bench.source) {
    Object.assign(now, { going: null, opening: null, held: false });
    if (line) editor.show(line, column);
    return;
  }
  Object.assign(now, { going: line ? { file, line, column } : null, opening: file, held: false });
  send({ type: "open", file });
}

function remember() {
  history.replaceState(null, "", `/?${new URLSearchParams({ file: bench.source })}`);
}

/** @param {string} uri */
const nameOf = (uri) => {
  if (uri === editor.file?.uri) return bench.source;
  const [path, root] = [decodeURIComponent(new URL(uri).pathname), decodeURIComponent(new URL(now.root).pathname)];
  return path.startsWith(root) ? path.slice(root.length) : null;
};

bench.places = {
  open,
  mark: (file, line) => {
    if (!line || file === bench.source) editor.mark(line);
  },
  // The source as it is beside an older text; key: by which it is kept while that is shown.
  beside: (key, before) =>
    h(Beside, {
      key,
      show: (box) => comparing.beside(box, { once, label: say("now beside then") }, before, editor.text),
    }),
};
bench.turn = (name, argument) => panes.turn(name, argument);
bench.on("unruled", draw);

// ── what is drawn ──

function draw() {
  const title = bench.file || now.folder;
  document.title = title ? `${title} · Rulewright` : "Rulewright";
  fill(
    head,
    h("h1", {}, "Rulewright"),
    h("p", { class: "phase" }, now.folder),
    HEAD.map((part) => part(bench, draw)),
    languageChoice(relabel),
    button(say("quit"), quit, { class: "plain", key: "quit" }),
  );
  drawFiles(tabs, bench, now.all, open);
  drawStatus();
  panes?.draw();
}

// Where the cursor is, from the section down.
function drawCrumbs() {
  fill(
    path,
    (now.crumbs ?? []).map(({ name, line }, at) =>
      h(
        "li",
        { key: at },
        button(name, () => editor.show(line)),
      ),
    ),
  );
}

function drawStatus() {
  const { source } = bench;
  const { lost, unkept, fixed, saved, copies } = now;
  const [found, conflict] = [now.mistakes.get(source), now.conflicts.get(source)];
  drawState(state, { source, found, conflict, lost, unkept, fixed, saved, copies }, acts);
}

/** @type {import("./source_state.js").Acts} */
const acts = {
  listMistakes: () => editor.listMistakes(),
  settle: (mine) => send({ type: "settle", file: bench.source, mine }),
  compareConflict: async () => {
    const theirs = await bench.get("files/theirs", { file: bench.source });
    if (theirs)
      show(say("compare conflict"), theirs.text, editor.text, [
        { name: say("keep mine"), main: true, act: () => acts.settle(true) },
        { name: say("take theirs"), act: () => acts.settle(false) },
      ]);
  },
  retype: (copy) => {
    if (editor.retype(copy)) acts.forget(copy);
  },
  forget: (copy) => {
    drop(copy.place, copy.name);
    now.copies = now.copies.filter(({ name }) => name !== copy.name);
    drawStatus();
  },
  compareCopy: (copy, choices) => show(say("compare copy"), editor.text, copy.text, choices),
};

/** @param {string} title @param {string} before @param {string} after @param {Action[]} choices */
const show = (title, before, after, choices) =>
  compare(title, (box) => comparing.beside(box, { once, label: title }, before, after), choices);

function relabel() {
  bench.emit("language", {});
  editor?.reconnect(); // mistakes are told in the new language
  draw();
}

async function quit() {
  quitted = true;
  await bench.post("quit");
  const told = document.createElement("main");
  document.body.replaceChildren(told);
  fill(told, h("p", { class: "panel" }, say("quit told")));
}

// ── begin ──

const ERROR = 1; // as the language server has it

await load();
comparing = await import("/page/editor.js");
editor = new comparing.SourceEditor(place, {
  once,
  label: say("source"),
  page: {
    push: (file, version, updates) => send({ type: "push", file, version, updates }),
    changed: () => {
      now.saved = false;
      keepSoon();
      drawStatus();
    },
    largest: () => now.largest,
    language,
    tooLarge: () => notice(filled("file too large", { size: number(now.largest) })),
    cursor: (line, column, crumbs) => {
      bench.cursor = { line, column };
      now.crumbs = crumbs;
      drawCrumbs();
      bench.emit("cursor", bench.cursor);
    },
    mistakes: (uri, found) => {
      const wrong = found.filter(({ severity }) => severity === ERROR).length;
      now.mistakes.set(nameOf(uri), { wrong, doubtful: found.length - wrong });
      drawStatus();
    },
    display: async (uri) => {
      const file = nameOf(uri) ?? (await bench.get("files/named", { uri }))?.file;
      if (!file) return null;
      if (file !== bench.source) {
        await new Promise((opened) => {
          bench.on("opened", opened);
          open(file);
        });
      }
      return editor.view;
    },
    elsewhere: (uri, edits) => {
      const file = nameOf(uri);
      if (file !== null) bench.post("files/edit", { edits }, { file });
    },
    refused: notice,
    // What stands above a line was pressed.
    act: ({ command, arguments: [uri, name] }) =>
      panes.turn(command.endsWith("runCase") ? "cases" : "play", { file: nameOf(uri), name }),
  },
});
panes = new PaneTabs(element("beside"), bench, draw, () => Boolean(bench.file && !now.ok && bench.ruled));
divide(element("divider"), element("bench"));
panes.begin();
connect();
document.addEventListener("pointerdown", () => notice("")); // it has been read, and lies over what is below
addEventListener("pagehide", keepTyped);
addEventListener("beforeunload", (event) => {
  keepTyped();
  if (editor.unsent && now.lost && now.unkept) event.preventDefault();
});
