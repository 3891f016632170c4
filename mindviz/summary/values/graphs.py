"""Computational graphs, stored in the message format of their framework."""

from __future__ import annotations

from collections.abc import Iterator

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import message_name, serialized
from mindviz.summary.writing.log_names import Log
from mindviz.summary.writing.recorded_step import PooledValue
from mindviz.summary.writing.tensorboard_encoders import encoder
from mindviz.wire import encode_mindspore
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
            Log.EVENTS, what, lambda wall_time, step: _graph_def_event(wall_time, step, content)
        )
        return
    if name == "ModelProto":
        content = bytes(fields.bytes(4))
    if not content:
        raise InvalidValue(f"{what} is empty.")
    yield PooledValue(
        Log.SUMMARY, what, lambda wall_time, _step: encode_mindspore.graph_event(wall_time, content)
    )


def _graph_def_event(wall_time: float, step: int, content: bytes) -> bytes:
    event: bytes = encoder().graph_event(wall_time, content, step)
    return event
