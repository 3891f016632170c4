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
from mindviz.datavisual.payloads.graph_definition import graph_definition
from mindviz.datavisual.payloads.graph_message import (
    graph_def,
    keras_model,
    mindspore_graph,
    run_metadata,
    visualdl_graph,
)
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.generic_name import Companion, GenericName, only_blob
from mindviz.datavisual.series.series_view import ValuesView, read_as
from mindviz.datavisual.series.time_series import DataClass, LoggedGraph, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound
from mindviz.wire.encode import delimited

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


_FUNCTION_GRAPHS = "graph_run_metadata_graph"


def _function_graph(graph: LoggedGraph) -> bytes:
    """RunMetadata: function_graphs 4, their pre_optimization_graph 2."""
    return delimited(4, delimited(2, graph_definition(graph)))


_DEFINITION = Companion(
    "graphs",
    DataClass.BLOB_SEQUENCE,
    value_class=LoggedGraph,
    make=graph_definition,
    tag="__run_graph__",  # where TensorBoard looks for the graph of a job
    otherwise=Companion(
        _FUNCTION_GRAPHS,
        DataClass.BLOB_SEQUENCE,
        content=b"1",  # the version of the plugin's data
        value_class=LoggedGraph,
        make=_function_graph,
    ),
)
"""The graph as TensorBoard's GraphDef; of several in a job, all but one as graphs of functions."""

PLUGIN = Plugin(
    "graph",
    "",
    DataClass.BLOB_SEQUENCE,
    view,
    values={"": values},
    tags=tags,
    series=series,
    names=(
        GenericName(
            "graphs",
            DataClass.BLOB_SEQUENCE,
            fields=("graph_def", "meta_graph_def"),
            variety="run",
            ranks=range(2),
            from_blobs=only_blob(graph_def),
        ),
        GenericName(
            "mindspore_graph",
            DataClass.BLOB_SEQUENCE,
            fields=("mindspore.graph",),
            variety="run",
            from_blobs=only_blob(mindspore_graph),
            companions=(_DEFINITION,),
        ),
        GenericName(
            "visualdl_graph",
            DataClass.BLOB_SEQUENCE,
            fields=("visualdl.graph",),
            variety="run",
            from_blobs=only_blob(visualdl_graph),
            companions=(_DEFINITION,),
        ),
        GenericName(
            _FUNCTION_GRAPHS,
            DataClass.BLOB_SEQUENCE,
            variety="op",
            ranks=range(2),
            from_blobs=only_blob(run_metadata),
        ),
        GenericName(
            "graph_keras_model",
            DataClass.BLOB_SEQUENCE,
            variety="conceptual",
            ranks=range(2),
            from_blobs=only_blob(keras_model),
        ),
    ),
    error_code="5054500C",
    contract_tags={"graph": ordered_tags, "optimized_graph": optimized_tags},
)
