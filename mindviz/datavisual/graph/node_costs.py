"""Where the nodes of a graph ran and how long, as far as the log says so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mindviz.datavisual.graph.node import Node

DEVICES = ("device", "primitive_target", "device_target")
TIMES = ("compute_micros", "total_micros")
"""Attributes, the better ones first."""
_QUOTED = re.compile(r'\bstr_val: "(.*)"')


@dataclass(frozen=True, slots=True)
class NodeCost:
    """What is known of one node."""

    name: str
    device: str
    """Empty: unknown."""
    micros: float | None
    """Microseconds; None: unknown."""


def node_costs(leaves: Iterable[Node]) -> Iterator[NodeCost]:
    """Of those nodes that anything is known of."""
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


def costs_by_column(costs: Iterable[NodeCost]) -> Mapping[str, list[object]]:
    """As columns: few devices for many nodes."""
    devices: dict[str, int] = {}
    names: list[object] = []
    device: list[object] = []
    micros: list[object] = []
    for cost in costs:
        names.append(cost.name)
        device.append(devices.setdefault(cost.device, len(devices)) if cost.device else None)
        micros.append(cost.micros)
    return {"devices": list(devices), "name": names, "device": device, "micros": micros}
