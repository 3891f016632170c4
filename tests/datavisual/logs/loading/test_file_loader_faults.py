"""Failing reads: nothing is lost and nothing is read twice, whichever call fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mindviz.datavisual.logs.loading import file_loader, later_part
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from tests.disk_faults import Faults
from tests.lineage_logs import training, user_defined, write_mindspore_job
from tests.written_logs import events, found_file, tensorboard_log, write

Scalars = list[list[float]]


def comparable(snapshot: FileSnapshot) -> tuple[object, ...]:
    """The known contents of a file; the generation is part of the fingerprint."""
    scalars: list[Scalars] = [
        [column.tolist() for column in snapshot.scalars(series, span.segment)]
        for series in range(snapshot.series_count)
        for span in snapshot.spans
        if not snapshot.held[span.segment].values[series]
    ]
    return (
        snapshot.offset,
        snapshot.records,
        snapshot.findings,
        snapshot.fingerprint,
        snapshot.facts,
        snapshot.totals.count.tolist(),
        scalars,
    )


class FailingReads:
    """`os.preadv` in which the calls with these numbers fail."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self.failing: Sequence[int] = ()
        self._real: Callable[..., int] = os.preadv
        patch.setattr(os, "preadv", self)

    def __call__(self, *arguments: Any) -> int:
        self.calls += 1
        if self.calls in self.failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return self._real(*arguments)


def growing_log(path: Path) -> list[bytes]:
    """A log in three parts; large records take several reads."""
    return [
        tensorboard_log([(s, s / 8) for s in range(30_000)]),
        events([(s, s / 8) for s in range(15_000, 40_000)]),
        events([(s, 1.0) for s in range(10)], tag="accuracy"),
    ]


@pytest.mark.parametrize("ahead", [False, True], ids=["one thread", "two threads"])
def test_a_failed_read_only_delays_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, ahead: bool
) -> None:
    if ahead:
        monkeypatch.setattr(later_part, "AHEAD_SIZE", 1_000)
    monkeypatch.setattr(file_loader, "PUBLISH_INTERVAL", 0.0)
    parts = growing_log(tmp_path)
    reads = FailingReads(monkeypatch)

    def read(failing: Sequence[int]) -> tuple[tuple[object, ...], int]:
        path = write(tmp_path, "tfevents.1", b"")
        loader = FileLoader(found_file(path), ScanOptions())
        reads.calls, reads.failing = 0, failing
        for part in parts:
            with path.open("ab") as file:
                file.write(part)
            loader.refresh(lambda: None)
            while loader.error is not None:
                assert "Input/output error" in loader.snapshot.findings[-1].detail
                loader.refresh(lambda: None)
        return comparable(loader.snapshot), reads.calls

    whole, calls = read(())
    assert calls > 6
    for failing in range(1, calls + 1):
        assert read((failing, failing + 1))[0] == whole, failing


def test_facts_that_could_not_be_read_are_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_mindspore_job(tmp_path, user_defined(seed=1, name="x" * 300_000), training())
    (path,) = (path for path in tmp_path.iterdir() if "lineage" in path.name)
    reads = FailingReads(monkeypatch)

    def read(failing: Sequence[int]) -> tuple[object, ...]:
        loader = FileLoader(found_file(path), ScanOptions())
        reads.calls, reads.failing = 0, failing
        loader.refresh(lambda: None)
        while loader.error is not None:
            loader.refresh(lambda: None)
        return comparable(loader.snapshot)

    whole = read(())
    calls = reads.calls
    for failing in range(1, calls + 1):
        assert read((failing,)) == whole, failing


def test_known_data_stays_while_the_rest_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0), (2, 2.0)]))
    loader = FileLoader(found_file(path), ScanOptions())
    loader.refresh(lambda: None)
    with path.open("ab") as file:
        file.write(events([(3, 3.0)]))
    for call in ("open", "preadv"):
        with Faults(monkeypatch).on(call, "tfevents.1", errno.ESTALE):
            loader.refresh(lambda: None)
        assert loader.snapshot.totals.count.tolist() == [2]
        assert loader.snapshot.unread == os.strerror(errno.ESTALE)
    assert loader.failures == 2
    loader.refresh(lambda: None)
    assert (loader.failures, loader.snapshot.unread, loader.snapshot.findings) == (0, "", ())
    assert loader.snapshot.totals.count.tolist() == [3]
