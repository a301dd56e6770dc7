"""Other checkouts of this repository, for benchmarks that set two side by side, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


@contextmanager
def checkout(folder_or_commit: str) -> Iterator[Path]:
    """Yield a folder as it is, or one with a commit of this repository, which is removed afterwards. Exits for
    anything else."""
    if Path(folder_or_commit).is_dir():
        yield Path(folder_or_commit).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(CHECKOUT), "worktree"]
        if subprocess.run([*git, "add", "--quiet", "--detach", folder, folder_or_commit], check=False).returncode:
            raise SystemExit(f"'{folder_or_commit}' is neither a folder nor a commit.")
        try:
            yield Path(folder).resolve()
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=False)


def work_with(code: str) -> None:
    """Import Rulewright from a checkout in this process. Exits if that has none."""
    sys.path.insert(0, str(Path(code) / "interpreter"))
    import rulewright  # noqa: PLC0415 - of that checkout

    if not Path(rulewright.__file__).is_relative_to(Path(code).resolve() / "interpreter"):
        raise SystemExit(f"{code} is no checkout of Rulewright.")
