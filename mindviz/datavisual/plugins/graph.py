"""Graphs: the form of each step's graph, and its nodes and edges.

Tags start with the kind of graph, so that they are unique: a Keras model `m` is
`__model_graph__/m`. Scopes have separate routes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mindviz.datavisual.graph.logged_graphs import (
    built_graph,
    optimized_tags,
    ordered_tags,
    read_graph,
)
from mindviz.datavisual.graph.plain_graph import plain_graph
from mindviz.datavisual.payloads.graph_definition import function_graph, graph_definition
from mindviz.datavisual.payloads.graph_message import (
    graph_content,
    graph_def,
    keras_model,
    mindspore_graph,
    run_metadata,
    visualdl_graph,
)
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.plugins.run_metadata import PLUGIN as RUN_METADATA
from mindviz.datavisual.series.generic_name import Companion, GenericName, only_blob
from mindviz.datavisual.series.series_view import ValuesView
from mindviz.datavisual.series.time_series import DataClass, LoggedGraph, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound

NAME = "graph"
PLUGINS = (NAME, RUN_METADATA.name)
"""Plugins whose series are or contain graphs."""
SCOPES = {"conceptual": "__model_graph__/", "op": "__op_graph__/", "profile": "__run_metadata__/"}
"""Kind of graph -> prefix of its tags. Graphs of whole jobs have none."""


def tags(store: Store, train_id: str) -> Sequence[str]:
    """All graphs of a job by their scoped tags. Raises TrainJobNotFound."""
    return [scoped for scoped, _, _ in _scoped(store, train_id)]


def series(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValueTimeSeries:
    """The graphs of a tag, scoped or as logged. Raises TrainJobNotFound, TagNotFound."""
    graphs = list(_scoped(store, train_id))
    matches = [graph for graph in graphs if graph[0] == tag]
    matches = matches or [graph for graph in graphs if graph[2] == tag]
    if not matches:
        names = [name for scoped, _, logged in graphs for name in (scoped, logged)]
        raise TagNotFound(train_id, NAME, tag, names)
    _, plugin_name, logged = matches[0]
    return store.read_values(train_id, plugin_name, logged, writer=writer)


def view(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The form of every step's graph. Raises as `series`."""
    graphs = series(store, train_id, tag, writer)
    return ValuesView.of(
        graphs, ("form",), lambda row: {"form": read_graph(graphs, row).form}, _kind(graphs)
    )


def values(store: Store, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """The nodes and edges of every step's graph. Raises as `series`."""
    graphs = series(store, train_id, tag, writer)

    def show(row: int) -> Mapping[str, object]:
        return {"data": plain_graph(built_graph(read_graph(graphs, row)))}

    return replace(ValuesView.of(graphs, ("data",), show, _kind(graphs)), weigh=_size)


def _size(cells: Mapping[str, object]) -> int:
    """Nodes and edges, whatever the length of their names, so that large graphs are shown."""
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


_FUNCTION_GRAPHS = "graph_run_metadata_graph"


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
        make=function_graph,
    ),
)
"""The graph as TensorBoard's GraphDef; of several in a job, all but one as graphs of functions."""

PLUGIN = Plugin(
    NAME,
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
            value_class=LoggedGraph,
            to_blobs=lambda graph: (graph_content(graph),),
            from_blobs=only_blob(graph_def),
        ),
        *(
            GenericName(
                f"{form}_graph",
                DataClass.BLOB_SEQUENCE,
                fields=(f"{form}.graph",),
                variety="run",
                from_blobs=only_blob(decode),
                companions=(_DEFINITION,),
            )
            for form, decode in (("mindspore", mindspore_graph), ("visualdl", visualdl_graph))
        ),
        *(
            GenericName(
                name,
                DataClass.BLOB_SEQUENCE,
                variety=variety,
                ranks=range(2),
                from_blobs=only_blob(decode),
            )
            for name, variety, decode in (
                (_FUNCTION_GRAPHS, "op", run_metadata),
                ("graph_keras_model", "conceptual", keras_model),
            )
        ),
    ),
    error_code="5054500C",
    contract_tags={NAME: ordered_tags, "optimized_graph": optimized_tags},
)
