"""SummaryWatcher: results of polls, and the cost of an idle base dir."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.directories import log_directory, summary_watcher
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.series.findings import Finding, FindingKind
from tests.log_directories import EVENTS, RECORD, append, as_ordinary_user, locked, write_log
from tests.watched_directories import polled_until


def shown(findings: tuple[Finding, ...]) -> list[tuple[FindingKind, str]]:
    return [(finding.kind, finding.path) for finding in findings]


# What a poll says -----------------------------------------------------------------------------


def test_the_first_poll_finds_every_job_and_the_next_no_change(
    tmp_path: Path,
) -> None:
    write_log(tmp_path)
    write_log(tmp_path / "a" / "b")
    watcher = SummaryWatcher(tmp_path, inotify=False)
    first = watcher.poll()
    assert first.changed == {"./", "./a/b"}
    assert first.jobs["./a/b"].directory == str(tmp_path / "a" / "b")
    assert first.jobs["./a/b"].files[0].relative_path == f"a/b/{EVENTS}"
    second = watcher.poll()
    assert second.changed == frozenset()
    assert second.removed == frozenset()
    assert second.jobs is first.jobs


def test_a_poll_reports_new_grown_and_removed_jobs_and_keeps_the_others(
    tmp_path: Path,
) -> None:
    log = write_log(tmp_path / "grows")
    write_log(tmp_path / "stays")
    write_log(tmp_path / "goes")
    watcher = SummaryWatcher(tmp_path, inotify=False)
    before = watcher.poll()
    append(log)
    write_log(tmp_path / "comes")
    shutil.rmtree(tmp_path / "goes")
    after = watcher.poll()
    assert after.changed == {"./grows", "./comes"}
    assert after.removed == {"./goes"}
    assert set(after.jobs) == {"./grows", "./stays", "./comes"}
    assert after.jobs["./stays"] is before.jobs["./stays"]
    assert after.jobs["./grows"].files[0].identity.size == 2 * len(RECORD)
    assert before.jobs["./grows"].files[0].identity.size == len(RECORD)


def test_added_or_removed_embeddings_are_a_change(tmp_path: Path) -> None:
    write_log(tmp_path / "a")
    watcher = SummaryWatcher(tmp_path, inotify=False)
    assert not watcher.poll().jobs["./a"].has_assets
    for is_there in (True, False):
        if is_there:
            (tmp_path / "a" / "projector_config.pbtxt").touch()
        else:
            (tmp_path / "a" / "projector_config.pbtxt").unlink()
        after = watcher.poll()
        assert after.changed == {"./a"}
        assert after.jobs["./a"].has_assets is is_there


def test_a_file_replaced_or_truncated_in_place_is_a_change(tmp_path: Path) -> None:
    log = write_log(tmp_path)
    watcher = SummaryWatcher(tmp_path, inotify=False)
    watcher.poll()
    (tmp_path / "new").write_bytes(RECORD)
    (tmp_path / "new").rename(log)
    assert watcher.poll().changed == {"./"}
    os.truncate(log, 3)
    assert watcher.poll().changed == {"./"}


def test_a_base_dir_that_does_not_exist_yet_is_waited_for(tmp_path: Path) -> None:
    base = tmp_path / "later" / "logs"
    watcher = SummaryWatcher(base, inotify=False)
    discovery = watcher.poll()
    assert discovery.jobs == {}
    assert shown(discovery.findings) == [(FindingKind.UNREADABLE, "./")]
    write_log(base / "run")
    discovery = watcher.poll()
    assert discovery.changed == {"./run"}
    assert discovery.findings == ()
    shutil.rmtree(base)
    discovery = watcher.poll()
    assert discovery.removed == {"./run"}
    assert shown(discovery.findings) == [(FindingKind.UNREADABLE, "./")]


def test_a_base_dir_that_is_a_file_is_a_problem_until_it_is_a_directory(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    base.write_bytes(RECORD)
    watcher = SummaryWatcher(base, inotify=False)
    assert shown(watcher.poll().findings) == [(FindingKind.UNREADABLE, "./")]
    base.unlink()
    write_log(base)
    assert watcher.poll().changed == {"./"}


def test_a_base_dir_recreated_between_polls_is_read_again(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    write_log(base / "old")
    watcher = SummaryWatcher(base, inotify=False)
    watcher.poll()
    (tmp_path / "moved").mkdir()
    base.rename(tmp_path / "moved" / "logs")
    write_log(base / "new")
    discovery = watcher.poll()
    assert discovery.changed == {"./new"}
    assert discovery.removed == {"./old"}


def test_the_base_dir_may_be_a_link_and_may_be_turned(tmp_path: Path) -> None:
    write_log(tmp_path / "one" / "a")
    write_log(tmp_path / "two" / "b")
    base = tmp_path / "logs"
    base.symlink_to("one")
    watcher = SummaryWatcher(base, inotify=False)
    discovery = watcher.poll()
    assert set(discovery.jobs) == {"./a"}
    assert discovery.findings == ()
    base.unlink()
    base.symlink_to("two")
    discovery = watcher.poll()
    assert set(discovery.jobs) == {"./b"}
    assert discovery.removed == {"./a"}


def test_an_unreadable_base_dir_is_a_problem_and_no_end(readable_path: Path) -> None:
    base = readable_path / "parent" / "logs"
    write_log(base / "run")
    watcher = SummaryWatcher(base, inotify=False)
    for unreadable in (base, base.parent):
        with locked(unreadable):
            assert shown(watcher.poll().findings) == [(FindingKind.UNREADABLE, "./")]
        with as_ordinary_user():
            discovery = watcher.poll()
        assert set(discovery.jobs) == {"./run"}
        assert discovery.findings == ()


def test_a_thousand_problems_are_not_listed_one_by_one(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"link{number}").symlink_to("/")
    findings = SummaryWatcher(tmp_path, inotify=False).poll().findings
    assert len(findings) == 101
    assert "50" in findings[-1].detail


# Growth and turns -----------------------------------------------------------------------------


def test_a_file_that_rested_for_long_and_grows_is_noticed_within_a_sweep(tmp_path: Path) -> None:
    logs = [write_log(tmp_path / f"run{number}") for number in range(20)]
    for log in logs:
        os.utime(log, (1e9, 1e9))
    watcher = SummaryWatcher(tmp_path, inotify=False, sweep_seconds=0.5)
    watcher.poll()
    append(logs[7])
    os.utime(logs[7], (1e9, 1e9))
    discovery = polled_until(watcher, lambda discovery: bool(discovery.changed))
    assert discovery.changed == {"./run7"}


def test_a_sweep_of_many_directories_goes_on_in_later_polls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary_watcher, "_BLIND_SWEEP", 0.0)
    monkeypatch.setattr(summary_watcher, "_LEAST_SWEPT", 2)
    monkeypatch.setattr(summary_watcher, "_ALL_DIRECTORIES", 0)
    logs = [write_log(tmp_path / f"run{number}") for number in range(9)]
    for log in logs:
        os.utime(log, (1e9, 1e9))
    watcher = SummaryWatcher(tmp_path, inotify=False, sweep_seconds=1e-6, hot_seconds=-1e9)
    watcher.poll()
    for log in logs:
        append(log)
    found: set[str] = set()
    polls = 0
    while len(found) < 9:
        polls += 1
        found |= watcher.poll().changed
    assert polls >= 5  # two directories each


NAMES = st.sampled_from(["a", "b", "a/b", "a/b/c", "c.tfevents", "a/d.tfevents", "profiler_1"])
LOGS = st.sampled_from([EVENTS, "x.summary.1", "x.summary.1_lineage", "vdlrecords.1.log", "m.pb"])
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(
            ["write", "empty", "append", "unlink", "mkdir", "rmtree", "move", "link", "replace"]
        ),
        NAMES,
        NAMES,
        LOGS,
    ),
    max_size=25,
)


def operate(base: Path, operation: str, first: str, second: str, log: str) -> None:
    directory, other = base / first, base / second
    match operation:
        case "write":
            write_log(directory, log)
        case "empty":
            directory.mkdir(parents=True, exist_ok=True)
            (directory / log).write_bytes(b"")
        case "append":
            append(directory / log)
        case "unlink":
            (directory / log).unlink()
        case "mkdir":
            directory.mkdir(parents=True)
        case "rmtree":
            shutil.rmtree(directory)
        case "move":
            directory.rename(other)
        case "link":
            other.symlink_to(directory)
        case "replace":
            (base / "new").write_bytes(RECORD * 2)
            (base / "new").rename(directory / log)


@pytest.mark.parametrize("hot_seconds", [0.0, 600.0])
@given(OPERATIONS)
def test_after_each_poll_the_state_equals_a_new_watchers(
    hot_seconds: float, operations: list[tuple[str, str, str, str]]
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        # On a busy machine any listing may seem costly and be postponed.
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(log_directory, "_COSTLY_SECONDS", math.inf)
        base = Path(folder)
        watcher = SummaryWatcher(base, inotify=False, hot_seconds=hot_seconds, sweep_seconds=0)
        known = dict(watcher.poll().jobs)
        for operation in operations:
            with contextlib.suppress(OSError):  # nothing is done without budget
                operate(base, *operation)
            discovery = watcher.poll()
            fresh = SummaryWatcher(base, inotify=False).poll()
            assert discovery.jobs == fresh.jobs
            assert discovery.findings == fresh.findings
            assert discovery.removed == known.keys() - fresh.jobs.keys()
            assert discovery.changed == {
                train_id for train_id, job in fresh.jobs.items() if known.get(train_id) != job
            }
            known = dict(fresh.jobs)


def test_polling_leaves_no_descriptor_open(tmp_path: Path) -> None:
    for number in range(30):
        write_log(tmp_path / f"run{number}")
        write_log(tmp_path / f"run{number}", "model.pb")
    watcher = SummaryWatcher(tmp_path, inotify=False)
    watcher.poll()
    watcher.poll()
    targets = [os.path.realpath(link) for link in Path("/dev/fd").iterdir()]
    assert [target for target in targets if target.startswith(str(tmp_path))] == []
