"""Cases of a small game, run."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rulewright.authoring.scenarios import run

PEBBLES = """\
edition:
  rulewright: 1
  title: Pebbles
  players: 1 to 2
  seats: 2
  words: {colour: {grey: , white: }}
  pieces:
    pebble: {each: colour, copies: 3, starts in: heap, noun: "{colour} pebble"}
    coin: {copies: 2, starts in: bank}
  zones:
    heap: {holds: pebble, seen by: all}
    bank: {holds: coin, seen by: nobody, at most: 2}
    pouch: {of: seat, holds: pebble, seen by: owner, at most: 4}
  counters: {game: {windy: no, gusts: 0}, seat: {turns: 0}}
  phases:
    gathering:
      do:
        - each seat: do gather
        - if heap is empty: end game
        - if windy:
            - repeat while windy: add 1 to gusts
      steps:
        gather:
          do:
            - choose 1 to 2 from heap into pouch: {ask: Which pebbles do you take?}
            - add 1 to turns
            - log: "{seat} takes {pouch}."
    resting: {do: [log: Everybody rests.]}
  roles: {crow: {joins: {1: optional}, scored: no}}
  options: {fast: {text: A fast game.}}
  scoring: {pebbles: {points: number of pouch}}
  ranking: highest score
seats: [Ada, Ben]
cases:
"""


FIRST = PEBBLES.count("\n") + 1


def ran(tmp_path: Path, body: str, whole: str = PEBBLES) -> tuple[int, str]:
    """Exit status and output for a file whose cases are `body`; its name is left out."""
    file = tmp_path / "x.yaml"
    file.write_text(whole + body, encoding="utf-8")
    out = io.StringIO()
    status = run([str(file)], out)
    assert re.search(r"^[0-9]+ passed, [0-9]+ failed\n\Z", out.getvalue(), re.MULTILINE)
    assert "Traceback" not in out.getvalue()
    return status, out.getvalue().replace(str(file), "x.yaml")
