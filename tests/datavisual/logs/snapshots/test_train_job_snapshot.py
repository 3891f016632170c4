from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from tests.written_logs import found_job, tensorboard_log, write


def job(directory: Path) -> TrainJobSnapshot:
    found = found_job(directory)
    loader = TrainJobLoader(found, ScanOptions())
    for file in loader.update(found):
        file.refresh(lambda: None)
    return loader.snapshot(version=1)


def test_summaries_are_of_the_points_that_count(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0), (2, 99.0)], start=100.0))
    write(tmp_path, "tfevents.2", tensorboard_log([(2, 2.0), (3, 3.0)], start=200.0))
    summaries = job(tmp_path).summaries
    assert (summaries.tags, summaries.total) == (("loss",), (4,))
    assert summaries.stats.max.tolist() == [3.0]
    assert summaries.stats.last_step.tolist() == [3]


def test_derived_facts_survive_eviction(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0), (2, 99.0)], start=100.0))
    write(tmp_path, "tfevents.2", tensorboard_log([(2, 2.0), (3, 3.0)], start=200.0))
    full = job(tmp_path)
    dropped = full.without_columns()
    assert (full.resident, dropped.resident) == (True, False)
    assert dropped.nbytes == 0 < full.nbytes
    assert dropped.summaries.stats.max.tolist() == [3.0]
    assert dropped.catalog is full.catalog
    assert dropped.points == full.points == 4


@pytest.mark.parametrize(
    ("logged", "written", "expected"),
    [
        (1_300_000_000.0, 1_700_000_000.0, 1_300_000_001.0),  # a copy has a new mtime
        (1_900_000_000.0, 1_700_000_000.0, 1_700_000_000.0),  # the clock was ahead
        (100.0, 1_700_000_000.0, 1_700_000_000.0),  # seconds since the start of the training
    ],
)
def test_a_job_was_updated_at_its_last_event(
    tmp_path: Path, logged: float, written: float, expected: float
) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0), (2, 2.0)], start=logged))
    os.utime(tmp_path / "tfevents.1", (written, written))
    assert job(tmp_path).update_time == expected


def test_a_catalog_is_reused_only_for_a_matching_snapshot(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    first = job(tmp_path)
    catalog = first.catalog
    assert replace(first, version=2).with_catalog_of(first).catalog is catalog
    write(tmp_path, "tfevents.2", tensorboard_log([(1, 1.0)], tag="accuracy", start=2_000.0))
    second = job(tmp_path).with_catalog_of(first)
    assert set(second.catalog.entries["scalar"]) == {"loss", "accuracy"}
