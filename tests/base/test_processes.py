"""Worker processes end with the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import selectors
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from project_folders import ROOT
from rulewright.base.processes import block_interrupts, defer_signals

BEGINNING = """
import multiprocessing, os, sys
from concurrent.futures import ProcessPoolExecutor
from rulewright.base.processes import end_with_parent
if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=end_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells when a process that is no child ends")
def test_a_killed_process_leaves_no_children(tmp_path: Path) -> None:
    script = tmp_path / "beginning.py"
    script.write_text(BEGINNING, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as beginning:
        assert beginning.stdout is not None
        worker = os.pidfd_open(int(beginning.stdout.readline()))
        beginning.send_signal(signal.SIGKILL)
    with selectors.DefaultSelector() as waiting:
        waiting.register(worker, selectors.EVENT_READ)
        ended = waiting.select(30)
    if not ended:
        signal.pidfd_send_signal(worker, signal.SIGKILL)
    os.close(worker)
    assert ended


@pytest.mark.parametrize("interrupt", [signal.SIGINT, signal.SIGTERM])
def test_deferred_signals_arrive_after_the_work(interrupt: signal.Signals) -> None:
    before, done = signal.getsignal(interrupt), False
    with pytest.raises(KeyboardInterrupt), defer_signals():
        signal.raise_signal(interrupt)
        done = True
    assert done and signal.getsignal(interrupt) is before


def _blocked(pipe: Connection) -> None:
    pipe.send(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


@pytest.mark.rotating(2)
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are blocked on POSIX alone")
def test_interrupts_are_blocked_while_a_process_starts() -> None:
    """A new process would print a traceback before it can handle the signal; its parent still receives it."""
    spawning = multiprocessing.get_context("spawn")
    parent_end, child_end = spawning.Pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with block_interrupts():
        process = spawning.Process(target=_blocked, args=(child_end,))
        process.start()
    assert signal.SIGINT in parent_end.recv()
    process.join()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before and signal.SIGINT not in before


KILLED = """
import os, signal
from concurrent.futures import ProcessPoolExecutor
from rulewright.base.processes import end_with_parent, spawn_context
if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, spawn_context(), initializer=end_with_parent)
    print(pool.submit(len, "four").result(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise here")
def test_semaphores_of_a_killed_process_are_removed_silently(tmp_path: Path) -> None:
    """Semaphores have names, so they outlive a process that has no time to remove them."""
    script = tmp_path / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGKILL, "4\n", "")
