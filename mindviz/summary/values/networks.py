"""Networks: the graph of one, where its framework tells it."""

from __future__ import annotations

import sys

_EXECUTORS = ("mindspore.graph.api", "mindspore.common.api")
"""Where the versions of MindSpore keep what has compiled a network."""


def graph_of(network: object) -> bytes | None:
    """MindSpore's ModelProto of a network that has been compiled; None if there is none.

    MindSpore is not imported: somebody who has one of its networks has done so.
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
