// The part of the page that draws boards. It is asked for as soon as the server's first message tells of one.

export const boardPart = () => import("./board.js");
