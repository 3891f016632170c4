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
        content = serialized(model, "the ONNX graph", "ModelProto")
        return _convert(Message(content).message(_MODEL_GRAPH))
    except BadMessage as error:
        raise InvalidValue(f"The ONNX graph cannot be read: {error.reason}.") from error


def _convert(graph: Message) -> proto.GraphDef:
    definition = proto.GraphDef()
    names = set()
    described = [_value(value) for value in (*graph.messages(_INPUTS), *graph.messages(_OUTPUTS))]
    described += [_initializer(value) for value in graph.messages(_INITIALIZERS)]
    operations = graph.messages(_NODES)
    computed = {name for node in operations for name in node.texts(2)}
    for name, shape in described:
        if name in names or name in computed:
            continue
        names.add(name)
        node = definition.node.add(name=name, op="Variable")
        node.attr["shape"].shape.dim.extend(proto.TensorShapeProto.Dim(size=size) for size in shape)
    for operation in operations:
        _add_operation(definition, operation)
    if not definition.node:
        raise InvalidValue("The ONNX graph is empty.")
    return definition


def _add_operation(definition: proto.GraphDef, operation: Message) -> None:
    """Adds a node under the name of its first output, by which its consumers refer to it."""
    outputs = operation.texts(2)
    inputs = [name for name in operation.texts(1) if name]
    node = definition.node.add(
        name=outputs[0] if outputs else operation.text(3),
        op=operation.text(4),
        input=inputs,
    )
    attributes = [_attribute(attribute) for attribute in operation.messages(5)]
    node.attr["parameters"].s = ", ".join(attributes).encode(errors="replace")
    for output in outputs[1:]:  # such as the mask of a dropout, which may have consumers
        definition.node.add(name=output, op="Output", input=[outputs[0]])


def _value(value: Message) -> tuple[str, list[int]]:
    """Name and shape of a ValueInfoProto; -1 for a symbolic dimension."""
    tensor = value.message(2).message(1)
    dimensions = tensor.message(2).messages(1)
    return value.text(1), [size.integer(1) if 1 in size else -1 for size in dimensions]


def _initializer(tensor: Message) -> tuple[str, list[int]]:
    return tensor.text(8), _integers(tensor, 1)


def _attribute(attribute: Message) -> str:
    """`kernel_shape = [3, 3]`; `...` for tensors and graphs."""
    value: object = "..."
    match attribute.integer(20):
        case 1:
            value = float(attribute.fixed(2, np.float32)[-1])
        case 2:
            value = attribute.integer(3)
        case 3:
            value = attribute.text(4)
        case 6:
            value = attribute.fixed(7, np.float32).tolist()
        case 7:
            value = _integers(attribute, 8)
        case 8:
            value = [*attribute.texts(9)]
    return f"{attribute.text(1)} = {value}"


def _integers(message: Message, number: int) -> list[int]:
    numbers: list[int] = message.varints(number).astype(np.int64).tolist()
    return numbers
