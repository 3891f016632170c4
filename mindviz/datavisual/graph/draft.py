"""GraphDraft: a graph as its log has it, before scopes are made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mindviz.datavisual.graph.node import Shapes, no_attributes
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge

MAX_EDGES = 1_000_000
"""Of one graph: some 300 bytes of memory each, while it is built and answered."""


@dataclass(slots=True, eq=False)
class Leaf:
    """An operator, a parameter or a constant."""

    name: str
    """Of an operator its whole path; of parameters and constants what to call their copies."""
    type: str
    shapes: Shapes = ()
    data_type: str = ""
    inputs: dict[str, bool] = field(default_factory=dict)
    """Key of the leaf where the edge begins -> whether it is a control edge."""
    attributes: Callable[[], Mapping[str, str]] = no_attributes
    dynamic: bool = False
    output_index: int = 0
    instance_name: str = ""

    @property
    def has_dynamic_shape(self) -> bool:
        """Whether a dimension of its outputs is not known."""
        return any(size < 0 for shape in self.shapes for size in shape)


@dataclass(slots=True, eq=False)
class GraphDraft:
    """All leaves by the keys that inputs name. A key of nothing is an edge from nowhere."""

    operators: dict[str, Leaf] = field(default_factory=dict)
    parameters: dict[str, Leaf] = field(default_factory=dict)
    """Each is shown in every scope that uses it; so is each constant."""
    constants: dict[str, Leaf] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict, repr=False)
    """The last number put behind each key that was taken."""

    def add(self, leaves: dict[str, Leaf], key: str, leaf: Leaf) -> str:
        """Add a leaf; if its key is taken, under another that no edge names. Returns its key."""
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
        """Mark all that have, or take, a shape that is not known before the graph runs."""
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
    """Raise AnswerTooLarge for more than MAX_EDGES, DeadlineExceeded if the request is late."""
    check()
    if count > MAX_EDGES:
        raise AnswerTooLarge(f"The graph has more than {MAX_EDGES:,} edges.")
