// Files that a device is given.

// A file of the device's own.
/** @param {string} name @param {unknown} held */
export function download(name, held) {
  const isText = typeof held === "string";
  const text = isText ? held : JSON.stringify(held, null, 1);
  const url = URL.createObjectURL(new Blob([text], { type: isText ? "text/plain" : "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
