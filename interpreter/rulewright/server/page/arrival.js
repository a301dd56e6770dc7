// What the page of a table begins with: the connection opens while the rest of the page is on its way.

import { dial } from "./connection.js";
import { known } from "./links.js";
import { load } from "./words.js";

await load();
dial(known());
for (const sheet of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]")))
  if (!sheet.sheet)
    await new Promise((done) => {
      sheet.onload = sheet.onerror = done;
    });
await import("./table.js");
