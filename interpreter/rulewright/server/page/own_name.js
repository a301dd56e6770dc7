// The name by which somebody plays at this device, from one table to the next.

import { el } from "./dom.js";

const KEPT = "rulewright name";

export const ownName = () => localStorage.getItem(KEPT) ?? "";
export const keepName = (name) => localStorage.setItem(KEPT, name);

// What somebody is typing stays, whatever else comes meanwhile.
export function nameField(properties) {
  const field = el("input", { maxlength: 40, autocomplete: "off", value: ownName(), ...properties });
  field.given = {};
  return field;
}
