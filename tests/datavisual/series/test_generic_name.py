"""Names that plugins declare, looked up by readers of logs and databases."""

from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.series.generic_name import Companion, GenericName, GenericNames
from mindviz.datavisual.series.time_series import DataClass, Histogram, Tensor
from mindviz.errors import StartError

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
    assert names.rules("parts") == PARTS
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
