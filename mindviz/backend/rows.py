"""Converts columns to JSON rows, which the contract wants.

orjson encodes whole columns fast; weaving their elements into objects is done by the compiled
`_rows`, or by `weave` without it.
"""

from __future__ import annotations

from collections.abc import Mapping

try:
    from mindviz.backend import _rows  # type: ignore[attr-defined] # compiled where a compiler is
except ImportError:
    _rows = None


def rows_json(columns: Mapping[str, bytes]) -> bytes:
    """`{"a": b"[1,2]", "b": b"[3,4]"}` -> `[{"a":1,"b":3},{"a":2,"b":4}]`.

    Each column is a JSON array of numbers, booleans or nulls without spaces. Raises ValueError if
    their lengths differ. Names must not need escaping.
    """
    names = [name.encode("ascii") for name in columns]
    if _rows is not None:
        woven: bytes = _rows.weave(names, list(columns.values()))
        return woven
    return weave(names, list(columns.values()))


def weave(names: list[bytes], columns: list[bytes]) -> bytes:
    """`_rows.weave` in Python."""
    elements = [column[1:-1].split(b",") if column != b"[]" else [] for column in columns]
    template = b"{" + b",".join(b'"%b":%%b' % name for name in names) + b"}"
    return b"[" + b",".join(template % row for row in zip(*elements, strict=True)) + b"]"
