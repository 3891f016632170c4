"""Decodes the layout of TensorBoard's custom scalars. Source: custom_scalar/layout.proto."""

from __future__ import annotations

from mindviz.datavisual.series.time_series import ChartLayout, LayoutCategory, LayoutChart
from mindviz.wire.fields import Message


def chart_layout(content: bytes) -> ChartLayout:
    """A Layout: category 2. Raises DamagedValue."""
    categories = tuple(map(_category, Message(content).messages(2)))
    return ChartLayout(categories, content)


def _category(message: Message) -> LayoutCategory:
    """Title 1, chart 2, closed 3."""
    charts = tuple(map(_chart, message.messages(2)))
    return LayoutCategory(message.text(1), charts, bool(message.integer(3)))


def _chart(message: Message) -> LayoutChart:
    """Title 1, and either multiline 2 (tag 1) or margin 3 (series 1: value 1, lower 2, upper 3)."""
    title = message.text(1)
    if 3 in message:
        series = message.message(3).messages(1)
        margins = tuple((one.text(1), one.text(2), one.text(3)) for one in series)
        return LayoutChart(title, margins=margins)
    return LayoutChart(title, message.message(2).texts(1))
