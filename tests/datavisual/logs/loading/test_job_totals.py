"""JobTotals: sums over jobs, and their number of problems."""

from __future__ import annotations

import tracemalloc
from dataclasses import fields
from pathlib import Path

import pytest

from mindviz.config import Config
from mindviz.datavisual.logs.directories.discovery import ExaminedJob
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.loading import job_totals
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.job_numbers import JobNumbers
from mindviz.datavisual.logs.loading.job_totals import (
    JobTotals,
    ProblemTotal,
    problem_count,
)
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.logs.warm.kept_job import ROW_SIZE, PackedJob
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.run_listing import ListedRun, RunListing
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.lineage_facts import NO_FACTS
from tests.written_logs import loaded, tensorboard_log, write


@pytest.fixture(params=[0, 1, 500])
def manager(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> CacheManager:
    """Two jobs of three points, packed or not; the log of one is truncated."""
    monkeypatch.setattr(CacheManager, "unpacked_jobs", request.param)
    log = tensorboard_log([(1, 0.5), (2, 0.25), (3, 0.125)])
    write(tmp_path / "whole", "tfevents.1", log)
    write(tmp_path / "cut", "tfevents.1", log + log[:20])
    manager = CacheManager(SummaryWatcher(tmp_path, inotify=False), options=ScanOptions())
    manager.load_once()
    return manager


def numbers_of(manager: CacheManager) -> JobNumbers:
    """The numbers of all jobs."""
    return JobNumbers.of(manager.jobs.values())


def test_totals_are_sums_over_all_jobs(manager: CacheManager) -> None:
    totals = JobTotals.of(7, lambda: numbers_of(manager))
    assert (totals.version, totals.train_jobs, totals.loaded_train_jobs) == (7, 2, 2)
    assert (totals.files, totals.points, totals.problems) == (2, 6, 1)
    assert totals.bytes - totals.bytes_read == 20


def test_a_listing_has_a_row_for_each_job_in_order(manager: CacheManager) -> None:
    manager.job("./whole").report(Finding(FindingKind.BAD_VALUE, "whole/tfevents.1"))
    numbers = numbers_of(manager).by_update()
    assert numbers.train_ids == ["./cut", "./whole"]
    expected = RunListing.of(["./cut", "./whole"], [job.listed for job in numbers.jobs])
    assert expected.problems.tolist() == [1, 1]
    listing = numbers.listing(lambda job: job.listed)
    for field in fields(RunListing):
        one, other = (getattr(columns, field.name) for columns in (listing, expected))
        assert list(one) == list(other), field.name


def test_numbers_of_packed_jobs_take_little_memory() -> None:
    place = Place("0.pack", 0, 1, 2)
    jobs = []
    for number in range(2000):
        run = ListedRun(1.0, number, 3, 4, 1, 0, 0, ("tensorboard",), "", None, {})
        packed = PackedJob.of(run, NO_FACTS, None, 0, [place], verified=True)
        found = ExaminedJob(f"./{number}", f"/{number}", (), ())
        jobs.append(CachedJob(found, ScanOptions(), kept=packed))
    tracemalloc.start()
    try:
        numbers = JobNumbers.of(jobs)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert numbers.rows["update_time"].tolist() == list(range(2000))
    assert peak < 2000 * 2 * ROW_SIZE


def test_without_jobs_numbers_are_empty() -> None:
    numbers = JobNumbers.of(()).by_update()
    assert len(numbers.listing(lambda job: job.listed)) == len(numbers.lineages()) == 0
    assert JobTotals.of(1, lambda: numbers).points == problem_count(numbers) == 0


def test_numbers_are_current_although_jobs_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CacheManager, "unpacked_jobs", 1)
    base, cache = tmp_path / "logs", tmp_path / "cache"
    for name in "abc":
        write(base / name, "tfevents.1", tensorboard_log([(1, 0.5)]))
    loaded(base, cache_dir=cache)  # two are in an index from now on
    write(base / "b", "tfevents.1", tensorboard_log([(1, 0.5), (2, 0.25)]))
    write(base / "d", "tfevents.1", tensorboard_log([(1, 0.5), (2, 0.25), (3, 0.125)]))
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    store.start()
    store.refresh()
    numbers = JobNumbers.of(store.cache.jobs.values()).by_update()
    points = {"./a": 1, "./b": 2, "./c": 1, "./d": 3}
    _assert_current(numbers, points)
    for name in "cd":
        write(base / name, "tfevents.1", tensorboard_log([(step, 0.5) for step in range(9)]))
    store.refresh()
    _assert_current(numbers, {**points, "./c": 9, "./d": 9})
    store.close()


def _assert_current(numbers: JobNumbers, points: dict[str, int]) -> None:
    listing = numbers.listing(lambda job: job.listed)
    assert dict(zip(listing.train_id, listing.points.tolist(), strict=True)) == points
    now = [job.lineage for job in numbers.jobs]
    assert list(numbers.lineages()) == now
    assert listing.update_time.tolist() == [one.update_time for one in now]


def test_problems_come_from_files_and_from_reading(
    manager: CacheManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.job("./whole").report(Finding(FindingKind.BAD_VALUE, "whole/tfevents.1"))
    for few in (1000, 0):  # whether each job is read or not
        monkeypatch.setattr(job_totals, "_FEW_JOBS", few)
        assert problem_count(numbers_of(manager)) == 2


def test_problems_of_very_many_jobs_are_counted_again_after_a_while(
    manager: CacheManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = numbers_of(manager)
    found = Finding(FindingKind.BAD_VALUE, "whole/tfevents.1")
    of_few = ProblemTotal().at(1, jobs)
    manager.job("./whole").report(found)
    assert (of_few.problems, of_few.at(1, jobs).problems) == (1, 2)
    monkeypatch.setattr(job_totals, "_FEW_JOBS", 0)
    monkeypatch.setattr(job_totals, "_PATIENCE", 1e9)
    of_many = ProblemTotal().at(1, jobs)
    manager.job("./cut").report(found)
    assert of_many.at(1, jobs) is of_many
    assert of_many.at(2, jobs).problems == 3
