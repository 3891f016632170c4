"""Converts PaddlePaddle programs to the form of VisualDL's graph files.

Sources: paddle/fluid/framework/framework.proto (`.pdmodel`: a ProgramDesc, parsed by hand, since
little of it is needed) and what Paddle 3.3 writes (`.json`: a PIR program).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mindviz.datavisual.payloads.json_graph import mappings
from mindviz.errors import DamagedValue
from mindviz.wire.fields import Message, signed

_DTYPES = dict(enumerate(("BOOL", "INT16", "INT32", "INT64", "FP16", "FP32", "FP64"))) | dict(
    enumerate(("UINT8", "INT8", "BF16", "COMPLEX64", "COMPLEX128"), 20)
)
"""VarType.Type -> its name."""
_PIR_DTYPES = {
    "bool": "BOOL",
    "ui8": "UINT8",
    "bf16": "BF16",
    **{f"i{bits}": f"INT{bits}" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": f"FP{bits}" for bits in (16, 32, 64)},
    **{f"c{bits}": f"COMPLEX{bits}" for bits in (64, 128)},
}
"""The part of a type's name after `t_` -> the same names."""
_INTEGERS = {0: 3, 9: 13}
"""AttrType, INT or LONG -> its field in an attribute."""
_OMITTED = frozenset({"op_callstack", "op_namescope", "struct_name", "op_role", "op_role_var"})
"""Attributes that locate an operator, or are not useful."""


@dataclass(slots=True)
class _Listing:
    """The `nodes` and `vars` of a VisualDL graph file, under construction."""

    nodes: list[dict[str, Any]] = field(default_factory=list)
    variables: dict[str, dict[str, Any]] = field(default_factory=dict)
    _numbers: Counter[str] = field(default_factory=Counter)

    def add(self, scope: str, kind: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        """Add an operator in a scope such as `/Net/fc`."""
        place = f"{scope.rstrip('/')}/{kind}"
        name = f"{place}_{self._numbers[place]}"
        self._numbers[place] += 1
        self.nodes.append(
            {
                "name": name,
                "type": kind,
                "is_leaf_node": True,
                "attrs": dict(attributes),
                "input_vars": {},
                "output_vars": {},
                "input_nodes": [],
            }
        )
        return self.nodes[-1]

    def content(self) -> dict[str, object]:
        """The JSON of a `vdlgraph` file."""
        return {"nodes": self.nodes, "vars": list(self.variables.values())}


def holds_pir(head: bytes) -> bool:
    """Whether a JSON file that starts with `head` is a PIR program, by its first sorted key."""
    return re.match(rb'\s*\{\s*"base_code"\s*:\s*\{[^{}]*"magic"\s*:\s*"pir"', head) is not None


def is_pir(content: Mapping[str, object]) -> bool:
    """Whether a JSON file is a PIR program."""
    code = content.get("base_code")
    return isinstance(code, Mapping) and code.get("magic") == "pir"


def program_graph(value: bytes) -> dict[str, object]:
    """The graph of a `.pdmodel` file. Raises DamagedValue."""
    listing = _Listing()
    blocks = Message(value).messages(1)
    for block in blocks:
        _add_block(listing, block)
    if not blocks:
        raise DamagedValue("A program cannot be decoded: it has no blocks.")
    return listing.content()


def _add_block(listing: _Listing, block: Message) -> None:
    """The operators of block 0; other blocks are conditional code."""
    number = block.integer(1)
    within = f"/block_{number}" if number else ""
    facts = {variable.text(1): _tensor(variable.message(2)) for variable in block.messages(3)}
    current: dict[str, str] = {}
    for operator in block.messages(4):
        attributes = dict(_attributes(operator))
        scope = within + str(attributes.get("op_namescope", "/"))
        shown = {name: value for name, value in attributes.items() if name not in _OMITTED}
        node = listing.add(scope, operator.text(3), shown)
        for slot, names in _slots(operator, 1):
            node["input_vars"][slot] = [current.get(name, name) for name in names]
        for slot, names in _slots(operator, 2):
            # A variable may be overwritten; later reads see the last write.
            written = [f"{name}\0{node['name']}" for name in names]
            node["output_vars"][slot] = written
            for name, key in zip(names, written, strict=True):
                listing.variables[key] = {"name": key, "from_node": node["name"]}
                listing.variables[key] |= facts.get(name, {})
                current[name] = key


def _slots(operator: Message, number: int) -> Iterator[tuple[str, list[str]]]:
    for slot in operator.messages(number):
        yield slot.text(1), [*slot.texts(2)]


def _attributes(operator: Message) -> Iterator[tuple[str, object]]:
    for attribute in operator.messages(4):
        name, kind = attribute.text(1), attribute.integer(2)
        if kind == 2:
            yield name, attribute.text(5)
        elif kind == 6:
            yield name, bool(attribute.integer(10))
        elif kind in _INTEGERS:
            yield name, attribute.integer(_INTEGERS[kind])


def _tensor(variable: Message) -> dict[str, object]:
    """Shape and data type of a variable, if it is a tensor (VarType.lod_tensor.tensor)."""
    tensor = variable.message(3).message(1)
    if 1 not in tensor:
        return {}
    shape = [signed(int(size)) for size in tensor.varints(2)]
    return {"shape": shape, "dtype": f"VarType.{_DTYPES.get(tensor.integer(1), '')}"}


def pir_graph(content: Mapping[str, Any]) -> dict[str, object]:
    """The graph of a PIR program; invalid parts are skipped.

    Operators in the regions of another operator are in a scope with its name.
    """
    listing = _Listing()
    waiting: deque[tuple[str, dict[str, Any] | None, list[Mapping[str, Any]]]]
    waiting = deque(("", None, region) for region in _regions(content.get("program")))
    while waiting:
        within, owner, operators = waiting.popleft()
        for operator in operators:
            kind = str(operator.get("#") or "").rpartition(".")[2]
            outputs = operator.get("O")
            outputs = [outputs] if isinstance(outputs, Mapping) else outputs
            if kind == "p":  # a parameter
                continue
            attributes = dict(_pir_attributes(operator.get("A")))
            scope = attributes.get("struct_name")
            shown = {name: value for name, value in attributes.items() if name not in _OMITTED}
            node = listing.add(
                within + (scope if isinstance(scope, str) else "/"), kind or "operator", shown
            )
            node["input_vars"]["I"] = [str(value.get("%")) for value in mappings(operator.get("I"))]
            node["output_vars"]["O"] = [str(value.get("%")) for value in mappings(outputs)]
            for value in mappings(outputs):
                key = str(value.get("%"))
                listing.variables[key] = {"name": key, "from_node": node["name"]}
                listing.variables[key] |= _pir_tensor(value.get("TT"))
            if kind == "yield" and owner is not None:
                owner["input_nodes"].append(node["name"])
            waiting.extend((node["name"], node, region) for region in _regions(operator))
    return listing.content()


def _regions(holder: object) -> Iterator[list[Mapping[str, Any]]]:
    if isinstance(holder, Mapping):
        for region in mappings(holder.get("regions")):
            blocks = mappings(region.get("blocks"))
            yield [operator for block in blocks for operator in mappings(block.get("ops"))]


def _pir_attributes(attributes: object) -> Iterator[tuple[str, object]]:
    for attribute in mappings(attributes):
        typed = attribute.get("AT")
        if isinstance(typed, Mapping):
            yield str(attribute.get("N")), typed.get("D")


def _pir_tensor(typed: object) -> dict[str, object]:
    """Parses `{"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, [-1, 4], "NCHW", [], 0]}`."""
    content = typed.get("D") if isinstance(typed, Mapping) else None
    if not isinstance(content, list) or len(content) < 2 or not isinstance(content[0], Mapping):
        return {}
    name = str(content[0].get("#") or "").rpartition("t_")[2]
    return {"shape": content[1], "dtype": f"VarType.{_PIR_DTYPES.get(name, '')}"}
