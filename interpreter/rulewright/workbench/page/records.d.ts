// Written by tools/page_types.py from the records that the workbench answers with.

import type { Line, Now, Past, ZoneNow } from "../../server/page/protocol";
import type { TableDocument } from "../../server/page/types";

export interface Change {
  sentence: string;
  before: string;
  after: string;
  line: number;
  column: number;
}

export interface ComparisonChoice {
  key: string;
  name: string;
}

export interface Passage {
  start: number;
  end: number;
  column: number;
  anchors: string[];
  exact: boolean;
}

export interface TranslatedText {
  context: string;
  one: string;
  many: string;
  sort: string;
  comments: string[];
  slots: string[];
  line: number;
  texts: string[];
  state: string;
  former: string;
  wrong: string[];
  known: string[];
}

export interface CaseDifference {
  title: string;
  line: number;
  details: [string, string][];
  can_update?: boolean;
}

export interface CaseRun {
  name: string;
  line: number;
  answers: number;
  differences?: CaseDifference[];
}

export interface FileRun {
  file: string;
  cases: CaseRun[];
  error?: string;
  line?: number;
}

export interface Version {
  id: number;
  time: number;
  reason: string;
  label: string;
  line: string;
  is_removed: boolean;
}

export interface GameView {
  table: TableDocument;
  now: Now;
  log: Line[];
  asked_seats: number[];
}

export interface ExpectedView {
  table: TableDocument;
  now: Now;
  expected: Record<string, ZoneNow>;
  notes: Record<string, string>;
}

export interface MomentView {
  title: string;
  steps: number;
  everything: boolean;
  table: TableDocument;
  past: Past;
}

export interface FriendsGame {
  id: number;
  start: string;
  names: string[];
}

export interface FriendTable {
  mine: string;
  invite: string;
  watch: string;
}

export interface GameComment {
  id: number;
  line: number;
  step: number;
  answers: number;
  name: string;
  text: string;
  time: number;
}

export interface NumberValue {
  name: string;
  of: string;
  now: number;
  line: number;
  least: number;
  most: number;
}

export interface CounterForm {
  key: string;
  label: string;
  owner: string;
  holds: string;
  many?: boolean;
  words?: [string, string][];
  things?: [string, string][];
}

export interface PieceForm {
  holds: Record<string, string[]>;
  kinds: Record<string, string>;
  rooms: Record<string, number>;
  faces: Record<string, string[]>;
}

export interface PositionDraft {
  seats: string[];
  roles: (string | null)[];
  phase: string;
  round: number;
  zones: Record<string, string[]>;
  counters: Record<string, string | string[] | Record<string, string>>;
  options: Record<string, string>;
  seed: number;
}

export interface PlaceView {
  line: number;
  column?: number;
  file?: string;
  other_file?: string;
}

export interface ReadView {
  text: string;
  value: string;
  place?: PlaceView | null;
}

export interface MoveView {
  pieces: string;
  name: string;
  start: string;
  goal: string;
  start_label: string;
  goal_label: string;
}

export interface CountView {
  name: string;
  owner: number;
  label: string;
  before: string;
  after: string;
}

export interface ShuffleView {
  zone: string;
  label: string;
}

export interface StepView {
  number: number;
  sentence: number;
  seat: number | null;
  state: number;
  resumed?: boolean;
  named_values?: ReadView[];
  read_values?: ReadView[];
  outcome?: string;
  moves?: MoveView[];
  counts?: CountView[];
  shuffled?: ShuffleView[];
  other?: string[];
  lines?: string[];
}

export interface SentenceView {
  text: string;
  place: PlaceView;
  part: string;
  outer?: number[];
  loops?: boolean;
}

export interface QuestionView {
  seat: number;
  prompt: string;
}

export interface TraceView {
  steps: StepView[];
  sentences: Record<string, SentenceView>;
  done: number;
  states: number;
  questions?: QuestionView[];
  error?: string;
}
