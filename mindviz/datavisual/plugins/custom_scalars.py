"""Custom scalars: logged layouts of charts, and the series in each chart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mindviz.datavisual.analysis.chart_tags import ChartSearch, ChartTags, merged_categories
from mindviz.datavisual.payloads.layout_message import chart_layout
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.series.generic_name import Companions, GenericName, strings
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import (
    ChartLayout,
    DataClass,
    LayoutCategory,
    LayoutChart,
    Tensor,
    ValueTimeSeries,
)
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, TagNotFound, TrainJobNotFound


@logged_view("categories")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """The layout of a step, as logged."""
    return {"categories": _categories(series, row)}


@logged_view("data")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """The same as `data`."""
    return {"data": _categories(series, row)}


def overview(store: Store, train_ids: Collection[str] | None) -> Mapping[str, object]:
    """The charts that any job laid out, and which series of these jobs, or of all, each shows."""
    layouts: list[Sequence[LayoutCategory]] = []
    problems: list[dict[str, str]] = []
    scalars: dict[str, Sequence[str]] = {}
    for job in sorted(store.list_train_jobs(), key=lambda job: job.train_id):
        try:
            tags = store.list_tags(job.train_id)
            if train_ids is None or job.train_id in train_ids:
                scalars[job.train_id] = tags.get("scalar", ())
            layouts += [
                _newest(store, job.train_id, tag).categories for tag in tags.get(PLUGIN.name, ())
            ]
        except DamagedValue as error:
            problems.append({"train_id": job.train_id, "detail": str(error)})
        except (TrainJobNotFound, TagNotFound):
            continue  # gone meanwhile
    search = ChartSearch(scalars)
    categories = [
        {
            "title": category.title,
            "closed": category.closed,
            "charts": [_resolved(search.of(chart)) for chart in category.charts],
        }
        for category in merged_categories(layouts)
    ]
    return {"categories": categories, "problems": problems}


def _newest(store: Store, train_id: str, tag: str) -> ChartLayout:
    series = store.read_values(train_id, PLUGIN.name, tag)
    return read_as(series, len(series.step) - 1, ChartLayout, "a layout")


def _categories(series: ValueTimeSeries, row: int) -> list[dict[str, object]]:
    return [
        {"title": part.title, "closed": part.closed, "charts": list(map(_chart, part.charts))}
        for part in read_as(series, row, ChartLayout, "a layout").categories
    ]


def _chart(chart: LayoutChart) -> dict[str, Any]:
    if chart.margins:
        return {
            "title": chart.title,
            "kind": "margin",
            "margins": list(map(_margin, chart.margins)),
        }
    return {"title": chart.title, "kind": "multiline", "expressions": list(chart.expressions)}


def _margin(tags: tuple[str, str, str]) -> dict[str, str]:
    return dict(zip(("value", "lower", "upper"), tags, strict=True))


def _resolved(resolved: ChartTags) -> dict[str, object]:
    return _chart(resolved.chart) | {
        "series": [
            *({"train_id": job, "tags": list(tags)} for job, tags in resolved.tags.items()),
            *(
                {"train_id": job, "margins": list(map(_margin, margins))}
                for job, margins in resolved.margins.items()
            ),
        ],
        "problems": list(resolved.problems),
    }


def _layout(tensor: Tensor, _: Companions) -> ChartLayout:
    if tensor.data.size != 1:
        raise DamagedValue(f"A layout cannot be a tensor of shape {list(tensor.data.shape)}.")
    return chart_layout(tensor.data.ravel().tolist()[0])


PLUGIN = Plugin(
    "custom_scalars",
    "/custom_scalars",
    DataClass.TENSOR,
    view,
    values={"": values},
    overview=overview,
    names=(
        GenericName(
            "custom_scalars",
            DataClass.TENSOR,
            dtype_kinds="O",
            value_class=ChartLayout,
            to_tensor=lambda layout: strings([layout.content]).reshape(()),
            from_tensor=_layout,
        ),
    ),
)
