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
    number_of,
    present_value,
    value_key,
    value_of,
    value_text,
)
from mindviz.lineagemgr.run_filter import Comparison, Membership

_ORDERS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
Mask = NDArray[np.bool_]
_SAMPLE = 2_000
_FEW = 200
"""Distinct numbers in a sample, which may be all of them."""
MISSING, NUMBER = -1, -2
"""Places in an `ArrayColumn` of values that are not in its list."""


class RunColumn:
    """The value of each run; None if missing. Immutable."""

    def __init__(self, values: Sequence[Value]) -> None:
        self._values = values

    @property
    def values(self) -> Sequence[Value]:
        """One per run."""
        return self._values

    @classmethod
    def of(cls, cells: Sequence[Any]) -> RunColumn:
        """The column of logged facts."""
        if {*map(type, cells)} <= {float, bool, type(None)}:
            return cls(cells)
        return cls([value_of(cell) for cell in cells])

    def meets(self, compared: Comparison | Membership) -> Mask:
        """Which runs' values pass a comparison."""
        if isinstance(compared, Comparison):
            if compared.operator == "!=":
                return ~self.meets(Comparison(compared.field, "=", compared.value))
            if compared.bound is not None:
                with np.errstate(invalid="ignore"):
                    difference = self.numbers - compared.bound
                return np.asarray(_ORDERS[compared.operator](difference, 0), np.bool_)
        return self._passing(compared)

    def _passing(self, compared: Comparison | Membership) -> Mask:
        codes, values = self._distinct
        return np.fromiter(map(compared.test(), values), np.bool_, len(values))[codes]

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
    def codes(self) -> tuple[NDArray[Any], Sequence[Value]]:
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
    def code_keys(self) -> tuple[NDArray[np.bool_], Float64s]:
        """For each code: whether it is no number, and a number that sorts its kind."""
        _, values = self.codes
        numbers = np.array([value if is_number(value) else np.nan for value in values], np.float64)
        others = np.array([not is_number(value) for value in values], np.bool_)
        places = np.flatnonzero(others)
        numbers[places] = _places([values[place] for place in places.tolist()])
        return others, numbers

    @cached_property
    def is_numeric(self) -> bool:
        """Whether all values are numbers."""
        present = [value for value in self.values if value is not None]
        return bool(present) and all(map(is_number, present))

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


class ArrayColumn(RunColumn):
    """A column of many runs, as arrays: 9 to 12 bytes per value."""

    def __init__(
        self, places: NDArray[Any], others: Sequence[Value] = (), numbers: Float64s | None = None
    ) -> None:
        """`places`: of each value in the list `others`, NUMBER if it is in `numbers`, or MISSING.

        `numbers` are NaN for other values.
        """
        self.places = places
        self.others = others
        self._numbers = numbers
        super().__init__(_ArrayValues(places, others, numbers))

    @classmethod
    def coded(cls, codes: NDArray[Any], values: Sequence[Value]) -> ArrayColumn:
        """A column from the place of each value in a list, or MISSING."""
        if not any(map(is_number, values)):
            return cls(codes, values)
        # Ends with the code of missing values.
        numbers = np.array([value if is_number(value) else np.nan for value in [*values, None]])
        others = [value for value in values if not is_number(value) and value is not None]
        places = [
            NUMBER if is_number(value) else MISSING if value is None else others.index(value)
            for value in [*values, None]
        ]
        return cls(np.array(places, np.int32)[codes], others, numbers.astype(np.float64)[codes])

    @classmethod
    def joined(cls, columns: Sequence[ArrayColumn]) -> ArrayColumn:
        """The column of the first values that exist."""
        first, *others = columns
        for other in others:
            is_missing = first.places == MISSING
            places = other.places.astype(np.int32)
            places[places >= 0] += len(first.others)
            first = cls(
                np.where(is_missing, places, first.places),
                [*first.others, *other.others],
                np.where(is_missing, other.numbers, first.numbers),
            )
        return first

    @property
    def has_numbers(self) -> bool:
        """Whether values may be numbers."""
        return self._numbers is not None

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """What takes the memory."""
        cached = (self.__dict__.get("codes", ()) or ())[:1]
        cached = (*cached, self.__dict__.get("numbers"), self.__dict__.get("ranks"))
        known = (self.places, self._numbers, *cached)
        return list({id(array): array for array in known if array is not None}.values())

    def moved(self, move: Callable[[NDArray[Any]], NDArray[Any]]) -> ArrayColumn:
        """The same column with equal arrays elsewhere."""
        numbers = None if self._numbers is None else move(self._numbers)
        return ArrayColumn(move(self.places), self.others, numbers)

    @cached_property
    def codes(self) -> tuple[NDArray[Any], Sequence[Value]]:
        places = self.places
        numbers = np.empty(0) if self._numbers is None else self._numbers
        rows = np.flatnonzero(~np.isnan(numbers))
        distinct, numbered = _numbered(numbers[rows])
        values = enumerate(self.others)
        present = [place for place, value in values if present_value(value) is not None]
        # The last two are found by NUMBER and MISSING.
        of_places = np.full(len(self.others) + 2, -1, np.int32)
        of_places[present] = np.arange(len(present)) + len(distinct)
        codes = of_places[places]
        codes[rows] = numbered
        others = [self.others[place] for place in present]
        return codes, _Distinct(distinct, others)

    @cached_property
    def code_keys(self) -> tuple[NDArray[np.bool_], Float64s]:
        distinct = self.codes[1]
        assert isinstance(distinct, _Distinct)
        others = np.repeat([False, True], [len(distinct.numbers), len(distinct.others)])
        return others, np.concatenate([distinct.numbers, _places(distinct.others)])

    @cached_property
    def numbers(self) -> Float64s:
        return np.full(len(self.places), np.nan) if self._numbers is None else self._numbers

    @cached_property
    def ranks(self) -> Float64s:
        if not any(present_value(value) is not None for value in self.others):
            return self.numbers
        codes, distinct = self.codes
        assert isinstance(distinct, _Distinct)
        # A flag and its text sort alike.
        keys = [value_key(value) for value in distinct.others]
        places = {key: place for place, key in enumerate(sorted(set(keys)), len(distinct.numbers))}
        ranks = [*range(len(distinct.numbers)), *(places[key] for key in keys), np.nan]
        return np.array(ranks, np.float64).take(codes)

    @cached_property
    def is_numeric(self) -> bool:
        exists = self.places != MISSING
        return bool(exists.any()) and bool((self.places[exists] == NUMBER).all())

    @property
    def differs(self) -> bool:
        exists = self.places != MISSING
        if np.count_nonzero(exists) < 2:
            return False
        codes = self.codes[0]
        has_empty = any(self.others[place] == "" for place in np.unique(self.places) if place >= 0)
        has_nan = bool(np.isnan(self.numbers[self.places == NUMBER]).any())
        return has_nan or len(np.unique(codes[codes >= 0])) + has_empty > 1

    def _passing(self, compared: Comparison | Membership) -> Mask:
        test = compared.test()
        tests = [test(value) for value in self.others]
        # The last two: NUMBER, which is replaced below, and MISSING.
        found: Mask = np.array([*tests, False, test(None)], np.bool_)[self.places]
        if self._numbers is None:
            return found
        if compared.equal is not None:
            for text in compared.equal:  # numbers are NaN where other values are
                found |= self._numbers == number_of(text)
        elif compared.operator not in _ORDERS:  # numbers have no order with a text
            rows = np.flatnonzero(self.places == NUMBER)
            distinct, places = _numbered(self._numbers[rows])
            passed = np.fromiter(map(test, distinct.tolist()), np.bool_, len(distinct))
            found[rows] = passed[places]
        return found

    def frequent(self, limit: int) -> list[str]:
        codes, distinct = self.codes
        counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
        others, keys = self.code_keys
        order = np.lexsort((keys, others, -counts))[:limit].tolist()
        return [value_text(distinct[code]) for code in order if counts[code]]


def sorted_page(rows: Int64s, keys: Sequence[tuple[NDArray[Any], bool]], page: slice) -> Int64s:
    """A page of rows that are sorted by ranks, each descending or not; other pages are not sorted.

    Rows must be distinct. It is stable, and missing values come last. The most significant key
    comes first.
    """
    start, stop, _ = page.indices(len(rows))
    if not keys or start >= stop:
        return rows[start:stop]
    (ranks, descending), *others = keys
    if 2 * (stop - start) < len(rows):
        is_all = len(rows) == len(ranks)
        values = ranks if is_all else ranks[rows]
        values = -values if descending else values
        low, high = np.partition(values, (start, stop - 1))[[start, stop - 1]]
        # NaN is sorted last.
        is_before = ~np.isnan(values) if np.isnan(low) else values < low
        is_near = ~is_before if np.isnan(high) else (values <= high) & ~is_before
        before = int(np.count_nonzero(is_before))
        start, stop = start - before, stop - before
        rows = rows[is_near[rows] if is_all else is_near]
        if low == high or np.isnan(low):
            return sorted_page(rows, others, slice(start, stop))
    for ranks, descending in reversed(keys):
        values = -ranks[rows] if descending else ranks[rows]
        rows = rows[np.argsort(values, kind="stable")]
    return rows[start:stop]


def _numbered(numbers: Float64s) -> tuple[Float64s, Int64s]:
    """The sorted distinct numbers, and the place of each number among them."""
    few = np.unique(numbers[:: max(1, len(numbers) // _SAMPLE)])
    if 0 < len(few) <= _FEW:  # a sort of all takes longer
        places = np.searchsorted(few, numbers)
        places[places == len(few)] = 0
        if (few[places] == numbers).all():
            return few, places
    distinct, places = np.unique(numbers, return_inverse=True)
    return distinct, places


class _ArrayValues(Sequence[Value]):
    """The values of an `ArrayColumn`."""

    def __init__(
        self, places: NDArray[Any], others: Sequence[Value], numbers: Float64s | None
    ) -> None:
        self._places, self._others, self._numbers = places, others, numbers

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        place = int(self._places[row])
        if place >= 0:
            return self._others[place]
        if place == MISSING:
            return None
        assert self._numbers is not None
        return float(self._numbers[row])


class _Distinct(Sequence[Value]):
    """Sorted numbers, then other values."""

    def __init__(self, numbers: Float64s, others: Sequence[Value]) -> None:
        self.numbers, self.others = numbers, others

    def __len__(self) -> int:
        return len(self.numbers) + len(self.others)

    def __getitem__(self, code: Any) -> Any:
        if isinstance(code, slice):
            return [self[number] for number in range(*code.indices(len(self)))]
        count = len(self.numbers)
        return float(self.numbers[code]) if code < count else self.others[code - count]


def _places(values: Sequence[Value]) -> Float64s:
    """The place of each value in the order of texts; the flag before the equal text."""
    keys = [(value_key(value), isinstance(value, str)) for value in values]
    return np.argsort(sorted(range(len(keys)), key=keys.__getitem__)).astype(np.float64)
