from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.payloads.landscape_message import mindspore_landscape
from mindviz.datavisual.series.time_series import LossLandscape
from mindviz.errors import DamagedValue
from mindviz.wire.fields import Message
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.landscape_logs import X, Y, final, interval, surface
from tests.proto import loss_landscape_pb2
from tests.strategies import any_bytes_near


def decoded(value: bytes) -> LossLandscape:
    """A Summary.Value, including its tag."""
    return mindspore_landscape(Message(value).bytes(10))


def test_a_landscape_has_a_surface_and_a_path() -> None:
    read = decoded(interval([1, 2, 5]))
    assert read.intervals == (1, 2, 5)
    assert read.points.x.tolist() == X.tolist()
    assert read.points.y.tolist() == Y.tolist()
    assert read.points.z.tolist() == surface()[2].tolist()
    assert read.path.x.tolist() == [-1, 0, 1]
    assert (read.decomposition, read.unit, read.step_per_epoch) == ("PCA", "step", 1)
    assert read.convergence_point == ()


def test_the_result_has_a_point_and_no_path() -> None:
    read = decoded(final(0.5))
    assert read.intervals == ()
    assert read.path.x.size == 0
    assert read.convergence_point == (0.25, -0.5, 0.5)
    assert read.unit == "epoch"


def test_missing_fields_are_empty() -> None:
    read = mindspore_landscape(b"")
    assert (read.intervals, read.convergence_point) == ((), ())
    assert (read.decomposition, read.unit, read.step_per_epoch) == ("", "", 0)
    assert [axis.size for axis in (read.points.x, read.points.y, read.points.z)] == [0, 0, 0]


def test_a_tensor_that_does_not_fill_its_shape_is_damage() -> None:
    content = loss_landscape_pb2.LossLandscape()
    content.landscape.x.dims.append(3)
    content.landscape.x.data_type = proto.DT_FLOAT32
    content.landscape.x.float_data.append(1.0)
    with pytest.raises(DamagedValue, match="holds 1 elements"):
        mindspore_landscape(content.SerializeToString())


def test_coordinates_are_real_numbers() -> None:
    content = loss_landscape_pb2.LossLandscape()
    content.landscape.x.dims.append(1)
    content.landscape.x.data_type = proto.DT_COMPLEX64
    content.landscape.x.raw_data = np.array([1j], np.complex64).tobytes()
    with pytest.raises(DamagedValue, match="cannot be complex64"):
        mindspore_landscape(content.SerializeToString())


@given(value=any_bytes_near(st.sampled_from([interval([1, 2]), final()])))
def test_any_bytes_are_a_landscape_or_damaged(value: bytes) -> None:
    try:
        assert isinstance(mindspore_landscape(value), LossLandscape)
    except DamagedValue as error:
        assert str(error)
