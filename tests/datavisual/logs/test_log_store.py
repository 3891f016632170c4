from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.config import Config
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.logs.scanner.scan import ScannerName
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.store import CacheStatus, LoadStatus, Store
from mindviz.errors import DamagedValue, InvalidQuery, TagNotFound, TrainJobNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frame, frames
from mindviz.wire.framing import Framing
from tests.restart_suite import RestartSuite
from tests.written_logs import events, loaded, rows, tensorboard_log, write

SCANNERS = pytest.mark.parametrize("scanner", ["native", "python"])


@SCANNERS
def test_every_point_is_served(tmp_path: Path, *, scanner: ScannerName) -> None:
    points = [(step, step / 4) for step in range(5_000)]
    write(tmp_path / "a" / "b", "events.out.tfevents.1.h", tensorboard_log(points))
    store = loaded(tmp_path, scanner=scanner)
    series = store.read_scalars("./a/b", "loss")
    assert rows(series) == points
    assert series.wall_time[17] == 1_017.0
    assert (series.total, series.superseded_count) == (5_000, 0)
    assert store.status().load_status is LoadStatus.LOADED
    assert store.status().points == 5_000
    assert store.list_tags("./a/b") == {"scalar": ["loss"]}
    assert store.train_job("./a/b").cache_status is CacheStatus.CACHED


@SCANNERS
def test_a_restarted_file_supersedes_and_keeps_rewritten_points(
    tmp_path: Path, *, scanner: ScannerName
) -> None:
    before = [(1, 1.0), (2, 2.0), (3, 3.0), (4, 4.0)]
    after = [(3, 30.0), (4, 40.0), (5, 50.0)]
    write(tmp_path, "tfevents.1", tensorboard_log(before, start=100.0))
    write(tmp_path, "tfevents.2", tensorboard_log(after, start=200.0))
    store = loaded(tmp_path, scanner=scanner)
    latest = store.read_scalars("./", "loss")
    assert rows(latest) == [(1, 1.0), (2, 2.0), *after]
    assert latest.superseded_count == 2
    everything = store.read_scalars("./", "loss", restarts="all")
    assert rows(everything) == [*before, *after]
    assert everything.superseded.tolist() == [False, False, True, True, False, False, False]
    assert store.train_job("./").problems == ()
    summary = store.scalar_summaries("./")
    assert summary.total == (7,)
    assert (summary.stats.max[0], summary.stats.max_step[0]) == (50.0, 5)


def test_concurrent_files_are_separate_lines(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.rank0", tensorboard_log([(1, 1.0), (2, 2.0)], start=100.0))
    write(tmp_path, "tfevents.rank1", tensorboard_log([(1, 10.0), (2, 20.0)], start=100.5))
    store = loaded(tmp_path)
    series = store.read_scalars("./", "loss")
    assert series.writers == ("tfevents.rank0", "tfevents.rank1")
    assert rows(series) == [(1, 1.0), (2, 2.0)]
    other = store.read_scalars("./", "loss", writer="tfevents.rank1")
    assert rows(other) == [(1, 10.0), (2, 20.0)]
    (problem,) = store.train_job("./").problems
    assert (problem.kind, problem.path) == (FindingKind.SEVERAL_WRITERS, "tfevents.rank1")
    with pytest.raises(InvalidQuery, match="rank0"):
        store.read_scalars("./", "loss", writer="nobody")


def test_a_restart_within_a_file_is_a_separate_segment(tmp_path: Path) -> None:
    records = [
        visualdl.meta(100.0, "my run"),
        *[visualdl.scalar(100.0 + i, i, "loss", float(i)) for i in range(5)],
        visualdl.meta(200.0, "my run"),
        *[visualdl.scalar(200.0 + i, i, "loss", float(-i)) for i in range(3, 5)],
        visualdl.sub_scalar(210.0, 1, "both", "left", 0.5),
    ]
    write(tmp_path, "vdlrecords.1700000000.log", frames(records, Framing.LENGTH_PREFIXED))
    store = loaded(tmp_path)
    assert rows(store.read_scalars("./", "loss")) == [
        (0, 0.0),
        (1, 1.0),
        (2, 2.0),
        (3, -3.0),
        (4, -4.0),
    ]
    assert rows(store.read_scalars("./", "both/left")) == [(1, 0.5)]
    assert store.train_job("./").display_name == "my run"
    assert store.train_job("./").create_time == 1_700_000_000


APPENDS = st.lists(
    st.lists(st.tuples(st.integers(0, 15), st.integers(-5, 5).map(float)), max_size=6),
    min_size=1,
    max_size=5,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(appends=APPENDS)
def test_a_reader_of_increments_always_equals_a_new_reader(
    tmp_path: Path, appends: Sequence[Sequence[tuple[int, float]]]
) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(0, 0.0)]))
    store = LogStore(Config(summary_base_dir=tmp_path, inotify=False))
    store.start()
    try:
        seen: dict[int, float] = {}
        epoch, total, written = "", 0, 1
        for number, points in enumerate(appends):
            with path.open("ab") as file:
                file.write(events(points, start=2_000.0 + 100 * number))
            written += len(points)
            store.refresh()
            now = store.read_scalars("./", "loss")
            assert now.total == written
            increment = store.read_scalars_since("./", "loss", epoch=epoch, total=total)
            if increment.reset:
                seen = {}
            if increment.truncate_from_step is not None:
                seen = {s: v for s, v in seen.items() if s < increment.truncate_from_step}
            seen.update(rows(increment.points))
            epoch, total = now.epoch, now.total
            assert sorted(seen.items()) == rows(now)
    finally:
        store.close()


def test_a_replaced_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(s, 1.0) for s in range(50)]))
    store = LogStore(Config(summary_base_dir=tmp_path, inotify=False))
    store.start()
    try:
        store.refresh()
        before = store.read_scalars("./", "loss")
        path.write_bytes(tensorboard_log([(s, 2.0) for s in range(60)], start=5_000.0))
        store.refresh()
        after = store.read_scalars("./", "loss")
        assert after.total == 60
        assert set(after.value.tolist()) == {2.0}
        increment = store.read_scalars_since("./", "loss", epoch=before.epoch, total=before.total)
        assert increment.reset
    finally:
        store.close()


def test_a_removed_job_is_not_found(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "tfevents.1", tensorboard_log([(1, 1.0)]))
    store = LogStore(Config(summary_base_dir=tmp_path, inotify=False))
    store.start()
    try:
        store.refresh()
        assert store.train_job("./a").points == 1
        path.unlink()
        store.refresh()
        with pytest.raises(TrainJobNotFound):
            store.train_job("./a")
    finally:
        store.close()


def test_evicted_columns_are_reloaded_on_request(tmp_path: Path) -> None:
    for number in range(4):
        path = write(
            tmp_path / f"job{number}",
            "tfevents.1",
            tensorboard_log([(s, float(s)) for s in range(1_000)]),
        )
        os.utime(path, (1_000 + number, 1_000 + number))
    # A thousand points take 20,000 bytes: two jobs fit beside what is left for reading.
    store = loaded(tmp_path, max_memory=66_667)
    statuses = {job.train_id: job.cache_status for job in store.list_train_jobs()}
    assert [statuses[f"./job{i}"] for i in range(4)] == [
        CacheStatus.NOT_IN_CACHE,
        CacheStatus.NOT_IN_CACHE,
        CacheStatus.CACHED,
        CacheStatus.CACHED,
    ]
    assert store.list_tags("./job0") == {"scalar": ["loss"]}
    assert store.scalar_summaries("./job0").stats.max.tolist() == [999.0]
    assert store.read_scalars("./job0", "loss").value[-1] == 999.0
    assert store.train_job("./job0").cache_status is CacheStatus.CACHED
    assert store.train_job("./job2").cache_status is CacheStatus.NOT_IN_CACHE


def test_a_job_larger_than_the_budget_is_still_served(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(s, float(s)) for s in range(1_000)]))
    store = loaded(tmp_path, max_memory=100)
    assert store.read_scalars("./", "loss").total == 1_000
    assert store.train_job("./").cache_status is CacheStatus.NOT_IN_CACHE


@SCANNERS
def test_a_value_damaged_after_loading_is_reported_not_served(
    tmp_path: Path, *, scanner: ScannerName
) -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(300)
    records = [
        tensorboard.version_event(1.0),
        tensorboard.event(2.0, 7, [tensorboard.image_v1("cat", png, 3, 2)]),
    ]
    path = write(tmp_path, "tfevents.1", frames(records, Framing.TFRECORD))
    store = loaded(tmp_path, scanner=scanner)
    series = store.read_values("./", "image", "cat")
    assert series.step.tolist() == [7]
    assert series.read(0).encoded == (png,)  # type: ignore[union-attr]
    content = bytearray(path.read_bytes())
    content[-100] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedValue):
        series.read(0)
    kinds = [problem.kind for problem in store.train_job("./").problems]
    assert kinds == [FindingKind.BAD_VALUE]
    assert not store.train_job("./").is_integrity


def test_a_cut_off_record_waits_and_the_rest_is_served(tmp_path: Path) -> None:
    log = tensorboard_log([(1, 1.0), (2, 2.0)])
    write(tmp_path, "tfevents.1", log[:-5])
    store = loaded(tmp_path)
    assert rows(store.read_scalars("./", "loss")) == [(1, 1.0)]
    (problem,) = store.train_job("./").problems
    assert problem.kind is FindingKind.TRUNCATED
    last = frame(tensorboard.event(1_001.0, 2, [tensorboard.scalar("loss", 2.0)]), Framing.TFRECORD)
    assert problem.offset == len(log) - len(last)
    (file,) = store.log_files("./")
    assert file.problems == (problem,)


def test_unknown_ids_and_tags_are_not_found(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    store = loaded(tmp_path)
    for train_id in ("./nowhere", "../", "", "\0"):
        with pytest.raises(TrainJobNotFound):
            store.read_scalars(train_id, "loss")
    with pytest.raises(TagNotFound):
        store.read_scalars("./", "accuracy")
    with pytest.raises(TagNotFound):
        store.read_values("./", "image", "loss")


def test_nan_and_infinities_are_data(tmp_path: Path) -> None:
    values = [1.0, float("nan"), float("inf"), float("-inf")]
    write(tmp_path, "tfevents.1", tensorboard_log(enumerate(values)))
    store = loaded(tmp_path)
    assert np.array_equal(store.read_scalars("./", "loss").value, values, equal_nan=True)
    stats = store.scalar_summaries("./").stats
    assert (stats.min[0], stats.max[0], stats.nan_count[0]) == (-np.inf, np.inf, 1)


def test_ten_thousand_files_load_with_a_thousand_descriptors(tmp_path: Path) -> None:
    log = tensorboard_log([(1, 1.0)])
    for job in range(100):
        directory = tmp_path / f"job{job}"
        directory.mkdir()
        for number in range(100):
            (directory / f"tfevents.{number}").write_bytes(log)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    in_use = sum(1 for _ in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (in_use + 1024, limits[1]))
    try:
        status = loaded(tmp_path).status()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert (status.files, status.points) == (10_000, 10_000)
    assert status.problems == ()


def test_a_page_is_a_slice_of_the_listing(tmp_path: Path) -> None:
    for number in range(5):
        path = write(tmp_path / f"job{number}", "tfevents.1", tensorboard_log([(0, 1.0)]))
        os.utime(path, (1_000 + number, 1_000 + number))
    listing = loaded(tmp_path).list_train_jobs()
    # The one updated last comes first.
    assert [job.train_id for job in listing] == [f"./job{i}" for i in (4, 3, 2, 1, 0)]
    assert list(listing[1:3]) == list(listing)[1:3]
    assert (listing[-1].train_id, len(listing), list(listing[5:9])) == ("./job0", 5, [])


class TestRestarts(RestartSuite):
    @staticmethod
    @contextmanager
    def opened(base_dir: Path, scratch: Path) -> Iterator[Store]:
        yield loaded(base_dir)


@contextmanager
def watched(directory: Path) -> Iterator[LogStore]:
    store = LogStore(Config(summary_base_dir=directory, inotify=False))
    store.start()
    try:
        store.refresh()
        yield store
    finally:
        store.close()


def test_a_value_set_aside_counts_once_its_writer_continues(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(step, 0.0) for step in range(1, 6)]))
    write(tmp_path, "tfevents.2", tensorboard_log([(0, 1.0)], start=2_000.0))
    with watched(tmp_path) as store:
        seen = store.read_scalars("./", "loss")
        assert rows(seen) == [(step, 0.0) for step in range(1, 6)]
        with (tmp_path / "tfevents.2").open("ab") as file:
            file.write(events([(1, 1.0)], start=2_001.0))
        store.refresh()
        new = store.read_scalars_since("./", "loss", epoch=seen.epoch, total=seen.total)
        assert (new.reset, new.truncate_from_step) == (False, 0)
        assert rows(new.points) == [(0, 1.0), (1, 1.0)]


@settings(max_examples=25, deadline=None)
@given(
    appends=st.lists(
        st.tuples(st.integers(1, 3), st.lists(st.integers(0, 12), min_size=1, max_size=4)),
        min_size=1,
        max_size=6,
    )
)
def test_a_reader_follows_several_files(
    tmp_path_factory: pytest.TempPathFactory, appends: Sequence[tuple[int, Sequence[int]]]
) -> None:
    directory = tmp_path_factory.mktemp("x")
    write(directory, "tfevents.0", tensorboard_log([(step, 0.0) for step in range(8)]))
    with watched(directory) as store:
        seen: dict[int, float] = {}
        epoch, total, time = "", 0, 2_000.0
        for file, steps in appends:
            with (directory / f"tfevents.{file}").open("ab") as log:
                log.write(events([(step, time + i) for i, step in enumerate(steps)], start=time))
            time += 10
            store.refresh()
            new = store.read_scalars_since("./", "loss", epoch=epoch, total=total)
            if new.reset:
                seen = {}
            if new.truncate_from_step is not None:
                seen = {step: one for step, one in seen.items() if step < new.truncate_from_step}
            # A reader appends: its data must end before the new data.
            assert not seen or new.points.step.min(initial=100) > max(seen)
            seen.update(rows(new.points))
            epoch, total = new.points.epoch, new.points.total
            assert sorted(seen.items()) == rows(store.read_scalars("./", "loss"))


def test_the_listing_as_columns_equals_the_train_jobs(tmp_path: Path) -> None:
    """Equal series share their tags, also if the first job's catalog is known."""
    for number in range(3):
        write(tmp_path / str(number), f"tfevents.{number}", tensorboard_log([(1, number)]))
    odd = tensorboard_log([(1, 1.0)])
    write(tmp_path / "damaged", "tfevents.1", odd[:-1] + b"?")
    write(tmp_path / "twice", "tfevents.1", odd)
    write(tmp_path / "twice", "tfevents.2", odd)
    store = loaded(tmp_path)
    for _ in range(2):
        listing = store.listing()
        jobs = store.list_train_jobs()
        assert list(listing.train_id) == [job.train_id for job in jobs]
        assert listing.problems.tolist() == [len(job.problems) for job in jobs]
        assert any(listing.problems)
        assert listing.points.tolist() == [job.points for job in jobs]
        assert listing.bytes.tolist() == [job.bytes for job in jobs]
        assert list(listing.tags) == [store.list_tags(job.train_id) for job in jobs]
    shared = {
        id(tags) for tags, files in zip(listing.tags, listing.files, strict=True) if files < 2
    }
    assert len(shared) <= 2


def test_a_resumed_run_is_as_old_as_its_first_file(tmp_path: Path) -> None:
    for start in (1_700_000_000, 1_700_005_000):
        write(tmp_path, f"events.out.tfevents.{start}.host", tensorboard_log([(1, 0.5)]))
    assert loaded(tmp_path).train_job("./").create_time == 1_700_000_000
