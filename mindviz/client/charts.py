"""Charts of open logs, as widgets; needs the extra `notebook`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, get_args

from mindviz.client.log_source import LogSource
from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.datavisual.series.value_order import (
    Value,
    present_value,
    value_key,
    value_of,
    value_text,
)
from mindviz.errors import ExtraNotInstalled, InvalidQuery
from mindviz.nearest_names import did_you_mean

if TYPE_CHECKING:
    from mindviz.notebook.chart import ScalarChart

XAxis = Literal["step", "relative", "wall"]
MOST_RUNS = 100
MOST_GROUPED = 1_000
TOGETHER = "*"
"""In place of a field: all runs are one group."""
Grouping = str | Sequence[str] | Mapping[str, Iterable[str]]
"""Fields of the lineage, or the runs of each group."""


def scalar_chart(
    source: LogSource,
    listed: Mapping[str, Mapping[str, SeriesListing]],
    *,
    groups: Grouping | None,
    smoothing: float | str,
    x: XAxis,
    log_x: bool,
    log_y: bool,
) -> ScalarChart:
    """A chart of these series; of many runs, those with the newest points.

    Raises InvalidQuery, ExtraNotInstalled.
    """
    if x not in get_args(XAxis):
        raise InvalidQuery(f"x={x!r} is none of {', '.join(get_args(XAxis))}.")
    if find_spec("anywidget") is None:
        raise ExtraNotInstalled("A chart", "notebook")
    # Imported late, because it needs the extra, and the layer above.
    from mindviz.notebook.chart import ScalarChart  # noqa: PLC0415

    newest = sorted(listed, key=lambda run: _newest_time(listed[run]), reverse=True)
    train_ids = sorted(newest[: MOST_RUNS if groups is None else MOST_GROUPED])
    return ScalarChart(
        source,
        train_ids=train_ids,
        groups={} if groups is None else _groups(source, train_ids, groups),
        all_runs=len(listed),
        tags=sorted({tag for tags in listed.values() for tag in tags}),
        smoothing=_smoothing(smoothing),
        x=x,
        log_x=log_x,
        log_y=log_y,
    )


def _groups(source: LogSource, train_ids: Sequence[str], groups: Grouping) -> dict[str, list[str]]:
    """The runs of each group. Raises InvalidQuery."""
    if isinstance(groups, Mapping):
        members = {str(name): frozenset(runs) for name, runs in groups.items()}
        return {name: [run for run in train_ids if run in runs] for name, runs in members.items()}
    fields = [groups] if isinstance(groups, str) else list(groups)
    columns = _fields(source, [field for field in fields if field != TOGETHER])
    values = {
        run: tuple(present_value(value_of(column.get(run))) for column in columns.values())
        for run in train_ids
    }
    named: dict[str, list[str]] = {}
    for run in sorted(train_ids, key=lambda run: _order(values[run])):
        named.setdefault(_name(list(columns), values[run]), []).append(run)
    return named


def _fields(source: LogSource, fields: Sequence[str]) -> dict[str, dict[str, Value]]:
    """The value of each run, by field."""
    if not fields:
        return {}
    columns = {
        column["name"]: column["cells"] for column in json.loads(source.lineage((), ()))["columns"]
    }
    runs = columns.pop("train_id")
    found = {}
    for field in fields:
        own = f"user_defined/{field}"
        cells = columns.get(field, columns.get(own))
        if cells is None:
            raise InvalidQuery(f"No run has a field {field!r}.{did_you_mean(field, columns)}")
        found[field] = dict(zip(runs, cells, strict=True))
    return found


def _order(values: Sequence[Value]) -> list[tuple[bool, tuple[int, float | bytes]]]:
    return [(value is None, value_key(0 if value is None else value)) for value in values]


def _name(fields: Sequence[str], values: Sequence[Value]) -> str:
    """As on the page: the value, or several with the names of their fields; empty for none."""
    if len(fields) == 1:
        return "" if values[0] is None else value_text(values[0])
    return ", ".join(
        f"{field} {value_text(value)}"
        for field, value in zip(fields, values, strict=True)
        if value is not None
    )


def _newest_time(tags: Mapping[str, SeriesListing]) -> float:
    return max(listing.max_wall_time for listing in tags.values())


def _smoothing(smoothing: float | str) -> str:
    """As in the REST API; a number is the weight of the page's default method."""
    text = smoothing if isinstance(smoothing, str) else f"twema:{smoothing:g}"
    if not smoothing:
        return ""
    parse_smoothing(text)
    return text
