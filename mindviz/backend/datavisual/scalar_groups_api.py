"""The route for statistics of scalars over groups of train jobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

import marshmallow as ma
import numpy as np
from flask import Response

from mindviz.backend.arrow_stream import ARROW_STREAM, columns_arrow
from mindviz.backend.encoding import to_json
from mindviz.backend.responses import JSON
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import StrictQuery, text
from mindviz.backend.services import Services
from mindviz.datavisual.analysis.group_statistics import (
    GroupPoints,
    GroupStatistics,
    group_points,
    group_statistics,
)
from mindviz.datavisual.series.smoothing import Smoothing, parse_smoothing
from mindviz.datavisual.store import Store
from mindviz.deadline import begin_long_work, check
from mindviz.errors import AnswerTooLarge

own = Routes()

MAX_SERIES = 20_000
"""Train jobs x tags per request."""
MAX_NUMBERS = 5_000_000
"""Series x grid points per group and tag, while computing statistics."""


class ScalarGroupsBody(StrictQuery):
    """Groups of train jobs, tags and the x axis."""

    groups = ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.List(ma.fields.String()),
        required=True,
        metadata={"description": "Name of each group -> its train_ids."},
    )
    tags = ma.fields.List(ma.fields.String(), required=True, metadata={"description": "As logged."})
    x = text(choices=("step", "relative", "wall"), default="step")
    start = ma.fields.Float(load_default=None, metadata={"description": "Minimum of x."})
    end = ma.fields.Float(load_default=None, metadata={"description": "Maximum of x."})
    max_points = ma.fields.Integer(load_default=500, validate=ma.validate.Range(2, 10_000))
    smoothing = text(about="As in `scalars`; applied to each series before aggregation.")
    unfinished = ma.fields.List(
        ma.fields.String(),
        load_default=(),
        metadata={"description": "train_ids of jobs that may log more: see `open_ends`."},
    )
    format = text(choices=("columns", "arrow"), default="columns")


MAX_SHORT_POINTS = 200_000
"""Per group and tag; more are long work."""


@own.post("/datavisual/scalars/groups", ScalarGroupsBody, content_types=(JSON, ARROW_STREAM))
def read_groups(services: Services, body: dict[str, Any]) -> dict[str, Any] | Response:
    """Statistics of each group and tag, on a grid common to its series."""
    groups: Mapping[str, list[str]] = body["groups"]
    named = sum(map(len, groups.values())) * len(body["tags"])
    largest = max(map(len, groups.values()), default=0) * body["max_points"]
    if named > MAX_SERIES or largest > MAX_NUMBERS:
        raise AnswerTooLarge(
            f"The request names {named} series, and {largest} numbers of one group; the maxima are "
            f"{MAX_SERIES} and {MAX_NUMBERS}. Use fewer tags or a smaller max_points."
        )
    if body["smoothing"] is not None:
        body["smoothing"] = parse_smoothing(body["smoothing"])
    found = [
        (
            {
                "name": _encodable(name),
                "tag": tag,
                "series": len(series),
                "points": sum(len(x) for (x, _), _ in series),
                "open_ends": sorted(float(x[-1]) for (x, _), grows in series if grows and len(x)),
            },
            group_statistics([points for points, _ in series], body["max_points"]),
        )
        for tag in body["tags"]
        for name, train_ids in groups.items()
        if (series := list(_series(services.store, train_ids, tag, body)))
    ]
    if body["format"] == "arrow":
        return Response(_arrow(found), content_type=ARROW_STREAM)
    return {"groups": [facts | _columns(statistics) for facts, statistics in found]}


def _columns(statistics: GroupStatistics) -> dict[str, Any]:
    return {field.name: getattr(statistics, field.name) for field in fields(statistics)}


def _arrow(found: list[tuple[dict[str, Any], GroupStatistics]]) -> bytes:
    """The statistics of all groups, one after another; `rows` is the length of each."""
    about = {"groups": [facts | {"rows": len(one.x)} for facts, one in found]}
    columns = {
        field.name: np.concatenate([np.empty(0), *(getattr(one, field.name) for _, one in found)])
        for field in fields(GroupStatistics)
    }
    return columns_arrow(columns, to_json(about))


def _encodable(name: str) -> str:
    """The name without lone surrogates, which requests may contain but responses cannot."""
    return name.encode("utf-8", "replace").decode()


def _series(
    store: Store, train_ids: Iterable[str], tag: str, body: Mapping[str, Any]
) -> Iterator[tuple[GroupPoints, bool]]:
    """The series of all jobs that have this tag, in the range of x, and whether each still grows.

    An unfinished job whose last value is NaN or infinite does not count as growing.
    """
    smoothing: Smoothing | None = body["smoothing"]
    unfinished = frozenset(body["unfinished"])
    count = 0
    for is_unfinished in (False, True):
        part = [one for one in dict.fromkeys(train_ids) if (one in unfinished) == is_unfinished]
        for logged in store.read_points(part, tag):
            check()
            count += len(logged.step)
            if count > MAX_SHORT_POINTS:
                begin_long_work()
            points = logged
            if smoothing is not None:
                points = replace(logged, value=smoothing.of(logged.step, logged.value))
            grows = is_unfinished and bool(np.isfinite(logged.value[-1:]).all())
            yield group_points(points, body["x"], body["start"], body["end"]), grows
