"""PageServers: the servers that a notebook's kernel started, as child processes."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from mindviz.config import child_environment
from mindviz.errors import StartError

_URL = re.compile(r"Page\s+(https?://\S+)")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_GRACE = 10.0
"""Seconds for a server to end."""


@dataclass(frozen=True, slots=True)
class PageServer:
    """A running server."""

    arguments: tuple[str, ...]
    """Of `mindviz start`, after the directory the kernel was in."""
    port: int
    token: str
    process: subprocess.Popen[str]
    drain: threading.Thread
    """Reads what the server prints: a full pipe would block it."""
    started: float = field(default_factory=time.time)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def stop(self) -> None:
        """End it, and wait for its end."""
        self.process.terminate()
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.drain.join()
        _close(self.process)


class PageServers:
    """At most one server for equal arguments. All end with this process."""

    def __init__(self) -> None:
        self._servers: list[PageServer] = []

    def running(self) -> list[PageServer]:
        """Those that have not ended, in the order of their starts."""
        self._servers = [server for server in self._servers if server.is_running]
        return list(self._servers)

    def find(self, arguments: Sequence[str]) -> PageServer | None:
        """The server that was started with these arguments in this directory."""
        key = (str(Path.cwd()), *arguments)
        return next((one for one in self.running() if one.arguments == key), None)

    def start(
        self, arguments: Sequence[str], more: Sequence[str] = (), token: str = ""
    ) -> PageServer:
        """A new server; `more` does not distinguish it from others. Returns when it answers.

        Raises StartError with the reason why it ended.
        """
        # Not on the command line, which all users of this machine see.
        options = {"auth-token": token} if token else {}
        process = subprocess.Popen(
            [sys.executable, "-m", "mindviz.notebook.page_process", *arguments, *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=child_environment(options),
            # Jupyter interrupts the kernel's group of processes.
            start_new_session=True,
        )
        try:
            port = _announced_port(process)
        except BaseException:  # also if the cell is interrupted
            process.kill()
            process.wait()
            _close(process)
            raise
        drain = threading.Thread(target=_drain, args=(process,), daemon=True)
        drain.start()
        server = PageServer((str(Path.cwd()), *arguments), port, token, process, drain)
        self._servers.append(server)
        return server


def _announced_port(process: subprocess.Popen[str]) -> int:
    """The port in what the server prints, after it has bound it. Raises StartError."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(_ANSI.sub("", line).strip())
        if found := _URL.match(lines[-1]):
            port = urlsplit(found[1]).port
            assert port is not None
            return port
    reason = next((line for line in reversed(lines) if line), "it printed nothing")
    raise StartError(f"mindviz did not start: {reason.removeprefix('Error: ')}")


def _drain(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    for _ in process.stdout:
        pass


def _close(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
