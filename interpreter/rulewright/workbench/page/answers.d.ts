// What the workbench answers to its page, and what it tells of itself. Where an answer is made of records, these are in
// records.d.ts; the rest is written here, and tests hold it against real answers.

import type { Now } from "../../server/page/protocol";
import type { Described, Estimate as Known, TableDocument } from "../../server/page/types";
import type * as records from "./records";

/** Answers, by the address below /api/. */
export interface Answers {
  book: Book;
  cards: Cards;
  cases: { files: records.FileRun[]; current: boolean };
  "cases/make": { file: string };
  "cases/mend": Done;
  "cases/name": { name: string };
  "cases/picture": { picture: records.ExpectedView | null };
  "cases/play": { node: number };
  changes: Changes;
  figures: FigureChoices;
  "figures/leave": Done;
  "figures/look": WatchedFigures;
  "figures/take": Done;
  files: { folder: string; files: { file: string; edition: string | null }[] };
  "files/edit": Done;
  "files/named": { file: string };
  "files/theirs": { text: string };
  history: { versions: records.Version[] };
  [version: `history/${number}`]: { text: string };
  "history/name": Done;
  "history/restore": Done;
  new: NewGameChoices;
  "new/copy": { file: string };
  "new/nothing": { file: string };
  "new/parcel": { file: string };
  "new/variant": { file: string };
  play: PlayedNode;
  "play/accept": PlayedNode;
  "play/answer": PlayedNode;
  "play/begin": PlayedNode;
  "play/both": PlayedNode;
  "play/computer": PlayedNode;
  "play/delete": { at: number };
  "play/form": Described;
  "play/go": PlayedNode;
  "play/lines": { at: number; nodes: LineNode[] };
  "play/title": Done;
  "play/where": { file: string; line: number; column: number };
  quit: Done;
  setup: SetUpForm;
  "setup/check": { text: string; trouble: string };
  "setup/play": { node: number };
  share: Shared;
  "share/end": Done;
  "share/line": Done;
  "share/line/remove": Done;
  "share/moment": { node: number };
  "share/remark/remove": Done;
  "share/table": records.FriendTable;
  "share/take": { node: number };
  steps: Steps;
  "steps/table": Now;
  "steps/why": { step: null } | { answer: number; step: number };
  texts: Texts;
  "texts/check": TextCheck;
  "texts/write": { texts: records.TranslatedText[] };
}

export type Done = Record<string, never>;

// ── book, cards, changes, texts ──

export interface Book {
  page: number;
  left: string[];
  variant: boolean;
  passages: records.Passage[];
  elsewhere: Record<string, { file: string; called: string; line: number }>;
}

export interface Cards {
  sorts: string[];
  papers: string[];
  backed: boolean;
  sort: string;
  number: number;
  pages: number;
  why: string;
  missing: string[];
}

export interface Changes {
  since: string;
  others: records.ComparisonChoice[];
  sections: { title: string; changes: records.Change[] }[];
  written: string[];
}

export interface Texts {
  language: string;
  catalog: string;
  begun: string[];
  texts: records.TranslatedText[];
  trouble: string;
  line: number;
}

export interface TextCheck {
  wrong: string[];
  said: string[];
}

// ── figures ──

/** An estimate; null while it is unknown. */
export type Estimate = Known | null;

export interface FigureChoices {
  people: number[];
  usual: number;
  players: string[];
  options: { name: string; label: string; usual: string; choices: { name: string; label: string }[] }[];
  lines: Record<string, string>;
  measures: Record<string, string>;
  powers: Record<string, string>;
  roles: Record<string, string>;
  decisions: Record<string, { title: string; ask: string; answers: Record<string, string> }>;
  against: { what: string; title: string }[];
  values: records.NumberValue[];
}

/** Figures that are watched, with what is known of them already. */
export interface WatchedFigures {
  key: string;
  figures?: GameFigures;
  curve?: ValueCurve;
  search?: ValueSearch;
  failed?: FailedGames;
}

/** Figures of the games of a table: without those of results as long as no game has ended. */
export interface GameFigures extends Partial<ResultFigures> {
  games: number;
  ended: number;
  limited: number;
  stopped: { games: number; seed: string; why: string };
  seconds: number;
  never: NeverSeen;
  against?: ComparedFigures;
  lacking: string;
  wanted: number;
  done: boolean;
}

export interface ResultFigures {
  quantities: Record<string, { section: string; shares: boolean; estimate: Estimate }>;
  fair: number;
  seats: SeatFigures[];
  courses: Record<string, Histogram>;
  lines: { name: string; mean: Estimate; seats: number[]; nothing: number }[];
  decisions: DecisionFigures[];
}

/** odd: whether it wins more than its share (1), less (-1) or neither. */
export interface SeatFigures {
  seat: number;
  player: string;
  role: string | null;
  won: Estimate;
  total: Estimate;
  odd: number;
}

/** bars: the first number of each, and its share; most: where nine in ten games are. */
export interface Histogram {
  wide: number;
  bars: [number, number][];
  middle: number;
  most: [number, number];
}

export interface DecisionFigures {
  step: string;
  decision: string;
  offered: number;
  place: SourcePlace;
  answers: { name: string; offered: number; chosen: number; taken: Estimate }[];
}

/** own: whether it is in the edition's own file; file: of another edition that can be read, or "". */
export interface SourcePlace {
  own: boolean;
  file: string;
  line: number;
  column: number;
}

export interface NeverSeen {
  sentences: (SourcePlace & { text: string })[];
  of: number;
  answers: { step: string; decision: string; name: string; offered: number; place: SourcePlace }[];
  pieces: string[];
  powers: { name: string; held: boolean }[];
}

export interface ComparedFigures {
  games: [number, number];
  paired: boolean;
  rows: ComparedFigure[];
  only: { before: string[]; after: string[] };
}

export interface ComparedFigure {
  key: string;
  shares: boolean;
  section: string;
  before: Estimate;
  after: Estimate;
  difference: Estimate;
  verdict: "differs" | "perhaps" | "same" | "unclear";
}

export interface ValueCurve {
  points: ValuePoint[];
  done: boolean;
  value: string;
  now: number;
}

/** What came of a number: estimates by their keys, or why nothing can be played with it. */
export interface ValuePoint {
  value: number;
  games?: number;
  estimates?: Record<string, Estimate>;
  text?: string;
}

/** text: why there is nothing to look for. */
export type ValueSearch = FoundValues | { text: string; done: boolean };

export interface FoundValues {
  names: string[];
  goals: { key: string; shares: boolean }[];
  tried: number;
  planned: number;
  drawn: boolean;
  rows: Candidate[];
  done: boolean;
}

/** Values that were tried. fresh: of new games; says: beside the edition's own values; text: why they cannot be played. */
export interface Candidate {
  values: string[];
  kind: "now" | "chosen" | "best" | "other";
  figures?: Estimate[];
  fresh?: Estimate[];
  says?: string[];
  text?: string;
}

export type PlayedCandidate = Candidate & { figures: Estimate[] };

export interface FailedGames {
  text: string;
  died?: boolean;
}

// ── a new game ──

export interface NewGameChoices {
  turns: { name: string; of: string; with: string; fewest: number; most: number; wins: string[] }[];
  editions: { name: string; title: string }[];
  whole: string[];
}

// ── lines of play ──

/** A place in the lines of play, with the line that it belongs to. */
export interface PlayedNode {
  node: number;
  line: LineNode[];
  people: number;
  roles: string[];
  seed: number;
  options: Record<string, string>;
  position: boolean;
  parted: PartedLine | null;
  stopped: StoppedLine | null;
  kept: (LineNode & { lines: string[] })[] | null;
  game: records.GameView | null;
}

/** The beginning of a game, or an answer. */
export type LineNode = GameBeginning | GivenAnswer;

/** of: the node above it, 0 for none. */
interface LinePlace {
  node: number;
  of: number;
  title?: string;
  case?: string;
  state?: "kept" | "parted" | "stopped";
}

export interface GameBeginning extends LinePlace {
  seats: string[];
  seed: number;
  position: boolean;
  seat?: undefined;
}

export interface GivenAnswer extends LinePlace {
  seats?: undefined;
  seat: number;
  name: string;
  taken: string;
}

/** Where a line comes out otherwise than before. lines: of the log before and now; figures: label, before and now. */
export interface PartedLine {
  node: number;
  lines: [string[], string[]] | null;
  zones: { zone: string; label: string; whose: string; before: CountedPiece[]; now: CountedPiece[] }[];
  figures: [string, string | null, string | null][];
}

/** A piece by its name, how many there are, and both in words. */
export type CountedPiece = [string, number, string];

export interface Trouble {
  text: string;
  file?: string;
  line?: number;
}

export type StoppedLine = Trouble & { node: number };

// ── set up, share, steps ──

export interface SetUpForm {
  draft: records.PositionDraft;
  table: TableDocument;
  now: Now;
  counters: records.CounterForm[];
  pieces: records.PieceForm;
  phases: [string, string][];
  people: number[];
  cases: { file: string; name: string }[];
}

export interface Shared {
  address: string;
  everywhere: boolean;
  over: records.FriendsGame[];
  lines: SharedLine[];
}

export interface SharedLine {
  id: number;
  title: string;
  file: string;
  node: number;
  everything: boolean;
  link: string;
  remarks: records.GameComment[];
}

export interface Steps {
  node: number;
  answer: number;
  answers: number;
  taken: { seat: number; taken: string } | null;
  table: TableDocument;
  trace: records.TraceView;
}

// ── what happens, as panes hear of it ──

/** What the workbench tells all its windows, by its type; windows add some of their own. */
export interface Events {
  cases: { file: string };
  conflict: { file: string; gone: boolean };
  cursor: { line: number; column: number };
  curve: ValueCurve & Watched;
  edited: { file: string; number: number; ok: boolean };
  empty: { file: string | null };
  figures: GameFigures & Watched;
  files: object;
  "games failed": FailedGames & Watched;
  hello: { window: string; session: string; root: string; largest: number };
  language: object;
  merged: { file: string };
  opened: { file: string };
  played: { file: string };
  refused: { file: string; text: string };
  remarked: object;
  saved: { file: string };
  search: ValueSearch & Watched;
  settled: { file: string };
  shown: { file: string };
  "taken over": { file: string };
  text: SourceText;
  unruled: object;
  updates: { file: string; version: number; updates: { clientID: string; changes: unknown }[] };
}

export type Watched = { file?: string; key: string };

/** A file's text. fixed: whether it is only read; spoiled: whether what the window has typed does not fit it. */
export interface SourceText {
  file: string;
  uri: string;
  text: string;
  version: number;
  saved: boolean;
  fixed?: boolean;
  conflict?: boolean;
  gone?: boolean;
  edition?: string | null;
  spoiled?: boolean;
}

export type ServerEvent = { [E in keyof Events]: { type: E } & Events[E] }[keyof Events];
