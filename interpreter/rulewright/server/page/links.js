// Links carry their tokens behind the #, which browsers never send to a server.

import { forgetTable } from "./saved_tables.js";
import { readStored, store } from "./storage.js";

export function tokens() {
  return location.hash.slice(1).split(",").filter(Boolean);
}

/** @param {...string} given */
export function link(...given) {
  return `${location.origin}/table#${given.join(",")}`;
}

// Another token in the place of one that has been used up. group: whether others can use it, too.
/** @param {string} used @param {string} token */
export function replace(used, token, group = false) {
  forgetTable(location.hash);
  history.replaceState(
    null,
    "",
    `#${tokens()
      .map((one) => (one === used ? token : one))
      .join(",")}`,
  );
  store(`rulewright ${used}`, token);
  if (group) store(`rulewright group ${token}`, used);
}

// The link for a group by which somebody came to a seat; null if it was another link.
/** @param {string} token */
export const groupOf = (token) => readStored(`rulewright group ${token}`);

// One more person at this device.
/** @param {string} token */
export function add(token) {
  location.hash = [...tokens(), token].join(",");
}

// Whoever opens an invitation again on the same device comes back to the seat that it gave.
// The link of that seat may have been replaced since, more than once.
/** @param {string} token @param {number} [hops] @returns {string} */
export function remembered(token, hops = 20) {
  const next = readStored(`rulewright ${token}`);
  return next === null || hops === 0 ? token : remembered(next, hops - 1);
}

// What the page is opened with. A link for a group that was used here may be used once more, by somebody else at this
// device.
export function known() {
  const given = tokens();
  return given.map((token) => (given.includes(remembered(token)) ? token : remembered(token)));
}

// Whether nobody but this computer finds what this page's address leads to.
export const onlyHere = () => /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
