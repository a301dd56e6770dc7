// An enlarged board is moved about with a finger, the mouse or the arrows, and made larger or smaller with two fingers,
// with the wheel, or with + and − (0 shows all of it).

const STEP = 1.25;
const MOST = 6; // times as large as all of it
const WHEEL = 0.0015; // per pixel

/** @param {HTMLElement} frame */
const size = (frame) => Number(frame.style.getPropertyValue("--zoom") || 0);

// As large as wanted, with the point of the window staying where it is. zoom: times the frame; 0: as it was at first.
/** @param {HTMLElement} frame @param {number} zoom @param {{ clientX: number, clientY: number }} [at] */
function resize(frame, zoom, at) {
  const map = /** @type {HTMLElement} */ (frame.querySelector(".map"));
  const [was, box] = [map.getBoundingClientRect(), frame.getBoundingClientRect()];
  const { clientX: x, clientY: y } = at ?? { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  const [right, down] = [(x - was.x) / was.width, (y - was.y) / was.height];
  frame.style.setProperty("--zoom", String(zoom && Math.min(MOST, Math.max(0.2, zoom))));
  frame.classList.toggle("zoomed", zoom > 0);
  const now = map.getBoundingClientRect();
  frame.scrollBy(now.x + right * now.width - x, now.y + down * now.height - y);
}

/** @param {HTMLElement} frame */
const current = (frame) =>
  size(frame) || /** @type {HTMLElement} */ (frame.querySelector(".map")).offsetWidth / frame.clientWidth;

// So large that all of it is seen.
/** @param {HTMLElement} frame */
function fit(frame) {
  const map = /** @type {HTMLElement} */ (frame.querySelector(".map"));
  const ratio = map.offsetWidth / map.offsetHeight;
  resize(frame, Math.min(1, (frame.clientHeight * ratio) / frame.clientWidth));
}

/** @type {Map<number, PointerEvent>} */
const fingers = new Map();

const apart = () => {
  const [one, other] = [...fingers.values()];
  return {
    far: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    clientX: (one.clientX + other.clientX) / 2,
    clientY: (one.clientY + other.clientY) / 2,
  };
};

// Called when a board is enlarged, until it is as large as usual again.
/** @param {HTMLElement} frame @param {AbortSignal} signal */
export function zoomable(frame, signal) {
  if (signal.aborted) return;
  fingers.clear();
  signal.addEventListener("abort", () => {
    frame.style.removeProperty("--zoom");
    frame.classList.remove("zoomed");
  });
  frame.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      resize(frame, current(frame) * Math.exp(-event.deltaY * WHEEL), event);
    },
    { passive: false, signal },
  );
  const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ heard) =>
    frame.addEventListener(type, heard, { signal });
  on("keydown", ({ key }) => {
    if (key === "+" || key === "=") resize(frame, current(frame) * STEP);
    else if (key === "-") resize(frame, current(frame) / STEP);
    else if (key === "0") fit(frame);
  });
  on("pointerdown", (event) => {
    const held = /** @type {HTMLElement} */ (event.target).closest("button");
    if (event.pointerType === "touch" || !held) fingers.set(event.pointerId, event);
  });
  on("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 && apart();
    fingers.set(event.pointerId, event);
    if (before) resize(frame, (current(frame) * apart().far) / before.far, apart());
    else frame.scrollBy(last.clientX - event.clientX, last.clientY - event.clientY);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) on(end, (event) => fingers.delete(event.pointerId));
}
