// Changes of documents, as the server sends them.

// A JSON value after a merge patch, as RFC 7386 has it.
/** @param {any} before @param {any} change */
export function merged(before, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const after = before !== null && typeof before === "object" && !Array.isArray(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete after[name];
    else after[name] = merged(after[name], value);
  }
  return after;
}
