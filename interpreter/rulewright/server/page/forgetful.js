// A browser that keeps nothing: whoever plays is told what to keep themselves.

import { h } from "./preact.js";
import { isForgetful } from "./storage.js";
import { say } from "./words.js";

export const forgetful = () => isForgetful() && h("p", { class: "panel forgetful", role: "status" }, say("forgetful"));
