// What the page of a table begins with: the connection opens while the rest of the page is on its way.

import { boardPart } from "./board_part.js";
import { dial } from "./connection.js";
import { known } from "./links.js";
import { load } from "./words.js";

const BOARDS = '"boards":[{'; // in what the server tells of a table first

await load();
dial(known(), (data) => data.includes(BOARDS) && boardPart().catch(() => {})); // the table's page asks for it again
for (const sheet of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]")))
  if (!sheet.sheet)
    await new Promise((done) => {
      sheet.onload = sheet.onerror = done;
    });
await import("./table.js");
