from __future__ import annotations

import inspect
import itertools
import logging
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.errors import InvalidValue, RecordingFailed
from mindviz.summary import SummaryRecord
from mindviz.wire.proto import mindspore_pb2
from tests.summary.disks import disk_of
from tests.summary.recordings import events, one_value, scalars, values


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SummaryRecord]:
    with SummaryRecord(tmp_path) as record:
        yield record


def test_the_first_parameters_equal_mindspores() -> None:
    parameters = inspect.signature(SummaryRecord).parameters.values()
    positional = {p.name: p.default for p in parameters if p.kind is not p.KEYWORD_ONLY}
    assert positional == {
        "log_dir": inspect.Parameter.empty,
        "file_prefix": "events",
        "file_suffix": "_MS",
        "num_process": 32,
        "network": None,
        "max_file_size": None,
        "raise_exception": False,
        "export_options": None,
    }


def test_one_step_is_one_record_of_scalars(record: SummaryRecord, tmp_path: Path) -> None:
    for step in range(3):
        record.add_value("scalar", "loss", 1.5 * step)
        record.add_value("scalar", "accuracy", np.float32(0.5))
        assert record.record(step) is True
    record.flush()
    assert scalars(tmp_path) == {
        "loss": [(0, 0.0), (1, 1.5), (2, 3.0)],
        "accuracy": [(0, 0.5), (1, 0.5), (2, 0.5)],
    }
    assert len(events(tmp_path)) == 3


def test_every_kind_of_mindspores_is_recorded(record: SummaryRecord, tmp_path: Path) -> None:
    record.add_value("image", "input", np.zeros((2, 3, 4, 5)))
    record.add_value("histogram", "weights", np.arange(20.0))
    record.add_value("tensor", "kernel", np.arange(6, dtype=np.int32).reshape(2, 3))
    record.record(7)
    record.flush()
    assert {tag: points[0][0] for tag, points in values(tmp_path).items()} == {
        "input": 7,
        "weights": 7,
        "kernel": 7,
    }
    image = one_value(tmp_path, "input").image
    assert (image.width, image.height) == (10, 4)
    assert one_value(tmp_path, "weights").histogram.count == 20
    tensor = one_value(tmp_path, "kernel").tensor
    assert (list(tensor.dims), tensor.data_type) == ([2, 3], mindspore_pb2.DT_INT32)
    assert list(tensor.float_data) == [0, 1, 2, 3, 4, 5]


def test_missing_and_duplicate_names_are_generated(record: SummaryRecord, tmp_path: Path) -> None:
    for step in range(2):
        for name in ("loss", "loss", None, ""):
            record.add_value("scalar", name, step)
        for _ in range(2):
            record.add_value("tensor", "loss", np.ones(1))
        record.record(step)
    record.flush()
    assert set(values(tmp_path)) == {"loss", "scalar_1", "scalar_2", "scalar_3", "tensor_1"}
    assert scalars(tmp_path)["scalar_1"] == [(0, 0.0), (1, 1.0)]


def test_filtered_values_are_dropped(record: SummaryRecord, tmp_path: Path) -> None:
    record.add_value("scalar", "loss", 1)
    record.add_value("tensor", "kernel", np.ones(2))
    record.record(0, plugin_filter=lambda plugin: plugin == "tensor")
    record.record(1)
    record.flush()
    assert set(values(tmp_path)) == {"kernel"}


def test_a_record_without_values_creates_no_file(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path / "logs") as record:
        assert record.record(1)
    assert list((tmp_path / "logs").iterdir()) == []


def test_nan_and_infinities_are_recorded(record: SummaryRecord, tmp_path: Path) -> None:
    for value in (math.nan, math.inf, -math.inf, 1e300, -1e300):
        record.add_value("scalar", None, value)
    record.record(0)
    record.flush()
    found = [points[0][1] for points in scalars(tmp_path).values()]
    assert math.isnan(found[0])
    assert found[1:] == [math.inf, -math.inf, math.inf, -math.inf]


@pytest.mark.parametrize(
    ("plugin", "value", "shape"),
    [
        ("scalar", np.zeros(0), "[0]"),
        ("image", np.zeros(5), "[5]"),
        ("image", np.zeros((2, 5, 6, 7)), "[2, 5, 6, 7]"),
        ("tensor", np.array(["a", "b"]), "[2]"),
        ("histogram", "text", "[]"),
    ],
    ids=itertools.count(),
)
def test_the_error_for_an_invalid_value_names_tag_and_shape(
    record: SummaryRecord, plugin: str, value: object, shape: str
) -> None:
    with pytest.raises(InvalidValue) as refused:
        record.add_value(plugin, "the tag", value)
    assert "'the tag'" in str(refused.value)
    assert shape in str(refused.value)


def test_an_invalid_value_does_not_affect_others(record: SummaryRecord, tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        record.add_value("tensor", "kernel", "text")
    record.add_value("tensor", "kernel", np.ones(1))
    record.record(0)
    record.flush()
    assert set(values(tmp_path)) == {"kernel"}


@pytest.mark.parametrize("step", ["1", 1.5, None, 1 << 63])
def test_a_step_must_be_an_integer(record: SummaryRecord, step: object) -> None:
    with pytest.raises(InvalidValue, match="step"):
        record.record(step)  # type: ignore[arg-type]


def test_steps_may_be_numpys_and_negative(record: SummaryRecord, tmp_path: Path) -> None:
    for step in (np.int64(5), -3):
        record.add_value("scalar", "loss", 1)
        record.record(step)  # type: ignore[arg-type]
    record.flush()
    assert [step for step, _ in scalars(tmp_path)["loss"]] == [5, -3]


def test_the_error_for_an_unknown_plugin_lists_the_known_ones(record: SummaryRecord) -> None:
    with pytest.raises(InvalidValue, match="Known plugins: scalar, image"):
        record.add_value("hologram", "x", 1)


def test_a_closed_record_records_nothing(tmp_path: Path) -> None:
    record = SummaryRecord(tmp_path)
    record.close()
    record.close()
    record.add_value("scalar", "loss", 1)
    assert record.record(1) is False
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InvalidValue, match="closed"), record:
        pass


def test_histogram_values_can_be_stored(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path, histogram_values=True) as record:
        record.add_value("histogram", "weights", np.arange(4.0))
        record.record(1)
    (_, histogram), (_, tensor) = values(tmp_path)["weights"]
    assert histogram.histogram.count == 4
    assert list(tensor.tensor.float_data) == [0, 1, 2, 3]


def test_tensors_can_be_exported(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path, export_options={"tensor_format": "npy"}) as record:
        record.add_value("tensor", "conv/weight", np.arange(4))
        record.record(3)
    (exported,) = tmp_path.glob("export_*/tensor/*.npy")
    assert exported.name == "conv%2Fweight_3.npy"
    assert np.load(exported).tolist() == [0, 1, 2, 3]


def test_a_graph_may_be_a_message_or_bytes(tmp_path: Path) -> None:
    graph = mindspore_pb2.GraphProto(name="net")
    graph.node.add(name="1")
    model = mindspore_pb2.ModelProto(ir_version=1, graph=graph)
    with SummaryRecord(tmp_path) as record:
        for step, value in enumerate((graph, model, model.SerializeToString())):
            record.add_value("graph", "g", value)
            record.record(step)
        with pytest.raises(InvalidValue, match="graph"):
            record.add_value("graph", "g", b"\xff")
    assert [event.graph_def for event in events(tmp_path)] == [graph] * 3


@pytest.mark.parametrize(
    "options",
    [
        {"file_prefix": "a/b"},
        {"file_suffix": "_lineage"},
        {"num_process": 0},
        {"max_file_size": "1"},
        {"export_options": {"tensor_format": "csv"}},
        {"export_options": {"image_format": "npy"}},
        {"export_options": 5},
        {"flush_seconds": -1},
        {"flush_seconds": float("nan")},
        {"flush_seconds": float("inf")},
        {"flush_seconds": "2"},
        {"queue_size": 1.5},
        {"rank": -1},
        {"rank": "0/../1"},
        {"clock": 17},
        {"queue_size": 0},
        {"when_full": "wait"},
    ],
    ids=str,
)
def test_invalid_options_are_errors(tmp_path: Path, options: dict[str, object]) -> None:
    with pytest.raises(InvalidValue):
        SummaryRecord(tmp_path, **options)  # type: ignore[arg-type]


def test_a_directory_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingFailed, match="Cannot create"):
        SummaryRecord(tmp_path / "file" / "logs")


def test_the_import_loads_numpy_but_no_heavier_package() -> None:
    code = "import sys, mindviz.summary; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    heavy = {
        "google.protobuf",
        "PIL",
        "flask",
        "click",
        "mindviz.datavisual",
        "torch",
        "sqlalchemy",
    }
    assert heavy.isdisjoint(modules)
    assert "numpy" in modules


def test_recording_resumes_without_loss_after_a_full_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with SummaryRecord(tmp_path, flush_seconds=0) as record:
        record.add_value("scalar", "loss", 0)
        record.record(0)
        record.flush()
        with disk_of(400):
            for step in range(1, 100):
                record.add_value("scalar", "loss", step)
                record.add_value("tensor", "kernel", np.full(100, step))
                record.record(step)
            record.flush()
            assert record.record(100) is False
            before = len(scalars(tmp_path)["loss"])
            assert 0 < before < 100
            assert [one.levelno for one in caplog.records] == [logging.ERROR]
        record.flush()
        assert record.record(101) is True
    assert scalars(tmp_path)["loss"] == [(step, float(step)) for step in range(100)]
    assert [step for step, _ in values(tmp_path)["kernel"]] == list(range(1, 100))


@pytest.mark.skipif(os.getuid() != 0, reason="only root may mount")
def test_recording_resumes_after_a_full_file_system(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount")
    try:
        ballast = tmp_path / "ballast"
        with SummaryRecord(tmp_path, flush_seconds=0) as record:
            ballast.write_bytes(bytes(40_000))
            for step in range(50):
                record.add_value("tensor", "kernel", np.full(250, step))
                record.record(step)
            record.flush()
            assert 0 < len(values(tmp_path)["kernel"]) < 50
            ballast.unlink()
            record.flush()
        found = [(step, value.tensor.float_data[0]) for step, value in values(tmp_path)["kernel"]]
        assert found == [(step, float(step)) for step in range(50)]
    finally:
        subprocess.run(["umount", tmp_path], check=True)


def test_raise_exception_raises_failures(tmp_path: Path) -> None:
    record = SummaryRecord(tmp_path / "logs", raise_exception=True)
    shutil.rmtree(tmp_path / "logs")
    record.add_value("scalar", "loss", 1)
    record.record(1)
    with pytest.raises(RecordingFailed, match="no longer exists"):
        record.flush()
    record.record(2)
    record.close()


def test_a_value_copied_during_record_belongs_to_the_next_step(
    tmp_path: Path,
) -> None:
    record = SummaryRecord(tmp_path)

    class Array:
        def __array__(self, dtype: object = None, copy: object = None) -> object:
            record.record(1)  # as another thread may do at any time
            return np.ones(2)

    record.add_value("tensor", "kernel", Array())
    record.record(2)
    record.close()
    assert [step for step, _ in values(tmp_path)["kernel"]] == [2]


@pytest.mark.parametrize("plugin", ["scalar", "tensor"])
@pytest.mark.parametrize("name", [5, b"loss", ["loss"], "x" * 10_001])
def test_a_name_must_be_a_string_of_limited_length(tmp_path: Path, plugin: str, name: Any) -> None:
    with SummaryRecord(tmp_path) as record:
        with pytest.raises(InvalidValue, match=f"name of a {plugin}"):
            record.add_value(plugin, name, 1.0)
        record.add_value(plugin, "x" * 10_000, 1.0)
        assert record.record(0)
    assert list(values(tmp_path)) == ["x" * 10_000]
