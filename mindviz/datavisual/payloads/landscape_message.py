"""Decodes MindSpore's LossLandscape. Source: mindspore summary.proto.

Coordinates are TensorProtos, decoded without a Python object per element.
"""

from __future__ import annotations

import numpy as np

from mindviz.datavisual.payloads.tensor_message import mindspore_tensor
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.time_series import LandscapePoints, LossLandscape
from mindviz.errors import DamagedValue
from mindviz.wire.fields import Message, signed


def mindspore_landscape(value: bytes | memoryview) -> LossLandscape:
    """Decode a LossLandscape; missing parts are empty. Raises DamagedValue."""
    message = Message(value)
    path = message.message(2)
    metadata = message.message(3)
    points = _points(message.bytes(1))
    convergence = _points(message.bytes(4))
    last = (convergence.x, convergence.y, convergence.z)
    return LossLandscape(
        points=points,
        path=_points(path.bytes(2)),
        intervals=tuple(signed(number) for number in path.varints(1).tolist()),
        decomposition=metadata.text(1),
        unit=metadata.text(2),
        step_per_epoch=metadata.integer(3),
        convergence_point=tuple(float(axis.flat[0]) for axis in last)
        if all(axis.size for axis in last)
        else (),
    )


def _points(value: memoryview) -> LandscapePoints:
    point = Message(value)
    return LandscapePoints(*(_coordinates(point.bytes(number)) for number in (1, 2, 3)))


def _coordinates(value: memoryview) -> Float64s:
    if not value:
        return np.empty(0)
    data = mindspore_tensor(value).data
    if data.dtype.kind not in "biuf":
        raise DamagedValue(f"Coordinates of a landscape cannot be {data.dtype.name}.")
    return data.astype(np.float64)
