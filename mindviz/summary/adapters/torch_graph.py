"""The graph of a PyTorch network, from `torch.export`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from mindviz.errors import InvalidValue
from mindviz.wire.encode_graph import GraphOperator, TensorType, model


def graph_of(network: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    """MindSpore's ModelProto of a call with these arguments; scopes are submodules.

    Raises InvalidValue if torch cannot export the network.
    """
    try:
        program = torch.export.export(network, args, kwargs)
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise InvalidValue(f"torch.export failed: {reason}") from error
    signature = program.graph_signature
    parameter_names = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
    keys: dict[str, str] = {}
    operators: list[GraphOperator] = []
    parameters: dict[str, TensorType] = {}
    for node in program.graph.nodes:
        if node.op == "placeholder":
            keys[node.name] = name = parameter_names.get(node.name, node.name)
            parameters[name] = _type_of(node)
        elif node.op == "call_function":
            keys[node.name] = f"%{node.name}"
            operators.append(_operator(node, keys))
    return model(operators, parameters)


def _operator(node: Any, keys: Mapping[str, str]) -> GraphOperator:
    target = node.target
    packet = getattr(target, "overloadpacket", target)
    return GraphOperator(
        key=keys[node.name],
        type=packet.__name__,
        scope=_scope_of(node.meta.get("nn_module_stack") or {}),
        inputs=[keys[one.name] for one in node.all_input_nodes if one.name in keys],
        output=_type_of(node),
    )


def _scope_of(stack: Mapping[str, tuple[str, Any]]) -> str:
    """`conv1-Conv2d` for each module, as in MindSpore."""
    parts = []
    outer = ""
    for path, kind in stack.values():
        if not path:
            continue
        name = path.removeprefix(f"{outer}.") if outer else path
        type_name = kind if isinstance(kind, str) else kind.__name__
        parts.append(f"{name}-{type_name.rpartition('.')[2]}")
        outer = path
    return "/".join(parts)


def _type_of(node: Any) -> TensorType:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return TensorType()
    shape = tuple(size if isinstance(size, int) else -1 for size in value.shape)
    return TensorType(shape, str(value.dtype).removeprefix("torch."))
