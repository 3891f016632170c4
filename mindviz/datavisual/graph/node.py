"""Node and Edge: what a graph is made of once it is built. Scopes are nodes, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NAME_SCOPE = "name_scope"
AGGREGATION_SCOPE = "aggregation_scope"
PARAMETER = "Parameter"
CONSTANT = "Const"

MAX_DEPTH = 64
"""Scopes within each other. What is deeper stays in one name, slashes and all."""

MAX_NAME = 1000
"""Characters. Each edge repeats the names of its ends: longer names would multiply."""
MAX_SIZES = 2000
"""Sizes of dimensions that an edge has, over all outputs; for the same reason."""

Shape = tuple[int, ...]
Shapes = tuple[Shape, ...]
"""One per output; a negative size is not known before the graph runs."""

_NONE: Mapping[str, bool] = MappingProxyType({})


def _no_proxies() -> Mapping[str, bool]:
    return _NONE


def no_attributes() -> Mapping[str, str]:
    """The attributes of a node that has none."""
    return {}


@dataclass(frozen=True, slots=True)
class Edge:
    """What flows from one node to another; shared by all edges that are alike."""

    shapes: Shapes
    data_type: str
    control: bool
    """Whether only the order matters and no tensor flows."""
    independent: bool = False
    """Whether it comes from a parameter that is drawn apart from its consumers."""


@dataclass(slots=True, eq=False)
class Node:
    """An operator, a parameter, a constant or a scope. Not changed once its graph is built."""

    name: str
    """The whole path, `/` separated; unique in its graph. Empty for the root."""
    type: str
    shapes: Shapes = ()
    """Of its outputs."""
    data_type: str = ""
    attributes: Callable[[], Mapping[str, str]] = no_attributes
    """Made when asked for: most nodes are never looked at."""
    dynamic: bool = False
    """Whether some shape is not known before the graph runs."""
    output_index: int = 0
    independent: bool = False
    """Whether it is drawn apart from its consumers."""
    inputs: dict[str, Edge] = field(default_factory=dict)
    """By name of the node where the edge begins; of a scope those that enter it."""
    outputs: dict[str, Edge] = field(default_factory=dict)
    proxy_inputs: Mapping[str, bool] = field(default_factory=_no_proxies)
    """Scopes of independent parameters that it uses -> whether only for the order."""
    proxy_outputs: Mapping[str, bool] = field(default_factory=_no_proxies)
    children: list[Node] = field(default_factory=list)
    path: tuple[Node, ...] = ()
    """The scopes it stands in, the outermost first, without the root."""

    @property
    def is_scope(self) -> bool:
        """Whether it holds other nodes."""
        return self.type in (NAME_SCOPE, AGGREGATION_SCOPE)


def shown_name(name: str) -> str:
    """A name, type or label as graphs have it: cut off at MAX_NAME characters."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}..."


def split_name(name: str) -> tuple[str, str]:
    """(scope, rest) of a node's name; the scope is empty at the root."""
    scope, _, rest = name.rpartition("/")
    if scope.count("/") >= MAX_DEPTH:
        parts = name.split("/", MAX_DEPTH)
        return "/".join(parts[:-1]), parts[-1]
    return scope, rest


def joined_name(scope: str, rest: str) -> str:
    """The name of what is called `rest` in a scope."""
    return f"{scope}/{rest}" if scope else rest
