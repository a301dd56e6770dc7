"""Messages of the server to a page: its updates, and its replies to requests.

spec/PROTOCOL.md explains each field. Default values (`None`, empty, false) are left out; a page fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.server.views.document import ChainPick, Fragment, Line, Now, RoundPoints, Update


class Reply(Fragment, frozen=True, tag_field="type"):
    """Message of the server. reader: index of the token that it is for, in the client's order."""


class Updates(Reply, frozen=True, tag="updates"):
    """Updates for all readers at a device."""

    of: tuple[Update, ...]


class Refusal(Reply, frozen=True, tag="refused"):
    """Refusal of a request. gone: the token opens nothing any more."""

    text: str
    reader: int = 0
    gone: bool = False


class SeatGiven(Reply, frozen=True, tag="seated"):
    """Token of the seat that the reader has taken."""

    token: str
    reader: int = 0


class Replaced(Reply, frozen=True, tag="replaced"):
    """New token of a person's seat, for the host."""

    seat: int
    token: str
    reader: int = 0


class Kept(Reply, frozen=True, tag="kept"):
    """Confirmation that an answer is stored. question: the number of its decision."""

    question: int
    reader: int = 0


class Past(Reply, frozen=True, tag="past"):
    """Step of the game, from 0: the state as the reader could see it then, and the lines it added to the log."""

    step: int
    state: Now
    lines: tuple[Line, ...]
    reader: int = 0


class Reviewed(Reply, frozen=True, tag="reviewed"):
    """One of a seat's decisions, reviewed after the game. number: from 0, of `count`; offered, taken: in words; lines:
    of the log until the seat was asked again; step: the one to look back to."""

    number: int
    count: int
    step: int
    prompt: str
    offered: tuple[str, ...]
    taken: str
    lines: tuple[Line, ...]
    reader: int = 0


class AnswerTold(Fragment, frozen=True):
    """Answer that was judged. text, told: the answer and its value, in words; value, margin: from 0 to 1, with half of
    the interval; kind: 'played', 'best', 'alike' (as good as the played one, as far as one can say) or ''; keys: of the
    answer."""

    text: str
    told: str
    value: float
    margin: float
    kind: str = ""
    keys: tuple[str, ...] = ()


class JudgedTold(Fragment, frozen=True):
    """Judged decision.

    - place: among all decisions that are judged, from 0, in the order of the game
    - seat, number: whose decision, and which of theirs, from 0
    - step, round: of the game
    - verdict, sign, word: on the answer; the sign and the word for readers
    - summary, meaning: what was played and what was better, and what that means, in words; '' for nothing
    - certainty: how sure that is, in words
    - lost: the cost, from 0 to 1
    - value, margin: of the best answer, with half of its interval
    - answers: that were judged, the best first
    - line, followed: what may follow the best answer, and what followed in the game
    """

    place: int
    seat: int
    number: int
    step: int
    round: int
    verdict: str
    sign: str
    word: str
    summary: str
    meaning: str
    certainty: str
    lost: float
    value: float
    margin: float
    answers: tuple[AnswerTold, ...]
    line: tuple[str, ...] = ()
    followed: tuple[str, ...] = ()


class Analysed(Reply, frozen=True, tag="analysed"):
    """Part of the analysis of a finished game. rows: as they are made, the largest losses first; total: rows that there
    will be, 0 while they are counted; ended: no more come; meaning: of the values, in words; sides: of each seat."""

    rows: tuple[JudgedTold, ...]
    total: int
    ended: bool
    meaning: str
    sides: tuple[int, ...]
    reader: int = 0


class RoundScores(Reply, frozen=True, tag="scores"):
    """Points of all seats at the end of each round so far, as far as the reader could know them then. steps: of the
    game, when they were looked up."""

    steps: int
    rounds: tuple[RoundPoints, ...]
    reader: int = 0


class WrittenDown(Reply, frozen=True, tag="recorded"):
    """Moves of the game in a format that other programs read. name: of the file; text: its content."""

    name: str
    text: str
    reader: int = 0


class RulingTold(Fragment, frozen=True):
    """Ruling about a rule."""

    title: str
    text: str


class LessonLine(Fragment, frozen=True):
    """Line of a lesson. said: it explains what has happened; heading: it stands over the lines that follow; seat: of
    whom it tells."""

    text: str
    said: bool = False
    heading: bool = False
    seat: int | None = None


class ExampleTold(Fragment, frozen=True):
    """Example of a rule. lesson: number of the lesson in which it is played, from 0."""

    lesson: int
    title: str
    text: str
    lines: tuple[LessonLine, ...]


class RuleTold(Fragment, frozen=True):
    """Rule in words. passage: its anchor in the rulebook."""

    title: str
    text: str
    passage: str
    rulings: tuple[RulingTold, ...] = ()
    examples: tuple[ExampleTold, ...] = ()


class Explained(Reply, frozen=True, tag="explained"):
    """Rules about something on the table. carries: the properties of a piece's words with their values, such as
    'Price', '2 wood and 1 clay'. what, name: as in the request."""

    what: str
    name: str
    told: tuple[RuleTold, ...]
    reader: int = 0
    carries: tuple[tuple[str, str], ...] = ()


class LeadsTold(Fragment, frozen=True):
    """Outcome of an answer in words.

    - sure, perhaps: certain, and true in all tries
    - idle: it changes nothing, unlike other answers
    - why: what the log would say, or ''
    - warning: why it needs confirmation, or ''
    - next: of a pick, what would be asked next
    - landing: the only piece that comes onto a board, by its name, and the word of its space
    - routes: keys of answers in a row that take a piece farther, each with the word of the space where it arrives
    - touches: kinds of the pieces that an entry of a menu moves, turns or rolls: a click on such a piece gives it
    """

    sure: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    idle: bool = False
    why: str = ""
    warning: str = ""
    next: ChainPick | None = None
    landing: tuple[str, str] | None = None
    routes: tuple[tuple[tuple[str, ...], str], ...] = ()
    touches: tuple[str, ...] = ()


class Tried(Reply, frozen=True, tag="tried"):
    """Outcomes of answers. leads: by key, '' for the whole answer, or for choosing nothing; doubt: explains `perhaps`.
    question, take: as in the request."""

    question: int
    take: tuple[str, ...] = ()
    leads: Mapping[str, LeadsTold] = {}
    doubt: str = ""
    reader: int = 0


class Rematch(Reply, frozen=True, tag="rematch"):
    """Links to a rematch. token: to play there, or without a seat to watch, '' for its host; host: the host's, for
    whoever began it, or ''."""

    token: str = ""
    host: str = ""
    reader: int = 0


class Shared(Reply, frozen=True, tag="shared"):
    """Token for watching the finished game."""

    token: str
    reader: int = 0


class Reported(Reply, frozen=True, tag="reported"):
    """Fault report as a file for developers."""

    report: Mapping[str, Any]
    reader: int = 0


class Saved(Reply, frozen=True, tag="save"):
    """Finished game as a save."""

    save: Mapping[str, Any]
    reader: int = 0


ServerMessage = (
    Updates
    | Refusal
    | SeatGiven
    | Replaced
    | Kept
    | Past
    | Explained
    | Tried
    | Shared
    | Reported
    | Saved
    | Rematch
    | Reviewed
    | Analysed
    | RoundScores
    | WrittenDown
)
