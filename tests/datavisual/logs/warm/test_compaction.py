from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from mindviz.config import Config
from mindviz.datavisual.logs.loading import file_columns
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.logs.warm.compaction import compact
from mindviz.datavisual.logs.warm.pack import PackWriter
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.plugins import plugins
from tests.datavisual.logs.loading.test_keeper import answers, packs
from tests.written_logs import counted_reads, events, loaded, tensorboard_log, write

NAME = "events.out.tfevents.1.h"


def sweep(base: Path, runs: int) -> None:
    for number in range(runs):
        points = [(step, step / (number + 1)) for step in range(500)]
        write(base / f"run{number:02d}", NAME, tensorboard_log(points))


def warm_cache(base: Path, cache: Path) -> WarmCache:
    return WarmCache(cache, str(base), plugins=sorted(plugins()))


def compacted(base: Path, cache: Path) -> int:
    """Bytes that are left an hour after a compaction."""
    compact(warm_cache(base, cache))
    for pack in packs(cache):
        os.utime(pack, (0, 0))
    warm_cache(base, cache).collect()
    return sum(pack.stat().st_size for pack in packs(cache))


def assert_warm(base: Path, cache: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CacheManager, "unpacked_jobs", 0)
        cold, warm = loaded(base), loaded(base, cache_dir=cache)
        assert warm.scalar_statistic("loss", "max") == cold.scalar_statistic("loss", "max")
    expected = answers(cold)
    with counted_reads() as opened:
        store = loaded(base, cache_dir=cache)
        assert answers(store) == expected
        assert opened == []


def test_deleted_runs_are_dropped(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    sweep(base, 20)
    loaded(base, cache_dir=cache)
    before = compacted(base, cache)
    for number in range(5, 20):
        shutil.rmtree(base / f"run{number:02d}")
    after = compacted(base, cache)
    assert 0 < after < before / 2
    assert_warm(base, cache)
    warm = warm_cache(base, cache)
    assert not compact(warm)
    (pack,) = packs(cache)
    assert sum(len(offsets) for offsets, _ in warm.statistics(pack.name, "loss")) == 5


def test_nothing_is_dropped_while_the_logs_are_not_mounted(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    sweep(base, 3)
    loaded(base, cache_dir=cache)
    base.rename(tmp_path / "elsewhere")
    for _ in range(2):
        assert not compact(warm_cache(base, cache))
        assert compacted(base, cache)
        base.mkdir(exist_ok=True)
    base.rmdir()
    (tmp_path / "elsewhere").rename(base)
    assert_warm(base, cache)


def test_replaced_states_are_dropped(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    sweep(base, 6)
    loaded(base, cache_dir=cache)
    for number in range(1, 6):
        write(base / f"run{number:02d}", NAME, tensorboard_log([(1, 2.0)], tag="new"))
    loaded(base, cache_dir=cache)
    before = sum(pack.stat().st_size for pack in packs(cache))
    assert 0 < compacted(base, cache) < before / 2
    assert_warm(base, cache)


def test_grown_runs_keep_what_they_refer_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    monkeypatch.setattr(file_columns, "MERGE_LIMIT", 1000)
    sweep(base, 6)
    loaded(base, cache_dir=cache)
    for number in range(6):
        with (base / f"run{number:02d}" / NAME).open("ab") as log:
            log.write(events([(step, 0.5) for step in range(500, 1400)]))
    loaded(base, cache_dir=cache)
    for number in range(1, 6):
        shutil.rmtree(base / f"run{number:02d}")
    before = sum(pack.stat().st_size for pack in packs(cache))
    assert 0 < compacted(base, cache) < before / 2
    assert_warm(base, cache)


def test_runs_that_grow_after_a_compaction_stay_in_the_cache(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    sweep(base, 6)
    loaded(base, cache_dir=cache)
    for number in range(2, 6):
        shutil.rmtree(base / f"run{number:02d}")
    for pack in packs(cache):
        os.utime(pack, (0, 0))
    store = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    store.start()
    store.refresh()
    keeper = store.cache.keeper
    assert keeper is not None
    keeper.collect()
    assert len(packs(cache)) > 1
    for number in range(2):
        with (base / f"run{number:02d}" / NAME).open("ab") as log:
            log.write(events([(step, 0.5) for step in range(500, 600)]))
    store.refresh()
    keeper.keep_now(list(store.cache.jobs.values()))
    store.close()
    assert_warm(base, cache)


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    sweep(base, 6)
    loaded(base, cache_dir=cache)
    for number in range(2, 6):
        shutil.rmtree(base / f"run{number:02d}")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = packs(cache)
    with monkeypatch.context() as patch:
        patch.setattr(PackWriter, "commit", fail)
        with pytest.raises(OSError, match="No space left"):
            compact(warm_cache(base, cache))
    assert list(cache.rglob("*.pack*")) == before
    assert_warm(base, cache)


def test_servers_that_use_the_cache_go_on(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    sweep(base, 6)
    loaded(base, cache_dir=cache)
    others = [loaded(base, cache_dir=cache) for _ in range(2)]
    for number in range(2, 6):
        shutil.rmtree(base / f"run{number:02d}")
    compacted(base, cache)
    expected = answers(loaded(base))
    for store in others:
        store.refresh()
        assert answers(store) == expected
