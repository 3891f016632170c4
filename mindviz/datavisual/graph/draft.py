"""GraphDraft: a graph as logged, before scopes are created."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mindviz.datavisual.graph.node import Shapes, no_attributes
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge

MAX_EDGES = 1_000_000
"""Maximum number of edges per graph; each takes about 300 bytes while built and encoded."""


@dataclass(slots=True, eq=False)
class Leaf:
    """An operator, a parameter or a constant."""

    name: str
    """The full path for operators; the base name of the copies for parameters and constants."""
    type: str
    shapes: Shapes = ()
    data_type: str = ""
    inputs: dict[str, bool] = field(default_factory=dict)
    """Source key -> whether it is a control edge."""
    attributes: Callable[[], Mapping[str, str]] = no_attributes
    dynamic: bool = False
    output_index: int = 0
    instance_name: str = ""

    @property
    def has_dynamic_shape(self) -> bool:
        """Whether an output has an unknown dimension."""
        return any(size < 0 for shape in self.shapes for size in shape)


@dataclass(slots=True, eq=False)
class GraphDraft:
    """Leaves by key. Inputs with an unknown key are dangling edges."""

    operators: dict[str, Leaf] = field(default_factory=dict)
    parameters: dict[str, Leaf] = field(default_factory=dict)
    """Parameters and constants are copied into every scope that uses them."""
    constants: dict[str, Leaf] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict, repr=False)
    """Last suffix used for each taken key."""

    def add(self, leaves: dict[str, Leaf], key: str, leaf: Leaf) -> str:
        """Add a leaf and return its key, made unique if taken."""
        free = key
        while free in leaves:
            self._numbers[key] = number = self._numbers.get(key, 0) + 1
            free = f"{key}\0{number}"
        leaves[free] = leaf
        return free

    def source(self, key: str) -> Leaf | None:
        """The leaf of this key."""
        return self.operators.get(key) or self.parameters.get(key) or self.constants.get(key)

    def mark_dynamic(self) -> None:
        """Mark leaves that produce or consume a shape with unknown dimensions."""
        known: dict[Shapes, bool] = {}
        dynamic: set[str] = set()
        for leaves in (self.operators, self.parameters, self.constants):
            for key, leaf in leaves.items():
                is_dynamic = known.get(leaf.shapes)
                if is_dynamic is None:
                    known[leaf.shapes] = is_dynamic = leaf.has_dynamic_shape
                if is_dynamic:
                    dynamic.add(key)
        for parameter in self.parameters.values():
            parameter.dynamic |= parameter.has_dynamic_shape
        if not dynamic:
            return
        for key, leaf in self.operators.items():
            leaf.dynamic |= key in dynamic or not dynamic.isdisjoint(leaf.inputs)


def check_edges(count: int) -> None:
    """Raise AnswerTooLarge above MAX_EDGES, DeadlineExceeded after the request's deadline."""
    check()
    if count > MAX_EDGES:
        raise AnswerTooLarge(f"The graph has more than {MAX_EDGES:,} edges.")
