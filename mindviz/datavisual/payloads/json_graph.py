"""Reads the operators in the JSON of a `vdlgraph` file; malformed parts are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Json = Mapping[str, Any]


class JsonOperator(NamedTuple):
    """One operator; the file's scopes and the edges between them are skipped."""

    name: str
    type: str
    inputs: dict[str, bool]
    """Name of the source -> False: all edges carry tensors."""
    outputs: list[Json]
    """Variables: `shape`, `dtype`."""
    attributes: Json


def json_operators(content: Json) -> Iterator[JsonOperator]:
    """The operators in file order."""
    variables = {str(variable.get("name")): variable for variable in mappings(content.get("vars"))}
    for node in mappings(content.get("nodes")):
        name = str(node.get("name") or "")
        if not name.strip("/") or not node.get("is_leaf_node", not node.get("children_node")):
            continue
        inputs = dict.fromkeys(_strings(node.get("input_nodes")), False)
        for key in _slots(node.get("input_vars")):
            source = variables.get(key, {}).get("from_node")
            if isinstance(source, str) and source:
                inputs[source] = False
        outputs = [variables[key] for key in _slots(node.get("output_vars")) if key in variables]
        attributes = node.get("attrs")
        yield JsonOperator(
            name,
            str(node.get("type") or ""),
            inputs,
            outputs,
            attributes if isinstance(attributes, Mapping) else {},
        )


def json_texts(attributes: Json) -> Callable[[], Mapping[str, str]]:
    """Computes the attributes as texts: strings as they are, other values as JSON."""

    def texts() -> Mapping[str, str]:
        import orjson  # noqa: PLC0415 -- `mindviz start` must not wait for it

        return {
            str(key): value if isinstance(value, str) else orjson.dumps(value).decode()
            for key, value in attributes.items()
        }

    return texts


def mappings(value: object) -> Iterator[Json]:
    """The objects in a JSON list."""
    yield from (obj for obj in value if isinstance(obj, Mapping)) if isinstance(value, list) else ()


def _strings(value: object) -> Iterator[str]:
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _slots(slots: object) -> Iterator[str]:
    if isinstance(slots, Mapping):
        for names in slots.values():
            yield from _strings(names)
