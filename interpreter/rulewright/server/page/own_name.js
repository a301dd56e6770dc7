// The name by which somebody plays at this device, from one table to the next.

import { h } from "./preact.js";
import { readStored, store } from "./storage.js";

/** @import { Props } from "./preact.js" */
/** @import { FieldEvent } from "./types" */

const KEPT = "rulewright name";

export const ownName = () => readStored(KEPT) ?? "";
/** @param {string} name */
export const keepName = (name) => store(KEPT, name);

// What somebody is typing stays, whatever else comes meanwhile, and is their name on the next page.
/** @param {Props} properties */
export function nameField(properties) {
  const typed = (/** @type {FieldEvent} */ event) => keepName(event.target.value.trim());
  return h("input", { maxlength: 40, autocomplete: "off", defaultValue: ownName(), oninput: typed, ...properties });
}
