from __future__ import annotations

import pytest

from mindviz.datavisual.payloads.layout_message import chart_layout
from mindviz.datavisual.series.time_series import LayoutCategory, LayoutChart
from mindviz.errors import DamagedValue
from mindviz.wire.encode import delimited, varint_field


def test_line_charts_and_margin_charts_are_distinguished() -> None:
    lines = delimited(1, b"lines") + delimited(2, delimited(1, b"a.*") + delimited(1, b"b"))
    band = delimited(1, b"mean") + delimited(2, b"low") + delimited(3, b"high")
    bands = delimited(1, b"bands") + delimited(3, delimited(1, band))
    category = delimited(1, b"c") + delimited(2, lines) + delimited(2, bands) + varint_field(3, 1)
    content = varint_field(1, 0) + delimited(2, category)
    layout = chart_layout(content)
    assert layout.content == content
    charts = (
        LayoutChart("lines", ("a.*", "b")),
        LayoutChart("bands", margins=(("mean", "low", "high"),)),
    )
    assert layout.categories == (LayoutCategory("c", charts, closed=True),)


def test_an_empty_layout_has_no_categories() -> None:
    assert chart_layout(b"").categories == ()


def test_an_invalid_layout_is_damaged() -> None:
    with pytest.raises(DamagedValue):
        chart_layout(b"layout")
