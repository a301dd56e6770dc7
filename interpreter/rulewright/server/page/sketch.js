// Arrows and rings that a reader draws on a board with the right mouse button, to think: they stay on this page until
// the next click. Drawn again, one is wiped off; with Shift or Alt they have other colours.

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = { plain: "#15781b", shift: "#a81616", alt: "#1d5fa8" };

/** @type {HTMLElement | null} */
let from = null; // the space where the button was pressed

document.addEventListener("pointerdown", ({ button, target }) => {
  from = button === 2 ? spaceOf(target) : null;
  if (button === 0) for (const sheet of document.querySelectorAll(".sketch")) sheet.remove();
});
document.addEventListener("contextmenu", (event) => {
  if (from) event.preventDefault();
});
document.addEventListener("pointerup", ({ button, clientX, clientY, shiftKey, altKey }) => {
  const to = button === 2 && from ? spaceOf(document.elementFromPoint(clientX, clientY)) : null;
  if (from && to) sketch(from, to, COLOURS[shiftKey ? "shift" : altKey ? "alt" : "plain"]);
});

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const spaceOf = (target) => (target instanceof Element ? target.closest(".map [data-space]") : null);

/** @param {HTMLElement} start @param {HTMLElement} end @param {string} colour */
function sketch(start, end, colour) {
  const map = /** @type {HTMLElement} */ (start.closest(".map"));
  if (!map.contains(end)) return;
  const sheet = map.querySelector(":scope > .sketch") ?? sheetOver(map);
  const name = `${start.dataset.space} ${end.dataset.space}`;
  const same = [...sheet.children].find((one) => one instanceof SVGElement && one.dataset.way === name);
  same?.remove();
  if (same?.getAttribute("stroke") === colour) return;
  const shape = start === end ? ring(start) : arrow(start, end);
  shape.dataset.way = name;
  shape.setAttribute("stroke", colour);
  sheet.append(shape);
}

/** @param {HTMLElement} map */
function sheetOver(map) {
  const sheet = made("svg", { class: "sketch", viewBox: `0 0 ${map.clientWidth} ${map.clientHeight}` });
  sheet.setAttribute("aria-hidden", "true");
  map.append(sheet);
  return sheet;
}

/** @param {string} name @param {Record<string, string | number>} given */
function made(name, given) {
  const shape = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(given)) shape.setAttribute(key, String(value));
  return shape;
}

/** @param {HTMLElement} space */
function middle({ offsetLeft, offsetTop, offsetWidth, offsetHeight }) {
  return {
    x: offsetLeft + offsetWidth / 2,
    y: offsetTop + offsetHeight / 2,
    size: Math.min(offsetWidth, offsetHeight),
  };
}

/** @param {HTMLElement} space */
function ring(space) {
  const { x, y, size } = middle(space);
  return made("circle", { cx: x, cy: y, r: size * 0.46, "stroke-width": size * 0.07 });
}

/** @param {HTMLElement} start @param {HTMLElement} end */
function arrow(start, end) {
  const [a, b] = [middle(start), middle(end)];
  const size = Math.min(a.size, b.size);
  const far = Math.hypot(b.x - a.x, b.y - a.y);
  const [u, v] = [((b.x - a.x) / far) * size, ((b.y - a.y) / far) * size];
  const head = (/** @type {number} */ side) =>
    `${b.x - 0.32 * u + side * 0.22 * v} ${b.y - 0.32 * v - side * 0.22 * u}`;
  return made("path", {
    d: `M${a.x} ${a.y}L${b.x} ${b.y}M${head(1)}L${b.x} ${b.y}L${head(-1)}`,
    "stroke-width": size * 0.14,
  });
}
