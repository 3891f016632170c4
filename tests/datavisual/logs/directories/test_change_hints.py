"""ChangeHints: inotify events, and the end of hints on failures."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.change_hints import Change, ChangeHints

PATIENCE = 20.0


class Listener:
    """Starts hints and waits for them."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.seen: list[tuple[Change, str]] = []
        self.started: list[ChangeHints] = []

    def start(
        self, directory: Path, *, grace_seconds: float = 3.0, rest_seconds: float = 60.0
    ) -> ChangeHints:
        hints = ChangeHints(
            [str(directory)],
            self.patience,
            self.notify,
            grace_seconds=grace_seconds,
            rest_seconds=rest_seconds,
        )
        self.started.append(hints)
        return hints

    def patience(self, change: Change, path: str) -> float | None:
        self.seen.append((change, path))
        return None if path.endswith(".tmp") else 5.0 if path.endswith("slow") else 0.0

    def notify(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while not holds():
                assert time.monotonic() < deadline
                self.changed.wait(0.05)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    for hints in listener.started:
        hints.stop()
        hints.join(PATIENCE)


def test_hints_report_once_that_they_work_and_then_changes(
    tmp_path: Path, listener: Listener
) -> None:
    hints = listener.start(tmp_path)
    listener.wait_until(lambda: hints.working)
    assert hints.due <= time.monotonic()  # earlier changes are in no hint
    assert hints.take() == set()
    assert hints.due == math.inf
    (tmp_path / "log").touch()
    listener.wait_until(lambda: hints.due < math.inf)
    assert hints.take() == {str(tmp_path / "log")}
    assert hints.take() == set()


def test_irrelevant_changes_do_not_wake_and_others_are_delayed_as_allowed(
    tmp_path: Path, listener: Listener
) -> None:
    hints = listener.start(tmp_path)
    listener.wait_until(lambda: hints.working)
    hints.take()
    (tmp_path / "checkpoint.tmp").touch()
    listener.wait_until(lambda: len(listener.seen) > 0)
    assert hints.due == math.inf
    (tmp_path / "slow").touch()
    listener.wait_until(lambda: hints.due < math.inf)
    assert hints.due > time.monotonic()
    (tmp_path / "log").touch()
    listener.wait_until(lambda: hints.due <= time.monotonic())
    assert hints.take() == {str(tmp_path / "slow"), str(tmp_path / "log")}


def test_a_directory_that_cannot_be_watched_gives_no_hints(
    tmp_path: Path, listener: Listener
) -> None:
    hints = listener.start(tmp_path / "missing", rest_seconds=0.0)
    hints.join(PATIENCE)
    assert not hints.working
    assert not hints.should_restart


@pytest.mark.parametrize("rest_seconds", [0.0, 3600.0])
def test_hints_that_an_error_ended_are_should_restart_after_a_rest(
    tmp_path: Path, listener: Listener, rest_seconds: float
) -> None:
    hints = listener.start(tmp_path, rest_seconds=rest_seconds)
    listener.wait_until(lambda: hints.working)
    assert not hints.should_restart
    (tmp_path / os.fsdecode(b"\xff")).touch()
    hints.join(PATIENCE)
    assert not hints.working
    assert hints.should_restart == (rest_seconds == 0.0)
    hints.take()
    assert (hints.due <= time.monotonic()) == (rest_seconds == 0.0)
    assert hints.due < math.inf


def test_after_stop_nothing_works_and_the_thread_ends(tmp_path: Path, listener: Listener) -> None:
    hints = listener.start(tmp_path)
    listener.wait_until(lambda: hints.working)
    hints.stop()
    assert not hints.working
    hints.join(PATIENCE)
    assert "mindviz-hints" not in {thread.name for thread in threading.enumerate()}


def test_hints_that_miss_changes_are_turned_off(tmp_path: Path, listener: Listener) -> None:
    hints = listener.start(tmp_path, grace_seconds=0.05)
    listener.wait_until(lambda: hints.working)
    deadline = time.monotonic() + PATIENCE
    number = 0
    while hints.working and time.monotonic() < deadline:
        number += 1
        # A change without a hint.
        hints.expected([str(tmp_path / f"run{number}" / "log")], time.monotonic())
        listener.wait_until(lambda: True)
    assert not hints.working


def test_no_hints_are_expected_of_unwatched_paths(tmp_path: Path, listener: Listener) -> None:
    (tmp_path / "watched").mkdir()
    hints = listener.start(tmp_path / "watched", grace_seconds=0.0)
    listener.wait_until(lambda: hints.working)
    for number in range(20):
        hints.expected([str(tmp_path / f"run{number}" / "log")], time.monotonic())
    assert hints.working


def test_hints_about_a_file_or_a_parent_are_trusted(tmp_path: Path, listener: Listener) -> None:
    hints = listener.start(tmp_path, grace_seconds=0.05)
    listener.wait_until(lambda: hints.working)
    for number in range(6):
        since = time.monotonic()
        (tmp_path / f"run{number}").mkdir()
        paths = {str(tmp_path / f"run{number}")}
        hints.take()
        listener.wait_until(lambda: hints.due < math.inf)
        assert hints.take() >= paths
        hints.expected([str(tmp_path / f"run{number}" / "log")], since)
        grace_is_over = time.monotonic() + 0.05
        listener.wait_until(lambda: time.monotonic() > grace_is_over)  # noqa: B023
        hints.expected([], since)
    assert hints.working
