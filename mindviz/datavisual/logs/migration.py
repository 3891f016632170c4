"""Migration: maps logged series to generic ones and back. Pure functions.

Plugins declare the names; the rules here apply to all of them. Sources:
tensorboard/{data_compat,dataclass_compat}.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.formats import LONGEST_CACHED, SeriesClass, logged_metadata
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.generic_name import (
    NO_COMPANIONS,
    Companion,
    Companions,
    GenericName,
    decoding,
    strings,
)
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import (
    SCALAR_PLUGIN,
    TENSOR_PLUGIN,
    DataClass,
    Tensor,
    Value,
)
from mindviz.errors import DamagedValue


@dataclass(frozen=True, slots=True)
class GenericSeries:
    """One series as generic clients see it."""

    tag: str
    metadata: SummaryMetadata
    companion: Companion | None = None
    """How its values are made of another series'; None for logged data."""


# -------------------------------------------------------------------------------- from a log


def generic_series(
    format_name: str, kind: str, logged: SeriesClass, metadata: bytes, *, is_tensor: bool
) -> tuple[GenericSeries, ...]:
    """A logged series as generic clients see it, and its companions.

    `is_tensor` means that only the metadata tells what the values are; values of all other kinds
    have separate fields. In this order: a class that the log declares, the field, the plugin
    that the metadata names. Else the class is UNKNOWN.

    Empty for lineage in a separate field, such as VisualDL's hyperparameters.
    """
    meaning = _cached_meaning if len(metadata) <= LONGEST_CACHED else _meaning
    known = meaning(format_name, kind, metadata, is_tensor=is_tensor)
    if known is None:
        return ()
    described, companions, is_named_by_tag = known
    if is_named_by_tag:
        described = SummaryMetadata(  # `replace` takes three times as long
            described.plugin_name,
            described.plugin_content,
            logged.tag,
            described.description,
            described.data_class,
        )
    main = GenericSeries(logged.tag, described)
    if not companions:  # nearly always
        return (main,)
    return main, *(companion_series(companion, main) for companion in companions)


def _meaning(
    format_name: str, kind: str, metadata: bytes, *, is_tensor: bool
) -> tuple[SummaryMetadata, tuple[Companion, ...], bool] | None:
    """Metadata of all series like this, their companions, and whether tags are their names."""
    meta = logged_metadata(metadata)
    names = generic_names()
    is_named_by_tag = False
    plugin_name, content, data_class = meta.plugin_name, meta.plugin_content, meta.data_class
    if data_class is DataClass.UNKNOWN or not plugin_name:
        if is_tensor:
            rules = names.find_any(plugin_name)
            data_class = DataClass.UNKNOWN if rules is None else rules.data_class
        else:
            name = names.of_field(format_name, kind)
            if name is None or name.facts is not None:
                return None
            plugin_name, content, data_class = name.name, name.content, name.data_class
            # The tag of a graph says where it lies.
            is_named_by_tag = not meta.display_name and not name.variety
    main = SummaryMetadata(plugin_name, content, meta.display_name, meta.description, data_class)
    own_name, field = names.get(plugin_name), f"{format_name}.{kind}"
    companions = (
        companion
        for companion in (() if own_name is None else own_name.companions)
        if companion.logged_in is None or field in companion.logged_in
    )
    return main, tuple(companions), is_named_by_tag


_cached_meaning = lru_cache(maxsize=256)(_meaning)


def companion_series(companion: Companion, main: GenericSeries) -> GenericSeries:
    """The companion of a series."""
    metadata = SummaryMetadata(
        companion.name,
        companion.content,
        main.metadata.display_name,
        main.metadata.description,
        companion.data_class,
    )
    return GenericSeries(companion.tag or main.tag, metadata, companion)


def broken_series(series: GenericSeries) -> GenericSeries:
    """Values that break the class of a series: of no class, which generic clients don't see.

    No plugin has this name, so they can be stored with the series.
    """
    name = f"{series.metadata.plugin_name} (broken)"
    return GenericSeries(series.tag, SummaryMetadata(name, data_class=DataClass.UNKNOWN))


def asset_series(tag: str, name: GenericName) -> GenericSeries:
    """A series in files next to a log."""
    metadata = SummaryMetadata(name.name, display_name=tag, data_class=name.data_class)
    return GenericSeries(tag, metadata, name if isinstance(name, Companion) else None)


def with_first_tensor(metadata: SummaryMetadata, tensor: NDArray[np.generic]) -> SummaryMetadata:
    """The metadata with content that depends on a value, such as the number of thresholds."""
    name = generic_names().get(metadata.plugin_name)
    if name is None or name.content_of is None or metadata.plugin_content or tensor.ndim != 2:
        return metadata
    return replace(metadata, plugin_content=name.content_of(tensor))


def generic_tensor(series: GenericSeries, value: Value) -> NDArray[np.generic]:
    """A value of a series of tensors or of a companion. Raises DamagedValue."""
    if series.companion is not None:
        part: NDArray[np.generic] = series.companion.of(value)
        return part
    tensor = generic_names().tensor_of(value, series.metadata.plugin_name)
    if tensor is None:
        raise DamagedValue(f"The value is no tensor of {series.metadata.plugin_name}.")
    return tensor


# ----------------------------------------------------------------------------- and back again


def logged_class(tag: str, metadata: SummaryMetadata) -> SeriesClass | None:
    """The class of a generic series for our plugins; None for companions."""
    if generic_names().companion_of(metadata.plugin_name):
        return None
    if metadata.data_class is DataClass.SCALAR:
        return SeriesClass(SCALAR_PLUGIN, tag, DataClass.SCALAR)
    if metadata.data_class is DataClass.UNKNOWN:
        return SeriesClass(TENSOR_PLUGIN, tag, DataClass.TENSOR)
    name = generic_names().get(metadata.plugin_name)
    if name is None:
        return SeriesClass(metadata.plugin_name, tag, metadata.data_class)
    return SeriesClass(name.plugin_name, tag, metadata.data_class, name.variety)


def logged_tensor(
    metadata: SummaryMetadata, tensor: NDArray[np.generic], companions: Companions = NO_COMPANIONS
) -> Value:
    """The value that `generic_tensor` made this and its companions from. Raises DamagedValue."""
    dtype = "STRING" if tensor.dtype == object else tensor.dtype.name.upper()
    value = Tensor(tensor, f"DT_{dtype}")
    name = generic_names().get(metadata.plugin_name)
    return value if name is None else name.decoded(value, companions)


def logged_blobs(
    metadata: SummaryMetadata, blobs: Sequence[bytes], companions: Companions = NO_COMPANIONS
) -> Value:
    """The value that consists of these blobs and companions. Raises DamagedValue."""
    name = generic_names().get(metadata.plugin_name)
    if name is None or name.from_blobs is None:
        return Tensor(strings(blobs), "DT_STRING")
    with decoding():
        return name.from_blobs(blobs, companions)
