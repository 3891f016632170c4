"""Compares two arrays of numbers or strings, a block of elements at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.series_parity import (
    EXACT,
    StepParity,
    Tolerance,
    described,
    differences,
)
from mindviz.datavisual.series.series_view import check_elements
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge

MAX_ELEMENTS = 100_000_000
_BLOCK = 1 << 18
_BEFORE, _EXCERPT = 10, 40
"""Characters of a text that are shown: before the first difference, and of all."""


def compare_arrays(a: NDArray[Any], b: NDArray[Any], tolerance: Tolerance) -> StepParity:
    """Compare element by element, whatever the dtypes. Raises AnswerTooLarge."""
    if a.shape != b.shape:
        return described(lambda one: f"shape {list(one.shape)}", a, b, shapes=True)
    # Broadcast axes (stride 0) repeat one element: compare it once.
    pairs = zip(a.strides, b.strides, strict=True)
    distinct = tuple(slice(0, 1 if pair == (0, 0) else None) for pair in pairs)
    a, b = a[distinct], b[distinct]
    if "O" in (a.dtype.kind, b.dtype.kind):
        found = compare_texts(texts(a), texts(b))
    elif a.size > MAX_ELEMENTS:
        raise AnswerTooLarge(f"Arrays of {a.size} elements are not compared.")
    else:
        found = _compared_numbers(a, b, tolerance)
    if not found.different:
        return found
    at = np.unravel_index(found.index[0], a.shape)
    return replace(found, index=tuple(int(place) for place in at))


def texts(array: NDArray[Any]) -> list[str]:
    """The elements in row-major order. Raises AnswerTooLarge."""
    check_elements(array.size)
    return [
        str(one, "utf-8", "replace") if isinstance(one, bytes) else str(one) for one in array.flat
    ]


def compare_texts(a: Sequence[str], b: Sequence[str]) -> StepParity:
    """Compare two lists of texts; excerpts begin shortly before the first difference."""
    for index, (x, y) in enumerate(zip_longest(a, b)):
        if x is None or y is None:
            return described(lambda one: f"texts: {len(one):,}", a, b, shapes=True)
        if x != y:
            place = next((i for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), None)
            start = max(0, (min(len(x), len(y)) if place is None else place) - _BEFORE)
            return StepParity(True, _excerpt(x, start), _excerpt(y, start), (index,))
    return StepParity()


def _compared_numbers(a: NDArray[Any], b: NDArray[Any], tolerance: Tolerance) -> StepParity:
    """The index is of the flat arrays."""
    first: StepParity | None = None
    absolute = relative = 0.0
    non_finite = False
    wide = np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64
    whole = tolerance == EXACT and {a.dtype.kind, b.dtype.kind} <= {*"iub"}
    flat_a, flat_b = _flat(a), _flat(b)
    for start in range(0, a.size, _BLOCK):
        check()
        x, y = flat_a[start : start + _BLOCK], flat_b[start : start + _BLOCK]
        found = differences(x.astype(wide), y.astype(wide), tolerance)
        # float64 has no room for all int64.
        differ = x != y if whole else found.differ
        absolute = max(absolute, float(found.absolute.max()))
        relative = max(relative, float(found.relative.max()))
        non_finite = non_finite or bool((differ & ~found.finite).any())
        if first is None and differ.any():
            at = int(np.argmax(differ))
            first = StepParity(True, _number(x[at]), _number(y[at]), (start + at,))
    pair = first or StepParity()
    return StepParity(first is not None, pair.a, pair.b, pair.index, absolute, relative, non_finite)


def _flat(array: NDArray[Any]) -> Any:
    """Without a copy, which of a broadcast element could be of any size."""
    return array.reshape(-1) if array.flags.c_contiguous else array.flat


def _number(value: np.generic) -> float | str:
    return str(value) if value.dtype.kind == "c" else float(value)


def _excerpt(text: str, start: int) -> str:
    end = start + _EXCERPT
    return f"{'…' * bool(start)}{text[start:end]}{'…' * (end < len(text))}"
