// The table's page comes while somebody still looks at a game: the browser has it when the table begins.

const BUNDLES = /(?<=")\/page\/\w+-[0-9A-Z]{8}\.\w+(?=")/g;

let began = false;

export async function fetchAhead() {
  if (began || /** @type {any} */ (navigator).connection?.saveData) return;
  began = true;
  try {
    const answer = await fetch("/table", { priority: "low" });
    for (const [address] of (await answer.text()).matchAll(BUNDLES)) await fetch(address, { priority: "low" });
  } catch {
    began = false; // the table fetches it itself
  }
}
