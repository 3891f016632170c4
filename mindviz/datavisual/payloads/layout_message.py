"""Decodes the layout of TensorBoard's custom scalars. Source: custom_scalar/layout.proto."""

from __future__ import annotations

from mindviz.datavisual.series.time_series import (
    ChartLayout,
    LayoutCategory,
    LayoutChart,
)
from mindviz.wire.fields import Message


def chart_layout(content: bytes) -> ChartLayout:
    """A Layout: category 2. Raises DamagedValue."""
    categories = tuple(map(_category, map(Message, Message(content).all_bytes(2))))
    return ChartLayout(categories, content)


def _category(message: Message) -> LayoutCategory:
    """Title 1, chart 2, closed 3."""
    charts = tuple(map(_chart, map(Message, message.all_bytes(2))))
    return LayoutCategory(_text(message, 1), charts, bool(message.integer(3)))


def _chart(message: Message) -> LayoutChart:
    """Title 1, and either multiline 2 (tag 1) or margin 3 (series 1: value 1, lower 2, upper 3)."""
    title = _text(message, 1)
    if 3 in message:
        series = map(Message, Message(message.bytes(3)).all_bytes(1))
        margins = tuple((_text(one, 1), _text(one, 2), _text(one, 3)) for one in series)
        return LayoutChart(title, margins=margins)
    tags = Message(message.bytes(2)).all_bytes(1)
    return LayoutChart(title, tuple(str(tag, "utf-8", "replace") for tag in tags))


def _text(message: Message, number: int) -> str:
    return str(message.bytes(number), "utf-8", "replace")
