"""Run commands over thousands of spoilt files: `python tools/hostile.py --cases 5000 --kept hostile.jsonl`.

Each case has a number and is the same every time. What came of it is appended to the file, so that a run which was
stopped goes on; the status is 1 if anything was wrong. `--only N` runs one case again and tells all of it; its status
is always 0.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "shared"))

import hostile_files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5000, help="how many in all; else 5000")
    parser.add_argument("--kept", type=Path, default=Path("hostile.jsonl"), help="where what came of them is kept")
    parser.add_argument("--only", type=int, metavar="N", help="one case again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hostile-") as scratch:
        os.environ["RULEWRIGHT_CACHE"] = str(Path(scratch) / "cache")
        result = Path(scratch) / "made"
        result.mkdir()
        among = hostile_files.samples(result)
        if arguments.only is not None:
            print(json.dumps(asdict(hostile_files.case(arguments.only, among, Path(scratch) / "case")), indent=1))
            return 0
        done = arguments.kept.read_text("utf-8").count("\n") if arguments.kept.exists() else 0
        with open(arguments.kept, "a", encoding="utf-8") as file:
            for number in range(done, arguments.cases):
                before = time.process_time()
                outcome = hostile_files.case(number, among, Path(scratch) / "case")
                seconds = round(time.process_time() - before, 2)
                print(json.dumps({**asdict(outcome), "seconds": seconds}), file=file, flush=True)
                for wrong in outcome.wrong:
                    print(f"{number} ({outcome.file}): {wrong}", flush=True)
    return print_summary(arguments.kept)


def print_summary(path: Path) -> int:
    """Print the figures of a run from its file; return the exit status, 1 if anything was wrong."""
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    commands = Counter(command.split()[0] for found in cases for command in found["commands"])
    statuses = Counter(str(status) for found in cases for status in found["statuses"])
    wrong = [found["number"] for found in cases if found["wrong"]]
    print(f"{len(cases)} cases, {sum(commands.values())} commands: {dict(commands.most_common())}")
    print(f"statuses: {dict(statuses.most_common(5))}; slowest case: {max(found['seconds'] for found in cases)} s")
    print(f"{len(wrong)} cases with something wrong: {wrong[:50]}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
