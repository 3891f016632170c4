"""Names that plugins declare, looked up by readers of logs and databases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mindviz.datavisual.series.generic_name import ANY, Companion, GenericName, GenericNames
from mindviz.datavisual.series.time_series import ChartLayout, DataClass, Histogram, Tensor
from mindviz.errors import BrokenDataClass, DamagedValue, StartError

PARTS = Companion("parts", DataClass.TENSOR, make=lambda value: value)
GAUGES = GenericName("gauges", DataClass.TENSOR, fields=("gauge", "acme.dial"), companions=(PARTS,))


def test_a_formats_field_takes_precedence() -> None:
    dials = GenericName("dials", DataClass.TENSOR, fields=("dial",))
    names = GenericNames([("gauge", [GAUGES]), ("dial", [dials])])
    found = {one: names.of_field(one, "dial") for one in ("acme", "other")}
    assert {one: name and name.plugin_name for one, name in found.items()} == {
        "acme": "gauge",
        "other": "dial",
    }
    assert names.of_field("acme", "lineage") is None


@pytest.mark.parametrize("fields", [("gauge",), ()])
def test_a_name_or_field_belongs_to_one_plugin(fields: tuple[str, ...]) -> None:
    other = GenericName("others" if fields else "gauges", DataClass.TENSOR, fields=fields)
    with pytest.raises(StartError, match=r"'a' and 'b' both declare the series 'gauges?'"):
        GenericNames([("a", [GAUGES]), ("b", [other])])


def test_companions_have_rules_but_are_no_logged_series() -> None:
    names = GenericNames([("gauge", [GAUGES])])
    assert list(names) == ["gauges"]
    assert names.get("parts") is None
    assert names.find_any("parts") == PARTS
    assert (names.companion_of("parts"), names.companion_of("gauges")) == ("gauges", "")
    # Like TensorBoard's `graphs`: logged, and derived from other formats' graphs.
    both = GenericNames([("gauge", [GAUGES, GenericName("parts", DataClass.TENSOR)])])
    assert both.companion_of("parts") == ""


def test_a_value_is_a_tensor_if_its_plugin_converts_it() -> None:
    histogram = Histogram(np.zeros((1, 3)))
    assert GenericNames([("gauge", [GAUGES])]).tensor_of(histogram) is None
    named = GenericName(
        "histograms",
        DataClass.TENSOR,
        value_class=Histogram,
        to_tensor=lambda value: value.buckets,
    )
    names = GenericNames([("histogram", [named])])
    assert names.tensor_of(histogram) is histogram.buckets
    tensor = Tensor(np.zeros(2), "DT_FLOAT64")
    assert names.tensor_of(tensor) is tensor.data


def first_of(array: NDArray[Any]) -> Any:
    name = GenericName(
        "layouts",
        DataClass.TENSOR,
        shape=(ANY,),
        dtype_kinds="f",
        from_tensor=lambda tensor, _: ChartLayout((), tensor.data[0]),
    )
    return name.decoded(Tensor(array, "DT_FLOAT"))


def test_a_plugin_decodes_only_tensors_that_it_declares() -> None:
    assert first_of(np.array([3.0, 4.0])).content == 3
    for excluded in (np.zeros((1, 1)), np.zeros(1, np.int64)):
        with pytest.raises(BrokenDataClass, match="no value of a TENSOR series of plugin 'layouts"):
            first_of(excluded)


def test_an_error_in_a_plugins_decoder_is_damage() -> None:
    with pytest.raises(DamagedValue, match="cannot be decoded: index 0 is out of bounds"):
        first_of(np.zeros(0))


def test_a_value_of_another_class_has_no_companion() -> None:
    half = Companion("halves", DataClass.TENSOR, value_class=Histogram, make=lambda one: one.nan)
    with pytest.raises(DamagedValue, match="A Tensor has no halves"):
        half.of(Tensor(np.zeros(1), "DT_FLOAT"))
    with pytest.raises(DamagedValue, match="'Histogram' object has no attribute 'nan'"):
        half.of(Histogram(np.zeros((0, 3))))


def test_a_plugin_does_not_change_how_anothers_values_are_encoded() -> None:
    def named(name: str, size: int) -> GenericName:
        return GenericName(
            name,
            DataClass.TENSOR,
            value_class=Histogram,
            to_tensor=lambda _: np.zeros(size),
        )

    names = GenericNames([("a", [named("ours", 1)]), ("b", [named("theirs", 2)])])
    sizes = []
    for name in ("ours", "theirs", ""):
        tensor = names.tensor_of(Histogram(np.zeros((1, 3))), name)
        sizes.append(None if tensor is None else tensor.size)
    assert sizes == [1, 2, 1]


@pytest.mark.parametrize(
    "taken",
    [
        GenericName("parts", DataClass.TENSOR),
        GenericName("b", DataClass.TENSOR, companions=(replace(PARTS, make=str),)),
    ],
)
def test_the_name_of_a_companion_belongs_to_one_plugin(taken: GenericName) -> None:
    with pytest.raises(StartError, match="companion 'parts', whose name is taken"):
        GenericNames([("gauge", [GAUGES]), ("acme", [taken])])


def test_a_plugin_declares_the_blobs_of_its_values() -> None:
    name = GenericName(
        "layouts",
        DataClass.BLOB_SEQUENCE,
        value_class=ChartLayout,
        to_blobs=lambda layout: [layout.content],
    )
    names = GenericNames([("acme", [name])])
    assert names.blobs_of(ChartLayout((), b"x")) == (b"x",)
    assert names.blobs_of(Histogram(np.zeros((0, 3)))) is None


def test_one_plugin_has_assets() -> None:
    a, b = (GenericName(name, DataClass.TENSOR, asset="vectors") for name in "ab")
    assert GenericNames([("ours", [a, b])]).asset_plugin == "ours"
    with pytest.raises(StartError, match="'ours' and 'theirs' both declare assets"):
        GenericNames([("ours", [a]), ("theirs", [b])])
