"""Chart tags: which series of which train jobs a layout's charts show.

The regular expressions of a layout come from a log: they take time that the tags bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mindviz.datavisual.data_transform.time_series import LayoutCategory, LayoutChart
from mindviz.errors import InvalidQuery
from mindviz.expression import Expression


@dataclass(frozen=True, slots=True)
class ChartTags:
    """What a chart shows."""

    chart: LayoutChart
    tags: Mapping[str, Sequence[str]]
    """Of a chart of lines: train_id -> tags; only jobs that have some."""
    margins: Mapping[str, Sequence[tuple[str, str, str]]]
    """Of a chart of bands: train_id -> tags of values and bounds, where all three are there."""
    problems: tuple[str, ...]
    """Expressions that are none."""


def merged_categories(layouts: Iterable[Sequence[LayoutCategory]]) -> list[LayoutCategory]:
    """The categories of several layouts: those of one title are one, equal charts once in it."""
    merged: dict[str, LayoutCategory] = {}
    for layout in layouts:
        for category in layout:
            known = merged.get(category.title)
            charts = tuple(
                dict.fromkeys((*known.charts, *category.charts) if known else category.charts)
            )
            closed = known.closed if known else category.closed
            merged[category.title] = LayoutCategory(category.title, charts, closed)
    return list(merged.values())


def chart_tags(chart: LayoutChart, tags: Mapping[str, Sequence[str]]) -> ChartTags:
    """What a chart shows of jobs that have these tags of scalars, by train_id."""
    problems = []
    expressions = []
    for text in chart.expressions:
        try:
            Expression(text)  # what is wrong is told of the text as it was laid out
            expressions.append(Expression(f"^(?:{text})"))
        except InvalidQuery as error:
            problems.append(str(error))
    matches: dict[str, bool] = {}  # jobs mostly have the same tags
    found = {}
    margins = {}
    for train_id, listed in tags.items():
        if expressions:
            for tag in listed:
                if tag not in matches:
                    matches[tag] = any(one.search(tag) for one in expressions)
            shown = [tag for tag in listed if matches[tag]]
            if shown:
                found[train_id] = shown
        if chart.margins:
            known = set(listed)
            bands = [margin for margin in chart.margins if known.issuperset(margin)]
            if bands:
                margins[train_id] = bands
    return ChartTags(chart, found, margins, tuple(problems))
