from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.logs.loading import file_columns, later_part
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire import encode_visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import events, found_file, tensorboard_log, write


def points(loader: FileLoader) -> int:
    loader.refresh(lambda: None)
    return int(loader.snapshot.totals.count.sum())


def test_a_refresh_reads_only_appended_bytes(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(s, 1.0) for s in range(100)]))
    loader = FileLoader(found_file(path), ScanOptions())
    assert points(loader) == 100
    before = loader.snapshot
    with path.open("ab") as file:
        file.write(events([(100, 2.0)]))
    assert points(loader) == 101
    assert loader.snapshot.fingerprint == before.fingerprint
    assert loader.snapshot.records == before.records + 1
    assert int(before.totals.count.sum()) == 100


def test_many_small_appends_leave_few_batches(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([]))
    loader = FileLoader(found_file(path), ScanOptions())
    for step in range(200):
        with path.open("ab") as file:
            file.write(events([(step, float(step))]))
        loader.refresh(lambda: None)
    snapshot = loader.snapshot
    assert len(snapshot.batches) <= 10
    steps, _, values = snapshot.scalars(0, 0)
    assert steps.tolist() == list(range(200))
    assert values.tolist() == [float(step) for step in range(200)]


@pytest.mark.parametrize("size", [10, 90, 200], ids=["shorter", "as long", "longer"])
def test_a_file_rewritten_in_place_is_read_from_its_start(tmp_path: Path, size: int) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(s, 1.0) for s in range(90)]))
    loader = FileLoader(found_file(path), ScanOptions())
    assert points(loader) == 90
    before = loader.snapshot.fingerprint
    path.write_bytes(tensorboard_log([(s, 2.0) for s in range(size)], start=5_000.0))
    assert points(loader) == size
    assert loader.snapshot.fingerprint != before
    assert loader.snapshot.totals.stats.min.tolist() == [2.0]


def test_a_file_that_cannot_be_read_is_a_finding_until_it_can(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    loader = FileLoader(found_file(path), ScanOptions())
    away = path.with_name("elsewhere")
    path.rename(away)
    assert points(loader) == 0
    assert [finding.kind for finding in loader.snapshot.findings] == [FindingKind.UNREADABLE]
    away.rename(path)
    assert points(loader) == 1
    assert loader.snapshot.findings == ()


def test_points_without_a_time_are_served_and_found(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", events([(1, 1.0), (2, 2.0)], start=float("nan")))
    loader = FileLoader(found_file(path), ScanOptions())
    assert points(loader) == 2
    assert [finding.kind for finding in loader.snapshot.findings] == [FindingKind.BAD_WALL_TIME]


def test_a_large_text_file_named_like_a_log_is_reported_as_text(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", b"<html>The server is down.</html>\n" * 1_000)
    loader = FileLoader(found_file(path), ScanOptions())
    assert points(loader) == 0
    assert [finding.kind for finding in loader.snapshot.findings] == [FindingKind.NOT_A_LOG]


def test_a_log_that_was_empty_at_first_gets_its_label_later(tmp_path: Path) -> None:
    path = write(tmp_path, "vdlrecords.1", b"")
    loader = FileLoader(found_file(path), ScanOptions())
    assert points(loader) == 0
    before = loader.snapshot
    records = [encode_visualdl.meta(1.0, "resnet"), encode_visualdl.scalar(2.0, 1, "loss", 0.5)]
    path.write_bytes(frames(records, Framing.LENGTH_PREFIXED))
    assert points(loader) == 1
    assert (before.label, loader.snapshot.label) == ("", "resnet")
    assert loader.snapshot.fingerprint == before.fingerprint


def test_a_refresh_leaves_no_descriptor_open(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    loader = FileLoader(found_file(path), ScanOptions())
    before = set(Path("/proc/self/fd").iterdir())
    loader.refresh(lambda: None)
    assert set(Path("/proc/self/fd").iterdir()) <= before  # others may be closed meanwhile


@pytest.mark.parametrize("two_threads", [False, True])
def test_reading_ends_early_once_another_loader_replaces_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, two_threads: bool
) -> None:
    monkeypatch.setattr(later_part, "AHEAD_SIZE", 1_000)
    log = tensorboard_log([(step, 0.5) for step in range(100_000)])
    loader = FileLoader(found_file(write(tmp_path, "tfevents.1", log)), ScanOptions())
    loader.abandoned = True
    loader.refresh(lambda: None, two_threads=two_threads)
    assert 0 < loader.snapshot.offset < len(log)
    loader.abandoned = False
    loader.refresh(lambda: None)
    assert points(loader) == 100_000


@pytest.mark.parametrize("damage", [None, 100_000, 250_000], ids=["whole", "early", "late"])
def test_two_threads_read_the_same_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: int | None
) -> None:
    log = bytearray(tensorboard_log([(s, s / 8) for s in range(7_000)]))
    if damage is not None:
        log[damage] ^= 255
    found = found_file(write(tmp_path, "tfevents.1", bytes(log)))
    alone = FileLoader(found, ScanOptions())
    alone.refresh(lambda: None)
    monkeypatch.setattr(later_part, "AHEAD_SIZE", 1_000)
    monkeypatch.setattr(file_columns, "MERGE_LIMIT", 0)
    together = FileLoader(found, ScanOptions())
    together.refresh(lambda: None)
    if damage is None:
        assert len(together.snapshot.batches) > len(alone.snapshot.batches)
    assert together.snapshot.records == alone.snapshot.records
    assert together.snapshot.offset == alone.snapshot.offset
    assert together.snapshot.findings == alone.snapshot.findings
    for ours, theirs in zip(
        together.snapshot.scalars(0, 0), alone.snapshot.scalars(0, 0), strict=True
    ):
        assert ours.tolist() == theirs.tolist()
