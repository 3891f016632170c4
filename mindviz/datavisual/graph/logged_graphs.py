"""Graphs built from logged ones, with their scopes."""

from __future__ import annotations

from typing import Any

from mindviz.datavisual.graph import optimized_view
from mindviz.datavisual.graph.assembly import AGGREGATED_FROM, assembled
from mindviz.datavisual.graph.draft import GraphDraft
from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.gc_control import gc_paused


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
