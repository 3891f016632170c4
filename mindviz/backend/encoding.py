"""Encodes columns as JSON: rows as in the contract, or columns.

JSON has no NaN: non-finite numbers are null. For values, `non_finite` next to the series lists them
as `[[index, "NaN" | "Infinity" | "-Infinity"], ...]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import orjson

from mindviz.backend.rows import rows_json
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.selection import SelectedScalars
from mindviz.datavisual.series.series_view import Column, SeriesView

MAX_PROBLEMS = 100
"""Maximum number of problems per train job in listings."""
NUMPY = orjson.OPT_SERIALIZE_NUMPY


def to_json(answer: Any) -> bytes:
    """JSON of plain values, dataclasses and numpy arrays; non-finite numbers become null."""
    return orjson.dumps(answer, option=NUMPY, default=_plain)


def _plain(value: Any) -> Any:
    """Converts types that orjson lacks: bytes, non-contiguous arrays, unusual dtypes."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    raise TypeError(f"no JSON for {type(value).__name__}")


def non_finite(values: Float64s) -> list[tuple[int, str]]:
    """Index and name of each non-finite value."""
    finite = np.isfinite(values)
    if finite.all():
        return []
    indices = np.flatnonzero(~finite)
    names = {True: "Infinity", False: "-Infinity"}
    return [
        (i, "NaN" if np.isnan(v) else names[v > 0])
        for i, v in zip(indices.tolist(), values[indices].tolist(), strict=True)
    ]


def series_facts(selected: SelectedScalars, *, with_since: bool) -> dict[str, Any]:
    """Facts about a series in our own routes, for all formats."""
    points = selected.points
    facts: dict[str, Any] = {
        "total": points.total,
        "superseded": points.superseded_count,
        "in_range": selected.in_range,
        "writers": list(points.writers),
        "non_finite": non_finite(points.value),
    }
    if selected.x is not None:
        facts["without_x"] = selected.without_x
    if with_since:
        facts["reset"] = selected.reset
        facts["truncate_from_step"] = selected.truncate_from_step
    return facts


def points_json(selected: SelectedScalars, *, columns: bool, marks: bool) -> bytes:
    """The points of one series as JSON: an array of rows, or an object of columns.

    `marks` adds which points are superseded.
    """
    points = selected.points
    optional: dict[str, np.ndarray[Any, Any] | None] = {
        "wall_time": points.wall_time,
        "step": points.step,
        "value": points.value,
        "superseded": points.superseded if marks else None,
        "smoothed": selected.smoothed,
        "x": selected.x,
    }
    arrays = {name: np.ascontiguousarray(col) for name, col in optional.items() if col is not None}
    if columns:
        return to_json(arrays)
    return rows_json({name: orjson.dumps(array, option=NUMPY) for name, array in arrays.items()})


def plain_columns(columns: Mapping[str, Column]) -> dict[str, Any]:
    """Columns of a view in the types that orjson encodes fastest."""
    return {
        name: np.ascontiguousarray(column) if isinstance(column, np.ndarray) else list(column)
        for name, column in columns.items()
    }


def rows_of_view(view: SeriesView, names: Sequence[str]) -> list[dict[str, Any]]:
    """A row per step with these columns, without damaged steps."""
    columns = [view.columns[name] for name in names]
    return [
        {"wall_time": wall_time, "step": step, **dict(zip(names, values, strict=True))}
        for row, (wall_time, step, *values) in enumerate(
            zip(view.wall_time.tolist(), view.step.tolist(), *columns, strict=True)
        )
        if row not in view.problems
    ]


def problems_by_step(step: Int64s, problems: Mapping[int, str]) -> list[dict[str, Any]]:
    """The damaged values of a series, with the reason."""
    return [
        {"row": row, "step": int(step[row]), "detail": detail}
        for row, detail in sorted(problems.items())
    ]


def objects_json(
    outer: Mapping[str, Any], key: str, items: Iterable[tuple[Mapping[str, Any], bytes]]
) -> bytes:
    """`outer` as a JSON object; under `key`, an object per item with its facts and `values`.

    The values are already encoded, and copied only once: they may be megabytes.
    """
    parts = [_open(outer, key), b"["]
    for facts, values in items:
        parts += (_open(facts, "values"), values, b"},")
    if len(parts) > 2:
        parts[-1] = b"}"
    parts.append(b"]}")
    return b"".join(parts)


def object_json(facts: Mapping[str, Any], key: str, values: bytes) -> bytes:
    """The facts as a JSON object with encoded values under `key`."""
    return b"".join((_open(facts, key), values, b"}"))


def _open(facts: Mapping[str, Any], key: str) -> bytes:
    """The start of a JSON object: these facts, then `key`."""
    head = to_json(facts)[:-1]
    return b"".join((head, b"," if facts else b"", b'"', key.encode("ascii"), b'":'))
