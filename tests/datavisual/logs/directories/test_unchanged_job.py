"""UnchangedJob: the job that an examination of its directory would find."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from mindviz.datavisual.logs.directories.discovery import ExaminedJob
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.directories.unchanged_job import UnchangedJob, are_unchanged
from mindviz.datavisual.logs.storage.file_system import LocalFiles
from tests.log_directories import EVENTS, append, write_log


@pytest.fixture
def examined(tmp_path: Path) -> ExaminedJob:
    for name in (EVENTS, "a.tfevents", "z.tfevents"):
        write_log(tmp_path / "sweep" / "run", name)
    job = SummaryWatcher(tmp_path, inotify=False).poll().jobs["./sweep/run"]
    assert isinstance(job, ExaminedJob)
    return job


def unchanged(job: ExaminedJob) -> UnchangedJob:
    kept = SimpleNamespace(logs=list(job.logs), stamp=5)
    shown = job.train_id.removeprefix("./")
    folder = SimpleNamespace(path=job.directory, shown=shown, identity=job.identity)
    return UnchangedJob(job.train_id, folder, kept, job.files[0].boundary)


def test_it_equals_the_examined_job(examined: ExaminedJob) -> None:
    job = unchanged(examined)
    assert job == examined
    assert examined == job
    assert job == unchanged(examined)
    assert job is not None
    assert job.files == examined.files
    assert list(job.logs) == list(examined.logs)
    assert (job.identity, job.stamp) == (examined.identity, 5)


def test_another_file_makes_another_job(examined: ExaminedJob) -> None:
    job = unchanged(examined)
    append(Path(examined.files[1].path))
    base = Path(examined.directory).parents[1]
    now = SummaryWatcher(base, inotify=False).poll().jobs[job.train_id]
    assert job != now
    assert now != job


def test_any_change_of_a_file_is_noticed(examined: ExaminedJob) -> None:
    job, stat = unchanged(examined), LocalFiles("/").stat
    assert are_unchanged(job.directory, job.logs, stat)
    path = Path(job.files[2].path)
    append(path)
    assert not are_unchanged(job.directory, job.logs, stat)
    path.unlink()
    assert not are_unchanged(job.directory, job.logs, stat)
