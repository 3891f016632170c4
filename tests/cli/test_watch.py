"""`mindviz watch` in a real terminal, a dumb one, and a pipe."""

from __future__ import annotations

import fcntl
import math
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.cli import cli
from tests.written_logs import events, tensorboard_log, write

LOG = "events.out.tfevents.1.h"
PATIENCE = 30
"""Seconds until a test gives up."""
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
"""The alternate screen."""
CONTROL = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


class Terminal:
    """A pseudo terminal with `mindviz watch` in it."""

    def __init__(
        self, *arguments: object, size: tuple[int, int] = (24, 80), env: Mapping[str, str] = {}
    ) -> None:
        self._master, self._slave = os.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self._slave)
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mindviz", "watch", *map(str, arguments)],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=inherited | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **env},
            start_new_session=True,
            # Ctrl-C is a signal of the controlling terminal.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )
        self.output = ""

    def resize(self, rows: int, columns: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, size)

    def read_until(self, pattern: str) -> str:
        """The output since the last call, up to a match and a bit more."""
        deadline = time.monotonic() + PATIENCE
        seen = ""
        while not re.search(pattern, seen):
            assert time.monotonic() < deadline, seen
            seen += self._read()
        return seen

    def _read(self) -> str:
        if not select.select([self._master], [], [], 0.1)[0]:
            return ""
        piece = os.read(self._master, 65_536).decode()
        self.output += piece
        return piece

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self, number: signal.Signals | None = None) -> int:
        """The exit code, after a signal if given."""
        if number is not None:
            self._process.send_signal(number)
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None:
            assert time.monotonic() < deadline, self.output
            self._read()
        while self._read():
            pass
        return self._process.returncode

    @property
    def restored(self) -> bool:
        """Whether echo, line mode and so on are as before."""
        return termios.tcgetattr(self._slave) == self.before

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    points = [(step, 5 / (step + 1)) for step in range(100)]
    for name in ("lenet", "resnet"):
        write(tmp_path / "logs" / name, LOG, tensorboard_log(points))
    return tmp_path / "logs"


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def append(logs: Path, *points: tuple[int, float]) -> None:
    with (logs / "lenet" / LOG).open("ab") as file:
        file.write(events(points, start=3_000.0))


def test_q_quits_and_restores_the_terminal(logs: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(logs)
    terminals.append(terminal)
    shown = terminal.read_until(r"loss +0\.05 +99 ")
    assert ENTER in shown
    assert not terminal.restored  # keys arrive at once
    terminal.press("q")
    assert terminal.end() == 0
    assert LEAVE in terminal.output
    assert terminal.restored


def test_q_quits_while_logs_are_loaded_and_kept(tmp_path: Path, terminals: list[Terminal]) -> None:
    log = tensorboard_log([(step, 5 / (step + 1)) for step in range(100)])
    for number in range(500):
        write(tmp_path / "logs" / f"run{number}", LOG, log)
    terminal = Terminal(tmp_path / "logs", "--workspace", tmp_path / "work")
    terminals.append(terminal)
    terminal.read_until("q quit")
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.restored


@pytest.mark.parametrize("how", ["key", "signal"])
def test_interrupts_restore_the_terminal(logs: Path, terminals: list[Terminal], how: str) -> None:
    terminal = Terminal(logs)
    terminals.append(terminal)
    terminal.read_until("q quit")
    if how == "key":
        terminal.press("\x03")
        assert terminal.end() == 130
    else:
        assert terminal.end(signal.SIGTERM) == 143
    assert LEAVE in terminal.output
    assert "Traceback" not in terminal.output
    assert terminal.restored


def test_new_points_and_events_appear(logs: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(logs, "--reload-interval", 0.2)
    terminals.append(terminal)
    terminal.read_until("q quit")
    append(logs, (100, 0.5), (101, math.nan))
    terminal.read_until(r"loss +NaN +101 ")
    terminal.read_until("lenet: severe, nan in loss at step 101")


def test_it_follows_the_size_of_the_terminal(logs: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(logs)
    terminals.append(terminal)
    terminal.read_until("q quit")
    terminal.resize(5, 40)
    screens = terminal.read_until(r"1 more run(?s:.*)q quit")
    lines = CONTROL.sub("", screens.rpartition("\x1b[H")[2]).replace("\r", "").split("\n")
    assert len(lines) <= 5
    assert max(map(len, lines)) <= 40
    assert re.fullmatch(r"  loss +0\.05 █\S+", lines[2].rstrip())


def test_runs_scroll(tmp_path: Path, terminals: list[Terminal]) -> None:
    for number in range(30):
        log = write(tmp_path / f"r{number:02}", LOG, tensorboard_log([(1, 1.0)]))
        os.utime(log, (1_000 + number, 1_000 + number))
    terminal = Terminal(tmp_path, size=(10, 80))
    terminals.append(terminal)
    terminal.read_until("1 to 3 of 30")
    terminal.press("\x1b[B")
    terminal.read_until("2 to 4 of 30")
    terminal.press("\x1b[F")
    terminal.read_until("28 to 30 of 30")
    terminal.press("\x1b[H")
    terminal.read_until("1 to 3 of 30")
    terminal.press("q")
    assert terminal.end() == 0


def test_no_color_has_no_colors(logs: Path, terminals: list[Terminal]) -> None:
    for color, env in ((True, {}), (False, {"NO_COLOR": "1"})):
        terminal = Terminal(logs, env=env)
        terminals.append(terminal)
        shown = terminal.read_until("loss(?s:.*)q quit")
        assert bool(re.search(r"\x1b\[(?:\d+;)*3\d", shown)) is color


def test_a_dumb_terminal_gets_lines(logs: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(logs, "--reload-interval", 0.2, env={"TERM": "dumb"})
    terminals.append(terminal)
    terminal.read_until("resnet(?s:.*)loss.*\n")
    append(logs, (100, 0.5))
    changed = terminal.read_until(r"loss +0\.5 +100 .*\n")
    assert "resnet" not in changed
    assert "\x1b" not in terminal.output
    terminal.press("\x03")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.output


def test_a_pipe_gets_the_state_once(logs: Path) -> None:
    result = CliRunner().invoke(cli, ["watch", str(logs)])
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0].endswith("  2 runs, 200 points")
    assert [line.split()[0] for line in lines if not line.startswith("   ")][1:] == [
        "●", "loss", "●", "loss",
    ]  # fmt: skip
    assert max(map(len, lines)) == 80


def test_it_leaves_no_signal_handler(logs: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    CliRunner().invoke(cli, ["watch", str(logs)])
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_pattern_selects_tags(logs: Path) -> None:
    result = CliRunner().invoke(cli, ["watch", str(logs), "--tag", "^acc"])
    assert "loss" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--tag", "("], "missing )"),
        (["--reload-interval", "0"], "--reload-interval"),
        (["--rules", "missing.toml"], "missing.toml"),
    ],
)
def test_errors_exit_with_2(logs: Path, arguments: list[str], complaint: str) -> None:
    result = CliRunner().invoke(cli, ["watch", str(logs), *arguments])
    assert result.exit_code == 2
    assert complaint in result.output
    assert CliRunner().invoke(cli, ["watch", str(logs / "missing")]).exit_code == 2
