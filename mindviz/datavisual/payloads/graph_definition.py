"""Converts graphs of MindSpore and VisualDL to TensorFlow's GraphDef.

Operators keep their names, types, attributes and edges; output shapes become attributes.
Sources: anf_ir.proto, the JSON of `vdlgraph` files, graph.proto.

Generated classes are imported late, since `mindviz start` must not wait for protobuf.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mindviz.datavisual.payloads.json_graph import json_operators
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import DamagedValue
from mindviz.gc_control import gc_paused
from mindviz.wire.encode import delimited
from mindviz.wire.encode_tensorboard import DATA_TYPES

if TYPE_CHECKING:
    from mindviz.wire.proto import mindspore_pb2, tensorboard_pb2

MAX_ATTRIBUTE = 1024
"""Elements or bytes of an attribute; larger ones are dropped."""

Shapes = tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class _Operator:
    """A node to be."""

    key: str
    """Its name in edges."""
    name: str
    type: str
    inputs: Mapping[str, bool] = field(default_factory=dict)
    """Key -> whether it is only a control edge."""
    shapes: Shapes = ()
    """Of the outputs."""
    dtype: str = ""
    """Of the outputs; numpy's name."""
    attributes: Mapping[str, object] = field(default_factory=dict)
    """A bool, int, float, string or bytes, or a list of one of these."""


def graph_definition(graph: LoggedGraph) -> bytes:
    """A serialized GraphDef. Raises DamagedValue for graphs without operators: timings, layers."""
    content: Any = graph.content
    if graph.form == "tensorflow":
        return bytes(content.SerializeToString())
    readers: Mapping[str, Callable[[Any], Iterator[_Operator]]] = {
        "mindspore": _mindspore,
        "visualdl": _visualdl,
    }
    if graph.form in readers:
        with gc_paused():
            return _definition(readers[graph.form](content))
    raise DamagedValue(f"A graph of the form {graph.form} has no operators.")


def function_graph(graph: LoggedGraph) -> bytes:
    """RunMetadata: function_graphs 4, their pre_optimization_graph 2. Raises DamagedValue."""
    return delimited(4, delimited(2, graph_definition(graph)))


def _definition(operators: Iterable[_Operator]) -> bytes:
    from mindviz.wire.proto import tensorboard_pb2 as pb  # noqa: PLC0415

    named: dict[str, _Operator] = {}
    names: dict[str, str] = {}
    for operator in operators:
        stem = operator.name.lstrip("/^").replace(":", "_") or operator.type or "node"
        name, number = stem, 0
        while name in named:
            number += 1
            name = f"{stem}_{number}"
        named[name] = operator
        names.setdefault(operator.key, name)
    nodes = []
    # Few differ.
    outputs: dict[Shapes, pb.AttrValue] = {}
    for name, operator in named.items():
        node = pb.NodeDef(name=name, op=operator.type)
        # Data edges come first.
        for key, control in sorted(operator.inputs.items(), key=lambda edge: edge[1]):
            if key in names:
                node.input.append(f"^{names[key]}" if control else names[key])
        for attribute, value in operator.attributes.items():
            _set(node.attr[attribute], value)
        if operator.shapes:
            if operator.shapes not in outputs:
                shapes = pb.AttrValue.ListValue(shape=map(_shape, operator.shapes))
                outputs[operator.shapes] = pb.AttrValue(list=shapes)
            node.attr["_output_shapes"].CopyFrom(outputs[operator.shapes])
        if operator.dtype in _DTYPES:
            node.attr["dtype"].type = _DTYPES[operator.dtype]  # type: ignore[assignment]
        nodes.append(node)
    return pb.GraphDef(node=nodes).SerializeToString()


_DTYPES = {**DATA_TYPES, "string": 7, "bfloat16": 14}
"""numpy's name -> TensorFlow's number."""


def _shape(sizes: Sequence[int]) -> tensorboard_pb2.TensorShapeProto:
    from mindviz.wire.proto import tensorboard_pb2 as pb  # noqa: PLC0415

    dims = [pb.TensorShapeProto.Dim(size=max(size, -1)) for size in sizes]
    return pb.TensorShapeProto(dim=dims)


def _set(attribute: tensorboard_pb2.AttrValue, value: object) -> None:
    several = isinstance(value, list)
    cells: list[Any] = value if isinstance(value, list) else [value]
    fields = {_field(cell) for cell in cells}
    name = fields.pop() if len(fields) == 1 else ""
    if not name:
        attribute.s = _text(value)
        return
    cells = [_text(cell) for cell in cells] if name == "s" else cells
    if several:
        getattr(attribute.list, name).extend(cells)
    else:
        setattr(attribute, name, cells[0])


def _field(value: object) -> str:
    """The field of AttrValue for a value; empty if there is none."""
    if isinstance(value, bool):
        return "b"
    if isinstance(value, int):
        return "i" if -(1 << 63) <= value < 1 << 63 else ""
    if isinstance(value, float):
        return "f"
    return "s" if isinstance(value, str | bytes) else ""


def _text(value: object) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        return value.encode()
    return json.dumps(value, default=lambda text: text.decode("utf-8", "replace")).encode()


def mindspore_key(name: str) -> str:
    """The name of an operator in inputs: its number, which may end a path."""
    return name.rpartition("/")[2].rpartition("op")[2]


def _mindspore(graph: mindspore_pb2.GraphProto) -> Iterator[_Operator]:
    control = 1
    types: dict[bytes, tuple[Shapes, str]] = {}
    for node in graph.node:
        key = mindspore_key(node.name)
        named = node.full_name
        if not named or named.endswith("]"):  # summary operators are named by their tags
            scope = f"{node.scope}/" if node.scope else ""
            named = f"{scope}{node.op_type}-op{key}"
        type_key = node.output_type.SerializeToString()
        if type_key not in types:
            types[type_key] = _mindspore_type(node.output_type)
        shapes, dtype = types[type_key]
        yield _Operator(
            key,
            named,
            node.op_type,
            {field.name: field.type == control for field in node.input},
            shapes,
            dtype,
            _mindspore_values((field.name, field.value) for field in node.attribute),
        )
    for parameter in graph.parameters:
        shapes, dtype = _mindspore_type(parameter.type)
        yield _Operator(parameter.name, parameter.name, "Parameter", {}, shapes, dtype)
    for constant in graph.const_vals:
        values = _mindspore_values([("value", constant.value)])
        yield _Operator(constant.key, constant.key, "Const", attributes=values)


def _mindspore_type(output: mindspore_pb2.TypeProto) -> tuple[Shapes, str]:
    from mindviz.wire.proto import mindspore_pb2 as pb  # noqa: PLC0415

    if output.HasField("tensor_type"):
        tensor = output.tensor_type
        known = pb.DataType.DESCRIPTOR.values_by_number.get(tensor.elem_type)
        dtype = known.name.removeprefix("DT_").lower() if known else ""
        return (tuple(dim.size for dim in tensor.shape.dim),), dtype
    elements = [_mindspore_type(element) for element in output.sequence_type.elem_types]
    shapes = tuple(shape for shapes, _ in elements for shape in shapes)
    return shapes, next((dtype for _, dtype in elements if dtype), "")


def _mindspore_values(
    named: Iterable[tuple[str, mindspore_pb2.ValueProto]],
) -> Mapping[str, object]:
    values = {name: _mindspore_value(value) for name, value in named if name}
    return {name: value for name, value in values.items() if value is not None}


_MINDSPORE_FIELDS = ("bool", "int", "uint", "float", "double", "str")


def _mindspore_value(value: mindspore_pb2.ValueProto) -> object:
    """The plain value of an attribute; None for tensors, graphs and values that are too large."""
    if value.ByteSize() > MAX_ATTRIBUTE:
        return None
    for name in _MINDSPORE_FIELDS:
        if value.HasField(f"{name}_val"):
            return getattr(value, f"{name}_val")
        several = list(getattr(value, f"{name}_vals"))
        if several:
            return several
    cells = [_mindspore_value(item) for item in value.values]
    return cells if cells and None not in cells else None


def _visualdl(content: Mapping[str, Any]) -> Iterator[_Operator]:
    for operator in json_operators(content):
        shapes = [variable.get("shape") for variable in operator.outputs]
        yield _Operator(
            operator.name,
            operator.name,
            operator.type,
            operator.inputs,
            tuple(_visualdl_shape(shape) for shape in shapes if isinstance(shape, list)),
            next((_visualdl_dtype(variable) for variable in operator.outputs), ""),
            {str(key): value for key, value in operator.attributes.items() if _is_small(value)},
        )


def _visualdl_shape(sizes: list[object]) -> tuple[int, ...]:
    return tuple(size if isinstance(size, int) and 0 <= size < 1 << 63 else -1 for size in sizes)


_VISUALDL_DTYPES = {"fp16": "float16", "fp32": "float32", "fp64": "float64", "bf16": "bfloat16"}


def _visualdl_dtype(variable: Mapping[str, Any]) -> str:
    name = str(variable.get("dtype") or "").rpartition(".")[2].lower()
    return _VISUALDL_DTYPES.get(name, name)


def _is_small(value: object) -> bool:
    return not isinstance(value, list | str | dict) or len(value) <= MAX_ATTRIBUTE
