"""Native code of one checkout, in a process of its own: what benchmarks measure.

    python tools/native_apart.py CHECKOUT EDITION SEATS

For every line with a seed and a number it plays so many games at random, and tells how many seconds of a processor
that took, and how many decisions they had. It ends with its input.
"""

from __future__ import annotations

import sys
import time

from checkouts import work_with


def main() -> None:
    checkout, edition, seats = sys.argv[1:]
    work_with(checkout)
    from rulewright.game import library, setup  # noqa: PLC0415 - of that checkout
    from rulewright.program.form import Setting  # noqa: PLC0415
    from rulewright.runtime.native import Bulk  # noqa: PLC0415

    rules = library.load(edition)
    usual = setup.check_options(rules, {})
    options = tuple(option.choices.index(usual[name]) for name, option in rules.edition.options.items())
    machine = rules.machine(int(seats), Setting((-1,) * int(seats), options))
    native = Bulk(machine.program)
    for line in sys.stdin:
        seed, games = map(int, line.split())
        start = time.process_time()
        results = native.games(machine.new(0), range(seed, seed + games))
        seconds = time.process_time() - start
        print(seconds, sum(result.decisions for result in results), flush=True)


if __name__ == "__main__":
    main()
