// The table's page comes while somebody still looks at a game: the browser has it when the table begins.

let began = false;

export async function fetchAhead() {
  if (began || /** @type {any} */ (navigator).connection?.saveData) return;
  began = true;
  try {
    const answer = await fetch("/table", { priority: "low" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll("link[rel=stylesheet], link[rel=modulepreload], script[src]"))
      await fetch(part.getAttribute("href") ?? part.getAttribute("src") ?? "", { priority: "low" });
  } catch {
    began = false; // the table fetches it itself
  }
}
