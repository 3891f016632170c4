"""Images, histograms and tensors as records in MindSpore's format.

Histograms have buckets of equal width, as in MindSpore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import quote

import numpy as np

from mindviz.summary.values import images
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.writing.recorded_step import Log, PooledValue
from mindviz.wire import encode_mindspore


def image(tag: str, value: object) -> Iterator[PooledValue]:
    """An image or a batch of images, in a layout of `images.LAYOUTS`."""
    what = f"image {tag!r}"
    layout = None
    if isinstance(value, images.Image):
        layout, value = value.layout, value.array
    array = snapshot(value, what)
    found = images.layout_of(array.shape, what, layout)
    yield _pooled(what, partial(images.encoded, tag, array, found), array)


def histogram(tag: str, value: object, *, keep_values: bool = False) -> Iterator[PooledValue]:
    """The distribution of an array's elements; with `keep_values` also the array itself."""
    what = f"histogram {tag!r}"
    array = snapshot(value, what)
    yield _pooled(what, partial(encoded_histogram, tag, array), array)
    if keep_values:
        yield _tensor(tag, array)


def tensor(tag: str, value: object, *, export_to: Path | None = None) -> Iterator[PooledValue]:
    """An array; with `export_to` also as a `.npy` file below that folder."""
    array = snapshot(value, f"tensor {tag!r}")
    yield _tensor(tag, array)
    if export_to is not None:
        yield PooledValue(
            Log.SUMMARY, f"export of tensor {tag!r}", partial(_export, export_to, tag, array)
        )


def _tensor(tag: str, array: Array) -> PooledValue:
    if array.dtype.name not in encode_mindspore.DATA_TYPES:  # such as longdouble
        array = array.astype(np.float64)
    return _pooled(f"tensor {tag!r}", partial(encode_mindspore.tensor, tag, array), array)


def _pooled(what: str, encode: Callable[[], bytes], array: Array) -> PooledValue:
    return PooledValue(
        Log.SUMMARY,
        what,
        lambda wall_time, step: encode_mindspore.event(wall_time, step, [encode()]),
        nbytes=array.nbytes,
        droppable=True,
    )


def _export(folder: Path, tag: str, array: Array, wall_time: float, step: int) -> None:
    """Write `tensor/<tag>_<step>.npy`, the path that MindSpore's `export_options` use."""
    del wall_time
    path = folder / "tensor" / f"{quote(tag, safe='')}_{step}.npy"
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, array)


MAX_BUCKETS = 90


def bucket_count(values: int) -> int:
    """The number of buckets for this many values. Source: MindSpore's summary adapter."""
    for limit, buckets in ((0, 1), (5, 2), (10, 3)):
        if values <= limit:
            return buckets
    return min(values // 10 + 1, MAX_BUCKETS)


def encoded_histogram(tag: str, values: Array) -> bytes:
    """A Summary.Value with the values' histogram; NaN and infinities are counted separately."""
    flat = values.reshape(-1)
    if flat.dtype.kind == "f":
        flat = flat.astype(np.float32, copy=False) if flat.dtype.itemsize < 4 else flat
        is_finite = np.isfinite(flat)
        finite = flat if is_finite.all() else flat[is_finite]
    else:
        flat = finite = flat.astype(np.float64)
    nan_count = positive = negative = 0
    if len(finite) < len(flat):
        nan_count = int(np.isnan(flat).sum())
        positive = int(np.isposinf(flat).sum())
        negative = len(flat) - len(finite) - nan_count - positive
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    counts, edges = _count(finite, low, high)
    with np.errstate(over="ignore"):
        total = float(finite.sum(dtype=np.float64))
    return encode_mindspore.histogram(
        tag,
        edges,
        counts,
        nan_count=nan_count,
        positive_infinity_count=positive,
        negative_infinity_count=negative,
        extent=(low, high),
        total=total,
    )


def _count(finite: Array, low: float, high: float) -> tuple[Array, Array]:
    """(counts, edges) of finite values between `low` and `high`; no buckets without values."""
    if not len(finite):
        return np.empty(0, np.int64), np.empty(0)
    buckets = bucket_count(len(finite))
    first, last = (low, high) if low < high else (low - 0.5, high + 0.5)
    if max(-first, last) < np.finfo(finite.dtype if finite.dtype.kind == "f" else float).max / 4:
        try:
            return np.histogram(finite, buckets, (first, last))
        except ValueError:
            pass  # the values are so close that no floats between them could be edges
    if low < high:
        # In quarters, because high - low may overflow.
        inner = np.linspace(low / 4, high / 4, buckets + 1)[1:-1]
        edges = np.unique(np.array([low, *(np.clip(inner, low / 4, high / 4) * 4), high]))
    else:
        edges = np.sort(np.array([low, np.nextafter(low, 0)]))
    return np.histogram(finite.astype(np.float64), edges)
