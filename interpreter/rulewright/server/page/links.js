// Links carry their tokens behind the #, which browsers never send to a server.

import { forget } from "./kept.js";

export function tokens() {
  return location.hash.slice(1).split(",").filter(Boolean);
}

export function link(...given) {
  return `${location.origin}/table#${given.join(",")}`;
}

// Another token in the place of one that has been used up.
export function replace(used, token) {
  forget(location.hash);
  history.replaceState(null, "", `#${tokens().map((one) => (one === used ? token : one)).join(",")}`);
  localStorage.setItem(`rulewright ${used}`, token);
}

// Whoever opens an invitation again on the same device comes back to the seat that it gave.
export function remembered(token) {
  return localStorage.getItem(`rulewright ${token}`) ?? token;
}

// Whether nobody but this computer finds what this page's address leads to.
export const onlyHere = () => /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
