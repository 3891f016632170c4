"""LoggedValue: the value of a log that a generic value was made from, as our plugins know it.

The way back from what `migration` makes, for what was imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.migration import (
    AUDIO_LABELS,
    EMBEDDING_LABELS,
    EMBEDDING_SPRITES,
    NON_FINITE_COUNTS,
    strings,
)
from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.payloads.graph_message import (
    mindspore_graph,
    tensorboard_graph,
    visualdl_graph,
)
from mindviz.datavisual.payloads.landscape_message import mindspore_landscape
from mindviz.datavisual.payloads.layout_message import chart_layout
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import (
    Audio,
    Embedding,
    Histogram,
    Image,
    Tensor,
    Value,
)

Companions = Mapping[str, NDArray[np.generic]]
"""Plugin -> what goes with a value."""
_ALONE: Companions = MappingProxyType({})


def logged_tensor(
    metadata: SummaryMetadata,
    tensor: NDArray[np.generic],
    companions: Companions = _ALONE,
) -> Value:
    """The value that `generic_tensor` made this from, and what goes with it.

    Raises DamagedValue.
    """
    if metadata.plugin_name == "histograms" and tensor.ndim == 2:
        companion = companions.get(NON_FINITE_COUNTS)
        counts = () if companion is None else companion.tolist()
        nan, negative, positive = (*counts, 0, 0, 0)[:3]
        return Histogram(tensor.astype(np.float64), nan, positive, negative)
    if metadata.plugin_name == "embedding" and tensor.ndim == 2:
        header, *labels = _texts(companions.get(EMBEDDING_LABELS)) or [()]
        vectors = tensor.astype(np.float32)
        return _with_sprite(
            Embedding(vectors, tuple(labels), header), companions.get(EMBEDDING_SPRITES)
        )
    if metadata.plugin_name == "custom_scalars" and tensor.size == 1 and tensor.dtype == object:
        return chart_layout(tensor.reshape(-1).tolist()[0])
    name = "STRING" if tensor.dtype == object else tensor.dtype.name.upper()
    return Tensor(tensor, f"DT_{name}")


def logged_blobs(
    metadata: SummaryMetadata,
    blobs: Sequence[bytes],
    companions: Companions = _ALONE,
) -> Value:
    """The value whose blobs these are, and what goes with it. Raises DamagedValue."""
    plugin_name = metadata.plugin_name
    if plugin_name == "images":
        width, height = string_image_size(blobs)
        return Image(width, height, tuple(blobs[2:]))
    if plugin_name == "audio":
        companion = companions.get(AUDIO_LABELS)
        labels = [] if companion is None else companion.tolist()
        return Audio(tuple(blobs), tuple(str(label, "utf-8", "replace") for label in labels))
    decode = _WHOLE.get(plugin_name)
    if decode is None:
        return Tensor(strings(blobs), "DT_STRING")
    return decode(blobs[0] if blobs else b"")


def _with_sprite(value: Embedding, sprite: NDArray[np.generic] | None) -> Embedding:
    if sprite is None or sprite.shape != (3,):
        return value
    width, height, picture = sprite.tolist()
    return replace(value, sprite=picture, sprite_size=(int(width), int(height)))


def _texts(table: NDArray[np.generic] | None) -> list[tuple[str, ...]]:
    rows = [] if table is None or table.ndim != 2 else table.tolist()
    return [tuple(str(text, "utf-8", "replace") for text in row) for row in rows]


_WHOLE: Mapping[str, Callable[[bytes], Value]] = {
    "graphs": partial(tensorboard_graph, "graph_def"),
    "graph_run_metadata": partial(tensorboard_graph, "graph_run_metadata"),
    "graph_tagged_run_metadata": partial(tensorboard_graph, "graph_run_metadata"),
    "graph_run_metadata_graph": partial(tensorboard_graph, "graph_run_metadata_graph"),
    "graph_keras_model": partial(tensorboard_graph, "graph_keras_model"),
    "mindspore_graph": mindspore_graph,
    "visualdl_graph": visualdl_graph,
    "loss_landscape": mindspore_landscape,
}
"""How the one blob of such a plugin's value is decoded."""
