"""The compiled graph of a MindSpore network."""

from __future__ import annotations

import sys

_EXECUTORS = ("mindspore.graph.api", "mindspore.common.api")
"""Modules that hold the graph executor, by MindSpore version."""


def graph_of(network: object) -> bytes | None:
    """MindSpore's ModelProto of a compiled network, or None.

    Does not import MindSpore: without its modules, the network cannot be one of MindSpore's.
    """
    cell = getattr(sys.modules.get("mindspore.nn"), "Cell", None)
    if cell is None or not isinstance(network, cell):
        return None
    for name in _EXECUTORS:
        executor = getattr(sys.modules.get(name), "_cell_graph_executor", None)
        if executor is not None:
            graph: bytes | None = executor.get_optimize_graph_proto(network)
            return graph
    return None
