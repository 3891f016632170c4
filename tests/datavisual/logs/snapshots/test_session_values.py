from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from tests.restart_suite import LOGS, SESSIONS, TAG
from tests.written_logs import found_job


def job(directory: Path) -> TrainJobSnapshot:
    found = found_job(directory)
    loader = TrainJobLoader(found, ScanOptions())
    for file in loader.update(found):
        file.refresh(lambda: None)
    return loader.snapshot(version=1)


@pytest.mark.parametrize("train_id", SESSIONS)
def test_session_values_survive_eviction(train_id: str) -> None:
    full = job(LOGS / train_id)
    for snapshot in (full, full.without_columns()):
        values = snapshot.lineage.facts.session_values
        assert set(values) == {TAG}
        assert (values[TAG].value, values[TAG].step) == (0.5, 0)


def test_a_stray_value_of_another_writer_is_not_a_session() -> None:
    assert job(LOGS / "torch" / "stray").lineage.facts.session_values == {}
