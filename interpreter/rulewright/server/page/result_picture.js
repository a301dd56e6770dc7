// The end of a game as a picture to share, made on this device: who has won, the score sheet, and the board as it lies or
// else the game's cover. Loaded only when it is asked for, by itself: so it imports nothing.

/** @import { State, Table } from "./types" */

const WIDTH = 1080;
const PAD = 48;
const [INK, PAPER, LINE, FIRST] = ["#2e2430", "#fbf6ea", "#d8cdb4", "#fbe3ae"];
const COVER = { x: WIDTH - PAD - 216, y: 30, w: 216, h: 135 };
const LETTERS = "system-ui, sans-serif";
const ROW = 52;

// Shares it where the device can, else saves it. lines: of the sheet; cover: where the game's cover is, or "".
/** @param {Table} of @param {State} state @param {string[][]} lines @param {string} cover */
export async function sharePicture(of, state, lines, cover) {
  const map = /** @type {HTMLElement | null} */ (document.querySelector(".boards .map"));
  const canvas = document.createElement("canvas");
  const board = map ? ((WIDTH - 2 * PAD) * map.offsetHeight) / map.offsetWidth + PAD : 0;
  [canvas.width, canvas.height] = [WIDTH, Math.round(3 * PAD + 110 + lines.length * ROW + board)];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = PAPER;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const room = map ? undefined : COVER.x - 2 * PAD;
  write(context, state.headline || state.result, PAD, PAD + 36, "700 44px", room);
  write(context, [of.title, state.reason].filter(Boolean).join(" · "), PAD, PAD + 92, "500 30px", room);
  if (map) await drawBoard(context, map, PAD + 130);
  else if (cover) await drawCover(context, cover);
  sheet(context, lines, PAD + 130 + board);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = new File([blob], `${of.title}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => undefined);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** @param {CanvasRenderingContext2D} context @param {string} address */
async function drawCover(context, address) {
  const image = new Image();
  image.src = address;
  await image.decode().then(
    () => context.drawImage(image, COVER.x, COVER.y, COVER.w, COVER.h),
    () => undefined,
  );
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} x @param {number} y @param {string} font */
function write(context, text, x, y, font, most = WIDTH - 2 * PAD) {
  context.font = `${font} ${LETTERS}`;
  context.fillStyle = INK;
  context.fillText(text, x, y, most);
}

/** @param {CanvasRenderingContext2D} context @param {string[][]} lines @param {number} top */
function sheet(context, lines, top) {
  lines.forEach(([place, name, total, points], n) => {
    const y = top + n * ROW;
    context.fillStyle = place.startsWith("★") ? FIRST : PAPER;
    context.fillRect(PAD, y, WIDTH - 2 * PAD, ROW);
    context.fillStyle = LINE;
    context.fillRect(PAD, y, WIDTH - 2 * PAD, 2);
    write(context, place, PAD + 10, y + 36, "700 26px", 100);
    write(context, name, PAD + 126, y + 36, "700 26px", 240);
    write(context, total, PAD + 380, y + 36, "700 30px", 110);
    write(context, points, PAD + 500, y + 35, "400 22px", WIDTH - 2 * PAD - 500);
  });
}

// ── the board, as the page draws it ──

/** @param {CanvasRenderingContext2D} context @param {HTMLElement} map @param {number} top */
async function drawBoard(context, map, top) {
  const [outer, scale] = [map.getBoundingClientRect(), (WIDTH - 2 * PAD) / map.offsetWidth];
  context.save();
  context.translate(PAD, top);
  context.scale(scale, scale);
  context.beginPath();
  context.rect(0, 0, outer.width, outer.height);
  context.clip();
  const land = /** @type {SVGSVGElement | null} */ (map.querySelector("svg.land"));
  if (land) await drawLand(context, land, outer.width);
  for (const man of map.querySelectorAll(".man")) {
    const { left, top: high, width } = man.getBoundingClientRect();
    const [x, y] = [left - outer.left + width / 2, high - outer.top + width / 2];
    const ground = getComputedStyle(man).backgroundColor;
    context.beginPath();
    context.arc(x, y, width / 2, 0, 2 * Math.PI);
    if (!/, 0\)$|transparent/.test(ground)) fill(context, ground);
    const drawn = man.querySelector("img");
    if (drawn) {
      const at = drawn.getBoundingClientRect();
      context.drawImage(drawn, at.left - outer.left, at.top - outer.top, at.width, at.height);
    } else write(context, man.textContent ?? "", x - width / 4, y + width / 6, `700 ${width / 2}px`, width);
  }
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {string} colour */
function fill(context, colour) {
  context.fillStyle = colour;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = INK;
  context.stroke();
}

/** @param {CanvasRenderingContext2D} context @param {SVGSVGElement} land @param {number} width */
async function drawLand(context, land, width) {
  const { x: left, y: top, width: wide } = land.viewBox.baseVal;
  context.save();
  context.scale(width / wide, width / wide);
  context.translate(-left, -top);
  for (const part of land.querySelectorAll("rect, path, :not(pattern) > image")) {
    context.save();
    if (part instanceof SVGImageElement) await drawImage(context, part);
    else if (part instanceof SVGRectElement) await drawTiles(context, part);
    else drawPath(context, part);
    context.restore();
  }
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {Element} part */
function drawPath(context, part) {
  const path = new Path2D(part.getAttribute("d") ?? "");
  const { fill: colour, stroke, strokeWidth, opacity } = getComputedStyle(part);
  context.globalAlpha = Number(opacity);
  if (colour !== "none") {
    context.fillStyle = colour;
    context.fill(path);
  }
  if (stroke === "none") return;
  [context.strokeStyle, context.lineWidth, context.lineJoin] = [stroke, Number.parseFloat(strokeWidth), "round"];
  context.stroke(path);
}

// What lies around a board: the same tile all over it.
/** @param {CanvasRenderingContext2D} context @param {SVGRectElement} all */
async function drawTiles(context, all) {
  const pattern = /** @type {SVGPatternElement} */ (all.previousElementSibling);
  const tile = /** @type {SVGImageElement} */ (pattern.firstElementChild);
  const [image, [left, top, width, height], [, , w, h]] = [await loaded(tile), sizes(all), sizes(tile)];
  const step = pattern.width.baseVal.value;
  for (let y = top; y < top + height; y += step)
    for (let x = left; x < left + width; x += step) context.drawImage(image, x, y, w, h);
}

/** @param {SVGImageElement} part */
async function loaded(part) {
  const image = new Image();
  image.src = part.href.baseVal;
  await image.decode().catch(() => undefined);
  return image;
}

/** @param {SVGImageElement | SVGRectElement} part */
const sizes = (part) => [part.x, part.y, part.width, part.height].map((length) => length.baseVal.value);

/** @param {CanvasRenderingContext2D} context @param {SVGImageElement} part */
async function drawImage(context, part) {
  const [image, [x, y, w, h]] = [await loaded(part), sizes(part)];
  context.translate(x + w / 2, y + h / 2);
  if (part.hasAttribute("transform")) context.rotate(Math.PI);
  if (part.style.clipPath) {
    const hexagon = [
      [0, -0.5],
      [0.5, -0.25],
      [0.5, 0.25],
      [0, 0.5],
      [-0.5, 0.25],
      [-0.5, -0.25],
    ];
    context.clip(new Path2D(`M${hexagon.map(([across, down]) => `${across * w} ${down * h}`).join("L")}Z`));
  }
  const side = Math.max(w, h); // pictures are square; those of long spaces are stretched
  const slice = part.getAttribute("preserveAspectRatio")?.endsWith("slice");
  const [wide, high] = slice ? [side, side] : [w, h];
  if (slice) {
    context.beginPath();
    context.rect(-w / 2, -h / 2, w, h);
    context.clip();
  }
  context.drawImage(image, -wide / 2, -high / 2, wide, high);
}
