"""Daemon: mindviz without a terminal, left behind by a command that has returned."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from mindviz.errors import MindvizError, StartError

_PATIENCE = 60.0
"""Seconds until the first answer; far more than it takes, since machines can be busy."""
_ASK_INTERVAL = 0.05
_LONGEST_MESSAGE = 4096


def leave_behind(serve: Callable[[], None], answers: Callable[[], bool], log: Path) -> int:
    """Run `serve` in a process of its own session and return its pid once `answers` says True.

    It writes to `log`. Raises StartError if it ended first (its message, if it has one) or does
    not answer in time.
    """
    reason_read, reason_write = os.pipe()
    os.set_blocking(reason_read, False)
    sys.stdout.flush()
    sys.stderr.flush()
    # Forked before anything has started a thread, so nothing is copied halfway.
    pid = os.fork()
    if pid == 0:
        os.close(reason_read)
        _become_daemon(serve, reason_write, log)
    os.close(reason_write)
    try:
        _wait_until(answers, pid, reason_read, log)
    finally:
        os.close(reason_read)
    return pid


def _wait_until(answers: Callable[[], bool], pid: int, reason: int, log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not answers():
        ended, _ = os.waitpid(pid, os.WNOHANG)
        if ended:
            try:
                message = os.read(reason, _LONGEST_MESSAGE).decode(errors="replace")
            except BlockingIOError:
                message = ""
            raise StartError(message or f"mindviz ended while starting; {log} may say why.")
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGTERM)
            raise StartError(f"mindviz did not answer within {_PATIENCE:.0f} s; see {log}.")
        time.sleep(_ASK_INTERVAL)


def _become_daemon(serve: Callable[[], None], reason: int, log: Path) -> None:
    """Never returns: what follows the fork belongs to the other process."""
    code = 1
    try:
        os.setsid()
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        silence = os.open(os.devnull, os.O_RDONLY)
        os.dup2(silence, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        # A daemon keeps no directory busy that somebody may want to unmount.
        os.chdir("/")
        serve()
        code = 0
    except MindvizError as error:
        os.write(reason, str(error).encode()[:_LONGEST_MESSAGE])
        code = 2
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:  # noqa: BLE001 - there is no caller left who could handle it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
