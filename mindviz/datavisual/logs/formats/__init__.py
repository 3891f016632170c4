"""Log formats, one module each.

A format is a module of this package that defines `FORMAT`, or an entry point of the group
`mindviz.log_formats` that names such an object in another distribution.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.lineage_facts import CutFacts, LineageFacts
from mindviz.datavisual.series.time_series import TENSOR_PLUGIN, DataClass, ImageSize, Value
from mindviz.errors import StartError
from mindviz.extensions import extensions
from mindviz.wire.fields import BadMessage, Message

ENTRY_POINTS = "mindviz.log_formats"

HEAD_SIZE = 4096
"""Bytes that are read to learn about a file or value without reading all of it."""


@dataclass(frozen=True, slots=True)
class SeriesClass:
    """How a series of a log is shown."""

    plugin_name: str
    tag: str
    """The log's tag, decoded, without a plugin suffix."""
    data_class: DataClass
    variety: str = ""
    """The variety within the plugin; for graphs `run`, `conceptual`, `op` or `profile`."""


@dataclass(frozen=True, slots=True)
class LoggedMetadata:
    """A SummaryMetadata message, as logged."""

    plugin_name: str = ""
    plugin_content: bytes = b""
    display_name: str = ""
    description: str = ""
    data_class: DataClass = DataClass.UNKNOWN


def logged_metadata(metadata: bytes) -> LoggedMetadata:
    """A decoded SummaryMetadata; all empty if it is damaged."""
    # A job of many series has few distinct ones. Long ones are not worth the memory.
    return _parsed_once(metadata) if len(metadata) <= LONGEST_CACHED else _parsed(metadata)


LONGEST_CACHED = 1024
"""Bytes."""


def _parsed(metadata: bytes) -> LoggedMetadata:
    try:
        message = Message(metadata)
        plugin_data = message.message(1)
    except BadMessage:
        return LoggedMetadata()
    number = message.integer(4)
    classes = tuple(DataClass)
    return LoggedMetadata(
        plugin_data.text(1),
        bytes(plugin_data.bytes(2)),
        message.text(2),
        message.text(3),
        classes[number] if 0 <= number < len(classes) else DataClass.UNKNOWN,
    )


_parsed_once = lru_cache(maxsize=256)(_parsed)


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file of a format."""

    name: str
    """`summary`, `lineage` or `graph`."""
    schema: WireSchema | None
    """None for files that are not record streams (graph files)."""
    is_wanted: Callable[[bytes], bool] | None = None
    """Decides by the file's first `HEAD_SIZE` bytes, if the name is not enough.

    Skipped for a file next to a summary file of the same format, which is wanted unless
    `may_be_anything`.
    """
    may_be_anything: bool = False
    """Whether the name is so common that such files are next to all kinds of logs."""


@dataclass(frozen=True, slots=True)
class LineageRule:
    """Which values of a format are lineage, and how to decode them."""

    kinds: tuple[str, ...]
    decode: Callable[[str, bytes, bytes], LineageFacts | CutFacts | None]
    """(kind, metadata, value bytes) -> the facts, or None. Raises DamagedValue."""
    has_facts: Callable[[str, bytes], bool] = lambda kind, tag: True
    """(kind, tag) -> whether such values may be facts."""
    merged_kinds: frozenset[str] = frozenset()
    """Kinds whose values are merged; of the others, the last value of a file counts."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A log format: its file names, kinds of files, series and decoders."""

    name: str
    """`mindspore`, `tensorboard` or `visualdl`."""
    file_kind: Callable[[str], FileKind | None]
    """Base name of a file -> its kind; None if it is not of this format."""
    usual_names: str
    """A glob of the usual names of summary files, for messages."""
    decode: Callable[[str, bytes, bytes], Value]
    """(kind, metadata, value bytes) -> the value. Raises DamagedValue."""
    tensor_kind: str = ""
    """The kind of tensors whose metadata names a plugin."""
    kinds_named_by_file: frozenset[str] = frozenset()
    """Kinds whose series have the name of their file as the tag."""
    image_size: Callable[[str, bytes], ImageSize] | None = None
    """(kind, the value's first `HEAD_SIZE` bytes) -> the size. Raises DamagedValue."""
    blob_fields: Mapping[str, int] = field(default_factory=dict)
    """Kind -> the field of its values that is the blob; for other kinds, the value is."""
    creation_time: Callable[[str], float | None] = lambda name: None
    """File name -> the Unix seconds in it, if any."""
    display_name: Callable[[bytes], str] = lambda head: ""
    """The first `HEAD_SIZE` bytes of a summary file -> the label in it, or an empty string."""
    begun: Callable[[bytes], float | None] = lambda head: None
    """The same bytes -> the wall time of the first record, if any."""
    restart_step: Callable[[bytes], int | None] = lambda head: None
    """The same bytes -> the step from which a declared restart rewrites the log, if any."""
    segments_are_restarts: bool = True
    """Whether a second opening record in a file means a restart."""
    session_tag: bytes = b""
    """The tag of TensorBoard's hparams sessions; empty for other formats."""
    lineage: LineageRule | None = None
    """None if the format has no lineage."""

    def classify(self, kind: str, tag: str, metadata: bytes, file_name: str) -> SeriesClass | None:
        """The class of a series, by what plugins declare; None if it is not shown."""
        if kind == self.tensor_kind:
            return _tensor_class(tag, logged_metadata(metadata))
        name = generic_names().of_field(self.name, kind)
        if name is None:
            return None
        if kind in self.kinds_named_by_file:
            tag = file_name
        return SeriesClass(name.plugin_name, tag, name.data_class, name.variety)


def _tensor_class(tag: str, logged: LoggedMetadata) -> SeriesClass:
    name = generic_names().get(logged.plugin_name)
    if name is not None and name.data_class is not DataClass.SCALAR:
        return SeriesClass(name.plugin_name, tag, name.data_class, name.variety)
    if logged.plugin_name and logged.data_class in (DataClass.TENSOR, DataClass.BLOB_SEQUENCE):
        return SeriesClass(logged.plugin_name, tag, logged.data_class)
    return SeriesClass(TENSOR_PLUGIN, tag, DataClass.TENSOR)


LATEST_TIME = 253_402_300_799
"""Unix seconds: the end of the year 9999, the last one that dates support."""


def count_kinds(kinds: Iterable[FileKind]) -> tuple[int, int, int]:
    """Numbers of files with summaries, lineages and graphs."""
    names = [kind.name for kind in kinds]
    return names.count("summary"), names.count("lineage"), names.count("graph")


def time_in_name(pattern: re.Pattern[str], name: str) -> float | None:
    """The Unix seconds in a file's name, captured by `pattern`; None if they are not a date."""
    match = pattern.search(name)
    seconds = int(match.group(1)[:20]) if match else LATEST_TIME + 1
    return float(seconds) if seconds <= LATEST_TIME else None


@cache
def log_formats() -> tuple[LogFormat, ...]:
    """All formats: built-in ones sorted by module, then those of other distributions.

    Raises StartError if one cannot be loaded, or two have the same name.
    """
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    formats: dict[str, LogFormat] = {}
    for module in modules:
        own: LogFormat = importlib.import_module(f"{__name__}.{module}").FORMAT
        formats[own.name] = own
    for origin, log_format in extensions(ENTRY_POINTS, LogFormat):
        if log_format.name in formats:
            raise StartError(f"Two log formats are named {log_format.name!r}; one is {origin}.")
        formats[log_format.name] = log_format
    return tuple(formats.values())
