"""Graphs: a network's computation, in the message that its framework has for it."""

from __future__ import annotations

from collections.abc import Iterator

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import message_name, serialized
from mindviz.summary.writing.log_names import Log
from mindviz.summary.writing.recorded_step import PooledValue
from mindviz.wire import encode_mindspore
from mindviz.wire.fields import BadMessage, Message


def graph(tag: str, value: object) -> Iterator[PooledValue]:
    """MindSpore's ModelProto or GraphProto, TensorFlow's GraphDef.

    In bytes, a ModelProto begins with a number and a GraphDef with a node.
    """
    what = f"graph {tag!r}"
    content = serialized(value, what)
    try:
        fields = Message(content)
    except BadMessage as error:
        raise InvalidValue(f"{what} is no graph: {error}.") from error
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
    from mindviz.wire import encode_tensorboard  # noqa: PLC0415 - late: it brings protobuf

    return encode_tensorboard.graph_event(wall_time, content, step)
