"""Write down what `rulewright check` says about each broken edition: `python tools/record_broken.py`.

For every `tests/broken/NAME.yaml` the output goes to `NAME.txt` beside it. Read the difference before you keep it:
each output should tell somebody who has never seen the code what to mend.
"""

import contextlib
import io
import os
import sys
from pathlib import Path

from rulewright import cli

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "broken"


def messages_of(path: Path) -> str:
    """Return the output of `check` for an edition, called by its file's name alone."""
    before, out = Path.cwd(), io.StringIO()
    os.chdir(path.parent)
    try:
        with contextlib.redirect_stdout(out):
            cli.main(["check", path.name])
    finally:
        os.chdir(before)
    return out.getvalue()


def main() -> int:
    for path in sorted(FOLDER.glob("*.yaml")):
        path.with_suffix(".txt").write_text(messages_of(path), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(__doc__ if len(sys.argv) > 1 else main())
