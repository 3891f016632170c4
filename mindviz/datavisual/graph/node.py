"""Node and Edge of a built graph. Scopes are nodes, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NAME_SCOPE = "name_scope"
AGGREGATION_SCOPE = "aggregation_scope"
PARAMETER = "Parameter"
CONSTANT = "Const"

MAX_DEPTH = 64
"""Maximum nesting of scopes; deeper paths stay in the node's name."""

MAX_NAME = 1000
"""Maximum length. Every edge repeats the names of its ends."""
MAX_SIZES = 2000
"""Maximum number of dimensions listed per edge, over all outputs."""

Shape = tuple[int, ...]
Shapes = tuple[Shape, ...]
"""One shape per output; a negative size is unknown until the graph runs."""

_NO_PROXIES: Mapping[str, bool] = MappingProxyType({})


def no_attributes() -> Mapping[str, str]:
    """Attributes of a node without any."""
    return {}


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge's data; shared by equal edges."""

    shapes: Shapes
    data_type: str
    control: bool
    """Whether it is a control edge, which carries no tensor."""
    independent: bool = False
    """Whether its source is drawn next to its consumers."""


@dataclass(slots=True, eq=False)
class Node:
    """An operator, parameter, constant or scope. Immutable after the graph is built."""

    name: str
    """The full path, `/` separated and unique in the graph; empty for the root."""
    type: str
    shapes: Shapes = ()
    """Shapes of its outputs."""
    data_type: str = ""
    attributes: Callable[[], Mapping[str, str]] = no_attributes
    """Computed on demand: most nodes are never opened."""
    dynamic: bool = False
    """Whether a shape is unknown until the graph runs."""
    output_index: int = 0
    independent: bool = False
    """Whether it is drawn next to its consumers."""
    inputs: dict[str, Edge] = field(default_factory=dict)
    """By name of the source node; for a scope, the edges that enter it."""
    outputs: dict[str, Edge] = field(default_factory=dict)
    proxy_inputs: Mapping[str, bool] = field(default_factory=lambda: _NO_PROXIES)
    """Scopes of independent parameters that it uses -> whether only by control edges."""
    proxy_outputs: Mapping[str, bool] = field(default_factory=lambda: _NO_PROXIES)
    children: list[Node] = field(default_factory=list)
    path: tuple[Node, ...] = ()
    """Names of the scopes that contain it, outermost first, without the root."""

    @property
    def is_scope(self) -> bool:
        """Whether it contains other nodes."""
        return self.type in (NAME_SCOPE, AGGREGATION_SCOPE)


def shown_name(name: str) -> str:
    """A name, type or label, cut to MAX_NAME characters."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}..."


def split_name(name: str) -> tuple[str, str]:
    """Split a node's name into (scope, rest); the scope is empty at the root."""
    scope, _, rest = name.rpartition("/")
    if scope.count("/") >= MAX_DEPTH:
        parts = name.split("/", MAX_DEPTH)
        return "/".join(parts[:-1]), parts[-1]
    return scope, rest


def joined_name(scope: str, rest: str) -> str:
    """The name of `rest` in a scope."""
    return f"{scope}/{rest}" if scope else rest
