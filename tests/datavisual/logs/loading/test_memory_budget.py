from __future__ import annotations

import shutil
import threading
from functools import partial
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.loading import memory_budget
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.memory_budget import MemoryBudget
from mindviz.datavisual.logs.loading.scan_options import ReadingMemory, ScanOptions
from mindviz.deadline import LongWorkAhead, allow, doing
from mindviz.errors import DeadlineExceeded, TrainJobNotFound
from tests.written_logs import found_job, tensorboard_log, write


def loaded(directory: Path, jobs: int, budget: int) -> CacheManager:
    """Jobs of 500 points each, all loaded, in a cache with so many bytes for columns."""
    for number in range(jobs):
        log = tensorboard_log([(s, float(s)) for s in range(500)])
        write(directory / f"job{number}", "tfevents.1", log)
    watcher = SummaryWatcher(directory, inotify=False)
    manager = CacheManager(watcher, options=ScanOptions(), max_memory=budget * 8 // 5)
    manager.load_once()
    assert manager.budget.max_bytes == budget
    return manager


def test_columns_never_exceed_the_budget_once_loaded(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=6, budget=25_000)
    for train_id in sorted(manager.jobs) * 2:
        assert manager.resident(train_id).points == 500
        held = sum(job.snapshot.nbytes for job in manager.jobs.values())
        assert 0 < held <= 25_000


def test_the_least_recently_used_columns_are_dropped_first(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=5, budget=1 << 20)
    for name in ("job2", "job0", "job3", "job1", "job4", "job2"):
        manager.resident(f"./{name}")
    shutil.rmtree(tmp_path / "job3")
    manager.look()
    size = manager.job("./job0").nbytes
    assert manager.budget.nbytes == 4 * size
    for left, dropped in ((2, ["job0", "job1"]), (1, ["job0", "job1", "job4"])):
        with manager.budget.reserved((1 << 20) - left * size):
            assert manager.budget.nbytes == left * size
        assert dropped == sorted(
            train_id.removeprefix("./")
            for train_id, job in manager.jobs.items()
            if not job.snapshot.resident
        )
    manager.resident("./job0")
    with manager.budget.reserved((1 << 20) - size):
        assert manager.job("./job0").snapshot.resident


def test_columns_of_a_run_that_is_read_stay_within_the_budget(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(i, i / 7) for i in range(50_000)]))
    memory = ReadingMemory.within(1 << 20, workers=2)
    budget, job = MemoryBudget(300_000), CachedJob(found_job(tmp_path), ScanOptions(memory=memory))
    budget.follow({job.train_id: job})
    (file,) = job.loader.update(job.found)
    seen: list[tuple[int, bool]] = []

    def publish() -> None:
        job.snapshot = job.loader.snapshot(1)
        read = job.snapshot.nbytes
        budget.count(job)
        seen.append((budget.nbytes, job.snapshot.resident))
        assert read <= budget.max_bytes + memory.per_file

    file.refresh(publish)
    publish()
    assert {True, False} == {resident for _, resident in seen}
    assert max(nbytes for nbytes, _ in seen) <= budget.max_bytes
    assert (job.complete, job.snapshot.points) == (True, 50_000)
    expected = 8 + 8 + 4  # bytes of a step, a time and a value of float32
    assert sum(file.column_bytes for file in job.snapshot.files) == expected * 50_000


def test_nothing_else_grows_into_the_memory_of_a_reload(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=2, budget=25_000)
    size = manager.job("./job0").nbytes
    with manager.budget.reserved(25_000 - size):
        for train_id in ("./job0", "./job1", "./job0"):
            manager.resident(train_id)
            assert manager.budget.nbytes <= size


def test_derived_data_counts_and_is_evicted_for_newer_data(
    tmp_path: Path,
) -> None:
    manager = loaded(tmp_path, jobs=2, budget=30_000)
    gone: list[str] = []
    manager.resident("./job0")
    manager.budget.charge_cache("./job0", "graph", 12_000, lambda: gone.append("small"))
    assert (gone, manager.job("./job1").snapshot.resident) == ([], False)
    manager.resident("./job1")
    assert gone == ["small"]
    manager.budget.charge_cache("./job1", "graph", 50_000, lambda: gone.append("larger than all"))
    assert gone == ["small"]
    manager.resident("./job0")
    assert gone == ["small", "larger than all"]


def test_derived_data_is_dropped_before_columns(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=1, budget=30_000)
    gone: list[str] = []
    job = manager.resident("./job0")
    for number in range(3):
        charge = manager.budget.charge_cache
        charge("./job0", number, 15_000, partial(gone.append, f"line {number}"))
    assert gone == ["line 0", "line 1"]
    assert manager.resident("./job0") is job


def test_no_more_columns_are_dropped_than_needed_besides_derived_data(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=2, budget=1 << 20)
    for name in ("./job0", "./job1"):
        manager.resident(name)
        manager.budget.charge_cache(name, "graph", 1_000, lambda: None)
    size = manager.job("./job0").snapshot.nbytes
    with manager.budget.reserved((1 << 20) - size - 500):
        resident = [manager.job(f"./job{number}").snapshot.resident for number in range(2)]
    assert resident == [False, True]


def test_derived_data_is_dropped_with_the_job(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=2, budget=1 << 20)
    gone: list[str] = []
    manager.budget.charge_cache("./job0", "graph", 1, lambda: gone.append("stays"))
    manager.budget.charge_cache("./job1", "graph", 1, lambda: gone.append("goes"))
    shutil.rmtree(tmp_path / "job1")
    manager.look()
    assert gone == ["goes"]
    with pytest.raises(TrainJobNotFound):
        manager.budget.charge_cache("./job1", "graph", 1, gone.clear)


def test_columns_that_do_not_fit_together_are_reloaded_in_turn() -> None:
    budget = MemoryBudget(100)
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        waiting.set()
        with budget.reserved(60):
            order.append("second")

    thread = threading.Thread(target=second)
    with budget.reserved(60):
        thread.start()
        assert waiting.wait(10)
        with budget.reserved(40):  # fits next to the first
            order.append("small")
        order.append("first")
    thread.join(10)
    assert order == ["small", "first", "second"]


def test_a_job_that_never_fits_is_reloaded_alone() -> None:
    budget = MemoryBudget(100)
    with budget.reserved(1_000):
        pass
    with pytest.raises(ZeroDivisionError), budget.reserved(1_000):
        raise ZeroDivisionError
    with budget.reserved(1_000):
        pass


def test_memory_is_freed_before_a_reload(tmp_path: Path) -> None:
    manager = loaded(tmp_path, jobs=2, budget=25_000)
    before = manager.budget.nbytes
    assert before > 12_000
    with manager.budget.reserved(12_000):
        assert 0 < manager.budget.nbytes <= 25_000 - 12_000
    with manager.budget.reserved(1 << 30):  # it is not kept: nothing is evicted
        assert manager.budget.nbytes > 0


def test_a_request_waiting_for_memory_does_not_delay_short_ones() -> None:
    budget = MemoryBudget(100)
    with budget.reserved(60):
        with doing(allow(60.0, is_short=True)), pytest.raises(LongWorkAhead), budget.reserved(60):
            pytest.fail("It does not fit.")
        with doing(allow(0.0)), pytest.raises(DeadlineExceeded), budget.reserved(60):
            pytest.fail("It does not fit.")
    with budget.reserved(60):
        pass


def test_reloading_many_columns_is_long_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = loaded(tmp_path, jobs=2, budget=12_000)
    (dropped,) = (i for i, job in manager.jobs.items() if not job.snapshot.resident)
    monkeypatch.setattr(memory_budget, "LONG_RELOAD", 1_000)
    with doing(allow(60.0, is_short=True)), pytest.raises(LongWorkAhead):
        manager.resident(dropped)
    with doing(allow(60.0)):
        assert manager.resident(dropped).points == 500
    with doing(allow(60.0, is_short=True)):
        assert manager.resident(dropped).points == 500


def test_a_request_waiting_for_a_reload_does_not_delay_short_ones(
    tmp_path: Path,
) -> None:
    manager = loaded(tmp_path, jobs=2, budget=12_000)
    (dropped,) = (job for job in manager.jobs.values() if not job.snapshot.resident)
    with (
        dropped.extras.reload_lock,
        doing(allow(60.0, is_short=True)),
        pytest.raises(LongWorkAhead),
    ):
        manager.resident_of(dropped)
    assert manager.resident_of(dropped).points == 500


def test_jobs_without_columns_are_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_budget, "_MOST_EMPTY", 2)
    manager = loaded(tmp_path, jobs=20, budget=1 << 20)
    budget, jobs = manager.budget, list(manager.jobs.values())
    for job in jobs[:15]:
        job.drop_columns()
        budget.count(job)
    assert budget.nbytes == sum(job.nbytes for job in jobs[15:]) > 0
    for job in jobs:
        budget.count(job)
    assert len(budget._by_use) <= 2 * 5 + 2
    with budget.reserved(1 << 20):
        assert budget.nbytes == 0
    for job in jobs:
        manager.resident(job.train_id)
    assert budget.nbytes == sum(job.nbytes for job in jobs) > 0
