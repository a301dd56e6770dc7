"""Times of answers: how well bots keep what they promise, game by game.

    python tools/answer_times.py [GAME|FILE…] [--kinds easy,medium,hard,best] [--answers N]

A bot of each kind plays one game of each edition, the whole shelf if none is named, against others at random. It thinks
by the processor's time, as if nothing else ran. The table compares within one run: the first answer, the median, the
99th percentile and the longest, with the time that is promised for it and what a table adds to that before it shows the
answer (`players.answer_time`). Where nothing is hidden an answer may come sooner. The last line names what is late.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from matching.meter import think_by_processor_time
from rulewright.game import library
from rulewright.model.editions import available
from rulewright.players import LEVELS, make_player, table_kind
from rulewright.players.answer_time import REST
from rulewright.players.kinds import read_budget
from rulewright.runtime.information_state import information_state

SEED = 3


def seconds_of_answers(name: str, kind: str, most: int) -> list[float]:
    """Play a game and return the seconds of the processor that each answer of a kind took."""
    rules = library.load(name)
    edition = rules.edition
    machine = rules.machine(next(count for count in edition.seat_counts() if count > 1))
    player, chance = make_player(kind, machine, evenly=True), make_player("random", machine)
    think_by_processor_time()
    s, rng, times = machine.new(SEED), Random(SEED), list[float]()
    machine.run(s)
    while len(times) < most and (open_ := machine.open_decisions(s)):
        decision = open_[0]
        known = information_state(machine, s, decision.seat)
        start = time.process_time()
        answer = (chance if decision.seat else player).choose(known, decision, rng)
        if not decision.seat:
            times.append(time.process_time() - start)
        machine.answer(s, decision, answer)
        machine.run(s)
    return times


def row(name: str, kind: str, times: Sequence[float]) -> tuple[str, bool]:
    """Return a line of the table, and whether too many answers were late."""
    ordered, promised = sorted(times), (read_budget(kind)[1].milliseconds or 0) / 1000
    median, high = (ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.99))
    figures = [f"{1000 * value:.0f}" for value in (times[0], median, high, ordered[-1], promised)]
    late = high > promised + REST
    return f"| `{name}` | `{kind}` | {len(times)} | {' | '.join(figures)} | {'late' if late else ''} |", late


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="names or files; else the whole shelf")
    parser.add_argument("--kinds", default=",".join(LEVELS), help="of bots")
    parser.add_argument("--answers", type=int, default=60, help="at most, in each game")
    arguments = parser.parse_args()
    print("| edition | bot | answers | first ms | median | 99 % | longest | promised | |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    late = []
    for name in arguments.games or sorted(available()):
        for kind in map(table_kind, arguments.kinds.split(",")):
            if times := seconds_of_answers(name, kind, arguments.answers):
                line, is_late = row(name, kind, times)
                late += [f"{name} {kind}"] if is_late else []
                print(line, flush=True)
    print(f"\nLate, by more than {1000 * REST:.0f} ms at the 99th percentile: {', '.join(late) or 'none'}.")


if __name__ == "__main__":
    main()
