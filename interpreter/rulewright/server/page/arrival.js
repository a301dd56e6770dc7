// What the page of a table begins with. Its connection is open already, or opens just now.

import { boardPart } from "./board_part.js";
import { load } from "./words.js";

const BOARDS = '"boards":[{'; // in what the server tells of a table first

const part = (/** @type {MessageEvent} */ { data }) => data.includes(BOARDS) && boardPart().catch(() => {}); // asked for again
window.dialled?.waiting.forEach(part);
window.dialled?.socket.addEventListener("message", part, { once: true });
await load();
await import("./table.js");
