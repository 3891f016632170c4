"""Graphs: the form of each step's graph, and its nodes and edges.

Tags start with the kind of graph, so that they are unique: a Keras model `m` is
`__model_graph__/m`. Scopes have separate routes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mindviz.datavisual.derived_cache import DerivedCache
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.graph.logged_graphs import built_graph
from mindviz.datavisual.graph.plain_graph import plain_graph
from mindviz.datavisual.payloads.graph_definition import graph_definition
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
from mindviz.datavisual.series.series_view import ValuesView, read_as
from mindviz.datavisual.series.time_series import DataClass, LoggedGraph, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.deadline import begin_long_work
from mindviz.errors import TagNotFound
from mindviz.wire.encode import delimited

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
    known = list(_scoped(store, train_id))
    fitting = [one for one in known if one[0] == tag] or [one for one in known if one[2] == tag]
    if not fitting:
        names = [name for scoped, _, logged in known for name in (scoped, logged)]
        raise TagNotFound(train_id, NAME, tag, names)
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


def _graph(series: ValueTimeSeries, row: int) -> LoggedGraph:
    return read_as(series, row, LoggedGraph, "a graph")


OPTIMIZED = " (optimized)"
"""Suffix of the tags of optimized views."""
PINNED = "ms_output_optimize.pb"
"""MindSpore's graph after compilation; listed first."""
_Place = tuple[str, str, str, bool]
"""train_id, plugin_name, tag, and whether it is the optimized view."""


@dataclass(frozen=True, slots=True)
class GraphTag:
    """A graph of a train job."""

    tag: str
    kind: str
    """`run`, `conceptual`, `op`, `profile`, or `optimized` for an optimized view."""


def ordered_tags(tags: Iterable[str]) -> list[str]:
    """Graph tags in the contract's order."""
    return sorted(tags, key=lambda tag: (tag not in (PINNED, PINNED + OPTIMIZED), tag))


def optimized_tags(tags: Iterable[str]) -> list[str]:
    """Tags of the optimized views, in the contract's order."""
    return ordered_tags(tag + OPTIMIZED for tag in tags)


class LoggedGraphs:
    """Builds and caches graphs. Thread-safe; concurrent requests build a graph once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: DerivedCache[_Place, Graph] = DerivedCache(NAME, store.charge_cache)
        self._building = threading.Lock()

    def tags(self, train_id: str) -> list[GraphTag]:
        """All graphs of a train job, in the contract's order. Raises TrainJobNotFound."""
        listed = self._store.list_tags(train_id)
        kinds = {
            tag: self._store.read_values(train_id, plugin_name, tag).variety or "run"
            for plugin_name in reversed(PLUGINS)
            for tag in listed.get(plugin_name, ())
        }
        found = [GraphTag(tag, kinds[tag]) for tag in ordered_tags(kinds)]
        optimized = optimized_tags(listed.get(NAME, ()))
        return found + [GraphTag(tag, "optimized") for tag in optimized]

    def graph(
        self,
        train_id: str,
        tag: str | None = None,
        *,
        optimized: bool = False,
        allow_empty: bool = False,
    ) -> Graph:
        """The newest graph of a tag (default the first), or its optimized view.

        A graph without nodes counts as missing, unless `allow_empty`: run metadata may list only
        devices.
        Raises TrainJobNotFound, TagNotFound, DamagedValue.
        """
        listed = self._store.list_tags(train_id)
        if tag is None:
            tags = ordered_tags(listed.get(NAME, ()))
            if not tags:
                raise TagNotFound(train_id, NAME, "")
            tag = tags[0]
        plugin_name = next((name for name in PLUGINS if tag in listed.get(name, ())), None)
        if plugin_name is None and tag.endswith(OPTIMIZED):
            base = tag.removesuffix(OPTIMIZED)
            return self.graph(train_id, base, optimized=True, allow_empty=allow_empty)
        if plugin_name is None:
            known = [tag for name in PLUGINS for tag in listed.get(name, ())]
            raise TagNotFound(train_id, NAME, tag, known)
        version = self._version(train_id, tag)
        series = self._store.read_values(train_id, plugin_name, tag)
        rows = len(series.step)
        newest = float(series.wall_time[-1]) if rows else 0.0
        place = (train_id, plugin_name, tag, optimized)
        origin = (series.epoch, rows, newest, version)
        graph = self._kept.find(place, origin)
        if graph is None:
            begin_long_work()
            with self._building:
                graph = self._kept.find(place, origin)
                if graph is None:
                    graph = built_graph(_graph(series, rows - 1), optimized=optimized)
                    self._kept.keep(train_id, place, origin, graph, graph.nbytes)
        if not graph.nodes and not allow_empty:
            raise TagNotFound(train_id, NAME, tag)
        return graph

    def _version(self, train_id: str, tag: str) -> int:
        """The version of the train job if the graph is a whole file, which may be rewritten.

        Graphs inside an append-only file never change; the series identifies them.
        """
        for file in self._store.log_files(train_id):
            if file.kind == "graph" and file.path.rpartition("/")[2] == tag:
                return self._store.train_job(train_id).version
        return 0


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
