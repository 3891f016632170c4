"""Encodes the graph of any framework's network as MindSpore's. Source: mindspore anf_ir.proto."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindviz.wire.encode import message, text_field, varint_field
from mindviz.wire.encode_mindspore import DATA_TYPES

ROOT = "Default"
"""MindSpore's scope of the forward pass."""

_TENSOR = 14
"""DT_TENSOR."""

_ELEMENTS = DATA_TYPES | {"bfloat16": 46}


@dataclass(frozen=True, slots=True)
class TensorType:
    """The shape and dtype of a tensor."""

    shape: tuple[int, ...] | None = None
    """-1 for a variable size; None if unknown."""
    dtype: str = "float32"
    """numpy's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOperator:
    """An operator of a network."""

    key: str
    """Its name in `inputs`."""
    type: str
    scope: str = ""
    """Its layers, outermost first, separated by slashes."""
    inputs: Sequence[str] = ()
    """Keys of operators and names of parameters; unknown ones are ignored."""
    output: TensorType = TensorType()


def model(operators: Sequence[GraphOperator], parameters: Mapping[str, TensorType]) -> bytes:
    """A ModelProto, with operators numbered from 1."""
    numbers = {operator.key: str(number) for number, operator in enumerate(operators, 1)}
    names = {name: name for name in parameters} | numbers
    nodes = [message(1, *_node(operator, names)) for operator in operators]
    values = [
        message(3, text_field(1, name), _type(2, type_)) for name, type_ in parameters.items()
    ]
    return varint_field(1, 1) + message(4, *nodes, *values)


def _node(operator: GraphOperator, names: Mapping[str, str]) -> tuple[bytes, ...]:
    number = names[operator.key]
    scope = f"{ROOT}/{operator.scope}" if operator.scope else ROOT
    return (
        *(message(1, text_field(1, names[key])) for key in operator.inputs if key in names),
        text_field(2, number),
        text_field(3, operator.type),
        text_field(4, scope),
        _type(6, operator.output),
        text_field(8, f"{scope}/{operator.type}-op{number}"),
    )


def _type(number: int, tensor: TensorType) -> bytes:
    """A TypeProto field; empty if the shape is unknown."""
    if tensor.shape is None:
        return message(number)
    element = varint_field(1, _ELEMENTS.get(tensor.dtype, 0))
    sizes = [message(1, varint_field(1, size)) for size in tensor.shape]
    return message(number, varint_field(1, _TENSOR), message(2, element, message(2, *sizes)))
