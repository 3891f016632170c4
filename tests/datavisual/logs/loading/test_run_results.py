from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.run_results import RunResults
from mindviz.datavisual.logs.log_store import LogStore
from tests.written_logs import events, loaded, overwritten, tensorboard_log, write

NAME = "events.out.tfevents.1.h"
POINTS = [(step, step / 7) for step in range(50)]


def results_of(store: LogStore) -> RunResults:
    assert store.kept_results is not None
    return store.kept_results


def content(store: LogStore, train_id: str = "./a") -> bytes:
    found = results_of(store).content(train_id)
    assert found is not None
    return found


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    base_dir = tmp_path / "logs"
    write(base_dir / "a", NAME, tensorboard_log(POINTS))
    write(base_dir / "b", NAME, tensorboard_log(POINTS))
    return base_dir


@pytest.mark.parametrize("unpacked", [0, 500])
def test_a_run_that_did_not_change_has_the_same_content_at_each_start(
    tmp_path: Path, base_dir: Path, monkeypatch: pytest.MonkeyPatch, unpacked: int
) -> None:
    monkeypatch.setattr(CacheManager, "unpacked_jobs", unpacked)
    cache = tmp_path / "cache"
    cold = loaded(base_dir, cache_dir=cache)
    warm = loaded(base_dir, cache_dir=cache)
    assert warm.cache.jobs["./a"].packed is not None
    assert content(cold) == content(warm)
    assert content(cold, "./b") == content(warm, "./b") != content(cold)
    warm.read_scalars("./a", "loss")
    assert content(warm) == content(cold)
    assert results_of(warm).content("./gone") is None


def test_a_run_that_was_written_has_another_content_once_it_is_read(
    tmp_path: Path, base_dir: Path
) -> None:
    store = loaded(base_dir, cache_dir=tmp_path / "cache")
    contents = {content(store)}
    log = base_dir / "a" / NAME
    log.write_bytes(log.read_bytes() + events([(50, 1.0)]))
    assert content(store) in contents  # it is what is published
    contents.add(content(loaded(base_dir, cache_dir=tmp_path / "cache")))
    overwritten(log, tensorboard_log([(step, 0.0) for step in range(51)]))
    contents.add(content(loaded(base_dir, cache_dir=tmp_path / "cache")))
    write(base_dir / "a", NAME + "2", tensorboard_log(POINTS))
    contents.add(content(loaded(base_dir, cache_dir=tmp_path / "cache")))
    assert len(contents) == 4


def test_a_run_that_was_not_read_to_its_end_has_no_content(tmp_path: Path, base_dir: Path) -> None:
    store = loaded(base_dir, cache_dir=tmp_path / "cache")
    job = store.cache.jobs["./a"]
    job.pending += 1
    assert results_of(store).content("./a") is None
    job.pending -= 1
    assert results_of(store).content("./a") is not None
    log = base_dir / "a" / NAME
    log.write_bytes(log.read_bytes() + events([(50, 1.0)]))
    found = loaded(base_dir).cache.jobs["./a"].found
    job.loader.update(found)  # found, but not read
    assert results_of(store).content("./a") is None


def test_without_a_cache_nothing_is_kept(base_dir: Path) -> None:
    assert loaded(base_dir).kept_results is None


def test_what_was_added_is_written_when_the_store_is_closed(tmp_path: Path, base_dir: Path) -> None:
    store = loaded(base_dir, cache_dir=tmp_path / "cache")
    for number in range(2):  # the second one would wait for more
        table = results_of(store).table("rules")
        table.add(f"./{number}", b"%16d" % number, number, None)
        table.save()
    store.close()
    table = results_of(loaded(base_dir, cache_dir=tmp_path / "cache")).table("rules")
    assert [table.find("", b"%16d" % number) for number in range(2)] == [0, 1]
