"""Runs the server as a daemon."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from mindviz.errors import MindvizError, StartError

_TIMEOUT = 60.0
"""Seconds until the server must respond; generous, because machines can be busy."""
_POLL_INTERVAL = 0.05
_MAX_MESSAGE = 4096


def start_daemon(serve: Callable[[], None], responds: Callable[[], bool], log: Path) -> int:
    """Run `serve` in a daemon process that prints to `log`; return its pid once it responds.

    Raises StartError if the process exits first, with its error message, or does not respond in
    time.
    """
    reason_read, reason_write = os.pipe()
    os.set_blocking(reason_read, False)
    sys.stdout.flush()
    sys.stderr.flush()
    # No thread has been started yet, so the fork cannot copy a locked lock.
    pid = os.fork()
    if pid == 0:
        os.close(reason_read)
        _become_daemon(serve, reason_write, log)
    os.close(reason_write)
    try:
        _wait_until(responds, pid, reason_read, log)
    finally:
        os.close(reason_read)
    return pid


def _wait_until(responds: Callable[[], bool], pid: int, reason: int, log: Path) -> None:
    deadline = time.monotonic() + _TIMEOUT
    while not responds():
        exited, _ = os.waitpid(pid, os.WNOHANG)
        if exited:
            try:
                message = os.read(reason, _MAX_MESSAGE).decode(errors="replace")
            except BlockingIOError:
                message = ""
            raise StartError(message or f"mindviz exited while starting; see {log}.")
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGTERM)
            raise StartError(f"mindviz did not respond within {_TIMEOUT:.0f} s; see {log}.")
        time.sleep(_POLL_INTERVAL)


def _become_daemon(serve: Callable[[], None], reason: int, log: Path) -> None:
    """Never returns: the code after the fork is the parent's."""
    code = 1
    try:
        os.setsid()
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir("/")  # so that the current directory can be unmounted
        serve()
        code = 0
    except MindvizError as error:
        os.write(reason, str(error).encode()[:_MAX_MESSAGE])
        code = 2
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:  # noqa: BLE001 - the process ends here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
