// What a browser keeps for this address. Where it refuses, since site data are blocked or its storage is full, a page
// plays on without a memory: what it would keep lasts as long as the page.

/** @type {Map<string, string>} */
const instead = new Map();
let refused = false;

/** @param {() => any} work @param {() => any} otherwise */
function attempt(work, otherwise) {
  try {
    return work();
  } catch {
    refused = true;
    return otherwise();
  }
}

/** @param {string} name */
export function readStored(name) {
  return (
    instead.get(name) ??
    attempt(
      () => localStorage.getItem(name),
      () => null,
    )
  );
}

/** @param {string} name @param {string} value */
export function store(name, value) {
  instead.delete(name);
  attempt(
    () => localStorage.setItem(name, value),
    () => instead.set(name, String(value)),
  );
}

/** @param {string} name */
export function removeStored(name) {
  instead.delete(name);
  attempt(
    () => localStorage.removeItem(name),
    () => null,
  );
}

export const isForgetful = () => refused;
