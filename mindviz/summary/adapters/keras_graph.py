"""The layers of a Functional or Sequential Keras model as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras

from mindviz.errors import InvalidValue
from mindviz.wire.encode_graph import GraphOperator, TensorType, model


def graph_of(network: Any) -> bytes:
    """MindSpore's ModelProto; each layer and each nested model is a scope.

    Raises InvalidValue for a subclassed model, whose layers are unknown.
    """
    functional = _functional(network)
    if functional is None:
        raise InvalidValue(f"{type(network).__name__} is a subclassed model without a layer graph")
    operators: list[GraphOperator] = []
    _add_layers(functional, "", (), operators)
    weights = {one.path: TensorType(tuple(one.shape), str(one.dtype)) for one in network.weights}
    return model(operators, weights)


def _add_layers(
    functional: Any, scope: str, sources: Sequence[str], operators: list[GraphOperator]
) -> list[str]:
    """Add the layers of a model with inputs from `sources`; returns the keys of its outputs."""
    outer = dict(zip(map(_name_of_source, functional.inputs), sources, strict=False))
    keys: dict[str, list[str]] = {}
    for operation in functional.operations:
        name = operation.name
        parents = [one.operation.name for node in _nodes(operation) for one in node.parent_nodes]
        inputs = [key for parent in parents for key in keys.get(parent, ())]
        inputs += [outer[name]] if name in outer else []
        inner = _functional(operation)
        if inner is not None:
            keys[name] = _add_layers(inner, f"{scope}{name}/", inputs, operators)
            continue
        keys[name] = [f"{scope}{name}"]
        weights = [weight.path for weight in getattr(operation, "weights", ())]
        operators.append(
            GraphOperator(
                key=f"{scope}{name}",
                type=type(operation).__name__,
                scope=f"{scope}{name}",
                inputs=[*inputs, *weights],
                output=_type_of(operation),
            )
        )
    return [key for one in functional.outputs for key in keys[_name_of_source(one)]]


def _functional(network: Any) -> Any:
    """The Functional model of a network, or None."""
    if isinstance(network, keras.Sequential):
        return network._functional  # noqa: SLF001 - Keras has no public access
    is_functional = isinstance(network, keras.Model) and hasattr(network, "operations")
    return network if is_functional else None


def _nodes(operation: Any) -> list[Any]:
    nodes: list[Any] = operation._inbound_nodes  # noqa: SLF001 - as above
    return nodes


def _name_of_source(tensor: Any) -> str:
    name: str = tensor._keras_history.operation.name  # noqa: SLF001 - as above
    return name


def _type_of(operation: Any) -> TensorType:
    tensors = [tensor for node in _nodes(operation) for tensor in node.output_tensors]
    if not tensors:
        return TensorType()
    shape = tuple(-1 if size is None else size for size in tensors[-1].shape)
    return TensorType(shape, str(tensors[-1].dtype))
