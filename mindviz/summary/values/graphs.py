"""Computational graphs, stored in the message format of their framework."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import message_name, serialized
from mindviz.summary.writing.recorded_step import Log, PooledValue
from mindviz.wire import encode_mindspore, encode_tensorboard
from mindviz.wire.fields import BadMessage, Message


def graph(tag: str, value: object) -> Iterator[PooledValue]:
    """MindSpore's ModelProto or GraphProto, or TensorFlow's GraphDef.

    Field 1 distinguishes serialized messages: an integer in ModelProto, a node in GraphDef.
    """
    what = f"graph {tag!r}"
    content = serialized(value, what)
    try:
        fields = Message(content)
    except BadMessage as error:
        raise InvalidValue(f"{what} is not a graph: {error.reason}.") from error
    name = message_name(value) or ("GraphDef" if fields.bytes(1) else "ModelProto")
    if name == "GraphDef":
        yield PooledValue(
            Log.EVENTS,
            what,
            lambda wall_time, step: encode_tensorboard.graph_event(wall_time, content, step),
        )
        return
    if name == "ModelProto":
        content = bytes(fields.bytes(4))
    if not content:
        raise InvalidValue(f"{what} is empty.")
    yield PooledValue(
        Log.SUMMARY, what, lambda wall_time, _step: encode_mindspore.graph_event(wall_time, content)
    )


_EXECUTORS = ("mindspore.graph.api", "mindspore.common.api")
"""Modules that hold the graph executor, by MindSpore version."""


def compiled_graph(network: object) -> bytes | None:
    """MindSpore's ModelProto of a compiled network, or None.

    Does not import MindSpore: without its modules, the network cannot be one of MindSpore's.
    """
    cell = getattr(sys.modules.get("mindspore.nn"), "Cell", None)
    if cell is None or not isinstance(network, cell):
        return None
    for name in _EXECUTORS:
        executor = getattr(sys.modules.get(name), "_cell_graph_executor", None)
        if executor is not None:
            compiled: bytes | None = executor.get_optimize_graph_proto(network)
            return compiled
    return None
