// Figures with their uncertainty, as people read them: no more decimals than the games can tell.

import { filled, language } from "./words.js";

/** @import { Estimate } from "./types" */

// How many decimals are worth telling, by half the width of an interval.
/** @param {Estimate} estimate @param {boolean} [shares] */
export function decimals([, low, high], shares) {
  const width = ((high - low) / 2) * (shares ? 100 : 1);
  return width > 1e-9 ? Math.max(0, Math.min(4, -Math.floor(Math.log10(width / 3)))) : 1;
}

/** @param {number} value @param {number} places */
export function figure(value, places, shares = false) {
  /** @type {Intl.NumberFormatOptions} */
  const how = { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: "always" };
  if (shares) how.style = "percent";
  return new Intl.NumberFormat(language().replace("_", "-") || "en", how).format(value).replace("-", "−");
}

// '14.2', with as many decimals as its interval leaves a meaning.
/** @param {Estimate | null | undefined} estimate @param {boolean} [shares] */
export const plain = (estimate, shares) =>
  estimate ? figure(estimate[0], isExact(estimate) ? 0 : decimals(estimate, shares), shares) : "–";

/** @param {[number, number, number]} given */
const isExact = ([value, low, high]) => low === high && Number.isInteger(value);

// '14.2 (14.1 to 14.3)'
/** @param {Estimate | null | undefined} estimate @param {boolean} [shares] */
export function told(estimate, shares) {
  if (!estimate) return "–";
  const places = isExact(estimate) ? 0 : decimals(estimate, shares);
  const [value, low, high] = estimate.map((one) => figure(one, places, shares));
  return low === high ? value : filled("figures estimate", { value, low, high });
}
