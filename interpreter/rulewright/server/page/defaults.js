// Written by tools/page_types.py from the records of messages: what is left out where it is as usual.

export const Asked = {
  zone: "",
  words: "",
  none: "",
  some: "",
  all: "",
  none_at: "",
  wanted: "",
  rule: "",
  passage: "",
  about: [],
  among: [],
  named: [],
  purse: null,
  into: "",
  picked: [],
  finish: null,
};

export const ChainPick = {
  zone: "",
  words: "",
};

export const HostLinks = {
  group: "",
};

export const Line = {
  text: "",
  parts: [],
  heading: false,
  round: 0,
  step: 0,
  sentence: null,
  notation: "",
  actor: null,
  answers: 0,
};

export const Move = {
  pieces: [],
  hidden: 0,
};

export const NamedPart = {
  seat: null,
  piece: "",
  count: 1,
};

export const Now = {
  round: 0,
  phase: "",
  over: false,
  waiting: [],
  ready: [],
  zones: {},
  counters: {},
  powers: [],
  scores: {},
  owners: {},
  measures: {},
  leading: {},
  pad: [],
  worth: [],
  values_before: [],
  laid_by: {},
  apart_pieces: {},
  winning: {},
  threatened: {},
  lit: {},
  pale: {},
  areas: {},
  undo: false,
  held: 0,
  deadline: 0,
  standings: [],
  asked: null,
  sealed: [],
  laid: "",
  steps: 0,
  moves: [],
  result: "",
  headline: "",
  reason: "",
  curve: [],
  sources: [],
  final: [],
  trouble: "",
  proposal: null,
  proposed: [],
  may: [],
};

export const Offered = {
  label: "",
  count: 1,
  piece: "",
  zone: "",
  words: "",
  word: "",
  place: 0,
  owner: null,
};

export const Placed = {
  ties: [],
  told: "",
  margin: "",
};

export const ScoreNow = {
  total: null,
};

export const Sitting = {
  player: "",
  awaited: "",
  away: false,
  conceded: false,
};

export const ZoneNow = {
  count: 0,
  owner: null,
  word: "",
  pieces: null,
  hidden: "",
  known: [],
};
