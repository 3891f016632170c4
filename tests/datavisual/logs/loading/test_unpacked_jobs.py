"""Packed jobs answer as unpacked ones do."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.config import Config
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.logs.directories import log_directory
from mindviz.datavisual.logs.directories.discovery import ExaminedJob
from mindviz.datavisual.logs.directories.unchanged_job import UnchangedJob
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.logs.storage.file_system import Entry, LocalFiles
from mindviz.datavisual.logs.warm.kept_statistics import STATISTICS
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.store import CacheStatus, TrainJobInfo
from tests.datavisual.logs.loading.test_keeper import answers, packs
from tests.provider_suite import DataProviderSuite
from tests.written_logs import counted_reads, events, loaded, rows, tensorboard_log, write

NAME = "events.out.tfevents.1.h"
POINTS = [(step, step / 7) for step in range(50)]
GOLDEN = Path(__file__).parents[3] / "golden"


@pytest.fixture(autouse=True)
def _pack_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CacheManager, "unpacked_jobs", 0)


def packed(store: LogStore) -> list[bool]:
    return [job.packed is not None for job in store.cache.jobs.values()]


def infos(store: LogStore) -> dict[str, TrainJobInfo]:
    """Of all jobs, without what differs between processes."""
    return {info.train_id: replace(info, version=0) for info in store.list_train_jobs()}


def watched(base: Path, cache: Path | None) -> LogStore:
    """A store that polls only on request."""
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    store.start()
    store.refresh()
    return store


class _Suite(DataProviderSuite):
    starts: int
    """How often the store is started; 0 without a cache."""

    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        with TemporaryDirectory() as cache, pytest.MonkeyPatch.context() as patch:
            patch.setattr(CacheManager, "unpacked_jobs", 0)
            for _ in range(cls.starts):
                store = loaded(base_dir, cache_dir=Path(cache))
            if not cls.starts:
                store = loaded(base_dir)
            yield StoreProvider.of(store, experiment_id, bounds=bounds)


class TestPackedInMemory(_Suite):
    starts = 0


class TestPackedInTheCache(_Suite):
    starts = 1


class TestPackedSinceTheStart(_Suite):
    starts = 2


def test_every_log_is_packed_and_answers_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cache_dir in (None, tmp_path, tmp_path):
        store = loaded(GOLDEN, cache_dir=cache_dir)
        assert packed(store).count(True) >= 5
        assert packed(store).count(False) == sum(
            job.found.has_assets for job in store.cache.jobs.values()
        )
        monkeypatch.setattr(CacheManager, "unpacked_jobs", 1000)
        expected = loaded(GOLDEN)
        assert not any(packed(expected))
        monkeypatch.setattr(CacheManager, "unpacked_jobs", 0)
        assert repr(answers(store)) == repr(answers(expected))
        assert repr(store.listing()) == repr(expected.listing())
        assert infos(store) == infos(expected)
        assert set(store.series.runs()) == set(expected.series.runs())
        assert store.series.plugins() == expected.series.plugins()
        assert [one.facts for one in store.list_lineages()] == [
            one.facts for one in expected.list_lineages()
        ]
        one, other = store.status(), expected.status()
        for name in ("train_jobs", "loaded_train_jobs", "files", "points", "bytes", "bytes_read"):
            assert getattr(one, name) == getattr(other, name), name
        assert one.problem_count == other.problem_count


@pytest.mark.parametrize("cached", [False, True])
def test_packed_jobs_follow_their_logs(tmp_path: Path, *, cached: bool) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache" if cached else None
    paths = [write(base / name, NAME, tensorboard_log(POINTS)) for name in "abcd"]
    store = watched(base, cache)
    assert all(packed(store))
    before = store.cache.job("./a").snapshot.version
    with paths[0].open("ab") as log:
        log.write(events([(50, 1.0)]))
    paths[1].write_bytes(tensorboard_log(POINTS[:3], tag="other"))
    paths[2].unlink()
    write(base / "d", "x." + NAME, tensorboard_log(POINTS, tag="more"))
    store.refresh()
    assert answers(store) == answers(loaded(base))
    assert store.cache.job("./a").snapshot.version > before
    store.close()
    again = loaded(base, cache_dir=cache)
    assert all(packed(again))
    assert answers(again) == answers(loaded(base))


def test_the_first_list_after_a_warm_start_reads_nothing(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    for number in range(10):
        write(base / f"run{number}", NAME, tensorboard_log(POINTS[: number + 1]))
    expected = loaded(base, cache_dir=cache)
    with counted_reads() as opened:
        store = watched(base, cache)
        for pack in packs(cache):  # only the index was needed
            os.truncate(pack, 100)
        assert repr(store.listing()) == repr(expected.listing())
        assert infos(store) == infos(expected)
        assert store.status().points == expected.status().points
        assert opened == []


@pytest.mark.parametrize("size", [0, 100, -1])
def test_a_pack_that_is_truncated_while_it_is_used_leads_back_to_the_logs(
    tmp_path: Path, size: int
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    for name in "ab":
        write(base / name, NAME, tensorboard_log(POINTS))
    expected = answers(loaded(base, cache_dir=cache))
    store = watched(base, cache)
    assert len(store.read_scalars("./a", "loss").step) == 50
    for pack in packs(cache):
        os.truncate(pack, size if size >= 0 else pack.stat().st_size - 1)
    assert answers(store) == expected


def test_columns_dropped_from_memory_are_read_again(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    for number in range(8):
        write(base / f"run{number}", NAME, tensorboard_log(POINTS))
    store = loaded(base, max_memory=1000)
    assert store.cache.budget.nbytes <= 1000
    statuses = [info.cache_status for info in store.list_train_jobs()]
    cached = [job.snapshot.cached for job in store.cache.jobs.values()]
    assert statuses.count(CacheStatus.NOT_IN_CACHE) == cached.count(False) > 0
    expected = loaded(base)
    for number in range(8):
        series = store.read_scalars(f"./run{number}", "loss")
        assert rows(series) == rows(expected.read_scalars(f"./run{number}", "loss"))
    assert store.cache.budget.nbytes <= 1000


def test_statistics_of_packed_jobs_are_those_of_their_summaries(tmp_path: Path) -> None:
    paths = [
        write(tmp_path / name, NAME, tensorboard_log(POINTS[: 5 + k]))
        for k, name in enumerate("abc")
    ]
    write(tmp_path / "d", NAME, tensorboard_log(POINTS, tag="other"))
    store = watched(tmp_path, None)
    for _ in range(2):
        for name in ("last", "min", "max", "min_step", "max_step"):
            expected = {}
            for train_id in store.list_train_ids():
                summaries = store.scalar_summaries(train_id)
                row = summaries.index_of("loss")
                if row >= 0:
                    expected[train_id] = getattr(summaries.stats, name)[row]
            assert len(expected) == 3
            assert store.scalar_statistic("loss", name) == expected
        with paths[0].open("ab") as log:
            log.write(events([(60, -1.0)]))
        store.refresh()
    assert store.scalar_statistic("loss", "first") is None
    store.close()


def statistics(store: LogStore, tag: str, name: str) -> str:
    """Comparable, with NaN."""
    return repr(sorted((store.scalar_statistic(tag, name) or {}).items()))


@pytest.mark.parametrize("damaged", [False, True])
def test_statistics_of_the_cache_are_those_of_the_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, damaged: bool
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base / "plain", NAME, tensorboard_log(POINTS))
    write(base / "equal", NAME, tensorboard_log(POINTS[::-1]))
    write(base / "nan", NAME, tensorboard_log([(1, math.nan), (2, 2.0), (3, math.nan)]))
    write(base / "all_nan", NAME, tensorboard_log([(1, math.nan)]))
    write(base / "other", NAME, tensorboard_log(POINTS, tag="other"))
    write(base / "two", NAME, tensorboard_log(POINTS[:5]))
    write(base / "two", NAME + "2", tensorboard_log(POINTS[3:9]))
    expected = {
        (tag, name): statistics(loaded(base), tag, name)
        for tag in ("loss", "other", "none")
        for name in STATISTICS
    }
    loaded(base, cache_dir=cache)
    store = loaded(base, cache_dir=cache)
    assert all(packed(store))
    if damaged:
        for pack in packs(cache):
            os.truncate(pack, 100)
    else:

        def fail(_self: LogStore, train_id: str) -> None:
            pytest.fail(f"{train_id} was decoded")

        monkeypatch.setattr(LogStore, "scalar_summaries", fail)
    for (tag, name), values in expected.items():
        assert statistics(store, tag, name) == values


def test_statistics_follow_a_run_that_grows(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base / "a", NAME, tensorboard_log(POINTS))
    write(base / "b", NAME, tensorboard_log(POINTS))
    for value in (-1.0, -2.0):
        with path.open("ab") as log:
            log.write(events([(60, value)]))
        for _ in range(2):  # from the logs, then from the cache
            store = watched(base, cache)
            assert store.scalar_statistic("loss", "min") == {"./a": value, "./b": 0.0}
            store.close()


def test_unchanged_directories_are_not_listed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_directory, "_LASTING_SECONDS", -1.0)
    base, cache = tmp_path / "logs", tmp_path / "cache"
    for name in ("same", "more", "less", "nested", "nested/run", "linked", "renamed", "other"):
        write(base / name, NAME, tensorboard_log(POINTS))
    write(base / "less", NAME + "2", tensorboard_log(POINTS, tag="other"))
    (base / "linked" / (NAME + "2")).symlink_to(base / "same" / NAME)
    (base / "other" / "model.ckpt").write_bytes(b"")
    loaded(base, cache_dir=cache)
    write(base / "more", NAME + "2", tensorboard_log(POINTS, tag="other"))
    (base / "less" / (NAME + "2")).unlink()
    (base / "renamed").rename(base / "new_name")
    with (base / "same" / NAME).open("ab") as log:
        log.write(events([(60, 1.0)]))
    listed: list[str] = []
    scandir = LocalFiles.scandir

    def noted(self: LocalFiles, path: str) -> AbstractContextManager[Iterator[Entry]]:
        listed.append(path)
        return scandir(self, path)

    monkeypatch.setattr(LocalFiles, "scandir", noted)
    store = loaded(base, cache_dir=cache)
    expected = {".", "more", "less", "nested", "linked", "new_name"}
    assert {os.path.relpath(path, base) for path in listed} == expected
    assert answers(store) == answers(loaded(base))


FOLDERS = st.sampled_from(["a", "a/b", "c"])
NAMES = st.sampled_from([NAME, NAME + "2"])
KINDS = st.sampled_from(["write", "append", "unlink", "move", "link"])
LONG_AGO = (1e9, 1e9)


def change(directory: Path, kind: str, name: str) -> None:
    path = directory / name
    match kind:
        case "write":
            os.utime(write(directory, name, tensorboard_log([(0, 5.0)], tag=name)), LONG_AGO)
        case "append":
            with path.open("ab") as log:
                log.write(events([(60, 1.0)], tag=name))
            os.utime(path, LONG_AGO)
        case "unlink":
            path.unlink()
        case "move":
            directory.rename(directory.with_name("moved"))
        case "link":
            (directory / "link.tfevents").symlink_to(name)


def files(store: LogStore) -> object:
    return {name: job.found.files for name, job in store.cache.jobs.items()}


@given(
    st.dictionaries(FOLDERS, st.sets(NAMES, min_size=1), max_size=3),
    st.lists(st.tuples(FOLDERS, KINDS, NAMES), max_size=3),
    st.sampled_from(["lazy", "always"]),
)
def test_a_start_over_old_logs_finds_what_has_changed_since(
    logs: dict[str, set[str]], changes: list[tuple[str, str, str]], checksum: str
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_directory, "_LASTING_SECONDS", -1.0)
        base, cache = Path(folder, "logs"), Path(folder, "cache")
        base.mkdir()
        for run, names in logs.items():
            for name in names:
                change(base / run, "write", name)
        loaded(base, cache_dir=cache)
        for run, kind, name in changes:
            with suppress(OSError):  # there is nothing to change
                change(base / run, kind, name)
        expected = loaded(base, checksum=checksum)
        for _ in range(2):
            store = loaded(base, cache_dir=cache, checksum=checksum)
            assert answers(store) == answers(expected)
            assert files(store) == files(expected)


def test_old_runs_without_a_change_are_neither_listed_nor_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_directory, "_LASTING_SECONDS", -1.0)
    base, cache = tmp_path / "logs", tmp_path / "cache"
    for name in ("same", "grown"):
        os.utime(write(base / name, NAME, tensorboard_log(POINTS)), (1e9, 1e9))
    loaded(base, cache_dir=cache)
    with (base / "grown" / NAME).open("ab") as log:
        log.write(events([(60, 1.0)]))
    jobs = loaded(base, cache_dir=cache).cache.jobs
    kinds = {name: type(job.found) for name, job in jobs.items()}
    assert kinds == {"./same": UnchangedJob, "./grown": ExaminedJob}


def test_a_run_named_like_a_log_is_examined_again_by_a_later_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_directory, "_LASTING_SECONDS", -1.0)
    base, cache = tmp_path / "logs", tmp_path / "cache"
    log = write(base / "my.tfevents", NAME, tensorboard_log(POINTS))
    os.utime(log, (1e9, 1e9))
    loaded(base, cache_dir=cache)
    store = watched(base, cache)
    assert store.list_train_ids() == ["./my.tfevents"]
    assert store.status().problem_count == 0
    log.unlink()
    store.refresh()
    assert [found.kind for found in store.status().problems] == [FindingKind.NOT_A_LOG]
    store.close()


def test_directories_that_changed_lately_are_listed(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base / "run", NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    times = (base / "run").stat()
    write(base / "run", NAME + "2", tensorboard_log(POINTS))
    os.utime(base / "run", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert loaded(base, cache_dir=cache).status().files == 2
