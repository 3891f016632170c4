"""Parses graphs in logs, so that damage is found where it can be reported.

protobuf and orjson are imported late, since `mindviz start` must not wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import DamagedValue
from mindviz.wire.fields import LENGTH_DELIMITED, read_fields

if TYPE_CHECKING:
    from google.protobuf.message import Message

MAX_JSON_LISTS = 1_000_000
"""Lists and objects of a graph in JSON, which take 0.5 us and 100 bytes each."""
MAX_JSON_VALUES = 4_000_000

MAX_TINY_MESSAGES = 500_000
"""Submessages of less than eight bytes, if they are dense; each takes up to 150 bytes of memory."""
_DENSE = 8
"""Bytes per tiny submessage. In graphs of real networks there are more than 20."""
_BLOCK = 1 << 20

_Parsed = TypeVar("_Parsed", bound="Message")


def mindspore_graph(value: bytes) -> LoggedGraph:
    """The graph of a GraphProto (summary files) or a ModelProto (`.pb` files).

    Raises DamagedValue.
    """
    from mindviz.wire.proto import mindspore_pb2 as pb  # noqa: PLC0415

    if _is_model(value):
        return LoggedGraph("mindspore", _parsed(pb.ModelProto, value).graph)
    return LoggedGraph("mindspore", _parsed(pb.GraphProto, value))


def _is_model(value: bytes) -> bool:
    """Whether field 1 is a ModelProto's version instead of a GraphProto's first node."""
    for number, wire_type, _ in read_fields(value):
        if number == 1:
            return wire_type != LENGTH_DELIMITED
        if number == 4:  # a model's graph; in a graph, nodes precede outputs
            return True
    return False


def graph_def(value: bytes) -> LoggedGraph:
    """TensorFlow's GraphDef. Raises DamagedValue."""
    from mindviz.wire.proto import tensorboard_pb2 as pb  # noqa: PLC0415

    return LoggedGraph("tensorflow", _parsed(pb.GraphDef, value))


def meta_graph_def(value: bytes) -> LoggedGraph:
    """The graph of TensorFlow's MetaGraphDef. Raises DamagedValue."""
    from mindviz.wire.proto import tensorboard_pb2 as pb  # noqa: PLC0415

    return LoggedGraph("tensorflow", _parsed(pb.MetaGraphDef, value).graph_def)


def run_metadata(value: bytes) -> LoggedGraph:
    """TensorFlow's RunMetadata. Raises DamagedValue."""
    from mindviz.wire.proto import tensorboard_pb2 as pb  # noqa: PLC0415

    return LoggedGraph("run_metadata", _parsed(pb.RunMetadata, value))


def keras_model(value: bytes) -> LoggedGraph:
    """A Keras model in JSON. Raises DamagedValue."""
    return LoggedGraph("keras", _json_object(value))


def visualdl_graph(value: bytes) -> LoggedGraph:
    """The graph of a `vdlgraph` file or a PaddlePaddle program. Raises DamagedValue."""
    from mindviz.datavisual.payloads import paddle_program as paddle  # noqa: PLC0415

    # A protobuf program starts with its first block: field 1, length-delimited.
    if value[:1] == b"\x0a" and value.lstrip()[:1] != b"{":
        return LoggedGraph("visualdl", paddle.program_graph(value))
    content = _json_object(value)
    is_pir = paddle.is_pir(content)
    return LoggedGraph("visualdl", paddle.pir_graph(content) if is_pir else content)


def graph_content(graph: LoggedGraph) -> bytes:
    """A graph serialized again, as its message or as JSON."""
    import orjson  # noqa: PLC0415
    from google.protobuf.message import Message as Protobuf  # noqa: PLC0415

    content = graph.content
    return content.SerializeToString() if isinstance(content, Protobuf) else orjson.dumps(content)


def _json_object(value: bytes) -> dict[str, object]:
    import orjson  # noqa: PLC0415

    # Upper bounds, as such bytes may also be part of texts: exact ones would need a parser.
    if (
        value.count(b"[") + value.count(b"{") > MAX_JSON_LISTS
        or value.count(b",") > MAX_JSON_VALUES
    ):
        raise DamagedValue(
            f"A graph in JSON holds more than {MAX_JSON_LISTS} lists and objects, "
            f"or {MAX_JSON_VALUES} values."
        )
    try:
        content = orjson.loads(value)
    except orjson.JSONDecodeError as error:
        raise _damaged(error) from error
    if not isinstance(content, dict):
        raise DamagedValue("A graph cannot be decoded: its JSON is not an object.")
    return content


def _parsed(kind: type[_Parsed], value: bytes) -> _Parsed:
    from google.protobuf.message import DecodeError  # noqa: PLC0415

    tiny = _tiny_messages(value)
    if tiny > MAX_TINY_MESSAGES and tiny * _DENSE > len(value):
        raise DamagedValue(f"A graph consists of {tiny} nearly empty messages.")
    try:
        return kind.FromString(value)
    except DecodeError as error:
        raise _damaged(error) from error


def _tiny_messages(value: bytes) -> int:
    """An upper bound of submessages shorter than eight bytes, in fields 1 to 15.

    Protobuf would allocate up to 76 bytes per byte of them, and cannot be interrupted.
    """
    data = np.frombuffer(value, np.uint8)
    keys = np.zeros(256, np.bool_)
    keys[[number << 3 | LENGTH_DELIMITED for number in range(1, 16)]] = True
    count = 0
    for start in range(0, len(data) - 1, _BLOCK):
        block = data[start : start + _BLOCK + 1]
        count += int(np.count_nonzero(keys[block[:-1]] & (block[1:] < 8)))
    return count


def _damaged(error: Exception) -> DamagedValue:
    return DamagedValue(f"A graph cannot be decoded: {error}.")
