"""Drafts of TensorFlow graphs, which torch writes, too. Source: graph.proto, config.proto.

Each function of a graph's library is a scope below `FUNCTIONS`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from mindviz.datavisual.graph.draft import GraphDraft, Leaf
from mindviz.datavisual.graph.node import Shapes, joined_name, shown_name
from mindviz.datavisual.graph.value_text import message_text
from mindviz.wire.proto import tensorboard_pb2 as pb

FUNCTIONS = "functions"
ARGUMENT, RESULT = "Arg", "Retval"
"""Types of a function's argument and return value nodes."""
UNKNOWN_RANK = -2
_OUTPUT_SHAPES = "_output_shapes"
_LABEL = re.compile(r"= *([\w:.]+)\(")
"""In a timeline label, `name = Type(inputs)`."""

Facts = Mapping[str, Mapping[str, str]]
"""Node name -> further attributes."""


def tensorflow_draft(graphs: Iterable[pb.GraphDef], facts: Facts | None = None) -> GraphDraft:
    """One draft of several graphs, such as the partitions of one graph over devices."""
    draft = GraphDraft()
    shapes = _Shapes()
    known = facts or {}
    functions = 0
    for graph in graphs:
        for node in graph.node:
            name = node.name
            if name:
                leaf = _operator(node, name, known.get(name, {}), shapes)
                leaf.inputs = _inputs(node, "")
                draft.add(draft.operators, name, leaf)
        for function in graph.library.function:
            functions += 1
            _add_function(draft, function, functions, shapes)
    return draft


def run_metadata_draft(metadata: pb.RunMetadata) -> GraphDraft:
    """The draft of run metadata: its graphs with times, else the timed nodes."""
    graphs = [*metadata.partition_graphs]
    for function in metadata.function_graphs:
        graphs += function.partition_graphs or [
            function.post_optimization_graph
            if function.HasField("post_optimization_graph")
            else function.pre_optimization_graph
        ]
    facts: dict[str, dict[str, str]] = {}
    types: dict[str, str] = {}
    for device in metadata.step_stats.dev_stats:
        for stats in device.node_stats:
            name = stats.node_name
            label = _LABEL.search(stats.timeline_label)
            types.setdefault(name, label[1] if label else name.rpartition(":")[2])
            facts[name] = {
                "device": device.device,
                "start_micros": str(stats.all_start_micros),
                "compute_micros": str(stats.op_end_rel_micros - stats.op_start_rel_micros),
                "total_micros": str(stats.all_end_rel_micros),
            }
    draft = tensorflow_draft(graphs, facts)
    if not draft.operators:
        for name, attributes in facts.items():
            if name:
                draft.operators[name] = Leaf(name, types[name], attributes=attributes.copy)
    return draft


class _Shapes(dict[bytes, Shapes]):
    """Shapes by serialized attribute: few differ."""

    def of(self, attributes: Mapping[str, pb.AttrValue]) -> Shapes:
        """Shapes of a node's outputs, as far as its attributes give them."""
        if _OUTPUT_SHAPES not in attributes:
            return ()
        value = attributes[_OUTPUT_SHAPES]
        key = value.SerializeToString()
        shapes = self.get(key)
        if shapes is None:
            self[key] = shapes = tuple(_shape(shape) for shape in value.list.shape)
        return shapes


def _operator(node: pb.NodeDef, name: str, facts: Mapping[str, str], shapes: _Shapes) -> Leaf:
    def attributes() -> Mapping[str, str]:
        texts = {key: message_text(node.attr[key]) for key in sorted(node.attr)}
        shown = {key: text for key, text in texts.items() if text is not None}
        return ({"device": node.device} if node.device else {}) | shown | dict(facts)

    known = node.attr
    return Leaf(name, node.op, shapes.of(known), _data_type(known), attributes=attributes)


def _inputs(node: pb.NodeDef, prefix: str) -> dict[str, bool]:
    """Keys of the sources: `node`, `node:output`, `node:output:index`, or `^node`."""
    inputs: dict[str, bool] = {}
    for source in node.input:
        control = source.startswith("^")
        name = source[1:] if control else source
        key = prefix + (name.partition(":")[0] if ":" in name else name)
        # A data edge implies the control edge.
        inputs[key] = control and inputs.get(key, True)
    return inputs


def _shape(shape: pb.TensorShapeProto) -> tuple[int, ...]:
    return (UNKNOWN_RANK,) if shape.unknown_rank else tuple(dim.size for dim in shape.dim)


def _data_type(attributes: Mapping[str, pb.AttrValue]) -> str:
    for key in ("dtype", "T", "DstT", "out_type"):
        if key in attributes:
            value = attributes[key]
            if value.WhichOneof("value") == "type":
                return _type_name(value.type)
    return ""


@cache
def _type_name(number: int) -> str:
    known = pb.DataType.DESCRIPTOR.values_by_number.get(number)
    return known.name if known else f"DT_{number}"


def _add_function(
    draft: GraphDraft, function: pb.FunctionDef, number: int, shapes: _Shapes
) -> None:
    scope = joined_name(FUNCTIONS, shown_name(function.signature.name))
    # Edges from elsewhere never use a key with a null.
    prefix = f"\0{number}\0"
    for argument in function.signature.input_arg:
        name, data_type = joined_name(scope, argument.name), _type_name(argument.type)
        leaf = Leaf(name, ARGUMENT, data_type=data_type)
        draft.add(draft.operators, prefix + argument.name, leaf)
    for node in function.node_def:
        leaf = _operator(node, joined_name(scope, node.name), {}, shapes)
        leaf.inputs = _inputs(node, prefix)
        draft.add(draft.operators, prefix + node.name, leaf)
    for output, source in sorted(function.ret.items()):
        inputs = {prefix + source.partition(":")[0]: False}
        leaf = Leaf(joined_name(scope, output), RESULT, inputs=inputs)
        draft.add(draft.operators, f"{prefix}\0{output}", leaf)
