"""Converts ONNX graphs to TensorFlow's GraphDef, which viewers can draw.

Parses the fields directly, to avoid a dependency on the package `onnx`. Source: onnx.proto.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import serialized
from mindviz.wire.fields import BadMessage, Message
from mindviz.wire.proto import tensorboard_pb2 as proto

_MODEL_GRAPH = 7
_NODES, _INITIALIZERS, _INPUTS, _OUTPUTS = 1, 5, 11, 12


def onnx_graph(model: object) -> proto.GraphDef:
    """The graph of a model: a path, an open file, bytes, or ONNX's ModelProto.

    Raises InvalidValue for other content, OSError if the file cannot be read.
    """
    if isinstance(model, str | Path):
        model = Path(model).read_bytes()
    elif hasattr(model, "read"):
        model = model.read()
    try:
        graph = Message(
            Message(serialized(model, "the ONNX graph", "ModelProto")).bytes(_MODEL_GRAPH)
        )
        return _convert(graph)
    except BadMessage as error:
        raise InvalidValue(f"The ONNX graph cannot be read: {error.reason}.") from error


def _convert(graph: Message) -> proto.GraphDef:
    found = proto.GraphDef()
    known = set()
    values = [*graph.all_bytes(_INPUTS), *graph.all_bytes(_OUTPUTS)]
    described = [_value(Message(value)) for value in values]
    described += [_initializer(Message(value)) for value in graph.all_bytes(_INITIALIZERS)]
    operations = [Message(node) for node in graph.all_bytes(_NODES)]
    computed = {_text(name) for node in operations for name in node.all_bytes(2)}
    for name, shape in described:
        if name in known or name in computed:
            continue
        known.add(name)
        node = found.node.add(name=name, op="Variable")
        node.attr["shape"].shape.dim.extend(proto.TensorShapeProto.Dim(size=size) for size in shape)
    for operation in operations:
        _add_operation(found, operation)
    if not found.node:
        raise InvalidValue("The ONNX graph is empty.")
    return found


def _add_operation(found: proto.GraphDef, operation: Message) -> None:
    """Adds a node under the name of its first output, by which its consumers refer to it."""
    outputs = [_text(name) for name in operation.all_bytes(2)]
    inputs = [_text(name) for name in operation.all_bytes(1) if name]
    node = found.node.add(
        name=outputs[0] if outputs else _text(operation.bytes(3)),
        op=_text(operation.bytes(4)),
        input=inputs,
    )
    attributes = [_attribute(Message(attribute)) for attribute in operation.all_bytes(5)]
    node.attr["parameters"].s = ", ".join(attributes).encode(errors="replace")
    for output in outputs[1:]:  # such as the mask of a dropout, which may have consumers
        found.node.add(name=output, op="Output", input=[outputs[0]])


def _value(value: Message) -> tuple[str, list[int]]:
    """Name and shape of a ValueInfoProto; -1 for a symbolic dimension."""
    tensor = Message(Message(value.bytes(2)).bytes(1))
    dimensions = [Message(one) for one in Message(tensor.bytes(2)).all_bytes(1)]
    return _text(value.bytes(1)), [one.integer(1) if 1 in one else -1 for one in dimensions]


def _initializer(tensor: Message) -> tuple[str, list[int]]:
    return _text(tensor.bytes(8)), _integers(tensor, 1)


def _attribute(attribute: Message) -> str:
    """`kernel_shape = [3, 3]`; `...` for tensors and graphs."""
    value: object = "..."
    match attribute.integer(20):
        case 1:
            value = float(attribute.fixed(2, np.float32)[-1])
        case 2:
            value = attribute.integer(3)
        case 3:
            value = _text(attribute.bytes(4))
        case 6:
            value = attribute.fixed(7, np.float32).tolist()
        case 7:
            value = _integers(attribute, 8)
        case 8:
            value = [_text(one) for one in attribute.all_bytes(9)]
    return f"{_text(attribute.bytes(1))} = {value}"


def _integers(message: Message, number: int) -> list[int]:
    numbers: list[int] = message.varints(number).astype(np.int64).tolist()
    return numbers


def _text(content: bytes | memoryview) -> str:
    return bytes(content).decode(errors="replace")
