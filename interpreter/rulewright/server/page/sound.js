// Short soft sounds, made here without a file, for whoever wants them: `signals.js` has the switch.

/** @typedef {"turn" | "move" | "dice" | "end"} Event */

// pitch: in hertz; at, long: seconds; the last ones are dull knocks.
/** @type {Record<Event, { pitch: number, at: number, long: number }[]>} */
export const SOUNDS = {
  turn: [660, 880].map((pitch, n) => ({ pitch, at: n * 0.16, long: 0.35 })),
  end: [523, 659, 784].map((pitch, n) => ({ pitch, at: n * 0.18, long: 0.6 })),
  move: [{ pitch: 190, at: 0, long: 0.09 }],
  dice: [0, 0.09, 0.2].map((at, n) => ({ pitch: 260 - 40 * n, at, long: 0.06 })),
};
const LOUD = 0.12;

const spare = matchMedia("(prefers-reduced-data: reduce)");

/** @type {AudioContext | null} */
let context = null;
let wanted = false;

/** @param {boolean} on */
export function wantSounds(on) {
  wanted = on;
}

// Browsers let a page sound only once somebody has touched it.
export async function wake() {
  if (!wanted || spare.matches) return;
  context ??= new AudioContext();
  await context.resume();
}

/** @param {Event} event */
export function play(event) {
  const made = context;
  if (!wanted || made?.state !== "running") return;
  if (document.hidden && event !== "turn") return;
  for (const { pitch, at, long } of SOUNDS[event]) {
    const start = made.currentTime + at;
    const note = made.createOscillator();
    const loudness = made.createGain();
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(LOUD, start + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + long);
    note.connect(loudness).connect(made.destination);
    note.start(start);
    note.stop(start + long + 0.05);
  }
}
