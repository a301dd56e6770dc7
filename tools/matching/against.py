"""Matches with seats changed and openings drawn: `tools/matches.py EDITION [A] --against B`."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from matching import scores
from matching.own_games import OwnGames
from matching.own_sides import BotSide, MatchError, OwnSide, own_side, timed
from rulewright.base.processes import spawn_context
from rulewright.game import library
from rulewright.model.editions import UnknownEdition

OPENSPIEL = ("mcts", "ismcts", "cfr")
"""Sides that OpenSpiel plays."""
CFR_GAMES = ("kuhn_poker", "leduc_poker", "liars_dice")
"""Games that are small enough for `cfr`."""
HEADER = (
    "| game | A | B | seconds | deals | games | A's score | 95 % interval | A wins (even) | A's points "
    "| processor s a move, A : B | MiB, A : B | tries a move, B |\n"
    f"|{'---|' * 13}"
)


class Duel:
    """Two sides, A and B, and the games that they play. notes: lines for people."""

    def __init__(self, arguments: Namespace) -> None:
        self.arguments, self.notes = arguments, list[str]()
        self.a, self.b = arguments.a, arguments.against
        self.openspiel = self.b in OPENSPIEL
        self.games: Any = self._carried_games() if self.openspiel else self._own_games()
        self.seats: str = arguments.seats or "A" + "B" * (self.games.seat_count - 1)
        if set(self.seats) != {"A", "B"} or len(self.seats) != self.games.seat_count:
            raise MatchError(f"--seats: one letter, A or B, for each of {self.games.seat_count} seats.")
        self.seatings = scores.seatings(self.seats)
        self._parts = 1.0  # decisions here to a move there
        self.sides: dict[str, Any] = {"B": self._opponent(), "A": self._own_side(timed(self.a, arguments.seconds))}
        if self.openspiel:
            self.games.play_match(0, [BotSide("random", by_processor=False)] * self.games.seat_count, 0)
            self._share_time()

    def _carried_games(self) -> Any:
        """Return games that are carried on in OpenSpiel. Raises MatchError."""
        try:
            from matching.carried_games import CarriedGames, pairing_of  # noqa: PLC0415 - it needs OpenSpiel
        except ImportError as error:
            raise MatchError(f"'{self.b}' needs OpenSpiel: pip install open-spiel ({error}).") from error
        pairing = pairing_of(self.arguments.edition)
        if pairing is None:
            raise MatchError(f"No lock step carries '{self.arguments.edition}' to OpenSpiel.")
        if self.arguments.option:
            raise MatchError("--option: against OpenSpiel a game is played as its lock step demands.")
        options = "".join(f", {name}: {choice}" for name, choice in (pairing.options or {}).items())
        edition, folder = Path(pairing.edition).stem, "shelf" if pairing.shelf else "tests"
        self.notes.append(f"Edition '{edition}' of the {folder}{options}; there {pairing.theirs}.")
        games = CarriedGames(pairing)
        if games.is_dealt:
            self.arguments.opening = 0
        return games

    def _own_games(self) -> OwnGames:
        """Return games at our own table, of an edition, or of the one that the lock step has for OpenSpiel's name."""
        name = self.arguments.edition
        options = dict(option.partition("=")[::2] for option in self.arguments.option)
        try:
            least = library.load(name).edition.people[0]
        except UnknownEdition:
            with suppress(ImportError):
                from matching.carried_games import edition_of  # noqa: PLC0415 - it needs OpenSpiel

                if (known := edition_of(name)) is not None:
                    return OwnGames(str(known[0]), len(self.arguments.seats or "") or known[2], {**known[1], **options})
            raise
        return OwnGames(name, len(self.arguments.seats or "") or max(2, least), options)

    def _opponent(self) -> Any:
        """Return B's side."""
        if self.openspiel:
            return self._their_side(self.games.game, self.arguments.seconds)
        return self._own_side(timed(self.b, self.arguments.seconds))

    def _share_time(self) -> None:
        """Give A a part of a move's time for each of its decisions: as many as moves had in the last games."""
        if self.games.actions and isinstance(self.sides["A"], BotSide):
            self._parts = max(1.0, self.games.thoughts / self.games.actions)
            self.sides["A"].kind = timed(self.a, self.arguments.seconds / self._parts)
        self.games.thoughts = self.games.actions = 0

    def _their_side(self, game: Any, seconds: float) -> Any:
        """Return a side of OpenSpiel's. Raises MatchError where it cannot play the game."""
        import pyspiel  # noqa: PLC0415 - it is not always there

        from matching import hidden_sides, openspiel_sides  # noqa: PLC0415 - they need it

        kind, name = game.get_type(), game.get_type().short_name
        at_once = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        if (self.b == "mcts") == (at_once or kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION):
            other = "ismcts" if self.b == "mcts" else "mcts"
            raise MatchError(f"'{self.b}' does not play {name}: take '{other}'.")
        if self.b == "mcts":
            return openspiel_sides.MctsSide(game, seconds)
        if self.b == "cfr":
            if name not in CFR_GAMES:
                raise MatchError(f"'cfr' plays {', '.join(CFR_GAMES)}; for {name} take 'ismcts'.")
            solver = hidden_sides.CfrSide(game)
            self.notes.append(f"CFR+ after {solver.rounds} rounds: exploitability {solver.exploitability:.5f}.")
            return solver
        searcher = hidden_sides.IsmctsSide(game, seconds)
        if searcher.in_python:
            self.notes.append("OpenSpiel's search in C++ cannot draw worlds here: the one in Python plays.")
        if name == "hearts":
            self.notes.append("Only deals in which nothing is passed: OpenSpiel's search crashes in the others.")
        return searcher

    def _own_side(self, name: str) -> OwnSide:
        return own_side(name, by_processor=self.arguments.clock == "processor")

    def play(self, deal: int, turn: int) -> dict[str, Any]:
        """Play one game of a deal; return what is kept of it. turn: its seating."""
        seats = self.seatings[turn]
        for side in self.sides.values():
            side.meter.processor, side.meter.wall = [], []
        end = self.games.play_match(deal, [self.sides[name] for name in seats], self.arguments.opening)
        result: dict[str, Any] = {"deal": deal, "turn": turn, "seats": seats}
        result |= {"values": end.values, "points": end.points, "limited": end.limited}
        for name, side in self.sides.items():
            meter = side.meter
            result[name] = {
                "processor": [round(each, 4) for each in meter.processor],
                "wall": [round(each, 4) for each in meter.wall],
                "memory": meter.memory,
                "moves": len(meter.processor),
            }
        if self.openspiel:
            result["A"]["moves"] = self.games.actions
            self._share_time()
        if hasattr(self.sides["B"], "tries"):
            result["B"]["tries"] = self.sides["B"].tries
            self.sides["B"].tries = []
        return result

    @property
    def setting(self) -> list[Any]:
        """Setting that a kept game must have if the match is to go on from it."""
        arguments = self.arguments
        pace = [arguments.seconds, arguments.opening, arguments.clock]
        return [arguments.edition, arguments.option, self.seats, *pace, arguments.a, arguments.against]


def stored_games(file: Path | None, setting: list[Any]) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the games that a file has of a setting, by deal and seating."""
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(game["deal"], game["turn"]): game for game in lines if game["setting"] == setting}


_duels: list[Duel] = []  # of a process, one


def _begin(arguments: Namespace) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that keeps what was played
    _duels.append(Duel(arguments))


def _play(game: tuple[int, int]) -> dict[str, Any]:
    return _duels[0].play(*game)


def new_games(duel: Duel, games: list[tuple[int, int]]) -> Iterator[dict[str, Any]]:
    """Play games in their order, here or in several processes."""
    if duel.arguments.processes == 1 or not games:
        yield from (duel.play(*game) for game in games)
        return
    with spawn_context().Pool(duel.arguments.processes, _begin, (duel.arguments,)) as pool:
        yield from pool.imap(_play, games)


def played(duel: Duel) -> Iterator[dict[str, Any]]:
    """Play all games that are not kept yet; yield all, deal by deal."""
    arguments, setting = duel.arguments, json.loads(json.dumps(duel.setting))
    done = stored_games(arguments.keep, setting)
    deals = range(arguments.seed, arguments.seed + arguments.pairs)
    games = [(deal, turn) for deal in deals for turn in range(len(duel.seatings))]
    results = new_games(duel, [game for game in games if game not in done])
    for game in games:
        if game not in done:
            done[game] = next(results)
            if arguments.keep:
                with arguments.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"setting": setting, **done[game]}) + "\n")
        yield done[game]


def row(duel: Duel, games: list[dict[str, Any]]) -> str:
    """Return the line of the table."""
    results = [(game["deal"], scores.points(game["seats"], game["values"])) for game in games]
    score = scores.by_deals(results, len(duel.seatings))
    won = sum(scores.wins(game["seats"], game["values"]) for game in games) / len(games)
    even = duel.seats.count("A") / len(duel.seats)
    used, most = [], []
    for name in "AB":
        seconds = sum(sum(game[name]["processor"]) for game in games)
        moves = sum(game[name]["moves"] for game in games)
        used.append(f"{seconds / max(1, moves):.3f}")
        most.append(f"{max(game[name]['memory'] for game in games) / 1024:.0f}")
    tries = [each for game in games for each in game["B"].get("tries", ())]
    return "| {} |".format(
        " | ".join(
            [
                f"`{duel.arguments.edition}`",
                *(f"`{Path(name).name}`" for name in (duel.a, duel.b)),
                f"{duel.arguments.seconds:g}",
                str(score.count),
                str(len(games)),
                f"{100 * score.value:.0f} %",
                f"{100 * score.low:.0f}–{100 * score.high:.0f} %",
                f"{100 * won:.0f} % ({100 * even:.0f} %)",
                returned(duel, games),
                " : ".join(used),
                " : ".join(most),
                f"{sum(tries) / len(tries):,.0f}" if tries else "–",
            ]
        )
    )


def returned(duel: Duel, games: list[dict[str, Any]]) -> str:
    """Return what A has above the average of the seats, with its interval, in games of points."""
    if all(abs(value) <= 1 for game in games for value in game["points"]):
        return "–"
    results = [(game["deal"], scores.above_average(game["seats"], game["points"])) for game in games]
    figure = scores.mean_by_deals(results, len(duel.seatings))
    return f"{figure.value:+.2f} ({figure.low:+.2f} to {figure.high:+.2f})"


def time_table(duel: Duel, games: list[dict[str, Any]]) -> str:
    """Return the table of how a time for a move is kept: of A for each decision, of B for each action."""
    lines = ["| side | answers | processor: median | 95 % | 99 % | wall: median | 95 % | 99 % |", "|---|" + "---|" * 7]
    for name, kind in zip("AB", (duel.a, duel.b), strict=True):
        figures: list[float] = []
        for clock in ("processor", "wall"):
            figures += scores.quantiles([each for game in games for each in game[name][clock]])
        count = sum(len(game[name]["wall"]) for game in games)
        lines.append(f"| {name}: `{Path(kind).name}` | {count} | {' | '.join(f'{each:.3f}' for each in figures)} |")
    return "\n".join(lines)


def run(arguments: Namespace) -> int:
    """Play a match in each of the editions; return the exit status."""
    for edition in arguments.edition.split(","):
        if status := run_one(Namespace(**{**vars(arguments), "edition": edition})):
            return status
    return 0


def run_one(arguments: Namespace) -> int:
    """Play a match, tell what came of it, and append it to a table if one is given."""
    duel, games = Duel(arguments), list[dict[str, Any]]()
    for note in duel.notes:
        print(note, file=sys.stderr)
    total = arguments.pairs * len(duel.seatings)
    try:
        for game in played(duel):
            games.append(game)
            score = sum(scores.points(each["seats"], each["values"]) for each in games) / len(games)
            text = f"\r{len(games)} of {total} games, A's score {100 * score:.0f} %"
            print(text, end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("\nStopped: this is what was played.", file=sys.stderr)
    print("\r\033[K", end="", file=sys.stderr)
    if not games:
        return 130
    line = row(duel, games)
    print(f"{HEADER}\n{line}\n\n{time_table(duel, games)}", flush=True)
    if limited := sum(game["limited"] for game in games):
        print(f"\nThe limit of answers ended {limited} games; places are those of then.")
    if arguments.append:
        append(arguments.append, line)
    return 0 if len(games) == total else 130


def append(file: Path, line: str) -> None:
    """Append a line to a table, with the command that made it and the commit that it ran from."""
    parser = ArgumentParser(add_help=False)
    for option in ("--append", "--keep"):
        parser.add_argument(option)
    words = shlex.join(parser.parse_known_args(sys.argv[1:])[1])
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "–"
    new = not file.exists()
    with file.open("a", encoding="utf-8") as table:
        if new:
            head, ruler = HEADER.split("\n")
            table.write(f"{head} command | commit |\n{ruler}---|---|\n")
        table.write(f"{line} `python tools/matches.py {words}` | {commit} |\n")
