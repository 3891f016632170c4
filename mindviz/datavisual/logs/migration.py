"""Migration: what a series of a log is to generic clients, and back again. Pure functions.

Logs say what they hold in many ways: fields of their own, tensors whose metadata names a plugin,
whole files. Generic clients know three data classes and plugin names. One table leads from there to
here, for whoever serves log directories and for whoever imports them; the way back lets what was
imported be shown by the same plugins.

Sources: tensorboard/{data_compat,dataclass_compat}.py, tensorboard/plugins/*/metadata.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.formats import SeriesClass
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import (
    Audio,
    ChartLayout,
    DataClass,
    Embedding,
    Histogram,
    Image,
    Tensor,
    Value,
)
from mindviz.errors import DamagedValue
from mindviz.wire.encode import varint_field
from mindviz.wire.fields import BadMessage, Message


@dataclass(frozen=True, slots=True)
class GenericSeries:
    """One series as generic clients see it."""

    tag: str
    metadata: SummaryMetadata
    companion_of: str = ""
    """The plugin beside whose series this one belongs, of the same tag but for graphs; its values
    go with those at the same step. Empty for a series that is logged data itself."""


# ------------------------------------------------------------------------------ what plugins are

AUDIO_LABELS = "audio_labels"
EMBEDDING_LABELS = "embedding_labels"
EMBEDDING_SPRITES = "embedding_sprites"
NON_FINITE_COUNTS = "histogram_non_finite"
RUN_GRAPH = "__run_graph__"
"""The tag under which generic clients look for a train job's graph."""
FUNCTION_GRAPHS = "graph_run_metadata_graph"
"""The plugin whose graphs have tags of their own."""
_OTHER_GRAPHS = ("mindspore_graph", "visualdl_graph")
"""Plugins of graphs that generic clients don't know; `graphs` has them in the form they know."""

_CLASSES: Mapping[str, DataClass] = {
    "scalars": DataClass.SCALAR,
    "histograms": DataClass.TENSOR,
    NON_FINITE_COUNTS: DataClass.TENSOR,
    "text": DataClass.TENSOR,
    "pr_curves": DataClass.TENSOR,
    "roc_curves": DataClass.TENSOR,
    "mesh": DataClass.TENSOR,
    "hparams": DataClass.TENSOR,
    "custom_scalars": DataClass.TENSOR,
    "tensors": DataClass.TENSOR,
    "tensor": DataClass.TENSOR,  # of torch's add_tensor, which says no class
    "embedding": DataClass.TENSOR,
    EMBEDDING_LABELS: DataClass.TENSOR,
    EMBEDDING_SPRITES: DataClass.TENSOR,
    AUDIO_LABELS: DataClass.TENSOR,
    "images": DataClass.BLOB_SEQUENCE,
    "audio": DataClass.BLOB_SEQUENCE,
    "graphs": DataClass.BLOB_SEQUENCE,
    "graph_tagged_run_metadata": DataClass.BLOB_SEQUENCE,
    "graph_run_metadata": DataClass.BLOB_SEQUENCE,
    "graph_run_metadata_graph": DataClass.BLOB_SEQUENCE,
    "graph_keras_model": DataClass.BLOB_SEQUENCE,
    "mindspore_graph": DataClass.BLOB_SEQUENCE,
    "visualdl_graph": DataClass.BLOB_SEQUENCE,
    "loss_landscape": DataClass.BLOB_SEQUENCE,
}
"""What the series of a plugin are made of, where their log does not say."""

_OWN_KINDS: Mapping[str, str] = {
    "scalar": "scalars",
    "image": "images",
    "histogram": "histograms",
    "audio": "audio",
    "text": "text",
    "pr_curve": "pr_curves",
    "roc_curve": "roc_curves",
    "embedding": "embedding",
    "tensor": "tensors",
    "loss_landscape": "loss_landscape",
}
"""Our plugin -> the generic one, of values in fields of their own, whose metadata means nothing."""

_GRAPH_KINDS: Mapping[str, str] = {
    "graph_def": "graphs",
    "meta_graph_def": "graphs",
    "tagged_run_metadata": "graph_tagged_run_metadata",
}

_OURS: Mapping[str, tuple[str, str]] = {
    **{generic: (ours, "") for ours, generic in _OWN_KINDS.items()},
    "mesh": ("mesh", ""),
    "hparams": ("hparams", ""),
    "custom_scalars": ("custom_scalars", ""),
    "graphs": ("graph", "run"),
    "mindspore_graph": ("graph", "run"),
    "visualdl_graph": ("graph", "run"),
    "graph_run_metadata_graph": ("graph", "op"),
    "graph_keras_model": ("graph", "conceptual"),
    "graph_run_metadata": ("run_metadata", "profile"),
    "graph_tagged_run_metadata": ("run_metadata", "profile"),
}
"""The way back: generic plugin -> our plugin and the variety."""

_COMPANIONS: Mapping[str, str] = {
    AUDIO_LABELS: "audio",
    EMBEDDING_LABELS: "embedding",
    EMBEDDING_SPRITES: "embedding",
    NON_FINITE_COUNTS: "histograms",
}
"""Plugin whose series hold what another's have no room for -> that other one."""

_CONTENT: Mapping[str, bytes] = {
    # ImagePluginData: converted_to_tensor 2. AudioPluginData: encoding 2 (WAV is 11), the same 3.
    "images": varint_field(2, 1),
    "audio": varint_field(2, 11) + varint_field(3, 1),
}
"""The plugin's own metadata, where the log has none."""


# -------------------------------------------------------------------------------- from a log


@dataclass(frozen=True, slots=True)
class LoggedMetadata:
    """A SummaryMetadata message, as a log has it."""

    plugin_name: str = ""
    plugin_content: bytes = b""
    display_name: str = ""
    description: str = ""
    data_class: DataClass = DataClass.UNKNOWN

    @staticmethod
    def of(metadata: bytes) -> LoggedMetadata:
        """Decoded; all empty if it is damaged."""
        try:
            message = Message(metadata)
            plugin_data = Message(message.bytes(1))
        except BadMessage:
            return LoggedMetadata()
        number = message.integer(4)
        classes = tuple(DataClass)
        return LoggedMetadata(
            str(plugin_data.bytes(1), "utf-8", "replace"),
            bytes(plugin_data.bytes(2)),
            str(message.bytes(2), "utf-8", "replace"),
            str(message.bytes(3), "utf-8", "replace"),
            classes[number] if 0 <= number < len(classes) else DataClass.UNKNOWN,
        )


def generic_series(
    format_name: str, kind: str, logged: SeriesClass, metadata: bytes, *, is_tensor: bool
) -> tuple[GenericSeries, ...]:
    """What a logged series is to generic clients: one series, and perhaps one that goes with it.

    `is_tensor` says that its values are tensors of which only the metadata tells what they are;
    values of all other kinds have a field of their own. In this order: a class that the log
    declares, the field, the plugin that the metadata names. Else the class is UNKNOWN.

    Empty for what is no series to them: VisualDL's hyper-parameters are facts of the train job.
    """
    meaning = _remembered if len(metadata) <= _LONGEST_REMEMBERED else _meaning
    found = meaning(
        format_name, kind, logged.plugin_name, logged.data_class, metadata, is_tensor=is_tensor
    )
    if found is None:
        return ()
    main, companion, is_named_by_tag = found
    if is_named_by_tag:
        main = _named(main, logged.tag)
    series = GenericSeries(logged.tag, main)
    if companion is None:
        return (series,)
    if is_named_by_tag:
        companion = _named(companion, logged.tag)
    tag = RUN_GRAPH if companion.plugin_name == "graphs" else logged.tag
    return series, GenericSeries(tag, companion, companion_of=main.plugin_name)


_LONGEST_REMEMBERED = 1024
"""Bytes of metadata. A job of many series has few distinct ones, which are parsed once."""


def _named(metadata: SummaryMetadata, name: str) -> SummaryMetadata:
    """As `replace`, which takes three times as long."""
    return SummaryMetadata(
        metadata.plugin_name,
        metadata.plugin_content,
        name,
        metadata.description,
        metadata.data_class,
    )


def _meaning(
    format_name: str,
    kind: str,
    plugin_logged: str,
    class_logged: DataClass,
    metadata: bytes,
    *,
    is_tensor: bool,
) -> tuple[SummaryMetadata, SummaryMetadata | None, bool] | None:
    """Metadata of all series like this, of their companions, and whether tags are their names."""
    said = LoggedMetadata.of(metadata)
    is_named_by_tag = False
    data_class: DataClass
    if said.data_class is not DataClass.UNKNOWN and said.plugin_name:
        plugin_name, data_class, content = said.plugin_name, said.data_class, said.plugin_content
    elif is_tensor:
        plugin_name, content = said.plugin_name, said.plugin_content
        data_class = _CLASSES.get(plugin_name, DataClass.UNKNOWN)
    elif plugin_logged == "hparams":
        return None
    else:
        plugin_name = _field_plugin(format_name, kind, plugin_logged)
        data_class = _CLASSES.get(plugin_name, class_logged)
        content = _CONTENT.get(plugin_name, b"")
        if kind not in _GRAPH_KINDS and kind != "graph":
            is_named_by_tag = not said.display_name
    main = SummaryMetadata(
        plugin_name, content, said.display_name, said.description, data_class=data_class
    )
    return main, _companion(format_name, kind, main), is_named_by_tag


_remembered = lru_cache(maxsize=256)(_meaning)


def _field_plugin(format_name: str, kind: str, plugin_logged: str) -> str:
    """The generic plugin of values that have a field of their own."""
    if kind == "graph":
        return f"{format_name}_graph"
    return _GRAPH_KINDS.get(kind) or _OWN_KINDS.get(plugin_logged, plugin_logged)


def _companion(format_name: str, kind: str, main: SummaryMetadata) -> SummaryMetadata | None:
    """What goes with a series, where its values can have any."""
    plugin_name = {
        "audio": AUDIO_LABELS if kind == "tensor" else "",
        "embedding": EMBEDDING_LABELS,
        "histograms": NON_FINITE_COUNTS if format_name == "mindspore" else "",
        **dict.fromkeys(_OTHER_GRAPHS, "graphs"),
    }.get(main.plugin_name)
    if not plugin_name:
        return None
    # Nobody reads what TensorBoard's plugin `graphs` says of its data; it tells this one apart.
    content = main.plugin_name.encode() if plugin_name == "graphs" else b""
    return replace(
        main, plugin_name=plugin_name, plugin_content=content, data_class=_CLASSES[plugin_name]
    )


def further_graph(tag: str, graph: GenericSeries) -> GenericSeries:
    """A graph made for generic clients of which there can be no second: as one of a function.

    `tag` is that of the graph which it is made of.
    """
    # The plugin's own metadata is the version of its data, and TensorBoard wants this one.
    metadata = replace(graph.metadata, plugin_name=FUNCTION_GRAPHS, plugin_content=b"1")
    return replace(graph, tag=tag, metadata=metadata)


def broken_series(series: GenericSeries) -> GenericSeries:
    """Values that break the class of a series: of no class, which generic clients don't see.

    The name is none that a plugin has, so that they may be stored beside the series.
    """
    name = f"{series.metadata.plugin_name} (broken)"
    return GenericSeries(series.tag, SummaryMetadata(name, data_class=DataClass.UNKNOWN))


def asset_series(tag: str, plugin_name: str) -> GenericSeries:
    """What files beside a log hold: embeddings, or one of the plugins that go with them."""
    metadata = SummaryMetadata(plugin_name, display_name=tag, data_class=_CLASSES[plugin_name])
    return GenericSeries(tag, metadata, _COMPANIONS.get(plugin_name, ""))


def with_first_tensor(metadata: SummaryMetadata, tensor: NDArray[np.generic]) -> SummaryMetadata:
    """The metadata, completed by what only a value tells: how many thresholds a curve has."""
    if metadata.plugin_name != "pr_curves" or metadata.plugin_content or tensor.ndim != 2:
        return metadata
    # PrCurvePluginData: num_thresholds 2.
    return replace(metadata, plugin_content=varint_field(2, tensor.shape[1]))


def generic_tensor(series: GenericSeries, value: Value) -> NDArray[np.generic]:
    """A value of a series of tensors, or what goes with it. Raises DamagedValue."""
    tensor: NDArray[np.generic]
    if series.companion_of:
        tensor = _companion_tensor(series, value)
    elif isinstance(value, Tensor):
        tensor = value.data
    elif isinstance(value, Histogram):
        tensor = value.buckets
    elif isinstance(value, Embedding):
        tensor = value.vectors
    elif isinstance(value, ChartLayout):
        tensor = strings([value.content]).reshape(())
    elif isinstance(value, Audio):
        tensor = strings(value.clips)
    elif isinstance(value, Image):  # of a log that declares its images to be tensors
        tensor = strings([b"%d" % value.width, b"%d" % value.height, *value.encoded])
    else:
        raise _no_tensor(series)
    return tensor


def _companion_tensor(series: GenericSeries, value: Value) -> NDArray[np.generic]:
    if isinstance(value, Histogram):
        counts = (value.nan_count, value.negative_infinity_count, value.positive_infinity_count)
        return np.array(counts, np.int64)
    if isinstance(value, Embedding) and series.metadata.plugin_name == EMBEDDING_SPRITES:
        width, height = value.sprite_size
        return strings([b"%d" % width, b"%d" % height, value.sprite])  # as images are
    if isinstance(value, Embedding):
        return _embedding_labels(value)
    if isinstance(value, Audio):
        return strings([label.encode() for label in value.labels])
    raise _no_tensor(series)


def _no_tensor(series: GenericSeries) -> DamagedValue:
    return DamagedValue(f"The value is no tensor of {series.metadata.plugin_name}.")


def _embedding_labels(value: Embedding) -> NDArray[np.object_]:
    """The header, then a row per point; empty if there are no labels."""
    width = len(value.labels[0]) if value.labels else 0
    header = (*value.header, *("" for _ in range(width)))[:width]
    rows = [header, *value.labels] if width else []
    return strings([text.encode() for row in rows for text in row]).reshape(len(rows), width)


def strings(texts: Sequence[bytes]) -> NDArray[np.object_]:
    """A tensor of rank 1."""
    array = np.empty(len(texts), object)
    array[:] = texts
    return array


# ----------------------------------------------------------------------------- and back again


def logged_class(tag: str, metadata: SummaryMetadata) -> SeriesClass | None:
    """What a generic series is to our plugins; None for one that only goes with another."""
    if companion_of(metadata):
        return None
    plugin_name, variety = _OURS.get(metadata.plugin_name, (metadata.plugin_name, ""))
    data_class = metadata.data_class
    if data_class is DataClass.SCALAR:
        plugin_name, variety = "scalar", ""
    elif data_class is DataClass.UNKNOWN:
        plugin_name, variety, data_class = "tensor", "", DataClass.TENSOR
    return SeriesClass(plugin_name, tag, data_class, variety)


def companion_of(metadata: SummaryMetadata) -> str:
    """The plugin beside whose series this one belongs; empty if it stands alone."""
    if metadata.plugin_name == "graphs":
        return metadata.plugin_content.decode() if _is_made(metadata) else ""
    return _COMPANIONS.get(metadata.plugin_name, "")


def _is_made(graphs: SummaryMetadata) -> bool:
    return graphs.plugin_content in {name.encode() for name in _OTHER_GRAPHS}
