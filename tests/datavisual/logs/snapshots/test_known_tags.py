"""Tags that jobs with equal series share."""

from __future__ import annotations

from pathlib import Path

from mindviz.datavisual.logs.snapshots.known_tags import known_tags, note_tags
from tests.written_logs import loaded, tensorboard_log, write


def test_jobs_with_equal_series_have_known_tags(tmp_path: Path) -> None:
    for number in range(2):
        write(tmp_path / str(number), "tfevents.1", tensorboard_log([(1, number)]))
    write(tmp_path / "other", "tfevents.1", tensorboard_log([(1, 1.0)], tag="accuracy"))
    jobs = loaded(tmp_path).cache.jobs
    tags = {"scalar": ["loss"]}
    note_tags(jobs["./0"].snapshot.files, tags, [0])
    known = known_tags(jobs["./1"].snapshot.files)
    assert known is not None
    assert (known[0], known[1].tolist()) == (tags, [0])
    other = known_tags(jobs["./other"].snapshot.files)
    assert other is None or other[0] != tags


def test_jobs_of_several_files_are_not_simple(tmp_path: Path) -> None:
    for number in range(2):
        write(tmp_path, f"tfevents.{number}", tensorboard_log([(1, 1.0)]))
    files = loaded(tmp_path).cache.jobs["./"].snapshot.files
    note_tags(files, {"scalar": ["loss"]}, [0])
    assert known_tags(files) is None
