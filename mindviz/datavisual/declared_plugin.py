"""Fallback plugins for undeclared names: views of any series of a known data class."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from mindviz.datavisual.logs.migration import logged_class
from mindviz.datavisual.payloads.encoded_audio import audio_type
from mindviz.datavisual.payloads.encoded_image import mimetype
from mindviz.datavisual.plugins import (
    Plugin,
    find_plugin,
    generic_names,
    logged_view,
    plugins,
    scalar,
    tensor,
)
from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery
from mindviz.datavisual.series.series_view import read_as
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    DataClass,
    Tensor,
    Value,
    ValueTimeSeries,
)
from mindviz.datavisual.store import Store
from mindviz.errors import DamagedValue, PluginNotFound, StepNotFound, TrainJobNotFound

OCTETS = "application/octet-stream"

SHOWN_ELEMENTS = 100
SHOWN_BYTES = 200
"""Of a tensor in a view, and of each string in it."""


def tags_of(store: Store, plugin_name: str, train_id: str) -> Sequence[str]:
    """The tags of any plugin, installed or not; empty for an unknown train job."""
    try:
        if plugin_name in plugins():
            return find_plugin(plugin_name).list_tags(store, train_id)
        logged = store.list_tags(train_id).get(plugin_name, ())
        return sorted({*logged, *_number_tags(store, plugin_name, train_id)})
    except TrainJobNotFound:
        return ()


def _number_tags(store: Store, plugin_name: str, train_id: str) -> Mapping[str, DataClass]:
    """Series with a number per step, and their declared classes.

    A store lists them as scalars, whatever their plugin; even if they are declared as tensors, of
    rank 0.
    """
    of_job = RunTagFilter(frozenset({train_id}))
    listed = store.series.list_series(SeriesQuery(plugin_name, run_tag_filter=of_job))
    numbers = frozenset(store.list_tags(train_id).get(SCALAR_PLUGIN, ()))
    return {
        tag: listing.data_class
        for tag, listing in listed.get(train_id, {}).items()
        if tag in numbers and _are_numbers(tag, listing)
    }


def _are_numbers(tag: str, listing: SeriesListing) -> bool:
    """False for tensor series of an installed plugin, such as histograms."""
    if listing.data_class is not DataClass.TENSOR:
        return listing.data_class is DataClass.SCALAR
    logged = logged_class(tag, listing.summary_metadata)
    return logged is not None and logged.plugin_name == listing.summary_metadata.plugin_name


def plugin_for(store: Store, plugin_name: str, train_id: str, tag: str) -> Plugin:
    """The plugin of this name, or a fallback if the log has series under the name.

    Raises PluginNotFound, TrainJobNotFound.
    """
    if plugin_name in plugins():
        return find_plugin(plugin_name)
    tags = store.list_tags(train_id).get(plugin_name, ())
    if tag not in tags:
        numbers = _number_tags(store, plugin_name, train_id)
        if tag in numbers:
            return _plugin_of_numbers(plugin_name, numbers[tag])
    if not tags:
        raise PluginNotFound(plugin_name, {*plugins(), *store.list_tags(train_id)})
    series = store.read_values(train_id, plugin_name, tag if tag in tags else tags[0])
    return declared_plugin(plugin_name, series.data_class)


def declared_plugin(name: str, data_class: DataClass) -> Plugin:
    """A fallback plugin for series of scalars, of tensors or of blobs."""
    if data_class is DataClass.SCALAR:
        return _plugin_of_numbers(name, data_class)
    if data_class is DataClass.BLOB_SEQUENCE:
        return Plugin(name, f"/{name}", data_class, _blob_sizes, values={"": _blob_sizes})
    return Plugin(name, f"/{name}", data_class, _first_elements, values={"": tensor.values})


def _plugin_of_numbers(name: str, data_class: DataClass) -> Plugin:
    return Plugin(name, f"/{name}", data_class, scalar.view, values={"": scalar.values})


@logged_view("dims", "data_type", "values")
def _first_elements(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    """Shape and type of a step's tensor, and its first elements in row-major order."""
    value = read_as(series, row, Tensor, "a tensor")
    # Not `ravel`, which copies a broadcast tensor of any size.
    first = islice(value.data.flat, SHOWN_ELEMENTS)
    return {
        "dims": list(value.data.shape),
        "data_type": value.dtype_name,
        "values": [_plain_element(element) for element in first],
    }


def _plain_element(element: object) -> object:
    plain = element.item() if isinstance(element, np.generic) else element
    if isinstance(plain, bytes):
        return plain[:SHOWN_BYTES].decode("utf-8", "replace")
    if isinstance(plain, float) and not math.isfinite(plain):
        return "NaN" if math.isnan(plain) else "Infinity" if plain > 0 else "-Infinity"
    return str(plain) if isinstance(plain, complex) else plain


@logged_view("size", "bytes")
def _blob_sizes(series: ValueTimeSeries, row: int) -> Mapping[str, object]:
    blobs = blobs_of(series.read(row))
    return {"size": [len(blobs)], "bytes": [len(blob) for blob in blobs]}


def read_blob(
    store: Store,
    plugin_name: str,
    train_id: str,
    *,
    tag: str,
    step: int,
    index: int = 0,
    writer: str | None = None,
) -> bytes:
    """One blob of one step. Raises NotFound, DamagedValue."""
    store.train_job(train_id)
    plugin = plugin_for(store, plugin_name, train_id, tag)
    series = plugin.read_series(store, train_id, tag, writer)
    row = int(np.searchsorted(series.step, step))
    if row == len(series.step) or series.step[row] != step:
        raise StepNotFound(tag, step)
    blobs = blobs_of(series.read(row))
    if index >= len(blobs):
        raise StepNotFound(tag, step, index=index)
    return blobs[index]


def blobs_of(value: Value) -> tuple[bytes, ...]:
    """The byte strings that a value is a sequence of. Raises DamagedValue if it is none."""
    blobs = generic_names().blobs_of(value)
    if blobs is not None:
        return blobs
    if isinstance(value, bytes):
        return (value,)
    if isinstance(value, Tensor) and value.data.dtype.kind == "O" and value.data.ndim <= 1:
        return tuple(value.data.ravel().tolist())
    raise DamagedValue("The value is no sequence of blobs.")


def content_type_of(blob: bytes) -> str:
    """Its media type by its first bytes; of what browsers neither show nor play, octets."""
    image = mimetype(blob)
    return image if image != OCTETS else audio_type(blob)
