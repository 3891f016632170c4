"""Eviction never changes answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.config import Config
from mindviz.datavisual.generic.data_provider import RequestContext, StoreProvider
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.loading.cache_manager import CacheManager
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.store import CacheStatus, LoadStatus
from mindviz.errors import TagNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.watched_directories import PATIENCE
from tests.written_logs import events, loaded, rows, tensorboard_log

Numbers = Mapping[str, Any]


def text_events(steps: range, start: float) -> bytes:
    """Records of one text each."""
    records = [
        tensorboard.event(start + i, step, [tensorboard.text("note", "x")])
        for i, step in enumerate(steps)
    ]
    return frames(records, Framing.TFRECORD)


def kept(columns: object) -> Numbers:
    """Arrays as lists in which NaN equals NaN; without the epoch, which counts rewrites."""
    return {
        name: np.nan_to_num(value, nan=-1e300).tolist() if isinstance(value, np.ndarray) else value
        for name, value in asdict(columns).items()  # type: ignore[call-overload]
        if name != "epoch"
    }


def answers(store: LogStore) -> dict[str, Any]:
    """Facts of each job without its points, and then its points."""
    provider = StoreProvider.of(store)
    query = SeriesQuery("scalars", DataClass.SCALAR)
    reported: dict[str, Any] = {"aggregates": provider.aggregates(RequestContext(), "", query)}
    for info in sorted(store.list_train_jobs(), key=lambda one: one.train_id):
        train_id = info.train_id
        same = replace(info, version=0, cache_status=CacheStatus.CACHED, update_time=0.0)
        summaries = store.scalar_summaries(train_id)
        reported[train_id] = {
            "info": same,
            "tags": store.list_tags(train_id),
            "summaries": (summaries.tags, summaries.total, kept(summaries.stats)),
            "facts": store.read_lineage(train_id).facts,
            "scalars": {
                tag: kept(store.read_scalars(train_id, tag, restarts="all"))
                for tag in store.list_tags(train_id).get("scalar", ())
            },
            "texts": {
                tag: store.read_values(train_id, "text", tag).step.tolist()
                for tag in store.list_tags(train_id).get("text", ())
            },
        }
    listings = provider.listings(RequestContext(), "", SeriesQuery("scalars", None))
    reported["listings"] = {
        train_id: {tag: (one.max_step, one.max_wall_time) for tag, one in tags.items()}
        for train_id, tags in listings.items()
    }
    return reported


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("append"),
            st.integers(0, 1),  # file
            st.sampled_from(["loss", "accuracy"]),
            st.integers(0, 6),  # first step: most are restarts
            st.integers(1, 4),  # points
            st.integers(0, 3),  # how much later
        ),
        st.tuples(st.just("text"), st.integers(0, 1), st.integers(0, 6), st.integers(1, 3)),
        st.tuples(st.just("rewrite"), st.integers(0, 1)),
        st.tuples(st.just("evict")),
        st.tuples(st.just("look")),
        st.tuples(st.just("ask")),
    ),
    min_size=3,
    max_size=14,
)


def write(job: Path, operation: tuple[Any, ...], time: float) -> None:
    """Append to a file of the job or start it again."""
    kind, number, *what = operation
    path = job / f"events.out.tfevents.{1_700_000_000 + number}.host"
    if kind == "rewrite" or not path.exists():
        path.write_bytes(tensorboard_log([(number, 0.5)], start=time))
    if kind == "rewrite":
        return
    with path.open("ab") as file:
        if kind == "append":
            tag, first, count, later = what
            points = [(step, step / 8) for step in range(first, first + count)]
            file.write(events(points, tag=tag, start=time + later))
        else:
            first, count = what
            file.write(text_events(range(first, first + count), time))


@settings(max_examples=40)
@given(operations=OPERATIONS)
def test_any_sequence_of_growth_and_eviction_answers_as_if_nothing_was_evicted(
    operations: list[tuple[Any, ...]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder, "job")
        job.mkdir()
        config = Config(
            summary_base_dir=Path(folder), inotify=False, reload_interval=300, max_memory=1 << 40
        )
        store = LogStore(config)
        store.start()
        try:
            time = 1_700_000_000.0
            for operation in [*operations, ("look",)]:
                time += 2
                if operation[0] == "look":
                    store.refresh()
                elif operation[0] == "evict":
                    for cached in store.cache.jobs.values():
                        if cached.snapshot.complete:
                            cached.drop_columns()
                elif operation[0] == "ask":
                    answers(store)
                else:
                    write(job, operation, time)
            assert answers(store) == answers(loaded(Path(folder)))
        finally:
            store.close()


def test_a_restart_after_eviction_updates_the_summaries(
    tmp_path: Path,
) -> None:
    job = tmp_path / "job"
    job.mkdir()
    write(job, ("append", 0, "loss", 0, 5, 0), 1_700_000_000.0)
    config = Config(summary_base_dir=tmp_path, inotify=False, reload_interval=300, max_memory=1)
    store = LogStore(config)
    store.start()
    try:
        store.refresh()
        assert store.cache.job("./job").snapshot.resident is False
        write(job, ("append", 1, "loss", 3, 4, 0), 1_700_000_100.0)
        store.refresh()
        # Larger than the budget: it is reloaded once and kept.
        for _ in range(2):
            summaries = store.scalar_summaries("./job")
            assert summaries.tags == ("loss",)
            assert summaries.stats.last_step.tolist() == [6]
        assert store.cache.job("./job").snapshot.has_summaries
        assert store.cache.job("./job").snapshot.resident is False
    finally:
        store.close()


def test_a_run_that_is_dropped_while_it_is_read_is_read_again_for_a_request(tmp_path: Path) -> None:
    log = tensorboard_log([(i, i / 7) for i in range(50_000)])
    path = tmp_path / "job/tfevents.1"
    path.parent.mkdir()
    path.write_bytes(log)
    manager = CacheManager(
        SummaryWatcher(tmp_path, inotify=False), options=ScanOptions(), max_memory=4 << 20
    )
    manager.look()
    job = manager.job("./job")
    (file,) = job.loader.update(job.found)
    read: list[int] = []

    def publish() -> None:
        job.snapshot = job.loader.snapshot(1)
        if not read:
            job.drop_columns()
        read.append(manager.resident("./job").points)

    file.refresh(publish)
    assert read == [50_000]  # the rest of the first reading is left out
    assert 0 < file.snapshot.offset < len(log)
    publish()
    assert read == [50_000] * 2
    assert job.complete
    assert job.snapshot.resident


def test_answers_are_exact_while_runs_are_read_that_do_not_fit_into_the_memory(
    tmp_path: Path,
) -> None:
    points = [(i, i / 8) for i in range(30_000)]
    for number in range(4):
        path = tmp_path / f"job{number}/tfevents.1"
        path.parent.mkdir()
        path.write_bytes(tensorboard_log(points))
    # Two thirds of a run, so that every request reads one again, or a run and a half.
    for max_memory in (600_000, 1_500_000):
        store = LogStore(Config(tmp_path, inotify=False, max_memory=max_memory))
        store.start()
        try:
            deadline = time.monotonic() + PATIENCE
            is_loaded = False
            while not is_loaded:
                assert time.monotonic() < deadline
                is_loaded = store.status().load_status is LoadStatus.LOADED
                for train_id in store.list_train_ids():
                    with suppress(TagNotFound):
                        found = rows(store.read_scalars(train_id, "loss"))
                        assert found == points[: len(found)]
                        assert len(found) == len(points) or not is_loaded
        finally:
            store.close()
