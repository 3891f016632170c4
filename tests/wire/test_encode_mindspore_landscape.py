from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.wire.proto import mindspore_pb2 as proto
from tests.landscape_logs import LandscapePath, landscape
from tests.proto.loss_landscape_pb2 import LossLandscape

X, Y, Z = [0.0, 1.0, 2.0], [5.0, 6.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def test_protobuf_reads_the_message() -> None:
    path = LandscapePath([3, 7], ([0.5, 1.5], [5.0, 5.5], [1.0, 0.25]))
    value = proto.Summary.Value.FromString(
        landscape("t", (X, Y, Z), path=path, unit="epoch", step_per_epoch=4)
    )
    content = LossLandscape.FromString(value.loss_landscape)
    assert value.tag == b"t"
    assert list(content.landscape.z.dims) == [2, 3]
    assert content.landscape.z.data_type == proto.DT_FLOAT32
    assert list(content.landscape.z.float_data) == [1, 2, 3, 4, 5, 6]
    assert list(content.loss_path.intervals) == [3, 7]
    assert list(content.loss_path.points.z.float_data) == [1.0, 0.25]
    assert content.metadata == LossLandscape.Metadata(
        decomposition="PCA", unit="epoch", step_per_epoch=4
    )
    assert not content.HasField("convergence_point")


def test_the_landscape_around_the_result_has_no_path() -> None:
    value = landscape("t", (X, Y, Z), convergence_point=(1.0, 5.5, 0.125))
    content = LossLandscape.FromString(proto.Summary.Value.FromString(value).loss_landscape)
    assert not content.HasField("loss_path")
    assert list(content.convergence_point.z.float_data) == [0.125]


@given(
    intervals=st.lists(st.integers(-(2**31), 2**31 - 1), max_size=5),
    size=st.integers(0, 4),
)
def test_any_size_and_interval_can_be_written(intervals: list[int], size: int) -> None:
    axis = np.arange(size)
    path = LandscapePath(intervals, (axis, axis, axis))
    value = landscape("t", (axis, axis, np.zeros((size, size))), path=path)
    content = LossLandscape.FromString(proto.Summary.Value.FromString(value).loss_landscape)
    assert list(content.loss_path.intervals) == intervals
    assert list(content.landscape.z.dims) == [size, size]
