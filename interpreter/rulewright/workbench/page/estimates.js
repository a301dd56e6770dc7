// Figures with their uncertainty, as people read them: no more decimals than the games can tell.

import { filled, language } from "./words.js";

// How many decimals are worth telling, by half the width of an interval.
export function decimals([, low, high], shares) {
  const width = ((high - low) / 2) * (shares ? 100 : 1);
  return width > 1e-9 ? Math.max(0, Math.min(4, -Math.floor(Math.log10(width / 3)))) : 1;
}

export function figure(value, places, shares = false) {
  const how = { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: "always" };
  if (shares) how.style = "percent";
  return new Intl.NumberFormat(language().replace("_", "-") || "en", how).format(value).replace("-", "−");
}

// '14.2', with as many decimals as its interval leaves a meaning.
export const plain = (estimate, shares) => (estimate ? figure(estimate[0], isExact(estimate) ? 0 : decimals(estimate, shares), shares) : "–");

const isExact = ([value, low, high]) => low === high && Number.isInteger(value);

// '14.2 (14.1 to 14.3)'
export function told(estimate, shares) {
  if (!estimate) return "–";
  const places = isExact(estimate) ? 0 : decimals(estimate, shares);
  const [value, low, high] = estimate.map((one) => figure(one, places, shares));
  return low === high ? value : filled("figures estimate", { value, low, high });
}
