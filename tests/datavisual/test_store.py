from __future__ import annotations

from pathlib import Path

from tests.experiment_fake import FakeStore
from tests.written_logs import loaded, tensorboard_log, write


def test_a_series_is_found_among_the_summaries() -> None:
    experiment = FakeStore()
    job = experiment.add("./a")
    for tag in ("loss", "", "accuracy", "z"):
        job.append(tag, [1], [0.5])
    summaries = experiment.scalar_summaries("./a")
    for tag in summaries.tags:
        assert summaries.tags[summaries.index_of(tag)] == tag
    assert [summaries.index_of(tag) for tag in ("b", "zz", "LOSS")] == [-1, -1, -1]


def test_the_version_is_that_of_the_status(tmp_path: Path) -> None:
    write(tmp_path, "events.out.tfevents.1.host", tensorboard_log([(1, 0.5)]))
    experiment = loaded(tmp_path)
    assert experiment.version == experiment.status().version > 0
