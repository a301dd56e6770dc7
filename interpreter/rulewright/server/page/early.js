// What the page of a table does before its scripts are there, which a slow line takes seconds for: it opens the connection,
// and shows what is asked, in words. What is chosen there, the table's page answers when it has come.

import { dial } from "./dialling.js";
import { known } from "./links.js";
import { merged } from "./merge_patch.js";
import { wanted } from "./words.js";

/** @import { Offered, Update } from "./protocol" */
/** @import { TableDocument } from "./types" */

const SOON = 600; // ms, by which a table is there on a line that is not slow
const MOST = 14; // answers that are shown: of more, one has to see where they are

/** @type {Partial<TableDocument>} */
let told = {};
let isDue = false; // whether what has come is shown soon

/** @param {MessageEvent} event */
function came({ data }) {
  const { of = [] } = /** @type {{ of?: Update[] }} */ (JSON.parse(data));
  for (const { change } of of) told = merged(told, change);
  if (!isDue) setTimeout(show, SOON - performance.now());
  isDue = true;
}

function show() {
  isDue = false;
  if (window.dialled?.stop.signal.aborted || isComing()) return;
  document.querySelector(".early")?.remove();
  const { title, seats, table, own } = told;
  const asked = own?.asked;
  if (!table || !asked) return;
  const labelled = (/** @type {string} */ piece) => table.pieces[piece]?.label ?? piece;
  const named = (/** @type {Offered} */ one) =>
    one.label || labelled(one.piece ?? "") || (asked.kind === "piece" ? labelled(one.key) : one.key);
  const lies = table.boards?.some(({ drawn, words }) => drawn && words === asked.words);
  const isListed = asked.most === 1 && asked.choices.length <= MOST && !lies;
  const answers = isListed ? asked.choices.map((one) => ({ key: one.key, label: named(one) })) : [];
  if (isListed && asked.none) answers.push({ key: "", label: asked.none });
  const order = (/** @type {string} */ piece) => table.pieces[piece]?.order ?? 0;
  const held = Object.values(own.zones ?? {}).flatMap(({ pieces }) => pieces ?? []);
  held.sort((one, other) => order(one) - order(other));
  const section = element("section", "early", "");
  section.append(
    element("p", "title", title ?? ""),
    element("p", "cloth", seats?.map(({ name }) => name).join(" · ") ?? ""),
    element("h2", "", asked.prompt),
    list(
      "answers",
      answers.map(({ key, label }) => {
        const button = element("button", "", label);
        const { answer } = window.dialled ?? {};
        button.setAttribute("aria-pressed", String(answer?.question === asked.question && answer.key === key));
        button.addEventListener("click", () => {
          section.querySelector("[aria-pressed=true]")?.setAttribute("aria-pressed", "false");
          button.setAttribute("aria-pressed", "true");
          if (window.dialled) window.dialled.answer = { question: asked.question, key };
        });
        return button;
      }),
    ),
    list("held", asked.kind === "piece" && isListed ? [] : held.map((name) => element("span", "", labelled(name)))),
  );
  document.body.append(section);
}

// Whether all scripts have come, so that the table is there in a moment.
function isComing() {
  const parts = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=modulepreload]"));
  return parts.length > 0 && [...parts].every(({ href }) => performance.getEntriesByName(href).length > 0);
}

/** @param {string} kind @param {HTMLElement[]} items */
function list(kind, items) {
  const all = element("ul", kind, "");
  for (const item of items) all.appendChild(element("li", "", "")).append(item);
  return all;
}

/** @param {string} tag @param {string} kind @param {string} text */
const element = (tag, kind, text) => Object.assign(document.createElement(tag), { className: kind, textContent: text });

const tokens = known();
if (tokens.length) {
  const { protocol } = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
  const { socket, stop } = dial(tokens, () => ({ protocol, language: wanted() }));
  // Several people at one device do not look at each other's questions.
  if (tokens.length === 1) socket.addEventListener("message", came, { signal: stop.signal });
}
