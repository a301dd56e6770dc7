// Whose sheet is open, with all that lies before them.

/** @type {number | null} */
let opened = null;

/** @param {number | null} seat */
export function openSheet(seat) {
  opened = seat;
}

export const openedSheet = () => opened;
