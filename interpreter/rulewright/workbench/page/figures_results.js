// Figures of a table's games: how long they take, who wins, where points come from, what players choose.

import { bars, intervals, lengths } from "./curves.js";
import { figure, plain, told } from "./estimates.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { DecisionFigures, SeatFigures } from "./answers" */
/** @import { Figures } from "./figures.js" */

/** @param {Figures} pane @param {string} key */
function estimate(pane, key) {
  const found = pane.results.quantities[key];
  return found ? told(found.estimate, found.shares) : null;
}

/** @param {Figures} pane */
export function length(pane) {
  const { courses } = pane.results;
  const one = (/** @type {string} */ key) => {
    const found = courses[key];
    const fixed = found.most[0] === found.most[1] && found.bars.length === 1;
    return h(
      "div",
      { key, class: "course-of" },
      h(
        "p",
        { class: "large" },
        h("b", {}, fixed ? number(found.middle) : plain(pane.results.quantities[key].estimate)),
        " ",
        say(`figures ${key}`),
      ),
      h(
        "p",
        { class: "faint" },
        fixed
          ? filled("figures always", { value: number(found.middle) })
          : filled("figures most", { low: number(found.most[0]), high: number(found.most[1]) }),
      ),
      !fixed && bars(filled("figures share of", { what: say(`figures ${key}`) }), say(`figures ${key}`), found),
    );
  };
  return pane.part("figures length", "length", Object.keys(courses).map(one));
}

/** @param {Figures} pane */
export function seats(pane) {
  const { seats, fair } = pane.results;
  if (seats.length < 2) return null;
  const share = figure(fair, 1, true);
  const unfair = pane.unfair;
  const first = unfair.find(({ seat, odd }) => seat === 0 && odd > 0);
  const warn = (/** @type {SeatFigures} */ { seat, odd, won }) =>
    h(
      "p",
      { class: "surely", key: `seat ${seat}` },
      filled(odd > 0 ? "figures more" : "figures less", {
        seat: number(seat + 1),
        won: told(won, true),
        fair: share,
      }),
    );
  return pane.part(
    "figures seats",
    "seats",
    first
      ? h(
          "p",
          { class: "surely", key: "first" },
          filled("figures first more", { won: told(first.won, true), fair: share }),
        )
      : unfair.slice(0, 2).map(warn),
    !unfair.length && h("p", { class: "faint" }, say("figures even")),
    intervals(
      say("figures wins"),
      seats.map(({ seat, role, won, total, odd }) => ({
        label: role ? (pane.known.roles[role] ?? role) : filled("figures seat", { seat: number(seat + 1) }),
        estimate: won,
        odd,
        more: [told(total)],
      })),
      { shares: true, line: fair, head: [say("figures wins"), say("figures total")] },
    ),
    h("p", { class: "faint key" }, filled("figures fair", { share })),
  );
}

/** @param {Figures} pane */
export function points(pane) {
  const { lines, quantities } = pane.results;
  if (!quantities.total) return null;
  const rows = [...lines]
    .sort((one, other) => Math.abs(other.mean?.[0] ?? 0) - Math.abs(one.mean?.[0] ?? 0))
    .map(({ name, mean, nothing }) => ({
      label: pane.known.lines[name] ?? name,
      estimate: mean,
      more: [figure(nothing, 0, true)],
    }));
  return pane.part(
    "figures points",
    "points",
    h("p", { class: "large" }, h("b", {}, plain(quantities.total.estimate)), " ", say("figures total")),
    rows.length > 0 && lengths(say("figures points of"), rows, [say("figures points of"), say("figures nothing of")]),
  );
}

/** @param {Figures} pane */
export function closeness(pane) {
  const keys = ["margin", "lead_changes", "shared", "tie_break", "apart"].filter(
    (key) => pane.results.quantities[key]?.estimate,
  );
  if (!keys.length) return null;
  return pane.part(
    "figures close",
    "close",
    h(
      "dl",
      { class: "so-close" },
      keys.map((key) => h("div", { key }, h("dt", {}, pane.title(key)), h("dd", {}, estimate(pane, key)))),
    ),
  );
}

// What a decision is called, as the table asks it, and an answer to it.
/** @param {Figures} pane @param {{ step: string, decision: string }} given */
function asks(pane, { step, decision }) {
  const known = pane.known.decisions[decision];
  return known
    ? entry(known.title, known.ask)
    : decision.startsWith(`${step}.`)
      ? entry(step, decision.slice(step.length + 1))
      : step;
}

/** @param {Figures} pane */
export function decisions(pane) {
  const one = (/** @type {DecisionFigures} */ { step, decision, answers }) =>
    h(
      "details",
      { key: decision },
      h("summary", {}, asks(pane, { step, decision })),
      intervals(
        entry(step, say("figures taken")),
        answers.map(({ name, offered: times, taken }) => ({
          label: pane.answer(decision, name),
          estimate: taken,
          more: [number(times)],
        })),
        { shares: true, head: [say("figures taken"), say("figures offered")] },
      ),
    );
  return pane.part("figures chosen", "chosen", pane.results.decisions.map(one));
}
