from __future__ import annotations

import pytest

from mindviz.datavisual.series.selection import Downsample
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery
from mindviz.rpc.series_requests import listed, read
from mindviz.wire.proto import data_provider_pb2 as proto
from tests.data_provider_client import series_request


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
    names: dict[str, list[str]], expected: RunTagFilter
) -> None:
    request = series_request("ListScalars", "scalars", **names)  # type: ignore[arg-type]
    again = proto.ListScalarsRequest.FromString(request.SerializeToString())
    assert listed(again, DataClass.SCALAR).run_tag_filter == expected


def test_the_plugin_is_passed_on() -> None:
    selected = listed(series_request("ListTensors", "text"), DataClass.TENSOR)
    assert selected.plugin_name == "text"
    assert selected.data_class is DataClass.TENSOR


def test_the_smaller_number_of_points_counts() -> None:
    most = {"scalars": 10}
    for wanted, expected in ((5, 5), (10, 10), (1000, 10)):
        request = series_request("ReadScalars", "scalars", wanted)
        assert read(request, DataClass.SCALAR, most).downsample == Downsample(expected)
    texts = read(series_request("ReadTensors", "text", 1000), DataClass.TENSOR, most)
    assert texts.downsample == Downsample(1000)


def test_invalid_requests_are_refused() -> None:
    with pytest.raises(InvalidQuery, match="plugin"):
        listed(proto.ListScalarsRequest(), DataClass.SCALAR)
    with pytest.raises(InvalidQuery, match="downsample"):
        read(series_request("ReadScalars", "scalars"), DataClass.SCALAR, {})
    with pytest.raises(InvalidQuery, match="-3"):
        read(series_request("ReadScalars", "scalars", -3), DataClass.SCALAR, {"scalars": 5})
