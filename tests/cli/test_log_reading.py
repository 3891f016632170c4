from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

import mindviz
from mindviz.cli import cli
from mindviz.config import Config
from mindviz.datavisual.logs.log_store import LogStore
from tests.written_logs import tensorboard_log, write

COMMANDS = {
    "inspect": ["inspect", "logs", "--details"],
    "export": ["export", "logs", "--format", "csv", "--what", "scalars"],
    "check": ["check", "logs"],
    "parity": ["parity", "logs/a", "logs/b"],
    "ask": ["ask", "logs", "series a loss"],
    "snapshot": ["snapshot", "logs"],
    "watch": ["watch", "logs", "--once"],
}
_OPENED: list[set[str] | None] = [None]
"""Paths of the current `opened_files`."""


def _record(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _OPENED[0] is not None and isinstance(arguments[0], str):
        _OPENED[0].add(arguments[0])


sys.addaudithook(_record)


@contextmanager
def opened_files() -> Iterator[set[str]]:
    """The paths of all files that are opened during the `with` block."""
    opened = _OPENED[0] = set[str]()
    try:
        yield opened
    finally:
        _OPENED[0] = None


@pytest.fixture
def base_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in "ab":
        log = tensorboard_log([(step, 1.0) for step in range(9)])
        write(tmp_path / "logs" / name, f"tfevents.{name}", log)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "logs"


def logs_opened_by(*arguments: str) -> tuple[str, set[str]]:
    """Output of a command, and the names of the runs whose logs it opened."""
    with opened_files() as opened:
        output = CliRunner().invoke(cli, arguments).output
    return output, runs_of(opened)


def without_ages(output: str) -> str:
    """Without the time since the last change, which passes."""
    return re.sub(r" *\d+ s ago", "", output)


def runs_of(paths: set[str]) -> set[str]:
    """The names of the runs whose logs are among the paths."""
    return {path[-1] for path in paths if path[:-1].endswith("tfevents.")}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("base_dir")
def test_logs_that_did_not_change_are_not_opened(command: str) -> None:
    arguments = (*COMMANDS[command], "--workspace", "work")
    first, opened = logs_opened_by(*arguments)
    assert opened == {"a", "b"}
    again, opened = logs_opened_by(*arguments)
    assert opened == set()
    if command != "inspect":  # which prints its time
        assert without_ages(again) == without_ages(first)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("base_dir")
def test_without_the_cache_nothing_is_kept(command: str, tmp_path: Path) -> None:
    for _ in range(2):
        _, opened = logs_opened_by(*COMMANDS[command], "--workspace", "work", "--no-cache")
        assert opened == {"a", "b"}
    assert not (tmp_path / "work").exists()


def test_servers_share_the_cache(base_dir: Path, tmp_path: Path) -> None:
    logs_opened_by(*COMMANDS["ask"], "--workspace", "work")
    config = Config(base_dir, cache_dir=tmp_path / "work" / "cache", version=mindviz.__version__)
    with opened_files() as opened:
        LogStore(config).load_once()
    assert runs_of(opened) == set()


@pytest.mark.usefixtures("base_dir")
def test_a_changed_log_is_read(tmp_path: Path) -> None:
    arguments = ("ask", "logs", "list", "--workspace", "work")
    logs_opened_by(*arguments)
    log = tensorboard_log([(step, 1.0) for step in range(12)])
    write(tmp_path / "logs" / "b", "tfevents.b", log)
    output, opened = logs_opened_by(*arguments)
    assert opened == {"b"}
    assert [line.split()[-2] for line in output.splitlines() if line[:2] in ("a ", "b ")] == [
        "12",
        "9",
    ]


@pytest.mark.usefixtures("base_dir")
def test_a_workspace_that_cannot_be_written_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "work").touch()
    output, _ = logs_opened_by(*COMMANDS["ask"], "--workspace", "work")
    assert "points: 9" in output
    (record,) = (record for record in caplog.records if record.levelno >= logging.WARNING)
    assert "Cannot write to the cache" in record.getMessage()


@pytest.mark.usefixtures("base_dir")
def test_a_workspace_among_the_logs_has_no_cache(tmp_path: Path) -> None:
    logs_opened_by("ask", ".", "list", "--workspace", "work")
    assert not (tmp_path / "work").exists()


@pytest.mark.usefixtures("base_dir")
def test_only_the_user_may_read_the_cache(tmp_path: Path) -> None:
    logs_opened_by(*COMMANDS["ask"], "--workspace", "home/work")
    for folder in (tmp_path / "home", tmp_path / "home" / "work", *tmp_path.glob("home/work/*")):
        assert folder.stat().st_mode & 0o077 == 0


def test_python_programs_share_the_cache(base_dir: Path) -> None:
    expected = [{"a", "b"}, set(), {"a", "b"}]
    for cache, runs in zip((True, True, False), expected, strict=True):
        with opened_files() as opened, mindviz.open(base_dir, cache=cache) as logs:
            assert logs.scalars()["value"].sum() == 18
        assert runs_of(opened) == runs


def test_a_directory_without_logs_leaves_no_cache(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    arguments = ["inspect", str(tmp_path / "empty"), "--workspace", str(tmp_path / "work")]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    assert not (tmp_path / "work").exists()
