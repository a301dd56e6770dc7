// What the first view of a table does without: it comes when that is there, or at once where something of it is shown.

import "./sketch.js";
import { laterWords } from "./later_words.js";

await laterWords();

export { chatPanel, toLastMessage } from "./chat_panel.js";
export { download } from "./download.js";
export { attendDrags, settleDrop } from "./drag.js";
export { enlarge } from "./enlarged.js";
export { outcome, podium } from "./end.js";
export { withAnswer } from "./foreseen.js";
export { howTo } from "./how_to_sheet.js";
export { fold } from "./folded.js";
export { attendKeys } from "./keys.js";
export { away } from "./looking_back.js";
export { lobby, ownLink, shared } from "./lobby.js";
export { attendLens } from "./lens.js";
export { acts, back, inHead, menu, proposed } from "./menu.js";
export { movement } from "./move_animation.js";
export { handTools } from "./hand_tools.js";
export { handover } from "./passing_on.js";
export { refusal } from "./refusal.js";
export { attendRefusals } from "./refused_space.js";
export { ended } from "./result.js";
export { rove } from "./roving.js";
export { settings } from "./settings.js";
export { ways } from "./ways.js";
