"""PostgreSQL for the tests: a server per process, in a temporary directory and on a free port.

It refuses to run as root, so root starts it as the user `postgres` and installs Debian's package if
it is missing. Other users without it skip the tests, with the reason.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

_OPTIONS = "-c fsync=off -c listen_addresses=127.0.0.1"


class PostgreSQL:
    """A server that can be stopped and started again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._data = directory / "data"
        self.port = _free_port()
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-E", "UTF8", "--no-sync")
        self._databases = 0
        self._is_running = False
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = ["runuser", "-u", "postgres", "--", str(programs() / program), *arguments]
        # To a file: the server would keep a pipe open, and we would wait for its end.
        with (self._directory / "output").open("ab") as output:
            subprocess.run(command, check=True, stdout=output, stderr=output, cwd="/")

    def start(self) -> None:
        """Wait until it answers."""
        options = f"-p {self.port} -k {self._directory} {_OPTIONS}"
        log = str(self._data / "log")
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", options, "start")
        self._is_running = True

    def stop(self) -> None:
        """Stop it and close all connections."""
        if self._is_running:
            self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")
        self._is_running = False

    def new_database(self) -> str:
        """The URL of an empty database."""
        if not self._is_running:  # a test failed before it started the server again
            self.start()
        self._databases += 1
        name = f"test{self._databases}"
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), name)
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"


_AT_END = ExitStack()


@cache
def postgresql() -> PostgreSQL:
    """The running server of all tests of this process; skips if none can be started.

    Tests that stop it start it again.
    """
    pytest.importorskip("psycopg", reason="needs psycopg: pip install mindviz[postgresql]")
    if os.geteuid() != 0:
        pytest.skip("needs root, who starts PostgreSQL as the user postgres")
    programs()
    directory = Path(_AT_END.enter_context(tempfile.TemporaryDirectory(prefix="mindviz-pg")))
    directory.chmod(0o777)
    server = PostgreSQL(directory)
    _AT_END.callback(server.stop)
    return server


def stop_postgresql() -> None:
    """Stop the server, if one was started, and delete its data."""
    _AT_END.close()


@cache
def programs() -> Path:
    """The folder of PostgreSQL's programs; skips if they cannot be installed."""
    found = _installed()
    if found is None and shutil.which("apt-get"):
        for arguments in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
            subprocess.run(["apt-get", "-qq", *arguments], check=False, capture_output=True)
        found = _installed()
    if found is None:
        pytest.skip("needs Debian's package postgresql")
    return found


def _installed() -> Path | None:
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


def _free_port() -> int:
    # It is bound a second later. Connections of other tests get ports above these.
    while True:
        port = 10_000 + secrets.randbelow(22_768)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
