"""Converts TensorBoard's requests about series to queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindviz.datavisual.series.selection import Downsample
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery
from mindviz.rpc.run_names import train_id
from mindviz.wire.proto import data_provider_pb2 as proto


def listed(request: proto.DataRequest, data_class: DataClass) -> SeriesQuery:
    """Which series to list. Raises InvalidQuery."""
    plugin_name = request.plugin_filter.plugin_name
    if not plugin_name:
        raise InvalidQuery("The request does not name a plugin.")
    return SeriesQuery(plugin_name, data_class, _run_tag_filter(request.run_tag_filter))


def read(
    request: proto.DataRequest, data_class: DataClass, most_points: Mapping[str, int]
) -> SeriesQuery:
    """What to read, with the plugin's limit of `most_points`. Raises InvalidQuery."""
    selected = listed(request, data_class)
    if not request.HasField("downsample"):
        raise InvalidQuery("The request has no downsample.num_points.")
    count = request.downsample.num_points
    if count < 0:
        raise InvalidQuery(f"A series cannot be downsampled to {count} points.")
    limit = most_points.get(selected.plugin_name, count)
    return replace(selected, downsample=Downsample(min(count, limit)))


def _run_tag_filter(given: proto.RunTagFilter) -> RunTagFilter:
    """An empty filter admits nothing, an absent one everything."""
    train_ids = map(train_id, given.runs.names) if given.HasField("runs") else None
    tags = given.tags.names if given.HasField("tags") else None
    return RunTagFilter(
        None if train_ids is None else frozenset(train_ids),
        None if tags is None else frozenset(tags),
    )
