// What pages are made of: a game as it is drawn, where all that the server leaves out is filled in.

import type * as protocol from "./protocol";
import type { Said } from "./protocol";

export type { Child, VNode } from "./preact";
export type { Picking } from "./picking";
export type { Said } from "./protocol";
export type Redraw = () => void;

// ── what a table is made of, in one language: server/views/table_metadata.py ──

export interface Glossary {
  title: string;
  cover: string;
  learn: boolean;
  options: { label: string; choice: string }[];
  sides: string;
  total: string;
  /** Texts of counters that hold nothing, such as "no" and "nobody". */
  nothings: string[];
  truth: string;
  /** The list whose words are the lines of score pads, and the counters that these tell. */
  pad: { words: string; counters: string[] } | null;
  /** The counter with which seats race to a goal. */
  race: { counter: string; goal: number } | null;
  scored: string[];
  /** Whether each round is a deal, whose points are told when it ends. */
  deals: boolean;
  /** Whether fewer points are better. */
  least: boolean;
  /** Titles of the measures that stand beside names. */
  measures: Record<string, string>;
  /** The one of these of which only the difference of two seats is told, or "". */
  ahead: string;
  noted: boolean;
  phases: Record<string, string>;
  pieces: Record<string, Piece>;
  zones: Record<string, ZoneKind>;
  words: Record<string, { label: string; words: Record<string, string> }>;
  boards: Board[];
  /** goal: another one, which tells what each means to reach in this one; or nothing. */
  counters: Record<string, { label: string; of: string; holds: string; picture: string; goal: string }>;
  marks: Record<string, Mark>;
  powers: Record<string, { label: string; passage: string; picture: string }>;
  scoring: Record<string, string>;
  /** The format in which the moves are handed out, or "". */
  record: string;
  /** Whether nothing is ever hidden. */
  open?: boolean;
}

export interface Piece {
  label: string;
  kind: string;
  order: number;
  card: boolean;
  tint: number;
  picture: string;
  /** A colour, and another one that can be read on it; or nothing. */
  paint: string[];
  letters: string;
  die: boolean;
  bare: boolean;
  /** A colour of its own, which readers may choose for its pictures; or nothing. */
  colour: string;
  /** Whether it is twice as long as wide. */
  tile: boolean;
  /** Whether it lies across a chain. */
  across: boolean;
  /** What is counted on it that makes it pale, if anything does. */
  faded: string;
  corner: string;
  /** Whether its name does not stand on it. */
  unnamed: boolean;
  suit: string;
  ground: string;
  chart: Chart | null;
  signs: string[];
  back: string;
  power: string;
  "power in": string;
  attributes: Record<string, string | number>;
  /** What is counted on it, in little room. */
  notes?: string;
  spent?: boolean;
}

/** keys, values: columns and rows, each by its word, its label and its picture; cells: the row of each column's mark. */
export interface Chart {
  keys: [string, string, string][];
  values: [string, string, string][];
  cells: number[];
  rises: boolean;
}

/** Columns and rows, each by its word, its label and its picture. */
export interface PieceTable {
  columns: [string, string, string][];
  rows: [string, string, string][];
}

export interface ZoneKind {
  label: string;
  of: string;
  "owner only": boolean;
  pile: boolean;
  layout: "pile" | "fan" | "row" | "heaps" | "table" | "chain" | "aside" | "away";
  back: string;
  /** Whether all that lies there is twice as long as wide. */
  tiles: boolean;
  hidden: string;
  flow: ZoneFlow;
  /** Where it lies, if the edition says so: "offer", "hand", "front", "number", "deck", "focus", "market", "things",
   * "board", "edge" or "nowhere". */
  place: string;
  /** Laid out as a table: its columns and rows. */
  table: PieceTable | null;
}

/** How pieces come and go. passes: to which zones all of them go together; returns: only back to where their owner took
 * them from; filled: from which zones answers bring them; fed: from which they come by themselves; capacity: at most. */
export interface ZoneFlow {
  passes?: string[];
  returns?: boolean;
  chosen?: boolean;
  filled?: string[];
  fed?: string[];
  refills?: string;
  capacity?: number;
}

/** A part of the stage, in px. */
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Board {
  name: string;
  words: string;
  drawn: boolean;
  hexagonal: boolean;
  /** How it is drawn, if the edition says so, such as "points" or "places". */
  kind: string;
  /** Whether its columns run down to the right, along hexagons. */
  slanting: boolean;
  numbered: boolean;
  /** A picture, and the rectangles inside that it fills and that are no spaces. */
  gap: string;
  gaps: [number, number, number, number][];
  /** Outer edges in colours: both ends of each. */
  edges: [number, number, number, number, string][];
  /** The rectangle where other things than its pieces lie on it, such as dice, if there is one. */
  bay: [number, number, number, number] | [];
  /** The seats that see it from its upper edge. */
  upper: number[];
  counted: boolean;
  /** Signs with what they stand for. */
  key: [string, string][];
  around: string;
  spaces: Space[];
}

export interface Space {
  word: string;
  label: string;
  neighbours: string[];
  is: Record<string, string>;
  told: string[];
  ground?: string;
  sign?: string;
  /** Where it is on a drawn board; the rectangle that it fills (left, top, width and height); whether what lies there is
   * piled, down from its upper edge (1), up from its lower one (-1), flat (2, -2) or not at all. */
  column?: number;
  row?: number;
  box?: [number, number, number, number];
  pile?: number;
  letter?: string;
  /** The number by which each seat calls it, if they do; 0 for none. */
  numbers?: number[];
}

export interface Mark {
  label: string;
  held: Record<string, string>;
  seat: boolean;
}

// ── who sits there ──

export type Sitting = Required<protocol.Sitting>;

export type TableDocument = Omit<protocol.TableDocument, "table" | "now" | "own"> & {
  table?: Glossary;
  now?: protocol.Now;
  own?: Partial<protocol.Now>;
};

/** A table, or a lobby before the game: that has no boards, zones and so on yet. */
export type Table = Required<Omit<TableDocument, "table" | "now" | "own" | "links" | "seats" | "rematch">> &
  Required<protocol.HostLinks> &
  Glossary & { seats: Sitting[] };

/** Of a document, what says who is there and what they say to each other. */
export type Company = Partial<
  Pick<TableDocument, "you" | "seat" | "seats" | "away" | "rematch" | "messages" | "silent">
>;

// ── the table as it is ──

export type Seen = protocol.Now;
export type Zone = Required<protocol.ZoneNow>;
export type OpenZone = Zone & { pieces: string[] };
export type Score = Required<protocol.ScoreNow>;
/** sort: "picked" or "instead" of that, where it is not just "offered"; "direct" where a menu asks first;
 * the last three are of moves that are planned. back: how many
 * picks it replaces; before: the answers that are given before it; first: what is taken in one answer before it; ways: of
 * what is taken after several entries of a menu, each. */
export type Choice = Required<protocol.Offered> & {
  sort?: "offered" | "picked" | "instead" | "direct" | "plannable" | "target" | "planned";
  back?: number;
  before?: string[];
  first?: string[];
  ways?: Choice[];
};
export type ChainPick = Omit<Required<protocol.ChainPick>, "choices"> & { choices: Choice[] };
export type Question = Omit<Required<protocol.Asked>, "choices" | "picked" | "finish"> & {
  choices: Choice[];
  picked: ChainPick[];
  finish: ChainPick | null;
};
export type Place = Pick<Zone, "zone" | "owner" | "word">;

/** A part of a line. seat, piece: what it names, if it names one. */
export interface LinePart {
  text: string;
  seat?: number;
  piece?: string;
  count?: number;
}

export type LogLine = Omit<Required<protocol.Line>, "parts"> & { parts: LinePart[] };
/** Tells a line as elements. from: what that depends on besides. */
export type Tell = ((line: LogLine) => import("./preact").Child) & { from: unknown[] };

export interface StateExtras {
  /** Zones that the last move has changed. */
  changed?: Changed;
  /** What the reader has been given since then. */
  received?: Received;
  /** What is drawn besides where something can be taken up or put down by hand. */
  touch?: Touch;
}

export type State = Required<Omit<protocol.Now, "zones" | "scores" | "standings" | "moves" | "asked" | "counters">> & {
  zones: Zone[];
  scores: (Score | null)[];
  standings: Required<protocol.Placed>[];
  moves: Move[];
  asked: Question | null;
  /** What each holds, in words; of some, for each seat or word. */
  counters: Record<string, any>;
} & StateExtras;

/** A state with what has come to the log since the one before. */
export type LoggedState = State & { log: { start: number; lines: LogLine[] } };
export type PastState = State & { lines: LogLine[] };

export interface Touch {
  piece(name: string, key: string): Record<string, unknown>;
  space(key: string, label: string): Record<string, unknown>;
}

export type Lead = Omit<protocol.LeadsTold, "next"> & { next?: ChainPick | null };

/** Knows what answers lead to, by their keys: `leads.js`, or nobody. */
export interface LeadSource {
  /** What an answer of several parts leads to as a whole. */
  whole: Lead | null;
  doubt: string;
  to(key: string): Lead | null;
  told(key: string): string;
  /** Whether nothing comes of an answer. */
  idle(key: string): boolean;
  /** Class of an answer's element, after a blank: idle, or advised; or nothing. */
  mark(key: string): string;
  make(take: string[]): void;
  await(key: string, go: (lead: Lead | null) => void): void;
}

// ── one reader of a table ──

/** What the page knows of one of its tokens. */
export interface Side {
  token: string;
  document: Partial<TableDocument>;
  number: number;
  table: Table | null;
  lobby: Table | null;
  state: State | null;
  lines: LogLine[];
  picked: Picked;
  picking: import("./picking").Picking | null;
  question: number | null | undefined;
  expected: number;
  shared: string | null;
  replaced: protocol.Replaced | null;
  sitting: Said.Sit | null;
  refused: string;
  joining: boolean;
  next: string[];
  turned: boolean;
  /** The last step that its people have seen, or null. */
  from: number | null;
  changed?: ChangedSpaces;
  /** What the last turn has changed, while it is looked for, and the step that is asked for. */
  trail?: (import("./changed_spaces").Trail & { step: number }) | null;
  received: Received;
  /** What is planned, a piece and where it goes; the key of the planned piece once it is picked; what is asked for where,
   * as far as that was asked before. */
  plan: Choice[];
  planPicked: string | null;
  /** Whether an answer is being taken back, with all that was picked for it. */
  back: boolean;
  planning: import("./planning").Planning | null;
  foreseen: Map<string, string>;
  connection: { send: Send };
  unsent: import("./unsent").Unsent;
  history: import("./history").History;
  leads: import("./leads").Leads;
  review: import("./review").Review | null;
  pace: import("./pace").Pace;
}

/** What is picked so far: how many of each choice, by key. order: the keys as they were picked; held: what is dragged;
 * chosen: what waits to be confirmed; forked: what can be taken in several ways, which are shown; refused: why something
 * cannot be taken. */
export type Picked = Map<string, number> & {
  /** The answer that is on its way. */
  given?: Said.Answer | null;
  /** An amount that is looked at before it is given. */
  named?: string;
  order?: string[];
  warned?: { key: string; text: string } | null;
  held?: Choice | null;
  sent?: boolean;
  chosen?: Choice | null;
  forked?: Choice | null;
  refused?: string | null;
};

/** By the key of a zone: the names of pieces that came there. */
export type Received = Map<string, Set<string>>;
/** By the key of a zone: whether something came there, or only left. */
export type Changed = Map<string, "left" | "came" | "altered">;
export type ChangedSpaces = { zones: Changed; by: string; ended: boolean };
export type Message = Said.Any;
/** Sends a message; whether it could be sent. */
export type Send = (message: Message) => unknown;

// ── what can be begun: server/web/edition_list.py ──

export interface Role {
  name: string;
  label: string;
  text: string;
  /** By the number of seats, whether it must join. */
  joins: Record<string, boolean>;
}

export type GameKind = "cards" | "board" | "dice";

export interface Listed {
  edition: string;
  /** Its name in the address of its page. */
  address: string;
  title: string;
  name: string;
  series: string;
  cover: string;
  /** What it is played with. */
  kinds: GameKind[];
  people: [number, number];
  usual: number;
  minutes: number[];
  text: string;
  learn: boolean;
  roles: Omit<Role, "text">[];
  game: number;
  label: string;
  changed: boolean;
  mistake: { file: string; line: number; text: string } | null;
}

export interface Option {
  name: string;
  label: string;
  text: string;
  usual: string;
  choices: { name: string; label: string; text: string }[];
}

export interface Trained {
  player: string;
  name: string;
  seats: number;
  notice: string;
}

/** An edition with all that the server says of it; in the list it also has a place among others. */
export type Described = Omit<Listed, "game" | "label" | "changed" | "mistake" | "roles"> & {
  roles: Role[];
  options: Option[];
  trained: Trained[];
  /** What tells two seats apart from the start, such as colours; or nothing. */
  sides: string[];
};
export type Edition = Omit<Listed, "roles"> & Described;
/** Where the first of two sits: on the first seat, on the second, or where lots put them. */
export type SeatChoice = "lot" | "first" | "second";
export type WantedSeat = { player: string; name: string; role?: string };

export interface Change {
  kind: "new" | "gone" | "changed";
  title: string;
  before: string;
  now: string;
}

export interface Differences {
  from: string;
  changes: Change[];
}

export interface Glance {
  title: string;
  text: string;
  parts: { title: string; ordered: boolean; points: { title: string; text: string; passage: string }[] }[];
  chosen: [string, string][];
  cover: string;
  people: [number, number];
  minutes: number[];
}

/** Spaces of a board that are alike. */
export interface Region {
  spaces: Space[];
  label: string;
  ground: string | undefined;
  colour: string;
  full: number;
  marks: { name: string; count: number }[];
}

export type Move = Required<protocol.Move>;

/** A piece on its way, by its name or nothing where that is not seen: the keys of its zones, and where and how it was seen. */
export interface Flight {
  name: string;
  source: string;
  target: string;
  rect: DOMRect | undefined;
  picture: Picture | null;
}

/** A copy of a piece, within copies of what stands around it. */
export interface Picture {
  whole: HTMLElement;
  piece: HTMLElement;
}

// ── what this device keeps ──

/** What is known of whose turn it is at a table. */
export interface Turn {
  yours?: boolean;
  waiting?: string[];
}

export interface KeptTable {
  hash: string;
  title: string;
  names: string[];
  over: boolean;
  when: number;
}

// ── events, with what they happen to ──

type On<E extends Event, T> = E & { readonly target: T; readonly currentTarget: HTMLElement };
export type FieldEvent = On<Event, HTMLInputElement>;
export type FormEvent = On<SubmitEvent, HTMLFormElement>;
export type FoldEvent = On<ToggleEvent, HTMLDetailsElement>;
export type TapEvent = On<MouseEvent, HTMLElement>;
export type FingerEvent = On<PointerEvent, HTMLElement>;
export type KeyEvent = On<KeyboardEvent, HTMLElement>;

// ── the workbench ──

export type Bench = import("../../workbench/page/bench").Bench;
/** argument: what is to be shown, where another pane knows it. */
export interface Pane {
  draw(): import("./preact").Child;
  badge?: { text: string; bad?: boolean } | null;
  shown?(argument?: object): unknown;
  hidden?(): void;
}
/** An estimate with the ends of its interval. */
export type Estimate = [number, number, number];

/** Shows a place in the source. beside: it next to an older text. */
export interface Places {
  open(file: string, line?: number, column?: number): void;
  mark(file: string, line: number | null): void;
  beside(key: string, before: string): import("./preact").VNode;
}

/** A piece that somebody carries: from where, and which of those that lie there in order. */
export interface Held {
  name: string;
  key: string;
  index: number | null;
}

// ── lessons: server/views/lesson_views.py ──

export interface Lessons {
  title: string;
  people: number;
  /** How many of the lessons belong to the course; what follows are more examples. */
  usual: number;
  minutes: number;
  lessons: { title: string; rule: string }[];
}

export interface Lesson {
  title: string;
  text: string;
  of: Table & { seat: number };
}

export interface Moment {
  missing: string[];
  number: number;
  lines: protocol.LessonLine[];
  why: { title: string; text: string; passage: string }[];
  taken: string;
  /** Keys that the example answers. */
  advice: string[];
  /** After an answer that differs from the example's: what the example answers, in words. */
  example: string;
  state: State;
  /** What is read first, each with the table that it is about. last: the moment's own text goes on with it. */
  pages: { text: string; state: State; last?: boolean }[];
}

// ── what a device remembers of what people say ──

export type Talk = Required<protocol.ChatMessage> & { number: number };
/** A list that is scrolled to its end as it grows. told: of what it was drawn last; was: where it was then. */
export type Scrolled = Element & { told?: unknown; following?: boolean; was: number };
