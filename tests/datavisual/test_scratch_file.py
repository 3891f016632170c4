"""Columns in files without a name."""

from __future__ import annotations

import gc
import io
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from mindviz.config import Config
from mindviz.datavisual.logs.loading.file_columns import moved
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.datavisual.series.columns import Batch
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import (
    batches,
    counted_reads,
    events,
    loaded,
    overwritten,
    rows,
    tensorboard_log,
    write,
)

POINTS = [(step, step / 8) for step in range(9000)]


def batch() -> Batch:
    """Scalars of two tags, and texts."""
    texts = [tensorboard.event(9.0, 1, [tensorboard.text("note", "x")])] * 9
    log = tensorboard_log(POINTS) + events(POINTS[:500], tag="other")
    (found,) = batches(log + frames(texts, Framing.TFRECORD))
    return found


def columns(one: Batch) -> dict[str, np.ndarray]:
    """All columns but the statistics, which files keep."""
    parts = one.scalars, one.values, one.values.records
    return {
        f"{type(part).__name__}.{field.name}": getattr(part, field.name)
        for part in parts
        for field in fields(part)
        if isinstance(getattr(part, field.name), np.ndarray)
    }


@pytest.mark.parametrize("part_bytes", [1, 1 << 20])
def test_columns_are_the_same_to_the_last_bit(tmp_path: Path, part_bytes: int) -> None:
    one = batch()
    scratch = ScratchFile(tmp_path, part_bytes)
    others = [moved(one, scratch) for _ in range(9)]
    scratch.close()
    del scratch
    for other in others:
        assert 20 * other.nbytes < one.nbytes
        assert other.segment == one.segment
        there, here = columns(other), columns(one)
        assert there.keys() == here.keys()
        assert len(here) == 18
        for name, column in here.items():
            assert there[name].dtype == column.dtype, name
            assert there[name].tobytes() == column.tobytes(), name
            assert not there[name].flags.writeable
    assert list(tmp_path.iterdir()) == []


def test_columns_stay_in_memory_if_nothing_can_be_written(tmp_path: Path) -> None:
    one = batch()
    scratch = ScratchFile(tmp_path / "missing")
    assert moved(one, scratch) is one
    array = np.arange(1_000)
    assert scratch.moved(array) is array


def test_files_are_closed_after_their_last_array(tmp_path: Path) -> None:
    scratch = ScratchFile(tmp_path, 10_000)

    def opened() -> int:
        gc.collect()
        return sum(isinstance(one, io.BufferedRandom) for one in gc.get_objects())

    before = opened()
    for number in range(20):
        moved_array = scratch.moved(np.full(1_000, number))
        assert moved_array[999] == number
    assert opened() <= before + 1


def test_a_run_larger_than_the_memory_limit_is_read_once_for_all_requests(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    points = [(step, step / 8) for step in range(60_000)]
    path = write(base, "events.out.tfevents.1.h", tensorboard_log(points))
    write(base, "events.out.tfevents.2.h", tensorboard_log(points, tag="other"))
    store = loaded(base, max_memory=1 << 20, workspace=tmp_path)
    assert not store.cache.job("./").snapshot.resident
    with counted_reads() as opened:
        for tag in ("loss", "other", "loss"):
            assert rows(store.read_scalars("./", tag)) == points
        assert len(opened) == 2
    assert store.cache.budget.nbytes < store.cache.budget.max_bytes
    whole = loaded(base)
    assert store.scalar_summaries("./").total == whole.scalar_summaries("./").total
    overwritten(path, tensorboard_log(POINTS))
    again = loaded(base, max_memory=1 << 20, workspace=tmp_path)
    assert rows(again.read_scalars("./", "loss")) == POINTS


def test_a_large_run_of_small_files_is_read_once_for_all_requests(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    for number in range(60):
        log = tensorboard_log(POINTS[:600], tag=f"loss{number}")
        write(base, f"events.out.tfevents.{number}.h", log)
    store = loaded(base, max_memory=1 << 20, workspace=tmp_path)
    assert not store.cache.job("./").snapshot.resident
    with counted_reads() as opened:
        for number in (0, 59, 0):
            assert rows(store.read_scalars("./", f"loss{number}")) == POINTS[:600]
        assert len(opened) == 60
    assert store.cache.budget.nbytes < store.cache.budget.max_bytes


def test_a_large_run_grows(tmp_path: Path) -> None:
    base = tmp_path / "logs"
    points = [(step, step / 8) for step in range(90_000)]
    path = write(base, "events.out.tfevents.1.h", tensorboard_log(points[:60_000]))
    config = Config(
        *(base,), inotify=False, reload_interval=300, max_memory=1 << 20, workspace=tmp_path
    )
    store = LogStore(config)
    store.start()
    try:
        store.refresh()
        for end in (60_000, 70_000, 90_000):
            with path.open("ab") as log:
                log.write(events(points[store.status().points : end]))
            store.refresh()
            assert rows(store.read_scalars("./", "loss")) == points[:end]
        assert store.cache.budget.nbytes < store.cache.budget.max_bytes
    finally:
        store.close()
