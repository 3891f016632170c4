from __future__ import annotations

from typing import Any

import pytest

from mindviz.datavisual.series.selection import Downsample
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery
from mindviz.rpc.series_requests import listed, read
from mindviz.wire.proto.data_provider_pb2 import DataRequest
from tests.data_provider_client import series_request


def received(name: str, plugin_name: str, points: int | None = None, **names: Any) -> DataRequest:
    """A request of TensorBoard's protocol, as the service reads it."""
    request = series_request(name, plugin_name, points, **names)
    return DataRequest.FromString(request.SerializeToString())


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, RunTagFilter(None, None)),
        ({"runs": []}, RunTagFilter(frozenset(), None)),
        ({"tags": []}, RunTagFilter(None, frozenset())),
        ({"runs": [".", "a/b"], "tags": ["x"]}, RunTagFilter(frozenset(["./", "./a/b"]), {"x"})),  # type: ignore[arg-type]
    ],
)
def test_an_absent_filter_differs_from_an_empty_one(
    names: dict[str, Any], expected: RunTagFilter
) -> None:
    request = received("ListScalars", "scalars", **names)
    assert listed(request, DataClass.SCALAR).run_tag_filter == expected


def test_the_plugin_is_passed_on() -> None:
    selected = listed(received("ListTensors", "text"), DataClass.TENSOR)
    assert selected.plugin_name == "text"
    assert selected.data_class is DataClass.TENSOR


def test_the_smaller_number_of_points_counts() -> None:
    most = {"scalars": 10}
    for wanted, expected in ((5, 5), (10, 10), (1000, 10)):
        request = received("ReadScalars", "scalars", wanted)
        assert read(request, DataClass.SCALAR, most).downsample == Downsample(expected)
    texts = read(received("ReadTensors", "text", 1000), DataClass.TENSOR, most)
    assert texts.downsample == Downsample(1000)


def test_invalid_requests_are_refused() -> None:
    with pytest.raises(InvalidQuery, match="plugin"):
        listed(DataRequest(), DataClass.SCALAR)
    with pytest.raises(InvalidQuery, match="downsample"):
        read(received("ReadScalars", "scalars"), DataClass.SCALAR, {})
    with pytest.raises(InvalidQuery, match="-3"):
        read(received("ReadScalars", "scalars", -3), DataClass.SCALAR, {"scalars": 5})
