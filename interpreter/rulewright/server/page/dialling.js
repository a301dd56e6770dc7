// A connection that is open before the page's scripts are there: the script that opens it stands in the page itself, and
// those that come later find it at the window.

/** @import { Picking, Question } from "./types" */

/**
 * waiting: what has come over it meanwhile; stop: ends that; answer: what the reader has chosen before the table was there.
 * @typedef {{ tokens: string[], socket: WebSocket, waiting: MessageEvent[], stop: AbortController,
 *   answer: { question: number, key: string } | null }} Dialled
 */

/** @param {string[]} tokens @param {() => { protocol: number, language: string }} greeting */
export function dial(tokens, greeting) {
  const [waiting, stop] = [/** @type {MessageEvent[]} */ ([]), new AbortController()];
  const socket = connected(tokens, greeting);
  socket.addEventListener("message", (event) => waiting.push(event), { signal: stop.signal });
  window.dialled = { tokens, socket, waiting, stop, answer: null };
  return window.dialled;
}

// The connection that was opened early, if it is one for these tokens, and what has come over it; it is taken once.
/** @param {string[]} tokens @returns {[WebSocket, MessageEvent[]] | null} */
export function taken(tokens) {
  const one = window.dialled;
  if (!one || one.stop.signal.aborted) return null;
  one.stop.abort();
  if (String(one.tokens) === String(tokens) && one.socket.readyState <= WebSocket.OPEN)
    return [one.socket, one.waiting];
  one.socket.close();
  return null;
}

/** @param {string[]} tokens @param {() => { protocol: number, language: string }} greeting */
export function connected(tokens, greeting) {
  // Of several servers, all who are at a table come to the same one, as long as it is there.
  const home = /^[\w-]+(?=\.)/.exec(tokens[0])?.[0] ?? "";
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play${home && `/${home}`}`;
  const socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    // a paused page hears of it when it may have closed
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "hello", tokens, ...greeting() }));
  });
  return socket;
}

// What was chosen before the table was there is taken as if it were tapped now.
/** @param {Question} asked @param {(asked: Question) => Pick<Picking, "asked" | "take" | "decline">} picking */
export function answerEarly(asked, picking) {
  const answer = window.dialled?.answer;
  delete window.dialled;
  if (answer?.question !== asked.question) return;
  const choice = asked.choices.find(({ key }) => key === answer.key);
  if (choice) picking(asked).take(choice);
  else if (!answer.key) picking(asked).decline();
}
