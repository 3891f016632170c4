from __future__ import annotations

from pathlib import Path

from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.loading.train_job_loader import TrainJobLoader
from tests.written_logs import events, found_job, tensorboard_log, write


def test_only_files_that_changed_are_refreshed(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    write(tmp_path, "tfevents.2", tensorboard_log([(1, 1.0)]))
    job = TrainJobLoader(found_job(tmp_path), ScanOptions())
    assert len(job.update(found_job(tmp_path))) == 2
    with path.open("ab") as file:
        file.write(events([(2, 2.0)]))
    stale = job.update(found_job(tmp_path))
    assert [file.found.name for file in stale] == ["tfevents.1"]
    path.unlink()
    assert job.update(found_job(tmp_path)) == []
    assert [file.found.name for file in job.snapshot(1).files] == ["tfevents.2"]
