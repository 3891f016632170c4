"""ValueTable: how values of a plugin become rows of an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The type of a column's cells; every cell may also be None."""

    INTEGER = "integer"
    """Within int64."""
    NUMBER = "number"
    """A float, which may be NaN or infinite."""
    FLAG = "flag"
    TEXT = "text"
    INTEGERS = "integers"
    """A one-dimensional array of integers."""
    NUMBERS = "numbers"
    """A one-dimensional array of floats; all columns of this kind have equal lengths in a row."""
    ARRAY = "array"
    """A numpy array of any shape and dtype except object."""
    BYTES = "bytes"
    JSON = "json"
    """A JSON value, in which NaN and infinities are allowed."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The columns of a plugin's values, and their cells."""

    columns: tuple[Column, ...]
    """Between `wall_time` and `problem`."""
    rows: Callable[[Any], Iterator[tuple[Any, ...]]]
    """The rows of one value, at least one. Raises DamagedValue."""
