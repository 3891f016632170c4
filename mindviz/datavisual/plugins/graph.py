"""Graphs: of which form there is one at each step, and its nodes and edges.

Their scopes have routes of their own. Tags say what kind of graph they mean, so that no two of them
collide: a Keras model `m` is `__model_graph__/m`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mindviz.datavisual.graph.logged_graphs import (
    PLUGINS,
    built_graph,
    optimized_tags,
    ordered_tags,
)
from mindviz.datavisual.graph.plain_graph import plain_graph
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.series_view import ValuesView, read_as
from mindviz.datavisual.series.time_series import DataClass, LoggedGraph, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound

SCOPES = {"conceptual": "__model_graph__/", "op": "__op_graph__/", "profile": "__run_metadata__/"}
"""Kind of graph -> what stands before the tags of such. A job's own graphs are as logged."""


def tags(store: Store, train_id: str) -> Sequence[str]:
    """All graphs of a job by their scoped tags. Raises TrainJobNotFound."""
    return [scoped for scoped, _, _ in _scoped(store, train_id)]


def series(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValueTimeSeries:
    """The graphs of a tag, scoped or as logged. Raises TrainJobNotFound, TagNotFound."""
    known = list(_scoped(store, train_id))
    fitting = [one for one in known if one[0] == tag] or [one for one in known if one[2] == tag]
    if not fitting:
        names = [name for scoped, _, logged in known for name in (scoped, logged)]
        raise TagNotFound(train_id, PLUGIN.name, tag, names)
    _, plugin_name, logged = fitting[0]
    return store.read_values(train_id, plugin_name, logged, writer=writer)


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The form of every step's graph. Raises as `series`."""
    found = series(store, train_id, tag, writer)
    return ValuesView.of(
        found, ("form",), lambda row: {"form": _graph(found, row).form}, _kind(found)
    )


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The nodes and edges of every step's graph. Raises as `series`."""
    found = series(store, train_id, tag, writer)

    def look(row: int) -> Mapping[str, object]:
        return {"data": plain_graph(built_graph(_graph(found, row)))}

    return replace(ValuesView.of(found, ("data",), look, _kind(found)), weigh=_size)


def _size(cells: Mapping[str, object]) -> int:
    """Nodes and edges, however long their names: a large graph is no reason to show none."""
    data = cells.get("data")
    return sum(map(len, data.values())) if isinstance(data, dict) else 0


def _scoped(store: Store, train_id: str) -> Iterator[tuple[str, str, str]]:
    """(scoped tag, plugin_name, tag as logged) of each graph."""
    listed = store.list_tags(train_id)
    for plugin_name in PLUGINS:
        for tag in listed.get(plugin_name, ()):
            kind = store.read_values(train_id, plugin_name, tag).variety
            yield SCOPES.get(kind, "") + tag, plugin_name, tag


def _kind(series: ValueTimeSeries) -> Mapping[str, str]:
    return {"kind": series.variety or "run"}


def _graph(series: ValueTimeSeries, row: int) -> LoggedGraph:
    return read_as(series, row, LoggedGraph, "a graph")


PLUGIN = Plugin(
    "graph",
    "",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": values},
    tags=tags,
    series=series,
    error_code="5054500C",
    contract_tags={"graph": ordered_tags, "optimized_graph": optimized_tags},
)
