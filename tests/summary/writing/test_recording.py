from __future__ import annotations

import gc
from pathlib import Path

import pytest

from mindviz.errors import RecordingFailed
from mindviz.summary.writing.log_names import LogNames
from mindviz.summary.writing.recorded_step import Log, RecordedStep
from mindviz.summary.writing.recording import Recording, RecordingOptions, writable_directory
from tests.proto import tensorboard_pb2
from tests.summary.recordings import payloads


class Owner:
    pass


def test_a_recording_closes_when_its_owner_is_garbage_collected(tmp_path: Path) -> None:
    names = LogNames(tmp_path, "events", "", 17, 0, "host")
    owner = Owner()
    recording = Recording(owner, lambda: names, RecordingOptions(flush_seconds=3600), Log.EVENTS)
    recording.pool.submit(RecordedStep(2.5, 1, {"loss": 0.5}))
    del owner
    gc.collect()
    assert recording.pool.closed
    first, second = payloads(tmp_path / "events.out.tfevents.17.0.host")
    assert tensorboard_pb2.Event.FromString(first).file_version == "brain.Event:2"
    event = tensorboard_pb2.Event.FromString(second)
    assert (event.wall_time, event.step) == (2.5, 1)
    assert [(v.tag, v.simple_value) for v in event.summary.value] == [(b"loss", 0.5)]


def test_a_relative_directory_ignores_later_chdir(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    directory = writable_directory("a/b")
    assert directory == tmp_path / "a" / "b"
    assert directory.is_dir()


def test_the_error_names_a_directory_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingFailed, match=r"Cannot create .*file/logs"):
        writable_directory(tmp_path / "file" / "logs")
