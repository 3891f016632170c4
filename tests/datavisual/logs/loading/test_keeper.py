"""What is kept, when, and what happens where nothing can be written."""

from __future__ import annotations

import errno
import os
import shutil
import weakref
from itertools import islice
from pathlib import Path
from threading import Event, Thread

import pytest

from mindviz.config import Config
from mindviz.datavisual.logs.loading import keeper
from mindviz.datavisual.logs.loading.cached_job import CachedJob
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.keeper import Keeper, unkept
from mindviz.datavisual.logs.loading.scan_options import ReadingMemory, ScanOptions
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.logs.warm.pack import PackWriter, Section
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from tests.written_logs import (
    counted_reads,
    events,
    found_job,
    loaded,
    overwritten,
    rows,
    tensorboard_log,
    write,
)

NAME = "events.out.tfevents.1.h"
POINTS = [(step, step / 7) for step in range(50)]


def packs(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.pack"))


def answers(store: LogStore) -> object:
    """Everything that is known of each job, and its points."""
    return {
        info.train_id: (
            info.points,
            info.problems,
            info.update_time,
            info.cache_status,
            store.log_files(info.train_id),
            store.read_lineage(info.train_id).facts,
            {tag: rows(store.read_scalars(info.train_id, tag)) for tag in tags},
        )
        for info in store.list_train_jobs()
        for tags in [store.list_tags(info.train_id).get("scalar", ())]
    }


def test_a_grown_log_is_read_from_where_it_was_kept(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    with path.open("ab") as log:
        log.write(events([(step, 1.0) for step in range(50, 60)]))
    for _ in range(2):
        store = loaded(base, cache_dir=cache)
        assert answers(store) == answers(loaded(base))
    assert store.status().points == 60


@pytest.mark.parametrize(
    "changed",
    [
        tensorboard_log(POINTS[:5]),
        tensorboard_log(POINTS, tag="other"),
        tensorboard_log([*POINTS, *POINTS], start=9_000.0),
        b"",
    ],
    ids=["shorter", "rewritten", "replaced", "emptied"],
)
def test_a_changed_log_is_read_again(tmp_path: Path, changed: bytes) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    path.write_bytes(changed)
    os.utime(path, (1, 1))
    assert answers(loaded(base, cache_dir=cache)) == answers(loaded(base))


@pytest.mark.parametrize("by_rename", [False, True])
def test_a_log_that_changed_only_in_its_middle_is_read_again(
    tmp_path: Path, *, by_rename: bool
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    changed = tensorboard_log([(step, 9.0 if step == 25 else value) for step, value in POINTS])
    assert len(changed) == path.stat().st_size
    overwritten(path, changed, by_rename=by_rename)
    for _ in range(2):
        store = loaded(base, cache_dir=cache)
        assert answers(store) == answers(loaded(base))
        assert rows(store.read_scalars("./", "loss"))[25] == (25, 9.0)


def test_a_log_whose_time_changed_is_read_once(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    overwritten(path, path.read_bytes())
    with counted_reads() as opened:
        for _ in range(2):
            store = loaded(base, cache_dir=cache)
            assert opened == [str(path)]
    assert answers(store) == answers(loaded(base))


def test_any_damage_of_the_cache_leads_back_to_the_logs(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base / "a", NAME, tensorboard_log(POINTS))
    write(base / "b", NAME, tensorboard_log(POINTS, tag="acc"))
    expected = answers(loaded(base, cache_dir=cache))
    (pack,) = packs(cache)
    content = pack.read_bytes()
    for at in range(0, len(content), 61):
        damaged = bytearray(content)
        damaged[at] ^= 0x10
        shutil.rmtree(cache)
        write(pack.parent, pack.name, bytes(damaged))
        assert answers(loaded(base, cache_dir=cache)) == expected, at
        assert answers(loaded(base, cache_dir=cache)) == expected, at


def test_kept_columns_take_no_memory_of_the_process(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log([(step, step / 7) for step in range(5000)]))
    store = loaded(base, cache_dir=cache)
    snapshot = store.cache.resident("./")
    assert snapshot.resident
    assert 10 * snapshot.nbytes < loaded(base).cache.resident("./").nbytes


def test_columns_are_freed_once_they_are_kept(tmp_path: Path) -> None:
    base, closed = tmp_path / "logs", Event()
    write(base, NAME, tensorboard_log([(step, step / 7) for step in range(5000)]))
    warm = WarmCache(tmp_path / "cache", str(base))
    options = ScanOptions(warm=warm, closed=closed)
    job = CachedJob(found_job(base), options)
    for file in job.loader.update(job.found):
        file.refresh(lambda: None)
    job.snapshot = job.loader.snapshot(1)
    steps = weakref.ref(job.snapshot.files[0].batches[0].scalars.steps)
    assert job.listed.points == 5000
    Keeper(warm, closed, lambda _: None, lambda: [job]).keep_now([job])
    assert job.map_columns() is not None
    assert steps() is None


def test_a_growing_log_is_written_a_bounded_number_of_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    written = []
    write_piece = PackWriter._write

    def count(self: PackWriter, data: bytes | memoryview) -> None:
        written.append(len(data))
        write_piece(self, data)

    monkeypatch.setattr(PackWriter, "_write", count)
    path = write(base, NAME, tensorboard_log([(0, 0.5)]))
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    store.start()
    store.refresh()
    saver = store.cache.keeper
    assert saver is not None
    saves = 0
    for first in range(1, 4001, 20):
        with path.open("ab") as log:
            log.write(events([(step, step / 7) for step in range(first, first + 20)]))
        store.refresh()
        before = len(written)
        saver.keep_due()
        saves += len(written) > before
    store.close()
    assert 2 <= saves < 20
    size = path.stat().st_size
    assert sum(written) < 3 * size
    assert answers(loaded(base, cache_dir=cache)) == answers(loaded(base))


@pytest.mark.parametrize("max_memory", [1 << 30, 1], ids=["quiet", "out of memory"])
def test_all_that_is_written_of_a_growing_log_is_proportional_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, max_memory: int
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    monkeypatch.setattr(keeper, "QUIET_SECONDS", 0)  # after each increment
    log = tensorboard_log([(0, 0.5)])
    log += b"".join(events([(0, 0.5)], tag=f"layer{number}/weight") for number in range(3000))
    path = write(base, NAME, log)
    config = Config(base, inotify=False, reload_interval=0, cache_dir=cache, max_memory=max_memory)
    store = LogStore(config)
    store.start()
    store.refresh()
    assert store.cache.keeper is not None
    saves = 100
    for save in range(saves):
        with path.open("ab") as file:
            file.write(events([(step, step / 7) for step in range(20 * save, 20 * save + 20)]))
            file.write(events([(save, 1.0)], tag=f"new{save}"))
        store.refresh()
        store.cache.keeper.keep_due()
    store.close()
    written = sum(pack.stat().st_size for pack in packs(cache))
    assert len(packs(cache)) >= saves // 2  # two increments may be kept at once
    assert written < 8 * path.stat().st_size  # a state alone takes half a megabyte
    store = loaded(base, cache_dir=cache)
    with counted_reads() as opened:
        assert answers(loaded(base, cache_dir=cache)) == answers(store)
        assert opened == []
    assert answers(store) == answers(loaded(base))


def test_packs_are_not_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    monkeypatch.setattr(keeper, "QUIET_SECONDS", 0)  # after each increment
    path = write(base, NAME, tensorboard_log(POINTS))
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    store.start()
    running = store.cache.keeper
    assert running is not None
    for save in range(400):
        if len(packs(cache)) >= 40:  # two increments may be kept at once
            break
        store.refresh()
        running.keep_due()
        store.read_scalars("./", "loss")
        with path.open("ab") as file:
            file.write(events([(100 + save, 1.0)]))
    assert len(packs(cache)) >= 40
    running.collect()
    assert sum(is_open(path, cache) for path in Path("/proc/self/fd").iterdir()) < 20
    store.close()


def test_closing_ends_what_is_being_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    monkeypatch.setattr(keeper, "_PACK_FILES", 1)
    monkeypatch.setattr(keeper, "_CLOSE_SECONDS", 0)
    for number in range(20):
        write(base / str(number), NAME, tensorboard_log(POINTS))
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    closing = Thread(target=store.close)
    commit = PackWriter.commit

    def commit_and_close(self: PackWriter, index: Section) -> None:
        store.wait_until_loaded(60)
        commit(self, index)
        if closing.ident is None:
            closing.start()
        closing.join(10)

    monkeypatch.setattr(PackWriter, "commit", commit_and_close)
    store.start()
    running = store.cache.keeper
    assert running is not None
    running._thread.join()
    assert len(packs(cache)) == 1
    monkeypatch.undo()
    assert answers(loaded(base, cache_dir=cache)) == answers(loaded(base))


def is_open(descriptor: Path, folder: Path) -> bool:
    try:
        return descriptor.readlink().is_relative_to(folder)
    except FileNotFoundError:  # of `iterdir` itself
        return False


def test_a_lost_pack_costs_only_the_runs_in_it(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    runs = [write(base / run, NAME, tensorboard_log(POINTS)) for run in "ab"]
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    store.start()
    store.refresh()
    assert store.cache.keeper is not None
    for job in store.cache.jobs.values():
        store.cache.keeper.keep_now([job])
    packs(cache)[0].unlink()
    for path in runs:
        with path.open("ab") as file:
            file.write(events([(step, 1.0) for step in range(50, 90)]))
    store.refresh()
    store.cache.keeper.keep_now(list(store.cache.jobs.values()))
    assert answers(store) == answers(loaded(base))
    store.close()
    with counted_reads() as opened:
        assert answers(loaded(base, cache_dir=cache)) == answers(loaded(base, cache_dir=cache))
        assert opened == []


def test_a_cache_that_cannot_be_written_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log(POINTS))
    cache.write_text("a file")
    store = loaded(base, cache_dir=cache)
    assert answers(store) == answers(loaded(base))
    (message,) = [record.getMessage() for record in caplog.records]
    assert message == (
        f"Cannot write to the cache {cache}: Not a directory. Logs are read again at each start."
    )


def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log(POINTS))

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(PackWriter, "commit", fail)
        assert answers(loaded(base, cache_dir=cache)) == answers(loaded(base))
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    assert "No space left on device" in caplog.text
    loaded(base, cache_dir=cache)
    assert len(packs(cache)) == 1


def test_columns_beyond_the_budget_go_to_the_cache(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    for number in range(8):
        write(base / f"run{number}", NAME, tensorboard_log([(i, i / 7) for i in range(1000)]))
    store = loaded(base, cache_dir=cache, max_memory=30_000)
    with counted_reads() as opened:
        for _ in range(2):
            for info in store.list_train_jobs():
                assert len(store.read_scalars(info.train_id, "loss").step) == 1000
                assert store.cache.budget.nbytes <= 30_000
        assert opened == []


def test_a_large_file_is_spilled_while_it_is_read(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log([(i, i / 7) for i in range(50_000)]))
    store = loaded(base, cache_dir=cache, max_memory=1 << 20)
    assert len(packs(cache)) > 3
    assert answers(store) == answers(loaded(base))
    assert answers(loaded(base, cache_dir=cache)) == answers(loaded(base))


def test_a_file_takes_bounded_memory_while_it_is_read(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    write(base, NAME, tensorboard_log([(i, i / 7) for i in range(50_000)]))
    memory = ReadingMemory.within(1 << 20, workers=2)
    warm = WarmCache(tmp_path / "cache", str(base))
    loader = FileLoader(found_job(base).files[0], ScanOptions(warm=warm, memory=memory))
    published = []
    loader.refresh(lambda: published.append(sum(b.nbytes for b in loader.snapshot.batches)))
    assert len(published) > 3
    assert max(published) < memory.per_file
    assert loader.snapshot.totals.count.tolist() == [50_000]


def test_a_slow_load_writes_few_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "_PACK_FILES", 12)
    for number in range(30):
        write(tmp_path / str(number), NAME, tensorboard_log(POINTS))
    warm = WarmCache(tmp_path / "cache", str(tmp_path))
    jobs = [CachedJob(found_job(tmp_path / str(n)), ScanOptions(warm=warm)) for n in range(30)]
    unread = iter(jobs)

    class Clock(Event):
        def wait(self, timeout: float | None = None) -> bool:
            assert timeout is None or timeout > 0
            for job in islice(unread, 3):
                for file in job.loader.update(job.found):
                    file.refresh(lambda: None)
                job.snapshot = job.loader.snapshot(1)
                running.mark(job)
            if job is jobs[-1]:
                self.set()
            return self.is_set()

    running = Keeper(warm, closed := Clock(), lambda _: None, lambda: jobs)
    closed.wait()
    running.start()
    running._thread.join()
    assert len(packs(tmp_path / "cache")) == 3
    assert [unkept(job) for job in jobs] == [0] * 30
