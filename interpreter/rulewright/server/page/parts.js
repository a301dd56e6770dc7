// What only some tables have: it comes when one does.

export { chain } from "./chain.js";
export { pad } from "./pad.js";
export { race, trackOn } from "./race.js";
