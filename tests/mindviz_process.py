"""Runs a real mindviz in a separate process."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlencode, urlsplit

from tests import forked

T = TypeVar("T")

PATIENCE = 40.0
"""Timeout of waits in seconds: only a hang takes as long, even on a busy machine."""

_PAGE = re.compile(r"^\s*Page\s+(http\S+)$")


def wait_until(answer: Callable[[], T], why: str, patience: float = PATIENCE) -> T:
    """Poll until the answer is true; that answer."""
    deadline = time.monotonic() + patience
    while not (found := answer()):
        assert time.monotonic() < deadline, f"waited {patience:.0f} s in vain: {why}"
        time.sleep(0.01)
    return found


def run(
    *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str] | forked.Ended:
    """A command that ends on its own."""
    variables = {**os.environ, **(env or {})}
    if not _needs_interpreter(env or {}):
        with tempfile.TemporaryDirectory() as directory:
            return forked.run(
                Path(directory), forked.run_mindviz, [*arguments], variables, timeout=PATIENCE
            )
    command = [sys.executable, "-m", "mindviz", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=variables
    )


def _needs_interpreter(env: Mapping[str, str]) -> bool:
    """Whether variables have an effect only when Python starts, so not in a fork."""
    return any(name.startswith(("LD_", "PYTHON")) for name in env)


class Service:
    """Responses of a mindviz at a URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._split = urlsplit(url)

    def request(
        self, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and body; the path is relative to the URL."""
        assert self._split.hostname is not None
        connection = HTTPConnection(self._split.hostname, self._split.port, timeout=PATIENCE)
        try:
            target = self._split.path.rstrip("/") + path
            connection.request(method, target, headers=dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def json(self, path: str, **query: object) -> Any:
        """The decoded body of a successful GET."""
        target = f"/v1/mindviz{path}" + (f"?{urlencode(query, doseq=True)}" if query else "")
        status, body = self.request(target)
        assert status == 200, (target, status, body[:500])
        return json.loads(body)


class Mindviz(Service):
    """`mindviz start` in the foreground on a free port, until the block ends.

    `token` is the printed one, or ""; `url` does not contain it.
    """

    def __init__(
        self,
        base_dir: Path | str | None,
        workspace: Path,
        *options: str,
        env: Mapping[str, str] | None = None,
        as_option: bool = False,
        as_fork: bool = True,
    ) -> None:
        """`as_option` passes the base dir as `--summary-base-dir`, which also accepts `NAME=DIR`.

        None: the options name the data. `as_fork=False` starts a new interpreter.
        """
        command = ["start"]
        if base_dir is not None:
            command += [*(["--summary-base-dir"] if as_option else []), str(base_dir)]
        command += ["--port", "0", "--workspace", str(workspace), *options]
        variables = {**os.environ, **(env or {})}
        self.process: forked.MindvizFork | subprocess.Popen[str]
        if as_fork and not _needs_interpreter(env or {}):
            self.process = forked.MindvizFork(command, variables)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "mindviz", *command],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=variables,
            )
        self.lines: list[str] = []
        self._unread: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            found = _PAGE.match(self.wait_for_line(_PAGE.pattern))
        except BaseException:
            self.end()
            raise
        assert found is not None
        url, _, token = str(found[1]).partition("?token=")
        self.token = token
        super().__init__(url)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._unread.put(line.rstrip("\n"))
        self._unread.put(None)

    def wait_for_line(self, pattern: str) -> str:
        """The next line of its output that matches the pattern."""
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self._unread.get(timeout=max(0.01, deadline - time.monotonic()))
            assert line is not None, f"no line {pattern!r} in its output: {self.lines}"
            self.lines.append(line)
            if re.search(pattern, line):
                return line

    def wait_until_loaded(self) -> None:
        """Wait until everything found at the start is loaded."""
        wait_until(lambda: self.json("/status")["load_status"] == "loaded", "load_status loaded")

    def request(
        self, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """As in Service; the error contains its output if it does not answer."""
        try:
            return super().request(path, method=method, headers=headers)
        except ConnectionError as error:
            self.end()
            output = "\n".join([*self.lines, *self.unread()])
            raise AssertionError(f"no answer to {path}: {error}; it printed\n{output}") from None

    def signal(self, number: signal.Signals) -> int:
        """Send this signal; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def unread(self) -> list[str]:
        """The rest of its output, after it has ended."""
        return list(iter(self._unread.get, None))

    def end(self) -> None:
        """Terminate it, then kill it."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()
