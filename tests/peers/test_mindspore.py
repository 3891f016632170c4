"""Beside MindSpore 2.10: in one process with it, and on the logs that it writes."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

WRITE = """
import sys
import numpy as np
import mindspore as ms
from mindspore import SummaryRecord, Tensor

if __name__ == "__main__":
    with SummaryRecord(sys.argv[1]) as record:
        for step in range(1, 31):
            values = {
                ("scalar", "loss"): 1 / step,
                ("scalar", "odd"): [np.nan, np.inf, -np.inf][step % 3],
                ("image", "input"): np.full((2, 3, 8, 8), step / 40),
                ("tensor", "weights"): np.arange(12).reshape(3, 4) * step,
                ("histogram", "spread"): np.linspace(-step, step, 100),
            }
            for (plugin, tag), value in values.items():
                record.add_value(plugin, tag, Tensor(np.float32(value)))
            record.record(step)
"""


def records(path: Path) -> Iterator[bytes]:
    """The payloads of a TFRecord file: all that is needed of the framing here."""
    data = path.read_bytes()
    offset = 0
    while offset < len(data):
        (length,) = struct.unpack_from("<Q", data, offset)
        yield data[offset + 12 : offset + 12 + length]
        offset += length + 16


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("mindspore")
    script = directory.with_name("write.py")
    script.write_text(WRITE, "utf-8")
    subprocess.run([sys.executable, script, directory], check=True, timeout=300)
    return directory


@pytest.fixture(scope="module")
def values(log: Path) -> dict[tuple[str, str], list[tuple[int, float, Any]]]:
    """What MindSpore's own protobuf classes find: (tag, kind) -> step, wall time, value."""
    from mindspore.train.summary_pb2 import Event

    found: dict[tuple[str, str], list[tuple[int, float, Any]]] = {}
    (path,) = log.glob("*_MS")
    for payload in records(path):
        event = Event.FromString(payload)
        for value in event.summary.value:
            kind = value.WhichOneof("value")
            found.setdefault((value.tag, kind), []).append(
                (event.step, event.wall_time, getattr(value, kind))
            )
    return found


def test_mindspore_and_mindviz_live_in_one_process(import_beside: Callable[[str], None]) -> None:
    import_beside("import mindspore, mindspore.train.summary_pb2, mindspore.train.lineage_pb2")


def test_every_series_is_read(read: Callable[[Path], LogStore], log: Path, values: Any) -> None:
    tags = read(log).list_tags("./")
    assert {plugin: list(names) for plugin, names in tags.items()} == {
        "scalar": ["loss", "odd"],
        "image": ["input"],
        "tensor": ["weights"],
        "histogram": ["spread"],
    }
    assert len(values) == 5


def test_scalars_are_equal(read: Callable[[Path], LogStore], log: Path, values: Any) -> None:
    store = read(log)
    for tag in ("loss", "odd"):
        series = store.read_scalars("./", tag)
        step, wall_time, value = zip(*values[tag, "scalar_value"], strict=True)
        np.testing.assert_array_equal(series.step, step)
        np.testing.assert_array_equal(series.wall_time, wall_time)
        np.testing.assert_array_equal(series.value, value)
        assert len(step) == 30


def test_images_are_equal(read: Callable[[Path], LogStore], log: Path, values: Any) -> None:
    series = read(log).read_values("./", "image", "input")
    written = values["input", "image"]
    assert series.step.tolist() == [step for step, _, _ in written]
    for index, (_, _, image) in enumerate(written):
        seen: Any = series.read(index)
        assert seen.encoded == (image.encoded_image,)
        assert (seen.width, seen.height) == (image.width, image.height)


def test_tensors_are_equal(read: Callable[[Path], LogStore], log: Path, values: Any) -> None:
    series = read(log).read_values("./", "tensor", "weights")
    for index, (step, _, tensor) in enumerate(values["weights", "tensor"]):
        seen: Any = series.read(index)
        assert seen.data.shape == tuple(tensor.dims) == (3, 4)
        np.testing.assert_array_equal(seen.data.ravel(), tensor.float_data)
        assert series.step[index] == step


def test_histograms_are_equal(read: Callable[[Path], LogStore], log: Path, values: Any) -> None:
    series = read(log).read_values("./", "histogram", "spread")
    for index, (_, _, histogram) in enumerate(values["spread", "histogram"]):
        rows = [(b.left, b.left + b.width, b.count) for b in histogram.buckets]
        seen: Any = series.read(index)
        np.testing.assert_array_equal(seen.buckets, rows)


def test_mindspore_reads_our_encoders_output(our_logs: Path, expected: Any) -> None:
    from mindspore.train.summary_pb2 import Event

    (path,) = (our_logs / "mindspore").glob("*_MS")
    points: dict[str, list[list[float]]] = {}
    for payload in records(path):
        event = Event.FromString(payload)
        for value in event.summary.value:
            if value.WhichOneof("value") == "scalar_value":
                points.setdefault(value.tag, []).append(
                    [event.step, event.wall_time, value.scalar_value]
                )
    assert points.keys() == expected["mindspore"]["scalar"].keys()
    for tag, written in expected["mindspore"]["scalar"].items():
        np.testing.assert_array_equal(points[tag], written)


def test_by_the_same_calls_our_summary_record_writes_the_same(
    tmp_path: Path, values: dict[tuple[str, str], list[tuple[int, float, Any]]]
) -> None:
    from mindspore.train.summary_pb2 import Event

    script, log = tmp_path / "write.py", tmp_path / "log"
    theirs = "from mindspore import SummaryRecord, Tensor"
    ours = "from mindspore import Tensor; from mindviz.summary import SummaryRecord"
    assert theirs in WRITE
    script.write_text(WRITE.replace(theirs, ours), "utf-8")
    subprocess.run([sys.executable, script, log], check=True, timeout=300)
    (path,) = log.glob("*_MS")
    found: dict[tuple[str, str], list[Any]] = {}
    for event in map(Event.FromString, records(path)):
        for value in event.summary.value:
            kind = value.WhichOneof("value")
            found.setdefault((value.tag, kind), []).append((event.step, getattr(value, kind)))
    assert found.keys() == values.keys()
    for (tag, kind), points in values.items():
        for (step, mine), (their_step, _, their) in zip(found[tag, kind], points, strict=True):
            assert step == their_step
            if kind == "image":
                left, right = (
                    np.asarray(Image.open(io.BytesIO(one.encoded_image)).convert("RGB"), int)
                    for one in (mine, their)
                )
                assert np.abs(left - right).max() <= 1, tag  # we round, MindSpore cuts off
            elif kind == "histogram":
                rows = [
                    [(bucket.left, bucket.width, bucket.count) for bucket in one.buckets]
                    for one in (mine, their)
                ]
                np.testing.assert_allclose(rows[0], rows[1], rtol=1e-5, atol=1e-6)
            else:
                assert str(mine) == str(their), tag


def test_the_same_arrays_have_parity_with_ours(tmp_path: Path) -> None:
    from mindspore import SummaryRecord, Tensor

    from tests.parity_logs import rows, scalars, unequal_writers

    values = scalars()
    with SummaryRecord(str(tmp_path / "peer")) as record:
        for step, row in rows(values):
            for tag, value in row.items():
                record.add_value("scalar", tag, Tensor(np.float32(value)))
            record.record(step)
    assert unequal_writers(tmp_path / "peer", tmp_path, values) == []


def test_the_same_values_have_parity_with_ours(tmp_path: Path) -> None:
    from mindspore import SummaryRecord, Tensor

    from tests.parity_values import steps, unequal_writers

    with SummaryRecord(str(tmp_path / "peer")) as record:
        for step, one in enumerate(steps()):
            record.add_value("tensor", "tensor", Tensor(one.tensor))
            # MindSpore stretches the range of values above 1, and truncates the rest.
            image = np.minimum((np.float32(one.pixels) + 0.25) / 255, 1)
            record.add_value("image", "image", Tensor(image.transpose(2, 0, 1)[np.newaxis]))
            record.record(step)
    assert unequal_writers(tmp_path / "peer", tmp_path, "tensor image") == []


def test_histograms_of_the_same_values_have_parity_with_ours(tmp_path: Path) -> None:
    from mindspore import SummaryRecord, Tensor

    from mindviz import summary
    from mindviz.cli.compared_locations import ParityOptions, compare_locations
    from mindviz.datavisual.analysis.series_parity import Tolerance
    from tests.parity_values import STEPS, steps

    with (
        SummaryRecord(str(tmp_path / "peer")) as peer,
        summary.SummaryRecord(tmp_path / "ours") as ours,
    ):
        for step, one in enumerate(steps()):
            peer.add_value("histogram", "weights", Tensor(one.tensor))
            ours.add_value("histogram", "weights", one.tensor)
            peer.record(step)
            ours.record(step)
    exact = ParityOptions(Tolerance())
    ((_, _, parity),) = compare_locations(
        str(tmp_path / "peer"), str(tmp_path / "ours"), exact
    ).runs
    assert parity.equal, parity.tags[0].series
    assert [tag.series and tag.series.common_steps for tag in parity.tags] == [STEPS]
