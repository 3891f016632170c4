"""Traces torch modules and converts the graph to TensorFlow's GraphDef, which viewers can draw.

Node names equal those of torch.utils.tensorboard. Source: torch.jit.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindviz.errors import InvalidValue
from mindviz.wire.proto import tensorboard_pb2 as proto


def traced_graph(module: Any, inputs: object, *, strict: bool = True) -> proto.GraphDef:
    """The operations of a module's forward pass, in the scopes of its submodules.

    Raises InvalidValue if torch cannot trace it.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(module, torch.nn.Module):
        raise InvalidValue(f"Cannot trace {type(module).__name__}: it is not a torch module.")
    try:
        with _evaluating(module), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            traced = torch.jit.trace(module, inputs, strict=strict)
            graph = traced.inlined_graph
    except Exception as error:  # the forward pass may raise anything
        raise InvalidValue(f"Cannot trace {type(module).__name__}: {error}") from error
    return _TracedGraph(module).convert(graph)


@contextmanager
def _evaluating(module: Any) -> Iterator[None]:
    modes = [(submodule, submodule.training) for submodule in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for submodule, training in modes:
            submodule.training = training


class _TracedGraph:
    def __init__(self, module: Any) -> None:
        self._kinds = {name: type(submodule).__name__ for name, submodule in module.named_modules()}
        self._result = proto.GraphDef()
        self._names: dict[str, str] = {}
        """torch's name of a value -> the name of its node or output."""
        self._owners: dict[str, str] = {}
        """torch's name of a submodule -> its path in the module."""

    def convert(self, graph: Any) -> proto.GraphDef:
        root, *inputs = graph.inputs()
        self._owners[root.debugName()] = ""
        for value in inputs:
            name = f"input/{value.debugName()}"
            self._names[value.debugName()] = name
            self._add(name, "IO Node", [], "", [value])
        for node in graph.nodes():
            if node.kind() == "prim::GetAttr":
                self._add_attribute(node)
            else:
                self._add_operation(node)
        for number, value in enumerate(graph.outputs(), 1):
            self._add(f"output/output.{number}", "IO Node", [value], "", [value])
        return self._result

    def _add_attribute(self, node: Any) -> None:
        """Add a parameter as a node, or remember the path of a submodule."""
        (owner,), (value,) = node.inputs(), node.outputs()
        path = self._owners.get(owner.debugName(), "")
        attribute = node.s("name")
        inner = f"{path}.{attribute}" if path else attribute
        if inner in self._kinds:
            self._owners[value.debugName()] = inner
            return
        name = f"{self._scope(path)}/{attribute}"
        if name not in self._names.values():
            self._add(name, node.kind(), [], f"{{ name : {attribute}}}", [value])
        self._names[value.debugName()] = name

    def _add_operation(self, node: Any) -> None:
        outputs = list(node.outputs())
        if not outputs:
            return
        qualified = node.scopeName().rpartition("/")[2].removeprefix("__module").lstrip(".")
        name = f"{self._scope(qualified)}/{outputs[0].debugName()}"
        for number, value in enumerate(outputs):
            self._names[value.debugName()] = f"{name}:{number}" if number else name
        attributes = ", ".join(f"{key} : {_attribute(node, key)}" for key in node.attributeNames())
        self._add(name, node.kind(), node.inputs(), f"{{ {attributes}}}", outputs)

    def _scope(self, path: str) -> str:
        """`Net/Sequential[head]/Linear[0]` for `head.0`."""
        scope, at = [self._kinds[""]], ""
        for part in filter(None, path.split(".")):
            at = f"{at}.{part}" if at else part
            scope.append(f"{self._kinds.get(at, '')}[{part}]")
        return "/".join(scope)

    def _add(self, name: str, kind: str, inputs: Any, attributes: str, outputs: list[Any]) -> None:
        names = [self._names.get(value.debugName()) for value in inputs]
        node = self._result.node.add(name=name, op=kind, input=[value for value in names if value])
        node.attr["attr"].s = attributes.encode(errors="replace")
        shapes = [value.type().sizes() for value in outputs if value.isCompleteTensor()]
        for shape in shapes:
            dimensions = [proto.TensorShapeProto.Dim(size=size) for size in shape]
            node.attr["_output_shapes"].list.shape.add(dim=dimensions)


def _attribute(node: Any, key: str) -> str:
    return f"{getattr(node, node.kindOf(key))(key)}"
