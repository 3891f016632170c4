"""Output formats: every module in this package defines one as `FORMAT`."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from mindviz.export.table import Table


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """Writes a table as a file."""

    name: str
    """As in `--format`."""
    suffix: str
    """Of file names."""
    content_type: str
    is_text: bool
    """Whether a terminal can show it."""
    write: Callable[[Table], Iterator[bytes]]
    """Yields the file in pieces; holds at most some megabytes of rows."""
    unsupported: Mapping[str, str] = field(default_factory=dict)
    """Name of a table or kind of column -> why this format cannot store it."""
    check: Callable[[], None] = lambda: None
    """Raises ExtraNotInstalled."""
    max_columns: int = sys.maxsize


@cache
def output_formats() -> Mapping[str, OutputFormat]:
    """All formats, sorted by name."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    formats = (importlib.import_module(f"{__name__}.{name}").FORMAT for name in modules)
    by_name = {output_format.name: output_format for output_format in formats}
    return dict(sorted(by_name.items()))
