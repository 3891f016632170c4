"""SummaryWatcher: when waits end, and the use of hints."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.directories import log_directory, summary_watcher
from mindviz.datavisual.logs.directories.log_entry import recognize
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from tests.log_directories import EVENTS, RECORD, append, write_log
from tests.watched_directories import (
    PATIENCE,
    fill_the_systems_queue,
    hinted,
    needs_inotify,
    polled_until,
    wait_for_the_truth,
    wait_until_watched,
    watched_inodes,
    watching,
)


@needs_inotify
def test_with_inotify_a_new_job_is_listed_before_the_next_poll(tmp_path: Path) -> None:
    with watching(tmp_path) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        write_log(tmp_path / "group" / "run")
        polled_until(watcher, lambda d: "./group/run" in d.jobs, interval=2 * PATIENCE)


def test_without_inotify_a_new_job_is_listed_by_a_poll(tmp_path: Path) -> None:
    with watching(tmp_path, inotify=False) as watcher:
        watcher.poll()
        write_log(tmp_path / "group" / "run")
        polled_until(watcher, lambda d: "./group/run" in d.jobs)
        assert watcher.watching == "polling"


@needs_inotify
def test_a_hint_finds_growth_of_an_old_file(tmp_path: Path) -> None:
    log = write_log(tmp_path / "run")
    os.utime(log, (1e9, 1e9))
    with hinted(tmp_path) as watcher:
        append(log)
        os.utime(log, (1e9, 1e9))
        discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
        assert discovery.changed == {"./run"}


@needs_inotify
def test_a_moved_tree_is_found_and_watched_where_it_is(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    write_log(tmp_path / "tree" / "deep" / "run")
    with hinted(base) as watcher:
        place = tmp_path / "tree"
        for new in (base / "tree", base / "group", tmp_path / "away", base / "back"):
            place.rename(new)
            place = new
            wait_for_the_truth(watcher, base)
            append(place / "deep" / "run" / EVENTS)
            write_log(place / "deep" / f"later than {new.name}")
            wait_for_the_truth(watcher, base)
            inside = [base, *(path for path in base.rglob("*") if path.is_dir())]
            wait_until_watched(watcher, inside)


@needs_inotify
@pytest.mark.parametrize("leaves_by", ["deletion", "renaming"])
def test_hints_start_again_when_the_base_dir_is_recreated(tmp_path: Path, leaves_by: str) -> None:
    base = tmp_path / "base"
    write_log(base / "old")
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        if leaves_by == "deletion":
            shutil.rmtree(base)
        else:
            base.rename(tmp_path / "moved")
        polled_until(watcher, lambda d: "./old" in d.removed, interval=PATIENCE)
        assert watcher.watching == "polling"
        base.mkdir()
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        write_log(base / "group" / "run")
        polled_until(watcher, lambda d: "./group/run" in d.jobs, interval=2 * PATIENCE)


@needs_inotify
def test_a_base_dir_replaced_between_polls_is_watched(tmp_path: Path) -> None:
    base = tmp_path / "base"
    write_log(base / "old")
    with watching(base) as watcher:
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        for _ in range(3):  # perhaps with the same inode
            shutil.rmtree(base)
            base.mkdir()
            watcher.poll()
            polled_until(watcher, lambda _: watcher.watching == "inotify")
            write_log(base / "new")
            polled_until(watcher, lambda d: "./new" in d.jobs, interval=2 * PATIENCE)


@needs_inotify
@pytest.mark.parametrize("leaves_by", ["deletion", "renaming"])
def test_a_replaced_directory_is_watched(tmp_path: Path, leaves_by: str) -> None:
    base = tmp_path / "base"
    write_log(base / "run")
    with hinted(base) as watcher:
        if leaves_by == "deletion":
            shutil.rmtree(base / "run")
        else:
            (base / "run").rename(tmp_path / "moved")
        write_log(base / "run")
        wait_for_the_truth(watcher, base)
        write_log(base / "run" / "below")
        append(base / "run" / EVENTS)
        wait_for_the_truth(watcher, base)
        assert set(watcher.poll().jobs) == {"./run", "./run/below"}


@needs_inotify
def test_nested_directories_that_are_replaced_together_are_watched(tmp_path: Path) -> None:
    base = tmp_path / "base"
    below = [base / "/".join("abcdef"[:depth]) for depth in range(1, 7)]
    write_log(below[-1])
    with hinted(base) as watcher:
        for number in range(5):
            (base / "a").rename(tmp_path / f"moved{number}")
            write_log(below[-1])
            wait_for_the_truth(watcher, base)
            wait_until_watched(watcher, [base, *below])


@needs_inotify
def test_files_of_directories_that_are_created_with_them_are_found_and_watched(
    tmp_path: Path,
) -> None:
    with hinted(tmp_path) as watcher:
        for number in range(50):
            log = write_log(tmp_path / f"sweep{number}" / "deep" / "run")
            write_log(log.parent, "events.out.tfevents.2")
            if number % 7 == 0:
                watcher.poll()  # amid the changes
        wait_for_the_truth(watcher, tmp_path)
        assert len(watcher.poll().jobs) == 50
        for number in range(50):
            append(tmp_path / f"sweep{number}" / "deep" / "run" / EVENTS)
        wait_for_the_truth(watcher, tmp_path)


@needs_inotify
def test_a_file_that_is_created_while_its_directory_is_listed_is_hinted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.scandir
    run = tmp_path / "group" / "run"

    def scandir(path: str | Path) -> Any:
        if path != str(run) or list(run.iterdir()):
            return real(path)
        listed = list(real(path))
        write_log(run)
        return contextlib.nullcontext(iter(listed))

    with hinted(tmp_path) as watcher:
        monkeypatch.setattr(os, "scandir", scandir)
        run.mkdir(parents=True)
        polled_until(watcher, lambda d: bool(d.jobs), interval=PATIENCE)


@needs_inotify
def test_names_that_are_not_utf8_are_hinted(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    with hinted(tmp_path) as watcher:
        log = write_log(odd / os.fsdecode(b"\xff"), os.fsdecode(b"events.out.tfevents.1.\xff"))
        discovery = polled_until(watcher, lambda d: bool(d.jobs), interval=PATIENCE)
        assert set(discovery.jobs) == {"./caf%E9/%FF"}
        append(log)
        wait_for_the_truth(watcher, tmp_path)
        write_log(tmp_path / "next")
        wait_for_the_truth(watcher, tmp_path)


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


@needs_inotify
@pytest.mark.parametrize("odd_entry", ODD_ENTRIES)
def test_hints_continue_with_odd_entries_named_like_logs(tmp_path: Path, odd_entry: str) -> None:
    base = tmp_path / "base"
    (base / "beside").mkdir(parents=True)
    (tmp_path / "outside").touch()
    with hinted(base) as watcher:
        ODD_ENTRIES[odd_entry](base / "beside" / "events.out.tfevents.1.host")
        for train_id in ("./beside", "./later", "./beside/below", "./later/below"):
            write_log(base / train_id)
            wait_for_the_truth(watcher, base)
            assert train_id in watcher.poll().jobs
        assert watcher.watching == "inotify"


@needs_inotify
def test_many_directories_are_watched_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary_watcher, "_WATCHING_SWEEP", 0.0)
    monkeypatch.setattr(summary_watcher, "_LEAST_SWEPT", 2)
    monkeypatch.setattr(summary_watcher, "_ALL_DIRECTORIES", 0)
    monkeypatch.setattr(summary_watcher, "_UNFINISHED_SECONDS", 0.0)
    logs = [write_log(tmp_path / f"run{number}") for number in range(9)]
    with watching(tmp_path, hot_seconds=-1e9) as watcher:
        watcher.poll()
        for log in logs:
            append(log)  # before it is watched
        watched = []
        changed: set[str] = set()
        while watcher.watching != "inotify":
            watcher.wait(0.0)  # the first one starts hints
            changed |= watcher.poll().changed
            watched.append(len(watched_inodes()))
        assert len(set(watched)) >= 5  # two directories each
        assert len(changed) == 9
        append(logs[7])
        polled_until(watcher, lambda d: d.changed == {"./run7"}, interval=PATIENCE)


@needs_inotify
def test_after_an_overflow_of_the_systems_queue_everything_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = write_log(tmp_path / "run")
    may_go_on = Event()
    is_held = Event()

    def held(name: str) -> object:
        is_held.set()
        may_go_on.wait(PATIENCE)
        return recognize(name)

    with hinted(tmp_path) as watcher:
        monkeypatch.setattr(summary_watcher, "recognize", held)
        (tmp_path / "file").touch()
        assert is_held.wait(PATIENCE)
        fill_the_systems_queue(tmp_path)
        append(log)  # is in no hint
        may_go_on.set()
        polled_until(watcher, lambda d: "./run" in d.changed, interval=PATIENCE)
        polled_until(watcher, lambda _: watcher.watching == "inotify")
        append(log)
        polled_until(watcher, lambda d: "./run" in d.changed, interval=PATIENCE)


@needs_inotify
def test_a_costly_listing_for_a_hint_is_postponed_and_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(tmp_path / "run")
    with hinted(tmp_path) as watcher:
        monkeypatch.setattr(log_directory, "_COSTLY_SECONDS", 0.0)
        monkeypatch.setattr(log_directory, "_COST_SHARE", 1e-9)  # always too much
        write_log(tmp_path / "later")
        watcher.wait(PATIENCE)
        assert "./later" not in watcher.poll().jobs
        monkeypatch.setattr(log_directory, "_COST_SHARE", 1.0)
        polled_until(watcher, lambda d: "./later" in d.jobs, interval=PATIENCE)


LIMITED = """
import logging, sys
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher

logging.basicConfig(format="%(levelname)s %(message)s")
open("/proc/sys/user/" + sys.argv[1], "w").write(sys.argv[2])
watcher = SummaryWatcher(sys.argv[3])
for _ in range(3):
    watcher.poll()
    watcher.wait(0.0)
print(watcher.watching, len(watcher.poll().jobs))
"""


@needs_inotify
@pytest.mark.parametrize(
    ("limit", "number", "reason"),
    [
        ("max_inotify_watches", 2, "the limit of inotify watches is reached (sysctl fs."),
        ("max_inotify_instances", 0, "no inotify instance is left (sysctl fs."),
    ],
)
def test_at_the_systems_limits_it_polls_and_warns_once(
    tmp_path: Path, limit: str, number: int, reason: str
) -> None:
    for name in "abc":
        write_log(tmp_path / name)
    namespace = ["unshare", "--user", "--map-root-user"]  # whose limits may be changed
    try:
        subprocess.run([*namespace, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine allows no user namespaces")
    command = [*namespace, sys.executable, "-c", LIMITED, limit, str(number), str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert result.stdout == "polling 3\n"
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"WARNING {tmp_path}: changes are found by polling only: {reason}")


NAMES = st.sampled_from(["a", "b", "a/b", "a/b/c", "c.tfevents", "a/d.tfevents"])
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["write", "append", "unlink", "rmtree", "move", "replace", "poll"]),
        NAMES,
        NAMES,
    ),
    max_size=25,
)


def operate(watcher: SummaryWatcher, base: Path, operation: str, first: str, second: str) -> None:
    directory, other = base / first, base / second
    match operation:
        case "write":
            write_log(directory)
        case "append":
            append(directory / EVENTS)
        case "unlink":
            (directory / EVENTS).unlink()
        case "rmtree":
            shutil.rmtree(directory)
        case "move":
            directory.rename(other)
        case "replace":
            (directory / "new").write_bytes(RECORD * 2)
            (directory / "new").rename(directory / EVENTS)
        case "poll":
            watcher.poll()


@needs_inotify
@given(OPERATIONS)
def test_hints_alone_lead_to_the_truth(operations: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        with hinted(base) as watcher:
            for operation in operations:
                with contextlib.suppress(OSError):  # nothing is done without budget
                    operate(watcher, base, *operation)
            wait_for_the_truth(watcher, base)
            directories = [base, *(path for path in base.rglob("*") if path.is_dir())]
            wait_until_watched(watcher, directories)


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
