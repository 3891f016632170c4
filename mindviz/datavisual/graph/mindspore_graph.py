"""Drafts of MindSpore graphs. Source: anf_ir.proto; the rules are MindInsight's."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.node import CONSTANT, PARAMETER, Shapes, joined_name
from mindviz.datavisual.graph.value_text import dtype_text, message_text, shapes_of, type_text
from mindviz.datavisual.payloads.graph_definition import mindspore_key
from mindviz.wire.proto import mindspore_pb2 as pb

_SUMMARY = re.compile(
    r"\[:(scalar|image|graph|optimized_graph|histogram|tensor|loss_landscape)\]$", re.IGNORECASE
)
"""Suffix of full names that summary operators derive from their tags."""
_DYNAMIC = ("input_is_dynamic_shape", "output_is_dynamic_shape")


def mindspore_draft(graph: pb.GraphProto) -> GraphDraft:
    """The draft of a graph."""
    draft = GraphDraft()
    types = _Types()
    for node in graph.node:
        if node.name:
            draft.add(draft.operators, mindspore_key(node.name), _operator(node, types))
    for parameter in graph.parameters:
        draft.add(draft.parameters, parameter.name, _parameter(parameter, types))
    for constant in graph.const_vals:
        draft.add(draft.constants, constant.key, _constant(constant))
    return draft


class _Types(dict[bytes, tuple[Shapes, str]]):
    """Shapes and type texts by serialized type: few differ, and formatting is slow."""

    def of(self, output: pb.TypeProto) -> tuple[Shapes, str]:
        """Shapes and text of a type."""
        key = output.SerializeToString()
        entry = self.get(key)
        if entry is None:
            self[key] = entry = (shapes_of(output), type_text(output))
        return entry


def _operator(node: pb.NodeProto, types: _Types) -> Leaf:
    def attributes() -> Mapping[str, str]:
        texts = {field.name: message_text(field.value) for field in node.attribute}
        return {name: text for name, text in texts.items() if text is not None}

    shapes, data_type = types.of(node.output_type)
    named = node.full_name
    if not named:
        named = joined_name(node.scope, f"{node.op_type}-op{mindspore_key(node.name)}")
    elif named.endswith("]") and _SUMMARY.search(named):
        named = joined_name(node.scope, f"{node.op_type}-op{node.name}")
    control = pb.InputProto.CONTROL_EDGE
    return Leaf(
        name=named,
        type=node.op_type,
        shapes=shapes,
        data_type=data_type,
        inputs={field.name: field.type == control for field in node.input},
        attributes=attributes,
        dynamic=any(field.value.bool_val for field in node.attribute if field.name in _DYNAMIC),
        output_index=node.output_i,
        instance_name=node.instance_name,
    )


def _parameter(parameter: pb.ParameterProto, types: _Types) -> Leaf:
    shapes, data_type = types.of(parameter.type)
    attributes = {"shape": str([list(shape) for shape in shapes]), "type": data_type}
    return Leaf(parameter.name, PARAMETER, shapes, data_type, attributes=lambda: attributes)


def _constant(constant: pb.NamedValueProto) -> Leaf:
    value = constant.value

    def attributes() -> Mapping[str, str]:
        text = message_text(value)
        return {constant.key: dtype_text(value) if text is None else text}

    return Leaf(constant.key, CONSTANT, (tuple(value.tensor_val.dims),), attributes=attributes)
