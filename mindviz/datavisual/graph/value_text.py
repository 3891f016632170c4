"""Attribute values in protobuf's text format, and the names of MindSpore's types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.text_encoding import CEscape

from mindviz.datavisual.graph.node import Shapes
from mindviz.wire.proto import mindspore_pb2 as pb

MAX_VALUE_BYTES = 1024
"""Maximum size of a value that is shown."""
MAX_TYPE_DEPTH = 6
"""Maximum nesting of tuples; each level doubles the quotes inside."""
_NEWER_TYPES = pb.DT_COMPLEX64
"""First data type number that MindInsight does not know."""


def message_text(value: Message) -> str | None:
    """The message as text, or None if it is too large."""
    if value.ByteSize() > MAX_VALUE_BYTES:
        return None
    return "".join(f"{line}\n" for line in _lines(value, ""))


def dtype_text(value: pb.ValueProto) -> str:
    """Placeholder for a value that is too large."""
    return f"dtype: {type_name(value.dtype)}"


def _lines(message: Message, indent: str) -> Iterator[str]:
    """Recursion is bounded by protobuf's parser."""
    for field, value in message.ListFields():
        if isinstance(value, Mapping):
            for key in sorted(value):
                yield f"{indent}{field.name} {{"
                yield f'{indent}  key: "{CEscape(key, as_utf8=False)}"'
                yield f"{indent}  value {{"
                yield from _lines(value[key], indent + "    ")
                yield f"{indent}  }}"
                yield f"{indent}}}"
            continue
        several = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        for item in value if several else [value]:
            if isinstance(item, Message):
                yield f"{indent}{field.name} {{"
                yield from _lines(item, indent + "  ")
                yield f"{indent}}}"
            else:
                yield f"{indent}{field.name}: {_scalar(field, item)}"


def _scalar(field: FieldDescriptor, value: Any) -> str:
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        return str(known.name if known else value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | bytes):
        value = value.encode() if isinstance(value, str) else value
        return f'"{CEscape(value, as_utf8=False)}"'
    return str(value)


def type_name(number: int) -> str:
    """The name of a data type."""
    known = pb.DataType.DESCRIPTOR.values_by_number.get(number)
    return known.name if known else f"DT_{number}"


def type_text(output: pb.TypeProto, depth: int = 0) -> str:
    """A type on one line: `DT_TENSOR[DT_FLOAT32]`, `DT_TUPLE['DT_BOOL', ...]`."""
    name = type_name(output.data_type)
    if output.data_type == pb.DT_TENSOR:
        return f"{name}[{type_name(output.tensor_type.elem_type)}]"
    if output.data_type == pb.DT_TUPLE:
        if depth == MAX_TYPE_DEPTH:
            return f"{name}[...]"
        return f"{name}{[type_text(item, depth + 1) for item in output.sequence_type.elem_types]}"
    return name


def shapes_of(output: pb.TypeProto) -> Shapes:
    """The shape of each output; a non-tensor has `()`, as a tensor of rank 0.

    A type that is missing or unknown to MindInsight has no outputs.
    """
    if output.data_type == pb.DT_TENSOR:
        return (tuple(dim.size for dim in output.tensor_type.shape.dim),)
    if output.data_type == pb.DT_TUPLE:
        elements = output.sequence_type.elem_types
        return tuple(shape for element in elements for shape in shapes_of(element))
    return ((),) if 0 < output.data_type < _NEWER_TYPES else ()
