// Written by tools/page_types.py from the records of messages: spec/PROTOCOL.md says what each field means.

export interface NamedPart {
  text: string;
  seat?: number | null;
  piece?: string;
  count?: number;
}

export interface Line {
  text?: string;
  parts?: (string | NamedPart)[];
  heading?: boolean;
  round?: number;
  step?: number;
  sentence?: number | null;
  notation?: string;
  actor?: number | null;
  answers?: number;
}

export interface ZoneNow {
  zone: string;
  count?: number;
  owner?: number | null;
  word?: string;
  pieces?: string[] | null;
  hidden?: string;
  known?: string[];
}

export interface ScoreNow {
  told: string;
  lines: [string, number | number | null][];
  total?: number | number | null;
}

export interface Offered {
  key: string;
  label?: string;
  count?: number;
  piece?: string;
  zone?: string;
  words?: string;
  word?: string;
  place?: number;
  owner?: number | null;
}

export interface ChainPick {
  key: string;
  kind: string;
  choices: Offered[];
  zone?: string;
  words?: string;
}

export interface Asked {
  question: number;
  kind: string;
  prompt: string;
  least: number;
  most: number;
  choices: Offered[];
  zone?: string;
  words?: string;
  none?: string;
  some?: string;
  all?: string;
  none_at?: string;
  wanted?: string;
  rule?: string;
  passage?: string;
  about?: string[];
  among?: number[];
  named?: (number | null)[];
  purse?: [string, number] | null;
  into?: string;
  picked?: ChainPick[];
  finish?: ChainPick | null;
}

export interface Placed {
  seat: number;
  rank: number;
  place: string;
  total: number | number;
  lines: [string, number | number][];
  ties?: [string, string][];
  told?: string;
  margin?: string;
}

export interface Move {
  source: string;
  target: string;
  pieces?: string[];
  hidden?: number;
}

export interface ProposalNow {
  number: number;
  seat: number;
  what: string;
  asked: number[];
}

export interface PastProposal {
  seat: number;
  what: string;
  reply?: string;
  replier?: number | null;
}

export interface SheetRow {
  title: string;
  values: (number | number | null)[];
}

export interface RoundPoints {
  round: number;
  points: (number | number | null)[];
  sources?: SheetRow[];
}

export interface Now {
  round?: number;
  phase?: string;
  over?: boolean;
  waiting?: number[];
  ready?: number[];
  zones?: Record<string, ZoneNow>;
  counters?: Record<string, string | string[] | Record<string, string>>;
  powers?: string[][];
  scores?: Record<string, ScoreNow>;
  owners?: Record<string, number>;
  measures?: Record<string, (number | number | null)[]>;
  leading?: Record<string, number[]>;
  pad?: ((number | number | null)[])[];
  worth?: number[][];
  values_before?: number[];
  laid_by?: Record<string, number[]>;
  apart_pieces?: Record<string, string[]>;
  winning?: Record<string, string[]>;
  threatened?: Record<string, string[]>;
  lit?: Record<string, string[]>;
  pale?: Record<string, string[]>;
  areas?: Record<string, string[][]>;
  undo?: boolean;
  held?: number;
  deadline?: number;
  standings?: Placed[];
  asked?: Asked | null;
  sealed?: string[];
  laid?: string;
  steps?: number;
  moves?: Move[];
  result?: string;
  headline?: string;
  reason?: string;
  curve?: RoundPoints[];
  sources?: SheetRow[];
  final?: SheetRow[];
  trouble?: string;
  proposal?: ProposalNow | null;
  proposed?: PastProposal[];
  may?: string[];
}

export interface Sitting {
  name: string;
  kind: string;
  player?: string;
  awaited?: string;
  away?: boolean;
  conceded?: boolean;
}

export interface HostLinks {
  invites: Record<string, string>;
  watch: string;
  group?: string;
}

export interface ChatMessage {
  seat: number;
  at: number;
  text?: string;
  gesture?: string;
}

export interface TableDocument {
  you: string;
  language: string;
  direction: string;
  edition: string;
  title: string;
  seats: Sitting[];
  seat?: number | null;
  begun?: boolean;
  inviter?: string;
  chosen?: Record<string, string>;
  away?: Record<string, number>;
  rematch?: string | null;
  clock?: number;
  notices?: string[];
  links?: HostLinks | null;
  silent?: boolean;
  messages?: Record<string, ChatMessage>;
  table?: Record<string, unknown> | null;
  now?: Now | null;
  own?: Record<string, unknown>;
}

export interface LogChange {
  start: number;
  lines: Line[];
}

export interface Update {
  number: number;
  change: Record<string, unknown>;
  reader?: number;
  log?: LogChange | null;
}

export interface Updates {
  type: "updates";
  of: Update[];
}

export interface Refusal {
  type: "refused";
  text: string;
  reader?: number;
  gone?: boolean;
}

export interface SeatGiven {
  type: "seated";
  token: string;
  reader?: number;
}

export interface Replaced {
  type: "replaced";
  seat: number;
  token: string;
  reader?: number;
}

export interface Kept {
  type: "kept";
  question: number;
  reader?: number;
}

export interface Past {
  type: "past";
  step: number;
  state: Now;
  lines: Line[];
  reader?: number;
}

export interface Reviewed {
  type: "reviewed";
  number: number;
  count: number;
  step: number;
  prompt: string;
  offered: string[];
  taken: string;
  lines: Line[];
  reader?: number;
}

export interface AnswerTold {
  text: string;
  told: string;
  value: number;
  margin: number;
  kind?: string;
  keys?: string[];
}

export interface JudgedTold {
  place: number;
  seat: number;
  number: number;
  step: number;
  round: number;
  verdict: string;
  sign: string;
  word: string;
  summary: string;
  meaning: string;
  certainty: string;
  lost: number;
  value: number;
  margin: number;
  answers: AnswerTold[];
  line?: string[];
  followed?: string[];
}

export interface Analysed {
  type: "analysed";
  rows: JudgedTold[];
  total: number;
  ended: boolean;
  meaning: string;
  sides: number[];
  reader?: number;
}

export interface RoundScores {
  type: "scores";
  steps: number;
  rounds: RoundPoints[];
  reader?: number;
}

export interface WrittenDown {
  type: "recorded";
  name: string;
  text: string;
  reader?: number;
}

export interface RulingTold {
  title: string;
  text: string;
}

export interface LessonLine {
  text: string;
  said?: boolean;
  heading?: boolean;
  seat?: number | null;
}

export interface ExampleTold {
  lesson: number;
  title: string;
  text: string;
  lines: LessonLine[];
}

export interface RuleTold {
  title: string;
  text: string;
  passage: string;
  rulings?: RulingTold[];
  examples?: ExampleTold[];
}

export interface Explained {
  type: "explained";
  what: string;
  name: string;
  told: RuleTold[];
  reader?: number;
  carries?: [string, string][];
}

export interface LeadsTold {
  sure?: string[];
  perhaps?: string[];
  idle?: boolean;
  why?: string;
  warning?: string;
  next?: ChainPick | null;
  landing?: [string, string] | null;
  routes?: [string[], string][];
  touches?: string[];
}

export interface Tried {
  type: "tried";
  question: number;
  take?: string[];
  leads?: Record<string, LeadsTold>;
  doubt?: string;
  reader?: number;
}

export interface Rematch {
  type: "rematch";
  token?: string;
  host?: string;
  reader?: number;
}

export interface Shared {
  type: "shared";
  token: string;
  reader?: number;
}

export interface Reported {
  type: "reported";
  report: Record<string, unknown>;
  reader?: number;
}

export interface Saved {
  type: "save";
  save: Record<string, unknown>;
  reader?: number;
}

export type ServerMessage = Updates | Refusal | SeatGiven | Replaced | Kept | Past | Explained | Tried | Shared | Reported | Saved | Rematch | Reviewed | Analysed | RoundScores | WrittenDown;

/** What a page says. */
export namespace Said {
  export interface Hello {
    type: "hello";
    by?: number;
    protocol: number;
    tokens: string[];
    language?: string;
  }

  export interface Language {
    type: "language";
    by?: number;
    language: string;
  }

  export interface Sit {
    type: "sit";
    by?: number;
    name: string;
    key?: string;
  }

  export interface Answer {
    type: "answer";
    by?: number;
    question: number;
    take: string[];
    back?: number;
    next?: string[][];
  }

  export interface TryOut {
    type: "try";
    by?: number;
    question: number;
    take?: string[];
  }

  export interface Undo {
    type: "undo";
    by?: number;
  }

  export interface Stand {
    type: "stand";
    by?: number;
  }

  export interface Leave {
    type: "leave";
    by?: number;
    seat?: number;
  }

  export interface Back {
    type: "back";
    by?: number;
  }

  export interface Concede {
    type: "concede";
    by?: number;
  }

  export interface Propose {
    type: "propose";
    by?: number;
    what: "abort" | "draw" | "undo";
  }

  export interface Agree {
    type: "agree";
    by?: number;
    number: number;
    agrees: boolean;
  }

  export interface ReportFault {
    type: "report";
    by?: number;
  }

  export interface Save {
    type: "save";
    by?: number;
  }

  export interface LookBack {
    type: "look";
    by?: number;
    step: number;
  }

  export interface Review {
    type: "review";
    by?: number;
    number: number;
  }

  export interface Analyse {
    type: "analyse";
    by?: number;
  }

  export interface ReasonsOfMove {
    type: "why";
    by?: number;
  }

  export interface Scores {
    type: "scores";
    by?: number;
  }

  export interface WriteDown {
    type: "record";
    by?: number;
  }

  export interface Explain {
    type: "explain";
    by?: number;
    what: string;
    name: string;
  }

  export interface Say {
    type: "say";
    by?: number;
    text: string;
  }

  export interface Gesture {
    type: "gesture";
    by?: number;
    name: "frown" | "hurry" | "luck" | "played" | "smile" | "sorry" | "thanks" | "wait";
  }

  export interface SetChat {
    type: "chat";
    by?: number;
    on: boolean;
  }

  export interface Share {
    type: "share";
    by?: number;
  }

  export interface Fill {
    type: "fill";
    by?: number;
  }

  export interface Replace {
    type: "replace";
    by?: number;
    seat: number;
  }

  export interface Rematch {
    type: "rematch";
    by?: number;
  }

  export interface Again {
    type: "again";
    by?: number;
  }

  export interface WantedSeat {
    player: string;
    role?: string;
    name?: string;
  }

  export interface WantedTable {
    edition: string;
    seats: WantedSeat[];
    options: Record<string, string>;
    clock?: number;
    chat?: boolean;
  }

  export type Any = Hello | Language | Sit | Answer | TryOut | Undo | Stand | Leave | Back | Concede | Propose | Agree | ReportFault | Save | LookBack | Review | Analyse | ReasonsOfMove | Scores | WriteDown | Explain | Say | Gesture | SetChat | Share | Fill | Replace | Rematch | Again;
}
