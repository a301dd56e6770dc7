"""Tries every fix that an editor knows on thousands of broken files, and tells what comes of them.

    python tools/try_fixes.py --files 2000           files 0 to 1999, each a sound edition with a mistake or two
    python tools/try_fixes.py --files 1 --from 4711  one of them
    python tools/try_fixes.py --files 200 --useless  also each fix that is known, leaves as many mistakes, and so is
                                                     not offered

It ends with 1 where a fix is offered that leaves as many mistakes as there were.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))
sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from fix_trials import FixTrial, broken, trials


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=100, metavar="N", help="how many")
    parser.add_argument("--from", type=int, default=0, metavar="NUMBER", dest="first", help="the first one")
    parser.add_argument("--useless", action="store_true", help="tell also of what is not offered")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.files):
        path, text = broken(number)
        for trial in trials(path, text):
            kind = "offered" if trial.offered else "not offered"
            counts[kind] += 1
            if trial.offered and not trial.mends:
                counts["ruinous"] += 1
            if trial.offered != trial.mends or (arguments.useless and not trial.offered):
                tell(number, path, text, trial)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if counts["ruinous"] else 0


def tell(number: int, path: Path, text: str, trial: FixTrial) -> None:
    place, fix = trial.diagnostic.place, trial.fix
    print(f"{number}, {path.name}:{place.line}:{place.column}: {trial.diagnostic.code}: {trial.diagnostic.message}")
    print(f"    {text.splitlines()[place.line - 1] if place.line <= len(text.splitlines()) else ''}")
    print(f"    {fix.title}: {fix.new!r} from {fix.start} to {fix.end}; errors {trial.errors[0]} -> {trial.errors[1]}")


if __name__ == "__main__":
    sys.exit(main())
