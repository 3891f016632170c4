"""Log formats, one module each. A module is found by being here and defining `FORMAT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from mindviz.datavisual.data_transform.time_series import DataClass, Value
from mindviz.datavisual.data_transform.wire_schema import WireSchema


@dataclass(frozen=True, slots=True)
class SeriesClass:
    """What a series of a log is to the rest of mindviz."""

    plugin_name: str
    tag: str
    """As the log has it, decoded; no plugin suffix."""
    data_class: DataClass


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file that a format knows."""

    name: str
    """`summary`, `lineage` or `graph`."""
    schema: WireSchema | None
    """How to scan it; None for files that are not record streams (graph files)."""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A log format: how its files are named, scanned, classified and decoded."""

    name: str
    """`mindspore`, `tensorboard` or `visualdl`."""
    file_kind: Callable[[str], FileKind | None]
    """From a file's base name alone; None if it is none of this format's."""
    classify: Callable[[str, str, bytes, str], SeriesClass | None]
    """(kind, tag, metadata, file name) -> what the series is; None if it is not shown."""
    decode: Callable[[str, bytes, bytes], Value]
    """(kind, metadata, value bytes) -> the value. Raises DamagedValue."""
    image_size: Callable[[str, bytes], tuple[int, int]] | None = None
    """(kind, first 4 KiB of the value) -> width, height. Raises DamagedValue."""
    creation_time: Callable[[str], float | None] = lambda name: None
    """Unix seconds in a file's name, if it has them."""


@cache
def log_formats() -> tuple[LogFormat, ...]:
    """All formats, sorted by module name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(importlib.import_module(f"{__name__}.{name}").FORMAT for name in names)
