"""Write down what `rulewright check` says about broken editions: `python tools/record_broken.py [NAME …]`.

For each `tests/broken/NAME.yaml`, or all of them if none is named, the output goes to `NAME.txt` beside it. Read the
difference before you keep it: each output should tell somebody who has never seen the code what to mend. Lists of all
that the grammar allows at a place are left out, for each new sentence would change them.
"""

import argparse
import contextlib
import io
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rulewright import cli

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "broken"

FROM_GRAMMAR = re.compile(r"(?<=Sentences begin with: ).+|(?<=expected for example ).+")
"""Lists of words in messages that the grammar alone decides."""


def messages_of(path: Path) -> str:
    """Return the output of `check` for an edition, called by its file's name alone."""
    before, out = Path.cwd(), io.StringIO()
    os.chdir(path.parent)
    try:
        with contextlib.redirect_stdout(out):
            cli.main(["check", path.name])
    finally:
        os.chdir(before)
    return FROM_GRAMMAR.sub("…", out.getvalue())


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a broken edition, such as unknown_zone")
    names = parser.parse_args(arguments).names
    paths = [FOLDER / f"{name.removesuffix('.yaml')}.yaml" for name in names] or sorted(FOLDER.glob("*.yaml"))
    if missing := [path.stem for path in paths if not path.is_file()]:
        parser.error(f"tests/broken has no edition called {', '.join(missing)}")
    for path in paths:
        path.with_suffix(".txt").write_text(messages_of(path), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
