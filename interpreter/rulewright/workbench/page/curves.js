// Plots of figures: how often numbers occur, estimates on their intervals, parts of a whole, a curve with its band.
// Each stands over the same numbers as a table.

import { figure, plain, told } from "./estimates.js";
import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { Estimate, FoundValues, Histogram, PlayedCandidate } from "./answers" */
/** @import { Child, Estimate as Known } from "./types" */

/** @typedef {{ label: string, estimate: Estimate, odd?: number, more?: string[] }} Row */
/** @typedef {{ value: number, estimate: Known }} Point */

const [NARROW, WIDE] = [320, 560];

// A table that may be wider than the page. head: of its columns; rows: elements.
/** @param {Child[]} head @param {Child} rows */
export const wideTable = (head, rows) =>
  h(
    "div",
    { class: "wide", tabindex: 0 },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((title) => h("th", { scope: "col" }, title)),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );

/** @param {string[]} head @param {Child[][]} rows */
const asTable = (head, rows) =>
  h(
    "details",
    {},
    h("summary", {}, say("as a table")),
    wideTable(
      head,
      rows.map(([title, ...cells]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, title),
          cells.map((cell) => h("td", {}, cell)),
        ),
      ),
    ),
  );

/** @param {string} title @param {number} width @param {number} height @param {...Child} inside */
const drawn = (title, width, height, ...inside) =>
  h("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title }, inside);

// Round numbers from below the least to above the most, few of them.
/** @param {number} least @param {number} most */
export function marks(least, most, about = 5) {
  const rough = (most - least || 1) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10);
  const found = [];
  for (let mark = Math.ceil(least / step - 1e-9) * step; mark <= most + step * 1e-9; mark += step)
    found.push(Number(mark.toPrecision(12)));
  return found;
}

// How many decimals such marks need.
/** @param {number[]} marks @param {boolean} [shares] */
function placesOf([first, second], shares) {
  const step = (second ?? first + 0.01) - first;
  return Math.max(0, Math.min(6, -Math.floor(Math.log10(step * (shares ? 100 : 1) + 1e-12))));
}

// How often each number occurs. course: as the workbench tells it.
/** @param {string} title @param {string} what @param {Histogram} given */
export function bars(title, what, { wide, bars: found }) {
  const [width, height, left, bottom, top] = [NARROW, 140, 4, 44, 4];
  const tallest = Math.max(...found.map(([, share]) => share));
  const across = (width - 2 * left) / found.length;
  const every = Math.ceil(found.length / 6);
  const span = (/** @type {number} */ first) =>
    wide > 1 ? filled("figures spread", { low: number(first), high: number(first + wide - 1) }) : number(first);
  return h(
    "figure",
    { class: "plot" },
    drawn(
      title,
      width,
      height,
      found.map(([first, share], n) =>
        h(
          "g",
          {},
          h("title", {}, `${span(first)}: ${figure(share, 1, true)}`),
          h("rect", {
            class: "bar",
            x: left + n * across + across * 0.06,
            width: across * 0.88,
            y: top + (height - bottom - top) * (1 - share / tallest),
            height: (height - bottom - top) * (share / tallest),
          }),
          n % every === 0 &&
            h("text", { class: "middle", x: left + (n + 0.5) * across, y: height - bottom + 17 }, number(first)),
        ),
      ),
      h("path", { class: "axis", d: `M${left} ${height - bottom}H${width - left}` }),
      h("text", { class: "middle name", x: width / 2, y: height - 6 }, what),
    ),
    asTable(
      [what, say("figures share")],
      found.map(([first, share]) => [span(first), figure(share, 1, true)]),
    ),
  );
}

// Estimates as dots on their intervals, a row each. rows: {label, estimate, odd}; line: where all would be alike.
/**
 * @param {string} title
 * @param {Row[]} rows
 * @param {{ shares?: boolean, line?: number | null, head?: string[] }} [how]
 */
export function intervals(title, rows, { shares = false, line = null, head = [] } = {}) {
  const known = rows.flatMap(({ estimate }) => (estimate ? [estimate] : []));
  if (!known.length) return null;
  const [width, left, right, top, row, bottom] = [NARROW, 84, 12, 4, 25, 42];
  const height = top + rows.length * row + bottom;
  const ends = known.flatMap(([, low, high]) => [low, high]).concat(line ?? []);
  const spare = (Math.max(...ends) - Math.min(...ends) || 0.1) * 0.08;
  const [least, most] = [Math.min(...ends) - spare, Math.max(...ends) + spare];
  const x = (/** @type {number} */ value) => left + ((value - least) / (most - least)) * (width - left - right);
  const at = (/** @type {number} */ n) => top + (n + 0.5) * row;
  const steps = marks(least, most, 4);
  const places = placesOf(steps, shares);
  return h(
    "figure",
    { class: "plot" },
    drawn(
      title,
      width,
      height,
      steps.map((mark) =>
        h(
          "g",
          {},
          h("path", { class: "grid", d: `M${x(mark)} ${top}V${height - bottom}` }),
          h("text", { class: "middle", x: x(mark), y: height - bottom + 17 }, figure(mark, places, shares)),
        ),
      ),
      h("text", { class: "middle name", x: (left + width - right) / 2, y: height - 5 }, head[0]),
      line !== null && h("path", { class: "fair", d: `M${x(line)} ${top}V${height - bottom}` }),
      rows.map(({ label, estimate, odd }, n) =>
        h(
          "g",
          { class: odd ? "odd" : null },
          h("text", { x: 0, y: at(n) + 5 }, label.length > 12 ? `${label.slice(0, 11)}…` : label),
          estimate && [
            h("path", { class: "interval", d: `M${x(estimate[1])} ${at(n)}H${x(estimate[2])}` }),
            h("circle", { cx: x(estimate[0]), cy: at(n), r: 5 }),
          ],
        ),
      ),
    ),
    asTable(
      ["", ...head],
      rows.map(({ label, estimate, more = [] }) => [label, told(estimate, shares), ...more]),
    ),
  );
}

// Parts of a whole, the largest first, each as long as its figure. rows: {label, estimate, more}.
/** @param {string} title @param {Row[]} rows @param {string[]} head */
export function lengths(title, rows, head) {
  const most = Math.max(...rows.map(({ estimate }) => Math.abs(estimate?.[0] ?? 0)), 1e-9);
  return h(
    "figure",
    { class: "plot lengths" },
    h(
      "ul",
      { "aria-label": title },
      rows.map(({ label, estimate }) =>
        h(
          "li",
          {},
          h("span", {}, label),
          h("span", {
            class: `length${(estimate?.[0] ?? 0) < 0 ? " below" : ""}`,
            style: { "--long": Math.abs(estimate?.[0] ?? 0) / most },
            "aria-hidden": "true",
          }),
          h("b", {}, estimate ? plain(estimate) : "–"),
        ),
      ),
    ),
    asTable(
      ["", ...head],
      rows.map(({ label, estimate, more = [] }) => [label, told(estimate), ...more]),
    ),
  );
}

// A figure over the numbers of a value, with its band. points: {value, estimate}, those that are known; now: what the
// value is; at: the number that is looked at.
/**
 * @param {string} title
 * @param {{ points: Point[], value: string, what: string, shares: boolean, now: number, at: number }} given
 */
export function curve(title, { points, value, what, shares, now, at }) {
  const [width, height, left, right, top, bottom] = [WIDE, 260, 62, 14, 14, 44];
  const ends = points.flatMap(({ estimate }) => [estimate[1], estimate[2]]);
  const spare = (Math.max(...ends) - Math.min(...ends) || Math.abs(ends[0]) * 0.1 || 1) * 0.1;
  const [least, most] = [Math.min(...ends) - spare, Math.max(...ends) + spare];
  const [first, last] = [points[0].value, points[points.length - 1].value];
  const x = (/** @type {number} */ one) => left + ((one - first) / (last - first || 1)) * (width - left - right);
  const y = (/** @type {number} */ one) => top + ((most - one) / (most - least)) * (height - top - bottom);
  const path = (/** @type {number} */ edge) =>
    points.map(({ value: one, estimate }) => `${x(one).toFixed(1)} ${y(estimate[edge]).toFixed(1)}`);
  const steps = marks(least, most);
  const places = placesOf(steps, shares);
  const across = marks(first, last, 8).filter(Number.isInteger);
  const here = points.find((point) => point.value === at);
  return h(
    "figure",
    { class: "plot curve-of-value" },
    drawn(
      title,
      width,
      height,
      steps.map((mark) =>
        h(
          "g",
          {},
          h("path", { class: "grid", d: `M${left} ${y(mark)}H${width - right}` }),
          h("text", { class: "end", x: left - 8, y: y(mark) + 5 }, figure(mark, places, shares)),
        ),
      ),
      across.map((mark) => h("text", { class: "middle", x: x(mark), y: height - bottom + 18 }, number(mark))),
      h("text", { class: "middle name", x: (left + width - right) / 2, y: height - 6 }, value),
      h("text", { class: "middle name", transform: `translate(14 ${(top + height - bottom) / 2}) rotate(-90)` }, what),
      now >= first &&
        now <= last && [
          h("path", { class: "fair", d: `M${x(now)} ${top}V${height - bottom}` }),
          h(
            "text",
            { class: x(now) > width - 90 ? "end" : null, x: x(now) + (x(now) > width - 90 ? -5 : 5), y: top + 8 },
            filled("figures present", { number: number(now) }),
          ),
        ],
      h("path", { class: "band", d: `M${[...path(2), ...path(1).reverse()].join("L")}Z` }),
      h("path", { class: "course", d: `M${path(0).join("L")}` }),
      points.map(({ value: one, estimate }) =>
        h("circle", { cx: x(one), cy: y(estimate[0]), r: one === at ? 7 : 3.5, class: one === at ? "at" : null }),
      ),
      here && h("path", { class: "looked", d: `M${x(at)} ${top}V${height - bottom}` }),
    ),
    asTable(
      [value, what],
      points.map(({ value: one, estimate }) => [number(one), told(estimate, shares)]),
    ),
  );
}

// Candidates between two figures: what is now, what is proposed, what no other beats, and the others, each by its
// shape.
/**
 * @param {string} title
 * @param {PlayedCandidate[]} rows
 * @param {FoundValues["goals"]} goals
 * @param {string[]} titles
 */
export function tradeOffs(title, rows, [across, up], [x, y]) {
  const [width, height, left, right, top, bottom] = [WIDE, 300, 72, 14, 12, 44];
  const known = rows.flatMap(({ kind, values, figures: [first, second] }) =>
    first && second ? [{ kind, values, figures: [first[0], second[0]] }] : [],
  );
  if (!known.length) return null;
  const axis = (/** @type {number} */ n, /** @type {number} */ low, /** @type {number} */ high) => {
    const ends = known.map(({ figures }) => figures[n]);
    const spare = (Math.max(...ends) - Math.min(...ends) || 0.1) * 0.1;
    const [least, most] = [Math.min(...ends) - spare, Math.max(...ends) + spare];
    return {
      steps: marks(least, most, 4).filter((mark) => mark >= least && mark <= most),
      at: (/** @type {number} */ value) => low + ((value - least) / (most - least)) * (high - low),
    };
  };
  const [horizontal, vertical] = [axis(0, left, width - right), axis(1, height - bottom, top)];
  /** @type {Record<string, string>} */
  const shape = {
    now: "M-6-6H6V6H-6Z",
    chosen: "M0-9L3-3 9-3 4 2 6 9 0 5-6 9-4 2-9-3-3-3Z",
    best: "M0-7L7 0 0 7-7 0Z",
    other: "M-3 0A3 3 0 0 0 3 0A3 3 0 0 0-3 0Z",
  };
  return h(
    "figure",
    { class: "plot" },
    drawn(
      title,
      width,
      height,
      horizontal.steps.map((step) => [
        h("path", { class: "grid", d: `M${horizontal.at(step)} ${top}V${height - bottom}` }),
        h(
          "text",
          { class: "middle", x: horizontal.at(step), y: height - bottom + 17 },
          figure(step, placesOf(horizontal.steps, across.shares), across.shares),
        ),
      ]),
      vertical.steps.map((step) => [
        h("path", { class: "grid", d: `M${left} ${vertical.at(step)}H${width - right}` }),
        h(
          "text",
          { class: "end", x: left - 6, y: vertical.at(step) + 4 },
          figure(step, placesOf(vertical.steps, up.shares), up.shares),
        ),
      ]),
      h("text", { class: "middle name", x: (left + width) / 2, y: height - 6 }, x),
      h("text", { class: "middle name", transform: `translate(14 ${(height - bottom) / 2}) rotate(-90)` }, y),
      [...known].reverse().map(({ kind, figures, values }) =>
        h(
          "path",
          {
            class: `mark ${kind}`,
            transform: `translate(${horizontal.at(figures[0])} ${vertical.at(figures[1])})`,
            d: shape[kind],
          },
          h("title", {}, values.join(", ")),
        ),
      ),
    ),
    h(
      "ul",
      { class: "plain key" },
      ["now", "chosen", "best", "other"]
        .filter((kind) => known.some((row) => row.kind === kind))
        .map((kind) =>
          h(
            "li",
            {},
            h(
              "svg",
              { viewBox: "-10 -10 20 20", "aria-hidden": "true" },
              h("path", { class: `mark ${kind}`, d: shape[kind] }),
            ),
            say(`figures kind ${kind}`),
          ),
        ),
    ),
  );
}
