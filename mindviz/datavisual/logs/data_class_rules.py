"""Rules: what a value must be like to belong to a series of its data class and plugin.

Source: "TensorBoard data ingestion" (2019) for the classes; the plugins' own formats for shapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import BrokenDataClass, DamagedValue

_ANY = -1

_SHAPES: Mapping[str, tuple[tuple[int, ...], str]] = {
    "histograms": ((_ANY, 3), "f"),
    "pr_curves": ((6, _ANY), "f"),
    "roc_curves": ((6, _ANY), "f"),
    "mesh": ((_ANY, _ANY, 3), "iuf"),
    "embedding": ((_ANY, _ANY), "f"),
}
"""Plugin -> shape and numpy's kinds of its tensors."""

_TEXTS = frozenset(
    {"text", "custom_scalars", "audio_labels", "embedding_labels", "embedding_sprites"}
)
"""Plugins whose tensors hold strings, of any shape."""


def check_tensor(metadata: SummaryMetadata, tensor: NDArray[np.generic]) -> None:
    """Raise BrokenDataClass if this is no value of a series of tensors with this metadata.

    A series of unknown class may hold any.
    """
    plugin_name, kind = metadata.plugin_name, tensor.dtype.kind
    if metadata.data_class is DataClass.UNKNOWN:
        return
    if metadata.data_class is not DataClass.TENSOR:
        raise _broken(metadata, tensor)
    if plugin_name in _TEXTS and kind != "O":
        raise _broken(metadata, tensor)
    if plugin_name in _SHAPES:
        dims, kinds = _SHAPES[plugin_name]
        fits = len(dims) == tensor.ndim and all(
            dim in (_ANY, size) for dim, size in zip(dims, tensor.shape, strict=True)
        )
        if not fits or kind not in kinds:
            raise _broken(metadata, tensor)


def admits_numbers(metadata: SummaryMetadata) -> bool:
    """Whether a series with this metadata may hold tensors of rank 0."""
    if metadata.data_class is DataClass.SCALAR:
        return True
    unshaped = metadata.plugin_name not in _SHAPES and metadata.plugin_name not in _TEXTS
    return metadata.data_class is DataClass.TENSOR and unshaped


def check_blobs(metadata: SummaryMetadata, heads: Sequence[bytes]) -> None:
    """Raise BrokenDataClass for blobs whose plugin wants others; `heads` are the first two."""
    if metadata.plugin_name == "images":
        try:
            string_image_size(heads)
        except DamagedValue as error:
            raise BrokenDataClass(str(error)) from error


def _broken(metadata: SummaryMetadata, tensor: NDArray[np.generic]) -> BrokenDataClass:
    dtype = "strings" if tensor.dtype.kind == "O" else tensor.dtype.name
    return BrokenDataClass(
        f"A tensor of shape {list(tensor.shape)} and type {dtype} is no value of a "
        f"{metadata.data_class} series of plugin {metadata.plugin_name[:100]!r}."
    )
