from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.config import Config
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.logs.warm.kept_logs import kept_logs
from mindviz.datavisual.logs.warm.pack import PackWriter, Section, read_index
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.datavisual.logs.loading.test_keeper import answers
from tests.object_server import object_server
from tests.provider_suite import DataProviderSuite
from tests.written_logs import (
    counted_reads,
    events,
    found_file,
    loaded,
    rows,
    tensorboard_log,
    write,
)

NAME = "events.out.tfevents.1.h"
POINTS = [(step, step / 7) for step in range(50)]


def warm(base_dir: Path, cache: Path) -> LogStore:
    """A store that has read no log, but the cache of an earlier one."""
    loaded(base_dir, cache_dir=cache)
    with counted_reads() as opened:
        store = loaded(base_dir, cache_dir=cache)
        assert opened == []
    return store


class TestWarmStarts(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        with TemporaryDirectory() as cache:
            store = warm(base_dir, Path(cache))
            yield StoreProvider.of(store, experiment_id, bounds=bounds)


def packs(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.pack"))


def test_objects_that_did_not_change_are_not_requested(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as environment, object_server(environment) as server:
        server.put("logs/a/" + NAME, tensorboard_log(POINTS))
        url = f"{server.url}/logs"
        cold = loaded(url, cache_dir=tmp_path)
        server.counted()
        store = loaded(url, cache_dir=tmp_path)
        assert "GET" not in server.counted()
        for tag in ("loss",):
            assert rows(store.read_scalars("./a", tag)) == rows(cold.read_scalars("./a", tag))
        server.put("logs/a/" + NAME, tensorboard_log(POINTS) + events([(50, 1.0)]))
        assert len(loaded(url, cache_dir=tmp_path).read_scalars("./a", "loss").step) == 51


def test_an_object_that_changed_only_in_its_middle_is_read_again(tmp_path: Path) -> None:
    key = "logs/a/" + NAME
    changed = tensorboard_log([(step, 9.0 if step == 25 else value) for step, value in POINTS])
    with pytest.MonkeyPatch.context() as environment, object_server(environment) as server:
        server.put(key, tensorboard_log(POINTS))
        url = f"{server.url}/logs"
        loaded(url, cache_dir=tmp_path)
        server.put(key, changed)
        server.counted()
        for requests in (1, 0):
            store = loaded(url, cache_dir=tmp_path)
            assert rows(store.read_scalars("./a", "loss"))[25] == (25, 9.0)
            assert server.counted()["GET"] == requests


def test_packs_that_nothing_needs_are_deleted(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base, NAME, tensorboard_log(POINTS))
    for _ in range(4):
        loaded(base, cache_dir=cache)
        path.write_bytes(path.read_bytes() + events(POINTS))
    abandoned = packs(cache)[0].with_name("0.pack.writing")
    abandoned.write_bytes(b"")
    damaged = abandoned.with_name("0.pack")
    damaged.write_bytes(b"damaged")
    WarmCache(cache, str(base)).collect()
    kept = len(packs(cache))
    for path in cache.rglob("*.pack*"):
        os.utime(path, (0, 0))
    WarmCache(cache, str(base)).collect()
    assert not abandoned.exists()
    assert not damaged.exists()
    assert 0 < len(packs(cache)) < kept
    warm(base, cache)


def test_the_least_recently_used_logs_make_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = tmp_path / "cache"
    for number, name in enumerate("abc"):
        write(tmp_path / name, NAME, tensorboard_log(POINTS))
        loaded(tmp_path / name, cache_dir=cache)
        newest = max(packs(cache), key=lambda pack: pack.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    size = sum(pack.stat().st_size for pack in packs(cache))
    write(tmp_path / "d", NAME, tensorboard_log(POINTS))
    loaded(tmp_path / "d", cache_dir=cache, cache_size=size)
    assert {kept.base_dir for kept in kept_logs(cache)} == {str(tmp_path / n) for n in "bcd"}
    assert caplog.records == []
    store = loaded(tmp_path / "a", cache_dir=tmp_path / "other", cache_size=1)
    write(tmp_path / "a", "x." + NAME, tensorboard_log(POINTS))
    store = loaded(tmp_path / "a", cache_dir=tmp_path / "other", cache_size=1)
    assert store.status().points == 100
    (record,) = caplog.records
    assert "It is as large as --cache-size allows" in record.getMessage()


def test_logs_read_by_another_version_are_read_again(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    path = write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    with counted_reads() as opened:
        loaded(base, cache_dir=cache, version="2")
        assert set(opened) == {str(path)}


@pytest.mark.parametrize("unpacked", [1, 500])
def test_records_that_were_not_verified_are_read_again_to_verify_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unpacked: int
) -> None:
    monkeypatch.setattr(CacheManager, "unpacked_jobs", unpacked)
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base / "small", NAME, tensorboard_log(POINTS))
    text = tensorboard.event(1.0, 1, [tensorboard.text("note", "x" * 100_000)])
    large = frames([text], Framing.TFRECORD)
    damaged = bytearray(large)
    damaged[-20] ^= 1
    intact = write(base / "intact", NAME, tensorboard_log(POINTS) + large)
    broken = write(base / "broken", NAME, tensorboard_log(POINTS) + damaged)
    with counted_reads() as opened:
        lazy = loaded(base, cache_dir=cache)
        assert not problems(lazy)
        opened.clear()
        verified = loaded(base, cache_dir=cache, checksum="always")
        assert set(opened) == {str(intact), str(broken)}
        assert problems(verified) == problems(loaded(base, checksum="always")) != []
        opened.clear()
        for checksum in ("lazy", "always"):
            assert problems(loaded(base, cache_dir=cache, checksum=checksum)) == problems(verified)
        assert opened == []
        with intact.open("ab") as log:
            log.write(large)
        loaded(base, cache_dir=cache)
        opened.clear()
        loaded(base, cache_dir=cache, checksum="always")
        assert set(opened) == {str(intact)}


def problems(store: LogStore) -> list[object]:
    return [problem for info in store.list_train_jobs() for problem in info.problems]


def test_names_with_escapes_are_taken_over(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    names = ["plain", "50%25", "caf\u00e9", os.fsdecode(b"latin-\xe9")]
    for name in names:
        write(base / name, NAME, tensorboard_log(POINTS))
    expected = loaded(base)
    store = warm(base, cache)
    assert sorted(store.list_train_ids()) == sorted(expected.list_train_ids())
    for train_id in expected.list_train_ids():
        assert rows(store.read_scalars(train_id, "loss")) == rows(
            expected.read_scalars(train_id, "loss")
        )


def test_a_base_dir_that_is_another_link_now_is_read_again(tmp_path: Path) -> None:
    cache, link = tmp_path / "cache", tmp_path / "link"
    path = write(tmp_path / "logs" / "a" / "run", NAME, tensorboard_log(POINTS))
    link.symlink_to(tmp_path / "logs")
    loaded(link, cache_dir=cache)
    link.unlink()
    link.symlink_to(tmp_path / "logs" / "a")
    with counted_reads() as opened:
        store = loaded(link, cache_dir=cache)
        assert set(opened) == {str(path)}
    assert list(store.list_train_ids()) == ["./run"]


def test_what_other_releases_kept_is_deleted_once_it_is_unused(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log(POINTS))
    write(tmp_path / "others", NAME, tensorboard_log(POINTS))
    loaded(tmp_path / "others", cache_dir=cache, version="1")
    loaded(base, cache_dir=cache, version="2")
    kept = set(packs(cache))
    loaded(base, cache_dir=cache, version="1")
    of_earlier = set(packs(cache)) - kept
    kept = set(packs(cache)) - of_earlier
    WarmCache(cache, str(base), version="2").collect()
    assert set(packs(cache)) == kept | of_earlier
    for pack in packs(cache):
        os.utime(pack, (0, 0))
    WarmCache(cache, str(base), version="2").collect()
    assert set(packs(cache)) == kept
    assert len(kept) == 2


def test_logs_read_with_other_formats_are_read_again(tmp_path: Path) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    file = found_file(base / NAME)
    assert WarmCache(cache, str(base)).knows(file)
    assert not WarmCache(cache, str(base), formats=["acme 2.0"]).knows(file)


@pytest.mark.parametrize("columns", [0, 3])
def test_a_pack_of_another_version_is_left_alone(tmp_path: Path, columns: int) -> None:
    base, cache = tmp_path / "logs", tmp_path / "cache"
    write(base, NAME, tensorboard_log(POINTS))
    loaded(base, cache_dir=cache)
    (pack,) = packs(cache)
    document = read_index(pack).document
    other = PackWriter(pack.parent)
    other.commit(Section(document, (np.zeros(3, np.uint8),) * columns))
    store = warm(base, cache)
    assert len(store.read_scalars("./", "loss").step) == len(POINTS)
    WarmCache(cache, str(base)).collect()
    assert set(packs(cache)) == {pack, pack.with_name(other.name)}


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Logs, and a cache with deltas of their states."""
    folder = tmp_path_factory.mktemp("grown")
    base, cache = folder / "logs", folder / "cache"
    tags = b"".join(events([(0, 0.5)], tag=f"layer{number}") for number in range(300))
    for name in "abc":
        write(base / name, NAME, tensorboard_log(POINTS) + tags)
    loaded(base, cache_dir=cache)
    for name in "ab":
        with (base / name / NAME).open("ab") as log:
            log.write(events([(50, 1.0)]))
    loaded(base, cache_dir=cache)
    assert len(packs(cache)) == 2
    return base, cache


@given(st.data())
@settings(max_examples=15)
def test_any_flipped_bit_is_found_and_the_entry_rebuilt(
    grown: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    base, intact = grown
    expected = answers(loaded(base))
    cache = tmp_path_factory.mktemp("damaged") / "cache"
    shutil.copytree(intact, cache)
    pack = data.draw(st.sampled_from(packs(cache)))
    content = bytearray(pack.read_bytes())
    at = data.draw(st.integers(0, 8 * len(content) - 1))
    content[at // 8] ^= 1 << at % 8
    pack.write_bytes(content)
    server = LogStore(Config(base, inotify=False, reload_interval=0, cache_dir=cache))
    server.start()
    server.refresh()
    assert answers(server) == expected
    server.close()
    with counted_reads() as opened:
        assert answers(loaded(base, cache_dir=cache)) == expected
        assert opened == []
