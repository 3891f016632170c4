from __future__ import annotations

import pickle
from pathlib import Path

from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.sql.run_import import Batch, Increments, Target
from tests.provider_logs import write_provider_logs


def test_batches_survive_pickling(tmp_path: Path) -> None:
    write_provider_logs(tmp_path)
    jobs = tuple(SummaryWatcher(tmp_path, inotify=False).poll().jobs.values())
    batch = Batch(Target("postgresql://host/x", 1, tmp_path, verify_all=True), jobs)
    copied = pickle.loads(pickle.dumps(batch))
    assert copied == batch
    for job, other in zip(jobs, copied.jobs, strict=True):
        assert [file.kind for file in job.files] == [file.kind for file in other.files]


def test_no_password_is_in_the_text_of_a_batch(tmp_path: Path) -> None:
    write_provider_logs(tmp_path)
    jobs = tuple(SummaryWatcher(tmp_path, inotify=False).poll().jobs.values())
    batch = Batch(Target("postgresql://me:hunter2@host/x", 1, tmp_path, verify_all=True), jobs)
    assert "hunter2" not in f"{batch} {batch.target!r} {(batch,)!r}"


def test_repeated_reports_count_once() -> None:
    reported: list[tuple[int, int]] = []
    increments = Increments(lambda nbytes, points: reported.append((nbytes, points)))
    for read in ((10, 1), (30, 5), (10, 1), (40, 5)):
        increments(*read)
    assert [sum(column) for column in zip(*reported, strict=True)] == [40, 5]
