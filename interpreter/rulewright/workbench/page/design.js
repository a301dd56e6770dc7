// The page of the workbench: the source, the panes beside it, and the connection over which texts and news come.

import { Bench } from "./bench.js";
import { Beside, compare } from "./comparing.js";
import { fill, notice, required } from "./dom.js";
import { drop, keep, whenDropped, whenLeft } from "./kept_text.js";
import { languageChoice } from "./language.js";
import { HEAD, PANES } from "./panes.js";
import { h } from "./preact.js";
import { readStored, store } from "./storage.js";
import { filled, language, load, number, say } from "./words.js";

/** @import { Crumb } from "../../../../tools/page/editor_types" */
/** @import { Answers, Events, ServerEvent, SourceText } from "./answers" */
/** @import { Action } from "./comparing.js" */
/** @import { Copy } from "./kept_text.js" */
/** @import { KeyEvent, Pane } from "./types" */
/** @typedef {import("../../../../tools/page/editor.js").SourceEditor} SourceEditor */

const element = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const head = element("head");
const tabs = element("files");
const place = element("editor");
const state = element("state");
const path = element("crumbs");
const side = element("beside");
const divider = element("divider");
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
/** @type {Map<string, Pane>} */
const panes = new Map();
let shown = "";
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
  drawState();
}

whenDropped((name) => {
  now.copies = now.copies.filter((copy) => copy.name !== name);
  drawState();
});

const KEEPING = 300; // milliseconds
let keeping = 0;
function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    keepTyped();
    drawState();
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
bench.turn = (name, argument) => turn(name, argument);
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
    h("button", { type: "button", class: "plain", key: "quit", onclick: quit }, say("quit")),
  );
  drawFiles();
  drawState();
  drawSide();
}

// The edition, and what belongs to it; all other files are in the list.
function drawFiles() {
  const family = now.all.filter(({ edition }) => edition !== null && edition === bench.file);
  const stem = `${bench.file.replace(/\.ya?ml$/, "")}.`;
  const called = (/** @type {string} */ file) =>
    file !== bench.file && file.startsWith(stem) ? file.slice(stem.length).replace(/\.(ya?ml|po)$/, "") : file;
  const tab = (/** @type {{ file: string }} */ { file }) =>
    h(
      "button",
      {
        type: "button",
        key: file,
        title: file,
        "aria-current": String(file === bench.source),
        onclick: () => open(file),
      },
      called(file),
    );
  family.sort((one) => (one.file === bench.file ? -1 : 1));
  const here =
    family.some(({ file }) => file === bench.source) || !bench.source ? family : [...family, { file: bench.source }];
  fill(
    tabs,
    h("h2", { class: "unseen" }, say("source")),
    here.map(tab),
    now.all.length > here.length &&
      h(
        "select",
        {
          "aria-label": say("open file"),
          key: "all",
          value: "",
          onchange: (event) => {
            open(event.target.value);
            event.target.value = "";
          },
        },
        h("option", { value: "" }, say("open file")),
        now.all.map(({ file }) => h("option", { value: file }, file)),
      ),
  );
}

// Where the cursor is, from the section down.
function drawCrumbs() {
  fill(
    path,
    (now.crumbs ?? []).map(({ name, line }, at) =>
      h("li", { key: at }, h("button", { type: "button", onclick: () => editor.show(line) }, name)),
    ),
  );
}

function drawState() {
  const found = now.mistakes.get(bench.source); // which nobody knows until the server has read it
  const conflict = now.conflicts.get(bench.source);
  fill(
    state,
    now.lost && h("strong", { class: "wrong", role: "alert" }, say(now.unkept ? "bench gone unkept" : "bench gone")),
    conflict && drawConflict(conflict === "gone"),
    now.copies.slice(0, 1).map(drawCopy),
    bench.source && !now.fixed && found && drawFound(found),
    bench.source && now.fixed && h("span", { class: "faint" }, say("read only")),
    bench.source &&
      !now.fixed &&
      h("span", { class: "faint" }, say(conflict ? "unsaved" : now.saved && !now.lost ? "saved" : "saving")),
    bench.source && [
      h("button", { type: "button", class: "plain keys", key: "keys", popovertarget: "keys" }, say("keys")),
      h(
        "div",
        { id: "keys", class: "panel", popover: true, key: "told keys" },
        KEYS.map(([keys, word]) => [h("kbd", { key: keys }, keys), h("span", { key: word }, say(`key ${word}`))]),
      ),
    ],
  );
}

const ERROR = 1; // as the language server has it
const KEYS = [
  ["Ctrl-Space", "complete"],
  ["F2", "rename"],
  ["F8", "mistake"],
  ["F12", "declared"],
  ["Shift-F12", "used"],
  ["Ctrl-F", "find"],
  ["Ctrl-Z, Ctrl-Y", "undo"],
  ["Ctrl-/", "comment"],
  ["Shift-Alt-F", "format"],
  ["Esc, Tab", "leave"],
];

// How many mistakes there are, and what is only doubtful, such as a zone that nothing uses.
/** @param {{ wrong: number, doubtful: number }} given */
function drawFound({ wrong, doubtful }) {
  const list = (/** @type {string} */ kind, /** @type {string} */ word, /** @type {number} */ count) =>
    h(
      "button",
      { type: "button", class: kind, key: kind, onclick: () => editor.listMistakes() },
      filled(word, { count: number(count) }),
    );
  return [
    wrong ? list("wrong", "mistakes", wrong) : h("span", { class: "right", key: "right" }, say("sound rules")),
    doubtful > 0 && list("doubtful", "doubts", doubtful),
  ];
}

// Another program has changed the file, or deleted it.
/** @param {boolean} gone */
function drawConflict(gone) {
  return h(
    "div",
    { class: "conflict", role: "alert", key: "conflict" },
    h("strong", {}, say(gone ? "gone on disk" : "changed on disk")),
    h(
      "button",
      { type: "button", class: "main", onclick: () => settle(true) },
      say(gone ? "write again" : "keep mine"),
    ),
    !gone && h("button", { type: "button", onclick: () => settle(false) }, say("take theirs")),
    !gone && h("button", { type: "button", onclick: () => compareConflict() }, say("compare")),
    h("span", { class: "faint" }, say(gone ? "gone told" : "both kept")),
  );
}

async function compareConflict() {
  const theirs = await bench.get("files/theirs", { file: bench.source });
  if (theirs)
    show(say("compare conflict"), theirs.text, editor.text, [
      { name: say("keep mine"), main: true, act: () => settle(true) },
      { name: say("take theirs"), act: () => settle(false) },
    ]);
}

/** @param {string} title @param {string} before @param {string} after @param {Action[]} choices */
const show = (title, before, after, choices) =>
  compare(title, (box) => comparing.beside(box, { once, label: title }, before, after), choices);

/** @param {boolean} mine */
function settle(mine) {
  send({ type: "settle", file: bench.source, mine });
}

// What was typed while no workbench was there, and whose window has been closed since.
/** @param {Copy} copy */
function drawCopy(copy) {
  const back = () => {
    if (editor.retype(copy)) forget();
  };
  const forget = () => {
    drop(copy.place, copy.name);
    now.copies = now.copies.filter(({ name }) => name !== copy.name);
    drawState();
  };
  /** @type {Action[]} */
  const choices = [
    { name: say("copy back"), main: true, act: back },
    { name: say("copy drop"), act: forget },
  ];
  return h(
    "div",
    { class: "conflict", role: "alert", key: copy.name },
    h("strong", {}, say("copy there")),
    choices.map(({ name, main, act }) =>
      h("button", { type: "button", class: main ? "main" : "", onclick: act }, name),
    ),
    h(
      "button",
      { type: "button", onclick: () => show(say("compare copy"), editor.text, copy.text, choices) },
      say("compare"),
    ),
  );
}

function drawSide() {
  if (!shown) return;
  const tab = (/** @type {string} */ name, /** @type {string} */ word) => {
    const pane = required(panes.get(name));
    const badge = pane.badge;
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        key: name,
        "aria-selected": String(name === shown),
        "aria-controls": "pane",
        tabindex: name === shown ? 0 : -1,
        onclick: () => turn(name),
        onkeydown: step,
      },
      say(word),
      badge && h("span", { class: `news${badge.bad ? " bad" : ""}` }, badge.text),
    );
  };
  let content;
  try {
    content = required(panes.get(shown)).draw();
  } catch (error) {
    console.error(error);
    content = h("p", { class: "trouble" }, say("pane broken"));
  }
  fill(
    side,
    h(
      "div",
      { class: "pane-tabs", role: "tablist", "aria-label": say("panes") },
      PANES.map(([name, word]) => tab(name, word)),
    ),
    h(
      "div",
      {
        class: "pane",
        id: "pane",
        role: "tabpanel",
        tabindex: 0,
        "aria-labelledby": `tab-${shown}`,
        key: `pane ${shown}`,
      },
      bench.file &&
        !now.ok &&
        bench.ruled &&
        shown !== "history" &&
        h("p", { class: "stale", key: "stale" }, say("last good")),
      content,
    ),
  );
}

// Arrows go from tab to tab.
/** @param {KeyEvent} event */
function step(event) {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!by) return;
  const names = PANES.map(([name]) => name);
  turn(names[(names.indexOf(shown) + by + names.length) % names.length]);
  document.getElementById(`tab-${shown}`)?.focus();
  event.preventDefault();
}

/** @param {string} name @param {object} [argument] */
function turn(name, argument) {
  if (!panes.has(name)) return;
  if (shown !== name) panes.get(shown)?.hidden?.();
  shown = name;
  store("rulewright pane", name);
  panes.get(name)?.shown?.(argument);
  draw();
}

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

// ── the divider ──

const KEPT = "rulewright source";
const isTall = () => matchMedia("(max-width: 50rem)").matches;

/** @param {number} percent */
function widen(percent) {
  const width = Math.max(15, Math.min(85, percent));
  element("bench").style.setProperty("--source", `${width}%`);
  divider.setAttribute("aria-valuenow", String(Math.round(width)));
  store(KEPT, String(width));
}

function divide() {
  for (const [name, value] of Object.entries({
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-valuemin": 15,
    "aria-valuemax": 85,
    "aria-label": say("wider source"),
  }))
    divider.setAttribute(name, String(value));
  divider.onpointerdown = (event) => divider.setPointerCapture(event.pointerId);
  divider.onpointermove = (event) => {
    if (divider.hasPointerCapture(event.pointerId) && !isTall()) widen((100 * event.clientX) / innerWidth);
  };
  divider.onkeydown = (event) => {
    const by = event.key === "ArrowLeft" ? -2 : event.key === "ArrowRight" ? 2 : 0;
    if (by) widen(Number(divider.getAttribute("aria-valuenow")) + by);
  };
  widen(Number(readStored(KEPT)) || 46);
}

// ── begin ──

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
      drawState();
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
      drawState();
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
      turn(command.endsWith("runCase") ? "cases" : "play", { file: nameOf(uri), name }),
  },
});
for (const [name, , Pane] of PANES)
  panes.set(
    name,
    new Pane(bench, () => {
      if (shown === name) draw();
      else drawSide();
    }),
  );
const last = readStored("rulewright pane");
shown = last !== null && panes.has(last) ? last : PANES[0][0];
divide();
turn(shown);
connect();
document.addEventListener("pointerdown", () => notice("")); // it has been read, and lies over what is below
addEventListener("pagehide", keepTyped);
addEventListener("beforeunload", (event) => {
  keepTyped();
  if (editor.unsent && now.lost && now.unkept) event.preventDefault();
});
