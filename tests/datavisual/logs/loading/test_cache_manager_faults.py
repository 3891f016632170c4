"""Temporarily unreadable jobs: known data stays, and reading is retried."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.loading import cache_manager, retries
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.store import LoadStatus
from mindviz.errors import LogUnreadable
from tests.disk_faults import Faults
from tests.mindviz_process import wait_until
from tests.written_logs import tensorboard_log, write

POINTS = 500


def logs(base_dir: Path, *names: str) -> Path:
    for name in names:
        write(base_dir / name, "tfevents.1", tensorboard_log([(s, 1.0) for s in range(POINTS)]))
    return base_dir


def cache(base_dir: Path, **settings: object) -> CacheManager:
    watcher = SummaryWatcher(base_dir, inotify=False)
    return CacheManager(watcher, options=ScanOptions(), **settings)  # type: ignore[arg-type]


def points(manager: CacheManager) -> dict[str, int]:
    return {train_id: job.snapshot.points for train_id, job in manager.jobs.items()}


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_FIRST", 0.01)


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("call", ["open", "preadv", "scandir", "stat"])
def test_unreadable_files_are_retried_without_another_poll(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    logs(tmp_path, "a", "b")
    faults = Faults(monkeypatch)
    manager = cache(tmp_path, reload_interval=0)
    try:
        with faults.on(call, str(tmp_path) if call in {"scandir", "stat"} else "tfevents.1"):
            manager.start()
            wait_until(lambda: faults.raised > 4, "retries")
            assert sum(points(manager).values()) == 0
        wait_until(lambda: points(manager) == {"./a": POINTS, "./b": POINTS}, "all points")
        wait_until(lambda: not any(job.info.problems for job in manager.jobs.values()), "health")
        wait_until(lambda: manager.load_status is LoadStatus.LOADED, "load_status")
    finally:
        manager.close()


@pytest.mark.usefixtures("_quick")
def test_loading_once_retries_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs(tmp_path, "a")
    faults = Faults(monkeypatch)
    manager = cache(tmp_path)
    monkeypatch.setattr(cache_manager, "_RETRY_PATIENCE", 0.2)
    with faults.on("preadv", "tfevents.1"):
        manager.load_once()
    assert faults.raised > 2
    assert points(manager) == {"./a": 0}
    (problem,) = manager.job("./a").info.problems
    assert "Input/output error" in problem.detail


def test_loading_once_does_not_wait_for_lasting_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs(tmp_path, "a")
    faults = Faults(monkeypatch)
    manager = cache(tmp_path)
    with faults.on("open", "tfevents.1", errno.EACCES):
        manager.load_once()
    assert faults.raised == 1


@pytest.mark.usefixtures("_quick")
def test_a_file_that_is_gone_is_not_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A read between the removal and the poll fails for good, which is retried after LONGEST.
    monkeypatch.setattr(cache_manager, "LONGEST", 0.01)
    logs(tmp_path, "a", "b")
    faults = Faults(monkeypatch)
    manager = cache(tmp_path, reload_interval=0)
    with faults.on("preadv", "tfevents.1"):
        manager.start()
        wait_until(lambda: faults.raised > 2, "retries")
        shutil.rmtree(tmp_path / "b")
        manager.look()
    try:
        wait_until(lambda: points(manager) == {"./a": POINTS}, "the other job")
        manager.refresh()
        wait_until(lambda: not manager._queue._later, "no retries left")
    finally:
        manager.close()


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("code", [errno.EIO, errno.EMFILE, errno.EACCES, errno.ENOENT])
def test_evicted_unreadable_columns_are_an_error_until_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    manager = cache(logs(tmp_path, "a", "b"), max_memory=16_000)
    manager.load_once()
    (dropped,) = (i for i, job in manager.jobs.items() if not job.snapshot.resident)
    known = manager.job(dropped).snapshot
    faults = Faults(monkeypatch)
    with faults.on("open", "tfevents.1", code):
        for _ in range(10):
            with pytest.raises(LogUnreadable):
                manager.resident(dropped)
        assert manager.job(dropped).snapshot is known
        assert [one.kind for one in manager.job(dropped).info.problems] == ["unreadable"]
    assert manager.job(dropped).snapshot.summaries.total == (POINTS,)

    def reloaded() -> bool:
        try:
            return manager.resident(dropped).nbytes > 0
        except LogUnreadable:
            return False

    wait_until(reloaded, "columns")
    assert manager.job(dropped).info.problems == ()


def test_a_failed_reload_leaves_the_disk_alone_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = cache(logs(tmp_path, "a", "b"), max_memory=16_000)
    manager.load_once()
    (dropped,) = (i for i, job in manager.jobs.items() if not job.snapshot.resident)
    monkeypatch.setattr(retries, "_FIRST", 60.0)
    faults = Faults(monkeypatch)
    with faults.on("open", "tfevents.1"):
        for _ in range(10):
            with pytest.raises(LogUnreadable):
                manager.resident(dropped)
    assert faults.raised == 1


def test_columns_that_cannot_be_dropped_cleanly_end_no_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: TrainJobSnapshot) -> TrainJobSnapshot:
        raise ZeroDivisionError

    monkeypatch.setattr(TrainJobSnapshot, "without_columns", failing)
    manager = cache(logs(tmp_path, "a", "b", "c"), max_memory=16_000, workers=1)
    manager.load_once()
    assert manager.load_status is LoadStatus.LOADED
    assert points(manager) == dict.fromkeys(["./a", "./b", "./c"], POINTS)
