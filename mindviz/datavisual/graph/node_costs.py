"""Device and compute time of graph nodes, as far as logged."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mindviz.datavisual.graph.graph import Graph
from mindviz.datavisual.graph.node import Node
from mindviz.datavisual.graph.scope_order import MAX_NODES

DEVICES = ("device", "primitive_target", "device_target")
TIMES = ("compute_micros", "total_micros")
"""Attribute names, in order of preference."""
_QUOTED = re.compile(r'\bstr_val: "(.*)"')


@dataclass(frozen=True, slots=True)
class NodeCost:
    """Device and time of one node."""

    name: str
    device: str
    """Empty if unknown."""
    micros: float | None
    """Microseconds; None if unknown."""


def node_costs(leaves: Iterable[Node]) -> Iterator[NodeCost]:
    """Costs of the nodes that have any."""
    for leaf in leaves:
        attributes = leaf.attributes()
        device = next((_device(attributes[name]) for name in DEVICES if attributes.get(name)), "")
        times = (_time(attributes[name]) for name in TIMES if name in attributes)
        micros = next((time for time in times if time is not None), None)
        if device or micros is not None:
            yield NodeCost(leaf.name, device, micros)


def _device(text: str) -> str:
    """MindSpore's attributes are messages."""
    quoted = _QUOTED.search(text)
    return quoted[1] if quoted else text


def _time(text: str) -> float | None:
    try:
        time = float(text)
    except ValueError:
        return None
    return time if math.isfinite(time) else None


def graph_costs(graph: Graph) -> Mapping[str, object]:
    """Costs of all nodes of a graph, as columns: there are few devices.

    For scopes with stacks, `places` has the device and time of each place in their order, because
    the nodes of a stack are addressed by place.
    """
    costs = list(node_costs(graph.leaves("")))
    devices = {name: i for i, name in enumerate(dict.fromkeys(c.device for c in costs if c.device))}
    wide: dict[Node, _Places] = {}
    for cost in costs:
        for scope in graph.scopes_around(cost.name):
            if len(scope.children) > MAX_NODES:
                place = graph.order(scope.name).place(graph.node(cost.name))
                unknown: list[None] = [None] * len(scope.children)
                places = wide.setdefault(scope, _Places([*unknown], [*unknown]))
                if place is not None:
                    places.add(place - 1, devices.get(cost.device), cost.micros)
    return {
        "devices": list(devices),
        "name": [cost.name for cost in costs],
        "device": [devices.get(cost.device) for cost in costs],
        "micros": [cost.micros for cost in costs],
        "places": [
            {"name": scope.name, "device": places.device, "micros": places.micros}
            for scope, places in wide.items()
        ],
    }


SEVERAL = -1
"""Device of a stack whose nodes ran on several."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Device and time per place of a scope; None if unknown."""

    device: list[int | None]
    micros: list[float | None]

    def add(self, place: int, device: int | None, micros: float | None) -> None:
        """Add a node's costs to a place."""
        known, time = self.device[place], self.micros[place]
        if device is not None:
            self.device[place] = device if known in (None, device) else SEVERAL
        if micros is not None:
            self.micros[place] = micros + (time or 0)
