// How much time whoever is awaited still has: the server says until when, the page counts.

import { el } from "./dom.js";
import { language, serverTime } from "./words.js";

const SHORT = 60;

// deadline: seconds since 1970; 0 where no clock runs.
export function clock(deadline) {
  return deadline > 0 && el("time", { class: "clock", "data-deadline": deadline }, left(deadline));
}

function left(deadline) {
  const seconds = Math.max(0, Math.ceil(deadline - serverTime()));
  const format = (value, unit) => new Intl.NumberFormat(language().replace("_", "-"), { style: "unit", unit, unitDisplay: "narrow" }).format(value);
  if (seconds >= 2 * 86400) return format(Math.floor(seconds / 86400), "day");
  if (seconds >= 2 * 3600) return format(Math.floor(seconds / 3600), "hour");
  return [Math.floor(seconds / 60), String(seconds % 60).padStart(2, "0")].join(":");
}

// What is shown goes down by itself; nothing else of the page is drawn anew.
setInterval(() => {
  for (const shown of document.querySelectorAll("time.clock")) {
    const deadline = Number(shown.dataset.deadline);
    shown.textContent = left(deadline);
    shown.classList.toggle("short", deadline - serverTime() < SHORT);
  }
}, 1000);
