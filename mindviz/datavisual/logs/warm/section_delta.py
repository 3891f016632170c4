"""What a section has more than an earlier one, as a section.

A state is written again and again while its file grows, and most of it stays the same. A delta has
the end of a text or list, the changed values of a mapping and the changed rows of a column.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import starmap
from typing import Any

import numpy as np

from mindviz.datavisual.logs.warm.pack import Column, Place, Section

_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


def delta_of(old: Section, new: Section) -> Section:
    """The section that `applied` turns `old` into `new` with."""
    columns: list[Column] = []
    same: list[int] = []
    earlier = list(old.columns)
    for number, column in enumerate(new.columns):
        known = earlier[number] if number < len(earlier) else column[:0]
        if known.dtype != column.dtype or len(known) > len(column):
            known = column[:0]
        there, now = _bits(known), _bits(column)
        rows = np.flatnonzero(there != now[: len(there)]).astype(np.int32)
        columns += [rows, np.concatenate([column[rows], column[len(known) :]])]
        same.append(len(known))
    # Keys of mappings are texts then, and tuples are lists.
    document = json.loads(_ENCODE(new.document))
    difference = _difference(old.document, document)
    return Section({"difference": difference, "same": same}, columns)


def applied(old: Section, delta: Section) -> Section:
    """The section that `delta` was made for."""
    parts = list(delta.columns)
    earlier = list(old.columns)
    columns: list[Column] = []
    for number, length in enumerate(delta.document["same"]):
        rows, values = parts[2 * number : 2 * number + 2]
        if not length:
            columns.append(values)
            continue
        known = earlier[number]
        if len(values):
            known = np.concatenate([known, values[len(rows) :]])
            known[rows] = values[: len(rows)]
            known.flags.writeable = False
        columns.append(known)
    return Section(_changed(old.document, delta.document["difference"]), columns)


def states_at(place: Place, read: Callable[[Place], Section]) -> Sequence[tuple[Place, Section]]:
    """The state at a place, after those that it is a delta of, the complete one first.

    Raises what `read` raises.
    """
    section = read(place)
    states: list[tuple[Place, Section]] = []
    for base in starmap(Place, section.document.get("bases", ())):
        states.append((base, applied(states[-1][1], read(base)) if states else read(base)))
    return [*states, (place, applied(states[-1][1], section) if states else section)]


def _bits(column: Column) -> Column:
    """Comparable: no NaN is equal to itself."""
    return np.ascontiguousarray(column).view(f"u{column.dtype.itemsize}")


def _difference(old: Any, new: Any) -> dict[str, Any]:
    """As in `_changed`."""
    if isinstance(old, dict) and isinstance(new, dict) and list(new)[: len(old)] == list(old):
        changes = {
            key: _difference(old[key], value) if key in old else {"value": value}
            for key, value in new.items()
            if key not in old or not _is_same(old[key], value)
        }
        return {"keys": changes}
    if type(old) is type(new) and isinstance(new, list | str):
        pairs = enumerate(zip(old, new, strict=False))
        shorter = min(len(old), len(new))
        start = next((at for at, pair in pairs if not _is_same(*pair)), shorter)
        return {"start": start, "end": new[start:]}
    return {"value": new}


def _changed(old: Any, difference: dict[str, Any]) -> Any:
    """What was new."""
    match difference:
        case {"keys": changes}:
            return old | {key: _changed(old.get(key), change) for key, change in changes.items()}
        case {"start": start, "end": end}:
            return old[:start] + end
    return difference["value"]


def _is_same(old: Any, new: Any) -> bool:
    """Also if it is NaN, or 0.0 beside -0.0."""
    if isinstance(old, str) and isinstance(new, str):
        return old == new
    return old is new or _ENCODE(old) == _ENCODE(new)
