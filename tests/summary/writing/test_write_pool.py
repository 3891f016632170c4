from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mindviz.summary.writing.log_names import LogNames
from mindviz.summary.writing.log_set import LogSet
from mindviz.summary.writing.recorded_step import Log, PooledValue, RecordedStep
from mindviz.summary.writing.write_pool import WhenFull, WritePool
from tests.summary.recordings import payloads


@contextmanager
def pool(
    directory: Path,
    *,
    flush_seconds: float = 60.0,
    queue_size: int = 1000,
    when_full: WhenFull = "block",
    workers: int = 2,
) -> Iterator[WritePool]:
    """A pool whose records list their values."""
    names = LogNames(directory, "events", "_MS", 17, 0, "host")
    write_pool = WritePool(
        lambda: LogSet(lambda: names, Log.SUMMARY, lambda log: None),
        lambda wall_time, step, scalars: f"{step}: {' '.join(scalars)}".encode(),
        Log.SUMMARY,
        workers=workers,
        flush_seconds=flush_seconds,
        queue_size=queue_size,
        when_full=when_full,
    )
    try:
        yield write_pool
    finally:
        write_pool.close()


def scalar(step: int) -> RecordedStep:
    return RecordedStep(0.0, step, {"loss": 1.0})


def large(
    step: int,
    encode: Callable[[], bytes] = lambda: b"large",
    *,
    nbytes: int = 400,
    droppable: bool = True,
) -> RecordedStep:
    value = PooledValue(
        Log.SUMMARY,
        "image 'x'",
        lambda wall_time, step: encode() + f" {step}".encode(),
        nbytes,
        droppable,
    )
    return RecordedStep(0.0, step, {}, [value])


def written(directory: Path) -> list[str]:
    return [payload.decode() for path in sorted(directory.iterdir()) for payload in payloads(path)]


def eventually(condition: Callable[[], bool]) -> None:
    """Wait for another thread."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_flush_returns_when_everything_is_written(tmp_path: Path) -> None:
    with pool(tmp_path) as write_pool:
        for step in range(3):
            write_pool.submit(scalar(step))
            write_pool.submit(large(step, nbytes=1))
        assert written(tmp_path) == []
        assert write_pool.flush()
        lines = written(tmp_path)
    assert [line for line in lines if "loss" in line] == ["0: loss", "1: loss", "2: loss"]
    assert [line for line in lines if "large" in line] == ["large 0", "large 1", "large 2"]


def test_values_are_written_within_flush_seconds(tmp_path: Path) -> None:
    with pool(tmp_path, flush_seconds=0.1) as write_pool:
        for step in range(3):
            write_pool.submit(scalar(step))
            eventually(lambda: f"{step}: loss" in written(tmp_path))  # noqa: B023 - called at once


def test_flush_seconds_zero_writes_at_once(tmp_path: Path) -> None:
    with pool(tmp_path, flush_seconds=0) as write_pool:
        write_pool.submit(scalar(0))
        write_pool.submit(large(1))
        eventually(lambda: written(tmp_path) == ["0: loss", "large 1"])


def test_scalars_do_not_wait_for_large_values(tmp_path: Path) -> None:
    may_go_on = threading.Event()
    with pool(tmp_path, flush_seconds=0) as write_pool:
        write_pool.submit(large(0, lambda: b"late" if may_go_on.wait(20) else b""))
        write_pool.submit(scalar(1))
        eventually(lambda: written(tmp_path) == ["1: loss"])
        may_go_on.set()
        write_pool.flush()
        assert written(tmp_path) == ["1: loss", "late 0"]


def test_large_values_are_written_in_recording_order(
    tmp_path: Path,
) -> None:
    second_is_done = threading.Event()

    def first() -> bytes:
        second_is_done.wait(20)
        return b"first"

    def second() -> bytes:
        second_is_done.set()
        return b"second"

    with pool(tmp_path) as write_pool:
        write_pool.submit(large(0, first))
        write_pool.submit(large(1, second))
        write_pool.flush()
        assert written(tmp_path) == ["first 0", "second 1"]


def test_a_full_queue_blocks_the_training_until_there_is_room(tmp_path: Path) -> None:
    may_go_on = threading.Event()
    submitted = []

    def train(write_pool: WritePool) -> None:
        for step in range(6):
            write_pool.submit(large(step, lambda: b"large" if may_go_on.wait(20) else b""))
            submitted.append(step)

    with pool(tmp_path) as write_pool:
        training = threading.Thread(target=train, args=[write_pool])
        training.start()
        eventually(lambda: len(submitted) == 2)
        training.join(0.1)
        assert submitted == [0, 1]
        may_go_on.set()
        training.join()
        write_pool.flush()
    assert written(tmp_path) == [f"large {step}" for step in range(6)]


def test_a_full_queue_may_drop_the_oldest_large_values_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    may_go_on = threading.Event()
    begun = threading.Event()

    def encode() -> bytes:
        begun.set()
        may_go_on.wait(20)
        return b"large"

    with pool(tmp_path, when_full="drop", workers=1) as write_pool:
        write_pool.submit(large(0, encode))
        begun.wait(20)
        for step in range(1, 6):
            write_pool.submit(scalar(step))
            write_pool.submit(large(step, encode))
        may_go_on.set()
        write_pool.flush()
        assert write_pool.dropped == 4
    lines = written(tmp_path)
    assert [line for line in lines if "large" in line] == ["large 0", "large 5"]
    assert [line for line in lines if "loss" in line] == [f"{step}: loss" for step in range(1, 6)]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "image 'x' of step 1" in caplog.text


def test_values_that_are_not_droppable_are_kept(tmp_path: Path) -> None:
    with pool(tmp_path, when_full="drop") as write_pool:
        for step in range(8):
            write_pool.submit(large(step, droppable=False))
    assert len(written(tmp_path)) == 8


def test_a_value_larger_than_the_queue_is_written(tmp_path: Path) -> None:
    with pool(tmp_path) as write_pool:
        for step in range(3):
            write_pool.submit(large(step, nbytes=10_000))
    assert written(tmp_path) == ["large 0", "large 1", "large 2"]


def test_a_value_that_cannot_be_encoded_does_not_affect_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> bytes:
        raise MemoryError("so large")

    with pool(tmp_path) as write_pool:
        write_pool.submit(large(0))
        write_pool.submit(large(1, fail))
        write_pool.submit(large(2))
        write_pool.flush()
        failure = write_pool.take_failure()
        assert "image 'x' of step 1" in str(failure)
        assert "so large" in str(failure)
        assert write_pool.take_failure() is None
    assert written(tmp_path) == ["large 0", "large 2"]
    assert "image 'x'" in caplog.text


def test_close_writes_everything_and_rejects_later_values(tmp_path: Path) -> None:
    with pool(tmp_path) as write_pool:
        write_pool.submit(scalar(0))
        write_pool.submit(large(1))
        write_pool.close()
        assert write_pool.submit(scalar(2)) is False
        assert write_pool.flush()
    assert written(tmp_path) == ["0: loss", "large 1"]


def test_idle_and_closed_pools_have_no_threads(
    tmp_path: Path,
) -> None:
    before = set(threading.enumerate())
    with pool(tmp_path) as write_pool:
        assert set(threading.enumerate()) == before
        write_pool.submit(large(0))
        assert len(set(threading.enumerate()) - before) == 2
    assert set(threading.enumerate()) == before


def test_many_threads_may_record_concurrently(tmp_path: Path) -> None:
    def train(write_pool: WritePool, first: int) -> None:
        for step in range(first, first + 200):
            write_pool.submit(scalar(step))

    with pool(tmp_path, flush_seconds=0.01) as write_pool:
        threads = [threading.Thread(target=train, args=[write_pool, n * 200]) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(written(tmp_path)) == sorted(f"{step}: loss" for step in range(800))


def test_scalars_that_cannot_be_encoded_do_not_affect_others(tmp_path: Path) -> None:
    with pool(tmp_path) as write_pool:
        write_pool.submit(RecordedStep(1.0, 0, {5: 1.0}))  # type: ignore[dict-item]
        write_pool.submit(scalar(1))
        assert write_pool.flush(10)
        assert "Cannot record the scalars" in str(write_pool.take_failure())
    assert written(tmp_path) == ["1: loss"]


def test_an_error_in_the_writer_is_reported_and_flush_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = LogSet.add
    failures = iter([True])

    def fail_once(self: LogSet, log: Log, payload: bytes, *, droppable: bool) -> None:
        if next(failures, False):
            raise ZeroDivisionError
        add(self, log, payload, droppable=droppable)

    monkeypatch.setattr(LogSet, "add", fail_once)
    with pool(tmp_path) as write_pool:
        write_pool.submit(scalar(0))
        assert write_pool.flush(10)
        assert "ZeroDivisionError" in str(write_pool.take_failure())
        write_pool.submit(scalar(1))
        assert write_pool.flush(10)
    assert written(tmp_path) == ["1: loss"]
