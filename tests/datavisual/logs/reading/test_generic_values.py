from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindviz.datavisual.logs.reading.generic_values import (
    GenericValues,
    LoggedValues,
    fact_values,
    generic_values,
)
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.errors import BrokenDataClass, DamagedValue
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.proto import tensorboard_pb2 as proto
from tests.provider_logs import PNG, write_provider_logs
from tests.written_logs import found_job, snapshot_of, write


def snapshot(directory: Path) -> TrainJobSnapshot:
    job = found_job(directory)
    files = tuple(snapshot_of(Path(file.path)) for file in job.files)
    return TrainJobSnapshot(job, files, version=1, complete=True)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    write_provider_logs(directory)
    return directory


def values_of(
    job: TrainJobSnapshot, plugin_name: str, tag: str, findings: list[Finding]
) -> GenericValues:
    entry = job.generic.entries[plugin_name][tag]
    return generic_values(job, entry, job.lines(entry.logged)[0], findings.append)


def test_values_with_their_own_tags_are_series(logs: Path) -> None:
    findings: list[Finding] = []
    job = snapshot(logs / "tb" / "all")
    for tag, steps in (("first", [1, 3]), ("second", [2])):
        values = values_of(job, "graph_tagged_run_metadata", tag, findings)
        assert (values.series.tag, values.step.tolist()) == (tag, steps)
    assert findings == []


def test_the_number_of_thresholds_comes_from_the_first_curve(logs: Path) -> None:
    job = snapshot(logs / "vdl")
    values = values_of(job, "pr_curves", "pr", [])
    assert values.series.metadata.plugin_content == b""
    assert values.completed().metadata.plugin_content == b"\x10\x02"


def test_numbers_can_be_tensors(logs: Path) -> None:
    values = values_of(snapshot(logs / "tb" / "declared"), "inv_tensor", "t0", [])
    tensor = values.tensor(1)
    assert (tensor.shape, tensor.tolist()) == ((), 20.0)
    assert values.size(1) == 8
    assert values.completed() is values.series


def test_a_value_that_breaks_its_class_is_reported_with_its_place(tmp_path: Path) -> None:
    curve, other = np.zeros((6, 3), np.float32), np.zeros((3, 6), np.float32)
    events = [
        tensorboard.event(1.0, 1, [tensorboard.tensor("c", curve, plugin_name="pr_curves")]),
        tensorboard.event(2.0, 2, [tensorboard.tensor("c", other)]),
    ]
    write(tmp_path, "tfevents.1", frames(events, Framing.TFRECORD))
    findings: list[Finding] = []
    values = values_of(snapshot(tmp_path), "pr_curves", "c", findings)
    assert values.tensor(0).shape == (6, 3)
    with pytest.raises(BrokenDataClass, match=r"shape \[3, 6\]"):
        values.tensor(1)
    (finding,) = findings
    assert (finding.kind, finding.lost_records) == (FindingKind.BROKEN_CLASS, 1)
    assert finding.offset == len(frames(events[:1], Framing.TFRECORD))


def test_only_later_values_are_read_for_their_length(logs: Path) -> None:
    values = values_of(snapshot(logs / "tb" / "all"), "images", "i/v2", [])
    assert isinstance(values, LoggedValues)
    assert (values.max_length(), values.max_length(9), values.max_length(10)) == (4, 4, 0)


def test_values_of_one_step_have_editions(tmp_path: Path) -> None:
    image = tensorboard.image_v1("i", PNG, 2, 1)
    events = [tensorboard.event(1.0, 5, [image]) for _ in range(2)]
    write(tmp_path, "tfevents.1", frames(events[:1], Framing.TFRECORD))
    first = values_of(snapshot(tmp_path), "images", "i", [])
    write(tmp_path, "tfevents.1", frames(events, Framing.TFRECORD))
    second = values_of(snapshot(tmp_path), "images", "i", [])
    assert isinstance(first, LoggedValues)
    assert isinstance(second, LoggedValues)
    assert first.step.tolist() == second.step.tolist() == [5]
    assert first.edition(0) != second.edition(0)


def test_a_log_that_is_gone_is_reported(tmp_path: Path) -> None:
    event = tensorboard.event(1.0, 5, [tensorboard.image_v1("i", PNG, 2, 1)])
    path = write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
    findings: list[Finding] = []
    values = values_of(snapshot(tmp_path), "images", "i", findings)
    path.unlink()
    assert isinstance(values, LoggedValues)
    assert list(values.extents(range(1))) == []
    assert [(item.kind, item.lost_records) for item in findings] == [(FindingKind.BAD_VALUE, 1)]


def test_an_image_without_a_logged_size_is_measured(tmp_path: Path) -> None:
    known = tensorboard.image_v1("known", PNG, 0, 0)
    unknown = tensorboard.image_v1("unknown", b"<svg/>", 0, 0)
    event = tensorboard.event(1.0, 5, [known, unknown])
    write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
    findings: list[Finding] = []
    values = values_of(snapshot(tmp_path), "images", "known", findings)
    assert isinstance(values, LoggedValues)
    ((_, blobs),) = values.extents([0])
    assert [blob.make and blob.make() for blob in blobs] == [b"2", b"1", None]
    values = values_of(snapshot(tmp_path), "images", "unknown", findings)
    assert isinstance(values, LoggedValues)
    assert list(values.extents([0])) == []
    assert {item.kind for item in findings} == {FindingKind.BAD_VALUE}


def test_hyperparameters_are_facts_if_they_are_not_series(logs: Path) -> None:
    assert list(fact_values(snapshot(logs / "tb" / "all"))) == []
    assert list(fact_values(snapshot(logs / "tb" / "declared"))) == []
    values = list(fact_values(snapshot(logs / "vdl")))
    assert [series.series.tag for series in values] == [
        "_hparams_/experiment",
        "_hparams_/session_start_info",
    ]
    assert [series.tensor(0).shape for series in values] == [(0,), (0,)]


def test_undecodable_values_are_damaged(tmp_path: Path) -> None:
    keras = tensorboard.strings_tensor("k", [b"{"], (), plugin_name="graph_keras_model")
    write(tmp_path, "tfevents.1", frames([tensorboard.event(1.0, 1, [keras])], Framing.TFRECORD))
    values = values_of(snapshot(tmp_path), "graph_keras_model", "k", [])
    with pytest.raises(DamagedValue):
        values.tensor(0)
    assert isinstance(values, LoggedValues)
    assert len(list(values.extents([0]))) == 1  # a blob is any logged bytes


def test_a_tensor_with_a_false_large_shape_is_left_out(tmp_path: Path) -> None:
    events = []
    for step, size in enumerate((100, 1 << 30)):
        event = proto.Event(wall_time=1.0, step=step)
        value = event.summary.value.add(tag=b"t")
        value.tensor.dtype = proto.DT_FLOAT
        value.tensor.tensor_shape.dim.add(size=size)
        value.tensor.float_val.append(1.5)
        events.append(event.SerializeToString())
    write(tmp_path, "tfevents.1", frames(events, Framing.TFRECORD))
    findings: list[Finding] = []
    job = snapshot(tmp_path)
    (plugin_name,) = job.generic.entries
    values = values_of(job, plugin_name, "t", findings)
    assert values.tensor(0).tolist() == [1.5] * 100
    with pytest.raises(DamagedValue, match="claims 1073741824 elements"):
        values.tensor(1)
    assert [finding.kind for finding in findings] == [FindingKind.LARGE_TENSOR]
