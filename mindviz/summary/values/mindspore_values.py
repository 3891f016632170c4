"""Images, histograms and tensors as records in MindSpore's format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from urllib.parse import quote

import numpy as np

from mindviz.summary.values import histograms, images
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.writing.log_names import Log
from mindviz.summary.writing.recorded_step import PooledValue
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
    yield _pooled(what, partial(histograms.encoded, tag, array), array)
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
