"""Charts of open logs, as widgets; needs the extra `notebook`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, get_args

from mindviz.client.log_source import LogSource
from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.errors import ExtraNotInstalled, InvalidQuery

if TYPE_CHECKING:
    from mindviz.notebook.chart import ScalarChart

XAxis = Literal["step", "relative", "wall"]
MOST_RUNS = 100


def scalar_chart(
    source: LogSource,
    listed: Mapping[str, Mapping[str, SeriesListing]],
    *,
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

    newest = sorted(listed, key=lambda run: _newest_time(listed[run]), reverse=True)[:MOST_RUNS]
    return ScalarChart(
        source,
        train_ids=sorted(newest),
        all_runs=len(listed),
        tags=sorted({tag for tags in listed.values() for tag in tags}),
        smoothing=_smoothing(smoothing),
        x=x,
        log_x=log_x,
        log_y=log_y,
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
