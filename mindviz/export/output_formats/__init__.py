"""Output formats, one module each. A module is found by being here and defining `FORMAT`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from mindviz.export.table import Table


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How a table becomes the bytes of a file."""

    name: str
    """As in `--format`."""
    suffix: str
    """Of its files."""
    content_type: str
    is_text: bool
    """Whether a terminal can show it."""
    write: Callable[[Table], Iterator[bytes]]
    """The file, piece by piece, as rows come. Holds no more than some megabytes of rows."""
    refused: Mapping[str, str]
    """Name of a table -> why it has no place in this format."""
    check: Callable[[], None] = lambda: None
    """Raises ExtraNotInstalled."""


@cache
def output_formats() -> Mapping[str, OutputFormat]:
    """All formats by name, sorted by it."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    formats = (importlib.import_module(f"{__name__}.{name}").FORMAT for name in modules)
    return {one.name: one for one in sorted(formats, key=lambda one: one.name)}
