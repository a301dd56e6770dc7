"""Record whole games: `python tools/playthroughs.py` writes tests/playthroughs/ anew.

One game of every shipped edition with every set of seats that it allows, of those of a series with the largest, and of
their variants, such as those on a larger board, none, played by chance and told as an onlooker reads it (of a long
game, its beginning and its end). A test compares them. After a change that is meant, record them again and read the
difference.
"""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from rulewright.game import library
from rulewright.i18n.localizer import Person, phrase
from rulewright.model.edition import Edition
from rulewright.players.seating import RANDOM_BOT, read_seats
from rulewright.players.session import Session
from rulewright.publish import log_sections
from rulewright.publish.console import Console

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "playthroughs"
SEED = 1
MOST_LINES = 400


def tables() -> Iterator[tuple[str, str, str]]:
    """Yield the games to record: the file, from FOLDER; the edition's name; and the players, as `--seats` has them."""
    for name in library.available():
        edition = library.load(name).edition
        if edition.series and edition.bases:
            continue
        for people, roles in [*seatings(edition)][-1:] if edition.series else seatings(edition):
            seats = [*[RANDOM_BOT] * people, *roles]
            file = f"{'-'.join([f'{len(seats)}-seats', *(f'with-{role}' for role in roles)])}.txt"
            yield f"{name.replace('/', '-')}/{file}", name, ",".join(seats)


def seatings(edition: Edition) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield every number of players with every set of virtual players that may join them."""
    for people in range(edition.people[0], edition.people[1] + 1):
        may = [role.name for role in edition.roles.values() if people in role.joins]
        must = {name for name in may if edition.roles[name].joins[people]}
        for size in range(len(may) + 1):
            for roles in combinations(may, size):
                if must <= set(roles) and people + size in edition.seat_counts():
                    yield people, roles


def recorded(name: str, seats: str) -> str:
    """Play a game of an edition, and return it as text, from the first line of its log to the points."""
    rules = library.load(name)
    session = Session.start(rules, read_seats(seats, rules.edition), seed=SEED)
    while session.play_bot():
        pass
    out = io.StringIO()
    console = Console(None, out, "never")
    console.write_line(f"rulewright play {name} --seats {seats} --seed {SEED}")
    console.write_line(phrase("terminal", "At the table: {names}.", names=tuple(map(Person, session.game.names))))
    console.write_line()
    log_sections.write_sections(console, log_sections.sections(session.game, None))
    console.write_line()
    log_sections.write_result(console, session.game)
    return shortened(out.getvalue().splitlines())


def shortened(lines: list[str]) -> str:
    """Return lines as text, of many only the beginning and the end; a mark changes with what is left out."""
    left_out = lines[MOST_LINES // 2 : -MOST_LINES // 2]
    if len(lines) > MOST_LINES:
        mark = hashlib.sha256("\n".join(left_out).encode()).hexdigest()[:16]
        lines = [*lines[: MOST_LINES // 2], f"… {len(left_out)} lines, {mark} …", *lines[-MOST_LINES // 2 :]]
    return "\n".join([*lines, ""])


def record(folder: Path) -> None:
    """Write every game, and remove those that are of no table any more."""
    texts = {folder / file: recorded(name, seats) for file, name, seats in tables()}
    for old in set(folder.rglob("*.txt")) - set(texts):
        old.unlink()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    record(FOLDER)
