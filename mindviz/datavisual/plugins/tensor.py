"""Tensors: shapes, statistics, distributions and slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.analysis.array_parity import compare_arrays
from mindviz.datavisual.analysis.series_parity import StepParity, Tolerance, both
from mindviz.datavisual.analysis.tensor_dims import parse_dims
from mindviz.datavisual.analysis.tensor_statistics import (
    Array,
    Statistics,
    distribution,
    statistics,
)
from mindviz.datavisual.plugins import Plugin, logged_view
from mindviz.datavisual.plugins.histogram import AlignedHistograms, align
from mindviz.datavisual.series.generic_name import GenericName
from mindviz.datavisual.series.series_view import SeriesView, check_elements
from mindviz.datavisual.series.time_series import (
    TENSOR_PLUGIN,
    DataClass,
    Embedding,
    Histogram,
    Tensor,
    Value,
    ValueTimeSeries,
)
from mindviz.datavisual.series.value_table import Column, Kind, ValueTable
from mindviz.datavisual.store import Store
from mindviz.errors import AnswerTooLarge, DamagedValue, StepNotFound, TensorTooLarge

MAX_ELEMENTS = 10_000_000
"""Larger tensors are listed without statistics."""
MAX_SLICE_ELEMENTS = 100_000
"""Of one answer's data."""


@dataclass(frozen=True, slots=True, eq=False)
class TensorSlice:
    """A part of the tensor of one step."""

    step: int
    wall_time: float
    dims: tuple[int, ...]
    """Of the whole tensor."""
    data_type: str
    data: Array
    """The requested part."""
    statistics: Statistics | None
    """As `statistics` gives them."""


@logged_view("dims", "data_type")
def view(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """Shape and type of a step's tensor."""
    tensor = _tensor(series.read(row))
    return {"dims": list(tensor.data.shape), "data_type": tensor.dtype_name}


@logged_view("data", "type", "size")
def values(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """A step's elements in row-major order; complex ones as real and imaginary part.

    `type` is the name of the dtype, `size` the shape. Raises AnswerTooLarge.
    """
    tensor = _tensor(series.read(row))
    check_elements(tensor.data.size)
    data = tensor.data.ravel()
    if data.dtype.kind == "c":
        data = np.ascontiguousarray(data).view(data.real.dtype)
    return {"data": data, "type": tensor.dtype_name, "size": list(tensor.data.shape)}


def view_statistics(store: Store, train_id: str, tag: str, *, numbers: bool = False) -> SeriesView:
    """As `view`, and the statistics of every step; None where the tensor is too large or no number.

    With `numbers`, booleans are 0 and 1. Raises TrainJobNotFound, TagNotFound.
    """
    series = _series(store, train_id, tag, numbers=numbers)

    def measure(tensor: Tensor) -> Statistics | None:
        small = tensor.data.size <= MAX_ELEMENTS
        return statistics(tensor.data, tensor.data) if small else None

    listed, measured = _each(series, measure)
    return replace(listed, columns={**listed.columns, "statistics": measured})


def view_histograms(
    store: Store, train_id: str, tag: str, *, numbers: bool = False
) -> tuple[SeriesView, AlignedHistograms]:
    """As `view_statistics`, and how every step's elements are distributed, on the same buckets.

    The second result has a row for every row of the first; one that could not be read is empty.
    With `numbers`, booleans are 0 and 1. Raises TrainJobNotFound, TagNotFound, TensorTooLarge.
    """
    series = _series(store, train_id, tag, numbers=numbers)

    def measure(tensor: Tensor) -> tuple[Statistics | None, Histogram]:
        _check_size(tensor)
        return statistics(tensor.data, tensor.data), distribution(tensor.data)

    listed, measured = _each(series, measure)
    columns = {**listed.columns, "statistics": [pair and pair[0] for pair in measured]}
    histograms = [pair[1] if pair else Histogram(np.empty((0, 3))) for pair in measured]
    return replace(listed, columns=columns), align(series.step, series.wall_time, histograms)


def read_slice(
    store: Store,
    train_id: str,
    tag: str,
    step: int,
    dims: str,
    *,
    numbers: bool = False,
) -> TensorSlice:
    """The part `dims` of the tensor at `step`. With `numbers`, booleans are 0 and 1.

    Raises TrainJobNotFound, TagNotFound, StepNotFound, InvalidQuery, AnswerTooLarge (more than
    `MAX_SLICE_ELEMENTS`), TensorTooLarge, DamagedValue.
    """
    series = _series(store, train_id, tag, numbers=numbers)
    value, wall_time = _value_at(series, tag, step)
    tensor = _tensor(value)
    _check_size(tensor)
    part = np.asarray(tensor.data[parse_dims(dims, tensor.data.shape)])
    if part.size > MAX_SLICE_ELEMENTS:
        raise AnswerTooLarge(
            f"The slice has {part.size} elements, more than the {MAX_SLICE_ELEMENTS} allowed."
        )
    return TensorSlice(
        step=step,
        wall_time=wall_time,
        dims=tensor.data.shape,
        data_type=tensor.dtype_name,
        data=part,
        statistics=statistics(part, tensor.data),
    )


def read_tensor(
    store: Store, plugin_name: str, train_id: str, tag: str, step: int, *, dims: str = ""
) -> Array:
    """The elements at `step`, in their own dtype where numpy has it: all, or the part `dims`.

    Of the tensors of any plugin, however large they are; of embeddings the vectors. Raises
    TrainJobNotFound, TagNotFound, StepNotFound, InvalidQuery, DamagedValue.
    """
    value, _ = _value_at(store.read_values(train_id, plugin_name, tag), tag, step)
    data = value.vectors if isinstance(value, Embedding) else _tensor(value).data
    if not dims:
        return data
    return np.asarray(data[parse_dims(dims, data.shape, most_slices=data.ndim)])


def read_embedding(store: Store, train_id: str, tag: str, step: int) -> Embedding:
    """The embedding at `step`. Raises as `read_tensor`."""
    value, _ = _value_at(store.read_values(train_id, "embedding", tag), tag, step)
    if not isinstance(value, Embedding):
        raise DamagedValue("The value is not an embedding.")
    return value


def _series(store: Store, train_id: str, tag: str, *, numbers: bool) -> ValueTimeSeries:
    series = store.read_values(train_id, "tensor", tag)
    if not numbers:
        return series
    return replace(series, read=lambda row: _in_numbers(series.read(row)))


def _in_numbers(value: Value) -> Value:
    if isinstance(value, Tensor) and value.data.dtype == np.bool_:
        return replace(value, data=value.data.astype(np.float32))
    return value


def _value_at(series: ValueTimeSeries, tag: str, step: int) -> tuple[object, float]:
    row = int(np.searchsorted(series.step, step))
    if row == len(series.step) or series.step[row] != step:
        raise StepNotFound(tag, step)
    return series.read(row), float(series.wall_time[row])


_Measured = TypeVar("_Measured")


def _each(
    series: ValueTimeSeries, measure: Callable[[Tensor], _Measured | None]
) -> tuple[SeriesView, list[_Measured | None]]:
    """Shape, type and measure of each tensor; None for damaged ones."""
    dims: list[list[int] | None] = [None] * len(series.step)
    data_type: list[str | None] = [None] * len(dims)
    measured: list[_Measured | None] = [None] * len(dims)
    problems: dict[int, str] = {}
    for row in range(len(dims)):
        try:
            tensor = _tensor(series.read(row))
            measured[row] = measure(tensor)
            dims[row], data_type[row] = list(tensor.data.shape), tensor.dtype_name
        except DamagedValue as error:
            problems[row] = str(error)
    columns: dict[str, list[Any]] = {"dims": dims, "data_type": data_type}
    return SeriesView(series.step, series.wall_time, series.epoch, columns, problems), measured


def _tensor(value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise DamagedValue("The value is not a tensor.")
    return value


def _check_size(tensor: Tensor) -> None:
    if tensor.data.size > MAX_ELEMENTS:
        raise TensorTooLarge(
            f"The tensor has {tensor.data.size} elements, more than the {MAX_ELEMENTS} looked at."
        )


MAX_TEXT_BYTES = 64 * 1024
MAX_TEXT_RATIO = 32
"""Maximum size of a tensor of strings, as bytes or as a multiple of the bytes in the log: numpy
pads all strings to the longest one."""


def _rows(value: object) -> Iterator[tuple[Any, ...]]:
    tensor = _tensor(value)
    array = tensor.data
    plain = _text_array(array) if array.dtype.kind == "O" else np.asarray(array)
    yield np.array(array.shape, np.int64), tensor.dtype_name, plain.dtype.str, plain


def _text_array(strings: NDArray[Any]) -> NDArray[np.str_]:
    """Strings as a numpy array; invalid UTF-8 is replaced. Raises DamagedValue."""
    flat = strings.ravel().tolist()
    # The log may store one string for all elements, so equal objects count once.
    stored = {id(string): len(string) for string in flat}
    nbytes = 4 * max(stored.values(), default=0) * len(flat)
    if nbytes > max(MAX_TEXT_BYTES, MAX_TEXT_RATIO * sum(stored.values())):
        raise DamagedValue(
            f"The lengths of the tensor's strings differ too much: its array takes {nbytes} bytes."
        )
    decoded = [
        string.decode("utf-8", "replace") if isinstance(string, bytes) else str(string)
        for string in flat
    ]
    return np.array(decoded, np.str_).reshape(strings.shape)


def parity(a: Value, b: Value, tolerance: Tolerance) -> StepParity:
    """The elements, whatever their dtypes."""
    x, y = both(Tensor, a, b)
    return compare_arrays(x.data, y.data, tolerance)


PLUGIN = Plugin(
    TENSOR_PLUGIN,
    "/tensor",
    DataClass.TENSOR,
    view,
    values={"": values},
    names=(
        GenericName("tensors", DataClass.TENSOR, fields=("tensor",)),
        GenericName("tensor", DataClass.TENSOR),  # torch's add_tensor
    ),
    table=ValueTable(
        (
            Column("shape", Kind.INTEGERS),
            Column("data_type", Kind.TEXT),
            Column("dtype", Kind.TEXT),
            Column("data", Kind.ARRAY),
        ),
        _rows,
    ),
    parity=parity,
    error_code="50545012",
)
