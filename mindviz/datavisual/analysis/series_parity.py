"""Compares two series step by step: scalars at once, other values one step at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.answer_memory import holding
from mindviz.datavisual.series.columns import Bools, Float64s, Int64s
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.time_series import Audio, Image, Tensor, Value
from mindviz.deadline import check
from mindviz.errors import AnswerTooLarge, DamagedValue, InvalidQuery

MAX_RANGES = 10
"""Ranges of missing steps listed per series."""
CONTEXT = 25
"""Points of a window on each side of the first difference."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Values are equal as in `math.isclose(a, b, rel_tol=rtol, abs_tol=atol)`, or both NaN.

    Zero compares exactly. Raises InvalidQuery for negative numbers and NaN.
    """

    rtol: float = 0.0
    atol: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("atol", self.atol)):
            if not 0 <= value < math.inf:
                raise InvalidQuery(f"{name} must be a finite number of at least 0, not {value}.")


EXACT = Tolerance()


@dataclass(frozen=True, slots=True)
class ValuePair:
    """The values of both series at a step."""

    step: int
    a: float | str
    """A number, or what tells the values apart: a part of a text, a shape, a media type."""
    b: float | str
    index: tuple[int, ...] = ()
    """Of the first elements of arrays and lists that differ."""


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest difference and the first step that has it."""

    size: float
    step: int


@dataclass(frozen=True, slots=True)
class MissingSteps:
    """Steps that only one of the series has."""

    count: int = 0
    ranges: tuple[tuple[int, int], ...] = ()
    """First and last step of each gap, the first `MAX_RANGES`."""


@dataclass(frozen=True, slots=True)
class SeriesParity:
    """The result of comparing series A and B."""

    common_steps: int
    different_steps: int
    """Common steps with different values."""
    first: ValuePair | None
    """The first of the different steps."""
    largest_absolute: Largest | None
    """|a - b| over all finite values of common steps; None if all of them are equal."""
    largest_relative: Largest | None
    """|a - b| / max(|a|, |b|), likewise."""
    non_finite_steps: int
    """Different steps where a value is NaN or infinite."""
    missing_a: MissingSteps
    """Steps of B that A lacks."""
    missing_b: MissingSteps
    window: tuple[int, int] | None = None
    """First and last step of a chart that shows `first_step` in context."""
    shape_steps: int = 0
    """Different steps where the shapes differ."""
    uncompared_steps: int = 0
    """Common steps whose values are damaged or too large to compare."""
    reencoded_steps: int = 0
    """Equal steps with other bytes: the same pixels or samples, encoded in another way."""

    @property
    def equal(self) -> bool:
        """Whether both have the same steps with equal values."""
        return not (
            self.different_steps
            or self.uncompared_steps
            or self.missing_a.count
            or self.missing_b.count
        )

    @property
    def first_step(self) -> int | None:
        """The first step with different values, or that one series lacks."""
        steps = [gaps.ranges[0][0] for gaps in (self.missing_a, self.missing_b) if gaps.ranges]
        if self.first is not None:
            steps.append(self.first.step)
        return min(steps, default=None)


class Differences(NamedTuple):
    """How numbers of A and B differ, one element each."""

    differ: Bools
    """Outside the tolerance."""
    finite: Bools
    """Whether both are."""
    absolute: Float64s
    """|a - b|; 0 unless both are finite."""
    relative: Float64s
    """|a - b| / max(|a|, |b|), likewise."""


def differences(a: NDArray[Any], b: NDArray[Any], tolerance: Tolerance) -> Differences:
    """Compare numbers, given as float64 or complex128."""
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        absolute = np.where(finite, np.abs(a - b), 0.0)
        magnitude = np.maximum(np.abs(a), np.abs(b))
        relative = np.divide(absolute, magnitude, out=np.zeros(len(a)), where=absolute > 0)
    return Differences(~_are_close(a, b, tolerance), finite, absolute, relative)


def compare_series(a: ScalarPoints, b: ScalarPoints, tolerance: Tolerance = EXACT) -> SeriesParity:
    """Compare the points of two series of scalars; in both, steps increase strictly."""
    in_a, in_b = _common(a.step, b.step)
    step, value_a, value_b = a.step[in_a], a.value[in_a], b.value[in_b]
    found = differences(value_a, value_b, tolerance)
    first = int(np.argmax(found.differ)) if found.differ.any() else None
    parity = SeriesParity(
        common_steps=len(step),
        different_steps=int(np.count_nonzero(found.differ)),
        first=None
        if first is None
        else ValuePair(int(step[first]), float(value_a[first]), float(value_b[first])),
        largest_absolute=_largest(found.absolute, step),
        largest_relative=_largest(found.relative, step),
        non_finite_steps=int(np.count_nonzero(found.differ & ~found.finite)),
        missing_a=_missing(b.step, in_b),
        missing_b=_missing(a.step, in_a),
    )
    return replace(parity, window=_window(max(a.step, b.step, key=len), parity.first_step))


# Values that are read one by one ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepParity:
    """How the values of one step compare. The default is that they are equal."""

    different: bool = False
    a: float | str = 0.0
    """As in `ValuePair`."""
    b: float | str = 0.0
    index: tuple[int, ...] = ()
    absolute: float = 0.0
    """The largest |a - b| of finite elements."""
    relative: float = 0.0
    non_finite: bool = False
    """Whether NaN or an infinity makes the difference."""
    shapes: bool = False
    """Whether the shapes differ."""
    reencoded: bool = False
    """Whether only the bytes differ."""

    def within(self, index: int) -> StepParity:
        """The same as of element `index` of a list."""
        return replace(self, index=(index, *self.index)) if self.different else self


_Part = TypeVar("_Part")


def described(
    describe: Callable[[_Part], float | str], a: _Part, b: _Part, *, shapes: bool = False
) -> StepParity:
    """A difference between two parts of values, each described on its own."""
    return StepParity(True, describe(a), describe(b), shapes=shapes)


def compare_parts(
    a: Sequence[_Part], b: Sequence[_Part], compare: Callable[[_Part, _Part], StepParity]
) -> StepParity:
    """Compare equally many parts: the place of the first difference, the sizes of the largest."""
    found = [
        compare(x, y).within(index) for index, (x, y) in enumerate(zip(a, b, strict=True)) if x != y
    ]
    if not found:
        return StepParity()
    first = next((one for one in found if one.different), found[0])
    return replace(
        first,
        absolute=max(one.absolute for one in found),
        relative=max(one.relative for one in found),
        non_finite=any(one.non_finite for one in found),
        shapes=any(one.shapes for one in found),
    )


CompareValues = Callable[[Any, Any, Tolerance], StepParity]
"""Compares the values of one plugin. Raises DamagedValue, AnswerTooLarge."""

StepValues = Iterable[tuple[int, Callable[[], Value]]]
"""Step and value of each point, newest first. Reading raises DamagedValue."""


def compare_values(
    a: StepValues, b: StepValues, compare: CompareValues, tolerance: Tolerance = EXACT
) -> SeriesParity:
    """Compare the values of two series, holding one of each at a time."""
    steps_a, steps_b, common = list[int](), list[int](), list[int]()
    found = list[StepParity]()
    uncompared = 0
    for step, read_a, read_b in _merged(a, b):
        check()
        if read_a is not None:
            steps_a.append(step)
        if read_b is not None:
            steps_b.append(step)
        if read_a is None or read_b is None:
            continue
        common.append(step)
        try:
            found.append(_compared(read_a, read_b, compare, tolerance))
        except (DamagedValue, AnswerTooLarge):
            uncompared += 1
            found.append(StepParity())
    return _summary(steps_a[::-1], steps_b[::-1], common[::-1], found[::-1], uncompared)


def _merged(
    a: StepValues, b: StepValues
) -> Iterator[tuple[int, Callable[[], Value] | None, Callable[[], Value] | None]]:
    """Step and values of both, None in the series that lacks it."""
    left, right = iter(a), iter(b)
    x, y = next(left, None), next(right, None)
    while x is not None or y is not None:
        step = max(pair[0] for pair in (x, y) if pair is not None)
        in_a, in_b = x is not None and x[0] == step, y is not None and y[0] == step
        yield step, x[1] if x and in_a else None, y[1] if y and in_b else None
        if in_a:
            x = next(left, None)
        if in_b:
            y = next(right, None)


def _compared(
    read_a: Callable[[], Value],
    read_b: Callable[[], Value],
    compare: CompareValues,
    tolerance: Tolerance,
) -> StepParity:
    a = read_a()
    with holding(_size(a)):
        b = read_b()
        with holding(_size(b)):
            return compare(a, b, tolerance)


_Kind = TypeVar("_Kind")


def both(kind: type[_Kind], a: object, b: object) -> tuple[_Kind, _Kind]:
    """Both values, which must be of this class. Raises DamagedValue."""
    if not isinstance(a, kind) or not isinstance(b, kind):
        raise DamagedValue(f"The values are not both of the class {kind.__name__}.")
    return a, b


def _size(value: Value) -> int:
    """Bytes of the large parts of a value."""
    if isinstance(value, Tensor):
        return 0 if 0 in value.data.strides else value.data.nbytes
    blobs = value.encoded if isinstance(value, Image) else ()
    return sum(map(len, value.clips if isinstance(value, Audio) else blobs))


def _summary(
    steps_a: list[int],
    steps_b: list[int],
    common: list[int],
    found: list[StepParity],
    uncompared: int,
) -> SeriesParity:
    a, b, step = (np.array(steps, np.int64) for steps in (steps_a, steps_b, common))
    in_a, in_b = _common(a, b)
    pairs = zip(common, found, strict=True)
    first = next(((step, one) for step, one in pairs if one.different), None)
    parity = SeriesParity(
        common_steps=len(common),
        different_steps=sum(one.different for one in found),
        first=None
        if first is None
        else ValuePair(first[0], first[1].a, first[1].b, first[1].index),
        largest_absolute=_largest(np.array([one.absolute for one in found]), step),
        largest_relative=_largest(np.array([one.relative for one in found]), step),
        non_finite_steps=sum(one.non_finite for one in found),
        missing_a=_missing(b, in_b),
        missing_b=_missing(a, in_a),
        shape_steps=sum(one.shapes for one in found),
        uncompared_steps=uncompared,
        reencoded_steps=sum(one.reencoded for one in found),
    )
    return replace(parity, window=_window(max(a, b, key=len), parity.first_step))


# --------------------------------------------------------------------------------------------------


def _window(steps: Int64s, step: int | None) -> tuple[int, int] | None:
    """Some points around a step, and the step itself."""
    if step is None:
        return None
    place = int(np.searchsorted(steps, step))
    first, last = max(0, place - CONTEXT), min(place + CONTEXT, len(steps) - 1)
    return min(step, int(steps[first])), max(step, int(steps[last]))


def _common(a: Int64s, b: Int64s) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which steps of each series the other one has, too."""
    if np.array_equal(a, b):
        return np.ones(len(a), np.bool_), np.ones(len(b), np.bool_)
    return _is_in(a, b), _is_in(b, a)


def _is_in(steps: Int64s, others: Int64s) -> NDArray[np.bool_]:
    if not len(others):
        return np.zeros(len(steps), np.bool_)
    places = np.searchsorted(others, steps).clip(max=len(others) - 1)
    found: NDArray[np.bool_] = others[places] == steps
    return found


def _are_close(a: NDArray[Any], b: NDArray[Any], tolerance: Tolerance) -> NDArray[np.bool_]:
    equal: NDArray[np.bool_] = (a == b) | (np.isnan(a) & np.isnan(b))
    if tolerance == EXACT:
        return equal
    with np.errstate(over="ignore", invalid="ignore"):
        difference = np.abs(b - a)
        close: Bools = (
            (difference <= np.abs(tolerance.rtol * b))
            | (difference <= np.abs(tolerance.rtol * a))
            | (difference <= tolerance.atol)
        )
    close &= ~(np.isinf(a) | np.isinf(b))
    return equal | close


def _largest(sizes: Float64s, step: Int64s) -> Largest | None:
    if not sizes.any():
        return None
    place = int(np.argmax(sizes))
    return Largest(float(sizes[place]), int(step[place]))


def _missing(steps: Int64s, is_common: NDArray[np.bool_]) -> MissingSteps:
    places = np.flatnonzero(~is_common)
    if not len(places):
        return MissingSteps()
    starts = places[np.diff(places, prepend=-2) > 1][:MAX_RANGES]
    ends = places[np.diff(places, append=len(steps) + 1) > 1][:MAX_RANGES]
    ranges = zip(steps[starts].tolist(), steps[ends].tolist(), strict=True)
    return MissingSteps(len(places), tuple(ranges))
