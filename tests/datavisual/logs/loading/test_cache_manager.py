from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.discovery import Discovery, FoundJob
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.log_file import OpenLogFile
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.store import CacheStatus, LoadStatus
from mindviz.errors import TrainJobNotFound
from tests.written_logs import events, tensorboard_log, write


def cache(directory: Path, **settings: object) -> CacheManager:
    watcher = SummaryWatcher(directory, inotify=False)
    return CacheManager(watcher, options=ScanOptions(), **settings)  # type: ignore[arg-type]


def test_the_status_changes_from_init_to_loaded(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    seen: list[LoadStatus] = [manager.load_status]
    manager.look()
    seen.append(manager.load_status)
    assert manager.job("./").status is CacheStatus.NOT_IN_CACHE
    manager.load_once()
    seen.append(manager.load_status)
    assert seen == [LoadStatus.INIT, LoadStatus.LOADING, LoadStatus.LOADED]
    assert [job.status for job in manager.jobs.values()] == [CacheStatus.CACHED]


def test_an_empty_base_dir_is_loaded_at_once(tmp_path: Path) -> None:
    manager = cache(tmp_path)
    manager.load_once()
    assert manager.load_status is LoadStatus.LOADED
    assert dict(manager.jobs) == {}


def test_versions_grow_from_one_start_to_the_next(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    before = cache(tmp_path)
    before.load_once()
    time.sleep(0.05)  # Versions begin with the time.
    after = cache(tmp_path)
    after.load_once()
    assert after.version > before.version > 0


def test_the_next_version_is_announced_once(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    calls: list[str] = []
    manager.when_changed(manager.version, lambda: calls.append("next"))
    cancel = manager.when_changed(manager.version, lambda: calls.append("cancelled"))
    cancel()
    manager.when_changed(manager.version - 1, lambda: calls.append("known"))
    assert calls == ["known"]
    manager.load_once()
    assert calls == ["known", "next"]


def test_a_snapshot_does_not_change_later(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    manager.start()
    try:
        manager.refresh()
        before = manager.job("./").snapshot
        with path.open("ab") as file:
            file.write(events([(2, 2.0)]))
        manager.refresh()
        after = manager.job("./").snapshot
    finally:
        manager.close()
    assert (before.points, after.points) == (1, 2)
    assert before.version < after.version


def test_an_unread_job_is_not_complete(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    manager.look()
    assert [job.snapshot.complete for job in manager.jobs.values()] == [False]


def test_an_unread_job_has_no_loaders_and_follows_its_directory(tmp_path: Path) -> None:
    path = write(tmp_path / "run", "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    manager.look()
    job = manager.job("./run")
    assert (job.listed.files, job.listed.points, dict(job.listed.tags)) == (1, 0, {})
    with path.open("ab") as log:
        log.write(events([(2, 2.0)]))
    write(tmp_path / "run", "tfevents.2", tensorboard_log([(3, 3.0)], tag="other"))
    manager.look()
    assert job.is_unread
    assert (job.pending, job.info.bytes, job.listed.files) == (1, job.listed.bytes, 2)
    manager.load_once()
    assert not job.is_unread
    assert (job.pending, job.snapshot.complete, job.snapshot.points) == (0, True, 3)


def test_an_internal_error_before_the_first_file_leaves_the_other_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bad", "good"):
        write(tmp_path / name, "tfevents.1", tensorboard_log([(1, 1.0)]))
    update = TrainJobLoader.update

    def fail(self: TrainJobLoader, found: FoundJob) -> Sequence[FileLoader]:
        if found.train_id == "./bad":
            raise RuntimeError("a bug")
        return update(self, found)

    monkeypatch.setattr(TrainJobLoader, "update", fail)
    manager = cache(tmp_path, workers=1)
    manager.load_once()
    assert manager.load_status is LoadStatus.LOADED
    assert manager.job("./good").snapshot.points == 1
    assert ["a bug" in problem.detail for problem in manager.job("./bad").info.problems] == [True]


def test_closing_does_not_wait_for_the_end_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(s, 1.0) for s in range(20_000)]))
    options = ScanOptions()
    manager = CacheManager(SummaryWatcher(tmp_path, inotify=False), options=options)
    read = OpenLogFile.read

    def read_and_close(self: OpenLogFile, offset: int, size: int) -> memoryview:
        options.closed.set()
        return read(self, offset, size)

    monkeypatch.setattr(OpenLogFile, "read", read_and_close)
    manager.start()
    manager.close()
    assert manager.job("./").snapshot.points < 20_000


def test_small_and_large_files_are_all_read(tmp_path: Path) -> None:
    sizes = {"small0": 1, "large0": 8_000, "small1": 2, "large1": 9_000, "small2": 3}
    for name, size in sizes.items():
        write(tmp_path / name, "tfevents.1", tensorboard_log([(s, 1.0) for s in range(size)]))
    manager = cache(tmp_path, workers=3)
    manager.load_once()
    points = {train_id: job.snapshot.points for train_id, job in manager.jobs.items()}
    assert points == {f"./{name}": size for name, size in sizes.items()}


def test_a_file_we_stumble_over_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bad", "good"):
        write(tmp_path / name, "tfevents.1", tensorboard_log([(1, 1.0)]))
    refresh = FileLoader.refresh

    def failing(self: FileLoader, publish: Callable[[], None], *, two_threads: bool = True) -> None:
        if "/bad/" in self.found.path:
            raise ZeroDivisionError
        refresh(self, publish, two_threads=two_threads)

    monkeypatch.setattr(FileLoader, "refresh", failing)
    manager = cache(tmp_path)
    manager.load_once()
    assert manager.load_status is LoadStatus.LOADED
    assert manager.job("./good").snapshot.points == 1
    (finding,) = manager.job("./bad").read_findings
    assert finding.kind is FindingKind.UNREADABLE
    assert "ZeroDivisionError" in finding.detail


def test_a_job_that_cannot_be_published_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bad", "good"):
        write(tmp_path / name, "tfevents.1", tensorboard_log([(1, 1.0)]))
    snapshot = TrainJobLoader.snapshot

    def failing(self: TrainJobLoader, version: int) -> TrainJobSnapshot:
        if version and self.found.train_id == "./bad":
            raise ZeroDivisionError
        return snapshot(self, version)

    monkeypatch.setattr(TrainJobLoader, "snapshot", failing)
    manager = cache(tmp_path, workers=1)
    manager.load_once()
    assert manager.load_status is LoadStatus.LOADED
    assert manager.job("./good").snapshot.points == 1
    (finding,) = manager.job("./bad").read_findings
    assert "ZeroDivisionError" in finding.detail


def test_concurrent_readers_of_an_evicted_job_all_get_it(tmp_path: Path) -> None:
    for number in range(3):
        log = tensorboard_log([(s, float(s)) for s in range(500)])
        write(tmp_path / f"job{number}", "tfevents.1", log)
    manager = cache(tmp_path, max_memory=16_000)
    manager.load_once()
    answers: list[int] = []
    readers = [
        threading.Thread(target=lambda: answers.append(manager.resident("./job0").nbytes))
        for _ in range(8)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join(10)
    assert len(answers) == 8
    assert set(answers) == {manager.resident("./job0").nbytes}


def test_readers_of_a_removed_job_keep_its_data(tmp_path: Path) -> None:
    write(tmp_path / "goes", "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    manager.load_once()
    job = manager.job("./goes")
    shutil.rmtree(tmp_path / "goes")
    manager.look()
    assert manager.resident_of(job).points == 1
    assert manager.budget.nbytes == 0
    with pytest.raises(TrainJobNotFound):
        manager.resident("./goes")


def test_appends_during_a_reload_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        log = tensorboard_log([(s, float(s)) for s in range(500)])
        write(tmp_path / f"job{number}", "tfevents.1", log)
    manager = cache(tmp_path, max_memory=17_334)
    manager.start()
    reader = threading.current_thread()
    refresh = FileLoader.refresh

    def refresh_and_append(
        self: FileLoader, publish: Callable[[], None], *, two_threads: bool = True
    ) -> None:
        refresh(self, publish, two_threads=two_threads)
        if threading.current_thread() is reader:
            with Path(self.found.path).open("ab") as file:
                file.write(events([(500, 1.0)]))
            manager.look()

    try:
        manager.refresh()
        (dropped,) = (i for i, job in manager.jobs.items() if not job.snapshot.resident)
        monkeypatch.setattr(FileLoader, "refresh", refresh_and_append)
        assert manager.resident(dropped).points == 500
        manager.refresh()
        assert manager.job(dropped).snapshot.points == 501
    finally:
        manager.close()


def test_an_unknown_job_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(TrainJobNotFound):
        cache(tmp_path).job("./nowhere")


def test_a_failed_poll_is_logged_and_polling_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    poll = SummaryWatcher.poll
    failures = [ZeroDivisionError()]
    problems: list[Finding] = []

    def failing(self: SummaryWatcher) -> Discovery:
        if failures:
            raise failures.pop()
        problems.extend(manager.findings)
        return poll(self)

    monkeypatch.setattr(SummaryWatcher, "poll", failing)
    manager = cache(tmp_path, reload_interval=0.01)
    manager.start()
    try:
        deadline = time.monotonic() + 10
        while manager.load_status is not LoadStatus.LOADED and time.monotonic() < deadline:
            threading.Event().wait(0.01)
    finally:
        manager.close()
    assert manager.job("./").snapshot.points == 1
    assert ["ZeroDivisionError" in finding.detail for finding in problems[:1]] == [True]
    assert manager.findings == ()


def test_listings_are_prepared_before_requests(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name, "tfevents.1", tensorboard_log([(1, 1.0)]))
    manager = cache(tmp_path)
    manager.start()
    try:
        for thread in threading.enumerate():
            if thread.name == "mindviz-prepare":
                thread.join(10)
        assert manager.load_status is LoadStatus.LOADED
        assert all(job.listed is job.listed for job in manager.jobs.values())
        assert all("lineage" in vars(job.snapshot) for job in manager.jobs.values())
    finally:
        manager.close()
