"""Encodes a network's graph in MindSpore's form. Source: mindspore anf_ir.proto.

For networks of any framework: what reads MindSpore's graphs shows theirs, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindviz.wire.encode import delimited, message, varint_field
from mindviz.wire.encode_mindspore import DATA_TYPES

ROOT = "Default"
"""The scope that MindSpore puts a forward pass in."""

_TENSOR = 14
"""DT_TENSOR."""

_ELEMENTS = DATA_TYPES | {"bfloat16": 46}


@dataclass(frozen=True, slots=True)
class TensorType:
    """What is known of a tensor before there is one."""

    shape: tuple[int, ...] | None = None
    """-1 where a size varies; None: not known."""
    dtype: str = "float32"
    """numpy's name of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOperator:
    """An operator of a network."""

    key: str
    """What `inputs` call it."""
    type: str
    scope: str = ""
    """The layers that it is in, from the outermost, with slashes between them."""
    inputs: Sequence[str] = ()
    """Keys of operators and names of parameters; others are ignored."""
    output: TensorType = TensorType()


def model(operators: Sequence[GraphOperator], parameters: Mapping[str, TensorType]) -> bytes:
    """A ModelProto. Operators are numbered from 1, in their order."""
    numbers = {one.key: str(number) for number, one in enumerate(operators, 1)}
    names = {name: name for name in parameters} | numbers
    nodes = [message(1, *_node(one, names)) for one in operators]
    values = [message(3, _text(1, name), _type(2, type_)) for name, type_ in parameters.items()]
    return varint_field(1, 1) + message(4, *nodes, *values)


def _node(operator: GraphOperator, names: Mapping[str, str]) -> tuple[bytes, ...]:
    number = names[operator.key]
    scope = f"{ROOT}/{operator.scope}" if operator.scope else ROOT
    return (
        *(message(1, _text(1, names[key])) for key in operator.inputs if key in names),
        _text(2, number),
        _text(3, operator.type),
        _text(4, scope),
        _type(6, operator.output),
        _text(8, f"{scope}/{operator.type}-op{number}"),
    )


def _type(number: int, tensor: TensorType) -> bytes:
    """A TypeProto field; empty for what no shape is known of."""
    if tensor.shape is None:
        return message(number)
    element = varint_field(1, _ELEMENTS.get(tensor.dtype, 0))
    sizes = [message(1, varint_field(1, size)) for size in tensor.shape]
    return message(number, varint_field(1, _TENSOR), message(2, element, message(2, *sizes)))


def _text(number: int, text: str) -> bytes:
    return delimited(number, text.encode(errors="replace"))
