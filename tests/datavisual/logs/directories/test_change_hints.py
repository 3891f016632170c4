"""ChangeHints: inotify events, and the end of hints on failures."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.change_hints import (
    UNWATCHED,
    Announced,
    Change,
    ChangeHints,
)
from tests.watched_directories import fill_the_systems_queue

PATIENCE = 20.0
SUB, OTHER = 1, 2
"""Identities."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is a part of Linux")


class Listener:
    """Starts hints and waits for them."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.seen: list[Announced] = []
        self.started: list[ChangeHints] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def start(self, *, grace_seconds: float = 3.0) -> ChangeHints:
        hints = ChangeHints("base", self.patience, self.notify, grace_seconds=grace_seconds)
        self.started.append(hints)
        hints.take()
        return hints

    def patience(self, announced: Announced) -> float | None:
        self.seen.append(announced)
        assert self.may_go_on.wait(PATIENCE)
        name = announced.name
        return None if name.endswith(".tmp") else 5.0 if name.endswith("slow") else 0.0

    def notify(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        with self.changed:
            while not holds():
                assert time.monotonic() < deadline
                self.changed.wait(0.05)

    def wait_for(self, announced: Announced) -> None:
        self.wait_until(lambda: announced in self.seen)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.may_go_on.set()
    for hints in listener.started:
        hints.stop()
        hints.join(PATIENCE)


def test_hints_require_a_poll_at_once_and_then_after_changes(
    tmp_path: Path, listener: Listener
) -> None:
    hints = ChangeHints("base", listener.patience, listener.notify)
    listener.started.append(hints)
    assert hints.due <= time.monotonic()  # earlier changes are in no hint
    assert hints.take() == set()
    assert hints.due == math.inf
    hints.watch(str(tmp_path), SUB)
    (tmp_path / "log").touch()
    listener.wait_until(lambda: hints.due < math.inf)
    assert hints.take() == {(SUB, "log")}
    assert hints.take() == set()


def test_irrelevant_changes_do_not_wake_and_others_are_delayed_as_allowed(
    tmp_path: Path, listener: Listener
) -> None:
    hints = listener.start()
    hints.watch(str(tmp_path), SUB)
    (tmp_path / "checkpoint.tmp").touch()
    listener.wait_until(lambda: len(listener.seen) > 0)
    assert hints.due == math.inf
    (tmp_path / "slow").touch()
    listener.wait_until(lambda: hints.due < math.inf)
    assert hints.due > time.monotonic()
    (tmp_path / "log").touch()
    listener.wait_until(lambda: hints.due <= time.monotonic())
    assert hints.take() == {(SUB, "slow"), (SUB, "log")}


def test_a_new_entry_that_grows_at_once_is_not_delayed(tmp_path: Path, listener: Listener) -> None:
    def patience(announced: Announced) -> float:
        return 0.0 if announced.change is Change.ADDED else 1_000.0

    hints = ChangeHints("base", patience, listener.notify)
    listener.started.append(hints)
    hints.watch(str(tmp_path), SUB)
    for number in range(20):  # events that are read together have no order
        hints.take()
        (tmp_path / str(number)).write_bytes(b"a")
        listener.wait_until(lambda: hints.due <= time.monotonic())


def test_each_kind_of_change_is_announced(tmp_path: Path, listener: Listener) -> None:
    watched, elsewhere = tmp_path / "watched", tmp_path / "elsewhere"
    watched.mkdir()
    elsewhere.mkdir()
    hints = listener.start()
    hints.watch(str(watched), SUB)
    name = os.fsdecode(b"log\xff")
    log = watched / name
    for change, act in (
        (Change.ADDED, log.touch),
        (Change.MODIFIED, lambda: log.write_bytes(b"1")),
        (Change.MODIFIED, lambda: os.truncate(log, 0)),
        (Change.MODIFIED, lambda: os.utime(log, (1e9, 1e9))),
        (Change.DELETED, lambda: log.rename(elsewhere / name)),
        (Change.ADDED, lambda: (elsewhere / name).rename(log)),
        (Change.DELETED, log.unlink),
    ):
        listener.seen.clear()
        act()
        listener.wait_for(Announced(SUB, name, change, is_directory=False))
    (watched / "directory").mkdir()
    listener.wait_for(Announced(SUB, "directory", Change.ADDED, is_directory=True))
    (watched / "link").symlink_to("directory")
    listener.wait_for(Announced(SUB, "link", Change.ADDED, is_directory=False))


def test_subdirectories_are_not_watched_with_their_parent(
    tmp_path: Path, listener: Listener
) -> None:
    (tmp_path / "below").mkdir()
    hints = listener.start()
    hints.watch(str(tmp_path), SUB)
    (tmp_path / "below" / "unseen").touch()
    (tmp_path / "seen").touch()
    listener.wait_for(Announced(SUB, "seen", Change.ADDED, is_directory=False))
    assert {announced.name for announced in listener.seen} == {"seen"}


def test_all_paths_of_a_directory_have_one_watch(tmp_path: Path, listener: Listener) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "latest").symlink_to("run")
    hints = listener.start()
    watch = hints.watch(str(tmp_path / "run"), SUB)
    assert hints.watches(watch)
    assert hints.watch(str(tmp_path / "latest"), SUB) == watch


def test_a_path_that_leads_to_another_directory_by_now_is_to_be_checked_with_that(
    tmp_path: Path, listener: Listener
) -> None:
    (tmp_path / "run").mkdir()
    hints = listener.start()
    watch = hints.watch(str(tmp_path / "run"), SUB)
    assert hints.watch(str(tmp_path / "run"), OTHER) == UNWATCHED
    assert not hints.watches(watch)
    assert hints.due <= time.monotonic()
    assert hints.take() == {(SUB, ""), (OTHER, "")}


@pytest.mark.parametrize("leaves_by", ["deletion", "renaming"])
def test_a_directory_that_leaves_is_announced(
    tmp_path: Path, listener: Listener, leaves_by: str
) -> None:
    watched = tmp_path / "watched"
    watched.mkdir()
    hints = listener.start()
    watch = hints.watch(str(watched), SUB)
    if leaves_by == "deletion":
        watched.rmdir()
    else:
        watched.rename(tmp_path / "moved")
    listener.wait_until(lambda: hints.due < math.inf)
    assert hints.take() == {(SUB, "")}
    assert hints.watches(watch) == (leaves_by == "renaming")


def test_an_unwatched_directory_is_silent_until_it_is_watched_again(
    tmp_path: Path, listener: Listener
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    hints = listener.start()
    watch = hints.watch(str(tmp_path / "one"), SUB)
    hints.watch(str(tmp_path / "two"), OTHER)
    hints.unwatch(watch, SUB)
    assert not hints.watches(watch)
    (tmp_path / "one" / "silent").touch()
    (tmp_path / "two" / "heard").touch()
    listener.wait_for(Announced(OTHER, "heard", Change.ADDED, is_directory=False))
    hints.watch(str(tmp_path / "one"), SUB)
    (tmp_path / "one" / "heard").touch()
    listener.wait_for(Announced(SUB, "heard", Change.ADDED, is_directory=False))
    assert {announced.name for announced in listener.seen} == {"heard"}


def test_what_cannot_be_listed_is_unwatched_and_the_rest_is_watched(
    tmp_path: Path, listener: Listener
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to("circle")
    hints = listener.start()
    for name in ("missing", "file", "circle", "x" * 300):
        assert hints.watch(str(tmp_path / name), SUB) == UNWATCHED
    assert hints.working
    assert hints.watch(str(tmp_path), SUB) != UNWATCHED


def test_when_the_systems_queue_overflows_everything_counts_as_changed(
    tmp_path: Path, listener: Listener
) -> None:
    hints = listener.start()
    watch = hints.watch(str(tmp_path), SUB)
    listener.may_go_on.clear()
    (tmp_path / "first").touch()
    listener.wait_until(lambda: len(listener.seen) > 0)
    fill_the_systems_queue(tmp_path)
    listener.may_go_on.set()
    listener.wait_until(lambda: not hints.watches(watch))
    listener.wait_until(lambda: hints.due <= time.monotonic())
    assert hints.take() is None
    hints.watch(str(tmp_path), SUB)
    (tmp_path / "after").touch()
    listener.wait_for(Announced(SUB, "after", Change.ADDED, is_directory=False))
    assert hints.take() is not None


def test_too_many_hints_count_as_a_change_of_everything(
    tmp_path: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindviz.datavisual.logs.directories.change_hints._MOST_HINTS", 3)
    hints = listener.start()
    watch = hints.watch(str(tmp_path), SUB)
    listener.may_go_on.clear()
    (tmp_path / "first").touch()
    listener.wait_until(lambda: len(listener.seen) > 0)
    for name in "abcd":  # gathered in the meantime
        (tmp_path / name).touch()
    listener.may_go_on.set()
    listener.wait_until(lambda: hints.take() is None)
    assert hints.watches(watch)
    assert hints.take() == set()


def test_after_stop_nothing_works_and_the_thread_ends(tmp_path: Path, listener: Listener) -> None:
    hints = listener.start()
    watch = hints.watch(str(tmp_path), SUB)
    assert hints.working
    hints.stop()
    assert not hints.working
    hints.join(PATIENCE)
    assert "mindviz-hints" not in {thread.name for thread in threading.enumerate()}
    assert not hints.watches(watch)
    assert hints.watch(str(tmp_path), SUB) == UNWATCHED
    hints.unwatch(watch, SUB)


def test_hints_that_miss_changes_are_turned_off(listener: Listener) -> None:
    hints = listener.start(grace_seconds=0.05)
    deadline = time.monotonic() + PATIENCE
    number = 0
    while hints.working and time.monotonic() < deadline:
        number += 1
        # A change without a hint.
        hints.expected([number], time.monotonic())
        listener.wait_until(lambda: True)
    assert not hints.working


def test_hints_about_the_directory_are_trusted(tmp_path: Path, listener: Listener) -> None:
    hints = listener.start(grace_seconds=0.05)
    hints.watch(str(tmp_path), SUB)
    for number in range(6):
        since = time.monotonic()
        (tmp_path / f"run{number}").touch()
        listener.wait_until(lambda: hints.due < math.inf)
        assert hints.take() == {(SUB, f"run{number}")}
        hints.expected([SUB], since)
        grace_is_over = time.monotonic() + 0.05
        listener.wait_until(lambda: time.monotonic() > grace_is_over)  # noqa: B023
        hints.expected([], since)
    assert hints.working
