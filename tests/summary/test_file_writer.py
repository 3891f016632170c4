from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from mindviz.errors import InvalidValue, RecordingFailed
from mindviz.summary.file_writer import FileWriter
from tests.proto import tensorboard_pb2 as proto
from tests.summary.recordings import payloads, tensorboard_values


def test_no_file_is_created_before_the_first_value(tmp_path: Path) -> None:
    writer = FileWriter(tmp_path / "run")
    assert not list((tmp_path / "run").iterdir())
    writer.close()
    assert not list((tmp_path / "run").iterdir())


def test_a_dropped_writer_writes_its_values(tmp_path: Path) -> None:
    writer = FileWriter(tmp_path, flush_secs=3600)
    writer.add_scalar("x", 1.0, 2)
    del writer
    gc.collect()
    assert [(step, value.simple_value) for step, value in tensorboard_values(tmp_path)] == [(2, 1)]


def test_summaries_may_be_messages_or_bytes(tmp_path: Path) -> None:
    summary = proto.Summary(value=[proto.Summary.Value(tag=b"x", simple_value=1)])
    writer = FileWriter(tmp_path)
    writer.add_summary(summary, 1, 5.0)
    writer.add_summary(summary.SerializeToString(), 2)
    writer.close()
    (log,) = tmp_path.iterdir()
    version, first, second = map(proto.Event.FromString, payloads(log))
    assert version.file_version == "brain.Event:2"
    assert (first.step, first.wall_time, first.summary) == (1, 5.0, summary)
    assert (second.step, second.summary) == (2, summary)


@pytest.mark.parametrize("summary", ["text", 3, proto.Event()])
def test_an_invalid_summary_is_an_error(tmp_path: Path, summary: object) -> None:
    writer = FileWriter(tmp_path)
    with pytest.raises(InvalidValue, match="Summary"):
        writer.add_summary(summary)
    writer.close()


def test_writers_of_one_directory_use_separate_files(tmp_path: Path) -> None:
    writers = [FileWriter(tmp_path) for _ in range(3)]
    for number, writer in enumerate(writers):
        writer.add_scalar("x", float(number), number)
    for writer in writers:
        writer.close()
    assert len(list(tmp_path.iterdir())) == 3
    assert sorted(step for step, _ in tensorboard_values(tmp_path)) == [0, 1, 2]


def test_scalars_of_one_step_and_time_are_one_event(tmp_path: Path) -> None:
    writer = FileWriter(tmp_path, flush_secs=3600)
    for tag, step, wall_time in (
        ("a", 1, 5.0),
        ("b", 1, 5.0),
        ("a", 1, 5.0),  # a second one of its name
        ("b", 1, 5.001),  # times are kept to the millisecond
        ("b", 2, 5.001),
        ("a", 2, 5.0),  # earlier
    ):
        writer.add_scalar(tag, 0.5, step, wall_time)
    writer.close()
    (log,) = tmp_path.iterdir()
    _, *events = map(proto.Event.FromString, payloads(log))
    found = [
        (event.step, event.wall_time, [value.tag for value in event.summary.value])
        for event in events
    ]
    assert found == [
        (1, 5.0, [b"a", b"b"]),
        (1, 5.0, [b"a"]),
        (1, 5.001, [b"b"]),
        (2, 5.001, [b"b"]),
        (2, 5.0, [b"a"]),
    ]


def test_a_suffix_cannot_change_the_directory(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="filename_suffix"):
        FileWriter(tmp_path, filename_suffix="/../x")


def test_writing_resumes_after_a_full_disk(tmp_path: Path) -> None:
    from tests.summary.disks import disk_of

    writer = FileWriter(tmp_path, flush_secs=3600)
    writer.add_scalar("x", 0.0, 0)
    writer.flush()
    with disk_of(100):
        for step in range(1, 50):
            writer.add_scalar("x", float(step), step)
        writer.flush()
    writer.close()
    assert [step for step, _ in tensorboard_values(tmp_path)] == list(range(50))


def test_the_directory_may_be_a_path_or_a_string(tmp_path: Path) -> None:
    for directory in (tmp_path / "a", os.fspath(tmp_path / "b")):
        writer = FileWriter(directory)
        writer.close()
        assert writer.get_logdir() == os.fspath(directory)
    (tmp_path / "file").touch()
    with pytest.raises(RecordingFailed):
        FileWriter(tmp_path / "file")
