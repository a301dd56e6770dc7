"""Draws editions by chance and tries everything with each: they are checked, played, saved, formatted and told.

    python tools/random_editions.py --editions 10000 --out drawn.jsonl     goes on where the file ends
    python tools/random_editions.py --editions 2000 --book --out told.jsonl
    python tools/random_editions.py --seed 4711                            shows one, and what is wrong with it
    python tools/random_editions.py --seed 4711 --shortest                 and the shortest like it
    python tools/random_editions.py --summary drawn.jsonl

One number makes one edition, as long as the generator in tests/shared/edition_generator stays as it is.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))
sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from edition_generator.random_source import from_numbers, from_seed, shrink
from edition_generator.trial import generate, try_edition


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", type=int, default=100, metavar="N", help="how many, from --from on")
    parser.add_argument("--from", type=int, default=0, metavar="SEED", dest="first", help="the first seed")
    parser.add_argument("--book", action="store_true", help="make a rulebook of each")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a row of JSON each; what is there is not done again")
    parser.add_argument("--seed", type=int, metavar="SEED", help="show one edition, and what is wrong with it")
    parser.add_argument("--shortest", action="store_true", help="with --seed: the shortest edition that fails like it")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="tell what a file of rows says")
    arguments = parser.parse_args()
    if arguments.summary is not None:
        return summary(arguments.summary)
    if arguments.seed is not None:
        return show(arguments.seed, arguments.book, arguments.shortest)
    return run(range(arguments.first, arguments.first + arguments.editions), arguments.book, arguments.out)


def run(seeds: range, book: bool, out: Path | None) -> int:
    """Try the editions of seeds, but those that a file has already, and append them to it; return the exit status."""
    done: set[int] = set()
    if out is not None and out.exists():
        done = {json.loads(row)["seed"] for row in out.read_text(encoding="utf-8").splitlines()}
    failed = 0
    for seed in seeds:
        if seed in done:
            continue
        outcome = try_edition(from_seed(seed), seed, book)
        if outcome.result == "failed":
            failed += 1
            print(f"seed {seed}: {outcome.reason}", flush=True)
        if out is not None:
            with open(out, "a", encoding="utf-8") as file:
                file.write(outcome.row() + "\n")
    return 1 if failed else summary(out) if out is not None else 0


def show(seed: int, book: bool, shorter: bool) -> int:
    """Try an edition and print it, made shorter if that is wanted and it fails; return whether it failed."""
    rng = from_seed(seed)
    outcome = try_edition(rng, seed, book)
    numbers = rng.numbers
    if shorter and outcome.result == "failed":
        expected = bare(outcome.reason)

        def fails(fewer: list[int]) -> bool:
            again = try_edition(from_numbers(fewer), seed, book)
            return again.result == "failed" and bare(again.reason) == expected

        numbers = shrink(numbers, fails)
    print(generate(from_numbers(numbers))[1])
    print(outcome.row())
    return outcome.result == "failed"


def bare(reason: str) -> str:
    """Return a failure without names and numbers."""
    return re.sub(r"'[^']*'|[\d:]+.*", "", reason)[:60]


def summary(file: Path) -> int:
    """Print the counts and failures of a file; return the exit status, 1 if anything failed."""
    rows = [json.loads(row) for row in file.read_text(encoding="utf-8").splitlines()]
    results = Counter(row["result"] for row in rows)
    ended = Counter(ending.partition(":")[0] for row in rows for ending in row["ended"])
    print(f"{len(rows)} editions: {', '.join(f'{count} {result}' for result, count in results.most_common())}.")
    print(f"{sum(ended.values())} games: {', '.join(f'{count} {how}' for how, count in ended.most_common())}.")
    print(f"{sum(row['answers'] for row in rows)} answers compared; {sum(row['seconds'] for row in rows):.0f} s.")
    for row in rows:
        if row["result"] == "failed":
            print(f"seed {row['seed']}: {row['why']}")
    return 1 if results["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
