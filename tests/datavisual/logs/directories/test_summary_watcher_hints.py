"""SummaryWatcher: when waits end, and the use of hints."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from mindviz.datavisual.logs.directories import summary_watcher
from mindviz.datavisual.logs.directories.change_hints import ChangeHints
from mindviz.datavisual.logs.directories.summary_watcher import (
    Discovery,
    SummaryWatcher,
)
from tests.log_directories import append, write_log
from tests.watched_directories import PATIENCE, polled_until, watching


def seconds_until_listed(watcher: SummaryWatcher, base: Path, *, interval: float) -> float:
    """Seconds until a new job is listed; the best of three."""
    best = PATIENCE
    for number in range(3):
        started = time.monotonic()
        write_log(base / "group" / f"run{number}")
        train_id = f"./group/run{number}"
        polled_until(watcher, lambda discovery: train_id in discovery.jobs, interval=interval)  # noqa: B023
        best = min(best, time.monotonic() - started)
    return best


@pytest.fixture
def no_further_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make polls depend on hints only, and restart hints at once after they end."""
    monkeypatch.setattr(summary_watcher, "_ECHO_SECONDS", 0.0)
    monkeypatch.setattr(summary_watcher, "_FIRST_REST", 0.0)


def wait_for_silence(watcher: SummaryWatcher) -> None:
    """Poll until hints work and none arrives for longer than they usually take."""
    silence = 0.5
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        watcher.poll()
        started = time.monotonic()
        watcher.wait(silence)
        if watcher.watching == "inotify" and time.monotonic() >= started + silence:
            return
    raise AssertionError(watcher.watching)


def hinted(watcher: SummaryWatcher) -> Discovery:
    """The result of polls caused by hints, once there is more than before."""
    deadline = time.monotonic() + PATIENCE
    while True:
        watcher.wait(PATIENCE)
        assert time.monotonic() < deadline
        discovery = watcher.poll()
        if discovery.changed:
            return discovery


def inode_of(path: Path) -> int:
    return path.stat().st_ino


def watched_inodes() -> set[int]:
    """Inodes of this process's inotify watches."""
    inodes = set()
    for information in Path("/proc/self/fdinfo").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found = re.findall(r"(?m)^inotify .*\bino:(\w+)", information.read_text("ascii"))
            inodes |= {int(inode, 16) for inode in found}
    return inodes


def test_with_inotify_a_new_job_is_listed_within_a_second(tmp_path: Path) -> None:
    with watching(tmp_path) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        assert seconds_until_listed(watcher, tmp_path, interval=PATIENCE) < 1.0


def test_a_hinted_path_is_checked_once_more_without_another_hint(
    tmp_path: Path,
) -> None:
    with watching(tmp_path) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        watcher.poll()
        write_log(tmp_path / "run")
        watcher.wait(PATIENCE)
        assert "./run" in watcher.poll().jobs
        started = time.monotonic()
        watcher.wait(PATIENCE)
        assert time.monotonic() - started < PATIENCE / 2


def test_paused_hints_resume_during_a_wait(
    tmp_path: Path,
) -> None:
    with watching(tmp_path) as watcher:
        watcher.hold_hints()
        watcher.poll()
        watcher.wait(0.01)
        assert watcher.watching == "polling"
        waiting = Thread(target=watcher.wait, args=(PATIENCE,))
        waiting.start()
        watcher.want_hints()
        waiting.join()  # they report that they work, which ends it
        assert watcher.watching == "inotify"


def test_without_inotify_a_new_job_is_listed_within_the_interval_and_a_second(
    tmp_path: Path,
) -> None:
    with watching(tmp_path, inotify=False) as watcher:
        watcher.poll()
        assert seconds_until_listed(watcher, tmp_path, interval=0.3) < 1.3
        assert watcher.watching == "polling"


def test_a_hint_finds_growth_before_the_file_is_due(tmp_path: Path) -> None:
    log = write_log(tmp_path / "run")
    os.utime(log, (1e9, 1e9))
    with watching(tmp_path, sweep_seconds=3600.0) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        append(log)
        os.utime(log, (1e9, 1e9))
        discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
        assert discovery.changed == {"./run"}


def test_growth_behind_a_link_to_the_latest_run_is_hinted_for_the_run_and_for_the_link(
    tmp_path: Path,
) -> None:
    log = write_log(tmp_path / "run")
    (tmp_path / "latest").symlink_to("run")
    os.utime(log, (1e9, 1e9))
    with watching(tmp_path, sweep_seconds=3600.0) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        append(log)
        os.utime(log, (1e9, 1e9))
        discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
        assert discovery.changed == {"./run", "./latest"}


def test_a_moved_tree_is_found_completely(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    write_log(tmp_path / "tree" / "deep" / "run")
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        (tmp_path / "tree").rename(base / "tree")
        discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
        assert discovery.changed == {"./tree/deep/run"}


def test_hints_start_again_when_the_base_dir_is_recreated(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        base.rename(tmp_path / "moved")
        base.mkdir()
        watcher.poll()
        assert watcher.watching == "polling"
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        assert seconds_until_listed(watcher, base, interval=PATIENCE) < 1.0


def test_an_undecodable_name_is_found_and_disables_hints_of_its_directory_only(
    tmp_path: Path,
) -> None:
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
    with watching(tmp_path) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        write_log(tmp_path / "bad", os.fsdecode(b"events.out.tfevents.1.\xff"))
        discovery = polled_until(watcher, lambda d: bool(d.jobs))
        assert discovery.jobs["./bad"].files[0].relative_path == "bad/events.out.tfevents.1.%FF"
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        write_log(tmp_path / "good" / "next")
        polled_until(watcher, lambda d: "./good/next" in d.jobs, interval=2 * PATIENCE)
        write_log(tmp_path / "bad" / "later")
        polled_until(watcher, lambda d: "./bad/later" in d.jobs)


def test_hints_ended_by_a_short_lived_name_restart_during_the_wait(tmp_path: Path) -> None:
    with watching(tmp_path) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        untellable = tmp_path / os.fsdecode(b"\xff")
        untellable.touch()
        untellable.unlink()
        deadline = time.monotonic() + PATIENCE
        while watcher.watching == "inotify":
            assert time.monotonic() < deadline
            time.sleep(0.01)
        polled_until(watcher, lambda _: watcher.watching == "inotify", interval=PATIENCE)


def test_hints_rest_longer_after_each_error_that_ends_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []

    class Hints(ChangeHints):
        def __init__(self, *arguments: Any, rest_seconds: float, **options: Any) -> None:
            rests.append(rest_seconds)
            super().__init__(*arguments, rest_seconds=0.0, **options)

    monkeypatch.setattr(summary_watcher, "ChangeHints", Hints)
    with watching(tmp_path) as watcher:
        for _ in range(8):
            polled_until(watcher, lambda _: watcher.watching == "inotify", interval=PATIENCE)
            untellable = tmp_path / os.fsdecode(b"\xff")
            untellable.touch()
            untellable.unlink()
            polled_until(watcher, lambda _: watcher.watching == "polling")
        polled_until(watcher, lambda _: watcher.watching == "inotify", interval=PATIENCE)
    assert rests == [1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_a_new_directory_with_an_external_link_suspends_hints_briefly(
    tmp_path: Path,
) -> None:
    base = tmp_path / "base"
    base.mkdir()
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        for number in range(5):
            new = tmp_path / f"new{number}"
            new.mkdir()
            (new / "outside").symlink_to("/proc/self")
            new.rename(base / new.name)
            write_log(base / new.name)
            train_id = f"./{new.name}"
            polled_until(watcher, lambda d: train_id in d.jobs, interval=PATIENCE)  # noqa: B023
            polled_until(watcher, lambda _: watcher.watching == "inotify", interval=PATIENCE)


def test_new_jobs_next_to_a_link_out_are_hinted_and_the_link_is_not_followed(
    tmp_path: Path,
) -> None:
    base = tmp_path / "base"
    base.mkdir()
    (base / "outside").symlink_to(tmp_path)
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        assert seconds_until_listed(watcher, base, interval=PATIENCE) < PATIENCE / 2
        write_log(tmp_path / "elsewhere")
        assert watched_inodes().isdisjoint({inode_of(tmp_path), inode_of(tmp_path / "elsewhere")})


ODD_ENTRIES: dict[str, Callable[[Path], None]] = {
    "link that leads nowhere": lambda path: path.symlink_to("nowhere"),
    "link that leads nowhere outside": lambda path: path.symlink_to("../../nowhere"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a directory outside": lambda path: path.symlink_to("../.."),
    "link to a file outside": lambda path: path.symlink_to("../../outside"),
    "pipe": os.mkfifo,
    "socket": lambda path: os.mknod(path, stat.S_IFSOCK | 0o600),
    "directory": Path.mkdir,
    "directory that is not UTF-8": lambda path: (path / os.fsdecode(b"\xff")).mkdir(parents=True),
}


@pytest.mark.parametrize("odd_entry", ODD_ENTRIES)
@pytest.mark.usefixtures("no_further_looks")
def test_hints_continue_with_odd_entries_named_like_logs(tmp_path: Path, odd_entry: str) -> None:
    base = tmp_path / "base"
    (base / "beside").mkdir(parents=True)
    (tmp_path / "outside").touch()
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        ODD_ENTRIES[odd_entry](base / "beside" / "events.out.tfevents.1.host")
        write_log(base / "beside")
        polled_until(watcher, lambda d: "./beside" in d.jobs, interval=PATIENCE)
        for train_id in ("./later", "./beside/below", "./later/below"):
            wait_for_silence(watcher)
            write_log(base / train_id)
            assert train_id in hinted(watcher).jobs


@pytest.mark.parametrize("leaves_by", ["deletion", "renaming"])
@pytest.mark.usefixtures("no_further_looks")
def test_a_replaced_directory_gets_hints_again(tmp_path: Path, leaves_by: str) -> None:
    base = tmp_path / "base"
    write_log(base / "run")
    (base / "outside").symlink_to(tmp_path)  # so that `base` and `run` are watched separately
    with watching(base) as watcher:
        wait_for_silence(watcher)
        if leaves_by == "deletion":
            shutil.rmtree(base / "run")
        else:
            (base / "run").rename(tmp_path / "moved")
        write_log(base / "run")
        wait_for_silence(watcher)
        write_log(base / "run" / "below")
        assert "./run/below" in hinted(watcher).jobs


def test_directories_next_to_a_link_out_have_hints(tmp_path: Path) -> None:
    base = tmp_path / "base"
    logs = {name: write_log(base / name / "run") for name in ("good", "bad")}
    (base / "bad" / "everything").symlink_to("/")
    for log in logs.values():
        os.utime(log, (1e9, 1e9))
    with watching(base, sweep_seconds=3600.0) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        append(logs["good"])
        os.utime(logs["good"], (1e9, 1e9))
        discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
        assert discovery.changed == {"./good/run"}
        write_log(base / "new" / "run")
        polled_until(watcher, lambda d: "./new/run" in d.jobs, interval=2 * PATIENCE)
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        write_log(base / "new" / "next")
        polled_until(watcher, lambda d: "./new/next" in d.jobs, interval=2 * PATIENCE)


def test_a_later_link_out_disables_hints_of_its_directory_only(
    tmp_path: Path,
) -> None:
    base = tmp_path / "base"
    for name in ("good", "bad"):
        write_log(base / name / "run")
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        (base / "bad" / "elsewhere").symlink_to(tmp_path)
        polled_until(watcher, lambda d: bool(d.findings))
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        write_log(base / "good" / "next")
        polled_until(watcher, lambda d: "./good/next" in d.jobs, interval=2 * PATIENCE)


def test_wake_ends_the_next_wait_and_close_every_wait(tmp_path: Path) -> None:
    watcher = SummaryWatcher(tmp_path, inotify=False)
    watcher.poll()
    started = time.monotonic()
    watcher.wake()
    watcher.wait(PATIENCE)
    watcher.wait(0.01)  # the wake-up is used: this ends by its own timeout
    watcher.close()
    watcher.wait(PATIENCE)
    watcher.wait(PATIENCE)
    assert time.monotonic() - started < PATIENCE / 2
