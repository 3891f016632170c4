"""Log formats, one module each.

A format is a module of this package that defines `FORMAT`, or an entry point of the group
`mindviz.log_formats` that names such an object in another distribution.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.datavisual.series.time_series import DataClass, Value
from mindviz.errors import StartError
from mindviz.extensions import extensions

ENTRY_POINTS = "mindviz.log_formats"

HEAD_SIZE = 4096
"""Bytes. What is read of a file or value to learn something without reading all of it."""


@dataclass(frozen=True, slots=True)
class SeriesClass:
    """What a series of a log is to the rest of mindviz."""

    plugin_name: str
    tag: str
    """As the log has it, decoded; no plugin suffix."""
    data_class: DataClass
    variety: str = ""
    """Which kind within the plugin; of graphs `run`, `conceptual`, `op` or `profile`."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file that a format knows."""

    name: str
    """`summary`, `lineage` or `graph`."""
    schema: WireSchema | None
    """How to scan it; None for files that are not record streams (graph files)."""
    is_wanted: Callable[[bytes], bool] | None = None
    """When the name alone does not decide: whether the file's first `HEAD_SIZE` bytes do.

    Not asked for a file beside which a summary file of the same format lies: that one is wanted,
    unless `may_be_anything`.
    """
    may_be_anything: bool = False
    """Whether the name says next to nothing: such files lie beside all kinds of logs."""


@dataclass(frozen=True, slots=True)
class LineageRule:
    """Which values of a format are facts of the job, and how they are decoded."""

    kinds: tuple[str, ...]
    decode: Callable[[str, bytes, bytes], LineageFacts | None]
    """(kind, metadata, value bytes) -> the facts; None if these are none. Raises DamagedValue."""
    tag_prefix: bytes = b""
    """How the tags of such values begin."""
    merged_kinds: frozenset[str] = frozenset()
    """Kinds of which every value counts; of the others it is the last in the file."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A log format: how its files are named, scanned, classified and decoded."""

    name: str
    """`mindspore`, `tensorboard` or `visualdl`."""
    file_kind: Callable[[str], FileKind | None]
    """From a file's base name alone; None if it is none of this format's."""
    usual_names: str
    """A glob of the names that its writers give summary files, for messages."""
    classify: Callable[[str, str, bytes, str], SeriesClass | None]
    """(kind, tag, metadata, file name) -> what the series is; None if it is not shown."""
    decode: Callable[[str, bytes, bytes], Value]
    """(kind, metadata, value bytes) -> the value. Raises DamagedValue."""
    image_size: Callable[[str, bytes], tuple[int, int]] | None = None
    """(kind, the value's first `HEAD_SIZE` bytes) -> width, height. Raises DamagedValue."""
    blob_fields: Mapping[str, int] = field(default_factory=dict)
    """Kind -> the field of its values that holds a blob; of kinds not named, all of the value."""
    creation_time: Callable[[str], float | None] = lambda name: None
    """Unix seconds in a file's name, if it has them."""
    display_name: Callable[[bytes], str] = lambda head: ""
    """From a summary file's first `HEAD_SIZE` bytes: the label the log gives itself, if any."""
    begun: Callable[[bytes], float | None] = lambda head: None
    """From the same: the wall time that its first record has, whatever else is in that."""
    restart_step: Callable[[bytes], int | None] = lambda head: None
    """From the same: the step from which on the file declares that a restart rewrites the log."""
    segments_are_restarts: bool = True
    """Whether a second opening record in one file declares a restart."""
    session_tag: bytes = b""
    """A tag that only records of TensorBoard's hparams sessions have; empty if there is none."""
    lineage: LineageRule | None = None
    """Where the format says how a job was trained; None if it doesn't."""


LATEST_TIME = 253_402_300_799
"""Unix seconds: the end of the year 9999, the last one that a date can be made of."""


def time_in_name(pattern: re.Pattern[str], name: str) -> float | None:
    """The Unix seconds that `pattern`'s group captures in a file's name, if they can be a date."""
    found = pattern.search(name)
    seconds = int(found.group(1)[:20]) if found else LATEST_TIME + 1
    return float(seconds) if seconds <= LATEST_TIME else None


@cache
def log_formats() -> tuple[LogFormat, ...]:
    """All formats: our own sorted by module, then those of other distributions.

    Raises StartError if one of the latter cannot be loaded, or two have the same name.
    """
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found: dict[str, LogFormat] = {}
    for module in modules:
        own: LogFormat = importlib.import_module(f"{__name__}.{module}").FORMAT
        found[own.name] = own
    for origin, log_format in extensions(ENTRY_POINTS, LogFormat):
        if log_format.name in found:
            raise StartError(f"Two log formats are named {log_format.name!r}; one is {origin}.")
        found[log_format.name] = log_format
    return tuple(found.values())
