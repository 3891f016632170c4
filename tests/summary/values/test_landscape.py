from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary import Landscape, SummaryRecord
from tests.proto.loss_landscape_pb2 import LossLandscape
from tests.summary.recordings import one_value

SURFACE = {"x": np.arange(3.0), "y": np.arange(2.0), "z": np.arange(6.0).reshape(2, 3)}


def recorded(directory: Path, value: object) -> LossLandscape:
    with SummaryRecord(directory) as record:
        record.add_value("landscape", "loss", value)
        record.record(9)
    return LossLandscape.FromString(one_value(directory, "loss").loss_landscape)


def test_a_landscape_with_a_path(tmp_path: Path) -> None:
    points = (np.zeros(4), np.ones(4), np.arange(4))
    value = Landscape(
        **SURFACE,  # type: ignore[arg-type]
        intervals=[1, 9],
        path=points,
        convergence_point=(0, 0, 0.5),
        unit="epoch",
        step_per_epoch=7,
    )
    found = recorded(tmp_path, value)
    assert list(found.landscape.x.float_data) == [0, 1, 2]
    assert (list(found.landscape.z.dims), list(found.landscape.z.float_data)) == (
        [2, 3],
        [0, 1, 2, 3, 4, 5],
    )
    assert list(found.loss_path.intervals) == [1, 9]
    assert list(found.loss_path.points.z.float_data) == [0, 1, 2, 3]
    assert list(found.convergence_point.z.float_data) == [0.5]
    metadata = found.metadata
    assert (metadata.decomposition, metadata.unit, metadata.step_per_epoch) == ("PCA", "epoch", 7)


def test_the_landscape_around_the_result_has_no_path(tmp_path: Path) -> None:
    found = recorded(tmp_path, Landscape(**SURFACE))  # type: ignore[arg-type]
    assert not found.HasField("loss_path")
    assert not found.HasField("convergence_point")


def test_mindspores_message_is_accepted(tmp_path: Path) -> None:
    message = LossLandscape(metadata=LossLandscape.Metadata(unit="step"))
    assert recorded(tmp_path, message) == message


@pytest.mark.parametrize(
    "value",
    [
        Landscape(x=np.arange(2), y=np.arange(2), z=np.zeros((2, 3))),
        Landscape(**SURFACE, path=(np.zeros(1), np.zeros(2), np.zeros(2))),  # type: ignore[arg-type]
        "text",
    ],
    ids=["surface", "path", "text"],
)
def test_the_error_for_an_invalid_landscape_names_it(tmp_path: Path, value: object) -> None:
    with SummaryRecord(tmp_path) as record, pytest.raises(InvalidValue, match="landscape 'l'"):
        record.add_value("landscape", "l", value)
