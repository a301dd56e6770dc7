// What pages add to Preact: the children of an element that is there, parts that are drawn again only where they
// change, and pages that a browser translates.

import { Component, Fragment, h, render } from "./preact.js";

/** @import { Child, Redraw } from "./types" */

/** @extends {Component<{ from: readonly unknown[], draw: () => Child }>} */
class Memo extends Component {
  /** @param {{ from: readonly unknown[] }} given */
  shouldComponentUpdate({ from }) {
    return from.length !== this.props.from.length || from.some((one, place) => one !== this.props.from[place]);
  }

  render() {
    return this.props.draw();
  }
}

// What `draw` gives, which is drawn again only where something of the list `from` is another.
/** @param {readonly unknown[]} from @param {() => Child} draw */
export const memo = (from, draw) => h(Memo, { from, draw });

// A part of the page that comes when it is wanted for the first time: null until it is there.
/** @template T @param {() => Promise<T>} load @returns {(redraw: Redraw) => T | null} */
export function coming(load) {
  /** @type {T | null} */
  let part = null;
  let begun = false;
  const come = async (/** @type {Redraw} */ redraw) => {
    begun = true;
    try {
      part = await load();
      redraw();
    } catch {
      begun = false; // the connection is lost: another drawing tries again
    }
  };
  return (redraw) => {
    if (!begun) come(redraw);
    return part;
  };
}

// What must be there, such as an answer without which nothing is drawn.
/** @template T @param {T | null | undefined} what @returns {T} */
export function required(what) {
  if (what === null || what === undefined) throw new Error("something is missing that must be there");
  return what;
}

/** @param {(string | false | null | undefined)[]} names */
export const classes = (...names) => names.filter(Boolean).join(" ");

// A browser that translates a page puts an element in the place of each text: by that element, the text.
/** @type {Map<Node, Node>} */
const translated = new Map();
const observer = new MutationObserver(note);
observer.observe(document, { childList: true, subtree: true });

/** @param {MutationRecord[]} records */
function note(records) {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    const instead = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === "FONT");
    const text = [...removedNodes].find((node) => node.nodeType === Node.TEXT_NODE);
    if (instead && text) translated.set(instead, text);
  }
}

// Bring back the texts that a drawing may change: the browser then translates them anew.
/** @param {Element} parent */
function untranslate(parent) {
  note(observer.takeRecords());
  for (const [instead, text] of translated) {
    if (instead.isConnected && !parent.contains(instead)) continue;
    instead.parentNode?.replaceChild(text, instead);
    translated.delete(instead);
  }
}

// Make an element's children what is wanted, changing as little as possible.
/** @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  untranslate(parent);
  const wanted = h(Fragment, null, ...children);
  try {
    render(wanted, parent);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // Something else has moved what was drawn, such as an extension of the browser: all of it is made anew.
    parent.replaceChildren();
    render(null, parent);
    render(wanted, parent);
  }
  observer.takeRecords();
}

const NOTICED = 8000; // milliseconds, for which what has just happened is shown over a table

/** @type {number | undefined} */
let noticed;

// Show what has just happened: a text, or an element. At a table it goes by itself, unless it holds on.
/** @param {Child} what @param {{ holds?: boolean }} [how] */
export function notice(what, { holds = false } = {}) {
  const place = /** @type {HTMLElement} */ (document.getElementById("notice"));
  clearTimeout(noticed);
  fill(place, what);
  if (what && !holds && document.documentElement.matches(".staged")) noticed = setTimeout(() => fill(place), NOTICED);
}

export const isNoticing = () => document.getElementById("notice")?.hasChildNodes() ?? false;

// Load a style sheet that only some of a page's states need, once one of them is there.
/** @param {string} name */
export function needSheet(name) {
  const href = `/page/${name}.css`;
  if (!document.querySelector(`link[href="${href}"]`))
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

// All styles of a page that begins with those of its first view alone, which they replace: else those would win over
// what comes later in the sheet, and be matched twice. They stand before what only some states need.
export async function allSheets() {
  const rest = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=sheet]"));
  if (!rest) return;
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: rest.content });
  rest.after(sheet);
  try {
    await new Promise((resolve, reject) => {
      sheet.addEventListener("load", resolve);
      sheet.addEventListener("error", reject);
    });
    rest.remove();
    document.querySelector("body > style")?.remove();
  } catch (error) {
    sheet.remove();
    throw error;
  }
}
