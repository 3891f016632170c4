"""RunColumn: one field of all runs, for filters, sorting and grouping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.value_order import (
    Value,
    is_number,
    present_value,
    value_key,
    value_of,
    value_text,
)


class RunColumn:
    """The value of each run; None if missing. Immutable."""

    def __init__(self, values: Sequence[Value]) -> None:
        self.values = values

    @classmethod
    def of(cls, cells: Sequence[Any]) -> RunColumn:
        """The column of logged facts."""
        if {*map(type, cells)} <= {float, bool, type(None)}:
            return cls(cells)
        return cls([value_of(cell) for cell in cells])

    def mask(self, test: Callable[[Value], bool]) -> NDArray[np.bool_]:
        """Which runs' values pass the test."""
        codes, values = self._distinct
        return np.fromiter(map(test, values), np.bool_, len(values))[codes]

    @cached_property
    def _distinct(self) -> tuple[Int64s, list[Value]]:
        """A number for each distinct value, and these values."""
        # The key tells 1 from True, as Python's equality does not.
        places: dict[tuple[type, Value], int] = {}
        keys = zip(map(type, self.values), self.values, strict=True)
        codes = [places.setdefault(key, len(places)) for key in keys]
        return np.array(codes, np.int64), [value for _, value in places]

    @cached_property
    def ranks(self) -> Float64s:
        """Numbers that sort as the values do; NaN for missing values."""
        values = [present_value(value) for value in self.values]
        if all(value is None or is_number(value) for value in values):
            return np.array([np.nan if value is None else value for value in values], np.float64)
        keys = {
            key: value_key(value)
            for value in values
            if (key := (type(value), value))[1] is not None
        }
        places = {key: place for place, key in enumerate(sorted(set(keys.values())))}
        ranks = {key: float(places[value]) for key, value in keys.items()}
        return np.array([ranks.get((type(value), value), np.nan) for value in values])

    @cached_property
    def codes(self) -> tuple[Int64s, list[Value]]:
        """A number for each distinct value, -1 for missing ones, and these values."""
        places: dict[tuple[type, Value], int] = {}
        codes = np.empty(len(self.values), np.int64)
        for row, cell in enumerate(self.values):
            value = present_value(cell)
            if value is None:
                codes[row] = -1
                continue
            # JavaScript has one type of numbers.
            kind = float if is_number(value) else type(value)
            codes[row] = places.setdefault((kind, value), len(places))
        return codes, [value for _, value in places]

    @cached_property
    def numbers(self) -> Float64s:
        """The numbers; NaN for other values."""
        return np.array(
            [value if is_number(value) else np.nan for value in self.values], np.float64
        )

    @cached_property
    def is_numeric(self) -> bool:
        """Whether the first value is a number."""
        return is_number(next((value for value in self.values if value is not None), None))

    @property
    def differs(self) -> bool:
        """Whether two runs have different values."""
        present = (value for value in self.values if value is not None)
        first = next(present, None)
        kind = is_number(first)
        # NaN differs from itself, as in the page.
        return any(value != first or is_number(value) is not kind for value in present)

    def frequent(self, limit: int) -> list[str]:
        """The most frequent values as texts; equally frequent ones in order."""
        present = (value for value in map(present_value, self.values) if value is not None)
        # JavaScript has one type of numbers.
        counts = Counter((float if is_number(value) else type(value), value) for value in present)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], value_key(item[0][1])))
        return [value_text(value) for (_, value), _ in ordered[:limit]]
