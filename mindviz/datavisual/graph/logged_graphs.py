"""Graphs built from logged ones, with their scopes."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mindviz.datavisual.derived_cache import DerivedCache
from mindviz.datavisual.graph import optimized_view
from mindviz.datavisual.graph.assembly import AGGREGATED_FROM, assembled
from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import LoggedGraph, ValueTimeSeries
from mindviz.datavisual.store import Store
from mindviz.deadline import begin_long_work
from mindviz.errors import TagNotFound
from mindviz.gc_control import gc_paused

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

    def __init__(self, store: Store, plugin_names: Sequence[str]) -> None:
        """`plugin_names`: plugins with graphs; optimized views exist of those of the first."""
        self._store = store
        self._plugin_names = plugin_names
        self._name = plugin_names[0]
        self._kept: DerivedCache[_Place, Graph] = DerivedCache(self._name, store.charge_cache)
        self._building = threading.Lock()

    def tags(self, train_id: str) -> list[GraphTag]:
        """All graphs of a train job, in the contract's order. Raises TrainJobNotFound."""
        listed = self._store.list_tags(train_id)
        kinds = {
            tag: self._store.read_values(train_id, plugin_name, tag).variety or "run"
            for plugin_name in reversed(self._plugin_names)
            for tag in listed.get(plugin_name, ())
        }
        graphs = [GraphTag(tag, kinds[tag]) for tag in ordered_tags(kinds)]
        optimized = optimized_tags(listed.get(self._name, ()))
        return graphs + [GraphTag(tag, "optimized") for tag in optimized]

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
            tags = ordered_tags(listed.get(self._name, ()))
            if not tags:
                raise TagNotFound(train_id, self._name, "")
            tag = tags[0]
        owners = {tag: name for name in self._plugin_names[::-1] for tag in listed.get(name, ())}
        plugin_name = owners.get(tag)
        if plugin_name is None and tag.endswith(OPTIMIZED):
            base = tag.removesuffix(OPTIMIZED)
            return self.graph(train_id, base, optimized=True, allow_empty=allow_empty)
        if plugin_name is None:
            raise TagNotFound(train_id, self._name, tag, owners)
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
                    graph = built_graph(read_graph(series, rows - 1), optimized=optimized)
                    self._kept.keep(train_id, place, origin, graph, graph.nbytes)
        if not graph.nodes and not allow_empty:
            raise TagNotFound(train_id, self._name, tag)
        return graph

    def _version(self, train_id: str, tag: str) -> int:
        """The version of the train job if the graph is a whole file, which may be rewritten.

        Graphs inside an append-only file never change; the series identifies them.
        """
        for file in self._store.log_files(train_id):
            if file.kind == "graph" and file.path.rpartition("/")[2] == tag:
                return self._store.train_job(train_id).version
        return 0


def read_graph(series: ValueTimeSeries, row: int) -> LoggedGraph:
    """The logged graph of a row. Raises DamagedValue."""
    return read_as(series, row, LoggedGraph, "a graph")


def built_graph(logged: LoggedGraph, *, optimized: bool = False) -> Graph:
    """A graph with its scopes, or its optimized view. Raises DamagedValue."""
    with gc_paused():
        draft = _draft(logged.form, logged.content)
        if not optimized:
            return assembled(draft, aggregated_from=AGGREGATED_FROM)
        optimized_view.optimize(draft)
        return assembled(draft, aggregated_from=optimized_view.AGGREGATED_FROM)


def _draft(form: str, content: Any) -> GraphDraft:
    """Imports protobuf lazily: `mindviz start` should not wait for it."""
    if form == "keras":
        from mindviz.datavisual.graph.keras_model import keras_draft  # noqa: PLC0415

        return keras_draft(content)
    if form == "visualdl":
        from mindviz.datavisual.graph.visualdl_graph import visualdl_draft  # noqa: PLC0415

        return visualdl_draft(content)
    if form == "mindspore":
        from mindviz.datavisual.graph.mindspore_graph import mindspore_draft  # noqa: PLC0415

        return mindspore_draft(content)
    from mindviz.datavisual.graph import tensorflow_graph  # noqa: PLC0415

    if form == "run_metadata":
        return tensorflow_graph.run_metadata_draft(content)
    return tensorflow_graph.tensorflow_draft([content])
